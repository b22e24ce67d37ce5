"""The service in the background, turned on and off in the settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QClipboard
from PySide6.QtWidgets import QApplication

from app.desktop.integration import DesktopIntegration
from app.main_window import MainWindow
from core.browser import address, switch
from core.browser.switch import BrowserState
from core.daemon import autostart
from core.daemon.autostart import AutostartError
from core.errors import LibraryError
from core.settings import Settings, chosen

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def switched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Path]]:
    """What the system was told: a word, and the library's folder."""
    told: list[tuple[str, Path]] = []
    monkeypatch.setattr(autostart, "switch_on", lambda home: told.append(("on", home)))
    monkeypatch.setattr(autostart, "switch_off", lambda home: told.append(("off", home)))
    return told


@pytest.fixture
def shown(window: MainWindow) -> MainWindow:
    """A window with its settings open, at home on the desktop."""
    DesktopIntegration(window, Settings())
    window.preferences.open_anew()
    return window


def test_it_is_turned_on_and_off(
    qtbot: QtBot, shown: MainWindow, switched: list[tuple[str, Path]]
) -> None:
    preferences = shown.preferences
    assert switched == [], "the system has its own list, whatever is set when the window opens"
    preferences.general.switches["service"].click()
    qtbot.waitUntil(lambda: switched == [("on", preferences.home)])
    preferences.general.switches["service"].click()
    qtbot.waitUntil(lambda: switched[1:] == [("off", preferences.home)])


def test_what_the_system_refuses_is_told_and_left_off(
    qtbot: QtBot,
    shown: MainWindow,
    switched: list[tuple[str, Path]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_home: Path) -> None:
        raise AutostartError("systemctl refused: no bus.")

    monkeypatch.setattr(autostart, "switch_on", refuse)
    preferences = shown.preferences
    preferences.general.switches["service"].click()
    qtbot.waitUntil(lambda: "systemctl refused: no bus." in preferences.notice.accessibleName())
    qtbot.waitUntil(lambda: not preferences.general.switches["service"].isChecked())
    # The file is written off the window's thread.
    qtbot.waitUntil(lambda: not chosen(preferences.home / "settings.json").service)


@pytest.fixture
def clipboard(qapp: QApplication) -> Iterator[QClipboard]:
    """The clipboard, empty before and after."""
    clipboard = QApplication.clipboard()
    clipboard.clear()
    yield clipboard
    clipboard.clear()


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is asked which port is free."""
    monkeypatch.setattr(address, "is_free", lambda _port: True)


@pytest.mark.usefixtures("free")
def test_a_browsers_address_is_shown_to_be_copied(
    qtbot: QtBot, shown: MainWindow, clipboard: QClipboard
) -> None:
    preferences = shown.preferences
    general = preferences.general
    assert not general._copy.isVisibleTo(general)
    general.switches["browser"].click()
    qtbot.waitUntil(lambda: general._copy.isVisibleTo(general))
    here = address.load(preferences.home)
    assert here is not None
    assert here.template in general._told.text()
    assert "Nobody answers there until the service runs." in general._told.text()
    general._copy.click()
    assert clipboard.text() == here.template
    qtbot.waitUntil(lambda: chosen(preferences.home / "settings.json").browser)
    preferences.choose("browser", False)
    qtbot.waitUntil(lambda: not general._copy.isVisibleTo(general))
    assert address.load(preferences.home) == address.BrowserAddress(here.port, "")


@pytest.mark.usefixtures("free")
def test_an_address_that_cannot_be_kept_is_told_and_left_off(
    qtbot: QtBot, shown: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_home: Path) -> None:
        raise LibraryError("There is no room.")

    monkeypatch.setattr(address, "turn_on", refuse)
    preferences = shown.preferences
    preferences.general.switches["browser"].click()
    qtbot.waitUntil(lambda: "There is no room." in preferences.notice.accessibleName())
    qtbot.waitUntil(lambda: not preferences.general.switches["browser"].isChecked())
    # The file is written off the window's thread.
    qtbot.waitUntil(lambda: not chosen(preferences.home / "settings.json").browser)


def test_a_problem_of_the_door_is_told(
    qtbot: QtBot, shown: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = address.BrowserAddress(20_000, "x" * 32)
    state = BrowserState(here, problem="Port 20000 is taken.")
    monkeypatch.setattr(switch, "state_of", lambda _home: state)
    preferences = shown.preferences
    preferences.show_browser(state)
    assert "Port 20000 is taken." in preferences.notice.accessibleName()
    qtbot.waitUntil(lambda: "Port 20000 is taken." in preferences.general._told.text())
