"""The loss of a batch: the effect of each weight and scale in the configuration."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from lab.training.batches import Batch, frame
from lab.training.config import LossConfig
from lab.training.losses import Loss, batch_loss
from lab.training.model import Encoded
from lab.training.model_config import SalienceConfig
from lab.training.objectives import distillation
from lab.training.scores import in_batch_scores

QUERIES, PASSAGES, TOKENS, DIMENSIONS = 3, 5, 4, 8


def encoded(texts: int, salience: Tensor | None, seed: int) -> Encoded:
    generator = torch.Generator().manual_seed(seed)
    vectors = torch.randn(texts, TOKENS, DIMENSIONS, generator=generator)
    return Encoded(
        vectors=torch.nn.functional.normalize(vectors, dim=-1),
        mask=torch.ones(texts, TOKENS, dtype=torch.bool),
        salience=salience,
        penalty=torch.zeros(()),
        pooled=torch.zeros(texts, DIMENSIONS),
    )


@pytest.fixture
def batch() -> Batch:
    nothing = frame([()], (), ())
    return Batch(
        examples=(),
        passages=(),
        query_texts=nothing,
        passage_texts=nothing,
        positives=torch.arange(QUERIES),
        candidates=torch.ones(QUERIES, PASSAGES, dtype=torch.bool),
        own=torch.zeros(QUERIES, 1, dtype=torch.int64),
        own_mask=torch.ones(QUERIES, 1, dtype=torch.bool),
        teacher=torch.zeros(QUERIES, 1),
    )


def scores_of(config: LossConfig) -> Tensor:
    queries, passages = encoded(QUERIES, None, 1), encoded(PASSAGES, None, 2)
    return config.scale * in_batch_scores(
        queries.vectors, queries.mask, passages.vectors, passages.mask
    )


@pytest.mark.parametrize("scale", [1.0, 12.0])
def test_teacher_scores_are_scaled(batch: Batch, scale: float) -> None:
    config = LossConfig(cross_entropy=0, distillation=1, teacher_scale=scale)
    teacher = torch.rand(QUERIES, PASSAGES, generator=torch.Generator().manual_seed(4))
    loss = batch_loss(
        config, batch, encoded(QUERIES, None, 1), encoded(PASSAGES, None, 2), teacher=teacher
    )
    torch.testing.assert_close(loss.total, distillation(scores_of(config), scale * teacher))


def test_an_agreeing_teacher_has_no_loss(batch: Batch) -> None:
    config = LossConfig(cross_entropy=0, distillation=1, teacher_scale=5)
    loss = batch_loss(
        config,
        batch,
        encoded(QUERIES, None, 1),
        encoded(PASSAGES, None, 2),
        teacher=scores_of(config) / 5,
    )
    assert float(loss.total) == pytest.approx(0, abs=1e-6)


def test_a_share_of_the_loss_uses_equal_token_weights(batch: Batch) -> None:
    salience = torch.rand(PASSAGES, TOKENS, generator=torch.Generator().manual_seed(5))

    def loss(all_tokens: float, passage_salience: Tensor | None = salience) -> Loss:
        config = SalienceConfig(all_tokens=all_tokens)
        queries, passages = encoded(QUERIES, None, 1), encoded(PASSAGES, passage_salience, 2)
        return batch_loss(LossConfig(), batch, queries, passages, salience=config)

    salient, uniform = loss(0), loss(1)
    torch.testing.assert_close(uniform.total, loss(0, None).total)
    assert abs(float(uniform.total - salient.total)) > 0.01
    torch.testing.assert_close(loss(0.25).total, 0.75 * salient.total + 0.25 * uniform.total)


def test_loss_parts_are_weighted_by_the_configuration(batch: Batch) -> None:
    teacher = torch.rand(QUERIES, PASSAGES, generator=torch.Generator().manual_seed(4))
    config = LossConfig(cross_entropy=0.3, distillation=0.7)
    queries = replace_penalty(encoded(QUERIES, None, 1), 2.0)
    passages = replace_penalty(encoded(PASSAGES, None, 2), 3.0)
    loss = batch_loss(
        config, batch, queries, passages, teacher=teacher, salience=SalienceConfig(l1=0.1)
    )
    expected = 0.3 * loss.cross_entropy + 0.7 * loss.distillation + 0.1 * 5
    torch.testing.assert_close(loss.total, expected)
    assert float(loss.cross_entropy) > 0.01
    silent = batch_loss(replace(config, distillation=0), batch, queries, passages, teacher=teacher)
    assert float(silent.distillation) == 0


def replace_penalty(texts: Encoded, penalty: float) -> Encoded:
    return texts._replace(penalty=torch.tensor(penalty))
