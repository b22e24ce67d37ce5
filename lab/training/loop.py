"""The training loop: batch, loss, step; with checkpoints to resume from and a log."""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from core.encoders.tokens import Tokenizer
from core.errors import Cancelled, UsageError, WinnowError
from core.files.own_files import atomic_write
from core.progress import Job
from lab.training import checkpoints
from lab.training.averaging import StartShare, WeightAverage
from lab.training.batches import Batch, Collator, Texts
from lab.training.checkpoints import Position
from lab.training.compression import Compressed, Compression
from lab.training.config import DataConfig, DevConfig, RunConfig, TrainingConfig
from lab.training.curves import draw_curves
from lab.training.dev import DevSet, encode_dev, measure
from lab.training.encoding import TextEncoder
from lab.training.losses import Loss, batch_loss
from lab.training.model import (
    LateInteractionModel,
    autocast,
    build_model,
    choose_device,
    hidden_layer,
    salience_heads,
    use_threads,
)
from lab.training.rarity import start_heads
from lab.training.saving import save_winnow_checkpoint
from lab.training.start import Start, find_start
from lab.training.stream import Prefetcher
from lab.training.teacher_loading import open_teacher
from lab.training.teachers import Teacher
from lab.training.token_targets import Target, TokenTargets, open_targets
from lab.training.training_data import read_training_data

Say = Callable[[str], None]

CONFIG = "config.json"
CHECKPOINTS = "checkpoints"
LOG = "log.jsonl"
MODEL = "model"
BEST = "best.safetensors"
# Settings that may differ when a run resumes.
_MAY_CHANGE = {
    "output",
    "device",
    "threads",
    "log_every",
    "checkpoint_every",
    "evaluate_every",
    "half_checkpoints",
    "start_share",
}
# Settings that may name a folder. Only its name is compared, since a run may move.
_FOLDERS = {"start", "projection", "teacher", "sentence_teacher", "second_teacher", "tokens_of"}
# Steps in which the learning rates rise to their schedule after a restart of the optimiser.
_RESTART_STEPS = 20
# Passages for learning a run's codebook, drawn evenly from its sources.
_CODEBOOK_PASSAGES = 768


# Examples for learning the directions of targets: about two hundred thousand tokens.
_TARGET_EXAMPLES = 1536
_TARGET_BATCH = 64


class Prepared(NamedTuple):
    """The data of a step, prefetched by a thread."""

    batch: Batch
    teacher: Callable[[], torch.Tensor] | None
    """Computes a teacher's scores of the batch; None without a teacher."""
    columns: torch.Tensor | None = None
    """(b, w) int64, the passages compared by a cross-encoder; None for other models."""

    @property
    def tokens(self) -> int:
        """Number of tokens that the transformer reads, without padding.

        A cross-encoder reads a query with each of its passages.
        """
        if self.columns is None:
            return self.batch.tokens
        queries = np.array(self.batch.query_texts.lengths)
        passages = np.array(self.batch.passage_texts.lengths)
        columns = self.columns.numpy()
        is_there = columns >= 0
        return int((is_there.sum(axis=1) * queries).sum() + passages[columns[is_there]].sum())


class Trainer:
    """A run in its folder: its data, model, optimiser and position."""

    def __init__(
        self, config: TrainingConfig, data: Path, output: Path, say: Say, job: Job
    ) -> None:
        """Read the data, build the model, and load the last checkpoint if there is one.

        Raises:
            UsageError: data or model are unusable, or the folder holds another run.
            ModelError: the start or the checkpoint is damaged.
            Cancelled: the job was cancelled.
        """
        run = config.run
        self.config = config
        self.output = output
        self.clock: Callable[[], float] = time.perf_counter
        self._say = say
        self._job = job
        _check_output_folder(output, config)
        use_threads(run.threads)
        self.device = choose_device(run.device)
        torch.manual_seed(run.seed)
        self.start: Start = find_start(config.model, run.seed)
        self.tokenizer = Tokenizer.of(self.start.checkpoint)
        self.collator = Collator(self.tokenizer, self.start, run)
        self.model = self._build_model()
        self._start_share: StartShare | None = None
        if run.start_share:
            self._start_share = StartShare(self.model.transformer, run.start_share)
        training_data = read_training_data(config, data, self.tokenizer.count, output, job)
        for name, size in training_data.sizes:
            say(f"{name}: {size:,} to draw from")
        self.stream = training_data.stream
        self.dev = training_data.dev
        self.sources = training_data.sources
        self._draw_examples = training_data.sample
        self.teacher: Teacher | None = None
        if config.loss.distillation and config.loss.teacher != "mined":
            self.teacher = open_teacher(
                config.loss.teacher,
                config,
                self.start,
                self.collator,
                self.device,
                output=output,
                weights_of_words=training_data.words,
                draw_examples=training_data.sample,
            )
        self.optimizer = _optimizer(self.model, run)
        self.average = WeightAverage(self.model, run.average) if run.average else None
        self.compression: Compression | None = None
        if config.loss.compression:
            self.compression = Compression(config.loss, config.model.dimensions, run.seed)
        self.targets: TokenTargets | None = None
        if config.loss.tokens:
            self.targets = open_targets(
                config.loss, self.start, config.model, config.salience, run, self.device
            )
        found = checkpoints.load_checkpoint(
            output / CHECKPOINTS, self.model, self.optimizer, self._extra
        )
        if found is None:
            say("fitting the initial heads and the codebook")
            self._start_heads()
            self._find_targets()
            if self.average is not None:
                self.average.reset()
            self._learn_codebook()
        self.position = found or Position()
        self._losses = _Losses()
        self._factor = 0.0  # the last factor of the learning rates
        _truncate_log(output / LOG, self.position.step)

    def _build_model(self) -> LateInteractionModel:
        config = self.config
        return build_model(self.start, config.model, config.salience, config.run, self.device)

    def _start_heads(self) -> None:
        """Fit the initial heads of salience, if the recipe has fitted ones."""
        start_heads(
            self.config.salience,
            self.model,
            self.collator,
            self._draw_examples,
            self.tokenizer,
            self.config.run,
            self.device,
        )

    @property
    def is_done(self) -> bool:
        """Whether all steps are done, or all the time is spent."""
        run = self.config.run
        if run.minutes:
            return self.position.seconds >= 60 * run.minutes
        return self.position.step >= run.steps

    def run(self, minutes: float | None = None) -> None:
        """Train to the end; each call resumes where the last one stopped.

        Args:
            minutes: time limit of this call, after which it ends with a checkpoint; None for no
                limit. The learning rate schedule is not affected.

        Raises:
            Cancelled: the job was cancelled; a checkpoint was written.
            WinnowError: a checkpoint cannot be written, or the loss is NaN or infinite.
        """
        self.model.train()
        if self.position.step:
            form = ""
            if self.position.restarted == self.position.step:
                form = ", from a checkpoint in half precision"
            self._say(f"resuming after step {self.position.step:,}{form}")
        try:
            end = None if self.config.run.minutes else self.config.run.steps
            with Prefetcher(self._prepare, self.position.step, end) as feed:
                self._train(feed, math.inf if minutes is None else 60 * minutes)
        except Cancelled:
            if self.position.step:
                self._save()
            raise
        if not self.is_done:
            self._say(
                f"Time limit reached after step {self._reached}; "
                "run the same command again to resume."
            )

    def _train(self, feed: Prefetcher[Prepared], time_s: float) -> None:
        run = self.config.run
        first, spent_s, began_s = self.position.step, self.position.seconds, self.clock()
        processor_s = self.position.processor_s - time.process_time()
        measured = saved = first
        if not first and run.evaluate_every:
            self._evaluate()
        # Take a step however short the time: otherwise a run might never end.
        while not self.is_done and (self.position.step == first or self.clock() - began_s < time_s):
            self._job.checkpoint()
            step_began_s = self.clock()
            prepared = feed.next()
            loss = self._step(prepared)
            now_s = self.clock()
            done = self.position.step + 1
            self.position = replace(
                self.position,
                step=done,
                seconds=spent_s + now_s - began_s,
                processor_s=processor_s + time.process_time(),
            )
            self._losses.add(done, loss, prepared.tokens, now_s - step_began_s)
            if done % run.log_every == 0:
                self._log()
            if run.evaluate_every and done % run.evaluate_every == 0:
                measured = done
                self._evaluate()
            if done % run.checkpoint_every == 0:
                saved = done
                self._save()
        done = self.position.step
        self._log()
        if self.is_done and run.evaluate_every and measured != done:
            self._evaluate()
        if saved != done:
            self._save()

    @property
    def _reached(self) -> str:
        """Describe the position of the run in words."""
        run, position = self.config.run, self.position
        if not run.minutes:
            return f"{position.step:,} of {run.steps:,}"
        return f"{position.step:,}, {position.seconds / 60:.1f} of {run.minutes:g} minutes"

    def _prepare(self, step: int) -> Prepared:
        """Return the data of a step; called in a separate thread."""
        place = step % self.config.run.repeat_after if self.config.run.repeat_after else step
        batch = self.collator.batch(self.stream.batch(place))
        teacher_scores = None
        if self.teacher is not None:
            texts = [example.query for example in batch.examples]
            if self.config.loss.distil_batch:
                teacher_scores = self.teacher.prepare(texts, [batch.passages] * len(texts))
            else:
                teacher_scores = self.teacher.prepare(texts, batch.own_passages)
        return Prepared(batch.pinned() if self.device == "cuda" else batch, teacher_scores)

    @contextlib.contextmanager
    def averaged(self) -> Iterator[None]:
        """Use the weights for searching while the context lasts."""
        with contextlib.ExitStack() as means:
            for mean in (self.average, self._start_share):
                if mean is not None:
                    means.enter_context(mean.applied())
            yield

    def write_model(self) -> Path:
        """Write the trained model in half precision and return its folder."""
        best = self.output / BEST
        if self.config.run.keep == "best" and best.exists():
            checkpoints.load_weights(best, self.model)
            return self._write_model()
        with self.averaged():
            return self._write_model()

    def _write_model(self) -> Path:
        folder = self.output / MODEL
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
            hidden=hidden_layer(self.model),
            notes={"training": self.config.as_json(), "steps": self.position.step},
        )
        return folder

    def _step(self, prepared: Prepared) -> Loss:
        """Do a step without synchronising with the GPU, unless it compresses passages."""
        run = self.config.run
        self.model.set_shares(self.position.step, run.seed)
        self._factor = learning_rate_factor(
            self.position.step, run, self.position.seconds, self.position.restarted
        )
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * self._factor
        loss = self._loss(prepared)
        self.optimizer.zero_grad(set_to_none=True)
        loss.total.backward()  # type: ignore[no-untyped-call] # torch
        nn.utils.clip_grad_norm_(self.model.parameters(), run.clip)
        self.optimizer.step()
        if self.average is not None:
            self.average.update(self.position.step)
        return loss

    def _loss(self, prepared: Prepared) -> Loss:
        """Return the loss of a step, with its graph."""
        config = self.config
        batch = prepared.batch.to(self.device)
        teacher = None
        if config.loss.distillation:
            teacher = batch.teacher if prepared.teacher is None else prepared.teacher()
        with autocast(self.device, config.run.precision):
            queries, passages = self.model(batch.query_texts, batch.passage_texts)
        has_summaries = self.model.summary_weight > 0
        compressed: Compressed | None = None
        if self.compression is not None:
            compressed = self.compression.compress(
                passages, self.position.step, has_summaries=has_summaries
            )
        targets: tuple[Target, Target] | None = None
        if self.targets is not None:
            targets = (
                self.targets.of(batch.query_texts, "query", config.run.precision),
                self.targets.of(batch.passage_texts, "passage", config.run.precision),
            )
        return batch_loss(
            config.loss,
            batch,
            queries,
            passages,
            teacher=teacher,
            salience=config.salience,
            has_summaries=has_summaries,
            compressed=compressed,
            targets=targets,
        )

    def _find_targets(self) -> None:
        """Learn the targets' directions and fit the initial projections to the targets."""
        if self.targets is None:
            return
        sample = self._draw_examples()[:_TARGET_EXAMPLES]
        batches: list[tuple[str, Texts]] = []
        for first in range(0, len(sample), _TARGET_BATCH):
            some = sample[first : first + _TARGET_BATCH]
            queries = self.collator.queries([one.query for one in some])
            passages = [(one.passage.context, one.passage.text) for one in some]
            batches.append(("query", queries.to(self.device)))
            batches.append(("passage", self.collator.passages(passages).to(self.device)))
        self.targets.learn(self.model, batches, self.config.run.precision)

    def _learn_codebook(self) -> None:
        """Learn the initial codebook of the run."""
        if self.compression is None or self.compression.codebook is None:
            return
        run = self.config.run
        sample = [one.passage for one in self._draw_examples()[:_CODEBOOK_PASSAGES]]
        encoder = TextEncoder(self.model, self.collator, self.device, run.precision)
        encoded = encoder.passages([(one.context, one.text) for one in sample])
        self.compression.codebook.learn(encoded.vectors.astype(np.float32), run.seed)

    def _evaluate(self) -> None:
        if not self.dev:
            return
        figures = {}
        for dev in self.dev:
            self._job.checkpoint()
            with self.averaged():
                figures[dev.name] = self._measure(dev)
        step = self.position.step
        self._write({"step": step, "dev": figures, **self._spent})
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
                self._save_best()

    def _measure(self, dev: DevSet) -> dict[str, float]:
        """Return measurements on a dev set by name."""
        encoder = TextEncoder(self.model, self.collator, self.device, self.config.run.precision)
        salience = self.config.salience
        share = salience.alpha_passage if salience.is_on else None
        return measure(encode_dev(dev, encoder), share)

    def _log(self) -> None:
        """Write a log line of means since the last one, if there was a step since."""
        began_s = self.clock()
        self._losses.settle()
        means, tokens, seconds, steps = self._losses.take()
        if not steps:
            return
        seconds += self.clock() - began_s  # synchronises with the GPU
        run, step = self.config.run, self.position.step
        per_second = tokens / seconds
        line = {**means, "learning_rate": run.learning_rate * self._factor, "tokens/s": per_second}
        self._write({"step": step, **line, **self._spent})
        left_s = (run.steps - step) * seconds / steps
        if run.minutes:
            left_s = max(60 * run.minutes - self.position.seconds, 0)
        self._say(
            f"step {self._reached}: loss {means['loss']:.4f}, "
            f"accuracy {means['accuracy']:.3f}, {per_second:,.0f} tokens/s, "
            f"{left_s / 60:.0f} min left"
        )

    @property
    def _spent(self) -> dict[str, float]:
        """The time spent on the run, for the log."""
        position = self.position
        return {
            "seconds": round(position.seconds, 1),
            "processor_s": round(position.processor_s, 1),
        }

    def _draw(self) -> None:
        try:
            draw_curves(self.output / LOG)
        except WinnowError as error:  # a failed plot must not end a run of hours
            self._say(f"No curves: {error}")

    @property
    def _extra(self) -> dict[str, torch.Tensor]:
        """Return further state of a checkpoint besides model and optimiser."""
        parts = {
            "average": self.average,
            "codebook": self.compression,
            "targets": self.targets,
        }
        return {
            f"{part}.{name}": tensor
            for part, state in parts.items()
            if state is not None
            for name, tensor in state.tensors.items()
        }

    def _save(self) -> None:
        self._losses.settle()  # NaNs must not be stored
        checkpoints.save_checkpoint(
            self.output / CHECKPOINTS,
            self.position,
            self.model,
            self.optimizer,
            self._extra,
            half=self.config.run.half_checkpoints,
        )

    def _save_best(self) -> None:
        """Save the weights measured last."""
        with self.averaged():
            checkpoints.save_weights(self.output / BEST, self.model)

    def _write(self, entry: dict[str, Any]) -> None:
        with (self.output / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def learning_rate_factor(
    step: int, run: RunConfig, seconds: float = 0.0, restarted: int = 0
) -> float:
    """Return the factor of the learning rates at a step, counted from 0.

    A run with a time limit uses the elapsed share of it: `seconds` over all calls. After the step
    `restarted`, at which the optimiser started without its state, the rates rise from 0 again.

    >>> run = RunConfig(steps=10, warm_up=0.2)
    >>> [round(learning_rate_factor(step, run), 3) for step in (0, 1, 2, 6, 9)]
    [0.5, 1.0, 1.0, 0.5, 0.125]
    >>> run = RunConfig(minutes=10, warm_up=0.2)
    >>> [round(learning_rate_factor(0, run, 60 * spent), 3) for spent in (0, 1, 2, 6, 10)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    >>> run = RunConfig(steps=1000, warm_up=0.0)
    >>> [round(learning_rate_factor(step, run, restarted=500), 3) for step in (500, 509, 519, 600)]
    [0.025, 0.245, 0.481, 0.4]
    """
    if restarted:
        risen = min((step - restarted + 1) / _RESTART_STEPS, 1.0)
        return risen * learning_rate_factor(step, run, seconds)
    if run.minutes:
        share = min(seconds / (60 * run.minutes), 1.0)
        if share < run.warm_up:
            return share / run.warm_up
        done = (share - run.warm_up) / (1 - run.warm_up)
    else:
        warm = round(run.warm_up * run.steps)
        if step < warm:
            return (step + 1) / warm
        done = (step - warm) / max(run.steps - warm, 1)
    return 1 - done if run.schedule == "linear" else (1 + math.cos(math.pi * done)) / 2


def _optimizer(model: LateInteractionModel, run: RunConfig) -> torch.optim.Optimizer:
    """Return AdamW without decay of biases and norms, and with separate rates for heads."""
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


class _Losses:
    """The losses since the last log line, read together instead of at each step.

    Reading a loss waits for all queued work of the GPU.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[int, torch.Tensor]] = []
        self._rows: list[list[float]] = []
        self._tokens = 0
        self._seconds = 0.0

    def add(self, step: int, loss: Loss, tokens: int, seconds: float) -> None:
        """Add a step's losses with the number of tokens and the seconds."""
        figures = torch.stack([value.detach().float() for value in loss])
        self._waiting.append((step, figures))
        self._tokens += tokens
        self._seconds += seconds

    def settle(self) -> None:
        """Read the pending losses.

        Raises:
            WinnowError: one is NaN or infinite.
        """
        if not self._waiting:
            return
        rows = torch.stack([figures for _, figures in self._waiting]).tolist()
        for (step, _), row in zip(self._waiting, rows, strict=True):
            if not math.isfinite(row[0]):
                raise WinnowError(
                    f"The loss of step {step} is no number; lower the learning rates or the scale."
                )
        self._rows += rows
        self._waiting = []

    def take(self) -> tuple[dict[str, float], int, float, int]:
        """Return and reset means by name, tokens, seconds and steps since the last call."""
        rows, tokens, seconds = self._rows, self._tokens, self._seconds
        self._rows, self._tokens, self._seconds = [], 0, 0.0
        names = ("loss", *Loss._fields[1:])
        means = {
            name: math.fsum(column) / len(rows)
            for name, column in zip(names, zip(*rows, strict=True), strict=False)
        }
        return means, tokens, seconds, len(rows)


def _check_output_folder(output: Path, config: TrainingConfig) -> None:
    """Claim the run's folder, or check that it belongs to this run."""
    path = output / CONFIG
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
        atomic_write(path, (json.dumps(wanted, indent=2) + "\n").encode())
    except OSError as error:
        raise WinnowError(f"The run's folder {output} cannot be written: {error}.") from error
    except ValueError as error:
        raise UsageError(f"{path} is damaged; remove the folder {output}.") from error


def _changes(known: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """Return the keys in which two runs differ, except those that do not change the result.

    A key missing from the stored run was added later; the run used its default.
    """
    defaults = json.loads(json.dumps(TrainingConfig().as_json()))
    changed = []
    for name, kind in (("data", DataConfig), ("dev", DevConfig)):
        plain = json.loads(json.dumps(asdict(kind(folder="any"))))
        before, after = (
            [plain | one | {"folder": _folder_name(one["folder"])} for one in rows]
            for rows in (known.get(name, ()), wanted[name])
        )
        if before != after:
            changed.append(name)
    for section in ("model", "salience", "loss", "run"):
        before = defaults[section] | (known.get(section) or {})
        for key, value in wanted[section].items():
            is_same = before[key] == value
            if key in _FOLDERS:
                is_same = _folder_name(before[key]) == _folder_name(value)
            if not is_same and not (section == "run" and key in _MAY_CHANGE):
                changed.append(f"{section}.{key}")
    return changed


def _folder_name(named: str) -> str:
    r"""Return the name of a folder, which stays when the run moves.

    >>> _folder_name("/data/squad/"), _folder_name(r"D:\data\squad"), _folder_name("ensemble")
    ('squad', 'squad', 'ensemble')
    """
    return named.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _truncate_log(path: Path, step: int) -> None:
    """Remove log lines after the checkpoint from which a run resumes."""
    if not path.exists():
        return
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    remaining = [line for line in lines if line.endswith("\n") and json.loads(line)["step"] <= step]
    atomic_write(path, "".join(remaining if step else []).encode())
