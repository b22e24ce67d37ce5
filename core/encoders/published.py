"""Models that others trained and published: ColBERT, PyLate, sentence-transformers and XTR.

Their rules are read from their settings and followed, with one exception: a passage may be longer
than their default where Winnow's passages are, since what is cut off could never be found.

Sources: ColBERTv2, section 3, and its published code (stanford-futuredata/ColBERT); PyLate 3
(lightonai/pylate); XTR and its published model folder, as jlscheerer/xtr-warp runs it.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from core.encoders.checkpoint import Checkpoint, Linear, TextRules, shapes
from core.encoders.folders import (
    PASSAGE_TOKENS,
    Folder,
    most_tokens,
    require_weights,
    transformer,
)
from core.errors import ModelError

_PYLATE_KEYS: Final = frozenset({"query_prefix", "document_prefix", "query_length"})
_XTR_QUERY_TOKENS: Final = 64
_XTR_PASSAGE_TOKENS: Final = 512
_T5: Final = frozenset({"t5", "mt5", "umt5"})
_PROJECTIONS: Final = ("linear.weight", "to_dim_layer.weight")
"""What a projection is called that lies in one file with the transformer."""


def is_colbert(folder: Folder) -> bool:
    """Whether Stanford's ColBERT wrote the folder."""
    if folder.has("artifact.metadata"):
        return True
    return not is_xtr(folder) and _inner_projection(folder) is not None


def read_colbert(folder: Folder) -> Checkpoint:
    """A BERT with `linear.weight` beside it, and settings in `artifact.metadata`.

    The marker [Q] or [D] stands after [CLS]; a query is filled up with [MASK]; the vectors of all
    these count, those of a passage's punctuation do not.
    """
    require_weights(folder.path, "model.safetensors")
    settings = folder.json("artifact.metadata")
    config = folder.json("config.json")
    projection = _inner_projection(folder)
    if projection is None:
        raise ModelError(f"The ColBERT model in {folder.path} has no linear.weight.")
    return transformer(
        folder,
        folder.path,
        dimensions=projection[1],
        layers=(Linear(folder.path / "model.safetensors", projection[0]),),
        queries=TextRules(
            min(int(settings.get("query_maxlen") or 32), most_tokens(config)),
            prefix=(str(settings.get("query_token_id") or "[unused0]"),),
            filler=_mask_token(folder),
            is_filler_attended=bool(settings.get("attend_to_mask_tokens", False)),
            gives_frame=True,
        ),
        passages=TextRules(
            _passage_tokens(settings.get("doc_maxlen") or 220, config),
            prefix=(str(settings.get("doc_token_id") or "[unused1]"),),
            gives_frame=True,
            skipped=tuple(string.punctuation) if settings.get("mask_punctuation", True) else (),
        ),
    )


def is_xtr(folder: Folder) -> bool:
    """Whether the folder holds a T5 with a projection, but no list of modules."""
    if folder.json("config.json").get("model_type") not in _T5 or folder.has("modules.json"):
        return False
    return (folder.path / "2_Dense").is_dir() or _inner_projection(folder) is not None


def read_xtr(folder: Folder) -> Checkpoint:
    """T5's encoder and a projection, in the folder `2_Dense` or beside the encoder's weights."""
    require_weights(folder.path, "model.safetensors")
    inner = _inner_projection(folder)
    if inner is None:
        layer, dimensions = _dense(folder, folder.path / "2_Dense")
    else:
        layer, dimensions = Linear(folder.path / "model.safetensors", inner[0]), inner[1]
    return transformer(folder, folder.path, layers=(layer,), dimensions=dimensions, **_XTR_RULES)


_XTR_RULES: Final[dict[str, Any]] = {
    # The token that ends a text has a vector; those that pad it have none.
    "queries": TextRules(_XTR_QUERY_TOKENS, gives_frame=True),
    "passages": TextRules(_XTR_PASSAGE_TOKENS, gives_frame=True),
    "is_lowercased": True,
}


def is_sentence_transformers(folder: Folder) -> bool:
    """Whether sentence-transformers, or PyLate with it, wrote the folder."""
    return folder.has("modules.json")


def read_sentence_transformers(folder: Folder) -> Checkpoint:
    """A transformer and linear layers, one folder each, as `modules.json` lists them.

    Pooling and normalisation are left out: the tokens' own vectors are what is wanted. A layer
    that follows the pooling is applied to each token, which, linear as it is, comes to the same.
    """
    path = folder.path
    layers: list[Linear] = []
    dimensions: int | None = None
    for module in folder.json_list("modules.json"):
        kind = str(module["type"]).rpartition(".")[2]
        inner = folder.path / str(module["path"])
        if kind == "Transformer":
            path = inner
        elif kind == "Dense":
            layer, dimensions = _dense(folder, inner)
            layers.append(layer)
        elif kind not in {"Pooling", "Normalize", "Dropout"}:
            raise ModelError(
                f"The model in {folder.path} has a part of the kind {kind}, which Winnow does not "
                "know."
            )
    config = Folder(path, folder.source).json("config.json")
    settings = folder.json("config_sentence_transformers.json")
    parts: dict[str, Any] = {"layers": tuple(layers)}
    if dimensions is not None:
        parts["dimensions"] = dimensions
    if settings.keys() & _PYLATE_KEYS:
        parts |= _pylate_rules(Folder(path, folder.source), settings, config)
    elif config.get("model_type") in _T5 and layers:
        parts |= _XTR_RULES
    else:
        parts |= _plain_rules(Folder(path, folder.source), settings, config)
    return transformer(folder, path, **parts)


def _pylate_rules(
    inner: Folder, settings: Mapping[str, Any], config: Mapping[str, Any]
) -> dict[str, Any]:
    # What a file leaves out has PyLate's own default.
    query_prefix = settings.get("query_prefix", "[Q] ")
    document_prefix = settings.get("document_prefix", "[D] ")
    does_expand = settings.get("do_query_expansion", True) is not False
    skipped = settings.get("skiplist_words")
    return {
        "queries": TextRules(
            min(int(settings.get("query_length") or 32), most_tokens(config)),
            prefix=(query_prefix,) if query_prefix else (),
            filler=_mask_token(inner) if does_expand else "",
            is_filler_attended=does_expand and bool(settings.get("attend_to_expansion_tokens")),
            gives_frame=True,
        ),
        "passages": TextRules(
            _passage_tokens(settings.get("document_length") or 180, config),
            prefix=(document_prefix,) if document_prefix else (),
            gives_frame=True,
            skipped=tuple(string.punctuation if skipped is None else map(str, skipped)),
        ),
    }


def _plain_rules(
    inner: Folder, settings: Mapping[str, Any], config: Mapping[str, Any]
) -> dict[str, Any]:
    """Of a model for whole sentences; its prompts stand before the texts."""
    of_bert = inner.json("sentence_bert_config.json")
    length = _passage_tokens(of_bert.get("max_seq_length") or most_tokens(config), config)
    prompts = settings.get("prompts") or {}
    of_passages = next(
        (prompts[name] for name in ("document", "passage", "corpus") if prompts.get(name)), ""
    )
    return {
        "queries": TextRules(length, prompt=str(prompts.get("query") or "")),
        "passages": TextRules(length, prompt=str(of_passages)),
        "is_lowercased": bool(of_bert.get("do_lower_case", False)),
    }


def _passage_tokens(published: Any, config: Mapping[str, Any]) -> int:
    """The published length, or more where Winnow's passages need more and the model has it."""
    return min(max(int(published), PASSAGE_TOKENS), most_tokens(config))


def _dense(folder: Folder, path: Path) -> tuple[Linear, int]:
    """A linear layer in a folder of its own, and the dimensions that come out of it."""
    config = Folder(path, folder.source).json("config.json")
    activation = str(config.get("activation_function", "Identity")).rpartition(".")[2]
    if activation != "Identity":
        raise ModelError(
            f"The model in {folder.path} has a layer that ends in {activation}; Winnow knows "
            "linear layers only."
        )
    require_weights(path, "model.safetensors")
    file = path / "model.safetensors"
    found = shapes(file)
    has_residual = bool(config.get("use_residual", False))
    layer = Linear(
        file,
        bias="linear.bias" if "linear.bias" in found else "",
        residual="residual.weight" if has_residual and "residual.weight" in found else "",
        adds_input=has_residual,
    )
    return layer, found["linear.weight"][0]


def _inner_projection(folder: Folder) -> tuple[str, int] | None:
    """The name of the projection among the transformer's weights, and its dimensions."""
    if not folder.has("model.safetensors"):
        return None
    found = shapes(folder.path / "model.safetensors")
    return next(((name, found[name][0]) for name in _PROJECTIONS if name in found), None)


def _mask_token(folder: Folder) -> str:
    """The token that fills up queries: the one that hides words in training, or the last one."""
    for file in ("tokenizer_config.json", "special_tokens_map.json"):
        settings = folder.json(file)
        for name in ("mask_token", "eos_token"):
            token = settings.get(name)
            token = token.get("content") if isinstance(token, dict) else token
            if token:
                return str(token)
    return "[MASK]"
