"""Training of a cross-encoder: the same run with another model, loss and measure."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor

from core.errors import UsageError
from core.progress import Job
from lab.evaluation import measures
from lab.training.batches import Batch
from lab.training.config import TrainingConfig
from lab.training.cross_encoder import (
    CrossEncoder,
    WinnowCrossEncoderTeacher,
    build_cross_encoder,
    save_cross,
)
from lab.training.dev import DevSet, best_documents, encode_dev, first_found
from lab.training.encoding import TextEncoder
from lab.training.loop import Prepared, Say, Trainer
from lab.training.losses import Loss
from lab.training.model import autocast, build_model
from lab.training.objectives import cross_entropy

# Passages reranked per query of the dev sets: the start's best.
_RERANK_DEPTH: Final = 20


class CrossTrainer(Trainer):
    """A run that trains a cross-encoder to rank each query's positive above other passages."""

    model: CrossEncoder

    def __init__(
        self, config: TrainingConfig, data: Path, output: Path, say: Say, job: Job
    ) -> None:
        """Initialise like `Trainer`; raise an error for options that a cross-encoder lacks.

        Raises:
            UsageError: the recipe uses one of them; also for the reasons of `Trainer`.
        """
        loss = config.loss
        for key, is_set in (
            ("[loss] distillation", loss.distillation > 0),
            ("[loss] compression", loss.compression > 0),
            ("[loss] tokens", loss.tokens > 0),
            ("[model] projection_hidden", config.model.projection_hidden > 0),
        ):
            if is_set:
                raise UsageError(f"A cross-encoder is trained by its labels alone; set {key} to 0.")
        if config.run.ways < 2:
            raise UsageError("A cross-encoder compares passages of a query; set ways to 2 or more.")
        self._found: dict[str, list[list[int]]] = {}
        super().__init__(config, data, output, say, job)

    def _build_model(self) -> CrossEncoder:
        config = self.config
        return build_cross_encoder(
            self.start, config.model, config.salience, config.run, self.device
        )

    def _start_heads(self) -> None:
        """Do nothing: the start's heads weight the query's tokens."""

    def _prepare(self, step: int) -> Prepared:
        run, prepared = self.config.run, super()._prepare(step)
        return prepared._replace(
            columns=comparison_columns(prepared.batch, run.ways, run.seed, step)
        )

    def _loss(self, prepared: Prepared) -> Loss:
        config, columns = self.config, prepared.columns
        assert columns is not None
        batch = prepared.batch.to(self.device)
        rows = torch.arange(len(columns), device=self.device).repeat_interleave(columns.shape[1])
        flat = columns.flatten().to(self.device)
        is_there = flat >= 0
        with autocast(self.device, config.run.precision):
            found = self.model.pair_scores(
                batch.query_texts.chosen(rows[is_there]),
                batch.passage_texts.chosen(flat[is_there]),
            )
        scores = torch.full_like(flat, 0, dtype=torch.float32)
        scores = scores.masked_scatter(is_there, config.loss.scale * found)
        scores = scores.masked_fill(~is_there, -torch.inf).reshape(columns.shape)
        firsts = torch.zeros(len(scores), dtype=torch.int64, device=self.device)
        label_loss = cross_entropy(scores, firsts)
        accuracy = (scores.argmax(dim=1) == 0).float().mean()
        zero = label_loss.new_zeros(())
        return Loss(
            config.loss.cross_entropy * label_loss, label_loss, zero, zero, zero, zero, accuracy
        )

    def _measure(self, dev: DevSet) -> dict[str, float]:
        """Return nDCG@10 of the start's best passages, reranked by the cross-encoder."""
        if dev.name not in self._found:
            self._found[dev.name] = self._first_found(dev)
        teacher = WinnowCrossEncoderTeacher(
            self.model, self.collator, self.device, self.config.run.precision
        )
        rankings = {}
        for identifier, query, places in zip(
            dev.ids, dev.queries, self._found[dev.name], strict=True
        ):
            (scores,) = teacher.score([query], [[dev.passages[place] for place in places]])
            order = [places[int(one)] for one in np.argsort(-scores.cpu().numpy(), kind="stable")]
            rankings[identifier] = best_documents(dev, identifier, order)
        return {"ndcg@10": measures.mean(measures.ndcg, rankings, dev.judgements, 10)}

    def _first_found(self, dev: DevSet) -> list[list[int]]:
        """Return the indices of each query's best passages by the start."""
        config = self.config
        plain = build_model(self.start, config.model, config.salience, config.run, self.device)
        encoder = TextEncoder(plain, self.collator, self.device, config.run.precision)
        return first_found(encode_dev(dev, encoder), _RERANK_DEPTH)

    def _write_model(self) -> Path:
        folder = super()._write_model()
        save_cross(self.model, folder)
        return folder


def comparison_columns(batch: Batch, ways: int, seed: int, step: int) -> Tensor:
    """Return (b, w) the columns of the passages compared for each query, its positive first.

    A query with its own passages, for example mined ones, is compared with these. Others are
    compared with up to `ways` - 1 other passages of the batch that do not answer them, drawn for
    the step.

    Args:
        batch: in CPU memory.
        ways: passages per query, its positive included.
        seed: for the random choice.
        step: likewise for the random choice.

    Returns:
        int64, -1 where a query has fewer.
    """
    generator = np.random.default_rng([seed, 8, step])
    columns = torch.full((len(batch.examples), ways), -1)
    for row, (own, mask) in enumerate(zip(batch.own, batch.own_mask, strict=True)):
        chosen = own[mask][:ways]
        if len(chosen) == 1:
            fair = batch.candidates[row].clone()
            fair[chosen[0]] = False
            fair_columns = fair.nonzero()[:, 0]
            drawn = generator.permutation(len(fair_columns))[: ways - 1]
            chosen = torch.cat([chosen, fair_columns[torch.from_numpy(drawn)]])
        columns[row, : len(chosen)] = chosen
    return columns
