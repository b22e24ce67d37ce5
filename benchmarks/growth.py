"""How search, memory and building grow with a library, up to a million passages.

Takes the vectors that `python3 dev.py bench engines` has made; where there are more passages than
they are of, they come again with noise. Each size is built and asked in a process of its own,
through the catalog and the merging of segments, as a library is.

    python3 dev.py bench growth FOLDER [--sizes 10000 100000 1000000] [--keep WAY:SHARE] [--bits B]
        [--json FILE] [--picture FILE.svg]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent / "peers"))

import itertools

import harness
import winnow_index

from core.encoders.encoder import unit
from core.index.index_writer import IndexWriter
from core.index.reduction import ReducedPassage
from core.indexing.rebuild import PASSAGES_PER_SEGMENT
from core.progress import Job

_DIMENSIONS = 128
_NOISE = 0.3
"""The length of what is added to a unit vector: a cosine of about .96 with what it was."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--keep", default="weighted-pooling:0.4")
    parser.add_argument("--bits", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    options = parser.parse_args()
    os.environ.update(dict.fromkeys(harness.THREAD_VARIABLES, "1"))
    settings = winnow_index.Settings(options.keep, options.bits, 2000, 2, 100)
    few = _pooled(options.folder, settings)
    rows = []
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="winnow-growth-") as home:
            work = Path(home) / "index"
            work.mkdir()
            built = _apart(_build, few, options.folder, work, settings, size)
            asked = _apart(_ask, options.folder, work, settings)
            rows.append({"passages": size, **built, **asked})
        print(json.dumps(rows[-1]), flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if options.picture:
        _draw(rows, options.picture)


def _apart(function: Any, *arguments: Any) -> dict[str, float]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        found: dict[str, float] = process.submit(function, *arguments).result()
        return found


def _pooled(folder: Path, settings: winnow_index.Settings) -> Path:
    """The kept vectors of the folder's passages, made once; gives the folder of their files."""
    place = folder / f"kept-{settings.keep.replace(':', '-')}"
    if place.exists():
        return place
    batches = winnow_index.kept_batches(harness.Passages.of(folder), folder, settings.keep)
    kept = [one for batch in batches for one in batch]
    making = place.with_name(f"{place.name}.making")
    making.mkdir(exist_ok=True)
    np.concatenate([one.vectors for one in kept]).astype(np.float16).tofile(making / "vectors")
    np.save(making / "lengths.npy", np.array([len(one) for one in kept]))
    making.rename(place)
    return place


def _repeated(few: Path, count: int) -> Iterator[list[ReducedPassage]]:
    """`count` passages, a segment's worth at a time; from the second time on with noise."""
    lengths = np.load(few / "lengths.npy")
    noise = np.random.default_rng(7)
    batch: list[ReducedPassage] = []
    # Read as it is wanted: held or mapped, it would count as memory that building takes.
    with (few / "vectors").open("rb") as file:
        for number in range(count):
            if number % len(lengths) == 0:
                file.seek(0)
            length = int(lengths[number % len(lengths)])
            halves = np.frombuffer(file.read(length * _DIMENSIONS * 2), np.float16)
            own = halves.reshape(length, _DIMENSIONS).astype(np.float32)
            if number >= len(lengths):
                added = noise.standard_normal(own.shape, dtype=np.float32)
                own = unit(own + added * (_NOISE / np.sqrt(own.shape[1])))
            batch.append(ReducedPassage(own, np.arange(len(own)), tokens=len(own)))
            if len(batch) == PASSAGES_PER_SEGMENT or number == count - 1:
                yield batch
                batch = []


def _build(
    few: Path, folder: Path, work: Path, settings: winnow_index.Settings, count: int
) -> dict[str, float]:
    told = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    catalog, store = winnow_index.open_index(work, settings, told["model"])
    writer = IndexWriter(store)
    numbers = iter(winnow_index.add_passages(catalog, count))
    vectors = 0
    spent_s = 0.0
    for batch in _repeated(few, count):
        began_s = time.perf_counter()
        writer.publish([(next(numbers), one) for one in batch])
        writer.merge(Job())
        spent_s += time.perf_counter() - began_s
        vectors += sum(map(len, batch))
    began_s = time.perf_counter()
    writer.merge(Job(), is_at_rest=True)
    winnow_index.give_own_lists(work, catalog, settings, told["model"])
    spent_s += time.perf_counter() - began_s
    catalog.close()
    return {
        "vectors": vectors,
        "build_s": round(spent_s, 1),
        "build_peak_mb": round(harness.peak_mb()),
        "segments": len(list((work / "index").glob("*.safetensors"))),
        "index_mb": round(harness.disk_bytes(work) / 2**20),
    }


def _ask(folder: Path, work: Path, settings: winnow_index.Settings) -> dict[str, float]:
    os.environ[winnow_index.SETTINGS] = json.dumps(settings.__dict__)
    os.environ[winnow_index.SOURCE] = str(folder.resolve())
    every, offsets = np.load(folder / "queries.npy"), np.load(folder / "query_offsets.npy")
    search = winnow_index.load(work, 1)
    began_s = time.perf_counter()
    search(every[: offsets[1]])
    first_s = time.perf_counter() - began_s
    latencies = []
    for begin, end in itertools.pairwise(offsets):
        began_s = time.perf_counter()
        search(every[begin:end])
        latencies.append((time.perf_counter() - began_s) * 1000)
    p50, p95 = np.percentile(latencies, [50, 95])
    memory = harness.memory_mb()
    return {
        "p50_ms": round(float(p50), 2),
        "p95_ms": round(float(p95), 2),
        "first_ms": round(first_s * 1000),
        "anonymous_mb": round(memory["anonymous_mb"]),
    }


def _draw(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Latency, memory and building over passages, both axes logarithmic."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 4.4))
    sizes = [row["passages"] for row in rows]
    for name, label in (
        ("p50_ms", "median search, ms"),
        ("anonymous_mb", "memory beside the mapped files, MB"),
        ("build_peak_mb", "memory while building, MB"),
        ("build_s", "compressing, writing and merging, s"),
        ("index_mb", "index on disk, MB"),
    ):
        axes.plot(sizes, [row[name] for row in rows], "o-", label=label)
    axes.set(xscale="log", yscale="log", xlabel="passages")
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main()
