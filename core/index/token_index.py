"""All token vectors of a library: published segment by segment, scanned as one."""

from __future__ import annotations

import contextlib
import logging
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from core.catalog import passages, segments
from core.catalog.catalog import Catalog
from core.catalog.indexes import IndexRow
from core.errors import LibraryDamagedError
from core.index import segment as segment_file
from core.index.codec import Codec, Scorer
from core.index.keeping import Kept, StandIns
from core.index.segment import Segment, Stored, WrittenFile
from core.progress import Job

_log = logging.getLogger(__name__)

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

_BLOCK_TOKENS: Final = 8192
"""Tokens scored at a time: their residuals as float32 are 4 MB and stay in the cache."""


@dataclass(frozen=True, slots=True)
class OpenSegment:
    """A segment and which of its passages still exist."""

    row: segments.SegmentRow
    data: Segment
    is_alive: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scores:
    """The score of every passage that has vectors; `passages` ascending."""

    passages: Numbers
    values: Floats

    def of(self, numbers: Numbers) -> Floats:
        """The scores of these passages; NaN for one that has no vectors."""
        found = np.full(len(numbers), np.nan, dtype=np.float32)
        if len(self.passages):
            places = np.searchsorted(self.passages, numbers)
            places[places == len(self.passages)] = 0
            is_there = self.passages[places] == numbers
            found[is_there] = self.values[places[is_there]]
        return found

    def best(self, limit: int) -> tuple[Numbers, Floats]:
        """The `limit` best passages and their scores, best first; among equals the first added."""
        if limit < len(self.values):
            # A partition first: sorting a million scores takes longer than computing them.
            threshold = -np.partition(-self.values, limit - 1)[limit - 1]
            candidates = np.flatnonzero(self.values >= threshold)
        else:
            candidates = np.arange(len(self.values))
        order = candidates[np.argsort(-self.values[candidates], kind="stable")[:limit]]
        return self.passages[order], self.values[order]


class TokenIndex:
    """The published segments that fit one model and one codec.

    Reading is for any thread at any time: a search works on the segments that were published when
    it began. `publish` and `clean` are for the one writer that holds the library's lock.
    """

    def __init__(self, folder: Path, catalog: Catalog, codec: Codec, row: IndexRow) -> None:
        """Open the segments in `folder` of the index `row`, lazily."""
        self.folder = folder
        self.codec = codec
        self._row = row
        self._catalog = catalog
        self._open: tuple[OpenSegment, ...] = ()
        self._damaged: tuple[segments.SegmentRow, ...] = ()
        self._version: tuple[int, int, int] | None = None
        self._guard = threading.Lock()

    @property
    def codec_name(self) -> str:
        """What the manifest calls the codec of a segment."""
        return self._row.codec

    def publish(self, vectors: Sequence[tuple[int, Kept]], *, is_staged: bool = False) -> None:
        """Compress the vectors of passages (number, what is kept) and add them to the index.

        Where `is_staged` they are kept for the moment at which the index takes another's place.

        The file is on the disk before one transaction makes it count; killed in between, the file
        is rubbish that `clean` removes, and the passages still want their vectors.

        Raises:
            DiskFullError, LibraryError: the index cannot be written; nothing has changed.
        """
        # A passage without tokens (nothing but what the model cannot see) needs no vectors.
        kept = [
            Stored(number, self.codec.encode(one.vectors), one.members)
            for number, one in vectors
            if len(one)
        ]
        name = f"{uuid.uuid4().hex}.safetensors"
        written = WrittenFile(0, "")
        if kept:
            written = segment_file.write(self.folder / name, kept)
        row = segments.SegmentRow(
            file=name,
            model=self._row.model,
            codec=self.codec_name,
            passages=len(kept),
            tokens=sum(len(one.codes) for one in kept),
            size_bytes=written.size_bytes,
            checksum=written.checksum,
        )
        try:
            with self._catalog.transaction() as db:
                number = segments.add(db, row)
                place = passages.set_staged if is_staged else passages.set_encoded
                place(db, number, (passages.Encoded(n, one.tokens, len(one)) for n, one in vectors))
        except BaseException:
            (self.folder / name).unlink(missing_ok=True)
            raise

    def clean(self, kept: str = "") -> None:
        """Drop segments that are damaged, empty or of another model or codec, and stray files.

        The passages of a dropped segment want their vectors again. Another index's segments stay
        where `kept` is that one's `codec_name`.
        """
        self._refresh()
        dropped = {row.id for row in self._damaged}
        with self._catalog.transaction() as db:
            dropped.update(
                row.id for row in segments.all_of(db) if not self._fits(row) and row.codec != kept
            )
            dropped.update(segments.empty(db))
            for number in dropped:
                segments.remove(db, number)
            named = {row.file for row in segments.all_of(db)}
        self._refresh()
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if path.name not in named:
                    _log.info("removing %s, which no manifest names", path)
                    # Windows keeps a file that some Winnow still maps; the next turn removes it.
                    with contextlib.suppress(PermissionError):
                        path.unlink(missing_ok=True)

    def damage(self) -> str:
        """What is wrong with the index, as a sentence; "" while nothing is."""
        self._refresh()
        if not self._damaged:
            return ""
        return (
            f"{len(self._damaged)} of {len(self._damaged) + len(self._open)} index files are "
            "damaged and left out; run `winnow index` or start Winnow to have them made again."
        )

    def scan(self, query: Floats, job: Job | None = None) -> Scores:
        """Score all passages by their sum of maxima over the query's tokens, divided by n.

        Args:
            query: (n, d) unit vectors, n at least 1.
            job: lets a search end that nobody waits for any more.

        Raises:
            Cancelled: the job was cancelled.

        Source: ALIGNER, eq. 1, with the top-1 alignment.
        """
        numbers: list[Numbers] = []
        values: list[Floats] = []
        job = job or Job()
        scorer = self.codec.scorer(query)
        for opened in self._refresh():
            numbers.append(opened.data.passages[opened.is_alive])
            values.append(_scan_segment(opened.data, scorer, job)[opened.is_alive])
        if not numbers:
            return Scores(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32))
        every = np.concatenate(numbers)
        order = np.argsort(every, kind="stable")
        return Scores(every[order], np.concatenate(values)[order])

    def vectors(self, numbers: Sequence[int]) -> dict[int, StandIns]:
        """The stored vectors of these passages; those that have none are left out."""
        found: dict[int, StandIns] = {}
        wanted = np.array(sorted(numbers), dtype=np.int64)
        for opened in self._refresh():
            places = np.flatnonzero(np.isin(opened.data.passages, wanted) & opened.is_alive)
            for place in places.tolist():
                vectors = self.codec.decode(opened.data.codes_of(place))
                members = opened.data.members_of(place)
                found[int(opened.data.passages[place])] = StandIns(vectors, members)
        return found

    def close(self) -> None:
        """Let go of the mapped files."""
        with self._guard:
            self._open = ()
            self._version = None

    def _fits(self, row: segments.SegmentRow) -> bool:
        return row.model == self._row.model and row.codec == self.codec_name

    def _refresh(self) -> tuple[OpenSegment, ...]:
        """The segments as the manifest has them now."""
        db = self._catalog.connection()
        if segments.version(db) == self._version:
            return self._open
        with self._guard:
            with self._catalog.snapshot() as db:
                version = segments.version(db)
                if version == self._version:
                    return self._open
                rows = [row for row in segments.all_of(db) if self._fits(row) and row.passages]
                gone = segments.tombstones(db)
            known = {opened.row.id: opened for opened in self._open}
            opened_now: list[OpenSegment] = []
            damaged: list[segments.SegmentRow] = []
            for row in rows:
                try:
                    opened = known.get(row.id) or self._open_segment(row)
                except LibraryDamagedError as error:
                    _log.warning("%s", error)
                    damaged.append(row)
                    continue
                is_alive = ~np.isin(opened.data.passages, gone.get(row.id, []))
                opened_now.append(replace(opened, is_alive=is_alive))
            self._open, self._damaged = tuple(opened_now), tuple(damaged)
            self._version = version
            return self._open

    def _open_segment(self, row: segments.SegmentRow) -> OpenSegment:
        data = segment_file.read(self.folder / row.file, WrittenFile(row.size_bytes, row.checksum))
        return OpenSegment(row, data, np.ones(len(data.passages), dtype=np.bool_))


def _scan_segment(data: Segment, scorer: Scorer, job: Job) -> Floats:
    """The score of each of a segment's p passages, (p,)."""
    values = np.empty(len(data.passages), dtype=np.float32)
    first = 0
    while first < len(values):
        job.checkpoint()
        start = int(data.starts[first])
        # Whole passages up to the block's size, and always one.
        last = int(np.searchsorted(data.starts, start + _BLOCK_TOKENS, side="right")) - 1
        last = max(last, first + 1)
        end = int(data.starts[last])
        products = scorer(data.codes[slice(start, end)])
        maxima = np.maximum.reduceat(products, data.starts[first:last] - start, axis=1)
        values[first:last] = maxima.mean(axis=0)
        first = last
    return values
