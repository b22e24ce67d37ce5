"""The reader: the chosen passage in its document, as the page or as the text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from app import texts
from app.background import Lane, Latest
from app.empty_state import EmptyState
from app.errors import Notice, NoticeBar, notice_of
from app.reader.header import ReaderHeader
from app.reader.marks import Marks, Part, marks_in_part, marks_on_page, part_with, parts_of
from app.reader.page_view import Drawing, PageView, draw_page
from app.reader.text_view import TextView
from app.sentences import said
from core.errors import DocumentError

if TYPE_CHECKING:
    from pathlib import Path

    from app.engine import Engine
    from app.highlights import QueryWord
    from app.search.rows import PassageRow
    from core.documents.document import Page
    from core.progress import Job


_Drawn = tuple[int, int, int, Marks]
"""What the page view shows or is about to show: document, page, width, marks."""


@dataclass(frozen=True, slots=True)
class _Contents:
    """What Winnow knows of a document: its text as it was read, and the file that holds it.

    `file` is the document's own or, if it lies in an archive or a mail, that one.
    """

    parts: tuple[Part, ...]
    pages: tuple[int, ...]
    file: Path
    is_there: bool


class Reader(QFrame):
    """Shows one document at a time; all that it shows is fetched in the background."""

    document_opened = Signal(object)
    folder_opened = Signal(object)

    def __init__(self, lane: Lane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine: Engine | None = None
        self._chosen: PassageRow | None = None
        self._rows: tuple[PassageRow, ...] = ()
        self._contents: _Contents | None = None
        self._place = 0
        self._prefers_text = False
        self._page_fails = False
        self._drawn: _Drawn | None = None
        self._reading = Latest(lane, self)
        self._reading.succeeded.connect(self._take_contents)
        self._reading.failed.connect(self._say_unreadable)
        self._drawing = Latest(lane, self)
        self._drawing.succeeded.connect(self._take_drawing)
        self._drawing.failed.connect(self._fall_back_to_text)
        self._header = ReaderHeader()
        self._header.turned.connect(self._turn)
        self._header.page_wanted.connect(partial(self._prefer, is_text=False))
        self._header.text_wanted.connect(partial(self._prefer, is_text=True))
        self._header.open_wanted.connect(lambda: self.document_opened.emit(self._chosen))
        self._header.folder_wanted.connect(lambda: self.folder_opened.emit(self._chosen))
        self._notice = NoticeBar()
        self._empty = EmptyState()
        self._pages = PageView()
        self._pages.width_changed.connect(self._draw)
        self._text = TextView()
        self._stack = QStackedWidget()
        for view in (self._empty, self._pages, self._text):
            self._stack.addWidget(view)
        notices = QVBoxLayout()
        notices.setContentsMargins(14, 8, 14, 8)
        notices.addWidget(self._notice)
        self._notices = QWidget()
        self._notices.setLayout(notices)
        self._notice.dismissed.connect(lambda _: self._notices.hide())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._header)
        layout.addWidget(self._notices)
        layout.addWidget(self._stack, 1)
        self.clear()

    @property
    def header(self) -> ReaderHeader:
        return self._header

    @property
    def notice(self) -> NoticeBar:
        return self._notice

    @property
    def empty(self) -> EmptyState:
        return self._empty

    @property
    def page_view(self) -> PageView:
        return self._pages

    @property
    def text_view(self) -> TextView:
        return self._text

    def use(self, engine: Engine) -> None:
        self._engine = engine

    def clear(self) -> None:
        """Show no document."""
        self._reading.drop()
        self._drop_drawing()
        self._chosen = None
        self._contents = None
        self._header.hide()
        self._hush()
        self._pages.clear()
        self._empty.say(
            "page", self.tr("Nothing selected"), self.tr("Choose a result to read it here.")
        )
        self._stack.setCurrentWidget(self._empty)

    def show_only(self, word: int | None) -> None:
        """Light what the query's word with this number lights, and nothing else; None: all."""
        self._pages.show_only(word)
        self._text.show_only(word)

    def show_passage(
        self,
        chosen: PassageRow,
        rows: tuple[PassageRow, ...],
        words: tuple[QueryWord, ...] = (),
    ) -> None:
        """Show the document at `chosen`.

        Args:
            chosen: the passage.
            rows: the passages of the document that were found.
            words: those of the query, which are named where a lit word is pointed at.
        """
        if self._engine is None:
            return
        self._pages.words = self._text.words = words
        before = self._chosen
        self._chosen = chosen
        self._rows = rows
        document = chosen.document
        if before is None or before.document.document_id != document.document_id:
            self._open(chosen)
        elif before.passage_id != chosen.passage_id:
            self._go_to_passage()
        else:
            # The same passage in a newer answer: only what is lit may have changed.
            self._header.show_document(
                chosen.title, document.path, has_pages=document.has_page_images
            )
            self._show_place()

    def _open(self, chosen: PassageRow) -> None:
        assert self._engine is not None
        document = chosen.document
        self._contents = None
        self._page_fails = False
        self._drop_drawing()
        self._pages.clear()
        self._hush()
        self._header.show_document(chosen.title, document.path, has_pages=document.has_page_images)
        self._header.show_place(1, 1)
        self._header.show()
        self._reading.start(partial(_contents_of, self._engine, chosen))
        if self._shows_page:
            self._stack.setCurrentWidget(self._pages)
            self._header.show_view(is_text=False)
            self._pages.scroll_to_passage()
            self._draw()

    def _take_contents(self, contents: _Contents) -> None:
        assert self._chosen is not None
        if not contents.parts:
            self._hush()
            self._say_gone()
            return
        self._contents = contents
        self._header.show_file(contents.file)
        if not contents.is_there:
            self._page_fails = True
            self._say(self._missing_notice())
        if not any(part.text for part in contents.parts) and not self._shows_page:
            self._drop_drawing()
            self._empty.say(
                "page",
                self.tr("No text"),
                self.tr("There is no text in this document that Winnow could read."),
            )
            self._stack.setCurrentWidget(self._empty)
            return
        self._go_to_passage()

    def _missing_notice(self) -> Notice:
        assert self._chosen is not None
        sentence = self.tr("The file is no longer at {0}. This is its text as it was last read.")
        return Notice(sentence.format(texts.shown_path(self._chosen.document.path)))

    def _go_to_passage(self) -> None:
        if self._contents is None or self._chosen is None:
            return
        passage = self._chosen.hit.passage
        if self._shows_page:
            pages = self._contents.pages
            self._place = pages.index(passage.page) if passage.page in pages else 0
            self._pages.scroll_to_passage()
        else:
            self._place = part_with(self._contents.parts, passage.page, passage.start)
        self._show_place()
        if not self._shows_page:
            self._text.scroll_to_passage()

    def _show_place(self) -> None:
        """Show the page or part at the present place with what is marked on it."""
        if self._contents is None or self._chosen is None:
            return
        self._header.show_view(is_text=not self._shows_page)
        if self._shows_page:
            self._header.show_place(self._place + 1, len(self._contents.pages))
            self._stack.setCurrentWidget(self._pages)
            self._draw()
        else:
            self._drop_drawing()
            part = self._contents.parts[self._place]
            self._header.show_place(self._place + 1, len(self._contents.parts))
            self._text.show_text(part.text, marks_in_part(part, self._chosen, self._rows))
            self._stack.setCurrentWidget(self._text)

    def _turn(self, step: int) -> None:
        if self._contents is None:
            return
        count = len(self._contents.pages if self._shows_page else self._contents.parts)
        place = min(count - 1, max(0, self._place + step))
        if place != self._place:
            self._place = place
            self._pages.scroll_to_passage()
            self._show_place()
            if not self._shows_page:
                self._text.scroll_to_passage()

    def _prefer(self, *, is_text: bool) -> None:
        self._prefers_text = is_text
        if not is_text:
            self._page_fails = False
        self._go_to_passage()

    @property
    def _shows_page(self) -> bool:
        return (
            self._chosen is not None
            and self._chosen.document.has_page_images
            and not self._prefers_text
            and not self._page_fails
        )

    def _draw(self) -> None:
        if self._engine is None or self._chosen is None or not self._shows_page:
            return
        page = self._chosen.hit.passage.page
        if self._contents is not None:
            page = self._contents.pages[self._place]
        marks = marks_on_page(page, self._chosen, self._rows)
        document_id, width = self._chosen.document.document_id, self._pages.wanted_width
        wanted = (document_id, page, width, marks)
        if wanted != self._drawn and not self._is_being_drawn(wanted):
            self._drawn = wanted
            self._drawing.start(partial(draw_page, self._engine, *wanted))

    def _is_being_drawn(self, wanted: _Drawn) -> bool:
        """Whether the page comes, if with other words lit; it is drawn again when it is there."""
        if self._drawn is None or not self._drawing.is_running:
            return False
        return self._drawn[:3] == wanted[:3] and self._drawn[3].passage == wanted[3].passage

    def _drop_drawing(self) -> None:
        self._drawn = None
        self._drawing.drop()

    def _take_drawing(self, drawing: Drawing) -> None:
        self._pages.show_drawing(drawing)
        self._draw()

    def _fall_back_to_text(self, error: Exception) -> None:
        self._page_fails = True
        self._drawn = None
        if self._contents is None or self._contents.is_there:
            self._say(self._undrawn_notice(error))
        self._go_to_passage()

    def _undrawn_notice(self, error: Exception) -> Notice:
        if self._chosen is None or not isinstance(error, DocumentError):
            return notice_of(error)
        # What is told of a document is the reason alone, as it stands beside the file's name.
        sentence = self.tr("{0}: {1}. This is its text as it was last read.")
        return Notice(sentence.format(self._chosen.document.path.name, said(str(error))))

    def _hush(self) -> None:
        self._notice.clear()
        self._notices.hide()

    def _say(self, notice: Notice) -> None:
        self._notice.show_notice(notice)
        self._notices.show()

    def _say_unreadable(self, error: Exception) -> None:
        self._say(notice_of(error))
        self._say_gone()

    def _say_gone(self) -> None:
        self._drop_drawing()
        self._empty.say(
            "page",
            self.tr("This document cannot be shown"),
            self.tr("It may have been removed from the library meanwhile. Search again."),
        )
        self._stack.setCurrentWidget(self._empty)


def _contents_of(engine: Engine, row: PassageRow, _job: Job) -> _Contents:
    pages: tuple[Page, ...] = engine.page_texts(row.document.document_id)
    # Not before the window shows.
    from core.documents.containers.members import file_of

    file = file_of(row.document.path)
    return _Contents(parts_of(pages), tuple(page.number for page in pages), file, file.is_file())
