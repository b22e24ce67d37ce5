"""Measure how search, memory and index building grow with a library, up to ten million passages.

Uses the vectors of `python3 dev.py bench engines`; larger sizes repeat them with noise. Each size
is a separate library, synced as usual except for the encoder, which returns these vectors. Filling,
building and searching each run in a new process.

With `--home` the library of one size is kept in that folder. Existing parts are reused: an
interrupted build continues, and a complete one is searched.

    python3 dev.py bench growth FOLDER [--sizes 10000 100000 1000000] [--keep WAY:SHARE[+SHARE]]
        [--bits B] [--home FOLDER] [--changed] [--json FILE] [--picture FILE.svg]
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent / "peers"))

import harness
import winnow_index
from _noise import NORM

from core.alignment.reduction import TokenReduction
from core.arrays import Floats
from core.catalog import documents, passages
from core.catalog.catalog import Catalog
from core.catalog.documents import NewPassage
from core.catalog.files import folders
from core.encoders.encoder import unit
from core.index.codec import Codec
from core.index.generation import IndexGeneration
from core.index.index_searcher import IndexSearcher
from core.index.index_writer import CompressedBatch, compress
from core.index.native import loops
from core.index.probing import ProbeParams
from core.index.reduction import ReducedPassage, StoredVectors
from core.indexing.read.copy_detection import find_families
from core.indexing.read.executor import LocalExecutor, TextBatch
from core.library.library import Library, LibraryOptions
from core.progress import Job

_DIMENSIONS = 128
# Folders of the vectors in the lists, and of those in the refinement store, if there is one.
_LISTS = "lists"
_STORE = "store"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--keep", default="weighted-pooling:0.4")
    parser.add_argument("--bits", type=int, default=2)
    parser.add_argument("--home", type=Path, metavar="FOLDER")
    parser.add_argument("--changed", action="store_true", help="also index a changed file")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.home and len(options.sizes) != 1:
        parser.error("--home is for the library of one size: give --sizes one number.")
    os.environ.update(dict.fromkeys(harness.THREAD_VARIABLES, "1"))
    settings = winnow_index.Settings(options.keep, options.bits, 2000, 2, 100)
    vectors_folder = _pooled(options.folder, settings)
    rows = []
    for size in options.sizes:
        with contextlib.ExitStack() as stack:
            home = options.home or Path(
                stack.enter_context(tempfile.TemporaryDirectory(prefix="winnow-growth-"))
            )
            row: dict[str, float] = {"passages": size}
            row |= _in_new_process(_fill, home, settings, size)
            row |= _in_new_process(_build, vectors_folder, home, settings)
            row |= _in_new_process(_ask, options.folder, home, settings)
            if options.changed:
                row |= _in_new_process(_change, home, settings)
        rows.append(row)
        print(json.dumps(row), flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if options.picture:
        _draw(rows, options.picture)


def _in_new_process(function: Any, *arguments: Any) -> dict[str, float]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        found: dict[str, float] = process.submit(function, *arguments).result()
        return found


def _pooled(folder: Path, settings: winnow_index.Settings) -> Path:
    """Write the reduced vectors of the folder's passages once, and return their folder."""
    place = folder / f"kept-{settings.keep.replace(':', '-')}"
    if place.exists():
        return place
    batches = winnow_index.reduced_batches(harness.Passages.of(folder), folder, settings.keep)
    reduced = [one for batch in batches for one in batch]
    partial = place.with_name(f"{place.name}.making")
    refined = [one.refined for one in reduced if one.refined is not None]
    for name, stored in ((_LISTS, reduced), (_STORE, refined)):
        if stored:
            (partial / name).mkdir(parents=True, exist_ok=True)
            vectors = np.concatenate([one.vectors for one in stored])
            vectors.astype(np.float16).tofile(partial / name / "vectors")
            np.save(partial / name / "lengths.npy", np.array([len(one) for one in stored]))
    partial.rename(place)
    return place


_TABLE = 1 << 22
# Passages per document.
_TEXTS = 200


class _Repeated:
    """The vectors of a passage by its number; each repetition has different noise."""

    def __init__(self, vectors_folder: Path) -> None:
        self._lengths = np.load(vectors_folder / "lengths.npy").astype(np.int64)
        self._begins = np.concatenate([[0], np.cumsum(self._lengths)]).tolist()
        # Read on demand: mapped or loaded, it would count as memory of the build.
        self._file = (vectors_folder / "vectors").open("rb")
        self._noise = np.random.default_rng(7).standard_normal(_TABLE, dtype=np.float32)
        self._noise *= NORM / np.sqrt(_DIMENSIONS)

    def of(self, passage_id: int) -> StoredVectors:
        """Return the vectors of the passage of this number, which starts at 1."""
        times, place = divmod(passage_id - 1, len(self._lengths))
        own = self._read(self._begins[place], int(self._lengths[place]))
        if times:
            # From a different position each time, so that no two passages are equal.
            begin = passage_id * 7919 % (_TABLE - own.size)
            own = unit(own + self._noise[begin : begin + own.size].reshape(own.shape))
        # All assigned to the first token: there are more vectors here than words.
        return StoredVectors(own, np.zeros(len(own), np.int64))

    def _read(self, begin: int, length: int) -> Floats:
        self._file.seek(begin * _DIMENSIONS * 2)
        halves = np.frombuffer(self._file.read(length * _DIMENSIONS * 2), np.float16)
        return halves.reshape(length, _DIMENSIONS).astype(np.float32)


class _StoredVectors(LocalExecutor):
    """An executor that returns stored vectors instead of encoding, and reports progress."""

    def __init__(self, vectors_folder: Path, report_progress: Callable[[int], object]) -> None:
        self._lists = _Repeated(vectors_folder / _LISTS)
        has_store = (vectors_folder / _STORE).exists()
        self._store = _Repeated(vectors_folder / _STORE) if has_store else None
        self._report_progress = report_progress
        self.vectors = 0
        # Processor time spent on making the vectors.
        self.vectors_s = 0.0

    def encode(
        self,
        generation: IndexGeneration,  # noqa: ARG002 - the vectors are stored
        codecs: Sequence[Codec],
        batches: Iterable[TextBatch],
        report: Callable[[int], None],
    ) -> Generator[tuple[CompressedBatch, ...]]:
        """Yield the compressed vectors of the passages in these batches."""
        done = 0
        for batch in batches:
            began_s = time.process_time()
            reduced = [self._reduced(number) for number in batch.passage_ids]
            self.vectors_s += time.process_time() - began_s
            self.vectors += sum(map(len, reduced))
            vectors = list(zip(batch.passage_ids, reduced, strict=True))
            yield tuple(compress(codec, vectors) for codec in codecs)
            report(len(batch))
            done += len(batch)
            if done // _REPORT_EVERY > (done - len(batch)) // _REPORT_EVERY:
                self._report_progress(done)

    def _reduced(self, passage_id: int) -> ReducedPassage:
        own = self._lists.of(passage_id)
        refined = self._store.of(passage_id) if self._store is not None else None
        return ReducedPassage(own.vectors, own.positions, tokens=len(own), refined=refined)


_REPORT_EVERY = 100_000


def _opened(home: Path, settings: winnow_index.Settings) -> Library:
    reduction = TokenReduction.parse(settings.keep)
    return Library.open(home, LibraryOptions(bits=settings.bits, keeping=reduction))


def _fill(home: Path, settings: winnow_index.Settings, count: int) -> dict[str, float]:
    """Add this many passages without vectors to a library."""
    began_s, processor_s = time.perf_counter(), time.process_time()
    _opened(home, settings).close()
    catalog = Catalog(home / "catalog.sqlite")
    with catalog.reading() as db:
        there = passages.count(db)
    for first in range(there, count, _TEXTS * 50):
        with catalog.transaction() as db:
            collection = folders.add_collection(db, "vectors")
            for start in range(first, min(first + _TEXTS * 50, count), _TEXTS):
                number = documents.add_program_document(db, collection, f"vectors/{start}")
                texts = [_text(each) for each in range(start, min(start + _TEXTS, count))]
                rows = [
                    NewPassage(1, place * 40, place * 40 + len(text), text, "")
                    for place, text in enumerate(texts)
                ]
                documents.set_read(db, number, None, f"document {start}", 1, rows)
    # As after reading documents; it is not part of making vectors.
    find_families(catalog, Job())
    catalog.close()
    return {
        "fill_s": round(time.perf_counter() - began_s, 1),
        "fill_processor_s": round(time.process_time() - processor_s, 1),
    }


def _text(passage_id: int) -> str:
    """Return three of 256 words: unique to the passage, and each word is in many passages."""
    return " ".join(f"word{passage_id >> shift & 255}" for shift in (0, 8, 16))


def _build(vectors_folder: Path, home: Path, settings: winnow_index.Settings) -> dict[str, float]:
    library = _opened(home, settings)
    log = home / "builds.jsonl"
    began_s, processor_s = time.perf_counter(), time.process_time()

    def spent(done: int = 0) -> dict[str, float]:
        found = {
            "vectors": executor.vectors,
            "build_s": round(time.perf_counter() - began_s, 1),
            "build_processor_s": round(time.process_time() - processor_s - executor.vectors_s, 1),
            "apart_processor_s": round(executor.vectors_s, 1),
            "build_peak_mb": round(harness.peak_mb()),
            "segments": len(list((home / "index").glob("*.safetensors"))),
        }
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"done": done, **found, "pid": os.getpid()}) + "\n")
        return found

    executor = _StoredVectors(vectors_folder, spent)
    library.sync(executor=executor)
    library.close()
    return {**spent(), "index_mb": round(harness.disk_bytes(home) / 2**20)}


def _ask(folder: Path, home: Path, settings: winnow_index.Settings) -> dict[str, float]:
    every, offsets = np.load(folder / "queries.npy"), np.load(folder / "query_offsets.npy")
    began_s = time.perf_counter()
    library = _opened(home, settings)
    store = library._generations.answering().segments  # noqa: SLF001 - searched as the library does
    store.segments()
    opened_s = time.perf_counter() - began_s
    index = IndexSearcher(store)
    loops.load()
    probing = ProbeParams(settings.vectors, settings.lists)

    def search(query: harness.Floats) -> None:
        near = index.probe(query, probing).best(settings.candidates)
        index.score(query, near).best(harness.K)

    began_s = time.perf_counter()
    search(every[: offsets[1]])
    first_s = time.perf_counter() - began_s
    latencies = []
    for begin, end in itertools.pairwise(offsets):
        began_s, processor_s = time.perf_counter(), time.process_time()
        search(every[begin:end])
        latencies.append((time.perf_counter() - began_s, time.process_time() - processor_s))
    p50, p95 = np.percentile(latencies, [50, 95], axis=0) * 1000
    memory = harness.memory_mb()
    began_s = time.perf_counter()
    status = library.status()
    status_s = time.perf_counter() - began_s
    library.close()
    return {
        "encoded": status.passages - status.waiting,
        "open_ms": round(opened_s * 1000),
        "p50_ms": round(float(p50[0]), 2),
        "p95_ms": round(float(p95[0]), 2),
        # Processor time, which other load does not affect.
        "p50_processor_ms": round(float(p50[1]), 2),
        "p95_processor_ms": round(float(p95[1]), 2),
        "first_ms": round(first_s * 1000),
        "anonymous_mb": round(memory["anonymous_mb"]),
        "status_ms": round(status_s * 1000),
    }


def _change(home: Path, settings: winnow_index.Settings) -> dict[str, float]:
    """Measure the time until a changed file is found, with the library's model."""
    place = home.parent / f"{home.name}-changed"
    place.mkdir(exist_ok=True)
    file = place / "note.txt"
    file.write_text("Nothing of interest is in here yet.", encoding="utf-8")
    library = _opened(home, settings)
    library.add_folder(place)
    library.sync(changed=[place])
    library.search("a whale swam through the harbour", limit=3)
    seconds = []
    for turn in range(3):
        text = f"A whale swam through the harbour {turn} times, and everybody saw it."
        file.write_text(text, encoding="utf-8")
        began_s, processor_s = time.perf_counter(), time.process_time()
        library.sync(changed=[file])
        hits = library.search("a whale swam through the harbour", limit=3).hits
        seconds.append((time.perf_counter() - began_s, time.process_time() - processor_s))
        assert hits[0].path == file, hits
    library.close()
    best, processor = (min(each) for each in zip(*seconds, strict=True))
    return {"changed_s": round(best, 2), "changed_processor_s": round(processor, 2)}


def _draw(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw latency, memory and building over passages, both axes logarithmic."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 4.4))
    sizes = [row["passages"] for row in rows]
    for name, label in (
        ("p50_ms", "median search, ms"),
        ("anonymous_mb", "memory without the mapped files, MB"),
        ("build_peak_mb", "memory while building, MB"),
        ("build_processor_s", "compressing, writing and merging, s of one processor"),
        ("index_mb", "index on disk, MB"),
    ):
        axes.plot(sizes, [row[name] for row in rows], "o-", label=label)
    axes.set(xscale="log", yscale="log", xlabel="passages")
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main()
