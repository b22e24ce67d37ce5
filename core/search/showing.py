"""What is shown of what was found: documents with lit passages, and files that are called so."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

from core.catalog import filed, names, passages
from core.catalog.lighting import light_words
from core.catalog.records import NamedDocument
from core.documents.formats import format_of
from core.search import highlights, words
from core.search.encoded import EncodedQuery
from core.search.explaining import Explainer
from core.search.results import DocumentHit, Passage, PassageHit, QueryToken
from core.search.stages import Asked, Found

_NAMES_SHOWN: Final = 5


def hits(
    db: sqlite3.Connection, asked: Asked, found: Found, explainer: Explainer | None
) -> tuple[DocumentHit, ...]:
    """The documents as they are shown, with what lights them; no explainer for words alone."""
    numbers = [number for group in found.groups.values() for number, _ in group]
    stored = passages.fetch(db, numbers)
    shown = list(stored.values())
    reasons = {}
    if asked.encoded is not None and explainer is not None:
        reasons = explainer.stored(asked.encoded, shown)
    expression = asked.expression or words.any_of(words.terms(asked.query.text))
    if asked.encoded is None:
        # No saliences will tell which of them made the match.
        expression = words.any_of(words.worth_showing(db, words.telling(db, asked.query)))
    lit = light_words(expression, {passage.id: passage.text for passage in shown})
    made = []
    for document_id, group in found.groups.items():
        # What was removed since it was ranked is left out.
        there = [(stored[number], value) for number, value in group if number in stored]
        if not there:
            continue
        first = there[0][0]
        kind = format_of(first.path)
        holder = filed.holder(db, document_id)
        made.append(
            DocumentHit(
                document_id=document_id,
                path=first.path,
                title=first.title,
                has_page_images=kind is not None and kind.has_page_images,
                passages=tuple(
                    PassageHit(
                        passage=Passage.of(passage),
                        score=value,
                        found_by=found.ways(passage.id),
                        alignments=reasons.get(passage.id, ()),
                        words=lit.get(passage.id, ()),
                        parts=found.parts(passage.id),
                    )
                    for passage, value in there
                ),
                author=first.author,
                date=first.date,
                changed_ns=first.mtime_ns,
                said_ns=first.said_ns,
                file=holder.path if holder is not None and holder.path.is_absolute() else None,
            )
        )
    return tuple(made)


def named(
    db: sqlite3.Connection, asked: Asked, hits: Sequence[DocumentHit]
) -> tuple[NamedDocument, ...]:
    """Documents that are called what was typed, beside those that were found."""
    if asked.query.alternatives:
        return ()
    sought = words.terms(asked.query.text)
    found = {hit.document_id for hit in hits}
    return names.find(db, sought, _NAMES_SHOWN, asked.scope, but=found)


def tokens(encoded: EncodedQuery | None) -> tuple[QueryToken, ...]:
    """The query's tokens as they are shown; none of a query that is compared by words alone."""
    if encoded is None:
        return ()
    return highlights.shown(highlights.query_tokens(encoded))
