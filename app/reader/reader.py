"""The reader: the chosen passage in its document, with the commands for reading."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from app import texts
from app.background import Lane, Latest
from app.errors import notice_of
from app.reader.contents import (
    Contents,
    OpenedPassage,
    contents_of,
    is_of_same_text,
    sizes_of,
    styles_of,
)
from app.reader.controls import MailStrip, ReaderCommand, ReaderHeader, command_of
from app.reader.document_view import DocumentView
from app.reader.marks import Marking
from app.reader.match_navigator import FindBar, MatchNavigator
from app.reader.zoom import Fit
from app.translation import translated
from app.widgets.layouts import fill, vertical
from app.widgets.notices import Notice, NoticeBar
from core.documents.document import IS_PICTURE, Page
from core.errors import DocumentError

if TYPE_CHECKING:
    from app.search.rows import PassageRow
    from core.requests import Answerer
    from core.responses import Inner
    from core.search.output.match import QueryWord


_STYLE_TIMEOUT_MS: Final = 300


class ReaderView(QFrame):
    """Shows one document at a time, loaded in the background."""

    document_opened = Signal(object)
    """The PassageRow of the document, with the current page."""
    folder_opened = Signal(object)
    copy_wanted = Signal(object, str)
    """A PassageRow, and the text to copy with its source, or "" for the passage's."""
    search_wanted = Signal(str)
    """The text to search for."""
    recognition_wanted = Signal()
    """The person wants the text of pictures to be recognised."""

    def __init__(self, lane: Lane) -> None:
        super().__init__()
        self.setObjectName("readerView")
        self._library: Answerer | None = None
        # Chosen before the library was open, from an answer of the service.
        self._pending: OpenedPassage | None = None
        self._shown: OpenedPassage | None = None
        self._back_stack: list[OpenedPassage] = []
        self._contents: Contents | None = None
        self.header = ReaderHeader()
        self.notice = NoticeBar()
        self.mail_strip = MailStrip()
        self.find_bar = FindBar()
        self._matches = MatchNavigator(lane, self)
        self.view = DocumentView(lane, self._marking)
        self._reading = Latest(lane, self, self._take_contents, self._show_unreadable)
        self._styling = Latest(lane, self, self._take_styles, self._show_error)
        self._measuring = Latest(lane, self, self.view.show_sizes, self._show_error)
        self._style_timeout = QTimer(self, singleShot=True, interval=_STYLE_TIMEOUT_MS)
        self._style_timeout.timeout.connect(self._show_unstyled)
        self._connect()
        self._lay_out()
        self.clear()

    def _connect(self) -> None:
        header = self.header
        header.turned.connect(self.view.turn)
        header.page_wanted.connect(partial(self.view.prefer, is_text=False))
        header.text_wanted.connect(partial(self.view.prefer, is_text=True))
        header.open_wanted.connect(lambda: self.document_opened.emit(self._here()))
        header.folder_wanted.connect(lambda: self.folder_opened.emit(self._here()))
        header.stepped.connect(self._matches.step)
        header.back_wanted.connect(self._go_back)
        # Not connected itself: that would make another class of it for Qt, without its role.
        header.zoom_wanted.connect(lambda zoom: self.view.pages.set_zoom(zoom))
        self.view.pages.zoomed.connect(lambda: header.show_zoom(self.view.pages.zoom))
        header.show_zoom(self.view.pages.zoom)
        self.mail_strip.opened.connect(self._show_inner)
        for view in (self.view.text, self.view.pages):
            view.copy_wanted.connect(self._copy)
            view.search_wanted.connect(self.search_wanted)
        self.view.position_changed.connect(self._update_position)
        self.view.draw_failed.connect(self._show_draw_error)
        self.find_bar.words_changed.connect(self._find)
        self.find_bar.stepped.connect(self._matches.step)
        self.find_bar.closed.connect(self._matches.stop)
        self._matches.changed.connect(self._show_marks)
        self._matches.moved.connect(partial(self.view.go_to, is_gentle=True))

    def _lay_out(self) -> None:
        notices = fill(vertical(margins=(14, 8, 14, 8)), self.notice)
        self._notices = QWidget()
        self._notices.setLayout(notices)
        self.notice.dismissed.connect(lambda _: self._notices.hide())
        layout = vertical(self, margins=(0, 0, 0, 0), spacing=0)
        fill(layout, self.header, self.find_bar, self._notices, self.mail_strip, (self.view, 1))

    # Content

    def use(self, library: Answerer) -> None:
        self._library = library
        self.view.use(library)
        if (pending := self._pending) is not None:
            self._pending = None
            self._show(pending)

    def clear(self) -> None:
        """Show no document."""
        self._drop()
        self._shown = self._pending = None
        self._back_stack.clear()
        self.header.hide()
        self.find_bar.hide()
        self.view.show_message(
            "page", self.tr("No result selected"), self.tr("Select a result to read it here.")
        )

    def show_only(self, word: int | None) -> None:
        """Show only the highlights of this query word, or all (None)."""
        self.view.show_only(word)

    def show_passage(
        self, chosen: PassageRow, rows: tuple[PassageRow, ...], words: tuple[QueryWord, ...] = ()
    ) -> None:
        """Show the document at `chosen`.

        Args:
            chosen: the passage.
            rows: all passages of the document that were found.
            words: the words of the query, which the tooltips of highlights name.
        """
        shown = OpenedPassage(chosen, rows, words)
        if self._back_stack and self._back_stack[0].chosen.passage_id == chosen.passage_id:
            # A newer answer contains the mail, but one of its attachments is open.
            self._back_stack[0] = shown
            return
        self._back_stack.clear()
        self._show(shown)

    def _show(self, shown: OpenedPassage) -> None:
        if self._library is None:
            self._pending = shown
            self.view.show_message("page", *texts.opening())
            return
        self.view.show_words(shown.words)
        before, self._shown = self._shown, shown
        document = shown.chosen.document
        self.header.show_document(
            shown.chosen.title, document.path, has_pages=document.has_page_images
        )
        self.header.show_back(self._back_stack[-1].chosen.title if self._back_stack else "")
        if before is None or not is_of_same_text(shown, before, self._contents):
            self._open(self._library, shown)
        elif before.chosen.passage_id != shown.chosen.passage_id:
            self._matches.begin(shown.passage)
            self.view.go_to(shown.passage)
        # In a newer answer to the same query, only the highlights may differ.
        self._matches.show_hits(self._marking().hits())

    def _open(self, library: Answerer, shown: OpenedPassage) -> None:
        self._drop()
        document = shown.chosen.document
        self.header.show_position(1, 1)
        self.header.show()
        self._matches.begin(shown.passage)
        self.view.open_document(
            document.document_id, shown.passage, has_pages=document.has_page_images
        )
        self.header.show_view(is_text=not self.view.shows_pages)
        self._reading.start(partial(contents_of, library, document))
        if document.has_page_images:
            self._measuring.start(partial(sizes_of, library, document.document_id))

    def _drop(self) -> None:
        """Close the document and cancel its background work."""
        for work in (self._reading, self._styling, self._measuring):
            work.drop()
        self._style_timeout.stop()
        self._contents = None
        self.view.close_document()
        self._matches.stop()
        self.mail_strip.hide()
        self._dismiss_notice()

    def _take_contents(self, contents: Contents) -> None:
        assert self._shown is not None
        assert self._library is not None
        if not contents.pages:
            self._show_unavailable()
            return
        self._contents = contents
        self.header.show_file(contents.file)
        if contents.is_mail:
            self.mail_strip.show_mail(self._shown.chosen.title, contents.inside)
            self.mail_strip.show()
        if not contents.is_there:
            self._show_notice(self._missing_notice())
        elif unread := contents.pages[0].unread:
            sentence = self.tr("Not all of this document was read. {0}")
            text = sentence.format(translated(unread))
            if IS_PICTURE in unread and self._can_recognise():
                action = self.tr("&Recognise text")
                self._show_notice(Notice(text, action=action, act=self.recognition_wanted.emit))
            else:
                self._show_notice(Notice(text))
        document = self._shown.chosen.document
        if not any(page.text for page in contents.pages) and not document.has_page_images:
            self.view.show_message(
                "page",
                self.tr("No text"),
                self.tr("Winnow found no text in this document."),
            )
            return
        if contents.has_styles:
            # Wait briefly for styles, because text moves when they are applied later.
            self._styling.start(partial(styles_of, self._library, document.document_id))
            self._style_timeout.start()
        else:
            self._show_contents(contents)

    def _can_recognise(self) -> bool:
        """Return whether text recognition can be turned on for the document."""
        # Imported here: it loads numpy.
        from core.documents.pages.recognition import is_installed

        assert self._shown is not None
        return not self._shown.chosen.document.library and is_installed()

    def _show_contents(self, contents: Contents) -> None:
        self._style_timeout.stop()
        self.view.show_contents(contents)
        if self.find_bar.words:
            self._find(self.find_bar.words)

    def _take_styles(self, pages: tuple[Page, ...]) -> None:
        if self._contents is None:
            return
        self._contents = self._contents.with_styles(pages)
        if pages or self._style_timeout.isActive():
            self._show_contents(self._contents)

    def _show_unstyled(self) -> None:
        if self._contents is not None:
            self._show_contents(self._contents)

    def _marking(self) -> Marking:
        assert self._shown is not None
        return Marking(
            self._shown.chosen, self._shown.rows, self._matches.matches, self._matches.current
        )

    def _show_marks(self) -> None:
        """Show the marks and the position among the matches."""
        is_finding = self._matches.is_finding
        self.find_bar.show_count(
            self._matches.current_index, self._matches.count if is_finding else 0
        )
        self.header.show_hit(self._matches.current_index, 0 if is_finding else self._matches.count)
        if self._shown is not None:
            self.view.show_marks()

    def _update_position(self) -> None:
        self.header.show_view(is_text=not self.view.shows_pages)
        self.header.show_position(*self.view.shown_position, can_turn=self.view.can_turn)

    def _find(self, words: str) -> None:
        if self._contents is not None:
            self._matches.find(self._contents.pages, words)

    def _copy(self, text: str) -> None:
        if self._shown is not None:
            # A selection is on the current page, which may not be that of the passage.
            row = self._here() if text else self._shown.chosen
            self.copy_wanted.emit(row, text)

    def _here(self) -> PassageRow:
        assert self._shown is not None
        return self._shown.on_page(self.view.page)

    def _show_inner(self, inner: Inner) -> None:
        assert self._shown is not None
        self._back_stack.append(self._shown)
        self._show(OpenedPassage.inside(self._shown, inner))

    def _go_back(self) -> None:
        if self._back_stack:
            self._show(self._back_stack.pop())

    # Messages

    def _missing_notice(self) -> Notice:
        assert self._shown is not None
        sentence = self.tr("File not found: {0}. Showing the text from the index.")
        return Notice(sentence.format(texts.shown_path(self._shown.chosen.document.path)))

    def _show_draw_error(self, error: Exception) -> None:
        if self._contents is not None and not self._contents.is_there:
            return
        if self._shown is None or not isinstance(error, DocumentError):
            self._show_notice(notice_of(error))
            return
        # Messages about a document contain only the reason, without the file's name.
        sentence = self.tr("{0}: {1}. Showing the text from the index.")
        name = texts.name_of(self._shown.chosen.document.path)
        self._show_notice(Notice(sentence.format(name, translated(str(error)))))

    def _dismiss_notice(self) -> None:
        self.notice.clear()
        self._notices.hide()

    def _show_notice(self, notice: Notice) -> None:
        self.notice.show_notice(notice)
        self._notices.show()

    def _show_error(self, error: Exception) -> None:
        self._show_notice(notice_of(error))

    def _show_unreadable(self, error: Exception) -> None:
        self._show_unavailable()
        self._show_notice(notice_of(error))

    def _show_unavailable(self) -> None:
        self._dismiss_notice()
        self.view.show_message(
            "page",
            self.tr("Cannot show this document"),
            self.tr("It may have been removed from the library. Search again."),
        )

    # Keys

    def do(self, command: ReaderCommand) -> None:
        """Execute a command."""
        match command:
            case ReaderCommand.FIND:
                if self._shown is not None:
                    self.find_bar.open_bar()
            case ReaderCommand.NEXT | ReaderCommand.PREVIOUS:
                self._matches.step(1 if command is ReaderCommand.NEXT else -1)
            case ReaderCommand.BACK:
                self._go_back()
            case ReaderCommand.LARGER | ReaderCommand.SMALLER:
                self.view.zoom(1 if command is ReaderCommand.LARGER else -1)
            case ReaderCommand.USUAL_SIZE:
                self.view.zoom(0)
            case ReaderCommand.FIT_PAGE | ReaderCommand.FIT_WIDTH:
                self.view.fit(Fit.PAGE if command is ReaderCommand.FIT_PAGE else Fit.WIDTH)
            case ReaderCommand.CLOSE:
                self.find_bar.close_bar()

    def _command(self, event: QKeyEvent) -> ReaderCommand | None:
        command = command_of(event)
        # Leave Esc to other widgets unless the find bar is open.
        return None if command is ReaderCommand.CLOSE and not self.find_bar.is_open else command

    # Qt's names

    def event(self, event: QEvent) -> bool:
        # Override the window's shortcuts for these keys while the reader has the focus.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._command(event) is not None
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        command = self._command(event)
        if command is None:
            super().keyPressEvent(event)
        else:
            self.do(command)
