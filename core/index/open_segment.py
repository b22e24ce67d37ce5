"""A segment as a search has it: its file, and which of its passages still exist."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.arrays import Flags, Numbers
from core.catalog.manifest import SegmentRow
from core.index import scoring, segment
from core.index.inverted_lists import InvertedLists
from core.index.segment import WrittenFile


@dataclass(frozen=True, slots=True)
class OpenSegment:
    """A segment, and which of its passages still exist.

    `sizes` (K,) are those of its lists.
    """

    row: SegmentRow
    data: InvertedLists
    is_alive: Flags
    sizes: Numbers

    @classmethod
    def of(cls, folder: Path, row: SegmentRow) -> OpenSegment:
        """Open the segment of a row of the manifest; all of its passages are taken to exist.

        Raises:
            LibraryDamagedError: the file is missing, cut, or not what was written.
        """
        data = segment.read(folder / row.file, WrittenFile(row.size_bytes, row.checksum))
        is_alive = np.ones(len(data.passage_ids), dtype=np.bool_)
        sizes: Numbers = np.diff(data.list_offsets).astype(np.int64)
        return cls(row, data, is_alive, sizes)

    def places(self, wanted: Numbers | None) -> Numbers:
        """Where those of the wanted passages (ascending; None: all) lie that still exist."""
        if wanted is None or not len(wanted):
            return np.flatnonzero(self.is_alive) if wanted is None else wanted
        places, is_there = scoring.places_of(wanted, self.data.passage_ids)
        places = places[is_there]
        return places[self.is_alive[places]]

    def allowed(self, wanted: Numbers | None) -> Flags:
        """(p,) which passages still exist and are among the wanted (None: all)."""
        if wanted is None:
            return self.is_alive
        is_allowed = np.zeros_like(self.is_alive)
        is_allowed[self.places(wanted)] = True
        return is_allowed
