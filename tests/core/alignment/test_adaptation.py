"""Choosing an alignment from a few judged queries, and never on noise."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment import adaptation
from core.alignment.adaptation import FEWEST, STRATEGIES, choose, level, ndcg
from core.alignment.pairwise import scores
from lab.evaluation import measures

Doubles = npt.NDArray[np.float64]


def noise(random: np.random.Generator, queries: int, gain: float = 0, better: int = 2) -> Doubles:
    """(q, s) nDCG@10 of one right passage each, whose ranks differ by chance and by `gain`.

    Neighbouring strategies err alike, as they do in truth; ranks are spread as those of results
    that people look at: often first, seldom beyond the tenth.
    """
    count = len(STRATEGIES)
    alike = [[0.8 ** abs(i - j) for j in range(count)] for i in range(count)]
    errors = random.standard_normal((queries, count)) @ np.linalg.cholesky(np.array(alike)).T
    logarithms = 0.6 + random.exponential(1, (queries, 1)) + 0.7 * errors
    logarithms[:, better] -= gain
    places = np.maximum(np.exp(logarithms).round(), 1)
    return np.where(places <= 10, 1 / np.log2(places + 1), 0)


def test_these_are_the_strategies_of_the_paper() -> None:
    assert list(map(str, STRATEGIES)) == [
        *("topk:1", "topk:2", "topk:4", "topk:6", "topk:8"),
        *("topp:0.005", "topp:0.01", "topp:0.015", "topp:0.02"),
    ]


@given(st.data())
def test_ndcg_is_that_of_a_sorted_list(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 30))
    right = data.draw(st.sets(st.integers(0, count - 1), max_size=15))
    unfound = data.draw(st.integers(0 if right else 1, 3))
    orders = [data.draw(st.permutations(range(count))) for _ in range(2)]
    found = np.array([[order.index(one) + 1 for one in sorted(right)] for order in orders])
    relevant = len(right) + unfound
    grades = {str(one): 1 for one in range(-unfound, count) if one < 0 or one in right}
    for order, value in zip(orders, ndcg(found.reshape(2, -1), relevant), strict=True):
        expected = measures.ndcg([str(one) for one in order], grades, 10)
        assert value == pytest.approx(expected)


def test_nothing_is_proposed_on_noise() -> None:
    """Asked after each judgement from the fifth to the eighth, a person sees none 19 of 20 times.

    And each time alone it is less likely than `level`, up to what drawing 300 of them may err.
    """
    random = np.random.default_rng(3)
    drawn = [noise(random, 8) for _ in range(300)]
    proposed = np.array(
        [[choose(values[:count]).is_sound for count in range(2, 9)] for values in drawn]
    )
    assert not proposed[:, :3].any()
    assert proposed.any(axis=1).mean() <= 0.05
    assert all(share <= level(FEWEST) for share in proposed.mean(axis=0))


def test_on_many_queries_noise_stays_noise() -> None:
    random = np.random.default_rng(4)
    proposed = [choose(noise(random, 24)).is_sound for _ in range(150)]
    # level(24) is .8 %: more than 5 of 150 has odds of one in five hundred.
    assert np.sum(proposed) <= 5


def test_a_significant_improvement_is_found() -> None:
    random = np.random.default_rng(5)
    found = [choose(noise(random, 8, gain=2, better=2)) for _ in range(60)]
    assert np.mean([one.is_sound for one in found]) > 0.8
    sound = [STRATEGIES[one.best].value for one in found if one.is_sound]
    assert np.mean(np.array(sound) == 4) > 0.9


def test_a_significant_loss_is_never_proposed() -> None:
    random = np.random.default_rng(6)
    for _ in range(50):
        values = noise(random, 8)
        values[:, 0] = values.max(axis=1) + 0.01
        choice = choose(values)
        assert (choice.best, choice.is_sound) == (0, False)


def test_four_alignments_find_an_argument_that_one_misses() -> None:
    """A passage that answers in several places, among some that repeat one word of the query."""
    random = np.random.default_rng(7)
    values = []
    for _ in range(6):
        table = []
        for candidate in range(30):
            pairs = random.uniform(0, 0.2, (5, 40)).astype(np.float32)
            if candidate == 17:  # the right one
                pairs[:, :4] = random.uniform(0.6, 0.7, (5, 4))
            else:
                pairs[:, 0] = random.uniform(0.6, 0.8, 5)
            table.append(scores(pairs, STRATEGIES))
        order = np.argsort(-np.array(table, dtype=np.float32).T, axis=1)
        values.append(ndcg(np.argwhere(order == 17)[:, 1:] + 1, 1))
    choice = choose(np.array(values))
    assert choice.is_sound
    assert STRATEGIES[choice.best].value in {2, 4}
    assert choice.chance == 1 / 64


def test_the_first_of_equals_is_chosen() -> None:
    values = np.full((8, 3), 0.3)
    assert choose(values).best == 0
    values[:, 1:] = 0.9
    assert choose(values).best == 1


def test_a_gain_too_small_to_matter_is_not_proposed() -> None:
    values = np.full((8, 2), 0.5)
    values[:, 1] += adaptation.LEAST_GAIN / 2
    choice = choose(values)
    assert choice.chance < level(8)
    assert not choice.is_sound


def test_one_great_gain_proves_nothing() -> None:
    values = np.zeros((8, 2))
    values[3, 1] = 1
    assert not choose(values).is_sound


@pytest.mark.parametrize("queries", [0, 1])
def test_next_to_nothing_tells_nothing(queries: int) -> None:
    assert not choose(np.ones((queries, 9))).is_sound
