"""Whether indexing by a cluster loses or repeats anything when what works for it is killed.

Runs `winnow index FOLDER --ray local` on generated notes in small batches, time and again, and at
random moments kills one of three: the program itself, a process that encodes or reads, or the Ray
node that these belong to. What a killed program leaves is looked into before it is started again:
what was published before is there, once. A library that is done is held against one that was made
here, undisturbed and without Ray, by its catalog and by the scores of some queries, and the next
one is begun. How often a batch was encoded in vain is told by what encoders note of each.

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
from core.indexing.executor import TextBatch
from core.library.library import Library
from core.responses import Mode

ROOT = Path(__file__).resolve().parents[1]
QUERIES = ("crow in winter", "owl by the river", "note 7", "paper and silver", "doctor")
TOLERANCE = 1e-3
_WAIT_S = 900.0
_GONE_S = 120.0
"""So long at most until the processes of programs that were killed have ended, too."""
_LOOK_S = 0.05
_EARLY = 0.2
"""The share of kills before anything is encoded."""
_WORKERS = "ray::EncoderWorker", "ray::read_share", "ray::read_container"
_LOG_NAME = "encoded.log"
Row = tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=60.0, help="no more kills after them")
    parser.add_argument("--notes", type=int, default=120)
    parser.add_argument("--batch", type=int, default=4, help="passages")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--index", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.index:
        sys.exit(_index(options.index, options.batch))
    if loopback.needs_namespace():
        loopback.enter()
    # Short: Ray has sockets below it, whose paths are bounded.
    folder = Path(tempfile.mkdtemp(prefix="w-"))
    try:
        told = _measure(folder, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(told, indent=1))
    if options.json:
        options.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
    if told["problems"]:
        sys.exit("Something was lost, done twice or differs.")


# The program that is killed


class EncoderWorker(worker.EncoderWorker):
    """Notes each batch that it begins, in a file beside the library."""

    def encode(self, batch: TextBatch, task: EncoderTask) -> tuple[CompressedBatch, ...]:
        line = " ".join(map(str, batch.numbers)) + "\n"
        note = os.open(os.environ["WINNOW_BENCH_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(note, line.encode())
        os.close(note)
        return super().encode(batch, task)


def _index(folder: Path, batch: int) -> int:
    """Be `winnow index FOLDER --ray local`, in small batches and with an encoder a processor."""
    from core.cli import main as winnow

    rebuild.PASSAGES_PER_SEGMENT = batch  # type: ignore[misc] # only here
    encoders.CPUS_PER_ENCODER = 1  # type: ignore[misc] # likewise
    setattr(encoders, "EncoderWorker", EncoderWorker)  # noqa: B010 - likewise
    return winnow(["index", str(folder), "--ray", "local", "--json"])


# Who kills it


@dataclass(slots=True)
class _Tally:
    """What was killed and what came of it.

    Attributes:
        kills: by what was killed.
        vain: by what was killed, how many batches were begun and not published by whom they were
            begun, each run of the program by itself.
        orphans: the processes that killed programs had.
        published: how many passages each run with a kill left published.
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
        _disturb(home, notes, moments, tally, options)
        difference = _compared(home, here, expected, tally.problems)
        tally.largest_difference = max(tally.largest_difference, difference)
        shutil.rmtree(home)
    until_s = time.monotonic() + _GONE_S
    while (alive := _alive(tally.orphans)) and time.monotonic() < until_s:
        time.sleep(_LOOK_S)
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
    """Index once; gives the seconds until the first batch and to the end, and the batches."""
    began_s = time.monotonic()
    with _started(home, notes, options) as process:
        while process.poll() is None and not _begun(home):
            time.sleep(_LOOK_S)
        first_s = time.monotonic() - began_s
        _, errors = process.communicate(timeout=_WAIT_S)
    assert process.returncode == 0, errors
    return first_s, time.monotonic() - began_s, len(_begun(home))


@dataclass(frozen=True, slots=True)
class _Moments:
    """When to kill: while all starts and is read, or when so many batches were begun.

    Attributes:
        first_s: until the first batch is begun, undisturbed.
        whole_s: until all is done.
        batches: of all.
        chance: what it is chosen by.
        kills: so many at most.
        until_s: by the clock that goes on steadily.
    """

    first_s: float
    whole_s: float
    batches: int
    chance: random.Random
    kills: int
    until_s: float

    def are_left(self, tally: _Tally) -> bool:
        """Return whether there is to be another kill."""
        return sum(tally.kills.values()) < self.kills and time.monotonic() < self.until_s

    def await_one(self, process: subprocess.Popen[str], home: Path) -> bool:
        """Wait for a moment at random; gives whether the program still runs then."""
        if self.chance.random() < _EARLY:
            return _is_running(process, self.chance.uniform(0.0, self.first_s))
        more = self.chance.randint(1, max(self.batches // 6, 1))
        wanted = len(_begun(home)) + more
        while process.poll() is None and len(_begun(home)) < wanted:
            time.sleep(_LOOK_S)
        a_batch_s = (self.whole_s - self.first_s) / self.batches
        return _is_running(process, self.chance.uniform(0.0, 2 * a_batch_s))


def _is_running(process: subprocess.Popen[str], wait_s: float) -> bool:
    """Return whether a program still runs after some time."""
    try:
        process.wait(wait_s)
    except subprocess.TimeoutExpired:
        return True
    return False


def _begun(home: Path) -> list[str]:
    """Return the numbers of the passages of each batch that the last run has begun to encode."""
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
            # Else Ray's processes stand behind all others, and a busy machine never gets to them.
            "RAY_worker_niceness": "0",
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'benchmarks'}",
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def _disturb(
    home: Path,
    notes: Path,
    moments: _Moments,
    tally: _Tally,
    options: argparse.Namespace,
) -> None:
    """Have a library made, with kills until it is done; looks at what each run leaves."""
    before: set[Row] = set()
    while True:
        tally.runs += 1
        (home / _LOG_NAME).unlink(missing_ok=True)
        killed = []
        with _started(home, notes, options) as process:
            while moments.are_left(tally) and moments.await_one(process, home):
                there = _below(process)
                kind = _kill(moments.chance, process, there)
                killed.append(kind)
                tally.kills[kind] += 1
                if kind == "program":
                    break
            _, errors = process.communicate(timeout=_WAIT_S)
        assert killed or not process.returncode, errors
        if killed[-1:] == ["program"]:
            tally.orphans += there
        elif process.returncode:
            said = (line for line in errors.splitlines() if line.startswith("winnow: "))
            tally.sentences[next(said, errors[-200:])] += 1
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
            tally.vain.setdefault(kinds, []).append(_vain(home))
        before = published
        if not process.returncode:
            return


def _alive(processes: Sequence[psutil.Process]) -> list[str]:
    """Return the names of those that have not ended; whose parent has died nobody may bury."""
    names = []
    for each in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            if each.status() != psutil.STATUS_ZOMBIE:
                names.append(each.name())
    return names


def _below(process: subprocess.Popen[str]) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    with contextlib.suppress(psutil.NoSuchProcess):
        found = psutil.Process(process.pid).children(recursive=True)
    return found


def _kill(
    chance: random.Random, process: subprocess.Popen[str], there: Sequence[psutil.Process]
) -> str:
    """Kill one of what runs; gives what it was."""
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


# What is left


def _catalog(home: Path) -> list[Row]:
    """Return the documents and passages of a library, each with whether it is published.

    Raises:
        AssertionError: the catalog is damaged.
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


def _vain(home: Path) -> int:
    """Return how many batches were begun in the last run that did not become what is published."""
    begun = _begun(home)
    if not begun:
        return 0
    db = sqlite3.connect(home / "catalog.sqlite")
    rows = db.execute("SELECT id FROM passages WHERE segment_id IS NOT NULL")
    published = {str(number) for (number,) in rows}
    db.close()
    return len(begun) - sum(published.issuperset(line.split()) for line in set(begun))


def _compared(home: Path, here: Path, expected: Sequence[Row], problems: list[str]) -> float:
    """Hold a library that is done against the undisturbed one; gives how far scores differ."""
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
