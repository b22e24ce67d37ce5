"""A hidden layer parallel to the projection: trained, saved, run by the engine, retrained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.encoders.encoder import Encoder
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from core.progress import Job
from lab.evaluation.encoded import without_head
from lab.training.config import LossConfig, TrainingConfig
from lab.training.loop import Trainer
from lab.training.model_config import SalienceConfig
from lab.training.start import bare
from lab.training.train import train


def ignore(_line: str) -> None: ...


@pytest.fixture
def config(tiny_config: TrainingConfig) -> TrainingConfig:
    return replace(
        tiny_config,
        model=replace(tiny_config.model, projection_hidden=24, summary_weight=0.3),
        salience=SalienceConfig("entropy", alpha_query=1.0, passage_start="length"),
        run=replace(tiny_config.run, average=0.5),
    )


def test_training_starts_at_the_same_vectors(
    config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    encoded = []
    for width in (0, 24):
        one = replace(config, model=replace(config.model, projection_hidden=width))
        trainer = Trainer(one, birds_data.parent, tmp_path / str(width), ignore, Job())
        with torch.inference_mode():
            texts = trainer.collator.passages([("Owl", "The owl hunts.")])
            encoded.append(trainer.model.eval().encode_passages(texts))
    without, beginning = encoded
    assert torch.equal(without.vectors, beginning.vectors)
    assert without.salience is not None
    assert beginning.salience is not None
    assert torch.equal(without.salience, beginning.salience)


def test_the_engine_matches_the_trained_vectors(
    config: TrainingConfig, birds_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = train(config, birds_data.parent, tmp_path / "run", ignore)
    heads = load_file(folder / "heads.safetensors")
    assert heads["hidden.outer"].abs().max() > 0.01
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())
    monkeypatch.setenv("WINNOW_RUNTIME", "torch")
    checkpoint = load_checkpoint(folder)
    encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))
    (passage,) = encoder.encode_passages(encoder.passage_tokens([("Owl", "The owl hunts.")]))
    (query,) = encoder.encode_queries([encoder.query_tokens("which bird hunts")])
    with trainer.averaged(), torch.inference_mode():
        # A model is saved with its transformer in half precision.
        for weight in trainer.model.transformer.parameters():
            weight.copy_(weight.half().float())
        model, collator = trainer.model.eval(), trainer.collator
        texts = collator.passages([("Owl", "The owl hunts.")])
        ours = model.encode_passages(texts)
        query_vectors = model.encode_queries(collator.queries(["which bird hunts"]))
        states = model.states(texts)
        straight = states.hidden[0] @ model.projection
    np.testing.assert_allclose(passage.vectors, ours.vectors[0].numpy(), atol=1e-4)
    np.testing.assert_allclose(query.vectors, query_vectors.vectors[0].numpy(), atol=1e-4)
    assert not np.allclose(
        passage.vectors[1:], torch.nn.functional.normalize(straight, dim=1).numpy(), atol=1e-2
    )
    assert bare(checkpoint).hidden_layer is None
    assert without_head(encoder).checkpoint.hidden_layer is None


def test_it_can_be_trained_further_and_is_not_dropped_silently(
    config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    folder = train(config, birds_data.parent, tmp_path / "one", ignore)
    heads = load_file(folder / "heads.safetensors")
    again = replace(config, model=replace(config.model, start=str(folder), projection="start"))
    # It is also not part of the teacher, which uses the transformer's vectors.
    again = replace(again, loss=LossConfig(distillation=1, teacher="ensemble"))
    trainer = Trainer(again, birds_data.parent, tmp_path / "two", ignore, Job())
    assert trainer.model.inner is not None
    assert trainer.model.outer is not None
    assert torch.equal(trainer.model.inner, heads["hidden.inner"])
    assert torch.equal(trainer.model.outer, heads["hidden.outer"])
    trainer.run()
    assert not torch.equal(trainer.model.inner, heads["hidden.inner"])
    for width in (0, 16):
        other = replace(again, model=replace(again.model, projection_hidden=width))
        with pytest.raises(UsageError, match=r"has a hidden layer of 24 .*projection_hidden to 24"):
            Trainer(other, birds_data.parent, tmp_path / f"three{width}", ignore, Job())
    restarted = replace(again, model=replace(again.model, projection="random", projection_hidden=8))
    trainer = Trainer(restarted, birds_data.parent, tmp_path / "four", ignore, Job())
    assert trainer.model.outer is not None
    assert trainer.model.outer.shape == (8, 16)
    assert not trainer.model.outer.any()
