"""Check that cluster indexing loses and repeats nothing when its processes are killed.

Runs `winnow index FOLDER --ray local` on generated notes in small batches, repeatedly, and at
random moments kills the program itself, a process that encodes or reads, or their Ray node. After
each killed run the library is checked: everything published before must still be there, once. A
finished library is compared with one made without Ray and without kills, by its catalog and by the
scores of some queries; then the next library is started. Encoders log each batch, which shows how
many batches were encoded in vain.

    python3 dev.py bench kills [--kills 50] [--minutes 60] [--notes 120] [--batch 4] [--json FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from _notes import write_notes

from core.cluster import encoders, loopback, worker
from core.cluster.worker import EncoderTask
from core.index.index_writer import CompressedBatch
from core.indexing import rebuild
from core.indexing.read.executor import TextBatch
from core.library.library import Library
from core.responses import Mode

ROOT = Path(__file__).resolve().parents[1]
QUERIES = ("crow in winter", "owl by the river", "note 7", "paper and silver", "doctor")
TOLERANCE = 1e-3
_RUN_TIMEOUT_S = 900.0
# Longest time for the processes of killed programs to end.
_EXIT_TIMEOUT_S = 120.0
_POLL_S = 0.05
# The share of kills before anything is encoded.
_EARLY = 0.2
_WORKERS = "ray::EncoderWorker", "ray::read_share", "ray::read_container"
_LOG_NAME = "encoded.log"
Row = tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=60.0, help="stop killing after this time")
    parser.add_argument("--notes", type=int, default=120)
    parser.add_argument("--batch", type=int, default=4, help="passages per batch")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--index", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.index:
        sys.exit(_index(options.index, options.batch))
    if loopback.needs_namespace():
        loopback.enter()
    # A short path: Ray creates sockets in it, whose paths are limited in length.
    folder = Path(tempfile.mkdtemp(prefix="w-"))
    try:
        report = _measure(folder, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(report, indent=1))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    if report["problems"]:
        sys.exit("Something was lost or duplicated, or differs.")


# The program to kill


class EncoderWorker(worker.EncoderWorker):
    """Logs each batch that it starts to a file in the library's folder."""

    def encode(self, batch: TextBatch, task: EncoderTask) -> tuple[CompressedBatch, ...]:
        line = " ".join(map(str, batch.passage_ids)) + "\n"
        note = os.open(os.environ["WINNOW_BENCH_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(note, line.encode())
        os.close(note)
        return super().encode(batch, task)


def _index(folder: Path, batch: int) -> int:
    """Run `winnow index FOLDER --ray local` with small batches and one encoder per processor."""
    from core.cli import main as winnow

    rebuild.PASSAGES_PER_SEGMENT = batch  # type: ignore[misc] # only here
    encoders.CPUS_PER_ENCODER = 1  # type: ignore[misc] # likewise
    setattr(encoders, "EncoderWorker", EncoderWorker)  # noqa: B010 - likewise
    return winnow(["index", str(folder), "--ray", "local", "--json"])


# Killing it


@dataclass(slots=True)
class _Tally:
    """The kills and their consequences.

    Attributes:
        kills: the number of kills by kind of process.
        vain: by kind of process, the number of batches that each run started but did not publish.
        orphans: the processes of killed programs.
        published: the number of published passages after each run with a kill.
    """

    kills: Counter[str] = field(default_factory=Counter)
    vain: dict[str, list[int]] = field(default_factory=dict)
    orphans: list[psutil.Process] = field(default_factory=list)
    published: list[int] = field(default_factory=list)
    runs: int = 0
    libraries: int = 0
    sentences: Counter[str] = field(default_factory=Counter)
    largest_difference: float = 0.0
    problems: list[str] = field(default_factory=list)


def _measure(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    notes = folder / "notes"
    write_notes(notes, options.notes, words=15)
    (notes / "broken.docx").write_text("no Word document")
    with zipfile.ZipFile(notes / "more.zip", "w") as archive:
        for number in range(options.notes // 10):
            archive.writestr(f"{number}.txt", f"The owl of letter {number} hunts at night.")
    here = folder / "here"
    with Library.open(here) as library:
        library.add_folder(notes)
        library.sync()
    expected = _catalog(here)
    moments = _Moments(
        *_undisturbed(folder / "quiet", notes, options),
        random.Random(options.seed),
        options.kills,
        time.monotonic() + options.minutes * 60,
    )
    tally = _Tally()
    tally.largest_difference = _compared(folder / "quiet", here, expected, tally.problems)
    while moments.are_left(tally) and not tally.problems:
        tally.libraries += 1
        home = folder / f"home {tally.libraries}"
        _index_with_kills(home, notes, moments, tally, options)
        difference = _compared(home, here, expected, tally.problems)
        tally.largest_difference = max(tally.largest_difference, difference)
        shutil.rmtree(home)
    until_s = time.monotonic() + _EXIT_TIMEOUT_S
    while (alive := _alive(tally.orphans)) and time.monotonic() < until_s:
        time.sleep(_POLL_S)
    if alive:
        tally.problems.append(f"{', '.join(alive)} outlived a program")
    return {
        "load": os.getloadavg()[0],
        "passages": sum(row[-1] == "published" for row in expected),
        "undisturbed_s": round(moments.whole_s, 1),
        "kills": dict(tally.kills),
        "runs": tally.runs,
        "libraries": tally.libraries,
        "published": tally.published,
        "batches_in_vain": {
            kind: dict(sorted(Counter(counts).items())) for kind, counts in tally.vain.items()
        },
        "sentences": dict(tally.sentences),
        "folders_left": len(list(folder.glob("winnow-ray-*"))),
        "largest_difference": tally.largest_difference,
        "problems": tally.problems,
    }


def _undisturbed(home: Path, notes: Path, options: argparse.Namespace) -> tuple[float, float, int]:
    """Index once; return the seconds to the first batch and to the end, and the batches."""
    began_s = time.monotonic()
    with _started(home, notes, options) as process:
        while process.poll() is None and not _started_batches(home):
            time.sleep(_POLL_S)
        first_s = time.monotonic() - began_s
        _, errors = process.communicate(timeout=_RUN_TIMEOUT_S)
    assert process.returncode == 0, errors
    return first_s, time.monotonic() - began_s, len(_started_batches(home))


@dataclass(frozen=True, slots=True)
class _Moments:
    """The moments to kill: during start and reading, or after a number of batches has started.

    Attributes:
        first_s: seconds to the first batch without kills.
        whole_s: seconds to the end without kills.
        batches: the total number.
        chance: the random number generator.
        kills: the largest number of kills.
        until_s: the end, by the monotonic clock.
    """

    first_s: float
    whole_s: float
    batches: int
    chance: random.Random
    kills: int
    until_s: float

    def are_left(self, tally: _Tally) -> bool:
        """Return whether another kill is due."""
        return sum(tally.kills.values()) < self.kills and time.monotonic() < self.until_s

    def await_one(self, process: subprocess.Popen[str], home: Path) -> bool:
        """Wait for a random moment; return whether the program is still running then."""
        if self.chance.random() < _EARLY:
            return _is_running(process, self.chance.uniform(0.0, self.first_s))
        more = self.chance.randint(1, max(self.batches // 6, 1))
        wanted = len(_started_batches(home)) + more
        while process.poll() is None and len(_started_batches(home)) < wanted:
            time.sleep(_POLL_S)
        a_batch_s = (self.whole_s - self.first_s) / self.batches
        return _is_running(process, self.chance.uniform(0.0, 2 * a_batch_s))


def _is_running(process: subprocess.Popen[str], wait_s: float) -> bool:
    """Return whether a program is still running after some time."""
    try:
        process.wait(wait_s)
    except subprocess.TimeoutExpired:
        return True
    return False


def _started_batches(home: Path) -> list[str]:
    """Return the passage numbers of each batch that the last run has started."""
    log = home / _LOG_NAME
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def _started(home: Path, notes: Path, options: argparse.Namespace) -> subprocess.Popen[str]:
    home.mkdir(exist_ok=True)
    command = [sys.executable, str(Path(__file__)), "--index", str(notes)]
    return subprocess.Popen(
        [*command, "--batch", str(options.batch)],
        env=os.environ
        | {
            "WINNOW_HOME": str(home),
            "WINNOW_BENCH_LOG": str(home / _LOG_NAME),
            "TMPDIR": str(home.parent),
            # Otherwise Ray's processes have the lowest priority and starve on a busy machine.
            "RAY_worker_niceness": "0",
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'benchmarks'}",
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def _index_with_kills(
    home: Path,
    notes: Path,
    moments: _Moments,
    tally: _Tally,
    options: argparse.Namespace,
) -> None:
    """Index a library, with kills until it is complete; check the state after each run."""
    before: set[Row] = set()
    while True:
        tally.runs += 1
        (home / _LOG_NAME).unlink(missing_ok=True)
        killed = []
        with _started(home, notes, options) as process:
            while moments.are_left(tally) and moments.await_one(process, home):
                there = _descendants(process)
                kind = _kill(moments.chance, process, there)
                killed.append(kind)
                tally.kills[kind] += 1
                if kind == "program":
                    break
            _, errors = process.communicate(timeout=_RUN_TIMEOUT_S)
        assert killed or not process.returncode, errors
        if killed[-1:] == ["program"]:
            tally.orphans += there
        elif process.returncode:
            messages = (line for line in errors.splitlines() if line.startswith("winnow: "))
            tally.sentences[next(messages, errors[-200:])] += 1
        left = _catalog(home)
        published = {row for row in left if row[-1] == "published"}
        if lost := before - published:
            tally.problems.append(f"{len(lost)} published passages are lost")
        if twice := [row for row, count in Counter(row[:-1] for row in left).items() if count > 1]:
            tally.problems.append(f"{len(twice)} passages are there twice")
        if killed:
            print(f"killed {', '.join(killed)}: {len(published)} published", flush=True)
            tally.published.append(len(published))
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(killed).items()))
            tally.vain.setdefault(kinds, []).append(_wasted_batches(home))
        before = published
        if not process.returncode:
            return


def _alive(processes: Sequence[psutil.Process]) -> list[str]:
    """Return the names of the processes that still run; zombies without a parent do not count."""
    names = []
    for each in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            if each.status() != psutil.STATUS_ZOMBIE:
                names.append(each.name())
    return names


def _descendants(process: subprocess.Popen[str]) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    with contextlib.suppress(psutil.NoSuchProcess):
        found = psutil.Process(process.pid).children(recursive=True)
    return found


def _kill(
    chance: random.Random, process: subprocess.Popen[str], there: Sequence[psutil.Process]
) -> str:
    """Kill one of the processes; return its kind."""
    named: dict[str, list[psutil.Process]] = {"worker": [], "Ray": []}
    for each in there:
        try:
            command = " ".join(each.cmdline())
        except psutil.Error:
            continue
        if command.startswith(_WORKERS):
            named["worker"].append(each)
        elif "/raylet/raylet " in command:
            named["Ray"].append(each)
    kind = chance.choices(("program", "worker", "Ray"), (6, 12, 2))[0]
    if chosen := named.get(kind):
        chance.choice(chosen).send_signal(signal.SIGKILL)
        return kind
    process.send_signal(signal.SIGKILL)
    return "program"


# Checking the library


def _catalog(home: Path) -> list[Row]:
    """Return the documents and passages of a library, each with its publication state.

    Raises:
        AssertionError: the catalog is corrupt.
    """
    file = home / "catalog.sqlite"
    if not file.exists():
        return []
    db = sqlite3.connect(file)
    try:
        (sound,) = db.execute("PRAGMA integrity_check").fetchone()
        assert sound == "ok", sound
        (tables,) = db.execute(
            "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('documents', 'passages')"
        ).fetchone()
        if tables < 2:
            return []
        rows = db.execute(
            "SELECT path, state, reason, page, start, end, text,"
            " CASE WHEN segment_id IS NULL THEN 'waiting' ELSE 'published' END"
            " FROM documents JOIN passages ON document_id = documents.id"
            " UNION ALL SELECT path, state, reason, 0, 0, 0, '', '' FROM documents"
        )
        return [tuple(map(str, row)) for row in rows]
    finally:
        db.close()


def _wasted_batches(home: Path) -> int:
    """Return how many batches the last run started that were not published."""
    started = _started_batches(home)
    if not started:
        return 0
    db = sqlite3.connect(home / "catalog.sqlite")
    rows = db.execute("SELECT id FROM passages WHERE segment_id IS NOT NULL")
    published = {str(number) for (number,) in rows}
    db.close()
    return len(started) - sum(published.issuperset(line.split()) for line in set(started))


def _compared(home: Path, here: Path, expected: Sequence[Row], problems: list[str]) -> float:
    """Compare a complete library with the undisturbed one; return the largest score difference."""
    if sorted(_catalog(home)) != sorted(expected):
        problems.append("the catalog differs")
    largest = 0.0
    with Library.open(home) as one, Library.open(here) as other:
        problems += [str(problem) for problem in one.check().problems]
        if one.status().tokens != other.status().tokens:
            problems.append("tokens differ")
        for query in QUERIES:
            for mode in Mode:
                found, right = _scores(one, query, mode), _scores(other, query, mode)
                if found.keys() != right.keys():
                    problems.append(f"{query} ({mode.value}) finds other documents")
                    continue
                differences = [abs(found[path] - score) for path, score in right.items()]
                largest = max(largest, *differences)
    if largest > TOLERANCE:
        problems.append("scores differ")
    return largest


def _scores(library: Library, query: str, mode: Mode) -> Mapping[str, float]:
    hits = library.search(query, mode=mode, limit=1000, is_refined=False).hits
    return {str(hit.path): hit.score for hit in hits}


if __name__ == "__main__":
    main()
