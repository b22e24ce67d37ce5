"""Measure how soon after its start Winnow shows its window and results by words and by meaning.

Starts the real program several times with a query as its argument, on a library of notes or an
existing one. Times are seconds from before the process starts until the window, the first results
by words, and the first results by meaning have been painted. Before the first start of a pair, the
files that it reads are dropped from the page cache ("cold"), unless another program maps them; the
second start finds them cached ("warm"). The program's own processor time on all its threads is
reported too, because it excludes other programs' work. Without a screen Qt draws to memory:
`xvfb-run python3 dev.py bench start` provides a real one.

With `--service` the library's service runs in the background with its model loaded, and sends the
first results; "engine" is then the time when the window's own model is loaded.

`--windows` asks the X server every five milliseconds instead, until a window is on the screen:
Winnow's, that of a minimal PySide6 program, and with `--beside` another program's, in turns, all
warm.

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

from core.files import paths

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.search.rows import Answer

TARGETS_S = {"window": 0.8, "words": 1.0, "meaning": 3.0, "engine": 3.0}
_TIMEOUT_S = 120
_MINIMAL_PROGRAM = """
from PySide6.QtWidgets import QApplication, QWidget
application = QApplication([])
window = QWidget()
window.resize(900, 600)
window.show()
application.exec()
"""


class Moment(NamedTuple):
    """When something was seen: seconds since the start, and the program's processor time."""

    after_s: float
    worked_s: float

    @classmethod
    def since(cls, began_s: float) -> Moment:
        return cls(time.monotonic() - began_s, time.process_time())


# Name of an event -> when it was first seen.
Start = dict[str, Moment]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--home", type=Path, help="an existing library")
    parser.add_argument("--query", default="winter garden by the harbour")
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--imports", action="store_true", help="print the slowest imports")
    parser.add_argument("--service", action="store_true", help="run the service in the background")
    parser.add_argument("--windows", action="store_true", help="measure when windows are on screen")
    parser.add_argument("--beside", nargs="+", metavar="COMMAND", help="another program to measure")
    parser.add_argument("--child", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        _run_program(options.query, options.child)
    with tempfile.TemporaryDirectory(prefix="winnow-start-") as place:
        home = options.home or _library(Path(place), options.notes)
        if options.imports:
            _print_imports()
        if options.windows or options.beside:
            try:
                _print_windows(home, options.beside, options.runs)
            except OSError as error:
                sys.exit(str(error))
            return
        print(Machine.this().line())
        with contextlib.ExitStack() as stack:
            if options.service:
                _start_service(home, stack)
            for kind, starts in _starts(home, options.query, options.runs).items():
                _print_starts(kind, starts)


def _start_service(home: Path, stack: contextlib.ExitStack) -> None:
    """Run the service until the stack closes, with its model loaded."""
    from core.daemon_client.client import ServiceAnswerer
    from core.requests import Search

    # Socket paths must be short.
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="wn-"))
    stack.enter_context(_program.service(home, folder))
    if ServiceAnswerer(home).answer_if_running(Search("warm")) is None:
        sys.exit("The service does not respond.")


def _library(folder: Path, notes: int) -> Path:
    from core.library.library import Library

    write_notes(folder / "notes", notes)
    with Library.open(folder / "home") as library:
        library.add_folder(folder / "notes")
        library.sync()
    return folder / "home"


def _starts(home: Path, query: str, runs: int) -> dict[str, list[Start]]:
    """Return the measurements of each cold and each warm start."""
    # Create files that are written only once, including the converted model.
    _start(home, query)
    measured: dict[str, list[Start]] = {"cold": [], "warm": []}
    for _ in range(runs):
        _drop_cached_files(home)
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
        timeout=_TIMEOUT_S,
    )
    return {name: Moment(*moment) for name, moment in json.loads(ended.stdout).items()}


def _run_program(query: str, began_s: float) -> None:
    """Run Winnow in this process as a user does, record when each part appears, and exit."""
    from PySide6.QtCore import QTimer

    seen: Start = {}

    def note(name: str) -> None:
        # After painting, which the window does when nothing is more urgent.
        QTimer.singleShot(0, lambda: seen.setdefault(name, Moment.since(began_s)))

    is_warm: list[bool] = []

    def watch(window: MainWindow) -> None:
        def take_engine() -> None:
            is_warm.append(True)
            note("engine")
            QTimer.singleShot(0, partial(close_if_seen, window))

        window.session.warmed.connect(take_engine)

    def close_if_seen(window: MainWindow) -> None:
        # Meaning is ready after the engine without the service, and before it with the service.
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


def _print_windows(home: Path, other: list[str] | None, runs: int) -> None:
    programs = {
        "Winnow": [sys.executable, "-m", "app"],
        "barest": [sys.executable, "-c", _MINIMAL_PROGRAM],
    }
    if other:
        programs[Path(other[0]).name] = other
    measured: dict[str, list[float]] = {name: [] for name in programs}
    for run in range(runs + 1):
        for name, command in programs.items():
            after_s = seconds_to_window(command, _program.environment(home))
            if run:  # The first run fills the cache for the others.
                measured[name].append(after_s)
    for name, seconds in measured.items():
        print(
            f"{name:<8} on screen after: median {statistics.median(seconds):.3f} s, "
            f"{min(seconds):.3f} to {max(seconds):.3f}"
        )


def _drop_cached_files(home: Path) -> None:
    """Drop the files that a start reads from the page cache."""
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


def _print_imports() -> None:
    """Print the imports before the window is shown, slowest first."""
    timings = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import app.program"],
        cwd=_program.ROOT,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    ).stderr
    rows = [line.removeprefix("import time:").split("|") for line in timings.splitlines()[1:]]
    for itself, whole, name in sorted(rows, key=lambda row: -int(row[0]))[:25]:
        print(f"{int(itself) / 1000:8.1f} ms alone {int(whole) / 1000:8.1f} ms in all {name}")


def _print_starts(kind: str, starts: list[Start]) -> None:
    for name, target_s in TARGETS_S.items():
        # Results by meaning may be ready before results by words are requested.
        seen = [start.get(name, start["meaning"]) for start in starts]
        after_s = [moment.after_s for moment in seen]
        worked_s = statistics.median(moment.worked_s for moment in seen)
        print(
            f"{kind} {name:<8} median {statistics.median(after_s):5.2f} s, longest "
            f"{max(after_s):5.2f} s, target {target_s} s; worked {worked_s:5.2f} s"
        )


if __name__ == "__main__":
    main()
