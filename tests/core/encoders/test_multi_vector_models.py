"""Multi-vector models of sentence-transformers, each held against its own rules, in plain torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.layouts import load_checkpoint
from core.errors import ModelError
from tests.core.tiny_models import (
    hidden,
    matrix,
    normalised,
    save_dense,
    save_modules,
    tiny_bert,
    tiny_t5,
    write_bert_tokenizer,
    write_json,
    write_t5_tokenizer,
)

Opened = Callable[[Checkpoint], Encoder]

TRANSFORMER = "sentence_transformers.base.modules.transformer.Transformer"
DENSE = "sentence_transformers.base.modules.dense.Dense"
ROUTER = "sentence_transformers.base.modules.router.Router"
NORMALIZE = "sentence_transformers.base.modules.normalize.Normalize"
MASK = "sentence_transformers.multi_vector_encoder.modules.multi_vector_mask.MultiVectorMask"
POOLING = (
    "sentence_transformers.multi_vector_encoder.modules.token_pooling.HierarchicalTokenPooling"
)
OF_TOKENS = {"module_input_name": "token_embeddings", "module_output_name": "token_embeddings"}

SHORT = "Crows remember?"
LONG = "The owl hunts mice at night. Crows hide food, crows remember faces!"


def save_model(
    folder: Path,
    model: Any,
    transformer: Mapping[str, Any] | None = None,
    mask: Mapping[str, Any] | None = None,
    prompts: Mapping[str, str] | None = None,
) -> Path:
    """A transformer, a layer of 16 dimensions, a mask and a normalisation, as version 6 saves them.

    Args:
        folder: with the tokenizer.
        model: the transformer.
        transformer: more settings of it.
        mask: settings of the mask; None for a model without one.
        prompts: what stands before queries and documents.
    """
    modules = {"": TRANSFORMER, "1_Dense": DENSE, "2_Mask": MASK, "3_Normalize": NORMALIZE}
    if mask is None:
        del modules["2_Mask"]
    else:
        write_json(folder / "2_Mask" / "config.json", mask)
    save_modules(folder, modules, model)
    save_dense(folder / "1_Dense", {"linear.weight": matrix(16, 32)}, **OF_TOKENS)
    write_json(folder / "3_Normalize" / "config.json", OF_TOKENS)
    text = {"method": "forward", "method_output_name": "last_hidden_state"}
    settings = {
        "transformer_task": "feature-extraction",
        "modality_config": {"text": text},
        "module_output_name": "token_embeddings",
    }
    write_json(folder / "sentence_bert_config.json", settings | dict(transformer or {}))
    all_prompts = {"query": "", "document": ""} | dict(prompts or {})
    described = {
        "model_type": "MultiVectorEncoder",
        "prompts": all_prompts,
        "similarity_fn_name": None,
    }
    write_json(folder / "config_sentence_transformers.json", described)
    write_json(folder / "tokenizer_config.json", {"mask_token": "[MASK]", "model_max_length": 80})
    return folder


def save_bert(folder: Path, **parts: Any) -> tuple[Tokenizer, Any]:
    folder.mkdir(exist_ok=True)
    saved = write_bert_tokenizer(folder)
    model = tiny_bert(saved.get_vocab_size())
    save_model(folder, model, **parts)
    return saved, model


def query(encoder: Encoder, text: str) -> np.ndarray:
    return encoder.encode_queries([encoder.query_tokens(text)])[0].vectors


def document(encoder: Encoder, text: str) -> np.ndarray:
    return encoder.encode_passages(encoder.passage_tokens([("", text)]))[0].vectors


def assert_equal(encoder: Encoder, ids: np.ndarray, expected: np.ndarray) -> None:
    """The same vectors to the fourth digit in torch, as near as bf16 comes to them in OpenVINO."""
    assert ids.shape == expected.shape
    if encoder.runtime.name.startswith("torch"):
        np.testing.assert_allclose(ids, expected, atol=1e-4)
    else:
        assert np.einsum("md,md->m", ids, expected).min() > 0.98


def cut_to(ids: list[int], most: int) -> list[int]:
    """The maximum number of ids, the closing one included."""
    return ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]


@pytest.mark.parametrize("attends", [False, True])
@pytest.mark.parametrize(("strategy", "token"), [("fixed", None), ("min", "[unused0]")])
def test_queries_are_expanded_as_the_settings_say(
    strategy: str, token: str | None, attends: bool, tmp_path: Path, opened: Opened
) -> None:
    expansion = {"strategy": strategy, "attend": attends, "token": token, "length": 10}
    lengths = {"query_expansion": expansion} | ({"query_length": 14} if strategy == "min" else {})
    saved, model = save_bert(tmp_path / "model", transformer=lengths, mask={"skiplist_words": []})
    encoder = opened(load_checkpoint(tmp_path / "model"))
    filler = saved.token_to_id(token or "[MASK]")
    for text, length in ((SHORT, 10), (LONG, 10 if strategy == "fixed" else 14)):
        ids = cut_to(saved.encode(text).ids, length)
        missing = max(0, 10 - len(ids))
        seen = [1] * len(ids) + [int(attends)] * missing
        ids += [filler] * missing
        assert len(ids) == length
        expected = normalised(hidden(model, ids, seen) @ matrix(16, 32).T)
        assert_equal(encoder, query(encoder, text), expected)


def test_without_an_expansion_queries_end_with_their_text(tmp_path: Path, opened: Opened) -> None:
    saved, model = save_bert(tmp_path / "model", transformer={"query_length": 9}, mask={})
    encoder = opened(load_checkpoint(tmp_path / "model"))
    for text in (SHORT, LONG):
        ids = cut_to(saved.encode(text).ids, 9)
        expected = normalised(hidden(model, ids) @ matrix(16, 32).T)
        assert_equal(encoder, query(encoder, text), expected)


def test_fillers_that_no_mask_counts_are_left_out(tmp_path: Path, opened: Opened) -> None:
    expansion = {"strategy": "fixed", "attend": False, "length": 12}
    saved, model = save_bert(tmp_path / "model", transformer={"query_expansion": expansion})
    encoder = opened(load_checkpoint(tmp_path / "model"))
    expected = normalised(hidden(model, saved.encode(SHORT).ids) @ matrix(16, 32).T)
    assert_equal(encoder, query(encoder, SHORT), expected)


@pytest.mark.parametrize("tasks", [None, "document", ["query", "document"]])
def test_words_without_vectors_are_those_of_the_mask(
    tasks: Any, tmp_path: Path, opened: Opened
) -> None:
    mask = {"skiplist_words": [".", ",", "nosuchword"], "skiplist_tasks": tasks}
    saved, model = save_bert(
        tmp_path / "model", mask=mask, prompts={"query": "owl, ", "document": "mice, "}
    )
    encoder = opened(load_checkpoint(tmp_path / "model"))
    skipped = {saved.token_to_id(mark) for mark in ".,"}
    for ask, prompt, skips in (
        (query, "owl, ", isinstance(tasks, list)),
        (document, "mice, ", True),
    ):
        ids = saved.encode(prompt + LONG).ids
        positions = [place for place, one in enumerate(ids) if not (skips and one in skipped)]
        assert len(positions) == len(ids) - 3 * skips  # a prompt's tokens are treated as the text's
        expected = normalised(hidden(model, ids)[positions] @ matrix(16, 32).T)
        assert_equal(encoder, ask(encoder, LONG), expected)


def write_byte_tokenizer(folder: Path) -> Tokenizer:
    """A tokenizer of bytes, as GPT's: a space is a part of the word behind it."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "ow", "owl", "Ġowl"]
    vocabulary = {piece: number for number, piece in enumerate([*special, *pieces])}
    merges = [("o", "w"), ("ow", "l"), ("Ġ", "owl")]
    saved = Tokenizer(models.BPE(vocabulary, merges, unk_token="[UNK]"))
    saved.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    saved.decoder = decoders.ByteLevel()
    saved.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    saved.add_special_tokens(special)
    saved.save(str(folder / "tokenizer.json"))
    return saved


def test_a_prompt_is_tokenized_with_its_text(tmp_path: Path, opened: Opened) -> None:
    saved = write_byte_tokenizer(tmp_path)
    model = tiny_bert(saved.get_vocab_size())
    prompts = {"query": "ask: ", "document": "text: "}
    save_model(tmp_path, model, mask={}, prompts=prompts)
    encoder = opened(load_checkpoint(tmp_path))
    # The space goes to the first of these words, and stands alone before the second.
    for text in ("owl", "food owl"):
        for ask, prompt in ((query, "ask: "), (document, "text: ")):
            ids = saved.encode(prompt + text).ids
            expected = normalised(hidden(model, ids) @ matrix(16, 32).T)
            assert_equal(encoder, ask(encoder, text), expected)
    tokens = encoder.query_tokens("owl")
    assert [tokens.framed[place] for place in tokens.positions] == saved.encode("ask: owl").ids
    assert tokens.spans == ((0, 0),) * 5 + ((0, 3), (0, 0))
    # Before a passage's context, where it has one.
    (tokens,) = encoder.passage_tokens([("owl", "food")])
    framed = [*saved.encode("text: owl").ids[:-1], *saved.encode("food").ids[1:]]
    assert list(tokens.framed) == framed
    assert tokens.context == len(saved.encode("text: owl").ids) - 1


def test_a_marker_in_a_prompt_is_one_token(tmp_path: Path, opened: Opened) -> None:
    saved = write_bert_tokenizer(tmp_path)
    saved.add_special_tokens(["[Q] "])
    saved.save(str(tmp_path / "tokenizer.json"))
    model = tiny_bert(saved.get_vocab_size())
    lower = {"do_lower_case": True}
    save_model(tmp_path, model, transformer=lower, mask={}, prompts={"query": "[Q] "})
    encoder = opened(load_checkpoint(tmp_path))
    ids = saved.encode("[Q] " + SHORT).ids
    assert ids[1] == saved.token_to_id("[Q] ")
    expected = normalised(hidden(model, ids) @ matrix(16, 32).T)
    assert_equal(encoder, query(encoder, SHORT), expected)


@pytest.mark.parametrize("place", ["first", "behind the transformer"])
@pytest.mark.parametrize("mapped", [False, True])
def test_a_router_routes_queries_through_separate_layers(
    place: str, mapped: bool, tmp_path: Path, opened: Opened
) -> None:
    saved, model = save_bert(tmp_path, mask={})
    names = ("asked", "kept") if mapped else ("query", "document")
    is_first = place == "first"
    router = tmp_path if is_first else tmp_path / "1_Router"
    shared = ["asked_0_Transformer"] if is_first else []
    if is_first:
        (tmp_path / "asked_0_Transformer").mkdir()
        for file in ("tokenizer.json", "config.json", "model.safetensors"):
            (tmp_path / file).rename(tmp_path / "asked_0_Transformer" / file)
        listed = [("", ROUTER), ("2_Mask", MASK), ("3_Normalize", NORMALIZE)]
    else:
        listed = [("", TRANSFORMER), ("1_Router", ROUTER), ("3_Normalize", NORMALIZE)]
    write_json(tmp_path / "modules.json", [{"path": path, "type": kind} for path, kind in listed])
    own = {"linear.weight": matrix(16, 32, 6), "linear.bias": matrix(1, 16, 7)[0]}
    save_dense(router / "asked_1_Dense", own, **OF_TOKENS)
    save_dense(router / "kept_1_Dense", {"linear.weight": matrix(16, 32, 8)}, **OF_TOKENS)
    write_json(router / "kept_2_Mask" / "config.json", {"skiplist_words": [","]})
    mappings = {"('query', 'text')": "asked", "('document', None)": "kept"} if mapped else {}
    routed = {
        "types": {
            "asked_0_Transformer": TRANSFORMER,
            "asked_1_Dense": DENSE,
            "kept_1_Dense": DENSE,
            "kept_2_Mask": MASK,
        },
        "structure": {
            names[0]: [*shared, "asked_1_Dense"],
            names[1]: [*shared, "kept_1_Dense", "kept_2_Mask"],
        },
        "parameters": {"default_route": names[1], "route_mappings": mappings},
    }
    write_json(router / "router_config.json", routed)
    checkpoint = load_checkpoint(tmp_path)
    assert checkpoint.dimensions == 16
    encoder = opened(checkpoint)
    ids = saved.encode(LONG).ids
    seen = hidden(model, ids)
    expected = normalised(seen @ own["linear.weight"].T + own["linear.bias"])
    assert_equal(encoder, query(encoder, LONG), expected)
    positions = [number for number, one in enumerate(ids) if one != saved.token_to_id(",")]
    assert len(positions) == len(ids) - 1
    expected = normalised(seen[positions] @ matrix(16, 32, 8).T)
    assert_equal(encoder, document(encoder, LONG), expected)


def test_a_pooling_of_tokens_is_left_to_the_index(tmp_path: Path, opened: Opened) -> None:
    saved, model = save_bert(tmp_path, mask={})
    modules = {"": TRANSFORMER, "1_Dense": DENSE, "3_Normalize": NORMALIZE, "4_Pooling": POOLING}
    save_modules(tmp_path, modules, model)
    write_json(tmp_path / "4_Pooling" / "config.json", {"pool_factor": 2})
    encoder = opened(load_checkpoint(tmp_path))
    expected = normalised(hidden(model, saved.encode(LONG).ids) @ matrix(16, 32).T)
    assert_equal(encoder, document(encoder, LONG), expected)


def test_a_multilingual_t5_has_no_mask_and_is_filled_with_its_closing_token(
    tmp_path: Path, opened: Opened
) -> None:
    saved = write_t5_tokenizer(tmp_path)
    model = tiny_t5(saved.get_vocab_size(), is_multilingual=True)
    expansion = {"strategy": "fixed", "attend": True, "token": None, "length": 16}
    save_model(tmp_path, model, transformer={"query_expansion": expansion}, mask={})
    write_json(tmp_path / "tokenizer_config.json", {"eos_token": "</s>"})
    encoder = opened(load_checkpoint(tmp_path))
    ids = saved.encode(SHORT).ids
    ids += [1] * (16 - len(ids))
    expected = normalised(hidden(model, ids) @ matrix(16, 32).T)
    assert_equal(encoder, query(encoder, SHORT), expected)
    expected = normalised(hidden(model, saved.encode(LONG).ids) @ matrix(16, 32).T)
    assert_equal(encoder, document(encoder, LONG), expected)


def test_another_length_of_the_expansion_makes_another_model(tmp_path: Path) -> None:
    known = set()
    for length in (10, 12):
        expansion = {"strategy": "min", "attend": False, "token": None, "length": length}
        save_bert(tmp_path, transformer={"query_expansion": expansion}, mask={})
        known.add(load_checkpoint(tmp_path).fingerprint)
    assert len(known) == 2


@pytest.mark.parametrize(
    ("file", "setting", "value"),
    [
        ("sentence_bert_config.json", "transformer_task", "retrieval"),
        ("sentence_bert_config.json", "modality_config", {"message": {}}),
        ("sentence_bert_config.json", "processing_kwargs", {"text": {"add_special_tokens": False}}),
        ("sentence_bert_config.json", "query_expansion", {"strategy": "most", "length": 9}),
        ("2_Mask/config.json", "keep_only_token_ids", [4]),
        ("1_Dense/config.json", "module_input_name", "sentence_embedding"),
    ],
)
def test_an_unsupported_model_raises_a_sentence(
    file: str, setting: str, value: Any, tmp_path: Path
) -> None:
    save_bert(tmp_path, mask={})
    positions = {"activation_function": "torch.nn.modules.linear.Identity"} | OF_TOKENS
    write_json(tmp_path / file, (positions if "Dense" in file else {}) | {setting: value})
    with pytest.raises(ModelError, match=rf"contain an unsupported value of '{setting}'"):
        load_checkpoint(tmp_path)


def test_masks_before_a_query_are_refused(tmp_path: Path) -> None:
    expansion = {"strategy": "fixed", "length": 9}
    save_bert(tmp_path, transformer={"query_expansion": expansion}, mask={})
    write_json(tmp_path / "tokenizer_config.json", {"padding_side": "left"})
    with pytest.raises(ModelError, match="'padding_side'"):
        load_checkpoint(tmp_path)


def test_vectors_of_other_lengths_than_one_are_refused(tmp_path: Path) -> None:
    _, model = save_bert(tmp_path, mask={})
    write_json(
        tmp_path / "3_Normalize" / "config.json", {"module_input_name": "sentence_embedding"}
    )
    with pytest.raises(ModelError, match="does not normalise its token vectors to unit length"):
        load_checkpoint(tmp_path)
    # A bias behind a normalisation turns vectors by how long they were.
    biased = {"linear.weight": matrix(16, 16), "linear.bias": torch.ones(16)}
    save_dense(tmp_path / "4_Dense", biased, **OF_TOKENS)
    write_json(tmp_path / "3_Normalize" / "config.json", OF_TOKENS)
    write_json(tmp_path / "5_Normalize" / "config.json", OF_TOKENS)
    modules = {"": TRANSFORMER, "1_Dense": DENSE, "2_Mask": MASK, "3_Normalize": NORMALIZE}
    save_modules(tmp_path, modules | {"4_Dense": DENSE, "5_Normalize": NORMALIZE}, model)
    with pytest.raises(ModelError, match="does not normalise its token vectors to unit length"):
        load_checkpoint(tmp_path)
    del biased["linear.bias"]
    save_dense(tmp_path / "4_Dense", biased, **OF_TOKENS)
    assert len(load_checkpoint(tmp_path).layers) == 2


def test_two_transformers_are_refused(tmp_path: Path) -> None:
    save_bert(tmp_path, mask={})
    write_json(tmp_path / "modules.json", [{"path": "", "type": ROUTER}])
    routes = {"types": {"a": TRANSFORMER, "b": TRANSFORMER}, "parameters": {}}
    structure = {"query": ["a"], "document": ["b"]}
    write_json(tmp_path / "router_config.json", routes | {"structure": structure})
    with pytest.raises(ModelError, match="has more than one transformer"):
        load_checkpoint(tmp_path)
    del structure["query"]
    write_json(tmp_path / "router_config.json", routes | {"structure": structure})
    with pytest.raises(ModelError, match="'route_mappings'"):
        load_checkpoint(tmp_path)


def test_routes_of_different_widths_are_refused(tmp_path: Path) -> None:
    save_bert(tmp_path, mask={})
    listed = [{"path": "", "type": TRANSFORMER}, {"path": "1", "type": ROUTER}]
    write_json(tmp_path / "modules.json", listed)
    save_dense(tmp_path / "1" / "a", {"linear.weight": matrix(8, 32)}, **OF_TOKENS)
    routes = {"types": {"a": DENSE}, "structure": {"query": ["a"], "document": []}}
    write_json(tmp_path / "1" / "router_config.json", routes)
    with pytest.raises(ModelError, match="vectors of different widths"):
        load_checkpoint(tmp_path)
