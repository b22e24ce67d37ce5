"""How soon after its start Winnow's window is there, and answers by words and by meaning.

Starts the real program, several times, on a library of notes (or on one that is there), with a
query as its argument. Seconds are told from before the process begins until what is said has been
painted: the window, the first answer by words, the first one by meaning. Before the first start of
a pair the files that it reads are dropped from the system's memory ("cold"), as far as no other
program holds them; the second finds them there ("warm"). The program's own processor time until
then, on all its threads, is told as well: in it others' work on the machine does not count. Without
a screen Qt draws in memory: `xvfb-run python3 dev.py bench start` has a real one.

With `--service` the library's service runs meanwhile, its model loaded, and the first answers are
its own; "engine" is then when the window's own model is loaded.

`--windows` asks the X server instead, every five milliseconds, when a window is on the screen:
Winnow's, that of the barest PySide6 program there can be, and with `--beside` another program's, in
turns, all warm.

    python3 dev.py bench start [--home HOME] [--query TEXT] [--notes N] [--runs N] [--imports]
        [--service] [--windows] [--beside COMMAND...]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import _program
from _machine import Machine
from _notes import write_notes
from _screen import seconds_to_window

from core import paths

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.search.rows import Answer

TARGETS_S = {"window": 0.8, "words": 1.0, "meaning": 3.0, "engine": 3.0}
_PATIENCE_S = 120
_BAREST = """
from PySide6.QtWidgets import QApplication, QWidget
application = QApplication([])
window = QWidget()
window.resize(900, 600)
window.show()
application.exec()
"""


class Moment(NamedTuple):
    """When something was seen: seconds after the start, and of the program's processor time."""

    after_s: float
    worked_s: float

    @classmethod
    def since(cls, began_s: float) -> Moment:
        return cls(time.monotonic() - began_s, time.process_time())


Start = dict[str, Moment]
"""What was seen first when."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--home", type=Path, help="a library that is there")
    parser.add_argument("--query", default="winter garden by the harbour")
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--imports", action="store_true", help="tell what takes long to import")
    parser.add_argument("--service", action="store_true", help="with the service in the background")
    parser.add_argument("--windows", action="store_true", help="tell when windows are on screen")
    parser.add_argument("--beside", nargs="+", metavar="COMMAND", help="another program's, too")
    parser.add_argument("--child", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        _be_the_program(options.query, options.child)
    with tempfile.TemporaryDirectory(prefix="winnow-start-") as place:
        home = options.home or _library(Path(place), options.notes)
        if options.imports:
            _tell_imports()
        if options.windows or options.beside:
            try:
                _tell_windows(home, options.beside, options.runs)
            except OSError as error:
                sys.exit(str(error))
            return
        print(Machine.this().line())
        with contextlib.ExitStack() as stack:
            if options.service:
                _begin_service(home, stack)
            for kind, starts in _starts(home, options.query, options.runs).items():
                _tell(kind, starts)


def _begin_service(home: Path, stack: contextlib.ExitStack) -> None:
    """Run the service until the stack is left, its model loaded."""
    from core.daemon_client.client import ServiceAnswerer
    from core.requests import Search

    # The path of a socket has to be short.
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="wn-"))
    stack.enter_context(_program.service(home, folder))
    if ServiceAnswerer(home).answer_if_running(Search("warm")) is None:
        sys.exit("The service does not answer.")


def _library(place: Path, notes: int) -> Path:
    from core.library.library import Library

    write_notes(place / "notes", notes)
    with Library.open(place / "home") as library:
        library.add_folder(place / "notes")
        library.sync()
    return place / "home"


def _starts(home: Path, query: str, runs: int) -> dict[str, list[Start]]:
    """What was measured at each cold and at each warm start."""
    # What is made once for all, the model's converted form among it, is there before.
    _start(home, query)
    measured: dict[str, list[Start]] = {"cold": [], "warm": []}
    for _ in range(runs):
        _forget(home)
        for starts in measured.values():
            starts.append(_start(home, query))
    return measured


def _start(home: Path, query: str) -> Start:
    began_s = time.monotonic()
    command = [sys.executable, __file__, "--query", query, "--child", str(began_s)]
    ended = subprocess.run(
        command,
        env=_program.environment(home),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=_PATIENCE_S,
    )
    return {name: Moment(*moment) for name, moment in json.loads(ended.stdout).items()}


def _be_the_program(query: str, began_s: float) -> None:
    """Run Winnow in this process as it always is, note what it shows when, and leave it."""
    from PySide6.QtCore import QTimer

    seen: Start = {}

    def note(name: str) -> None:
        # Once what was said is painted, which the window does when it has nothing more urgent.
        QTimer.singleShot(0, lambda: seen.setdefault(name, Moment.since(began_s)))

    is_warm: list[bool] = []

    def watch(window: MainWindow) -> None:
        def take_engine() -> None:
            is_warm.append(True)
            note("engine")
            QTimer.singleShot(0, partial(close_if_seen, window))

        window.session.warmed.connect(take_engine)

    def close_if_seen(window: MainWindow) -> None:
        # Without the service meaning comes after the engine, with it before.
        if is_warm and "meaning" in seen:
            QTimer.singleShot(100, window.close)

    def look_on(window: MainWindow) -> None:
        def look(answer: Answer) -> None:
            window.main_view.results.viewport().repaint()
            note("meaning" if answer.results.tokens else "words")
            QTimer.singleShot(0, partial(close_if_seen, window))

        window.searcher.answered.connect(look)

    status = _program.run(["--query", query], watch, partial(note, "window"), look_on)
    print(json.dumps(seen))
    sys.exit(status)


def _tell_windows(home: Path, other: list[str] | None, runs: int) -> None:
    programs = {"Winnow": [sys.executable, "-m", "app"], "barest": [sys.executable, "-c", _BAREST]}
    if other:
        programs[Path(other[0]).name] = other
    measured: dict[str, list[float]] = {name: [] for name in programs}
    for run in range(runs + 1):
        for name, command in programs.items():
            after_s = seconds_to_window(command, _program.environment(home))
            if run:  # The first time warms what all others read.
                measured[name].append(after_s)
    for name, seconds in measured.items():
        print(
            f"{name:<8} on screen after: median {statistics.median(seconds):.3f} s, "
            f"{min(seconds):.3f} to {max(seconds):.3f}"
        )


def _forget(home: Path) -> None:
    """Have the system drop from its memory what a start reads of files."""
    os.sync()
    for path in _read_at_start(home):
        try:
            handle = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        try:
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(handle)


def _read_at_start(home: Path) -> Iterator[Path]:
    standard, installed = sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")
    for folder in {
        home,
        paths.cache(),
        _program.ROOT / "app",
        _program.ROOT / "core",
        paths.RESOURCES,
    }:
        yield from (path for path in folder.rglob("*") if path.is_file())
    for folder in {Path(standard), Path(installed)}:
        yield from (path for path in folder.rglob("*") if path.suffix in {".py", ".pyc", ".so"})
    yield from Path(installed).rglob("*.so.*")


def _tell_imports() -> None:
    """Print what the window imports before it shows, the dearest first."""
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import app.program"],
        cwd=_program.ROOT,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    ).stderr
    rows = [line.removeprefix("import time:").split("|") for line in told.splitlines()[1:]]
    for itself, whole, name in sorted(rows, key=lambda row: -int(row[0]))[:25]:
        print(f"{int(itself) / 1000:8.1f} ms alone {int(whole) / 1000:8.1f} ms in all {name}")


def _tell(kind: str, starts: list[Start]) -> None:
    for name, target_s in TARGETS_S.items():
        # A search by meaning may be ready before one by words is asked for.
        seen = [start.get(name, start["meaning"]) for start in starts]
        after_s = [moment.after_s for moment in seen]
        worked_s = statistics.median(moment.worked_s for moment in seen)
        print(
            f"{kind} {name:<8} median {statistics.median(after_s):5.2f} s, longest "
            f"{max(after_s):5.2f} s, target {target_s} s; worked {worked_s:5.2f} s"
        )


if __name__ == "__main__":
    main()
