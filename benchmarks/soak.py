"""Whether a server with replicas stays right and small while replicas are killed and files change.

Makes a library of generated passages in FOLDER once, and serves it by replicas on a Ray cluster of
this machine. Clients ask it without a pause, a replica is killed every so often, and some notes
are written anew and indexed in between. Every answer is compared with what this process finds by
itself: one that is whole and differs is wrong. Answers that were given while the library changed
may be of before, of after or of both, and are counted apart. Tells each minute how many of which
kind there were, the longest wait, and the memory of the server and of each replica.

    python3 dev.py bench soak FOLDER [--passages 10000] [--minutes 60] [--replicas 2] [--clients 2]
        [--kill-every 30] [--change-every 60] [--pause 0] [--json FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# As the program itself has it, before numpy is loaded: searches share the processors.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import psutil
from _notes import write_notes
from serve import build, memory_of, replicas_of, sentence, served

from core.cluster import loopback
from core.library.library import Library

_QUERIES = 40
_LIMIT = 10
_TAKE_UP_S = 15.0
"""So long after a change answers may still be of before it."""
_TOLERANCE = 1e-3
Found = Mapping[str, float]
"""By a document's title its score."""


@dataclass(slots=True)
class _Answer:
    """What one search came to: None where it was refused."""

    query: str
    began_s: float
    ended_s: float
    found: Found | None
    notice: str


@dataclass(slots=True)
class _Change:
    """When the library was changed, and what is to be found from then on."""

    began_s: float
    ended_s: float
    expected: Mapping[str, Found]


@dataclass(slots=True)
class _Record:
    """What clients were answered, and what was done to the replicas, since it was last told."""

    answers: list[_Answer] = field(default_factory=list)
    kills: int = 0
    guard: threading.Lock = field(default_factory=threading.Lock)

    def taken(self) -> tuple[list[_Answer], int]:
        with self.guard:
            answers, self.answers = self.answers, []
            kills, self.kills = self.kills, 0
        return answers, kills


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--encoded", type=int, default=1500)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--clients", type=int, default=2)
    parser.add_argument("--kill-every", type=float, default=30.0, metavar="S")
    parser.add_argument("--change-every", type=float, default=60.0, metavar="S")
    parser.add_argument("--pause", type=float, default=0.0, metavar="S", help="between questions")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if loopback.needs_namespace():
        loopback.enter()
    options.folder.mkdir(parents=True, exist_ok=True)
    home = options.folder / f"library-{options.passages}"
    build(home, options.passages, options.encoded)
    rows: list[dict[str, Any]] = []
    for row in _soaked(home, options):
        rows.append(row)
        print(json.dumps(row), flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if any(row["wrong"] for row in rows):
        sys.exit("Some answers were wrong.")


def _soaked(home: Path, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    notes = options.folder / "notes"
    queries = [sentence(random.Random(number)) for number in range(_QUERIES)]
    record, over = _Record(), threading.Event()
    with Library.open(home) as library:
        changes = [_changed(library, notes, 0, queries)]
        with served(home, options.threads, options.replicas) as (host, port, process):
            threads = [
                threading.Thread(target=_ask, args=(host, port, queries, record, over, options))
                for _ in range(options.clients)
            ]
            threads.append(threading.Thread(target=_kill, args=(process, record, over, options)))
            for thread in threads:
                thread.start()
            try:
                began_s = time.monotonic()
                minute = 0
                while time.monotonic() - began_s < options.minutes * 60:
                    minute += 1
                    over.wait(max(0.0, options.change_every - (time.monotonic() - began_s) % 60))
                    answers, kills = record.taken()
                    told = _told(answers, changes)
                    yield {"minute": minute, "kills": kills, **told, **memory_of(process)}
                    # What began before the change is judged by what was before it as well.
                    changes = [*changes[-1:], _changed(library, notes, minute, queries)]
            finally:
                over.set()
                for thread in threads:
                    thread.join()


def _changed(library: Library, notes: Path, number: int, queries: Sequence[str]) -> _Change:
    """Write the notes anew, index them, and find what is to be found now."""
    began_s = time.monotonic()
    write_notes(notes, 10, words=60 + number % 20)
    library.add_folder(notes)
    library.sync()
    expected = {query: _searched(library, query) for query in queries}
    return _Change(began_s, time.monotonic(), expected)


def _searched(library: Library, query: str) -> Found:
    hits = library.search(query, limit=_LIMIT, is_refined=False).hits
    return {hit.title: hit.score for hit in hits}


def _ask(
    host: str,
    port: int,
    queries: Sequence[str],
    record: _Record,
    over: threading.Event,
    options: argparse.Namespace,
) -> None:
    connection = http.client.HTTPConnection(host, port, timeout=60)
    while not over.wait(options.pause):
        query = random.choice(queries)
        body = json.dumps({"query": query, "limit": _LIMIT, "is_refined": False})
        began_s = time.monotonic()
        connection.request("POST", "/v1/search", body)
        given = connection.getresponse()
        text = given.read()
        found, notice = None, ""
        if given.status == 200:
            told = json.loads(text)
            found = {hit["title"]: hit["passages"][0]["score"] for hit in told["hits"]}
            notice = json.dumps(told["notice"]) if told["notice"] else ""
        with record.guard:
            record.answers.append(_Answer(query, began_s, time.monotonic(), found, notice))
    connection.close()


def _kill(
    process: psutil.Process, record: _Record, over: threading.Event, options: argparse.Namespace
) -> None:
    """Kill a replica every so often, but at no regular moment."""
    while not over.wait(options.kill_every * random.uniform(0.5, 1.5)):
        if there := replicas_of(process):
            with contextlib.suppress(psutil.NoSuchProcess):
                random.choice(there).send_signal(signal.SIGKILL)
            with record.guard:
                record.kills += 1


def _told(answers: Sequence[_Answer], changes: Sequence[_Change]) -> dict[str, Any]:
    kinds: Counter[str] = Counter()
    for answer in answers:
        kinds[_kind(answer, changes)] += 1
    waits = sorted(answer.ended_s - answer.began_s for answer in answers)
    names = ("right", "wrong", "partial", "refused", "during a change")
    return {
        "searches": len(answers),
        **{name: kinds[name] for name in names},
        "p50_ms": round(waits[len(waits) // 2] * 1000) if waits else 0,
        "longest_ms": round(waits[-1] * 1000) if waits else 0,
    }


def _kind(answer: _Answer, changes: Sequence[_Change]) -> str:
    if answer.found is None:
        return "refused"
    if answer.notice:
        return "partial"
    if any(_overlaps(answer, change) for change in changes):
        return "during a change"
    expected = changes[-1].expected[answer.query]
    if _agrees(answer.found, expected):
        return "right"
    print(f"{answer.query} {answer.found} and not {expected}", file=sys.stderr, flush=True)
    return "wrong"


def _overlaps(answer: _Answer, change: _Change) -> bool:
    return answer.began_s < change.ended_s + _TAKE_UP_S and answer.ended_s > change.began_s


def _agrees(found: Found, expected: Found) -> bool:
    """Whether the scores are the same; among equals another document may be the last one."""
    mine, other = sorted(found.values()), sorted(expected.values())
    alike = len(mine) == len(other) and all(
        abs(one - another) <= _TOLERANCE for one, another in zip(mine, other, strict=True)
    )
    return alike and all(
        abs(score - expected[name]) <= _TOLERANCE
        for name, score in found.items()
        if name in expected
    )


if __name__ == "__main__":
    main()
