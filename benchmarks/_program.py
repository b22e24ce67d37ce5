"""The real program, run in this process with somebody looking on; and its service beside it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.daemon_client import client
from core.daemon_client.protocol import STATUS

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from app.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[1]


STARTED_WITHIN_S = 60


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
    answering: Callable[[MainWindow], None] = lambda _window: None,
) -> int:
    """Run Winnow as it always is until it ends, with somebody looking on.

    Args:
        arguments: the program's.
        watch: is given the window when it is on the screen with all its parts.
        painted: is called when the window is first painted, with those that are seen first.
        answering: is given the window when it has the parts that show answers.
    """
    from app import __main__, main_window

    class Watched(main_window.MainWindow):
        is_painted = False

        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            if not self.is_painted:
                self.is_painted = True
                painted()

        def _connect_answers(self) -> None:
            super()._connect_answers()
            answering(self)

    main_window.MainWindow = Watched  # type: ignore[misc]
    return __main__.main(list(arguments), watch)


@contextmanager
def service(home: Path, folder: str) -> Iterator[int]:
    """Run the service of a library, with its socket in `folder`; gives its process's number."""
    os.environ["XDG_RUNTIME_DIR"] = folder
    command = [sys.executable, "-m", "app", "service", "run"]
    with subprocess.Popen(command, cwd=ROOT, env=environment(home)) as process:
        ends_s = time.monotonic() + STARTED_WITHIN_S
        while not (told := client.send_request(home, STATUS)) or not told["is_in_step"]:
            if time.monotonic() > ends_s or process.poll() is not None:
                raise SystemExit("The service does not start, or is not in step.")
            time.sleep(0.1)
        yield process.pid
        process.terminate()
