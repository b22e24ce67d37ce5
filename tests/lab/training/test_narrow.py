"""Fewer dimensions than the untrained model: start, training, coding, indexing, search."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.alignment.reduction import TokenReduction
from core.documents.document import Document, Page
from core.encoders.encoder import unit
from core.encoders.folders.checkpoint import load_arrays
from core.encoders.folders.layouts import load_checkpoint
from core.errors import UsageError
from core.index.codebook import load_codec
from core.library.library import Library, LibraryOptions
from core.responses import Mode
from lab import UNTRAINED
from lab.training.codebook import CodebookRecipe, learn, whitened_projection
from lab.training.config import LossConfig, TrainingConfig
from lab.training.model_config import SalienceConfig
from lab.training.start import find_start, narrowed
from lab.training.train import train
from tests.conftest import write_files

KINDS = ("owl", "crow", "swift", "dipper", "cuckoo", "heron", "falcon", "raven", "robin", "wren")
DOES = ("hunts", "hides", "sleeps", "walks", "lays", "fishes", "dives", "croaks", "sings", "nests")
WHERE = ("night", "ground", "air", "stream", "nest", "lake", "sky", "forest", "garden", "hedge")


def ignore(_line: str) -> None: ...


def test_truncation_equals_learning_fewer_directions() -> None:
    generator = np.random.default_rng(1)
    spread = np.linspace(4, 1, 24)
    vectors = unit((generator.normal(size=(4000, 24)) * spread).astype(np.float32))
    wide, expected = (
        whitened_projection(vectors, CodebookRecipe(dimensions=d, whitening=0.2)) for d in (16, 8)
    )
    found = narrowed(wide, 8, seed=3)
    assert (found.shape, found.dtype) == ((24, 8), np.float32)
    # Equal up to a rotation, which does not change similarities.
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-4)
    assert narrowed(wide, 16, seed=3) is wide


def test_the_untrained_models_projection_has_64_first_directions() -> None:
    projection = load_arrays(UNTRAINED / "projection.safetensors")["projection"]
    found = narrowed(projection, 64, seed=7)
    assert found.shape == (384, 64)
    lengths = np.linalg.svd(found, compute_uv=False)
    assert lengths.max() / lengths.min() < 1.6


def corpus() -> Iterator[Document]:
    for n in range(60):
        does, where = DOES[n % 10], WHERE[n // 10]
        text = f"The {KINDS[n % 10]} {does} at the {where}. It does it when old. Or young."
        yield Document("", (Page(1, text),))


@pytest.fixture
def untrained(tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a packaged model with a whitened projection of 16 dimensions."""
    monkeypatch.setenv("WINNOW_RUNTIME", "torch")
    package = tmp_path / "packages" / "tiny_weights"
    shutil.copytree(tiny_model, package / "model")
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(package.parent)
    folder = tmp_path / "untrained"
    folder.mkdir()
    settings: dict[str, Any] = {
        "package": "tiny-weights",
        "module": "tiny_weights",
        "folder": "model",
        "sha256": hashlib.sha256((tiny_model / "model.safetensors").read_bytes()).hexdigest(),
        "dimensions": 16,
        "max_tokens": 60,
    }
    (folder / "config.json").write_text(json.dumps(settings), "utf-8")
    recipe = CodebookRecipe(dimensions=16, centroids=4, parts=2, passages=60, rounds=3)
    learn(load_checkpoint(folder), [corpus()], recipe)
    return folder


@pytest.fixture
def config(tiny_config: TrainingConfig, untrained: Path) -> TrainingConfig:
    model = replace(
        tiny_config.model,
        start=str(untrained),
        projection="whitened",
        dimensions=8,
        summary_weight=0.3,
        keeping="weighted-pooling:0.5",
        bits=1,
    )
    return replace(tiny_config, model=model, salience=SalienceConfig("entropy", alpha_query=1.0))


@pytest.mark.parametrize("with_all", [False, True])
def test_half_the_dimensions_are_trained_coded_indexed_and_searched(
    with_all: bool,
    config: TrainingConfig,
    birds_data: Path,
    tmp_path: Path,
    folder: Path,
    home: Path,
) -> None:
    """Without and with the hidden layer, averaged weights and compression."""
    config = replace(config, run=replace(config.run, steps=40))
    if with_all:
        config = replace(
            config,
            model=replace(config.model, projection_hidden=24),
            loss=LossConfig(compression=1.0, compressed_bits=1, compressed_centroids=4),
            run=replace(config.run, average=0.9),
        )
    model = train(config, birds_data.parent, tmp_path / "run", ignore)
    checkpoint = load_checkpoint(model)
    assert (checkpoint.dimensions, checkpoint.bits) == (8, 1)
    assert checkpoint.keeping == TokenReduction.parse("weighted-pooling:0.5")
    recipe = CodebookRecipe(dimensions=8, centroids=4, parts=2, passages=60, rounds=3)
    assert learn(checkpoint, [corpus()], recipe)["cosine.1"] > 0.5
    codec = load_codec(checkpoint, 1)
    assert (codec.dimensions, codec.lists) == (8, 8)
    rows = map(json.loads, (birds_data / "corpus.jsonl").read_text("utf-8").splitlines())
    write_files(folder, {f"{row['title']}.txt": row["text"] for row in rows})
    with Library.open(
        home, LibraryOptions(1, model=str(model), keeping=checkpoint.keeping)
    ) as library:
        library.add_folder(folder)
        library.sync()
        places = []
        for n, kind in enumerate(KINDS):
            results = library.search(f"what {DOES[n]} in the {WHERE[n]}", mode=Mode.MEANING)
            places.append([hit.path.stem for hit in results.hits].index(kind))
    assert sum(places) < 10


def test_a_trained_projection_cannot_be_truncated(
    config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    model = train(config, birds_data.parent, tmp_path / "run", ignore)
    again = replace(config.model, start=str(model), projection="start", dimensions=4)
    for projection in ("start", "whitened"):
        with pytest.raises(UsageError, match="The projection is 32 x 8; 32 x 4 is needed"):
            find_start(replace(again, projection=projection), 7)
    with pytest.raises(UsageError, match="The projection is 32 x 16; 32 x 24 is needed"):
        find_start(replace(config.model, dimensions=24), 7)
    # Nor is its projection of summaries used with another projection of tokens.
    start = find_start(replace(again, projection="random"), 7)
    assert start.summary.shape == start.projection.shape == (32, 4)
