"""A run's teacher, as its configuration names it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from core.encoders.encoder import Encoder
from core.encoders.layouts import load_checkpoint
from core.encoders.runtimes import OPENVINO, TORCH, open_runtime
from core.encoders.tokens import Tokenizer
from lab.training.batches import Collator
from lab.training.config import TrainingConfig
from lab.training.corpus import WordWeights
from lab.training.model import build_model
from lab.training.model_config import SalienceConfig
from lab.training.rarity import draw, rarity_of
from lab.training.sources import Sources
from lab.training.start import Start
from lab.training.teachers import (
    CrossEncoderTeacher,
    EnsembleTeacher,
    ModelTeacher,
    Teacher,
    TeachersTogether,
)


def open_teacher(
    name: str,
    config: TrainingConfig,
    start: Start,
    collator: Collator,
    sources: Sources,
    device: str,
) -> Teacher:
    """Return the teacher `name`, "ensemble" or the folder of a cross-encoder, with a voice beside.

    Raises:
        UsageError: there is no such folder.
        ModelError: what it holds is no cross-encoder, or the voice's folder no model.
    """
    teacher = _named_teacher(name, config, start, collator, sources, device)
    if not config.loss.voice:
        return teacher
    checkpoint = load_checkpoint(config.loss.voice)
    place = OPENVINO if device == "cpu" else f"{TORCH}:{device}"
    runtime = open_runtime(checkpoint, config.run.threads, place)
    voice = ModelTeacher(Encoder(checkpoint, Tokenizer.of(checkpoint), runtime), device)
    return TeachersTogether([(teacher, 1.0), (voice, config.loss.voice_weight)])


def _named_teacher(
    name: str,
    config: TrainingConfig,
    start: Start,
    collator: Collator,
    sources: Sources,
    device: str,
) -> Teacher:
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
