"""Measure indexing by a Ray cluster on this machine, and simulate a larger one.

Nodes of one processor each read Word documents and encode notes, compared with this machine alone
with one thread. Then the writer gets precomputed results, which isolates its time, and a simulation
distributes a hundred million passages with the measured times.

    python3 dev.py bench cluster [--nodes 1 2 4] [--passages N] [--documents N] [--stored N]
        [--json FILE] [--picture FILE.svg]
    python3 dev.py bench cluster --from FILE [--encode-s SECONDS] [--picture FILE.svg]

`--picture` draws the simulation, and the times of the nodes in FILE-nodes.svg; `--encode-s` adds
the curve of another processor. `--from` uses the file of an earlier `--json`.
"""

from __future__ import annotations

import argparse
import contextlib
import heapq
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from _notes import WORDS, write_notes

from core.catalog import passages as stored_passages
from core.catalog.document_queries import KnownDocument
from core.catalog.passages import Encoded
from core.cluster import loopback
from core.cluster.executor import RayExecutor, connected
from core.errors import Cancelled
from core.index.codec import Codec
from core.index.generation import IndexGeneration
from core.index.index_writer import CompressedBatch, IndexWriter
from core.indexing import rebuild
from core.indexing.read.document_rows import Batch
from core.indexing.read.executor import LocalExecutor, TextBatch, encode_batch
from core.indexing.read.file_reading import FileAnswer, FileReader, FileText, ReadingContext
from core.indexing.rebuild import PASSAGES_PER_SEGMENT
from core.library.library import Library
from core.progress import Job, Progress, Stage
from lab.evaluation import pictures

MACHINES = (1, 2, 4, 8, 16, 32, 64)
# Processors of each simulated machine; an encoder takes four.
PROCESSORS = 16
# Passages per batch when nodes are compared: even a small run has several batches for each.
SMALL_BATCH = 32
LARGE = 100_000_000
LINKS = {"1 Gbit/s": 125e6, "10 Gbit/s": 1250e6}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--passages", type=int, default=600)
    parser.add_argument("--documents", type=int, default=120)
    parser.add_argument("--stored", type=int, default=20_000)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--from", type=Path, metavar="FILE", dest="measured")
    parser.add_argument(
        "--encode-s", type=float, metavar="SECONDS", help="seconds per passage on another processor"
    )
    parser.add_argument("--picture", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.picture:
        pictures.check_path(options.picture)
    if options.measured:
        measurements = json.loads(options.measured.read_text(encoding="utf-8"))
    else:
        if loopback.needs_namespace():
            loopback.enter()
        measurements = _measure(options)
        if options.json:
            options.json.write_text(json.dumps(measurements, indent=1), encoding="utf-8")
    print(json.dumps(measurements, indent=1))
    stages = Stages(**measurements["stages"])
    other = replace(stages, encode_s=options.encode_s) if options.encode_s else None
    _simulate(other or stages)
    if options.picture:
        draw(measurements.get("rows", []), stages, other, options.picture)


# Measurements


def _measure(options: argparse.Namespace) -> dict[str, Any]:
    rows = []
    with tempfile.TemporaryDirectory(prefix="winnow-bench-") as name:
        folder = Path(name)
        write_notes(folder / "notes", options.passages)
        _write_documents(folder / "documents", options.documents)
        # Load and compile everything before the first measurement.
        rebuild.PASSAGES_PER_SEGMENT = SMALL_BATCH  # type: ignore[misc] # only here
        _index(folder / "notes", folder / "home", None)
        for nodes in (0, *options.nodes):
            with _executor(nodes, folder) as executor:
                row: dict[str, Any] = {"nodes": nodes or "none"}
                for load in ("notes", "documents"):
                    row |= _index(folder / load, folder / "home", executor)
            rows.append(row)
            print(json.dumps(row), flush=True)
        rebuild.PASSAGES_PER_SEGMENT = PASSAGES_PER_SEGMENT  # type: ignore[misc] # likewise
        stages = _stages(folder, options, rows[0]["processor_s"] / options.passages)
    return {"load": os.getloadavg()[0], "rows": rows, "stages": stages}


def _write_documents(folder: Path, count: int) -> None:
    """Write Word documents that take a while to read: many short paragraphs and a table."""
    from docx import Document

    folder.mkdir()
    for number in range(count):
        document = Document()
        for line in range(150):
            words = (WORDS[(number + line * step) % len(WORDS)] for step in range(1, 9))
            document.add_paragraph(f"{number}.{line} {' '.join(words)}.")
        document.save(str(folder / f"{number}.docx"))


@contextlib.contextmanager
def _executor(nodes: int, folder: Path) -> Iterator[RayExecutor | LocalExecutor]:
    """Yield an executor: this machine with one thread, or nodes of one processor each."""
    if not nodes:
        yield _OneThread()
        return
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_TMPDIR": str(folder)}
    os.environ |= {"RAY_AUTH_MODE": "disabled", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 100 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    try:
        for _ in range(nodes - 1):
            cluster.add_node(**node)
        cluster.wait_for_nodes()
        with connected(cluster.address) as executor:
            yield executor
    finally:
        cluster.shutdown()


class _OneThread(LocalExecutor):
    """This machine with one encoding thread, comparable to one node."""

    def encode(
        self,
        generation: IndexGeneration,
        codecs: Sequence[Codec],
        batches: Iterable[TextBatch],
        report: Callable[[int], None],
    ) -> Generator[tuple[CompressedBatch, ...]]:
        encoder = generation.query_encoder()
        for batch in batches:
            yield encode_batch(encoder, batch, generation.reduction, codecs, report)


def _index(
    folder: Path, home: Path, executor: RayExecutor | LocalExecutor | None
) -> dict[str, float]:
    """Index a folder from scratch; return the seconds of the stage that the folder is for."""
    shutil.rmtree(home, ignore_errors=True)
    began: dict[Stage, float] = {}
    is_reading = folder.name == "documents"
    spent_s = read_s = 0.0

    def note(progress: Progress) -> None:
        nonlocal spent_s, read_s
        if progress.stage not in began:
            spent_s = time.process_time()
        began.setdefault(progress.stage, time.perf_counter())
        if is_reading and progress.stage is Stage.READING and progress.done == progress.total:
            read_s = time.perf_counter()
        elif is_reading and read_s:
            job.cancel()

    job = Job(note)
    with Library.open(home) as library:
        library.add_folder(folder)
        with contextlib.suppress(Cancelled):
            library.sync(job, executor=executor)
    ended_s = time.perf_counter()
    if is_reading:
        return {"reading_s": round(read_s - began[Stage.READING], 2)}
    return {
        "encoding_s": round(ended_s - began[Stage.ENCODING], 2),
        "processor_s": round(time.process_time() - spent_s, 2),
    }


# The writer's time


@dataclass(frozen=True, slots=True)
class Stages:
    """The cost of one passage: processor seconds, and bytes on the network.

    Attributes:
        encode_s: encoding, on one processor.
        store_s: storing its text and words, by the writer.
        select_s: selecting it among the waiting passages, by the writer.
        hand_s: sending it out and receiving it back, by the writer.
        publish_s: writing it to a segment and the catalog, by the writer.
        merge_s: merging segments, by the writer.
        out_bytes: bytes sent to its encoder.
        back_bytes: bytes received back.
    """

    encode_s: float
    store_s: float
    select_s: float
    hand_s: float
    publish_s: float
    merge_s: float
    out_bytes: float
    back_bytes: float

    @property
    def writer_s(self) -> float:
        """Return the writer's seconds per passage while passages are encoded."""
        return self.select_s + self.hand_s + self.publish_s + self.merge_s


class _Replay(LocalExecutor):
    """Returns precomputed results, so that only the writer takes time."""

    def __init__(self) -> None:
        self._text: FileText | None = None
        self._stored: list[CompressedBatch] = []

    def read(
        self, documents: Sequence[KnownDocument], context: ReadingContext
    ) -> Generator[tuple[KnownDocument, FileAnswer | None]]:
        for known in documents:
            context.report(known.path)
            if self._text is None:
                answer = FileReader(context).read(known)
                assert isinstance(answer, FileText)
                self._text = answer
            yield known, replace(self._text, content_hash=f"{known.id:032x}", identity=None)

    def encode(
        self,
        generation: IndexGeneration,
        codecs: Sequence[Codec],
        batches: Iterable[TextBatch],
        report: Callable[[int], None],
    ) -> Generator[tuple[CompressedBatch, ...]]:
        encoder = generation.index_encoder()
        for batch in batches:
            if not self._stored or len(self._stored[0].encoded) != len(batch):
                self._stored = list(
                    encode_batch(encoder, batch, generation.reduction, codecs, report)
                )
            yield (_numbered(self._stored[0], batch.passage_ids),)


def _numbered(batch: CompressedBatch, passage_ids: Sequence[int]) -> CompressedBatch:
    import numpy as np

    assert batch.with_vectors is not None
    encoded = tuple(
        Encoded(number, row.tokens, row.vectors)
        for number, row in zip(passage_ids, batch.encoded, strict=True)
    )
    return CompressedBatch(replace(batch.with_vectors, passage_ids=np.array(passage_ids)), encoded)


def _stages(folder: Path, options: argparse.Namespace, encode_s: float) -> dict[str, float]:
    """Measure the writer storing and publishing passages, ten per document."""
    import pickle

    count = options.stored // 10
    write_notes(folder / "stored", count, passages=10)
    spent = dict.fromkeys(("store", "select", "publish", "merge"), 0.0)
    last_batch: list[CompressedBatch] = []
    add = IndexWriter.add

    def publish(writer: IndexWriter, batch: CompressedBatch, **flags: Any) -> None:
        last_batch[:] = [batch]
        add(writer, batch, **flags)

    with contextlib.ExitStack() as stack:
        stack.enter_context(_timed(Batch, "store", spent, "store"))
        stack.enter_context(_timed(stored_passages, "waiting", spent, "select"))
        setattr(IndexWriter, "add", publish)  # noqa: B010 - only while it is timed
        stack.callback(setattr, IndexWriter, "add", add)
        stack.enter_context(_timed(IndexWriter, "add", spent, "publish"))
        stack.enter_context(_timed(IndexWriter, "merge", spent, "merge"))
        home = folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        with Library.open(home) as library:
            library.add_folder(folder / "stored")
            passages = library.sync(executor=_Replay()).passages
            rows = stored_passages.sample(library._catalog.connection(), passages)  # noqa: SLF001
    texts = TextBatch.of(rows[:PASSAGES_PER_SEGMENT])
    per_passage = {f"{name}_s": seconds / passages for name, seconds in spent.items()}
    return per_passage | {
        "encode_s": encode_s,
        "hand_s": _handing_s(folder, texts, last_batch[0]),
        "out_bytes": len(pickle.dumps(texts)) / len(texts),
        "back_bytes": len(pickle.dumps(last_batch[0])) / len(last_batch[0].encoded),
    }


@contextlib.contextmanager
def _timed(owner: Any, name: str, spent: dict[str, float], key: str) -> Iterator[None]:
    """Add up the processor time of a function, excluding other load on the machine."""
    function = getattr(owner, name)

    def call(*arguments: Any, **keywords: Any) -> Any:
        began_s = time.thread_time()
        try:
            return function(*arguments, **keywords)
        finally:
            spent[key] += time.thread_time() - began_s

    setattr(owner, name, call)
    try:
        yield
    finally:
        setattr(owner, name, function)


class _Echo:
    """An encoder that takes no time."""

    def __init__(self, batch: CompressedBatch) -> None:
        self._batch = batch

    def encode(self, _texts: TextBatch) -> tuple[CompressedBatch, ...]:
        return (self._batch,)


def _handing_s(folder: Path, texts: TextBatch, batch: CompressedBatch, times: int = 100) -> float:
    """Return the sender's seconds per passage to send a batch out and receive it back."""
    with _executor(1, folder):
        import ray

        echo = ray.remote(_Echo).remote(batch)
        ray.get(echo.encode.remote(texts))
        spent_s = 0.0
        for _ in range(times):
            began_s = time.thread_time()
            reference = echo.encode.remote(texts)
            spent_s += time.thread_time() - began_s
            ray.wait([reference])
            began_s = time.thread_time()
            ray.get(reference)
            spent_s += time.thread_time() - began_s
    return spent_s / times / len(texts)


# Simulation


def _simulate(stages: Stages) -> None:
    """Print the time for a hundred million passages, and the limits by machines and network."""
    print("\n| machines | passages a second | 100 million | encoders busy | writer | network |")
    print("|---|---|---|---|---|---|")
    for machines, result in zip(MACHINES, _simulated(stages), strict=True):
        hours = LARGE / result.per_second / 3600
        print(
            f"| {machines} | {result.per_second:,.0f} | {hours:,.1f} h | {result.encoders:.0%} "
            f"| {result.writer:.0%} | {result.network:.0%} |"
        )
    print("\n| what bounds it | passages a second | machines |\n|---|---|---|")
    each = PROCESSORS / stages.encode_s
    bounds = {"the writer, while encoding": 1 / stages.writer_s}
    bounds |= {"the writer, while reading": 1 / stages.store_s}
    for name, speed in LINKS.items():
        # Texts and vectors use different directions of the link.
        bounds[f"the network, {name}"] = speed / max(stages.out_bytes, stages.back_bytes)
    for name, most in bounds.items():
        print(f"| {name} | {most:,.0f} | {most / each:,.1f} |")


def _simulated(stages: Stages) -> list[Simulated]:
    """Simulate each number of machines in `MACHINES` with the slower link."""
    link = LINKS["1 Gbit/s"]
    return [
        simulate(stages, machines, link, PASSAGES_PER_SEGMENT, batches=4000)
        for machines in MACHINES
    ]


def draw(
    rows: Sequence[Mapping[str, Any]], stages: Stages, other: Stages | None, path: Path
) -> None:
    """Draw the simulation, also for another processor, and the nodes' times if measured."""
    curves = [
        pictures.Series(label, MACHINES, [result.per_second for result in _simulated(each)])
        for label, each in (("as measured", stages), ("other processor", other))
        if each is not None
    ]
    pictures.lines(
        path,
        curves,
        f"Machines of {PROCESSORS} processors, one writer, 1 Gbit/s: simulated",
        "machines",
        "passages encoded a second",
        references={"the writer": 1 / stages.writer_s},
        x_ticks=MACHINES,
        log_x=True,
        from_zero=True,
    )
    if rows:
        pictures.dots(
            path.with_stem(f"{path.stem}-nodes"),
            [str(row["nodes"]) for row in rows],
            [
                pictures.Dots("encoding the notes", [row["encoding_s"] for row in rows]),
                pictures.Dots("reading the documents", [row["reading_s"] for row in rows]),
            ],
            "Nodes of one processor each, on one machine",
            "seconds",
        )


@dataclass(frozen=True, slots=True)
class Simulated:
    """The speed of encoding, and the share of time that each part was busy."""

    per_second: float
    encoders: float
    writer: float
    network: float


def simulate(
    stages: Stages, machines: int, link_bytes_s: float, batch: int, batches: int
) -> Simulated:
    """Simulate distributing batches to encoders by events, two at a time for each encoder.

    An encoder takes four processors. The writer does one thing at a time: it sends a batch, or
    receives and publishes one. Each direction of its link carries one batch at a time.
    """
    encoders = machines * PROCESSORS // 4
    encode_s = stages.encode_s * batch / 4
    out_s, back_s = (size * batch / link_bytes_s for size in (stages.out_bytes, stages.back_bytes))
    hand_s = (stages.select_s + stages.hand_s / 2) * batch
    take_s = (stages.hand_s / 2 + stages.publish_s + stages.merge_s) * batch
    free_s = [0.0] * encoders  # when each encoder is free again
    arrived: list[
        tuple[float, int]
    ] = []  # arrival times of results at the writer, with their encoder
    wanting = [number for number in range(encoders) for _ in range(2)]
    now_s = out_busy_s = back_busy_s = encoding_s = writing_s = 0.0
    handed = received = 0
    while received < batches:
        if wanting and handed < batches:
            number = wanting.pop(0)
            now_s += hand_s
            writing_s += hand_s
            out_busy_s = max(out_busy_s, now_s) + out_s
            free_s[number] = max(free_s[number], out_busy_s) + encode_s
            encoding_s += encode_s
            heapq.heappush(arrived, (free_s[number], number))
            handed += 1
            continue
        done_s, number = heapq.heappop(arrived)
        back_busy_s = max(back_busy_s, done_s) + back_s
        now_s = max(now_s, back_busy_s) + take_s
        writing_s += take_s
        wanting.append(number)
        received += 1
    network_s = max(out_s, back_s) * batches
    return Simulated(
        batches * batch / now_s,
        encoding_s / now_s / encoders,
        writing_s / now_s,
        network_s / now_s,
    )


if __name__ == "__main__":
    main()
