"""Shared code of the engines' scripts: arguments, two new processes, timing and JSON.

Each script runs in an environment with its engine installed (Linux only, because of /proc):

    python ENGINE.py INPUT_FOLDER WORK_FOLDER OUTPUT.json --threads N [--only build|ask]

INPUT_FOLDER holds `vectors.npy` (t, 128) float16, unit vectors of all passages' tokens;
`offsets.npy` (p + 1,) int64, the start of each passage; `queries.npy` (u, 128) float32, whose
lengths are the weights of the query tokens; `query_offsets.npy` (q + 1,) int64. A passage's score
is the sum over the query's tokens of the largest dot product with one of the passage's tokens.

One process builds the index in WORK_FOLDER/index; a second one opens it and searches with the
queries one by one, so that its memory excludes what building left over. `--only` does one of the
two, so that all engines can be built first and then searched in turns.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Halves = NDArray[np.float16]
Floats = NDArray[np.float32]
Longs = NDArray[np.int64]
Search = Callable[[Floats], list[int]]

K = 100
WARM_UP_QUERIES = 3
BLOCK_TOKENS = 1 << 16
# The libraries read these once when loaded, which is why new processes are used.
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "TOKIO_WORKER_THREADS",
    "LANCE_CPU_THREADS",
)


@dataclass(frozen=True)
class Passages:
    """The token vectors of all passages, concatenated."""

    vectors: Halves  # (t, 128), mapped from the file
    offsets: Longs  # (p + 1,)

    @classmethod
    def of(cls, folder: Path) -> Passages:
        passages = cls(
            np.load(folder / "vectors.npy", mmap_mode="r"), np.load(folder / "offsets.npy")
        )
        if len(passages) < 1 or np.diff(passages.offsets).min() < 1:
            raise SystemExit(f"Each passage in {folder} needs at least one token.")
        return passages

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def save(self, folder: Path) -> None:
        np.save(folder / "vectors.npy", self.vectors)
        np.save(folder / "offsets.npy", self.offsets)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield first and last (exclusive) passage of runs of about `BLOCK_TOKENS` tokens."""
        first = 0
        while first < len(self):
            limit = self.offsets[first] + BLOCK_TOKENS
            last = max(first + 1, int(np.searchsorted(self.offsets, limit, "right")) - 1)
            yield first, last
            first = last

    def of_passages(self, first: int, last: int) -> Halves:
        """Return the vectors of the passages `first` to `last` (exclusive)."""
        return self.vectors[self.offsets[first] : self.offsets[last]]


@dataclass(frozen=True)
class Engine:
    """An engine, with functions that build its index and open it for searching."""

    name: str
    distribution: str  # the package whose version is reported
    build: Callable[[Passages, Path, int], str]  # passages, folder, threads -> the settings
    load: Callable[[Path, int], Search]  # folder, threads -> the search function


def maxsim(query: Floats, vectors: Floats, starts: Longs) -> Floats:
    """Return the scores (p,) of the passages that begin at `starts`, for a query (n, 128)."""
    similarity = query @ vectors.T
    scores: Floats = np.maximum.reduceat(similarity, starts, axis=1).sum(axis=0)
    return scores


def best(scores: Floats, k: int) -> Longs:
    """Return the indices of the `k` highest scores, best first; ties in ascending order."""
    if k < len(scores):
        among = np.flatnonzero(scores >= np.partition(scores, -k)[-k])
    else:
        among = np.arange(len(scores))
    ranked: Longs = among[np.argsort(-scores[among], kind="stable")][:k]
    return ranked


def disk_bytes(folder: Path) -> int:
    """Return the disk space of the files, without holes in sparse files."""
    return sum(file.stat().st_blocks * 512 for file in folder.rglob("*") if file.is_file())


def memory_mb() -> dict[str, float]:
    """Return this process's resident memory, and the part that no file backs, in MiB."""
    return {"resident_mb": _status_mb("VmRSS"), "anonymous_mb": _status_mb("RssAnon")}


def peak_mb() -> float:
    """Return the peak resident memory of this process, in MiB.

    Does not use `getrusage`, whose peak starts with that of the parent process.
    """
    return _status_mb("VmHWM")


def _status_mb(name: str) -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    return int(fields[name].split()[0]) / 1024


def build(engine: Engine, source: Path, work: Path, threads: int) -> None:
    passages = Passages.of(source)
    index = work / "index"
    index.mkdir(parents=True)
    began_s = time.perf_counter()
    settings = engine.build(passages, index, threads)
    built = {
        "engine": engine.name,
        "version": version(engine.distribution),
        "settings": settings,
        "build_s": time.perf_counter() - began_s,
    }
    (work / "build.json").write_text(json.dumps(built), encoding="utf-8")


def ask(engine: Engine, source: Path, work: Path, threads: int) -> dict[str, Any]:
    every, offsets = np.load(source / "queries.npy"), np.load(source / "query_offsets.npy")
    queries = [every[a:b] for a, b in pairwise(offsets)]
    search = engine.load(work / "index", threads)
    for query in queries[:WARM_UP_QUERIES]:
        search(query)
    latencies, worked, results = [], [], []
    for query in queries:
        began_s, worked_s = time.perf_counter(), time.process_time()
        found = search(query)
        latencies.append((time.perf_counter() - began_s) * 1000)
        # Comparable even if other programs are running.
        worked.append((time.process_time() - worked_s) * 1000)
        results.append([int(passage) for passage in found])
    return {**memory_mb(), "latencies_ms": latencies, "worked_ms": worked, "results": results}


def run(engine: Engine) -> None:
    """Measure the engine according to the command line."""
    parser = argparse.ArgumentParser(description=f"Measure {engine.name}.")
    parser.add_argument("source", type=Path, metavar="INPUT_FOLDER")
    parser.add_argument("work", type=Path, metavar="WORK_FOLDER")
    parser.add_argument("output", type=Path, metavar="OUTPUT.json")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument(
        "--only", choices=("build", "ask"), help="ask: search an index built before"
    )
    options = parser.parse_args()
    source, work = options.source.resolve(), options.work.resolve()
    index, record = work / "index", work / "build.json"
    if options.only == "ask" and not record.exists():
        raise SystemExit(f"{work} holds no finished index: build it first.")
    if options.only != "ask" and index.exists():
        raise SystemExit(f"{work} holds an index already: name another folder, or --only ask.")
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, str(options.threads)))
    os.environ.update(HF_HUB_OFFLINE="1", CUDA_VISIBLE_DEVICES="")

    def in_new_process(function: Callable[[Engine, Path, Path, int], Any]) -> Any:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            return process.submit(function, engine, source, work, options.threads).result()

    if options.only != "ask":
        in_new_process(build)
    if options.only == "build":
        return
    built = json.loads(record.read_text(encoding="utf-8"))
    if built["engine"] != engine.name:
        raise SystemExit(f"{work} holds an index of {built['engine']}.")
    measured = in_new_process(ask)
    report = {**built, "disk_bytes": disk_bytes(index), **measured}
    options.output.write_text(json.dumps(report), encoding="utf-8")
    middle, late = np.percentile(report["latencies_ms"], [50, 95])
    print(
        f"{engine.name} {built['version']}: built in {built['build_s']:.1f} s, "
        f"{report['disk_bytes'] / 2**20:,.0f} MiB on disk, {report['resident_mb']:,.0f} MiB in "
        f"memory, median {middle:.1f} ms, 95th percentile {late:.1f} ms"
    )
