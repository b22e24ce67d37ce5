"""The service in the background, turned on and off in the settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.desktop.integration import DesktopIntegration
from app.main_window import MainWindow
from core.serving.daemon import autostart
from core.serving.daemon.autostart import AutostartError
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
    qtbot.waitUntil(lambda: switched == [("on", shown.settings.path.parent)])
    preferences.general.switches["service"].click()
    qtbot.waitUntil(lambda: switched[1:] == [("off", shown.settings.path.parent)])


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
    qtbot.waitUntil(lambda: not chosen(shown.settings.path).service)
