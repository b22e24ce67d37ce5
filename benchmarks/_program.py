"""The real program, run in this process with somebody looking on."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from app.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[1]


def environment(home: Path) -> dict[str, str]:
    """The environment for a process that opens the window on the library in `home`."""
    made = os.environ | {"WINNOW_HOME": str(home), "PYTHONPATH": str(ROOT)}
    if not {"DISPLAY", "WAYLAND_DISPLAY"} & made.keys():
        made["QT_QPA_PLATFORM"] = "offscreen"
    return made


def run(arguments: Sequence[str], watch: Callable[[MainWindow], None]) -> int:
    """Run Winnow as it always is until it ends; `watch` is called when its window first shows."""
    from app import __main__, main_window

    class Watched(main_window.MainWindow):
        is_watched = False

        def showEvent(self, event: QShowEvent) -> None:
            if not self.is_watched:
                self.is_watched = True
                watch(self)
            super().showEvent(event)

    main_window.MainWindow = Watched  # type: ignore[misc]
    return __main__.main(list(arguments))
