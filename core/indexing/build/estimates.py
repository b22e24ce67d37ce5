"""Estimates of index size, loss of quality, and encoding and reading time."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.alignment.reduction import TokenReduction, budget
from core.catalog import manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow
from core.encoders.folders.checkpoint import Checkpoint
from core.index.codec import UNCOMPRESSED
from core.index.generation import open_encoder
from core.index.reduction import encode_reduced
from core.index.refinement_store import BITS as REFINEMENT_BITS
from core.indexing.build.generations import IndexTarget
from core.indexing.build.index_sizes import (
    OVERHEAD_BYTES,
    STORE_OVERHEAD_BYTES,
    residual_bytes,
    sizes_of,
)
from core.progress import Job
from core.settings import IndexSize

# Tokens that the built-in model encodes per second on a laptop with two cores.
TOKENS_PER_S: Final = 2500
# nDCG@10 in points by reduction and bits, as searches rank:
# docs/measurements/refinement-store.md.
POINTS: Final = {
    ("all", UNCOMPRESSED): 67.4,
    ("pruned-pooling:0.8:0.2", 1): 67.2,
    ("pruned-pooling:0.8:0.2+0.3", 1): 66.9,
}
# Vectors of a library's own from which its size per vector is known.
_ENOUGH_VECTORS: Final = 20_000
# Per passage in a refinement store: the offset of its vectors.
_OFFSET_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of an index size.

    Attributes:
        size: the index's.
        index_bytes: expected size on disk.
        bytes_per_token: expected size per token of the passages; 0 if there are no passages.
        points_lost: nDCG@10 in points, against all vectors uncompressed, with the built-in model
            and refinement on nine sets that it was not trained on; None if not measured.
    """

    size: IndexSize
    index_bytes: int
    bytes_per_token: float
    points_lost: float | None


def costs(catalog: Catalog, live: GenerationRow | None, checkpoint: Checkpoint) -> tuple[Cost, ...]:
    """Return the cost of each size that the model distinguishes, for the library's passages.

    Args:
        catalog: the library's.
        live: the live index, whose size is known.
        checkpoint: the model.
    """
    with catalog.reading() as db:
        counted = passages.lengths_counted(db)
        stored = [row for row in manifest.segments(db) if live and row.codec == live.codec]
    lengths = np.array([length for length, _ in counted], dtype=np.int64)
    token_counts = np.array([count for _, count in counted], dtype=np.int64)
    tokens = int(lengths @ token_counts)
    overhead = OVERHEAD_BYTES
    vectors = sum(row.tokens for row in stored)
    is_plain = live is not None and not TokenReduction.parse(live.spec.reduction).stored
    if live is not None and is_plain and vectors >= _ENOUGH_VECTORS:
        bytes_per_vector = sum(row.size_bytes for row in stored) / vectors
        overhead = max(bytes_per_vector - residual_bytes(checkpoint, live.spec.bits), 0.0)
    first = np.minimum(lengths, int(checkpoint.passages.includes_summary))

    def vector_count(share: float) -> int:
        """Return the number of vectors of all passages, including summaries."""
        return int((first + budget(lengths - first, share)) @ token_counts)

    costs = []
    for size, (keeping, bits) in sizes_of(checkpoint).items():
        index_bytes = vector_count(keeping.listed) * (residual_bytes(checkpoint, bits) + overhead)
        if keeping.stored:
            each = residual_bytes(checkpoint, REFINEMENT_BITS) + STORE_OVERHEAD_BYTES
            index_bytes += (
                vector_count(keeping.stored) * each + int(token_counts.sum()) * _OFFSET_BYTES
            )
        per_token = index_bytes / tokens if tokens else 0.0
        costs.append(Cost(size, round(index_bytes), per_token, points_lost(keeping, bits)))
    return tuple(costs)


def points_lost(keeping: TokenReduction, bits: int) -> float | None:
    """Return the loss of quality of a way of storing vectors; None if it was not measured.

    >>> points_lost(TokenReduction.parse("pruned-pooling:0.8:0.2"), 1)
    0.2
    >>> points_lost(TokenReduction(), 32), points_lost(TokenReduction(), 4)
    (0.0, None)
    """
    points = POINTS.get((str(keeping), bits))
    return None if points is None else round(POINTS["all", UNCOMPRESSED] - points, 1)


# Passages to encode: a second or two on a laptop.
_SAMPLE: Final = 48
_WARMING: Final = 16


def encoding_s(catalog: Catalog, target: IndexTarget, job: Job) -> float:
    """Return the estimated seconds to encode all passages, at the current speed.

    Loads the model again, so that no query waits for it.

    Args:
        catalog: the library's.
        target: the target index.
        job: may be cancelled.

    Raises:
        ModelError: the model cannot be loaded.
        Cancelled: the job was cancelled.
    """
    with catalog.reading() as db:
        texts = [(context, text) for _, context, text in passages.sample(db, _SAMPLE)]
        count = passages.count(db)
    if not texts:
        return 0.0
    job.checkpoint()
    encoder = open_encoder(target.checkpoint, target.tokenizer, target.device)

    def encode(some: list[tuple[str, str]]) -> None:
        encode_reduced(encoder, some, target.reduction, lambda _done: job.checkpoint())

    # A runtime's first batch takes longer than later ones.
    encode(texts[:_WARMING])
    began_s = time.monotonic()
    encode(texts)
    return (time.monotonic() - began_s) / len(texts) * count


_ENOUGH_FILES = 5


@dataclass(slots=True)
class _Spent:
    """Sums for a linear regression of reading time on size, for files of one kind."""

    files: int = 0
    seconds: float = 0.0
    size: float = 0.0
    size_squared: float = 0.0
    size_seconds: float = 0.0

    def add(self, size: float, seconds: float) -> None:
        self.files += 1
        self.seconds += seconds
        self.size += size
        self.size_squared += size * size
        self.size_seconds += size * seconds

    def line(self) -> tuple[float, float]:
        """Return the non-negative seconds per file and per byte."""
        spread = self.files * self.size_squared - self.size * self.size
        if spread > 1e-6 * self.files * self.size_squared:
            per_byte = (self.files * self.size_seconds - self.size * self.seconds) / spread
            per_file = (self.seconds - per_byte * self.size) / self.files
            if per_byte >= 0 and per_file >= 0:
                return per_file, per_byte
        # Degenerate fit: attribute all time either to files or to bytes.
        per_byte = self.size_seconds / self.size_squared if self.size_squared else 0.0
        by_file = self.seconds / self.files
        return (0.0, per_byte) if spread > 0 and per_byte * self.size > 0 else (by_file, 0.0)


class TimeLeft:
    """Estimates the remaining reading time from the files read so far.

    Small files come first, so that neither the number of files nor of bytes is enough: each kind
    has a time per file and a time per byte. Kinds with few files read use those of all files.

    >>> left = TimeLeft([("text", 1000)] * 20 + [("text", 2000)] * 20)
    >>> for size in [1000] * 10 + [2000] * 10:
    ...     left.spend("text", size, 0.001 + size * 1e-6)
    >>> round(left.seconds(), 4)
    0.05
    """

    def __init__(self, waiting: Iterable[tuple[str, int]]) -> None:
        """Initialise with the kind and the size in bytes of each unread file."""
        self._files: defaultdict[str, int] = defaultdict(int)
        self._bytes: defaultdict[str, int] = defaultdict(int)
        for kind, size in waiting:
            self._files[kind] += 1
            self._bytes[kind] += size
        self._spent: defaultdict[str, _Spent] = defaultdict(_Spent)
        self._all = _Spent()

    def spend(self, kind: str, size: int, seconds: float) -> None:
        """Record that a file was read."""
        self._files[kind] -= 1
        self._bytes[kind] -= size
        for spent in (self._spent[kind], self._all):
            spent.add(size, seconds)

    def seconds(self) -> float | None:
        """Return the remaining seconds; None before any file was read."""
        if not self._all.files:
            return None
        left = 0.0
        for kind, files in self._files.items():
            spent = self._spent.get(kind)
            known = spent if spent is not None and spent.files >= _ENOUGH_FILES else self._all
            per_file, per_byte = known.line()
            left += files * per_file + self._bytes[kind] * per_byte
        return left
