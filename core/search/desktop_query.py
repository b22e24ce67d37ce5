"""Documents with all words of a query, for the desktop's own search.

The desktop starts the program for the first letter that is typed, and waits. Searching by
words imports neither numpy nor the index nor the model.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.catalog import copies, document_queries, passages
from core.catalog.document_queries import KnownDocument
from core.catalog.scope import find_names
from core.documents.formats import format_of
from core.files.locations import Location
from core.requests import Search
from core.responses import Mode
from core.search.query.language import checked
from core.search.word_ranker import WordRanker
from core.search.words import fts
from core.search.words.vocabulary import complete_prefix, highlight_spans, with_written_forms

# Documents listed first because their file name matches.
_NAMES: Final = 5
# Characters of a passage that are shown: a desktop has one line for title, text and folder.
_LINE: Final = 64
# Characters before the first word of the query, at most.
_LEAD: Final = 14
# Other forms of words in languages other than English require a scan of the vocabulary.
_ALL_WORDS: Final = WordRanker(vocabulary=None, requires_all=True)


@dataclass(frozen=True, slots=True)
class DesktopResult:
    """A document and its best passage with all words; None if only the file's name has them."""

    document_id: int
    passage_id: int | None = None


@dataclass(frozen=True, slots=True)
class DesktopDocument:
    """A document as a desktop shows it.

    Attributes:
        path: of the document, which may be in an archive, a mail or a bucket.
        title: the document's own; "" for none.
        file: the file on the disk that contains the document; None for none.
        page: of the passage, from 1; None for formats without pages.
        line: of the passage, with the words of the query; "" without a passage.
    """

    path: Path
    title: str
    file: Path | None
    page: int | None = None
    line: str = ""


def find(db: sqlite3.Connection, typed: str, limit: int) -> tuple[DesktopResult, ...]:
    """Return the best `limit` documents with all words of the query; none for filters alone.

    The last word may be incomplete. Only one of several copies and versions is returned.

    Raises:
        UsageError: the query is empty or too long.
    """
    query = complete_prefix(db, checked(typed))
    words = fts.terms(query.text)
    if not words:
        return ()
    scope = query.scope
    names = () if query.alternatives else find_names(db, words, _NAMES, scope)
    # Folded below, together with the named documents; up to half may be copies.
    request = Search(typed, Mode.WORDS, 2 * limit, scope, is_folded=False)
    ranked = _ALL_WORDS.rank(db, _ALL_WORDS.prepare(db, request, query))
    best_of = {document: scored[0][0] for document, scored in ranked.groups.items()}
    listed = [*dict.fromkeys((*(named.id for named in names), *best_of))]
    family_of = {} if scope.includes_copies else copies.families(db, listed)
    of_family: dict[int, int] = {}
    for document in listed:
        of_family.setdefault(family_of.get(document, document), document)
    chosen = [*of_family.values()][:limit]
    return tuple(DesktopResult(document, best_of.get(document)) for document in chosen)


def describe(
    db: sqlite3.Connection, typed: str, results: Sequence[DesktopResult]
) -> dict[DesktopResult, DesktopDocument]:
    """Return found documents as they are shown, without deleted ones.

    `typed` is "" if the query is no longer known.
    """
    passage_ids = [result.passage_id for result in results if result.passage_id is not None]
    stored = passages.fetch(db, passage_ids)
    lines = _lines(db, typed, {passage_id: passage.text for passage_id, passage in stored.items()})
    described = {}
    for result in results:
        document = document_queries.fetch(db, result.document_id)
        holder = document_queries.holder(db, result.document_id)
        if document is None or holder is None:
            continue
        page, line = None, ""
        if result.passage_id in stored:
            page = stored[result.passage_id].page if _has_pages(document) else None
            line = lines.get(result.passage_id, "")
        file = Location.of(holder.path).local_path
        described[result] = DesktopDocument(document.path, document.title, file, page, line)
    return described


def _lines(db: sqlite3.Connection, typed: str, texts: Mapping[int, str]) -> dict[int, str]:
    """Return the part of each text, on one line, with most of the query's words."""
    if not (texts and typed):
        return {}
    # Imported here because GNOME asks for ids first, and for descriptions later.
    from core.search.output.match import Highlight, snippet_of

    query = complete_prefix(db, checked(typed))
    spans = highlight_spans(query, fts.terms(query.text), with_written_forms(db, query, {}), texts)
    lines = {}
    for passage_id, text in texts.items():
        kinds: dict[str, int] = {}
        highlights = [
            Highlight(start, end, kinds.setdefault(text[start:end].casefold(), len(kinds)), 1.0)
            for start, end in spans.get(passage_id, ())
        ]
        lines[passage_id] = snippet_of(text, highlights, _LINE, _LEAD).text
    return lines


def _has_pages(document: KnownDocument) -> bool:
    kind = format_of(document.path)
    return kind is not None and kind.has_page_images
