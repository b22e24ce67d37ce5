"""Packed owners come back, and take less room than two bytes each."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.segment import pack_owners, unpack_owners


@given(data=st.data())
def test_packed_arrays_are_restored(data: st.DataObject) -> None:
    passages = data.draw(st.integers(1, 1 << 16))
    owned = data.draw(st.lists(st.lists(st.integers(0, passages - 1)), min_size=1, max_size=9))
    owners = np.array([one for each in owned for one in sorted(each)], dtype=np.uint16)
    lists = np.concatenate([[0], np.cumsum([len(each) for each in owned])]).astype(np.uint32)
    found = unpack_owners(pack_owners(owners, lists, passages), len(owned), passages)
    for expected_array, came in zip((owners, lists), found, strict=True):
        assert came.dtype == expected_array.dtype
        np.testing.assert_array_equal(came, expected_array)


def test_the_most_of_passages_and_of_lists() -> None:
    most = 1 << 16
    lists = np.zeros(most + 1, dtype=np.uint32)
    lists[-1] = 1
    owners, begins = unpack_owners(pack_owners(np.array([most - 1]), lists, most), most, most)
    assert owners.tolist() == [most - 1]
    np.testing.assert_array_equal(begins, lists)


@pytest.mark.parametrize(("count", "most_bits"), [(1024, 9.5), (16_384, 10.5)])
def test_an_owner_takes_some_ten_bits(count: int, most_bits: float) -> None:
    """With 50 vectors of each passage, as passages have."""
    passages = 8192
    generator = np.random.default_rng(3)
    cells = np.sort(generator.integers(0, count, passages * 50))
    lists = np.concatenate([[0], np.cumsum(np.bincount(cells, minlength=count))])
    owners = np.concatenate(
        [np.sort(generator.integers(0, passages, end - start)) for start, end in pairwise(lists)]
    )
    packed = pack_owners(owners, lists, passages)
    assert 8 * (packed.low.nbytes + packed.high.nbytes) / len(owners) < most_bits
