"""Open a run's teacher."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import torch

from core.encoders.encoder import Encoder
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.runtimes import OPENVINO, TORCH, open_runtime
from core.encoders.tokens import Tokenizer
from lab.training.batches import Collator
from lab.training.config import TrainingConfig
from lab.training.corpus import WordWeights
from lab.training.cross_encoder import WEIGHTS_FILE, load_cross_teacher
from lab.training.model import build_model
from lab.training.model_config import SalienceConfig
from lab.training.pairs import Example
from lab.training.rarity import rarity_of
from lab.training.sentence_teacher import SentenceEncoder, SentenceTeacher, StoredVectors
from lab.training.start import Start
from lab.training.teachers import (
    CrossEncoderTeacher,
    EnsembleTeacher,
    ModelTeacher,
    Teacher,
    WeightedTeachers,
)

# Folder of a run for the vectors of teachers.
VECTORS: Final = "teachers"


def open_teacher(
    name: str,
    config: TrainingConfig,
    start: Start,
    collator: Collator,
    device: str,
    *,
    output: Path,
    weights_of_words: Callable[[], WordWeights],
    draw_examples: Callable[[], list[Example]],
) -> Teacher:
    """Return the teacher `name`: "ensemble" or a cross-encoder's folder.

    A second teacher is added if the configuration names one. The vectors of the ensemble's
    sentence encoder are stored in the run's folder, `output`.

    For the ensemble, `weights_of_words` returns the weights of words in all data, and
    `draw_examples` a few hundred examples of each source.

    Raises:
        UsageError: the folder does not exist.
        ModelError: it holds no cross-encoder, or the second teacher's folder no model.
    """
    teacher: Teacher
    if name == "ensemble":
        teacher = _ensemble(
            config, start, collator, device, output, weights_of_words(), draw_examples()
        )
    elif (Path(name) / WEIGHTS_FILE).is_file():
        teacher = load_cross_teacher(Path(name), config.run, device)
    else:
        teacher = CrossEncoderTeacher(Path(name), device, config.run.precision)
    if not config.loss.second_teacher:
        return teacher
    checkpoint = load_checkpoint(config.loss.second_teacher)
    place = OPENVINO if device == "cpu" else f"{TORCH}:{device}"
    runtime = open_runtime(checkpoint, config.run.threads, place)
    second_teacher = ModelTeacher(Encoder(checkpoint, Tokenizer.of(checkpoint), runtime), device)
    return WeightedTeachers([(teacher, 1.0), (second_teacher, config.loss.second_teacher_weight)])


def _ensemble(
    config: TrainingConfig,
    start: Start,
    collator: Collator,
    device: str,
    output: Path,
    words: WordWeights,
    drawn: list[Example],
) -> Teacher:
    # The unprojected vectors are better than their projection to fewer dimensions.
    whole = replace(start, projection=np.eye(start.hidden, dtype=np.float32), hidden_layer=None)
    plain = replace(config.model, summary_weight=0.0, projection_hidden=0)
    model = build_model(whole, plain, SalienceConfig(), config.run, device)
    tokenizer = Tokenizer.of(start.checkpoint)
    size = model.transformer.config.vocab_size
    rare = torch.from_numpy(rarity_of(drawn, tokenizer, size))
    precision = config.run.precision
    if not config.loss.sentence_teacher:
        return EnsembleTeacher(model, collator, words, rare, device, precision)
    encoder, stored = open_sentence_vectors(config, output, device)
    tokens_and_words = EnsembleTeacher(
        model, collator, words, rare, device, precision, has_pooled=False
    )
    sentences = SentenceTeacher(encoder, stored, device)
    return WeightedTeachers([(tokens_and_words, 1.0), (sentences, EnsembleTeacher.POOLED)])


def open_sentence_vectors(
    config: TrainingConfig, output: Path, device: str, shard: str = ""
) -> tuple[SentenceEncoder, StoredVectors]:
    """Return the sentence encoder of a run, and its vectors in the run's folder.

    Args:
        config: the run's configuration; it names a sentence encoder.
        output: the run's folder.
        device: on which the encoder runs.
        shard: the shard of this process, as in `StoredVectors`.

    Raises:
        UsageError: the encoder's folder does not exist.
        ModelError: it holds no sentence encoder.
    """
    folder = Path(config.loss.sentence_teacher)
    encoder = SentenceEncoder(folder, config.run.passage_tokens + 4, device, config.run.precision)
    return encoder, StoredVectors(output / VECTORS / folder.name, encoder.dimensions, shard)
