"""All token vectors of a library: published segment by segment, searched as one."""

from __future__ import annotations

import contextlib
import logging
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import Flags, Floats, Numbers
from core.atomic_write import discard
from core.catalog import manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow
from core.errors import LibraryDamagedError
from core.index import merging, probing
from core.index import segment as segment_file
from core.index.codebook import recoded
from core.index.codec import Codec, ResidualCodec
from core.index.inverted_lists import InvertedLists, Passages, build_inverted_lists, joined
from core.index.merging import Size
from core.index.probing import Estimates, ProbeParams
from core.index.reduction import ReducedPassage, StoredVectors
from core.index.scoring import Scores, VectorComparison
from core.index.segment import OpenSegment, WrittenFile
from core.progress import Job

_log = logging.getLogger(__name__)


_FEW_PASSAGES: Final = 1000
"""So few are compared in full, rather than found in lists that hold many others."""


class TokenIndex:
    """The published segments that fit one model and one codec.

    Reading is for any thread at any time: a search works on the segments that were published when
    it began. `publish` and `clean` are for the one writer that holds the library's lock.
    """

    def __init__(self, folder: Path, catalog: Catalog, codec: Codec, row: GenerationRow) -> None:
        """Open the segments in `folder` of the index `row`, lazily."""
        self.folder = folder
        self.codec = codec
        self._row = row
        self._catalog = catalog
        self._open: tuple[OpenSegment, ...] = ()
        self._damaged: tuple[manifest.SegmentRow, ...] = ()
        self._version: tuple[int, int, int] | None = None
        self._guard = threading.Lock()

    @property
    def codec_name(self) -> str:
        """What the manifest calls the codec of a segment."""
        return self._row.codec

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
        # A passage without tokens (nothing but what the model cannot see) needs no vectors.
        kept = [(number, passage) for number, passage in vectors if len(passage)]
        arranged = None
        if kept:
            given = Passages(
                np.array([number for number, _ in kept]),
                np.array([len(passage) for _, passage in kept]),
                self.codec.encode(np.concatenate([passage.vectors for _, passage in kept])),
                np.concatenate([passage.positions for _, passage in kept]),
            )
            arranged = build_inverted_lists(given, self.codec.lists)
        encoded = [
            passages.Encoded(number, passage.tokens, len(passage)) for number, passage in vectors
        ]
        with self._written(arranged) as row, self._catalog.transaction() as db:
            place = passages.set_staged if is_staged else passages.set_encoded
            place(db, manifest.add_segment(db, row), encoded)

    def stage_from(self, other: TokenIndex, encoded: Sequence[passages.Encoded]) -> None:
        """Add these passages of another index, whose codec differs in its library's lists alone.

        Those that lie in a damaged segment are left out. Raises as `publish`.
        """
        before, after = other.codec, self.codec
        assert isinstance(before, ResidualCodec)
        assert isinstance(after, ResidualCodec)
        stored = other.compressed([row.passage for row in encoded])
        found = {number for part in stored for number in part.numbers.tolist()}
        arranged = None
        if stored:
            given = joined(stored)
            given = replace(given, codes=recoded(given.codes, before, after))
            arranged = build_inverted_lists(given, after.lists)
        with self._written(arranged) as row, self._catalog.transaction() as db:
            number = manifest.add_segment(db, row)
            there = [each for each in encoded if each.passage in found or not each.vectors]
            passages.set_staged(db, number, there)

    def compressed(self, numbers: Sequence[int]) -> list[Passages]:
        """Of these passages what is stored, segment by segment."""
        wanted = np.sort(np.array(numbers, dtype=np.int64))
        every = ((opened.data, opened.places(wanted)) for opened in self._refresh())
        return [data.taken(places) for data, places in every if len(places)]

    def sample(self, most: int) -> list[Passages]:
        """Return the same of at most so many passages, taken evenly."""
        segments = self._refresh()
        step = max(-(-sum(int(opened.is_alive.sum()) for opened in segments) // most), 1)
        return [opened.data.taken(np.flatnonzero(opened.is_alive)[::step]) for opened in segments]

    @contextlib.contextmanager
    def _written(self, arranged: InvertedLists | None) -> Iterator[manifest.SegmentRow]:
        """Write a segment, and take the file away again where it is not published then."""
        name = f"{uuid.uuid4().hex}.safetensors"
        written = WrittenFile(0, "")
        if arranged is not None:
            written = segment_file.write(self.folder / name, arranged)
        try:
            yield manifest.SegmentRow(
                file=name,
                model=self._row.spec.model,
                codec=self.codec_name,
                passages=0 if arranged is None else len(arranged.passage_ids),
                tokens=0 if arranged is None else len(arranged.owners),
                size_bytes=written.size_bytes,
                checksum=written.checksum,
            )
        except BaseException:
            discard(self.folder / name)
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
                Size(opened.row.id, len(opened.is_alive), int(opened.is_alive.sum()))
                for opened in self._refresh()
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
        for opened in self._refresh():
            if not opened.is_alive.all():
                self._merge((opened.row.id,))

    def _merge(self, group: tuple[int, ...]) -> None:
        merged = [opened for opened in self._refresh() if opened.row.id in group]
        given = joined([opened.data.taken(np.flatnonzero(opened.is_alive)) for opened in merged])
        # Nothing may be left but passages without tokens, which no file knows of.
        arranged = build_inverted_lists(given, self.codec.lists) if len(given) else None
        with self._written(arranged) as row, self._catalog.transaction() as db:
            manifest.replace_segments(
                db, [opened.row.id for opened in merged], row, given.numbers.tolist()
            )
        for opened in merged:
            # Mapped by some search on Windows, or on a failing disk: `clean` removes it later.
            discard(self.folder / opened.row.file)

    def clean(self, kept: str = "") -> None:
        """Drop segments that are damaged, empty or of another model or codec, and stray files.

        The passages of a dropped segment want their vectors again. Another index's segments stay
        where `kept` is that one's `codec_name`.
        """
        if self._damaged:
            # Look at them once more: they may have been out of reach for a moment.
            self._version = None
        self._refresh()
        dropped = {row.id for row in self._damaged}
        with self._catalog.transaction() as db:
            dropped.update(
                row.id for row in manifest.segments(db) if not self._fits(row) and row.codec != kept
            )
            dropped.update(manifest.empty_segments(db))
            for number in dropped:
                manifest.remove_segment(db, number)
            named = {row.file for row in manifest.segments(db)}
        self._refresh()
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if path.name not in named and path.is_file():
                    _log.info("removing %s, which no manifest names", path)
                    # Mapped by another on Windows, or on a failing disk: the next turn removes it.
                    discard(path)

    def warm_up(self) -> None:
        """Open and check what is published, so that no search waits for it."""
        for opened in self._refresh():
            # What is found of a segment when it is first searched; to name it is to find it.
            _ = opened.data.slots, opened.data.list_ids

    def damage(self) -> str:
        """Return what is wrong with the index, as a sentence; "" while nothing is."""
        self._refresh()
        if not self._damaged:
            return ""
        return (
            f"{len(self._damaged)} of {len(self._damaged) + len(self._open)} index files are "
            "damaged and left out; run `winnow index` or start Winnow to have them made again."
        )

    def scan(self, query: Floats, job: Job | None = None) -> Scores:
        """Score all passages, by comparing all their vectors; what `probe` is measured against.

        Args:
            query: (n, d) vectors, n at least 1, as long as each token counts.
            job: lets a search end that nobody waits for any more.

        Raises:
            Cancelled: the job was cancelled.
        """
        return self._exact(query, None, job or Job())

    def score(self, query: Floats, numbers: Numbers, job: Job | None = None) -> Scores:
        """Score these passages, by comparing all their vectors; likewise.

        Those without vectors, and those that are gone, are left out.
        """
        return self._exact(query, np.unique(numbers), job or Job())

    def _exact(self, query: Floats, wanted: Numbers | None, job: Job) -> Scores:
        numbers = [np.zeros(0, dtype=np.int64)]
        values = [np.zeros(0, dtype=np.float32)]
        comparison = VectorComparison(query, self.codec)
        compare = comparison.all_of if wanted is None else comparison.some_of
        for opened in self._refresh():
            places = opened.places(wanted)
            if len(places):
                numbers.append(opened.data.passage_ids[places])
                values.append(compare(opened.data, places, job))
        every = np.concatenate(numbers)
        order = np.argsort(every, kind="stable")
        return Scores(every[order], np.concatenate(values)[order])

    def probe(
        self,
        query: Floats,
        params: ProbeParams,
        *,
        allowed: Numbers | None = None,
        job: Job | None = None,
    ) -> Estimates:
        """Estimate the scores of passages from the lists nearest to the query's tokens.

        Args:
            query: (n, d) vectors, n at least 1, as long as each token counts.
            params: how much to look at.
            allowed: (a,) ascending, the passages that may be found; None for all.
            job: lets a search end that nobody waits for any more.

        Raises:
            Cancelled: the job was cancelled.
        """
        job = job or Job()
        if not isinstance(self.codec, ResidualCodec) or (
            allowed is not None and len(allowed) <= _FEW_PASSAGES
        ):
            scores = self._exact(query, allowed, job)
            is_allowed = np.ones(len(scores.passages), dtype=np.bool_)
            return Estimates([scores.passages], [scores.values], [is_allowed])
        sizes, given = self.inverted_lists(allowed)
        chosen = probing.plan(query, self.codec, sizes, params)
        return probing.probe(chosen, given, job)

    def inverted_lists(
        self, allowed: Numbers | None = None
    ) -> tuple[Numbers, list[tuple[InvertedLists, Flags]]]:
        """(K,) how many vectors each list holds, and the segments that hold parts of them.

        Each segment comes with (p,) which of its passages may be found: of `allowed`, ascending,
        or all.
        """
        assert isinstance(self.codec, ResidualCodec), "only compressed vectors lie in lists"
        opened = self._refresh()
        sizes = sum(
            (segment.sizes for segment in opened), np.zeros(self.codec.lists, dtype=np.int64)
        )
        return sizes, [(segment.data, segment.allowed(allowed)) for segment in opened]

    def vectors(self, numbers: Sequence[int]) -> dict[int, StoredVectors]:
        """Return the stored vectors of these passages; those that have none are left out."""
        found: dict[int, StoredVectors] = {}
        wanted = np.array(sorted(numbers), dtype=np.int64)
        for opened in self._refresh():
            places = opened.places(wanted)
            if not len(places):
                continue
            vectors = self.codec.decode(opened.data.codes(places))
            ends = np.cumsum(opened.data.lengths(places))
            for place, own in zip(places.tolist(), np.split(vectors, ends[:-1]), strict=True):
                number = int(opened.data.passage_ids[place])
                found[number] = StoredVectors(own, opened.data.positions_of(place))
        return found

    def rest(self) -> None:
        """Give back the memory that the files take (see `InvertedLists.rest`)."""
        for opened in self._open:
            opened.data.rest()

    def close(self) -> None:
        """Let go of the mapped files."""
        with self._guard:
            self._open = ()
            self._version = None

    def _fits(self, row: manifest.SegmentRow) -> bool:
        return row.model == self._row.spec.model and row.codec == self.codec_name

    def _refresh(self) -> tuple[OpenSegment, ...]:
        """Return the segments as the manifest has them now."""
        db = self._catalog.connection()
        if manifest.version(db) == self._version:
            return self._open
        with self._guard:
            while True:
                with self._catalog.snapshot() as db:
                    version = manifest.version(db)
                    if version == self._version:
                        return self._open
                    rows = [
                        row for row in manifest.segments(db) if self._fits(row) and row.passages
                    ]
                    gone = manifest.tombstones(db)
                self._reopen(rows, gone)
                # A file that is missing may have been merged in the meantime.
                if not self._damaged or manifest.version(db) == version:
                    self._version = version
                    return self._open

    def _reopen(
        self, rows: Sequence[manifest.SegmentRow], gone: Mapping[int, Sequence[int]]
    ) -> None:
        """Open the segments of these rows, but for those whose passages are gone."""
        known = {opened.row.id: opened for opened in self._open}
        opened_now: list[OpenSegment] = []
        damaged: list[manifest.SegmentRow] = []
        for row in rows:
            try:
                opened = known.get(row.id) or OpenSegment.of(self.folder, row)
            except LibraryDamagedError as error:
                _log.warning("%s", error)
                damaged.append(row)
                continue
            is_alive = ~np.isin(opened.data.passage_ids, gone.get(row.id, []))
            opened_now.append(replace(opened, is_alive=is_alive))
        self._open, self._damaged = tuple(opened_now), tuple(damaged)
