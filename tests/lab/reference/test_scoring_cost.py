"""Number of operations for scoring candidates."""

from __future__ import annotations

import pytest

from lab.reference.scoring_cost import mean_cost, scoring_cost


def test_costs_match_the_papers_table() -> None:
    """XTR, table 1: 0.36e9 and 0.09e6, 4,000 times fewer."""
    cost = scoring_cost(retrieved=100, n=16, m=55, d=128, candidates=640)
    assert cost.tokens_retrieved == 2.5
    assert round(cost.colbert_worst / 1e9, 2) == 0.36
    assert round(cost.xtr_worst / 1e6, 2) == 0.09
    assert cost.colbert_worst / cost.xtr_worst == pytest.approx(4000, rel=0.02)
    # Several tokens of one passage make fewer candidates than in the worst case.
    assert cost.colbert == pytest.approx(cost.colbert_worst / 2.5)


def test_an_average_query_costs_the_mean() -> None:
    costs = [scoring_cost(10, n, m=20, d=8, candidates=n) for n in (2, 4)]
    found = mean_cost(costs)
    assert (found.query_tokens, found.dimensions) == (3, 8)
    assert found.colbert == (costs[0].colbert + costs[1].colbert) / 2
