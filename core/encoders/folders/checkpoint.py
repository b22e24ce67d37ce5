"""A model's files and their verification, its rules for texts, and its head."""

import hashlib
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from io import BufferedReader
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.alignment.reduction import TokenReduction
from core.arrays import Floats
from core.encoders.folders.hub_cache import hub_name
from core.encoders.folders.onnx_file import OnnxFile
from core.errors import Message, ModelError
from core.files import foreign_files, own_files, paths
from core.files.mapped_files import MappedFile
from core.files.stored_arrays import StoredArray, stored_arrays

# Default bits per dimension of stored vectors (docs/decisions/0005-codec.md).
DEFAULT_BITS: Final = 2


@dataclass(frozen=True, slots=True)
class TextRules:
    """The rules for framing a query or a passage, and for the returned vectors.

    The transformer's input consists of the tokenizer's opening tokens, `prefix`, `prompt`, the
    text, the closing tokens, and fillers. Tokens are given by id or by their text.

    Attributes:
        max_tokens: the limit in total; longer texts are truncated.
        prefix: tokens between the opening tokens and the text.
        prompt: a text inserted before each text, after the prefix, as a part of it.
        filler: the token that fills up a short text; "" for none.
        is_filler_attended: whether other tokens attend to fillers (which attend to all others).
        includes_special_tokens: whether the tokens around the text also have vectors, with empty
            spans.
        includes_summary: whether the first vector, with an empty span, represents the whole text:
            the mean of all the transformer's vectors, including special tokens.
        without_vectors: tokens without vectors, at any position.
        filled_to: minimum number of tokens including fillers; 0 for `max_tokens`.
    """

    max_tokens: int
    prefix: tuple[int | str, ...] = ()
    prompt: str = ""
    filler: str = ""
    is_filler_attended: bool = False
    includes_special_tokens: bool = False
    includes_summary: bool = False
    without_vectors: tuple[str, ...] = ()
    filled_to: int = 0


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear layer of a safetensors file: y = x W' + b, plus x or x R' if it has a residual.

    `weight`, `bias` ("" for none) and `residual` name arrays, (out, in) as in torch, or (in, out)
    if `is_transposed`; `adds_input` adds x itself.
    """

    file: Path
    weight: str = "linear.weight"
    bias: str = ""
    residual: str = ""
    adds_input: bool = False
    is_transposed: bool = False


@dataclass(frozen=True, slots=True)
class HiddenLayer:
    """A layer of w neurons parallel to a projection, which adds gelu(x A) B to its output.

    `inner` and `outer` name A (h, w) and B (w, d) in a safetensors file; the GELU is the exact one.
    """

    file: Path
    inner: str = "hidden.inner"
    outer: str = "hidden.outer"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One model on disk.

    Attributes:
        name: the display name.
        source: the argument of `load_checkpoint`: a built-in name, or a folder.
        folder: of the transformer: `config.json`, `model.safetensors`.
        tokenizer: a file of the `tokenizers` library, or T5's `spiece.model`.
        resources: folder of Winnow's own file for the model: its codebook.
        declared_sha256: of the weights, if it was declared, else "".
        dimensions: d, of the index.
        queries: the rules for queries.
        passages: the rules for passages.
        layers: from the transformer's h dimensions to d, in order.
        query_layers: the layers for queries; None if they are the same.
        hidden_layer: added to the output of `layers` for tokens; None for nothing. Summaries
            with a separate layer do not use it.
        summary_layer: from h to d for summaries; None if they are projected like tokens.
        saliences: file with the heads of the saliences; None if the model has none.
        weighs_queries: whether a query's tokens are weighted by salience.
        summary_weight: weight of a query's summary relative to all its tokens together.
        is_lowercased: whether texts are lowercased before tokenization.
        keeping: the default reduction of a passage's vectors in an index.
        bits: the default number of bits per dimension.
        packed: the file in `folder` with the transformer's weights in 4 bits and the tokenizer
            (`core.encoders.folders.packed_weights`); "" for the files of transformers.
        onnx: the transformer as ONNX, with or without `layers`; None if there is no such file.
    """

    name: str
    source: str
    folder: Path
    tokenizer: Path
    resources: Path
    declared_sha256: str
    dimensions: int
    queries: TextRules
    passages: TextRules
    layers: tuple[Linear, ...] = ()
    query_layers: tuple[Linear, ...] | None = None
    summary_layer: Linear | None = None
    hidden_layer: HiddenLayer | None = None
    saliences: Path | None = None
    weighs_queries: bool = False
    summary_weight: float = 0.0
    is_lowercased: bool = False
    keeping: TokenReduction = field(default_factory=TokenReduction)
    bits: int = DEFAULT_BITS
    packed: str = ""
    onnx: OnnxFile | None = None

    @property
    def weights(self) -> Path:
        if self.onnx is not None and self.onnx.is_alone:
            return self.onnx.path
        return self.folder / (self.packed or "model.safetensors")

    @property
    def projection(self) -> Path:
        """The file of a built-in model's projection, (h, d).

        Raises:
            ModelError: the model has no projection.
        """
        if not self.layers:
            raise ModelError("The model {0} has no projection.", self.name)
        return self.layers[0].file

    @property
    def codebook(self) -> Path:
        """The path of the model's codebook, which may not exist."""
        return self.resources / "codebook.safetensors"

    @property
    def weights_sha256(self) -> str:
        """The hash of the weights, as declared or computed."""
        return self.declared_sha256 or sha256_of(self.weights)

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that identify the model's vectors and codes."""
        digest = hashlib.sha256(self.weights_sha256.encode())
        for path in (*head_files(self), self.codebook, self.tokenizer):
            digest.update(sha256_of(path).encode() if path.is_file() else b"-")
        rules = (self.dimensions, self.queries, self.passages, self.is_lowercased)
        # With the field's earlier name: indexes have fingerprints that were made with it.
        digest.update(repr(rules).replace("without_vectors=", "skipped=").encode())
        return digest.hexdigest()[:16]

    def verify(self) -> None:
        """Check the weights against their declared SHA-256.

        Raises:
            ModelError: they cannot be read, or have another checksum.
        """
        checksum = _measured(self.weights)
        if self.declared_sha256 and checksum != self.declared_sha256:
            raise ModelError(
                "The model file {0} does not match the checksum in its settings. To fix this, {1}.",
                self.weights,
                remedy(self.weights),
            )


def head_files(checkpoint: Checkpoint) -> list[Path]:
    """Return the files besides the transformer's that affect its vectors."""
    layers = (*checkpoint.layers, *(checkpoint.query_layers or ()))
    files = [layer.file for layer in layers if layer.file != checkpoint.weights]
    if checkpoint.onnx is not None and checkpoint.onnx.is_alone:
        files += checkpoint.onnx.data
    if checkpoint.hidden_layer is not None:
        files.append(checkpoint.hidden_layer.file)
    return [*files, checkpoint.saliences] if checkpoint.saliences else files


def load_arrays(path: Path, names: Iterable[str] | None = None) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a safetensors file as float32: all of them, or those with these names.

    Raises:
        ModelError: the file is missing or damaged, or lacks one of the names.
    """
    stored = _stored(path)
    try:
        return {name: _floats(stored[name]) for name in (stored if names is None else names)}
    except (LookupError, TypeError, ValueError) as error:
        raise _damaged(path) from error


def shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays of a safetensors file by name, without reading the arrays.

    Raises:
        ModelError: the file is missing or damaged.
    """
    return {name: array.shape for name, array in _stored(path).items()}


def _stored(path: Path) -> dict[str, StoredArray]:
    try:
        return stored_arrays(MappedFile(path).data)
    except (OSError, ValueError) as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> ModelError:
    return ModelError("The model file {0} is damaged. To fix this, {1}.", path, remedy(path))


_DTYPES: Final = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "U16": "<u2",
    "U8": "u1",
}


def _floats(array: StoredArray) -> npt.NDArray[np.float32]:
    if array.dtype == "BF16":
        # The upper half of a float32; numpy has no bfloat16.
        wide = array.data.view("<u2").astype(np.uint32) << np.uint32(16)
        return wide.view(np.float32).reshape(array.shape)
    return array.data.view(_DTYPES[array.dtype]).astype(np.float32).reshape(array.shape)


def loading_error(checkpoint: Checkpoint, reason: object) -> ModelError:
    """Return the error for a model whose files cannot be loaded."""
    return ModelError("The model in {0} cannot be loaded: {1}", checkpoint.folder, reason)


def missing_weight_error(checkpoint: Checkpoint, name: str) -> ModelError:
    """Return the error for a weight that the configuration requires and the file lacks."""
    return ModelError(
        "The model file {0} lacks weights required by its config.json ({1}). To fix this, {2}.",
        checkpoint.weights,
        name,
        remedy(checkpoint.weights),
    )


def remedy(path: Path) -> str:
    """Return the remedy for a damaged file of a model, for an error message."""
    if path.is_relative_to(paths.RESOURCES) or "site-packages" in path.parts:
        return Message("install Winnow again")
    if name := hub_name(path):
        return Message("download it again: hf download --force-download {0}", name)
    return Message("copy the model there again")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, cached while its size and time stay the same.

    Raises:
        ModelError: it cannot be read.
    """
    try:
        status = path.stat()
    except OSError:
        return _measured(path)  # raises the error
    if status.st_size < 1 << 22:
        return _measured(path)
    # A name for each state of the file, so that cached values never change.
    key = f"{path.absolute()}\0{status.st_size}\0{status.st_mtime_ns}".encode(errors="replace")
    noted = paths.cache() / "hashes" / hashlib.sha256(key).hexdigest()
    try:
        checksum = noted.read_text("ascii")
        if re.fullmatch(r"[0-9a-f]{64}", checksum):
            return checksum
    except (OSError, ValueError):
        pass
    checksum = _measured(path)
    try:
        own_files.make_folder(noted.parent)
        noted.write_text(checksum, "ascii")
    except OSError:
        pass  # computed again next time
    return checksum


def _open(path: Path) -> BufferedReader:
    """Open a file of a model, but no pipe or device.

    Raises:
        OSError: it is none, or cannot be opened.
    """
    return os.fdopen(foreign_files.open_regular(path, sys.maxsize, follows_links=True), "rb")


def _measured(path: Path) -> str:
    try:
        with _open(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(
            "The model file {0} cannot be read ({1}). To fix this, {2}.",
            path,
            error.strerror,
            remedy(path),
        ) from error


@dataclass(frozen=True, slots=True)
class Head:
    """x weight + bias: (h, c) and (c,) float32.

    The first d of the c columns are the token vector; if queries have separate layers, the next d
    are the vector of a query token. If the model has saliences, two columns follow: the scores of a
    query token and of a passage token, before the rectifier. `summary` replaces the weight for
    summaries with a separate projection.

    If there is a hidden layer, gelu(x inner) outer is added, except to such summaries: (h, w) and
    (w, c) float32, zero in columns outside token vectors.
    """

    weight: Floats
    bias: Floats
    summary: Floats | None = None
    inner: Floats | None = None
    outer: Floats | None = None


def load_head(checkpoint: Checkpoint, width: int | None = None) -> Head | None:
    """Return the head of a checkpoint; None if the transformer's vectors are indexed directly.

    Args:
        checkpoint: names the head's files.
        width: h, the dimensions of the transformer's vectors, if they are known.

    Raises:
        ModelError: its files are missing or damaged, or do not fit together.
    """
    try:
        head = _through(checkpoint.layers)
        if checkpoint.query_layers is not None:
            head = _stacked(head, _through(checkpoint.query_layers))
        if checkpoint.saliences is not None:
            head = _with_saliences(head, load_arrays(checkpoint.saliences, _SALIENCES))
        if head is not None and checkpoint.summary_layer is not None:
            head = _with_summary(head, _after(None, checkpoint.summary_layer).weight)
        if head is not None and checkpoint.hidden_layer is not None:
            head = _with_hidden(head, checkpoint.hidden_layer, checkpoint.dimensions)
        if head is not None:
            _check_widths(head, checkpoint)
        if width not in (None, checkpoint.dimensions if head is None else len(head.weight)):
            raise ValueError(f"a head for other vectors than those of {width} dimensions")
    except ValueError as error:  # raised by numpy for incompatible shapes
        folder = checkpoint.resources
        raise ModelError(
            "The layers of the model in {0} do not fit together. To fix this, {1}.",
            folder,
            remedy(folder),
        ) from error
    return head


def _check_widths(head: Head, checkpoint: Checkpoint) -> None:
    """Raise ValueError if a head's output differs from what the checkpoint declares."""
    vectors = checkpoint.dimensions * (1 if checkpoint.query_layers is None else 2)
    width = vectors + (2 if checkpoint.saliences is not None else 0)
    if head.weight.ndim != 2 or head.weight.shape[1] != width or head.bias.shape != (width,):
        raise ValueError(f"a head of {head.weight.shape} for {width} columns")


_SALIENCES = (
    "query_salience.weight",
    "query_salience.bias",
    "passage_salience.weight",
    "passage_salience.bias",
)


def _through(layers: Iterable[Linear]) -> Head | None:
    """Return the composition of layers; None if there are none."""
    head = None
    for layer in layers:
        head = _after(head, layer)
    return head


def _stacked(passages: Head | None, queries: Head | None) -> Head:
    """Return both heads' columns; for None, the transformer's own vectors."""
    known = passages or queries
    assert known is not None, "queries have separate layers"
    h = len(known.weight)
    own = Head(np.eye(h, dtype=np.float32), np.zeros(h, dtype=np.float32))
    both = [passages or own, queries or own]
    return Head(
        np.hstack([head.weight for head in both]), np.concatenate([head.bias for head in both])
    )


def _after(head: Head | None, layer: Linear) -> Head:
    """Return the head composed with one more layer: affine maps compose to an affine map."""
    names = [name for name in (layer.weight, layer.bias, layer.residual) if name]
    arrays = load_arrays(layer.file, names)
    turned = {name: array if layer.is_transposed else array.T for name, array in arrays.items()}
    weight = turned[layer.weight]
    if layer.residual:
        weight = weight + turned[layer.residual]
    elif layer.adds_input:
        weight = weight + np.eye(*weight.shape, dtype=np.float32)
    bias = arrays[layer.bias] if layer.bias else np.zeros(weight.shape[1], dtype=np.float32)
    if head is not None:
        weight, bias = head.weight @ weight, head.bias @ weight + bias
    return Head(np.ascontiguousarray(weight), bias)


def _with_summary(head: Head, own: Floats) -> Head:
    # A summary is always kept, so its salience is not used.
    summary = head.weight.copy()
    summary[:, : own.shape[1]] = own
    return replace(head, summary=summary)


def _with_hidden(head: Head, layer: HiddenLayer, dimensions: int) -> Head:
    arrays = load_arrays(layer.file, (layer.inner, layer.outer))
    inner, outer = arrays[layer.inner], arrays[layer.outer]
    h, c = head.weight.shape
    if inner.shape != (h, len(outer)) or outer.shape[1:] != (dimensions,):
        raise ValueError(f"a hidden layer of {inner.shape} and {outer.shape}")
    return replace(head, inner=inner, outer=np.pad(outer, ((0, 0), (0, c - dimensions))))


def _with_saliences(head: Head | None, arrays: dict[str, Floats]) -> Head:
    weights = [arrays[name].reshape(-1, 1) for name in _SALIENCES[::2]]
    biases = [arrays[name].reshape(1) for name in _SALIENCES[1::2]]
    if head is None:
        h = len(weights[0])
        head = Head(np.eye(h, dtype=np.float32), np.zeros(h, dtype=np.float32))
    return Head(
        np.ascontiguousarray(np.hstack([head.weight, *weights])),
        np.concatenate([head.bias, *biases]),
    )
