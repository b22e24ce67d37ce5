"""The real program, run in this process with somebody looking on."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from app.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[1]


def environment(home: Path) -> dict[str, str]:
    """The environment for a process that opens the window on the library in `home`."""
    made = os.environ | {"WINNOW_HOME": str(home), "PYTHONPATH": str(ROOT)}
    if not {"DISPLAY", "WAYLAND_DISPLAY"} & made.keys():
        made["QT_QPA_PLATFORM"] = "offscreen"
    return made


def run(
    arguments: Sequence[str],
    watch: Callable[[MainWindow], None],
    painted: Callable[[], None] = lambda: None,
) -> int:
    """Run Winnow as it always is until it ends, with somebody looking on.

    Args:
        arguments: the program's.
        watch: is given the window when it is on the screen with all its parts.
        painted: is called when the window is first painted, with those that are seen first.
    """
    from app import __main__, main_window

    class Watched(main_window.MainWindow):
        is_painted = False

        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            if not self.is_painted:
                self.is_painted = True
                painted()

    main_window.MainWindow = Watched  # type: ignore[misc]
    return __main__.main(list(arguments), watch)
