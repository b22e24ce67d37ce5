"""A tray that appears after the window gets the icon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from jeepney import message_bus
from jeepney.io.blocking import Proxy, open_dbus_connection
from PySide6.QtWidgets import QSystemTrayIcon

from app.desktop.integration import DesktopIntegration
from app.main_window import MainWindow
from core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jeepney.io.blocking import DBusConnection
    from pytestqt.qtbot import QtBot

WATCHER = "org.kde.StatusNotifierWatcher"


class Panel:
    """The panel of a desktop, which may start at any time, with or without a tray."""

    def __init__(self, address: str) -> None:
        self._connection: DBusConnection = open_dbus_connection(address)
        self._bus = Proxy(message_bus, self._connection)
        self.has_tray = False

    def begin(self) -> None:
        self.has_tray = True
        self._bus.RequestName(WATCHER)

    def end(self) -> None:
        self._connection.close()


@pytest.fixture
def panel(bus: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Panel]:
    opened_panel = Panel(bus)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: opened_panel.has_tray)
    yield opened_panel
    opened_panel.end()


def test_a_tray_that_appears_after_the_window_has_the_icon(
    qtbot: QtBot, window: MainWindow, panel: Panel, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    monkeypatch.setattr(
        QSystemTrayIcon, "showMessage", lambda _icon, _title, text, *_: messages.append(text)
    )
    presence = DesktopIntegration(window, Settings(tray=True))
    assert presence.tray is None

    panel.begin()

    qtbot.waitUntil(lambda: presence.tray is not None)
    assert presence.tray is not None
    assert presence.tray.isVisible()
    for _ in range(2):
        window.close()
        assert not window.is_closed
        presence.tray.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
        assert window.isVisible()
    assert messages == ["Winnow stays in the tray. To end it, choose Quit there."], "the first time"


def test_a_tray_that_appeared_early_has_the_icon(
    qtbot: QtBot, window: MainWindow, panel: Panel
) -> None:
    panel.begin()
    panel.has_tray = False
    presence = DesktopIntegration(window, Settings(tray=True))
    assert presence.tray is None
    panel.has_tray = True
    qtbot.waitUntil(lambda: presence.tray is not None)


def test_a_tray_that_appears_after_it_was_turned_off_has_no_icon(
    qtbot: QtBot, window: MainWindow, panel: Panel
) -> None:
    presence = DesktopIntegration(window, Settings(tray=True))
    window.settings.choose("tray", value=False)
    waiting = DesktopIntegration(window, Settings(tray=True))
    panel.begin()
    qtbot.waitUntil(lambda: waiting.tray is not None)
    assert presence.tray is None


def test_quitting_does_not_wait_for_a_tray(qtbot: QtBot, window: MainWindow, panel: Panel) -> None:
    presence = DesktopIntegration(window, Settings(tray=True))
    with qtbot.waitSignal(window.closed):
        window.close()
    waiting = DesktopIntegration(window, Settings(tray=True))
    panel.begin()
    qtbot.waitUntil(lambda: waiting.tray is not None)
    assert presence.tray is None
