"""The alignment inspector: the matrix of the chosen result and its score breakdown."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction, QColor, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QTableView, QToolButton

from app import texts
from app.inspector.dialog import CHOICES, Inspector
from app.inspector.matrix import MatrixModel
from app.inspector.score_table import SumModel, SumView
from app.main_window import MainWindow
from app.translation import install_language
from app.widgets.window_geometry import DialogSizes
from core.errors import LibraryError, Message
from core.requests import Explain, Search
from core.responses import ScoreTerm
from core.search.explanation import break_down
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import search

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot

TEXT = Qt.ItemDataRole.AccessibleTextRole


def table(view: QTableView) -> list[list[str]]:
    model = view.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def in_list(window: MainWindow) -> str:
    chosen = window.main_view.results.chosen
    assert chosen is not None
    return texts.figure(chosen.hit.score, 3)


def press(qtbot: QtBot, window: MainWindow, text: str) -> None:
    buttons = window.inspector.dialog.choices.findChildren(QToolButton)
    button = next(one for one in buttons if one.text() == text)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def why(window: MainWindow) -> QAction:
    return next(one for one in window.findChildren(QAction) if one.text() == "Why this result?")


@pytest.fixture
def inspector(qtbot: QtBot, window: MainWindow) -> Inspector:
    search(qtbot, window, "wheat dry")
    why(window).trigger()
    qtbot.waitUntil(lambda: not window.inspector.dialog.message)
    window.inspector.dialog.details.click()
    return window.inspector.dialog


def test_the_window_is_imported_without_numpy() -> None:
    code = "import sys, app.main_window; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_button_above_the_document_opens_it(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat dry")
    button = window.main_view.reader.header.findChild(QToolButton, "whyButton")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.inspector.dialog.message)

    assert why(window).shortcut().toString() == "Ctrl+I"
    qtbot.keyClick(window.inspector.dialog, Qt.Key.Key_Escape)
    assert not window.inspector.dialog.isVisible()
    assert window.isVisible()


def test_the_menu_of_a_result_opens_it(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat dry")
    results = window.main_view.results
    place = results.visualRect(results.model().index(2, 0)).center()
    qtbot.mousePress(results.viewport(), Qt.MouseButton.RightButton, pos=place)
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, results.viewport().mapToGlobal(place)
    )
    QApplication.sendEvent(results.viewport(), event)
    menu = next(one for one in results.findChildren(QMenu) if one.isVisible())
    action = next(one for one in menu.actions() if one.text() == "Why this result?")
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())

    qtbot.waitUntil(lambda: not window.inspector.dialog.message)
    assert window.inspector.dialog.title.whole == "Acceptance of software · p. 2"


def test_a_sentence_says_which_words_were_found_and_how(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.alike[("storage", "silo")] = 0.7
    search(qtbot, window, "wheat storage tesseract")
    why(window).trigger()
    dialog = window.inspector.dialog
    qtbot.waitUntil(lambda: not dialog.message)
    assert dialog.sentence.text() == (
        'Found by words: "wheat"; by meaning: "storage" ~ "silo". "tesseract" does not occur.'
    )


def test_the_details_are_hidden_at_first_and_shown_again_if_they_were_open(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "wheat dry")
    why(window).trigger()
    dialog = window.inspector.dialog
    qtbot.waitUntil(lambda: not dialog.message)
    short = dialog.height()
    assert not dialog.matrix.isVisible()
    dialog.details.click()
    assert dialog.matrix.isVisible()
    assert dialog.height() > short
    close = next(one for one in dialog.findChildren(QPushButton) if one.text() == "&Close")
    close.click()
    assert not dialog.isVisible()

    again = Inspector(window.session.reads, window)
    DialogSizes(window.sizes.as_settings()["dialog_sizes"], again).hold(again, "inspector")
    again.show()
    assert again.details.isChecked()
    again.details.click()
    assert again.height() == short
    again.close()


def test_the_breakdown_adds_up_to_the_score_in_the_list(
    window: MainWindow, inspector: Inspector
) -> None:
    *lines, words, total = table(inspector.score_table)
    assert [line[0] for line in lines] == ["wheat", "dry"]
    assert [line[2] for line in lines] == ["Wheat", "Wheat"], "the index stores no vector for “dry”"
    assert words[0] == "Matching words (BM25)"
    assert sum(Decimal(line[4]) for line in (*lines, words)) == Decimal(total[5])
    assert [line[5] for line in (*lines, words)][-1] == total[5] == in_list(window)
    assert inspector.verdict.text() == f"Score in the list: {total[5]}"
    assert inspector.cell.text().startswith("“wheat” and “Wheat”")
    added = Decimal(inspector.cell.text().rsplit("contributes ")[1])
    assert abs(added - Decimal(lines[0][4])) <= Decimal("0.001"), "the pair and its line agree"


def test_the_exact_score_is_distinguished_from_the_lists(
    qtbot: QtBot, window: MainWindow, inspector: Inspector
) -> None:
    listed = in_list(window)
    press(qtbot, window, "Exact")

    *lines, words, total = table(inspector.score_table)
    assert [line[2] for line in lines] == ["Wheat", "dry"]
    assert total[5] != listed
    assert inspector.verdict.text() == (f"Total: {total[5]}, score in the list: {listed}")
    assert inspector.note.text().startswith("All")
    assert "the least salient, have no vector" in inspector.note.text()
    assert " dry" in inspector.note.text()
    columns = range(inspector.matrix.matrix.columnCount())
    texts = inspector.matrix.matrix.passage_texts
    struck = [texts[column] for column in columns if inspector.matrix.matrix.is_pruned(column)]
    assert struck == [text for text in texts if len(text) < 4] != []
    assert sum(Decimal(line[4]) for line in (*lines, words)) == Decimal(total[5])


@pytest.mark.parametrize(
    ("name", "aligned"), [("2", 2), ("8", 8), ("2%", 1), ("1.5%", 1), ("All", 8)]
)
def test_another_alignment_adds_up_too(
    qtbot: QtBot, window: MainWindow, inspector: Inspector, name: str, aligned: int
) -> None:
    press(qtbot, window, "Exact")
    press(qtbot, window, name)

    breakdown = inspector.matrix.matrix.breakdown
    assert breakdown is not None
    assert [line.count for line in breakdown.lines] == [aligned, aligned]
    *lines, words, total = table(inspector.score_table)
    assert sum(Decimal(line[4]) for line in (*lines, words)) == Decimal(total[5])
    shown = [[cell is not None for cell in row] for row in table(inspector.matrix)]
    assert [sum(row) for row in shown] == [aligned, aligned], "the aligned cells are marked"


def test_it_follows_the_chosen_result(
    qtbot: QtBot, window: MainWindow, inspector: Inspector, library: LibraryDouble
) -> None:
    before = len(library.explained)
    window.main_view.results.setFocus()
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_Down)
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: len(library.explained) == before + 1)
    qtbot.waitUntil(lambda: table(inspector.score_table)[-1][5] == in_list(window))

    inspector.close()
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_Up)
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: window.session.is_idle)
    assert len(library.explained) == before + 1, "a hidden dialog explains nothing"
    why(window).trigger()
    qtbot.waitUntil(lambda: len(library.explained) == before + 2)


def test_new_highlights_do_not_repeat_the_explanation(
    qtbot: QtBot, window: MainWindow, inspector: Inspector, library: LibraryDouble
) -> None:
    with qtbot.waitSignal(window.searcher.answered):
        window.searcher.refresh()
    qtbot.waitUntil(lambda: window.session.is_idle)
    assert len(library.explained) == 1


def test_clearing_the_box_clears_the_matrix(
    qtbot: QtBot, window: MainWindow, inspector: Inspector
) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert inspector.message.startswith("No result selected")
    assert table(inspector.matrix) == table(inspector.score_table) == []


def test_an_answer_by_words_has_nothing_to_align(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.warm_gate.clear()
    window = make_window()
    search(qtbot, window, "wheat")
    why(window).trigger()
    assert window.inspector.dialog.message.startswith('Found by words: "wheat".')
    assert library.explained == []


def test_a_running_comparison_shows_a_message(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "wheat")
    qtbot.waitUntil(lambda: window.session.is_idle)
    library.align_gate.clear()
    why(window).trigger()
    assert window.inspector.dialog.message.startswith("Comparing")
    library.align_gate.set()
    qtbot.waitUntil(lambda: not window.inspector.dialog.message)


def test_a_failed_explanation_shows_the_reason(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "wheat")
    qtbot.waitUntil(lambda: window.session.is_idle)
    library.align_error = LibraryError("This passage is no longer in the library. Search again.")
    why(window).trigger()
    qtbot.waitUntil(lambda: "no longer in the library" in window.inspector.dialog.message)


def test_cells_are_reached_by_keyboard_and_described(
    qtbot: QtBot, window: MainWindow, inspector: Inspector
) -> None:
    assert inspector.cell.text().startswith(
        "“wheat” and “Wheat”: similarity 0.95, aligned, contributes"
    )
    inspector.matrix.setFocus()
    qtbot.keyClick(inspector.matrix, Qt.Key.Key_Right)
    assert inspector.cell.text() == "“wheat” and “keeps”: similarity 0.00, not aligned"
    assert inspector.matrix.currentIndex().data(TEXT) == inspector.cell.text()

    inspector.score_table.setFocus()
    qtbot.keyClick(inspector.score_table, Qt.Key.Key_Down)
    assert inspector.matrix.currentIndex().row() == inspector.score_table.currentIndex().row() == 1


def test_a_row_of_the_matrix_stays_in_view_in_a_low_window(inspector: Inspector) -> None:
    inspector.resize(inspector.minimumSizeHint())
    # Two with usual fonts; Qt's least height of a table is the same for all.
    row_height = inspector.matrix.verticalHeader().defaultSectionSize()
    assert inspector.matrix.viewport().height() >= row_height


def test_everything_has_a_name(inspector: Inspector) -> None:
    for widget in (
        inspector.matrix,
        inspector.score_table,
        *inspector.choices.findChildren(QToolButton),
    ):
        found = QAccessible.queryAccessibleInterface(widget)
        assert found.text(QAccessible.Text.Name), widget


def test_similar_tokens_are_painted_in_a_stronger_colour(inspector: Inspector) -> None:
    inspector.matrix.clearSelection()
    image = inspector.matrix.viewport().grab().toImage()

    def color(row: int, column: int) -> QColor:
        area = inspector.matrix.visualRect(inspector.matrix.matrix.index(row, column))
        return image.pixelColor(area.left() + 4, area.top() + 4)

    assert 195 <= color(0, 0).hsvHue() <= 215, "the first word's blue"
    assert color(0, 0).hsvSaturation() > 80
    assert color(0, 1).hsvSaturation() < 10


def test_both_models_keep_qts_rules(qtmodeltester: ModelTester, library: LibraryDouble) -> None:
    matrix, sums = MatrixModel(), SumModel()
    for model in (matrix, sums):
        qtmodeltester.check(model)
    hit = library.answer(Search("wheat dry")).hits[0].passages[0]
    explanation = library.answer(Explain("wheat dry", hit.passage.id, hit.terms))
    for strategy in CHOICES:
        found = break_down(explanation, strategy, stored=strategy.value == 1)
        matrix.show_breakdown(explanation, found)
        sums.show_breakdown(explanation, found)
    matrix.clear()
    sums.clear()


def test_each_term_of_a_score_is_named_in_the_language_of_the_window(
    library: LibraryDouble, qapp: QApplication
) -> None:
    install_language(qapp, "de")
    hit = library.answer(Search("wheat dry")).hits[0].passages[0]
    terms = (*hit.terms, ScoreTerm("kind", Message("Source code"), 0.25, 0.5))
    explanation = library.answer(Explain("wheat dry", hit.passage.id, terms))
    view = SumView()
    view.sums.show_breakdown(explanation, break_down(explanation, CHOICES[0], stored=True))
    *_, words, kind, total = table(view)
    assert (words[0], kind[0], total[0]) == ("Gefundene Wörter (BM25)", "Quelltext", "Summe")
    room = view.columnWidth(0) - view.fontMetrics().horizontalAdvance(words[0])
    assert room > 0, "the longest name fits"
