"""Why a passage was found: the pairs of tokens that its score is made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.encoders.encoder import TextTokens
from core.search.results import Alignment, QueryToken

Floats = npt.NDArray[np.float32]


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
    passage: TextTokens,
    texts: tuple[str, str],
    similarity: Floats,
    alignment: Floats,
    lit: Sequence[int],
) -> tuple[Alignment, ...]:
    """The aligned pairs as spans of characters, by query token, the most similar first.

    Pairs in which either token stands for no characters are left out: there is nothing to light.

    Args:
        query: the n tokens of the query.
        passage: the m tokens of the passage.
        texts: the passage's context and text.
        similarity: (n, k), with the k vectors that stand for the passage's tokens.
        alignment: (n, k), not zero where two are aligned.
        lit: for each of the k vectors the place of the token to light.
    """
    pairs = sorted(
        ((int(i), int(j)) for i, j in np.argwhere(alignment)),
        key=lambda pair: (pair[0], -similarity[pair], pair[1]),
    )
    found = []
    for i, j in pairs:
        place = lit[j]
        start, end = passage.spans[place]
        if start == end or query[i].start == query[i].end:
            continue
        in_context = place < passage.context
        found.append(
            Alignment(
                query_index=i,
                query_token=query[i].text,
                start=start,
                end=end,
                # Stored vectors are near unit length only: a cosine is what is meant.
                similarity=round(min(max(float(similarity[i, j]), -1.0), 1.0), 4),
                text=texts[0 if in_context else 1][start:end],
                in_context=in_context,
            )
        )
    return tuple(found)
