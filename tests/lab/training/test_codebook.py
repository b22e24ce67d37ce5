"""Learning of a small projection and codebook."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.alignment.reduction import TokenReduction
from core.documents.document import Document, Page
from core.encoders.encoder import unit
from core.encoders.folders.checkpoint import Checkpoint, Linear, load_arrays
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from core.index.codebook import load_codec
from lab.training import codebook
from lab.training.codebook import CodebookRecipe, learn, whitened_projection

SMALL = CodebookRecipe(dimensions=16, centroids=8, passages=40, rounds=3)


def corpus(name: str, count: int) -> Iterator[Document]:
    for number in range(count):
        text = f"Document {number} of {name} tells how crows, owls and {number * 7} swifts sleep."
        yield Document(name, (Page(1, ""), Page(2, text)))


def elsewhere(folder: Path, dimensions: int = 128) -> Checkpoint:
    """Copy the built-in model to another folder, for fitting."""
    layer = Linear(folder / "projection.safetensors", "projection", is_transposed=True)
    return replace(load_checkpoint(), resources=folder, layers=(layer,), dimensions=dimensions)


def test_the_projection_keeps_the_principal_directions() -> None:
    generator = np.random.default_rng(1)
    spread = np.array([5, 4, 3] + [0.01] * 21)
    vectors = unit((generator.normal(size=(2000, 24)) * spread).astype(np.float32))
    recipe = CodebookRecipe(dimensions=3, whitening=0)
    projection = whitened_projection(vectors, recipe)
    assert projection.shape == (24, 3)
    assert projection.dtype == np.float32
    projected = vectors @ projection
    np.testing.assert_allclose(np.linalg.norm(projected, axis=1), 1, atol=0.02)
    np.testing.assert_allclose(projected @ projected.T, vectors @ vectors.T, atol=0.02)
    np.testing.assert_array_equal(projection, whitened_projection(vectors, recipe))


def test_full_whitening_makes_all_directions_equal() -> None:
    generator = np.random.default_rng(2)
    vectors = unit((generator.normal(size=(3000, 12)) * np.arange(1, 13)).astype(np.float32))
    projected = vectors @ whitened_projection(vectors, CodebookRecipe(dimensions=8, whitening=0.5))
    moment = projected.T @ projected / len(projected)
    np.testing.assert_allclose(moment, np.eye(8) * moment[0, 0], atol=1e-3)


def test_too_many_dimensions_are_refused() -> None:
    with pytest.raises(UsageError, match="has 4 dimensions, fewer than 128"):
        whitened_projection(np.eye(4, dtype=np.float32), CodebookRecipe())


def test_each_corpus_has_its_share_of_the_sample() -> None:
    tokenizer = Tokenizer(load_checkpoint().tokenizer)
    corpora = [corpus("large", 100), corpus("small", 60), [Document("", (Page(1, ""),))] * 50]
    sampled = list(codebook.sample_passages(tokenizer, corpora, 60, SMALL.seed))
    contexts = [context for context, _ in sampled]
    assert (contexts.count("large"), contexts.count("small"), len(sampled)) == (20, 20, 40)
    assert len(set(sampled)) == 40
    assert all(text.startswith("Document ") for _, text in sampled)


def test_a_learned_codebook_can_be_loaded_and_preserves_vectors(tmp_path: Path) -> None:
    checkpoint = elsewhere(tmp_path, dimensions=16)
    report = learn(checkpoint, [corpus("one", 20), corpus("two", 20)], SMALL)
    assert report["passages"] == 40
    assert report["vectors"] > 40 * 8
    assert 0.5 < report["cosine.1"] < report["cosine.2"] < report["cosine.4"] < 1
    assert load_arrays(checkpoint.projection)["projection"].shape == (384, 16)
    codec = load_codec(checkpoint, 2)
    assert (codec.bits, codec.dimensions) == (2, 16)


def trained(folder: Path) -> Checkpoint:
    """Return the built-in model as one with a trained projection and no codebook."""
    checkpoint = load_checkpoint()
    shutil.copytree(
        checkpoint.resources, folder, ignore=shutil.ignore_patterns("codebook.safetensors")
    )
    return load_checkpoint(folder)


def test_it_can_be_learned_from_reduced_vectors(tmp_path: Path) -> None:
    checkpoint = trained(tmp_path / "trained")
    pooled = replace(
        SMALL, keeping=TokenReduction.parse("weighted-pooling:0.5"), parts=1, centroids=4
    )
    report = learn(checkpoint, [corpus("one", 40)], pooled)
    by_tokens = learn(checkpoint, [corpus("one", 40)], replace(pooled, keeping=TokenReduction()))
    # The summary of each passage, and half of its tokens, rounded up.
    own = by_tokens["vectors"] - by_tokens["passages"]
    assert own / 2 <= report["vectors"] - report["passages"] <= own / 2 + report["passages"] / 2
    assert load_codec(checkpoint, 1).lists == 4
    with pytest.raises(UsageError, match="is learned from the vectors of all tokens; leave out"):
        learn(elsewhere(tmp_path / "other"), [corpus("one", 20)], pooled)


def test_too_little_text_is_refused_and_nothing_written(tmp_path: Path) -> None:
    checkpoint = elsewhere(tmp_path)
    with pytest.raises(UsageError, match=r"The corpora give \d+ vectors; 40960 are needed"):
        learn(checkpoint, [corpus("one", 2)], CodebookRecipe())
    assert not list(tmp_path.iterdir())
