"""Several libraries searched as one: the person's own, and others added to it."""

import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, TypeVar, cast

from core import errors
from core.federation.merging import (
    MemberResults,
    member_and_own_id,
    merge,
    numbered,
    own_ids,
    renumber,
    translated,
    translation,
)
from core.federation.source import Call, FederationMember, Source, SourceUnavailableError, call_all
from core.progress import Job
from core.requests import (
    NO_REWRITE,
    Align,
    CountFacets,
    DrawPage,
    GetScoreScale,
    ListInner,
    ListLibraries,
    LocateLines,
    LocateSpans,
    MeasurePages,
    QueryRewrite,
    ReadMarkup,
    Request,
    Response,
    Search,
)
from core.responses import (
    ExactAlignments,
    Facets,
    Mode,
    QueryToken,
    ScoreScale,
    SearchResults,
    SourceState,
    with_correction,
)
from core.search.query import addressing
from core.search.query.language import elsewhere, parse

_log = logging.getLogger(__name__)
_Value = TypeVar("_Value")

# Seconds that a search waits for the other libraries.
DEADLINE_S: Final = 3.0
# Seconds that other requests, for a page or an explanation, wait for their library.
_ALONE_S: Final = 20.0
_REFRESH_S: Final = 600.0
# Queries whose tokens are cached, to describe exact alignments.
_CACHED_TOKENS: Final = 16
# Requests that a reader can do without: it then shows the stored text.
_VIEWS: Final = (DrawPage, LocateSpans, MeasurePages, ReadMarkup, ListInner)


class Federation:
    """The person's own library and others, which answer requests as one; thread-safe.

    Ids of the others' passages and documents are above 2**40 and never reused for another library.
    If a library fails or misses the deadline, only its own results are missing, and the notice says
    so. No request is sent to it until its late call has returned.
    """

    def __init__(self, own: Source, *, deadline_s: float = DEADLINE_S) -> None:
        """Start with the person's own library, whose name is usually ""."""
        self._own = FederationMember(0, own)
        self._deadline_s = deadline_s
        self._added: tuple[FederationMember, ...] = ()
        self._off: frozenset[str] = frozenset()
        # Separate members, so that a hanging refresh does not count as a late search.
        self._news: dict[FederationMember, FederationMember] = {}
        self._last_member_id = 0
        self._guard = threading.Lock()
        self._tokens: OrderedDict[str, tuple[QueryToken, ...]] = OrderedDict()

    # Members

    def add(self, source: Source, *, is_on: bool = True) -> None:
        """Search a library too; it is closed with the others.

        Args:
            source: the library.
            is_on: whether it is searched before it is switched on.

        Raises:
            UsageError: the name is already in use.
        """
        with self._guard:
            if any(member.name == source.name for member in (self._own, *self._added)):
                raise errors.UsageError(
                    "A library named {0} already exists. Choose another name.", source.name
                )
            self._added = (*self._added, self._new_member(source))
            if not is_on:
                self._off |= {source.name}

    def replace(self, source: Source) -> bool:
        """Search `source` instead of the library with its name, which is closed.

        The new one has the same place, and is off if the former was.

        Returns:
            Whether there is a library with that name; otherwise nothing changes.
        """
        with self._guard:
            former = next((member for member in self._added if member.name == source.name), None)
            if former is None:
                return False
            new = self._new_member(source)
            self._added = tuple(new if member is former else member for member in self._added)
        del self._news[former]
        former.source.close()
        return True

    def _new_member(self, source: Source) -> FederationMember:
        """Return a new member; call with the guard held."""
        self._last_member_id += 1
        member = FederationMember(self._last_member_id, source)
        self._news[member] = FederationMember(self._last_member_id, source)
        return member

    def switch(self, name: str, *, is_on: bool) -> None:
        """Switch a library on or off."""
        with self._guard:
            self._off = self._off - {name} if is_on else self._off | {name}

    def remove(self, name: str) -> None:
        """Close and remove the library with this name, if any."""
        with self._guard:
            removed = [member for member in self._added if member.name == name]
            self._added = tuple(member for member in self._added if member not in removed)
            self._off -= {name}
        for member in removed:
            del self._news[member]
            member.source.close()

    def states(self) -> tuple[SourceState, ...]:
        """Return the states of the other libraries, in the order they were added."""
        return tuple(self._state(member) for member in self._added)

    def _state(self, member: FederationMember) -> SourceState:
        state, news = member.source.state(), self._news.get(member)
        if member.name in self._off:
            return replace(state, is_on=False)
        if news is None or not news.is_late:
            return state
        return replace(state, is_offline=True, problem=news.silence().message)

    def refresh(self, job: Job | None = None) -> bool:
        """Refresh the other libraries that are on; return whether anything has changed.

        Raises:
            Cancelled: the job was cancelled.
        """
        with self._guard:
            members = [self._news[member] for member in self._on()]
        calls = call_all(members, lambda source, job: source.refresh(job), _REFRESH_S, job or Job())
        has_changed = False
        for member, call in zip(members, calls, strict=True):
            try:
                has_changed |= _result(call)
            except errors.WinnowError as error:
                _log.info("Not refreshing %s: %s", member.name, error)
        return has_changed

    def close(self) -> None:
        """Close the other libraries."""
        with self._guard:
            others, self._added = self._added, ()
            self._news.clear()
        for member in others:
            member.source.close()

    # Requests

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        """Return the response of all libraries to a search, else of the one whose ids it has.

        A request without ids is answered by the own library.

        Raises:
            LibraryError: the library of an id was removed.
            SourceUnavailableError: the library does not answer.
            WinnowError: raised by the own library.
            Cancelled: the job was cancelled.
        """
        job = job or Job()
        response: Any
        match request:
            case Search() if request.scope.is_everything:
                response = self._search(request, job)
            case CountFacets() if request.scope.is_everything:
                response = self._facets(request, job)
            case Align():
                response = self._align(request, job)
            case LocateLines():
                response = self._lines(request, job)
            case ListLibraries():
                response = self.states()
            case _:
                response = self._answer_from_own_or_member(request, job)
        return cast("Response", response)

    def _answer_from_own_or_member(self, request: Request[Response], job: Job) -> Response:
        """Return the response of the library whose ids a request has, else of the own library."""
        ids = own_ids(request)
        member = self._member_of(ids[0]) if ids else self._own
        own_request = renumber(request, lambda given_id: member_and_own_id(given_id)[1])
        try:
            response = self._ask(member, own_request, job)
        except SourceUnavailableError as error:
            if isinstance(request, _VIEWS):
                # The reader then shows the stored text, as for a missing file.
                raise errors.DocumentError("The library does not respond") from error
            raise
        if member is self._own:
            return response
        return renumber(response, lambda given_id: numbered(given_id, member.member_id))

    def _ask(self, member: FederationMember, request: Request[Response], job: Job) -> Response:
        """Send a request to one library: the own one on this thread and without a deadline."""
        if member is self._own:
            return member.source.answer(request, job)
        (call,) = call_all([member], lambda source, job: source.answer(request, job), _ALONE_S, job)
        return _result(call)

    def _ask_by_id(
        self, request: Request[_Value], passage_ids: Sequence[int], job: Job
    ) -> list[tuple[FederationMember, _Value]]:
        """Return each library's response for its own passages; others that fail are left out."""
        of_member: dict[FederationMember, list[int]] = {}
        for passage_id in passage_ids:
            own_id = member_and_own_id(passage_id)[1]
            of_member.setdefault(self._member_of(passage_id), []).append(own_id)
        responses = []
        for member, its_ids in of_member.items():
            its: Any = replace(cast("Any", request), passage_ids=tuple(its_ids))
            try:
                responses.append((member, self._ask(member, its, job)))
            except errors.WinnowError as error:
                if member is self._own:
                    raise
                _log.info("Skipping %s: %s", member.name, error)
        return responses

    # Search

    def _search(self, request: Search, job: Job) -> SearchResults:
        """Search, and search again with the own library's spelling of the query, if needed."""
        others, texts = self._addressed(request.query)
        if not others and not self._own.name:
            # It corrects the spelling itself.
            alone = self._own.source.answer(request, job)
            notices = [*self._remarks(request.query), alone.notice]
            return replace(alone, notice=errors.Message.joined(filter(None, notices)))
        response = self._search_together(request, others, texts, job)
        theirs = (hit for hit in response.hits if hit.library != self._own.name)
        is_known = any(hit.is_found_by(Mode.WORDS) for hit in theirs)
        may_correct = QueryRewrite.SPELLING in request.rewrites
        if not may_correct or request.mode is Mode.MEANING or is_known:
            return response
        return with_correction(
            response,
            lambda better: self._search(replace(request, query=better, rewrites=NO_REWRITE), job),
        )

    def _addressed(self, query: str) -> tuple[list[FederationMember], dict[str, str | None]]:
        """Return the other libraries that a query addresses, and its text for each library.

        An own library without a name has no text here: it interprets `library:` itself, and
        returns the query as typed.
        """
        on = self._on()
        if not on and not self._own.name:
            return [], {}  # without parsing the query, whose length is not checked yet
        remote_query = elsewhere(query)
        texts = {member.name: addressing.query_for(remote_query, member.name) for member in on}
        others = [member for member in on if texts[member.name] is not None]
        if self._own.name and addressing.addresses(parse(query)):
            texts[self._own.name] = (
                addressing.query_for(query, self._own.name) or addressing.NOTHING
            )
        return others, texts

    def _search_together(
        self,
        request: Search,
        others: Sequence[FederationMember],
        texts: Mapping[str, str | None],
        job: Job,
    ) -> SearchResults:
        """Search the own library and others, and merge their results."""
        began_s = time.monotonic()
        query = request.query
        remarks = self._remarks(query)

        def find(source: Source, job: Job) -> tuple[SearchResults, ScoreScale | None]:
            text = texts.get(source.name) or query
            rewrites = request.rewrites & {QueryRewrite.PREFIX}
            results = source.answer(replace(request, query=text, rewrites=rewrites), job)
            return results, source.answer(GetScoreScale())

        of_own: list[tuple[SearchResults, ScoreScale | None]] = []
        calls = call_all(
            others, find, self._deadline_s, job, lambda: of_own.append(find(self._own.source, job))
        )
        ((own, scale),) = of_own
        if self._own.name in texts:
            own = replace(own, query=query)
        of_members = [MemberResults(0, self._own.name, scale, own, self._own.source.is_here)]
        notices = [*remarks, own.notice]
        for member, call in zip(others, calls, strict=True):
            try:
                results, scale = _result(call)
            except (errors.WinnowError, errors.Cancelled) as error:
                notices.append(_notice(member, error))
                continue
            is_here = member.source.is_here
            of_members.append(MemberResults(member.member_id, member.name, scale, results, is_here))
            if results.notice and results.notice != own.notice:
                notices.append(errors.Message("In {0}: {1}", member.name, results.notice))
        tokens = next(
            (
                member_results.results.tokens
                for member_results in of_members
                if member_results.results.tokens
            ),
            (),
        )
        self._remember(own.query, tokens)
        hits, notice = merge(of_members, request.limit, tokens)
        return replace(
            own,
            tokens=tokens,
            hits=hits,
            took_ms=(time.monotonic() - began_s) * 1000,
            notice=errors.Message.joined(filter(None, [*notices, notice])),
            can_be_refined=any(
                member_results.results.can_be_refined for member_results in of_members
            ),
        )

    def _facets(self, request: CountFacets, job: Job) -> Facets:
        """Return the counts of all libraries; folders are the own library's, for filters.

        Each library counts its documents as if the query addressed it.
        """
        others = self._on()
        query, own = request.query, self._own.source
        if not others:
            its_own = addressing.query_for(query, own.name)
            return own.answer(replace(request, query=query if its_own is None else its_own), job)
        of_member: dict[int, list[int]] = {}
        for document in request.document_ids or ():
            member_id, own_id = member_and_own_id(document)
            of_member.setdefault(member_id, []).append(own_id)
        member_ids = {member.name: member.member_id for member in (self._own, *others)}
        remote_query = elsewhere(query)

        def count(source: Source, job: Job) -> Facets:
            of = query if source is own else remote_query
            text, its = addressing.query_for(of, source.name), None
            if text is not None and request.document_ids is not None:
                its = tuple(of_member.get(member_ids[source.name], ()))
            text = addressing.unaddressed(of) if text is None else text
            return source.answer(replace(request, query=text, document_ids=its), job)

        counted: dict[str, Facets] = {}
        calls = call_all(
            others,
            count,
            self._deadline_s,
            job,
            lambda: counted.setdefault(own.name, count(own, job)),
        )
        for member, call in zip(others, calls, strict=True):
            try:
                counted[member.name] = _result(call)
            except (errors.WinnowError, errors.Cancelled) as error:
                # The search has a notice of it.
                _log.info("Not counting %s: %s", member.name, error)
        libraries = {member.name: 0 for member in (self._own, *others)}
        libraries.update((name, counts.found) for name, counts in counted.items())
        meant = [
            counts.without_any if addressing.query_for(query, name) is None else counts
            for name, counts in counted.items()
        ]
        return replace(_sum(meant), libraries=libraries)

    def _align(self, request: Align, job: Job) -> ExactAlignments:
        """Return exact alignments with the tokens of the query's search results."""
        tokens = self._tokens.get(request.query, ())
        alignments_of = {}
        for member, exact in self._ask_by_id(request, request.passage_ids, job):
            tokens = tokens or exact.tokens
            translated_tokens = translation(exact.tokens, tokens)
            for passage_id, alignments in exact.of.items():
                alignments_of[numbered(passage_id, member.member_id)] = translated(
                    alignments, translated_tokens
                )
        return ExactAlignments(tokens, alignments_of)

    def _lines(self, request: LocateLines, job: Job) -> dict[int, tuple[int, int]]:
        return {
            numbered(passage_id, member.member_id): lines
            for member, lines_of in self._ask_by_id(request, request.passage_ids, job)
            for passage_id, lines in lines_of.items()
        }

    # The parts

    def _on(self) -> list[FederationMember]:
        """Return the other libraries that are searched."""
        return [member for member in self._added if member.name not in self._off]

    def _remarks(self, query: str) -> list[errors.Message]:
        """Return sentences on libraries that a query names and that are not searched for it."""
        known = [member.name for member in (self._own, *self._added)]
        off = [name for name in addressing.named(query, known) if name in self._off]
        return [
            *addressing.unknown(query, known),
            *(
                errors.Message("The library {0} is turned off and is not searched.", name)
                for name in off
            ),
        ]

    def _member_of(self, id_among_several: int) -> FederationMember:
        """Return the library of a passage or document.

        Raises:
            GoneError: no library ever had this number.
            LibraryError: it was removed.
        """
        wanted = member_and_own_id(id_among_several)[0]
        if wanted > self._last_member_id:
            raise errors.GoneError("This passage is no longer in the library. Search again.")
        for member in (self._own, *self._added):
            if member.member_id == wanted:
                return member
        raise errors.LibraryError("The library of this result was removed. Search again.")

    def _remember(self, query: str, tokens: tuple[QueryToken, ...]) -> None:
        with self._guard:
            self._tokens[query] = tokens
            self._tokens.move_to_end(query)
            while len(self._tokens) > _CACHED_TOKENS:
                self._tokens.popitem(last=False)


def _result(call: Call[_Value] | Exception) -> _Value:
    if isinstance(call, Exception):
        raise call
    return call.result()


def _notice(member: FederationMember, error: Exception) -> str:
    """Return the notice about a library that did not respond."""
    return error.message if isinstance(error, errors.WinnowError) else member.silence().message


def _sum(counted: Sequence[Facets]) -> Facets:
    """Return the sums of several libraries' counts, with the folders of the first."""
    own = counted[0]
    kinds, authors, tags = Counter[str](), Counter[str](), Counter[str]()
    days = Counter[date]()
    for facets in counted:
        named = ((kinds, facets.kinds), (authors, facets.authors), (tags, facets.tags))
        for total, part in named:
            total.update(dict(part))
        days.update(dict(facets.days))
    attached = [facets.attachments for facets in counted if facets.attachments is not None]
    return replace(
        own,
        found=sum(facets.found for facets in counted),
        attachments=sum(attached) if attached else None,
        kinds=dict(kinds),
        days=dict(sorted(days.items(), reverse=True)),
        authors=_most_first(authors),
        tags=_most_first(tags),
    )


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0].casefold())))
