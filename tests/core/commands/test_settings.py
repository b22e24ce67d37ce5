"""Settings and rebuilding from the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from core import cli
from core.settings import ENTRIES, IndexSize, Settings, chosen
from tests.conftest import BIRDS, Run, write_files


@pytest.fixture
def indexed(folder: Path, run: Run) -> Iterator[Path]:
    write_files(folder, BIRDS)
    assert run("index", folder)[0] == 0
    return folder


def as_json(run: Run, *arguments: str) -> Any:
    status, out, errors = run("settings", *arguments, "--json")
    assert (status, errors) == (0, "")
    return json.loads(out)


def test_settings_are_shown_with_their_costs(run: Run, indexed: Path) -> None:
    status, out, _ = run("settings", "--devices")
    assert status == 0
    lines = out.splitlines()
    assert lines[0].split() == ["Model", "winnow-mini", "(the", "library's", "own)"]
    assert any(line.startswith("openvino:CPU") for line in lines)
    [cost] = [line.split() for line in lines if line.startswith("small ")]
    assert cost[-2:] == ["0.2", "points"]
    output = as_json(run)
    assert output["asked"] == output["answering"]
    assert output["encoding_s"] is None
    assert [one["size"] for one in output["costs"]] == ["small", "fast", "exact"]
    sizes = [one["index_bytes"] for one in output["costs"]]
    assert 0 < 2 * sizes[0] < sizes[1] < sizes[2] / 2


def test_a_change_estimates_its_duration_and_applies_at_the_next_index(
    run: Run, indexed: Path, home: Path
) -> None:
    status, out, _ = run("settings", "--index-size", "exact")
    assert status == 0
    assert "rebuilds the index in about" in out
    assert "In use until then" in out
    output = as_json(run)
    assert output["asked"]["size"] == output["index_size"] == "exact"
    assert output["answering"]["size"] == "fast"
    assert run("index")[0] == 0
    output = as_json(run)
    assert output["answering"] == output["asked"]
    assert run("settings", "--index-size", "fast")[0] == 0
    assert run("index")[0] == 0
    assert as_json(run)["answering"]["size"] == "fast"
    assert chosen(home / "settings.json") == Settings()


def test_a_change_can_be_undone(run: Run, indexed: Path, home: Path) -> None:
    run("settings", "--index-size", "small")
    assert chosen(home / "settings.json").index_size is IndexSize.SMALL
    assert run("settings", "--undo")[0] == 0
    assert chosen(home / "settings.json") == Settings()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--index-size", "tiny"], "'tiny' is not one of"),
        (["--model", "/nowhere"], "no built-in model or folder"),
        (["--device", "abacus"], "Use openvino or torch"),
        (["--undo", "--index-size", "small"], "--undo cannot be used with"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(
    run: Run, home: Path, arguments: list[str], sentence: str
) -> None:
    status, _, errors = run("settings", *arguments)
    assert status != 0
    assert sentence in errors
    assert chosen(home / "settings.json") == Settings()


def test_everything_is_read_again(run: Run, indexed: Path) -> None:
    status, out, _ = run("rebuild")
    assert status == 0
    assert f"{len(BIRDS)} files read" in out
    assert run("rebuild", "--give-up")[1].startswith("The rebuild was stopped")
    assert "0 files read" in run("index")[1]


def options_of(command: click.Command) -> list[click.Option]:
    """All options of a command and of those that belong to it."""
    found = [each for each in command.params if isinstance(each, click.Option)]
    if isinstance(command, click.Group):
        for each in command.commands.values():
            found += options_of(each)
    return found


def test_settings_and_options_are_limited_in_number() -> None:
    assert len(ENTRIES) <= 20
    # The laboratory's commands are added by name when they are called, and do not count.
    assert len(options_of(cli.commands)) <= 90
