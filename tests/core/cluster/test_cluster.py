"""A cluster makes of a folder what this machine makes of it, whatever dies on the way."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.library import Library
from core.search.results import Mode
from tests.conftest import write_files

from .conftest import ROOT, RunningCluster, environment

pytestmark = pytest.mark.timeout(300)
_BIRDS = ("crow", "owl", "crows", "mice")
_FILES = 60
_KILLS = int(os.environ.get("WINNOW_TEST_KILLS", "1"))


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    for number in range(_FILES):
        bird = _BIRDS[number % len(_BIRDS)]
        text = f"The {bird} of story {number} hides food at night. " * (1 + number % 3)
        write_files(folder, {f"{number % 5}/{bird}{number}.txt": text})
    write_files(folder, {"broken.docx": "no Word document"})
    return folder


@pytest.fixture(scope="module")
def undisturbed(
    cluster: RunningCluster, notes: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    home = tmp_path_factory.mktemp("here")
    told = cluster.index(home, notes, is_here=True)
    assert told["passages"] == _FILES
    return home


def assert_the_same(found: Path, expected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two libraries hold the same documents and passages, and score them alike."""
    monkeypatch.setenv("WINNOW_RUNTIME", "openvino")
    with Library.open(found) as one, Library.open(expected) as other:
        assert contents(one) == contents(other)
        assert one.status().tokens == other.status().tokens
        assert not one.check().problems
        for query in ("the crow hides food", "owl at night", "story 7"):
            for mode in Mode:
                right = scores(other, query, mode)
                assert scores(one, query, mode) == pytest.approx(right, abs=1e-3)


def contents(library: Library) -> list[tuple[str, ...]]:
    rows = library._catalog.connection().execute(
        "SELECT path, documents.title, state, reason, page, start, end, text FROM documents"
        " LEFT JOIN passages ON document_id = documents.id ORDER BY path, page, start"
    )
    return [tuple(map(str, row)) for row in rows]


def scores(library: Library, query: str, mode: Mode) -> Mapping[str, float]:
    hits = library.search(query, mode=mode, limit=100, is_refined=False).hits
    return {str(hit.path): hit.score for hit in hits}


@pytest.mark.parametrize("fault", ["", "encoder", "machine"])
def test_a_cluster_gives_the_same_catalog_and_scores(
    fault: str,
    cluster: RunningCluster,
    notes: Path,
    undisturbed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also when an encoder, or one of the two machines, is killed in the middle of it."""
    if fault == "machine":
        cluster.join()
    told = cluster.index(tmp_path / "home", notes, fault)
    assert (told["read"], told["passages"]) == (_FILES + 1, _FILES)
    assert list(told["failed"]) == ["broken.docx"]
    # Each batch was published once.
    assert told["batches"] == _FILES / 5
    assert_the_same(tmp_path / "home", undisturbed, monkeypatch)


def test_killed_and_started_again_it_loses_nothing_and_does_nothing_twice(
    cluster: RunningCluster,
    notes: Path,
    undisturbed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert cluster.index(tmp_path / "home", notes, "driver") == {}
    told = cluster.index(tmp_path / "home", notes)
    # What was read and published before stays.
    assert (told["read"], told["batches"]) == (0, _FILES / 5 - 2)
    assert_the_same(tmp_path / "home", undisturbed, monkeypatch)


@pytest.mark.timeout(300 + 60 * _KILLS)
def test_killed_at_any_moment_it_ends_as_if_undisturbed(
    cluster: RunningCluster,
    notes: Path,
    undisturbed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever is killed: the indexer, an encoder, a process that reads."""
    home = tmp_path / "home"
    for number in range(_KILLS):
        told = cluster.index(home, notes, f"after {random.uniform(0.1, 4):.2f}")
        if told:
            assert told["passages"] == _FILES
            assert_the_same(home, undisturbed, monkeypatch)
            home = tmp_path / f"home {number}"
    cluster.index(home, notes)
    assert_the_same(home, undisturbed, monkeypatch)


def test_a_file_that_kills_whoever_reads_it_is_a_failed_document(
    cluster: RunningCluster, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    write_files(folder, {f"crow{number}.txt": f"The crow of {number}." for number in range(5)})
    write_files(folder, {"poison.txt": "The owl."})
    told = cluster.index(tmp_path / "home", folder, "poison")
    assert told["failed"] == {"poison.txt": "ended the processes that were to read it, 3 times"}
    assert (told["read"], told["passages"]) == (6, 5)
    # It is not tried again before it has changed.
    assert cluster.index(tmp_path / "home", folder)["read"] == 0


def test_a_machine_that_does_not_see_the_files_is_named(
    cluster: RunningCluster, notes: Path, tmp_path: Path
) -> None:
    told = cluster.index(tmp_path / "home", notes, "unseen")
    assert "does not see" in told["error"]
    assert "mount its folder at the same place" in told["error"]


def test_the_command_starts_a_cluster_that_nobody_else_reaches(
    apart: list[str], tmp_path: Path
) -> None:
    write_files(tmp_path / "notes", {"crow.txt": "The crow hides food.", "owl.md": "# Owl"})
    command = ["index", str(tmp_path / "notes"), "--ray", "local", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", "from core.cli import main; raise SystemExit(main())", *command],
        env=environment() | {"WINNOW_HOME": str(tmp_path / "home")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"documents": 2' in done.stdout
    # A person sees nothing of Ray.
    assert done.stderr == ""
    assert not [path for path in tmp_path.rglob("*") if "ray" in path.name]
