"""Measure the time of a search in a terminal with and without the background service.

Starts a service of the library that WINNOW_HOME names, with a separate socket, and runs `winnow
search` for each question, discarding its output, alternately with and without the service, so that
other load affects both equally. Then it reports the service's memory, wake-ups and processor time
while idle; with `--changing`, a file is written every ten seconds to FOLDER, which must belong to
the library: twenty notes in turns, each time with different words, removed at the end. `--brief`
runs only the first question, with default options.

    WINNOW_HOME=HOME python3 dev.py bench service FILE [--idle 60] [--changing FOLDER] [--brief]

FILE has one question per line.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _machine import Machine
from _notes import WORDS
from _process import watched
from _program import service

from core.daemon_client import client
from core.daemon_client.protocol import STATUS
from core.files import paths

ROOT = Path(__file__).resolve().parents[1]
WAYS = {
    "as usual": (),
    "as usual, once more": (),
    "in the index's order": ("--fast",),
    "by words": ("--mode", "words"),
}
CHANGED_EACH_S = 10
NOTES = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("--idle", type=float, default=60.0, metavar="SECONDS")
    parser.add_argument("--changing", type=Path, metavar="FOLDER")
    parser.add_argument("--brief", action="store_true")
    options = parser.parse_args()
    questions = options.questions.read_text(encoding="utf-8").split("\n")
    questions = [question.strip() for question in questions if question.strip()]
    print(Machine.this().line(), flush=True)
    with (
        tempfile.TemporaryDirectory(prefix="wn-") as folder,
        service(paths.home(), folder) as pid,
    ):
        print(f"memory at the start: {memory_mb(pid):.0f} MB")
        searched(questions[0], (), has_service=True)
        if not options.brief:
            time_searches(questions)
        print(f"memory, after these questions: {memory_mb(pid):.0f} MB", flush=True)
        began_s = client.send_request(paths.home(), STATUS)["since"]
        if options.changing is None:
            cost = watched(pid, options.idle)
        else:
            with Changing(options.changing) as changing:
                cost = watched(pid, options.idle, changing.change)
            print(f"{changing.changes} files changed, one every {CHANGED_EACH_S} seconds")
        print(f"idle, {cost.line()}")
        has_restarted = client.send_request(paths.home(), STATUS)["since"] > began_s
        print(
            f"memory at the end {memory_mb(pid):.0f} MB; "
            f"the service {'restarted' if has_restarted else 'did not restart'}"
        )


def time_searches(questions: list[str]) -> None:
    print(f"{len(questions)} questions; milliseconds: median, 95th percentile")
    for name, arguments in WAYS.items():
        times_ms: dict[bool, list[float]] = {True: [], False: []}
        for question in questions:
            for has_service, values in times_ms.items():
                values.append(searched(question, arguments, has_service=has_service))
        print(
            f"  {name:<22} with {shown(times_ms[True])}   without {shown(times_ms[False])}",
            flush=True,
        )


class Changing:
    """Notes in a folder that are rewritten in turns, and removed at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "winnow bench"
        self._chance = random.Random(7)
        self.changes = 0

    def __enter__(self) -> Changing:
        self._folder.mkdir()
        return self

    def __exit__(self, *_: object) -> None:
        for path in self._folder.glob("note *.txt"):
            path.unlink()
        self._folder.rmdir()

    def change(self, passed_s: float) -> None:
        if passed_s >= CHANGED_EACH_S * self.changes:
            words = " ".join(self._chance.choices(WORDS, k=120))
            path = self._folder / f"note {self.changes % NOTES}.txt"
            path.write_text(f"Note {self.changes}. {words}.", encoding="utf-8")
            self.changes += 1


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "app", *arguments]


def searched(question: str, arguments: tuple[str, ...], *, has_service: bool) -> float:
    # With WINNOW_DEBUG the service is not used.
    environment = os.environ if has_service else os.environ | {"WINNOW_DEBUG": "1"}
    began_s = time.perf_counter()
    subprocess.run(
        command("search", *arguments, "--", question),
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return 1000 * (time.perf_counter() - began_s)


def shown(values: list[float]) -> str:
    values = sorted(values)
    return f"{statistics.median(values):6.0f} {values[int(0.95 * len(values))]:6.0f}"


def memory_mb(pid: int) -> float:
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(text.partition("VmRSS:")[2].split()[0]) / 1000


if __name__ == "__main__":
    main()
