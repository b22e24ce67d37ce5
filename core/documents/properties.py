"""What documents say of themselves, as far as it is true: title, author and date."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from core.documents.dates import iso_date
from core.documents.text import one_line
from core.documents.titles import real_title, shorten

_LONGEST_AUTHOR = 300
# What programs write where nobody gave a name, and the names of programs.
_NOBODY = re.compile(
    r"(unknown|anonymous|author|unbekannt|none|null|owner|user( ?name)?|default user|default"
    r"|admin(istrator)?|root|guest|pc|home|customer|valued (gateway )?customer"
    r"|(microsoft |ms )?(office|windows|word|excel|powerpoint)( user)?|microsoft( corporation)?"
    r"|python-(docx|pptx)|openpyxl|xlsxwriter|apache (poi|openoffice)|libreoffice|openoffice"
    r"|calibre|pandoc)[ _-]*[\d.]*"
    # Addresses of people's pages, and what scripts print of a list or an object.
    r"|https?://\S+|www\.\S+|(array|hash|scalar|code|object)\(0x[\da-f]+\)|\[object \w+\]",
    re.IGNORECASE,
)
# When the empty documents were saved that python-docx and python-pptx begin with.
_TEMPLATES_SAVED = frozenset(
    {"2013-12-23T23:15:00+00:00", "2013-01-27T09:14:16+00:00", "2013-01-27T09:15:58+00:00"}
)
# The days from which computers count, which stand for no day.
_EPOCHS = (
    *("0001-01-01", "1601-01-01", "1899-12-30", "1899-12-31"),
    *("1900-01-01", "1904-01-01", "1970-01-01", "1980-01-01"),
)


class Properties(NamedTuple):
    """A document's title, author and date in the form that `Document` has them."""

    title: str = ""
    author: str = ""
    date: str = ""


def properties(
    title: str | None, authors: Iterable[str | None], dates: Iterable[str | None]
) -> Properties:
    """Return what is real of what a file's metadata say.

    `authors` are all named, each once; of `dates` the first is taken that names a day.

    >>> properties("Untitled 1", ["Ann Rook", "Administrator", "Ann Rook"], [None, "2024-06-30"])
    Properties(title='', author='Ann Rook', date='2024-06-30')
    """
    names = [one_line(author or "") for author in authors]
    real = dict.fromkeys(name for name in names if name and not _NOBODY.fullmatch(name))
    days = (
        day
        for day in map(iso_date, dates)
        if day and day not in _TEMPLATES_SAVED and not day.startswith(_EPOCHS)
    )
    return Properties(real_title(title), shorten("; ".join(real), _LONGEST_AUTHOR), next(days, ""))
