"""How fast one server answers 1 to 64 clients, beside the same searches in process.

Makes a library of generated passages in FOLDER once, then searches it: by threads of this process,
and by as many clients of `winnow serve` in a process of its own, each with the next question as
soon as it has its answer. Tells latencies, throughput, refusals, and the server's memory.

    python3 dev.py bench serve FOLDER [--passages 10000] [--clients 1 2 4 8 16 32 64]
        [--seconds 20] [--fast] [--threads N] [--json FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

# As the program itself has it, before numpy is loaded: searches share the processors.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import psutil

from core.documents.document import Document, Page
from core.library import Library, LibraryOptions

_SUBJECTS = "bridges glaciers violins harbours vaccines looms comets vineyards archives turbines"
_VERBS = "survive change need replace resemble outlast damage attract follow measure"
_THINGS = "storms winters repairs visitors taxes salt rumours lightning maps neighbours"
_PLACES = "Norway Peru Kenya Japan Malta Nepal Chile Ghana Latvia Tonga"
_WORDS = [part.split() for part in (_SUBJECTS, _VERBS, _THINGS, _PLACES)]
_PASSAGES_A_DOCUMENT = 10
Ask = Callable[[str], bool]
"""Asks one question; whether it was answered."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32, 64])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--fast", action="store_true", help="by the index's order alone")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    home = options.folder / f"library-{options.passages}"
    _build(home, options.passages)
    rows: list[dict[str, Any]] = []
    with Library.open(home, LibraryOptions(is_read_only=True)) as library:
        library.warm_up()
        slots = threading.Semaphore(options.threads)

        def ask_library(query: str) -> bool:
            # As many at a time as the server works on.
            with slots:
                library.search(query, limit=10, is_refined=not options.fast)
            return True

        for count in options.clients:
            rows.append({"way": "in process", **_measure([ask_library] * count, options.seconds)})
            print(json.dumps(rows[-1]), flush=True)
    with _served(home, options.threads) as (host, port, process):
        rows.append({"way": "server", "clients": 0, "memory_mb": _memory_mb(process)})
        print(json.dumps(rows[-1]), flush=True)
        for count in options.clients:
            with contextlib.ExitStack() as stack:
                asks = [
                    stack.enter_context(_client(host, port, is_refined=not options.fast))
                    for _ in range(count)
                ]
                row = _measure(asks, options.seconds)
            rows.append({"way": "server", **row, "memory_mb": _memory_mb(process)})
            print(json.dumps(rows[-1]), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


def _sentence(chance: random.Random) -> str:
    subject, verb, thing, place = (chance.choice(words) for words in _WORDS)
    return f"In {place} {subject} {verb} {thing} since {chance.randrange(1200, 2020)}."


def _build(home: Path, passages: int) -> None:
    """Make the library, unless a run before has."""
    with Library.open(home) as library:
        if not library.status().passages:
            chance = random.Random(7)

            def documents() -> Iterator[tuple[str, Document]]:
                for number in range(-(-passages // _PASSAGES_A_DOCUMENT)):
                    # Each as long as a paragraph that fills a passage by itself.
                    texts = (
                        " ".join(_sentence(chance) for _ in range(12))
                        for _ in range(_PASSAGES_A_DOCUMENT)
                    )
                    pages = tuple(Page(place, text) for place, text in enumerate(texts, 1))
                    yield str(number), Document(f"Report {number}", pages)

            library.add_collection("generated", documents())
        began_s = time.perf_counter()
        library.sync()
        status = library.status()
        print(
            json.dumps(
                {
                    "documents": status.documents,
                    "passages": status.passages,
                    "built_s": round(time.perf_counter() - began_s, 1),
                }
            ),
            flush=True,
        )


def _measure(asks: Sequence[Ask], seconds: float) -> dict[str, Any]:
    """Have each client ask one question after the other; gives times in milliseconds."""
    took_ms: list[float] = []
    refused: list[float] = []
    end_s = time.perf_counter() + seconds

    def client(number: int, ask: Ask) -> None:
        chance = random.Random(number)
        while (began_s := time.perf_counter()) < end_s:
            is_answered = ask(_sentence(chance))
            passed_ms = (time.perf_counter() - began_s) * 1000
            (took_ms if is_answered else refused).append(passed_ms)

    threads = [threading.Thread(target=client, args=one) for one in enumerate(asks)]
    began_s = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    passed_s = time.perf_counter() - began_s
    p50, p95, p99 = np.percentile(took_ms, [50, 95, 99])
    return {
        "clients": len(asks),
        "p50_ms": round(float(p50), 1),
        "p95_ms": round(float(p95), 1),
        "p99_ms": round(float(p99), 1),
        "searches_a_second": round(len(took_ms) / passed_s, 1),
        "refused": len(refused),
    }


@contextlib.contextmanager
def _served(home: Path, threads: int) -> Iterator[tuple[str, int, psutil.Process]]:
    """Start `winnow serve` on a free port of this machine; it is ended afterwards."""
    command = [
        *(sys.executable, "-m", "app", "serve", "--port", "0", "--rate", "100000"),
        *("--threads", str(threads)),
    ]
    environment = {**os.environ, "WINNOW_HOME": str(home)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        try:
            line = started.stdout.readline()
            split = urlsplit(line.split()[-1])
            assert split.hostname is not None
            assert split.port is not None
            yield split.hostname, split.port, psutil.Process(started.pid)
        finally:
            started.terminate()


@contextlib.contextmanager
def _client(host: str, port: int, *, is_refined: bool) -> Iterator[Ask]:
    """Yield what asks over one connection that stays open."""
    connection = http.client.HTTPConnection(host, port, timeout=60)

    def ask(query: str) -> bool:
        body = json.dumps({"query": query, "limit": 10, "is_refined": is_refined})
        connection.request("POST", "/v1/search", body)
        answer = connection.getresponse()
        answer.read()
        return answer.status == 200

    with contextlib.closing(connection):
        yield ask


def _memory_mb(process: psutil.Process) -> int:
    resident: int = process.memory_info().rss
    return round(resident / 2**20)


if __name__ == "__main__":
    main()
