"""How the library in memory compares words: by what the test says is alike."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from core.search.explanation import Comparison, PassageToken
from core.search.results import Passage, QueryToken

_WORD = re.compile(r"\w+")


def similarity(asked: str, found: str, alike: Mapping[tuple[str, str], float]) -> float:
    if asked == found:
        return 0.95
    if len(asked) > 2 and found.startswith(asked):
        return 0.8
    return alike.get((asked, found), 0.0)


def compared(
    passage: Passage,
    tokens: tuple[QueryToken, ...],
    alike: Mapping[tuple[str, str], float],
    *,
    least_letters: int,
) -> Comparison:
    """Compares with the passage's words of so many letters and more."""
    found = [one for one in _WORD.finditer(passage.text) if len(one.group()) >= least_letters]
    pairs = [
        [similarity(asked.text.lower(), one.group().lower(), alike) for one in found]
        for asked in tokens
    ]
    return Comparison(
        tuple(PassageToken(one.group(), *one.span(), False) for one in found),
        np.array(pairs, dtype=np.float32).reshape(len(tokens), len(found)),
        np.array([token.share for token in tokens], dtype=np.float32),
        np.array([len(one.group()) for one in found], dtype=np.float32),
        len(_WORD.findall(passage.text)),
    )
