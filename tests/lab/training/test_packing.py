"""Runs that are packed, trained elsewhere, and reassembled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.cli import main
from core.errors import ModelError, UsageError, WinnowError
from core.progress import Job
from lab.commands.train import train_join, train_pack
from lab.training.config import DataConfig, DevConfig, LossConfig, TrainingConfig
from lab.training.cross_encoder import WEIGHTS_FILE
from lab.training.loop import Trainer
from lab.training.model_config import SalienceConfig
from lab.training.packing import pack, read_recipe, train_packed
from lab.training.parts import join_parts, write_parts
from lab.training.start import find_start, load_start, save_start
from lab.training.train import train

if TYPE_CHECKING:
    import click

ABSENT = ("PySide6", "openvino", "faiss", "platformdirs", "lxml", "selectolax")
ABSENT += ("watchfiles", "sqlite_utils", "pathspec", "olefile", "py7zr", "pypdfium2", "matplotlib")

RUN = """
import runpy, sys
# As on a machine without Winnow and without the dependencies of its other parts.
sys.meta_path = [one for one in sys.meta_path if "editable" not in repr(one)]
sys.path = [one for one in sys.path if one]
for name in {absent!r}:
    sys.modules[name] = None
sys.argv = {arguments!r}
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    assert all("winnow-" in sys.modules[name].__file__ for name in ("core", "lab"))
"""


def ignore(_line: str) -> None: ...


def elsewhere(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the archive's `run.py` as on another machine."""
    code = RUN.format(absent=ABSENT, arguments=[str(folder / "run.py"), *arguments])
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**environment, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def unpacked(archive: Path, folder: Path) -> Path:
    folder.mkdir()
    with tarfile.open(archive) as packed:
        for entry in packed:
            content = packed.extractfile(entry)
            assert content is not None
            path = folder / entry.name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content.read())
    return folder


def recipe(tiny_config: TrainingConfig, **run: Any) -> TrainingConfig:
    """Return a run with everything to pack: words, rarity, negatives, dev sets."""
    return replace(
        tiny_config,
        run=replace(tiny_config.run, ways=2, evaluate_every=6, **run),
        loss=LossConfig(distillation=1.0, teacher="ensemble", distil_batch=True),
        salience=SalienceConfig("entropy", query_start="rarity"),
        data=(*tiny_config.data, DataConfig("birds", "keywords", weight=2)),
        dev=(DevConfig("asked", queries=8, documents=10),),
    )


def losses(output: Path) -> list[float]:
    entries = map(json.loads, (output / "log.jsonl").read_text("utf-8").splitlines())
    return [entry["loss"] for entry in entries if "loss" in entry]


def weights(model: Path) -> dict[str, torch.Tensor]:
    return {
        **load_file(model / "transformer" / "model.safetensors"),
        **load_file(model / "heads.safetensors"),
    }


@pytest.mark.slow
def test_a_packed_cross_encoder_is_complete(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = replace(
        tiny_config,
        model=replace(tiny_config.model, cross_layers=1),
        run=replace(tiny_config.run, ways=3, steps=4, evaluate_every=2),
        data=(*tiny_config.data, DataConfig("birds", "keywords", weight=2)),
        dev=(DevConfig("asked", queries=8, documents=10),),
    )
    archive, joined = tmp_path / "run.tar", tmp_path / "joined"
    pack(config, birds_data.parent, tmp_path, archive, ignore, Job())
    done = elsewhere(unpacked(archive, tmp_path / "there"), "--output", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    join_parts([tmp_path / "out" / "parts"], joined)
    direct = train(config, birds_data.parent, tmp_path / "direct", ignore)
    for name in ("transformer/model.safetensors", "heads.safetensors", WEIGHTS_FILE):
        for one, tensor in load_file(direct / name).items():
            torch.testing.assert_close(load_file(joined / "model" / name)[one], tensor)
    # From the small checkpoint the run resumes, and writes the same kind of model again.
    assert (train(config, birds_data.parent, joined, ignore) / WEIGHTS_FILE).is_file()


@pytest.mark.slow
def test_a_packed_run_is_identical(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = recipe(tiny_config, repeat_after=7)
    archive, direct, joined = tmp_path / "run.tar", tmp_path / "direct", tmp_path / "joined"
    train(config, birds_data.parent, direct, ignore)
    pack(config, birds_data.parent, tmp_path, archive, ignore)
    folder = unpacked(archive, tmp_path / "there")

    done = elsewhere(folder, "--output", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert losses(tmp_path / "out") == losses(direct)
    parts = sorted((tmp_path / "out" / "parts").iterdir())
    assert [path.name for path in parts] == ["checkpoint-1-of-1.part", "model-1-of-1.part"]

    command(train_join, [str(path) for path in reversed(parts)], "--output", str(joined))
    found, expected = weights(joined / "model"), weights(direct / "model")
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], expected[name]) for name in expected)
    assert losses(joined) == losses(direct)

    messages: list[str] = []
    train(config, birds_data.parent, joined, messages.append, steps=False)
    assert "The model of step 12 exists already." in messages
    longer = Trainer(config, birds_data.parent, joined, ignore, Job())
    assert longer.is_done
    for name, one in longer.model.named_parameters():
        whole = load_file(direct / "checkpoints" / "step-000012" / "model.safetensors")[name]
        torch.testing.assert_close(one.detach(), whole, atol=0.1, rtol=0)


def command(of: click.Command, arguments: Sequence[str], *more: str) -> None:
    of.main([*arguments, *more], standalone_mode=False)


@pytest.mark.slow
def test_a_packed_run_can_be_joined_and_resumed(
    tiny_model: Path, birds_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = tmp_path / "run.toml"
    toml.write_text(
        f"""
[model]
start = "{tiny_model.as_posix()}"
dimensions = 16
projection = "random"
half_start = true
[run]
steps = 9
batch = 5
passage_tokens = 32
query_tokens = 16
device = "cpu"
evaluate_every = 0
output = "run"
[[data]]
folder = "birds"
""",
        encoding="utf-8",
    )
    data, archive = str(birds_data.parent), tmp_path / "run.tar"
    command(train_pack, [str(toml), "--data", data, "--output", str(archive)])
    assert f"{archive}: " in capsys.readouterr().out
    folder = unpacked(archive, tmp_path / "there")
    half = load_file(folder / "start" / "model.safetensors")
    assert {tensor.dtype for tensor in half.values() if tensor.is_floating_point()} == {
        torch.float16
    }
    out = tmp_path / "out"
    # The limit is shorter than a step: one is done anyway, and the same command resumes.
    for step in (1, 2):
        parts = train_packed(folder, out, ignore, minutes=1e-9)
        assert (out / "checkpoints" / f"step-{step:06}").exists()
    run = tmp_path / "run"
    only = [str(path) for path in parts if path.name.startswith("checkpoint")]
    command(train_join, only, "--output", str(run))
    assert not (run / "model").exists()
    assert main(["train", str(toml), "--data", data]) == 0
    assert "resuming after step 2, from a small checkpoint" in capsys.readouterr().out
    assert json.loads((run / "model" / "config.json").read_text("utf-8"))["steps"] == 9
    assert main(["train", str(toml), "--data", data, "--export"]) == 0


def test_the_best_weights_are_included(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = recipe(tiny_config, keep="best")
    pack(config, birds_data.parent, tmp_path, tmp_path / "run.tar", ignore)
    folder = unpacked(tmp_path / "run.tar", tmp_path / "there")
    parts = train_packed(folder, tmp_path / "out", ignore)
    assert join_parts([parts[0].parent], tmp_path / "joined") == ["checkpoint", "model"]
    assert (tmp_path / "joined" / "best-small.safetensors").exists()
    with pytest.raises(UsageError, match="joined holds a run; name another folder"):
        join_parts(parts, tmp_path / "joined")


def test_the_error_for_a_large_archive_lists_its_contents(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=r"more than 0: the start's weights 0\.\d, the examples"):
        pack(
            tiny_config,
            birds_data.parent,
            tmp_path,
            tmp_path / "run.tar",
            ignore,
            max_bytes=100_000,
        )
    assert not (tmp_path / "run.tar").exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"loss": LossConfig(distillation=1, teacher="/cross")},
            "A cross-encoder cannot be packed",
        ),
        (
            {"loss": LossConfig(distillation=1, teacher="ensemble", second_teacher="/other")},
            "A second teacher cannot be packed",
        ),
        (
            {"loss": LossConfig(distillation=1, teacher="ensemble", sentence_teacher="/other")},
            "A sentence encoder cannot be packed",
        ),
        ({"minutes": 20.0}, "set repeat_after in .run. to the number of steps"),
    ],
)
def test_unsupported_options_are_reported(
    tiny_config: TrainingConfig,
    birds_data: Path,
    tmp_path: Path,
    change: dict[str, Any],
    sentence: str,
) -> None:
    config = tiny_config
    if "loss" in change:
        config = replace(config, **change)
    else:
        config = replace(config, run=replace(config.run, **change))
    with pytest.raises(UsageError, match=sentence):
        pack(config, birds_data.parent, tmp_path, tmp_path / "run.tar", ignore)


def test_missing_damaged_and_mixed_parts_are_reported(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(bytes(range(256)) * 20)
    files = [("log.jsonl", tmp_path / "log")]
    parts = write_parts(tmp_path / "one", "checkpoint", files, size=3_000)
    assert len(parts) > 2
    assert max(path.stat().st_size for path in parts) <= 3_000
    (tmp_path / "log").write_bytes(b"other" * 800)
    parts_of_another = write_parts(tmp_path / "two", "checkpoint", files, size=3_000)
    wrong: list[tuple[list[Path], type[WinnowError], str]] = [
        (parts[1:], UsageError, f"Of the {len(parts)} parts of checkpoint there are missing: 1"),
        ([*parts[1:], parts_of_another[0]], UsageError, "are of several runs"),
        ([tmp_path / "log"], ModelError, "log is no part of a trained run"),
        ([tmp_path / "gone"], UsageError, "gone cannot be read"),
        ([], UsageError, "There is no part of the checkpoint"),
    ]
    for wrong_parts, kind, sentence in wrong:
        with pytest.raises(kind, match=sentence):
            join_parts(wrong_parts, tmp_path / "run")
    parts[1].write_bytes(parts[1].read_bytes()[:-1] + b"?")
    with pytest.raises(ModelError, match=r"checkpoint-2-of-\d+.part is damaged; fetch it again"):
        join_parts(parts, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_the_start_is_packed_completely(tiny_config: TrainingConfig, tmp_path: Path) -> None:
    found = find_start(tiny_config.model, 7)
    generator = np.random.default_rng(3)
    changes = {
        "saliences": generator.normal(size=(33, 2)).astype(np.float32),
        "hidden_layer": tuple(
            generator.normal(size=size).astype(np.float32) for size in ((32, 8), (8, 16))
        ),
        "query_prefix": (4,),
        "passage_prefix": (4, 5),
    }
    start = replace(found, **changes)
    save_start(start, tmp_path / "start", is_half=False)
    again = load_start(tmp_path / "start")
    for field in fields(start):
        if field.name != "checkpoint":
            np.testing.assert_equal(getattr(again, field.name), getattr(start, field.name))
    assert again.checkpoint.is_lowercased == start.checkpoint.is_lowercased
    assert again.checkpoint.passages.max_tokens == start.checkpoint.passages.max_tokens
    for name in ("weights", "tokenizer"):
        packed, own = getattr(again.checkpoint, name), getattr(start.checkpoint, name)
        assert packed.read_bytes() == own.read_bytes()


def test_names_outside_of_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"x")
    parts = write_parts(tmp_path / "parts", "checkpoint", [("../log.jsonl", tmp_path / "log")])
    with pytest.raises(ModelError, match=r"hold '../log.jsonl', which is no file of a run"):
        join_parts(parts, tmp_path / "run")


def test_damaged_archives_and_usage_errors_are_reported(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    pack(tiny_config, birds_data.parent, tmp_path, tmp_path / "run.tar", ignore)
    folder = unpacked(tmp_path / "run.tar", tmp_path / "there")
    assert read_recipe(folder) == tiny_config
    done = subprocess.run(
        [sys.executable, str(folder / "run.py"), "--output", "x", "--minutes", "0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "run.py: --minutes must be above 0.\n")
    examples = folder / "examples.json.xz"
    examples.write_bytes(examples.read_bytes()[:-40])
    with pytest.raises(ModelError, match=r"examples.json.xz are damaged; unpack the archive again"):
        train_packed(folder, tmp_path / "out", ignore)
    (folder / "start" / "start.json").unlink()
    with pytest.raises(ModelError, match="start is damaged; unpack the archive again"):
        train_packed(folder, tmp_path / "out", ignore)
    (folder / "recipe.json").write_text("{", "utf-8")
    with pytest.raises(ModelError, match=r"recipe.json is damaged"):
        train_packed(folder, tmp_path / "out", ignore)
