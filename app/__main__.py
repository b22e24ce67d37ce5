"""The program `winnow`: alone it opens the window, with a sub-command it is the command line."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.main_window import MainWindow

_WINDOW_OPTIONS = ("--theme", "--folder")
# How many threads numpy's products of matrices take, read when it is loaded. One: a query has
# little to share out, and several at once, or one beside the encoder, would wait for each other.
_THREADS_OF_PRODUCTS = ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main(argv: list[str] | None = None) -> int:
    """Run Winnow with `argv` (the program's own arguments by default); give its exit status."""
    multiprocessing.freeze_support()
    _forget_own_libraries()
    for name in _THREADS_OF_PRODUCTS:
        os.environ.setdefault(name, "1")
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--smoke-test"]:
        from app.smoke_test import run

        return run(_open_window)
    if arguments == ["--version"]:
        from app.versions import show

        return show()
    if arguments and arguments[0].split("=")[0] not in _WINDOW_OPTIONS:
        from core.cli import main as run_command

        return run_command(arguments)
    return _open_window(arguments)


def _open_window(
    arguments: list[str], shown: Callable[[MainWindow], None] = lambda _window: None
) -> int:
    if not _has_screen():
        sys.stderr.write(
            "winnow: There is no screen to open the window on; "
            "use winnow index and winnow search, or start it from a desktop.\n"
        )
        return 1
    # Imported here, so that the command line does not load Qt.
    from PySide6.QtCore import QLoggingCategory, QTimer
    from PySide6.QtWidgets import QApplication

    from app.engine import open_library
    from app.errors import take_unexpected
    from app.icons import window_icon
    from app.main_window import MainWindow
    from app.theme import ThemeSwitch
    from core import paths
    from core.settings import Theme, load_settings

    parser = argparse.ArgumentParser("winnow", add_help=False)
    parser.add_argument("--theme", choices=[theme.value for theme in Theme])
    parser.add_argument("--folder", action="append", type=Path, default=[])
    options = parser.parse_args(arguments)

    # A document in a script that this machine has no font for is no news for a terminal.
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    # The window's thread gets its turn sooner while Python code works on other threads.
    sys.setswitchinterval(0.001)
    application = QApplication(["winnow"])
    application.setApplicationName("Winnow")
    application.setDesktopFileName("winnow")
    application.setWindowIcon(window_icon())
    application.setQuitOnLastWindowClosed(False)
    home = paths.home()
    settings_path = home / "settings.json"
    loaded = load_settings(settings_path)
    theme = ThemeSwitch(application, Theme(options.theme or loaded.settings.theme))
    folders = [folder.absolute() for folder in options.folder]
    window = MainWindow(partial(open_library, home), loaded, settings_path, theme, folders)
    sys.excepthook = partial(take_unexpected, window.trouble.show_notice)
    window.closed.connect(application.quit)
    window.show()
    shown(window)
    QTimer.singleShot(0, window.start)
    return application.exec()


def _forget_own_libraries() -> None:
    """Have programs that we start, to open a document, say, load their own libraries, not ours.

    The frozen program's loader names the folder of ours for itself, and has read it by now.
    """
    if getattr(sys, "frozen", False):
        before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
        os.environ.pop("LD_LIBRARY_PATH", None)
        if before is not None:
            os.environ["LD_LIBRARY_PATH"] = before


def _has_screen() -> bool:
    """Whether Qt will find a screen; where it does not, it ends the program with its own words."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform != "linux" or any(os.environ.get(name) for name in named)


if __name__ == "__main__":
    sys.exit(main())
