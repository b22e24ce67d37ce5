"""Words of a query that the model has in pieces: which partners of theirs are worth lighting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from core.search.results import Alignment, QueryToken

LIT_FROM: Final = 0.44
"""The similarity from which a pair is lit (docs/decisions/0020-what-is-lit.md)."""


def led(tokens: Sequence[QueryToken], pairs: Iterable[Alignment]) -> tuple[Alignment, ...]:
    """Those of one passage's pairs that stand for whole words of the query.

    The weightiest piece of a word leads. Where it is aligned with nothing like it the others, often
    an ending, say nothing by themselves: the "ness" of "usefulness" finds a partner anywhere.

    >>> use, ness = (QueryToken(n, t, 4 * n, 4 * n + 4, 0, s) for n, t, s in
    ...     ((0, "use", 0.7), (1, "ness", 0.3)))
    >>> far = Alignment(1, "ness", 0, 3, 0.5, "for")
    >>> led((use, ness), [far]), led((use, ness), [far, Alignment(0, "use", 4, 7, 0.9, "use")])[:1]
    ((), (Alignment(query_index=1, query_token='ness', start=0, end=3, similarity=0.5, text='for', \
in_context=False),))
    """
    word_of = {token.index: token.word for token in tokens}
    leading: dict[int, QueryToken] = {}
    for token in tokens:
        if token.word not in leading or token.share > leading[token.word].share:
            leading[token.word] = token
    leaders = {token.index for token in leading.values()}
    found = tuple(pairs)
    there = {
        word_of[pair.query_index]
        for pair in found
        if pair.query_index in leaders and pair.similarity >= LIT_FROM
    }
    return tuple(
        pair
        for pair in found
        if pair.query_index in leaders or word_of.get(pair.query_index, -1) in there
    )
