"""The library dialog: folders, unreadable and skipped files, duplicates, maintenance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QTableView, QToolButton, QWidget

from app.library.files_page import LISTS, FilesPage
from app.library.folders_dialog import PROGRESS, FolderColumn, FoldersDialog, FoldersModel
from app.main_window import MainWindow
from core.catalog.copies import CopiedFile, CopiesReport, CopyGroup, CopyTotals
from core.catalog.documents import Failure
from core.catalog.files.file_lists import FileGroup, FileList, ListedFile
from core.catalog.files.folders import Folder, FolderRules
from core.catalog.reports import Shares
from core.errors import FolderError
from core.files.excluded_names import Rule
from core.progress import Job, Progress, Stage
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import is_at_rest, press, turn_to

if TYPE_CHECKING:
    from PySide6.QtGui import QAccessibleAnnouncementEvent
    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot

LEFT = Qt.MouseButton.LeftButton


def show_library(qtbot: QtBot, window: MainWindow) -> FoldersDialog:
    press(qtbot, window, "Library")
    dialog = window.folders
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def label_text(dialog: FoldersDialog) -> str:
    return " ".join(one.text() for one in dialog.findChildren(QLabel) if one.isVisible())


def test_each_folder_shows_its_status_and_figures(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.list_of_folders = [
        Folder(1, Path("/a"), 1, 0, True, size_bytes=1_500_000),
        Folder(2, Path("/b"), 12, 2, True, FolderRules(("drafts/",)), 3, 2_000_000),
        Folder(3, Path("/c"), 5, 0, False),
    ]
    library.stored_shares = Shares(12_000_000, 3_000_000, {1: 400_000, 2: 14_600_000})
    page = show_library(qtbot, make_window()).folders
    qtbot.waitUntil(lambda: len(page.lines) == 3 and page.lines[0][3] != "")
    assert page.lines == [
        ("Up to date", "1", "1.5 MB", "400 kB"),
        (
            "3 to index · 2 unreadable · custom rules",
            "12",
            "2.0 MB",
            "14.6 MB",
        ),
        ("Unavailable", "5", "0 bytes", ""),
    ]
    assert page.model.index(1, FolderColumn.STATE).data(PROGRESS) == 0.75
    assert page.model.index(0, FolderColumn.STATE).data(PROGRESS) is None
    assert "original files 3.5 MB" in page.summary.text()


def test_thousands_of_folders_are_shown_and_change_at_once(
    qtbot: QtBot, qtmodeltester: ModelTester
) -> None:
    model = FoldersModel()
    qtmodeltester.check(model)
    folders = tuple(Folder(n, Path(f"/{n}"), n, 0, True, size_bytes=n) for n in range(5000))
    model.show_folders(folders)
    assert model.rowCount() == 5000
    with qtbot.waitSignals([model.dataChanged]):
        model.show_shares({4999: 12_000})
    assert model.index(4999, FolderColumn.INDEX).data() == "12 kB"
    # Nothing has changed, so nothing is repainted.
    with qtbot.assertNotEmitted(model.dataChanged), qtbot.assertNotEmitted(model.modelReset):
        model.show_folders(tuple(folders))
        model.show_shares({4999: 12_000})
    model.show_folders(())
    assert model.rowCount() == 0
    assert model.folder(0) is None


def test_a_folder_shows_its_number_of_online_only_files(qtbot: QtBot) -> None:
    model = FoldersModel()
    model.show_folders((Folder(1, Path("/a"), 9, 0, True, in_cloud=2),))
    assert model.index(0, FolderColumn.STATE).data() == "Up to date · 2 online only"


def test_shares_that_arrive_before_the_folders_are_shown(qtbot: QtBot) -> None:
    """Qt would warn about a signal for a missing row, which fails the test."""
    model = FoldersModel()
    label_text: list[object] = []
    model.dataChanged.connect(lambda first, _: label_text.append(first.isValid()))
    model.show_shares({1: 12_000})
    assert not label_text
    model.show_folders((Folder(1, Path("/a"), 9, 0, True),))
    assert model.index(0, FolderColumn.INDEX).data() == "12 kB"


def test_the_chosen_folder_stays_chosen_when_another_comes(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    places = [tmp_path / name for name in "abc"]
    for place in places:
        place.mkdir()
    library.list_of_folders = [Folder(2, places[1], 1, 0, True), Folder(3, places[2], 1, 0, True)]
    window = make_window()
    page = show_library(qtbot, window).folders
    qtbot.waitUntil(lambda: len(page.lines) == 2)
    view = page.findChild(QTableView, "folders")
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 1
    library.list_of_folders.insert(0, Folder(9, places[0], 1, 0, True))
    window.session.sync()
    qtbot.waitUntil(lambda: len(page.lines) == 3)
    assert view.currentIndex().row() == 2


def test_removing_a_folder_is_confirmed_in_place(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    dialog = show_library(qtbot, window)
    page = dialog.folders
    qtbot.waitUntil(lambda: len(page.lines) == 1)
    press(qtbot, page, "Remove…")
    assert "will not be deleted" in label_text(dialog)
    press(qtbot, page, "Cancel")
    assert "will not be deleted" not in label_text(dialog)
    assert len(library.list_of_folders) == 1

    press(qtbot, page, "Remove…")
    press(qtbot, page, "Remove")
    qtbot.waitUntil(lambda: page.lines == [])
    assert library.list_of_folders == []
    assert "Removing" not in label_text(dialog)
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "Add a folder to get started")


def test_a_folder_that_cannot_be_removed_is_offered_again(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, _job: Job) -> None:
        raise FolderError("There is no room left.")

    monkeypatch.setattr(library, "remove_folder", refuse)
    dialog = show_library(qtbot, window)
    page = dialog.folders
    qtbot.waitUntil(lambda: len(page.lines) == 1)
    press(qtbot, page, "Remove…")
    press(qtbot, page, "Remove")
    qtbot.waitUntil(lambda: dialog.notice.accessibleName() == "There is no room left.")
    assert "Removing" not in label_text(dialog)
    press(qtbot, page, "Remove…")
    assert "will not be deleted" in label_text(dialog)


def show_files(
    qtbot: QtBot, window: MainWindow, which: FileList = FileList.WITHOUT_TEXT
) -> FilesPage:
    dialog = show_library(qtbot, window)
    page = dialog.files
    turn_to(dialog.pages, page)
    qtbot.mouseClick(page.findChildren(QToolButton)[LISTS.index(which)], LEFT)
    assert page.which is which
    return page


def listed(page: FilesPage) -> list[str]:
    return [page.model.index(row, 0).data().strip() for row in range(page.model.rowCount())]


def choose_in_menu(qtbot: QtBot, page: FilesPage, file: str, entry: str = "") -> list[str]:
    """Choose an entry in the menu of a file, if one is named; return all entries."""
    view = page.view
    place = view.visualRect(page.model.index(listed(page).index(file), 0)).center()
    view.customContextMenuRequested.emit(place)
    [menu] = page.findChildren(QMenu)
    actions = {one.text(): one for one in menu.actions() if one.text()}
    if entry:
        actions[entry].trigger()
    menu.close()
    qtbot.waitUntil(lambda: not page.findChildren(QMenu))
    return list(actions)


SCANS = FileGroup(
    "Scans", 3, (ListedFile(Path("/b/a.pdf")), ListedFile(Path("/b/c.pdf"))), is_scan=True
)


def test_files_without_text_are_listed_by_reason(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    empty = FileGroup("Empty files", 1, (ListedFile(Path("/b/notes.txt")),))
    library.groups_without_text = [SCANS, empty]
    library.list_of_failures = [Failure(Path("/b/x.pdf"), "Password required")]
    window = make_window()
    qtbot.waitUntil(lambda: library.syncs == 1 and is_at_rest(window))
    page = show_files(qtbot, window)
    assert window.folders.pages.tabText(1) == "&Not searchable (5)"
    qtbot.waitUntil(lambda: page.view.isVisible())
    assert listed(page) == [
        "Scans · 3", "/b/a.pdf", "/b/c.pdf", "and 1 more", "Empty files · 1", "/b/notes.txt"
    ]  # fmt: skip
    assert "by name" in page.note.text()
    names = [button.text() for button in page.findChildren(QToolButton)]
    assert names == ["No text found (4)", "Unreadable (1)", "Incomplete", "Excluded"]
    shown: list[Path] = []
    page.file_wanted.connect(shown.append)
    choose_in_menu(qtbot, page, "/b/c.pdf", "Show in folder")
    assert shown == [Path("/b/c.pdf")]
    choose_in_menu(qtbot, page, "/b/c.pdf", "Copy path")
    assert QGuiApplication.clipboard().text() == "/b/c.pdf"


def test_the_folder_of_a_file_is_excluded_unless_it_is_one_of_the_library(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    drafts = tmp_path / "drafts"
    drafts.mkdir()
    library.list_of_folders = [Folder(1, tmp_path, 1, 0, True)]
    files = (ListedFile(tmp_path / "a.pdf"), ListedFile(drafts / "c.pdf"))
    library.groups_without_text = [FileGroup("Scans", 2, files)]
    window = make_window()
    page = show_files(qtbot, window)
    qtbot.waitUntil(lambda: page.view.isVisible() and not page.is_loading)
    qtbot.waitUntil(lambda: window.session.state is not None)
    usual = ["Show in folder", "Copy path", "Try again", "Only this folder"]
    assert choose_in_menu(qtbot, page, str(tmp_path / "a.pdf")) == usual
    chosen = choose_in_menu(qtbot, page, str(drafts / "c.pdf"), "Exclude this folder")
    assert chosen == [*usual, "Exclude this folder"]
    qtbot.waitUntil(lambda: library.folders()[0].rules.exclude == ("/drafts/",))


def test_text_recognition_is_offered_for_scans(
    qtbot: QtBot,
    make_window: MakeWindow,
    library: LibraryDouble,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.documents.pages.recognition.is_installed", lambda: True)
    library.groups_without_text = [FileGroup("Empty files", 1, (ListedFile(Path("/b/a.txt")),))]
    window = make_window()
    chosen: list[tuple[str, object]] = []
    window.settings.chosen.connect(lambda name, value: chosen.append((name, value)))
    page = show_files(qtbot, window)
    qtbot.waitUntil(lambda: page.view.isVisible() and not page.is_loading)
    assert not is_offered(page, "Recognise text")
    library.groups_without_text.append(SCANS)
    window.session.sync()
    qtbot.waitUntil(lambda: is_offered(page, "Recognise text"))
    press(qtbot, page, "Recognise text")
    assert chosen == [("ocr", True)]


def is_offered(page: QWidget, text: str) -> bool:
    buttons = page.findChildren(QPushButton)
    return any(one.text().replace("&", "") == text and one.isVisible() for one in buttons)


def test_unreadable_files_are_retried(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    paths = [Path(f"/b/{name}.pdf") for name in "xyz"]
    library.list_of_failures = [Failure(path, "Password required") for path in paths]
    window = make_window()
    qtbot.waitUntil(lambda: library.syncs == 1 and is_at_rest(window))
    page = show_files(qtbot, window, FileList.UNREADABLE)
    assert window.folders.pages.tabText(1) == "&Not searchable (3)"
    qtbot.waitUntil(lambda: listed(page)[:2] == ["Password required · 3", "/b/x.pdf"])
    choose_in_menu(qtbot, page, "/b/y.pdf", "Try again")
    qtbot.waitUntil(lambda: listed(page) == ["Password required · 2", "/b/x.pdf", "/b/z.pdf"])
    assert library.retried == [paths[1]]
    press(qtbot, page, "Try again")
    qtbot.waitUntil(lambda: library.syncs == 3 and is_at_rest(window))
    qtbot.waitUntil(lambda: not page.view.isVisible())
    assert library.retried == [paths[1], None]
    assert page.note.text() == "All files were read."
    assert window.folders.pages.tabText(1) == "&Not searchable"


def test_left_out_files_are_named_while_the_folders_are_scanned(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.left_out = {Rule.TOO_LARGE: 12, Rule.HIDDEN: 3}
    window = make_window()
    qtbot.waitUntil(lambda: library.syncs == 1 and is_at_rest(window))
    page = show_files(qtbot, window, FileList.EXCLUDED)
    part = ["Too large · 12", "/a/too_large", "and 11 more"]
    qtbot.waitUntil(lambda: listed(page) == part)
    assert page.note.text() == "Scanning folders…"
    library.scan_gate.set()
    whole = [*part, "Hidden files and folders · 3", "/a/hidden", "and 2 more"]
    qtbot.waitUntil(lambda: listed(page) == whole)
    assert page.note.text().startswith("A folder counts once")
    # These are files that the person chose to leave out.
    assert library.seen is None


def test_another_page_ends_the_scan_for_left_out_files(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.left_out = {Rule.HIDDEN: 3}
    page = show_files(qtbot, window, FileList.EXCLUDED)
    qtbot.waitUntil(lambda: page.model.rowCount() > 0)
    turn_to(window.folders.pages, window.folders.maintenance)
    qtbot.waitUntil(lambda: library.cancelled_scans == 1)


def test_files_without_text_are_announced_until_they_are_seen(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.groups_without_text = [SCANS]
    library.list_of_failures = [Failure(Path("/b/x.pdf"), "Password required")]
    window = make_window()
    line = window.status_line
    qtbot.waitUntil(lambda: line.news_text == "3 files without text · 1 file unreadable…")
    press(qtbot, window, line.news_text)
    page = window.folders.files
    assert page.isVisible()
    assert page.which is FileList.WITHOUT_TEXT
    qtbot.waitUntil(lambda: library.seen == 4 and line.news_text == "")
    library.list_of_failures.append(Failure(Path("/b/y.pdf"), "Damaged"))
    window.folders.close()
    window.session.sync()
    qtbot.waitUntil(lambda: line.news_text.endswith("2 files unreadable…"))


def test_new_unreadable_files_do_not_scroll_the_list(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    def failure(number: int, reason: str = "Password required") -> Failure:
        return Failure(Path(f"/b/{number:03}.pdf"), reason)

    library.list_of_failures = [failure(number) for number in range(0, 300, 2)]
    window.session.sync()
    page = show_files(qtbot, window, FileList.UNREADABLE)
    qtbot.waitUntil(lambda: page.model.rowCount() == 151 and is_at_rest(window))
    view = page.view

    def first() -> str:
        return str(page.model.index(view.rowAt(0), 0).data()).strip()

    view.verticalScrollBar().setValue(80)
    view.selectRow(82)
    qtbot.waitUntil(lambda: first() == "/b/158.pdf")
    # Some were read, others failed.
    numbers = [one for one in range(300) if one % 2 == 0 or one < 20]
    library.list_of_failures = [failure(one) for one in numbers if not 40 < one < 50]
    window.session.sync()
    qtbot.waitUntil(lambda: page.model.rowCount() == 157)
    assert first() == "/b/158.pdf"
    [chosen] = view.selectionModel().selectedRows()
    assert chosen.data().strip() == "/b/162.pdf"


def test_the_dialog_opens_at_its_first_page(qtbot: QtBot, window: MainWindow) -> None:
    dialog = show_library(qtbot, window)
    turn_to(dialog.pages, dialog.maintenance)
    # Pressing the button again changes nothing while the dialog is open.
    dialog.present()
    assert dialog.pages.currentWidget() is dialog.maintenance
    dialog.close()
    assert show_library(qtbot, window).pages.currentWidget() is dialog.folders


def test_a_check_shows_its_progress_and_its_result(
    qtbot: QtBot,
    window: MainWindow,
    library: LibraryDouble,
    announced: list[QAccessibleAnnouncementEvent],
) -> None:
    dialog = show_library(qtbot, window)
    turn_to(dialog.pages, dialog.maintenance)
    page = dialog.maintenance
    page.check.setFocus()
    qtbot.keyClick(page.check, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: "a.safetensors" in label_text(dialog))
    assert page.stop.hasFocus()
    assert not page.repair.isEnabled()
    library.check_gate.set()
    qtbot.waitUntil(lambda: page.report.text().startswith("No problems found."))
    assert "3 files" in page.report.text()
    assert [event.message() for event in announced] == [page.report.text()]
    assert page.repair.isEnabled()
    assert library.checks == [False]
    # The next key starts nothing else.
    assert page.check.hasFocus()
    qtbot.waitUntil(lambda: library.syncs > 1 and is_at_rest(window))


def test_damage_is_reported_and_repaired(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.check_gate.set()
    library.problems = ("The word index does not match the text.",)
    dialog = show_library(qtbot, window)
    turn_to(dialog.pages, dialog.maintenance)
    press(qtbot, dialog.maintenance, "Check index")
    qtbot.waitUntil(lambda: "does not match" in dialog.maintenance.report.text())
    assert "Choose Repair index" in dialog.maintenance.report.text()
    press(qtbot, dialog.maintenance, "Repair index")
    qtbot.waitUntil(lambda: "parts were repaired" in dialog.maintenance.report.text())
    assert library.checks == [False, True]


def test_searches_continue_during_a_check_which_can_be_stopped(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    dialog = show_library(qtbot, window)
    turn_to(dialog.pages, dialog.maintenance)
    press(qtbot, dialog.maintenance, "Check index")
    qtbot.waitUntil(lambda: library.checks == [False])
    window.box.type_on("wheat")
    qtbot.waitUntil(lambda: window.main_view.results.answer is not None)
    press(qtbot, dialog.maintenance, "Stop")
    qtbot.waitUntil(lambda: library.cancelled_checks == 1)
    qtbot.waitUntil(lambda: "Stopped" in dialog.maintenance.report.text())


def test_a_rebuild_can_be_cancelled_or_completed(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    dialog = show_library(qtbot, window)
    turn_to(dialog.pages, dialog.maintenance)
    library.sync_gate.clear()
    library.progress = [Progress(Stage.READING, 1, 9, "grain.txt")]
    press(qtbot, dialog.maintenance, "Rebuild index")
    qtbot.waitUntil(lambda: library.is_rebuilding)
    qtbot.waitUntil(lambda: "The index is being rebuilt" in label_text(dialog))
    press(qtbot, dialog.maintenance, "Cancel rebuild")
    qtbot.waitUntil(lambda: not library.is_rebuilding)
    qtbot.waitUntil(lambda: "Rebuild cancelled" in dialog.maintenance.report.text())

    press(qtbot, dialog.maintenance, "Rebuild index")
    qtbot.waitUntil(lambda: library.is_rebuilding and library.in_sync.is_set())
    library.is_rebuilding = False
    # A status may report the end before the sync is over.
    dialog.maintenance.show_status(library.status())
    library.sync_gate.set()
    qtbot.waitUntil(lambda: "has been rebuilt" in dialog.maintenance.report.text())


@pytest.mark.parametrize("shown", [True, False])
def test_shares_are_counted_only_while_they_are_visible(
    qtbot: QtBot,
    window: MainWindow,
    library: LibraryDouble,
    monkeypatch: pytest.MonkeyPatch,
    shown: bool,
) -> None:
    calls: list[int] = []

    def shares() -> Shares:
        calls.append(1)
        return library.stored_shares

    monkeypatch.setattr(library, "shares", shares)
    if shown:
        show_library(qtbot, window)
    window.session.sync()
    qtbot.waitUntil(lambda: library.syncs == 2 and is_at_rest(window))
    assert bool(calls) is shown


def test_the_page_of_duplicates_lists_them_with_their_folders(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, qtmodeltester: ModelTester
) -> None:
    files = tuple(CopiedFile(Path(f"/docs/{name}.pdf"), 2_000_000, 0) for name in "ab")
    versions = tuple(CopiedFile(Path(f"/docs/v{name}.txt"), 3_000, 0) for name in "12")
    library.copies_report = CopiesReport(
        CopyTotals(1, 2, 2_000_000),
        CopyTotals(7, 20, 3_000),
        (CopyGroup(True, files, 2_000_000), CopyGroup(False, versions, 3_000)),
        0,
    )
    window = make_window()
    dialog = show_library(qtbot, window)
    page = dialog.copies
    assert page.model.rowCount() == 0
    turn_to(dialog.pages, page)
    qtbot.waitUntil(lambda: page.model.rowCount() == 6)
    qtmodeltester.check(page.model)
    assert "Identical: 2 files; the extra copies take up 2.0 MB." in page.summary.text()
    assert page.model.index(0, 0).data() == "2 copies"
    assert page.model.index(3, 0).data() == "2 versions"
    assert "largest groups" in label_text(dialog)
    page.view.setCurrentIndex(page.model.index(0, 0))
    assert not page.show_folder.isEnabled()
    page.view.setCurrentIndex(page.model.index(2, 0))
    with qtbot.waitSignal(dialog.file_wanted) as wanted:
        press(qtbot, page, "Show in folder")
    assert wanted.args == [files[1].path]

    library.copies_report = CopiesReport(CopyTotals(), CopyTotals(1, 2, 3_000), (), 4)
    dialog.present()
    qtbot.waitUntil(lambda: page.model.rowCount() == 0)
    assert "4 documents not compared yet" in label_text(dialog)
