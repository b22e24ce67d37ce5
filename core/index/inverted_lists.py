"""The layout of compressed vectors in a segment: list by list, with a directory by passage.

Probing reads the vectors of a list; scoring a passage, highlighting and merging read those of a
passage. The vectors are stored list by list, as in an inverted file (faiss's IVF), so that list
numbers need no space and a list is contiguous. The slots of a passage's vectors (`slots`) and their
lists (`list_ids`) follow from the owners. A small segment stores neither: they are computed in some
milliseconds on first use, and take six bytes of memory per vector. A large one stores the lists;
the slot within a list is found by binary search, since owners ascend, without using memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.alignment.pooling import offsets_of
from core.arrays import Flags, Integers, Numbers, ranges
from core.files.mapped_files import MappedFile
from core.index.codec import Codec, Codes, is_plain
from core.index.refinement_store import RefinementStore, joined_stores

# Passages of a segment: their places take two bytes, and sums of scores stay in the cache.
MOST_PASSAGES: Final = 1 << 16
_MOST_LISTS: Final = 1 << 16
_DTYPES: Final = {
    "passage_ids": np.int64,
    "passage_offsets": np.uint32,
    "list_offsets": np.uint32,
    "owners": np.uint16,
    "scales": np.uint8,
}
# If more than this share (1/n) of all vectors is wanted, all owners are sorted at once.
_SELECTIVE_SHARE: Final = 16


@dataclass(frozen=True, slots=True)
class Passages:
    """Compressed passages in sequence: p passages, t vectors.

    Attributes:
        passage_ids: (p,) unique ids of the passages.
        lengths: (p,) their numbers of vectors, at least 1.
        codes: of the t vectors.
        positions: (t,) the token that contributed most to each vector.
        store: more and finer codes of the same passages; None without a refinement store.
    """

    passage_ids: Numbers
    lengths: Numbers
    codes: Codes
    positions: Integers
    store: RefinementStore | None = None

    def __len__(self) -> int:
        return len(self.passage_ids)


def joined(parts: Sequence[Passages]) -> Passages:
    """Concatenate the passages of all parts."""
    return Passages(
        np.concatenate([part.passage_ids for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        _joined([part.codes for part in parts]),
        np.concatenate([part.positions for part in parts]),
        joined_stores([part.store for part in parts]),
    )


def copied(passages: Passages, rows: Numbers, passage_ids: Numbers) -> Passages:
    """Return new passages with the vectors of others.

    Args:
        passages: the others.
        rows: (n,) the row in `passages` that each new passage copies.
        passage_ids: (n,) unique ids of the new passages.

    >>> codes = Codes(np.array([1, 0, 1], np.uint16), np.array([[7], [8], [9]], np.uint8),
    ...               np.zeros(3, np.uint8))
    >>> passages = Passages(np.array([5, 3]), np.array([1, 2]), codes, np.array([0, 0, 1]))
    >>> arranged = copied(passages, np.array([1, 0, 1]), np.array([6, 7, 8]))
    >>> arranged.lengths.tolist(), arranged.codes.residuals[:, 0].tolist()
    ([2, 1, 2], [8, 9, 7, 8, 9])
    """
    lengths = passages.lengths[rows]
    vector_rows = ranges(offsets_of(passages.lengths)[rows], lengths)
    codes = passages.codes
    return Passages(
        passage_ids,
        lengths,
        codes[vector_rows],
        passages.positions[vector_rows],
        None if passages.store is None else passages.store.select(rows),
    )


def _joined(parts: Sequence[Codes]) -> Codes:
    return Codes(
        np.concatenate([part.list_ids for part in parts]),
        np.concatenate([part.residuals for part in parts]),
        np.concatenate([part.scales for part in parts]),
    )


@dataclass(frozen=True)
class InvertedLists:
    """The arrays of a segment: p passages, t vectors, K lists.

    Compiled loops iterate over these arrays, and a file may contain any numbers with a matching
    checksum. The constructor therefore checks everything that keeps a loop within its arrays: data
    types, memory layout, lengths, and both kinds of offsets, which takes a millisecond for any
    number of vectors. It also checks the owners, except with `stored_list_ids`: such segments are
    large, their vectors are read from disk on demand, and reading all owners would take seconds for
    ten million passages. The loops therefore accept any owner and list id: their arrays have an
    entry for every uint16 (`probing`), and a nonexistent list is replaced by the last one. `check`
    validates the rest, and must be called before such vectors are copied.

    Attributes:
        passage_ids: (p,) ascending.
        passage_offsets: (p + 1,) the start of each passage's vectors in `slots` and `positions`.
        positions: (t,) passage by passage, the position of the token that contributed most to each
            vector; a byte each, or two if there are long passages.
        list_offsets: (K + 1,) the start of each list in the arrays below.
        owners: (t,) list by list, ascending within each: the rows of the passages.
        residuals: (t, b) uint8, in the same order.
        scales: (t,) uint8, in the same order.
        stored_list_ids: (t,) passage by passage and ascending within each, the list of each vector;
            None if they are computed on first use.
        store: of the same passages, in the same order; None without a refinement store.
        mapped: the memory-mapped file that holds the arrays, if any.
    """

    passage_ids: Numbers
    passage_offsets: Integers
    positions: Integers
    list_offsets: Integers
    owners: npt.NDArray[np.uint16]
    residuals: npt.NDArray[np.uint8]
    scales: npt.NDArray[np.uint8]
    stored_list_ids: npt.NDArray[np.uint16] | None = None
    store: RefinementStore | None = None
    mapped: MappedFile | None = None

    def __post_init__(self) -> None:
        self._check_layout()
        if self.stored_list_ids is None:
            self.check()
        # Read-only, as mapped arrays are: the loops are compiled for one kind of array.
        for array in (self.passage_offsets, self.list_offsets, self.owners, self.residuals):
            array.flags.writeable = False
        self.scales.flags.writeable = False

    def _check_layout(self) -> None:
        """Raise ValueError unless the arrays have the types and lengths that loops rely on."""
        for name, dtype in _DTYPES.items():
            _require_plain(name, getattr(self, name), dtype)
        is_narrow = self.positions.dtype == np.uint8
        _require_plain("positions", self.positions, np.uint8 if is_narrow else np.uint16)
        if not is_plain(self.residuals, np.uint8, 2):
            raise ValueError("residuals are not rows of bytes")
        if self.stored_list_ids is not None:
            _require_plain("stored_list_ids", self.stored_list_ids, np.uint16)
        passages, vectors = len(self.passage_ids), len(self.owners)
        if not 0 < passages <= MOST_PASSAGES or len(self.passage_offsets) != passages + 1:
            raise ValueError(f"{passages} passages, {len(self.passage_offsets)} offsets")
        if not 0 < len(self.list_offsets) - 1 <= _MOST_LISTS:
            raise ValueError(f"{len(self.list_offsets)} offsets of lists")
        rows = [self.positions, self.residuals, self.scales]
        if self.stored_list_ids is not None:
            rows.append(self.stored_list_ids)
        if any(len(array) != vectors for array in rows):
            raise ValueError(f"{vectors} owners, {[len(array) for array in rows]} of the rest")
        for offsets in (self.passage_offsets, self.list_offsets):
            if offsets[0] != 0 or offsets[-1] != vectors or (offsets[1:] < offsets[:-1]).any():
                raise ValueError(f"offsets that do not ascend from 0 to {vectors}")
        if (self.passage_offsets[1:] == self.passage_offsets[:-1]).any():
            raise ValueError("a passage without vectors")
        if (self.passage_ids[1:] <= self.passage_ids[:-1]).any():
            raise ValueError("passages that do not ascend")
        if self.store is not None and len(self.store) != passages:
            raise ValueError(f"{passages} passages, {len(self.store)} in the store")

    def check(self) -> None:
        """Check that owners, lists and passages agree, vector by vector.

        Raises:
            ValueError: they do not.
        """
        owners = self.owners
        drops = np.flatnonzero(owners[1:] < owners[:-1]) + 1
        lists = np.searchsorted(self.list_offsets, drops)
        if (self.list_offsets[lists] != drops).any():
            raise ValueError("owners that do not ascend within a list")
        lengths = np.diff(self.passage_offsets)
        if not np.array_equal(np.bincount(owners, minlength=len(lengths)), lengths):
            raise ValueError("owners that do not fit the passages' lengths")
        if self.stored_list_ids is not None and not np.array_equal(
            self.stored_list_ids, self._list_ids_by(self._ordered())
        ):
            raise ValueError("list ids that do not fit the lists")

    def fits(self, codec: Codec) -> bool:
        """Return whether the lists, the residuals and the store match a codec."""
        is_as_wide = self.residuals.shape[1] == codec.residual_bytes
        if self.store is None or codec.refinement is None:
            is_as_fine = self.store is None and codec.refinement is None
        else:
            is_as_fine = self.store.fits(codec.refinement)
        return len(self.list_offsets) - 1 == codec.lists and is_as_wide and is_as_fine

    def rest(self) -> None:
        """Release the memory of the mapped file; pages are loaded again when they are read."""
        if self.mapped is not None:
            self.mapped.rest()

    @cached_property
    def slots(self) -> npt.NDArray[np.uint32]:
        """(t,) passage by passage, the slot of each vector in the lists; ascending within each.

        (0,) for a segment that stores the lists, which is too large.
        """
        is_large = self.stored_list_ids is not None
        of = np.zeros(0, np.uint32) if is_large else self._ordered().astype(np.uint32)
        of.flags.writeable = False
        return of

    @cached_property
    def list_ids(self) -> npt.NDArray[np.uint16]:
        """(t,) passage by passage and ascending within each, the list of each vector."""
        if self.stored_list_ids is not None:
            return self.stored_list_ids
        of = self._list_ids_by(self.slots)
        of.flags.writeable = False
        return of

    def _list_ids_by(self, slots: Integers) -> npt.NDArray[np.uint16]:
        """Return (t,) the lists that contain the vectors at (t,) slots."""
        list_ids = np.arange(len(self.list_offsets) - 1, dtype=np.uint16)
        list_of: npt.NDArray[np.uint16] = np.repeat(list_ids, np.diff(self.list_offsets))[slots]
        return list_of

    def codes(self, rows: Numbers) -> Codes:
        """Return the compressed vectors of passages, passage by passage.

        Args:
            rows: (n,) of the passages in `passage_ids`.
        """
        lengths = self.lengths(rows)
        vector_rows = ranges(self.passage_offsets[rows], lengths)
        # Stored ones are not checked when a segment is opened.
        list_ids = np.minimum(self.list_ids[vector_rows], np.uint16(len(self.list_offsets) - 2))
        if len(self.slots):
            slots: Integers = self.slots[vector_rows]
        elif len(vector_rows) * _SELECTIVE_SHARE > len(self.owners):
            slots = self._ordered()[vector_rows]
        else:
            slots = self._slots_in(list_ids, np.repeat(rows, lengths))
        return Codes(list_ids, self.residuals.take(slots, axis=0), self.scales[slots])

    def _ordered(self) -> Numbers:
        """(t,) the vectors' slots in the lists, in the order of their passages."""
        return np.argsort(self.owners, kind="stable")

    def _slots_in(self, list_ids: npt.NDArray[np.uint16], passages: Numbers) -> Numbers:
        """Return (m,) the slots of vectors with known (m,) lists and (m,) passages."""
        low = self.list_offsets[list_ids].astype(np.int64)
        high = self.list_offsets[list_ids.astype(np.int64) + 1].astype(np.int64)
        last = len(self.owners) - 1
        for _ in range(int((high - low).max(initial=0)).bit_length()):
            middle = (low + high) // 2
            is_before = (self.owners[np.minimum(middle, last)] < passages) & (low < high)
            low = np.where(is_before, middle + 1, low)
            high = np.where(is_before, high, middle)
        # Vectors of a passage in the same list are adjacent.
        indexes = np.arange(len(low))
        is_first = np.ones(len(low), dtype=np.bool_)
        is_first[1:] = (list_ids[1:] != list_ids[:-1]) | (passages[1:] != passages[:-1])
        first = np.maximum.accumulate(np.where(is_first, indexes, 0))
        slots: Numbers = np.minimum(low + indexes - first, last)
        return slots

    def positions_of(self, row: int) -> Numbers:
        """Return the token that contributed most to each vector of a passage."""
        rows = slice(int(self.passage_offsets[row]), int(self.passage_offsets[row + 1]))
        return self.positions[rows].astype(np.int64)

    def select(self, rows: Numbers) -> Passages:
        """Return passages in their original order of vectors."""
        lengths = self.lengths(rows)
        vector_rows = ranges(self.passage_offsets[rows], lengths)
        return Passages(
            self.passage_ids[rows],
            lengths,
            self.codes(rows),
            self.positions[vector_rows],
            None if self.store is None else self.store.select(rows),
        )

    def lengths(self, rows: Numbers) -> Numbers:
        """Return (n,) the numbers of vectors of passages."""
        return self.passage_offsets[rows + 1].astype(np.int64) - self.passage_offsets[rows]


def _require_plain(name: str, array: npt.NDArray[Any], dtype: type) -> None:
    if not is_plain(array, dtype, 1):
        raise ValueError(f"{name} of {array.dtype} and shape {array.shape}")


def build_inverted_lists(passages: Passages, lists: int) -> InvertedLists:
    """Return the arrays of a segment of these passages, for a codec with this number of lists.

    >>> codes = Codes(np.array([1, 0, 1], np.uint16), np.array([[7], [8], [9]], np.uint8),
    ...               np.zeros(3, np.uint8))
    >>> passages = Passages(np.array([5, 3]), np.array([1, 2]), codes, np.array([0, 0, 1]))
    >>> arranged = build_inverted_lists(passages, 2)
    >>> arranged.passage_ids.tolist(), arranged.list_ids.tolist(), arranged.list_offsets.tolist()
    ([3, 5], [0, 1, 1], [0, 1, 3])
    >>> arranged.owners.tolist(), arranged.residuals[:, 0].tolist()
    ([0, 0, 1], [8, 9, 7])

    Raises:
        ValueError: there are more passages than a segment holds.
    """
    if len(passages) > MOST_PASSAGES:
        raise ValueError(f"{len(passages)} passages; a segment holds at most {MOST_PASSAGES}")
    order = np.argsort(passages.passage_ids, kind="stable")
    new_rows = np.empty_like(order)
    new_rows[order] = np.arange(len(order))
    owners = np.repeat(new_rows, passages.lengths)
    # A stable sort is fast for input that is nearly sorted.
    rows = np.argsort((owners << 16) | passages.codes.list_ids, kind="stable")
    owners, list_ids = owners[rows], passages.codes.list_ids[rows]
    by_list = np.argsort(list_ids, kind="stable")
    rows_by_list = rows[by_list]
    return InvertedLists(
        passage_ids=passages.passage_ids[order],
        passage_offsets=offsets_of(passages.lengths[order]).astype(np.uint32),
        positions=_narrow(passages.positions[rows]),
        list_offsets=offsets_of(np.bincount(list_ids, minlength=lists)).astype(np.uint32),
        owners=owners[by_list].astype(np.uint16),
        residuals=passages.codes.residuals.take(rows_by_list, axis=0),
        scales=passages.codes.scales[rows_by_list],
        store=None if passages.store is None else passages.store.select(order),
    )


def merged(parts: Sequence[tuple[InvertedLists, Flags]]) -> InvertedLists:
    """Return the arrays of one segment of the passages of several, which have the same lists.

    Sorted parts are not sorted again: each list is the concatenation of the parts' lists, sorted by
    passage only if passages of one part come between those of another.

    Args:
        parts: each with (p,) which of its passages are taken; together one at least.

    >>> codes = Codes(np.array([1, 0, 1], np.uint16), np.array([[7], [8], [9]], np.uint8),
    ...               np.zeros(3, np.uint8))
    >>> one, other = (
    ...     build_inverted_lists(Passages(np.array(numbers), np.array([1, 2]), codes,
    ...                                   np.array([0, 0, 1])), 2)
    ...     for numbers in ([5, 3], [4, 6]))
    >>> arranged = merged([(one, np.array([True, True])), (other, np.array([True, False]))])
    >>> arranged.passage_ids.tolist(), arranged.list_offsets.tolist()
    ([3, 4, 5], [0, 1, 4])
    >>> arranged.owners.tolist(), arranged.residuals[:, 0].tolist()
    ([0, 0, 1, 2], [8, 9, 7, 7])

    Raises:
        ValueError: there are more passages than a segment holds.
    """
    passage_ids = np.concatenate([part.passage_ids[is_selected] for part, is_selected in parts])
    if len(passage_ids) > MOST_PASSAGES:
        raise ValueError(f"{len(passage_ids)} passages; a segment holds at most {MOST_PASSAGES}")
    order = np.argsort(passage_ids, kind="stable")
    new_rows = np.empty_like(order)
    new_rows[order] = np.arange(len(order))
    subsets = _subsets(parts, new_rows)
    list_offsets = offsets_of(np.sum([each.sizes for each in subsets], axis=0))
    rows = np.empty(int(list_offsets[-1]), dtype=np.int64)
    begins = list_offsets[:-1].copy()
    begin = 0
    for each in subsets:
        rows[ranges(begins, each.sizes)] = np.arange(begin, begin + len(each.owners))
        begins += each.sizes
        begin += len(each.owners)
    owners = np.concatenate([each.owners for each in subsets])
    if not (passage_ids[1:] > passage_ids[:-1]).all():
        list_ids = np.repeat(np.arange(len(list_offsets) - 1), np.diff(list_offsets))
        rows = rows[np.argsort((list_ids << 16) | owners[rows], kind="stable")]
    lengths = np.concatenate([each.lengths for each in subsets])
    positions = np.concatenate([each.positions for each in subsets])
    by_passage = ranges(offsets_of(lengths)[order], lengths[order])
    store = joined_stores(
        [
            part.store and part.store.select(np.flatnonzero(is_selected))
            for part, is_selected in parts
            if is_selected.any()
        ]
    )
    return InvertedLists(
        passage_ids=passage_ids[order],
        passage_offsets=offsets_of(lengths[order]).astype(np.uint32),
        positions=_narrow(positions[by_passage]),
        list_offsets=list_offsets.astype(np.uint32),
        owners=owners[rows],
        # Gathering rows takes a fifth of the time of scattering them.
        residuals=np.concatenate([each.residuals for each in subsets]).take(rows, axis=0),
        scales=np.concatenate([each.scales for each in subsets])[rows],
        store=store and store.select(order),
    )


@dataclass(frozen=True, slots=True)
class _Subset:
    """The selected vectors of a part, by list; lengths (p,) and positions (t,) are by passage."""

    sizes: Numbers
    owners: Integers
    residuals: npt.NDArray[np.uint8]
    scales: npt.NDArray[np.uint8]
    lengths: Numbers
    positions: Integers


def _subsets(parts: Sequence[tuple[InvertedLists, Flags]], new_rows: Numbers) -> list[_Subset]:
    """Return the selected vectors of each part, with owners renumbered by the new `new_rows`."""
    subsets = []
    begin = 0
    for part, is_selected in parts:
        end = begin + int(np.count_nonzero(is_selected))
        of = np.zeros(len(is_selected), dtype=np.uint16)
        of[is_selected] = new_rows[begin:end]
        begin = end
        sizes = np.diff(part.list_offsets).astype(np.int64)
        lengths = np.diff(part.passage_offsets).astype(np.int64)
        positions = part.positions
        owners, residuals, scales = of[part.owners], part.residuals, part.scales
        if not is_selected.all():
            rows = np.flatnonzero(is_selected[part.owners])
            owners, residuals, scales = owners[rows], residuals.take(rows, axis=0), scales[rows]
            sizes = np.diff(np.searchsorted(rows, part.list_offsets))
            positions = positions[np.repeat(is_selected, lengths)]
            lengths = lengths[is_selected]
        subsets.append(_Subset(sizes, owners, residuals, scales, lengths, positions))
    return subsets


def _narrow(array: Integers) -> Integers:
    """Return the numbers as bytes if all fit, else as two bytes each."""
    return array.astype(np.uint8 if int(array.max(initial=0)) < 1 << 8 else np.uint16)
