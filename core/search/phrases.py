"""Whether phrases stand in a text, word for word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.catalog.folding import UNSPACED, fold
from core.search.query import Query


def contains(text: str, phrase: str) -> bool:
    r"""Whether `phrase` stands in `text` between the borders of words.

    In Chinese, Japanese and Korean, which show no borders, it may stand anywhere.

    >>> contains("The boundary\nlayer.", "Boundary Layer"), contains("layered", "layer")
    (True, False)
    """
    wanted = fold(phrase)
    before = r"(?<!\w)" if wanted and _is_bordered(wanted[0]) else ""
    after = r"(?!\w)" if wanted and _is_bordered(wanted[-1]) else ""
    return re.search(before + re.escape(wanted) + after, fold(text)) is not None


def _is_bordered(character: str) -> bool:
    return re.match(r"\w", character) is not None and not UNSPACED.match(character)


def are_checked(query: Query) -> bool:
    """Whether the query has phrases, which the word index knows by their stems only."""
    return bool(query.phrases or query.unwanted_phrases or query.phrase_alternatives)


def accepts(query: Query, texts: Sequence[str]) -> bool:
    """Whether each of the query's phrases stands in one of the texts, and no unwanted one."""

    def stands(phrase: str) -> bool:
        return any(contains(text, phrase) for text in texts)

    return (
        all(map(stands, query.phrases))
        and not any(map(stands, query.unwanted_phrases))
        and all(
            any(all(stands(term.text) for term in way) for way in ways)
            for ways in query.phrase_alternatives
        )
    )
