"""The loop: batch, loss, step; with checkpoints to go on from and a log to draw curves of."""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from core.encoders.tokens import Tokenizer
from core.errors import Cancelled, UsageError, WinnowError
from core.progress import Job
from lab.training import checkpoints
from lab.training.averaging import WeightAverage
from lab.training.batches import Batch, Collator
from lab.training.checkpoints import Position
from lab.training.config import RunConfig, TrainingConfig
from lab.training.curves import draw_curves
from lab.training.dev import DevSet, measure, read_dev
from lab.training.encoding import TextEncoder
from lab.training.losses import Loss, batch_loss
from lab.training.model import (
    LateInteractionModel,
    autocast,
    build_model,
    choose_device,
    salience_heads,
    use_threads,
)
from lab.training.rarity import start_heads
from lab.training.saving import save_winnow_checkpoint
from lab.training.sources import build_sources, find_folder
from lab.training.start import Start, find_start
from lab.training.stream import Stream
from lab.training.teachers import Teacher
from lab.training.teaching import open_teacher

Say = Callable[[str], None]

LOG = "log.jsonl"
_MAY_CHANGE = {"output", "threads", "log_every", "checkpoint_every", "evaluate_every"}
"""Of a run: what may differ where it goes on."""


class Trainer:
    """One run in its folder: what it is made of, and how far it has come."""

    def __init__(
        self, config: TrainingConfig, data: Path, output: Path, say: Say, job: Job
    ) -> None:
        """Read the data, build the model, and go to the last checkpoint if there is one.

        Raises:
            UsageError: data or model are not as they should be, or the folder holds another run.
            ModelError: the start or the checkpoint is damaged.
            Cancelled: the job was cancelled.
        """
        run = config.run
        self.config = config
        self.output = output
        self._say = say
        self._job = job
        _claim(output, config)
        use_threads(run.threads)
        self.device = choose_device(run.device)
        torch.manual_seed(run.seed)
        self.start: Start = find_start(config.model, run.seed)
        self.tokenizer = Tokenizer.of(self.start.checkpoint)
        self.collator = Collator(self.tokenizer, self.start, run)
        self.model = build_model(self.start, config.model, config.salience, run, self.device)
        built = build_sources(
            config.data, data, self.tokenizer.count, seed=run.seed, negatives=output, job=job
        )
        for source in built.sources:
            say(f"{source.name}: {len(source):,} to draw from")
        self.stream = Stream(
            built.sources,
            [one.weight for one in config.data],
            batch=run.batch,
            ways=run.ways,
            seed=run.seed,
            mixed=run.mixed,
            alike=run.alike,
        )
        self.dev: list[DevSet] = [
            read_dev(one, find_folder(one.folder, data), self.tokenizer.count, run.seed)
            for one in config.dev
        ]
        self.teacher: Teacher | None = None
        if config.loss.distillation and config.loss.teacher != "mined":
            self.teacher = open_teacher(
                config.loss.teacher, config, self.start, self.collator, built, self.device
            )
        self.optimizer = _optimizer(self.model, run)
        self.sources = built.sources
        self.average = WeightAverage(self.model, run.average) if run.average else None
        found = checkpoints.load_checkpoint(
            output / "checkpoints", self.model, self.optimizer, self._further
        )
        if found is None:
            start_heads(
                config.salience,
                self.model,
                self.collator,
                self.sources,
                self.tokenizer,
                run,
                self.device,
            )
            if self.average is not None:
                self.average.begin()
        self.position = found or Position()
        _cut_log(output / LOG, self.position.step)

    def run(self) -> None:
        """Train to the end; each call goes on where the last one ended.

        Raises:
            Cancelled: the job was cancelled; a checkpoint was written.
            WinnowError: a checkpoint cannot be written, or the loss is no number.
        """
        self.model.train()
        if self.position.step:
            self._say(f"going on after step {self.position.step:,}")
        try:
            self._train()
        except Cancelled:
            if self.position.step:
                self._save()
            raise

    def _train(self) -> None:
        run = self.config.run
        if not self.position.step and run.evaluate_every:
            self._evaluate()
        waiting: list[dict[str, float]] = []
        while self.position.step < run.steps:
            self._job.checkpoint()
            began_s = time.perf_counter()
            batch = self.collator.batch(self.stream.batch(self.position.step))
            loss = self._step(batch)
            took_s = time.perf_counter() - began_s
            done = self.position.step + 1
            self.position = replace(
                self.position, step=done, seconds=self.position.seconds + took_s
            )
            waiting.append({**_figures(loss), "tokens": batch.tokens, "seconds": took_s})
            if done % run.log_every == 0 or done == run.steps:
                self._log(waiting)
                waiting = []
            if run.evaluate_every and (done % run.evaluate_every == 0 or done == run.steps):
                self._evaluate()
            if done % run.checkpoint_every == 0 or done == run.steps:
                self._save()

    def averaged(self) -> contextlib.AbstractContextManager[None]:
        """While it lasts the model has the weights that are to be searched with."""
        return self.average.applied() if self.average is not None else contextlib.nullcontext()

    def write_model(self) -> Path:
        """Write the trained model, in half precision; gives its folder."""
        best = self.output / "best.safetensors"
        if self.config.run.keep == "best" and best.exists():
            checkpoints.load_weights(best, self.model)
            return self._write_model()
        with self.averaged():
            return self._write_model()

    def _write_model(self) -> Path:
        folder = self.output / "model"
        rules = self.start.checkpoint
        save_winnow_checkpoint(
            folder,
            self.model.transformer,
            self.model.projection,
            salience_heads(self.model),
            rules.tokenizer,
            name=self.output.resolve().name,
            max_tokens=max(rules.passages.max_tokens, self.config.run.passage_tokens + 4),
            words_weight=self.config.model.words_weight,
            keeping=self.config.model.keeping,
            bits=self.config.model.bits,
            query_prefix_ids=self.start.query_prefix,
            passage_prefix_ids=self.start.passage_prefix,
            weighs_queries=self.config.salience.is_on and self.config.salience.weights_scores,
            is_lowercased=rules.is_lowercased,
            summary_weight=self.config.model.summary_served,
            summary=self.model.summary,
            notes={"training": self.config.as_json(), "steps": self.position.step},
        )
        return folder

    def _step(self, batch: Batch) -> Loss:
        run, config = self.config.run, self.config
        step = self.position.step
        self.model.set_shares(step, run.seed)
        factor = learning_rate_factor(step, run)
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * factor
        teacher = self._taught(batch)
        with autocast(self.device, run.precision):
            queries, passages = self.model(
                batch.query_texts.to(self.device), batch.passage_texts.to(self.device)
            )
        loss = batch_loss(
            config.loss,
            batch,
            queries,
            passages,
            teacher=teacher,
            salience=config.salience,
            has_summaries=self.model.summary_weight > 0,
        )
        if not math.isfinite(float(loss.total.detach())):
            raise WinnowError(
                f"The loss of step {step + 1} is no number; lower the learning rates or the scale."
            )
        self.optimizer.zero_grad(set_to_none=True)
        loss.total.backward()  # type: ignore[no-untyped-call] # torch
        nn.utils.clip_grad_norm_(self.model.parameters(), run.clip)
        self.optimizer.step()
        if self.average is not None:
            self.average.update(step)
        return loss

    def _taught(self, batch: Batch) -> torch.Tensor | None:
        if not self.config.loss.distillation:
            return None
        if self.teacher is None:
            return batch.teacher
        texts = [example.query for example in batch.examples]
        if self.config.loss.distil_batch:
            return self.teacher.score(texts, [batch.passages] * len(texts))
        own = [
            [batch.passages[column] for column in row[mask].tolist()]
            for row, mask in zip(batch.own, batch.own_mask, strict=True)
        ]
        return self.teacher.score(texts, own)

    def _evaluate(self) -> None:
        if not self.dev:
            return
        encoder = TextEncoder(self.model, self.collator, self.device, self.config.run.precision)
        salience = self.config.salience
        share = salience.alpha_passage if salience.is_on else None
        figures = {}
        for dev in self.dev:
            self._job.checkpoint()
            with self.averaged():
                figures[dev.name] = measure(dev, encoder, share)
        step = self.position.step
        self._write({"step": step, "dev": figures})
        self._draw()
        self._say(
            f"step {step:,}: "
            + "; ".join(
                f"{name} " + ", ".join(f"{key} {value:.4f}" for key, value in one.items())
                for name, one in figures.items()
            )
        )
        mean = math.fsum(figure["ndcg@10"] for figure in figures.values()) / len(figures)
        if mean > self.position.best:
            self.position = replace(self.position, best=mean, best_step=step)
            if self.config.run.keep == "best":
                with self.averaged():
                    checkpoints.save_weights(self.output / "best.safetensors", self.model)

    def _log(self, waiting: list[dict[str, float]]) -> None:
        """One line of the means since the last one."""
        seconds = math.fsum(one.pop("seconds") for one in waiting)
        tokens = math.fsum(one.pop("tokens") for one in waiting)
        step = self.position.step
        means = {
            name: math.fsum(one[name] for one in waiting) / len(waiting) for name in waiting[0]
        }
        rate = self.config.run.learning_rate * learning_rate_factor(step - 1, self.config.run)
        per_second = tokens / seconds
        self._write({"step": step, **means, "learning_rate": rate, "tokens/s": per_second})
        left_s = (self.config.run.steps - step) * seconds / len(waiting)
        self._say(
            f"step {step:,} of {self.config.run.steps:,}: loss {means['loss']:.4f}, "
            f"accuracy {means['accuracy']:.3f}, {per_second:,.0f} tokens/s, "
            f"{left_s / 60:.0f} min left"
        )

    def _draw(self) -> None:
        try:
            draw_curves(self.output / LOG)
        except WinnowError as error:  # a run of hours does not end for want of a picture
            self._say(f"No curves: {error}")

    @property
    def _further(self) -> dict[str, torch.Tensor]:
        """What a checkpoint keeps beside model and optimiser."""
        if self.average is None:
            return {}
        return {f"average.{name}": mean for name, mean in self.average.tensors.items()}

    def _save(self) -> None:
        checkpoints.save_checkpoint(
            self.output / "checkpoints", self.position, self.model, self.optimizer, self._further
        )

    def _write(self, entry: dict[str, Any]) -> None:
        with (self.output / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def train(
    config: TrainingConfig,
    data: Path,
    output: Path,
    say: Say,
    job: Job | None = None,
    *,
    steps: bool = True,
) -> Path:
    """Train, and write the model to `output / "model"`; a run that was stopped goes on.

    Args:
        config: what to do.
        data: where the folders of data lie that are not named with a whole path.
        output: the run's folder.
        say: is given a line now and then.
        job: to cancel.
        steps: whether to train at all, or only to write the model of the last checkpoint.

    Returns:
        The model's folder.

    Raises:
        UsageError: the data, the configuration or the folder are not as they should be.
        ModelError: the start is damaged.
        WinnowError: something cannot be written.
        Cancelled: the job was cancelled; the same call goes on from there.
    """
    trainer = Trainer(config, data, output, say, job or Job())
    if steps:
        trainer.run()
    return trainer.write_model()


def learning_rate_factor(step: int, run: RunConfig) -> float:
    """Return what learning rates are multiplied with at a step, counted from 0.

    >>> run = RunConfig(steps=10, warm_up=0.2)
    >>> [round(learning_rate_factor(step, run), 3) for step in (0, 1, 2, 6, 9)]
    [0.5, 1.0, 1.0, 0.5, 0.125]
    """
    warm = round(run.warm_up * run.steps)
    if step < warm:
        return (step + 1) / warm
    done = (step - warm) / max(run.steps - warm, 1)
    return 1 - done if run.schedule == "linear" else (1 + math.cos(math.pi * done)) / 2


def _optimizer(model: LateInteractionModel, run: RunConfig) -> torch.optim.Optimizer:
    """AdamW; biases and norms do not decay, heads have a learning rate of their own."""
    groups: dict[tuple[bool, bool], list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            is_head = not name.startswith("transformer.")
            groups.setdefault((is_head, parameter.ndim > 1), []).append(parameter)
    described: Iterable[dict[str, Any]] = [
        {
            "params": parameters,
            "peak": run.head_learning_rate if is_head else run.learning_rate,
            "weight_decay": run.weight_decay if decays else 0.0,
        }
        for (is_head, decays), parameters in groups.items()
    ]
    return torch.optim.AdamW(described, lr=run.learning_rate, fused=True)


def _figures(loss: Loss) -> dict[str, float]:
    names = {"loss": loss.total, **loss._asdict()}
    del names["total"]
    return {name: float(value.detach()) for name, value in names.items()}


def _claim(output: Path, config: TrainingConfig) -> None:
    """Make the run's folder its own, or check that it is."""
    path = output / "config.json"
    wanted = json.loads(json.dumps(config.as_json()))
    try:
        if path.exists():
            known = json.loads(path.read_text(encoding="utf-8"))
            changed = _changes(known, wanted)
            if changed:
                raise UsageError(
                    f"{output} holds a run with another configuration ({', '.join(changed)} "
                    "differ); name another folder with --output, or remove that one."
                )
        output.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(wanted, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise WinnowError(f"The run's folder {output} cannot be written: {error}.") from error
    except ValueError as error:
        raise UsageError(f"{path} is damaged; remove the folder {output}.") from error


def _changes(known: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """Return the keys by which two runs differ, those aside that do not change what is learned.

    A key that the known run does not have is younger than it: it ran with the default.
    """
    defaults = json.loads(json.dumps(TrainingConfig().as_json()))
    changed = [name for name in ("data", "dev") if known.get(name) != wanted[name]]
    for section in ("model", "salience", "loss", "run"):
        before = defaults[section] | (known.get(section) or {})
        for key, value in wanted[section].items():
            if before[key] != value and not (section == "run" and key in _MAY_CHANGE):
                changed.append(f"{section}.{key}")
    return changed


def _cut_log(path: Path, step: int) -> None:
    """Leave out of the log what came after the checkpoint that a run goes on from."""
    if not path.exists():
        return
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line.endswith("\n") and json.loads(line)["step"] <= step]
    path.write_text("".join(kept) if step else "", encoding="utf-8")
