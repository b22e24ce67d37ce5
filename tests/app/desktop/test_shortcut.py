"""The global shortcut: requested from the portal of the desktop, shown, triggered, released."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jeepney import message_bus
from jeepney.io.threading import DBusRouter, Proxy, open_dbus_connection
from PySide6.QtWidgets import QCheckBox, QLabel

from app.desktop.integration import DesktopIntegration
from app.main_window import MainWindow
from core.settings import Settings, load_settings
from tests.app.portal_double import Desktop, PortalDouble

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

BY_HAND = "assign a shortcut to this command"
BOX = "Show Winnow with a system-wide keyboard shortcut"


@pytest.fixture
def desktop() -> Desktop:
    return Desktop()


Begin = Callable[[], PortalDouble]


@pytest.fixture
def begin(bus: str, desktop: Desktop) -> Iterator[Begin]:
    portals: list[PortalDouble] = []

    def start() -> PortalDouble:
        portals.append(PortalDouble(bus, desktop))
        return portals[-1]

    yield start
    for portal in portals:
        portal.stop()


@pytest.fixture
def portal(begin: Begin) -> PortalDouble:
    return begin()


def shortcut_text(window: MainWindow) -> str:
    """Return the text of the row Keyboard shortcut."""
    page = window.preferences.appearance
    notes = [one.text() for one in page.findChildren(QLabel) if one.isVisibleTo(page)]
    return " ".join(notes[notes.index("Keyboard shortcut:") + 1 :])


def box(window: MainWindow) -> QCheckBox:
    boxes = window.preferences.appearance.findChildren(QCheckBox)
    return next(one for one in boxes if one.text() == BOX)


def is_offered(window: MainWindow) -> bool:
    return box(window).isVisibleTo(window.preferences.appearance)


def open_page(window: MainWindow) -> None:
    window.preferences.present()
    window.preferences.pages.setCurrentIndex(1)


def is_stored(tmp_path: Path) -> bool:
    return load_settings(tmp_path / "home" / "settings.json").settings.shortcut


def test_a_shortcut_is_requested_shown_and_raises_the_window(
    qtbot: QtBot,
    window: MainWindow,
    portal: PortalDouble,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    presence = DesktopIntegration(window, Settings())
    assert portal.called == []
    open_page(window)
    qtbot.waitUntil(lambda: is_offered(window))
    assert not box(window).isChecked()
    assert BY_HAND not in shortcut_text(window)

    box(window).click()

    qtbot.waitUntil(lambda: "Shortcut: Ctrl+Alt+Space" in shortcut_text(window))
    assert box(window).isChecked()
    qtbot.waitUntil(lambda: is_stored(tmp_path))
    assert portal.called == ["Register", "Get", "CreateSession", "ListShortcuts", "BindShortcuts"]
    window.showMinimized()
    portal.press("a token")
    qtbot.waitUntil(lambda: not window.isMinimized())
    assert os.environ["XDG_ACTIVATION_TOKEN"] == "a token"
    assert presence.tray is None


def test_the_request_describes_the_shortcut(
    qtbot: QtBot, window: MainWindow, portal: PortalDouble
) -> None:
    presence = DesktopIntegration(window, Settings(shortcut=True))
    qtbot.waitUntil(lambda: portal.bound != ())
    session, shortcuts, parent, _options = portal.bound
    assert session == portal.session
    assert parent == ""
    [(name, about)] = shortcuts
    assert name == "show"
    assert about["description"] == ("s", "Show Winnow")
    assert about["preferred_trigger"] == ("s", "CTRL+ALT+space")
    assert presence.tray is None


def test_a_remembered_shortcut_is_not_requested_again(
    qtbot: QtBot, window: MainWindow, desktop: Desktop, portal: PortalDouble
) -> None:
    desktop.remembered["show"] = "Meta+W"
    DesktopIntegration(window, Settings(shortcut=True))

    open_page(window)

    qtbot.waitUntil(lambda: "Shortcut: Meta+W" in shortcut_text(window))
    assert "BindShortcuts" not in portal.called


def test_a_pending_request_is_shown_and_does_not_block_the_window(
    qtbot: QtBot, window: MainWindow, desktop: Desktop, portal: PortalDouble
) -> None:
    desktop.answers.clear()
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    qtbot.waitUntil(lambda: "Choose a shortcut in the dialog" in shortcut_text(window))

    desktop.answers.set()

    qtbot.waitUntil(lambda: "Shortcut: " in shortcut_text(window))


def test_a_declined_request_is_not_repeated_at_the_next_start(
    qtbot: QtBot, window: MainWindow, desktop: Desktop, portal: PortalDouble, tmp_path: Path
) -> None:
    desktop.answers.clear()
    desktop.code = 1
    DesktopIntegration(window, Settings())
    open_page(window)
    qtbot.waitUntil(lambda: is_offered(window))
    box(window).click()
    qtbot.waitUntil(lambda: is_stored(tmp_path))

    desktop.answers.set()

    qtbot.waitUntil(lambda: not box(window).isChecked())
    qtbot.waitUntil(lambda: not is_stored(tmp_path))
    assert is_offered(window)


@pytest.mark.parametrize(("code", "key"), [(2, "Meta+W"), (0, None)])
def test_a_request_without_an_assigned_shortcut_can_be_repeated(
    qtbot: QtBot,
    window: MainWindow,
    desktop: Desktop,
    portal: PortalDouble,
    code: int,
    key: str | None,
) -> None:
    desktop.code, desktop.key = code, key
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    qtbot.waitUntil(lambda: "The desktop did not assign a shortcut." in shortcut_text(window))
    assert not box(window).isChecked()

    desktop.code, desktop.key = 0, "Meta+W"
    box(window).click()

    qtbot.waitUntil(lambda: "Shortcut: Meta+W" in shortcut_text(window))


def test_a_shortcut_is_shown_once_it_is_chosen(
    qtbot: QtBot, window: MainWindow, desktop: Desktop, portal: PortalDouble
) -> None:
    desktop.key = ""
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    qtbot.waitUntil(lambda: "No shortcut set. Choose one" in shortcut_text(window))
    assert box(window).isChecked()

    portal.choose("Meta+F")

    qtbot.waitUntil(lambda: "Shortcut: Meta+F" in shortcut_text(window))


def test_a_shortcut_is_released(
    qtbot: QtBot, window: MainWindow, portal: PortalDouble, tmp_path: Path
) -> None:
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    qtbot.waitUntil(lambda: "Shortcut: " in shortcut_text(window))

    box(window).click()

    qtbot.waitUntil(lambda: portal.called[-1] == "Close")
    qtbot.waitUntil(lambda: not is_stored(tmp_path))
    assert not box(window).isChecked()
    assert "Shortcut: " not in shortcut_text(window)


def test_a_session_closed_by_the_desktop_ends(
    qtbot: QtBot, window: MainWindow, portal: PortalDouble
) -> None:
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    qtbot.waitUntil(lambda: "Shortcut: " in shortcut_text(window))

    portal.end_session()

    qtbot.waitUntil(lambda: not box(window).isChecked())


def test_a_restarted_portal_gets_a_new_request(
    qtbot: QtBot, window: MainWindow, portal: PortalDouble, begin: Begin
) -> None:
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    qtbot.waitUntil(lambda: "Shortcut: " in shortcut_text(window))

    portal.stop()
    qtbot.waitUntil(lambda: not is_offered(window))
    assert BY_HAND in shortcut_text(window)
    later = begin()

    qtbot.waitUntil(lambda: "Shortcut: " in shortcut_text(window))
    window.showMinimized()
    later.press()
    qtbot.waitUntil(lambda: not window.isMinimized())


def test_only_the_portal_can_trigger_the_shortcut(
    qtbot: QtBot, window: MainWindow, portal: PortalDouble, bus: str
) -> None:
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    qtbot.waitUntil(lambda: "Shortcut: " in shortcut_text(window))
    window.showMinimized()

    portal.press(session="/of/another/program")
    with open_dbus_connection(bus) as connection:
        connection.send(portal.pressing())
        with DBusRouter(connection) as router:
            Proxy(message_bus, router).GetId()
    portal.choose("Meta+F")

    qtbot.waitUntil(lambda: "Shortcut: Meta+F" in shortcut_text(window))
    assert window.isMinimized()


def test_with_a_portal_without_shortcuts_the_person_assigns_one(
    qtbot: QtBot, window: MainWindow, desktop: Desktop, portal: PortalDouble
) -> None:
    desktop.has_shortcuts = False
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    qtbot.waitUntil(lambda: len(portal.called) == 2)
    assert BY_HAND in shortcut_text(window)
    assert not is_offered(window)


@pytest.mark.usefixtures("bus")
def test_without_a_portal_the_person_assigns_the_shortcut(
    qtbot: QtBot, window: MainWindow, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "app.desktop.shortcut")
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    qtbot.waitUntil(lambda: "no global shortcuts" in caplog.text)
    assert BY_HAND in shortcut_text(window)
    assert not is_offered(window)


@pytest.mark.parametrize("address", ["", "unix:path=/nowhere/at/all", "tcp:host=localhost", "?"])
def test_without_a_bus_the_person_assigns_the_shortcut(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    assert BY_HAND in shortcut_text(window)
    assert not is_offered(window)


def test_an_invalid_bus_is_ignored(
    qtbot: QtBot,
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "bus"))
        listening.listen()
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")
        DesktopIntegration(window, Settings(shortcut=True))
        open_page(window)
        caller, _ = listening.accept()
        with caller:
            caller.sendall(b"REJECTED KERBEROS_V4\r\n")
            qtbot.waitUntil(lambda: "does not let us in" in caplog.text)
    assert BY_HAND in shortcut_text(window)


def test_closing_the_window_leaves_the_bus(
    qtbot: QtBot, window: MainWindow, portal: PortalDouble
) -> None:
    DesktopIntegration(window, Settings(shortcut=True))
    open_page(window)
    qtbot.waitUntil(lambda: "Shortcut: " in shortcut_text(window))

    with qtbot.waitSignal(window.closed):
        window.quit()

    portal.press()
    assert not window.isVisible()
