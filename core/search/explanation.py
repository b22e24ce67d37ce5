"""Why passages were found: the tokens aligned with the query's, and what each adds to the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.alignment.pairwise import AlignmentStrategy, similarity
from core.arrays import Flags, Floats, Numbers
from core.catalog import passages
from core.catalog.catalog import Catalog
from core.catalog.passages import StoredPassage
from core.encoders.encoder import TextTokens
from core.errors import GoneError
from core.index.generation import IndexGeneration
from core.index.index_searcher import VectorSearcher
from core.progress import Job
from core.responses import (
    MEANING,
    Alignment,
    ExactAlignments,
    Passage,
    QueryToken,
    ScoreTerm,
)
from core.search.caches import Recently
from core.search.encodings import EncodedPassage, EncodedQuery, TokenSpans
from core.search.query.language import checked
from core.search.words import fts as word_query
from core.token_comparison import Aligned, Comparison, Explanation, PassageToken

_LEAST_SHARE_OF_MEAN: Final = 0.7


def query_tokens(query: EncodedQuery) -> tuple[QueryToken, ...]:
    """The tokens of the query; words are numbered without gaps, those that tell before the others.

    Those of the frame that stand for no characters are of no word.
    """
    spans, words = query.tokens.spans, query.tokens.words
    weights = query.weights
    is_own = np.array([start < end for start, end in spans], dtype=np.bool_)
    is_significant = np.ones(len(spans), dtype=np.bool_)
    is_significant[is_own] = significant(weights[is_own])
    # A word tells as a whole: its lesser pieces, where it is found, are found with it.
    told = {words[index] for index in np.flatnonzero(is_own & is_significant)}
    is_significant[is_own] = [words[index] in told for index in np.flatnonzero(is_own)]
    numbers: dict[int, int] = {}
    for flags in (is_own & is_significant, is_own):
        for index in np.flatnonzero(flags).tolist():
            numbers.setdefault(words[index], len(numbers))
    return tuple(
        QueryToken(
            index=index,
            text=query.text[start:end],
            start=start,
            end=end,
            word=numbers[word] if start < end else -1,
            share=float(weights[index] / weights.sum()),
            is_significant=bool(is_significant[index]),
        )
        for index, ((start, end), word) in enumerate(zip(spans, words, strict=True))
    )


def significant(weights: Floats) -> Flags:
    """Which tokens of a query, or words, weigh enough for what they find to be worth showing.

    Those that weigh .7 of the mean and more: a query that is asked without the others finds as much
    (docs/decisions/0020-highlighting.md). ALIGNER prunes a share of a query's tokens (section 3.2,
    beta_q), but queries differ in how many of theirs say something.

    Args:
        weights: (n,) at least 0; the summary's, which is no word, left out.

    >>> significant(np.array([0.4, 2.0, 1.6, 0.5], dtype=np.float32)).tolist()
    [False, True, True, False]
    """
    if not len(weights):
        return np.zeros(0, dtype=np.bool_)
    # Rounding must not put tokens into the dark that all weigh the same.
    flags: Flags = weights >= _LEAST_SHARE_OF_MEAN * weights.mean() - 1e-6
    return flags


def shown(tokens: tuple[QueryToken, ...]) -> tuple[QueryToken, ...]:
    """Return those that stand for characters of the query."""
    return tuple(token for token in tokens if token.start < token.end)


def alignments(
    query: tuple[QueryToken, ...],
    passage: TokenSpans,
    texts: tuple[str, str],
    similarity: Floats,
    alignment: Floats,
    lit: Numbers | None = None,
) -> tuple[Alignment, ...]:
    """Return the aligned pairs as spans of characters, by query token, the most similar first.

    Pairs in which either token stands for no characters are left out: there is nothing to light.

    Args:
        query: the n tokens of the query.
        passage: the m tokens of the passage.
        texts: the passage's context and text.
        similarity: (n, k), with the k vectors that stand for the passage's tokens.
        alignment: (n, k), not zero where two are aligned.
        lit: (k,) for each vector the place of the token to light; None where k = m and every
            token lights itself.
    """
    rows, columns = np.nonzero(alignment)
    values = similarity[rows, columns]
    order = np.lexsort((columns, -values, rows))
    rows, columns = rows[order], columns[order]
    places = columns if lit is None else lit[columns]
    # Stored vectors are near unit length only: a cosine is what is meant.
    cosines = values[order].clip(-1, 1)
    found = []
    for i, place, (start, end), cosine in zip(
        rows.tolist(),
        places.tolist(),
        passage.places[places].tolist(),
        cosines.tolist(),
        strict=True,
    ):
        if start == end or query[i].start == query[i].end:
            continue
        in_context = place < passage.context
        found.append(
            Alignment(
                query_index=i,
                query_token=query[i].text,
                start=start,
                end=end,
                similarity=round(cosine, 4),
                text=texts[0 if in_context else 1][start:end],
                in_context=in_context,
            )
        )
    return tuple(found)


def salient_words(passage: EncodedPassage, text: str, count: int) -> tuple[str, ...]:
    """Up to `count` different words of a passage, the most salient ones, as they stand in it.

    A word is as salient as its most salient token. Where the model has learned no salience the
    first words are given.

    Source: ALIGNER, section 3.2: the unary salience of a passage's tokens.
    """
    seen, found = passage.tokens, passage.vectors
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
        for term in word_query.terms(text[start:end]):
            if salience > chosen.get(term, (0.0, 0, ""))[0]:
                chosen[term] = (salience, start, term)
    telling = sorted(chosen.values(), key=lambda one: -one[0])[:count]
    return tuple(term for _, _, term in sorted(telling, key=lambda one: one[1]))


class Explainer:
    """Aligns passages of one catalog with queries; for any number of threads at once."""

    def __init__(
        self,
        catalog: Catalog,
        generation: IndexGeneration,
        strategy: AlignmentStrategy,
        recent: Recently,
        index: VectorSearcher | None = None,
    ) -> None:
        """Align by the generation's model, with the vectors of `index`: by default all it has."""
        self._catalog = catalog
        self._index = index or generation.searcher
        self._generation = generation
        self._strategy = strategy
        self._recent = recent

    def stored(
        self, query: EncodedQuery, listed: Sequence[StoredPassage]
    ) -> dict[int, tuple[Alignment, ...]]:
        """The alignments of passages with the vectors that are stored of them, by their numbers.

        A vector lights the one token that has the most part in it. Passages without vectors are
        left out.
        """
        vectors = self._index.vectors([passage.id for passage in listed])
        there = [passage for passage in listed if passage.id in vectors]
        tokens = query_tokens(query)
        found = {}
        every = self._recent.spans.of(there, self._generation)
        for passage, spans in zip(there, every, strict=True):
            stand_ins = vectors[passage.id]
            pairs, alignment = query.aligned(stand_ins.vectors, self._strategy, passage.tokens)
            texts = (passage.context, passage.text)
            found[passage.id] = alignments(
                tokens, spans, texts, pairs, alignment, stand_ins.positions
            )
        return found

    def exact(self, typed: str, numbers: Sequence[int], job: Job | None = None) -> ExactAlignments:
        """Return the alignments of passages of which every token is encoded anew and lights itself.

        Raises:
            Cancelled: the job was cancelled.
            UsageError: the query is empty or enormous.
        """
        query = self._recent.queries.of(checked(typed).text, self._generation)
        with self._catalog.reading() as db:
            there = list(passages.fetch(db, numbers).values())
        return ExactAlignments(shown(query_tokens(query)), self.exact_of(query, there, job))

    def exact_of(
        self, query: EncodedQuery, listed: Sequence[StoredPassage], job: Job | None = None
    ) -> dict[int, tuple[Alignment, ...]]:
        """Return the same for a query that is encoded and passages that were fetched."""
        tokens = query_tokens(query)
        encoded = self._recent.passages.of(listed, self._generation, job)
        found = {}
        for passage, seen in zip(listed, encoded, strict=True):
            pairs, alignment = query.aligned(seen.vectors.vectors, self._strategy)
            texts = (passage.context, passage.text)
            spans = TokenSpans.of(seen.tokens)
            found[passage.id] = alignments(tokens, spans, texts, pairs, alignment)
        return found

    def explain(self, typed: str, number: int) -> Explanation:
        """One passage compared with the query in full, as it is stored and encoded anew.

        Raises:
            GoneError: the passage is gone.
            UsageError: the query is empty or enormous.
        """
        text = checked(typed).text
        stored = self._passage(number)
        query = self._recent.queries.of(text, self._generation)
        (encoded,) = self._recent.passages.of([stored], self._generation)
        found = encoded.vectors
        tokens = _passage_tokens(stored, encoded.tokens)
        exact = Comparison(
            tokens,
            similarity(query.vectors.vectors, found.vectors),
            query.weights,
            found.saliences,
            len(tokens),
            query.has_summary,
        )
        return Explanation(
            passage=Passage.of(stored),
            tokens=query_tokens(query),
            stored=self._stored(query, number, exact),
            exact=exact,
            strategy=self._strategy,
        )

    def salient_words(self, number: int, count: int) -> tuple[str, ...]:
        """Return the words that say most of what a passage is about.

        Raises:
            GoneError: the passage is gone.
        """
        stored = self._passage(number)
        (encoded,) = self._recent.passages.of([stored], self._generation)
        return salient_words(encoded, stored.text, count)

    def _passage(self, number: int) -> StoredPassage:
        with self._catalog.reading() as db:
            stored = passages.fetch(db, [number]).get(number)
        if stored is None:
            raise GoneError("This passage is no longer in the library; search again.")
        return stored

    def _stored(self, query: EncodedQuery, number: int, exact: Comparison) -> Comparison | None:
        """The comparison with the stored vectors, in the order of the tokens they stand for."""
        stand_ins = self._index.vectors([number]).get(number)
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
            exact.has_summary,
        )


def _passage_tokens(passage: StoredPassage, seen: TextTokens) -> tuple[PassageToken, ...]:
    made = []
    for place, (start, end) in enumerate(seen.spans):
        in_context = place < seen.context
        text = passage.context if in_context else passage.text
        made.append(PassageToken(text[start:end], start, end, in_context))
    return tuple(made)


def adding_up(parts: Sequence[float], digits: int) -> list[float]:
    """The parts rounded so that they add up to their rounded sum, to the last digit that is shown.

    Those that lose most by it are rounded up, as seats are given by largest remainders.

    >>> adding_up([0.333, 0.333, 0.334], 2)
    [0.33, 0.33, 0.34]
    >>> adding_up([0.126, 0.126, 0.126], 2), sum([0.13, 0.13, 0.13])
    ([0.13, 0.13, 0.12], 0.39)
    """
    units = 10**digits
    exact = [part * units for part in parts]
    floors = [int(np.floor(one)) for one in exact]
    missing = round(sum(exact)) - sum(floors)
    by_loss = sorted(range(len(exact)), key=lambda place: floors[place] - exact[place])
    for place in by_loss[:missing]:
        floors[place] += 1
    return [floor / units for floor in floors]


SCORE_DIGITS: Final = 3
"""Behind the point, of every score that is shown."""
_PARTNERS: Final = 4


@dataclass(frozen=True, slots=True)
class TokenLine:
    """What one token of the query adds to the score, rounded; all lines add up exactly.

    `partners` are the most similar of the `count` tokens that it is aligned with, best first, and
    `similarity` is the mean of all of them.
    """

    token: QueryToken
    partners: tuple[str, ...]
    count: int
    similarity: float
    adds: float
    so_far: float


@dataclass(frozen=True, slots=True)
class TermLine:
    """What a term of the score that is no token's adds to it, rounded, under its name and label."""

    name: str
    label: str
    adds: float
    so_far: float


@dataclass(frozen=True, slots=True, eq=False)
class ScoreBreakdown:
    """A score under one alignment, line by line.

    Attributes:
        compared: with which vectors.
        aligned: which pairs are.
        lines: what each of the query's n tokens adds.
        terms: what the score's other terms add.
        score: the sum of all.
        meaning_weight: what an aligned pair adds to the score, of what it adds to the mean
            similarity.
        is_ranking_score: whether the passage was ranked by this score; else it is the one that
            another alignment, or the exact vectors, would have given.
    """

    compared: Comparison
    aligned: Aligned
    lines: tuple[TokenLine, ...]
    terms: tuple[TermLine, ...]
    score: float
    meaning_weight: float
    is_ranking_score: bool

    def adds(self, row: int, column: int) -> float | None:
        """Return what a pair adds to the score; None where it is not aligned."""
        if not self.aligned.alignment[row, column]:
            return None
        return self.meaning_weight * float(self.aligned.contributions[row, column])

    def term(self, name: str) -> float:
        """Return what the term of this name adds; 0 where the score has none such."""
        return sum(line.adds for line in self.terms if line.name == name)


def break_down(
    explanation: Explanation,
    terms: Sequence[ScoreTerm],
    strategy: AlignmentStrategy,
    *,
    stored: bool | None = None,
) -> ScoreBreakdown:
    """Add up the score of the explained passage under a strategy.

    Args:
        explanation: of the passage.
        terms: of its score in the list; () for meaning alone.
        strategy: which pairs are aligned.
        stored: with the vectors in the index, where there are any, or with those encoded anew; by
            default with those by which the passage was ranked.
    """
    meaning = next((term for term in terms if term.name == MEANING), None)
    if stored is None:
        stored = meaning is None or not meaning.is_exact
    compared = explanation.stored if stored and explanation.stored else explanation.exact
    aligned = compared.align(strategy)
    weight = meaning.weight if meaning is not None else 1.0
    others = [term for term in terms if term is not meaning]
    exact = [*(weight * aligned.by_token).tolist(), *(term.adds for term in others)]
    added = adding_up(exact, SCORE_DIGITS)
    so_far = np.cumsum(added).round(SCORE_DIGITS).tolist()
    is_aligned = aligned.alignment != 0
    counts = is_aligned.sum(axis=1)
    # Once for all rows: a query may have dozens of tokens, and the window waits for it.
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
            for term, adds, sum_so_far in zip(others, added[n:], so_far[n:], strict=True)
        ),
        round(sum(added), SCORE_DIGITS),
        weight,
        (compared is explanation.exact) == (meaning is not None and meaning.is_exact)
        and strategy == explanation.strategy
        and not (meaning is not None and meaning.is_imputed),
    )


def _partners(row: int, compared: Comparison, is_aligned: Flags) -> tuple[str, ...]:
    """Return the passage's tokens that a query token is most like of those it is aligned with."""
    columns = np.flatnonzero(is_aligned[row])
    best = columns[np.argsort(-compared.similarity[row, columns], kind="stable")][:_PARTNERS]
    return tuple(compared.tokens[column].text for column in best.tolist())
