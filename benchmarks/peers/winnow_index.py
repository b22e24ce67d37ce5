"""Winnow's index, with its catalog and merging, at configurable settings.

    python winnow_index.py [--keep WAY:SHARE[+SHARE]] [--bits B] [--vectors K] [--lists L]
        [--candidates C] [--procedure warp|xtr|colbert] [--own] [--refined N]
        INPUT_FOLDER WORK_FOLDER OUTPUT.json --threads N

In addition to the other engines' input, INPUT_FOLDER holds `saliences.npy` (t,) float32,
`settings.json` with the model and whether each passage's first vector is its summary, and
`given.npz`, the transformer's input for each passage. With `--refined` the best N passages are
encoded again, as in the program, which takes most of a query's time. Building includes clustering
the tokens of each passage where fewer vectors are kept, building the index's inverted lists, and
with `--own` learning a codebook, as a library of this size does; all of them count towards the
index size.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import harness
import numpy as np
from safetensors.numpy import save

from core.alignment.reduction import TokenReduction
from core.catalog import documents, manifest
from core.catalog import passages as stored_passages
from core.catalog.catalog import Catalog
from core.catalog.documents import NewPassage
from core.catalog.files import folders
from core.catalog.manifest import GenerationRow, IndexSpec
from core.encoders.encoder import Encoder, TextTokens, TokenVectors
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.index.codebook import learn_own, load_codec
from core.index.codec import Codec
from core.index.generation import IndexGeneration, codebook_folder, codebook_name
from core.index.index_searcher import IndexSearcher
from core.index.index_writer import IndexWriter
from core.index.native import loops
from core.index.probing import ProbeParams
from core.index.reduction import ReducedPassage, reduce_passages
from core.index.refinement_store import BITS as REFINEMENT_BITS
from core.index.segment_store import SegmentStore
from core.indexing import rebuild
from core.indexing.build.generations import is_large
from core.indexing.rebuild import PASSAGES_PER_SEGMENT
from core.progress import Job
from lab.reference import procedures
from lab.reference.procedures import Procedure

# The child processes read the command line's options from these environment variables.
SETTINGS = "WINNOW_BENCH_SETTINGS"
SOURCE = "WINNOW_BENCH_SOURCE"


@dataclass(frozen=True)
class Settings:
    """How passages are reduced, and the effort of a search."""

    keep: str
    bits: int
    vectors: int
    lists: int
    candidates: int
    own: bool = False
    procedure: str = Procedure.WARP
    refined: int = 0

    @classmethod
    def from_environment(cls) -> Settings:
        return cls(**json.loads(os.environ[SETTINGS]))


def open_index(folder: Path, settings: Settings, model: str) -> tuple[Catalog, SegmentStore]:
    checkpoint = load_checkpoint(model)
    # Outside the index folder, because the catalog holds the text of the passages.
    catalog = Catalog(folder.parent / "catalog.sqlite")
    spec = IndexSpec(checkpoint.name, checkpoint.fingerprint, settings.bits, settings.keep)
    row = GenerationRow(spec, checkpoint.source)
    row, own = _codebook(folder, row)
    with catalog.transaction() as db:
        if manifest.live(db) is None:
            manifest.put(db, row)
    return catalog, SegmentStore(folder / "index", catalog, _codec(settings, checkpoint, own), row)


def _codec(settings: Settings, checkpoint: Checkpoint, codebook: Path | None) -> Codec:
    has_store = bool(TokenReduction.parse(settings.keep).stored)
    return load_codec(checkpoint, settings.bits, codebook, REFINEMENT_BITS if has_store else 0)


def _codebook(folder: Path, row: GenerationRow) -> tuple[GenerationRow, Path | None]:
    """Return the row with the codebook that was learned last, and the codebook's file."""
    learned = codebook_folder(folder)
    if not learned.exists():
        return row, None
    last = max(learned.iterdir(), key=lambda path: path.stat().st_mtime_ns)
    return row.with_codebook(last.name), last


def _learned(folder: Path, arrays: Mapping[str, Any]) -> None:
    data = save(dict(arrays))
    learned = codebook_folder(folder)
    learned.mkdir(exist_ok=True)
    (learned / codebook_name("bench", data, 0)).write_bytes(data)


def build_own_lists(folder: Path, catalog: Catalog, settings: Settings, model: str) -> None:
    """Build inverted lists for the index, as a library does unless it is small."""
    with catalog.reading() as db:
        counted, live = stored_passages.counts(db), manifest.live(db)
    if live is None or not is_large(counted.passages):
        return
    generation = IndexGeneration(folder, catalog, load_checkpoint(model), live)
    _learned(folder, rebuild.learn_lists(generation, counted.vectors, Job()))
    row, path = _codebook(folder, live)
    with catalog.transaction() as db:
        manifest.put(db, replace(row, is_live=False))
    codec = _codec(settings, generation.checkpoint, path)
    after = SegmentStore(folder / "index", catalog, codec, row)
    rebuild.recode_answering(catalog, generation.segments, after, Job())
    IndexWriter(after).merge(Job(), is_at_rest=True)
    with catalog.transaction() as db:
        manifest.go_live(db)
    IndexWriter(after).clean()
    # Delete the earlier codebook without lists, as a library does.
    for path in codebook_folder(folder).iterdir():
        if path.name != row.spec.codebook:
            path.unlink()


def learn(passages: harness.Passages, source: Path, folder: Path, settings: Settings) -> None:
    """Learn a codebook from an even sample of the passages, as a library does."""
    step = -(-len(passages) // rebuild.SAMPLE_PASSAGES)
    numbers = range(0, len(passages), step)
    vectors = [one.vectors for one in reduced_of(passages, source, settings.keep, numbers)]
    arrays, _ = learn_own(np.concatenate(vectors))
    _learned(folder, arrays)


def add_passages(catalog: Catalog, count: int) -> list[int]:
    """Add passages, and return their numbers in ascending order."""
    with catalog.transaction() as db:
        collection = folders.add_collection(db, "vectors")
        document = documents.add_program_document(db, collection, "all")
        rows = [NewPassage(1, start, start, "", "") for start in range(count)]
        documents.set_read(db, document, None, "", 1, rows)
        return [row[0] for row in db.execute("SELECT id FROM passages ORDER BY id")]


def reduced_batches(
    passages: harness.Passages, source: Path, written: str
) -> Iterator[list[ReducedPassage]]:
    """Yield the reduced passages, one batch per segment."""
    for first in range(0, len(passages), PASSAGES_PER_SEGMENT):
        last = min(first + PASSAGES_PER_SEGMENT, len(passages))
        yield reduced_of(passages, source, written, range(first, last))


def reduced_of(
    passages: harness.Passages, source: Path, written: str, indices: Sequence[int]
) -> list[ReducedPassage]:
    """Return the reduced passages of these numbers."""
    described: dict[str, Any] = json.loads((source / "settings.json").read_text(encoding="utf-8"))
    saliences = np.load(source / "saliences.npy", mmap_mode="r")
    tokens = [
        TokenVectors(
            passages.of_passages(place, place + 1).astype(np.float32),
            saliences[passages.offsets[place] : passages.offsets[place + 1]],
        )
        for place in indices
    ]
    return reduce_passages(
        tokens, TokenReduction.parse(written), has_summary=described["has_summary"]
    )


def build(passages: harness.Passages, folder: Path, _threads: int) -> str:
    settings = Settings.from_environment()
    source = Path(os.environ[SOURCE])
    described: dict[str, Any] = json.loads((source / "settings.json").read_text(encoding="utf-8"))
    if settings.own:
        learn(passages, source, folder, settings)
    catalog, store = open_index(folder, settings, described["model"])
    writer = IndexWriter(store)
    numbers = iter(add_passages(catalog, len(passages)))
    for reduced in reduced_batches(passages, source, settings.keep):
        writer.publish([(next(numbers), one) for one in reduced])
        writer.merge(Job())
    writer.merge(Job(), is_at_rest=True)
    build_own_lists(folder, catalog, settings, described["model"])
    catalog.close()
    return (
        f"{settings.keep}, {settings.bits} bits, {settings.vectors:,} vectors or "
        f"{settings.lists} lists a token, {settings.candidates} compared in full"
        + (", a codebook of its own" if settings.own else "")
        + (f", {settings.refined} refined" if settings.refined else "")
    )


def load(folder: Path, threads: int) -> harness.Search:
    settings = Settings.from_environment()
    described = json.loads((Path(os.environ[SOURCE]) / "settings.json").read_text())
    _, store = open_index(folder, settings, described["model"])
    index = IndexSearcher(store)
    loops.load()
    probing = ProbeParams(settings.vectors, settings.lists)
    procedure = Procedure(settings.procedure)
    refined = Refinement.of(Path(os.environ[SOURCE]), described["model"], threads, settings.refined)

    def search(query: harness.Floats) -> list[int]:
        if procedure is Procedure.WARP:
            estimates = index.probe(query, probing)
        else:
            estimates = procedures.probe(index, query, probing, procedure)
        near = estimates.best(settings.candidates)
        best, _ = index.score(query, near).best(harness.K)
        # The catalog counts from 1.
        found: list[int] = (best - 1).tolist()
        return refined.order(query, found) if refined is not None else found

    return search


@dataclass(frozen=True)
class Refinement:
    """The second stage: reranks the best `count` passages with the vectors of all their tokens.

    Source: ALIGNER, section 3.2.
    """

    encoder: Encoder
    inputs: Mapping[str, harness.Longs]
    offsets: harness.Longs
    count: int

    @classmethod
    def of(cls, source: Path, model: str, threads: int, count: int) -> Refinement | None:
        """Return a refinement of the best `count` passages, or None if that is 0."""
        if not count:
            return None
        checkpoint = load_checkpoint(model)
        runtime = open_runtime(checkpoint, threads=threads)
        encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), runtime)
        inputs = dict(np.load(source / "given.npz"))
        return cls(encoder, inputs, np.load(source / "offsets.npy"), count)

    def order(self, query: harness.Floats, indices: list[int]) -> list[int]:
        """Return the passages with the first ones sorted by the score of all their tokens."""
        first = indices[: self.count]
        encoded = self.encoder.encode_passages([self._tokens(place) for place in first])
        scores = [float((query @ text.vectors.T).max(axis=1).sum()) for text in encoded]
        order = np.argsort(-np.array(scores), kind="stable")
        return [*(first[place] for place in order.tolist()), *indices[self.count :]]

    def _tokens(self, index: int) -> TextTokens:
        begin, end = self.inputs["framed_offsets"][index : index + 2]
        places = self.inputs["places"][self.offsets[index] : self.offsets[index + 1]].tolist()
        framed = tuple(self.inputs["framed"][begin:end].tolist())
        ids = tuple(framed[one] for one in places)
        attended = int(self.inputs["attended"][index])
        return TextTokens(ids, (), (), 0, framed, attended, tuple(places))


def main(arguments: Sequence[str]) -> None:
    """Parse Winnow's options, and leave the others to the common part."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--keep", default="weighted-pooling:0.4")
    for name, value in (
        ("bits", 2),
        ("vectors", 2000),
        ("lists", 2),
        ("candidates", 100),
        ("refined", 0),
    ):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--procedure", choices=list(Procedure), default=Procedure.WARP)
    parser.add_argument("--own", action="store_true")
    own, rest = parser.parse_known_args(arguments)
    os.environ[SETTINGS] = json.dumps(vars(own))
    os.environ[SOURCE] = str(Path(rest[0]).resolve())
    sys.argv[1:] = rest
    harness.run(harness.Engine(f"Winnow {own.keep} {own.bits} bits", "winnow", build, load))


if __name__ == "__main__":
    main(sys.argv[1:])
