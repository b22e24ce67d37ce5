"""A whole run, whatever kind of model its configuration asks for."""

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
    """Train, and write the model to `output / "model"`; a run that was stopped goes on.

    Args:
        config: what to do.
        data: where the folders of data lie that are not named with a whole path.
        output: the run's folder.
        say: is given a line now and then.
        job: to cancel.
        steps: whether to train at all, or only to write the model of the last checkpoint.
        minutes: after which to end before the run is done; None for no such limit.

    Returns:
        The model's folder.

    Raises:
        UsageError: the data, the configuration or the folder are not as they should be.
        ModelError: the start is damaged.
        WinnowError: something cannot be written.
        Cancelled: the job was cancelled; the same call goes on from there.
    """
    trainer = open_trainer(config, data, output, say, job or Job())
    if steps:
        trainer.run(minutes)
    return trainer.write_model()


def open_trainer(config: TrainingConfig, data: Path, output: Path, say: Say, job: Job) -> Trainer:
    """Return what trains the kind of model that a configuration asks for; raises as `Trainer`."""
    kind = CrossTrainer if config.model.cross_layers else Trainer
    return kind(config, data, output, say, job)
