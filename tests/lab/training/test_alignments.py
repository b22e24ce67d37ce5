"""Training with other alignments than top-1: compared with loops; options of a recipe."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.alignment import pairwise
from core.alignment.pairwise import AlignmentStrategy
from core.errors import UsageError
from core.progress import Job
from lab.reference.alignments import score
from lab.training.alignments import DifferentiableAlignment, Strategy, parse_strategy
from lab.training.config import LossConfig, TrainingConfig
from lab.training.loop import Trainer
from lab.training.model_config import SalienceConfig
from lab.training.salience import gate
from lab.training.scores import in_batch_scores
from tests.examples import examples

seeds = st.integers(0, 2**32 - 1)
hard = st.one_of(
    st.integers(1, 9).map(lambda k: parse_strategy(f"topk:{k}")),
    st.integers(1, 100).map(lambda p: parse_strategy(f"topp:{p / 100}")),
)
soft = st.builds(
    DifferentiableAlignment, k=st.integers(1, 9), epsilon=st.sampled_from([0.05, 0.2, 1.0])
)

Batch = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]


def drawn(seed: int) -> Batch:
    """Return three queries and five passages with masks and saliences, none of them empty."""
    # Eight dimensions: with fewer than a register holds, OpenBLAS may flag values past the end.
    generator = torch.Generator().manual_seed(seed)
    unit = torch.nn.functional.normalize
    query = unit(torch.randn(3, 4, 8, generator=generator), dim=2).requires_grad_()
    passage = unit(torch.randn(5, 7, 8, generator=generator), dim=2).requires_grad_()
    query_mask = torch.arange(4) < torch.tensor([[4], [2], [1]])
    mask = torch.arange(7) < torch.tensor([[7], [3], [1], [6], [5]])
    weights = (torch.rand(3, 4, generator=generator) + 0.1) * query_mask
    passage_weights = torch.rand(5, 7, generator=generator).round(decimals=1) * mask
    passage_weights[:, 0] = 1
    return query, query_mask, passage, mask, weights, passage_weights


def looped(batch: Batch, strategy: Strategy, *, retained_only: bool, has_summaries: bool) -> Tensor:
    """Compute ALIGNER's eq. 1 and 2 in plain loops, pair by pair."""
    query, query_mask, passage, mask, weights, passage_weights = (one.detach() for one in batch)
    found = torch.zeros(len(query), len(passage))
    for i in range(len(query)):
        for j in range(len(passage)):
            length = int(mask[j].sum())
            tokens = [t for t in range(length) if not retained_only or passage_weights[j, t] > 0.01]
            count = strategy.k if isinstance(strategy, DifferentiableAlignment) else None
            if count is None:
                assert isinstance(strategy, AlignmentStrategy)
                count = strategy.count(length)
            count = min(count, len(tokens))
            total = z = 0.0
            for q in range(int(query_mask[i].sum())):
                similarities = [float(query[i, q] @ passage[j, t]) for t in tokens]
                order = sorted(range(len(tokens)), key=lambda place: -similarities[place])
                if q == 0 and has_summaries:
                    shares = {order[0]: float(count)}
                elif isinstance(strategy, DifferentiableAlignment):
                    row = torch.tensor([similarities])
                    chosen = gate(row, count, torch.ones_like(row) > 0, strategy.epsilon)
                    shares = dict(enumerate(chosen[0].tolist()))
                else:
                    shares = dict.fromkeys(order[:count], 1.0)
                for place, share in shares.items():
                    weight = share * float(weights[i, q]) * float(passage_weights[j, tokens[place]])
                    total += weight * similarities[place]
                    z += weight
            found[i, j] = total / max(z, 0.01)
    return found


@settings(max_examples=examples(40))
@given(seeds, st.one_of(hard, soft), st.booleans(), st.booleans())
def test_scores_match_a_python_loop(seed, strategy, retained_only, has_summaries) -> None:
    batch = drawn(seed)
    query, query_mask, passage, mask, weights, passage_weights = batch
    options = {"retained_only": retained_only, "has_summaries": has_summaries}
    found = in_batch_scores(
        query, query_mask, passage, mask, weights, passage_weights, strategy=strategy, **options
    )
    torch.testing.assert_close(found, looped(batch, strategy, **options), atol=1e-4, rtol=1e-4)


@given(seeds, st.one_of(hard, soft))
def test_scores_and_gradients_are_the_reference_forms(seed, strategy) -> None:
    query, query_mask, passage, mask, weights, passage_weights = drawn(seed)
    passage_weights = (
        passage_weights.clamp(min=0.1) * mask
    )  # the reference has no lower bound of the sum of weights
    for saliences in ((None, None), (weights, None), (weights, passage_weights)):
        expected = score(query, query_mask, passage, mask, strategy, *saliences)
        found = in_batch_scores(query, query_mask, passage, mask, *saliences, strategy=strategy)
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)
        wanted = torch.autograd.grad(expected.square().sum(), [query, passage])
        gradients = torch.autograd.grad(found.square().sum(), [query, passage])
        torch.testing.assert_close(gradients, wanted, atol=5e-4, rtol=1e-3)


@given(seeds, hard, st.booleans())
def test_a_search_scores_as_training_did(seed, strategy, has_summaries) -> None:
    query, query_mask, passage, mask, weights, _ = drawn(seed)
    found = in_batch_scores(
        query, query_mask, passage, mask, weights, strategy=strategy, has_summaries=has_summaries
    )
    for i, j in np.ndindex(*found.shape):
        own = query[i, query_mask[i]].detach().numpy()
        pairs = pairwise.similarity(own, passage[j, mask[j]].detach().numpy())
        query_weights = weights[i, query_mask[i]].numpy()
        (expected,) = pairwise.scores(pairs, [strategy], query_weights, has_summary=has_summaries)
        assert float(found[i, j].detach()) == pytest.approx(float(expected), abs=1e-5)


@given(seeds)
def test_top_1_is_bit_identical_to_maxima(seed) -> None:
    query, query_mask, passage, mask, weights, passage_weights = drawn(seed)
    for retained_only in (False, True):
        plain, named = (
            in_batch_scores(
                *(query, query_mask, passage, mask, weights, passage_weights),
                retained_only=retained_only,
                strategy=strategy,
                has_summaries=strategy is not None,
            )
            for strategy in (None, parse_strategy("topk:1"))
        )
        assert torch.equal(plain, named)


@given(seeds, st.sampled_from(["topk:3", "topp:0.5", "differentiable:2:0.1"]))
def test_fully_closed_gates_have_finite_gradients(seed, written) -> None:
    query, query_mask, passage, mask, weights, passage_weights = drawn(seed)
    row = (weights * 1e-22).requires_grad_()
    column = (passage_weights * 1e-22).requires_grad_()
    mask[2] = False
    found = in_batch_scores(
        query, query_mask, passage, mask, row, column, strategy=parse_strategy(written)
    )
    assert bool((found[:, 2] == 0).all())
    for gradient in torch.autograd.grad(found.sum(), [query, passage, row, column]):
        assert gradient.isfinite().all()


def test_soft_alignment_has_gradients_for_other_tokens() -> None:
    reached = {}
    for written in ("topk:1", "differentiable:1:0.1"):
        query, query_mask, passage, mask, _, _ = drawn(3)
        found = in_batch_scores(query, query_mask, passage, mask, strategy=parse_strategy(written))
        (gradient,) = torch.autograd.grad(found.square().sum(), [passage])
        reached[written] = int((gradient[mask].norm(dim=1) > 1e-4).sum())
    assert reached["differentiable:1:0.1"] == int(mask.sum()) > reached["topk:1"]


@pytest.mark.parametrize("summary_weight", [0.0, 0.4])
@pytest.mark.parametrize(
    "alignment", ["topk:3", "topp:0.2", "differentiable:1", "differentiable:2:0.1"]
)
def test_each_alignment_trains(
    tiny_config: TrainingConfig,
    birds_data: Path,
    tmp_path: Path,
    alignment: str,
    summary_weight: float,
) -> None:
    config = replace(
        tiny_config,
        loss=LossConfig(alignment=alignment),
        salience=SalienceConfig("entropy", retained_only=True, warm_up_steps=4),
        model=replace(tiny_config.model, summary_weight=summary_weight),
    )
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", lambda _line: None, Job())
    trainer.run()
    entries = map(json.loads, (tmp_path / "run" / "log.jsonl").read_text("utf-8").splitlines())
    losses = [entry["loss"] for entry in entries]
    assert all(map(math.isfinite, losses))
    assert sum(losses[-3:]) < sum(losses[:3])
    assert all(bool(value.isfinite().all()) for value in trainer.model.state_dict().values())


@pytest.mark.parametrize(
    ("alignment", "sentence"),
    [
        ("max", "'max' is no alignment"),
        ("topk:0", "topk requires an integer of at least 1, not 0"),
        ("topk:x", "'topk:x' is not an alignment"),
        ("topp:1.5", "topp requires a share above 0 and at most 1, not 1.5"),
        ("differentiable", "'differentiable' is no alignment"),
        ("differentiable:1.5", "'differentiable:1.5' is no alignment"),
        ("differentiable:0", "differentiable takes a whole number from 1, not 0"),
        ("differentiable:2:0", "differentiable takes an epsilon above 0, not 0"),
    ],
)
def test_invalid_alignments_are_refused(alignment: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        LossConfig(alignment=alignment)


def test_xtr_has_its_own_alignment() -> None:
    assert LossConfig("xtr").strategy == LossConfig().strategy == AlignmentStrategy()
    with pytest.raises(ValueError, match="the kind xtr supports only topk:1"):
        LossConfig("xtr", alignment="topk:2")
    query, query_mask, passage, mask, _, _ = drawn(1)
    with pytest.raises(ValueError, match="by top-1 alone"):
        in_batch_scores(
            query, query_mask, passage, mask, k_train=3, strategy=parse_strategy("topk:2")
        )
