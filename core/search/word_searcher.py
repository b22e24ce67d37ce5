"""From a query to documents by its words alone, and what a search by meaning shares with that.

Nothing that computes with vectors is loaded for it, so that a window that has just come up answers
before the engine is there.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.catalog import copies, documents, passages
from core.catalog.catalog import Catalog
from core.catalog.documents import NamedDocument
from core.catalog.scope import Scope, find_names
from core.documents.formats import format_of
from core.errors import LibraryError, Message, UsageError
from core.progress import Job
from core.requests import NO_REWRITE, QueryRewrite, Search
from core.responses import (
    Alignment,
    DocumentHit,
    Mending,
    Mode,
    Passage,
    PassageHit,
    QueryToken,
    SearchResults,
    searched_on,
)
from core.search.grouping import (
    PreparedQuery,
    RankedByWords,
    RankedDocuments,
    group,
    newest,
)
from core.search.query.language import Query, checked
from core.search.words import fts as word_query
from core.search.words.prefixes import all_beginning, as_begun, lit_spans
from core.search.words.spelling import Spelling
from core.search.words.stems import OtherForms, WordForms

if TYPE_CHECKING:
    from core.catalog.passages import StoredPassage

    Reasons = Callable[[Sequence[StoredPassage]], Mapping[int, tuple[Alignment, ...]]]
    """Why passages were found by meaning, by their numbers."""

_NAMES_SHOWN: Final = 5
_MOST_UNOPENED: Final = 50_000
"""Passages of a library that is searched before it is open."""
_FEWEST_CANDIDATES: Final = 100
_CANDIDATES_A_DOCUMENT: Final = 5
"""So many passages are compared in full for each document that is asked for, and so many at least;
more find nothing more (docs/measurements/search.md)."""


@dataclass(frozen=True, slots=True)
class KnownWords:
    """What searches know of the words of one library."""

    forms: WordForms = field(default_factory=WordForms)
    spelling: Spelling = field(default_factory=Spelling)

    def learn(self, db: sqlite3.Connection, job: Job) -> None:
        """Read the library's words, where that is due; in a large library it takes seconds.

        Raises:
            Cancelled: the job was cancelled.
        """
        self.forms.words.learn(db, job)
        self.spelling.words.learn(db, job)


def from_catalog(
    home: Path, asked: Search, known: KnownWords, job: Job | None = None
) -> SearchResults | None:
    """Answer by words from the catalog of a library that is not open; None where it cannot.

    What keeps it from being read is said by whoever opens the library: a newer Winnow wrote it, or
    it has to be brought up to date. A large one is opened first, too: what is read of all its words
    would be read twice. The results are those of `Library.search`.

    Raises:
        UsageError: the query is empty or enormous.
        Cancelled: the job was cancelled.
    """
    file = home / "catalog.sqlite"
    if not file.is_file():
        return None
    try:
        with closing(Catalog(file, is_read_only=True)) as catalog:
            with catalog.reading() as db:
                if passages.count(db) > _MOST_UNOPENED:
                    return None
            return WordSearcher(catalog, known).answer(replace(asked, mode=Mode.WORDS), job)
    except LibraryError:
        return None


class WordSearcher:
    """Searches one catalog by words; for any number of threads at once.

    A search by meaning is the same way from a query to documents, with more at some of its steps.
    """

    def __init__(self, catalog: Catalog, known: KnownWords) -> None:
        self._catalog = catalog
        self._known = known

    def answer(self, asked: Search, job: Job | None = None) -> SearchResults:
        """Return the best documents, for what was meant where nothing is found as it was typed.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or enormous, or the limit is below 1.
            LibraryError: the library cannot be read.
        """
        if asked.limit < 1:
            raise UsageError("The number of results is {0}; it must be at least 1.", asked.limit)
        found = self._search(asked, job)
        if QueryRewrite.SPELLING not in asked.rewrites or asked.mode is Mode.MEANING:
            return found

        def search(query: str) -> SearchResults:
            return self._search(replace(asked, query=query, rewrites=NO_REWRITE), job)

        return searched_on(found, search)

    def _search(self, asked: Search, job: Job | None) -> SearchResults:
        began_s = time.perf_counter()
        typed, mode, scope = asked.query, asked.mode, asked.scope
        with self._catalog.reading() as db:
            query = given = checked(typed)
            if QueryRewrite.PREFIX in asked.rewrites:
                query = as_begun(db, query, self._known.forms.of(db, word_query.unquoted(query)))
            by = mode if query.has_words else Mode.WORDS
            within = scope & query.scope.seen_from(scope)
            prepared, notices = self._prepare(db, query, by, within, job)
            is_folded = asked.is_folded and not query.scope.asks_for_copies
            prepared = replace(prepared, is_folded=is_folded)
            if query.has_words:
                found = self._rank(db, prepared, asked.limit, job, is_refined=asked.is_refined)
            else:
                found = newest(db, prepared, asked.limit)
            hits = self._hits(db, prepared, found)
            named = _named_documents(db, prepared, hits)
            mending = self._mending(db, prepared, scope)
        searched = typed if query is given else str(query)
        return SearchResults(
            query=searched,
            mode=mode,
            tokens=self._tokens(prepared),
            hits=hits,
            took_ms=(time.perf_counter() - began_s) * 1000,
            notice=Message.joined([*query.notices, *query.readings, *notices]),
            named=named,
            typed="" if searched == typed else typed,
            mending=mending,
        )

    def _within(
        self,
        prepared: PreparedQuery,
        scope: Scope,
        job: Job | None,  # noqa: ARG002 - where it is looked up what lies there
    ) -> PreparedQuery:
        """Have a query look in a scope."""
        return replace(prepared, scope=scope)

    def _prepare(
        self,
        db: sqlite3.Connection,
        query: Query,
        mode: Mode,
        scope: Scope,
        job: Job | None = None,
    ) -> tuple[PreparedQuery, list[str]]:
        """Make a query ready; also sentences for the person on what is left out of it."""
        prepared = self._within(PreparedQuery(query, "", None, scope), scope, job)
        if mode is Mode.MEANING:
            return prepared, []
        forms = self._forms(db, query)
        words = word_query.significant(db, query, forms)
        prepared = replace(
            prepared,
            expression=word_query.any_of(words),
            words=tuple(words),
            forms=forms,
            beside=word_query.beside(db, words, forms, query),
        )
        return prepared, []

    def _rank(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        limit: int,
        job: Job | None = None,
        *,
        is_refined: bool = False,  # noqa: ARG002 - by meaning alone
    ) -> RankedDocuments:
        """Rank more and more passages until they are of `limit` documents, or all there are."""
        count = candidates_for(limit)
        while True:
            if job is not None:
                job.checkpoint()
            found = self._by_words(db, prepared, count)
            ranked = RankedByWords(found)
            listed = group(db, prepared.query, ranked, limit, is_folded=prepared.is_folded)
            if len(listed.groups) == limit or len(found) < count:
                return listed
            count *= 4

    def _by_words(
        self, db: sqlite3.Connection, prepared: PreparedQuery, count: int
    ) -> list[tuple[int, float]]:
        """Return the best `count` passages by BM25 with their scores; none where no word tells."""
        if not prepared.expression:
            return []
        expression = word_query.found_by(prepared.expression, prepared.query, prepared.forms)
        return passages.find_words(db, expression, count, prepared.within, prepared.beside)

    def _hits(
        self, db: sqlite3.Connection, prepared: PreparedQuery, found: RankedDocuments
    ) -> tuple[DocumentHit, ...]:
        """Return documents as they are shown."""
        return document_hits(db, prepared, found)

    def _tokens(self, _prepared: PreparedQuery) -> tuple[QueryToken, ...]:
        """Return the query's tokens as they are shown; none where words alone count."""
        return ()

    def _mending(
        self, db: sqlite3.Connection, prepared: PreparedQuery, scope: Scope
    ) -> Mending | None:
        forms = prepared.forms or self._forms(db, prepared.query)
        return self._known.spelling.mended(db, prepared.query, forms, scope)

    def _forms(self, db: sqlite3.Connection, query: Query) -> dict[str, OtherForms]:
        """Return other forms of the query's words, and the words that its beginnings stand for."""
        forms = self._known.forms.of(db, word_query.unquoted(query))
        return forms | all_beginning(db, query)


def candidates_for(limit: int) -> int:
    """Return how many passages are compared at first where so many documents are asked for."""
    return max(_FEWEST_CANDIDATES, _CANDIDATES_A_DOCUMENT * limit)


def document_hits(
    db: sqlite3.Connection,
    prepared: PreparedQuery,
    found: RankedDocuments,
    explain: Reasons | None = None,
) -> tuple[DocumentHit, ...]:
    """Return documents as they are shown, with their matches, and those of meaning as explained."""
    numbers = [number for scored in found.groups.values() for number, _ in scored]
    stored = passages.fetch(db, numbers)
    shown = list(stored.values())
    reasons = explain(shown) if explain is not None else {}
    words: Sequence[str] = prepared.words or word_query.terms(prepared.query.text)
    if prepared.encoded is None:
        # No saliences will tell which of them made the match.
        significant = word_query.significant(db, prepared.query, prepared.forms)
        words = word_query.worth_showing(db, significant, prepared.forms)
    texts = {passage.id: passage.text for passage in shown}
    spans = lit_spans(prepared.query, words, prepared.forms, texts)
    hits = []
    folded = copies.others(db, list(found.groups), prepared.scope) if prepared.is_folded else {}
    for document_id, scored in found.groups.items():
        # What was removed since it was ranked is left out.
        there = [(stored[number], value) for number, value in scored if number in stored]
        if not there:
            continue
        first = there[0][0]
        kind = format_of(first.path)
        holder = documents.holder(db, document_id)
        hits.append(
            DocumentHit(
                document_id=document_id,
                path=first.path,
                title=first.title,
                has_page_images=kind is not None and kind.has_page_images,
                passages=tuple(
                    PassageHit(
                        passage=Passage.of(passage),
                        score=value,
                        found_by=found.found_by(passage.id),
                        alignments=reasons.get(passage.id, ()),
                        words=spans.get(passage.id, ()),
                        terms=found.terms(passage.id),
                    )
                    for passage, value in there
                ),
                author=first.author,
                date=first.date,
                changed_ns=first.mtime_ns,
                said_ns=first.said_ns,
                file=holder.path if holder is not None and holder.path.is_absolute() else None,
                copies=folded.get(document_id, ()),
            )
        )
    return tuple(hits)


def _named_documents(
    db: sqlite3.Connection, prepared: PreparedQuery, hits: Sequence[DocumentHit]
) -> tuple[NamedDocument, ...]:
    """Return documents whose files are called what was typed, beside those that were found."""
    if prepared.query.alternatives:
        return ()
    sought = word_query.terms(prepared.query.text)
    found = {hit.document_id for hit in hits}
    return find_names(db, sought, _NAMES_SHOWN, prepared.scope, but=found)
