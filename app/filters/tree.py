"""The available filters as a tree of rows, and the difference between two trees."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QStandardItem

from app import texts
from app.filters.families import family_name
from app.namesakes import outer_folders
from app.translation import translated
from core.documents.formats import family_of, kind_name
from core.printable import quoted
from core.progress import Job

if TYPE_CHECKING:
    from core.responses import Facets
    from core.search.facets.filters import Choice, Ticked
    from core.search.query.language import Query


# Authors, and tags, that are listed.
_NAMES_SHOWN: Final = 20
# File types, or families of them, that are listed above "More".
_KINDS_SHOWN: Final = 6
# Libraries with more folders show those without documents, too: changing the tree takes too long.
_FOLDERS_HIDDEN: Final = 500
# Returns whether a choice with this number of documents is shown.
IsShown = Callable[["Choice", int], bool]


@dataclass(frozen=True, slots=True)
class Row:
    """A filter, or a heading (`choice` is None and `key` is its name).

    Rows are identified by their keys; the key of a folder is its path. A heading may be below
    another.
    """

    key: Hashable
    label: str
    choice: Choice | None = None
    rows: tuple[Row, ...] = ()
    tip: str = ""
    is_counted: bool = True


@dataclass(frozen=True, slots=True)
class Offer:
    """The available filters, and the number of documents by the rows' keys."""

    rows: tuple[Row, ...] = ()
    counts: Mapping[Hashable, int] = field(default_factory=dict)
    # The folders from which the rows below "folders" were made.
    folders: Collection[Path] = ()


def offer_of(facets: Facets, today: date, before: Offer, query: Query | None = None) -> Offer:
    """Return the headings with their rows, or none if there are no documents.

    Rows without documents are left out, unless `query` has their filter. The rows of the folders,
    which may be very many, are reused from `before` if the folders are the same.
    """
    from core.search.facets.filters import Ticked

    counts: dict[Hashable, int] = {}
    filtered = query if query is not None and any(True for _ in query.clauses) else None

    def is_shown(choice: Choice, count: int) -> bool:
        counts[choice] = count  # type: ignore[index] # choices are frozen
        return count > 0 or (filtered is not None and choice.state(filtered) is not Ticked.NO)

    folders = _shown_folders(facets, filtered)
    headings = (
        Row("libraries", _tr("Libraries"), rows=_libraries(facets.libraries, is_shown)),
        _folders_heading(facets, folders, before),
        Row("kinds", _tr("Type"), rows=_kinds(facets.kinds, counts, is_shown)),
        Row("days", _tr("Date"), rows=_periods(facets.days, today, is_shown)),
        Row("authors", _tr("Author"), rows=_authors(facets.authors, is_shown)),
        Row("tags", _tr("Tag"), rows=_tags(facets.tags, is_shown)),
        Row("options", _tr("Options"), rows=_options(facets, query, is_shown)),
    )
    shown = tuple(heading for heading in headings if heading.rows)
    every: dict[Hashable, int] = {**facets.folders, **counts}  # type: ignore[dict-item] # a path is
    return Offer(shown, every, folders)


def ticks(rows: tuple[Row, ...], query: Query, job: Job | None = None) -> dict[Hashable, Ticked]:
    """Return the rows that `query` selects, fully or partly, by key.

    Raises:
        Cancelled: the job was cancelled.
    """
    from core.search.facets.filters import Ticked
    from core.search.query.language import Clause, Either

    job = job or Job()
    ticked: dict[Hashable, Ticked] = {}

    def tick(row: Row) -> Ticked:
        job.checkpoint()
        inner = {tick(inner_row) for inner_row in row.rows}
        own = row.choice.state(query) if row.choice is not None else Ticked.NO
        if row.choice is not None and inner - {own}:
            own = Ticked.PARTLY
        if own is not Ticked.NO:
            ticked[row.key] = own
        return own

    clauses = [part for part in query.parts if isinstance(part, Clause)]
    either = (part for part in query.parts if isinstance(part, Either))
    clauses += [clause for part in either for way in part.clauses for clause in way]
    used = {clause.key for clause in clauses}
    for heading in rows:
        # Skip thousands of folders if the query has no clause for them.
        if not used.isdisjoint(_CLAUSES.get(heading.key, used)):
            tick(heading)
    return ticked


def document_count(offer: Offer, query: Query, job: Job | None = None) -> int | None:
    """Return the count of the row that makes the same choice as `query`; None if there is none.

    Raises:
        Cancelled: the job was cancelled.
    """
    from core.search.facets.filters import FolderChoice, Ticked

    for key, ticked in ticks(offer.rows, query, job).items():
        choice: Choice = FolderChoice(key) if isinstance(key, Path) else key  # type: ignore[assignment] # others are choices
        if ticked is Ticked.YES and not choice.toggled(query).parts:
            return offer.counts.get(key)
    return None


# Keys of the clauses that represent the filters below each heading.
_CLAUSES: Final[Mapping[Hashable, frozenset[str]]] = {
    "libraries": frozenset({"library"}),
    "folders": frozenset({"in"}),
    "kinds": frozenset({"type", "ext"}),
    "days": frozenset({"after", "before", "date"}),
    "authors": frozenset({"author"}),
    "tags": frozenset({"tag"}),
    "options": frozenset({"has", "name"}),
}


def _libraries(libraries: Mapping[str, int], is_shown: IsShown) -> tuple[Row, ...]:
    """Return the rows of libraries searched together."""
    from core.search.facets.filters import LibraryChoice

    rows = []
    for name, count in libraries.items():
        choice = LibraryChoice(name)
        label = quoted(name) if name else _tr("Your library")
        if is_shown(choice, count):
            rows.append(Row(choice, label, choice, tip=label))
    return tuple(rows)


def _shown_folders(facets: Facets, query: Query | None) -> Collection[Path]:
    """Return the folders with documents, those around them, and those that a query names."""
    from core.search.facets.filters import FolderChoice, Ticked

    known = {**dict.fromkeys(facets.roots, 0), **facets.folders}
    if len(known) > _FOLDERS_HIDDEN:
        return known.keys()

    def is_ticked(path: Path) -> bool:
        return query is not None and FolderChoice(path).state(query) is not Ticked.NO

    shown: dict[Path, None] = {}
    for path, count in known.items():
        # Not the empty folders in a ticked one.
        if count or (is_ticked(path) and not (path.parent in known and is_ticked(path.parent))):
            around = (folder for folder in path.parents if folder in known)
            shown.update(dict.fromkeys((path, *around)))
    return shown.keys()


def _folders_heading(facets: Facets, shown: Collection[Path], before: Offer) -> Row:
    # Import once, not for each of 100,000 folders: PySide hooks each import.
    from core.search.facets.filters import FolderChoice

    known = next((row for row in before.rows if row.key == "folders"), None)
    roots = outer_folders(root for root in facets.roots if root in shown)
    is_same = before.folders == shown
    if known is not None and is_same and [row.key for row in known.rows] == list(roots):
        return known
    tops: dict[Path, Row] = {}
    inner: dict[str, list[tuple[str, str, Row]]] = {}
    # Compare strings, because path operations are slow; parents sort before their children.
    for path in sorted(shown, key=str, reverse=True):
        text = str(path).rstrip(os.sep)
        rows = tuple(row for _, _, row in sorted(inner.pop(text, ())))
        if path in roots:
            label = " · ".join(filter(None, (texts.name_of(path), quoted(roots[path]))))
            tops[path] = Row(path, label, FolderChoice(path), rows)
        else:
            outer, _, name = text.rpartition(os.sep)
            row = Row(path, quoted(name), FolderChoice(path), rows)
            inner.setdefault(outer, []).append((name.casefold(), name, row))
    return Row("folders", _tr("Folders"), rows=tuple(tops[root] for root in roots))


def _kinds(
    kinds: Mapping[str, int], counts: dict[Hashable, int], is_shown: IsShown
) -> tuple[Row, ...]:
    """Return the rows of file types, or of families of them if there are many."""
    from core.search.facets.filters import KindChoice, KindsChoice

    rows: dict[str, Row] = {}
    for key, count in kinds.items():
        choice, name = KindChoice(key), translated(kind_name(key))
        if is_shown(choice, count):
            rows[key] = Row(choice, name, choice, tip=name)
    if len(kinds) <= _KINDS_SHOWN:
        return tuple(rows.values())
    families: dict[str, list[str]] = {}
    for key in kinds:
        families.setdefault(family_of(key), []).append(key)
    listed: list[Row] = []
    for family, keys in families.items():
        inner = tuple(rows[key] for key in keys if key in rows)
        if len(inner) > 1:
            every, name = KindsChoice(tuple(keys)), family_name(family)
            counts[every] = sum(kinds[key] for key in keys)
            inner = (Row(every, name, every, inner, ", ".join(row.label for row in inner)),)
        listed += inner
    head, tail = listed[:_KINDS_SHOWN], listed[_KINDS_SHOWN:]
    # One more row takes no more room than the heading.
    return (*head, Row("more kinds", _tr("More"), rows=tuple(tail))) if tail[1:] else tuple(listed)


def _authors(authors: Mapping[str, int], is_shown: IsShown) -> tuple[Row, ...]:
    from core.search.facets.filters import AuthorChoice

    return _most_frequent(authors, AuthorChoice, is_shown)


def _tags(tags: Mapping[str, int], is_shown: IsShown) -> tuple[Row, ...]:
    from core.search.facets.filters import TagChoice

    return _most_frequent(tags, TagChoice, is_shown)


def _most_frequent(
    counts: Mapping[str, int], choice_of: Callable[[str], Choice], is_shown: IsShown
) -> tuple[Row, ...]:
    """Return the rows of the names with most documents."""
    names = sorted(counts.items(), key=lambda item: -item[1])[:_NAMES_SHOWN]
    shown = ((name, choice_of(name), count) for name, count in names)
    return tuple(
        Row(choice, name, choice, tip=name)  # type: ignore[arg-type] # choices are frozen
        for name, choice, count in shown
        if is_shown(choice, count)
    )


def _options(facets: Facets, query: Query | None, is_shown: IsShown) -> tuple[Row, ...]:
    from core.search.facets.filters import AttachmentChoice, NamesChoice, Ticked

    rows = []
    names, attached = NamesChoice(), AttachmentChoice()
    # Without words there is nothing to compare with names.
    has_words = query is not None and (query.has_words or names.state(query) is not Ticked.NO)
    if has_words and facets.kinds:
        tip = _tr("Search the names of files, not their text (name:)")
        rows.append(Row(names, _tr("Names only"), names, tip=tip, is_counted=False))
    if facets.attachments is not None and is_shown(attached, facets.attachments):
        tip = _tr("Mails with an attachment (has:attachment)")
        rows.append(Row(attached, _tr("Has attachment"), attached, tip=tip))
    return tuple(rows)


def _periods(days: Mapping[date, int], today: date, is_shown: IsShown) -> tuple[Row, ...]:
    """Return the rows of periods with documents."""
    from core.search.facets.filters import PeriodChoice
    from core.search.query.dates import Period

    rows = []
    for _, label, first in recent_periods(today):
        choice = PeriodChoice(Period(first), is_recent=True)
        if is_shown(choice, sum(count for day, count in days.items() if day >= first)):
            rows.append(Row(choice, label, choice))
    return (*rows, *_years(days, is_shown))


def recent_periods(today: date) -> Iterator[tuple[int, str, date]]:
    """Yield the numbers of recent days on offer, with their names and first days."""
    for back, label in ((7, _tr("Last 7 days")), (30, _tr("Last 30 days"))):
        yield back, label, today - timedelta(back - 1)


def _years(days: Mapping[date, int], is_shown: IsShown) -> Iterator[Row]:
    from core.search.facets.filters import PeriodChoice
    from core.search.query.dates import Period

    months: Counter[tuple[int, int]] = Counter()
    years: Counter[int] = Counter()
    for day, count in days.items():
        months[day.year, day.month] += count
        years[day.year] += count
    for year in sorted(years, reverse=True):
        of_year = PeriodChoice(Period.of_year(year))
        rows = []
        for month in sorted(
            (month_of_year for of, month_of_year in months if of == year), reverse=True
        ):
            choice = PeriodChoice(Period.of_month(year, month))
            if is_shown(choice, months[year, month]):
                rows.append(Row(choice, QLocale().standaloneMonthName(month), choice))
        if is_shown(of_year, years[year]) or rows:
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
    index: int
    row: Row


@dataclass(frozen=True, slots=True)
class Insertion:
    """Insert a row with all rows below it; `items` has their items and its own, by key."""

    parent: Hashable | None
    index: int
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
    for index, row in enumerate(now):
        if index < len(there) and there[index].key == row.key:
            yield from _steps(row.key, there[index].rows, row.rows, job)
            continue
        old = next((at for at in range(index, len(there)) if there[at].key == row.key), None)
        if old is not None:
            yield Removal(parent, old, there.pop(old))
        yield Insertion(parent, index, row, _create_items(row, job))
        there.insert(index, row)


def _create_items(row: Row, job: Job) -> dict[Hashable, Item]:
    """Create the items of a row and all rows below it; the row's own comes first."""
    items: dict[Hashable, Item] = {row.key: Item(row)}
    waiting = [row]
    while waiting:
        job.checkpoint()
        item = waiting.pop()
        children = [Item(inner) for inner in item.rows]
        items[item.key].appendRows(children)
        items.update(zip((inner.key for inner in item.rows), children, strict=True))
        waiting += (inner for inner in item.rows if inner.rows)
    return items


def _tr(text: str) -> str:
    return QCoreApplication.translate("filters", text)
