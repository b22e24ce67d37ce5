"""Pictures of pages in the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.background import Lane
from app.main_window import MainWindow
from app.search.rows import PassageRow, arrange
from app.search.thumbnails import Thumbnails
from core.requests import Search
from core.responses import Mode
from tests.app.library_double import LibraryDouble
from tests.app.person import search

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def row(library: LibraryDouble) -> PassageRow:
    answer = arrange(library.answer(Search("usefulness", Mode.WORDS)))
    return answer.documents[0].best


def drawn(library: LibraryDouble) -> list[tuple[int, int]]:
    """Return the documents and pages that were drawn as small pictures."""
    return [(document_id, page) for document_id, page, width in library.images if width < 200]


def test_a_page_is_drawn_once_when_no_search_is_running(
    qtbot: QtBot, library: LibraryDouble, lane: Lane, row: PassageRow
) -> None:
    busy = [True]
    pictures = Thumbnails(lane, lambda: busy[0], lane)
    pictures.use(library)
    check_count = 0

    def is_busy() -> bool:
        nonlocal check_count
        check_count += 1
        return busy[0]

    pictures._is_busy = is_busy
    assert pictures.of(row) is None
    qtbot.waitUntil(lambda: check_count > 1)
    assert drawn(library) == []
    busy[0] = False
    with qtbot.waitSignal(pictures.drawn):
        pass
    picture = pictures.of(row)
    assert picture is not None
    assert 0 < picture.width() < picture.height()
    assert drawn(library) == [(2, 2)]


def test_a_page_that_cannot_be_drawn_is_tried_once(
    qtbot: QtBot, library: LibraryDouble, lane: Lane, row: PassageRow
) -> None:
    library.books[2].path.unlink()
    pictures = Thumbnails(lane, bool, lane)
    pictures.use(library)
    assert pictures.of(row) is None
    qtbot.waitUntil(lambda: len(drawn(library)) == 1)
    qtbot.waitUntil(lambda: lane.is_empty)
    assert pictures.of(row) is None
    assert drawn(library) == [(2, 2)]


def test_results_show_the_pages_of_pdf_documents(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "dry")
    qtbot.waitUntil(lambda: drawn(library) == [(2, 2)])
    qtbot.waitUntil(lambda: window.session.is_idle)
    chosen = window.main_view.results.answer
    assert chosen is not None
    pdf = next(entry.best for entry in chosen.documents if entry.best.document.has_page_images)
    assert window.pictures.of(pdf) is not None
