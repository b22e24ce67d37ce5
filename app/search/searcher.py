"""Scheduling of searches: after a pause in typing, then reranked, then with exact highlights."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import Lane, Latest
from app.search.rows import Answer, arrange, with_earlier_highlights, with_exact_highlights

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from core.progress import Job
    from core.requests import Answerer, Search
    from core.responses import SearchResults
    from core.search.words.vocabulary import Vocabulary


# Shorter than the time between two keys, so that results follow the typing.
_PAUSE_MS: Final = 60
# Documents requested unless more are wanted.
FEWEST: Final = 20
_MAX_DOCUMENTS: Final = 1000
_STEP: Final = 3
# Time without an answer by meaning after which hits by words are shown meanwhile.
_WORDS_DELAY_MS: Final = 80


class Searcher(QObject):
    """Keeps the answer up to date with the query, the model and the library; drops late answers.

    While the model is loading, answers are by words, and are replaced by meaning afterwards. If the
    background service has its model loaded, it answers both ways until then, even before the
    library is open; otherwise the catalog alone answers by words before that. In a library so large
    that a search by meaning is slow, hits by words are shown first as well. The index's hits by
    meaning are shown at once, and reranked by all tokens of the best passages shortly after,
    unless a refinement store has already ranked them.
    """

    answered = Signal(object)
    settled = Signal(object)
    """The latest Answer, reranked and final."""
    outdated = Signal()
    """The query has changed since the shown answer."""
    failed = Signal(object)
    unanswered = Signal()
    """There is no answer before the library is open."""

    def __init__(self, lane: Lane, shown: Callable[[], Answer | None], parent: QObject) -> None:
        """Start without a query; `shown` returns the answer that is currently shown."""
        super().__init__(parent)
        self._library: Answerer | None = None
        self._is_alone = True
        self._service: Path | None = None
        self._catalog: UnopenedCatalog | None = None
        self._shown = shown
        self._is_warm = False
        self.query = ""
        self._is_exact = False
        self._fewest = FEWEST
        # The number of documents requested.
        self.limit = FEWEST
        self._is_shown = False
        self._is_settled = False
        self._is_refresh_pending = False
        self._is_more_wanted = False
        # Whether the last search failed.
        self._is_failed = False
        self._latest = Latest(lane, self, self._answer, self._fail)
        self._settling = Latest(lane, self, self._settle, self._fail)
        # A failure here is reported by the search by meaning, too.
        self._searching_words = Latest(lane, self, self.answered)
        self._words_timer = QTimer(self, singleShot=True, interval=_WORDS_DELAY_MS)
        self._words_timer.timeout.connect(self._search_words)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._search)

    @property
    def is_waiting(self) -> bool:
        """Whether the shown answer is not to the query in the box."""
        return self._pause.isActive() or self._latest.is_running

    @property
    def is_settling(self) -> bool:
        """Whether the shown answer is about to be reranked."""
        return self._settling.is_running

    @property
    def has_service(self) -> bool:
        """Whether the service may answer, because the model is not loaded here."""
        return self._service is not None

    def use(self, library: Answerer, *, is_alone: bool) -> None:
        """Replace the searched library.

        Args:
            library: the local library, or several combined.
            is_alone: whether it is a single library, so that a query can name no other.
        """
        is_first = self._library is None
        self._library, self._is_alone = library, is_alone
        # An answer from before the library was open is the same.
        if not (is_first and self._is_shown):
            self.refresh()

    def use_catalog(self, home: Path) -> None:
        """Answer by words from the catalog of the library in `home` until the library is open."""
        self._catalog = UnopenedCatalog(home)

    def use_service(self, home: Path | None) -> None:
        """Let the service of the library in `home` answer until `use_meaning`; None: disable."""
        self._service = home

    def use_meaning(self) -> None:
        """Enable searches by meaning."""
        self._is_warm = True
        self._service = None
        self.refresh()

    def ask(self, query: str) -> None:
        """Search for `query` after a pause in typing; cancel the previous search."""
        query = query.strip()
        if query == self.query:
            return
        self.query = query
        self._is_exact = False
        self.limit = self._fewest
        self._is_shown = self._is_settled = self._is_more_wanted = False
        self._drop()
        self._is_refresh_pending = False
        self.outdated.emit()
        if query:
            self._pause.start()
        else:
            self._pause.stop()

    def ask_now(self) -> None:
        """Search without waiting for a pause in typing."""
        if self._pause.isActive():
            self._pause.stop()
            self._search()

    def ask_exactly(self) -> None:
        """Search for the query as typed, without correction or completion."""
        self._is_exact = True
        self._is_shown = self._is_settled = False
        self._drop()
        self._search()

    def ask_for_more(self) -> None:
        """Search for more documents once there is an answer."""
        self._is_more_wanted = self.is_waiting
        if not self.is_waiting and self.limit < _MAX_DOCUMENTS:
            self.limit = min(_STEP * self.limit, _MAX_DOCUMENTS)
            self._search()

    def reach(self, *, is_far: bool) -> None:
        """Request many documents at once if they are not shown by rank."""
        self._fewest = FEWEST * _STEP**is_far
        if self.limit < self._fewest:
            self.limit = self._fewest
            self.refresh()

    def refresh(self) -> None:
        """Search again after a change of the library; does nothing without a query."""
        if not self.query or self._pause.isActive():
            return
        if self._latest.is_running:
            self._is_refresh_pending = True
        else:
            self._search()

    def retry(self) -> None:
        """Search again if the last search failed: its cause may be gone."""
        if self._is_failed:
            self.refresh()

    def _search(self) -> None:
        if (self._library, self._service, self._catalog) != (None, None, None):
            self._is_refresh_pending = False
            # Do not undo the reranking of a final answer.
            work = self._search_work(by_meaning=self._is_warm, is_refined=self._is_settled)
            self._latest.start(work)
            # Do not replace a shown answer with one by words only.
            if self._is_warm and not self._is_shown:
                self._words_timer.start()

    def _search_words(self) -> None:
        if self._library is not None and self._latest.is_running:
            work = self._search_work(by_meaning=False, is_refined=False)
            self._searching_words.start(work)

    def _search_work(self, *, by_meaning: bool, is_refined: bool) -> Callable[[Job], Answer | None]:
        library = self._catalog if self._library is None else self._library
        return partial(
            _execute,
            library,
            self._service,
            self.query,
            self.limit,
            self._shown(),
            is_alone=self._is_alone,
            is_exact=self._is_exact,
            by_meaning=by_meaning,
            is_refined=is_refined,
        )

    def _drop(self) -> None:
        self._words_timer.stop()
        self._latest.drop()
        self._settling.drop()
        self._searching_words.drop()

    def _answer(self, answer: Answer | None) -> None:
        self._drop()
        self._is_failed = False
        if answer is None:
            # The service has no model loaded or has stopped; the library answers once it is open.
            self._run_pending_refresh()
            self.unanswered.emit()
            return
        self._is_shown = True
        if answer.documents and answer.results.can_be_refined and not self._is_settled:
            work = self._search_work(by_meaning=True, is_refined=True)
            self._settling.start(work)
        self.answered.emit(answer)
        self._run_pending_refresh()
        if self._is_more_wanted and len(answer.documents) >= self.limit:
            self.ask_for_more()

    def _settle(self, answer: Answer | None) -> None:
        if answer is None:
            return
        self._is_settled = True
        if self._latest.is_running:
            # A running search would return the order before reranking.
            self._search()
        self.settled.emit(answer)

    def _fail(self, error: Exception) -> None:
        self._drop()
        self._is_failed = True
        self.failed.emit(error)
        self._run_pending_refresh()

    def _run_pending_refresh(self) -> None:
        if self._is_refresh_pending:
            self._search()


def _execute(
    library: Answerer | UnopenedCatalog | None,
    service: Path | None,
    query: str,
    limit: int,
    shown: Answer | None,
    job: Job,
    *,
    is_alone: bool,
    is_exact: bool,
    by_meaning: bool,
    is_refined: bool,
) -> Answer | None:
    """Return the answer of the service or else the library; None if neither is available."""
    # Imported here, because the window opens before the search modules are loaded.
    from core.requests import NO_REWRITE, WHILE_TYPING, Search
    from core.responses import Mode

    rewrites = NO_REWRITE if is_exact else WHILE_TYPING
    request = Search(query, limit=limit, is_refined=is_refined, rewrites=rewrites)
    results = None
    if service is not None:
        from core.daemon_client.client import ServiceAnswerer

        results = ServiceAnswerer(service, only_if_warm=True).answer_if_running(request, job)
        is_lesser = results is None and not by_meaning
        if is_lesser and shown is not None and _is_by_meaning(shown, query):
            # The service has stopped; an answer by words does not replace its answer.
            return None
    if results is not None or library is None:
        pass
    elif isinstance(library, UnopenedCatalog):
        results = library.search(request, job)
    else:
        mode = Mode.HYBRID if by_meaning else Mode.WORDS
        results = library.answer(replace(request, mode=mode), job)
        if is_alone:
            from core.search.query.addressing import with_unknown_libraries

            results = with_unknown_libraries(results, query)
    if results is None:
        return None
    answer = arrange(results)
    # Not on the GUI thread: a thousand rows take 20 ms.
    return answer if shown is None else with_earlier_highlights(answer, shown)


class UnopenedCatalog:
    """The catalog of a library that is being opened, searched by words."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._known: Vocabulary | None = None

    def search(self, request: Search, job: Job) -> SearchResults | None:
        """Return the results by words, or None if they require the open library."""
        from core.search.pipeline import from_catalog
        from core.search.words.vocabulary import Vocabulary

        if self._known is None:
            self._known = Vocabulary()
            # The open library of a window does the same.
            self._known.compute_in_background()
        results = from_catalog(self._home, request, self._known, job)
        # Without results, wait: a folder added by this start may have some.
        return results if results is not None and (results.hits or results.named) else None


def _is_by_meaning(answer: Answer, query: str) -> bool:
    return bool(answer.results.tokens) and answer.results.original_query == query


# Passages per batch: about as many as are in view, some hundred milliseconds of work.
_BATCH_SIZE: Final = 6

# Passages highlighted before they come into view; a long answer has thousands.
_PREFETCHED: Final = 80
_LOOK_PAUSE_MS: Final = 100


class Aligner(QObject):
    """Encodes the passages of the shown answer again for exact highlights.

    The index stores fewer vectors than tokens, so that its highlights are approximate.
    """

    aligned = Signal(object)
    """The Answer with exact highlights in more passages."""
    failed = Signal(object)

    def __init__(self, lane: Lane, in_view: Callable[[], Collection[int]], parent: QObject) -> None:
        """Use `in_view`, which returns the numbers of the visible passages."""
        super().__init__(parent)
        self._library: Answerer | None = None
        self._in_view = in_view
        self._answer: Answer | None = None
        self._tried: set[int] = set()
        self._latest = Latest(lane, self, self._take, self.failed)
        self._pause = QTimer(self, singleShot=True, interval=_LOOK_PAUSE_MS)
        self._pause.timeout.connect(self._go_on)

    def use(self, library: Answerer) -> None:
        self._library = library

    def align(self, answer: Answer) -> None:
        """Highlight the passages of `answer`, which has replaced the earlier one."""
        self.drop()
        # Without tokens of the query, there is nothing to align.
        if answer.results.tokens:
            self._answer = answer
            self._go_on()

    def look(self) -> None:
        """Highlight the passages in view, after a pause in scrolling."""
        self._pause.start()

    def drop(self) -> None:
        """Cancel; highlights stay as they are."""
        self._pause.stop()
        self._latest.drop()
        self._answer = None
        self._tried.clear()

    def _go_on(self) -> None:
        if self._answer is None or self._library is None or self._latest.is_running:
            return
        in_view = self._in_view()
        # Passages that no longer exist stay as they are, and are not tried again.
        rows = [
            row
            for rank, row in enumerate(self._answer.rows)
            if not row.is_exact
            and row.passage_id not in self._tried
            and (rank < _PREFETCHED or row.passage_id in in_view)
        ]
        rows.sort(key=lambda row: (row.passage_id not in in_view, not row.is_best))
        passage_ids = tuple(row.passage_id for row in rows[:_BATCH_SIZE])
        if passage_ids:
            self._tried.update(passage_ids)
            self._latest.start(partial(_aligned, self._library, self._answer, passage_ids))

    def _take(self, answer: Answer) -> None:
        self._answer = answer
        self._go_on()
        self.aligned.emit(answer)


def _aligned(library: Answerer, answer: Answer, passage_ids: tuple[int, ...], job: Job) -> Answer:
    from core.requests import Align

    exact = library.answer(Align(answer.results.query, passage_ids), job)
    # Different tokens come from a new model, which will answer again.
    return (
        with_exact_highlights(answer, exact.of) if exact.tokens == answer.results.tokens else answer
    )
