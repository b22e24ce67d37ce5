"""Teachers with one vector per text, and their vectors on disk."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from core.cli import main
from core.errors import ModelError, UsageError
from lab.training.config import LossConfig
from lab.training.corpus import Passage
from lab.training.sentence_teacher import Halves, SentenceEncoder, SentenceTeacher, StoredVectors

from .conftest import save_tokenizer

OWL = Passage("d", 0, "owl", "the owl hunts at night")
CROW = Passage("e", 0, "", "the crow")


@pytest.fixture
def sentence_encoder(tiny_model: Path, tmp_path: Path) -> Path:
    """The folder of a sentence encoder that takes the mean of the tokens' vectors."""
    folder = tmp_path / "sentences"
    shutil.copytree(tiny_model, folder)
    save_tokenizer(tiny_model, folder)
    pool_by(folder, "mean_tokens")
    return folder


def pool_by(folder: Path, *modes: str) -> None:
    (folder / "1_Pooling").mkdir(exist_ok=True)
    settings = {"word_embedding_dimension": 32, "pooling_mode_max_tokens": False}
    settings |= {f"pooling_mode_{mode}": True for mode in modes}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(settings), encoding="utf-8")


def encoder(folder: Path, max_tokens: int = 32) -> SentenceEncoder:
    return SentenceEncoder(folder, max_tokens, precision="float32")


def test_a_text_has_the_mean_or_the_first_of_its_tokens_vectors(sentence_encoder: Path) -> None:
    from transformers import AutoModel

    model = AutoModel.from_pretrained(sentence_encoder).eval()
    # [CLS] the owl hunts [SEP]
    words = json.loads((sentence_encoder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    ids = [2, words["the"], words["owl"], words["hunts"], 3]
    with torch.inference_mode():
        (hidden,) = model(input_ids=torch.tensor([ids]))[0]
    for mode, expected in (("mean_tokens", hidden.mean(dim=0)), ("cls_token", hidden[0])):
        pool_by(sentence_encoder, mode)
        long = " ".join(["wren"] * 20)
        found = encoder(sentence_encoder).encode(["the owl hunts", long])[0]
        unit = expected / expected.norm()
        assert found == pytest.approx(unit.numpy(), abs=2e-3), mode


def test_texts_are_cut(sentence_encoder: Path) -> None:
    short = encoder(sentence_encoder, max_tokens=5)
    found = short.encode(["the owl hunts", "the owl hunts at night"])
    assert found[0].tolist() == found[1].tolist()
    assert short.encode([]).shape == (0, 32)


def test_a_text_is_encoded_once(tmp_path: Path) -> None:
    encoded: list[str] = []

    def encode(texts: Sequence[str]) -> Halves:
        encoded.extend(texts)
        return np.array([[len(text), 1] for text in texts], dtype=np.float16)

    store = StoredVectors(tmp_path / "vectors", 2)
    assert store.of(["owl", "crow", "owl"], encode).tolist() == [[3, 1], [4, 1], [3, 1]]
    again = StoredVectors(tmp_path / "vectors", 2)
    assert again.of(["robin", "crow"], encode).tolist() == [[5, 1], [4, 1]]
    assert encoded == ["owl", "crow", "robin"]
    assert len(again) == 3


@pytest.mark.parametrize(("name", "lost"), [("keys", 5), ("vectors", 3)])
def test_what_a_killed_run_left_half_is_encoded_again(tmp_path: Path, name: str, lost: int) -> None:
    def encode(texts: Sequence[str]) -> Halves:
        return np.array([[len(text), 1] for text in texts], dtype=np.float16)

    folder = tmp_path / "vectors"
    StoredVectors(folder, 2).of(["owl", "crow"], encode)
    (folder / name).write_bytes((folder / name).read_bytes()[:-lost])
    store = StoredVectors(folder, 2)
    assert len(store) == 1
    assert store.of(["crow", "robin", "owl"], encode).tolist() == [[4, 1], [5, 1], [3, 1]]
    texts = StoredVectors(folder, 2).of(["owl", "crow", "robin"], fail)
    assert texts.tolist() == [[3, 1], [4, 1], [5, 1]]


def test_two_processes_add_to_shards_of_their_own(tmp_path: Path) -> None:
    def encode(texts: Sequence[str]) -> Halves:
        return np.array([[len(text), 1] for text in texts], dtype=np.float16)

    own = StoredVectors(tmp_path / "vectors", 2)
    ahead = StoredVectors(tmp_path / "vectors", 2, "ahead")
    ahead.of(["owl", "crow"], encode)
    assert own.of(["crow"], fail).tolist() == [[4, 1]]
    own.of(["robin"], encode)
    ahead.of(["kingfisher"], encode)
    # A row that the other process is writing.
    with (tmp_path / "vectors" / "vectors-ahead").open("ab") as file:
        file.write(b"xyz")
    assert own.of(["kingfisher", "owl", "robin"], fail)[:, 0].tolist() == [10, 3, 5]
    assert ahead.of(["robin"], fail).tolist() == [[5, 1]]
    assert len(StoredVectors(tmp_path / "vectors", 2, "third")) == 4


def fail(texts: Sequence[str]) -> Halves:
    raise AssertionError(f"encodes {texts}")


def test_scores_are_cosines(sentence_encoder: Path, tmp_path: Path) -> None:
    sentences = encoder(sentence_encoder)
    teacher = SentenceTeacher(sentences, StoredVectors(tmp_path / "vectors", 32))
    scores = teacher.score(["what hunts", "crow"], [[OWL, CROW], [CROW]])
    vectors = sentences.encode(["what hunts", "crow", "owl the owl hunts at night", "the crow"])
    cosines = vectors.astype(np.float32) @ vectors.astype(np.float32).T
    assert scores[0].tolist() == pytest.approx(cosines[0, 2:].tolist(), abs=1e-3)
    assert float(scores[1, 0]) == pytest.approx(float(cosines[1, 3]), abs=1e-3)
    assert scores[1, 1].isnan()


def test_other_folders_are_no_sentence_encoders(sentence_encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"1_Pooling/config\.json is missing"):
        encoder(tmp_path)
    pool_by(sentence_encoder, "weightedmean_tokens")
    with pytest.raises(ModelError, match="pools by pooling_mode_weightedmean_tokens"):
        encoder(sentence_encoder)
    pool_by(sentence_encoder)
    with pytest.raises(ModelError, match="pools by nothing"):
        encoder(sentence_encoder)
    pool_by(sentence_encoder, "mean_tokens")
    (sentence_encoder / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be loaded"):
        encoder(sentence_encoder)


RECIPE = """
[model]
start = "{start}"
projection = "random"
dimensions = 16

[loss]
distillation = 1
teacher = "ensemble"
distil_batch = true
{sentence_teacher}

[run]
steps = 4
repeat_after = 2
batch = 4
query_tokens = 16
passage_tokens = 32
log_every = 1
threads = 1
precision = "float32"

[[data]]
folder = "birds"
"""


def test_a_run_uses_its_scores_and_resumes_without_encoding(
    tiny_model: Path,
    birds_data: Path,
    sentence_encoder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Steps 3 and 4 repeat the texts of 1 and 2, in another call."""
    losses: dict[str, list[float]] = {}
    for folder in ("", str(sentence_encoder)):
        line = f"sentence_teacher = {json.dumps(folder)}"
        path = tmp_path / "run.toml"
        start = tiny_model.as_posix()
        path.write_text(RECIPE.format(start=start, sentence_teacher=line), encoding="utf-8")
        output = tmp_path / f"run{len(losses)}"
        arguments = ["train", str(path), "--data", str(birds_data.parent), "--output", str(output)]
        assert main([*arguments, "--minutes", "1e-9"]) == 0
        assert main([*arguments, "--minutes", "1e-9"]) == 0
        with monkeypatch.context() as patch:
            patch.setattr(SentenceEncoder, "encode", lambda _self, texts: fail(texts))
            assert main(arguments) == 0
        lines = (output / "log.jsonl").read_text("utf-8").splitlines()
        losses[folder] = [json.loads(one)["distillation"] for one in lines]
    own, replaced = losses.values()
    assert len(own) == len(replaced) == 4
    assert own[0] != replaced[0]
    stored = StoredVectors(output / "teachers" / sentence_encoder.name, 32)
    assert 0 < len(stored) <= 16


def test_a_run_reads_what_was_encoded_ahead(
    tiny_model: Path,
    birds_data: Path,
    sentence_encoder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "run.toml"
    start, output = tiny_model.as_posix(), tmp_path / "run"
    line = f"sentence_teacher = {json.dumps(str(sentence_encoder))}"
    path.write_text(RECIPE.format(start=start, sentence_teacher=line), encoding="utf-8")
    arguments = ["train", str(path), "--data", str(birds_data.parent), "--output", str(output)]
    assert main([*arguments, "--encode-ahead"]) == 0
    stored = StoredVectors(output / "teachers" / sentence_encoder.name, 32)
    assert f"holds {len(stored)} vectors" in capsys.readouterr().out
    monkeypatch.setattr(SentenceEncoder, "encode", lambda _self, texts: fail(texts))
    assert main(arguments) == 0
    assert main([*arguments, "--encode-ahead"]) == 0

    path.write_text(RECIPE.format(start=start, sentence_teacher=""), encoding="utf-8")
    assert main([*arguments, "--encode-ahead"]) != 0
    assert "The recipe names no sentence_teacher" in capsys.readouterr().err


def test_it_needs_the_ensemble() -> None:
    with pytest.raises(ValueError, match="sentence_teacher needs the teacher 'ensemble'"):
        LossConfig(distillation=1.0, sentence_teacher="/sentences")
