"""Why a passage was found: the pairs of tokens that its score is made of."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.encoders.encoder import TextTokens
from core.search.results import Alignment, QueryToken
from core.search.spans import TokenSpans

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]


def query_tokens(text: str, tokens: TextTokens) -> tuple[QueryToken, ...]:
    """The tokens of the query `text`; words are numbered without gaps.

    Those of the frame that stand for no characters are of no word.
    """
    numbers: dict[int, int] = {}
    return tuple(
        QueryToken(
            index=index,
            text=text[start:end],
            start=start,
            end=end,
            word=numbers.setdefault(word, len(numbers)) if start < end else -1,
        )
        for index, ((start, end), word) in enumerate(zip(tokens.spans, tokens.words, strict=True))
    )


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
