"""Salience heads fitted to the frequencies of a vocabulary."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.cli import main
from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import load_arrays
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.folders.packed_weights import read_packed
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from lab.training.vocabulary_salience import (
    SalienceRecipe,
    fit_salience,
    rarity_of_pieces,
)
from tests.core.tiny_models import write_packed_model

BOTH = ("query_salience.weight", "passage_salience.weight")


@pytest.fixture
def packed_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WINNOW_ADD_ONS", str(tmp_path / "add-ons"))
    model, _ = write_packed_model(tmp_path)
    return model


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(12):
        lines = f"# The crows\n\nthe owls {number}\n\nпчелы the crows\n"
        (folder / f"note{number}.md").write_text(lines, encoding="utf-8")
    return folder


def with_saliences(model: Path) -> Path:
    config = json.loads((model / "config.json").read_text("utf-8"))
    config |= {"has_salience": True, "weighs_queries": True, "keeping": "weighted-pooling:0.5"}
    (model / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return model


def test_heads_follow_the_frequencies_of_the_pieces(packed_model: Path, notes: Path) -> None:
    recipe = SalienceRecipe(common=3.5, passages=12)
    report = fit_salience(load_checkpoint(packed_model), [notes], recipe)
    assert report["passages"] == 12
    checkpoint = load_checkpoint(with_saliences(packed_model))
    encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))
    pieces = read_packed(checkpoint.tokenizer).pieces
    texts = [encoder.query_tokens(line) for line in ("the owls 3", "пчелы the crows")]
    queries = encoder.encode_queries(texts)
    scores = [pieces[number][1] for text in texts for number in text.ids]
    expected = rarity_of_pieces(np.array(scores, dtype=np.float32), recipe.common)
    found = np.concatenate([query.saliences for query in queries if query.saliences is not None])
    assert np.corrcoef(found, expected)[0, 1] > 0.4
    for query in queries:
        assert query.saliences is not None
        assert query.weights == pytest.approx(query.saliences / query.saliences.mean(), abs=1e-4)
    projection = load_arrays(packed_model / "heads.safetensors", ["projection", *BOTH])
    assert projection["projection"].shape == (32, 16)
    assert projection[BOTH[0]].tolist() == projection[BOTH[1]].tolist()


def test_the_command_fits_a_model_with_salience_again(
    packed_model: Path, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["fit", "--salience", "--model", str(packed_model), str(notes)]
    assert main(arguments) == 0
    first = (packed_model / "heads.safetensors").read_bytes()
    with_saliences(packed_model)
    assert main(arguments) == 0
    assert (packed_model / "heads.safetensors").read_bytes() == first
    assert '"r2"' in capsys.readouterr().out


def test_other_models_and_empty_folders_are_refused(packed_model: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="The vocabulary of winnow-mini has no frequencies"):
        fit_salience(load_checkpoint(), [tmp_path], SalienceRecipe())
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="holds no documents to train on"):
        fit_salience(load_checkpoint(packed_model), [tmp_path / "empty"], SalienceRecipe())
