"""Synchronises the side bar with the query and with the answer's counts."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import Lane, Latest
from app.filters.tree import Offer, Row, TreeChange, change, document_count, offer_of, ticks
from app.search.searcher import FEWEST

if TYPE_CHECKING:
    from collections.abc import Hashable
    from pathlib import Path

    from app.filters.pane import FilterPane
    from app.search.pills import SeparatedQuery
    from app.search.rows import Answer
    from core.progress import Job
    from core.requests import Answerer
    from core.responses import Facets
    from core.search.facets.filters import Choice, Ticked

_PAUSE_MS: Final = 200


class Filtering(QObject):
    """Parses and rewrites the query in the background, because paths are checked on disk.

    Ticks are updated with each key press. Documents are counted once there is an answer, and only
    while the side bar is visible.
    """

    written = Signal(object)
    """The query (a str) after a click in the side bar."""
    separated = Signal(object)
    """The SeparatedQuery of what is typed."""

    def __init__(self, lane: Lane, pane: FilterPane, parent: QObject) -> None:
        super().__init__(parent)
        self._pane = pane
        self._library: Answerer | None = None
        self._is_warm = False
        self._is_shown = False
        self._typed = ""
        self._answer: Answer | None = None
        self._offer = Offer()
        # Errors are reported by the search, which fails with the same error.
        self._counting = Latest(lane, self, self._show_change)
        self._ticking = Latest(lane, self, lambda seen: pane.show_ticks(*seen))
        self._separating = Latest(lane, self, self.separated)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.count)
        self._writing = Latest(lane, self, self.written)
        pane.wanted.connect(self._toggle)
        pane.clear_wanted.connect(self._clear)

    @property
    def is_counting(self) -> bool:
        """Whether the shown counts are outdated."""
        return self._pause.isActive() or self._counting.is_running

    def use(self, library: Answerer) -> None:
        self._library = library
        self.count()

    def use_meaning(self) -> None:
        """Include hits by meaning in the counts."""
        self._is_warm = True

    def show(self, *, is_shown: bool) -> None:
        """Show or hide the side bar."""
        self._is_shown = is_shown
        self._pane.setVisible(is_shown)
        self.count()
        self._tick()

    def follow(self, typed: str) -> None:
        """Update the side bar for the text in the search box."""
        self._typed = typed
        if self._answer is not None and self._answer.results.original_query != typed.strip():
            self._answer = None
        self._pause.stop()
        # The pending choice was made for another text.
        self._writing.drop()
        self._tick()
        if not typed.strip():
            self.count()

    def take(self, answer: Answer) -> None:
        """Count the documents of an answer, and those excluded only by a filter.

        Waits for a pause while the person types.
        """
        self._answer = answer
        self._pause.start()

    def count(self) -> None:
        """Update the counts after a change of the query or the library."""
        self._pause.stop()
        if self._library is None or not self._is_shown:
            return
        if self._answer is not None:
            count = partial(_counted_of, self._library, self._offer, self._answer)
        else:
            count = partial(
                _counted, self._library, self._offer, self._typed, by_meaning=self._is_warm
            )
        self._counting.start(count)

    def _show_change(self, change: TreeChange) -> None:
        self._offer = change.offer
        self._pane.show_change(change)
        self._tick()

    def _tick(self) -> None:
        if ":" in self._typed:
            self._separating.start(partial(_separated, self._offer, self._typed))
        if self._offer.rows and self._is_shown:
            self._ticking.start(partial(_ticked, self._offer.rows, self._typed))

    def _toggle(self, choice: Choice) -> None:
        self._writing.start(partial(_toggled, choice, self._typed))

    def choose_only(self, folder: Path) -> None:
        """Filter by a folder, and no other one."""
        self._writing.start(partial(_only_in, folder, self._typed))

    def _clear(self) -> None:
        self._writing.start(partial(_cleared, self._typed))


# These functions import modules that load numpy, so they run only in the background.


def _counted(
    library: Answerer, before: Offer, typed: str, job: Job, *, by_meaning: bool
) -> TreeChange:
    from core.requests import CountFacets
    from core.responses import Mode

    mode = Mode.HYBRID if by_meaning else Mode.WORDS
    return _changed(before, library.answer(CountFacets(typed, mode), job), typed, job)


def _counted_of(library: Answerer, before: Offer, answer: Answer, job: Job) -> TreeChange:
    """Count the documents of an answer without searching again.

    Of those without a word of the query, the close matches count, or the first ones if there are
    none, so that counts stay the same while further results are loaded.
    """
    from core.requests import CountFacets

    results = answer.results
    counted = results.hits[: results.likely or FEWEST]
    document_ids = tuple(hit.document_id for hit in counted)
    request = CountFacets(results.query, results.mode, FEWEST, document_ids)
    return _changed(before, library.answer(request, job), results.original_query, job)


def _changed(before: Offer, facets: Facets, typed: str, job: Job) -> TreeChange:
    from core.search.query.language import parse

    today = date.today()  # noqa: DTZ011 - as the person's calendar has it
    return change(before, offer_of(facets, today, before, parse(typed)), job)


def _ticked(rows: tuple[Row, ...], typed: str, job: Job) -> tuple[dict[Hashable, Ticked], bool]:
    from core.search.facets.filters import unfiltered
    from core.search.query.language import parse

    query = parse(typed)
    return ticks(rows, query, job), unfiltered(query) != query


def _separated(offer: Offer, typed: str, job: Job) -> SeparatedQuery:
    """Return a query's filters, with the counts of the rows in the side bar that are the same."""
    from app.search.pills import Pill, SeparatedQuery
    from core.search.facets.filters import spaced_filters
    from core.search.query.language import parse

    pills = [Pill(text, document_count(offer, parse(text), job)) for text in spaced_filters(typed)]
    return SeparatedQuery(typed, tuple(pills))


def _toggled(choice: Choice, typed: str, _job: Job) -> str:
    from core.search.facets.filters import rewritten
    from core.search.query.language import parse

    return rewritten(typed, choice.toggled(parse(typed)))


def _only_in(folder: Path, typed: str, _job: Job) -> str:
    from core.search.facets.filters import FolderChoice, rewritten
    from core.search.query.language import parse

    return rewritten(typed, FolderChoice(folder).alone(parse(typed)))


def _cleared(typed: str, _job: Job) -> str:
    from core.search.facets.filters import rewritten, unfiltered
    from core.search.query.language import parse

    return rewritten(typed, unfiltered(parse(typed)))
