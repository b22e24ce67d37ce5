"""Run the real program in this process under observation, and its service in another."""

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
    """Return the environment of a process that opens the window on the library in `home`."""
    variables = os.environ | {"WINNOW_HOME": str(home), "PYTHONPATH": str(ROOT)}
    if not {"DISPLAY", "WAYLAND_DISPLAY"} & variables.keys():
        variables["QT_QPA_PLATFORM"] = "offscreen"
    return variables


def run(
    arguments: Sequence[str],
    watch: Callable[[MainWindow], None],
    painted: Callable[[], None] = lambda: None,
    answering: Callable[[MainWindow], None] = lambda _window: None,
) -> int:
    """Run Winnow as a user does until it ends, and call observers.

    Args:
        arguments: the program's arguments.
        watch: called with the window when it is on the screen, complete.
        painted: called when the window has been painted for the first time.
        answering: called with the window when its parts that show results exist.
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
    """Run the service of a library, with its socket in `folder`; yield its process id."""
    os.environ["XDG_RUNTIME_DIR"] = folder
    command = [sys.executable, "-m", "app", "service", "run"]
    with subprocess.Popen(command, cwd=ROOT, env=environment(home)) as process:
        ends_s = time.monotonic() + STARTED_WITHIN_S
        while not (status := client.send_request(home, STATUS)) or not status["is_in_step"]:
            if time.monotonic() > ends_s or process.poll() is not None:
                raise SystemExit("The service does not start, or is not in step.")
            time.sleep(0.1)
        yield process.pid
        process.terminate()
