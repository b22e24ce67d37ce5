"""Copying passages, searching for similar ones, exporting and dragging results."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDragLeaveEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QToolButton

from app.main_window import MainWindow
from app.search.results_model import ResultsModel
from core.errors import LibraryError
from tests.app.library_double import LibraryDouble
from tests.app.person import line, search, shown_query, titles

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

CONTROL = Qt.KeyboardModifier.ControlModifier


def entry(menu: QMenu, text: str) -> None:
    next(one for one in menu.actions() if one.text() == text).trigger()


def row_menu(window: MainWindow) -> QMenu:
    """Open the menu of the current result with the menu key."""
    results = window.main_view.results
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    QApplication.sendEvent(results.viewport(), event)
    return next(one for one in results.findChildren(QMenu) if one.isVisible())


def test_a_passage_is_copied_with_its_source(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "software")
    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == (
        "Usefulness predicts whether software is used, dry as it is.\n\n"
        f"— Acceptance of software, p. 2, {library.books[2].path}\n"
    )

    search(qtbot, window, "porridge")
    menu = row_menu(window)
    entry(menu, "Copy with source")
    menu.close()
    assert QGuiApplication.clipboard().text().startswith("Porridge needs salt.")


def test_a_pdf_is_copied_as_a_bibtex_entry(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.books[2].pages[0][0] = "https://doi.org/10.1000/182. Ease of use."
    search(qtbot, window, "software")
    menu = row_menu(window)
    entry(menu, "Copy as BibTeX")
    menu.close()
    qtbot.waitUntil(lambda: "doi = {10.1000/182}" in QGuiApplication.clipboard().text())
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("@misc{")
    assert "title = {Acceptance of software}" in copied

    search(qtbot, window, "porridge")
    menu = row_menu(window)
    assert "Copy as BibTeX" not in [one.text() for one in menu.actions()]
    menu.close()


def test_similar_passages_are_found_by_salient_words(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat type:text")
    menu = row_menu(window)
    entry(menu, "Find similar passages")
    menu.close()
    qtbot.waitUntil(lambda: line(window).text() == "wheat keeps years")
    qtbot.waitUntil(lambda: shown_query(window) == "wheat keeps years")

    search(qtbot, window, "oats")
    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_M, CONTROL)
    qtbot.waitUntil(lambda: "rolled" in line(window).text())
    line(window).undo()
    assert line(window).text() == "oats"


def test_a_deleted_passage_has_no_words(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "oats")
    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    library.align_error = LibraryError("This passage is no longer in the library. Search again.")
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_M, CONTROL)
    qtbot.waitUntil(lambda: "no longer in the library" in window.trouble.accessibleName())
    assert line(window).text() == "oats"


@pytest.mark.parametrize("name", ["Table (CSV)…", "JSON…", "Markdown…"])
def test_results_are_exported_as_shown(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str
) -> None:
    search(qtbot, window, "wheat dry")
    order = window.main_view.header.findChild(QToolButton, "orderButton")
    entry(order.menu(), "By name")
    shown = titles(window)
    assert shown == ["Acceptance of software", "Storing grain"]

    button = next(
        one
        for one in window.main_view.header.findChildren(QToolButton)
        if one.accessibleName() == "Export results"
    )
    entry(button.menu(), name)
    dialog = window.findChild(QFileDialog)
    suggested = Path(dialog.selectedFiles()[0])
    assert suggested.name.startswith("wheat dry.")
    path = tmp_path / suggested.name
    dialog.fileSelected.emit(str(path))
    dialog.close()
    qtbot.waitUntil(lambda: "2 documents exported" in window.brief.text)

    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".csv":
        rows = csv.DictReader(io.StringIO(text, newline=""))
        titles_written = list(dict.fromkeys(row["title"] for row in rows))
    elif path.suffix == ".json":
        titles_written = [one["title"] for one in json.loads(text)["results"]]
    else:
        titles_written = [one[6:] for one in text.splitlines() if one.startswith("## ")]
    assert titles_written == shown


def test_a_failed_export_is_reported(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    search(qtbot, window, "wheat")
    answer = window.main_view.results.answer
    assert answer is not None
    window.tools.actions.write(answer, "md", str(tmp_path / "nowhere" / "x.md"))
    qtbot.waitUntil(lambda: "cannot be written to" in window.trouble.accessibleName())


def test_a_result_is_dragged_as_its_file(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "wheat dry")
    results = window.main_view.results
    assert results.dragEnabled()
    model = results.model()
    assert isinstance(model, ResultsModel)
    first, more = model.index(0), model.index(1)
    assert model.flags(first) & Qt.ItemFlag.ItemIsDragEnabled
    assert not model.flags(more) & Qt.ItemFlag.ItemIsDragEnabled
    urls = model.mimeData([first]).urls()
    assert [Path(url.toLocalFile()) for url in urls] == [library.books[0].path]


def test_a_folder_dragged_from_another_program_is_added(window: MainWindow, tmp_path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    event = QDragEnterEvent(
        QPoint(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(window, event)
    assert event.isAccepted()
    # Qt remembers the window under a drag, even after the window is gone.
    QApplication.sendEvent(window, QDragLeaveEvent())
