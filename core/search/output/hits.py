"""Turn ranked documents into hits, with the spans of the query's words."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from core.catalog import copies, documents, passages
from core.documents.formats import format_of
from core.responses import DocumentHit, Passage, PassageHit
from core.search.grouping import PreparedQuery, RankedDocuments
from core.search.words import fts
from core.search.words.prefixes import highlight_spans


def document_hits(
    db: sqlite3.Connection, prepared: PreparedQuery, found: RankedDocuments
) -> tuple[DocumentHit, ...]:
    """Return hits without alignments; passages removed since the ranking are left out."""
    stored = passages.fetch(db, [number for of in found.groups.values() for number, _ in of])
    texts = {number: passage.text for number, passage in stored.items()}
    words = _shown_words(db, prepared)
    spans = highlight_spans(prepared.query, words, prepared.matching_forms, texts)
    folded = (
        copies.family_members(db, list(found.groups), prepared.scope) if prepared.is_folded else {}
    )
    files = documents.files_of(db, found.groups)
    hits = []
    for document_id, scored in found.groups.items():
        present = [(stored[number], score) for number, score in scored if number in stored]
        if not present:
            continue
        first = present[0][0]
        kind = format_of(first.path)
        file = files.get(document_id)
        hits.append(
            DocumentHit(
                document_id=document_id,
                path=first.path,
                title=first.title,
                has_page_images=kind is not None and kind.has_page_images,
                passages=tuple(
                    [
                        PassageHit(
                            passage=Passage.of(passage),
                            score=score,
                            found_by=found.ranking.found_by(passage.id),
                            alignments=(),
                            words=spans.get(passage.id, ()),
                            terms=found.ranking.terms(passage.id),
                        )
                        for passage, score in present
                    ]
                ),
                author=first.author,
                date=first.date,
                changed_ns=first.mtime_ns,
                said_ns=first.said_ns,
                file=file if file is not None and file.is_absolute() else None,
                copies=folded.get(document_id, ()),
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
