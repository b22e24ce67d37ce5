"""The published segments of one index, opened as the manifest names them now."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.catalog import manifest
from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow
from core.errors import LibraryDamagedError
from core.index.codec import Codec
from core.index.inverted_lists import Passages
from core.index.segment import OpenSegment

_log = logging.getLogger(__name__)


class SegmentStore:
    """The segments that fit one model and one codec; for any number of threads at once.

    Who reads works on the segments that were published when it began.
    """

    def __init__(self, folder: Path, catalog: Catalog, codec: Codec, row: GenerationRow) -> None:
        """Open the segments in `folder` of the index `row`, lazily."""
        self.folder = folder
        self.catalog = catalog
        self.codec = codec
        self.row = row
        self._open: tuple[OpenSegment, ...] = ()
        self._damaged: tuple[manifest.SegmentRow, ...] = ()
        self._version: tuple[int, int, int] | None = None
        self._guard = threading.Lock()

    @property
    def codec_name(self) -> str:
        """What the manifest calls the codec of a segment."""
        return self.row.codec

    def segments(self) -> tuple[OpenSegment, ...]:
        """Return the segments as the manifest has them now."""
        db = self.catalog.connection()
        if manifest.version(db) == self._version:
            return self._open
        with self._guard:
            while True:
                with self.catalog.snapshot() as db:
                    version = manifest.version(db)
                    if version == self._version:
                        return self._open
                    rows = [row for row in manifest.segments(db) if self.fits(row) and row.passages]
                    gone = manifest.tombstones(db)
                self._reopen(rows, gone)
                # A file that is missing may have been merged in the meantime.
                if not self._damaged or manifest.version(db) == version:
                    self._version = version
                    return self._open

    def damaged(self) -> tuple[manifest.SegmentRow, ...]:
        """Return the segments that cannot be read, after looking at them once more.

        They may have been out of reach for a moment.
        """
        if self._damaged:
            self._version = None
        self.segments()
        return self._damaged

    def fits(self, row: manifest.SegmentRow) -> bool:
        """Return whether a segment is of this model and this codec."""
        return row.model == self.row.spec.model and row.codec == self.codec_name

    def compressed(self, numbers: Sequence[int]) -> list[Passages]:
        """Of these passages what is stored, segment by segment."""
        wanted = np.sort(np.array(numbers, dtype=np.int64))
        every = ((opened.data, opened.places(wanted)) for opened in self.segments())
        return [data.taken(places) for data, places in every if len(places)]

    def sample(self, most: int) -> list[Passages]:
        """Return the same of at most so many passages, taken evenly."""
        segments = self.segments()
        step = max(-(-sum(int(opened.is_alive.sum()) for opened in segments) // most), 1)
        return [opened.data.taken(np.flatnonzero(opened.is_alive)[::step]) for opened in segments]

    def warm_up(self) -> None:
        """Open and check what is published, so that no search waits for it."""
        for opened in self.segments():
            # What is found of a segment when it is first searched; to name it is to find it.
            _ = opened.data.slots, opened.data.list_ids

    def damage(self) -> str:
        """Return what is wrong with the index, as a sentence; "" while nothing is."""
        self.segments()
        if not self._damaged:
            return ""
        return (
            f"{len(self._damaged)} of {len(self._damaged) + len(self._open)} index files are "
            "damaged and left out; run `winnow index` or start Winnow to have them made again."
        )

    def rest(self) -> None:
        """Give back the memory that the files take (see `InvertedLists.rest`)."""
        for opened in self._open:
            opened.data.rest()

    def close(self) -> None:
        """Let go of the mapped files."""
        with self._guard:
            self._open = ()
            self._version = None

    def _reopen(
        self, rows: Sequence[manifest.SegmentRow], gone: Mapping[int, Sequence[int]]
    ) -> None:
        """Open the segments of these rows, but for those whose passages are gone."""
        known = {opened.row.id: opened for opened in self._open}
        opened_now: list[OpenSegment] = []
        damaged: list[manifest.SegmentRow] = []
        for row in rows:
            try:
                opened = known.get(row.id) or OpenSegment.of(self.folder, row)
            except LibraryDamagedError as error:
                _log.warning("%s", error)
                damaged.append(row)
                continue
            is_alive = ~np.isin(opened.data.passage_ids, gone.get(row.id, []))
            opened_now.append(replace(opened, is_alive=is_alive))
        self._open, self._damaged = tuple(opened_now), tuple(damaged)
