"""The side bar: filtering by mouse and keyboard, counts, and changing headings."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QPushButton

from app.filters.families import family_name
from app.filters.pane import COUNT_ROLE, FilterModel, FilterPane
from app.filters.tree import (
    Offer,
    Row,
    change,
    offer_of,
    ticks,
)
from app.main_window import MainWindow
from app.palette import LIGHT
from app.theme import ThemeSwitch
from core.documents.formats import FORMATS, OTHERS, family_of
from core.responses import Facets
from core.search.facets.filters import AuthorChoice, FolderChoice, KindChoice
from core.search.query.language import parse
from core.settings import LoadedSettings, Settings, load_settings
from tests.app.conftest import MakeWindow
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import line, search, titles

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot


NOWHERE = QModelIndex()


@pytest.fixture
def library(library: LibraryDouble) -> LibraryDouble:
    """The books of the other tests, and one in a separate folder."""
    folder = library.list_of_folders[0].path / "barn notes"
    folder.mkdir()
    path = folder / "hay.md"
    path.write_text("Hay is dry grass.")
    library.books.append(Book(path, "Hay", [["Hay is dry grass."]], author="Ann Bell"))
    for number, book in enumerate(library.books):
        book.changed = date(2020 + number, 5, 1)
    return library


def index_of(window: MainWindow, label: str) -> QModelIndex:
    model = window.main_view.filters.tree.filters
    found = model.match(
        model.index(0, 0),
        Qt.ItemDataRole.DisplayRole,
        label,
        1,
        Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive,
    )
    return found[0] if found else QModelIndex()


def count(window: MainWindow, label: str) -> int:
    index = index_of(window, label)
    return index.data(COUNT_ROLE) if index.isValid() else -1


def state(window: MainWindow, label: str) -> Qt.CheckState:
    return Qt.CheckState(index_of(window, label).data(Qt.ItemDataRole.CheckStateRole))


def click(qtbot: QtBot, window: MainWindow, label: str) -> None:
    qtbot.waitUntil(lambda: index_of(window, label).isValid())
    tree = window.main_view.filters.tree
    tree.scrollTo(index_of(window, label))
    place = tree.visualRect(index_of(window, label)).center()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)


def becomes(window: MainWindow, label: str, wanted: int) -> Callable[[], bool]:
    return lambda: count(window, label) == wanted


def test_the_whole_library_is_counted_before_anything_is_typed(
    qtbot: QtBot, window: MainWindow
) -> None:
    qtbot.waitUntil(becomes(window, "documents", 4))
    assert count(window, "barn notes") == 1
    assert (count(window, "Markdown"), count(window, "Plain text"), count(window, "PDF")) == (
        2,
        1,
        1,
    )
    assert count(window, "2023") == 1
    assert count(window, "Ann Bell") == 1
    assert not window.main_view.filters.is_filtering
    assert not window.main_view.filters.hint.isVisible()


def test_counts_follow_the_results(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat")
    qtbot.waitUntil(becomes(window, "documents", 1))
    assert count(window, "Plain text") == 1
    assert count(window, "PDF") == -1, "rows without documents are hidden"

    qtbot.keyClick(line(window), Qt.Key.Key_Escape)
    qtbot.waitUntil(becomes(window, "documents", 4))


def test_an_answer_is_counted_without_another_search(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "dry type:pdf")
    qtbot.waitUntil(becomes(window, "documents", 1))
    assert library.counted[-1] == ("dry type:pdf", (2,))
    # When the library grows, the query is answered again and that answer counted.
    library.counted.clear()
    window.session.grown.emit()
    qtbot.waitUntil(lambda: library.counted == [("dry type:pdf", (2,))])


def test_less_likely_documents_are_not_counted(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.unlikely.add(library.books[3].title)
    search(qtbot, window, "wheat dry")
    qtbot.waitUntil(lambda: library.counted[-1] == ("wheat dry", (0, 2)))
    # Without a close match the first results count.
    library.unlikely.update(book.title for book in library.books)
    window.session.grown.emit()
    qtbot.waitUntil(lambda: set(library.counted[-1][1] or ()) == {0, 2, 3})


def test_a_click_adds_the_filter_and_a_second_one_removes_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "dry")
    click(qtbot, window, "PDF")
    qtbot.waitUntil(lambda: titles(window) == ["Acceptance of software"])
    assert window.box.text() == "dry type:pdf"
    qtbot.waitUntil(lambda: state(window, "PDF") is Qt.CheckState.Checked)
    qtbot.waitUntil(becomes(window, "documents", 1))
    assert count(window, "Plain text") == 1, "as many as if it were ticked instead"

    click(qtbot, window, "Plain text")
    qtbot.waitUntil(lambda: len(titles(window)) == 2)
    assert window.box.text() == "dry type:pdf type:text"

    click(qtbot, window, "PDF")
    qtbot.waitUntil(lambda: titles(window) == ["Storing grain"])
    click(qtbot, window, "Plain text")
    qtbot.waitUntil(lambda: window.box.text() == "dry")


def test_a_typed_filter_ticks_its_box_before_there_is_an_answer(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    qtbot.waitUntil(becomes(window, "documents", 4))
    library.search_gate.clear()
    library.words_gate.clear()
    qtbot.keyClicks(line(window), 'dry in:"barn notes" after:2023')

    qtbot.waitUntil(lambda: state(window, "barn notes") is Qt.CheckState.Checked)
    qtbot.waitUntil(lambda: state(window, "2023") is Qt.CheckState.Checked)
    assert state(window, "documents") is Qt.CheckState.PartiallyChecked
    assert window.main_view.filters.is_filtering
    library.search_gate.set()
    library.words_gate.set()
    qtbot.waitUntil(lambda: titles(window) == ["Hay"])


@pytest.mark.parametrize("typed", ['date:"Jahr 2023"', "date:2023-01..2023-12", "date:2023"])
def test_a_typed_year_ticks_its_box_and_the_box_removes_it(
    typed: str, qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, f"dry {typed}")
    qtbot.waitUntil(lambda: titles(window) == ["Hay"])
    qtbot.waitUntil(lambda: state(window, "2023") is Qt.CheckState.Checked)
    click(qtbot, window, "2023")
    qtbot.waitUntil(lambda: window.box.text() == "dry")
    qtbot.waitUntil(lambda: len(titles(window)) > 1)


def test_a_subfolder_of_a_ticked_folder_can_be_excluded(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "dry")
    click(qtbot, window, "documents")
    qtbot.waitUntil(lambda: state(window, "barn notes") is Qt.CheckState.Checked)
    click(qtbot, window, "barn notes")
    qtbot.waitUntil(lambda: titles(window) == ["Storing grain", "Acceptance of software"])
    assert "barn notes" in window.box.text()
    qtbot.waitUntil(lambda: state(window, "documents") is Qt.CheckState.PartiallyChecked)


def test_filters_alone_show_documents_and_are_cleared(qtbot: QtBot, window: MainWindow) -> None:
    click(qtbot, window, "2022")
    qtbot.waitUntil(lambda: titles(window) == ["Acceptance of software"])
    assert window.box.text() == "date:2022"

    window.main_view.filters.findChild(QPushButton).click()
    qtbot.waitUntil(lambda: window.box.text() == "")
    qtbot.waitUntil(lambda: not window.main_view.filters.is_filtering)


def test_clearing_the_filters_keeps_the_words_and_can_be_undone(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "dry type:pdf -hay")
    qtbot.waitUntil(lambda: window.main_view.filters.is_filtering)
    window.main_view.filters.clear_wanted.emit()
    qtbot.waitUntil(lambda: window.box.text() == "dry -hay")

    qtbot.keyClick(line(window), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.box.text() == "dry type:pdf -hay"


def test_the_side_bar_is_opened_navigated_and_closed_by_keyboard(
    qtbot: QtBot, make_window: MakeWindow
) -> None:
    window = make_window(loaded=LoadedSettings(Settings(filters_shown=False)))
    assert not window.main_view.filters.isVisible()
    window.tools.filters_button.click()
    tree = window.main_view.filters.tree
    assert window.focusWidget() is tree
    qtbot.waitUntil(becomes(window, "documents", 4))

    tree.setCurrentIndex(index_of(window, "Type"))
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert not tree.isExpanded(index_of(window, "Type"))
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    qtbot.keyClick(tree, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.box.text() == "type:markdown")
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.box.text() == "")

    window.tools.filters_button.click()
    assert not window.main_view.filters.isVisible()
    assert window.focusWidget() is line(window)


def test_expanded_and_current_rows_stay_so_while_rows_change(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    qtbot.waitUntil(becomes(window, "documents", 4))
    tree = window.main_view.filters.tree
    tree.setExpanded(index_of(window, "2023"), True)
    tree.collapse(index_of(window, "Type"))
    tree.setCurrentIndex(index_of(window, "May"))
    path = library.books[0].path.parent / "more" / "new.txt"
    path.parent.mkdir()
    path.write_text("x")
    library.books.append(Book(path, "New", [["Dry."]]))
    window.session.sync()

    qtbot.waitUntil(becomes(window, "more", 1))
    assert tree.isExpanded(index_of(window, "2023"))
    assert not tree.isExpanded(index_of(window, "Type"))
    assert tree.currentIndex().data() == "May"


def test_the_side_bar_is_remembered(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> None:
    window = make_window()
    window.main_view.arrangement.set_filters_width(300)
    window.tools.filters_button.click()
    window.tools.filters_button.click()
    with qtbot.waitSignal(window.closed):
        window.close()
    settings = load_settings(tmp_path / "home" / "settings.json").settings
    assert (settings.filters_shown, settings.filters_width) == (True, 300)


def test_the_side_bar_is_accessible(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(becomes(window, "documents", 4))
    tree = window.main_view.filters.tree
    spoken = QAccessible.queryAccessibleInterface(tree)
    assert spoken.text(QAccessible.Text.Name) == "Filters"
    model = tree.filters
    role = Qt.ItemDataRole.AccessibleTextRole
    assert index_of(window, "PDF").data(role) == "PDF, 1 document"
    assert model.flags(index_of(window, "PDF")) & Qt.ItemFlag.ItemIsUserCheckable
    assert window.tools.filters_button.accessibleName() == "Filters"


def test_recent_days_and_months() -> None:
    today = date(2026, 3, 10)
    days = {today: 1, today - timedelta(6): 2, today - timedelta(29): 4, date(2025, 7, 1): 8}
    offer = offer_of(Facets(15, (), {}, {}, days, {}), today, Offer())
    (heading,) = offer.rows
    labels = [
        (row.label, offer.counts[row.key], [inner.label for inner in row.rows])
        for row in heading.rows
    ]
    assert labels == [
        ("Last 7 days", 3, []),
        ("Last 30 days", 7, []),
        ("2026", 7, ["March", "February"]),
        ("2025", 8, ["July"]),
    ]
    recent, _, _, other = heading.rows
    ticked = ticks((heading,), parse("after:2026-03-04"))
    assert {key: tick.name for key, tick in ticked.items()} == {recent.key: "YES"}
    ticked = ticks((heading,), parse("after:2025-07 before:2025-08"))
    assert {key: tick.name for key, tick in ticked.items()} == {
        other.key: "PARTLY",
        other.rows[0].key: "YES",
    }


def folder(path: str, *inner: Row) -> Row:
    return Row(Path(path), path.rpartition("/")[2], FolderChoice(Path(path)), inner)


def kind(key: str = "pdf") -> Row:
    return Row(KindChoice(key), key, KindChoice(key))


def headed(key: str, *rows: Row) -> Row:
    return Row(key, key, rows=rows)


def labels(model: FilterModel, parent: QModelIndex = NOWHERE) -> list[object]:
    """Return the labels below a row, each followed by the labels below it."""
    found: list[object] = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        found.append(index.data())
        if inner := labels(model, index):
            found.append(inner)
    return found


def test_the_model_keeps_qts_rules_through_any_changes(
    qtbot: QtBot, qtmodeltester: ModelTester
) -> None:
    model = FilterModel()
    qtmodeltester.check(model)
    owls, far = folder("/srv/owls"), folder("/srv/far", folder("/srv/far/off"))
    offers = [
        Offer((headed("folders", folder("/srv", far, owls)), headed("kinds", kind("pdf")))),
        Offer((headed("kinds", kind("web"), kind("pdf")),)),
        Offer((headed("folders", folder("/srv", owls)), headed("kinds", kind("pdf"), kind("web")))),
        Offer((headed("folders", folder("/srv", far)), headed("kinds", kind("text")))),
        Offer(),
    ]
    for before, now in itertools.pairwise(itertools.chain(*itertools.permutations(offers))):
        model.show_change(change(model.offer, before))
        model.show_change(change(before, now))
        assert labels(model) == listed(now.rows)
        model.show_ticks(ticks(now.rows, parse("type:pdf in:/srv/owls")))
    qtmodeltester.check(model)


def test_folders_are_sorted_by_name_below_their_parent() -> None:
    root = Path(Path.cwd().anchor)
    deep = [root / "deep"]
    while len(deep) < 2000:
        deep.append(deep[-1] / "d")
    names = ("a b", "a", "a/x", "B", "b", "a.c", "a/Y", "a b/z")
    paths = [root, *deep, *(root / name for name in names)]
    heading = offer_of(
        Facets(0, (root,), dict.fromkeys(paths, 1), {}, {}, {}), date(2026, 1, 1), Offer()
    ).rows[0]
    (top,) = heading.rows
    assert [row.label for row in heading.rows] == [str(root)]
    assert [row.label for row in top.rows] == ["a", "a b", "a.c", "B", "b", "deep"]
    assert [[inner.label for inner in row.rows] for row in top.rows[:2]] == [["x", "Y"], ["z"]]
    row, depth = top.rows[-1], 1
    while row.rows:
        (row,) = row.rows
        depth += 1
    assert (row.key, depth) == (deep[-1], len(deep))


def test_two_folders_of_the_library_with_the_same_name_are_distinguished() -> None:
    roots = (Path("/home/tax"), Path("/home/rent"), Path("/backup/tax"))
    facets = Facets(3, roots, dict.fromkeys(roots, 1), {}, {}, {})
    heading = offer_of(facets, date(2026, 1, 1), Offer()).rows[0]
    assert [row.label for row in heading.rows] == ["tax · home", "rent", "tax · backup"]


def test_a_folder_of_the_library_without_documents_has_a_row_only_if_it_is_ticked() -> None:
    roots = (Path("/srv/owls"), Path("/srv/oats"))
    facets = Facets(1, roots, {roots[0] / "far": 1, roots[1] / "old": 0}, {}, {}, {})

    def rows(typed: str) -> list[tuple[object, int]]:
        heading = offer_of(facets, date(2026, 1, 1), Offer(), parse(typed)).rows[0]
        return [(row.key, len(row.rows)) for row in heading.rows]

    assert rows("wheat") == [(roots[0], 1)]
    assert rows(f"wheat in:{roots[1]}") == [(roots[0], 1), (roots[1], 0)]


def test_all_folders_of_a_large_library_have_rows() -> None:
    root = Path("/srv")
    folders = dict.fromkeys((root / str(number) for number in range(1000)), 0)
    facets = Facets(1, (root,), {root: 1, **folders}, {}, {}, {})
    (heading,) = offer_of(facets, date(2026, 1, 1), Offer()).rows
    assert len(heading.rows[0].rows) == 1000


MANY = {
    "pdf": 90, "text": 50, "mail": 40, "word": 30, "code": 20, "spreadsheet": 9, "table": 8,
    "picture": 7, "presentation": 6, "sound": 5, "markdown": 4, "archive": 3, "scores": 2,
}  # fmt: skip


def types(kinds: dict[str, int], typed: str = "") -> list[object]:
    offer = offer_of(Facets(9, (), {}, kinds, {}, {}), date(2026, 1, 1), Offer(), parse(typed))
    heading = next(row for row in offer.rows if row.key == "kinds")
    return listed(heading.rows)


def test_many_types_are_listed_in_families_below_more() -> None:
    assert types(MANY) == [
        "Documents", ["PDF", "Word"], "Text", ["Plain text", "Markdown"], "Email", "Source code",
        "Tables", ["Spreadsheet", "Table (CSV)"], "Image",
        "More", ["Presentation", "Audio", "Archive", "scores"],
    ]  # fmt: skip


def test_types_without_documents_are_hidden_unless_they_are_ticked() -> None:
    counts = {**dict.fromkeys(MANY, 0), "pdf": 3, "word": 1}
    assert types(counts) == ["Documents", ["PDF", "Word"]]
    assert types(counts, "wheat type:mail") == ["Documents", ["PDF", "Word"], "Email"]
    assert types({"pdf": 3, "word": 1, "mail": 0}) == ["PDF", "Word"]


def test_every_format_has_a_family_with_a_name() -> None:
    families = {family_of(one.key) for one in FORMATS}
    assert OTHERS not in families
    assert all(map(family_name, families))


def test_a_library_without_documents_has_no_filters() -> None:
    roots = (Path("/srv/owls"),)
    facets = Facets(0, roots, {roots[0]: 0}, {}, {}, {}, libraries={"": 0})
    assert offer_of(facets, date(2026, 1, 1), Offer(), parse("wheat")).rows == ()


def test_a_family_is_ticked_as_a_whole(qtbot: QtBot) -> None:
    offer = offer_of(Facets(9, (), {}, MANY, {}, {}), date(2026, 1, 1), Offer())
    family = offer.rows[0].rows[0]
    assert offer.counts[family.key] == 120
    assert family.choice is not None
    query = family.choice.toggled(parse("wheat"))
    assert str(query) == "wheat type:pdf type:word"
    assert ticks(offer.rows, query)[family.key].name == "YES"
    assert ticks(offer.rows, parse("wheat type:pdf"))[family.key].name == "PARTLY"
    assert str(family.choice.toggled(parse("wheat type:pdf"))) == "wheat type:pdf type:word"
    assert str(family.choice.toggled(query)) == "wheat"


def test_names_only_rewrites_the_query_and_back(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat silo")
    click(qtbot, window, "Names only")
    qtbot.waitUntil(lambda: window.box.text() == "name:wheat name:silo")
    qtbot.waitUntil(lambda: state(window, "Names only") is Qt.CheckState.Checked)
    click(qtbot, window, "Names only")
    qtbot.waitUntil(lambda: window.box.text() == "wheat silo")


def test_clearing_the_filters_keeps_the_words_of_names(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "name:grain type:text")
    qtbot.waitUntil(lambda: window.main_view.filters.is_filtering)
    window.main_view.filters.clear_wanted.emit()
    qtbot.waitUntil(lambda: window.box.text() == "grain")


def test_mails_with_an_attachment_are_a_filter_where_there_are_some() -> None:
    facets = Facets(9, (), {}, {"mail": 3}, {}, {})
    assert [row.key for row in offer_of(facets, date(2026, 1, 1), Offer()).rows] == ["kinds"]
    offer = offer_of(replace(facets, attachments=2), date(2026, 1, 1), Offer())
    (attached,) = offer.rows[1].rows
    assert (attached.label, offer.counts[attached.key]) == ("Has attachment", 2)
    assert attached.choice is not None
    query = attached.choice.toggled(parse("wheat"))
    assert str(query) == "wheat has:attachment"
    assert ticks(offer.rows, query)[attached.key].name == "YES"
    assert str(attached.choice.toggled(query)) == "wheat"


def test_a_long_label_is_elided_and_its_tooltip_is_whole(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(becomes(window, "documents", 4))
    for label in ("PDF", "Plain text", "Ann Bell"):
        assert label in index_of(window, label).data(Qt.ItemDataRole.ToolTipRole)


def listed(rows: tuple[Row, ...]) -> list[object]:
    return [
        one for row in rows for one in ([row.label, listed(row.rows)] if row.rows else [row.label])
    ]


def test_views_are_notified_of_changed_counts_and_ticks(qtbot: QtBot) -> None:
    model = FilterModel()
    rows = (headed("kinds", kind("text"), kind("pdf"), kind("web")),)
    before, now = (Offer(rows, {KindChoice("pdf"): n, KindChoice("web"): 1}) for n in (1, 2))
    model.show_change(change(Offer(), before))
    with qtbot.waitSignal(model.dataChanged) as notified:
        model.show_change(change(before, now))
    assert [index.data() for index in notified.args[:2]] == ["pdf", "pdf"]
    assert model.index_of(KindChoice("pdf")).data(COUNT_ROLE) == 2
    with qtbot.waitSignal(model.dataChanged) as notified:
        model.show_ticks(ticks(rows, parse("type:pdf type:web")))
    assert [index.data() for index in notified.args[:2]] == ["pdf", "web"]


def test_typing_finds_a_visible_row(qtbot: QtBot) -> None:
    pane = FilterPane()
    qtbot.addWidget(pane)
    pane.show()
    hidden = folder("/srv/far", folder("/srv/far/owls"))
    rows = (headed("folders", folder("/srv", hidden, folder("/srv/oats"), folder("/srv/Owls"))),)
    pane.show_change(change(Offer(), Offer(rows)))
    tree = pane.tree
    qtbot.keyClicks(tree, "ow")
    assert tree.currentIndex().data() == "Owls"
    qtbot.keyClicks(tree, "lx")
    assert tree.currentIndex().data() == "Owls"


@pytest.mark.parametrize("direction", list(Qt.LayoutDirection)[:2])
def test_the_box_starts_the_line_and_the_count_ends_it(
    qtbot: QtBot, theme: ThemeSwitch, direction: Qt.LayoutDirection
) -> None:
    choice = KindChoice("pdf")
    pane = FilterPane()
    qtbot.addWidget(pane)
    pane.setLayoutDirection(direction)
    pane.resize(300, 300)
    pane.show()
    rows = (Row("kinds", "", rows=(Row(choice, "Portable documents", choice),)),)
    pane.show_change(change(Offer(), Offer(rows, {choice: 8})))
    pane.show_ticks(ticks(rows, parse("type:pdf")), is_filtering=True)
    tree = pane.tree
    place = tree.visualRect(tree.filters.index_of(choice))
    image = tree.viewport().grab(place).toImage()
    columns = range(place.width())
    accent = QColor(LIGHT.accent)
    box = [x for x in columns if image.pixelColor(x, place.height() // 2) == accent]
    inked = [
        x
        for x in columns
        if any(image.pixelColor(x, y).lightness() < 160 for y in range(place.height()))
    ]
    is_mirrored = direction is Qt.LayoutDirection.RightToLeft
    assert min(box) > place.width() - 20 if is_mirrored else max(box) < 20
    # The label is next to the box; there is nothing between the label and the count.
    left, right = max(itertools.pairwise(inked), key=lambda pair: pair[1] - pair[0])
    widths = [left - inked[0], inked[-1] - right]
    label, count = reversed(widths) if is_mirrored else widths
    assert label > 80
    assert count < 20


KIND, AUTHOR = KindChoice("pdf"), AuthorChoice("Ada")
KINDS = Row("kinds", "Type", None, (Row(KIND, "PDF", KIND),))
AUTHORS = Row("authors", "Author", None, (Row(AUTHOR, "Ada", AUTHOR),))


def test_a_heading_that_returns_is_expanded_unless_it_was_collapsed(qtbot: QtBot) -> None:
    pane = FilterPane()
    qtbot.addWidget(pane)
    tree = pane.tree
    both, one = Offer((KINDS, AUTHORS)), Offer((KINDS,))
    pane.show_change(change(Offer(), both))
    tree.collapse(tree.filters.index_of("kinds"))

    for before, now in ((both, one), (one, both)):
        pane.show_change(change(before, now))

    assert tree.isExpanded(tree.filters.index_of("authors"))
    assert not tree.isExpanded(tree.filters.index_of("kinds"))


def test_tags_are_listed_when_notes_have_them() -> None:
    facets = Facets(
        3, (), {}, {"markdown": 3}, {}, {}, tags={"home": 2, "home/garden": 1, "old": 0}
    )
    offer = offer_of(facets, date(2026, 1, 1), Offer(), parse("wheat"))
    (tags,) = (row for row in offer.rows if row.key == "tags")
    assert [(row.label, offer.counts[row.key]) for row in tags.rows] == [
        ("home", 2),
        ("home/garden", 1),
    ]
    without = offer_of(replace(facets, tags={}), date(2026, 1, 1), Offer())
    assert "tags" not in [row.key for row in without.rows]


def test_an_empty_side_bar_explains_its_purpose(qtbot: QtBot) -> None:
    pane = FilterPane()
    qtbot.addWidget(pane)
    pane.show()
    assert pane.hint.isVisible()
    assert "by folder, type, date, author and tag" in pane.hint.text()
    one = Offer((KINDS,))
    for before, now in ((Offer(), one), (one, Offer())):
        pane.show_change(change(before, now))
        assert pane.hint.isVisible() == (now != one)
