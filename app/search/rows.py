"""The answer to a query as rows of the results list, computed in the background, without Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.namesakes import depths
from app.search.limits import Limits, limits_of
from core.catalog.text.normalisation import fold, has_unspaced
from core.printable import quoted
from core.responses import Alignment, DocumentHit, PassageHit, SearchResults
from core.search.output.match import (
    BEST_SNIPPET,
    FURTHER_SNIPPET,
    Highlight,
    QueryWord,
    Snippet,
    highlights_in_text,
    highlights_in_title,
    query_words,
    snippet_of,
    with_highlights,
)


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage in the list; the best one of a document represents the document.

    `highlights` are spans of the passage's text, each with its query word. If the row `is_exact`,
    every token of the passage was aligned; otherwise only the tokens that the index stores.
    A document listed below the one that it `is_copy` or a version of has one row. The `depth`
    innermost folders of a document tell it apart from others in the answer with the same name.
    """

    document: DocumentHit
    hit: PassageHit
    is_best: bool
    title: str
    title_highlights: tuple[Highlight, ...]
    highlights: tuple[Highlight, ...]
    snippet: Snippet
    is_exact: bool = False
    is_copy: bool = False
    depth: int = 1

    @property
    def passage_id(self) -> int:
        return self.hit.passage.id

    @property
    def is_likely(self) -> bool:
        """Whether its document is unlikely to be a chance hit."""
        return self.document.is_likely


@dataclass(frozen=True, slots=True)
class MoreRow:
    """Expands and collapses the further passages, or copies, of a document."""

    document: DocumentHit
    count: int
    is_open: bool
    is_of_copies: bool = False

    @property
    def mails(self) -> int:
        """The number of folded mails of the document's conversation."""
        return sum(copy.is_quoting for copy in self.document.copies)


Row = PassageRow | MoreRow


@dataclass(frozen=True, slots=True)
class AnswerDocument:
    """A document in the answer: its best passage and further ones, best first.

    `copies` are its copies and versions, each by its best passage, once they were requested.
    """

    best: PassageRow
    further: tuple[PassageRow, ...]
    copies: tuple[PassageRow, ...] = ()

    @property
    def rows(self) -> tuple[PassageRow, ...]:
        return (self.best, *self.further, *self.copies)

    def of(self, rows: Sequence[PassageRow]) -> AnswerDocument:
        """Return the same document with other rows."""
        copies = 1 + len(self.further)
        return AnswerDocument(rows[0], tuple(rows[1:copies]), tuple(rows[copies:]))


@dataclass(frozen=True, slots=True)
class Answer:
    """Results arranged for the window.

    `highlighted_words` are the numbers of the words with highlights, `absent_words` of those that
    no result contains. `limits` describes a query without results.
    """

    results: SearchResults
    words: tuple[QueryWord, ...]
    documents: tuple[AnswerDocument, ...]
    highlighted_words: frozenset[int]
    absent_words: frozenset[int] = frozenset()
    limits: Limits | None = None

    @property
    def likely(self) -> int:
        """The number of likely documents."""
        return sum(document.best.is_likely for document in self.documents)

    @property
    def rows(self) -> tuple[PassageRow, ...]:
        """All passages, document by document."""
        return tuple(row for document in self.documents for row in document.rows)

    def of_document(self, document_id: int) -> AnswerDocument:
        """Return the entry of a document, or of the one that it is a copy of."""
        return next(
            document
            for document in self.documents
            if any(row.document.document_id == document_id for row in document.rows)
        )


def arrange(results: SearchResults) -> Answer:
    """Return `results` as rows, with titles, snippets and highlights."""
    # Imported here, because the window opens before the search modules are loaded.
    from core.search.query.language import parse

    query = parse(results.query)
    words = query_words(results.tokens, query.text, query.phrases)
    documents: list[AnswerDocument] = []
    depth = depths(document.path for document in results.hits)
    for document in results.hits:
        rows = [
            _passage_row(results, words, document, hit, depth[document.path], is_best=rank == 0)
            for rank, hit in enumerate(document.passages)
        ]
        documents.append(AnswerDocument(rows[0], tuple(rows[1:])))
    highlight = _highlighted_words(documents)
    absent = _absent_words([word for word in words if word.index not in highlight], documents)
    if not results.tokens:
        # Words without weight, which results have without highlights, are left out.
        words = tuple(word for word in words if word.index in highlight | absent)
    limits = None if documents else limits_of(results.original_query)
    return Answer(results, words, tuple(documents), highlight, absent, limits)


def with_exact_highlights(answer: Answer, exact: Mapping[int, tuple[Alignment, ...]]) -> Answer:
    """Return `answer` with exact highlights from the alignments in `exact`, by passage number.

    The order of passages and the bounds of snippets stay the same.
    """
    documents: list[AnswerDocument] = []
    for document in answer.documents:
        rows = [
            _row_with_exact_highlights(answer, row, exact[row.passage_id])
            if row.passage_id in exact
            else row
            for row in document.rows
        ]
        is_new = any(row is not before for row, before in zip(rows, document.rows, strict=True))
        documents.append(document.of(rows) if is_new else document)
    return replace(
        answer, documents=tuple(documents), highlighted_words=_highlighted_words(documents)
    )


def with_earlier_highlights(answer: Answer, before: Answer) -> Answer:
    """Return `answer` with the exact highlights of an earlier answer to the same query."""
    now, then = answer.results, before.results
    if (now.query, now.tokens) != (then.query, then.tokens):
        return answer
    # Passages are immutable: equal numbers have equal text.
    exact = {row.passage_id: row.hit.alignments for row in before.rows if row.is_exact}
    for row in answer.rows:
        if row.is_exact:
            exact.pop(row.passage_id, None)
    return with_exact_highlights(answer, exact) if exact else answer


def with_copies(answer: Answer, document_id: int, hits: Sequence[DocumentHit]) -> Answer:
    """Return `answer` with the copies of one of its documents, each by its best passage."""
    own = answer.of_document(document_id).best.document.path
    depth = depths((own, *(hit.path for hit in hits)))
    rows = tuple(
        replace(
            _passage_row(
                answer.results, answer.words, hit, hit.passages[0], depth[hit.path], is_best=True
            ),
            is_copy=True,
        )
        for hit in hits
    )
    documents = tuple(
        replace(document, copies=rows)
        if document.best.document.document_id == document_id
        else document
        for document in answer.documents
    )
    return replace(answer, documents=documents, highlighted_words=_highlighted_words(documents))


def with_earlier_copies(answer: Answer, before: Answer) -> Answer:
    """Return `answer` with the copies listed in an earlier answer to the same query."""
    if answer.results.query != before.results.query:
        return answer
    known = {
        document.best.document.copies: document.copies
        for document in before.documents
        if document.copies
    }
    if not known:
        return answer
    documents = tuple(
        replace(document, copies=document.copies or known.get(document.best.document.copies, ()))
        for document in answer.documents
    )
    return replace(answer, documents=documents, highlighted_words=_highlighted_words(documents))


def shown_title(document: DocumentHit) -> str:
    """Return the document's title, or its file's name if it has none."""
    return quoted(document.title.strip() or document.path.name)


def _passage_row(
    results: SearchResults,
    words: tuple[QueryWord, ...],
    document: DocumentHit,
    hit: PassageHit,
    depth: int,
    *,
    is_best: bool,
) -> PassageRow:
    title = shown_title(document)
    highlights = highlights_in_text(hit, results.tokens, words)
    size = BEST_SNIPPET if is_best else FURTHER_SNIPPET
    return PassageRow(
        document,
        hit,
        is_best,
        title,
        highlights_in_title(hit, results.tokens, title, words),
        highlights,
        snippet_of(hit.passage.text, highlights, size.characters),
        is_exact=hit.is_exact,
        depth=depth,
    )


def _row_with_exact_highlights(
    answer: Answer, row: PassageRow, alignments: tuple[Alignment, ...]
) -> PassageRow:
    hit, tokens = replace(row.hit, alignments=alignments), answer.results.tokens
    highlights = highlights_in_text(hit, tokens, answer.words)
    return replace(
        row,
        hit=hit,
        title_highlights=highlights_in_title(hit, tokens, row.title, answer.words),
        highlights=highlights,
        snippet=with_highlights(row.snippet, hit.passage.text, highlights),
        is_exact=True,
    )


def _absent_words(
    words: Sequence[QueryWord], documents: Sequence[AnswerDocument]
) -> frozenset[int]:
    """Return the numbers of words that no passage or title has; none if nothing was found."""
    from core.search.words.languages import is_stop_word

    sought = {
        word.index: _occurrence(word.text)
        for word in words
        if word.is_significant and not is_stop_word(word.text)
    }
    if not sought or not documents:
        return frozenset()
    for row in (row for document in documents for row in document.rows):
        text = fold(f"{row.title}\n{row.hit.passage.context}\n{row.hit.passage.text}")
        sought = {word_number: of for word_number, of in sought.items() if not of.search(text)}
        if not sought:
            break
    return frozenset(sought)


def _occurrence(word: str) -> re.Pattern[str]:
    """Return a pattern for a word in folded text."""
    pattern = re.escape(fold(word))
    return re.compile(pattern if has_unspaced(word) else rf"(?<!\w){pattern}(?!\w)")


def _highlighted_words(documents: Iterable[AnswerDocument]) -> frozenset[int]:
    rows = (row for document in documents for row in document.rows)
    return frozenset(
        highlight.word
        for row in rows
        for highlight in (*row.highlights, *row.title_highlights)
        if highlight.is_significant
    )
