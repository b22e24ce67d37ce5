"""Where a run begins: transformer, tokenizer, and the first projection; found, or carried along."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import Floats
from core.encoders.checkpoint import Checkpoint, TextRules, load_arrays, load_head
from core.encoders.layouts import load_checkpoint
from core.encoders.model_folder import ModelFolder, width
from core.encoders.tokens import Tokenizer
from core.errors import ModelError, UsageError, WinnowError
from lab import UNTRAINED
from lab.training.model_config import ModelConfig

_OWN = {"whitened", "start"}
"""Projections that are the start's."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a run begins with.

    Attributes:
        checkpoint: the model's files.
        projection: (h, d).
        saliences: (h + 1, 2), a query token's and a passage token's weights with their bias below;
            None where the model has none.
        summary: (h, d), the projection of summaries.
        hidden_layer: (h, w) and (w, d), beside the projection; None where the model has none.
        query_prefix: ids between the opening tokens and a query.
        passage_prefix: likewise for passages.
    """

    checkpoint: Checkpoint
    projection: Floats
    saliences: Floats | None
    summary: Floats
    query_prefix: tuple[int, ...]
    passage_prefix: tuple[int, ...]
    hidden_layer: tuple[Floats, Floats] | None = None

    @property
    def hidden(self) -> int:
        """The transformer's dimensions, h."""
        return len(self.projection)


def find_start(config: ModelConfig, seed: int) -> Start:
    """Return what the configuration names.

    Args:
        config: of the model.
        seed: of a projection drawn at random.

    Raises:
        UsageError: what it names cannot be trained, or does not fit together.
        ModelError: there is no such model, or its files are damaged.
    """
    checkpoint = load_checkpoint(_named(config.start))
    plain = bare(checkpoint)
    saliences = None
    head = load_head(checkpoint)
    own: Floats | None = None
    own_summary: Floats | None = None
    hidden_layer: tuple[Floats, Floats] | None = None
    if head is not None and checkpoint.layers:
        if np.any(head.bias[: checkpoint.dimensions]):
            raise UsageError(f"{config.start} adds a bias to its vectors, which is not trained.")
        own = np.ascontiguousarray(head.weight[:, : checkpoint.dimensions])
        if head.summary is not None:
            own_summary = np.ascontiguousarray(head.summary[:, : checkpoint.dimensions])
        if head.inner is not None and head.outer is not None and config.projection in _OWN:
            outer = np.ascontiguousarray(head.outer[:, : checkpoint.dimensions])
            hidden_layer = (head.inner, outer)
            if config.projection_hidden != len(outer):
                raise UsageError(
                    f"{config.start} has a hidden layer of {len(outer)} beside its projection; set "
                    f"projection_hidden to {len(outer)}."
                )
        if checkpoint.saliences is not None:
            stacked = np.vstack([head.weight, head.bias])
            saliences = np.ascontiguousarray(stacked[:, checkpoint.dimensions :])
    # A projection in a folder of its own, beside a package of weights, is no trained one.
    is_whitened = not checkpoint.folder.is_relative_to(checkpoint.resources)
    if own is not None and is_whitened and config.projection == "whitened":
        own = narrowed(own, min(config.dimensions, own.shape[1]), seed)
    projection = _projection(config, plain.dimensions, own, seed)
    if own_summary is None or own_summary.shape != projection.shape:
        own_summary = turned(projection, seed)
    tokenizer = Tokenizer.of(checkpoint)
    prefixes = [
        _prefix(config, wanted, _before(tokenizer, rules), plain)
        for wanted, rules in (
            (config.query_prefix, checkpoint.queries),
            (config.passage_prefix, checkpoint.passages),
        )
    ]
    opening, _ = tokenizer.surround
    if config.summary_weight and not (opening or all(prefixes)):
        # The engine puts a summary in the place of the first token, which must not be the text's.
        raise UsageError(
            f"{config.start} has no token before a text in whose place a summary could stand; set "
            "query_prefix and passage_prefix to the id of one, or summary_weight to 0."
        )
    return Start(
        checkpoint,
        projection,
        saliences,
        own_summary,
        query_prefix=prefixes[0],
        passage_prefix=prefixes[1],
        hidden_layer=hidden_layer,
    )


def _before(tokenizer: Tokenizer, rules: TextRules) -> tuple[int, ...]:
    """Return the ids that stand before a text, those of a prompt among them."""
    (text,) = tokenizer.tokenize(["a"], rules.prompt)
    return tokenizer.frame(rules).before + text.prompt


def _named(start: str) -> str | Path:
    """What `load_checkpoint` takes: the untrained model goes by its weights' package, too."""
    described = json.loads((UNTRAINED / "config.json").read_text(encoding="utf-8"))
    return UNTRAINED if start == described["package"] else start


def _prefix(
    config: ModelConfig, wanted: int | None, before: tuple[int, ...], plain: Checkpoint
) -> tuple[int, ...]:
    """Return the prefix that is wanted, or else the model's own."""
    opening, _ = Tokenizer.of(plain).surround
    if wanted is None:
        return before[len(opening) :]
    described = json.loads((plain.folder / "config.json").read_text(encoding="utf-8"))
    if wanted >= described["vocab_size"]:
        raise UsageError(f"{config.start} has no token {wanted} to put before a text.")
    return (wanted,)


def turned(projection: Floats, seed: int) -> Floats:
    """Return the projection, turned at random within its d dimensions.

    Summaries that are projected so are as alike among each other as they were, and hardly like any
    token: a query's summary is aligned with a passage's without a rule that says so. (Untrained,
    nine sets, nDCG@10 of a sample: .787 with one projection for all, .794 with a turned one.)

    >>> turned(np.eye(4, dtype=np.float32)[:, :3], 7).shape
    (4, 3)
    """
    return np.ascontiguousarray(projection @ _orthogonal(len(projection.T), seed + 1))


def narrowed(projection: Floats, dimensions: int, seed: int) -> Floats:
    """Return a whitened projection to fewer dimensions: the first of its principal directions.

    This is what `lab.training.codebook.whitened_projection` learns from the same vectors for so
    many dimensions, but for a turn. That weakens a direction by a power of its eigenvalue: the
    directions along which vectors differ most are those in which the projection is shortest.

    Args:
        projection: (h, d), whitened by a power above 0 and turned.
        dimensions: up to d; with d the projection is given as it is.
        seed: of the turn.

    >>> whitened = np.diag([0.5, 1.0, 0.8]).astype(np.float32)
    >>> narrow = narrowed(whitened, 2, 7)
    >>> (narrow @ narrow.T).diagonal().round(3).tolist()
    [0.5619999766349792, 0.0, 1.437999963760376]
    """
    if dimensions == projection.shape[1]:
        return projection
    directions, lengths, _ = np.linalg.svd(projection.astype(np.float64), full_matrices=False)
    kept = (directions * lengths)[:, ::-1][:, :dimensions]
    # A direction's sign is the LAPACK's choice.
    kept *= np.sign(kept[np.abs(kept).argmax(axis=0), np.arange(dimensions)])
    kept *= np.sqrt(dimensions) / np.linalg.norm(kept)
    narrow: Floats = (kept @ _orthogonal(dimensions, seed)).astype(np.float32)
    return np.ascontiguousarray(narrow)


def _orthogonal(size: int, seed: int, columns: int | None = None) -> Floats:
    """(size, columns) orthogonal directions drawn at random."""
    generator = np.random.default_rng(seed)
    turn, triangle = np.linalg.qr(generator.normal(size=(size, columns or size)))
    # The signs make the turn one and the same with every LAPACK.
    return np.ascontiguousarray(turn * np.sign(np.diag(triangle)), dtype=np.float32)


def _projection(config: ModelConfig, hidden: int, own: Floats | None, seed: int) -> Floats:
    if config.projection == "random":
        if config.dimensions > hidden:
            raise UsageError(f"The model has {hidden} dimensions, fewer than {config.dimensions}.")
        return _orthogonal(hidden, seed, config.dimensions)
    if config.projection in _OWN:
        projection = own
    elif Path(config.projection).is_file():
        projection = load_arrays(Path(config.projection)).get("projection")
    else:
        raise UsageError(f"There is no projection {config.projection}.")
    if projection is None:
        raise UsageError(
            f'{config.start} has no projection of its own; set projection to "random" or a file.'
        )
    if projection.shape != (hidden, config.dimensions):
        raise UsageError(
            f"The projection is {' x '.join(map(str, projection.shape))}; "
            f"{hidden} x {config.dimensions} is needed."
        )
    return projection


def bare(checkpoint: Checkpoint) -> Checkpoint:
    """Return the transformer of a checkpoint alone: its own vectors, at its own width."""
    config = ModelFolder(checkpoint.folder, "").json("config.json")
    return replace(
        checkpoint,
        name=f"{checkpoint.name}-bare",
        dimensions=width(config),
        layers=(),
        query_layers=None,
        hidden_layer=None,
        saliences=None,
    )


_ARRAYS: Final = ("projection", "summary", "saliences")


def save_start(start: Start, folder: Path, *, is_half: bool) -> None:
    """Write all that a run begins with into a folder, to be found by `load_start`.

    Args:
        start: what the run begins with.
        folder: is made.
        is_half: whether the transformer's weights are written in half precision.

    Raises:
        WinnowError: it cannot be written.
    """
    import torch
    from safetensors.numpy import save_file as save_arrays
    from safetensors.torch import load_file, save_file

    checkpoint = start.checkpoint
    inner, outer = start.hidden_layer or (None, None)
    arrays = {name: getattr(start, name) for name in _ARRAYS} | {"inner": inner, "outer": outer}
    described = {
        "query_prefix": start.query_prefix,
        "passage_prefix": start.passage_prefix,
        "tokenizer": checkpoint.tokenizer.name,
        "max_tokens": checkpoint.passages.max_tokens,
        "is_lowercased": checkpoint.is_lowercased,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "start.json").write_text(json.dumps(described), encoding="utf-8")
        found = {name: array for name, array in arrays.items() if array is not None}
        save_arrays(found, folder / "start.safetensors")
        shutil.copyfile(checkpoint.folder / "config.json", folder / "config.json")
        shutil.copyfile(checkpoint.tokenizer, folder / checkpoint.tokenizer.name)
        if not is_half:
            shutil.copyfile(checkpoint.weights, folder / "model.safetensors")
            return
        weights = load_file(checkpoint.weights)
        half = {
            name: weight.to(torch.float16) if weight.is_floating_point() else weight
            for name, weight in weights.items()
        }
        save_file(half, folder / "model.safetensors", {"format": "pt"})
    except OSError as error:
        raise WinnowError(f"The start cannot be written to {folder}: {error}.") from error


def load_start(folder: Path) -> Start:
    """Return what `save_start` wrote.

    Raises:
        ModelError: it is missing or damaged.
    """
    try:
        described = json.loads((folder / "start.json").read_text(encoding="utf-8"))
        rules = TextRules(int(described["max_tokens"]))
        arrays = load_arrays(folder / "start.safetensors")
        checkpoint = Checkpoint(
            name=folder.name,
            source=str(folder),
            folder=folder,
            tokenizer=folder / described["tokenizer"],
            resources=folder,
            declared_sha256="",
            dimensions=arrays["projection"].shape[1],
            queries=rules,
            passages=rules,
            is_lowercased=described["is_lowercased"],
        )
        return Start(
            checkpoint,
            arrays["projection"],
            arrays.get("saliences"),
            arrays["summary"],
            tuple(described["query_prefix"]),
            tuple(described["passage_prefix"]),
            (arrays["inner"], arrays["outer"]) if "inner" in arrays else None,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"The start in {folder} is damaged; unpack the archive anew.") from error
