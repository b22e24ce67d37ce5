"""Documents with all words of a query, by the catalog alone: for a desktop's own search.

The desktop asks with each letter that is typed and starts the program to do so. What is imported
here is only what a search by words needs, without numpy, the index and the model; and no forms of
words in other languages than English, for which all words of a library have to be read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.catalog import copies, documents, passages
from core.catalog.documents import KnownDocument
from core.catalog.scope import find_names
from core.documents.formats import format_of
from core.locations import Location
from core.search.query.language import Query, Term, checked
from core.search.words import fts as word_query
from core.search.words.fts import Forms
from core.search.words.prefixes import all_beginning, as_begun, lit_spans

_NAMES: Final = 5
"""So many documents that are called what was typed stand before those that have it in their text:
who types a name wants that file."""
_PASSAGES_A_DOCUMENT: Final = 5
_LINE: Final = 64
"""Characters of a passage that are shown, about: a desktop has one line for title, text and folder,
and cuts what is too long."""
_LEAD: Final = 14
"""So many of them at most stand before the first word that was typed."""


@dataclass(frozen=True, slots=True)
class Found:
    """A document, and the best of its passages with all words; None where its name has them."""

    document_id: int
    passage_id: int | None = None


@dataclass(frozen=True, slots=True)
class Described:
    """What a desktop shows of a document that was found.

    Attributes:
        path: of the document, which may lie in an archive, a mail or a bucket.
        title: as it gives itself one; "" for none.
        file: on the disk, that holds the document; None where none does.
        page: that the passage is on, from 1; None for documents without pages to be opened at.
        line: of the passage, with the words; "" where there is no passage.
    """

    path: Path
    title: str
    file: Path | None
    page: int | None = None
    line: str = ""


def find(db: sqlite3.Connection, typed: str, limit: int) -> tuple[Found, ...]:
    """Return the best `limit` documents that have all words of the query; none for filters alone.

    The last word may not be typed to its end. Copies and versions of a document are left out.

    Raises:
        UsageError: the query is empty or enormous.
    """
    query, forms = _prepared(db, typed)
    sought = word_query.terms(query.text)
    if not sought:
        return ()
    names = () if query.alternatives else find_names(db, sought, _NAMES, query.scope)
    best_of: dict[int, int] = {}
    for number, document in _passages_with(db, query, forms, _PASSAGES_A_DOCUMENT * limit):
        best_of.setdefault(document, number)
    ranked = [*dict.fromkeys((*(named.id for named in names), *best_of))]
    # What has the same text stands once, however it is called.
    family_of = {} if query.scope.asks_for_copies else copies.families(db, ranked)
    of_family: dict[int, int] = {}
    for document in ranked:
        of_family.setdefault(family_of.get(document, document), document)
    chosen = [*of_family.values()][:limit]
    return tuple(Found(document, best_of.get(document)) for document in chosen)


def describe(db: sqlite3.Connection, typed: str, found: Sequence[Found]) -> dict[Found, Described]:
    """Return what is to be shown of what a query found; without documents that have gone since.

    Where the query is not known any more, it is "".
    """
    numbers = [one.passage_id for one in found if one.passage_id is not None]
    stored = passages.fetch(db, numbers)
    lines = _lines(db, typed, {number: passage.text for number, passage in stored.items()})
    described = {}
    for one in found:
        document = documents.fetch(db, one.document_id)
        holder = documents.holder(db, one.document_id)
        if document is None or holder is None:
            continue
        page, line = None, ""
        if one.passage_id in stored:
            page = stored[one.passage_id].page if _has_pages(document) else None
            line = lines.get(one.passage_id, "")
        file = Location.of(holder.path).local_path
        described[one] = Described(document.path, document.title, file, page, line)
    return described


def _prepared(db: sqlite3.Connection, typed: str) -> tuple[Query, Forms]:
    query = as_begun(db, checked(typed))
    return query, all_beginning(db, query)


def _passages_with(
    db: sqlite3.Connection, query: Query, forms: Forms, limit: int
) -> list[tuple[int, int]]:
    """Return the best passages that have all words, each with the number of its document."""
    words = [
        word
        for part in query.parts
        if isinstance(part, Term) and not (part.is_excluded or part.is_phrase)
        for word in word_query.terms(part.text)
    ]
    all_words = " AND ".join(f"({word_query.any_of(_ways(word, forms))})" for word in words)
    expression = word_query.found_by(all_words, query, forms)
    numbers = [number for number, _ in passages.find_words(db, expression, limit, query.scope)]
    if word_query.has_phrases(query):
        texts = passages.fetch(db, numbers)
        numbers = [
            number
            for number in numbers
            if number in texts
            and word_query.accepts(query, (texts[number].text, texts[number].context))
        ]
    document_of = passages.document_of(db, numbers)
    return [(number, document_of[number]) for number in numbers if number in document_of]


def _ways(word: str, forms: Forms) -> list[str]:
    """Return a word, or for the beginning of one the words that begin so."""
    return word_query.with_forms([word], forms)


def _lines(db: sqlite3.Connection, typed: str, texts: Mapping[int, str]) -> dict[int, str]:
    """Return of each text the part on one line in which most of the query's words stand."""
    if not (texts and typed):
        return {}
    # Here: GNOME asks first what is found, and for this when it has the answer.
    from core.search.output.match import Highlight, snippet_of

    query, forms = _prepared(db, typed)
    spans = lit_spans(query, word_query.terms(query.text), forms, texts)
    lines = {}
    for number, text in texts.items():
        kinds: dict[str, int] = {}
        lit = [
            Highlight(start, end, kinds.setdefault(text[start:end].casefold(), len(kinds)), 1.0)
            for start, end in spans.get(number, ())
        ]
        lines[number] = snippet_of(text, lit, _LINE, _LEAD).text
    return lines


def _has_pages(document: KnownDocument) -> bool:
    kind = format_of(document.path)
    return kind is not None and kind.has_page_images
