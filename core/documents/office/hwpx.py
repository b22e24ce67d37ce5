"""Reads documents of Hangul (.hwpx): paragraphs in reading order.

Source: KS X 6101 (OWPML).
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from core.documents.damage import SOME_TEXT, Losses
from core.documents.document import Document
from core.documents.office.packages import open_package
from core.documents.text import PageText
from core.errors import DocumentError

_SECTION: Final = re.compile(r"Contents/section(\d{1,6})\.xml")
_BREAKS: Final = {"lineBreak": "\n", "tab": "\t", "nbSpace": " ", "fwSpace": " ", "hyphen": "-"}


def read(path: Path) -> Document:
    """Read a document as one page; its tables, notes and boxes follow the paragraph they are in.

    Raises:
        DocumentError: It is damaged, encrypted, not a .hwpx, or too large when unpacked.
    """
    losses = Losses()
    page = PageText()
    with open_package(path) as package:
        found = (match for name in package.names() if (match := _SECTION.fullmatch(name)))
        sections = sorted(found, key=lambda match: int(match[1]))
        if not sections:
            raise DocumentError("Not a Hangul document despite its name")
        for section in sections:
            with losses.of(SOME_TEXT):
                _add_paragraphs(page, package.xml(section[0]))
    content = page.page(1, losses.unread)
    losses.check([content])
    return Document("", (content,))


def _add_paragraphs(page: PageText, parent: Any) -> None:
    for element in parent:
        if _name(element) != "p":
            _add_paragraphs(page, element)
            continue
        page.add("".join(_runs(element)))
        # Objects that are anchored in the paragraph.
        for run in element:
            for anchored in run:
                if _name(anchored) != "t":
                    _add_paragraphs(page, anchored)


def _runs(paragraph: Any) -> Iterator[str]:
    for run in paragraph:
        for text in run:
            if _name(text) == "t":
                yield text.text or ""
                for child in text:
                    yield _BREAKS.get(_name(child), "") + (child.tail or "")


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]
