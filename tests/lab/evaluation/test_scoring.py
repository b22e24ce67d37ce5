"""Exhaustive scores compared with a plain computation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.pairwise import align_top_k, score, similarity
from core.errors import Cancelled
from core.progress import Job
from lab.evaluation import scoring
from lab.evaluation.scoring import Bags, Collection, kth_highest, retrieve
from lab.evaluation.token_retrieval import NOTHING
from lab.reference.imputation import score_retrieved

Floats = npt.NDArray[np.float32]

# Numbers of query tokens for which a mean of whole numbers is exact, so that ties are exact.
EXACT = (1, 2, 4, 8)


def bags(generator: np.random.Generator, lengths: list[int]) -> Bags:
    """Return vectors of small whole numbers: bfloat16 holds them and their products exactly."""
    vectors = generator.integers(-4, 5, size=(sum(lengths), 8)).astype(np.float16)
    return Bags(vectors, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def parts(texts: Bags) -> list[Floats]:
    return [part.astype(np.float32) for part in np.split(texts.vectors, texts.offsets[1:-1])]


def best_first(scores: list[float], depth: int) -> list[int]:
    order = sorted(range(len(scores)), key=lambda number: (-scores[number], number))[:depth]
    return order + [NOTHING] * (depth - len(order))


@given(
    seed=st.integers(0, 2**32 - 1),
    queries=st.lists(st.sampled_from(EXACT), min_size=1, max_size=6),
    documents=st.lists(st.lists(st.integers(1, 7), min_size=1, max_size=3), min_size=1, max_size=8),
    block=st.integers(1, 9),
)
def test_documents_rank_by_the_mean_of_maxima_of_their_best_passage(
    seed: int, queries: list[int], documents: list[list[int]], block: int
) -> None:
    generator = np.random.default_rng(seed)
    query_bags = bags(generator, queries)
    passages = bags(generator, [length for document in documents for length in document])
    starts = np.concatenate([[0], np.cumsum([len(document) for document in documents])])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "_QUERY_TOKENS", block)
        patch.setattr(scoring, "_ROWS", 2 * block)
        (found,) = Collection(passages, starts).rank(
            query_bags, [np.ones(len(query_bags.vectors), dtype=np.float32)], depth=4
        )
    for query, ranking in zip(parts(query_bags), found, strict=True):
        pairs = [similarity(query, passage) for passage in parts(passages)]
        scores = [score(one, align_top_k(one)) for one in pairs]
        by_document = [max(scores[first:last]) for first, last in pairwise(starts)]
        assert ranking.tolist() == best_first(by_document, 4)


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from(EXACT),
    lengths=st.lists(st.integers(1, 6), min_size=2, max_size=8),
    share=st.floats(0.05, 1),
)
def test_floors_at_the_kth_similarity_are_xtrs_imputation(
    seed: int, n: int, lengths: list[int], share: float
) -> None:
    generator = np.random.default_rng(seed)
    query, passages = bags(generator, [n]), bags(generator, lengths)
    k = max(1, round(share * len(passages.vectors)))
    floors = kth_highest(query.vectors, passages.vectors, k)
    pairs = similarity(query.vectors.astype(np.float32), passages.vectors.astype(np.float32))
    owners = np.repeat(np.arange(len(lengths)), lengths)
    # All tokens with the k-th similarity count as retrieved: which of them a search
    # returns is arbitrary.
    retrieved_rows = [
        np.flatnonzero(row >= floor) for row, floor in zip(pairs, floors, strict=True)
    ]
    assert all(np.sort(row)[-k] == floor for row, floor in zip(pairs, floors, strict=True))
    candidates, expected = score_retrieved(
        [owners[rows] for rows in retrieved_rows],
        [row[rows] for row, rows in zip(pairs, retrieved_rows, strict=True)],
    )
    ones = np.ones(n, dtype=np.float32)
    collection = Collection(passages, np.arange(len(lengths) + 1))
    ((found,),) = collection.rank(query, [ones], len(lengths), floors=floors)
    values = dict(zip(candidates.tolist(), expected.tolist(), strict=True))
    lowest = float(floors.mean())
    # Passages that no query token retrieved come last, with imputed similarities only.
    scores = [values.get(number, lowest) for number in range(len(lengths))]
    assert found.tolist() == best_first(scores, len(lengths))


def test_query_weights_change_the_ranking() -> None:
    query = Bags(np.eye(8, dtype=np.float32)[:2], np.array([0, 2]))
    passages = Bags(np.eye(8, dtype=np.float32)[[0, 1, 1]], np.array([0, 1, 3]))
    weights = [np.array(pair, dtype=np.float32) for pair in ([1, 0], [0.1, 0.2], [0, 0])]
    rankings = Collection(passages, np.array([0, 1, 2])).rank(query, weights, depth=3)
    assert [ranking.tolist() for ranking in rankings] == [
        [[0, 1, NOTHING]],
        [[1, 0, NOTHING]],
        [[NOTHING] * 3],
    ]


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 9),
    t=st.integers(1, 30),
    k=st.integers(1, 12),
)
def test_the_most_similar_tokens_are_retrieved_in_order(seed: int, n: int, t: int, k: int) -> None:
    generator = np.random.default_rng(seed)
    queries, tokens = bags(generator, [n]).vectors, bags(generator, [t]).vectors
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "_QUERY_TOKENS", 2)
        patch.setattr(scoring, "_ROWS", 7)
        found = retrieve(queries, tokens, k)
    pairs = queries.astype(np.float32) @ tokens.astype(np.float32).T
    assert found.tolist() == [best_first(row.tolist(), k) for row in pairs]


def test_bfloat16_scores_match_float32() -> None:
    generator = np.random.default_rng(1)
    vectors = generator.normal(size=(3000, 128)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = kth_highest(vectors[:50], vectors[50:], 7)
    exact = np.sort(vectors[:50] @ vectors[50:].T, axis=1)[:, -7]
    assert np.abs(found - exact).max() < 0.002


def test_torch_settings_are_restored() -> None:
    import torch

    before = torch.get_float32_matmul_precision(), torch.get_num_threads()
    retrieve(np.eye(8), np.eye(8), 1)
    assert before == (torch.get_float32_matmul_precision(), torch.get_num_threads())


def test_invalid_input_is_refused_and_searching_can_be_cancelled() -> None:
    empty = Bags(np.zeros((1, 8), dtype=np.float32), np.array([0, 1, 1]))
    with pytest.raises(ValueError, match="without"):
        Collection(empty, np.array([0, 1, 2]))
    with pytest.raises(ValueError, match="0-th"):
        kth_highest(np.eye(8), np.eye(8), 0)
    job = Job()
    job.cancel()
    one = Bags(np.eye(8, dtype=np.float32)[:1], np.array([0, 1]))
    with pytest.raises(Cancelled):
        Collection(one, np.array([0, 1])).rank(one, [np.ones(1, np.float32)], 1, job=job)


@pytest.mark.parametrize("seed", range(5))
def test_saliences_of_both_sides_match_the_reference(seed: int) -> None:
    """ALIGNER's eq. 2; a passage without a salient token scores 0."""
    import torch

    from lab.reference.alignments import score as reference

    generator = np.random.default_rng(seed)
    lengths = [3, 1, 4, 4, 2, 5]
    vectors = torch.from_numpy(generator.normal(size=(sum(lengths), 16))).bfloat16()
    passages = Bags(vectors.float().numpy(), np.concatenate([[0], np.cumsum(lengths)]))
    query = torch.from_numpy(generator.normal(size=(4, 16))).bfloat16().float()
    weights = generator.uniform(size=4).astype(np.float32)
    saliences = np.maximum(generator.normal(size=sum(lengths)), 0).astype(np.float32)
    saliences[3] = 0
    expected = []
    for first, last in pairwise(passages.offsets.tolist()):
        passage = torch.from_numpy(passages.vectors[first:last])[None]
        masks = torch.ones(1, 4, dtype=torch.bool), torch.ones(passage.shape[:2], dtype=torch.bool)
        arguments = (
            query[None],
            masks[0],
            passage,
            masks[1],
            None,
            torch.from_numpy(weights)[None],
        )
        expected.append(float(reference(*arguments, torch.from_numpy(saliences[first:last])[None])))
    assert expected[1] == 0
    (found,) = Collection(passages, np.arange(len(lengths) + 1)).rank(
        Bags(query.numpy(), np.array([0, 4])), [weights], depth=6, saliences=saliences
    )
    ranked = [expected[number] for number in found[0].tolist()]
    assert sorted(found[0].tolist()) == list(range(6))
    assert ranked == pytest.approx(sorted(expected, reverse=True), abs=1e-3)


def test_saliences_and_floors_cannot_be_combined() -> None:
    one = Bags(np.ones((1, 2), np.float32), np.array([0, 1]))
    ones = np.ones(1, np.float32)
    with pytest.raises(ValueError, match="salience"):
        Collection(one, np.array([0, 1])).rank(one, [ones], 1, floors=ones, saliences=ones)
