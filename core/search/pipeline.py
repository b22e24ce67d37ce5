"""The search pipeline: parse, prepare and rank a query, and group results by document.

The query is parsed once, here; later steps receive it parsed. The ranker is exchangeable: by
words alone without numpy (`word_ranker`), or by meaning (`meaning_ranker`).
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from core import responses
from core.catalog import copies, document_queries, passages, word_index
from core.catalog.catalog import Catalog
from core.catalog.copies import Copy
from core.catalog.document_fields import fields_of
from core.catalog.documents import NamedDocument
from core.catalog.scope import Scope, count_documents, find_names
from core.catalog.text.normalisation import quoted
from core.documents.formats import format_of
from core.errors import LibraryError, Message, UsageError
from core.progress import Job
from core.requests import NO_REWRITE, CountFacets, QueryRewrite, Search
from core.search.facets.filters import FacetQuery, split
from core.search.grouping import PreparedQuery, RankedDocuments, newest
from core.search.known_values import KnownAuthors, KnownKinds
from core.search.query.language import Query, Term, checked, joined, parse, plain
from core.search.query.sentences import with_filters
from core.search.word_ranker import WordRanker, scored_across_borders
from core.search.words import fts
from core.search.words.vocabulary import Vocabulary, complete_prefix, highlight_spans

if TYPE_CHECKING:
    from core.search.facets.counts import FacetCounter


# Documents listed because their file's name matches.
_NAMES_SHOWN: Final = 5
# Passages of the largest library that is searched before it is open.
_MOST_UNOPENED: Final = 50_000


class Ranker(Protocol):
    """Ranks the passages of one catalog for a query; thread-safe."""

    def prepare(
        self, db: sqlite3.Connection, request: Search, query: Query, job: Job | None = None
    ) -> PreparedQuery:
        """Look up or encode everything in the query that ranking depends on.

        Args:
            db: a connection to the catalog.
            request: the search, with the query's filters in its scope.
            query: the request's query, parsed.
            job: cancels it.
        """

    def narrow(
        self, prepared: PreparedQuery, scope: Scope, job: Job | None = None
    ) -> PreparedQuery:
        """Return a prepared query for another scope."""

    def rank(
        self, db: sqlite3.Connection, prepared: PreparedQuery, job: Job | None = None
    ) -> RankedDocuments:
        """Return the best documents; a refined request reranks with all token vectors."""

    def can_refine(self, prepared: PreparedQuery) -> bool:
        """Return whether reranking may change the order of the documents."""

    def explain(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        passage_id: int,
        job: Job | None = None,
    ) -> tuple[responses.ScoreTerm, ...]:
        """Return the terms of the score that a refined `rank` gives a passage."""

    def annotate(
        self,
        db: sqlite3.Connection,
        prepared: PreparedQuery,
        hits: tuple[responses.DocumentHit, ...],
    ) -> tuple[responses.DocumentHit, ...]:
        """Return the hits with their alignments, and the mark of those that are likely."""

    def notice(self) -> str:
        """Return a sentence about what could not be searched; "" if all was."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Searches one catalog with one ranker; thread-safe."""

    catalog: Catalog
    vocabulary: Vocabulary
    ranker: Ranker

    def search(self, request: Search, job: Job | None = None) -> responses.SearchResults:
        """Return the best documents for a query; for filters alone the newest.

        If nothing close is found as typed and the request allows it, searches for the better
        spelling.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or too long, or `limit` is below 1.
            LibraryError: the library cannot be read.
        """
        if request.limit < 1:
            raise UsageError("The number of results must be at least 1, not {0}.", request.limit)
        results = self._search(request, job)
        if QueryRewrite.SPELLING not in request.rewrites or request.mode is responses.Mode.MEANING:
            return results

        def search(query: str) -> responses.SearchResults:
            return self._search(replace(request, query=query, rewrites=NO_REWRITE), job)

        return responses.with_correction(results, search)

    def rank(
        self, text: str, mode: responses.Mode, limit: int, *, is_refined: bool = True
    ) -> list[tuple[int, float]]:
        """Return the best documents (id, score of the best passage) for plain text."""
        request = Search(text, mode, limit, is_refined=is_refined, is_folded=False)
        with self.catalog.reading() as db:
            prepared = self.ranker.prepare(db, request, plain(text))
            groups = self.ranker.rank(db, prepared).groups
        return [(document_id, scored[0][1]) for document_id, scored in groups.items()]

    def facets(
        self, request: CountFacets, counter: FacetCounter, job: Job | None = None
    ) -> responses.Facets:
        """Count the documents that have a word of the query, and the best `limit` by meaning.

        A query of filters alone counts all documents in scope. Phrases are compared by the stems of
        their words.

        Raises:
            Cancelled: the job was cancelled.
        """
        rest, scopes = split(parse(request.query))
        mode = request.mode if rest.has_words else responses.Mode.WORDS
        within = request.scope & rest.scope.seen_from(request.scope)
        search = Search(
            request.query, mode, request.limit, within, is_refined=False, is_folded=False
        )
        with self.catalog.reading() as db:
            prepared = self.ranker.prepare(db, search, rest, job)
            expression = fts.found_by(prepared.in_all_forms, rest, prepared.matching_forms)
            by_meaning = set(request.document_ids or ())
            across_borders = [passage_id for passage_id, _ in scored_across_borders(db, prepared)]
            by_meaning.update(passages.document_of(db, across_borders).values())
            if prepared.encoded is not None:
                # Under the filters by folder, kind and day, and without them for their own counts.
                narrowed = joined([within, *scopes])
                is_unknown = request.document_ids is None
                if narrowed != within or is_unknown:
                    by_meaning.update(self.ranker.rank(db, prepared, job).groups)
                if narrowed != within and is_unknown:
                    chosen = self.ranker.narrow(prepared, narrowed, job)
                    by_meaning.update(self.ranker.rank(db, chosen, job).groups)
        counted = FacetQuery(expression, within, by_meaning, scopes, request.scope)
        return counter.count(self.catalog, counted, job)

    def _suggestion(
        self, db: sqlite3.Connection, typed: Query, prepared: PreparedQuery, scope: Scope
    ) -> responses.SpellingSuggestion | None:
        """Return filters for a sentence that describes documents, or a better spelling, or None.

        Filters that leave no document are not suggested.
        """
        kinds, authors = KnownKinds(db, scope), KnownAuthors(db, self.vocabulary.authors, scope)
        if described := with_filters(typed, kinds, authors):
            described_scope = parse(described).scope.seen_from(scope)
            if documents := count_documents(db, scope & described_scope):
                return responses.SpellingSuggestion(described, is_filter=True, documents=documents)
        return self.vocabulary.spelling.suggest(db, prepared.query, prepared.forms, scope)

    def _search(self, request: Search, job: Job | None) -> responses.SearchResults:
        began_s = time.perf_counter()
        query = parsed = checked(request.query)
        with self.catalog.reading() as db:
            if QueryRewrite.PREFIX in request.rewrites:
                forms = self.vocabulary.forms.of(db, fts.unquoted(query))
                query = complete_prefix(db, query, forms)
            query, options = _with_options(db, query, request.scope)
            own_scope = query.scope
            search = replace(
                request,
                mode=request.mode if query.has_words else responses.Mode.WORDS,
                scope=request.scope & own_scope.seen_from(request.scope),
                is_folded=request.is_folded and not own_scope.includes_copies,
            )
            prepared = self.ranker.prepare(db, search, query, job)
            has_words = query.has_words
            ranked = self.ranker.rank(db, prepared, job) if has_words else newest(db, prepared)
            hits = self.ranker.annotate(db, prepared, document_hits(db, prepared, ranked))
            named = _named_documents(db, prepared, hits)
            suggestion = self._suggestion(db, parsed, prepared, request.scope)
        searched = request.query if query is parsed else str(query)
        notices = (*query.notices, *options, *query.readings, *prepared.notices)
        return responses.SearchResults(
            query=searched,
            mode=request.mode,
            tokens=tuple(token for token in prepared.tokens if token.start < token.end),
            hits=hits,
            took_ms=(time.perf_counter() - began_s) * 1000,
            notice=Message.joined(filter(None, (*notices, self.ranker.notice()))),
            named=named,
            typed="" if searched == request.query else request.query,
            suggestion=suggestion,
            can_be_refined=not request.is_refined and self.ranker.can_refine(prepared),
        )


def from_catalog(
    home: Path, request: Search, vocabulary: Vocabulary, job: Job | None = None
) -> responses.SearchResults | None:
    """Search by words in a library that is not open, with the results of `Library.search`.

    Returns None if the catalog cannot be read, which opening the library will report, and for a
    large library, whose vocabulary would be read twice.

    Raises:
        UsageError: the query is empty or too long.
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
            pipeline = Pipeline(catalog, vocabulary, WordRanker(vocabulary))
            return pipeline.search(replace(request, mode=responses.Mode.WORDS), job)
    except LibraryError:
        return None


# Texts in which an excluded word is looked for as an option of a command.
_OPTION_TEXTS: Final = 20


def _with_options(
    db: sqlite3.Connection, query: Query, scope: Scope
) -> tuple[Query, list[Message]]:
    """Return a query whose excluded words are wanted if texts have them as options: `rsync -avz`.

    The texts must have the other words, too. The sentences say so.
    """
    notices = []
    parts = list(query.parts)
    wanted = fts.terms(query.text) if query.excludes else []
    for index, term in enumerate(parts if wanted else ()):
        if not isinstance(term, Term) or not term.is_excluded or term.is_phrase:
            continue
        option = re.compile(rf"(?<!\S)-{re.escape(term.text)}\b", re.IGNORECASE)
        expression = " AND ".join(map(quoted, [*wanted, *fts.terms(term.text)]))
        if any(map(option.search, word_index.texts_with(db, expression, _OPTION_TEXTS, scope))):
            parts[index] = Term(term.text)
            notices.append(
                Message(
                    '-{0} is searched as a word, since texts have it. To exclude it, write -"{1}".',
                    term.text,
                    term.text,
                )
            )
    return (replace(query, parts=tuple(parts)) if notices else query), notices


def _named_documents(
    db: sqlite3.Connection, prepared: PreparedQuery, hits: Sequence[responses.DocumentHit]
) -> tuple[NamedDocument, ...]:
    """Return documents outside the hits whose file names have the words, or filters, of the query.

    Filters by name find documents without text here; the hits are those with text.
    """
    if prepared.query.has_words and prepared.query.alternatives:
        return ()
    words = fts.terms(prepared.query.text)
    document_ids = {hit.document_id for hit in hits}
    # A query of filters alone lists all that it finds by name.
    limit = _NAMES_SHOWN
    if not prepared.query.has_words:
        limit = max(limit, prepared.request.limit)
    return find_names(db, words, limit, prepared.request.scope, but=document_ids)


def document_hits(
    db: sqlite3.Connection, prepared: PreparedQuery, ranked: RankedDocuments
) -> tuple[responses.DocumentHit, ...]:
    """Return hits without alignments; passages removed since the ranking are left out."""
    stored = passages.fetch(
        db, [passage_id for of in ranked.groups.values() for passage_id, _ in of]
    )
    texts = {passage_id: passage.text for passage_id, passage in stored.items()}
    words = _shown_words(db, prepared)
    spans = highlight_spans(prepared.query, words, prepared.matching_forms, texts)
    folded: dict[int, tuple[Copy, ...]] = {}
    if prepared.request.is_folded:
        folded = copies.family_members(db, list(ranked.groups), prepared.request.scope)
        for document_id, quoting in ranked.quoting.items():
            quotes = copies.quoting_mails(db, quoting)
            folded[document_id] = (*folded.get(document_id, ()), *quotes)
    files = document_queries.files_of(db, ranked.groups)
    hits = []
    for document_id, scored in ranked.groups.items():
        present = [
            (stored[passage_id], score) for passage_id, score in scored if passage_id in stored
        ]
        if not present:
            continue
        first = present[0][0]
        kind = format_of(first.path)
        file = files.get(document_id)
        hits.append(
            responses.DocumentHit(
                document_id=document_id,
                path=first.path,
                has_page_images=kind is not None and kind.has_page_images,
                passages=tuple(
                    [
                        responses.PassageHit(
                            passage=responses.Passage.of(passage),
                            score=score,
                            found_by=ranked.ranking.found_by(passage.id),
                            alignments=(),
                            words=spans.get(passage.id, ()),
                            terms=ranked.ranking.terms(passage.id),
                        )
                        for passage, score in present
                    ]
                ),
                file=file if file is not None and file.is_absolute() else None,
                copies=folded.get(document_id, ()),
                **fields_of(first),
            )
        )
    return tuple(hits)


def _shown_words(db: sqlite3.Connection, prepared: PreparedQuery) -> Sequence[str]:
    """Return the words to highlight."""
    query, forms = prepared.query, prepared.matching_forms
    if prepared.encoded is not None:
        return prepared.words or fts.terms(query.text)
    # Without token weights, rarity decides which words made the match.
    return fts.worth_showing(db, prepared.words or fts.significant(db, query, forms), forms)
