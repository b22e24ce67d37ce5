"""The lines above the results: the count and order, and files by name."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QLocale, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton

from app.main_window import MainWindow
from app.search.row_labels import shown_day
from core.catalog.documents import DocumentState, NamedDocument
from core.settings import Order, load_settings
from tests.app.conftest import MakeWindow
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import press, search, titles

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def many(library: LibraryDouble) -> LibraryDouble:
    """Seventy more books; the lower their number, the more often they contain "hay"."""
    for number in range(70):
        path = library.home / f"{number}.txt"
        words = " ".join(["hay"] * (70 - number))
        changed = date(2020, 1 + number % 12, 1 + number % 28)
        library.books.append(Book(path, f"Hay {number}", [[words]], changed=changed))
    return library


def choose(window: MainWindow, name: str) -> None:
    button = window.main_view.header.findChild(QToolButton, "orderButton")
    next(one for one in button.menu().actions() if one.text() == name).trigger()


def test_results_are_sorted_by_date_name_and_relevance(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    for book, changed in zip(library.books, (date(2021, 5, 1), date(2023, 5, 1)), strict=False):
        book.changed = changed
    search(qtbot, window, "wheat dry oats")
    ranked = ["Storing grain", "Oats", "Acceptance of software"]
    assert titles(window) == ranked

    choose(window, "By date")
    assert titles(window) == ["Acceptance of software", "Oats", "Storing grain"]
    assert window.main_view.results.currentIndex().row() == 0
    choose(window, "By name")
    assert titles(window) == ["Acceptance of software", "Oats", "Storing grain"]
    search(qtbot, window, "wheat oats")
    assert titles(window) == ["Oats", "Storing grain"], "the order continues"
    search(qtbot, window, "wheat dry oats")
    choose(window, "By relevance")
    assert titles(window) == ranked


def test_exact_highlights_do_not_change_the_order(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    """The export has the shown answer."""
    library.align_gate.clear()
    search(qtbot, window, "wheat dry oats")
    choose(window, "By name")
    library.align_gate.set()
    results = window.main_view.results
    qtbot.waitUntil(
        lambda: results.answer is not None and all(row.is_exact for row in results.answer.rows)
    )
    assert results.answer is not None
    assert [one.best.title for one in results.answer.documents] == titles(window)
    assert titles(window) == ["Acceptance of software", "Oats", "Storing grain"]


def test_results_of_filters_alone_are_labelled_by_date(qtbot: QtBot, window: MainWindow) -> None:
    button = window.main_view.header.findChild(QToolButton, "orderButton")
    search(qtbot, window, "type:markdown")
    assert button.text() == "By date ▾"
    search(qtbot, window, "oats type:markdown")
    assert button.text() == "By relevance ▾"


def test_numbers_in_names_are_compared_by_value(
    qtbot: QtBot, make_window: MakeWindow, many: LibraryDouble
) -> None:
    window = make_window()
    search(qtbot, window, "hay")
    choose(window, "By name")
    qtbot.waitUntil(lambda: len(titles(window)) == 60)
    assert titles(window)[1:3] == ["Hay 1", "Hay 2"]


def test_more_results_are_loaded_at_the_end_of_the_list(
    qtbot: QtBot, make_window: MakeWindow, many: LibraryDouble
) -> None:
    window = make_window()
    search(qtbot, window, "hay")
    assert len(titles(window)) == 20
    assert window.main_view.header.count.text() == "Top 20 documents"
    results = window.main_view.results
    results.setFocus()
    qtbot.keyClick(results, Qt.Key.Key_End)
    chosen = results.chosen
    assert chosen is not None
    qtbot.waitUntil(lambda: len(titles(window)) == 60)
    assert results.chosen is not None
    assert results.chosen.passage_id == chosen.passage_id
    assert results.currentIndex().row() == 19
    qtbot.keyClick(results, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: len(titles(window)) == 70)
    assert window.main_view.header.count.text() == "70 documents"

    search(qtbot, window, "hay wheat")
    assert len(titles(window)) == 20, "another query starts at the top"


def test_the_order_is_remembered(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> None:
    window = make_window()
    choose(window, "By date")
    with qtbot.waitSignal(window.closed):
        window.close()
    assert load_settings(tmp_path / "home" / "settings.json").settings.order is Order.DATE


@pytest.mark.parametrize(
    ("locale", "day"),
    [
        (QLocale("de"), "1. Mai 2024"),
        (QLocale("en_GB"), "1 May 2024"),
        (QLocale("en_US"), "May 1, 2024"),
        (QLocale("zh_CN"), "2024年5月1日"),
        (QLocale.c(), "2024-05-01"),
    ],
)
def test_a_row_shows_the_day_of_the_last_change(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, locale: QLocale, day: str
) -> None:
    QLocale.setDefault(locale)
    search(qtbot, window, "oats")
    answer = window.main_view.results.answer
    assert answer is not None
    assert shown_day(answer.documents[0].best.document) == day


@pytest.fixture
def locked(library: LibraryDouble) -> Path:
    path = library.books[0].path.with_name("locked wheat.pdf")
    path.write_bytes(b"%PDF")
    library.named = (
        NamedDocument(7, path, "", DocumentState.FAILED, "Password required"),
        NamedDocument(8, path.with_name("wheat.txt"), "", DocumentState.FOUND),
        NamedDocument(9, path.with_name("wheat.md"), "Wheat", DocumentState.READ),
        NamedDocument(10, path.with_name("wheat.rst"), "Wheat", DocumentState.READ),
    )
    return path


def test_files_with_matching_names_are_listed_with_their_state(
    qtbot: QtBot, window: MainWindow, locked: Path
) -> None:
    assert not window.main_view.named.isVisible()
    search(qtbot, window, "wheat")
    assert titles(window) == ["Storing grain"]
    assert window.main_view.named.isVisible()
    labels = [label.text() for label in window.main_view.named.findChildren(QLabel)]
    assert "File names" in labels
    assert window.main_view.named.lines == [
        "locked wheat.pdf, Password required",
        "wheat.txt, not indexed yet",
        "wheat.md",
    ]
    window.box.clear()
    assert not window.main_view.named.isVisible()


def test_a_named_file_is_opened_by_a_click(
    qtbot: QtBot, window: MainWindow, locked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []

    def open_url(url: QUrl) -> bool:
        opened.append(Path(url.toLocalFile()))
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    search(qtbot, window, "wheat")
    press(qtbot, window.main_view.named, "locked wheat.pdf")
    qtbot.waitUntil(lambda: opened == [locked])


def test_an_answer_with_names_only_is_explained(
    qtbot: QtBot, window: MainWindow, locked: Path
) -> None:
    search_nothing = "locked quagga"
    window.box.type_on(search_nothing)
    qtbot.waitUntil(
        lambda: window.main_view.empty.headline == f"Only file names match “{search_nothing}”"
    )
    assert window.main_view.named.isVisible()


def test_a_name_with_an_ampersand_is_shown_as_it_is(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    path = library.books[0].path.with_name("R&D wheat.pdf")
    library.named = (NamedDocument(7, path, "", DocumentState.READ),)
    search(qtbot, window, "wheat")
    button = window.main_view.named.findChild(QPushButton)
    assert button.text().replace("&&", "\0").count("&") == 0, "no letter is underlined instead"
    assert button.shortcut().isEmpty()
    assert window.main_view.named.lines == ["R&D wheat.pdf"]
