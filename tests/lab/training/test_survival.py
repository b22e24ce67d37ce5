"""A run survives kills, moves, and the loss of its optimiser's state."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from core.errors import UsageError
from core.progress import Job
from lab.training.config import DataConfig, LossConfig, TrainingConfig
from lab.training.loop import Trainer
from lab.training.train import train

ROOT = Path(__file__).parents[3]

# Trains in a child of its own for each line of the input: the run's folder, and the number of the
# file operation in it at which the child is killed; 0 for none. The children are forked, so that
# everything is imported once.
DRIVER = """
import json, os, signal, sys, tempfile
from dataclasses import replace
from pathlib import Path
import torch
from core.progress import Job
from lab.training.config import DataConfig, LossConfig, RunConfig, TrainingConfig
from lab.training.model_config import ModelConfig
from lab.training.train import train

torch.set_num_threads(1)
sections, data = json.loads(sys.argv[1])
config = TrainingConfig(
    model=ModelConfig(**sections["model"]),
    loss=LossConfig(**sections["loss"]),
    run=RunConfig(**sections["run"]),
    data=tuple(DataConfig(**one) for one in sections["data"]),
)

def train_until(output, last):
    count = 0

    def watch(event, arguments):
        nonlocal count
        path = arguments[0] if arguments else None
        if event in ("open", "os.rename", "os.mkdir", "shutil.rmtree"):
            if isinstance(path, (str, os.PathLike)) and os.fspath(path).startswith(output):
                count += 1
                if count == last:
                    os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    train(config, Path(data), Path(output), lambda _line: None, Job())

with tempfile.TemporaryDirectory() as folder:  # imports everything
    one_step = replace(config, run=replace(config.run, steps=1))
    train(one_step, Path(data), Path(folder), lambda _line: None, Job())

for line in sys.stdin:
    output, last = json.loads(line)
    child = os.fork()
    if not child:
        train_until(output, last)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
"""


def in_driver(config: TrainingConfig, data: Path, runs: list[tuple[Path, int]]) -> list[int]:
    """Run one training after another in the driver, and return their exit codes."""
    lines = [json.dumps([str(output), last]) + "\n" for output, last in runs]
    driver = subprocess.run(
        [sys.executable, "-c", DRIVER, json.dumps([asdict(config), str(data)])],
        input="".join(lines),
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
        check=True,
    )
    return list(map(int, driver.stdout.split()))


def state(output: Path, step: int = 12) -> dict[str, torch.Tensor]:
    """Return weights, moments and average after the last step."""
    folder = output / "checkpoints" / f"step-{step:06}"
    return {
        f"{path.name}.{name}": tensor
        for path in sorted(folder.glob("*.safetensors"))
        for name, tensor in load_file(path).items()
    }


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither fork nor SIGKILL.")
def test_a_run_killed_ten_times_and_moved_has_the_weights_of_an_undisturbed_one(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = replace(
        tiny_config,
        model=replace(tiny_config.model, dropout=0.1),
        loss=LossConfig(distillation=1.0, teacher="ensemble", distil_batch=True),
        run=replace(tiny_config.run, checkpoint_every=1, average=0.9),
    )
    data = birds_data.parent
    whole, first, second = tmp_path / "whole", tmp_path / "first", tmp_path / "elsewhere" / "second"
    assert in_driver(config, data, [(whole, 0)]) == [0]
    moments = random.Random(7)
    # A step with its checkpoint takes nine file operations; a start takes six.
    kills = [moments.randint(1, 20) for _ in range(10)]
    assert in_driver(config, data, [(first, last) for last in kills[:5]]) == [-9] * 5
    second.parent.mkdir()
    shutil.move(first, second)
    data = Path(shutil.move(data, tmp_path / "moved"))
    codes = in_driver(config, data, [*((second, last) for last in kills[5:]), (second, 0)])
    assert codes == [*[-9] * 5, 0]
    expected, actual = state(whole), state(second)
    assert expected.keys() == actual.keys()
    assert any("average" in name for name in expected)
    for name, tensor in expected.items():
        assert torch.equal(tensor, actual[name]), name
    logs = [(folder / "log.jsonl").read_text("utf-8").splitlines() for folder in (whole, second)]
    losses = [[json.loads(line)["loss"] for line in log] for log in logs]
    assert losses[0] == losses[1]
    assert len(losses[0]) == 12


def test_the_log_has_the_time_spent_over_all_calls(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    for _ in range(3):
        trainer = Trainer(tiny_config, birds_data.parent, tmp_path / "run", str, Job())
        trainer.run(minutes=1e-9)
    entries = list(map(json.loads, (tmp_path / "run" / "log.jsonl").read_text().splitlines()))
    for name in ("seconds", "processor_s"):
        times = [entry[name] for entry in entries]
        assert len(times) == 3
        assert times == sorted(times), name
    assert trainer.position.processor_s > 0


def test_folders_may_have_moved_but_not_changed(
    tiny_config: TrainingConfig, tiny_model: Path, birds_data: Path, tmp_path: Path
) -> None:
    output = tmp_path / "run"
    Trainer(tiny_config, birds_data.parent, output, str, Job())
    moved = tmp_path / "models" / tiny_model.name
    shutil.copytree(tiny_model, moved)
    model = replace(tiny_config.model, start=str(moved))
    data = (DataConfig(folder=str(birds_data)),)
    Trainer(replace(tiny_config, model=model, data=data), tmp_path, output, str, Job())
    other = tmp_path / "other"
    shutil.copytree(tiny_model, other)
    model = replace(tiny_config.model, start=str(other))
    with pytest.raises(UsageError, match=r"\(model.start differ\)"):
        Trainer(replace(tiny_config, model=model), birds_data.parent, output, str, Job())


def test_a_run_resumes_from_half_precision_with_a_warm_up(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    def with_run(**keys: object) -> TrainingConfig:
        run = replace(tiny_config.run, average=0.9, steps=60, checkpoint_every=15, warm_up=0.0)
        return replace(tiny_config, run=replace(run, **keys))  # type: ignore[arg-type]

    output = tmp_path / "run"
    trainer = Trainer(with_run(half_checkpoints=True), birds_data.parent, output, str, Job())
    while trainer.position.step < 15:
        trainer.run(minutes=1e-9)
    full = sum(tensor.numel() * 4 for tensor in trainer.model.state_dict().values())
    files = list((output / "checkpoints" / "step-000015").iterdir())
    assert {path.name for path in files} == {"half.safetensors", "state.json"}
    assert sum(path.stat().st_size for path in files) < 1.3 * full  # weights and their average

    whole, second = tmp_path / "whole", tmp_path / "second"
    shutil.copytree(output, second)
    messages: list[str] = []
    resumed = Trainer(with_run(), birds_data.parent, second, messages.append, Job())
    for name, weight in trainer.model.named_parameters():
        torch.testing.assert_close(weight, resumed.model.get_parameter(name), atol=1e-6, rtol=1e-3)
    # Afterwards the checkpoints are full, in the warm-up as well, and resume exactly.
    resumed.run(minutes=1e-9)
    assert messages[-2:][0].startswith("step 16")
    assert "resuming after step 15, from a checkpoint in half precision" in messages
    shutil.copytree(second, whole)
    train(with_run(), birds_data.parent, whole, str)
    while (again := Trainer(with_run(), birds_data.parent, second, str, Job())).position.step < 60:
        again.run(minutes=1e-9)
    expected = state(whole, 60)
    assert all(torch.equal(tensor, state(second, 60)[name]) for name, tensor in expected.items())
    entries = list(map(json.loads, (whole / "log.jsonl").read_text("utf-8").splitlines()))
    shares = [
        entry["learning_rate"] / tiny_config.run.learning_rate / (1 - place / 60)
        for place, entry in enumerate(entries)
    ]
    assert shares[:15] == pytest.approx([1.0] * 15)
    assert shares[15:35] == pytest.approx([step / 20 for step in range(1, 21)])
    assert shares[35:] == pytest.approx([1.0] * 25)
    # The loss goes on from where it was.
    means = [entry["loss"] for entry in entries]
    assert sum(means[15:30]) < sum(means[:15])
