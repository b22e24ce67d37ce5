"""Searching in the main window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QToolButton

from app.errors import take_unexpected
from app.main_window import MainWindow
from app.theme import ThemeSwitch
from core.errors import LibraryError
from core.settings import LoadedSettings, Settings, Theme, load_settings, save_settings
from core.throttle import BackgroundLoad
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import line, search, shown_query, titles
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    paths: list[Path] = []

    def open_url(url: QUrl) -> bool:
        paths.append(Path(url.toLocalFile()))
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return paths


def test_typing_finds_after_a_pause(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "wheat dry")

    assert titles(window) == ["Storing grain", "Acceptance of software"]
    assert library.searches == [("wheat dry", "hybrid")], "one search, not one a key"
    assert window.status_line.answer.text() == "2 documents · 12 ms"
    assert window.main_view.shows_results


def test_the_words_are_chips_in_the_colours_of_the_list(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat quagga")

    assert [(chip.text, chip.word, chip.has_highlights) for chip in window.chips.chips] == [
        ("wheat", 0, True),
        ("quagga", 1, False),
    ]
    assert window.chips.accessibleName() == "Query words: wheat, quagga"
    assert window.chips.isVisible()


def test_the_first_result_is_read_at_once(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "oats")

    qtbot.waitUntil(lambda: "Rolled oats" in reader_text(window))


def reader_text(window: MainWindow) -> str:
    view = window.main_view.reader.view.text
    return view.toPlainText() if view.isVisible() else ""


def test_a_stale_answer_is_never_shown(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.search_gate.clear()
    qtbot.keyClicks(line(window), "wheat")
    qtbot.waitUntil(lambda: len(library.searches) == 1)
    line(window).clear()
    qtbot.keyClicks(line(window), "oats")
    qtbot.waitUntil(lambda: len(library.searches) == 2)
    seen: list[str | None] = []
    window.searcher.answered.connect(lambda _: seen.append(shown_query(window)))
    library.search_gate.set()
    qtbot.waitUntil(lambda: not window.session.is_reading)

    assert seen == ["oats"]
    assert titles(window) == ["Oats"]


def test_the_old_response_stays_until_the_new_one_arrives(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    search(qtbot, window, "wheat")
    library.search_gate.clear()
    qtbot.keyClicks(line(window), " dry")
    qtbot.waitUntil(lambda: len(library.searches) == 2)

    assert titles(window) == ["Storing grain"]
    assert window.main_view.shows_results


def test_enter_opens_the_document_and_control_enter_its_folder(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, opened: list[Path]
) -> None:
    search(qtbot, window, "oats")
    path = library.books[1].path

    qtbot.keyClick(line(window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened == [path])
    qtbot.keyClick(line(window), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened == [path, path.parent])

    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    results = window.main_view.results
    qtbot.keyClick(results, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened[2:] == [path])
    qtbot.keyClick(results, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened[2:] == [path, path.parent])


def test_enter_before_the_answer_opens_nothing_old(
    qtbot: QtBot, window: MainWindow, opened: list[Path]
) -> None:
    search(qtbot, window, "oats")
    line(window).setText("wheat")
    qtbot.keyClick(line(window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: titles(window) == ["Storing grain"])
    qtbot.waitUntil(lambda: not window.session.is_reading)

    assert opened == []


def test_enter_opens_a_result_by_words_before_search_by_meaning_ends(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, opened: list[Path]
) -> None:
    library.search_gate.clear()
    search(qtbot, window, "oats")
    assert window.searcher.is_waiting
    qtbot.keyClick(line(window), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened == [library.books[1].path])


def test_a_document_in_an_archive_is_opened_with_the_archive(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, opened: list[Path]
) -> None:
    archive = library.books[1].path.with_name("papers.zip")
    archive.write_bytes(b"PK")
    library.books[1].path = archive / "2024" / "oats.md"
    button = next(
        found
        for found in window.main_view.reader.findChildren(QToolButton)
        if found.accessibleName().startswith("Open document")
    )
    search(qtbot, window, "oats")
    qtbot.waitUntil(lambda: button.accessibleName() == "Open papers.zip (Enter)")

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened == [archive])
    qtbot.keyClick(line(window), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened[1:] == [archive.parent])


def test_a_deleted_document_shows_an_error(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, opened: list[Path]
) -> None:
    search(qtbot, window, "oats")
    library.books[1].path.unlink()
    qtbot.keyClick(line(window), Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: window.trouble.isVisible())
    assert "oats.md no longer exists." in window.trouble.accessibleName()
    assert opened == []


def test_a_document_without_an_application_shows_an_error(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)
    search(qtbot, window, "oats")
    qtbot.keyClick(line(window), Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: "No application" in window.trouble.accessibleName())


def test_arrows_move_between_box_and_list_and_typing_returns(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "wheat dry")
    results = window.main_view.results
    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    assert window.focusWidget() is results
    qtbot.keyClick(results, Qt.Key.Key_Down)
    assert results.currentIndex().row() > 0
    qtbot.keyClick(results, Qt.Key.Key_Up)
    qtbot.keyClick(results, Qt.Key.Key_Up)
    assert window.focusWidget() is line(window)

    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    qtbot.keyClick(results, Qt.Key.Key_S)
    assert window.focusWidget() is line(window)
    assert line(window).text() == "wheat drys"


def test_escape_clears_and_returns_to_the_box(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat")
    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_Escape)

    assert line(window).text() == ""
    assert window.focusWidget() is line(window)
    assert not window.chips.isVisible()
    assert not window.main_view.shows_results
    assert window.status_line.answer.text() == ""


def test_escape_clears_from_the_reader_too(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat")
    reader = window.main_view.reader

    def visible_views() -> list[QAbstractScrollArea]:
        return [view for view in reader.findChildren(QAbstractScrollArea) if view.isVisible()]

    qtbot.waitUntil(lambda: bool(visible_views()))
    for view in visible_views():
        search(qtbot, window, "wheat")
        view.setFocus()
        qtbot.keyClick(view, Qt.Key.Key_Escape)
        assert line(window).text() == ""


@pytest.mark.parametrize("key", [Qt.Key.Key_F, Qt.Key.Key_L])
def test_control_f_and_l_go_to_the_box(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    search(qtbot, window, "wheat")
    window.main_view.results.setFocus()
    qtbot.keyClick(window.main_view.results, key, Qt.KeyboardModifier.ControlModifier)

    assert window.focusWidget() is line(window)
    assert line(window).selectedText() == "wheat"


def test_a_search_error_is_shown_until_the_next_response(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.search_error = LibraryError("The library cannot be read.")
    qtbot.keyClicks(line(window), "wheat")
    qtbot.waitUntil(lambda: window.remark.isVisible())
    assert window.remark.accessibleName() == "The library cannot be read."

    library.search_error = None
    search(qtbot, window, "wheat dry")
    assert not window.remark.isVisible()


def test_a_notice_of_the_answer_is_shown(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.notice = "12 passages cannot be found by their meaning yet."
    search(qtbot, window, "wheat")

    assert window.remark.isVisible()
    assert window.remark.accessibleName() == library.notice


def test_without_results_a_hint_suggests_what_to_try(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClicks(line(window), "quagga")
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "No results for “quagga”")

    assert "different words" in window.main_view.empty.sentence
    assert window.main_view.empty.isVisible()
    search(qtbot, window, '"quagga dodo"')
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "No results for “quagga dodo”")


def test_without_a_query_the_number_of_documents_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "3 documents ready to search")
    assert "Press Enter to open" in window.main_view.empty.sentence


def test_a_library_that_cannot_be_opened_shows_an_error_and_can_be_retried(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    attempts: list[int] = []

    def open_engine() -> LibraryDouble:
        attempts.append(1)
        if len(attempts) == 1:
            raise LibraryError("The catalog belongs to another user.")
        return library

    window = make_window(open_engine)
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "The library cannot be opened")
    assert window.main_view.empty.sentence == "The catalog belongs to another user."

    window.main_view.empty.acted.emit()
    qtbot.waitUntil(lambda: "ready to search" in window.main_view.empty.headline)


def test_a_query_typed_before_the_library_is_open_is_answered(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    def open_engine() -> LibraryDouble:
        assert library.read_gate.wait(patience())
        return library

    library.read_gate.clear()
    window = make_window(open_engine)
    qtbot.keyClicks(line(window), "oats")
    qtbot.waitUntil(lambda: not window.searcher.is_waiting)
    library.read_gate.set()

    qtbot.waitUntil(lambda: titles(window) == ["Oats"])


def test_theme_and_geometry_are_stored(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path, qapp: QApplication
) -> None:
    window = make_window()
    window.resize(740, 600)
    menu_entry(window, "Dark theme").trigger()
    with qtbot.waitSignal(window.closed):
        window.close()

    settings = load_settings(tmp_path / "home" / "settings.json").settings
    assert settings.theme is Theme.DARK
    again = make_window(loaded=LoadedSettings(settings))
    assert (again.width(), again.height()) == (740, 600)


def test_closing_does_not_change_other_settings(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    path = tmp_path / "home" / "settings.json"
    window = make_window()
    # Removed on the command line while the window is open.
    save_settings(Settings(model="minilm-128", ocr=True, background_load=BackgroundLoad.FULL), path)
    menu_entry(window, "Dark theme").trigger()
    with qtbot.waitSignal(window.closed):
        window.close()

    settings = load_settings(path).settings
    assert (settings.model, settings.ocr, settings.background_load) == (
        "minilm-128",
        True,
        BackgroundLoad.FULL,
    )
    assert settings.theme is Theme.DARK


def test_the_command_lines_theme_is_for_this_run_only(
    qtbot: QtBot, make_window: MakeWindow, theme: ThemeSwitch, tmp_path: Path
) -> None:
    theme.choose(Theme.DARK)
    window = make_window()
    with qtbot.waitSignal(window.closed):
        window.close()

    settings = load_settings(tmp_path / "home" / "settings.json").settings
    assert settings.theme is Theme.SYSTEM


def test_a_dismissed_notice_does_not_return_with_every_key(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.notice = "12 passages cannot be found by their meaning yet."
    search(qtbot, window, "wheat")
    qtbot.mouseClick(window.remark.findChild(QToolButton), Qt.MouseButton.LeftButton)
    search(qtbot, window, "wheat dry")
    assert not window.remark.isVisible()

    library.notice = "The model was changed."
    search(qtbot, window, "wheat")
    assert window.remark.isVisible()


def test_an_unexpected_error_while_opening_has_a_report(
    qtbot: QtBot, make_window: MakeWindow
) -> None:
    def open_engine() -> LibraryDouble:
        raise RuntimeError("a bug")

    window = make_window(open_engine)
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "The library cannot be opened")

    assert window.trouble.notice is not None
    assert "builtins.RuntimeError" in window.trouble.notice.report


def test_an_unexpected_error_in_the_window_is_shown(
    window: MainWindow, caplog: pytest.LogCaptureFixture
) -> None:
    error = ValueError("a bug")
    take_unexpected(window.trouble.show_notice, ValueError, error, None)

    assert "unexpected" in window.trouble.accessibleName()
    assert "a bug" in caplog.text


def test_f5_reads_the_folders_again(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_F5)

    qtbot.waitUntil(lambda: library.syncs == 2)


def menu_entry(window: MainWindow, text: str) -> QAction:
    return next(action for action in window.findChildren(QAction) if action.text() == text)


def test_damaged_settings_are_reported(qtbot: QtBot, make_window: MakeWindow) -> None:
    window = make_window(loaded=LoadedSettings(Settings(window_geometry="☃"), "They were bad."))

    assert window.trouble.accessibleName() == "They were bad."
