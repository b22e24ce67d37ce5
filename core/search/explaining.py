"""Why passages were found: their tokens aligned with the query's, as stored or encoded anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.alignment.pairwise import AlignmentStrategy, score
from core.catalog import passages
from core.catalog.catalog import Catalog
from core.catalog.passages import StoredPassage
from core.errors import LibraryError
from core.index.edition import Edition
from core.progress import Job
from core.search import highlights
from core.search.encoded import EncodedQuery
from core.search.query import checked
from core.search.results import Alignment, ExactAlignments, Explanation, Passage
from core.search.spans import RecentSpans, TokenSpans

_ENCODED_AT_ONCE: Final = 2
"""Passages: what a person waits for who types on. More at once are hardly faster on one thread."""


class Explainer:
    """Aligns passages of one catalog with queries; for any number of threads at once."""

    def __init__(
        self,
        catalog: Catalog,
        edition: Edition,
        strategy: AlignmentStrategy,
        recent: RecentSpans,
    ) -> None:
        """Align by the edition's model."""
        self._catalog = catalog
        self._edition = edition
        self._strategy = strategy
        self._recent = recent

    def stored(
        self, query: EncodedQuery, shown: Sequence[StoredPassage]
    ) -> dict[int, tuple[Alignment, ...]]:
        """The alignments of passages with the vectors that are stored of them, by their numbers.

        A vector lights the one token that has the most part in it. Passages without vectors are
        left out.
        """
        vectors = self._edition.index.vectors([passage.id for passage in shown])
        there = [passage for passage in shown if passage.id in vectors]
        tokens = highlights.query_tokens(query.text, query.tokens)
        found = {}
        for passage, spans in zip(there, self._recent.of(there, self._edition), strict=True):
            stand_ins = vectors[passage.id]
            pairs, alignment = query.aligned(stand_ins.vectors, self._strategy, passage.tokens)
            texts = (passage.context, passage.text)
            found[passage.id] = highlights.alignments(
                tokens, spans, texts, pairs, alignment, stand_ins.positions
            )
        return found

    def exact(self, typed: str, numbers: Sequence[int], job: Job | None = None) -> ExactAlignments:
        """The alignments of passages of which every token is encoded anew and lights itself.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or enormous.
        """
        job = job or Job()
        encoder = self._edition.query_encoder()
        query = EncodedQuery.of(checked(typed).text, encoder)
        tokens = highlights.query_tokens(query.text, query.tokens)
        with self._catalog.reading() as db:
            there = list(passages.fetch(db, numbers).values())
        found = {}
        for first in range(0, len(there), _ENCODED_AT_ONCE):
            job.checkpoint()
            batch = there[first : first + _ENCODED_AT_ONCE]
            seen = encoder.passage_tokens([(one.context, one.text) for one in batch])
            encoded = encoder.encode_passages(seen)
            for passage, own, vectors in zip(batch, seen, encoded, strict=True):
                pairs, alignment = query.aligned(vectors.vectors, self._strategy)
                texts = (passage.context, passage.text)
                found[passage.id] = highlights.alignments(
                    tokens, TokenSpans.of(own), texts, pairs, alignment
                )
        return ExactAlignments(highlights.shown(tokens), found)

    def explain(self, typed: str, number: int) -> Explanation:
        """The whole alignment of one passage, encoded anew.

        Raises:
            LibraryError: the passage is gone.
            UsageError: the query is empty or enormous.
        """
        text = checked(typed).text
        with self._catalog.reading() as db:
            stored = passages.fetch(db, [number]).get(number)
        if stored is None:
            raise LibraryError("This passage is no longer in the library; search again.")
        encoder = self._edition.query_encoder()
        query = EncodedQuery.of(text, encoder)
        (seen,) = encoder.passage_tokens([(stored.context, stored.text)])
        (found,) = encoder.encode_passages([seen])
        pairs, alignment = query.aligned(found.vectors, self._strategy)
        return Explanation(
            passage=Passage.of(stored),
            tokens=highlights.query_tokens(query.text, query.tokens),
            spans=seen.spans,
            in_context=tuple(place < seen.context for place in range(len(seen))),
            similarity=pairs,
            alignment=alignment,
            score=score(pairs, alignment),
            has_summaries=encoder.checkpoint.queries.gives_summary,
        )
