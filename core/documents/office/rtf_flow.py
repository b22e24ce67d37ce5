"""What the text of a Rich Text file flows into: the page, its tables, and the notes beside it."""

from __future__ import annotations

from core.documents.document import Heading
from core.documents.text import PageText


class Flow:
    """Text as it comes, piece by piece, on its way into the paragraphs and rows of a page."""

    def __init__(self) -> None:
        self.title = ""
        self._page = PageText()
        self._pieces: list[str] = []
        self._boxes: list[str] = []
        self._cell: list[str] = []
        self._cells: list[str] = []
        self._in_rows = False
        self._was_item = False

    def write(self, text: str) -> None:
        """Go on with the running paragraph."""
        self._pieces.append(text)

    def put_beside(self, text: str) -> None:
        """Have a text box follow the running paragraph."""
        self._boxes.append(text)

    def end_paragraph(self, level: int | None, *, is_item: bool, in_cell: bool) -> None:
        """End the running paragraph: a heading if it has a `level`, 0 for the title's."""
        text = self._taken()
        if in_cell:
            self._cell += [text, *self._boxes]
        elif level is not None:
            if level == 0 and not self.title:
                self.title = " ".join(text.split())
            self._page.heading(max(level, 1), text)
        else:
            self._page.add(text, gap=1 if is_item and self._was_item else 2)
        if not in_cell:
            for box in self._boxes:
                self._page.add(box)
            if text.strip():
                self._was_item = is_item and level is None
                self._in_rows = False
        self._boxes.clear()

    def end_cell(self) -> None:
        """End the running cell, and the paragraph in it."""
        self.end_paragraph(None, is_item=False, in_cell=True)
        self._cells.append(" ".join(part for part in self._cell if part.strip()))
        self._cell.clear()

    def end_row(self) -> None:
        """End the running row: its cells become a line."""
        if any(cell.strip() for cell in self._cells):
            self._page.row(self._cells, first=not self._in_rows)
            self._in_rows = True
            self._was_item = False
        self._cells.clear()

    def finish(self, rest: list[str]) -> tuple[str, tuple[Heading, ...]]:
        """Return the page's text and headings, with the texts in `rest` at its end."""
        if self._cell or self._cells:
            # The file ends within a table.
            self.end_cell()
            self.end_row()
        self.end_paragraph(None, is_item=False, in_cell=False)
        for text in rest:
            self._page.add(text)
        return self._page.finish()

    def text(self) -> str:
        """Return all that flowed here, as the text of a note or of a box."""
        return self.finish([])[0]

    def _taken(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        if text.isascii():
            return text
        # Characters beyond the first 65,536 come as two halves, one control word each.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
