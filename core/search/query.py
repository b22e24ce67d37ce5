"""What a person typed, taken apart; whatever it is, it is a query."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from core.errors import UsageError

LONGEST: Final = 10_000
"""Characters of a query; the encoder reads its first few hundred tokens in any case."""

# Neither SQLite nor the tokenizer takes NUL, or half a surrogate pair (bytes that are no text).
_NO_TEXT = re.compile(r"[\x00-\x1f\ud800-\udfff]")
_QUOTED = re.compile(r'["“”„«»]([^"“”„«»]*)["“”„«»]')


@dataclass(frozen=True, slots=True)
class Query:
    """A query: all of its text without the quotation marks, and what stood in them.

    `phrases` must occur in a passage as they are, but for case, accents and white space.
    """

    text: str
    phrases: tuple[str, ...]


def parse(typed: str) -> Query:
    """Take apart what was typed.

    Raises:
        UsageError: there is nothing to look for, or far more than a query.

    >>> parse('wing "boundary layer" flow')
    Query(text='wing boundary layer flow', phrases=('boundary layer',))
    >>> parse('a "quote without end')
    Query(text='a quote without end', phrases=())
    """
    if len(typed) > LONGEST:
        raise UsageError(
            f"The query has {len(typed):,} characters; use at most {LONGEST:,}, a few words do."
        )
    typed = _NO_TEXT.sub(" ", typed)
    phrases = tuple(
        " ".join(quoted.split())
        for quoted in _QUOTED.findall(typed)
        if any(map(str.isalnum, quoted))
    )
    text = " ".join(re.sub(r'["“”„«»]', " ", typed).split())
    if not any(map(str.isalnum, text)):
        raise UsageError("The query is empty; type some words to look for.")
    return Query(text, phrases)


def plain(text: str) -> Query:
    """All of `text` as text: for judged queries, which nobody wrote in Winnow's language.

    >>> plain('what is "trunk" based development')
    Query(text='what is "trunk" based development', phrases=())
    """
    return Query(" ".join(_NO_TEXT.sub(" ", text).split()), ())
