"""What all layouts of model folders share: small files, and the transformer in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from core.encoders.checkpoint import Checkpoint, TextRules
from core.errors import ModelError

PASSAGE_TOKENS: Final = 256
"""Room that Winnow's passages need at the least: 180 tokens, and what stands above them."""
_MOST_TOKENS: Final = 512
_PICKLES: Final = ("*.bin", "*.pt", "*.pth", "*.dnn", "*.ckpt", "*.pkl")


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that may hold a model; `source` is how a person named it."""

    path: Path
    source: str

    def has(self, name: str) -> bool:
        return (self.path / name).is_file()

    def json(self, name: str) -> dict[str, Any]:
        """The object in a JSON file; empty where there is no such file.

        Raises:
            ModelError: the file cannot be read, or holds something else.
        """
        found = self._json(name, {})
        if not isinstance(found, dict):
            raise ModelError(f"The model's file {self.path / name} holds no settings.")
        return found

    def json_list(self, name: str) -> list[Any]:
        """The list in a JSON file; empty where there is no such file.

        Raises:
            ModelError: the file cannot be read, or holds something else.
        """
        found = self._json(name, [])
        if not isinstance(found, list):
            raise ModelError(f"The model's file {self.path / name} holds no list.")
        return found

    def _json(self, name: str, default: Any) -> Any:
        path = self.path / name
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return default
        except (OSError, ValueError, RecursionError) as error:
            raise ModelError(
                f"The model's file {path} cannot be read ({error}); copy the model there again."
            ) from error

    def has_transformer(self) -> bool:
        """Whether transformers made the folder: it says of which type its model is."""
        return "model_type" in self.json("config.json")


def transformer(folder: Folder, path: Path, **parts: Any) -> Checkpoint:
    """The checkpoint of the transformer in `path`, a folder in `folder` or that folder itself.

    `parts` are the checkpoint's fields that differ from a plain transformer's.

    Raises:
        ModelError: it has no weights or no tokenizer in a form that is safe to read.
    """
    inner = Folder(path, folder.source)
    require_weights(path, "model.safetensors")
    config = inner.json("config.json")
    tokenizer = next(
        (one for one in (path, folder.path) if (one / "tokenizer.json").is_file()), None
    )
    if tokenizer is None:
        raise ModelError(
            f"The model in {folder.path} has no tokenizer.json; make one with transformers: "
            "AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)."
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


def bare(checkpoint: Checkpoint) -> Checkpoint:
    """The transformer of a checkpoint alone: its own vectors, at its own width."""
    config = Folder(checkpoint.folder, "").json("config.json")
    return replace(
        checkpoint,
        name=f"{checkpoint.name}-bare",
        dimensions=width(config),
        layers=(),
        saliences=None,
    )


def require_weights(path: Path, name: str) -> None:
    """Check that the weights `name` are there in a form that cannot run a program.

    Raises:
        ModelError: they are not, with what to do.
    """
    if (path / name).is_file():
        return
    if (path / f"{name}.index.json").is_file():
        raise ModelError(
            f"The model in {path} is in several files; load it in transformers and save it in one "
            "with save_pretrained(FOLDER, max_shard_size='100GB')."
        )
    pickles = sorted(found.name for pattern in _PICKLES for found in path.glob(pattern))
    if pickles:
        raise ModelError(
            f"The model in {path} is kept in {pickles[0]}, a file that could run any program and "
            "that Winnow never opens; on a machine you trust load it in the library that made it "
            "and save it with safe_serialization=True."
        )
    raise ModelError(f"The model in {path} has no {name}; copy the model there again.")


def width(config: Mapping[str, Any]) -> int:
    """The dimensions of a transformer's vectors."""
    return int(config.get("hidden_size") or config.get("d_model") or config["dim"])


def most_tokens(config: Mapping[str, Any]) -> int:
    """How many tokens a transformer can take, as far as Winnow makes use of it."""
    positions = config.get("max_position_embeddings")
    if not isinstance(positions, int):
        return _MOST_TOKENS
    # RoBERTa and its kin begin to count after the padding's number.
    if config.get("model_type") in {"roberta", "xlm-roberta", "camembert", "mpnet"}:
        positions -= 2
    return min(positions, _MOST_TOKENS)
