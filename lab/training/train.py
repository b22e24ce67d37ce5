"""Run a whole training for any kind of model."""

from __future__ import annotations

from pathlib import Path

from core.progress import Job
from lab.training.config import TrainingConfig
from lab.training.cross_training import CrossTrainer
from lab.training.loop import Say, Trainer


def train(
    config: TrainingConfig,
    data: Path,
    output: Path,
    say: Say,
    job: Job | None = None,
    *,
    steps: bool = True,
    minutes: float | None = None,
) -> Path:
    """Train, and write the model to `output / "model"`; resume if interrupted.

    Args:
        config: the configuration of the run.
        data: parent of data folders with relative paths.
        output: the run's folder.
        say: called with progress lines.
        job: to cancel.
        steps: whether to train at all, or only to write the model of the last checkpoint.
        minutes: time limit; None for no limit.

    Returns:
        The model's folder.

    Raises:
        UsageError: the data, the configuration or the folder are invalid.
        ModelError: the start is damaged.
        WinnowError: a file cannot be written.
        Cancelled: the job was cancelled; the same call resumes.
    """
    trainer = open_trainer(config, data, output, say, job or Job())
    if steps:
        trainer.run(minutes)
    return trainer.write_model()


def open_trainer(config: TrainingConfig, data: Path, output: Path, say: Say, job: Job) -> Trainer:
    """Return the trainer for the kind of model that a configuration names; raises as `Trainer`."""
    kind = CrossTrainer if config.model.cross_layers else Trainer
    return kind(config, data, output, say, job)
