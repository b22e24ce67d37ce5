"""Links that search in Winnow, such as `winnow:search?q=tax+2024`; knows no Qt.

Anybody can write one, onto a page or into a mail. A link therefore can do nothing but look: it
brings the window with a query, and adds, opens and changes nothing.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote_to_bytes

from core.errors import UsageError
from core.printable import quoted

SCHEME: Final = "winnow"
_SEARCH: Final = "search"
_WORDS: Final = "q"
_FOLDER: Final = "in"
_ESCAPE: Final = re.compile("%(?![0-9A-Fa-f]{2})")
# So much of a link that is refused is repeated.
_SHOWN: Final = 60


def is_link(argument: str) -> bool:
    """Return whether somebody who was handed this was handed a link to Winnow, good or bad.

    >>> is_link("winnow:search?q=tax"), is_link("Winnow:delete"), is_link("winnow")
    (True, True, False)
    """
    return argument[: len(SCHEME) + 1].casefold() == f"{SCHEME}:"


def query_of(link: str) -> str:
    """Return the query that a link asks for: its words, `q`, within a folder, `in`.

    >>> query_of("winnow:search?q=tax%20%22last%20year%22&in=Letters")
    'in:Letters tax "last year"'

    Raises:
        UsageError: it asks for anything else, or is not written as links are.
    """
    # Here: the window knows what a link is before it is on the screen, and no queries yet.
    from core.search.query.language import LONGEST, Clause

    place, mark, told = link.partition(":")[2].partition("?")
    if place != _SEARCH or not mark or "#" in told:
        raise _refused(link)
    said: dict[str, str] = {}
    for one in told.split("&"):
        name, equals, value = one.partition("=")
        text = _text_of(value)
        if name not in {_WORDS, _FOLDER} or not equals or name in said or text is None:
            raise _refused(link)
        said[name] = text
    words, folder = said.get(_WORDS, ""), said.get(_FOLDER, "")
    query = f"{Clause(_FOLDER, folder)} {words}" if folder else words
    if not words.strip() or len(query) > LONGEST:
        raise _refused(link)
    return query


def _text_of(value: str) -> str | None:
    """Return what stands in a link as text; None where it is no text that can be typed."""
    from core.search.query.language import NO_TEXT

    if _ESCAPE.search(value):
        return None
    try:
        text = unquote_to_bytes(value.replace("+", " ")).decode("utf-8")
    except UnicodeError:
        # Also what the system handed over as bytes that are no text.
        return None
    return None if NO_TEXT.search(text) else text


def _refused(link: str) -> UsageError:
    shown = link if len(link) <= _SHOWN else f"{link[: _SHOWN - 1]}…"
    return UsageError(
        "The link {0} cannot be followed; a link to Winnow is written winnow:search?q=WORDS, "
        "with &in=FOLDER to search in a folder.",
        quoted(shown),
    )
