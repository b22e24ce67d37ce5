"""Names in code, and the words that they are made of: `user` and `UserById` of `getUserById`.

The word index has `getUserById` as one word, and `http_request` as two. The catalog's table
`joined_forms` has the forms by which a search finds a part of the first, and the second joined.
"""

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final

# Where the parts of a name meet, and a name. Other scripts have no such names.
_BORDER: Final = re.compile(
    "[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]|[A-Za-z0-9]_(?=[A-Za-z0-9])"
)
_NAME: Final = re.compile(r"[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)*(?!\w)")
_PART: Final = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# Longer ones, or of more parts, are mostly hashes and encoded data.
_LONGEST: Final = 48
_MOST_PARTS: Final = 8
# Characters of the shortest form, and of the shortest that is a number.
_SHORTEST: Final = 3
_SHORTEST_NUMBER: Final = 4


def parts_of_name(name: str) -> list[str]:
    """Return the parts of a name without underscores.

    >>> parts_of_name("getUserById"), parts_of_name("i18n"), parts_of_name("HTTPServer2")
    (['get', 'User', 'By', 'Id'], ['i', '18', 'n'], ['HTTP', 'Server', '2'])
    """
    return _PART.findall(name)


def name_forms(text: str) -> Iterator[tuple[str, str]]:
    """Yield forms of the names in a text of plain letters, and the words that each stands for.

    The words are a phrase of the word index, in lower case.

    >>> list(name_forms("an i18n of HttpRequest, http_request"))  # doctest: +NORMALIZE_WHITESPACE
    [('i18', 'i18n'), ('18n', 'i18n'), ('http', 'httprequest'), ('request', 'httprequest'),
     ('httprequest', 'http request')]
    """
    done = 0
    for border in _BORDER.finditer(text):
        if (start := border.start()) < done:
            continue
        while start > done and _is_inner(text[start - 1]):
            start -= 1
        name = _NAME.match(text, start)
        done = border.end() if name is None else name.end()
        if name is not None and len(name[0]) <= _LONGEST:
            yield from _forms(name[0])


def _is_inner(character: str) -> bool:
    return character.isalnum() or character == "_"


def _forms(name: str) -> Iterator[tuple[str, str]]:
    words = [word for word in name.split("_") if word]
    if len(words) <= _MOST_PARTS:
        for first, last in combinations(range(len(words) + 1), 2):
            if last - first > 1:
                phrase = " ".join(words[first:last]).lower()
                yield phrase.replace(" ", ""), phrase
    for word in words:
        parts = parts_of_name(word)
        if 1 < len(parts) <= _MOST_PARTS:
            for first, last in combinations(range(len(parts) + 1), 2):
                form = "".join(parts[first:last]).lower()
                least = _SHORTEST_NUMBER if form.isdigit() else _SHORTEST
                if len(form) >= least and last - first < len(parts):
                    yield form, word.lower()
