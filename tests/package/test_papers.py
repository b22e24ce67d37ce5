"""Tests of `docs/papers.md`: all figures and tables are listed, and its commands work."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
import shutil
import sys
from pathlib import Path

import click
import pytest

from core import cli
from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.graphics import Runtime
from core.encoders.runtimes import open_runtime
from core.files.paths import RESOURCES
from core.model_names import BUILT_IN
from lab.training.config import TrainingConfig
from tests.conftest import Run
from tests.lab.evaluation.test_run import DOCUMENTS, QUERIES, write_lotte, write_set

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
COMMANDS = [shlex.split(line) for line in dict.fromkeys(re.findall(r"`(winnow [^`]+)`", TEXT))]
BENCHMARKS = [
    shlex.split(line)
    for line in dict.fromkeys(re.findall(r"`python3 dev\.py bench ([^`]+)`", TEXT))
]
FIGURES_AND_TABLES = {
    "ALIGNER": [*(f"fig. {n}" for n in range(1, 8)), *(f"tab. {n}" for n in range(1, 14))],
    "XTR": [
        *(f"fig. {n}" for n in range(1, 8)),
        *(f"tab. {n}" for n in (*range(1, 7), "D.1", "D.2", *(f"E.{n}" for n in range(1, 6)))),
    ],
    "ColBERTv2": [*(f"fig. {n}" for n in range(1, 7)), *(f"tab. {n}" for n in range(1, 10))],
}


def numbered(cell: str) -> list[str]:
    """Return the figures or tables in the first cell of a row.

    >>> numbered("tab. 6, E.1 to E.3")
    ['tab. 6', 'tab. E.1', 'tab. E.2', 'tab. E.3']
    """
    kind, _, numbers = cell.partition(" ")
    found = []
    for part in numbers.split(", "):
        first, _, last = part.partition(" to ")
        letter, start = re.fullmatch(r"(\D*)(\d+)", first).groups()  # type: ignore[union-attr]  # else the test fails
        end = (last or first).removeprefix(letter)
        found += [f"{kind} {letter}{number}" for number in range(int(start), int(end) + 1)]
    return found


@pytest.mark.parametrize("paper", FIGURES_AND_TABLES)
def test_each_figure_and_table_is_listed_once(paper: str) -> None:
    (section,) = re.findall(rf"^## {paper}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| ((?:fig|tab)\. [^|]+?) \| [^|]+ \| [^|]+ \|$", section, re.MULTILINE)
    listed = [one for row in rows for one in numbered(row)]
    assert sorted(listed) == sorted(FIGURES_AND_TABLES[paper])


@pytest.fixture
def placeholders(tmp_path: Path) -> dict[str, str]:
    """Return the values of the page's placeholders."""
    folder = write_set(tmp_path / "DATA" / "birds", DOCUMENTS, QUERIES)
    lotte = write_lotte(tmp_path / "LOTTE" / "dev", DOCUMENTS, QUERIES)
    return {
        "SET": str(folder),
        "OTHER_SET": str(write_set(tmp_path / "DATA" / "other", DOCUMENTS, QUERIES)),
        "LOTTE": str(lotte),
        "MODEL": BUILT_IN,
        "OTHER": str(shutil.copytree(RESOURCES / "models" / BUILT_IN, tmp_path / "other")),
        "QUERY": "crows remember faces",
        "N": "4",
    }


@pytest.fixture
def run(run: Run, encoder: Encoder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command with the loaded model, in a temporary folder."""

    def opened(checkpoint: Checkpoint) -> Runtime:
        # A study also measures the bare transformer, under another name.
        return encoder.runtime if checkpoint.name == BUILT_IN else open_runtime(checkpoint)

    monkeypatch.setattr("core.encoders.runtimes.open_runtime", opened)
    monkeypatch.chdir(tmp_path)
    return run


@pytest.mark.parametrize(
    "command", [one for one in COMMANDS if one[1] != "train"], ids=lambda one: " ".join(one)
)
@pytest.mark.slow
def test_commands_run_on_a_small_test_set(
    command: list[str], run: Run, placeholders: dict[str, str], tmp_path: Path
) -> None:
    if command[1] == "explain":
        (tmp_path / "birds").mkdir()
        (tmp_path / "birds" / "crows.txt").write_text("Crows remember the faces of people.")
        assert run("index", tmp_path / "birds")[0] == 0
    status, out, errors = run(*(placeholders.get(word, word) for word in command[1:]))
    assert status == 0, errors
    assert out
    if "--picture" in command:
        picture = command[-1]
        named = re.findall(rf"`({picture.removesuffix('.svg')}[\w-]*\.svg)`", TEXT)
        assert [name for name in {picture, *named} if not (tmp_path / name).is_file()] == []


def test_training_commands_exist() -> None:
    """They are run in `tests/lab/training`, with a tiny model."""
    trainings = [one for one in COMMANDS if one[1] == "train"]
    assert trainings
    for _, *command in trainings:
        parsed(command)


@pytest.mark.parametrize(
    "command", [one for one in COMMANDS if one[1] != "train"], ids=lambda one: " ".join(one)
)
def test_commands_have_placeholders_for_what_a_reader_must_supply(
    command: list[str], placeholders: dict[str, str]
) -> None:
    context = parsed([placeholders["N"] if word == "N" else word for word in command[1:]])
    for parameter in context.command.params:
        if isinstance(parameter, click.Argument):
            value = context.params[str(parameter.name)]
            named = value if isinstance(value, tuple) else [value]
            assert {str(one) for one in named if one is not None} <= placeholders.keys()


def parsed(command: list[str]) -> click.Context:
    """Return the context of a command, or of a group's, with its options, which exist."""
    found: click.Command | None = cli.commands
    arguments = list(command)
    while isinstance(found, click.Group):
        with click.Context(found) as context:
            found = found.get_command(context, arguments.pop(0))
    assert found is not None
    return found.make_context(found.name, arguments)


@pytest.mark.parametrize("line", BENCHMARKS, ids=lambda line: " ".join(line))
def test_benchmarks_accept_the_documented_options(
    line: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = argparse.ArgumentParser.parse_args

    def stop(parser: argparse.ArgumentParser) -> None:
        read(parser)
        raise SystemExit(0)  # argparse exits with 2 on an error

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", stop)
    monkeypatch.setattr(sys, "argv", line)
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    with pytest.raises(SystemExit) as ended:
        importlib.import_module(f"benchmarks.{line[0]}").main()
    assert ended.value.code == 0


def test_documented_engines_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    from benchmarks.engines import WINNOW

    named = {word for line in BENCHMARKS for word in line if word.startswith("winnow-")}
    assert named
    assert named <= {name for name, _ in WINNOW}


def test_ablations_are_plotted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks import ablations

    def run(config: TrainingConfig, _data: Path, folder: Path) -> ablations.Figures:
        folder.mkdir(parents=True)
        top_1 = [0.2, 0.4, 0.6] if config.run.batch == 64 else [0.2, 0.3, 0.4]
        figures = dict.fromkeys(ablations.SHOWN, 0.25) | {"ndcg@10": sum(top_1) / 3}
        return ablations.Figures({"med-test": figures}, {"med-test": top_1})

    monkeypatch.setattr(ablations, "run", run)
    names = ["the recipe", "loss of XTR, k_train 32", "loss of XTR, k_train 64, batch 64"]
    placeholders = ["--data", str(tmp_path), "--output", str(tmp_path / "runs")]
    picture = tmp_path / "fig.svg"
    monkeypatch.setattr(
        sys, "argv", ["ablations", *placeholders, "--picture", str(picture), "--only", *names]
    )
    ablations.main()
    rows = capsys.readouterr().out.splitlines()
    # Gains of 0, .1 and .2 have a mean of .1 and a standard error of .1 / sqrt(3).
    gains = [row.rstrip("| ").rpartition("| ")[2] for row in rows]
    assert gains == ["+0.0000 ± 0.0000", "+0.0000 ± 0.0000", "+0.1000 ± 0.0577"]
    text = picture.read_text()
    for words in (*names, "best alignment"):
        assert f">{words}<" in text
    text = (tmp_path / "fig-k.svg").read_text()
    assert ">batches of 32<" in text
    assert ">batches of 64<" in text


def test_missing_requirements_of_ablations_are_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks import ablations

    recipe = tmp_path / "train.toml"
    recipe.write_text('[model]\nstart = "gone"\n[[data]]\nfolder = "birds"\n', encoding="utf-8")
    placeholders = ["--data", str(tmp_path), "--output", str(tmp_path / "runs")]
    arguments = [*placeholders, "--recipe", str(recipe), "--only", "the recipe"]
    monkeypatch.setattr(sys, "argv", ["ablations", *arguments])
    with pytest.raises(SystemExit) as ended:
        ablations.main()
    assert ended.value.code == 1
    errors = capsys.readouterr().err
    assert "the recipe: reading the data" in errors
    assert "ablations: " in errors
    assert "gone" in errors


def test_adaptations_are_plotted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import adaptation
    from core.alignment.adaptation import STRATEGIES

    rankings = [["a", "b"] if number % 2 else ["b", "a"] for number in range(len(STRATEGIES))]
    ranked = [adaptation.Ranked(rankings, {"a": 1}) for _ in range(20)]
    monkeypatch.setattr(adaptation, "rank", lambda *_: ranked)
    monkeypatch.setattr(adaptation, "_NOISE", 2)
    write_set(tmp_path / "birds", DOCUMENTS, QUERIES)
    picture = tmp_path / "fig.svg"
    arguments = ["--seeds", "1", "--picture", str(picture)]
    monkeypatch.setattr(sys, "argv", ["adaptation", str(tmp_path / "birds"), *arguments])
    adaptation.main()
    text = picture.read_text()
    for words in ("birds", "topk:1", "chosen by 8 queries", "with the rule", "chosen by all"):
        assert f">{words}<" in text
