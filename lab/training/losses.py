"""The loss of a batch and its parts."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from lab.training.batches import Batch
from lab.training.compression import Compressed
from lab.training.config import LossConfig
from lab.training.model import Encoded
from lab.training.model_config import SalienceConfig
from lab.training.objectives import cross_entropy, distillation, margin_mse
from lab.training.scores import in_batch_scores
from lab.training.token_targets import Target


class Loss(NamedTuple):
    """The loss and its parts for the log; all () float32."""

    total: Tensor
    cross_entropy: Tensor
    distillation: Tensor
    compression: Tensor
    penalty: Tensor
    tokens: Tensor
    accuracy: Tensor
    """The share of queries whose positive scores above all other candidates."""


def batch_loss(
    config: LossConfig,
    batch: Batch,
    queries: Encoded,
    passages: Encoded,
    *,
    teacher: Tensor | None = None,
    salience: SalienceConfig | None = None,
    has_summaries: bool = False,
    compressed: Compressed | None = None,
    targets: tuple[Target, Target] | None = None,
) -> Loss:
    """Return the weighted sum of the losses that a recipe enables.

    Args:
        config: the weights and scales.
        batch: on the device of the vectors.
        queries: the encoded queries of the batch.
        passages: the encoded passages of the batch.
        teacher: (b, w) scores of each query's own passages, or (b, p) of all; NaN where missing.
            Rows with fewer than two scores count 0.
        salience: how saliences are used; None for ALIGNER's way.
        has_summaries: whether the first vector of each text is its summary.
        compressed: the same passages, compressed; None without compression.
        targets: targets of the query and passage vectors; None without another model.
    """
    salience = salience or SalienceConfig()
    losses = []
    if salience.all_tokens < 1 or passages.salience is None:
        losses.append((1 - salience.all_tokens, passages.salience))
    if salience.all_tokens > 0 and passages.salience is not None:
        losses.append((salience.all_tokens, None))
    label_loss, teacher_loss, accuracy = (queries.vectors.new_zeros(()) for _ in range(3))
    total_weight = sum(weight for weight, _ in losses)
    is_learned = bool(config.cross_entropy or config.distillation)
    for weight, passage_salience in losses:
        with torch.set_grad_enabled(torch.is_grad_enabled() and is_learned):
            scores = config.scale * in_batch_scores(
                queries.vectors,
                queries.mask,
                passages.vectors,
                passages.mask,
                queries.salience,
                passage_salience,
                config.k_train if config.kind == "xtr" else None,
                retained_only=salience.retained_only,
                strategy=config.strategy,
                has_summaries=has_summaries,
            )
            parts = _score_losses(config, batch, scores, teacher)
        share = weight / total_weight
        label_loss = label_loss + share * parts[0]
        teacher_loss = teacher_loss + share * parts[1]
        accuracy = accuracy + share * parts[2]
    penalty = queries.penalty + passages.penalty
    total = (
        config.cross_entropy * label_loss
        + config.distillation * teacher_loss
        + salience.l1 * penalty
    )
    compression_loss = queries.vectors.new_zeros(())
    if compressed is not None:
        compression_loss = _compression_loss(config, batch, queries, passages, compressed)
        total = total + config.compression * compression_loss
    token_distance = queries.vectors.new_zeros(())
    if targets is not None:
        token_distance = (targets[0].distance(queries) + targets[1].distance(passages)) / 2
        total = total + config.tokens * token_distance
        if config.tokens_scores:
            total = total + config.tokens_scores * _target_score_loss(
                config, queries, passages, targets
            )
    label_loss, teacher_loss, compression_loss = (
        label_loss.detach(),
        teacher_loss.detach(),
        compression_loss.detach(),
    )
    return Loss(
        total,
        label_loss,
        teacher_loss,
        compression_loss,
        penalty.detach(),
        token_distance.detach(),
        accuracy,
    )


def _target_score_loss(
    config: LossConfig, queries: Encoded, passages: Encoded, targets: tuple[Target, Target]
) -> Tensor:
    """Return the distance of scores from those of the targets, both computed as in a search."""
    expected, scores = (
        config.scale
        * in_batch_scores(
            query_vectors, queries.mask, passage_vectors, passages.mask, queries.salience
        )
        for query_vectors, passage_vectors in (
            (targets[0].vectors, targets[1].vectors),
            (queries.vectors, passages.vectors),
        )
    )
    return distillation(scores, expected.detach())


def _compression_loss(
    config: LossConfig, batch: Batch, queries: Encoded, passages: Encoded, compressed: Compressed
) -> Tensor:
    """Return the divergence of compressed passages' scores from uncompressed ones.

    Both are computed as in a search: means of maxima with equal weights of a passage's vectors. No
    gradient flows into the uncompressed scores.
    """
    query = (queries.vectors, queries.mask)
    with torch.no_grad():
        uncompressed = config.scale * in_batch_scores(
            *query, passages.vectors, passages.mask, queries.salience
        )
    compressed_scores = config.scale * in_batch_scores(*query, *compressed, queries.salience)
    if config.compression_kind == "margin-mse":
        return margin_mse(
            compressed_scores, uncompressed, batch.positives.to(compressed_scores.device)
        )
    return distillation(compressed_scores, uncompressed)


def _score_losses(
    config: LossConfig, batch: Batch, scores: Tensor, teacher: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Return cross-entropy, distillation and accuracy of (b, p) scores."""
    device = scores.device
    positives, candidates = batch.positives.to(device), batch.candidates.to(device)
    label_loss = cross_entropy(scores, positives, candidates)
    teacher_loss = scores.new_zeros(())
    if config.distillation and teacher is not None:
        teacher = teacher.to(device)
        student = scores
        if teacher.shape != scores.shape:
            student = scores.gather(1, batch.own.to(device))
        mask = ~teacher.isnan()
        mask &= mask.sum(dim=1, keepdim=True) > 1
        expected = config.teacher_scale * teacher.nan_to_num()
        teacher_loss = distillation(student, expected, mask)
    with torch.no_grad():
        ranked = scores.masked_fill(~candidates, -torch.inf)
        accuracy = (ranked.argmax(dim=1) == positives).float().mean()
    return label_loss, teacher_loss, accuracy
