"""What limits a query without results: its words, phrases and filters."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query asks for, to give only the hints that apply to it.

    Attributes:
        words: the number of words that may be left out or replaced.
        has_phrases: whether words in quotation marks must occur as they are.
        has_filters: whether it has filters.
    """

    words: int
    has_phrases: bool
    has_filters: bool


def limits_of(typed: str) -> Limits:
    """Return the limits of a query.

    >>> limits_of('owls "at night" type:pdf -bats')
    Limits(words=1, has_phrases=True, has_filters=True)
    """
    # Here, because the window opens before the search modules are loaded.
    from core.search.near_misses import is_filter
    from core.search.query.language import parse

    query = parse(typed)
    words = [word for term in query.wanted if not term.is_phrase for word in term.text.split()]
    is_phrase = any(term.is_phrase for term in query.wanted)
    return Limits(len(words), is_phrase, any(map(is_filter, query.parts)))
