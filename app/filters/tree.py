"""The available filters as a tree of rows, and the difference between two trees."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QStandardItem

from app import texts
from app.translation import translated
from core.documents.formats import kind_name
from core.printable import quoted
from core.progress import Job

if TYPE_CHECKING:
    from core.responses import Facets
    from core.search.facets.filters import Choice, Ticked
    from core.search.query.language import Query


_AUTHORS_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Row:
    """A filter, or a heading (`choice` is None and `key` is its name).

    Rows are identified by their keys; the key of a folder is its path.
    """

    key: Hashable
    label: str
    choice: Choice | None = None
    rows: tuple[Row, ...] = ()
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """The available filters, and the number of documents by the rows' keys."""

    rows: tuple[Row, ...] = ()
    counts: Mapping[Hashable, int] = field(default_factory=dict)
    # All folders of the library, from which the rows below "folders" were made.
    folders: Collection[Path] = ()


def offer_of(facets: Facets, today: date, before: Offer) -> Offer:
    """Return the headings with their rows, or none if there are no documents.

    The rows of the folders, which may be very many, are reused from `before` if the folders are
    the same.
    """
    from core.search.facets.filters import AuthorChoice, KindChoice

    counts: dict[Hashable, int] = {}
    kinds = tuple(
        Row(choice, translated(kind_name(key)), choice)
        for key in facets.kinds
        for choice in [KindChoice(key)]
    )
    counts.update(zip((row.key for row in kinds), facets.kinds.values(), strict=True))
    names = sorted(facets.authors.items(), key=lambda item: -item[1])
    authors = []
    for name, count in names[:_AUTHORS_SHOWN]:
        choice = AuthorChoice(name)
        if count:
            authors.append(Row(choice, name, choice, tip=name))
            counts[choice] = count
    headings = (
        Row("libraries", _tr("Libraries"), rows=_libraries(facets.libraries, counts)),
        _folders_heading(facets, before),
        Row("kinds", _tr("Type"), rows=kinds),
        Row("days", _tr("Date"), rows=_periods(facets.days, today, counts)),
        Row("authors", _tr("Author"), rows=tuple(authors)),
    )
    shown = tuple(heading for heading in headings if heading.rows)
    every: dict[Hashable, int] = {**facets.folders, **counts}  # type: ignore[dict-item] # a path is
    return Offer(shown, every, facets.folders.keys())


def ticks(rows: tuple[Row, ...], query: Query, job: Job | None = None) -> dict[Hashable, Ticked]:
    """Return the rows that `query` selects, fully or partly, by key.

    Raises:
        Cancelled: the job was cancelled.
    """
    from core.search.facets.filters import Ticked
    from core.search.query.language import Clause, Either

    job = job or Job()
    found: dict[Hashable, Ticked] = {}

    def tick(row: Row) -> Ticked:
        job.checkpoint()
        inner = {tick(inner_row) for inner_row in row.rows}
        own = row.choice.state(query) if row.choice is not None else Ticked.NO
        if row.choice is not None and inner - {own}:
            own = Ticked.PARTLY
        if own is not Ticked.NO:
            found[row.key] = own
        return own

    clauses = [part for part in query.parts if isinstance(part, Clause)]
    either = (part for part in query.parts if isinstance(part, Either))
    clauses += [clause for part in either for way in part.clauses for clause in way]
    used = {clause.key for clause in clauses}
    for heading in rows:
        # Skip thousands of folders if the query has no clause for them.
        if not used.isdisjoint(_CLAUSES.get(heading.key, used)):
            tick(heading)
    return found


# Keys of the clauses that represent the filters below each heading.
_CLAUSES: Final[Mapping[Hashable, frozenset[str]]] = {
    "libraries": frozenset({"library"}),
    "folders": frozenset({"in"}),
    "kinds": frozenset({"type", "ext"}),
    "days": frozenset({"after", "before", "date"}),
    "authors": frozenset({"author"}),
}


def _libraries(libraries: Mapping[str, int], counts: dict[Hashable, int]) -> tuple[Row, ...]:
    """Return the rows of libraries searched together, and add their counts to `counts`."""
    from core.search.facets.filters import LibraryChoice

    rows = []
    for name, count in libraries.items():
        choice = LibraryChoice(name)
        label = quoted(name) if name else _tr("Your library")
        rows.append(Row(choice, label, choice, tip=label))
        counts[choice] = count
    return tuple(rows)


def _folders_heading(facets: Facets, before: Offer) -> Row:
    # Import once, not for each of 100,000 folders: PySide hooks each import.
    from core.search.facets.filters import FolderChoice

    known = next((row for row in before.rows if row.key == "folders"), None)
    is_same = before.folders == facets.folders.keys()
    if known is not None and is_same and [row.key for row in known.rows] == list(facets.roots):
        return known
    tops: dict[Path, Row] = {}
    inner: dict[str, list[tuple[str, str, Row]]] = {}
    roots = frozenset(facets.roots)
    # Compare strings, because path operations are slow; parents sort before their children.
    for path in sorted({**facets.folders, **dict.fromkeys(roots)}, key=str, reverse=True):
        text = str(path).rstrip(os.sep)
        rows = tuple(row for _, _, row in sorted(inner.pop(text, ())))
        if path in roots:
            tops[path] = Row(path, texts.name_of(path), FolderChoice(path), rows)
        else:
            outer, _, name = text.rpartition(os.sep)
            row = Row(path, quoted(name), FolderChoice(path), rows)
            inner.setdefault(outer, []).append((name.casefold(), name, row))
    return Row("folders", _tr("Folders"), rows=tuple(tops[root] for root in facets.roots))


def _periods(days: Mapping[date, int], today: date, counts: dict[Hashable, int]) -> tuple[Row, ...]:
    """Return the rows of periods, if there are dates, and add their counts to `counts`."""
    from core.search.facets.filters import PeriodChoice
    from core.search.query.dates import Period

    if not days:
        return ()
    recent = []
    for back, label in ((7, _tr("Last 7 days")), (30, _tr("Last 30 days"))):
        first = today - timedelta(back - 1)
        choice = PeriodChoice(Period(first), is_recent=True)
        counts[choice] = sum(number for day, number in days.items() if day >= first)
        recent.append(Row(choice, label, choice))
    return (*recent, *_years(days, counts))


def _years(days: Mapping[date, int], counts: dict[Hashable, int]) -> Iterator[Row]:
    from core.search.facets.filters import PeriodChoice
    from core.search.query.dates import Period

    months: Counter[tuple[int, int]] = Counter()
    for day, number in days.items():
        months[day.year, day.month] += number
    for year in sorted({year for year, _ in months}, reverse=True):
        of_year = PeriodChoice(Period.of_year(year))
        counts[of_year] = 0
        rows = []
        for month in sorted((one for of, one in months if of == year), reverse=True):
            choice = PeriodChoice(Period.of_month(year, month))
            counts[choice] = months[year, month]
            counts[of_year] += months[year, month]
            rows.append(Row(choice, QLocale().standaloneMonthName(month), choice))
        yield Row(of_year, str(year), of_year, tuple(rows))


_FLAGS: Final = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_FLAGS_OF_CHOICE: Final = _FLAGS | Qt.ItemFlag.ItemIsUserCheckable


class Item(QStandardItem):
    """A row in Qt's model, with the rows below it.

    Qt traverses thousands of items when it lays out a tree. A model implemented in Python takes a
    third of a second for 20,000.
    """

    def __init__(self, row: Row) -> None:
        super().__init__(row.label)
        self.row_shown = row
        self.setFlags(_FLAGS if row.choice is None else _FLAGS_OF_CHOICE)


@dataclass(frozen=True, slots=True)
class Removal:
    """Remove the row at a place below another row (by its key, or None for the first level)."""

    parent: Hashable | None
    place: int
    row: Row


@dataclass(frozen=True, slots=True)
class Insertion:
    """Insert a row with all rows below it; `items` has their items and its own, by key."""

    parent: Hashable | None
    place: int
    row: Row
    items: dict[Hashable, Item]


@dataclass(frozen=True, slots=True)
class TreeChange:
    """The steps from one offer to the next.

    `counted` has the keys of remaining rows with new counts.
    """

    offer: Offer
    steps: tuple[Removal | Insertion, ...] = ()
    counted: tuple[Hashable, ...] = field(default=())


def change(before: Offer, now: Offer, job: Job | None = None) -> TreeChange:
    """Return the steps from one offer to another. Common rows stay in place, and open.

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
    return TreeChange(now, steps, counted)


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
        yield Insertion(parent, place, row, _create_items(row, job))
        there.insert(place, row)


def _create_items(row: Row, job: Job) -> dict[Hashable, Item]:
    """Create the items of a row and all rows below it; the row's own comes first."""
    items: dict[Hashable, Item] = {row.key: Item(row)}
    waiting = [row]
    while waiting:
        job.checkpoint()
        one = waiting.pop()
        children = [Item(inner) for inner in one.rows]
        items[one.key].appendRows(children)
        items.update(zip((inner.key for inner in one.rows), children, strict=True))
        waiting += (inner for inner in one.rows if inner.rows)
    return items


def _tr(text: str) -> str:
    return QCoreApplication.translate("filters", text)
