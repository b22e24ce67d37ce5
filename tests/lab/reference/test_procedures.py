"""XTR's and ColBERTv2's procedures, compared with the papers' formulas written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.index import probing
from core.index.probing import EVERYTHING, ProbeParams
from core.progress import Job
from lab.reference import procedures
from lab.reference.imputation import score_retrieved
from tests.core.index.conftest import small_codec, summed, vectors_of
from tests.core.index.test_probing import inverted_lists_of, sizes_of


@pytest.mark.parametrize("retrieved", [1, 3, 10])
def test_xtr_ranks_by_the_retrieved_vectors_and_the_last_of_them(retrieved: int) -> None:
    codec = small_codec()
    segments = [
        inverted_lists_of(codec, [2, 5, 3]),
        replace(inverted_lists_of(codec, [4, 1]), passage_ids=np.array([8, 9])),
    ]
    query = vectors_of(77, 3)
    masked_segments = [(one, np.ones(len(one.passage_ids), np.bool_)) for one in segments]
    chosen = procedures.with_last_retrieved(
        probing.plan(query, codec, sizes_of(segments[0]), EVERYTHING), masked_segments, retrieved
    )
    found = probing.probe(chosen, masked_segments, Job())

    owners, products = [], []
    for one in segments:
        places = np.arange(len(one.passage_ids))
        owners.append(np.repeat(one.passage_ids, np.diff(one.passage_offsets.astype(np.int64))))
        products.append(codec.scorer(query)(one.codes(places)))
    every, owner = np.concatenate(products, axis=1), np.concatenate(owners)
    nearest = np.argsort(-every, axis=1)[:, :retrieved]
    passages, scores = score_retrieved(
        [owner[row] for row in nearest],
        [row[places] for row, places in zip(every, nearest, strict=True)],
    )
    totals = dict(zip(found.passage_ids.tolist(), found.totals.tolist(), strict=True))
    assert totals.keys() <= set(passages.tolist())
    missing_scores = chosen.missing_scores.sum()
    np.testing.assert_allclose(
        [(totals.get(n, 0) + missing_scores) / 3 for n in passages.tolist()], scores, atol=1e-5
    )


def test_a_token_that_retrieves_fewer_keeps_the_next_lists_score() -> None:
    codec = small_codec()
    segment = inverted_lists_of(codec, [2, 3])
    masked_segments = [(segment, np.ones(2, np.bool_))]
    chosen = probing.plan(vectors_of(77, 3), codec, sizes_of(segment), ProbeParams(1, 1))
    same = procedures.with_last_retrieved(chosen, masked_segments, 6)
    assert same.missing_scores.tolist() == chosen.missing_scores.tolist()


def test_colberts_procedure_compares_candidates_with_all_tokens_without_imputation() -> None:
    codec = small_codec()
    segment = inverted_lists_of(codec, [2, 5, 3, 4, 1, 1, 1])
    query = vectors_of(77, 3)
    lists = 1
    chosen = procedures.colbert(query, codec, sizes_of(segment), ProbeParams(n_probe=lists), ())
    estimates = summed(chosen, segment, np.ones(7, np.bool_))

    near = set(np.argsort(-(query @ codec.centroids.T), axis=1)[:, :lists].ravel().tolist())
    assert len(near) > 1
    bounds = {}
    for place in range(7):
        codes = segment.codes(np.array([place]))
        is_near = np.isin(codes.list_ids, list(near))
        if is_near.any():
            bounds[place] = codec.scorer(query)(codes)[:, is_near].max(axis=1).sum()
    assert 0 < len(bounds) < 7
    for place in range(7):
        expected = bounds[place] - chosen.missing_scores.sum() if place in bounds else 0
        assert estimates[place] == pytest.approx(expected, abs=1e-4)
