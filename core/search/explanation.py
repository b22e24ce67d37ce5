"""Explain matches: the aligned tokens, and what each adds to the score."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core import responses
from core.alignment.pairwise import AlignmentStrategy, similarity
from core.arrays import Flags, Floats, Numbers
from core.catalog import passages
from core.catalog.catalog import Catalog
from core.catalog.passages import StoredPassage
from core.encoders.encoder import TextTokens
from core.errors import GoneError
from core.index.generation import IndexGeneration
from core.index.reduction import pruned_tokens
from core.progress import Job
from core.search.caches import SearchCaches
from core.search.encodings import EncodedPassage, EncodedQuery, TokenSpans, words_of
from core.search.output.match import mail_headers_end
from core.search.query.language import checked
from core.search.rarity import weighted_query
from core.search.words import fts
from core.token_comparison import Aligned, Comparison, Explanation, PassageToken

# Share of the mean weight from which tokens are significant.
_LEAST_SHARE_OF_MEAN: Final = 0.7


def query_tokens(query: EncodedQuery) -> tuple[responses.QueryToken, ...]:
    """Return the tokens of the query, with words numbered without gaps, significant ones first.

    Tokens without characters belong to no word.
    """
    spans = query.tokens.spans
    words = words_of(query.text, spans, query.tokens.words)
    weights = query.weights
    is_own = np.array([start < end for start, end in spans], dtype=np.bool_)
    is_significant = np.ones(len(spans), dtype=np.bool_)
    is_significant[is_own] = significant(weights[is_own])
    # Words are significant as a whole: their lesser pieces are found with them.
    chosen = {words[index] for index in np.flatnonzero(is_own & is_significant)}
    is_significant[is_own] = [words[index] in chosen for index in np.flatnonzero(is_own)]
    indexes: dict[int, int] = {}
    for flags in (is_own & is_significant, is_own):
        for index in np.flatnonzero(flags).tolist():
            indexes.setdefault(words[index], len(indexes))
    return tuple(
        responses.QueryToken(
            index=index,
            text=query.text[start:end],
            start=start,
            end=end,
            word=indexes[word] if start < end else -1,
            share=float(weights[index] / weights.sum()),
            is_significant=bool(is_significant[index]),
        )
        for index, ((start, end), word) in enumerate(zip(spans, words, strict=True))
    )


def significant(weights: Floats) -> Flags:
    """Return (n,) which tokens of a query, or words, weigh enough to be highlighted.

    A query without the others finds as much (docs/decisions/0020-highlighting.md). ALIGNER prunes a
    fixed share of a query's tokens instead (section 3.2, beta_q).

    Args:
        weights: (n,) at least 0, without the summary's.

    >>> significant(np.array([0.4, 2.0, 1.6, 0.5], dtype=np.float32)).tolist()
    [False, True, True, False]
    """
    if not len(weights):
        return np.zeros(0, dtype=np.bool_)
    # With a tolerance, for tokens of equal weight.
    flags: Flags = weights >= _LEAST_SHARE_OF_MEAN * weights.mean() - 1e-6
    return flags


def visible(tokens: tuple[responses.QueryToken, ...]) -> tuple[responses.QueryToken, ...]:
    """Return the tokens with characters."""
    return tuple(token for token in tokens if token.start < token.end)


def alignments(
    query: tuple[responses.QueryToken, ...],
    passage: TokenSpans,
    texts: tuple[str, str],
    similarity: Floats,
    alignment: Floats,
    positions: Numbers | None = None,
) -> tuple[responses.Alignment, ...]:
    """Return the aligned pairs as character spans, by query token, most similar first.

    Pairs with a token without characters are left out.

    Args:
        query: the n tokens of the query.
        passage: the m tokens of the passage.
        texts: the passage's context and text.
        similarity: (n, k), with the k vectors of the passage.
        alignment: (n, k), not 0 for aligned pairs.
        positions: (k,) the main token of each vector; None if k = m. If the passage also has the
            query's token itself, that is the highlighted one: tokens of one piece of word nearly
            always share a vector.
    """
    rows, columns = np.nonzero(alignment)
    values = similarity[rows, columns]
    order = np.lexsort((columns, -values, rows))
    rows, columns = rows[order], columns[order]
    shown_columns = columns
    if positions is not None:
        shown_columns = _highlighted(query, passage, texts, rows, positions[columns])
    # Stored vectors are only nearly of unit length.
    cosines = values[order].clip(-1, 1)
    alignments = []
    for i, column, (start, end), cosine in zip(
        rows.tolist(),
        shown_columns.tolist(),
        passage.spans[shown_columns].tolist(),
        cosines.tolist(),
        strict=True,
    ):
        if start == end or query[i].start == query[i].end:
            continue
        in_context = column < passage.context
        alignments.append(
            responses.Alignment(
                query_index=i,
                query_token=query[i].text,
                start=start,
                end=end,
                similarity=round(cosine, 4),
                text=texts[0 if in_context else 1][start:end],
                in_context=in_context,
            )
        )
    return tuple(alignments)


def _piece(passage: TokenSpans, texts: tuple[str, str], index: int) -> str:
    start, end = passage.spans[index].tolist()
    return texts[0 if index < passage.context else 1][start:end]


def _highlighted(
    query: tuple[responses.QueryToken, ...],
    passage: TokenSpans,
    texts: tuple[str, str],
    rows: Numbers,
    main: Numbers,
) -> Numbers:
    """Return (a,) the tokens to highlight for aligned pairs with stored vectors.

    Args:
        query: the tokens of the query.
        passage: the tokens of the passage.
        texts: the passage's context and text.
        rows: (a,) the query's token of each pair.
        main: (a,) the main token of each pair's vector.
    """
    chosen = main.copy()
    lengths = passage.spans[:, 1] - passage.spans[:, 0]
    lower = [text.lower() for text in texts]
    columns_of: dict[str, list[int]] = {}
    for pair, (row, column) in enumerate(zip(rows.tolist(), main.tolist(), strict=True)):
        piece = query[row].text.lower()
        # Most pieces are not in the passage, which is found out fast.
        if not query[row].is_significant or not any(piece in text for text in lower):
            continue
        if piece not in columns_of:
            columns_of[piece] = [
                index
                for index in np.flatnonzero(lengths == len(piece)).tolist()
                if _piece(passage, texts, index).lower() == piece
            ]
        if equal := columns_of[piece]:
            chosen[pair] = min(equal, key=lambda index: abs(index - column))
    return chosen


def salient_words(passage: EncodedPassage, text: str, count: int) -> tuple[str, ...]:
    """Return up to `count` distinct words of a passage, the most salient ones, in text order.

    A word is as salient as its most salient token. If the model has no salience, the first words
    are returned. Words of a mail's header lines are left out if there are others.

    Source: ALIGNER, section 3.2: the unary salience of a passage's tokens.
    """
    seen, vectors = passage.tokens, passage.vectors
    best: dict[int, tuple[float, int, int]] = {}
    headers = mail_headers_end(text)
    headers = headers if text[headers:].strip() else 0
    for token in range(seen.context, len(seen)):
        (start, end), word = seen.spans[token], seen.words[token]
        if start == end or word < 0 or start < headers:
            continue
        salience = float(vectors.saliences[token]) if vectors.saliences is not None else 1.0
        before = best.get(word, (0.0, start, end))
        best[word] = (max(before[0], salience), min(before[1], start), max(before[2], end))
    chosen: dict[str, tuple[float, int, str]] = {}
    for salience, start, end in best.values():
        for term in fts.terms(text[start:end]):
            if salience > chosen.get(term, (0.0, 0, ""))[0]:
                chosen[term] = (salience, start, term)
    most_salient = sorted(chosen.values(), key=lambda ranked: -ranked[0])[:count]
    return tuple(term for _, _, term in sorted(most_salient, key=lambda ranked: ranked[1]))


@dataclass(frozen=True, slots=True)
class Explainer:
    """Aligns passages with queries by one generation's model; thread-safe."""

    generation: IndexGeneration
    strategy: AlignmentStrategy
    caches: SearchCaches

    def stored(
        self,
        db: sqlite3.Connection,
        query: EncodedQuery,
        tokens: tuple[responses.QueryToken, ...],
        shown: Sequence[responses.Passage],
    ) -> dict[int, tuple[responses.Alignment, ...]]:
        """Return the alignments of passages with their stored vectors, by passage id.

        A vector highlights the token with the largest part in it. Passages without vectors are left
        out.
        """
        passage_ids = [passage.id for passage in shown]
        vectors = self.generation.searcher.vectors(passage_ids)
        lengths = passages.lengths(db, passage_ids)
        present = [passage for passage in shown if passage.id in vectors]
        alignments_of = {}
        spans_of = self.caches.spans.of(present, self.generation)
        for passage, spans in zip(present, spans_of, strict=True):
            own = vectors[passage.id]
            pairs, alignment = query.aligned(own.vectors, self.strategy, lengths.get(passage.id))
            texts = (passage.context, passage.text)
            alignments_of[passage.id] = alignments(
                tokens, spans, texts, pairs, alignment, own.positions
            )
        return alignments_of

    def exact(
        self,
        query: EncodedQuery,
        tokens: tuple[responses.QueryToken, ...],
        shown: Sequence[responses.Passage | StoredPassage],
        job: Job | None = None,
    ) -> dict[int, tuple[responses.Alignment, ...]]:
        """Return the alignments of passages with all their token vectors, by passage id.

        Raises:
            Cancelled: the job was cancelled.
        """
        encoded = self.caches.passages.of(shown, self.generation, job)
        alignments_of = {}
        for passage, seen in zip(shown, encoded, strict=True):
            pairs, alignment = query.aligned(seen.vectors.vectors, self.strategy)
            texts = (passage.context, passage.text)
            spans = TokenSpans.of(seen.tokens)
            alignments_of[passage.id] = alignments(tokens, spans, texts, pairs, alignment)
        return alignments_of

    def align(
        self, catalog: Catalog, query: str, passage_ids: Sequence[int], job: Job | None = None
    ) -> responses.ExactAlignments:
        """Return the exact alignments of a query, as typed, with passages.

        With a refinement store, they refer to its vectors, and only passages that are not indexed
        are encoded.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or too long.
        """
        text, queries = checked(query).text, self.caches.queries
        alignments_of: dict[int, tuple[responses.Alignment, ...]] = {}
        with catalog.reading() as db:
            encoded = weighted_query(db, text, self.generation, queries)
            tokens = query_tokens(encoded)
            stored = list(passages.fetch(db, passage_ids).values())
            if self.generation.searcher.has_store:
                shown = [responses.Passage.of(passage) for passage in stored]
                alignments_of = self.stored(db, encoded, tokens, shown)
                stored = [passage for passage in stored if passage.id not in alignments_of]
        alignments_of |= self.exact(encoded, tokens, stored, job) if stored else {}
        return responses.ExactAlignments(visible(tokens), alignments_of)

    def explain(
        self, catalog: Catalog, text: str, passage_id: int, terms: tuple[responses.ScoreTerm, ...]
    ) -> Explanation:
        """Compare a passage with a query: as it is stored, and with all token vectors.

        Args:
            catalog: the library's.
            text: the query without operators.
            passage_id: the passage.
            terms: of its score.

        Raises:
            GoneError: the passage no longer exists.
        """
        stored = _fetch(catalog, passage_id)
        with catalog.reading() as db:
            encoded_query = weighted_query(db, text, self.generation, self.caches.queries)
        (encoded,) = self.caches.passages.of([stored], self.generation)
        vectors = encoded.vectors
        tokens = _passage_tokens(stored, encoded.tokens)
        exact = Comparison(
            tokens,
            similarity(encoded_query.vectors.vectors, vectors.vectors),
            encoded_query.weights,
            vectors.saliences,
            len(tokens),
            encoded_query.has_summary,
        )
        compared = self._stored(encoded_query, passage_id, exact)
        pruned: tuple[int, ...] = ()
        if compared is not None:
            keeping = self.generation.reduction
            has_summary = self.generation.checkpoint.passages.includes_summary
            pruned = pruned_tokens(vectors, keeping, has_summary=has_summary)
        return Explanation(
            passage=responses.Passage.of(stored),
            tokens=query_tokens(encoded_query),
            stored=compared,
            exact=exact,
            strategy=self.strategy,
            terms=terms,
            pruned=pruned,
        )

    def salient_words(self, catalog: Catalog, passage_id: int, count: int) -> tuple[str, ...]:
        """Return the most salient words of a passage.

        Raises:
            GoneError: the passage no longer exists.
        """
        stored = _fetch(catalog, passage_id)
        (encoded,) = self.caches.passages.of([stored], self.generation)
        return salient_words(encoded, stored.text, count)

    def _stored(self, query: EncodedQuery, passage_id: int, exact: Comparison) -> Comparison | None:
        """Return the comparison with the stored vectors, in the order of their tokens."""
        own = self.generation.searcher.vectors([passage_id]).get(passage_id)
        if own is None:
            return None
        order = np.argsort(own.positions, kind="stable")
        positions = own.positions[order]
        return Comparison(
            tuple(exact.tokens[position] for position in positions.tolist()),
            similarity(query.vectors.vectors, own.vectors[order]),
            query.weights,
            None if exact.saliences is None else exact.saliences[positions],
            exact.length,
            exact.has_summary,
        )


def _fetch(catalog: Catalog, passage_id: int) -> StoredPassage:
    with catalog.reading() as db:
        stored = passages.fetch(db, [passage_id]).get(passage_id)
    if stored is None:
        raise GoneError("This passage is no longer in the library. Search again.")
    return stored


def _passage_tokens(passage: StoredPassage, seen: TextTokens) -> tuple[PassageToken, ...]:
    tokens = []
    for index, (start, end) in enumerate(seen.spans):
        in_context = index < seen.context
        text = passage.context if in_context else passage.text
        tokens.append(PassageToken(text[start:end], start, end, in_context))
    return tuple(tokens)


def adding_up(parts: Sequence[float], digits: int) -> list[float]:
    """Round the parts so that they add up to their rounded sum (largest remainder method).

    >>> adding_up([0.333, 0.333, 0.334], 2)
    [0.33, 0.33, 0.34]
    >>> adding_up([0.126, 0.126, 0.126], 2), sum([0.13, 0.13, 0.13])
    ([0.13, 0.13, 0.12], 0.39)
    """
    units = 10**digits
    exact = [part * units for part in parts]
    floors = [int(np.floor(value)) for value in exact]
    missing = round(sum(exact)) - sum(floors)
    by_loss = sorted(range(len(exact)), key=lambda index: floors[index] - exact[index])
    for index in by_loss[:missing]:
        floors[index] += 1
    return [floor / units for floor in floors]


# Decimals of every score that is shown.
SCORE_DIGITS: Final = 3
# Aligned tokens named per query token.
_PARTNERS: Final = 4


@dataclass(frozen=True, slots=True)
class TokenLine:
    """The contribution of a query token to the score, rounded; all lines add up exactly.

    `partners` are the most similar of its `count` aligned tokens, best first, and `similarity` is
    the mean of all of them.
    """

    token: responses.QueryToken
    partners: tuple[str, ...]
    count: int
    similarity: float
    adds: float
    so_far: float


@dataclass(frozen=True, slots=True)
class TermLine:
    """The contribution of another term of the score, rounded."""

    name: str
    label: str
    adds: float
    so_far: float


@dataclass(frozen=True, slots=True, eq=False)
class ScoreBreakdown:
    """A score under one alignment, line by line.

    Attributes:
        compared: the comparison with stored or exact vectors.
        aligned: the aligned pairs.
        lines: the contribution of each of the query's n tokens.
        terms: the contributions of the score's other terms.
        score: their sum.
        meaning_weight: weight of the mean similarity in the score.
        is_ranking_score: whether the passage was ranked by this score; otherwise it is the score of
            another alignment, or of other vectors.
    """

    compared: Comparison
    aligned: Aligned
    lines: tuple[TokenLine, ...]
    terms: tuple[TermLine, ...]
    score: float
    meaning_weight: float
    is_ranking_score: bool

    def adds(self, row: int, column: int) -> float | None:
        """Return the contribution of a pair to the score; None if it is not aligned."""
        if not self.aligned.alignment[row, column]:
            return None
        return self.meaning_weight * float(self.aligned.contributions[row, column])

    def term(self, name: str) -> float:
        """Return the contribution of the term of this name; 0 if there is none."""
        return sum(line.adds for line in self.terms if line.name == name)


def break_down(
    explanation: Explanation, strategy: AlignmentStrategy, *, stored: bool | None = None
) -> ScoreBreakdown:
    """Add up the score of the explained passage under a strategy.

    Args:
        explanation: of the passage; one without terms is of meaning alone.
        strategy: selects the aligned pairs.
        stored: whether to use the vectors in the index, if there are any, or all token vectors; by
            default those by which the passage was ranked.
    """
    terms = explanation.terms
    meaning = next((term for term in terms if term.name == responses.MEANING), None)
    if stored is None:
        stored = meaning is None or not meaning.is_exact
    compared = explanation.stored if stored and explanation.stored else explanation.exact
    aligned = compared.align(strategy)
    weight = meaning.weight if meaning is not None else 1.0
    other_terms = [term for term in terms if term is not meaning]
    exact = [*(weight * aligned.by_token).tolist(), *(term.adds for term in other_terms)]
    added = adding_up(exact, SCORE_DIGITS)
    so_far = np.cumsum(added).round(SCORE_DIGITS).tolist()
    is_aligned = aligned.alignment != 0
    counts = is_aligned.sum(axis=1)
    # Vectorized over all rows: a query may have dozens of tokens.
    sums = np.where(is_aligned, compared.similarity, 0.0).sum(axis=1, dtype=np.float64)
    means = (sums / np.maximum(counts, 1)).tolist()
    n = len(explanation.tokens)
    lines = tuple(
        TokenLine(token, _partners(row, compared, is_aligned), count, mean, adds, sum_so_far)
        for row, (token, count, mean, adds, sum_so_far) in enumerate(
            zip(explanation.tokens, counts.tolist(), means, added[:n], so_far[:n], strict=True)
        )
    )
    return ScoreBreakdown(
        compared,
        aligned,
        lines,
        tuple(
            TermLine(term.name, term.label, adds, sum_so_far)
            for term, adds, sum_so_far in zip(other_terms, added[n:], so_far[n:], strict=True)
        ),
        round(sum(added), SCORE_DIGITS),
        weight,
        (compared is explanation.exact) == (meaning is not None and meaning.is_exact)
        and strategy == explanation.strategy
        and not (meaning is not None and meaning.is_imputed),
    )


def _partners(row: int, compared: Comparison, is_aligned: Flags) -> tuple[str, ...]:
    """Return the most similar of the passage tokens aligned with a query token."""
    columns = np.flatnonzero(is_aligned[row])
    best = columns[np.argsort(-compared.similarity[row, columns], kind="stable")][:_PARTNERS]
    return tuple(compared.tokens[column].text for column in best.tolist())
