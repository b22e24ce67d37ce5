"""`winnow publish` and `winnow library`, as typed in two home folders."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.library.library import Library
from tests.conftest import Run, write_files

HERON = {"heron.txt": "The heron stands in shallow water without moving and waits for fish."}


@pytest.fixture
def published(open_library: Callable[..., Library], folder: Path, tmp_path: Path, run: Run) -> Path:
    """A library published from another user's home."""
    write_files(folder, HERON)
    with open_library(tmp_path / "theirs") as library:
        library.add_folder(folder)
        library.sync()
        library.publish(str(tmp_path / "share"))
    return tmp_path / "share"


def test_a_library_is_published_and_reported(
    library: Library, folder: Path, tmp_path: Path, run: Run
) -> None:
    write_files(folder, HERON)
    library.add_folder(folder)
    library.sync()
    target = str(tmp_path / "share")
    status, out, _ = run("publish", target, "--name", "Birds")
    assert status == 0
    assert "Published Birds: 1 documents, 1 passages" in out
    assert str(folder) in out
    assert "Nothing has changed since" in run("publish", target)[1] or "Published" in out
    # This is its name until it is renamed.
    assert "Nothing has changed since" in run("publish", target, "--check")[1]
    assert "Published Rooks" in run("publish", target, "--name", "Rooks")[1]
    status, out, _ = run("status", "--library", target, "--json")
    assert json.loads(out)["documents"] == 1


def test_an_added_library_is_searched_with_the_local_one(
    library: Library, published: Path, tmp_path: Path, run: Run
) -> None:
    own = tmp_path / "own"
    write_files(own, {"owl.txt": "Owls hunt mice at night and hear them under the snow."})
    library.add_folder(own)
    library.sync()
    status, out, _ = run("library", "add", str(published), "--name", "Team")
    assert status == 0
    assert "Team" in out
    assert "1 documents" in out
    status, out, _ = run("search", "who waits for fish?")
    assert status == 0
    assert "heron.txt, in Team" in out
    assert "owl.txt  (" in out
    listed = json.loads(run("library", "list", "--json")[1])["libraries"]
    assert [(one["name"], one["is_offline"], one["documents"]) for one in listed] == [
        ("Team", False, 1)
    ]
    assert run("library", "add", str(published))[0] == 2
    assert run("library", "remove", "Team")[0] == 0
    assert run("library", "remove", "Team")[0] == 2
    assert "No libraries have been added" in run("library", "list")[1]
    assert "heron" not in run("search", "who waits for fish?")[1]


def test_a_published_library_is_searched_without_one_of_ones_own(
    published: Path, home: Path, run: Run
) -> None:
    status, out, err = run("search", "fish", "--library", str(published))
    assert status == 0
    assert "heron.txt" in out
    assert err == ""
    assert not (home / "catalog.sqlite").exists()


def test_an_added_library_is_called_as_its_publisher_calls_it(
    library: Library, published: Path, tmp_path: Path, run: Run
) -> None:
    with Library.open(tmp_path / "theirs") as theirs:
        theirs.publish(str(tmp_path / "other"), published.name)
    assert "documents (" in run("library", "add", str(published))[1]
    assert run("library", "remove", "documents")[0] == 0
    # Where another library has that name it is called as its place.
    assert run("library", "add", str(published), "--name", "share")[0] == 0
    assert "other (" in run("library", "add", str(tmp_path / "other"))[1]


def test_an_address_at_which_there_is_nothing_is_not_added(tmp_path: Path, run: Run) -> None:
    status, _, err = run("library", "add", str(tmp_path / "nowhere"))
    assert status == 1
    assert "cannot be reached" in err
    assert "No libraries have been added" in run("library", "list")[1]


def test_an_added_library_that_went_away_is_listed_and_left_out_with_a_notice(
    library: Library, published: Path, tmp_path: Path, run: Run
) -> None:
    assert run("library", "add", str(published), "--name", "Team")[0] == 0
    published.rename(tmp_path / "unplugged")
    status, out, err = run("search", "fish")
    assert status == 0
    assert "heron.txt" in out
    assert "In Team: The library cannot be reached" in err
    assert "cannot be reached" in run("library", "list")[1]


def test_a_result_of_an_added_library_is_explained(
    library: Library, published: Path, tmp_path: Path, run: Run
) -> None:
    assert run("library", "add", str(published), "--name", "Team")[0] == 0
    query = "who waits for fish?"
    status, out, err = run("explain", query)
    assert (status, err) == (0, "")
    assert "heron.txt, page 1, in Team" in out
    assert "the score in the search results." in out
    fields = json.loads(run("explain", query, "--json")[1])
    assert fields["library"] == "Team"
    assert fields["score"] == pytest.approx(fields["score_in_list"], abs=1e-3)
    published.rename(tmp_path / "unplugged")
    status, out, err = run("explain", query)
    assert status == 0
    assert "heron.txt, page 1, in Team" in out
    assert "In Team: The library cannot be reached" in err


def test_results_of_a_published_library_alone_are_explained(
    published: Path, home: Path, run: Run
) -> None:
    status, out, _ = run("explain", "who waits for fish?", "--library", str(published))
    assert status == 0
    assert f"in {published}" in out
    assert not (home / "catalog.sqlite").exists()
    status, _, err = run("explain", "fish", "--library", str(published / "none"))
    assert status == 1
    assert "cannot be" in err
