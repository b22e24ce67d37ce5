"""Models of Winnow's own training: written whole, read again, vectors and saliences as trained."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file

from core.encoders.encoder import Encoder, query_weights
from core.encoders.folders.checkpoint import Checkpoint, load_arrays, load_head, shapes
from core.encoders.folders.layouts import VERSION, load_checkpoint
from core.encoders.openvino.conversion import conversion_fingerprint
from core.errors import ModelError
from lab.training import saving
from lab.training.saving import SalienceHeads, save_winnow_checkpoint
from tests.core.tiny_models import assert_alike, hidden, normalised, tiny_bert, write_bert_tokenizer

QUERY = "Crows remember!"
PASSAGE = ("The owl", "hunts mice at night. Crows hide food.")


@pytest.fixture
def parts(tmp_path: Path) -> dict[str, Any]:
    """The trainer's output."""
    saved = write_bert_tokenizer(tmp_path)
    generator = torch.Generator().manual_seed(3)
    return {
        "transformer": tiny_bert(saved.get_vocab_size()),
        "projection": torch.randn(32, 16, generator=generator, requires_grad=True),
        "saliences": SalienceHeads(
            torch.randn(32, generator=generator), 0.25, torch.randn(32, generator=generator), 4.0
        ),
        "tokenizer_file": tmp_path / "tokenizer.json",
        "name": "tiny",
        "max_tokens": 24,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models" / "tiny"


def test_vectors_and_saliences_are_the_trained_ones(
    parts: dict[str, Any], folder: Path, opened: Callable[[Checkpoint], Encoder]
) -> None:
    save_winnow_checkpoint(
        folder, **parts, query_prefix_ids=[1], passage_prefix_ids=[2], notes={"data": ["cacm"]}
    )
    checkpoint = load_checkpoint(folder)
    assert (checkpoint.name, checkpoint.dimensions) == ("tiny", 16)
    assert json.loads((folder / "config.json").read_text())["data"] == ["cacm"]
    encoder = opened(checkpoint)
    query = encoder.query_tokens(QUERY)
    (passage,) = encoder.passage_tokens([PASSAGE])
    (before,), (after,) = encoder.tokenizer.surround
    plain = encoder.tokenizer.tokenize([QUERY, *PASSAGE])
    assert query.framed == (before, 1, *plain[0].ids, after)
    assert passage.framed == (before, 2, *plain[1].ids, *plain[2].ids, after)
    assert (query.ids, query.spans) == (plain[0].ids, plain[0].spans)
    assert (passage.context, len(passage)) == (len(plain[1]), len(plain[1]) + len(plain[2]))
    heads = parts["saliences"]
    for tokens, encoded, weight, bias in (
        (query, encoder.encode_queries([query])[0], heads.query_weight, heads.query_bias),
        (passage, encoder.encode_passages([passage])[0], heads.passage_weight, heads.passage_bias),
    ):
        seen = hidden(parts["transformer"], list(tokens.framed))[2:-1]
        assert_alike(encoded.vectors, normalised(seen @ parts["projection"].detach()))
        expected = torch.relu(seen @ weight + bias).numpy()
        assert encoded.saliences is not None
        assert encoded.saliences.dtype == np.float32
        assert len(np.unique(expected)) > 2
        np.testing.assert_allclose(encoded.saliences, expected, atol=0.15)


def test_a_model_without_saliences_has_none(
    parts: dict[str, Any], folder: Path, opened: Callable[[Checkpoint], Encoder]
) -> None:
    save_winnow_checkpoint(folder, **(parts | {"saliences": None}))
    encoder = opened(load_checkpoint(folder))
    texts = [encoder.query_tokens(text) for text in (QUERY, "")]
    assert [one.saliences for one in encoder.encode_queries(texts)] == [None, None]
    assert texts[0].framed[1:-1] == texts[0].ids


def test_it_is_written_in_half_precision_and_leaves_the_trained_model_as_it_is(
    parts: dict[str, Any], folder: Path
) -> None:
    save_winnow_checkpoint(folder, **parts)
    assert parts["transformer"].dtype == torch.float32
    weights = folder / "transformer" / "model.safetensors"
    counted = sum(int(np.prod(shape)) for shape in shapes(weights).values())
    assert weights.stat().st_size < 2 * counted + 10_000
    arrays = load_arrays(folder / "heads.safetensors")
    np.testing.assert_array_equal(arrays["projection"], parts["projection"].detach())
    assert arrays["query_salience.bias"].tolist() == [0.25]
    load_checkpoint(folder).verify()


def test_a_model_is_replaced_whole_and_its_fingerprint_tells(
    parts: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_winnow_checkpoint(folder, **parts)
    first = load_checkpoint(folder).fingerprint
    save_winnow_checkpoint(folder, **parts)
    assert load_checkpoint(folder).fingerprint == first
    with monkeypatch.context() as patch:
        patch.setattr(saving, "_save_transformer", _full_disk)
        with pytest.raises(ModelError, match="cannot be written"):
            save_winnow_checkpoint(folder, **parts)
    assert load_checkpoint(folder).fingerprint == first
    save_winnow_checkpoint(folder, **(parts | {"projection": parts["projection"] * 2}))
    second = load_checkpoint(folder)
    assert second.fingerprint != first
    assert replace(second, queries=replace(second.queries, prefix=(1,))).fingerprint not in (
        first,
        second.fingerprint,
    )
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]
    with pytest.raises(ValueError, match="summary is"):
        save_winnow_checkpoint(folder, **parts, summary=parts["projection"].detach()[:, :4])


def _full_disk(*_arguments: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_folder_of_something_else_is_not_replaced(parts: dict[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "letter.txt").touch()
    with pytest.raises(ModelError, match="something else than a model of Winnow's"):
        save_winnow_checkpoint(folder, **parts)
    assert (folder / "letter.txt").exists()


def test_a_newer_winnows_model_and_a_damaged_one_are_sentences(
    parts: dict[str, Any], folder: Path
) -> None:
    save_winnow_checkpoint(folder, **parts)
    config = json.loads((folder / "config.json").read_text())
    for changed, sentence in (
        (config | {"version": VERSION + 1}, "made by a newer version of Winnow"),
        ({"format": "winnow", "version": 1}, r"settings are invalid \(KeyError"),
        (config | {"max_tokens": "many"}, r"'Winnow' model.*\(ValueError"),
    ):
        (folder / "config.json").write_text(json.dumps(changed))
        with pytest.raises(ModelError, match=sentence):
            load_checkpoint(folder)
    (folder / "config.json").write_text("{")
    with pytest.raises(ModelError, match=r"config.json cannot be read"):
        load_checkpoint(folder)


@pytest.mark.parametrize("has_own", [False, True])
def test_a_summary_is_the_mean_of_all_and_counts_as_the_model_specifies(
    has_own: bool, parts: dict[str, Any], folder: Path, opened: Callable[[Checkpoint], Encoder]
) -> None:
    heads = replace(parts["saliences"], query_bias=4.0)
    parts |= {"saliences": heads, "weighs_queries": True, "summary_weight": 0.5}
    summary = parts["projection"].detach().flip(1) * 2 if has_own else None
    save_winnow_checkpoint(folder, **parts, summary=summary)
    encoder = opened(load_checkpoint(folder))
    query = encoder.query_tokens(QUERY)
    (passage,) = encoder.passage_tokens([PASSAGE])
    assert (query.spans[0], query.words[0]) == ((0, 0), -1)
    assert passage.context == len(encoder.tokenizer.tokenize([PASSAGE[0]])[0]) + 1
    # With a different length in the same batch: padding must not count.
    query_vectors, other = encoder.encode_queries([query, encoder.query_tokens(QUERY * 2)])
    (found,) = encoder.encode_passages([passage])
    for tokens, encoded in ((query, query_vectors), (passage, found)):
        seen = hidden(parts["transformer"], list(tokens.framed))
        projection = parts["projection"].detach()
        assert_alike(encoded.vectors[1:], normalised(seen[1:-1] @ projection))
        # The vectors of a random model all but cancel each other out.
        own = projection if summary is None else summary
        assert encoded.vectors[0] @ normalised(seen.mean(dim=0) @ own) > 0.97
    assert found.weights is None
    for encoded in (query_vectors, other):
        assert encoded.weights is not None
        assert encoded.saliences is not None
        assert encoded.weights.mean() == pytest.approx(1)
        assert encoded.weights[0] == pytest.approx(0.5 * encoded.weights[1:].sum())
        weights, saliences = encoded.weights[1:], encoded.saliences[1:]
        expected = saliences * (weights.sum() / saliences.sum())
        np.testing.assert_allclose(weights, expected, rtol=1e-5)
        lengths = np.linalg.norm(encoded.weighted, axis=1)
        np.testing.assert_allclose(lengths, encoded.weights, rtol=1e-5)


@pytest.mark.parametrize("has_summary", [False, True])
def test_a_hidden_layer_adds_to_tokens_and_not_to_summaries_and_saliences(
    has_summary: bool, parts: dict[str, Any], folder: Path, opened: Callable[[Checkpoint], Encoder]
) -> None:
    generator = torch.Generator().manual_seed(8)
    inner, outer = (torch.randn(*shape, generator=generator) for shape in ((32, 24), (24, 16)))
    projection = parts["projection"].detach()
    summary = projection.flip(1) if has_summary else None
    parts |= {"summary_weight": 0.5 * has_summary, "summary": summary}
    save_winnow_checkpoint(folder, **parts, hidden=(inner, outer))
    checkpoint = load_checkpoint(folder)
    encoder = opened(checkpoint)
    (passage,) = encoder.passage_tokens([PASSAGE])
    (found,) = encoder.encode_passages([passage])
    seen = hidden(parts["transformer"], list(passage.framed))
    own = seen[1:-1]
    added = torch.nn.functional.gelu(own @ inner) @ outer
    plain = normalised(own @ projection)
    expected = normalised(own @ projection + added)
    first = int(has_summary)
    assert_alike(found.vectors[first:], expected)
    assert np.einsum("md,md->m", expected, plain).mean() < 0.9
    if summary is not None:
        assert found.vectors[0] @ normalised(seen.mean(dim=0) @ summary) > 0.97
    assert found.saliences is not None
    saliences = torch.relu(own @ parts["saliences"].passage_weight + 4.0).numpy()
    np.testing.assert_allclose(found.saliences[first:], saliences, atol=0.15)
    without = replace(checkpoint, hidden_layer=None)
    assert conversion_fingerprint(without) != conversion_fingerprint(checkpoint)


def test_a_hidden_layer_fits_or_is_refused(parts: dict[str, Any], folder: Path) -> None:
    layer = (torch.zeros(32, 24), torch.zeros(24, 16))
    for hidden_layer in (None, layer):
        save_winnow_checkpoint(folder, **parts, hidden=hidden_layer)
        config = json.loads((folder / "config.json").read_text())
        assert ("projection_hidden" in config) is (hidden_layer is not None)
    head = load_head(load_checkpoint(folder))
    assert head is not None
    assert head.outer is not None
    assert head.outer.shape == (24, 18)
    for wrong in ((layer[0][:16], layer[1]), (layer[0], layer[1][:12]), (layer[0], layer[1].T)):
        with pytest.raises(ValueError, match=r"the hidden layer is .* projection \(32, 16\)"):
            save_winnow_checkpoint(folder, **parts, hidden=wrong)
    heads = load_arrays(folder / "heads.safetensors")
    save_file(heads | {"hidden.outer": heads["hidden.outer"][:, :8]}, folder / "heads.safetensors")
    with pytest.raises(ModelError, match="do not fit together"):
        load_head(load_checkpoint(folder))
    del heads["hidden.outer"]
    save_file(heads, folder / "heads.safetensors")
    with pytest.raises(ModelError, match=r"heads.safetensors is damaged"):
        load_head(load_checkpoint(folder))


def test_a_query_without_salience_uses_all_its_tokens(parts: dict[str, Any], folder: Path) -> None:
    save_winnow_checkpoint(folder, **parts, weighs_queries=True)
    checkpoint = load_checkpoint(folder)
    silent = np.zeros(3, dtype=np.float32)
    weights = query_weights(checkpoint, silent, 3)
    assert weights is not None
    assert weights.tolist() == [1, 1, 1]
    assert query_weights(checkpoint, None, 3) is None
    assert query_weights(checkpoint, silent[:0], 0) is None


def test_the_built_in_model_has_the_fingerprint_of_existing_indexes() -> None:
    """Another one makes every library search by words only, until all is encoded again."""
    assert load_checkpoint("winnow-mini").fingerprint == "1daf691fa5c6c5d1"
