"""Estimates of index size, loss of quality, and encoding and reading time."""

import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
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


# Files of a kind from which its time per file and per byte is known.
_ENOUGH_FILES: Final = 60
# How reading time grows with size before files of different sizes were read: with its power of .4.
# It was chosen on recorded times of text recognition, and counts as much as this many
# files; between 0, the same for each file, and 1, in proportion to the size.
_USUAL_GROWTH: Final = 0.4
_USUAL_FILES: Final = 16.0
# The estimate is made again after this part of the files read.
_FILES_PER_ESTIMATE: Final = 50


class _Spent:
    """Reading times of files of one kind, by size class: sizes with the same number of bits."""

    def __init__(self) -> None:
        self._files: Counter[int] = Counter()
        self._seconds: defaultdict[int, float] = defaultdict(float)
        # Sums for a linear regression of time on size.
        self._count = 0
        self._sums = np.zeros(4)

    def add(self, size: int, seconds: float) -> None:
        self._files[size.bit_length()] += 1
        self._seconds[size.bit_length()] += seconds
        self._count += 1
        self._sums += (size, seconds, size * size, size * seconds)

    def seconds(self, files: int, size_bytes: int, classes: Mapping[int, int]) -> float:
        """Return the seconds for files of this number, total size and number by size class."""
        if self._count >= _ENOUGH_FILES and (line := self._line()) is not None:
            return files * line[0] + size_bytes * line[1]
        return sum(number * self._expected(size_class) for size_class, number in classes.items())

    def _line(self) -> tuple[float, float] | None:
        """Return the seconds per file and per byte; None if the times have no such relation."""
        size, seconds, squared, product = map(float, self._sums)
        spread = self._count * squared - size * size
        if spread <= 1e-6 * self._count * squared:
            return None
        per_byte = (self._count * product - size * seconds) / spread
        per_file = (seconds - per_byte * size) / self._count
        return (per_file, per_byte) if per_byte >= 0 and per_file >= 0 else None

    def _expected(self, size_class: int) -> float:
        """Return the seconds for a file, by a local regression of time on size in logarithms."""
        near = {known: n * 2.0 ** -abs(known - size_class) for known, n in self._files.items()}
        times = {
            known: math.log2(max(self._seconds[known] / n, 1e-6))
            for known, n in self._files.items()
        }
        count = sum(near.values())
        middle = sum(known * weight for known, weight in near.items()) / count
        mean = sum(times[known] * weight for known, weight in near.items()) / count
        spread = sum(weight * (known - middle) ** 2 for known, weight in near.items())
        together = sum(
            weight * (known - middle) * (times[known] - mean) for known, weight in near.items()
        )
        slope = (together + _USUAL_FILES * _USUAL_GROWTH) / (spread + _USUAL_FILES)
        return float(2.0 ** (mean + min(max(slope, 0.0), 1.0) * (size_class - middle)))


class TimeLeft:
    """Estimates the remaining reading time from the files read so far.

    Small files come first, so that neither the number of files nor of bytes is enough: each kind
    has a time per file and a time per byte once many of its files were read. Before, the time of a
    file is that of files of about its size, and grows with the size at most in proportion: a
    picture whose text is recognised needs much the same time whatever its size. Kinds without a
    file read so far use the times of all.

    >>> left = TimeLeft([("text", 1000)] * 200 + [("text", 2000)] * 200)
    >>> for size in [1000] * 100 + [2000] * 100:
    ...     left.spend("text", size, 0.001 + size * 1e-6)
    >>> round(left.seconds(), 2)
    0.5
    """

    def __init__(self, waiting: Iterable[tuple[str, int]]) -> None:
        """Initialise with the kind and the size in bytes of each unread file."""
        self._waiting: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._bytes: defaultdict[str, int] = defaultdict(int)
        for kind, size in waiting:
            self._waiting[kind][size.bit_length()] += 1
            self._bytes[kind] += size
        self._spent: defaultdict[str, _Spent] = defaultdict(_Spent)
        self._all = _Spent()
        self._files = 0
        # The last estimate, the number of files read that makes the next one due, and the seconds
        # since.
        self._latest = 0.0
        self._next = 1
        self._since = 0.0

    def spend(self, kind: str, size: int, seconds: float) -> None:
        """Record that a file was read."""
        self._files += 1
        self._since += seconds
        self._waiting[kind][size.bit_length()] -= 1
        self._bytes[kind] -= size
        for spent in (self._spent[kind], self._all):
            spent.add(size, seconds)

    def seconds(self) -> float | None:
        """Return the remaining seconds; None before any file was read."""
        if not self._files:
            return None
        if self._files >= self._next:
            # Not for each of very many files: it takes a millisecond.
            self._next = self._files + max(1, self._files // _FILES_PER_ESTIMATE)
            self._since = 0.0
            self._latest = sum(
                self._spent.get(kind, self._all).seconds(
                    classes.total(), self._bytes[kind], classes
                )
                for kind, classes in self._waiting.items()
            )
        return max(self._latest - self._since, 0.0)
