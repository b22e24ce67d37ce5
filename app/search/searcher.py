"""When the library is asked what: after a pause in typing, and exact lights behind the answer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import Lane, Latest
from app.search.rows import Answer, arrange, lit_as_before, lit_exactly

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from core.progress import Job
    from core.requests import Answerer, Search
    from core.responses import SearchResults
    from core.search.words.vocabulary import Vocabulary


_PAUSE_MS: Final = 60
"""Less than between two keys: what is typed is searched for as it stands, key by key."""
FEWEST: Final = 20
"""Documents that are asked for, unless more are wanted."""
_MOST: Final = 1000
_STEP: Final = 3
_PATIENCE_MS: Final = 80
"""After so long without an answer by meaning, what the words alone find is shown meanwhile."""


class Searcher(QObject):
    """Keeps the answer in step with the box, the model and the library; late answers are dropped.

    Until the model is loaded the answer is by words; it is made anew by meaning when it is. Where
    the service in the background has its model loaded it answers until then, by both, also before
    the library is open; without it words alone answer before that, from the catalog. In a library
    so large that meaning takes its time the words' answer comes first as well. What the index has
    found by meaning is shown at once, and put in order once more by all tokens of its best
    passages, which takes a moment.
    """

    answered = Signal(object)
    settled = Signal(object)
    """The Answer that was given last, in the order in which it stays."""
    outdated = Signal()
    """Something else is asked than what the answer that is shown answers."""
    failed = Signal(object)
    unanswered = Signal()
    """Nothing is said to what is asked before the library is open."""

    def __init__(self, lane: Lane, shown: Callable[[], Answer | None], parent: QObject) -> None:
        """Begin with nothing asked; `shown` gives the answer that is shown at each moment."""
        super().__init__(parent)
        self._library: Answerer | None = None
        self._is_alone = True
        self._service: Path | None = None
        self._catalog: UnopenedCatalog | None = None
        self._shown = shown
        self._is_warm = False
        self._query = ""
        self._is_exact = False
        self._fewest = FEWEST
        self._limit = FEWEST
        self._is_shown = False
        self._is_settled = False
        self._is_asked_again = False
        self._is_more_wanted = False
        self._latest = Latest(lane, self, self._answer, self._fail)
        self._settling = Latest(lane, self, self._settle, self._fail)
        # Its failures say nothing that the search by meaning would not say too.
        self._meanwhile = Latest(lane, self, self.answered)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._search_words)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._search)

    @property
    def query(self) -> str:
        """What is asked."""
        return self._query

    @property
    def is_waiting(self) -> bool:
        """The answer that is shown is not the one to the query in the box."""
        return self._pause.isActive() or self._latest.is_running

    @property
    def is_settling(self) -> bool:
        """Whether the answer that is shown is about to be put in order once more."""
        return self._settling.is_running

    @property
    def limit(self) -> int:
        """How many documents are asked for at the moment."""
        return self._limit

    @property
    def has_service(self) -> bool:
        """Whether the service may answer, for the model is not loaded here."""
        return self._service is not None

    def use(self, library: Answerer, *, is_alone: bool) -> None:
        """Search a library from now on.

        Args:
            library: one's own library, or several as one.
            is_alone: whether it is one library, so that a query can name no other.
        """
        is_first = self._library is None
        self._library, self._is_alone = library, is_alone
        # What was answered before it was open is what it would answer.
        if not (is_first and self._is_shown):
            self.refresh()

    def use_catalog(self, home: Path) -> None:
        """Have words answer from the catalog of the library in `home` until that is open."""
        self._catalog = UnopenedCatalog(home)

    def use_service(self, home: Path | None) -> None:
        """Have the service of the library in `home` answer until `use_meaning`; None: no longer."""
        self._service = home

    def use_meaning(self) -> None:
        """Search by meaning also, from now on."""
        self._is_warm = True
        self._service = None
        self.refresh()

    def ask(self, query: str) -> None:
        """Search for `query` once no key comes for a moment; what was asked before is dropped."""
        query = query.strip()
        if query == self._query:
            return
        self._query = query
        self._is_exact = False
        self._limit = self._fewest
        self._is_shown = self._is_settled = self._is_more_wanted = False
        self._drop()
        self._is_asked_again = False
        self.outdated.emit()
        if query:
            self._pause.start()
        else:
            self._pause.stop()

    def ask_now(self) -> None:
        """Don't wait for a pause in typing."""
        if self._pause.isActive():
            self._pause.stop()
            self._search()

    def ask_exactly(self) -> None:
        """Search for what is asked to the letter, not for what may have been meant by it."""
        self._is_exact = True
        self._is_shown = self._is_settled = False
        self._drop()
        self._search()

    def ask_for_more(self) -> None:
        """Search for documents behind those that were found, once there is an answer."""
        self._is_more_wanted = self.is_waiting
        if not self.is_waiting and self._limit < _MOST:
            self._limit = min(_STEP * self._limit, _MOST)
            self._search()

    def reach(self, *, is_far: bool) -> None:
        """Find many documents at once where they are not shown as they rank."""
        self._fewest = FEWEST * _STEP**is_far
        if self._limit < self._fewest:
            self._limit = self._fewest
            self.refresh()

    def refresh(self) -> None:
        """Search again, because the library has changed; does nothing where nothing is asked."""
        if not self._query or self._pause.isActive():
            return
        if self._latest.is_running:
            self._is_asked_again = True
        else:
            self._search()

    def _search(self) -> None:
        if (self._library, self._service, self._catalog) != (None, None, None):
            self._is_asked_again = False
            # One that has settled is not put into the index's order again.
            work = self._search_as_it_stands(by_meaning=self._is_warm, is_refined=self._is_settled)
            self._latest.start(work)
            # An answer that is shown already is not replaced by a lesser one.
            if self._is_warm and not self._is_shown:
                self._patience.start()

    def _search_words(self) -> None:
        if self._library is not None and self._latest.is_running:
            work = self._search_as_it_stands(by_meaning=False, is_refined=False)
            self._meanwhile.start(work)

    def _search_as_it_stands(
        self, *, by_meaning: bool, is_refined: bool
    ) -> Callable[[Job], Answer | None]:
        library = self._catalog if self._library is None else self._library
        return partial(
            _found,
            library,
            self._service,
            self._query,
            self._limit,
            self._shown(),
            is_alone=self._is_alone,
            is_exact=self._is_exact,
            by_meaning=by_meaning,
            is_refined=is_refined,
        )

    def _drop(self) -> None:
        self._patience.stop()
        self._latest.drop()
        self._settling.drop()
        self._meanwhile.drop()

    def _answer(self, answer: Answer | None) -> None:
        self._drop()
        if answer is None:
            # The service is not warm, or has gone; the library answers once it is open.
            self._search_again()
            self.unanswered.emit()
            return
        self._is_shown = True
        # Without tokens of the query no model took part.
        if answer.found and answer.results.tokens and not self._is_settled:
            work = self._search_as_it_stands(by_meaning=True, is_refined=True)
            self._settling.start(work)
        self.answered.emit(answer)
        self._search_again()
        if self._is_more_wanted and len(answer.found) >= self._limit:
            self.ask_for_more()

    def _settle(self, answer: Answer | None) -> None:
        if answer is None:
            return
        self._is_settled = True
        if self._latest.is_running:
            # What is searched for meanwhile would come in the index's order.
            self._search()
        self.settled.emit(answer)

    def _fail(self, error: Exception) -> None:
        self._drop()
        self.failed.emit(error)
        self._search_again()

    def _search_again(self) -> None:
        if self._is_asked_again:
            self._search()


def _found(
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
    """Return the response of the service, or else of the library; None if that is not open yet."""
    # Here and not above: the window is there before what searches.
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
            # It has gone in between; words alone do not take the place of what it has answered.
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
    # Here and not on the window's thread: of a thousand rows it takes 20 ms.
    return answer if shown is None else lit_as_before(answer, shown)


class UnopenedCatalog:
    """The catalog of a library that is about to be opened, searched by words."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._known: Vocabulary | None = None

    def search(self, request: Search, job: Job) -> SearchResults | None:
        """Return the library's response by words; None if the library has to be opened for it."""
        from core.search.pipeline import from_catalog
        from core.search.words.vocabulary import Vocabulary

        if self._known is None:
            self._known = Vocabulary()
            # As the library has it in a window.
            self._known.spelling.words.compute_in_background()
        results = from_catalog(self._home, request, self._known, job)
        # Where nothing is found there may be more in a folder that this start is to add.
        return results if results is not None and (results.hits or results.named) else None


def _is_by_meaning(answer: Answer, query: str) -> bool:
    return bool(answer.results.tokens) and answer.results.asked == query


_AT_ONCE: Final = 6
"""Passages that are lit together: about as many as are in view, some hundred milliseconds' work."""

_AHEAD: Final = 80
"""So many passages are lit before they are seen; a thousand documents have thousands."""
_LOOK_PAUSE_MS: Final = 100


class Aligner(QObject):
    """Has the passages of the shown answer encoded anew, and their words lit exactly.

    What the index keeps of a passage, by which it was found, lights one word for several.
    """

    aligned = Signal(object)
    """The Answer, some more of its passages lit exactly."""
    failed = Signal(object)

    def __init__(self, lane: Lane, in_view: Callable[[], Collection[int]], parent: QObject) -> None:
        """Begin with the passages whose numbers `in_view` gives at each moment."""
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
        """Light the passages of `answer`, which is shown now, and of no other any more."""
        self.drop()
        # Without tokens of the query no model took part, and there is nothing to align with.
        if answer.results.tokens:
            self._answer = answer
            self._go_on()

    def look(self) -> None:
        """Light what has come into view, once it stays there."""
        self._pause.start()

    def drop(self) -> None:
        """Leave all lights as they are."""
        self._pause.stop()
        self._latest.drop()
        self._answer = None
        self._tried.clear()

    def _go_on(self) -> None:
        if self._answer is None or self._library is None or self._latest.is_running:
            return
        in_view = self._in_view()
        # Those that are gone stay as they are, and are not tried again.
        rows = [
            row
            for place, row in enumerate(self._answer.rows)
            if not row.is_exact
            and row.passage_id not in self._tried
            and (place < _AHEAD or row.passage_id in in_view)
        ]
        rows.sort(key=lambda row: (row.passage_id not in in_view, not row.is_best))
        numbers = tuple(row.passage_id for row in rows[:_AT_ONCE])
        if numbers:
            self._tried.update(numbers)
            self._latest.start(partial(_aligned, self._library, self._answer, numbers))

    def _take(self, answer: Answer) -> None:
        self._answer = answer
        self._go_on()
        self.aligned.emit(answer)


def _aligned(library: Answerer, answer: Answer, numbers: tuple[int, ...], job: Job) -> Answer:
    from core.requests import Align

    exact = library.answer(Align(answer.results.query, numbers), job)
    # Other tokens are another model's, which has just taken over and will answer anew.
    return lit_exactly(answer, exact.of) if exact.tokens == answer.results.tokens else answer
