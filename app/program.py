"""The program with a window: application, theme, window and desktop put together."""

from __future__ import annotations

import gc
import os
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QEvent,
    QLoggingCategory,
    QMessageLogContext,
    QObject,
    Qt,
    QTimer,
    QtMsgType,
    QUrl,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent, QGuiApplication
from PySide6.QtWidgets import QApplication

from app.desktop.links import SCHEME
from app.errors import take_unexpected
from app.main_window import MainWindow
from app.theme import ThemeSwitch
from app.translation import speak
from app.widgets.icons import window_icon
from core import APP_ID
from core.launching import NO_SCREEN
from core.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.desktop.instance import InstanceClaim, LaunchRequest
    from core.library.library import Library


class WinnowApplication(QApplication):
    """Qt's, which also hears of links: macOS hands none over on a command line."""

    # Somebody follows a link to Winnow; `links` has it.
    linked = Signal()

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        # Those that nobody has followed yet: the first may come before there is a window.
        self.links: list[str] = []

    # Qt's names

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.url().scheme() == SCHEME:
            self.links.append(event.url().toString(QUrl.ComponentFormattingOption.FullyEncoded))
            self.linked.emit()
            return True
        return super().event(event)


def open_window(
    home: Path,
    request: LaunchRequest,
    claim: InstanceClaim,
    shown: Callable[[MainWindow], None],
) -> int:
    """Open the window on the library in `home`; gives the program's exit status at its end.

    Args:
        home: the library's folder.
        request: what this start asks of the window.
        claim: the right to open it.
        shown: is given the window when it is on screen and whole.
    """
    # A document in a script that this machine has no font for is no news for a terminal.
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    # The window's thread gets its turn sooner while Python code works on other threads.
    sys.setswitchinterval(0.001)
    qInstallMessageHandler(_end_without_screen)
    application = WinnowApplication(["winnow"])
    qInstallMessageHandler(None)
    application.setApplicationName("Winnow")
    application.setDesktopFileName(APP_ID)
    application.setWindowIcon(window_icon())
    application.setQuitOnLastWindowClosed(False)
    settings_path = home / "settings.json"
    loaded = load_settings(settings_path)
    speak(application, loaded.settings.language)
    switch = ThemeSwitch(application, request.theme or loaded.settings.theme)
    window = MainWindow(partial(_open_library, home), loaded, settings_path, switch, is_whole=False)
    # Answered as soon as the window can show results.
    window.box.set_text(request.query)
    sys.excepthook = partial(take_unexpected, window.trouble.show_notice)
    window.closed.connect(application.quit)
    window.furnished.connect(
        partial(_begin, application, window, loaded.settings, request, claim, shown)
    )
    window.show()
    return application.exec()


def _end_without_screen(kind: QtMsgType, _place: QMessageLogContext, told: str) -> None:
    """Say what Qt says while it looks for the screen; where it finds none, end with our own words.

    Qt itself would have the program crash, and advise to install it anew.
    """
    if kind != QtMsgType.QtFatalMsg:
        sys.stderr.write(f"{told}\n")
        return
    sys.stderr.write(f"winnow: {NO_SCREEN}\n")
    sys.stderr.flush()
    # Nothing may go on in Qt from here.
    os._exit(1)


def _open_library(home: Path) -> Library:
    from app.session import open_library

    return open_library(home)


def _begin(
    application: WinnowApplication,
    window: MainWindow,
    settings: Settings,
    request: LaunchRequest,
    claim: InstanceClaim,
    shown: Callable[[MainWindow], None],
) -> None:
    """Give a window that is whole its place on the desktop, and have it begin its work."""
    # Imported when the window is on the screen.
    from app.desktop.instance import Reception
    from app.desktop.integration import DesktopIntegration

    presence = DesktopIntegration(window, settings)
    reception = Reception(window)
    reception.asked.connect(presence.answer)
    window.session.closing.connect(reception.close)
    # What is asked stands in the box, and may have been changed since.
    presence.grant(replace(request, query=""))
    presence.follow(application.links)
    application.linked.connect(partial(presence.follow, application.links))
    sweeper = Sweeper(application)
    for ready in (window.session.warmed, window.session.not_warmed, window.session.open_failed):
        ready.connect(sweeper.settle)
    shown(window)
    QTimer.singleShot(0, window.start)
    QTimer.singleShot(0, partial(reception.open, claim))


_NEVER: Final = 1_000_000
_LONGEST_MS: Final = 10 * 60 * 1000


class Sweeper(QObject):
    """Has Python look through all objects when nobody waits for the window.

    What is made and dropped at once Python sweeps up all the time, in less than a millisecond. To
    look through everything took it 95 ms in the midst of a search while 48,000 files were looked
    through: it does so whenever there are a quarter more objects than before. That waits until the
    person turns to another program, and for ten minutes at most.

    Loading makes hundreds of thousands of objects and next to no garbage: until `settle` nothing is
    swept at all (see `app.__main__`).
    """

    def __init__(self, application: QGuiApplication) -> None:
        super().__init__(application)
        self._latest = QTimer(self, interval=_LONGEST_MS, singleShot=True)
        self._latest.timeout.connect(self._sweep)
        application.applicationStateChanged.connect(self._sweep_if_left)

    def settle(self) -> None:
        """Let what has been loaded be: it stays, and is not looked through any more."""
        gc.freeze()
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, _NEVER)
        gc.enable()
        self._latest.start()

    def _sweep_if_left(self, state: Qt.ApplicationState) -> None:
        if state != Qt.ApplicationState.ApplicationActive and gc.isenabled():
            self._sweep()

    def _sweep(self) -> None:
        gc.collect()
        self._latest.start()
