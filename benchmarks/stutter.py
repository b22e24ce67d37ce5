"""Measure how long the window's thread is blocked while a person searches and files are indexed.

Opens the real program on a library of 100,000 passages (created first, which takes a while;
`--home` keeps it for later runs) and adds a folder of more notes, so that indexing continues
throughout. Then it simulates a person: types, moves through the results and the reader, changes
filters and window sizes. It reports how long the window makes a person wait, sampled a hundred
times a second, and the processor time of its thread from one wake-up to the next poll for events:
no event takes longer, and other programs' work does not count. It also reports how long after a key
the list first changes, for keys that are not followed by another one before; `--more 0` indexes
nothing meanwhile.

    python3 dev.py bench stutter [--home HOME] [--notes N] [--more N] [--rounds N]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import _program
from _notes import WORDS, write_notes

if TYPE_CHECKING:
    from app.main_window import MainWindow

_LONG_S = 0.05
_KEY_MS = 60
_LOOK_MS = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--home", type=Path, help="folder of the library, created if missing")
    parser.add_argument("--notes", type=int, default=100_000)
    parser.add_argument("--more", type=int, default=20_000, help="notes to index meanwhile")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        sys.exit(_run_program(options.child, options.rounds))
    with tempfile.TemporaryDirectory(prefix="winnow-stutter-") as place:
        prepared = options.home or Path(place) / "kept"
        if not prepared.exists():
            _make(prepared, options.notes)
        home, more = Path(place) / "home", Path(place) / "more"
        shutil.copytree(prepared / "home", home)
        more.mkdir()
        write_notes(more, options.more, words=12)
        command = [sys.executable, __file__, "--child", str(more), "--rounds", str(options.rounds)]
        subprocess.run(command, env=_program.environment(home), check=True)


def _make(prepared: Path, notes: int) -> None:
    from core.library.library import Library

    write_notes(prepared / "notes", notes, words=12)
    with Library.open(prepared / "home") as library:
        library.add_folder(prepared / "notes")
        library.sync()


def _run_program(more: Path, rounds: int) -> int:
    from PySide6.QtCore import QTimer

    sys.path.insert(0, str(_program.ROOT))
    from tests.app.watchdog import Watchdog

    dog = Watchdog(_LONG_S)
    changes = _Changes()

    def watch(window: MainWindow) -> None:
        window.main_view.results.model().modelReset.connect(changes.end)
        steps = _person(window, rounds, changes)
        timer = QTimer(window)

        def step() -> None:
            if next(steps, None) is None:
                timer.stop()
                dog.__exit__(None, None, None)
                changes.print()
                _print_times(dog, is_indexing=window.progress.is_running)
                # Later work is not measured.
                os._exit(0)

        def begin() -> None:
            dog.__enter__()
            timer.start(_LOOK_MS)

        timer.timeout.connect(step)
        window.session.warmed.connect(lambda: QTimer.singleShot(2000, begin))

    return _program.run(["--folder", str(more)], watch)


class _Changes:
    """Measures the time from a key to the first change of the list."""

    def __init__(self) -> None:
        self._key_s: float | None = None
        self._times_s: list[float] = []

    def begin(self) -> None:
        self._key_s = time.perf_counter()

    def end(self) -> None:
        if self._key_s is not None:
            self._times_s.append(time.perf_counter() - self._key_s)
            self._key_s = None

    def print(self) -> None:
        times = sorted(self._times_s)
        at = {share: 1000 * times[int(share * (len(times) - 1))] for share in (0.5, 0.95, 1.0)}
        print(
            f"key to first change: median {at[0.5]:.0f} ms, p95 {at[0.95]:.0f} ms, "
            f"longest {at[1.0]:.0f} ms, {len(times)} keys"
        )


def _person(window: MainWindow, rounds: int, changes: _Changes) -> Iterator[str]:
    """Do one action per step, at the speed of a slow person."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QLineEdit

    line = window.findChild(QLineEdit, "searchBox")
    assert isinstance(line, QLineEdit)
    results = window.main_view.results
    for number in range(rounds):
        line.clear()
        words = (WORDS[(5 * number + place) % len(WORDS)] for place in range(3))
        for letter in " ".join(words):
            changes.begin()
            QTest.keyClicks(line, letter)
            yield from ("key",) * (_KEY_MS // _LOOK_MS + 1)
        while window.searcher.is_waiting:
            yield "answer"
        for key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_End, Qt.Key.Key_Home):
            for _ in range(4):
                QTest.keyClick(results, key)
                yield "move"
        yield from ("read",) * 10
        for _ in range(6):
            window.resize(window.width() - 10, window.height() - 6)
            yield "size"
        window.resize(window.width() + 60, window.height() + 36)
        window.tools.filters_button.click()
        yield from ("filters",) * 5
        window.tools.filters_button.click()
        yield from ("filters",) * 5


def _print_times(dog: object, *, is_indexing: bool) -> None:
    from tests.app.watchdog import Watchdog

    assert isinstance(dog, Watchdog)
    for name, times in (("waited", sorted(dog.waited_s)), ("worked", sorted(dog.worked_s))):
        at = {share: times[int(share * (len(times) - 1))] for share in (0.5, 0.99, 0.999, 1.0)}
        over = sum(seconds > _LONG_S for seconds in times)
        print(
            f"{name}: median {1000 * at[0.5]:.1f} ms, p99 {1000 * at[0.99]:.1f} ms, "
            f"p99.9 {1000 * at[0.999]:.1f} ms, longest {1000 * at[1.0]:.1f} ms; "
            f"{over} of {len(times)} over {1000 * _LONG_S:.0f} ms"
        )
    print("Indexing continued throughout." if is_indexing else "Indexing had ended by then.")
    for place, count in dog.places.most_common(20):
        print(f"  {count} times a long while at {place}")


if __name__ == "__main__":
    main()
