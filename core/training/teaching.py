"""A run's teacher, as its configuration names it."""

from __future__ import annotations

from pathlib import Path

from core.training.batches import Collator
from core.training.config import SalienceConfig, TrainingConfig
from core.training.corpus import WordWeights
from core.training.model import build_model
from core.training.sources import Sources
from core.training.start import Start
from core.training.teachers import CrossEncoderTeacher, EnsembleTeacher, Teacher


def open_teacher(
    name: str,
    config: TrainingConfig,
    start: Start,
    collator: Collator,
    sources: Sources,
    device: str,
) -> Teacher:
    """The teacher `name`: "ensemble", or the folder of a cross-encoder.

    Raises:
        UsageError: there is no such folder.
        ModelError: what it holds is no cross-encoder.
    """
    if name != "ensemble":
        return CrossEncoderTeacher(Path(name), device, config.run.precision)
    model = build_model(start, config.model, SalienceConfig(), config.run, device)
    weights = WordWeights.merged(corpus.words for corpus in sources.corpora)
    return EnsembleTeacher(model, collator, weights, device, config.run.precision)
