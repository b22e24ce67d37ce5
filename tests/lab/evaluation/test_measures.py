"""The measures compared with hand-computed cases, an independent sum, and invariants."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.evaluation.measures import Measure, mean, mrr, ndcg, recall, success

MEASURES = [ndcg, mrr, recall, success]
DOCUMENTS = [f"d{number}" for number in range(12)]

grades_of_some = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 4), max_size=12)
some_ranked = st.lists(st.sampled_from(DOCUMENTS), unique=True)
cutoffs = st.integers(1, 15)


def ndcg_by_numpy(ranking: list[str], grades: dict[str, int], k: int) -> float:
    discounts = 1 / np.log2(np.arange(2, 30))
    gains = np.array([max(grades.get(document, 0), 0) for document in ranking][:k] or [0])
    ideal = np.clip(sorted(grades.values(), reverse=True)[:k] or [0], 0, None)
    best = ideal @ discounts[: len(ideal)]
    return float(gains @ discounts[: len(gains)] / best) if best else 0.0


def best_ranking(grades: dict[str, int]) -> list[str]:
    return sorted(grades, key=lambda document: -grades[document])


def test_ndcg_of_a_graded_ranking() -> None:
    # Gains 3 2 3 0 1 2 over log2 of 2..7: 3 + 1.26186 + 1.5 + 0 + 0.38685 + 0.71241 = 6.86113.
    # Ideal, over all judged: 3 3 3 2 2 2: 3 + 1.89279 + 1.5 + 0.86135 + 0.77371 + 0.71241
    # = 8.74026.
    grades = {"d1": 3, "d2": 2, "d3": 3, "d4": 0, "d5": 1, "d6": 2, "d7": 3, "d8": 2}
    ranking = ["d1", "d2", "d3", "d4", "d5", "d6"]
    assert ndcg(ranking, grades, 6) == pytest.approx(6.86113 / 8.74026, abs=1e-5)


def test_ndcg_discounts_the_second_rank_already() -> None:
    # The oldest definition discounts from the third rank on; trec_eval's does not.
    assert ndcg(["x", "a"], {"a": 1}, 10) == pytest.approx(1 / np.log2(3))


@pytest.mark.parametrize(
    ("measure", "k", "expected"),
    [
        (mrr, 2, 0.0),
        (mrr, 3, 1 / 3),
        (recall, 2, 0.0),
        (recall, 3, 1 / 2),
        (recall, 100, 1 / 2),
        (success, 2, 0.0),
        (success, 3, 1.0),
    ],
)
def test_only_the_first_k_count(measure: Measure, k: int, expected: float) -> None:
    ranking = ["x", "judged-0", "good", "judged-minus"]
    grades = {"good": 2, "judged-0": 0, "judged-minus": -2, "never-found": 1}
    assert measure(ranking, grades, k) == expected


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("grades", [{}, {"a": 0}, {"a": -1, "b": 0}])
def test_without_relevant_documents_all_are_zero(measure: Measure, grades: dict[str, int]) -> None:
    assert measure(["a", "b"], grades, 10) == 0.0


@pytest.mark.parametrize("measure", MEASURES)
def test_an_empty_ranking_scores_zero(measure: Measure) -> None:
    assert measure([], {"a": 1}, 10) == 0.0


@pytest.mark.parametrize("measure", MEASURES)
def test_duplicate_documents_in_a_ranking_are_an_error(measure: Measure) -> None:
    with pytest.raises(ValueError, match="twice"):
        measure(["a", "a"], {"a": 1}, 10)
    with pytest.raises(ValueError, match="k is 0"):
        measure(["a"], {"a": 1}, 0)


@given(some_ranked, grades_of_some, cutoffs)
def test_ndcg_matches_an_independent_implementation(
    ranking: list[str], grades: dict[str, int], k: int
) -> None:
    assert ndcg(ranking, grades, k) == pytest.approx(ndcg_by_numpy(ranking, grades, k))


@pytest.mark.parametrize("measure", MEASURES)
@given(ranking=some_ranked, grades=grades_of_some, k=cutoffs)
def test_measures_stay_between_0_and_1(
    measure: Measure, ranking: list[str], grades: dict[str, int], k: int
) -> None:
    assert 0 <= measure(ranking, grades, k) <= 1


@pytest.mark.parametrize("measure", [ndcg, mrr, success])
@given(grades=grades_of_some, k=cutoffs)
def test_the_best_ranking_scores_1(measure: Measure, grades: dict[str, int], k: int) -> None:
    expected = 1 if any(grade > 0 for grade in grades.values()) else 0
    assert measure(best_ranking(grades), grades, k) == expected


@given(grades=grades_of_some, k=cutoffs)
def test_the_best_ranking_recalls_as_much_as_k_allows(grades: dict[str, int], k: int) -> None:
    relevant = sum(grade > 0 for grade in grades.values())
    expected = min(k, relevant) / relevant if relevant else 0
    assert recall(best_ranking(grades), grades, k) == expected


@pytest.mark.parametrize("measure", MEASURES)
@given(ranking=some_ranked, grades=grades_of_some, k=cutoffs, data=st.data())
def test_moving_a_better_document_up_never_lowers_a_measure(
    measure: Measure, ranking: list[str], grades: dict[str, int], k: int, data: st.DataObject
) -> None:
    swaps = [
        rank
        for rank in range(1, len(ranking))
        if grades.get(ranking[rank], 0) > grades.get(ranking[rank - 1], 0)
    ]
    if not swaps:
        return
    rank = data.draw(st.sampled_from(swaps))
    better = [*ranking]
    better[rank - 1], better[rank] = better[rank], better[rank - 1]
    assert measure(better, grades, k) >= measure(ranking, grades, k)


def test_the_mean_includes_misses_and_skips_queries_without_answers() -> None:
    judgements = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 0}, "q4": {}}
    rankings = {"q1": ["a"], "q3": ["c"], "unjudged": ["a"]}
    assert mean(success, rankings, judgements, 5) == 0.5


def test_an_empty_mean_is_0() -> None:
    assert mean(ndcg, {}, {}, 10) == 0.0
