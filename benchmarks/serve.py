"""Measure how fast a server answers 1 to 64 clients, compared with searches in process.

Makes a library of generated passages in FOLDER once, then searches it with threads of this process
and with as many clients of `winnow serve` in another process. Each client sends its next query
as soon as it has its response. Reports latency, throughput, refusals, and the server's memory.

The first passages are encoded; further passages repeat their vectors with noise.

With `--replicas N` the library is also published, and N replicas on a Ray cluster are searched
as by the server; the cluster runs on this machine unless `--ray` names another.

    python3 dev.py bench serve FOLDER [--passages 10000] [--encoded 2000] [--replicas N]
        [--clients 1 2 4 8 16 32 64] [--seconds 20] [--fast] [--index-size SIZE]
        [--threads N] [--json FILE] [--picture FILE.svg]
    python3 dev.py bench serve --from FILE --picture FILE.svg

`--picture` draws searches a second by clients, and in FILE-p50.svg and FILE-p99.svg the median and
the 99th percentile; `--from` draws the file of an earlier `--json`.
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

# As the program does, before numpy is loaded: searches share the processors.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import psutil
from _noise import noisy

from core.cluster import loopback
from core.cluster.connection import LOCAL
from core.cluster.serve_answerer import Deployment, deployed
from core.documents.document import Document, Page
from core.errors import ClusterError
from core.index.index_writer import IndexWriter
from core.index.reduction import ReducedPassage, StoredVectors
from core.indexing.rebuild import PASSAGES_PER_SEGMENT
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.requests import Search
from core.settings import IndexSize, Settings, save_settings
from lab.evaluation import pictures

_SUBJECTS = "bridges glaciers violins harbours vaccines looms comets vineyards archives turbines"
_VERBS = "survive change need replace resemble outlast damage attract follow measure"
_THINGS = "storms winters repairs visitors taxes salt rumours lightning maps neighbours"
_PLACES = "Norway Peru Kenya Japan Malta Nepal Chile Ghana Latvia Tonga"
_WORDS = [part.split() for part in (_SUBJECTS, _VERBS, _THINGS, _PLACES)]
_PASSAGES_A_DOCUMENT = 10
# One of three vectors of a refinement store is left out of the lists.
_STORED_OF_KEPT = 3
# Searches for one query; returns ANSWERED or REFUSED.
Ask = Callable[[str], str]
ANSWERED, REFUSED = "answered", "refused"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--encoded", type=int, default=2000)
    parser.add_argument("--replicas", type=int, default=0)
    parser.add_argument("--ray", default=LOCAL, metavar="ADDRESS")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32, 64])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--fast", action="store_true", help="rank by the index alone")
    parser.add_argument("--index-size", choices=list(IndexSize), default=IndexSize.FAST)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--from", type=Path, metavar="FILE", dest="measured")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.picture:
        pictures.check_path(options.picture)
    if options.measured:
        if not options.picture:
            parser.error("--from draws a file of measurements: add --picture FILE.svg")
        draw(json.loads(options.measured.read_text(encoding="utf-8")), options.picture)
        return
    if options.folder is None:
        parser.error("name the FOLDER for the library")
    rows = _measured(options)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if options.picture:
        draw(rows, options.picture)


def _measured(options: argparse.Namespace) -> list[dict[str, Any]]:
    if options.replicas and options.ray == LOCAL and loopback.needs_namespace():
        # In a network namespace that no other program can reach.
        loopback.enter()
    home = options.folder / f"library-{options.passages}-{options.index_size}"
    home.mkdir(parents=True, exist_ok=True)
    save_settings(Settings(index_size=IndexSize(options.index_size)), home / "settings.json")
    build(home, options.passages, options.encoded)
    rows: list[dict[str, Any]] = []
    with Library.open(home, LibraryOptions(is_read_only=True)) as library:
        library.warm_up()
        slots = threading.Semaphore(options.threads)

        def ask_library(query: str) -> str:
            # As many concurrent searches as the server runs.
            with slots:
                library.search(query, limit=10, is_refined=not options.fast)
            return ANSWERED

        for count in options.clients:
            rows.append({"way": "in process", **_measure([ask_library] * count, options.seconds)})
            print(json.dumps(rows[-1]), flush=True)
    with _served(home, options.threads) as (host, port, process):
        rows.append({"way": "server", "clients": 0, "memory_mb": _memory_mb(process)})
        print(json.dumps(rows[-1]), flush=True)
        for count in options.clients:
            with contextlib.ExitStack() as stack:
                clients = [
                    stack.enter_context(_client(host, port, is_refined=not options.fast))
                    for _ in range(count)
                ]
                row = _measure(clients, options.seconds)
            rows.append({"way": "server", **row, "memory_mb": _memory_mb(process)})
            print(json.dumps(rows[-1]), flush=True)
    if options.replicas:
        for row in _measured_replicas(home, options):
            rows.append(row)
            print(json.dumps(row), flush=True)
    return rows


def _measured_replicas(home: Path, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield the speed of replicas, and the memory of each."""
    published = options.folder / f"published-{options.passages}"
    with Library.open(home) as library:
        library.publish(str(published))
    deployment = Deployment(str(published), options.replicas)
    with deployed(options.ray, deployment) as answerer:

        def search(query: str) -> str:
            try:
                answerer.answer(Search(query, limit=10, is_refined=not options.fast))
            except ClusterError:
                return REFUSED
            return ANSWERED

        for count in options.clients:
            row = _measure([search] * count, options.seconds)
            memory_mb = [_memory_mb(process) for process in _replica_processes()]
            yield {"way": f"{options.replicas} replicas", **row, "replicas_mb": memory_mb}


def _replica_processes() -> list[psutil.Process]:
    every = psutil.process_iter(["cmdline"])
    return [one for one in every if "ray::ServeReplica" in " ".join(one.info["cmdline"] or ())]


def draw(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw the rows of `--json`: a curve for each way of searching, over the number of clients.

    The picture in `path` shows searches per second; two more show the median and the 99th
    percentile in milliseconds. Rows of an idle server are skipped.
    """
    loaded_rows = [row for row in rows if row["clients"]]
    clients = sorted({row["clients"] for row in loaded_rows})
    for name, ending, label in (
        ("searches_a_second", "", "searches a second"),
        ("p50_ms", "-p50", "the median, ms"),
        ("p99_ms", "-p99", "99 of 100 take less than so many ms"),
    ):
        curves = [
            pictures.Series(
                way,
                [row["clients"] for row in loaded_rows if row["way"] == way],
                [row[name] for row in loaded_rows if row["way"] == way],
            )
            for way in dict.fromkeys(row["way"] for row in loaded_rows)
        ]
        pictures.lines(
            path.with_stem(f"{path.stem}{ending}"),
            curves,
            "Each client asks its next question as soon as it has an answer",
            "clients at a time",
            label,
            x_ticks=clients,
            log_x=True,
            from_zero=True,
        )


def sentence(chance: random.Random) -> str:
    subject, verb, thing, place = (chance.choice(words) for words in _WORDS)
    return f"In {place} {subject} {verb} {thing} since {chance.randrange(1200, 2020)}."


def build(home: Path, passages: int, encoded: int) -> None:
    """Make the library, unless an earlier run made it."""
    with Library.open(home) as library:
        if library.status().passages >= passages:
            return
        chance = random.Random(7)
        count = -(-passages // _PASSAGES_A_DOCUMENT)
        first = min(-(-encoded // _PASSAGES_A_DOCUMENT), count)

        def add(name: str, keys: range) -> None:
            def documents() -> Iterator[tuple[str, Document]]:
                for number in keys:
                    # The length of a paragraph that fills a passage.
                    texts = (
                        " ".join(sentence(chance) for _ in range(12))
                        for _ in range(_PASSAGES_A_DOCUMENT)
                    )
                    pages = tuple(Page(place, text) for place, text in enumerate(texts, 1))
                    yield str(number), Document(f"Report {number}", pages)

            library.add_collection(name, documents())

        began_s = time.perf_counter()
        if not library.status().passages:
            add("generated", range(first))
            library.sync()
        if first < count:
            add("repeated", range(first, count))
            _repeat_vectors(library)
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


def _repeat_vectors(library: Library) -> None:
    """Give passages that were not encoded the vectors of others, with noise."""
    generation = library._generations.answering()  # noqa: SLF001 - to publish made vectors
    catalog = generation.segments.catalog
    with catalog.reading() as db:
        rows = db.execute("SELECT id, text, segment_id FROM passages ORDER BY id").fetchall()
    known = [row["id"] for row in rows if row["segment_id"] is not None]
    wanted = [row["id"] for row in rows if row["segment_id"] is None]
    texts = [row["text"] for row in rows if row["segment_id"] is None]
    # Only the text's vectors, because each vector must belong to a token of the passage.
    counts = generation.tokenizer.count(texts)
    stored = [*generation.searcher.vectors(known).values()]
    reduction = generation.reduction
    noise = np.random.default_rng(7)
    writer = IndexWriter(generation.segments)
    for start in range(0, len(wanted), PASSAGES_PER_SEGMENT):
        batch = []
        for place, number in enumerate(wanted[start : start + PASSAGES_PER_SEGMENT], start):
            own = stored[place % len(stored)]
            there = own.positions < counts[place]
            refined = None
            if reduction.stored:
                # These are the store's vectors: an even part of them goes into the lists.
                refined = StoredVectors(own.vectors[there], own.positions[there])
                there[np.arange(len(there)) % _STORED_OF_KEPT == 0] = False
            passage = ReducedPassage(
                own.vectors[there], own.positions[there], tokens=counts[place], refined=refined
            )
            batch.append((number, noisy(passage, noise)))
        writer.publish(batch)
        writer.merge(Job())
    writer.merge(Job(), is_at_rest=True)


def _measure(clients: Sequence[Ask], seconds: float) -> dict[str, Any]:
    """Run all clients, each with one query at a time; return times in milliseconds."""
    took_ms: dict[str, list[float]] = {ANSWERED: [], REFUSED: []}
    end_s = time.perf_counter() + seconds

    def client(seed: int, ask: Ask) -> None:
        chance = random.Random(seed)
        while (began_s := time.perf_counter()) < end_s:
            outcome = ask(sentence(chance))
            took_ms[outcome].append((time.perf_counter() - began_s) * 1000)

    threads = [threading.Thread(target=client, args=one) for one in enumerate(clients)]
    began_s = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    passed_s = time.perf_counter() - began_s
    answered = took_ms[ANSWERED]
    p50, p95, p99 = np.percentile(answered, [50, 95, 99])
    return {
        "clients": len(clients),
        "p50_ms": round(float(p50), 1),
        "p95_ms": round(float(p95), 1),
        "p99_ms": round(float(p99), 1),
        "searches_a_second": round(len(answered) / passed_s, 1),
        "refused": len(took_ms[REFUSED]),
    }


@contextlib.contextmanager
def _served(home: Path, threads: int) -> Iterator[tuple[str, int, psutil.Process]]:
    """Start `winnow serve` on a free port of this machine, and end it afterwards."""
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
    """Yield a function that searches over one persistent connection."""
    connection = http.client.HTTPConnection(host, port, timeout=60)

    def ask(query: str) -> str:
        body = json.dumps({"query": query, "limit": 10, "is_refined": is_refined})
        connection.request("POST", "/v1/search", body)
        answer = connection.getresponse()
        answer.read()
        return ANSWERED if answer.status == 200 else REFUSED

    with contextlib.closing(connection):
        yield ask


def _memory_mb(process: psutil.Process) -> int:
    resident: int = process.memory_info().rss
    return round(resident / 2**20)


if __name__ == "__main__":
    main()
