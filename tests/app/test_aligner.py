"""Exact highlights follow the response, in place, and never for an outdated query."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from app.highlighting import HighlightedText
from app.main_window import MainWindow
from app.reader.page_drawings import PageDrawing
from app.search.rows import Answer, PassageRow
from core.documents.document import PageImage
from core.errors import ModelError
from core.progress import Job
from core.requests import Align, DrawPage
from core.responses import ExactAlignments, QueryToken
from core.search.output.match import Highlight, snippet_of, with_highlights
from tests.app.conftest import MakeWindow
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import line, search, shown_query
from tests.app.reader.shown_pages import drawing_of, highlight_boxes
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

BLUE, ORANGE = (195, 215), (30, 45)
FILLER = "It says little and continues for a while before it ends. "


@pytest.fixture
def library(library: LibraryDouble) -> LibraryDouble:
    """A library in which only exact alignment relates cereals to silos."""
    library.alike = {("cereals", "wheat"): 0.7}
    library.alike_exactly = {("cereals", "silo"): 0.75, ("cereals", "mould"): 0.72}
    return library


def add_many(library: LibraryDouble, folder: Path) -> None:
    """Add more documents than the window can show, with two passages each."""
    for number in range(12):
        path = folder / f"many{number}.txt"
        path.write_text("x", encoding="utf-8")
        texts = [f"Wheat {number} is next to a silo. {FILLER * 3}", f"More wheat. {FILLER}"]
        library.books.append(Book(path, f"Many {number}", [texts]))


def rows(window: MainWindow) -> list[PassageRow]:
    answer = window.main_view.results.answer
    assert answer is not None
    return list(answer.rows)


def highlighted_words(row: PassageRow) -> set[str]:
    text = row.hit.passage.text
    return {text[one.start : one.end] for one in row.highlights}


def wait_for_lights(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: all(row.is_exact for row in rows(window)))


def test_highlights_are_replaced_in_place(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    add_many(library, tmp_path)
    library.align_gate.clear()
    search(qtbot, window, "cereals")
    results = window.main_view.results
    model, bar = results.model(), results.verticalScrollBar()
    model_resets: list[int] = []
    model.modelReset.connect(lambda: model_resets.append(1))
    assert bar.maximum() > 200, "the test wants a list that is longer than the window"
    results.setCurrentIndex(model.index(4, 0))
    bar.setValue(130)
    chosen = results.chosen
    assert chosen is not None
    texts = [model.index(row, 0).data() for row in range(model.rowCount())]
    heights = [results.visualRect(model.index(row, 0)) for row in range(model.rowCount())]
    assert all(highlighted_words(row) <= {"Wheat", "wheat"} for row in rows(window))

    library.align_gate.set()
    wait_for_lights(qtbot, window)

    assert {word for row in rows(window) for word in highlighted_words(row)} >= {"silo", "Mould"}
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == texts
    assert [results.visualRect(model.index(row, 0)) for row in range(model.rowCount())] == heights
    assert model_resets == []
    assert (results.currentIndex().row(), bar.value()) == (4, 130)
    assert results.chosen is not None
    assert results.chosen.passage_id == chosen.passage_id
    assert results.chosen.is_exact


def test_the_exact_highlight_is_painted(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    """The word of the second colour is highlighted by exact alignment only."""
    library.alike_exactly = {("quagga", "silo"): 0.9}
    library.align_gate.clear()
    search(qtbot, window, "wheat quagga")
    window.main_view.results.setFocus()
    qtbot.waitUntil(lambda: painted(window, *BLUE))
    assert not painted(window, *ORANGE)
    assert [(chip.text, chip.has_highlights) for chip in window.chips.chips] == [
        ("wheat", True),
        ("quagga", False),
    ]

    library.align_gate.set()
    wait_for_lights(qtbot, window)
    assert painted(window, *ORANGE)
    assert [chip.has_highlights for chip in window.chips.chips] == [True, True]


def painted(window: MainWindow, least_hue: int, greatest_hue: int) -> bool:
    """Return whether the list has a highlighted word of this colour."""
    image = window.main_view.results.viewport().grab().toImage()
    colors = (
        image.pixelColor(x, y) for x in range(0, image.width(), 2) for y in range(image.height())
    )
    return any(
        least_hue <= color.hsvHue() <= greatest_hue and color.hsvSaturation() > 60
        for color in colors
    )


def test_the_reader_highlights_the_whole_passage_exactly(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.align_gate.clear()
    search(qtbot, window, "cereals")
    view = window.main_view.reader.view.text
    qtbot.waitUntil(lambda: len(view.highlights) == 2)
    text = view.toPlainText()
    assert [text[one.start : one.end] for one in view.highlights] == ["Wheat", "wheat"]

    library.align_gate.set()
    qtbot.waitUntil(
        lambda: [text[one.start : one.end] for one in view.highlights] == ["silo", "Mould"]
    )
    assert view.toPlainText() == text


def test_the_page_is_drawn_with_the_exact_words(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.alike_exactly = {("usefulness", "used"): 0.97}
    library.align_gate.clear()
    search(qtbot, window, "usefulness")
    view = window.main_view.reader.view.pages
    qtbot.waitUntil(lambda: drawing_of(view) is not None)
    assert drawing_of(view) is not None
    before = {(one.start, one.end) for one, _ in highlight_boxes(view)}

    library.align_gate.set()
    qtbot.waitUntil(lambda: {(one.start, one.end) for one, _ in highlight_boxes(view)} > before)


def test_exact_highlights_do_not_delay_the_page(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.alike_exactly = {("usefulness", "used"): 0.97}
    view = window.main_view.reader.view.pages
    drawings: list[int] = []
    gate = threading.Event()
    page_image, show_drawing = library.answers[DrawPage], view.show_drawing

    def draw(request: DrawPage, job: Job | None) -> PageImage:
        assert gate.wait(patience())
        image: PageImage = page_image(request, job)
        return image

    def show(number: int, drawing: PageDrawing) -> None:
        if number == 2:
            drawings.append(len(drawing.boxes))
        show_drawing(number, drawing)

    monkeypatch.setitem(library.answers, DrawPage, draw)
    monkeypatch.setattr(view, "show_drawing", show)
    search(qtbot, window, "usefulness")
    wait_for_lights(qtbot, window)
    gate.set()

    qtbot.waitUntil(lambda: 3 in drawings and window.session.is_idle)
    assert drawings in ([2, 3], [3]), "passage and words, at first or exactly"


def test_passages_in_view_come_first_and_the_further_ones_last(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    add_many(library, tmp_path)
    search(qtbot, window, "cereals")
    wait_for_lights(qtbot, window)
    requested = [number for _, numbers in library.aligned for number in numbers]
    best = [row.passage_id for row in rows(window) if row.is_best]
    further = [row.passage_id for row in rows(window) if not row.is_best]
    assert requested == best + further, "none is asked for twice"

    library.aligned.clear()
    library.align_gate.clear()
    search(qtbot, window, "cereals wheat")
    qtbot.waitUntil(lambda: len(library.aligned) == 1)
    bar = window.main_view.results.verticalScrollBar()
    bar.setValue(bar.maximum())
    in_view = window.main_view.results.in_view()
    library.align_gate.set()
    wait_for_lights(qtbot, window)
    assert in_view.isdisjoint(library.aligned[0][1])
    assert in_view >= set(library.aligned[1][1][: len(in_view)]) != set()


def test_a_new_query_cancels_the_running_alignment(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.align_gate.clear()
    library.search_gate.clear()
    seen: list[str] = []
    window.aligner.aligned.connect(lambda answer: seen.append(answer.results.query))
    library.search_gate.set()
    search(qtbot, window, "cereals")
    qtbot.waitUntil(lambda: len(library.aligned) == 1)
    before = rows(window)

    library.search_gate.clear()
    qtbot.keyClicks(line(window), " keep")
    qtbot.waitUntil(lambda: library.cancelled_alignments == 1)
    assert rows(window) == before, "the old answer stays as it is until the new one comes"
    library.align_gate.set()
    library.search_gate.set()
    qtbot.waitUntil(lambda: shown_query(window) == "cereals keep")
    wait_for_lights(qtbot, window)
    assert set(seen) == {"cereals keep"}


def test_a_space_typed_after_the_query_drops_nothing(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.align_gate.clear()
    search(qtbot, window, "cereals")
    qtbot.waitUntil(lambda: len(library.aligned) == 1)
    qtbot.keyClicks(line(window), " ")
    library.align_gate.set()

    wait_for_lights(qtbot, window)
    assert library.cancelled_alignments == 0


def test_clearing_the_box_cancels_the_running_alignment(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.align_gate.clear()
    search(qtbot, window, "cereals")
    qtbot.waitUntil(lambda: len(library.aligned) == 1)
    qtbot.keyClick(line(window), Qt.Key.Key_Escape)

    qtbot.waitUntil(lambda: library.cancelled_alignments == 1)
    qtbot.waitUntil(lambda: window.session.is_idle)
    assert not window.main_view.shows_results


def test_a_removed_passage_keeps_its_highlights(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.removed_texts.add("Wheat keeps for years in a dry silo.")
    search(qtbot, window, "cereals")
    qtbot.waitUntil(lambda: any(row.is_exact for row in rows(window)))
    qtbot.waitUntil(lambda: window.session.is_idle)

    assert {row.hit.passage.text: highlighted_words(row) for row in rows(window)} == {
        "Wheat keeps for years in a dry silo.": {"Wheat"},
        "Mould spoils wheat that is stored wet.": {"Mould"},
    }
    assert len(library.aligned) == 1, "it is not tried again"
    assert not window.remark.isVisible()


def test_without_its_model_the_list_stays_and_a_notice_explains_it(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.align_error = ModelError("The model's files are missing; install Winnow again.")
    search(qtbot, window, "cereals")
    qtbot.waitUntil(window.remark.isVisible)

    assert window.remark.accessibleName() == str(library.align_error)
    assert [highlighted_words(row) for row in rows(window)] == [{"Wheat"}, {"wheat"}]


def test_an_unexpected_error_has_a_report(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.align_error = RuntimeError("a bug")
    search(qtbot, window, "cereals")
    qtbot.waitUntil(window.remark.isVisible)

    assert window.remark.notice is not None
    assert "builtins.RuntimeError" in window.remark.notice.report


def test_an_answer_by_words_is_not_aligned(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.warm_gate.clear()
    window = make_window()
    search(qtbot, window, "wheat")
    assert library.aligned == []

    library.warm_gate.set()
    wait_for_lights(qtbot, window)


def test_a_newer_response_has_exact_highlights_at_once(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    """During a sync the search is repeated every other second."""
    search(qtbot, window, "cereals")
    wait_for_lights(qtbot, window)
    first = {row.passage_id: highlighted_words(row) for row in rows(window)}
    library.aligned.clear()
    add_many(library, tmp_path)
    library.align_gate.clear()
    with qtbot.waitSignal(window.searcher.answered):
        window.searcher.refresh()

    assert len(rows(window)) > 20
    assert {row.passage_id: highlighted_words(row) for row in rows(window) if row.is_exact} == first
    library.align_gate.set()
    wait_for_lights(qtbot, window)
    requested = {number for _, numbers in library.aligned for number in numbers}
    assert requested.isdisjoint(first), "passages with exact highlights are not encoded again"


def test_tokens_of_another_model_highlight_nothing(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    def align(request: Align, _job: object) -> ExactAlignments:
        library.aligned.append((request.query, request.passage_ids))
        token = QueryToken(0, "cereal", 0, 6, 0)
        return ExactAlignments((token,), dict.fromkeys(request.passage_ids, ()))

    monkeypatch.setitem(library.answers, Align, align)
    search(qtbot, window, "cereals")
    qtbot.waitUntil(lambda: len(library.aligned) == 1 and window.session.is_idle)

    assert [highlighted_words(row) for row in rows(window)] == [{"Wheat"}, {"wheat"}]


def test_a_passage_selected_in_a_collapsed_row_is_highlighted_in_the_reader(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.align_gate.clear()
    search(qtbot, window, "cereals")
    results = window.main_view.results
    results.setFocus()
    qtbot.keyClick(results, Qt.Key.Key_Right)
    qtbot.keyClick(results, Qt.Key.Key_Down)
    # The row that collapses them.
    results.setCurrentIndex(results.model().index(1, 0))
    qtbot.keyClick(results, Qt.Key.Key_Left)
    assert results.chosen is not None
    assert results.chosen.hit.passage.text.startswith("Mould")
    assert results.model().rowCount() == 2
    library.align_gate.set()
    wait_for_lights(qtbot, window)

    assert results.chosen.is_exact
    assert highlighted_words(results.chosen) == {"Mould"}


def test_a_snippet_is_elided_at_the_same_place() -> None:
    text = FILLER * 4 + "Here is\n\nthe needle. " + FILLER * 4
    start = text.index("needle")
    before = snippet_of(text, [Highlight(start, start + 6, 0, 1.0)], 120)
    elsewhere = Highlight(0, 2, 0, 1.0)
    here = text.index("Here")
    after = with_highlights(before, text, [elsewhere, Highlight(here, here + 4, 1, 0.5)])

    assert (after.text, after.start, after.end) == (before.text, before.start, before.end)
    assert [(after.text[one.start : one.end], one.word) for one in after.highlights] == [
        ("Here", 1)
    ]
    assert with_highlights(after, text, before_lits(start)) == before


def before_lits(start: int) -> list[Highlight]:
    return [Highlight(start, start + 6, 0, 1.0)]


def test_words_beyond_the_end_of_a_line_are_not_highlighted(qtbot: QtBot) -> None:
    text = "🌾 wheat " + "and more of it " * 40 + "silo"
    shown = HighlightedText(text, (), QFont(), 200, 2)
    height = shown.height
    shown.highlight((Highlight(2, 7, 0, 1.0), Highlight(len(text) - 4, len(text), 1, 1.0)))

    assert [(one.start, one.end, one.word) for one in shown.highlights] == [(3, 8, 0)]
    assert shown.height == height


def test_exact_highlights_change_nothing_else(qtbot: QtBot, window: MainWindow) -> None:
    answers: list[Answer] = []
    window.searcher.settled.connect(answers.append)
    search(qtbot, window, "cereals")
    wait_for_lights(qtbot, window)
    shown = window.main_view.results.answer
    assert shown is not None

    assert shown.results is answers[0].results
    assert [row.snippet.text for row in shown.rows] == [row.snippet.text for row in answers[0].rows]
