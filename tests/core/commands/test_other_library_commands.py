"""`winnow library` on a second library of the same user, as typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.library.library import Library
from tests.conftest import Run, write_files

HERON = {"heron.txt": "The heron stands in shallow water without moving and waits for fish."}
OWL = {"owl.txt": "Owls hunt mice at night and hear them under the snow."}
NAME = 'my "work", 東京'


@pytest.fixture
def work(open_library: Callable[..., Library], tmp_path: Path) -> Library:
    """The other library, open to its own Winnow."""
    write_files(tmp_path / "work", HERON)
    library = open_library(tmp_path / "disk" / "work home")
    library.add_folder(tmp_path / "work")
    library.sync()
    return library


@pytest.fixture(autouse=True)
def own(library: Library, tmp_path: Path) -> Library:
    write_files(tmp_path / "own", OWL)
    library.add_folder(tmp_path / "own")
    library.sync()
    return library


def test_it_is_added_searched_named_switched_and_removed(work: Library, run: Run) -> None:
    status, out, _ = run("library", "add", work.home, "--name", NAME)
    assert status == 0
    assert f"{NAME} ({work.home.resolve()}): 1 documents, 1 passages" in out
    _, out, err = run("search", "who waits for fish?")
    assert f"heron.txt, in {NAME}" in out
    assert "owl.txt  (" in out
    assert err == ""
    quoted = NAME.replace('"', '""')
    _, out, _ = run("search", f'birds library:"{quoted}"')
    assert "heron.txt" in out
    assert "owl.txt" not in out
    assert "heron" not in run("search", "birds library:mine")[1]
    assert (
        "There is no library wrok. Available libraries: mine"
        in run("search", "birds library:wrok")[2]
    )
    fields = json.loads(run("search", "who waits for fish?", "--format", "json")[1])
    assert fields["results"][0]["library"] == NAME
    assert run("explain", "who waits for fish?")[0] == 0
    assert run("library", "off", NAME)[0] == 0
    assert "turned off" in run("library", "list")[1]
    (listed,) = json.loads(run("library", "list", "--json")[1])["libraries"]
    assert (listed["is_on"], listed["is_here"]) == (False, True)
    assert "heron" not in run("search", "who waits for fish?")[1]
    assert run("library", "on", NAME)[0] == 0
    assert "heron" in run("search", "who waits for fish?")[1]
    assert run("library", "remove", NAME)[0] == 0
    assert run("library", "off", NAME)[0] == 2
    assert work.status().documents == 1


def test_one_whose_disk_is_away_is_listed_and_left_out_with_a_sentence(
    work: Library, tmp_path: Path, run: Run
) -> None:
    assert run("library", "add", work.home)[0] == 0
    work.close()
    (tmp_path / "disk").rename(tmp_path / "unplugged")
    status, out, err = run("search", "who hunts at night?")
    assert status == 0
    assert "owl.txt" in out
    assert "The library work home was not found" in err
    assert "Connect its disk" in run("library", "list")[1]
    assert run("library", "remove", "work home")[0] == 0


def test_a_library_that_cannot_be_added_is_reported(own: Library, tmp_path: Path, run: Run) -> None:
    status, _, err = run("library", "add", own.home)
    assert (status, "is the library you are already searching" in err) == (2, True)
    status, _, err = run("library", "add", tmp_path / "own")
    assert status == 2
    assert f"There is no library in {tmp_path / 'own'}. Choose the WINNOW_HOME" in err
    assert "No libraries have been added" in run("library", "list")[1]


def test_one_is_searched_instead_of_ones_own(work: Library, run: Run) -> None:
    status, out, _ = run("search", "who waits for fish?", "--library", work.home)
    assert status == 0
    assert "heron.txt" in out
    assert "owl.txt" not in out
    query = f'birds library:"{work.home}"'
    assert "heron.txt" in run("search", query, "--library", work.home)[1]
    assert "heron.txt" not in run("search", "birds library:mine", "--library", work.home)[1]
