"""The average of a run's weights: its values, its checkpoints, and its use as the model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import nn

from core.errors import Cancelled, ModelError
from core.progress import Job
from lab.training import loop
from lab.training.averaging import StartShare, WeightAverage, decay_at
from lab.training.config import DevConfig, TrainingConfig
from lab.training.dev import EncodedDev
from lab.training.loop import Trainer
from lab.training.train import train


def averaging(config: TrainingConfig, **keys: Any) -> TrainingConfig:
    return replace(config, run=replace(config.run, average=0.9, **keys))


class CancelAt(Job):
    """A job that is cancelled after a number of steps."""

    def __init__(self, step: int) -> None:
        super().__init__()
        self.left = step

    def say(self, line: str) -> None:
        self.left -= line.startswith("step")
        if self.left == 0:
            self.cancel()


def ignore(_line: str) -> None: ...


def test_the_average_weights_steps_by_age() -> None:
    model = nn.Linear(3, 2)
    model.bias.requires_grad_(False)
    average = WeightAverage(model, 0.6)
    seen, shares = [model.weight.detach().clone()], [1.0]
    for step in range(9):
        with torch.no_grad():
            model.weight.copy_(torch.randn(2, 3))
        average.update(step)
        decay = decay_at(step, 0.6)
        seen.append(model.weight.detach().clone())
        shares = [*(share * decay for share in shares), 1 - decay]
    assert sum(shares) == pytest.approx(1)
    expected = torch.stack([share * one for share, one in zip(shares, seen, strict=True)]).sum(
        dim=0
    )
    assert list(average.tensors) == ["weight"]
    with average.applied():
        torch.testing.assert_close(model.weight.detach(), expected)
    assert torch.equal(model.weight, seen[-1])
    average.reset()
    assert torch.equal(average.tensors["weight"], seen[-1])


def test_a_decay_of_one_is_no_average() -> None:
    with pytest.raises(ValueError, match=r"decay is 1.0; it must be from 0 to below 1"):
        WeightAverage(nn.Linear(2, 2), 1.0)


def test_averaging_changes_no_step_and_resumes_bit_for_bit(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = averaging(tiny_config)
    train(tiny_config, birds_data.parent, tmp_path / "without", ignore)
    train(config, birds_data.parent, tmp_path / "whole", ignore)
    for left in (5, 2):
        job = CancelAt(left)
        with pytest.raises(Cancelled):
            train(config, birds_data.parent, tmp_path / "parts", job.say, job)
    train(config, birds_data.parent, tmp_path / "parts", ignore)
    without, whole, parts = (
        tmp_path / run / "checkpoints" / "step-000012" for run in ("without", "whole", "parts")
    )
    assert not (without / "further.safetensors").exists()
    for name, tensor in load_file(without / "model.safetensors").items():
        assert torch.equal(tensor, load_file(whole / "model.safetensors")[name]), name
    tensors_ = load_file(whole / "further.safetensors")
    assert "average.projection" in tensors_
    for name, tensor in load_file(parts / "further.safetensors").items():
        assert torch.equal(tensor, tensors_[name]), name
    (parts / "further.safetensors").unlink()
    with pytest.raises(ModelError, match="step-000012 is damaged"):
        train(config, birds_data.parent, tmp_path / "parts", ignore)


@pytest.mark.parametrize("keep", ["last", "best"])
def test_the_average_is_measured_and_becomes_the_model(
    tiny_config: TrainingConfig,
    birds_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    keep: str,
) -> None:
    config = averaging(tiny_config, keep=keep, evaluate_every=12)
    config = replace(config, dev=(DevConfig("asked", queries=4, documents=10),))
    measured: list[torch.Tensor] = []
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())

    def measure(_encoded: EncodedDev, _share: float | None) -> dict[str, float]:
        measured.append(trainer.model.projection.detach().clone())
        return {"ndcg@10": 0.1 * len(measured)}

    monkeypatch.setattr(loop, "measure", measure)
    trainer.run()
    written = load_file(trainer.write_model() / "heads.safetensors")["projection"]
    last = tmp_path / "run" / "checkpoints" / "step-000012"
    average = load_file(last / "further.safetensors")["average.projection"]
    assert torch.equal(measured[1], average)
    assert torch.equal(written, average)
    assert not torch.equal(load_file(last / "model.safetensors")["projection"], average)
    config_file = json.loads((tmp_path / "run" / "model" / "config.json").read_text("utf-8"))
    assert config_file["training"]["run"]["average"] == 0.9


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_start_share_must_be_in_range(share: float) -> None:
    with pytest.raises(ValueError, match=f"share is {share}; it must be from 0 to 1"):
        StartShare(nn.Linear(2, 2), share)


def test_the_model_interpolates_the_start_and_the_average(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    def transformer(share: float) -> dict[str, torch.Tensor]:
        config = averaging(tiny_config, start_share=share)
        model = train(config, birds_data.parent, tmp_path / "run", ignore)
        written = load_file(model / "transformer" / "model.safetensors")
        return {name: tensor.float() for name, tensor in written.items()}

    trained, half, start = (transformer(share) for share in (0.0, 0.5, 1.0))
    assert max((trained[name] - start[name]).abs().max() for name in trained) > 0.005
    for name, tensor in half.items():
        torch.testing.assert_close(tensor, (trained[name] + start[name]) / 2, atol=5e-4, rtol=2e-3)


def test_a_share_of_the_start_changes_no_step(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    for share in (0.0, 0.4):
        config = averaging(tiny_config, start_share=share, evaluate_every=6)
        config = replace(config, dev=(DevConfig("asked", queries=4, documents=10),))
        train(config, birds_data.parent, tmp_path / f"{share}", ignore)
    without, with_share = (tmp_path / run / "checkpoints" / "step-000012" for run in ("0.0", "0.4"))
    for file in ("model.safetensors", "further.safetensors"):
        tensors_ = load_file(without / file)
        for name, tensor in load_file(with_share / file).items():
            assert torch.equal(tensor, tensors_[name]), name
