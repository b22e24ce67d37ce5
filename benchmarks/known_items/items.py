"""Files of a person's folder, questions for documents, and the held-back third."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

# One question in this many is held back: its single result is never shown.
_HELD_BACK: int = 3


@dataclass(frozen=True)
class Question:
    """A question of one part of the benchmark.

    Attributes:
        part: the part.
        kind: the memory that the question uses: "heading", "title" and so on.
        text: the query as typed.
        answers: the documents that are right, by path or id; empty if none is.
    """

    part: str
    kind: str
    text: str
    answers: frozenset[str]

    @property
    def is_held_back(self) -> bool:
        """Whether the question is in the held-back third; its text alone decides.

        >>> [Question("folder", "title", text, frozenset()).is_held_back for text in "abcd"]
        [False, True, False, False]
        """
        digest = hashlib.sha256(self.text.encode()).digest()
        return int.from_bytes(digest[:4], "big") % _HELD_BACK == 0


@dataclass(frozen=True)
class Section:
    """A heading, "" for none, with paragraphs and the rows of a table."""

    heading: str
    paragraphs: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Mail:
    """The header of a mail, or the people of an entry in a calendar."""

    sender: str
    address: str
    recipient: str


@dataclass(frozen=True)
class PersonFile:
    """A file of a person's folder.

    Attributes:
        path: relative to the folder, with forward slashes; its suffix chooses the writer.
        kind: "invoice", "manual" and so on.
        day: when it was written.
        title: its title.
        sections: its text.
        mail: the header if it is a mail.
    """

    path: str
    kind: str
    day: date
    title: str
    sections: tuple[Section, ...]
    mail: Mail | None = None

    @property
    def text(self) -> str:
        """All text, for tests of questions."""
        parts = [self.title]
        for section in self.sections:
            parts += (section.heading, *section.paragraphs)
            parts += (" ".join(row) for row in section.rows)
        return "\n".join(parts)


@dataclass(frozen=True)
class Item:
    """A file, and the questions that it is the answer to, by kind."""

    file: PersonFile
    wordings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
