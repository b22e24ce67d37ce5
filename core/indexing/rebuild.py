"""Encoding the catalog's passages, and rebuilding the index when its specification changes.

A changed index is built next to the live one: its vectors are staged in the catalog, and one
transaction makes them live. If killed before, the old index stays live, and the next sync continues
with the staged vectors.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.catalog import maintenance, manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.files import folders
from core.catalog.manifest import GenerationRow
from core.encoders.folders.checkpoint import load_arrays
from core.errors import LibraryError, ModelError
from core.files import own_files
from core.files.locations import Location
from core.index.codebook import CENTROIDS, SUB_CENTROIDS, are_alike, learn_library_lists, learn_own
from core.index.codec import UNCOMPRESSED, ResidualCodec
from core.index.generation import (
    IndexGeneration,
    codebook_folder,
    codebook_name,
    is_intact,
    lacks_codebook,
    learned_at,
    open_encoder,
)
from core.index.index_writer import BatchPublisher, IndexWriter
from core.index.inverted_lists import joined
from core.index.reduction import encode_reduced
from core.index.segment_store import SegmentStore
from core.indexing.build import speed
from core.indexing.build.generations import Generations, IndexTarget, is_large
from core.indexing.read.executor import Executor, LocalExecutor, TextBatch
from core.progress import Job, Progress, Stage

_log = logging.getLogger(__name__)

# Passages in the sample that a codebook is learned from.
SAMPLE_PASSAGES: Final = 4096
# Growth factor after which a library's own codebook is learned again. Each passage is then encoded
# again a third of a time on average, however large the library becomes.
_GROWTH: Final = 4


def learn_codebook(catalog: Catalog, target: IndexTarget, job: Job) -> Arrays:
    """Learn a codebook from the kept vectors of a sample of the library's passages.

    Args:
        catalog: the library's.
        target: the index that the codebook is for.
        job: to cancel.

    Raises:
        ModelError: the model cannot be loaded.
        Cancelled: the job was cancelled.
    """
    with catalog.reading() as db:
        texts = [(context, text) for _, context, text in passages.sample(db, SAMPLE_PASSAGES)]
    encoder = open_encoder(target.checkpoint, target.tokenizer, target.device)
    reduced = encode_reduced(encoder, texts, target.reduction, lambda _done: job.checkpoint())
    vectors = np.concatenate([passage.vectors for passage in reduced])
    job.checkpoint()
    arrays, report = learn_own(vectors)
    _log.info("a codebook of %d centroids: %s", len(arrays[CENTROIDS]), report)
    return dict(arrays)


def write_codebook(catalog: Catalog, model: str, arrays: Arrays, count: int) -> str:
    """Write a codebook learned from this many passages; return its name.

    The file is written atomically.

    Raises:
        LibraryError: it cannot be written.
    """
    from safetensors.numpy import save

    data = save(arrays)
    name = codebook_name(model, data, count)
    path = codebook_folder(catalog.path.parent) / name
    with LibraryError.on_os_error(
        "The library's codebook {0} cannot be written ({1}). Free up space, or check your "
        "permissions for the folder.",
        path,
    ):
        own_files.make_folder(path.parent)
        own_files.write(path, data)
    return name


def is_outgrown(codebook: str, count: int) -> bool:
    """Return whether a library with this many passages has outgrown its own codebook.

    >>> is_outgrown("my-model-0123-1271cf25-3000.safetensors", 11_999)
    False
    >>> is_outgrown("my-model-0123-1271cf25-3000.safetensors", 12_000)
    True
    """
    return learned_at(codebook) * _GROWTH <= count


_SAMPLE_FOR_LISTS: Final = 1 << 16
_PASSAGES_AT_ONCE: Final = 8192
Arrays = dict[str, npt.NDArray[Any]]


def learn_lists(generation: IndexGeneration, vectors: int, job: Job) -> Arrays:
    """Return the generation's codebook arrays, with inverted lists for this number of `vectors`.

    Arrays of the model's own codebook are left out.

    Raises:
        ModelError: the generation's own codebook is missing or damaged.
        Cancelled: the job was cancelled.
    """
    codec = generation.segments.codec
    assert isinstance(codec, ResidualCodec)
    sample = joined(generation.segments.sample(_SAMPLE_FOR_LISTS)).codes
    arrays = learn_library_lists(codec, sample, vectors, job.checkpoint)
    if codebook := generation.row.spec.codebook:
        before = load_arrays(codebook_folder(generation.segments.folder.parent) / codebook)
        # Read as float32, but stored as float16.
        halves = {CENTROIDS, SUB_CENTROIDS}
        arrays = {
            name: array.astype(np.float16) if name in halves else array
            for name, array in before.items()
            if name not in arrays
        } | arrays
    return arrays


def differ_in_lists(before: SegmentStore, after: SegmentStore) -> bool:
    """Return whether the vectors of one index can be recoded for the other."""
    old_codec, other = before.codec, after.codec
    if not isinstance(old_codec, ResidualCodec) or not isinstance(other, ResidualCodec):
        return False
    return are_alike(old_codec, other)


def recode_answering(catalog: Catalog, before: SegmentStore, after: SegmentStore, job: Job) -> None:
    """Stage the vectors of one index in another, if only their library's lists differ.

    Raises:
        Cancelled: the job was cancelled; staged vectors stay.
        DiskFullError, LibraryError: the index cannot be written; nothing is lost.
    """
    if not differ_in_lists(before, after):
        return
    writer = IndexWriter(after)
    with catalog.reading() as db:
        segments = [row.id for row in manifest.segments(db) if before.fits(row)]
    # One segment at a time: full-size segments are not rewritten by merging.
    for segment in segments:
        job.checkpoint()
        if batch := passages.answering_unstaged(catalog.connection(), segment):
            writer.stage_from(before, segment, batch)
            writer.merge(job)
            before.rest()


# Passages per batch: a few seconds of encoding on a laptop, the most that is lost when killed. The
# vectors of all their tokens are in memory at once: 1,024 take 400 MB more, and are not faster.
PASSAGES_PER_SEGMENT: Final = 256


def encode_waiting(
    catalog: Catalog,
    generation: IndexGeneration,
    job: Job,
    *,
    executor: Executor,
    is_staged: bool = False,
    also: IndexGeneration | None = None,
    step: int = 1,
) -> int:
    """Encode all passages without vectors, and publish them; return their number.

    Args:
        catalog: of the library.
        generation: the index that the vectors are added to.
        job: receives progress, and may cancel.
        executor: encodes them.
        is_staged: whether the index is not live yet; the live vectors are then unchanged.
        also: the generation being built, if only its codebook differs from that of `generation`;
            the vectors are added to it too.
        step: encode only passages whose number it divides, as a sample of the whole library.

    Raises:
        Cancelled: the person cancelled; published vectors stay.
        ModelError: the model cannot be loaded.
    """
    counted = passages.counts(catalog.connection())
    wanting = counted.unstaged if is_staged else counted.waiting
    writer = IndexWriter(generation.segments)
    if not wanting:
        writer.merge(job, is_at_rest=True)
        return 0
    select = passages.unstaged if is_staged else passages.waiting
    only_first = True
    codecs = [each.segments.codec for each in (generation, also) if each is not None]
    began_s = time.monotonic()
    done = 0

    def report(in_batch: int) -> None:
        job.checkpoint()
        now = done + in_batch
        total = max(wanting, now)
        left_s = (time.monotonic() - began_s) / now * (total - now) if now else None
        findable = counted.passages - counted.waiting + (0 if is_staged else done)
        stage = Stage.REPLACING if is_staged else Stage.ENCODING
        job.report(Progress(stage, now, total, "", findable, left_s))

    def batches() -> Iterator[TextBatch]:
        last = 0
        while rows := select(
            catalog.connection(), PASSAGES_PER_SEGMENT, last, only_first=only_first, step=step
        ):
            last = rows[-1][0]
            report(0)
            yield TextBatch.of(rows)

    def encode() -> None:
        nonlocal done
        publishers = [BatchPublisher(writer, job, is_staged=is_staged)]
        if also is not None:
            publishers.append(BatchPublisher(IndexWriter(also.segments), job, is_staged=True))
        encoding = executor.encode(generation, codecs, batches(), report)
        with contextlib.ExitStack() as stack:
            for publisher in publishers:
                stack.enter_context(publisher)
            first_s, tokens = 0.0, 0
            for compressed in stack.enter_context(contextlib.closing(encoding)):
                for publisher, batch in zip(publishers, compressed, strict=True):
                    publisher.add(batch)
                done += len(compressed[0].encoded)
                # Loading the model is part of the first batch.
                if first_s:
                    tokens += sum(encoded.tokens for encoded in compressed[0].encoded)
                    speed.note(generation.row.spec.name, tokens, time.monotonic() - first_s)
                first_s = first_s or time.monotonic()

    # Again for passages that were added in the meantime, or whose segment was lost.
    while select(catalog.connection(), 1, step=step):
        before = done
        # If there are only copies, no model is loaded.
        if select(catalog.connection(), 1, only_first=only_first, step=step):
            encode()
        # Searching for copies reads all waiting passages.
        if step > 1:
            break
        for twins in _twins(catalog, is_staged=is_staged):
            report(0)
            done += writer.add_twins(twins, is_staged=is_staged)
            writer.merge(job)
        # If the segment of the equal passage is damaged, there is nothing to copy.
        only_first = done > before
    writer.merge(job, is_at_rest=True)
    report(0)
    return done


def _twins(catalog: Catalog, *, is_staged: bool) -> Iterator[list[tuple[int, passages.Encoded]]]:
    """Yield batches of passages that need no encoding, because an equal one has vectors."""
    last = 0
    while twins := passages.waiting_twins(
        catalog.connection(), _PASSAGES_AT_ONCE, last, is_staged=is_staged
    ):
        last = twins[-1][0]
        yield twins


class Rebuild:
    """Updates the vectors of a library to its passages and to the target index.

    If the target index differs from the live one, it is built in three steps: a codebook of the
    library's own is learned, if one is needed; all passages are encoded, or recoded if only the
    library's lists differ; one transaction makes the new vectors live.

    Call all methods under the library's lock.

    Args:
        catalog: of the library.
        generations: of its index.
        executor: encodes passages; None to encode them here.
    """

    def __init__(
        self, catalog: Catalog, generations: Generations, executor: Executor | None = None
    ) -> None:
        self._catalog = catalog
        self._generations = generations
        self._executor = executor or LocalExecutor()
        self._began_early = False

    def run(self, job: Job) -> None:
        """Compute the missing vectors, and make them live.

        A library that has all of them, and many, then gets its own inverted lists.

        Raises:
            ModelError: the model cannot be loaded.
            Cancelled: the job was cancelled; finished vectors stay.
        """
        count = self._make(job)
        if self._plan_library_lists(count, job):
            self._make(job)

    def keep_up(self, job: Job) -> None:
        """Compute the missing vectors of the live index.

        Raises:
            Cancelled: the job was cancelled; finished vectors stay.
        """
        try:
            self._encode(self._generations.answering(), job)
        except ModelError as error:
            _log.info("Not encoded for the current index: %s", error)

    def begin_early(self, job: Job) -> None:
        """Encode what the sync has read so far, but only the first time.

        The newest files are then found by meaning within a minute, however long reading takes. The
        others are encoded once all have been read, because their words can be found sooner.

        Raises:
            Cancelled: the job was cancelled; finished vectors stay.
        """
        if self._began_early:
            return
        self._began_early = True
        with self._catalog.reading() as db:
            is_new = manifest.live(db) is None
        if not is_new:
            self.keep_up(job)
        # A codebook of the library's own is better learned from all texts.
        elif not lacks_codebook(self._generations.target.checkpoint):
            try:
                self._make(job)
            except ModelError as error:
                _log.info("Not encoded early: %s", error)

    def begin(self) -> None:
        """Make the next sync recreate everything from the files, next to the live index.

        An index being built is dropped. A document whose text is unchanged keeps its passages.

        Raises:
            ModelError: the chosen model is missing.
            LibraryError: the catalog is damaged beyond repair.
        """
        target = self._generations.target
        if target.problem:
            raise ModelError(target.problem)
        with self._catalog.transaction() as db:
            maintenance.rebuild_indexes(db)
            there = [root.id for root in folders.roots(db) if Location.of(root.path).is_folder()]
            maintenance.set_rereads(db, there)
            live = manifest.live(db)
            if live is not None:
                manifest.put(db, replace(target.row, epoch=live.epoch + 1, is_live=False))

    def give_up(self) -> None:
        """Cancel what `begin` requested and is not done yet."""
        with self._catalog.transaction() as db:
            maintenance.forget_rereads(db)
            manifest.drop_building(db)
        self._generations.clean()

    def _make(self, job: Job) -> int:
        """Compute the missing vectors; return the number of passages."""
        self._generations.reconsider()
        target = self._generations.target
        with self._catalog.reading() as db:
            counted = passages.counts(db)
            live, building = manifest.live(db), manifest.building(db)
        if target.problem:
            if counted.waiting:
                raise ModelError(target.problem)
            return counted.passages
        wanted = self._known(target, live, building, counted.passages)
        if wanted is not None and live is not None and wanted.key == live.key:
            is_chosen = target.row.is_chosen
            if building is not None or live.is_chosen != is_chosen:
                self._store(replace(live, is_chosen=is_chosen))
                self._generations.clean()
            if not counted.waiting:
                return counted.passages
        if not counted.passages:
            if wanted is not None and (live is None or wanted.key != live.key):
                self._store(wanted)
            return 0
        job.report(Progress(Stage.PREPARING, 0, 0, target.checkpoint.name))
        if wanted is None:
            wanted = self._learned(target, _epoch(live, building), counted.passages, job)
        if live is not None and wanted.key != live.key and counted.tokens > 0:
            wanted = replace(wanted, is_live=False)
            if building is None or building.key != wanted.key:
                self._store(wanted)
            self._replace(live, wanted, job)
            return counted.passages
        if live is None or wanted.key != live.key:
            self._store(wanted)
        self._begin_with_lists(counted, job)
        self._encode(self._generations.answering(), job)
        return counted.passages

    def _begin_with_lists(self, counted: passages.PassageCounts, job: Job) -> None:
        """If very many passages wait, learn the inverted lists from a sample of them first.

        If the lists were learned at the end, every vector would be written twice.
        """
        with self._catalog.reading() as db:
            live = manifest.live(db)
        assert live is not None
        encoded = counted.passages - counted.waiting
        if counted.waiting < _GROWTH * max(_SAMPLE_FOR_LISTS, encoded) or not self._wants_lists(
            live, counted.passages
        ):
            return
        generation = self._generations.open(live)
        # Selected by number: after an interruption, the same sample is continued.
        self._encode(generation, job, step=max(counted.passages // _SAMPLE_FOR_LISTS, 1))
        self._replace(live, self._learn_lists(live, counted.passages, job), job)

    def _known(
        self,
        target: IndexTarget,
        live: GenerationRow | None,
        building: GenerationRow | None,
        count: int,
    ) -> GenerationRow | None:
        """Return the target generation; None if its codebook must be learned first."""
        wanted = replace(target.row, epoch=_epoch(live, building))
        if wanted.spec.bits == UNCOMPRESSED:
            return wanted
        needs_own = lacks_codebook(target.checkpoint)
        # A rebuild from the files learns the codebook again, too.
        for row in (building, live if live is None or live.epoch == wanted.epoch else None):
            if (
                row is not None
                and (row.spec.model, row.spec.bits) == (wanted.spec.model, wanted.spec.bits)
                and self._is_intact(row.spec.codebook)
                and not (needs_own and is_outgrown(row.spec.codebook, count))
            ):
                return wanted.with_codebook(row.spec.codebook)
        return None if needs_own else wanted

    def _learned(self, target: IndexTarget, epoch: int, count: int, job: Job) -> GenerationRow:
        """Learn a codebook, and return the target generation with it."""
        row = replace(target.row, epoch=epoch)
        arrays = learn_codebook(self._catalog, target, job)
        return row.with_codebook(write_codebook(self._catalog, row.spec.model, arrays, count))

    def _replace(self, live: GenerationRow, wanted: GenerationRow, job: Job) -> None:
        """Compute all vectors of a generation, and replace the live one with it."""
        generation = self._generations.open(wanted)
        # New passages are then found at once, and encoded once for both.
        if live.with_codebook("").spec == wanted.with_codebook("").spec and (
            not live.spec.codebook or self._is_intact(live.spec.codebook)
        ):
            answering = self._generations.open(live)
            can_recode = live.epoch == wanted.epoch and differ_in_lists(
                answering.segments, generation.segments
            )
            with self._catalog.reading() as db:
                counted = passages.counts(db)
            # If most have no vectors, the few others are recoded quickly, and each is encoded only
            # once.
            if not can_recode or counted.waiting * 2 < counted.passages:
                self._encode(answering, job, also=generation)
            if can_recode:
                recode_answering(self._catalog, answering.segments, generation.segments, job)
                with self._catalog.reading() as db:
                    left = passages.counts(db)
                if left.unstaged == left.waiting:
                    self._go_live(generation)
                    self._encode(generation, job)
                    return
        self._encode(generation, job, is_staged=True)
        self._go_live(generation)

    def _go_live(self, generation: IndexGeneration) -> None:
        with self._catalog.transaction() as db:
            manifest.go_live(db)
        IndexWriter(generation.segments).clean()

    def _encode(
        self,
        generation: IndexGeneration,
        job: Job,
        *,
        is_staged: bool = False,
        also: IndexGeneration | None = None,
        step: int = 1,
    ) -> None:
        encode_waiting(
            self._catalog,
            generation,
            job,
            executor=self._executor,
            is_staged=is_staged,
            also=also,
            step=step,
        )

    def _plan_library_lists(self, count: int, job: Job) -> bool:
        """Learn the library's own inverted lists if they are due, and start an index with them.

        Args:
            count: number of passages.
            job: its progress.
        """
        with self._catalog.reading() as db:
            live, building = manifest.live(db), manifest.building(db)
            waiting = passages.count_waiting(db)
        if live is None or building is not None or waiting or not self._wants_lists(live, count):
            return False
        self._learn_lists(live, count, job)
        return True

    def _wants_lists(self, live: GenerationRow, count: int) -> bool:
        """Return whether a library of this size needs its own inverted lists, or new ones."""
        target = self._generations.target
        if not is_large(count) or target.problem:
            return False
        if (live.spec.model, live.spec.bits) != (target.row.spec.model, target.row.spec.bits):
            return False
        codec = self._generations.open(live).segments.codec
        if not isinstance(codec, ResidualCodec):
            return False
        return not codec.sub_centroids.are_of_library or is_outgrown(live.spec.codebook, count)

    def _learn_lists(self, live: GenerationRow, count: int, job: Job) -> GenerationRow:
        """Learn inverted lists for this many passages; start an index with them."""
        with self._catalog.reading() as db:
            counted = passages.counts(db)
        job.report(Progress(Stage.PREPARING, 0, 0, live.spec.name))
        vectors = counted.vectors * count // max(counted.passages - counted.waiting, 1)
        lists = learn_lists(self._generations.open(live), vectors, job)
        codebook = write_codebook(self._catalog, live.spec.model, lists, count)
        building = replace(live.with_codebook(codebook), is_live=False)
        self._store(building)
        return building

    def _is_intact(self, codebook: str) -> bool:
        return is_intact(codebook_folder(self._generations.home) / codebook)

    def _store(self, row: GenerationRow) -> None:
        """Store a generation; a live one replaces the one being built."""
        with self._catalog.transaction() as db:
            if row.is_live:
                manifest.drop_building(db)
            manifest.put(db, row)


def is_under_way(catalog: Catalog) -> bool:
    """Return whether a rebuild from the files is incomplete."""
    with catalog.reading() as db:
        epochs = {row.epoch for row in manifest.generations(db)}
        return maintenance.count_rereads(db) > 0 or len(epochs) > 1


def _epoch(live: GenerationRow | None, building: GenerationRow | None) -> int:
    """Return the epoch, including a rebuild in progress."""
    return max((row.epoch for row in (live, building) if row is not None), default=0)
