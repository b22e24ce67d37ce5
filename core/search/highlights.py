"""Why a passage was found: the pairs of tokens that its score is made of."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.encoders.encoder import PassageTokens
from core.encoders.tokens import Tokens
from core.search.results import Alignment, QueryToken

Floats = npt.NDArray[np.float32]


def query_tokens(text: str, tokens: Tokens) -> tuple[QueryToken, ...]:
    """The tokens of the query `text` as they are shown; words are numbered without gaps."""
    numbers: dict[int, int] = {}
    return tuple(
        QueryToken(
            index=index,
            text=text[start:end],
            start=start,
            end=end,
            word=numbers.setdefault(word, len(numbers)),
        )
        for index, ((start, end), word) in enumerate(zip(tokens.spans, tokens.words, strict=True))
    )


def alignments(
    query: tuple[QueryToken, ...],
    passage: PassageTokens,
    texts: tuple[str, str],
    similarity: Floats,
    alignment: Floats,
) -> tuple[Alignment, ...]:
    """The aligned pairs as spans of characters, by query token, the most similar first.

    Args:
        query: the n tokens of the query.
        passage: the m tokens of the passage.
        texts: the passage's context and text.
        similarity: (n, m).
        alignment: (n, m), not zero where two tokens are aligned.
    """
    pairs = sorted(
        ((int(i), int(j)) for i, j in np.argwhere(alignment)),
        key=lambda pair: (pair[0], -similarity[pair], pair[1]),
    )
    found = []
    for i, j in pairs:
        start, end = passage.spans[j]
        in_context = j < passage.context
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
