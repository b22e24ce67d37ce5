"""Training of small models: they learn, stop, resume, and are read by the product."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch.utils._python_dispatch import TorchDispatchMode

from core.encoders.encoder import Encoder
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.errors import Cancelled, ModelError, UsageError, WinnowError
from core.progress import Job
from lab.training.config import DataConfig, DevConfig, LossConfig, TrainingConfig
from lab.training.corpus import Passage
from lab.training.loop import Trainer, learning_rate_factor
from lab.training.model import autocast, choose_device, has_fast_bf16
from lab.training.model_config import SalienceConfig
from lab.training.salience import SalienceKind
from lab.training.teachers import Teacher
from lab.training.train import train


def losses(output: Path) -> list[float]:
    entries = map(json.loads, (output / "log.jsonl").read_text("utf-8").splitlines())
    return [entry["loss"] for entry in entries if "loss" in entry]


def changed(config: TrainingConfig, **sections: dict[str, Any]) -> TrainingConfig:
    return replace(
        config,
        **{name: replace(getattr(config, name), **keys) for name, keys in sections.items()},
    )


def ignore(_line: str) -> None: ...


class CancelAt(Job):
    """A job that is cancelled after a number of steps."""

    def __init__(self, step: int) -> None:
        super().__init__()
        self.left = step

    def say(self, line: str) -> None:
        if line.startswith("step"):
            self.left -= 1
            if self.left == 0:
                self.cancel()


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "checkpoints" / "step-000012" / "model.safetensors")


@pytest.mark.parametrize("summary_weight", [0.0, 0.3])
def test_a_run_learns_and_the_engine_loads_its_model(
    summary_weight: float,
    tiny_config: TrainingConfig,
    birds_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = replace(
        tiny_config,
        salience=SalienceConfig(
            "entropy",
            alpha_query=1.0,
            warm_up_steps=4,
            retained_only=summary_weight > 0,
            query_start="rarity" if summary_weight else "even",
        ),
        dev=(DevConfig("asked", queries=8, documents=10),),
        model=replace(tiny_config.model, summary_weight=summary_weight),
    )
    config = changed(config, run={"steps": 40, "evaluate_every": 20, "keep": "best"})
    messages: list[str] = []
    output = tmp_path / "run"
    model = train(config, birds_data.parent, output, messages.append)
    found = losses(output)
    # Averaged over ten steps: a single batch may be hard.
    assert sum(found[-10:]) < sum(found[:10]) / 2
    entries = [json.loads(line) for line in (output / "log.jsonl").read_text().splitlines()]
    measured = [entry["dev"]["asked-test"] for entry in entries if "dev" in entry]
    assert [entry["step"] for entry in entries if "dev" in entry] == [0, 20, 40]
    assert max(one["ndcg@10"] for one in measured) > measured[0]["ndcg@10"]
    assert all(0 <= one["ndcg@10 pruned"] <= 1 for one in measured)
    assert messages[0] == "birds-pairs: 10 to draw from"
    assert (output / "curves.svg").stat().st_size > 1000
    assert (output / "dev.svg").stat().st_size > 1000

    monkeypatch.setenv("WINNOW_RUNTIME", "torch")
    checkpoint = load_checkpoint(model)
    assert checkpoint.dimensions == 16
    encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))
    product = encoder.encode_passages(encoder.passage_tokens([("Owl", "The owl hunts.")]))[0]
    (query_vectors,) = encoder.encode_queries([encoder.query_tokens("which bird hunts")])
    trainer = Trainer(config, birds_data.parent, output, ignore, Job())
    trainer.write_model()  # loads the best weights into the trainer
    with torch.inference_mode():
        ours = trainer.model.eval().encode_passages(
            trainer.collator.passages([("Owl", "The owl hunts.")])
        )
        query = trainer.model.encode_queries(trainer.collator.queries(["which bird hunts"]))
    np.testing.assert_allclose(product.vectors, ours.vectors[0].numpy(), atol=2e-3)
    assert product.saliences is not None
    assert query_vectors.weights is not None
    assert query.salience is not None
    weights = query.salience[0].numpy()
    assert len(query_vectors.weights) == len(weights) == 3 + (summary_weight > 0)
    np.testing.assert_allclose(query_vectors.weights, weights / weights.mean(), rtol=2e-2)


def test_a_run_resumes_bit_for_bit(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = changed(tiny_config, model={"dropout": 0.1}, salience={"kind": "relu"})
    config = replace(config, data=(*config.data, DataConfig("birds", "keywords", weight=2)))
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train(config, birds_data.parent, whole, ignore)
    for step in (5, 2):  # the second continues the count of the first
        job = CancelAt(step)
        with pytest.raises(Cancelled):
            train(config, birds_data.parent, parts, job.say, job)
    train(config, birds_data.parent, parts, ignore)
    for name, tensor in weights(whole).items():
        assert torch.equal(tensor, weights(parts)[name]), name
    assert losses(whole) == losses(parts)
    assert len(list((parts / "checkpoints").iterdir())) == 2


class Minutes:
    """A clock that advances by some seconds at each reading."""

    def __init__(self, look_s: float) -> None:
        self.now_s = 0.0
        self.look_s = look_s

    def __call__(self) -> float:
        self.now_s += self.look_s
        return self.now_s


def test_a_run_with_a_time_limit_resumes_bit_for_bit(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = changed(tiny_config, model={"dropout": 0.1}, run={"checkpoint_every": 100})
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train(config, birds_data.parent, whole, ignore)
    steps, messages = [], []
    for _ in range(5):
        trainer = Trainer(config, birds_data.parent, parts, messages.append, Job())
        trainer.clock = Minutes(1)
        trainer.run(minutes=0.35)
        steps.append(trainer.position.step)
        messages.append(f"ended at {trainer.position.step}")
        if trainer.is_done:
            break
    assert steps[0] < steps[1] < 12
    assert steps[-1] == 12
    end = f"Time limit reached after step {steps[0]} of 12; run the same command again to resume."
    assert messages[messages.index(f"ended at {steps[0]}") - 1] == end
    for name, tensor in weights(whole).items():
        assert torch.equal(tensor, weights(parts)[name]), name
    assert losses(whole) == losses(parts)


def test_a_run_of_minutes_follows_the_share_of_its_time_over_all_its_calls(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = changed(tiny_config, run={"minutes": 2.0, "warm_up": 0.25})
    output = tmp_path / "run"
    calls = 0
    trainer = Trainer(config, birds_data.parent, output, ignore, Job())
    while not trainer.is_done:
        calls += 1
        trainer = Trainer(config, birds_data.parent, output, ignore, Job())
        trainer.clock = Minutes(1)
        trainer.run(minutes=0.75)
    assert calls == 3
    assert trainer.position.seconds >= 120
    entries = list(map(json.loads, (output / "log.jsonl").read_text("utf-8").splitlines()))
    rates = [entry["learning_rate"] / config.run.learning_rate for entry in entries]
    top = rates.index(max(rates))
    assert 0 < top < len(rates) - 1
    assert rates[0] < 0.2
    assert rates[top] > 0.9
    assert rates[-1] < 0.1
    assert all(one < other for one, other in pairwise(rates[: top + 1]))
    assert all(one > other for one, other in pairwise(rates[top:]))
    steps = len(rates)
    Trainer(config, birds_data.parent, output, ignore, Job()).run()
    assert len((output / "log.jsonl").read_text("utf-8").splitlines()) == steps


class SynchronisationRecorder(TorchDispatchMode):
    """Records where a tensor's value is converted to a Python number.

    Conversions inside transformers are ignored: it checks whether a mask is all true.
    """

    def __init__(self) -> None:
        super().__init__()
        self.places: list[str] = []

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        if func is torch.ops.aten._local_scalar_dense.default:
            stack = traceback.extract_stack()
            if not any("transformers" in Path(one.filename).parts for one in stack):
                own = [one for one in stack if "lab" in Path(one.filename).parts]
                self.places.append(f"{own[-1].filename}:{own[-1].lineno}")
        return func(*args, **(kwargs or {}))


def test_a_step_does_not_synchronise_the_gpu(
    tiny_config: TrainingConfig,
    birds_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Reading a tensor would synchronise with the GPU. There is none here, so reads are counted."""
    monkeypatch.setattr("lab.training.salience._is_on_cpu", lambda _values: False)
    config = replace(
        changed(tiny_config, run={"ways": 2}, model={"summary_weight": 0.3}),
        salience=SalienceConfig("entropy", retained_only=True, epsilon_of_spread=0.5),
        loss=LossConfig(distillation=1, teacher="ensemble", distil_batch=True),
    )
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())
    # A GPU gets all texts at once.
    monkeypatch.setattr(
        type(trainer.model),
        "_hidden",
        lambda model, texts: model._transformed(texts.ids, texts.mask),
    )
    prepared = trainer._prepare(0)
    trainer._step(prepared)
    with SynchronisationRecorder() as recorder:
        trainer._step(prepared)
    assert recorder.places == []


def test_a_killed_run_repeats_the_steps_after_its_checkpoint(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train(tiny_config, birds_data.parent, whole, ignore)

    def die(line: str) -> None:
        if line.startswith("step 5"):
            raise MemoryError

    with pytest.raises(MemoryError):
        train(tiny_config, birds_data.parent, parts, die)
    # Half a checkpoint, and half a line of the log.
    (parts / "checkpoints" / ".making-step-000006").mkdir()
    with (parts / "log.jsonl").open("a") as file:
        file.write('{"step": 6, "lo')
    train(tiny_config, birds_data.parent, parts, ignore)
    assert losses(whole) == losses(parts)
    assert all(torch.equal(tensor, weights(parts)[name]) for name, tensor in weights(whole).items())


def test_the_last_checkpoints_model_can_be_written_without_training(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    job = CancelAt(4)
    with pytest.raises(Cancelled):
        train(tiny_config, birds_data.parent, tmp_path / "run", job.say, job)
    model = train(tiny_config, birds_data.parent, tmp_path / "run", ignore, steps=False)
    assert json.loads((model / "config.json").read_text("utf-8"))["steps"] == 4


@pytest.mark.parametrize("kind", list(SalienceKind))
@pytest.mark.parametrize("weights_scores", [True, False])
def test_each_kind_of_salience_trains(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path, kind: str, weights_scores: bool
) -> None:
    config = changed(
        tiny_config, run={"steps": 2}, salience={"kind": kind, "weights_scores": weights_scores}
    )
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())
    before = {name: value.clone() for name, value in trainer.model.named_parameters()}
    trainer.run()
    for name, value in trainer.model.named_parameters():
        is_used = "pooler" not in name
        assert torch.equal(value, before[name]) != is_used, name


@pytest.mark.parametrize(
    ("frozen", "still"),
    [("embeddings", "transformer.embeddings."), ("encoder", "transformer.")],
)
def test_frozen_weights_do_not_change(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path, frozen: str, still: str
) -> None:
    config = changed(tiny_config, run={"steps": 1, "frozen": frozen})
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())
    before = {name: value.clone() for name, value in trainer.model.named_parameters()}
    trainer.run()
    for name, value in trainer.model.named_parameters():
        is_still = name.startswith(still) or "pooler" in name
        assert torch.equal(value, before[name]) == is_still, name


@pytest.mark.parametrize(
    "loss",
    [
        LossConfig("xtr", k_train=8),
        LossConfig(distillation=0.5, teacher="ensemble"),
        LossConfig(cross_entropy=0, distillation=1, teacher="ensemble", distil_batch=True),
    ],
)
def test_each_loss_decreases(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path, loss: LossConfig
) -> None:
    config = changed(tiny_config, run={"steps": 30, "ways": 2, "schedule": "cosine"})
    train(replace(config, loss=loss), birds_data.parent, tmp_path / "run", ignore)
    found = losses(tmp_path / "run")
    assert sum(found[-5:]) < sum(found[:5]) * 0.8


@pytest.mark.parametrize("whole", [True, False])
def test_the_teacher_can_score_the_whole_batch(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path, whole: bool
) -> None:
    class RecordingTeacher(Teacher):
        def __init__(self) -> None:
            self.passages: list[int] = []

        def prepare(
            self, queries: Sequence[str], passages: Sequence[Sequence[Passage]]
        ) -> Callable[[], torch.Tensor]:
            self.passages += map(len, passages)
            return lambda: torch.zeros(len(queries), max(map(len, passages)))

    loss = LossConfig(distillation=1, teacher="ensemble", distil_batch=whole)
    config = replace(changed(tiny_config, run={"steps": 2, "ways": 2}), loss=loss)
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())
    trainer.teacher = query_vectors = RecordingTeacher()
    trainer.run()
    assert len(query_vectors.passages) == 2 * config.run.batch
    if whole:
        assert min(query_vectors.passages) >= config.run.batch
    else:
        assert max(query_vectors.passages) <= config.run.ways


def test_sources_can_be_mixed_within_a_batch(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    data = (*tiny_config.data, DataConfig("birds", "titles"), DataConfig("birds", "sentences"))
    for mixed in (False, True):
        config = replace(changed(tiny_config, run={"mixed": mixed}), data=data)
        trainer = Trainer(config, birds_data.parent, tmp_path / f"run{mixed}", ignore, Job())
        batches = [trainer.stream.batch(step) for step in range(6)]
        kinds = [{example.source for example in batch} for batch in batches]
        assert max(map(len, kinds)) == (3 if mixed else 1)
        assert len(set().union(*kinds)) == 3


def test_a_folder_of_another_run_is_refused(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    output = tmp_path / "run"
    Trainer(tiny_config, birds_data.parent, output, ignore, Job())
    other = changed(tiny_config, run={"learning_rate": 1.0, "log_every": 5})
    with pytest.raises(UsageError, match=r"another configuration \(run.learning_rate differ\)"):
        Trainer(other, birds_data.parent, output, ignore, Job())
    Trainer(changed(tiny_config, run={"log_every": 5}), birds_data.parent, output, ignore, Job())


def test_runs_without_newer_keys_resume(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    output = tmp_path / "run"
    Trainer(tiny_config, birds_data.parent, output, ignore, Job())
    known = json.loads((output / "config.json").read_text("utf-8"))
    del known["salience"]["iterations"], known["salience"]["epsilon_of_spread"]
    for data in known["data"]:
        del data["hardest"]
    (output / "config.json").write_text(json.dumps(known), "utf-8")
    other = changed(tiny_config, salience={"kind": "entropy", "iterations": 3})
    with pytest.raises(UsageError, match=r"\(salience.kind, salience.iterations differ\)"):
        Trainer(other, birds_data.parent, output, ignore, Job())
    Trainer(tiny_config, birds_data.parent, output, ignore, Job())


def test_a_damaged_checkpoint_is_reported(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = changed(tiny_config, run={"steps": 3})
    train(config, birds_data.parent, tmp_path / "run", ignore)
    (tmp_path / "run" / "checkpoints" / "step-000003" / "model.safetensors").write_bytes(b"x")
    with pytest.raises(ModelError, match=r"step-000003 is damaged; remove it"):
        train(config, birds_data.parent, tmp_path / "run", ignore)


def test_a_nan_loss_ends_the_run(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    trainer = Trainer(tiny_config, birds_data.parent, tmp_path / "run", ignore, Job())
    with torch.no_grad():
        trainer.model.projection.fill_(torch.nan)
    with pytest.raises(WinnowError, match="loss of step 1 is no number; lower the learning rates"):
        trainer.run()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"run": {"passage_tokens": 70}}, "The model takes texts of 60 tokens"),
        ({"model": {"dimensions": 40}}, "The model has 32 dimensions, fewer than 40"),
        ({"model": {"projection": "start"}}, "has no projection"),
        ({"model": {"projection": "gone.safetensors"}}, "There is no projection gone"),
        ({"model": {"query_prefix": 4000}}, "has no token 4000"),
        ({"run": {"device": "mps"}}, "There is no device mps here"),
    ],
)
def test_invalid_combinations_are_refused(
    tiny_config: TrainingConfig,
    birds_data: Path,
    tmp_path: Path,
    change: dict[str, dict[str, Any]],
    sentence: str,
) -> None:
    with pytest.raises(UsageError, match=sentence):
        Trainer(changed(tiny_config, **change), birds_data.parent, tmp_path / "run", ignore, Job())


def test_a_trained_model_can_be_trained_further(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    """With its projection, its saliences and its prefix."""
    config = changed(
        tiny_config,
        run={"steps": 3},
        model={"query_prefix": 4},
        salience={"kind": "entropy"},
    )
    model = train(config, birds_data.parent, tmp_path / "one", ignore)
    trained = load_file(tmp_path / "one" / "checkpoints" / "step-000003" / "model.safetensors")
    again = changed(
        config,
        model={"start": str(model), "projection": "start", "query_prefix": None},
    )
    trainer = Trainer(again, birds_data.parent, tmp_path / "two", ignore, Job())
    assert trainer.start.query_prefix == (4,)
    assert trainer.start.passage_prefix == ()
    for name, value in trainer.model.state_dict().items():
        torch.testing.assert_close(value, trained[name], atol=2e-3, rtol=0)
    trainer.run()


def test_the_learning_rate_rises_and_falls(tiny_config: TrainingConfig) -> None:
    run = replace(tiny_config.run, steps=100, warm_up=0.1, schedule="cosine")
    factors = [learning_rate_factor(step, run) for step in range(100)]
    assert factors[9] == factors[10] == 1
    assert all(one < other for one, other in pairwise(factors[:10]))
    assert all(one > other for one, other in pairwise(factors[10:]))
    assert factors[-1] < 0.001


@pytest.mark.parametrize("multiplies", ["_is_amx_tile_supported", "_is_avx512_bf16_supported"])
def test_bf16_is_used_on_processors_that_support_it(
    monkeypatch: pytest.MonkeyPatch, multiplies: str
) -> None:
    for name in ("_is_amx_tile_supported", "_is_avx512_bf16_supported"):
        monkeypatch.setattr(torch.cpu, name, lambda: False)
    assert not has_fast_bf16("cpu")
    monkeypatch.setattr(torch.cpu, multiplies, lambda: True)
    assert has_fast_bf16("cpu")
    assert not has_fast_bf16("mps")
    monkeypatch.delattr(torch.cpu, multiplies)
    assert not has_fast_bf16("cpu")


def test_devices_and_precisions(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_device("cpu") == "cpu"
    with autocast("cpu", "bf16"):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.bfloat16
    with autocast("cpu", "float32"):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32
