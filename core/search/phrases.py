"""Whether a phrase stands in a text, word for word."""

from __future__ import annotations

import re

from core.catalog.folding import UNSPACED, fold


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
