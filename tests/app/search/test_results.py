"""The results list: its model follows Qt's rules, and the keyboard reaches every passage."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QApplication

from app import texts as texts_of_window
from app.library.files_page import FilesModel
from app.main_window import MainWindow
from app.search.results_delegate import RowLayout, RowSetting, measures_of
from app.search.results_model import ResultsModel
from app.search.results_view import ResultsView
from app.search.row_labels import kind_tag, shown_day
from app.search.rows import Answer, MoreRow, PassageRow, arrange
from core.catalog.files.file_lists import FileGroup, ListedFile
from core.requests import Search
from core.responses import Mode
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import line, search, shown_query

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot


@pytest.fixture
def answer(library: LibraryDouble) -> Answer:
    return arrange(library.answer(Search("wheat dry")))


@pytest.fixture
def view(qtbot: QtBot, answer: Answer, qapp: QApplication) -> Iterator[ResultsView]:
    results_view = ResultsView()
    qtbot.addWidget(results_view)
    results_view.resize(420, 600)
    results_view.show()
    results_view.show_answer(answer)
    return results_view


def texts(view: ResultsView) -> list[str]:
    model = view.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_the_model_keeps_qts_rules(
    qtmodeltester: ModelTester, library: LibraryDouble, answer: Answer
) -> None:
    model = ResultsModel()
    qtmodeltester.check(model)
    model.show_answer(answer)
    more = model.index(1)
    assert isinstance(model.row_at(more), MoreRow)
    model.toggle(more)
    model.show_answer(arrange(library.answer(Search("wheat dry", Mode.WORDS))))
    model.toggle(more)
    model.clear()


def test_the_list_of_files_keeps_qts_rules(
    qtmodeltester: ModelTester, library: LibraryDouble
) -> None:
    model = FilesModel()
    qtmodeltester.check(model)
    file = ListedFile(library.home / "a.pdf")
    model.show_groups((FileGroup("It is damaged.", 1, (file,)),))

    assert model.index(0, 0).data() == "It is damaged. · 1"


def test_a_row_is_announced_with_title_page_and_passage(view: ResultsView) -> None:
    assert texts(view) == [
        "Storing grain, grain.txt: Wheat keeps for years in a dry silo.",
        "1 more passage",
        (
            "Acceptance of software, model.pdf, p. 2: "
            "Usefulness predicts whether software is used, dry as it is."
        ),
    ]


def test_further_passages_expand_and_collapse_by_keyboard(qtbot: QtBot, view: ResultsView) -> None:
    for key, rows in ((Qt.Key.Key_Right, 4), (Qt.Key.Key_Left, 3)):
        qtbot.keyClick(view, key)
        assert view.model().rowCount() == rows
    view.setCurrentIndex(view.model().index(1, 0))
    for key, rows in (
        (Qt.Key.Key_Right, 4),
        (Qt.Key.Key_Left, 3),
        (Qt.Key.Key_Return, 4),
        (Qt.Key.Key_Space, 3),
        (Qt.Key.Key_Space, 4),
    ):
        qtbot.keyClick(view, key)
        assert view.model().rowCount() == rows
    assert texts(view)[1] == "Hide 1 passage"

    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.chosen is not None
    assert view.chosen.hit.passage.text == "Mould spoils wheat that is stored wet."


def test_the_arrow_keys_go_from_passage_to_passage(qtbot: QtBot, view: ResultsView) -> None:
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 2, "past the row of further passages"
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 2
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.currentIndex().row() == 0


def test_a_further_passage_gives_way_to_the_best_one_when_collapsed(
    qtbot: QtBot, view: ResultsView
) -> None:
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 2
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert (view.currentIndex().row(), view.model().rowCount()) == (0, 3)


def test_further_passages_expand_by_mouse(qtbot: QtBot, view: ResultsView) -> None:
    place = view.visualRect(view.model().index(1, 0)).center()

    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert view.model().rowCount() == 4


def test_double_click_opens_the_document(qtbot: QtBot, view: ResultsView) -> None:
    place = view.visualRect(view.model().index(0, 0)).center()

    with qtbot.waitSignal(view.document_opened) as opened:
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert opened.args[0].title == "Storing grain"


def test_the_same_passage_stays_selected_in_the_next_answer(
    view: ResultsView, library: LibraryDouble
) -> None:
    view.setCurrentIndex(view.model().index(2, 0))
    chosen = view.chosen
    assert chosen is not None

    view.show_answer(arrange(library.answer(Search("dry software"))))

    assert view.chosen is not None
    assert view.chosen.passage_id == chosen.passage_id
    assert view.currentIndex().row() == 0


def test_the_next_query_selects_its_first_row_unless_one_was_chosen(
    view: ResultsView, library: LibraryDouble
) -> None:
    library.books.append(Book(library.home / "mill.txt", "The mill", [["Wheat, wheat and rye."]]))
    view.show_answer(arrange(library.answer(Search("wheat dry"))))
    assert view.chosen is not None
    assert view.chosen.title == "Storing grain"

    view.show_answer(arrange(library.answer(Search("rye wheat"))))

    assert {one.best.title for one in view.answer.documents} == {"Storing grain", "The mill"}
    assert view.currentIndex().row() == 0
    assert view.chosen.title == "The mill"


def test_an_unchosen_row_is_replaced_when_meaning_ranks_differently(
    view: ResultsView, library: LibraryDouble
) -> None:
    library.books.append(Book(library.home / "mill.txt", "The mill", [["Wheat and rye."]]))
    by_meaning = library.answer(Search("wheat"))
    other_way = by_meaning.hits[::-1]
    assert len(other_way) > 1
    by_words = dataclasses.replace(by_meaning, tokens=(), hits=other_way)
    view.clear()
    view.show_answer(arrange(by_words))
    view.show_answer(arrange(by_meaning))
    assert view.chosen == view.answer.documents[0].best

    # While files are read, too, the first result is the selected one, until a person selects one.
    view.show_answer(arrange(dataclasses.replace(by_meaning, hits=other_way)))
    assert view.chosen == view.answer.documents[0].best
    assert view.currentIndex().row() == 0
    view.setCurrentIndex(view.model().index(1, 0))
    chosen = view.chosen
    view.show_answer(arrange(by_meaning))
    assert view.chosen == chosen == view.answer.documents[0].best


def test_a_document_stays_expanded_while_the_query_is_the_same(
    qtbot: QtBot, view: ResultsView, answer: Answer, library: LibraryDouble
) -> None:
    view.setCurrentIndex(view.model().index(1, 0))
    qtbot.keyClick(view, Qt.Key.Key_Right)
    view.show_answer(arrange(library.answer(Search("wheat dry"))))
    assert view.model().rowCount() == 4
    assert view.currentIndex().row() == 1

    view.show_answer(arrange(library.answer(Search("wheat"))))
    assert view.model().rowCount() == 2


def test_highlights_are_painted_in_their_colours(view: ResultsView) -> None:
    image = view.viewport().grab().toImage()
    area = view.visualRect(QModelIndex(view.model().index(0, 0)))
    hues = {
        image.pixelColor(QPoint(x, y)).hsvHue()
        for x in range(area.left(), area.right(), 2)
        for y in range(area.top(), area.bottom())
        if image.pixelColor(QPoint(x, y)).hsvSaturation() > 60
    }

    assert any(195 <= hue <= 215 for hue in hues), "the first word's blue"
    assert any(30 <= hue <= 45 for hue in hues), "the second word's orange"


def test_a_narrow_list_paints_long_words(qtbot: QtBot, view: ResultsView, answer: Answer) -> None:

    view.resize(120, 300)
    view.grab()
    view.resize(900, 300)
    view.grab()

    assert view.visualRect(view.model().index(0, 0)).width() > 800


def labels(row: PassageRow, width: int = 600) -> list[str]:
    """Return the small texts of a row."""
    setting = RowSetting(width, is_right=False, direction=Qt.LayoutDirection.LeftToRight)
    layout = RowLayout.of(row, setting, measures_of(QApplication.font()))
    return [label.text for label in layout.labels if label.text]


def test_a_row_names_the_file_its_folders_and_the_day_without_a_score(answer: Answer) -> None:
    best = answer.documents[0].best
    document = dataclasses.replace(best.document, path=Path("/d/tax/grain.txt"))
    row = dataclasses.replace(best, document=document)
    path = f"grain.txt · {Path('/d/tax')}"

    assert labels(row) == ["TXT", shown_day(document), path]
    assert not any(texts_of_window.figure(best.hit.score, 3) in one for one in labels(best))
    named = dataclasses.replace(row, title="Grain")
    assert labels(named)[-1] == str(Path("/d/tax")), "the title is the file's name"


def test_a_long_path_is_shortened_outside_the_folders_that_tell_it_apart(answer: Answer) -> None:
    best = answer.documents[0].best
    outer = Path("/home/person/a long way to the folder with all the papers of the house/2025")
    path = outer / "scanned by the old machine" / "letters and bills" / "grain.txt"
    row = dataclasses.replace(best, document=dataclasses.replace(best.document, path=path))
    near, far = (labels(dataclasses.replace(row, depth=depth), 400)[-1] for depth in (1, 3))

    # How many folders fit depends on the font.
    assert near.startswith("grain.txt · …")
    assert near.endswith(str(Path("/letters and bills")))
    assert str(Path("/2025")) not in near
    assert far.startswith(f"grain.txt · …{Path('/2025')}")
    assert far.endswith("bills")


def test_files_of_the_same_name_need_the_folders_that_differ(
    library: LibraryDouble, tmp_path: Path
) -> None:
    for book, year in zip(library.books, ("2024", "2025", "2026"), strict=True):
        book.path = tmp_path / year / "scan" / "grain.txt"
    library.books[1].pages[0][0] = "Wheat keeps dry."
    rows = arrange(library.answer(Search("wheat dry"))).documents
    assert [document.best.depth for document in rows] == [2, 2, 2]


def test_a_mail_names_its_sender_and_a_workbook_its_sheet(answer: Answer) -> None:
    best = answer.documents[0].best
    mail = dataclasses.replace(best.document, path=Path("/d/7.eml"), author="Tom Miller")
    row = dataclasses.replace(best, document=mail)
    assert labels(row)[-1] == f"Tom Miller · {Path('/d')}"
    assert labels(row)[-2] == shown_day(mail)

    passage = dataclasses.replace(best.hit.passage, page=2, text="Costs\nPump 120")
    hit = dataclasses.replace(best.hit, passage=passage)
    sheet = dataclasses.replace(best.document, path=Path("/d/costs.xlsx"))
    row = dataclasses.replace(best, document=sheet, hit=hit)
    assert labels(row)[0] == "Costs"
    later = dataclasses.replace(passage, start=90, context=f"{row.title} › Costs", text="Rent 800")
    further = dataclasses.replace(row, hit=dataclasses.replace(hit, passage=later), is_best=False)
    assert labels(further) == ["Costs"]


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("a.pdf", "PDF"),
        ("manual.asciidoc", "AsciiDoc"),
        ("build.gradle", "GRADLE"),
        ("map.geojson", "JSON"),
        ("a.strangeness", "STRANG"),
        ("README", ""),
    ],
)
def test_the_type_of_a_row_has_a_name_that_people_know(answer: Answer, name: str, tag: str) -> None:
    document = answer.documents[0].best.document
    assert kind_tag(dataclasses.replace(document, path=Path(name))) == tag


def test_the_path_is_in_the_tooltip(view: ResultsView, answer: Answer) -> None:
    tip = view.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == texts_of_window.shown_path(answer.documents[0].best.document.path)


def test_a_further_passage_has_no_score(answer: Answer) -> None:
    (further,) = answer.documents[0].further
    assert labels(further) == []


def test_the_row_for_further_passages_is_close_to_the_passage(
    qtbot: QtBot, view: ResultsView, library: LibraryDouble, answer: Answer
) -> None:
    best, more = (view.visualRect(view.model().index(row, 0)) for row in (0, 1))
    found = dataclasses.replace(answer.documents[0], further=())
    view.clear()
    view.show_answer(dataclasses.replace(answer, documents=(found, *answer.documents[1:])))
    alone = view.visualRect(view.model().index(0, 0))
    assert alone.height() - best.height() >= 9, "the space below a document that ends here"
    assert more.height() <= view.fontMetrics().height() + 10


def test_a_document_stays_selected_while_it_is_indexed_again(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    def answer_again() -> str:
        with qtbot.waitSignal(window.searcher.answered):
            window.searcher.refresh()
        assert results.chosen is not None
        return results.chosen.title

    results = window.main_view.results
    search(qtbot, window, "wheat dry oats")
    qtbot.keyClick(results, Qt.Key.Key_Down)
    assert results.chosen is not None
    assert results.chosen.title == "Oats"

    oats = library.books[1]
    oats.pages = [["Another page comes first."], *oats.pages]
    assert answer_again() == "Oats", "its passages have other numbers now"
    pages, oats.pages = oats.pages, []
    assert answer_again() == "Storing grain"
    oats.pages = pages
    assert answer_again() == "Oats", "it was away for a moment"

    oats.pages = []
    answer_again()
    results.setCurrentIndex(results.model().index(1, 0))
    qtbot.keyClick(results, Qt.Key.Key_Down)
    chosen = results.chosen.title
    oats.pages = pages
    assert answer_again() == chosen != "Oats", "the person has chosen another one meanwhile"


def test_a_document_indexed_again_while_meaning_takes_over_is_first_again(
    view: ResultsView, library: LibraryDouble, answer: Answer
) -> None:
    def found(count: int, *, mode: Mode) -> Answer:
        results = library.answer(Search("wheat dry", mode))
        return arrange(dataclasses.replace(results, hits=results.hits[-count:]))

    every = len(answer.results.hits)
    assert every > 1
    view.clear()
    view.show_answer(found(every, mode=Mode.WORDS))
    assert view.chosen is not None
    first = view.chosen.title
    # It is missing while its file is read, just when meaning answers for the first time.
    view.show_answer(found(every - 1, mode=Mode.HYBRID))
    assert view.chosen.title != first
    view.show_answer(found(every, mode=Mode.HYBRID))
    assert view.chosen.title == first


def test_a_result_by_words_alone_is_not_restored_below_better_ones(
    view: ResultsView, library: LibraryDouble
) -> None:
    def found(*places: int, mode: Mode) -> Answer:
        results = library.answer(Search("wheat dry", mode))
        return arrange(
            dataclasses.replace(results, hits=tuple(results.hits[place] for place in places))
        )

    view.clear()
    view.show_answer(found(0, 1, mode=Mode.WORDS))
    view.show_answer(found(1, mode=Mode.HYBRID))
    assert view.chosen is not None
    chosen = view.chosen.title
    view.show_answer(found(1, 0, mode=Mode.HYBRID))
    assert view.chosen.title == chosen


def test_a_new_query_selects_its_first_result(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    """Also where a row was chosen that the new answer has, too."""
    for number in range(3):
        path = tmp_path / "documents" / f"{number}.txt"
        library.books.append(Book(path, f"Rye {number}", [["Rye grows on poor soil."]]))
    results = window.main_view.results
    search(qtbot, window, "rye")
    place = results.visualRect(results.model().index(1, 0)).center()
    qtbot.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, pos=place)
    chosen = results.chosen
    assert results.currentIndex().row() == 1
    # Typed over the query before, without clearing the box.
    line(window).selectAll()
    qtbot.keyClicks(line(window), "soil")
    qtbot.waitUntil(lambda: shown_query(window) == "soil")
    assert results.currentIndex().row() == 0
    assert results.chosen is not None
    assert chosen is not None
    assert results.chosen.document != chosen.document
