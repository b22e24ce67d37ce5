"""Printed pages in a column: scrolling, zooming and drawing in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QGuiApplication,
    QImage,
    QMouseEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolButton

from app.main_window import MainWindow
from app.palette import DARK, LIGHT, scheme_of
from app.reader.marks import Marks
from app.reader.page_drawings import PageDrawing
from app.reader.page_layout import (
    GAP,
    MARGIN,
    Fit,
    PageLayout,
    factor_of,
    paint_marks,
    paint_paper,
    rects_in,
)
from app.reader.page_view import PageView
from app.reader.reader import ReaderView
from core.documents.document import Box, PageSize
from core.errors import DocumentError
from core.progress import Job
from core.requests import DrawPage
from core.search.output.match import Highlight
from core.settings import Theme
from tests.app.library_double import Book, LibraryDouble
from tests.app.reader.shown_pages import drawing_of, point_at, rect_of, wanted_width

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.theme import ThemeSwitch

Search = Callable[[str], ReaderView]
AddBook = Callable[..., Book]
CONTROL = Qt.KeyboardModifier.ControlModifier


def is_sharp(view: PageView) -> bool:
    return drawing_of(view) is not None and drawing_of(view).width == wanted_width(view)


def wheel(view: PageView, at: QPointF, steps: int) -> None:
    event = QWheelEvent(
        at,
        view.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        CONTROL,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


@pytest.fixture
def paper(search: Search, qtbot: QtBot, add_book: AddBook) -> PageView:
    add_book("paper.pdf", [[f"Page {number} of many."] for number in range(1, 30)] + [["Spelt."]])
    view = search("spelt").view.pages
    qtbot.waitUntil(lambda: is_sharp(view))
    return view


def test_only_pages_near_the_view_are_drawn(
    paper: PageView, qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    assert paper.index == 29
    assert {image[1] for image in library.images} <= {28, 29, 30}
    library.images.clear()
    paper.verticalScrollBar().setValue(0)
    qtbot.waitUntil(lambda: paper.index == 0 and is_sharp(paper))
    qtbot.waitUntil(lambda: not window.session.is_reading)
    assert {image[1] for image in library.images} <= {1, 2, 3}
    header = window.main_view.reader.header
    assert "1 / 30" in [label.text() for label in header.findChildren(QLabel)]


def test_zoomed_pages_are_drawn_again_sharply(
    paper: PageView, qtbot: QtBot, window: MainWindow
) -> None:
    before = wanted_width(paper)
    qtbot.keyClick(paper, Qt.Key.Key_Plus, CONTROL)
    assert wanted_width(paper) > before
    assert drawing_of(paper) is not None, "the old drawing is shown larger meanwhile"
    qtbot.waitUntil(lambda: is_sharp(paper))
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_Minus, CONTROL)
    qtbot.keyClick(paper, Qt.Key.Key_Minus, CONTROL)
    assert wanted_width(paper) < before
    qtbot.keyClick(paper, Qt.Key.Key_0, CONTROL)
    assert wanted_width(paper) == before
    assert paper.zoom is Fit.WIDTH


def test_matches_are_boxed_without_drawing_the_page_again(
    paper: PageView, qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    qtbot.waitUntil(lambda: not window.session.is_reading)
    drawn = len(library.images)
    qtbot.keyClick(paper, Qt.Key.Key_F, CONTROL)
    qtbot.keyClicks(window.main_view.reader.find_bar.line, "pelt")
    word = (1, 5)
    qtbot.waitUntil(lambda: drawing_of(paper) is not None and word in drawing_of(paper).boxes)
    qtbot.waitUntil(lambda: not window.session.is_reading)
    assert len(library.images) == drawn
    assert (library.books[-1].path.name, library.placed[-1][1]) == ("paper.pdf", 30)
    # Again with the larger drawing.
    qtbot.keyClick(paper, Qt.Key.Key_Plus, CONTROL)
    qtbot.waitUntil(lambda: is_sharp(paper))
    assert drawing_of(paper) is not None
    assert word in drawing_of(paper).boxes


def point_of(view: PageView, span: tuple[int, int]) -> QPoint:
    """Return the middle of a word's box in the view."""
    assert drawing_of(view) is not None
    (rect,) = rects_in(rect_of(view, view.index), drawing_of(view), drawing_of(view).boxes[span])
    return rect.center().toPoint()


@pytest.fixture
def words(search: Search, qtbot: QtBot, add_book: AddBook) -> PageView:
    """A page whose words have known boxes."""
    add_book("words.pdf", [["Alpha beta gamma delta."]])
    view = search("alpha").view.pages
    qtbot.waitUntil(lambda: is_sharp(view))
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_A, CONTROL)
    qtbot.waitUntil(lambda: drawing_of(view) is not None and (17, 23) in drawing_of(view).boxes)
    return view


def test_text_of_a_page_is_selected_by_mouse_and_copied(qtbot: QtBot, words: PageView) -> None:
    assert words.selected_text == "Alpha beta gamma delta."
    start, end = point_of(words, (6, 10)), point_of(words, (17, 23))
    left, viewport = Qt.MouseButton.LeftButton, words.viewport()
    qtbot.mousePress(viewport, left, pos=start)
    assert words.selected_text == "", "a click ends the selection"
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(end),
        viewport.mapToGlobal(QPointF(end)),
        Qt.MouseButton.NoButton,
        left,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(viewport, move)
    qtbot.mouseRelease(viewport, left, pos=end)
    qtbot.waitUntil(lambda: words.selected_text == "beta gamma delta.")
    qtbot.keyClick(words, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "beta gamma delta."
    qtbot.mouseClick(viewport, left, Qt.KeyboardModifier.ShiftModifier, point_of(words, (11, 16)))
    assert words.selected_text == "beta gamma"


def test_a_double_click_selects_a_word_and_without_one_the_passage_is_copied(
    qtbot: QtBot, words: PageView
) -> None:
    left, viewport = Qt.MouseButton.LeftButton, words.viewport()
    qtbot.mouseClick(viewport, left, pos=point_of(words, (11, 16)))
    qtbot.keyClick(words, Qt.Key.Key_C, CONTROL)
    qtbot.waitUntil(lambda: "words.pdf" in QGuiApplication.clipboard().text())
    qtbot.mouseDClick(viewport, left, pos=point_of(words, (11, 16)))
    qtbot.waitUntil(lambda: words.selected_text == "gamma")


def test_the_zoom_is_chosen_in_the_header(
    paper: PageView, qtbot: QtBot, window: MainWindow
) -> None:
    header = window.main_view.reader.header
    (button,) = (one for one in header.findChildren(QToolButton) if one.menu() is not None)
    assert (button.isVisible(), button.accessibleName()) == (True, "Zoom: Fit width")
    menu = button.menu()
    next(one for one in menu.actions() if one.text() == "150%").trigger()
    assert (paper.factor, button.accessibleName()) == (1.5, "Zoom: 150%")
    next(one for one in menu.actions() if one.text() == "Fit page").trigger()
    assert paper.zoom is Fit.PAGE
    qtbot.keyClick(paper, Qt.Key.Key_W)
    assert button.accessibleName() == "Zoom: Fit width"


def test_the_page_and_its_text_are_accessible(paper: PageView, qtbot: QtBot) -> None:
    def announced() -> tuple[QAccessible.Role, str, str]:
        found = QAccessible.queryAccessibleInterface(paper)
        assert found is not None
        name, description = QAccessible.Text.Name, QAccessible.Text.Description
        return found.role(), found.text(name), found.text(description)

    assert announced() == (QAccessible.Role.Document, "Page 30 of 30", "Spelt.")
    paper.turn(-1)
    assert announced()[1:] == ("Page 29 of 30", "Page 29 of many.")
    paper.clear()
    assert announced()[1:] == ("Document page", "")


def test_the_wheel_zooms_at_the_pointer(paper: PageView, qtbot: QtBot) -> None:
    paper.go_to(10)
    at = QPointF(paper.viewport().width() / 2, 200)
    before = point_at(paper, at)
    wheel(paper, at, 2)
    after = point_at(paper, at)
    assert before[0] == after[0]
    assert abs(before[1] - after[1]) < 0.01
    for _ in range(40):
        wheel(paper, at, -1)
    assert paper.factor == pytest.approx(0.25)
    qtbot.waitUntil(lambda: is_sharp(paper))


def test_a_key_fits_the_whole_page_into_the_view(paper: PageView, qtbot: QtBot) -> None:
    wide = wanted_width(paper)
    qtbot.keyClick(paper, Qt.Key.Key_F)
    paper.go_to(3)
    place = rect_of(paper, 3)
    assert place.height() <= paper.viewport().height()
    assert place.width() / place.height() == pytest.approx(500 / 700, rel=0.01)
    assert wanted_width(paper) < wide
    qtbot.keyClick(paper, Qt.Key.Key_W)
    assert wanted_width(paper) == wide


def test_zoom_letters_are_typed_in_the_find_bar(
    paper: PageView, qtbot: QtBot, window: MainWindow
) -> None:
    qtbot.keyClick(paper, Qt.Key.Key_F, CONTROL)
    field = window.main_view.reader.find_bar.findChild(QLineEdit)
    assert field is not None
    qtbot.keyClicks(field, "few")
    assert field.text() == "few"
    assert paper.zoom is Fit.WIDTH


def test_a_damaged_page_does_not_affect_other_pages(
    search: Search,
    qtbot: QtBot,
    add_book: AddBook,
    library: LibraryDouble,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = library.answers[DrawPage]

    def fail(request: DrawPage, job: Job | None) -> object:
        if request.page == 1:
            raise DocumentError("Damaged: page 1 cannot be displayed")
        return draw(request, job)

    monkeypatch.setitem(library.answers, DrawPage, fail)
    add_book("paper.pdf", [["Broken."], ["Spelt."]])
    reader = search("spelt")
    qtbot.waitUntil(lambda: is_sharp(reader.view.pages))
    reader.view.pages.verticalScrollBar().setValue(0)
    qtbot.wait_until(lambda: reader.view.pages.index == 0)
    assert reader.view.pages.isVisible()
    assert not reader.notice.isVisible()


def test_white_paper_is_dimmed_in_the_dark(
    paper: PageView, theme: ThemeSwitch, qtbot: QtBot
) -> None:
    def lightest() -> int:
        """Return the brightness of the paper; letters and surroundings are darker."""
        image = paper.viewport().grab().toImage()
        return max(
            image.pixelColor(image.width() // 2, y).lightness() for y in range(image.height())
        )

    light = lightest()
    theme.choose(Theme.DARK)
    qtbot.waitUntil(lambda: scheme_of(paper.palette()) is DARK)
    dark = lightest()
    assert 180 < dark < light == 255


def test_matches_on_a_page_stay_black_on_white() -> None:
    canvas, page = (QImage(100, 100, QImage.Format.Format_RGB32) for _ in range(2))
    page.fill(Qt.GlobalColor.white)
    letter = QRect(40, 40, 20, 20)
    painter = QPainter(page)
    painter.fillRect(letter, Qt.GlobalColor.black)
    painter.end()
    area, span = QRectF(canvas.rect()), (0, 6)
    drawing = PageDrawing(page, {span: (Box(30, 30, 70, 70),)}, 100)
    marks = Marks((Highlight(0, 6, 0, 1.0),), None, (span,))
    painter = QPainter(canvas)
    paint_paper(painter, area, LIGHT, drawing)
    paint_marks(painter, area, drawing, marks, [(marks.highlights[0], drawing.boxes[span])])
    painter.end()
    assert canvas.pixelColor(34, 34) != QColor("white"), "it is marked"
    assert canvas.pixelColor(34, 34).lightness() > 4 * canvas.pixelColor(50, 50).lightness()


@given(
    sizes=st.lists(st.builds(PageSize, st.floats(10, 5000), st.floats(10, 5000)), min_size=1),
    zoom=st.sampled_from([Fit.WIDTH, Fit.PAGE, 0.25, 1.0, 6.0]),
    width=st.integers(1, 3000),
    height=st.integers(1, 3000),
)
def test_pages_are_stacked_vertically(
    sizes: list[PageSize], zoom: Fit | float, width: int, height: int
) -> None:
    layout = PageLayout(sizes, zoom, width, height)
    bottom = MARGIN - GAP
    for index, place in enumerate(layout.rects):
        assert place.top == pytest.approx(bottom + GAP)
        assert 0 <= place.left <= layout.width - place.width + 1
        assert layout.index_at(place.top + place.height / 2) == index
        assert index in layout.between(place.top, place.top + 1)
        bottom = place.bottom
    assert layout.height == pytest.approx(bottom + MARGIN)
    assert factor_of(sizes[0], 2.0, width, height) == 2.0
