"""Publishes passages' vectors as segments, merges segments, and removes dead vectors.

Each publication is a separate segment, and each segment makes a search a little slower. Segments
of similar size are merged when there are several, as in a log-structured merge tree: a vector is
written once per size tier. There are three tiers; a segment of the last is as large as one can be.
"""

import contextlib
import logging
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from core.catalog import manifest, passages
from core.files.own_files import discard
from core.index import segment as segment_file
from core.index.codebook import recoded
from core.index.codec import Codec, ResidualCodec
from core.index.inverted_lists import (
    MOST_PASSAGES,
    InvertedLists,
    Passages,
    build_inverted_lists,
    copied,
    joined,
    merged,
)
from core.index.reduction import ReducedPassage, StoredVectors
from core.index.refinement_store import RefinementStore
from core.index.segment import WrittenFile
from core.index.segment_store import SegmentStore
from core.progress import Job

# Upper limits of the tiers, in passages.
_TIERS: Final = (4096, 32_768, MOST_PASSAGES + 1)
# Segments of one tier that are merged into one.
_TOGETHER: Final = 16
# Largest share of dead passages in a segment before it is rewritten.
_MOST_DEAD: Final = 0.2
# At rest, segments are merged if together they have this share of the next larger one.
_QUARTER: Final = 0.25


@dataclass(frozen=True, slots=True)
class SegmentSize:
    """A segment's id, its number of passages, and the number of existing ones."""

    segment_id: int
    passages: int
    alive: int


def plan_merges(sizes: Sequence[SegmentSize], *, is_at_rest: bool = False) -> list[tuple[int, ...]]:
    """Return groups of segment numbers; each group is merged into one segment.

    A segment with many dead passages is rewritten alone. If the index is at rest, because all
    files have been added, small segments are merged as soon as together they have a quarter of the
    passages of the next larger one: searches then visit few segments, and a large segment is still
    not rewritten for each file that changes.

    >>> plan_merges([SegmentSize(number, 1000, 1000) for number in range(17)])
    [(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)]
    >>> plan_merges([SegmentSize(1, 1000, 1000), SegmentSize(2, 1000, 700)])
    [(2,)]
    >>> small = [SegmentSize(2, 1000, 1000), SegmentSize(3, 900, 900)]
    >>> plan_merges([SegmentSize(1, 9000, 9000), *small], is_at_rest=True)
    [(2, 3)]
    """
    groups: list[tuple[int, ...]] = []
    tiers: list[list[SegmentSize]] = [[] for _ in _TIERS]
    for size in sizes:
        tiers[next(tier for tier, most in enumerate(_TIERS) if size.alive < most)].append(size)
    for tier in tiers:
        group = _first(tier) if tier is not tiers[-1] else []
        if group:
            groups.append(tuple(segment.segment_id for segment in group))
        groups.extend(
            (size.segment_id,)
            for size in tier
            if size not in group and 0 < size.alive < (1 - _MOST_DEAD) * size.passages
        )
    return groups or (_at_rest(sizes) if is_at_rest else [])


def _first(tier: Sequence[SegmentSize]) -> list[SegmentSize]:
    """Return the first segments of a tier if there are enough to merge."""
    group: list[SegmentSize] = []
    together = 0
    for size in tier:
        together += size.alive
        if len(group) == _TOGETHER or together > MOST_PASSAGES:
            return group
        group.append(size)
    return group if len(group) == _TOGETHER else []


def _at_rest(sizes: Sequence[SegmentSize]) -> list[tuple[int, ...]]:
    """Return at most one group, of the smallest segments."""
    group: list[SegmentSize] = []
    merges: list[tuple[int, ...]] = []
    alive = (segment for segment in sizes if segment.alive)
    for size in sorted(alive, key=lambda segment: segment.alive):
        together = sum(segment.alive for segment in group)
        if together + size.alive > MOST_PASSAGES:
            break
        group.append(size)
        if len(group) > 1 and together >= size.alive * _QUARTER:
            merges = [tuple(sorted(segment.segment_id for segment in group))]
    return merges


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CompressedBatch:
    """Passages compressed by one codec, to publish together.

    Attributes:
        with_vectors: those with vectors; None if none has any.
        encoded: all of them, with their numbers of tokens and vectors.
    """

    with_vectors: Passages | None
    encoded: tuple[passages.Encoded, ...]


def compress(codec: Codec, vectors: Sequence[tuple[int, ReducedPassage]]) -> CompressedBatch:
    """Compress the reduced vectors of passages, given with their ids."""
    # A passage without known tokens needs no vectors.
    with_vectors = [(passage_id, passage) for passage_id, passage in vectors if len(passage)]
    compressed = None
    if with_vectors:
        compressed = Passages(
            np.array([passage_id for passage_id, _ in with_vectors]),
            np.array([len(passage) for _, passage in with_vectors]),
            codec.encode(np.concatenate([passage.vectors for _, passage in with_vectors])),
            np.concatenate([passage.positions for _, passage in with_vectors]),
            _store_of(codec, [passage.refined for _, passage in with_vectors]),
        )
    encoded = (
        passages.Encoded(passage_id, passage.tokens, len(passage))
        for passage_id, passage in vectors
    )
    return CompressedBatch(compressed, tuple(encoded))


def _store_of(codec: Codec, vectors: Sequence[StoredVectors | None]) -> RefinementStore | None:
    """Compress the vectors of the refinement store; None if the index has no store."""
    if codec.refinement is None:
        return None
    present = [refined for refined in vectors if refined is not None]
    if len(present) != len(vectors):
        raise ValueError("passages without vectors for the refinement store")
    return RefinementStore.of(
        np.array([len(refined) for refined in present]),
        codec.refinement.encode(np.concatenate([refined.vectors for refined in present])),
        np.concatenate([refined.positions for refined in present]),
    )


class IndexWriter:
    """Writes the segments of one index; requires the library's lock."""

    def __init__(self, store: SegmentStore) -> None:
        self._store = store

    def publish(
        self, vectors: Sequence[tuple[int, ReducedPassage]], *, is_staged: bool = False
    ) -> None:
        """Compress the vectors of passages and add them to the index.

        With `is_staged` they count only once this index replaces the current one.

        The file is written before a transaction publishes it. If the process is killed in between,
        `clean` removes the file, and the passages are encoded again.

        Raises:
            DiskFullError, LibraryError: the index cannot be written; nothing has changed.
        """
        self.add(compress(self._store.codec, vectors), is_staged=is_staged)

    def add(self, batch: CompressedBatch, *, is_staged: bool = False) -> None:
        """Add passages that the index's codec has compressed; otherwise as `publish`."""
        lists = self._store.codec.lists
        arranged = (
            build_inverted_lists(batch.with_vectors, lists)
            if batch.with_vectors is not None
            else None
        )
        with self._written(arranged) as row, self._store.catalog.transaction() as db:
            store_ids = passages.set_staged if is_staged else passages.set_encoded
            store_ids(db, manifest.add_segment(db, row), batch.encoded)

    def add_twins(
        self, twins: Sequence[tuple[int, passages.Encoded]], *, is_staged: bool = False
    ) -> int:
        """Add passages that have the same vectors as others of this index.

        Each is paired with the id of that passage. Passages with vectors in a damaged segment are
        skipped; returns the number of added passages. Raises the errors of `publish`.
        """
        stored = self._store.compressed(sorted({twin.passage for _, twin in twins}))
        stored_passages = None
        rows: dict[int, int] = {}
        if stored:
            stored_passages = joined(stored)
            rows = {
                passage_id: row
                for row, passage_id in enumerate(stored_passages.passage_ids.tolist())
            }
        there = {
            passage_id: twin
            for passage_id, twin in twins
            if twin.passage in rows or not twin.vectors
        }
        own = [passage_id for passage_id, twin in there.items() if twin.vectors]
        arranged = None
        if stored_passages is not None and own:
            like = np.array([rows[there[passage_id].passage] for passage_id in own])
            arranged = copied(stored_passages, like, np.array(own))
        if there:
            encoded = (twin._replace(passage=passage_id) for passage_id, twin in there.items())
            self.add(CompressedBatch(arranged, tuple(encoded)), is_staged=is_staged)
        return len(there)

    def stage_from(
        self, other: SegmentStore, segment: int, encoded: Sequence[passages.Encoded]
    ) -> None:
        """Add passages from a segment of another index whose codec differs only in its lists.

        Those with vectors are skipped if the segment is damaged. Raises as `publish`.
        """
        before, after = other.codec, self._store.codec
        assert isinstance(before, ResidualCodec)
        assert isinstance(after, ResidualCodec)
        opened = next((each for each in other.segments() if each.row.id == segment), None)
        arranged = None
        if opened is not None and other.verified(opened):
            wanted = np.array([row.passage for row in encoded if row.vectors], dtype=np.int64)
            stored_passages = opened.data.select(opened.rows(np.sort(wanted)))
            if len(stored_passages):
                stored_passages = replace(
                    stored_passages, codes=recoded(stored_passages.codes, before, after)
                )
                arranged = build_inverted_lists(stored_passages, after.lists)
        staged_ids = set() if arranged is None else set(arranged.passage_ids.tolist())
        with self._written(arranged) as row, self._store.catalog.transaction() as db:
            segment_id = manifest.add_segment(db, row)
            there = [each for each in encoded if each.passage in staged_ids or not each.vectors]
            passages.set_staged(db, segment_id, there)

    @contextlib.contextmanager
    def _written(self, arranged: InvertedLists | None) -> Iterator[manifest.SegmentRow]:
        """Write a segment, and remove its file again if it is not published."""
        name = f"{uuid.uuid4().hex}.safetensors"
        written = WrittenFile(0, "")
        if arranged is not None:
            written = segment_file.write(self._store.folder / name, arranged)
        try:
            yield manifest.SegmentRow(
                file=name,
                model=self._store.row.spec.model,
                codec=self._store.codec_name,
                passages=0 if arranged is None else len(arranged.passage_ids),
                tokens=0 if arranged is None else len(arranged.owners),
                size_bytes=written.size_bytes,
                checksum=written.checksum,
            )
        except BaseException:
            discard(self._store.folder / name)
            raise

    def merge(self, job: Job, *, is_at_rest: bool = False) -> None:
        """Merge segments until there are few, and rewrite those with many dead passages.

        With `is_at_rest`, when nothing will be added for now, more segments are merged.

        Searches use the old segments until a transaction replaces them by the new one. If the
        process is killed before that, `clean` removes the new file.

        Raises:
            Cancelled: the job was cancelled; finished merges remain.
            DiskFullError, LibraryError: the index cannot be written; nothing is lost.
        """
        while groups := plan_merges(
            [
                SegmentSize(opened.row.id, len(opened.is_alive), opened.alive)
                for opened in self._store.segments()
            ],
            is_at_rest=is_at_rest,
        ):
            for group in groups:
                job.checkpoint()
                self._merge(group)

    def purge(self) -> None:
        """Rewrite each segment that has dead passages.

        Raises:
            DiskFullError, LibraryError: the index cannot be written; nothing is lost.
        """
        for opened in self._store.segments():
            if opened.alive < len(opened.is_alive):
                self._merge((opened.row.id,))

    def _merge(self, group: tuple[int, ...]) -> None:
        parts = [opened for opened in self._store.segments() if opened.row.id in group]
        if not all(self._store.verified(opened) for opened in parts):
            return  # the damaged segment is excluded, so that the next plan differs
        # Only passages without tokens may remain, which are in no file.
        arranged, passage_ids = None, []
        if any(opened.alive for opened in parts):
            arranged = merged([(opened.data, opened.is_alive) for opened in parts])
            passage_ids = arranged.passage_ids.tolist()
        with self._written(arranged) as row, self._store.catalog.transaction() as db:
            manifest.replace_segments(db, [opened.row.id for opened in parts], row, passage_ids)
        for opened in parts:
            # If a search maps it on Windows, or the disk fails, `clean` removes it later.
            discard(self._store.folder / opened.row.file)

    def clean(self, used_codec: str = "") -> None:
        """Remove segments that are damaged, empty or of another model or codec, and stray files.

        The passages of a removed segment are encoded again. Segments of the index with the
        `codec_name` `used_codec` remain.
        """
        dropped = {row.id for row in self._store.damaged()}
        with self._store.catalog.transaction() as db:
            dropped.update(
                row.id
                for row in manifest.segments(db)
                if not self._store.fits(row) and row.codec != used_codec
            )
            dropped.update(manifest.empty_segments(db))
            for segment_id in dropped:
                manifest.remove_segment(db, segment_id)
            named = {row.file for row in manifest.segments(db)}
        self._store.segments()
        if self._store.folder.is_dir():
            for path in self._store.folder.iterdir():
                if path.name not in named and path.is_file():
                    _log.info("Removing %s, which is in no manifest", path)
                    # If it is mapped on Windows, or the disk fails, the next call removes it.
                    discard(path)


# Passages published together at most.
_AT_ONCE: Final = 4096
# Seconds that encoded passages wait for more before they are published; if the process is killed,
# that much work is lost.
_PATIENCE_S: Final = 1.0


class BatchPublisher:
    """Publishes batches of passages, several at once if they arrive quickly.

    On one machine each batch takes seconds to encode, and is published at once. If many machines
    encode, single publications would be too small, and be merged at once. Use it as a context
    manager: waiting batches are published at its end.
    """

    def __init__(self, writer: IndexWriter, job: Job, *, is_staged: bool = False) -> None:
        """Publish by `writer`, and merge segments under `job`; staged if `is_staged`."""
        self._writer = writer
        self._job = job
        self._is_staged = is_staged
        self._held: list[CompressedBatch] = []
        self._since_s = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._publish()

    def add(self, batch: CompressedBatch) -> None:
        """Add a batch; raises as `IndexWriter.publish`, or Cancelled with all of it published."""
        self._held.append(batch)
        count = sum(len(held.encoded) for held in self._held)
        if count >= _AT_ONCE or time.monotonic() - self._since_s >= _PATIENCE_S:
            self._publish()
            self._writer.merge(self._job)
            self._since_s = time.monotonic()

    def _publish(self) -> None:
        held, self._held = self._held, []
        stored_passages = [batch.with_vectors for batch in held if batch.with_vectors is not None]
        if held:
            encoded = tuple(each for batch in held for each in batch.encoded)
            batch = CompressedBatch(joined(stored_passages) if stored_passages else None, encoded)
            self._writer.add(batch, is_staged=self._is_staged)
