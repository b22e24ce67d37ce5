"""What has to be done to the rows of the side bar to show others; found out in the background."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem

from app.filters.tree import Offer, Row
from core.progress import Job

_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class Item(QStandardItem):
    """A row as Qt's model has it, with the rows below it.

    Qt walks through thousands of these by itself when it lays out a tree. A model that is asked
    in Python for each of them takes a third of a second for 20,000.
    """

    def __init__(self, row: Row) -> None:
        super().__init__(row.label)
        self.row_shown = row
        is_choice = row.choice is not None
        self.setFlags(_FLAGS | Qt.ItemFlag.ItemIsUserCheckable if is_choice else _FLAGS)


@dataclass(frozen=True, slots=True)
class Removal:
    """The row at a place below another one (by its key; None for the first level) goes."""

    parent: Hashable | None
    place: int
    row: Row


@dataclass(frozen=True, slots=True)
class Insertion:
    """A row comes there, with all that is below it: `items` by their keys, its own among them."""

    parent: Hashable | None
    place: int
    row: Row
    items: dict[Hashable, Item]


@dataclass(frozen=True, slots=True)
class Change:
    """How the rows of one offer become those of the next, step after step.

    `counted` are the keys of rows that stay and have other counts.
    """

    offer: Offer
    steps: tuple[Removal | Insertion, ...] = ()
    counted: tuple[Hashable, ...] = field(default=())


def change(before: Offer, now: Offer, job: Job | None = None) -> Change:
    """Tell what leads from one offer to another. What is in both stays where it is, and open.

    Raises:
        Cancelled: the job was cancelled.
    """
    steps = tuple(_steps(None, before.rows, now.rows, job or Job()))
    then = before.counts
    counted = tuple(
        key
        for key, count in now.counts.items()
        if (was := then.get(key)) != count and was is not None
    )
    return Change(now, steps, counted)


def _steps(
    parent: Hashable | None, before: tuple[Row, ...], now: tuple[Row, ...], job: Job
) -> Iterator[Removal | Insertion]:
    if before is now:
        return
    job.checkpoint()
    wanted = {row.key for row in now}
    there: list[Row] = []
    for row in before:
        if row.key in wanted:
            there.append(row)
        else:
            yield Removal(parent, len(there), row)
    for place, row in enumerate(now):
        if place < len(there) and there[place].key == row.key:
            yield from _steps(row.key, there[place].rows, row.rows, job)
            continue
        old = next((at for at in range(place, len(there)) if there[at].key == row.key), None)
        if old is not None:
            yield Removal(parent, old, there.pop(old))
        yield Insertion(parent, place, row, _made(row, job))
        there.insert(place, row)


def _made(row: Row, job: Job) -> dict[Hashable, Item]:
    """The items of a row and of all below it, hung together; the row's own comes first."""
    items: dict[Hashable, Item] = {row.key: Item(row)}
    waiting = [row]
    while waiting:
        job.checkpoint()
        one = waiting.pop()
        parent = items[one.key]
        for inner in one.rows:
            items[inner.key] = Item(inner)
            parent.appendRow(items[inner.key])
        waiting += one.rows
    return items
