"""Models with a list of modules: those of sentence-transformers and PyLate.

There are two kinds of sentence-transformers models. A model for whole sentences pools its tokens'
vectors; here the token vectors are used. A multi-vector model (from version 6 on) has rules for
tokens, which are followed: query expansion, prompts, lengths, and which tokens have vectors. Its
token pooling is ignored, because Winnow encodes all tokens and pools them itself if an index
requires it.

Source: sentence-transformers 6.2, as its package does it; PyLate 3 (lightonai/pylate).
"""

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from core.encoders.folders.checkpoint import Checkpoint, Linear, TextRules, shapes
from core.encoders.folders.model_folder import (
    ModelFolder,
    mask_token,
    most_tokens,
    passage_tokens,
    read_dense,
    read_transformer,
    width,
)
from core.errors import ModelError

_PYLATE_KEYS: Final = frozenset({"query_prefix", "document_prefix", "query_length"})
_QUERY, _DOCUMENT = "query", "document"
_ROUTERS: Final = frozenset({"Router", "Asym"})
_OF_SENTENCES: Final = frozenset({"Transformer", "Dense", "Pooling", "Normalize", "Dropout"})
_OF_TOKENS: Final = _OF_SENTENCES | {"MultiVectorMask", "HierarchicalTokenPooling"}
_TOKENS: Final = "token_embeddings"
_SETTINGS: Final = "sentence_bert_config.json"
T5: Final = frozenset({"t5", "mt5", "umt5"})
XTR_RULES: Final[dict[str, Any]] = {
    # The end-of-text token has a vector; padding has none.
    "queries": TextRules(64, includes_special_tokens=True),
    "passages": TextRules(512, includes_special_tokens=True),
    "is_lowercased": True,
}


@dataclass(frozen=True, slots=True)
class _Module:
    """One part of a model: its kind and its folder."""

    kind: str
    folder: ModelFolder

    @property
    def settings(self) -> dict[str, Any]:
        return self.folder.json("config.json")


def has_modules(folder: ModelFolder) -> bool:
    """Return whether sentence-transformers, or PyLate with it, wrote the folder."""
    return folder.has("modules.json")


def read_modules(folder: ModelFolder) -> Checkpoint:
    """Return a transformer and linear layers, one folder each, as `modules.json` lists them.

    Queries may have separate layers. A layer after the pooling of a sentence model is applied to
    each token, which is equivalent because it is linear.
    """
    of_queries, of_passages = (_modules(folder, task) for task in (_QUERY, _DOCUMENT))
    settings = folder.json("config_sentence_transformers.json")
    has_mask = any(module.kind == "MultiVectorMask" for module in of_queries + of_passages)
    is_multi_vector = has_mask or settings.get("model_type") == "MultiVectorEncoder"
    known = _OF_TOKENS if is_multi_vector else _OF_SENTENCES
    for module in of_queries + of_passages:
        if module.kind not in known:
            raise ModelError(
                "The model in {0} has an unsupported module of type {1}.",
                folder.path,
                module.kind,
            )
    inner = _transformer_of(folder, of_queries + of_passages)
    config = inner.json("config.json")
    own_width = width(config)
    query_layers, query_width = _layers(of_queries, own_width, is_multi_vector)
    layers, dimensions = _layers(of_passages, own_width, is_multi_vector)
    if query_width != dimensions:
        raise ModelError(
            "The model in {0} produces vectors of different widths for queries and documents.",
            folder.path,
        )
    parts: dict[str, Any] = {"layers": layers, "dimensions": dimensions}
    if query_layers != layers:
        parts["query_layers"] = query_layers
    if is_multi_vector:
        _require_unit_vectors(folder, of_queries)
        _require_unit_vectors(folder, of_passages)
    if settings.keys() & _PYLATE_KEYS:
        parts |= _pylate_rules(inner, settings, config)
    elif is_multi_vector:
        parts |= _multi_vector_rules(inner, settings, config, of_queries, of_passages)
    elif config.get("model_type") in T5 and layers:
        parts |= XTR_RULES
    else:
        parts |= _plain_rules(inner, settings, config)
    return read_transformer(folder, inner.path, **parts)


def _modules(folder: ModelFolder, task: str) -> list[_Module]:
    """Return the modules for texts of this task, in order."""
    listed = [
        _Module(
            _kind(module["type"]), ModelFolder(folder.path / str(module["path"]), folder.source)
        )
        for module in folder.json_list("modules.json")
    ]
    return [inner_module for module in listed for inner_module in _routed(module, task)]


def _kind(module_type: Any) -> str:
    """Return the name of a class without its package."""
    return str(module_type).rpartition(".")[2]


def _routed(module: _Module, task: str) -> list[_Module]:
    """Return a module itself, or the modules of the task's route for a router."""
    if module.kind not in _ROUTERS:
        return [module]
    settings = module.folder.json("router_config.json") or module.settings
    path, source = module.folder.path, module.folder.source
    route = _route(settings, task)
    if route is None:
        raise _unknown(path / "router_config.json", "route_mappings")
    inner = [
        _Module(_kind(settings["types"][name]), ModelFolder(path / str(name), source))
        for name in settings["structure"][route]
    ]
    return [inner_module for part in inner for inner_module in _routed(part, task)]


def _route(settings: Mapping[str, Any], task: str) -> str | None:
    """Return the name of a task's route: the most specific one."""
    mapped = settings.get("parameters", {}).get("route_mappings") or {}
    # Written as the Python tuple of task and kind of input.
    pairs = ((task, "text"), (task, None), (None, "text"), (None, None))
    named = [str(mapped[str(pair)]) for pair in pairs if str(pair) in mapped]
    return next((name for name in (*named, task, "text") if name in settings["structure"]), None)


def _transformer_of(folder: ModelFolder, modules: Sequence[_Module]) -> ModelFolder:
    """Return the folder of the one transformer among the modules."""
    folders = {module.folder for module in modules if module.kind == "Transformer"}
    if len(folders) > 1:
        raise ModelError(
            "The model in {0} has more than one transformer; Winnow supports models with a "
            "single one for queries and documents.",
            folder.path,
        )
    return folders.pop() if folders else folder


def _layers(
    modules: Sequence[_Module], dimensions: int, is_multi_vector: bool
) -> tuple[tuple[Linear, ...], int]:
    """Return the linear layers, and their number of outputs for this number of inputs."""
    layers: list[Linear] = []
    for module in modules:
        if module.kind == "Dense" and not (is_multi_vector and _is_of_sentences(module)):
            layer, dimensions = read_dense(module.folder, module.folder.path)
            layers.append(layer)
    return tuple(layers), dimensions


def _is_of_sentences(module: _Module) -> bool:
    """Return whether a multi-vector model's module leaves the tokens' vectors as they are."""
    # By default, a layer works on tokens here, and a normalisation on whole sentences.
    default = _TOKENS if module.kind == "Dense" else "sentence_embedding"
    input_name = module.settings.get("module_input_name") or default
    output_name = module.settings.get("module_output_name") or input_name
    if (input_name == _TOKENS) != (output_name == _TOKENS):
        raise _unknown(module.folder.path / "config.json", "module_input_name")
    return bool(input_name != _TOKENS)


def _require_unit_vectors(folder: ModelFolder, modules: Sequence[_Module]) -> None:
    """Check that the model returns unit token vectors, as Winnow's index requires.

    A normalisation before a layer may be left out if another one follows the layer, unless the
    layer adds a bias: scaling the input of a linear layer only scales its output.

    Raises:
        ModelError: they do not.
    """
    is_unit = False
    for module in modules:
        if module.kind == "Normalize":
            is_unit = is_unit or not _is_of_sentences(module)
        elif module.kind == "Dense" and not _is_of_sentences(module):
            if is_unit and "linear.bias" in shapes(module.folder.path / "model.safetensors"):
                break
            is_unit = False
    else:
        if is_unit:
            return
    raise ModelError(
        "The model in {0} does not normalise its token vectors to unit length, which Winnow "
        "requires.",
        folder.path,
    )


def _multi_vector_rules(
    inner: ModelFolder,
    settings: Mapping[str, Any],
    config: Mapping[str, Any],
    of_queries: Sequence[_Module],
    of_passages: Sequence[_Module],
) -> dict[str, Any]:
    """Return rules by which a prefix is part of the text: its tokens have vectors, too."""
    own = inner.json(_SETTINGS)
    _require_plain_texts(inner, own)
    room = min(most_tokens(config), _declared_tokens(inner, own))
    prompts = settings.get("prompts") or {}
    return {
        "queries": TextRules(
            prompt=str(prompts.get(_QUERY) or ""),
            includes_special_tokens=True,
            without_vectors=_without_vectors(of_queries, _QUERY),
            **_expansion(inner, own, room, of_queries),
        ),
        "passages": TextRules(
            passage_tokens(own.get("document_length") or room, config),
            prompt=str(prompts.get(_DOCUMENT) or ""),
            includes_special_tokens=True,
            without_vectors=_without_vectors(of_passages, _DOCUMENT),
        ),
        "is_lowercased": bool(own.get("do_lower_case", False)),
    }


def _require_plain_texts(inner: ModelFolder, own: Mapping[str, Any]) -> None:
    """Check that the transformer accepts plain texts, and returns its last layer's vectors.

    Raises:
        ModelError: for example, it is for images, or formats texts as a conversation.
    """
    text = {"method": "forward", "method_output_name": "last_hidden_state"}
    ways = own.get("modality_config", {"text": text})
    expected: tuple[tuple[str, Any, Any], ...] = (
        (
            "transformer_task",
            own.get("transformer_task", "feature-extraction"),
            "feature-extraction",
        ),
        ("modality_config", ways.get("text"), text),
        ("modality_config", "message" in ways, False),
        ("module_output_name", own.get("module_output_name", _TOKENS), _TOKENS),
        ("processing_kwargs", own.get("processing_kwargs") or {}, {}),
    )
    for name, actual, wanted in expected:
        if actual != wanted:
            raise _unknown(inner.path / _SETTINGS, name)


def _declared_tokens(inner: ModelFolder, own: Mapping[str, Any]) -> int:
    """Return the token limit of the settings; a very large number if there is none."""
    declared = inner.json("tokenizer_config.json").get("model_max_length")
    limits = (own.get("max_seq_length"), declared)
    return min((int(limit) for limit in limits if limit), default=1 << 30)


def _expansion(
    inner: ModelFolder, own: Mapping[str, Any], room: int, modules: Sequence[_Module]
) -> dict[str, Any]:
    """Return the fields of a query's rules for its length and its padding."""
    expansion = own.get("query_expansion")
    most = min(int(own.get("query_length") or room), room)
    if not expansion:
        return {"max_tokens": most}
    length, is_attended = int(expansion["length"]), bool(expansion.get("attend", False))
    if expansion["strategy"] not in {"fixed", "min"}:
        raise _unknown(inner.path / _SETTINGS, "query_expansion")
    if inner.json("tokenizer_config.json").get("padding_side", "right") != "right":
        raise _unknown(inner.path / "tokenizer_config.json", "padding_side")
    is_fixed = expansion["strategy"] == "fixed"
    lengths = {
        "max_tokens": min(length, room) if is_fixed else max(most, min(length, room)),
        "filled_to": 0 if is_fixed else min(length, room),
    }
    # Fillers without vectors that no other token attends to have no effect.
    if not is_attended and all(module.kind != "MultiVectorMask" for module in modules):
        return lengths | {"filled_to": 0}
    filler = str(expansion.get("token") or mask_token(inner))
    return lengths | {"filler": filler, "is_filler_attended": is_attended}


def _without_vectors(modules: Sequence[_Module], task: str) -> tuple[str, ...]:
    """Return the tokens that have no vectors in texts of this task."""
    tokens: list[str] = []
    for module in modules:
        if module.kind != "MultiVectorMask":
            continue
        settings = module.settings
        if task != _QUERY and settings.get("keep_only_token_ids"):
            raise _unknown(module.folder.path / "config.json", "keep_only_token_ids")
        tasks = settings.get("skiplist_tasks")
        if task in ([_DOCUMENT] if tasks is None else [tasks] if isinstance(tasks, str) else tasks):
            tokens += map(str, settings.get("skiplist_words") or ())
    return tuple(dict.fromkeys(tokens))


def _unknown(file: Path, setting: str) -> ModelError:
    return ModelError(
        "The model's settings in {0} contain an unsupported value of '{1}'.",
        file,
        setting,
    )


def is_exported(folder: ModelFolder) -> bool:
    """Return whether pylate-onnx-export wrote the folder: one file with the projection."""
    return folder.has("model.onnx") and "embedding_dim" in _exported_settings(folder)


def read_exported(folder: ModelFolder) -> Checkpoint:
    """Return the model of a folder that `is_exported`."""
    settings = _exported_settings(folder)
    rules = _pylate_rules(folder, settings, folder.json("config.json"))
    mask = settings.get("mask_token_id")
    if rules["queries"].filler and mask is not None:
        added = folder.json("tokenizer.json").get("added_tokens") or ()
        named = {token["id"]: str(token["content"]) for token in added}
        rules["queries"] = replace(rules["queries"], filler=named[mask])
    return read_transformer(folder, folder.path, dimensions=int(settings["embedding_dim"]), **rules)


def _exported_settings(folder: ModelFolder) -> dict[str, Any]:
    return folder.json("onnx_config.json") or folder.json("config_sentence_transformers.json")


def _pylate_rules(
    inner: ModelFolder, settings: Mapping[str, Any], config: Mapping[str, Any]
) -> dict[str, Any]:
    # Missing settings have PyLate's defaults.
    query_prefix = settings.get("query_prefix", "[Q] ")
    document_prefix = settings.get("document_prefix", "[D] ")
    does_expand = settings.get("do_query_expansion", True) is not False
    skiplist = settings.get("skiplist_words")
    return {
        "queries": TextRules(
            min(int(settings.get("query_length") or 32), most_tokens(config)),
            prefix=(query_prefix,) if query_prefix else (),
            filler=mask_token(inner) if does_expand else "",
            is_filler_attended=does_expand and bool(settings.get("attend_to_expansion_tokens")),
            includes_special_tokens=True,
        ),
        "passages": TextRules(
            passage_tokens(settings.get("document_length") or 180, config),
            prefix=(document_prefix,) if document_prefix else (),
            includes_special_tokens=True,
            without_vectors=tuple(string.punctuation if skiplist is None else map(str, skiplist)),
        ),
    }


def _plain_rules(
    inner: ModelFolder, settings: Mapping[str, Any], config: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the rules of a sentence model; its prompts precede the texts."""
    of_bert = inner.json(_SETTINGS)
    length = passage_tokens(of_bert.get("max_seq_length") or most_tokens(config), config)
    prompts = settings.get("prompts") or {}
    of_passages = next(
        (prompts[name] for name in ("document", "passage", "corpus") if prompts.get(name)), ""
    )
    return {
        "queries": TextRules(length, prompt=str(prompts.get("query") or "")),
        "passages": TextRules(length, prompt=str(of_passages)),
        "is_lowercased": bool(of_bert.get("do_lower_case", False)),
    }
