"""The program with a window: application, theme, window and presence put together."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QLoggingCategory, QTimer
from PySide6.QtWidgets import QApplication

from app.engine import open_library
from app.errors import take_unexpected
from app.garbage import Sweeper
from app.icons import window_icon
from app.instance import Reception
from app.main_window import MainWindow
from app.presence import Presence
from app.theme import ThemeSwitch
from app.translating import speak
from core.settings import Theme, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.instance import Claim, Wish


def open_window(
    home: Path,
    wish: Wish,
    claim: Claim,
    theme: str | None,
    shown: Callable[[MainWindow], None],
) -> int:
    """Open the window on the library in `home`; gives the program's exit status at its end.

    Args:
        home: the library's folder.
        wish: what this start asks of the window.
        claim: the right to open it.
        theme: worn this time instead of the one that is set.
        shown: is given the window when it is on screen.
    """
    # A document in a script that this machine has no font for is no news for a terminal.
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    # The window's thread gets its turn sooner while Python code works on other threads.
    sys.setswitchinterval(0.001)
    application = QApplication(["winnow"])
    application.setApplicationName("Winnow")
    application.setDesktopFileName("winnow")
    application.setWindowIcon(window_icon())
    application.setQuitOnLastWindowClosed(False)
    settings_path = home / "settings.json"
    loaded = load_settings(settings_path)
    speak(application, loaded.settings.language)
    switch = ThemeSwitch(application, Theme(theme or loaded.settings.theme))
    window = MainWindow(partial(open_library, home), loaded, settings_path, switch)
    sys.excepthook = partial(take_unexpected, window.trouble.show_notice)
    window.closed.connect(application.quit)
    presence = Presence(window, loaded.settings)
    reception = Reception(window)
    reception.asked.connect(presence.answer)
    window.session.closing.connect(reception.close)
    window.show()
    presence.grant(wish)
    sweeper = Sweeper(application)
    for ready in (window.session.warmed, window.session.not_warmed, window.session.open_failed):
        ready.connect(sweeper.settle)
    shown(window)
    QTimer.singleShot(0, window.start)
    QTimer.singleShot(0, partial(reception.open, claim))
    return application.exec()
