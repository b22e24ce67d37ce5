"""Why passages were found: their tokens aligned with the query's, as stored or encoded anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.alignment.pairwise import AlignmentStrategy, similarity
from core.catalog import passages
from core.catalog.catalog import Catalog
from core.catalog.passages import StoredPassage
from core.encoders.encoder import Encoder, TextTokens
from core.errors import LibraryError
from core.index.generation import IndexGeneration
from core.progress import Job
from core.search import explanation
from core.search.encoded_query import EncodedQuery, RecentQueries, RecentSpans, TokenSpans
from core.search.explanation import Comparison, Explanation, PassageToken
from core.search.query import checked
from core.search.results import Alignment, ExactAlignments, Passage
from core.search.word_query import terms


def salient_words(encoder: Encoder, context: str, text: str, count: int) -> tuple[str, ...]:
    """Up to `count` different words of a passage, the most salient ones, as they stand in it.

    A word is as salient as its most salient token. Where the model has learned no salience the
    first words are given.

    Source: ALIGNER, section 3.2: the unary salience of a passage's tokens.
    """
    (seen,) = encoder.passage_tokens([(context, text)])
    (found,) = encoder.encode_passages([seen])
    best: dict[int, tuple[float, int, int]] = {}
    own = range(seen.context, len(seen))
    for token in own:
        (start, end), word = seen.spans[token], seen.words[token]
        if start == end or word < 0:
            continue
        salience = float(found.saliences[token]) if found.saliences is not None else 1.0
        before = best.get(word, (0.0, start, end))
        best[word] = (max(before[0], salience), min(before[1], start), max(before[2], end))
    chosen: dict[str, tuple[float, int, str]] = {}
    for salience, start, end in best.values():
        for term in terms(text[start:end]):
            if salience > chosen.get(term, (0.0, 0, ""))[0]:
                chosen[term] = (salience, start, term)
    telling = sorted(chosen.values(), key=lambda one: -one[0])[:count]
    return tuple(term for _, _, term in sorted(telling, key=lambda one: one[1]))


_ENCODED_AT_ONCE: Final = 2
"""Passages: what a person waits for who types on. More at once are hardly faster on one thread."""


class Explainer:
    """Aligns passages of one catalog with queries; for any number of threads at once."""

    def __init__(
        self,
        catalog: Catalog,
        generation: IndexGeneration,
        strategy: AlignmentStrategy,
        recent: RecentSpans,
        queries: RecentQueries,
    ) -> None:
        """Align by the generation's model."""
        self._catalog = catalog
        self._generation = generation
        self._strategy = strategy
        self._recent = recent
        self._queries = queries

    def stored(
        self, query: EncodedQuery, shown: Sequence[StoredPassage]
    ) -> dict[int, tuple[Alignment, ...]]:
        """The alignments of passages with the vectors that are stored of them, by their numbers.

        A vector lights the one token that has the most part in it. Passages without vectors are
        left out.
        """
        vectors = self._generation.index.vectors([passage.id for passage in shown])
        there = [passage for passage in shown if passage.id in vectors]
        tokens = explanation.query_tokens(query)
        found = {}
        for passage, spans in zip(there, self._recent.of(there, self._generation), strict=True):
            stand_ins = vectors[passage.id]
            pairs, alignment = query.aligned(stand_ins.vectors, self._strategy, passage.tokens)
            texts = (passage.context, passage.text)
            found[passage.id] = explanation.alignments(
                tokens, spans, texts, pairs, alignment, stand_ins.positions
            )
        return found

    def exact(self, typed: str, numbers: Sequence[int], job: Job | None = None) -> ExactAlignments:
        """Return the alignments of passages of which every token is encoded anew and lights itself.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or enormous.
        """
        job = job or Job()
        encoder = self._generation.query_encoder()
        query = self._queries.of(checked(typed).text, self._generation)
        tokens = explanation.query_tokens(query)
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
                found[passage.id] = explanation.alignments(
                    tokens, TokenSpans.of(own), texts, pairs, alignment
                )
        return ExactAlignments(explanation.shown(tokens), found)

    def explain(self, typed: str, number: int) -> Explanation:
        """One passage compared with the query in full, as it is stored and encoded anew.

        Raises:
            LibraryError: the passage is gone.
            UsageError: the query is empty or enormous.
        """
        text = checked(typed).text
        stored = self._passage(number)
        encoder = self._generation.query_encoder()
        query = self._queries.of(text, self._generation)
        (seen,) = encoder.passage_tokens([(stored.context, stored.text)])
        (found,) = encoder.encode_passages([seen])
        tokens = _passage_tokens(stored, seen)
        exact = Comparison(
            tokens,
            similarity(query.vectors.vectors, found.vectors),
            query.weights,
            found.saliences,
            len(tokens),
        )
        return Explanation(
            passage=Passage.of(stored),
            tokens=explanation.query_tokens(query),
            stored=self._stored(query, number, exact),
            exact=exact,
            strategy=self._strategy,
            has_summaries=encoder.checkpoint.queries.gives_summary,
        )

    def salient_words(self, number: int, count: int) -> tuple[str, ...]:
        """Return the words that say most of what a passage is about.

        Raises:
            LibraryError: the passage is gone.
        """
        stored = self._passage(number)
        encoder = self._generation.query_encoder()
        return salient_words(encoder, stored.context, stored.text, count)

    def _passage(self, number: int) -> StoredPassage:
        with self._catalog.reading() as db:
            stored = passages.fetch(db, [number]).get(number)
        if stored is None:
            raise LibraryError("This passage is no longer in the library; search again.")
        return stored

    def _stored(self, query: EncodedQuery, number: int, exact: Comparison) -> Comparison | None:
        """The comparison with the stored vectors, in the order of the tokens they stand for."""
        stand_ins = self._generation.index.vectors([number]).get(number)
        if stand_ins is None:
            return None
        order = np.argsort(stand_ins.positions, kind="stable")
        positions = stand_ins.positions[order]
        return Comparison(
            tuple(exact.tokens[place] for place in positions.tolist()),
            similarity(query.vectors.vectors, stand_ins.vectors[order]),
            query.weights,
            None if exact.saliences is None else exact.saliences[positions],
            exact.length,
        )


def _passage_tokens(passage: StoredPassage, seen: TextTokens) -> tuple[PassageToken, ...]:
    made = []
    for place, (start, end) in enumerate(seen.spans):
        in_context = place < seen.context
        text = passage.context if in_context else passage.text
        made.append(PassageToken(text[start:end], start, end, in_context))
    return tuple(made)
