"""Why a passage was found: the pairs of tokens that its score is made of."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.arrays import Flags, Floats, Numbers
from core.search.encoded import EncodedQuery
from core.search.results import Alignment, QueryToken
from core.search.spans import TokenSpans

_LEAST_SHARE_OF_MEAN: Final = 0.7


def query_tokens(query: EncodedQuery) -> tuple[QueryToken, ...]:
    """The tokens of the query; words are numbered without gaps, those that tell before the others.

    Those of the frame that stand for no characters are of no word.
    """
    spans, words = query.tokens.spans, query.tokens.words
    weights = query.weights
    is_own = np.array([start < end for start, end in spans], dtype=np.bool_)
    is_telling = np.ones(len(spans), dtype=np.bool_)
    is_telling[is_own] = telling(weights[is_own])
    # A word tells as a whole: its lesser pieces, where it is found, are found with it.
    told = {words[index] for index in np.flatnonzero(is_own & is_telling)}
    is_telling[is_own] = [words[index] in told for index in np.flatnonzero(is_own)]
    numbers: dict[int, int] = {}
    for flags in (is_own & is_telling, is_own):
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
            is_telling=bool(is_telling[index]),
        )
        for index, ((start, end), word) in enumerate(zip(spans, words, strict=True))
    )


def telling(weights: Floats) -> Flags:
    """Which tokens of a query, or words, weigh enough for what they find to be worth showing.

    Those that weigh .7 of the mean and more: a query that is asked without the others finds as much
    (docs/decisions/0020-what-is-lit.md). ALIGNER prunes a share of a query's tokens (section 3.2,
    beta_q), but queries differ in how many of theirs say something.

    Args:
        weights: (n,) at least 0; the summary's, which is no word, left out.

    >>> telling(np.array([0.4, 2.0, 1.6, 0.5], dtype=np.float32)).tolist()
    [False, True, True, False]
    """
    if not len(weights):
        return np.zeros(0, dtype=np.bool_)
    # Rounding must not put tokens into the dark that all weigh the same.
    flags: Flags = weights >= _LEAST_SHARE_OF_MEAN * weights.mean() - 1e-6
    return flags


def shown(tokens: tuple[QueryToken, ...]) -> tuple[QueryToken, ...]:
    """Those that stand for characters of the query."""
    return tuple(token for token in tokens if token.start < token.end)


def alignments(
    query: tuple[QueryToken, ...],
    passage: TokenSpans,
    texts: tuple[str, str],
    similarity: Floats,
    alignment: Floats,
    lit: Numbers | None = None,
) -> tuple[Alignment, ...]:
    """The aligned pairs as spans of characters, by query token, the most similar first.

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
