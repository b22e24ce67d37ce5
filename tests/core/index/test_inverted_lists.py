"""Vectors laid list by list are found again passage by passage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index import inverted_lists
from core.index.codec import Codes
from core.index.inverted_lists import (
    MOST_PASSAGES,
    InvertedLists,
    Passages,
    build_inverted_lists,
    joined,
    merged,
)

_LISTS = 5


@st.composite
def some_passages(draw: st.DrawFn) -> Passages:
    numbers = draw(st.lists(st.integers(0, 500), min_size=1, max_size=8, unique=True))
    lengths = [draw(st.integers(1, 6)) for _ in numbers]
    count = sum(lengths)
    generator = np.random.default_rng(draw(st.integers(0, 99)))
    codes = Codes(
        generator.integers(0, _LISTS, count).astype(np.uint16),
        generator.integers(0, 256, (count, 2)).astype(np.uint8),
        generator.integers(0, 256, count).astype(np.uint8),
    )
    positions = np.concatenate([generator.permutation(length) for length in lengths])
    return Passages(np.array(numbers), np.array(lengths), codes, positions)


def vectors_of(encoded: Passages) -> dict[int, list[tuple[int, ...]]]:
    """For each passage its vectors with the tokens that they represent, in any order."""
    codes = encoded.codes
    rows = zip(
        codes.list_ids.tolist(),
        codes.residuals.tolist(),
        codes.scales.tolist(),
        encoded.positions.tolist(),
        strict=True,
    )
    vectors = [(centroid, *residual, scale, place) for centroid, residual, scale, place in rows]
    found = {}
    for number, length in zip(encoded.passage_ids.tolist(), encoded.lengths.tolist(), strict=True):
        found[number] = sorted(vectors[:length])
        del vectors[:length]
    return found


def everything(built: InvertedLists) -> Passages:
    return built.select(np.arange(len(built.passage_ids)))


@given(some_passages())
def test_arranged_lists_contain_the_input(passages: Passages) -> None:
    built = build_inverted_lists(passages, _LISTS)
    assert built.passage_ids.tolist() == sorted(passages.passage_ids.tolist())
    assert vectors_of(everything(built)) == vectors_of(passages)
    for place, number in enumerate(built.passage_ids.tolist()):
        assert sorted(built.positions_of(place).tolist()) == list(
            range(len(vectors_of(passages)[number]))
        )


@given(some_passages())
def test_lists_hold_the_vectors_of_their_centroid_by_owner(passages: Passages) -> None:
    built = build_inverted_lists(passages, _LISTS)
    assert built.list_offsets[0] == 0
    assert built.list_offsets[-1] == len(passages.codes)
    for number in range(_LISTS):
        owners = built.owners[built.list_offsets[number] : built.list_offsets[number + 1]]
        assert (np.diff(owners.astype(int)) >= 0).all()
        expected = np.sort(
            np.searchsorted(
                built.passage_ids,
                np.repeat(passages.passage_ids, passages.lengths)[
                    passages.codes.list_ids == number
                ],
            )
        )
        np.testing.assert_array_equal(owners, expected)


@given(some_passages(), st.data())
def test_passages_are_selected_by_position(passages: Passages, data: st.DataObject) -> None:
    built = build_inverted_lists(passages, _LISTS)
    places = data.draw(st.lists(st.integers(0, len(built.passage_ids) - 1), unique=True))
    selected = built.select(np.array(places, dtype=np.int64))
    expected = vectors_of(passages)
    assert vectors_of(selected) == {n: expected[n] for n in built.passage_ids[places].tolist()}


@pytest.mark.parametrize("share", [0, 1000])
@given(passages=some_passages(), data=st.data())
def test_vector_positions_found_by_bisection_equal_those_by_sorting(
    share: int, passages: Passages, data: st.DataObject
) -> None:
    built = build_inverted_lists(passages, _LISTS)
    built = replace(built, stored_list_ids=built.list_ids)  # as in a large segment
    places = np.array(
        data.draw(st.lists(st.integers(0, len(built.passage_ids) - 1), unique=True)),
        dtype=np.int64,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inverted_lists, "_SELECTIVE_SHARE", share)
        codes = built.codes(places)
    lengths = built.lengths(places).tolist()
    found = vectors_of(
        Passages(np.arange(len(places)), np.array(lengths, np.int64), codes, codes.scales * 0)
    )
    expected = {
        place: sorted(
            (*row[:-1], 0) for row in vectors_of(passages)[int(built.passage_ids[number])]
        )
        for place, number in enumerate(places.tolist())
    }
    assert found == expected


@given(some_passages())
def test_joined_passages_are_arranged_as_if_they_had_come_together(passages: Passages) -> None:
    built = build_inverted_lists(passages, _LISTS)
    halves = [
        built.select(np.flatnonzero(np.arange(len(built.passage_ids)) % 2 == odd)) for odd in (0, 1)
    ]
    again = build_inverted_lists(joined([one for one in halves if len(one)]), _LISTS)
    np.testing.assert_array_equal(again.residuals, built.residuals)
    np.testing.assert_array_equal(again.positions, built.positions)


@given(some_passages(), st.data())
def test_segments_are_merged_as_if_their_passages_had_come_together(
    passages: Passages, data: st.DataObject
) -> None:
    """Whichever passages are in which, whichever are taken, and in whatever order they come."""
    built = build_inverted_lists(passages, _LISTS)
    part_of = np.array([data.draw(st.integers(0, 2)) for _ in built.passage_ids])
    if data.draw(st.booleans()):
        part_of.sort()  # one after the other, as they mostly come
    is_alive = np.array([data.draw(st.booleans()) for _ in built.passage_ids])
    is_alive[0] = True
    parts = []
    for number in data.draw(st.permutations(range(3))):
        places = np.flatnonzero(part_of == number)
        if len(places):
            part = build_inverted_lists(built.select(places), _LISTS)
            parts.append((part, is_alive[places]))
    again = merged(parts)
    expected = build_inverted_lists(built.select(np.flatnonzero(is_alive)), _LISTS)
    for name in vars(expected):
        one, other = getattr(again, name), getattr(expected, name)
        assert type(one) is type(other)
        if one is not None:
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype


def test_the_number_of_passages_fits_two_bytes() -> None:
    count = MOST_PASSAGES + 1
    codes = Codes(
        np.zeros(count, np.uint16), np.zeros((count, 1), np.uint8), np.zeros(count, np.uint8)
    )
    ones = np.ones(count, np.int64)
    with pytest.raises(ValueError, match="at most 65536"):
        build_inverted_lists(Passages(np.arange(count), ones, codes, ones), 1)
    built = build_inverted_lists(
        Passages(np.arange(count)[1:], ones[1:], codes[slice(1, None)], ones[1:]), 1
    )
    assert built.owners[-1] == MOST_PASSAGES - 1
