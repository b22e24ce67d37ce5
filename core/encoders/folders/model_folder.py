"""Shared parts of the layouts: a model's folder, its transformer, and its linear layers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.encoders.folders.checkpoint import Checkpoint, Linear, TextRules, remedy, shapes
from core.encoders.folders.hub_cache import hub_name
from core.encoders.folders.onnx_file import OnnxFile, data_files, find_onnx
from core.errors import ModelError
from core.files import foreign_files

# Largest JSON file of a model, in bytes.
_MOST_JSON_BYTES: Final = 1 << 28
# Minimum number of tokens for Winnow's passages: 180 of text, and their context.
_PASSAGE_TOKENS: Final = 256
_MOST_TOKENS: Final = 512
_PICKLES: Final = ("*.bin", "*.pt", "*.pth", "*.dnn", "*.ckpt", "*.pkl")


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder that may contain a model; `source` is the name given by the person."""

    path: Path
    source: str

    def has(self, name: str) -> bool:
        return (self.path / name).is_file()

    def json(self, name: str) -> dict[str, Any]:
        """Return the object in a JSON file; empty if the file does not exist.

        Raises:
            ModelError: the file cannot be read, or is not an object.
        """
        content = self._json(name, {})
        if not isinstance(content, dict):
            raise ModelError("The model file {0} does not contain settings.", self.path / name)
        return content

    def json_list(self, name: str) -> list[Any]:
        """Return the list in a JSON file; empty if the file does not exist.

        Raises:
            ModelError: the file cannot be read, or is not a list.
        """
        content = self._json(name, [])
        if not isinstance(content, list):
            raise ModelError("The model file {0} does not contain a list.", self.path / name)
        return content

    def _json(self, name: str, default: Any) -> Any:
        path = self.path / name
        try:
            # A pipe would block, and a device may have no end.
            return json.loads(foreign_files.read(path, _MOST_JSON_BYTES, follows_links=True))
        except FileNotFoundError:
            return default
        except (OSError, ValueError, RecursionError) as error:
            raise ModelError(
                "The model file {0} cannot be read ({1}). To fix this, {2}.",
                path,
                error,
                remedy(path),
            ) from error

    def has_transformer(self) -> bool:
        """Return whether transformers wrote the folder, which then names the model's type."""
        return "model_type" in self.json("config.json")


def read_transformer(folder: ModelFolder, path: Path, **parts: Any) -> Checkpoint:
    """Return the checkpoint of the transformer in `path`, which is `folder` or in it.

    `parts` are the checkpoint's fields that differ from a plain transformer's.

    Raises:
        ModelError: it lacks weights or a tokenizer in a safe format.
    """
    inner = ModelFolder(path, folder.source)
    onnx = onnx_file(folder, path)
    if onnx is None or not onnx.is_alone:
        require_weights(path, "model.safetensors")
    config = inner.json("config.json")
    names = ["tokenizer.json"]
    if config.get("model_type") in {"t5", "mt5"}:
        names.append("spiece.model")
    candidates = (parent / name for name in names for parent in (path, folder.path))
    tokenizer = next((candidate for candidate in candidates if candidate.is_file()), None)
    if tokenizer is None:
        raise ModelError(
            "The model in {0} has no tokenizer.json. Create one with transformers: "
            "AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER).",
            folder.path,
        )
    rules = TextRules(most_tokens(config))
    fields: dict[str, Any] = {
        "name": hub_name(folder.path).rpartition("/")[2] or folder.path.name,
        "source": folder.source,
        "folder": path,
        "tokenizer": tokenizer,
        "resources": folder.path,
        "declared_sha256": "",
        "queries": rules,
        "passages": rules,
        "onnx": onnx,
    }
    if "dimensions" not in parts:
        fields["dimensions"] = width(config)
    return Checkpoint(**(fields | parts))


def onnx_file(folder: ModelFolder, path: Path) -> OnnxFile | None:
    """Return the ONNX file of the transformer in `path`, or None."""
    # Optimum writes the encoder of a T5 to a separate file.
    names = ("encoder_model.onnx", "model.onnx")
    onnx = find_onnx(tuple(dict.fromkeys((path, folder.path))), names)
    if onnx is None:
        return None
    return OnnxFile(onnx, data_files(onnx), not (path / "model.safetensors").is_file())


def require_weights(path: Path, name: str) -> None:
    """Check that the weights `name` exist in a format that cannot contain code.

    Raises:
        ModelError: they do not; the message says what to do.
    """
    if (path / name).is_file():
        return
    if (path / f"{name}.index.json").is_file():
        raise ModelError(
            "The model in {0} is split into several files. Load it in transformers and save it "
            "to one file with save_pretrained(FOLDER, max_shard_size='100GB').",
            path,
        )
    pickles = sorted(pickled.name for pattern in _PICKLES for pickled in path.glob(pattern))
    if pickles:
        raise ModelError(
            "The model in {0} is stored in {1}, a format that can execute code and that Winnow "
            "never opens. On a trusted computer, load it in the library that made it and save it "
            "with safe_serialization=True.",
            path,
            pickles[0],
        )
    raise ModelError(
        "The model in {0} has no {1}. To fix this, {2}.", path, name, remedy(path / name)
    )


def width(config: Mapping[str, Any]) -> int:
    """Return the dimensions of a transformer's vectors."""
    return int(config.get("hidden_size") or config.get("d_model") or config["dim"])


def most_tokens(config: Mapping[str, Any]) -> int:
    """Return the token limit of a transformer, or Winnow's if that is lower."""
    positions = config.get("max_position_embeddings")
    if not isinstance(positions, int):
        return _MOST_TOKENS
    # RoBERTa and similar models number positions from after the padding id.
    if config.get("model_type") in {"roberta", "xlm-roberta", "camembert", "mpnet"}:
        positions -= 2
    return min(positions, _MOST_TOKENS)


def passage_tokens(published: Any, config: Mapping[str, Any]) -> int:
    """Return the published length, or more if passages need it and the model allows it."""
    return min(max(int(published), _PASSAGE_TOKENS), most_tokens(config))


def read_dense(folder: ModelFolder, path: Path) -> tuple[Linear, int]:
    """Return a linear layer in a separate folder, and its number of outputs."""
    config = ModelFolder(path, folder.source).json("config.json")
    activation = str(config.get("activation_function", "Identity")).rpartition(".")[2]
    if activation != "Identity":
        raise ModelError(
            "The model in {0} has a layer with the activation {1}; Winnow supports linear layers "
            "only.",
            folder.path,
            activation,
        )
    require_weights(path, "model.safetensors")
    file = path / "model.safetensors"
    tensor_shapes = shapes(file)
    has_residual = bool(config.get("use_residual", False))
    layer = Linear(
        file,
        bias="linear.bias" if "linear.bias" in tensor_shapes else "",
        residual="residual.weight" if has_residual and "residual.weight" in tensor_shapes else "",
        adds_input=has_residual,
    )
    return layer, tensor_shapes["linear.weight"][0]


def mask_token(folder: ModelFolder) -> str:
    """Return the token that pads queries: the mask token, or the last one of the vocabulary."""
    for file in ("tokenizer_config.json", "special_tokens_map.json"):
        settings = folder.json(file)
        for name in ("mask_token", "eos_token"):
            token = settings.get(name)
            token = token.get("content") if isinstance(token, dict) else token
            if token:
                return str(token)
    return "[MASK]"
