"""The rows of a sheet as two tables of numbers: a hundred thousand of them pass in an instant."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, overload

import numpy as np

from core.documents.document import SheetRow

if TYPE_CHECKING:
    import numpy.typing as npt

    Table = npt.NDArray[np.uint32]
    """n x 3 numbers."""


class PackedRows(Sequence[SheetRow]):
    """Rows of a sheet, each made when it is asked for.

    Args:
        rows: for each row where it starts, its number, and which cell is its first.
        cells: for each cell its column, and where its text starts and ends.
    """

    def __init__(self, rows: Table, cells: Table) -> None:
        self._rows = rows
        self._cells = cells
        self.most_columns = int(cells[:, 0].max(initial=0))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> SheetRow: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[SheetRow, ...]: ...

    def __getitem__(self, place: int | slice) -> SheetRow | tuple[SheetRow, ...]:
        if isinstance(place, slice):
            return tuple(self[row] for row in range(*place.indices(len(self))))
        place = range(len(self))[place]
        start, number, first = self._rows[place].tolist()
        last = self._rows[place + 1, 2] if place + 1 < len(self) else len(self._cells)
        cells = self._cells[first:last].tolist()
        return SheetRow(start, number, tuple((column, begin, end) for column, begin, end in cells))

    def row_at(self, offset: int) -> int:
        """Return the row that a character of the page's text stands in, or the one before it."""
        return max(0, int(np.searchsorted(self._rows[:, 0], offset, side="right")) - 1)


def pack(rows: Sequence[SheetRow]) -> list[str]:
    firsts = chain([0], np.cumsum([len(row.cells) for row in rows]).tolist())
    starts = [(row.start, row.number, first) for row, first in zip(rows, firsts, strict=False)]
    cells = [cell for row in rows for cell in row.cells]
    return [_packed(starts), _packed(cells)]


def unpack(packed: Sequence[str], length: int) -> PackedRows:
    """Return the rows that two strings hold.

    Raises:
        ValueError: They hold none that could lie in a text of that many characters.

    >>> rows = [SheetRow(0, 3, ((1, 0, 1), (4, 4, 5))), SheetRow(6, 4, ((2, 6, 7),))]
    >>> list(unpack(pack(rows), 7)) == rows
    True
    """
    rows, cells = map(_unpacked, packed)
    starts, firsts = rows[:, 0], rows[:, 2]
    is_sound = (
        (np.diff(starts.astype(np.int64)) >= 0).all()
        and (np.diff(firsts.astype(np.int64)) >= 0).all()
        and (starts <= length).all()
        and (firsts <= len(cells)).all()
        and (not len(firsts) or firsts[0] == 0)
        and (bool(len(rows)) or not len(cells))
        and (cells[:, 1] <= cells[:, 2]).all()
        and (cells[:, 2] <= length).all()
        and (cells[:, 0] >= 1).all()
    )
    if not is_sound:
        raise ValueError("rows that do not lie on their page")
    return PackedRows(rows, cells)


def _packed(table: Sequence[tuple[int, int, int]]) -> str:
    numbers = np.array(table, "<u4").reshape(-1, 3)
    return base64.b64encode(numbers.tobytes()).decode("ascii")


def _unpacked(packed: str) -> Table:
    numbers = np.frombuffer(base64.b64decode(packed, validate=True), "<u4")
    return numbers.reshape(-1, 3)


def packed(rows: Sequence[SheetRow], length: int) -> PackedRows:
    """Return rows of a text of that many characters as such, if they are no such rows yet."""
    return rows if isinstance(rows, PackedRows) else unpack(pack(rows), length)
