"""How soon a search at a terminal ends with the service in the background, and without it.

Starts a service of the library that WINNOW_HOME names, with a socket of its own, and asks each
question as a person does, by `winnow search`, its output to nowhere: in turns with and without the
service, so that whatever else the machine does falls on both. Then tells the service's memory, and
how often it wakes up and how long it works while nobody asks.

    WINNOW_HOME=FOLDER python3 dev.py bench service FILE [--idle 60]

FILE has a question a line.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core import paths
from core.service import client

ROOT = Path(__file__).resolve().parents[1]
WAYS = {
    "as usual": (),
    "as usual, once more": (),
    "in the index's order": ("--fast",),
    "by words": ("--mode", "words"),
}
STARTED_WITHIN_S = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("--idle", type=float, default=60.0)
    options = parser.parse_args()
    questions = options.questions.read_text(encoding="utf-8").split("\n")
    questions = [question.strip() for question in questions if question.strip()]
    with tempfile.TemporaryDirectory(prefix="wn-") as folder, service(folder) as number:
        told = memory_mb(number)
        searched("warm", (), has_service=True)
        print(f"{len(questions)} questions; milliseconds: median, 95th of a hundred")
        for name, arguments in WAYS.items():
            taken: dict[bool, list[float]] = {True: [], False: []}
            for question in questions:
                for has_service, values in taken.items():
                    values.append(searched(question, arguments, has_service=has_service))
            print(f"  {name:<22} with {shown(taken[True])}   without {shown(taken[False])}")
        before = wakings(number), worked_s(number)
        time.sleep(options.idle)
        woken, worked = wakings(number) - before[0], worked_s(number) - before[1]
        a_minute = 60 / options.idle
        print(
            f"memory: begun {told:.0f} MB, after these questions {memory_mb(number):.0f} MB\n"
            f"nothing asked: {woken * a_minute:.0f} wakings and "
            f"{1000 * worked * a_minute:.0f} ms of processor a minute"
        )


@contextmanager
def service(folder: str) -> Iterator[int]:
    """Run a service whose socket lies in `folder`; gives its process's number."""
    os.environ["XDG_RUNTIME_DIR"] = folder
    with subprocess.Popen(command("service", "run"), cwd=ROOT) as process:
        ends_s = time.monotonic() + STARTED_WITHIN_S
        while not (told := client.ask(paths.home(), "status")) or not told["is_in_step"]:
            if time.monotonic() > ends_s or process.poll() is not None:
                raise SystemExit("The service does not start, or is not in step.")
            time.sleep(0.1)
        yield process.pid
        process.terminate()


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


def worked_s(number: int) -> float:
    fields = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    ticks: int = os.sysconf("SC_CLK_TCK")
    return (int(fields[11]) + int(fields[12])) / ticks


def wakings(number: int) -> int:
    """Return how often any of the process's threads has gone to sleep."""
    texts = [
        place.read_text(encoding="ascii") for place in Path(f"/proc/{number}/task").glob("*/status")
    ]
    return sum(int(text.partition("voluntary_ctxt_switches:")[2].split()[0]) for text in texts)


if __name__ == "__main__":
    main()
