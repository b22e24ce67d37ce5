"""F1 opens the guide in the browser, or the search tips if it is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QLabel

import core
from app.desktop.opening import find_guide
from app.help.about import AboutDialog
from app.help.shortcuts import ShortcutsDialog, shortcuts
from app.search.box import QueryHelp
from core.files import paths

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.main_window import MainWindow


class Browser(QObject):
    """Replaces the system's browser."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[Path] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(Path(url.toLocalFile()))


@pytest.fixture
def browser() -> Iterator[Browser]:
    browser = Browser()
    QDesktopServices.setUrlHandler("file", browser, "open")
    yield browser
    QDesktopServices.unsetUrlHandler("file")


@pytest.fixture
def resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The resources of the program, without a guide."""
    folder = tmp_path / "program" / "resources"
    folder.mkdir(parents=True)
    monkeypatch.setattr(paths, "RESOURCES", folder)
    return folder


def write_guide(folder: Path) -> Path:
    folder.mkdir(parents=True)
    page = folder / "index.html"
    page.write_text("<title>Winnow</title>")
    return page


def test_f1_opens_it_where_it_is_installed(
    qtbot: QtBot, window: MainWindow, browser: Browser, resources: Path
) -> None:
    write_guide(resources.parent / "build" / "guide")
    page = write_guide(resources / "guide")
    qtbot.keyClick(window, Qt.Key.Key_F1)
    qtbot.waitUntil(lambda: browser.opened == [page])
    assert window.trouble.notice is None


def test_a_checkout_finds_the_guide_in_the_build_folder(resources: Path) -> None:
    assert find_guide() is None
    page = write_guide(resources.parent / "build" / "guide")
    assert find_guide() == page


def test_the_shortcuts_are_shown_if_there_is_no_guide(
    qtbot: QtBot, window: MainWindow, browser: Browser, resources: Path
) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F1)
    shown = window.findChild(ShortcutsDialog)
    assert shown.isVisible()
    assert browser.opened == []
    shown.close()


def test_the_menu_shows_the_shortcuts_and_the_version(qtbot: QtBot, window: MainWindow) -> None:
    for entry, dialog in (("Keyboard shortcuts", ShortcutsDialog), ("About Winnow", AboutDialog)):
        action = next(one for one in window.findChildren(QAction) if one.text() == entry)
        action.trigger()
        shown = window.findChild(dialog)
        assert shown.isVisible()
        texts = " ".join(label.text() for label in shown.findChildren(QLabel))
        assert ("F9" if dialog is ShortcutsDialog else core.__version__) in texts
        shown.close()


def test_the_shortcuts_are_those_of_the_guide() -> None:
    guide = Path(core.__file__).parents[1] / "docs" / "guide" / "keyboard.md"
    written = guide.read_text(encoding="utf-8")
    for _, lines in shortcuts():
        for keys, _ in lines:
            for key in keys.split():
                assert key in written, key


def test_the_menu_has_the_search_tips(qtbot: QtBot, window: MainWindow) -> None:
    (typed,) = [one for one in window.findChildren(QAction) if one.text() == "Search tips"]
    typed.trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(QueryHelp)))
    window.findChildren(QueryHelp)[0].close()
