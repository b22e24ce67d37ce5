"""Checkpoints in the small form: their size, their loss of precision, and resuming from them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from core.errors import Cancelled, ModelError
from core.progress import Job
from lab.training.config import DevConfig, TrainingConfig
from lab.training.loop import Trainer
from lab.training.model_config import SalienceConfig
from lab.training.small_checkpoints import STEP, SmallCheckpointCodec
from lab.training.train import train


def ignore(_line: str) -> None: ...


def with_run(config: TrainingConfig, **keys: Any) -> TrainingConfig:
    return replace(config, run=replace(config.run, **keys))


def stopped(config: TrainingConfig, data: Path, output: Path, after: int) -> Trainer:
    """Return a run stopped after `steps` of its steps."""

    class Stops(Job):
        def say(self, line: str) -> None:
            if line.startswith(f"step {after} "):
                self.cancel()

    job = Stops()
    trainer = Trainer(config, data.parent, output, job.say, job)
    with pytest.raises(Cancelled):
        trainer.run()
    return trainer


def losses(output: Path) -> list[float]:
    lines = (output / "log.jsonl").read_text("utf-8").splitlines()
    return [entry["loss"] for entry in map(json.loads, lines) if "loss" in entry]


class Wide(nn.Module):
    """A matrix of realistic width, named like a transformer's."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(3)
        self.transformer = nn.Linear(384, 200)


def test_weights_are_quantised_with_a_step_per_row() -> None:
    model = Wide()
    form = SmallCheckpointCodec(model)
    optimizer = torch.optim.AdamW(model.parameters())
    # The rows' changes differ by a factor of ten thousand; a tenth did not change.
    far = torch.logspace(-6, -2, 200)[:, None]
    far[::10] = 0
    changed = model.transformer.weight.detach() + far * torch.randn(200, 384)
    with torch.no_grad():
        model.transformer.weight.copy_(changed)
    tensors = form.encode(optimizer, {})
    assert sum(one.nbytes for one in tensors.values()) < 200 * 384 * 4 / 8
    with torch.no_grad():
        model.transformer.weight.zero_()
    form.decode(tensors, optimizer, {})
    lost = (model.transformer.weight.detach() - changed).norm(dim=1) / (far[:, 0] * 384**0.5)
    moved = far[:, 0] > 1e-3
    # A uniform error over a step has a root mean square of step / sqrt(12).
    np.testing.assert_allclose(lost[moved], STEP / 12**0.5, rtol=0.15)


@pytest.mark.parametrize("average", [0.0, 0.9])
def test_a_run_resumes_nearly_as_from_a_full_checkpoint(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path, average: float
) -> None:
    config = replace(
        with_run(tiny_config, steps=60, average=average), salience=SalienceConfig("entropy")
    )
    small = with_run(config, small_checkpoints=True)
    whole, carried = tmp_path / "whole", tmp_path / "carried"
    before = stopped(config, birds_data, whole, 40)
    stopped(small, birds_data, carried, 40)
    folder = carried / "checkpoints" / "step-000040"
    assert sorted(path.name for path in folder.iterdir()) == ["small.safetensors", "state.json"]
    assert len(list((carried / "checkpoints").iterdir())) == 2

    messages: list[str] = []
    after = Trainer(small, birds_data.parent, carried, messages.append, Job())
    started = Trainer(small, birds_data.parent, tmp_path / "other", ignore, Job()).model
    moved = lost = 0.0
    for (name, one), initial in zip(
        before.model.named_parameters(), started.parameters(), strict=True
    ):
        found = after.model.get_parameter(name)
        lost += float((found - one).detach().square().sum())
        moved += float((one - initial).detach().square().sum())
        if not name.startswith("transformer.") or one.ndim < 2:
            assert torch.equal(found, one), name
    assert 0 < lost < (0.6 * STEP) ** 2 * moved
    if after.average is not None:
        assert before.average is not None
        for name, mean in before.average.tensors.items():
            torch.testing.assert_close(after.average.tensors[name], mean, atol=0.05, rtol=0)
    for one in before.model.parameters():
        if one.requires_grad:
            assert float(before.optimizer.state[one]["step"]) == 40

    after.run()
    train(config, birds_data.parent, whole, ignore)
    assert messages[0] == "birds-pairs: 10 to draw from"
    assert "resuming after step 40, from a small checkpoint" in messages
    assert losses(carried)[:40] == losses(whole)[:40]
    # The loss of the next steps is close to the original's, and far from the initial one.
    expected, found = losses(whole)[40:], losses(carried)[40:]
    assert sum(expected) / 20 < losses(whole)[0] / 4
    assert sum(found) / 20 == pytest.approx(sum(expected) / 20, abs=0.05 * losses(whole)[0])


def test_second_moments_are_stored_by_row_and_column(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = with_run(tiny_config, small_checkpoints=True)
    before = stopped(config, birds_data, tmp_path / "run", 6)
    after = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())
    for name, one in before.model.named_parameters():
        expected_state = before.optimizer.state.get(one)
        if expected_state is None:
            continue
        found = after.optimizer.state[after.model.get_parameter(name)]
        assert float(found["step"]) == 6
        assert not found["exp_avg"].any()
        for axis in range(one.ndim):
            other_axes = [other for other in range(one.ndim) if other != axis]
            means, expected = (
                state["exp_avg_sq"].double().mean(dim=other_axes)
                if other_axes
                else state["exp_avg_sq"]
                for state in (found, expected_state)
            )
            scale = float(expected.max())
            torch.testing.assert_close(
                means.double(), expected.double(), rtol=0.02, atol=0.01 * scale, msg=name
            )


def test_an_existing_model_is_preferred_to_a_small_checkpoints(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = with_run(tiny_config, small_checkpoints=True)
    model = train(config, birds_data.parent, tmp_path / "run", ignore)
    weights = model / "transformer" / "model.safetensors"
    exact = weights.read_bytes()
    messages: list[str] = []
    train(config, birds_data.parent, tmp_path / "run", messages.append, steps=False)
    assert "The model of step 12 exists already." in messages
    assert weights.read_bytes() == exact
    described = json.loads((model / "config.json").read_text("utf-8"))
    (model / "config.json").write_text(json.dumps({**described, "steps": 9}), "utf-8")
    train(config, birds_data.parent, tmp_path / "run", ignore, steps=False)
    again = load_file(weights)
    assert weights.read_bytes() != exact
    weights.write_bytes(exact)
    for name, tensor in load_file(weights).items():
        torch.testing.assert_close(again[name], tensor, atol=0.05, rtol=0)


def test_the_best_weights_are_small_too_and_the_format_may_change(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = with_run(tiny_config, keep="best", evaluate_every=3, small_checkpoints=True)
    config = replace(config, dev=(DevConfig("asked", queries=8, documents=10),))
    output = tmp_path / "run"
    stopped(config, birds_data, output, 7)
    assert (output / "best-small.safetensors").exists()
    assert not (output / "best.safetensors").exists()
    # The rest is stored in full; the best is read in the form in which it was stored last.
    train(with_run(config, small_checkpoints=False), birds_data.parent, output, ignore)
    assert (output / "checkpoints" / "step-000012" / "model.safetensors").exists()
    assert (output / "best.safetensors").exists() != (output / "best-small.safetensors").exists()


def test_damaged_small_checkpoints_and_other_starts_are_reported(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = with_run(tiny_config, steps=3, small_checkpoints=True)
    output = tmp_path / "run"
    train(config, birds_data.parent, output, ignore)
    path = output / "checkpoints" / "step-000003" / "small.safetensors"
    tensors = load_file(path)
    save_file({**tensors, "start": tensors["start"] + 1}, path)
    with pytest.raises(ModelError, match="is of a run with another start"):
        train(config, birds_data.parent, output, ignore)
    for name, wrong in (
        ("weights.codes", tensors["weights.codes"][:-20]),
        ("second", tensors["second"][:-1]),
        ("weights.steps", tensors["weights.steps"][:-1]),
    ):
        save_file({**tensors, name: wrong.contiguous()}, path)
        with pytest.raises(ModelError, match="step-000003 is damaged; remove it"):
            train(config, birds_data.parent, output, ignore)
