"""Keeps the published segments of an index open, as listed in the manifest."""

import logging
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import Numbers
from core.catalog import manifest
from core.catalog.catalog import Catalog
from core.catalog.integrity.foreign import is_plain_name
from core.catalog.manifest import GenerationRow
from core.errors import LibraryDamagedError, Message
from core.files import foreign_files
from core.index.codec import Codec
from core.index.inverted_lists import Passages
from core.index.segment import OpenSegment
from core.printable import label

_log = logging.getLogger(__name__)

# Index files of a foreign library, and their size in bytes: some fifty million passages.
MOST_FOREIGN_FILES: Final = 1024
MOST_FOREIGN_BYTES: Final = 1 << 37


@dataclass(frozen=True, slots=True)
class Published:
    """A snapshot of the segments in the manifest.

    Attributes:
        version: of the manifest.
        rows: the segments, oldest first, without empty ones.
        deleted: the deleted passages of each segment, by segment id.
    """

    version: tuple[int, int, int]
    rows: tuple[manifest.SegmentRow, ...]
    deleted: Mapping[int, Sequence[int]]


class SegmentStore:
    """The segments of one model and one codec; thread-safe.

    A reader uses the segments that were published when it started.
    """

    def __init__(self, folder: Path, catalog: Catalog, codec: Codec, row: GenerationRow) -> None:
        """Open the segments in `folder` of the index `row`, lazily."""
        self.folder = folder
        self.catalog = catalog
        self.codec = codec
        self.row = row
        self._open: tuple[OpenSegment, ...] = ()
        self._damaged: tuple[manifest.SegmentRow, ...] = ()
        self._distrusted: set[int] = set()
        self._sizes: tuple[tuple[OpenSegment, ...], Numbers] | None = None
        self._version: tuple[int, int, int] | None = None
        self._published: Published | None = None
        self._guard = threading.Lock()

    @property
    def codec_name(self) -> str:
        """The codec's name in the manifest."""
        return self.row.codec

    def segments(self) -> tuple[OpenSegment, ...]:
        """Return the current segments of the manifest."""
        with self.catalog.reading() as db:
            return self._current(db)

    def _current(self, db: sqlite3.Connection) -> tuple[OpenSegment, ...]:
        if manifest.version(db) == self._version:
            return self._open
        with self._guard:
            while True:
                published = self._read_manifest()
                if published.version == self._version:
                    return self._open
                self._reopen(published.rows, published.deleted)
                # A file that is missing may have been merged in the meantime.
                if not self._damaged or manifest.version(db) == published.version:
                    self._version = published.version
                    return self._open

    def _read_manifest(self) -> Published:
        """Return the manifest's current segments; opens no file."""
        known = self._published
        with self.catalog.reading() as db:
            if known is not None and manifest.version(db) == known.version:
                return known
        named = self.row.spec.model, self.codec_name
        with self.catalog.snapshot() as db:
            every = manifest.segments(db)
            rows = (row for row in every if row.passages and (row.model, row.codec) == named)
            published = Published(manifest.version(db), tuple(rows), manifest.tombstones(db))
        self._published = published
        return published

    def damaged(self) -> tuple[manifest.SegmentRow, ...]:
        """Try unreadable segments again, and return those that still fail.

        They may have been unavailable for a moment.
        """
        if self._damaged:
            self._version = None
        self.segments()
        return self._damaged

    def fits(self, row: manifest.SegmentRow) -> bool:
        """Return whether a segment has this model and codec."""
        return row.model == self.row.spec.model and row.codec == self.codec_name

    def list_sizes(self, segments: tuple[OpenSegment, ...]) -> Numbers:
        """Return (K,) the sizes of the lists over segments returned by `segments`."""
        known = self._sizes
        if known is None or known[0] is not segments:
            sizes = np.zeros(self.codec.lists, dtype=np.int64)
            for opened in segments:
                sizes += opened.sizes
            known = self._sizes = segments, sizes
        return known[1]

    def verified(self, opened: OpenSegment) -> bool:
        """Return whether a segment is intact; exclude a damaged one.

        Call this before copying it into another: large segments are not checked when opened.
        """
        if opened.is_checked:
            return True
        try:
            checked = OpenSegment.of(self.folder, opened.row, self.codec, checks_all=True)
        except LibraryDamagedError:
            with self._guard:
                self._distrusted.add(opened.row.id)
                self._open = tuple(each for each in self._open if each.row.id != opened.row.id)
                self._version = None
            return False
        checked = replace(checked, is_alive=opened.is_alive, dead=opened.dead)
        with self._guard:
            self._open = tuple(checked if each is opened else each for each in self._open)
        return True

    def compressed(self, passage_ids: Sequence[int]) -> list[Passages]:
        """Return the stored vectors of passages, segment by segment."""
        wanted = np.sort(np.array(passage_ids, dtype=np.int64))
        every = ((opened, opened.rows(wanted)) for opened in self.segments())
        return [
            opened.data.select(rows)
            for opened, rows in every
            if len(rows) and self.verified(opened)
        ]

    def sample(self, most: int) -> list[Passages]:
        """Return the stored vectors of at most `most` passages, evenly sampled."""
        segments = self.segments()
        step = max(-(-sum(opened.alive for opened in segments) // most), 1)
        return [opened.data.select(np.flatnonzero(opened.is_alive)[::step]) for opened in segments]

    def warm_up(self) -> None:
        """Open and check the published segments, so that no search waits for that."""
        for opened in self.segments():
            # Cached properties that are computed on first use.
            _ = opened.data.slots, opened.data.list_ids

    def damage(self) -> str:
        """Return a sentence about damage to the index; "" if there is none."""
        self.segments()
        if not self._damaged:
            return ""
        damaged = len(self._damaged)
        files = damaged + len(self._open)
        if not self.catalog.is_foreign:
            return Message(
                "{0} of {1} index files are damaged and were skipped. Start Winnow or run "
                "`winnow index` to rebuild them.",
                damaged,
                files,
            )
        if self._exceeds_limits(self._damaged):
            return Message(
                "The index was skipped, because it has {0} files or is too large; Winnow opens at "
                "most {1} files of a library of others.",
                files,
                MOST_FOREIGN_FILES,
            )
        return Message(
            "{0} of {1} index files are damaged and were skipped. Only the owner of the library "
            "can rebuild them.",
            damaged,
            files,
        )

    def _exceeds_limits(self, rows: Sequence[manifest.SegmentRow]) -> bool:
        """Return whether a catalog names more index files than a foreign library may have."""
        size_bytes = sum(max(row.size_bytes, 0) for row in rows)
        return len(rows) > MOST_FOREIGN_FILES or size_bytes > MOST_FOREIGN_BYTES

    def rest(self) -> None:
        """Release the memory of mapped files (see `InvertedLists.rest`)."""
        for opened in self._open:
            opened.data.rest()

    def _check_file(self, row: manifest.SegmentRow) -> None:
        """Check that a foreign catalog names regular files in its folder, not pipes or devices.

        Raises:
            LibraryDamagedError: it does not.
        """
        try:
            if is_plain_name(row.file) and isinstance(row.size_bytes, int):
                foreign_files.check(self.folder / row.file, row.size_bytes)
                return
            reason = "its name is not that of an index file"
        except OSError as error:
            reason = error.strerror or type(error).__name__
        raise LibraryDamagedError(
            "The index file {0} was skipped: {1}.", label(str(row.file)), reason
        )

    def close(self) -> None:
        """Release the mapped files."""
        with self._guard:
            self._open = ()
            self._version = None

    def _reopen(
        self, rows: Sequence[manifest.SegmentRow], deleted: Mapping[int, Sequence[int]]
    ) -> None:
        """Open the segments of these rows, without deleted passages.

        Raises:
            LibraryError: too many files are open.
        """
        if self.catalog.is_foreign and self._exceeds_limits(rows):
            self._open, self._damaged = (), tuple(rows)
            return
        known = {opened.row.id: opened for opened in self._open}
        opened_now: list[OpenSegment] = []
        damaged: list[manifest.SegmentRow] = []
        for row in rows:
            try:
                if row.id not in known and self.catalog.is_foreign:
                    self._check_file(row)
                opened = known.get(row.id) or OpenSegment.of(
                    self.folder, row, self.codec, checks_all=row.id in self._distrusted
                )
            except LibraryDamagedError as error:
                _log.warning("%s", error)
                damaged.append(row)
                continue
            opened_now.append(opened.without(deleted.get(row.id, ())))
        self._open, self._damaged = tuple(opened_now), tuple(damaged)
