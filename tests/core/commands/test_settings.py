"""Settings and rebuilding from the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.indexing import estimates
from core.settings import Settings, chosen
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


def test_what_is_set_is_shown_with_what_it_costs(run: Run, indexed: Path) -> None:
    status, out, _ = run("settings", "--costs", "--devices")
    assert status == 0
    lines = out.splitlines()
    assert lines[0].split() == ["Model", "winnow-mini", "(the", "library's", "own)"]
    assert any(line.startswith("openvino:CPU") for line in lines)
    [cost] = [line.split() for line in lines if line.split()[:2] == ["1", "20%"]]
    assert cost[-2:] == [f"{estimates.POINTS[32][1.0] - estimates.POINTS[1][0.2]:.1f}", "points"]
    given = as_json(run)
    assert given["asked"] == given["answering"]
    assert given["encoding_s"] is None
    assert {one["bits"] for one in given["costs"]} == {1, 2, 4, 32}


def test_a_change_says_how_long_it_takes_and_is_made_by_the_next_index(
    run: Run, indexed: Path, home: Path
) -> None:
    status, out, _ = run("settings", "--bits", "4", "--keep", "all")
    assert status == 0
    assert "makes the index again, in about" in out
    assert "Answering until then" in out
    given = as_json(run)
    assert (given["asked"]["bits"], given["asked"]["share"]) == (4, 1.0)
    assert (given["answering"]["bits"], given["answering"]["share"]) == (1, 0.2)
    assert run("index")[0] == 0
    given = as_json(run)
    assert given["answering"] == given["asked"]
    # Back to what is best, by the command that fills the library.
    assert run("index", "--bits", "best", "--keep", "best")[0] == 0
    assert as_json(run)["answering"]["share"] == 0.2
    assert chosen(home / "settings.json") == Settings()


def test_a_change_is_taken_back(run: Run, indexed: Path, home: Path) -> None:
    run("settings", "--keep", "20%")
    assert chosen(home / "settings.json").share == 0.2
    assert run("settings", "--undo")[0] == 0
    assert chosen(home / "settings.json") == Settings()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--keep", "most"], "'most' is no share"),
        (["--keep", "0"], "'0' is no share"),
        (["--bits", "3"], "'3' is not one of"),
        (["--model", "/nowhere"], "There is no model"),
        (["--device", "abacus"], "must be openvino or torch"),
        (["--undo", "--keep", "all"], "--undo goes back by itself"),
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
    assert run("rebuild", "--give-up")[1].startswith("What was not made again yet")
    assert "0 files read" in run("index")[1]
