"""Configurations: valid ones, and rejected ones with errors that give the location."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

import lab
from core.errors import ModelError, UsageError
from core.files import paths
from lab.training import config
from lab.training.config import TrainingConfig, read_config
from lab.training.model_config import ModelConfig, SalienceConfig
from lab.training.start import find_start

WHOLE = """
[model]
start = "some/folder"
query_prefix = 1
[salience]
kind = "entropy"
alpha_passage = 1
[loss]
kind = "xtr"
k_train = 64
[run]
steps = 20
learning_rate = 3e-5
[mining]
depth = 5
[[data]]
folder = "one"
weight = 2
[[data]]
folder = "one"
kind = "keywords"
[[data]]
kind = "code"
[[dev]]
folder = "two"
split = "dev"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "run.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_all_sections_are_read(tmp_path: Path) -> None:
    read = read_config(write(tmp_path, WHOLE))
    assert read.model.start == "some/folder"
    assert read.model.query_prefix == 1
    assert read.model.passage_prefix is None
    assert read.salience.alpha_passage == 1.0
    assert type(read.salience.alpha_passage) is float
    assert read.loss.k_train == 64
    assert read.run.steps == 20
    assert [one.name for one in read.data] == ["one-pairs", "one-keywords", "python-code"]
    assert read.dev[0].split == "dev"
    assert read.as_json()["run"]["learning_rate"] == 3e-5


def test_the_defaults_of_the_gate_are_unchanged(tmp_path: Path) -> None:
    before = read_config(write(tmp_path, WHOLE)).salience
    assert (before.epsilon, before.epsilon_of_spread, before.iterations) == (0.002, 0, None)
    keys = "kind = 'entropy'\nepsilon_of_spread = 1\niterations = 20\n"
    text = WHOLE.replace('kind = "entropy"\n', keys)
    read = read_config(write(tmp_path, text))
    assert (read.salience.epsilon_of_spread, read.salience.iterations) == (1.0, 20)
    section = json.loads(json.dumps(read.as_json()))["salience"]
    assert SalienceConfig(**section) == read.salience


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[run", "run.toml is not TOML"),
        ("[ruin]", r"run.toml: there is no section \[ruin\]; there are model, "),
        ("run = 3", r"run.toml, \[run\] must be a section"),
        ("[data]\nfolder = 'x'", r"data must be written as \[\[data\]\]"),
        ("[run]\nspeed = 3", r"\[run\]: there is no key 'speed'; there are output, steps"),
        ("[run]\nsteps = 1.5", r"\[run\]: steps is 1.5; it must be a whole number"),
        ("[run]\nsteps = true", r"steps is True; it must be a whole number"),
        ("[run]\nmixed = 1", "mixed is 1; it must be true or false"),
        ("[run]\nseed = 'x'", "seed is 'x'; it must be a whole number"),
        ("[run]\nsteps = 0", r"\[run\]: steps is 0; it must be at least 1"),
        ("[run]\nbatch = 1", "batch is 1; it must be at least 2"),
        ("[run]\nclip = 0.0", "clip is 0.0; it must be above 0"),
        ("[run]\nwarm_up = 2", "warm_up is 2.0; it must be from 0 to 0.9"),
        ("[run]\nschedule = 'up'", "schedule is 'up'; it must be one of linear, cosine"),
        ("[run]\npassage_tokens = 600", "passage_tokens is 600; it must be at most 510"),
        ("[salience]\nalpha_query = 1.5", "alpha_query is 1.5; it must be at most 1"),
        ("[salience]\nkind = 'soft'", "kind is 'soft'; it must be one of none, entropy"),
        ("[salience]\nepsilon_of_spread = -0.1", "epsilon_of_spread is -0.1; it must be from 0 to"),
        ("[salience]\nepsilon_of_spread = inf", "epsilon_of_spread is inf; it must be from 0 to"),
        ("[salience]\niterations = 0", r"\[salience\]: iterations is 0; it must be at least 1"),
        ("[salience]\niterations = 2.5", "iterations is 2.5; it must be a whole number"),
        (
            "[salience]\nkind = 'hard'\niterations = 9",
            "iterations goes with the kind entropy, not with hard",
        ),
        ("[loss]\ncross_entropy = 0", "cross_entropy, distillation and tokens are all 0"),
        ("[loss]\ndistil_batch = true", "distil_batch cannot be combined"),
        ("[model]\nquery_prefix = -1", "the id of a prefix is -1"),
        ("[[data]]\nweight = 1", r"\[\[data\]\] number 1: folder is missing"),
        ("[[data]]\nfolder = 'x'\n[[data]]\nfolder = 'x'", "the data x-pairs occurs twice"),
        (
            "[[data]]\nfolder = 'x'\nkind = 'titles'\nnegatives = 'y'",
            "negatives need the kind pairs",
        ),
        ("[model]\nserved_summary_weight = 0", "served_summary_weight is 0.0; it must be above 0"),
        ('[model]\nkeeping = "some"', r"\[model\]: 'some' is not a token reduction. Use all"),
        (
            "[run]\nsteps = 3\nminutes = 3\n[[data]]\nfolder = 'x'",
            r"\[run\]: set either steps or minutes",
        ),
        ("[run]\nminutes = -1", "minutes is -1.0; it must be at least 0"),
        ("[run]\nsteps = 3", r"run.toml names no data; it needs at least one section \[\[data\]\]"),
    ],
)
def test_errors_include_file_and_key(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        read_config(write(tmp_path, text))


def test_a_summary_can_have_another_weight_after_training() -> None:
    assert (
        ModelConfig().summary_served == ModelConfig(served_summary_weight=0.2).summary_served == 0
    )
    assert ModelConfig(summary_weight=0.5).summary_served == 0.5
    assert ModelConfig(summary_weight=0.5, served_summary_weight=0.2).summary_served == 0.2


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone.toml cannot be read: No such file"):
        read_config(tmp_path / "gone.toml")


def test_each_key_is_described() -> None:
    for section in fields(TrainingConfig):
        described = next(
            one
            for one in vars(config).values()
            if isinstance(one, type) and one.__name__.lower() == f"{section.name}config"
        )
        for key in fields(described):
            # Indented as written until Python 3.12, dedented from 3.13 on.
            text = inspect.getdoc(described) or ""
            assert re.search(rf"^    {key.name}: ", text, re.MULTILINE), key


def test_the_example_of_the_tests_is_toml() -> None:
    assert set(tomllib.loads(WHOLE)) == {one.name for one in fields(TrainingConfig)}


RECIPES = [
    *paths.RESOURCES.glob("models/*/train*.toml"),
    *(Path(lab.__file__).parent / "models").glob("*/train*.toml"),
]


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_recipes_are_read_and_train_on_other_sets_than_they_are_measured_on(path: Path) -> None:
    recipe = read_config(path)
    trained_on = {one.folder for one in recipe.data}
    assert not trained_on & {one.folder for one in recipe.dev}


def test_a_run_can_start_from_the_untrained_model_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in the shipped recipe; without the package the error names it."""
    recipe = read_config(paths.RESOURCES / "models" / "winnow-mini" / "train.toml")
    assert recipe.model.start == ModelConfig().start
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(ModelError, match=f"the package {recipe.model.start} is not installed"):
        find_start(recipe.model, seed=0)
