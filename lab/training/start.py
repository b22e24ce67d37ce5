"""The start of a run: transformer, tokenizer and initial projection."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.arrays import Floats
from core.encoders.folders.checkpoint import Checkpoint, TextRules, load_arrays, load_head
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.folders.model_folder import ModelFolder, width
from core.encoders.folders.packed_weights import read_packed
from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from lab import UNTRAINED
from lab.training.model_config import ModelConfig

# Projections that come with the start.
_OWN = {"whitened", "start"}


@dataclass(frozen=True, slots=True)
class Start:
    """Initial state of a run.

    Attributes:
        checkpoint: the model's files.
        projection: (h, d).
        saliences: (h + 1, 2), weights of the query and passage heads, with the bias in the last
            row; None if the model has none.
        summary: (h, d), the projection of summaries.
        hidden_layer: (h, w) and (w, d), parallel to the projection; None if the model has none.
        query_prefix: ids between the opening tokens and a query.
        passage_prefix: the same for passages.
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
        """The transformer's width, h."""
        return len(self.projection)


def find_start(config: ModelConfig, seed: int) -> Start:
    """Find the start that the configuration names.

    Args:
        config: configuration of the model.
        seed: for a random projection.

    Raises:
        UsageError: the start cannot be trained, or its parts do not fit together.
        ModelError: the model does not exist, or its files are damaged.
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
                    f"{config.start} has a hidden layer of {len(outer)} and a projection; set "
                    f"projection_hidden to {len(outer)}."
                )
        if checkpoint.saliences is not None:
            stacked = np.vstack([head.weight, head.bias])
            saliences = np.ascontiguousarray(stacked[:, checkpoint.dimensions :])
    # A projection in a separate folder, next to a package of weights, is not a trained one.
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
        # The engine replaces the first token by the summary, so it must not belong to the text.
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
    """Return the ids before a text, including those of a prompt."""
    (text,) = tokenizer.tokenize(["a"], rules.prompt)
    return tokenizer.frame(rules).before + text.prompt


def _named(start: str) -> str | Path:
    """Return the argument of `load_checkpoint`; the untrained model also goes by its package."""
    described = json.loads((UNTRAINED / "config.json").read_text(encoding="utf-8"))
    return UNTRAINED if start == described["package"] else start


def _prefix(
    config: ModelConfig, wanted: int | None, before: tuple[int, ...], plain: Checkpoint
) -> tuple[int, ...]:
    """Return the configured prefix, or else the model's."""
    opening, _ = Tokenizer.of(plain).surround
    if wanted is None:
        return before[len(opening) :]
    described = json.loads((plain.folder / "config.json").read_text(encoding="utf-8"))
    if wanted >= described["vocab_size"]:
        raise UsageError(f"{config.start} has no token {wanted} to put before a text.")
    return (wanted,)


def turned(projection: Floats, seed: int) -> Floats:
    """Return the projection, rotated at random within its d dimensions.

    Summaries projected by it keep their mutual similarities, and have almost none to tokens, so a
    query's summary is aligned with a passage's without a special rule. (Untrained, nine sets,
    nDCG@10 of a sample: .787 with one projection for all, .794 with a rotated one.)

    >>> turned(np.eye(4, dtype=np.float32)[:, :3], 7).shape
    (4, 3)
    """
    return np.ascontiguousarray(projection @ _orthogonal(len(projection.T), seed + 1))


def narrowed(projection: Floats, dimensions: int, seed: int) -> Floats:
    """Reduce a whitened projection to the first of its principal directions.

    Up to a rotation, `lab.training.codebook.whitened_projection` learns the same from the same
    vectors for that number of dimensions. Since it divides directions by a power of their
    eigenvalues, the directions of the largest variance are those in which the projection is
    shortest.

    Args:
        projection: (h, d), whitened by a power above 0 and turned.
        dimensions: up to d; with d the projection is returned unchanged.
        seed: for the rotation.

    >>> whitened = np.diag([0.5, 1.0, 0.8]).astype(np.float32)
    >>> narrow = narrowed(whitened, 2, 7)
    >>> (narrow @ narrow.T).diagonal().round(3).tolist()
    [0.5619999766349792, 0.0, 1.437999963760376]
    """
    if dimensions == projection.shape[1]:
        return projection
    directions, lengths, _ = np.linalg.svd(projection.astype(np.float64), full_matrices=False)
    scaled = (directions * lengths)[:, ::-1][:, :dimensions]
    # The sign of a direction depends on the LAPACK.
    scaled *= np.sign(scaled[np.abs(scaled).argmax(axis=0), np.arange(dimensions)])
    scaled *= np.sqrt(dimensions) / np.linalg.norm(scaled)
    narrow: Floats = (scaled @ _orthogonal(dimensions, seed)).astype(np.float32)
    return np.ascontiguousarray(narrow)


def _orthogonal(size: int, seed: int, columns: int | None = None) -> Floats:
    """Return (size, columns) random orthogonal directions."""
    generator = np.random.default_rng(seed)
    turn, triangle = np.linalg.qr(generator.normal(size=(size, columns or size)))
    # The signs make the rotation the same with every LAPACK.
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
        raise UsageError(f'{config.start} has no projection; set projection to "random" or a file.')
    if projection.shape != (hidden, config.dimensions):
        raise UsageError(
            f"The projection is {' x '.join(map(str, projection.shape))}; "
            f"{hidden} x {config.dimensions} is needed."
        )
    return projection


def bare(checkpoint: Checkpoint) -> Checkpoint:
    """Return a checkpoint's transformer without projection, at full width."""
    if checkpoint.packed:
        config = read_packed(checkpoint.weights).config
    else:
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
