"""The program with a window: creates application, theme, window and desktop integration."""

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
from app.translation import install_language
from app.widgets.icons import window_icon
from core import APP_ID
from core.files.paths import NO_SCREEN
from core.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.desktop.instance import InstanceClaim, LaunchRequest
    from core.library.library import Library


class WinnowApplication(QApplication):
    """The application, which also receives links: macOS does not pass them as arguments."""

    # A link was added to `links`.
    linked = Signal()

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        # Links not followed yet: the first may arrive before the window exists.
        self.links: list[str] = []

    # Qt's names

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.url().scheme() == SCHEME:
            self.links.append(event.url().toString(QUrl.ComponentFormattingOption.FullyEncoded))
            self.linked.emit()
            return True
        return super().event(event)


def open_window(
    home: Path, request: LaunchRequest, claim: InstanceClaim, shown: Callable[[MainWindow], None]
) -> int:
    """Open the window on the library in `home`; return the exit status at its end.

    Args:
        home: the folder of the library.
        request: the request of this start.
        claim: the right to open the window.
        shown: called with the window when it is on screen and complete.
    """
    # Qt would warn in the terminal about documents in scripts without an installed font.
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    # The window's thread waits less for Python code on other threads.
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
    install_language(application, loaded.settings.language)
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


def _end_without_screen(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    """Print Qt's messages while it opens the screen; exit with our own message if that fails.

    Qt itself would abort the program and recommend reinstalling it.
    """
    if kind != QtMsgType.QtFatalMsg:
        sys.stderr.write(f"{message}\n")
        return
    sys.stderr.write(f"winnow: {NO_SCREEN}\n")
    sys.stderr.flush()
    # Qt must not continue after this.
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
    """Integrate a complete window into the desktop, and start its work."""
    # Imported after the window is on screen.
    from app.desktop.instance import Reception
    from app.desktop.integration import DesktopIntegration

    presence = DesktopIntegration(window, settings)
    reception = Reception(window)
    reception.received.connect(presence.answer)
    window.session.closing.connect(reception.close)
    # The query is already in the search box, and the person may have edited it.
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
    """Runs full garbage collections while the window is not in use.

    Collections of young objects take less than a millisecond and run as usual. A full collection,
    which Python runs whenever the number of objects has grown by a quarter, took 95 ms during a
    search while 48,000 files were scanned. It waits until the person switches to another program,
    for ten minutes at most.

    Loading allocates hundreds of thousands of objects and hardly any garbage: until `settle` there
    are no collections at all (see `app.__main__`).
    """

    def __init__(self, application: QGuiApplication) -> None:
        super().__init__(application)
        self._latest = QTimer(self, interval=_LONGEST_MS, singleShot=True)
        self._latest.timeout.connect(self._sweep)
        application.applicationStateChanged.connect(self._sweep_if_left)

    def settle(self) -> None:
        """Exclude all loaded objects from later collections, and enable the collector."""
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
