"""Loads a model by the layout of its folder; one function per layout, listed in LAYOUTS.

Nothing is downloaded, no code of a folder is run, and no pickle is opened.

The rules of models that others published (ColBERT, PyLate, sentence-transformers, XTR) are read
from their settings and followed, with one exception: a passage may be longer than their default
where Winnow's passages are, since text that is cut off could never be found.

Sources: ColBERTv2, section 3, and its published code (stanford-futuredata/ColBERT); XTR and its
published model folder, as jlscheerer/xtr-warp runs it.
"""

import importlib.util
import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.alignment.reduction import EVERYTHING, TokenReduction
from core.encoders.folders import model_folder, module_list
from core.encoders.folders.checkpoint import (
    DEFAULT_BITS,
    Checkpoint,
    HiddenLayer,
    Linear,
    TextRules,
    shapes,
)
from core.encoders.folders.hub_cache import cache_folder, downloaded, is_hub_name
from core.errors import ModelError
from core.files import paths
from core.model_names import BUILT_IN
from core.optional_packages import package_folder

# Names of a projection in the transformer's file.
_PROJECTIONS: Final = ("linear.weight", "to_dim_layer.weight")
_COLBERT_DIMENSIONS: Final = 128


def _is_colbert(folder: model_folder.ModelFolder) -> bool:
    """Return whether Stanford's ColBERT wrote the folder."""
    if folder.has("artifact.metadata"):
        return True
    return not _is_xtr(folder) and _inner_projection(folder) is not None


def _read_colbert(folder: model_folder.ModelFolder) -> Checkpoint:
    """Return a BERT with `linear.weight` in its file, and settings in `artifact.metadata`.

    The marker [Q] or [D] follows [CLS]; a query is padded with [MASK]; the vectors of all these are
    used, those of a passage's punctuation are not. If there is only an ONNX file, it includes the
    projection.
    """
    settings = folder.json("artifact.metadata")
    config = folder.json("config.json")
    projection = _inner_projection(folder)
    onnx = model_folder.onnx_file(folder, folder.path)
    parts: dict[str, Any]
    if projection is not None:
        layer = Linear(folder.path / "model.safetensors", projection[0])
        parts = {"dimensions": projection[1], "layers": (layer,)}
    elif onnx is not None and onnx.is_alone:
        parts = {"dimensions": int(settings.get("dim") or _COLBERT_DIMENSIONS)}
    else:
        model_folder.require_weights(folder.path, "model.safetensors")
        raise ModelError("The ColBERT model in {0} has no linear.weight.", folder.path)
    return model_folder.read_transformer(
        folder,
        folder.path,
        **parts,
        queries=TextRules(
            min(int(settings.get("query_maxlen") or 32), model_folder.most_tokens(config)),
            prefix=(str(settings.get("query_token_id") or "[unused0]"),),
            filler=model_folder.mask_token(folder),
            is_filler_attended=bool(settings.get("attend_to_mask_tokens", False)),
            includes_special_tokens=True,
        ),
        passages=TextRules(
            model_folder.passage_tokens(settings.get("doc_maxlen") or 220, config),
            prefix=(str(settings.get("doc_token_id") or "[unused1]"),),
            includes_special_tokens=True,
            without_vectors=tuple(string.punctuation)
            if settings.get("mask_punctuation", True)
            else (),
        ),
    )


def _is_xtr(folder: model_folder.ModelFolder) -> bool:
    """Return whether the folder contains a T5 with a projection, but no list of modules."""
    if folder.json("config.json").get("model_type") not in module_list.T5 or folder.has(
        "modules.json"
    ):
        return False
    return (folder.path / "2_Dense").is_dir() or _inner_projection(folder) is not None


def _read_xtr(folder: model_folder.ModelFolder) -> Checkpoint:
    """Return T5's encoder with a projection, in `2_Dense` or with the encoder's weights."""
    inner = _inner_projection(folder)
    if inner is None:
        layer, dimensions = model_folder.read_dense(folder, folder.path / "2_Dense")
    else:
        layer, dimensions = Linear(folder.path / "model.safetensors", inner[0]), inner[1]
    return model_folder.read_transformer(
        folder, folder.path, layers=(layer,), dimensions=dimensions, **module_list.XTR_RULES
    )


def _inner_projection(folder: model_folder.ModelFolder) -> tuple[str, int] | None:
    """Return the name of the projection among the transformer's weights, and its dimensions."""
    if not folder.has("model.safetensors"):
        return None
    tensor_shapes = shapes(folder.path / "model.safetensors")
    return next(
        ((name, tensor_shapes[name][0]) for name in _PROJECTIONS if name in tensor_shapes), None
    )


FORMAT: Final = "winnow"
# Format version of folders written by Winnow's training; newer versions have higher numbers.
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of model folder: functions to recognise it and to read it.

    `read` may raise ModelError.
    """

    name: str
    is_it: Callable[[model_folder.ModelFolder], bool]
    read: Callable[[model_folder.ModelFolder], Checkpoint]


def _recognise(path: Path, source: str) -> Checkpoint:
    """Return the model in the folder at `path`, which `load_checkpoint` finds as `source`.

    Raises:
        ModelError: its layout is not supported, or it is damaged.
    """
    folder = model_folder.ModelFolder(path, source)
    for layout in LAYOUTS:
        if layout.is_it(folder):
            try:
                return layout.read(folder)
            except (
                KeyError,
                TypeError,
                ValueError,
                OverflowError,  # a number such as 1e999
                AttributeError,
                IndexError,
            ) as error:
                raise ModelError(
                    "The model in {0} looks like a '{1}' model, but its settings are invalid "
                    "({2}: {3}).",
                    path,
                    layout.name,
                    type(error).__name__,
                    error,
                ) from error
    raise ModelError(
        "The folder {0} does not contain a supported model. It must contain config.json and "
        "model.safetensors or onnx/model.onnx, as written by transformers or Optimum.",
        path,
    )


def _read_winnow(folder: model_folder.ModelFolder) -> Checkpoint:
    """Return a model of Winnow's own training, as `lab.training.saving` writes it."""
    config = folder.json("config.json")
    if int(config["version"]) > VERSION:
        raise ModelError(
            "The model in {0} was made by a newer version of Winnow. Update Winnow to use it.",
            folder.path,
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
        queries=TextRules(most, _ids(config["query_prefix_ids"]), includes_summary=summary),
        passages=TextRules(most, _ids(config["passage_prefix_ids"]), includes_summary=summary),
        layers=(Linear(heads, "projection", is_transposed=True),),
        summary_layer=Linear(heads, "summary", is_transposed=True) if has_own else None,
        hidden_layer=HiddenLayer(heads) if config.get("projection_hidden") else None,
        saliences=heads if config["has_salience"] else None,
        weighs_queries=bool(config["weighs_queries"]),
        summary_weight=summary_weight,
        is_lowercased=bool(config.get("is_lowercased", False)),
        keeping=TokenReduction.parse(config.get("keeping", EVERYTHING)),
        bits=int(config.get("bits", DEFAULT_BITS)),
    )


def _ids(stored: list[Any]) -> tuple[int, ...]:
    return tuple(int(token_id) for token_id in stored)


def _read_packaged(folder: model_folder.ModelFolder) -> Checkpoint:
    """Return a transformer from a Python package, with a projection in the model's folder."""
    config = folder.json("config.json")
    # find_spec locates the package without running any code of it.
    spec = importlib.util.find_spec(config["module"])
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            "The model's weights are missing because the package {0} is not installed. Run pip "
            "install {1}, or use the built-in model.",
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


def _read_packed(folder: model_folder.ModelFolder) -> Checkpoint:
    """Return packed weights of a Python package, with heads in the model's folder."""
    config = folder.json("config.json")
    package = package_folder(str(config["module"]), str(config["package"]), folder.path.name)
    weights = package / str(config["weights"])
    most = int(config["max_tokens"])
    # The word-start marker is a separate token before words outside the vocabulary.
    without_vectors = tuple(map(str, config["skipped"]))
    heads = folder.path / "heads.safetensors"
    return Checkpoint(
        name=folder.path.name,
        source=folder.source,
        folder=package,
        tokenizer=weights,
        resources=folder.path,
        declared_sha256=str(config["sha256"]),
        dimensions=int(config["dimensions"]),
        queries=TextRules(most, _ids(config["query_prefix_ids"]), without_vectors=without_vectors),
        passages=TextRules(
            most, _ids(config["passage_prefix_ids"]), without_vectors=without_vectors
        ),
        layers=(Linear(heads, "projection", is_transposed=True),),
        saliences=heads if config["has_salience"] else None,
        weighs_queries=bool(config["weighs_queries"]),
        keeping=TokenReduction.parse(config["keeping"]),
        bits=int(config["bits"]),
        packed=weights.name,
    )


def _read_plain(folder: model_folder.ModelFolder) -> Checkpoint:
    """Return a plain transformer, without a projection."""
    return model_folder.read_transformer(folder, folder.path)


def _is_winnow(folder: model_folder.ModelFolder) -> bool:
    return folder.json("config.json").get("format") == FORMAT


def _is_packaged(folder: model_folder.ModelFolder) -> bool:
    return "package" in folder.json("config.json")


def _is_packed(folder: model_folder.ModelFolder) -> bool:
    return _is_packaged(folder) and "weights" in folder.json("config.json")


# The first match is used, so the most specific layouts come first.
LAYOUTS: Final = (
    Layout("Winnow", _is_winnow, _read_winnow),
    Layout("packed", _is_packed, _read_packed),
    Layout("package", _is_packaged, _read_packaged),
    Layout("sentence-transformers", module_list.has_modules, module_list.read_modules),
    Layout("PyLate as ONNX", module_list.is_exported, module_list.read_exported),
    Layout("ColBERT", _is_colbert, _read_colbert),
    Layout("XTR", _is_xtr, _read_xtr),
    Layout("transformer", model_folder.ModelFolder.has_transformer, _read_plain),
)


def load_checkpoint(model: str | Path = BUILT_IN) -> Checkpoint:
    """Return a built-in model by its name, or the model in a folder; reads small files only.

    A name such as "lightonai/LateOn" that is not a folder is looked up in the Hugging Face cache.

    Raises:
        ModelError: the model does not exist, its layout is not supported, or its files are
            damaged.
    """
    named = paths.RESOURCES / "models" / str(model)
    if isinstance(model, str) and re.fullmatch(r"[\w.-]*\w", model) and named.is_dir():
        return _recognise(named, model)
    folder = paths.absolute(model)
    if not folder.is_dir() and isinstance(model, str) and is_hub_name(model):
        folder = _in_hub_cache(model)
    if not folder.is_dir():
        raise ModelError(
            "There is no built-in model or folder named '{0}'. Give the folder of a model, or "
            "one of {1}.",
            model,
            ", ".join(built_in_models()),
        )
    return _recognise(folder, str(folder))


def _in_hub_cache(name: str) -> Path:
    folder = downloaded(name)
    if folder is None:
        raise ModelError(
            "There is no folder {0}, and no model of this name in the Hugging Face cache ({1}); "
            "download it: hf download {2}",
            name,
            cache_folder(),
            name,
        )
    return folder


def built_in_models() -> list[str]:
    """Return the names of the built-in models."""
    return sorted(path.parent.name for path in (paths.RESOURCES / "models").glob("*/config.json"))
