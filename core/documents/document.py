"""What a reader gives: a document as pages of plain text with positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from core.documents.styles import Row, StyledSpan


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a page: `text` begins at character `start`; level 1 is the outermost."""

    start: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    r"""One page as a person reads it; all positions in Winnow are character offsets into `text`.

    `text` has `\n` line ends, no white space at either end, and paragraphs apart by a blank line.
    Formats without pages have one page, whose `number` is 1. `unread` says why a page has no text
    though there may be some on it, or what of it is missing, as the end of a sentence that begins
    with the page; of several reasons each is a line. `styles` and
    the `rows` of a sheet serve whoever shows the page, and are not part of what it says.
    """

    number: int
    text: str
    headings: tuple[Heading, ...] = ()
    unread: str = ""
    styles: tuple[StyledSpan, ...] = field(default=(), compare=False)
    rows: Sequence[Row] = field(default=(), compare=False)


IS_PICTURE: Final = "is a picture; turn on text recognition to read it"
"""Why a page is unread that only text recognition could read."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document: what it says of itself, "" where it says nothing, and its pages.

    Pages without text are among them. `author` is as a person writes names, several apart by a
    semicolon. `date` is when the content was last changed, or else made or sent, in ISO 8601:
    "2024-06-30", with a time behind a "T" where one is given.
    """

    title: str
    pages: tuple[Page, ...]
    author: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page image in pixels; the origin is the top left corner."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PageSize:
    """How large a page is as it is shown, in points (1/72 inch)."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PageImage:
    """A drawn page: `rgb` holds height x width x 3 bytes, rows from the top.

    `boxes` has one entry per span that was asked for: the rectangles, one a line of text, that
    cover the span's characters.
    """

    width: int
    height: int
    rgb: bytes
    boxes: tuple[tuple[Box, ...], ...]
