"""The word similarities of the library in memory: equal words, prefixes, and pairs set by tests."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from core.responses import Alignment, Passage, QueryToken
from core.token_comparison import Comparison, PassageToken

WORD = re.compile(r"\w+")
Alike = dict[tuple[str, str], float]


def compared(
    passage: Passage,
    tokens: tuple[QueryToken, ...],
    alike: Alike,
    *,
    least_letters: int,
) -> Comparison:
    found = [one for one in WORD.finditer(passage.text) if len(one.group()) >= least_letters]
    pairs = [
        [similarity_of(query_word.text.lower(), one.group().lower(), alike) for one in found]
        for query_word in tokens
    ]
    saliences = np.array([len(one.group()) for one in found], dtype=np.float32)
    return Comparison(
        tuple(PassageToken(one.group(), *one.span(), False) for one in found),
        np.array(pairs, dtype=np.float32).reshape(len(tokens), len(found)),
        np.array([token.share for token in tokens], dtype=np.float32),
        saliences,
        len(found),
    )


def alignments(
    passage: Passage, tokens: tuple[QueryToken, ...], alike: Alike
) -> tuple[Alignment, ...]:
    pairs: list[Alignment] = []
    for token in tokens:
        best: Alignment | None = None
        for found in WORD.finditer(passage.text):
            similarity = similarity_of(token.text.lower(), found.group().lower(), alike)
            if similarity > (best.similarity if best else 0.3):
                best = Alignment(token.index, token.text, *found.span(), similarity, found.group())
        if best is not None:
            pairs.append(best)
    return tuple(pairs)


def tokens_of(query: str, unsalient: Collection[str]) -> tuple[QueryToken, ...]:
    found = list(WORD.finditer(query))
    saliences = [0.25 if one.group() in unsalient else 1.0 for one in found]
    return tuple(
        QueryToken(
            number,
            one.group(),
            *one.span(),
            number,
            share=salience / sum(saliences),
            is_significant=salience == 1,
        )
        for number, (one, salience) in enumerate(zip(found, saliences, strict=True))
    )


def similarity_of(query_word: str, found: str, alike: Alike) -> float:
    if query_word == found:
        return 0.95
    if len(query_word) > 2 and found.startswith(query_word):
        return 0.8
    return alike.get((query_word, found), 0.0)
