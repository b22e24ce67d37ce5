"""Several libraries searched at once: one's own, and those beside it that lie elsewhere."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Final, TypeVar

from core.errors import (
    Cancelled,
    DocumentError,
    LibraryError,
    Message,
    UsageError,
    WinnowError,
)
from core.federation.member import Call, Member, asked
from core.federation.merging import (
    MemberResults,
    member_and_number,
    merge,
    numbered,
    translated,
    translation,
)
from core.federation.source import (
    DocumentViews,
    SearchSource,
    SourceState,
    SourceUnavailableError,
)
from core.progress import Job
from core.requests import NO_REWRITE, QueryRewrite
from core.responses import (
    ExactAlignments,
    Facets,
    Mode,
    Passage,
    QueryToken,
    Reading,
    SearchResults,
    searched_on,
)
from core.search.query.addressing import (
    NOTHING,
    addresses,
    asked_of,
    named,
    unaddressed,
    unknown,
)
from core.search.query.language import elsewhere, parse

if TYPE_CHECKING:
    from core.catalog.documents import ReadDocument
    from core.documents.document import Box, Page, PageImage, PageSize
    from core.responses import Inner, ScoreScale
    from core.token_comparison import Explanation

_log = logging.getLogger(__name__)
_Told = TypeVar("_Told")

DEADLINE_S: Final = 3.0
"""For so long at most a list waits for the libraries beside one's own."""
_ALONE_S: Final = 20.0
"""For so long what was asked of one library alone, as a page or an explanation is."""
_REFRESH_S: Final = 600.0
_TOKENS_KEPT: Final = 16


class Federation:
    """One's own library and others beside it, searched as one; any thread may call it.

    Passages and documents of the others have numbers above 2**40, by which everything that is
    asked of them finds its way; numbers are never given to another library again. A library that
    fails, or does not answer by the deadline, costs nothing but its own results, and the notice
    says so. One that has not answered is not waited for again until it has.
    """

    def __init__(self, own: SearchSource, *, deadline_s: float = DEADLINE_S) -> None:
        """Begin with one's own library alone, whose results bear its name: "" as a rule."""
        self._own = Member(0, own)
        self._deadline_s = deadline_s
        self._others: tuple[Member, ...] = ()
        self._off: frozenset[str] = frozenset()
        # Apart: what was fetched answers although a share hangs that is asked for news.
        self._news: dict[Member, Member] = {}
        self._last_number = 0
        self._guard = threading.Lock()
        self._tokens: OrderedDict[str, tuple[QueryToken, ...]] = OrderedDict()

    # Which there are

    def add(self, source: SearchSource, *, is_on: bool = True) -> None:
        """Search this library, too, from now on; it is closed with the others.

        Args:
            source: the library.
            is_on: whether it is asked anything before it is switched on.

        Raises:
            UsageError: there is one of that name.
        """
        with self._guard:
            if any(member.name == source.name for member in (self._own, *self._others)):
                raise UsageError(
                    "There is a library {0} already; choose another name.", source.name
                )
            self._last_number += 1
            member = Member(self._last_number, source)
            self._news[member] = Member(self._last_number, source)
            self._others = (*self._others, member)
            if not is_on:
                self._off |= {source.name}

    def switch(self, name: str, *, is_on: bool) -> None:
        """Ask a library nothing from now on, or search it again."""
        with self._guard:
            self._off = self._off - {name} if is_on else self._off | {name}

    def remove(self, name: str) -> None:
        """Search a library no longer, and close it; nothing happens where there is none such."""
        with self._guard:
            gone = [member for member in self._others if member.name == name]
            self._others = tuple(member for member in self._others if member not in gone)
            self._off -= {name}
        for member in gone:
            del self._news[member]
            member.source.close()

    def states(self) -> tuple[SourceState, ...]:
        """Return how the libraries beside one's own are, in the order they were added."""
        return tuple(self._state(member) for member in self._others)

    def _state(self, member: Member) -> SourceState:
        state, news = member.source.state(), self._news.get(member)
        if member.name in self._off:
            return replace(state, is_on=False)
        if news is None or not news.is_late:
            return state
        return replace(state, is_offline=True, problem=news.silence().message)

    def refresh(self, job: Job | None = None) -> bool:
        """Take up what is new in the libraries beside one's own that are on; whether anything is.

        Raises:
            Cancelled: the job was cancelled.
        """
        with self._guard:
            members = [self._news[member] for member in self._on()]
        calls = asked(members, _refresh, _REFRESH_S, job or Job())
        has_changed = False
        for member, call in zip(members, calls, strict=True):
            try:
                has_changed |= _result(call)
            except WinnowError as error:
                _log.info("%s is not refreshed: %s", member.name, error)
        return has_changed

    def close(self) -> None:
        """Close the libraries beside one's own."""
        with self._guard:
            others, self._others = self._others, ()
            self._news.clear()
        for member in others:
            member.source.close()

    # Searching

    def search(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        job: Job | None = None,
        is_refined: bool = True,
        rewrites: frozenset[QueryRewrite] = NO_REWRITE,
    ) -> SearchResults:
        """Return the best documents of all libraries in one list; raise what one's own raises.

        What is offered, or searched for instead, is spelt as one's own library has it.
        """
        found = self._search(query, mode, limit, job, is_refined=is_refined, rewrites=rewrites)
        theirs = (hit for hit in found.hits if hit.library != self._own.name)
        is_known = any(hit.is_found_by(Mode.WORDS) for hit in theirs)
        if QueryRewrite.SPELLING not in rewrites or Mode(mode) is Mode.MEANING or is_known:
            return found
        return searched_on(
            found,
            lambda better: self._search(
                better, mode, limit, job, is_refined=is_refined, rewrites=NO_REWRITE
            ),
        )

    def _search(
        self,
        query: str,
        mode: Mode | str,
        limit: int,
        job: Job | None,
        *,
        is_refined: bool,
        rewrites: frozenset[QueryRewrite],
    ) -> SearchResults:
        began_s = time.monotonic()
        job = job or Job()
        asked_for = elsewhere(query)
        texts = {member.name: asked_of(asked_for, member.name) for member in self._on()}
        others = [member for member in self._on() if texts.get(member.name) is not None]
        if self._own.name and addresses(parse(query)):
            texts[self._own.name] = asked_of(query, self._own.name) or NOTHING
        remarks = self._remarks(query)

        def find(source: SearchSource, job: Job) -> tuple[SearchResults, ScoreScale | None]:
            # One's own, without a name, makes of `library:` what it is by itself, and tells the
            # query as typed.
            found = source.search(
                texts.get(source.name) or query,
                mode=mode,
                limit=limit,
                job=job,
                is_refined=is_refined,
                rewrites=rewrites & {QueryRewrite.PREFIX},
            )
            return found, source.scale()

        if not others and not self._own.name:
            alone = self._own.source.search(
                query, mode=mode, limit=limit, job=job, is_refined=is_refined, rewrites=rewrites
            )
            notice = Message.joined(filter(None, [*remarks, alone.notice]))
            return replace(alone, notice=notice)
        of_own: list[tuple[SearchResults, ScoreScale | None]] = []
        calls = asked(
            others, find, self._deadline_s, job, lambda: of_own.append(find(self._own.source, job))
        )
        ((own, scale),) = of_own
        if self._own.name in texts:
            own = replace(own, query=query)
        found = [MemberResults(0, self._own.name, scale, own, self._own.source.is_here)]
        notices = [*remarks, own.notice]
        for member, call in zip(others, calls, strict=True):
            try:
                results, scale = _result(call)
            except (WinnowError, Cancelled) as error:
                notices.append(_notice(member, error))
                continue
            is_here = member.source.is_here
            found.append(MemberResults(member.number, member.name, scale, results, is_here))
            if results.notice and results.notice != own.notice:
                notices.append(Message("In {0}: {1}", member.name, results.notice))
        tokens = next((one.results.tokens for one in found if one.results.tokens), ())
        self._remember(own.query, tokens)
        hits, notice = merge(found, limit, tokens)
        return replace(
            own,
            tokens=tokens,
            hits=hits,
            took_ms=(time.monotonic() - began_s) * 1000,
            notice=Message.joined(filter(None, [*notices, notice])),
        )

    def facets(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        found: Collection[int] | None = None,
        job: Job | None = None,
    ) -> Facets:
        """Return the counts of all libraries; folders are one's own, for filters to name.

        Each library counts what it would find if it were the one that is asked.
        """
        others = self._on()
        of_member: dict[int, set[int]] = {}
        for document in found or ():
            number, own_number = member_and_number(document)
            of_member.setdefault(number, set()).add(own_number)
        numbers = {member.name: member.number for member in (self._own, *others)}
        asked_for = elsewhere(query)

        def count(source: SearchSource, job: Job) -> Facets:
            of = query if source is self._own.source else asked_for
            text = asked_of(of, source.name)
            if text is None:
                return source.facets(unaddressed(of), mode=mode, limit=limit, job=job)
            its = None if found is None else of_member.get(numbers[source.name], set())
            return source.facets(text, mode=mode, limit=limit, found=its, job=job)

        job = job or Job()
        if not others:
            its_own = asked_of(query, self._own.name)
            return self._own.source.facets(
                query if its_own is None else its_own, mode=mode, limit=limit, found=found, job=job
            )
        counted: dict[str, Facets] = {}
        own = self._own.source
        calls = asked(
            others,
            count,
            self._deadline_s,
            job,
            lambda: counted.setdefault(own.name, count(own, job)),
        )
        for member, call in zip(others, calls, strict=True):
            try:
                counted[member.name] = _result(call)
            except (WinnowError, Cancelled) as error:
                # The search says it.
                _log.info("%s is not counted: %s", member.name, error)
        libraries = {member.name: 0 for member in (self._own, *others)}
        libraries.update((name, one.found) for name, one in counted.items())
        meant = [
            one.without_any if asked_of(query, name) is None else one
            for name, one in counted.items()
        ]
        return replace(_sum(meant), libraries=libraries)

    def explain(self, query: str, passage_id: int) -> Explanation:
        """Compare a query and one passage token by token, in the passage's library."""
        member, number = self.member_of(passage_id)
        explained = self.ask(member, lambda source, _job: source.explain(query, number))
        return replace(explained, passage=_passage_of(explained.passage, member))

    def align(
        self, query: str, passage_ids: Sequence[int], job: Job | None = None
    ) -> ExactAlignments:
        """Return exact alignments, named by the tokens that the list of the query has.

        Passages of libraries that do not answer are left out, as those that are gone are.
        """
        tokens = self._tokens.get(query, ())
        found = {}
        for member, numbers in self._by_member(passage_ids).items():
            try:
                exact = self.ask(member, _aligning(query, numbers), job)
            except WinnowError as error:
                if member is self._own:
                    raise
                _log.info("%s lights nothing exactly: %s", member.name, error)
                continue
            tokens = tokens or exact.tokens
            places = translation(exact.tokens, tokens)
            for number, alignments in exact.of.items():
                found[numbered(number, member.number)] = translated(alignments, places)
        return ExactAlignments(tokens, found)

    def salient_words(self, passage_id: int, count: int = 12) -> tuple[str, ...]:
        """Return the words that say most of what a passage is about."""
        member, number = self.member_of(passage_id)
        return self.ask(member, lambda source, _job: source.salient_words(number, count))

    # Documents

    def passage(self, passage_id: int, before: int = 0, behind: int = 0) -> Reading:
        """Return a passage with so many of its neighbours in the document."""
        member, number = self.member_of(passage_id)
        reading = self.ask(member, lambda source, _job: source.passage(number, before, behind))
        return Reading(
            _document_of(reading.document, member),
            _passage_of(reading.passage, member),
            tuple(_passage_of(one, member) for one in reading.before),
            tuple(_passage_of(one, member) for one in reading.behind),
        )

    def document(self, document_id: int) -> ReadDocument:
        """Return a document that was read."""
        member, number = self.member_of(document_id)
        found = self.ask(member, lambda source, _job: source.document(number))
        return _document_of(found, member)

    def lines(self, passage_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return the file's lines that passages are, where that is known and can be told now."""
        found: dict[int, tuple[int, int]] = {}
        for member, numbers in self._by_member(passage_ids).items():
            try:
                told = self.ask(member, _lines_of(numbers))
            except WinnowError as error:
                if member is self._own:
                    raise
                _log.info("%s tells no lines: %s", member.name, error)
                continue
            found.update((numbered(one, member.number), lines) for one, lines in told.items())
        return found

    def page_text(self, document_id: int, page: int) -> str:
        """Return the text of one page of a document."""
        member, number = self.member_of(document_id)
        return self.ask(member, lambda source, _job: source.page_text(number, page))

    def page_texts(self, document_id: int) -> tuple[Page, ...]:
        """Return the pages of a document as they were read; empty when the document is gone."""
        member, number = self.member_of(document_id)
        return self.ask(member, lambda source, _job: source.page_texts(number))

    def page_image(
        self,
        document_id: int,
        page: int,
        width: int,
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> PageImage:
        """Draw a page of a document, where its library can."""
        member, number = self.member_of(document_id)
        return self.ask(
            member, lambda source, job: source.page_image(number, page, width, spans, job), job
        )

    @property
    def views(self) -> DocumentViews:
        """What documents look like, each in its library."""
        return _Views(self)

    # The parts

    def _on(self) -> list[Member]:
        """Return the libraries beside one's own that are searched."""
        return [member for member in self._others if member.name not in self._off]

    def _remarks(self, query: str) -> list[Message]:
        """Return sentences on libraries that a query names and that are not searched for it."""
        known = [member.name for member in (self._own, *self._others)]
        off = [name for name in named(query, known) if name in self._off]
        return [
            *unknown(query, known),
            *(Message("The library {0} is switched off, and is not searched.", one) for one in off),
        ]

    def member_of(self, number: int) -> tuple[Member, int]:
        """Return whose a passage or document is, and its number there.

        Raises:
            LibraryError: its library was removed.
        """
        wanted, own_number = member_and_number(number)
        for member in (self._own, *self._others):
            if member.number == wanted:
                return member, own_number
        raise LibraryError("The library of this result was removed; search again.")

    def _by_member(self, passage_ids: Sequence[int]) -> dict[Member, list[int]]:
        of_member: dict[Member, list[int]] = {}
        for passage_id in passage_ids:
            member, number = self.member_of(passage_id)
            of_member.setdefault(member, []).append(number)
        return of_member

    def ask(
        self, member: Member, work: Callable[[SearchSource, Job], _Told], job: Job | None = None
    ) -> _Told:
        """Ask one library: one's own on this thread, for as long as it takes."""
        job = job or Job()
        if member is self._own:
            return work(member.source, job)
        (call,) = asked([member], work, _ALONE_S, job)
        return _result(call)

    def _remember(self, query: str, tokens: tuple[QueryToken, ...]) -> None:
        with self._guard:
            self._tokens[query] = tokens
            self._tokens.move_to_end(query)
            while len(self._tokens) > _TOKENS_KEPT:
                self._tokens.popitem(last=False)


class _Views:
    """What documents look like, each asked of its library."""

    def __init__(self, federation: Federation) -> None:
        self._federation = federation

    def image(
        self,
        document_id: int,
        page: int,
        width: int,
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> PageImage:
        member, number = self._federation.member_of(document_id)
        return self._ask(
            member, lambda source, job: source.views.image(number, page, width, spans, job), job
        )

    def boxes(
        self,
        document_id: int,
        page: int,
        size: tuple[int, int],
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> tuple[tuple[Box, ...], ...]:
        member, number = self._federation.member_of(document_id)
        return self._ask(
            member, lambda source, job: source.views.boxes(number, page, size, spans, job), job
        )

    def sizes(self, document_id: int, job: Job | None = None) -> tuple[PageSize, ...]:
        member, number = self._federation.member_of(document_id)
        return self._ask(member, lambda source, job: source.views.sizes(number, job), job)

    def pages(self, document_id: int, job: Job | None = None) -> tuple[Page, ...]:
        member, number = self._federation.member_of(document_id)
        return self._ask(member, lambda source, job: source.views.pages(number, job), job)

    def inside(self, document_id: int) -> tuple[Inner, ...]:
        member, number = self._federation.member_of(document_id)
        inner = self._ask(member, lambda source, _job: source.views.inside(number))
        return tuple(
            replace(one, document_id=numbered(one.document_id, member.number)) for one in inner
        )

    def _ask(
        self, member: Member, work: Callable[[SearchSource, Job], _Told], job: Job | None = None
    ) -> _Told:
        try:
            return self._federation.ask(member, work, job)
        except SourceUnavailableError as error:
            # Whoever shows documents then shows the text that was read, as of a file that is gone.
            raise DocumentError("is in a library that does not answer") from error


def _passage_of(passage: Passage, member: Member) -> Passage:
    """Return a passage with its numbers as they are among several libraries."""
    return replace(
        passage,
        id=numbered(passage.id, member.number),
        document_id=numbered(passage.document_id, member.number),
    )


def _document_of(document: ReadDocument, member: Member) -> ReadDocument:
    return replace(document, id=numbered(document.id, member.number))


def _refresh(source: SearchSource, job: Job) -> bool:
    return source.refresh(job)


def _lines_of(
    numbers: Sequence[int],
) -> Callable[[SearchSource, Job], dict[int, tuple[int, int]]]:
    return lambda source, _job: source.lines(numbers)


def _aligning(query: str, numbers: Sequence[int]) -> Callable[[SearchSource, Job], ExactAlignments]:
    return lambda source, job: source.align(query, numbers, job)


def _result(call: Call[_Told] | Exception) -> _Told:
    if isinstance(call, Exception):
        raise call
    return call.result()


def _notice(member: Member, error: Exception) -> str:
    """Return what is said of a library that did not answer."""
    if isinstance(error, WinnowError):
        return error.message
    return member.silence().message


def _sum(counted: Sequence[Facets]) -> Facets:
    """Return the counts of several libraries together; folders are the first one's."""
    own = counted[0]
    kinds, days, authors = Counter[str](), Counter[date](), Counter[str]()
    for one in counted:
        for total, part in ((kinds, one.kinds), (authors, one.authors)):
            total.update(dict(part))
        days.update(dict(one.days))
    return replace(
        own,
        found=sum(one.found for one in counted),
        kinds=dict(kinds),
        days=dict(sorted(days.items(), reverse=True)),
        authors=dict(sorted(authors.items(), key=lambda one: (-one[1], one[0].casefold()))),
    )
