"""Publishes the vectors of passages as segments, merges these, and clears away what is dead."""

from __future__ import annotations

import contextlib
import logging
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from core.catalog import manifest, passages
from core.index import merging
from core.index import segment as segment_file
from core.index.codebook import recoded
from core.index.codec import Codec, ResidualCodec
from core.index.inverted_lists import (
    InvertedLists,
    Passages,
    build_inverted_lists,
    copied,
    joined,
    merged,
)
from core.index.merging import Size
from core.index.reduction import ReducedPassage
from core.index.segment import WrittenFile
from core.index.segment_store import SegmentStore
from core.own_files import discard
from core.progress import Job

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CompressedBatch:
    """Passages as one codec compressed them, to be published together.

    Attributes:
        given: those with vectors; None where none has any.
        encoded: all of them, with how many tokens and vectors each has.
    """

    given: Passages | None
    encoded: tuple[passages.Encoded, ...]


def compress(codec: Codec, vectors: Sequence[tuple[int, ReducedPassage]]) -> CompressedBatch:
    """Compress the vectors of passages, each given as its number and what is kept of it."""
    # A passage without tokens (nothing but what the model cannot see) needs no vectors.
    kept = [(number, passage) for number, passage in vectors if len(passage)]
    given = None
    if kept:
        given = Passages(
            np.array([number for number, _ in kept]),
            np.array([len(passage) for _, passage in kept]),
            codec.encode(np.concatenate([passage.vectors for _, passage in kept])),
            np.concatenate([passage.positions for _, passage in kept]),
        )
    encoded = (
        passages.Encoded(number, passage.tokens, len(passage)) for number, passage in vectors
    )
    return CompressedBatch(given, tuple(encoded))


class IndexWriter:
    """Writes the segments of one index; for the one who holds the library's lock."""

    def __init__(self, store: SegmentStore) -> None:
        self._store = store

    def publish(
        self, vectors: Sequence[tuple[int, ReducedPassage]], *, is_staged: bool = False
    ) -> None:
        """Compress the vectors of passages (number, what is kept) and add them to the index.

        Where `is_staged` they are kept for the moment at which the index takes another's place.

        The file is on the disk before one transaction makes it count; killed in between, the file
        is rubbish that `clean` removes, and the passages still want their vectors.

        Raises:
            DiskFullError, LibraryError: the index cannot be written; nothing has changed.
        """
        self.add(compress(self._store.codec, vectors), is_staged=is_staged)

    def add(self, batch: CompressedBatch, *, is_staged: bool = False) -> None:
        """Add passages to the index that its codec has compressed; otherwise as `publish`."""
        lists = self._store.codec.lists
        arranged = build_inverted_lists(batch.given, lists) if batch.given is not None else None
        with self._written(arranged) as row, self._store.catalog.transaction() as db:
            place = passages.set_staged if is_staged else passages.set_encoded
            place(db, manifest.add_segment(db, row), batch.encoded)

    def add_twins(
        self, twins: Sequence[tuple[int, passages.Encoded]], *, is_staged: bool = False
    ) -> int:
        """Add passages with the vectors of others of this index, each given with the other one.

        Those whose vectors lie in a damaged segment are left out; gives how many are not. Raises as
        `publish`.
        """
        stored = self._store.compressed(sorted({twin.passage for _, twin in twins}))
        given = None
        rows: dict[int, int] = {}
        if stored:
            given = joined(stored)
            rows = {number: row for row, number in enumerate(given.numbers.tolist())}
        there = {number: twin for number, twin in twins if twin.passage in rows or not twin.vectors}
        own = [number for number, twin in there.items() if twin.vectors]
        arranged = None
        if given is not None and own:
            like = np.array([rows[there[number].passage] for number in own])
            arranged = copied(given, like, np.array(own))
        if there:
            encoded = (twin._replace(passage=number) for number, twin in there.items())
            self.add(CompressedBatch(arranged, tuple(encoded)), is_staged=is_staged)
        return len(there)

    def stage_from(
        self, other: SegmentStore, segment: int, encoded: Sequence[passages.Encoded]
    ) -> None:
        """Add these passages of a segment of another index; its codec has other lists, no more.

        Those with vectors are left out where the segment is damaged. Raises as `publish`.
        """
        before, after = other.codec, self._store.codec
        assert isinstance(before, ResidualCodec)
        assert isinstance(after, ResidualCodec)
        opened = next((each for each in other.segments() if each.row.id == segment), None)
        arranged = None
        if opened is not None and other.verified(opened):
            wanted = np.array([row.passage for row in encoded if row.vectors], dtype=np.int64)
            given = opened.data.taken(opened.places(np.sort(wanted)))
            if len(given):
                given = replace(given, codes=recoded(given.codes, before, after))
                arranged = build_inverted_lists(given, after.lists)
        found = set() if arranged is None else set(arranged.passage_ids.tolist())
        with self._written(arranged) as row, self._store.catalog.transaction() as db:
            number = manifest.add_segment(db, row)
            there = [each for each in encoded if each.passage in found or not each.vectors]
            passages.set_staged(db, number, there)

    @contextlib.contextmanager
    def _written(self, arranged: InvertedLists | None) -> Iterator[manifest.SegmentRow]:
        """Write a segment, and take the file away again where it is not published then."""
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
        """Merge segments until there are few, and write those anew of which much is dead.

        There are fewer still where `is_at_rest` says that nothing more is to be added for now.

        Searches go on in the old segments until one transaction puts the new one in their place;
        killed before it, the new file is rubbish that `clean` removes.

        Raises:
            Cancelled: the job was cancelled; what was merged stays.
            DiskFullError, LibraryError: the index cannot be written; nothing is lost.
        """
        while groups := merging.plan(
            [
                Size(opened.row.id, len(opened.is_alive), opened.alive)
                for opened in self._store.segments()
            ],
            is_at_rest=is_at_rest,
        ):
            for group in groups:
                job.checkpoint()
                self._merge(group)

    def purge(self) -> None:
        """Write each segment anew in which there is anything dead.

        Raises:
            DiskFullError, LibraryError: the index cannot be written; nothing is lost.
        """
        for opened in self._store.segments():
            if opened.alive < len(opened.is_alive):
                self._merge((opened.row.id,))

    def _merge(self, group: tuple[int, ...]) -> None:
        parts = [opened for opened in self._store.segments() if opened.row.id in group]
        if not all(self._store.verified(opened) for opened in parts):
            return  # what is damaged is left out, and with it the next plan is another
        # Nothing may be left but passages without tokens, which no file knows of.
        arranged, numbers = None, []
        if any(opened.alive for opened in parts):
            arranged = merged([(opened.data, opened.is_alive) for opened in parts])
            numbers = arranged.passage_ids.tolist()
        with self._written(arranged) as row, self._store.catalog.transaction() as db:
            manifest.replace_segments(db, [opened.row.id for opened in parts], row, numbers)
        for opened in parts:
            # Mapped by some search on Windows, or on a failing disk: `clean` removes it later.
            discard(self._store.folder / opened.row.file)

    def clean(self, kept: str = "") -> None:
        """Drop segments that are damaged, empty or of another model or codec, and stray files.

        The passages of a dropped segment want their vectors again. Another index's segments stay
        where `kept` is that one's `codec_name`.
        """
        dropped = {row.id for row in self._store.damaged()}
        with self._store.catalog.transaction() as db:
            dropped.update(
                row.id
                for row in manifest.segments(db)
                if not self._store.fits(row) and row.codec != kept
            )
            dropped.update(manifest.empty_segments(db))
            for number in dropped:
                manifest.remove_segment(db, number)
            named = {row.file for row in manifest.segments(db)}
        self._store.segments()
        if self._store.folder.is_dir():
            for path in self._store.folder.iterdir():
                if path.name not in named and path.is_file():
                    _log.info("removing %s, which no manifest names", path)
                    # Mapped by another on Windows, or on a failing disk: the next turn removes it.
                    discard(path)


_AT_ONCE: Final = 4096
_PATIENCE_S: Final = 1.0
"""So long passages wait for others to be published with: the most that being killed can cost,
beside what is being encoded."""


class BatchPublisher:
    """Publishes batches of passages, several at once where they come quickly.

    On one machine each batch takes seconds to encode, and is published as it comes. Where many
    encode, each publication would cost more than it holds, and have to be merged at once. Use it as
    a context: what is held when it is left is published.
    """

    def __init__(self, writer: IndexWriter, job: Job, *, is_staged: bool = False) -> None:
        """Publish by `writer`, merging as `job` goes on; where `is_staged` for later."""
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
        given = [batch.given for batch in held if batch.given is not None]
        if held:
            encoded = tuple(each for batch in held for each in batch.encoded)
            batch = CompressedBatch(joined(given) if given else None, encoded)
            self._writer.add(batch, is_staged=self._is_staged)
