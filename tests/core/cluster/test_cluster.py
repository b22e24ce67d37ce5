"""A cluster makes of a folder what this machine makes of it, whatever dies on the way."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.library.library import Library
from core.responses import Mode
from tests.conftest import write_files
from tests.waiting import patience

from .conftest import ROOT, RunningCluster, environment

pytestmark = pytest.mark.timeout(300)
_BIRDS = ("crow", "owl", "crows", "mice")
_FILES = 60
_PARTED = 520
"""More members than a machine sends at a time."""
_MAIL = "From: a@example.org\nSubject: {0}\nMessage-ID: <{0}@a>\n\nThe crow writes of {0}.\n"
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
    report = cluster.index(home, notes, is_here=True)
    assert report["passages"] == _FILES
    return home


def assert_the_same(path: Path, expected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two libraries hold the same documents and passages, and score them alike."""
    monkeypatch.setenv("WINNOW_RUNTIME", "openvino")
    with Library.open(path) as one, Library.open(expected) as other:
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
def test_a_cluster_produces_the_same_catalog_and_scores(
    fault: str,
    cluster: RunningCluster,
    notes: Path,
    undisturbed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also when an encoder or one of the two machines is killed meanwhile."""
    if fault == "machine":
        cluster.join()
    report = cluster.index(tmp_path / "home", notes, fault)
    assert (report["read"], report["passages"]) == (_FILES + 1, _FILES)
    assert list(report["failed"]) == ["broken.docx"]
    # Each batch was published once.
    assert report["batches"] == _FILES / 5
    assert_the_same(tmp_path / "home", undisturbed, monkeypatch)


def test_killed_and_started_again_it_loses_nothing_and_does_nothing_twice(
    cluster: RunningCluster,
    notes: Path,
    undisturbed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert cluster.index(tmp_path / "home", notes, "driver") == {}
    report = cluster.index(tmp_path / "home", notes)
    # Files read and published before stay.
    assert (report["read"], report["batches"]) == (0, _FILES / 5 - 2)
    assert_the_same(tmp_path / "home", undisturbed, monkeypatch)


@pytest.mark.timeout(300 + 60 * _KILLS)
def test_killed_at_any_moment_it_ends_as_if_undisturbed(
    cluster: RunningCluster,
    notes: Path,
    undisturbed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Kill the indexer, an encoder, or a reading process."""
    home = tmp_path / "home"
    for number in range(_KILLS):
        report = cluster.index(home, notes, f"after {random.uniform(0.1, 4):.2f}")
        if report:
            assert report["passages"] == _FILES
            assert_the_same(home, undisturbed, monkeypatch)
            home = tmp_path / f"home {number}"
    cluster.index(home, notes)
    assert_the_same(home, undisturbed, monkeypatch)


@pytest.fixture
def archives(tmp_path: Path) -> Path:
    """A long archive with another one, a mail and a damaged document in it, and a mailbox."""
    folder = tmp_path / "archives"
    folder.mkdir()
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("owl.txt", "The owl hunts mice at night.")
    with zipfile.ZipFile(folder / "long.zip", "w") as archive:
        archive.writestr("crow.txt", "The crow hides food.")
        archive.writestr("inner.zip", inner.getvalue())
        archive.writestr("broken.docx", "no Word document")
        archive.writestr("mail.eml", _MAIL.format("Mice"))
        for number in range(_PARTED):
            archive.writestr(f"empty/{number}.txt", "")
        archive.writestr("last.txt", "The swift sleeps in the air.")
    box = "".join(f"From a Mon Jan  1 00:00:00 2024\n{_MAIL.format(n)}\n" for n in ("One", "Two"))
    write_files(folder, {"box.mbox": box, "damaged.zip": "no archive", "swift.txt": "A swift."})
    return folder


def test_container_members_are_read_by_the_cluster(
    cluster: RunningCluster, archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the machine that opens one fails meanwhile: it is opened locally then."""
    here = cluster.index(tmp_path / "here", archives, is_here=True)
    assert set(here["failed"]) == {"broken.docx", "damaged.zip"}
    assert here["read"] > _PARTED
    for fault in ("", "walk"):
        home = tmp_path / f"home {fault}"
        report = cluster.index(home, archives, fault)
        assert report == here | {"batches": report["batches"]}
        assert_the_same(home, tmp_path / "here", monkeypatch)
    # Known files are not read again.
    with zipfile.ZipFile(archives / "long.zip", "a") as archive:
        archive.writestr("new.txt", "The gull steals chips.")
    assert cluster.index(home, archives)["read"] == 1
    found = cluster.index(tmp_path / "here", archives, is_here=True)
    assert found["read"] == 1
    assert_the_same(home, tmp_path / "here", monkeypatch)


def test_a_file_that_crashes_its_reader_is_a_failed_document(
    cluster: RunningCluster, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    write_files(folder, {f"crow{number}.txt": f"The crow of {number}." for number in range(5)})
    write_files(folder, {"poison.txt": "The owl."})
    report = cluster.index(tmp_path / "home", folder, "poison")
    assert report["failed"] == {"poison.txt": "Reading was stopped after 3 crashed attempts"}
    assert (report["read"], report["passages"]) == (6, 5)
    # It is not tried again before it has changed.
    assert cluster.index(tmp_path / "home", folder)["read"] == 0


def test_a_machine_that_does_not_see_the_files_is_named(
    cluster: RunningCluster, notes: Path, tmp_path: Path
) -> None:
    report = cluster.index(tmp_path / "home", notes, "unseen")
    assert "cannot access" in report["error"]
    assert "Mount the folder at the same path" in report["error"]


def test_the_command_starts_a_cluster_that_is_not_reachable_from_outside(
    isolated: list[str], tmp_path: Path
) -> None:
    write_files(tmp_path / "notes", {"crow.txt": "The crow hides food.", "owl.md": "# Owl"})
    command = ["index", str(tmp_path / "notes"), "--ray", "local", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", "from core.cli import main; raise SystemExit(main())", *command],
        env=environment() | {"WINNOW_HOME": str(tmp_path / "home")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * patience(),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"documents": 2' in done.stdout
    # A person sees nothing of Ray.
    assert done.stderr == ""
    assert not [path for path in tmp_path.rglob("*") if "ray" in path.name]
