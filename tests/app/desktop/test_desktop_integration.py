"""The tray, which keeps a closed window open, and the switch of the background service."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QLabel, QSystemTrayIcon

from app.desktop.instance import LaunchRequest
from app.desktop.integration import DesktopIntegration
from app.main_menu import MainMenu
from app.main_window import MainWindow
from core.serving.daemon import autostart
from core.serving.daemon.autostart import AutostartError
from core.settings import LoadedSettings, Settings, chosen, load_settings
from tests.app.conftest import MakeWindow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def has_tray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)


def staying(window: MainWindow) -> DesktopIntegration:
    return DesktopIntegration(window, Settings(tray=True))


def chosen_in_tray(presence: DesktopIntegration, text: str) -> None:
    assert presence.tray is not None
    [action] = [one for one in presence.tray.contextMenu().actions() if one.text() == text]
    action.trigger()


def check_box(window: MainWindow, text: str) -> QCheckBox:
    boxes = window.preferences.findChildren(QCheckBox)
    return next(box for box in boxes if box.text() == text)


@pytest.mark.usefixtures("has_tray")
def test_a_closed_window_stays_in_the_tray_and_can_be_reopened(
    qtbot: QtBot, window: MainWindow
) -> None:
    presence = staying(window)
    window.preferences.show()
    window.close()
    assert not window.isVisible()
    assert not window.preferences.isVisible()
    assert not window.is_closed

    chosen_in_tray(presence, "Show Winnow")
    assert window.isVisible()

    with qtbot.waitSignal(window.closed):
        chosen_in_tray(presence, "Quit")
    assert window.is_closed


@pytest.mark.usefixtures("has_tray")
def test_a_click_on_the_icon_shows_the_window(window: MainWindow) -> None:
    presence = staying(window)
    assert presence.tray is not None
    window.close()
    presence.tray.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert window.isVisible()


@pytest.mark.usefixtures("has_tray")
def test_another_start_brings_the_window_back_from_the_tray(window: MainWindow) -> None:
    presence = staying(window)
    window.close()
    presence.answer(LaunchRequest())
    assert window.isVisible()


@pytest.mark.usefixtures("has_tray")
def test_quit_in_the_menu_ends_the_program_even_with_a_tray(
    qtbot: QtBot, window: MainWindow
) -> None:
    staying(window)
    quits = next(one for one in window.findChildren(MainMenu)[0].actions() if one.text() == "Quit")
    with qtbot.waitSignal(window.closed):
        quits.trigger()


@pytest.mark.usefixtures("has_tray")
def test_a_window_is_not_hidden_in_a_tray_that_disappeared(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    staying(window)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: False)
    with qtbot.waitSignal(window.closed):
        window.close()


def test_without_a_tray_none_is_offered(qtbot: QtBot, window: MainWindow) -> None:
    presence = staying(window)
    window.preferences.present()
    qtbot.waitUntil(
        lambda: (
            not check_box(window, "Keep Winnow in the tray when the window is closed").isEnabled()
        )
    )
    page = window.preferences.appearance
    label_texts = [one.text() for one in page.findChildren(QLabel) if one.isVisibleTo(page)]
    assert "This desktop has no system tray." in label_texts
    assert presence.tray is None
    with qtbot.waitSignal(window.closed):
        window.close()


@pytest.mark.usefixtures("has_tray")
def test_the_choice_of_the_tray_is_stored(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    path = tmp_path / "home" / "settings.json"
    window = make_window(loaded=LoadedSettings(Settings()))
    presence = DesktopIntegration(window, Settings())
    assert presence.tray is None
    window.preferences.present()
    tray = check_box(window, "Keep Winnow in the tray when the window is closed")
    qtbot.waitUntil(tray.isEnabled)

    tray.click()
    assert presence.tray is not None
    qtbot.waitUntil(lambda: load_settings(path).settings.tray)
    window.close()
    assert not window.is_closed

    presence.come_forward()
    tray.click()
    assert presence.tray is None
    qtbot.waitUntil(lambda: not load_settings(path).settings.tray)
    with qtbot.waitSignal(window.closed):
        window.close()


class Appearing(QObject):
    """Records when a window is shown and hidden."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.seen: list[str] = []
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Hide, QEvent.Type.Show):
            self.seen.append(event.type().name)
        return False


@pytest.mark.parametrize(
    ("platform", "is_active", "token", "seen"),
    [
        ("wayland", False, "", ["Hide", "Show"]),
        ("wayland", False, "token", []),
        ("wayland", True, "", []),
        ("xcb", False, "", []),
    ],
)
def test_a_window_that_cannot_be_raised_is_shown_again(
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
    platform: str,
    is_active: bool,
    token: str,
    seen: list[str],
) -> None:
    presence = DesktopIntegration(window, Settings())
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "")
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: platform)
    monkeypatch.setattr(MainWindow, "isActiveWindow", lambda _self: is_active)
    appearing = Appearing(window)
    presence.answer(LaunchRequest(activation=token))
    assert appearing.seen == seen
    assert window.isVisible()


def test_a_window_with_an_open_dialog_stays_open(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    presence = DesktopIntegration(window, Settings())
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "wayland")
    monkeypatch.setattr(MainWindow, "isActiveWindow", lambda _self: False)
    dialog = QDialog(window)
    dialog.open()
    appearing = Appearing(window)
    presence.answer(LaunchRequest())
    assert appearing.seen == []
    assert dialog.isVisible()


# The background service


@pytest.fixture
def switched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Path]]:
    """The calls to the autostart functions: on or off, and the folder of the library."""
    calls: list[tuple[str, Path]] = []
    monkeypatch.setattr(autostart, "switch_on", lambda home: calls.append(("on", home)))
    monkeypatch.setattr(autostart, "switch_off", lambda home: calls.append(("off", home)))
    return calls


@pytest.fixture
def shown(window: MainWindow) -> MainWindow:
    """A window with its settings open and desktop integration."""
    DesktopIntegration(window, Settings())
    window.preferences.present()
    return window


def test_it_is_turned_on_and_off(
    qtbot: QtBot, shown: MainWindow, switched: list[tuple[str, Path]]
) -> None:
    preferences = shown.preferences
    assert switched == [], "opening the window does not change the system's list"
    preferences.indexing.switches["service"].click()
    qtbot.waitUntil(lambda: switched == [("on", shown.settings.path.parent)])
    preferences.indexing.switches["service"].click()
    qtbot.waitUntil(lambda: switched[1:] == [("off", shown.settings.path.parent)])


def test_a_refused_autostart_is_reported_and_turned_off(
    qtbot: QtBot,
    shown: MainWindow,
    switched: list[tuple[str, Path]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_home: Path) -> None:
        raise AutostartError("systemctl refused the request: no bus.")

    monkeypatch.setattr(autostart, "switch_on", refuse)
    preferences = shown.preferences
    preferences.indexing.switches["service"].click()
    qtbot.waitUntil(
        lambda: "systemctl refused the request: no bus." in preferences.notice.accessibleName()
    )
    qtbot.waitUntil(lambda: not preferences.indexing.switches["service"].isChecked())
    # The file is written off the window's thread.
    qtbot.waitUntil(lambda: not chosen(shown.settings.path).service)
