"""Measure the memory of the window: opened, after searches and settings, without the model.

Opens the real program on a copy of a library, types queries, looks through the pages of the
settings, and lets the window release the model. For each step it prints the resident memory of
the window's process, the part that no other process shares, and the peak, in megabytes.

    python3 dev.py bench memory HOME [--wait S] [--queries N]

HOME is the folder of a library, for example `~/.local/share/winnow`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import _program

if TYPE_CHECKING:
    from app.main_window import MainWindow

_QUERIES = (
    "how to install the program",
    "table of contents",
    "mail with an attachment",
    "annual report",
    "text recognition in scans",
    "list of authors",
    "header and footer",
    "password",
    "spreadsheet with dates",
    "footnotes",
)
_STEP_MS = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("home", type=Path, help="folder of an indexed library")
    parser.add_argument("--wait", type=float, default=5, help="seconds to wait at the end")
    parser.add_argument("--queries", type=int, default=len(_QUERIES))
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        sys.exit(_run_program(options.queries, options.wait))
    with tempfile.TemporaryDirectory(prefix="winnow-memory-") as place:
        home = Path(place) / "home"
        shutil.copytree(options.home, home)
        subprocess.run(
            [sys.executable, __file__, str(home), "--child", *sys.argv[2:]],
            env=_program.environment(home),
            check=True,
        )


def _run_program(queries: int, wait_s: float) -> int:
    from PySide6.QtCore import QTimer

    def watch(window: MainWindow) -> None:
        steps = _person(window, queries, wait_s)
        timer = QTimer(window, interval=_STEP_MS)

        def step() -> None:
            if next(steps, None) is None:
                os._exit(0)

        timer.timeout.connect(step)
        window.session.warmed.connect(timer.start)

    return _program.run([], watch)


def _person(window: MainWindow, queries: int, wait_s: float) -> Iterator[str]:
    """Do one action per step."""
    from PySide6.QtWidgets import QLineEdit

    line = window.findChild(QLineEdit, "searchBox")
    assert isinstance(line, QLineEdit)
    while window.progress.is_running:
        yield "sync"
    yield from ("settle",) * 6
    _report("opened")
    for number in range(queries):
        line.setText(_QUERIES[number % len(_QUERIES)])
        yield "key"
        while window.searcher.is_waiting:
            yield "answer"
        yield from ("read",) * 2
        if number in (0, queries - 1):
            _report(f"{number + 1} searches")
    window.preferences.present()
    yield from ("look",) * 6
    window.preferences.close()
    yield from ("look",) * 2
    _report("settings")
    # As after ten minutes without a search.
    window.session.model_timer.setInterval(0)
    window.session.model_timer.start()
    for _ in range(int(1000 * wait_s / _STEP_MS)):
        yield "wait"
    _report("model released")


def _report(step: str) -> None:
    rollup = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    status = Path("/proc/self/status").read_text(encoding="ascii")

    def megabytes(name: str, text: str) -> int:
        found = re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)
        return int(found[1]) // 1024 if found else 0

    print(
        f"{step:<14} resident {megabytes('Rss', rollup):4} MB, "
        f"not shared {megabytes('Anonymous', rollup):4} MB, peak {megabytes('VmHWM', status):4} MB",
        flush=True,
    )


if __name__ == "__main__":
    main()
