"""Entries of bibliographies, as they are unpacked and read."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from core.documents.containers.members import part_of
from core.documents.decoding import decode
from core.documents.document import Document
from core.documents.files import read_bytes
from core.documents.metadata import iso_date, joined_names, shorten
from core.documents.text import PageText, one_line
from core.errors import DocumentError

# The suffix of an entry in a bibliography.
SUFFIX: Final = ".reference"
_LONGEST_NAME: Final = 100
_PARTIAL_DATE: Final = re.compile(r"\s*(\d{4})(?:[-/](\d{1,2}))?(?:[-/](\d{1,2}))?(?!\d)")


@dataclass(slots=True)
class Entry:
    """An entry of a bibliography.

    Attributes:
        date: A day, month or year in ISO 8601, or "".
        fields: Names and values of its other fields, such as the journal.
        parts: Texts with their headings, "" for none: abstract, notes, highlighted passages.
    """

    title: str = ""
    authors: list[str] = field(default_factory=list)
    date: str = ""
    tags: list[str] = field(default_factory=list)
    fields: list[tuple[str, str]] = field(default_factory=list)
    parts: list[tuple[str, str]] = field(default_factory=list)

    @property
    def file_name(self) -> str:
        """The name of its document: first author, year and title."""
        author = self.authors[0] if self.authors else ""
        last = author.partition(",")[0] if "," in author else author.rpartition(" ")[2]
        name = " ".join(filter(None, (last, self.date[:4], self.title))) or "Untitled"
        return part_of(shorten(one_line(name), _LONGEST_NAME)) + SUFFIX

    def packed(self) -> bytes:
        """Return the content of its document."""
        return json.dumps(asdict(self), ensure_ascii=False).encode("utf-8", "replace")


def read(path: Path) -> Document:
    """Read an entry that `Entry.packed` has written.

    Raises:
        DocumentError: It is no entry of a bibliography.
    """
    try:
        packed: dict[str, Any] = json.loads(decode(read_bytes(path)))
        entry = Entry(**packed)
        return _document(entry)
    except (AttributeError, RecursionError, TypeError, ValueError) as error:
        raise DocumentError("Not an entry of a bibliography") from error


def _document(entry: Entry) -> Document:
    page = PageText()
    page.heading(1, entry.title)
    page.add("; ".join(entry.authors))
    page.lines(f"{name}: {one_line(value)}" for name, value in entry.fields)
    page.add(" ".join(f"#{tag}" for tag in entry.tags))
    heading = ""
    for above, text in entry.parts:
        if above != heading:
            page.heading(2, above)
        heading = above
        page.add(text)
    authors = joined_names(entry.authors)
    tags = joined_names(entry.tags)
    return Document(entry.title, (page.page(1),), authors, entry.date, tags)


def date_of(*values: str) -> str:
    """Return the first date among some values: a day, a month, or a year.

    >>> date_of("", "2020-03-00 March 2020"), date_of("2020/03/15/"), date_of("in press")
    ('2020-03', '2020-03-15', '')
    """
    for value in values:
        if match := _PARTIAL_DATE.match(value):
            year, month, day = (int(part or 0) for part in match.groups())
            if month > 12 or day > 31:
                return f"{year:04}"
            return f"{year:04}" + (f"-{month:02}" if month else "") + (f"-{day:02}" if day else "")
        if exact := iso_date(value):
            return exact
    return ""


def words_of(values: Sequence[str], separators: str = ",;") -> list[str]:
    """Return the keywords in lists with separators.

    >>> words_of(["owls, night birds; mice"])
    ['owls', 'night birds', 'mice']
    """
    words = (one_line(word) for value in values for word in re.split(f"[{separators}]", value))
    return list(filter(None, words))
