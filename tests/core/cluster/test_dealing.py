"""Segments are dealt to replicas evenly, alike by everybody, and few move."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from core.cluster.dealing import SLACK, deal, preference

names = st.text("0123456789abcdef", min_size=1, max_size=8)
sizes = st.dictionaries(names, st.integers(1, 60_000), min_size=1, max_size=40)
replicas = st.lists(st.integers(0, 30), min_size=1, max_size=8, unique=True)


@given(sizes, replicas, st.randoms())
def test_each_segment_has_one_replica_whoever_deals(
    of: dict[str, int], there: list[int], chance: object
) -> None:
    dealt = deal(of, there)
    assert dealt.keys() == of.keys()
    assert set(dealt.values()) <= set(there)
    assert deal(dict(reversed(of.items())), there[::-1]) == dealt


@given(st.dictionaries(names, st.integers(1, 10), min_size=1, max_size=60), replicas)
def test_no_replica_has_much_more_than_its_share(of: dict[str, int], there: list[int]) -> None:
    loads = dict.fromkeys(there, 0)
    for segment, replica in deal(of, there).items():
        loads[replica] += of[segment]
    most = math.ceil(SLACK * sum(of.values()) / len(there))
    assert max(loads.values()) <= most + max(of.values())


@given(names, replicas)
def test_where_a_replica_goes_the_others_stay_in_their_order(
    segment: str, there: list[int]
) -> None:
    order = preference(segment, there)
    assert sorted(order) == sorted(there)
    for gone in there:
        left = [each for each in there if each != gone]
        assert preference(segment, left) == [each for each in order if each != gone]


def test_few_segments_move_when_a_replica_comes() -> None:
    of = {f"{number}.safetensors": 100 for number in range(400)}
    before, after = deal(of, range(4)), deal(of, range(5))
    moved = [segment for segment in of if before[segment] != after[segment]]
    # A fifth has to; without a hash it would be four fifths.
    assert 40 <= len(moved) <= 140
    assert sum(after[segment] == 4 for segment in moved) >= 0.75 * len(moved)
