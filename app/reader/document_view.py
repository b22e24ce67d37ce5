"""One document, shown as pages, as sheets or as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedWidget

from app.reader.marks import NO_MARKS, Marking, Marks, Part, Spot, part_with
from app.reader.page_drawings import PageDrawer, PageDrawing
from app.reader.page_view import PageView
from app.reader.sheet_view import SheetView
from app.reader.text_view import TextView
from app.reader.typesetting import PLAIN, Typesetting, typesetting_of
from app.reader.zoom import Fit
from app.widgets.notices import EmptyState

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.background import Lane
    from app.reader.contents import Contents
    from core.documents.document import Page, PageSize
    from core.requests import Answerer
    from core.search.output.match import QueryWord

# Time after which the text of the document before is removed, while the next one is loaded.
_STALE_MS: Final = 150


class DocumentView(QStackedWidget):
    """Shows the contents of a document as far as they are loaded, with its marks.

    Args:
        lane: draws the pages.
        marking: returns the current marks of the document.
    """

    position_changed = Signal()
    """Another page or part is shown, or the view has changed between pages and text."""
    draw_failed = Signal(object)
    """The error that prevents the current page from being drawn; its text is shown instead."""

    def __init__(self, lane: Lane, marking: Callable[[], Marking]) -> None:
        super().__init__()
        self._marking = marking
        self._contents: Contents | None = None
        self._document_id = -1
        self._has_pages = False
        self._sizes: tuple[PageSize, ...] = ()
        self._current_index = 0
        self._typeset_part: tuple[Page, Part, Typesetting] | None = None
        self._wanted = Spot(0, 0, 0)
        self._prefers_text = False
        self._page_fails = False
        self.empty = EmptyState()
        self.pages = PageView()
        self.pages.text_of = self._text_of
        self.text = TextView()
        self.sheet = SheetView()
        for view in (self.empty, self.pages, self.text, self.sheet):
            self.addWidget(view)
        self._drawer = PageDrawer(lane, self.pages.next_request, self)
        self._drawer.drawn.connect(self._take_drawing)
        self._drawer.failed.connect(self._handle_draw_error)
        self._draw_timer = QTimer(self, singleShot=True, interval=0)
        self._draw_timer.timeout.connect(self._drawer.draw_next)
        # The text of the document before, which would be below the title of this one.
        self._stale_timer = QTimer(self, singleShot=True, interval=_STALE_MS)
        self._stale_timer.timeout.connect(self._end_stale)
        self.pages.wanting.connect(self._draw)
        self.pages.turned.connect(self._follow_pages)
        self.sheet.sheet_chosen.connect(self._show_part)

    # Content

    def use(self, library: Answerer) -> None:
        self._drawer.use(library)

    def close_document(self) -> None:
        self._drawer.drop()
        self._draw_timer.stop()
        self._stale_timer.stop()
        self._contents = self._typeset_part = None
        self._has_pages = False
        self._sizes = ()
        self._page_fails = False
        self._current_index = 0
        self.pages.clear()

    def open_document(self, document_id: int, spot: Spot, *, has_pages: bool) -> None:
        """Show the page of `spot`, if there are pages, before the contents are loaded."""
        self.close_document()
        self._document_id = document_id
        self._has_pages = has_pages
        self._wanted = spot
        if self.shows_pages:
            # Draw the wanted page first, without waiting for the other pages.
            self.setCurrentWidget(self.pages)
            self.pages.show_document(document_id, (spot.page,), (), self._marks_on)
            self.pages.go_to(0, spot.span if spot.start < spot.end else None)
        elif self.currentWidget() is not self.empty:
            self._stale_timer.start()

    def _end_stale(self) -> None:
        if self._contents is None:
            self.text.show_text("", NO_MARKS, PLAIN)
            self.setCurrentWidget(self.text)

    def show_contents(self, contents: Contents) -> None:
        """Show a document's contents, possibly in place of less complete ones."""
        self._contents = contents
        if not contents.is_there:
            self._page_fails = True
        if contents.is_sheet:
            self.sheet.show_names(contents.sheet_names(self.tr("Sheet {0}")))
        self.go_to(self._wanted)

    def show_sizes(self, sizes: tuple[PageSize, ...]) -> None:
        """Apply the sizes of the pages."""
        self._sizes = sizes
        if self._contents is not None and self.shows_pages:
            self._show_pages(self._contents)

    def show_message(self, icon: str, headline: str, sentence: str) -> None:
        """Show a message in place of a document."""
        self._drawer.drop()
        self.empty.say(icon, headline, sentence)
        self.setCurrentWidget(self.empty)

    def show_words(self, words: tuple[QueryWord, ...]) -> None:
        """Set the words of the query, which the tooltips of highlights name."""
        for view in (self.pages, self.text, self.sheet.table):
            view.words = words

    def show_only(self, word: int | None) -> None:
        """Show only the highlights of this query word, or all (None)."""
        for view in (self.pages, self.text, self.sheet.table):
            view.show_only(word)

    def show_marks(self) -> None:
        """Show the current marks."""
        if self.currentWidget() is self.pages:
            self.pages.show_marks()
        elif self._contents is not None and self.currentWidget() is not self.empty:
            self._show_part(self._current_index)

    # Position

    @property
    def shows_pages(self) -> bool:
        return self._has_pages and not self._prefers_text and not self._page_fails

    @property
    def shows_sheet(self) -> bool:
        return self._contents is not None and self._contents.is_sheet

    @property
    def current_index(self) -> int:
        """The index of the current page or part."""
        return self.pages.index if self.shows_pages else self._current_index

    @property
    def part_count(self) -> int:
        """The number of pages or parts."""
        if self._contents is None:
            return 1
        is_whole = self.shows_pages or self.shows_sheet
        return len(self._contents.pages if is_whole else self._contents.parts)

    @property
    def shown_position(self) -> tuple[int, int]:
        """The current page and the number of pages, or parts if there is a single page."""
        if self._contents is None or len(self._contents.pages) < 2:
            return self.current_index + 1, self.part_count
        return self._contents.page_numbers.index(self.page) + 1, len(self._contents.pages)

    @property
    def can_turn(self) -> tuple[bool, bool]:
        """Whether there is a previous and a next page or part."""
        return self.current_index > 0, self.current_index + 1 < self.part_count

    @property
    def page(self) -> int:
        """The number of the current page, or of the page that contains the current part."""
        if self._contents is None:
            return self._wanted.page
        if self.shows_pages or self.shows_sheet:
            return self._contents.page_numbers[self.current_index]
        return self._contents.parts[self.current_index].page

    def go_to(self, spot: Spot, *, is_gentle: bool = False) -> None:
        """Show the page or part that contains a spot, and scroll to the spot.

        If `is_gentle`, do not scroll when the spot is visible already.
        """
        self._wanted = spot
        if self._contents is None:
            return
        span = spot.span if spot.start < spot.end else None
        page_numbers = self._contents.page_numbers
        index = page_numbers.index(spot.page) if spot.page in page_numbers else 0
        if self.shows_pages:
            self._show_pages(self._contents)
            self.pages.go_to(index, span, is_gentle=is_gentle)
        elif self.shows_sheet:
            self._show_part(index)
            self.sheet.table.scroll_to(span, is_gentle=is_gentle)
        else:
            index = part_with(self._contents.parts, spot.page, spot.start)
            self._show_part(index)
            start = self._contents.parts[index].start
            inside = (span[0] - start, span[1] - start) if span is not None else None
            self.text.scroll_to(inside, is_gentle=is_gentle)

    def turn(self, step: int) -> None:
        """Move by this many pages or parts."""
        if self._contents is None:
            return
        if self.shows_pages:
            self.pages.turn(step)
            return
        index = min(self.part_count - 1, max(0, self._current_index + step))
        if index != self._current_index:
            self._show_part(index)
            if not self.shows_sheet:
                passage = self._marking().in_part(self._contents.parts[index]).passage
                self.text.scroll_to(passage)

    def prefer(self, *, is_text: bool) -> None:
        """Choose between text and printed pages."""
        self._prefers_text = is_text
        if not is_text:
            self._page_fails = False
        self.go_to(self._wanted)

    def zoom(self, steps: float) -> None:
        """Enlarge by this many steps, shrink if negative, or reset (0)."""
        if not self.shows_pages:
            self.text.zoom_by(steps)
        elif steps:
            self.pages.zoom_by(steps)
        else:
            self.pages.set_zoom(Fit.WIDTH)

    def fit(self, fit: Fit) -> None:
        """Fit whole pages, or their width, into the view."""
        if self.shows_pages:
            self.pages.set_zoom(fit)

    # Presentation

    def _text_of(self, page: int) -> str:
        return "" if self._contents is None else self._contents.page(page).text

    def _marks_on(self, page: int) -> Marks:
        return self._marking().on_page(page)

    def _show_pages(self, contents: Contents) -> None:
        self.pages.show_document(
            self._document_id, contents.page_numbers, self._sizes, self._marks_on
        )
        self.setCurrentWidget(self.pages)
        self._describe_page(contents)

    def _describe_page(self, contents: Contents) -> None:
        self.pages.describe(contents.pages[self.pages.index].text)
        self.position_changed.emit()

    def _show_part(self, index: int) -> None:
        """Show a sheet or part with its marks."""
        assert self._contents is not None
        self._current_index = index
        self._drawer.drop()
        if self.shows_sheet:
            page = self._contents.pages[index]
            self.sheet.show_sheet(index, page, self._marks_on(page.number))
            self.setCurrentWidget(self.sheet)
        else:
            part = self._contents.parts[index]
            page = self._contents.page(part.page)
            # Keep it while stepping through one page: long pages have very many styles.
            if (
                self._typeset_part is None
                or self._typeset_part[0] is not page
                or self._typeset_part[1] is not part
            ):
                self._typeset_part = (
                    page,
                    part,
                    typesetting_of(page, part, is_code=self._contents.is_code),
                )
            self.text.show_text(part.text, self._marking().in_part(part), self._typeset_part[2])
            self.setCurrentWidget(self.text)
        self.position_changed.emit()

    def _follow_pages(self) -> None:
        if self._contents is not None and self.shows_pages:
            self._describe_page(self._contents)

    def _draw(self) -> None:
        # Wait until the layout has settled after showing or resizing.
        if self.shows_pages:
            self._draw_timer.start()

    def _take_drawing(self, page: int, drawing: PageDrawing) -> None:
        # A signal connected to the view itself gives it another accessible interface.
        self.pages.show_drawing(page, drawing)

    def _handle_draw_error(self, page: int, error: Exception) -> None:
        if page != self._wanted.page:
            # Other pages may be readable, so only this one stays blank.
            self.pages.leave_blank(page)
            return
        self._page_fails = True
        self.draw_failed.emit(error)
        self.go_to(self._wanted)
