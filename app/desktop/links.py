"""Links that search in Winnow (`winnow:search?q=tax+2024`), without Qt.

Any page or mail can contain one. A link therefore only searches: it shows the window with a query,
and adds, opens and changes nothing.
"""

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
# Characters of a refused link that are shown in the error.
_SHOWN: Final = 60


def is_link(argument: str) -> bool:
    """Return whether an argument is a link to Winnow, valid or not.

    >>> is_link("winnow:search?q=tax"), is_link("Winnow:delete"), is_link("winnow")
    (True, True, False)
    """
    return argument[: len(SCHEME) + 1].casefold() == f"{SCHEME}:"


def query_of(link: str) -> str:
    """Return the query of a link: its words, `q`, within a folder, `in`.

    >>> query_of("winnow:search?q=tax%20%22last%20year%22&in=Letters")
    'in:Letters tax "last year"'

    Raises:
        UsageError: the link is malformed.
    """
    # Imported here, because `is_link` is called before the window is shown.
    from core.search.query.language import LONGEST, Clause

    action, mark, parameters = link.partition(":")[2].partition("?")
    if action != _SEARCH or not mark or "#" in parameters:
        raise _refused(link)
    values: dict[str, str] = {}
    for parameter in parameters.split("&"):
        name, equals, value = parameter.partition("=")
        text = _text_of(value)
        if name not in {_WORDS, _FOLDER} or not equals or name in values or text is None:
            raise _refused(link)
        values[name] = text
    words, folder = values.get(_WORDS, ""), values.get(_FOLDER, "")
    query = f"{Clause(_FOLDER, folder)} {words}" if folder else words
    if not words.strip() or len(query) > LONGEST:
        raise _refused(link)
    return query


def _text_of(value: str) -> str | None:
    """Return a decoded value of a link; None if it is not text that can be typed."""
    from core.search.query.language import NO_TEXT

    if _ESCAPE.search(value):
        return None
    try:
        text = unquote_to_bytes(value.replace("+", " ")).decode("utf-8")
    except UnicodeError:
        # Also if the system passed bytes that are not text.
        return None
    return None if NO_TEXT.search(text) else text


def _refused(link: str) -> UsageError:
    shown = link if len(link) <= _SHOWN else f"{link[: _SHOWN - 1]}…"
    return UsageError(
        "The link {0} is not valid. Winnow links have the form winnow:search?q=WORDS, with an "
        "optional &in=FOLDER.",
        quoted(shown),
    )
