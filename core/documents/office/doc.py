"""Word documents of 1993 to 2003 (.doc): paragraphs, tables, text boxes and notes.

A file stores its text in scattered pieces, and their formatting elsewhere. The format of Word 97
extends that of Word 6 and 95, where all structures are in one stream, text is in code pages, and
property numbers have one byte.

Source: [MS-DOC] Word (.doc) Binary File Format; Microsoft Word 6.0 Binary File Format. Comments use
their names of structures.
"""

import re
from pathlib import Path
from typing import Final

from core.documents.damage import OtherKindError
from core.documents.document import Document, Page
from core.documents.files import start_of
from core.documents.links import field_targets
from core.documents.metadata import with_topics
from core.documents.office.kinds import by_content
from core.documents.office.ole import OLE_MAGIC, compound_file, stream, summary_of
from core.documents.office.word_file import Paragraph, Word6File, WordFile, is_word_6, table_name
from core.documents.text import PageText, one_line
from core.errors import DocumentError

_STREAM: Final = "WordDocument"
_CHARACTERS: Final = str.maketrans(
    {
        "\x0b": "\n",
        "\x0e": "\n",
        "\x1e": "-",
        # Anchors of pictures, notes and comments, and the optional hyphen.
        **dict.fromkeys("\x01\x02\x03\x04\x05\x06\x08\x1f"),
    }
)
_FIELD_MARK: Final = re.compile("([\x13\x14\x15])")
_FIELD_BEGIN, _FIELD_RESULT, _FIELD_END = "\x13\x14\x15"


@by_content
def read(path: Path) -> Document:
    """Read a Word document as one page with headings; text boxes and notes come last.

    Raises:
        DocumentError: It is damaged, needs a password, or is older than Word 6.
    """
    start = start_of(path, len(OLE_MAGIC))
    if not start:
        raise DocumentError("Empty file")
    if start != OLE_MAGIC:
        raise OtherKindError("Damaged, or not a Word document")
    with compound_file(path) as ole:
        word = stream(ole, _STREAM)
        if not word:
            if stream(ole, "EncryptedPackage"):
                raise DocumentError("Password required")
            raise OtherKindError("Not a Word document despite its name")
        file_: WordFile
        if is_word_6(word):
            file_ = Word6File(word)
        else:
            file_ = WordFile(word, stream(ole, table_name(word)))
        summary = summary_of(ole)
        page = PageText()
        walk = _DocBlocks(page)
        parts = file_.parts()
        for part in (parts.main, parts.text_boxes, parts.footnotes, parts.endnotes, parts.comments):
            for paragraph in file_.paragraphs(part):
                walk.add(paragraph)
            walk.end()
    text, headings = page.finish()
    first = next((heading.text for heading in headings if heading.level == 1), "")
    return Document(
        summary.title or walk.title or first,
        with_topics([Page(1, text, headings)], summary.topics),
        author=summary.author,
        date=summary.date,
    )


class _DocBlocks:
    """Adds paragraphs to a page."""

    def __init__(self, page: PageText) -> None:
        self.title = ""
        self._page = page
        self._cells: list[str] = []
        self._cell: list[str] = []
        self._is_first_row = True
        self._was_item = False
        # For each open field, whether its result has begun; the field code comes before.
        self._fields: list[bool] = []
        self._code: list[str] = []  # of the innermost field

    def add(self, paragraph: Paragraph) -> None:
        text = self._without_field_codes(paragraph.text).translate(_CHARACTERS)
        if paragraph.ends_row:
            self._page.row(self._cells, first=self._is_first_row)
            self._is_first_row = self._is_first_row and not any(self._cells)
            self._cells.clear()
            self._cell.clear()
        elif paragraph.end == "\x07":
            self._cells.append(" ".join([*self._cell, text]))
            self._cell.clear()
        elif paragraph.is_in_table:
            self._cell.append(text)
        else:
            self.end()
            if paragraph.level is None:
                self._page.add(text, gap=1 if paragraph.is_item and self._was_item else 2)
                self._was_item = paragraph.is_item
            else:
                self._was_item = False
                if paragraph.level == 0 and not self.title:
                    self.title = one_line(text)
                self._page.heading(max(paragraph.level, 1), text)

    def end(self) -> None:
        """End a table, including an incomplete row."""
        self._page.row([*self._cells, " ".join(self._cell)], first=self._is_first_row)
        self._cells.clear()
        self._cell.clear()
        self._is_first_row = True

    def _without_field_codes(self, text: str) -> str:
        """Return the text with the results of fields but without their codes."""
        if not self._fields and _FIELD_BEGIN not in text:
            return text
        seen = []
        for piece in _FIELD_MARK.split(text):
            if piece == _FIELD_BEGIN:
                self._fields.append(False)
                self._code.clear()
                continue
            if piece in {_FIELD_RESULT, _FIELD_END}:
                for target in field_targets("".join(self._code)):
                    self._page.link(target)
                self._code.clear()
            if piece == _FIELD_RESULT and self._fields:
                self._fields[-1] = True
            elif piece == _FIELD_END and self._fields:
                self._fields.pop()
            elif all(self._fields):
                seen.append(piece)
            elif not self._fields[-1]:
                self._code.append(piece)
        return "".join(seen)
