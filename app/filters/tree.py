"""What the side bar offers, as a tree of rows; made in the background."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLocale

from app import texts
from app.filters.kinds import kind_name

if TYPE_CHECKING:
    from core.search.choices import Choice, Ticked
    from core.search.facets import Facets
    from core.search.query import Query

_AUTHORS_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Row:
    """A filter that may be ticked, or the heading of some (`choice` None, `key` its name).

    `count` is the number of documents there would be; rows are the same where their keys are.
    """

    key: Hashable
    label: str
    count: int
    choice: Choice | None = None
    rows: tuple[Row, ...] = ()
    tip: str = ""


def rows_of(facets: Facets, today: date) -> tuple[Row, ...]:
    """Give the headings with what is below them; without documents there are none."""
    from core.search.choices import AuthorChoice, KindChoice

    kinds = tuple(
        Row(choice, kind_name(key), count, choice)
        for key, count in facets.kinds.items()
        for choice in [KindChoice(key)]
    )
    names = sorted(facets.authors.items(), key=lambda one: -one[1])
    authors = tuple(
        Row(choice, name, count, choice, tip=name)
        for name, count in names[:_AUTHORS_SHOWN]
        if count
        for choice in [AuthorChoice(name)]
    )
    headings = (
        ("folders", _tr("Folders"), _folders(facets)),
        ("kinds", _tr("Type"), kinds),
        ("days", _tr("Changed"), _periods(facets.days, today)),
        ("authors", _tr("Author"), authors),
    )
    return tuple(Row(key, label, 0, None, rows) for key, label, rows in headings if rows)


def ticks(rows: tuple[Row, ...], query: Query) -> dict[Hashable, Ticked]:
    """Tell of each row whether `query` asks for it."""
    from core.search.choices import Ticked

    found: dict[Hashable, Ticked] = {}

    def tick(row: Row) -> Ticked:
        inner = {tick(one) for one in row.rows}
        own = row.choice.state(query) if row.choice is not None else Ticked.NO
        if inner - {own} and (own is Ticked.YES or row.choice is not None):
            own = Ticked.PARTLY
        found[row.key] = own
        return own

    for row in rows:
        tick(row)
    return found


def _folders(facets: Facets) -> tuple[Row, ...]:
    inner: dict[Path, list[Path]] = {}
    for path in facets.folders:
        if path not in facets.roots:
            inner.setdefault(path.parent, []).append(path)
    return tuple(_folder(root, facets.folders, inner) for root in facets.roots)


def _folder(path: Path, counts: Mapping[Path, int], inner: Mapping[Path, list[Path]]) -> Row:
    from core.search.choices import FolderChoice

    choice = FolderChoice(path)
    folders = sorted(inner.get(path, []), key=lambda one: one.name.casefold())
    rows = tuple(_folder(one, counts, inner) for one in folders)
    return Row(choice, path.name or str(path), counts[path], choice, rows, texts.shown_path(path))


def _periods(days: Mapping[date, int], today: date) -> tuple[Row, ...]:
    from core.search.choices import Period, PeriodChoice

    recent = []
    for back, label in ((7, _tr("Past 7 days")), (30, _tr("Past 30 days"))):
        first = today - timedelta(back - 1)
        recent_choice = PeriodChoice(Period(first), is_recent=True)
        count = sum(number for day, number in days.items() if day >= first)
        recent.append(Row(recent_choice, label, count, recent_choice))
    return (*recent, *_years(days)) if days else ()


def _years(days: Mapping[date, int]) -> Iterator[Row]:
    from core.search.choices import Period, PeriodChoice

    months: Counter[tuple[int, int]] = Counter()
    for day, number in days.items():
        months[day.year, day.month] += number
    for year in sorted({year for year, _ in months}, reverse=True):
        rows = []
        for month in sorted((one for of, one in months if of == year), reverse=True):
            choice = PeriodChoice(Period.of_month(year, month))
            label = QLocale().standaloneMonthName(month)
            rows.append(Row(choice, label, months[year, month], choice))
        of_year = PeriodChoice(Period.of_year(year))
        yield Row(of_year, str(year), sum(row.count for row in rows), of_year, tuple(rows))


def _tr(text: str) -> str:
    return QCoreApplication.translate("filters", text)
