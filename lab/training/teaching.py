"""A run's teacher, as its configuration names it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from core.encoders.tokens import Tokenizer
from lab.training.batches import Collator
from lab.training.config import TrainingConfig
from lab.training.corpus import WordWeights
from lab.training.model import build_model
from lab.training.model_config import SalienceConfig
from lab.training.rarity import draw, rarity_of
from lab.training.sources import Sources
from lab.training.start import Start
from lab.training.teachers import CrossEncoderTeacher, EnsembleTeacher, Teacher


def open_teacher(
    name: str,
    config: TrainingConfig,
    start: Start,
    collator: Collator,
    sources: Sources,
    device: str,
) -> Teacher:
    """Return the teacher `name`: "ensemble", or the folder of a cross-encoder.

    Raises:
        UsageError: there is no such folder.
        ModelError: what it holds is no cross-encoder.
    """
    if name != "ensemble":
        return CrossEncoderTeacher(Path(name), device, config.run.precision)
    # Its own vectors, not projected: they are better than what fewer dimensions leave of them.
    whole = replace(start, projection=np.eye(start.hidden, dtype=np.float32), hidden_layer=None)
    plain = replace(config.model, summary_weight=0.0, projection_hidden=0)
    model = build_model(whole, plain, SalienceConfig(), config.run, device)
    words = WordWeights.merged(corpus.words for corpus in sources.corpora)
    tokenizer = Tokenizer.of(start.checkpoint)
    size = model.transformer.config.vocab_size
    drawn = draw(sources.sources, config.run.seed)
    rare = torch.from_numpy(rarity_of(drawn, tokenizer, size))
    return EnsembleTeacher(model, collator, words, rare, device, config.run.precision)
