"""How soon a search at a terminal ends with the service in the background, and without it.

Starts a service of the library that WINNOW_HOME names, with a socket of its own, and asks each
question as a person does, by `winnow search`, its output to nowhere: in turns with and without the
service, so that whatever else the machine does falls on both. Then tells the service's memory, and
how often it wakes up and how long it works while nobody asks; with `--changing` while a file is
written each ten seconds in FOLDER, which is one of the library's: twenty notes in turns, each time
with other words, and removed at the end. `--brief` asks the first question only, as usual.

    WINNOW_HOME=HOME python3 dev.py bench service FILE [--idle 60] [--changing FOLDER] [--brief]

FILE has a question a line.
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

from core import paths
from core.daemon_client import client
from core.daemon_client.protocol import STATUS

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
        service(paths.home(), folder) as number,
    ):
        print(f"memory, begun: {memory_mb(number):.0f} MB")
        searched(questions[0], (), has_service=True)
        if not options.brief:
            time_searches(questions)
        print(f"memory, after these questions: {memory_mb(number):.0f} MB", flush=True)
        began_s = client.send_request(paths.home(), STATUS)["since"]
        if options.changing is None:
            cost = watched(number, options.idle)
        else:
            with Changing(options.changing) as changing:
                cost = watched(number, options.idle, changing.change)
            print(f"{changing.changes} files changed, one each {CHANGED_EACH_S} seconds")
        print(f"nothing asked, {cost.line()}")
        has_begun_anew = client.send_request(paths.home(), STATUS)["since"] > began_s
        print(
            f"memory at the end {memory_mb(number):.0f} MB; "
            f"{'it has' if has_begun_anew else 'it has not'} begun anew"
        )


def time_searches(questions: list[str]) -> None:
    print(f"{len(questions)} questions; milliseconds: median, 95th of a hundred")
    for name, arguments in WAYS.items():
        taken: dict[bool, list[float]] = {True: [], False: []}
        for question in questions:
            for has_service, values in taken.items():
                values.append(searched(question, arguments, has_service=has_service))
        print(f"  {name:<22} with {shown(taken[True])}   without {shown(taken[False])}", flush=True)


class Changing:
    """Notes in a folder, one of which is written anew now and then; removed at the end."""

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
    # Whoever wants to see errors is not answered by the service.
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


def memory_mb(number: int) -> float:
    text = Path(f"/proc/{number}/status").read_text(encoding="ascii")
    return int(text.partition("VmRSS:")[2].split()[0]) / 1000


if __name__ == "__main__":
    main()
