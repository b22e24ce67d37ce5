"""Files in the cloud are found by their names, never fetched, and read once they are here."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core import cli
from core.catalog.documents import DocumentState
from core.documents import files
from core.documents.files import IN_CLOUD, InCloudError, is_placeholder, name_behind
from core.errors import DocumentError, LibraryError
from core.library.library import Library
from core.requests import CountFacets, GetDocumentAt, ReadMarkup
from core.responses import Mode

from .conftest import assert_sound, contents, put

_RECALL_ON_DATA_ACCESS, _RECALL_ON_OPEN, _DATALESS = 0x0040_0000, 0x0004_0000, 0x4000_0000


class Cloud:
    """Simulate files in the cloud, as macOS reports them; fail if one of them is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files: set[Path] = set()
        self.fetched: list[str] = []
        own, opened = files.is_placeholder, os.open

        def is_stub(path: str | Path, status: os.stat_result) -> bool:
            flags = _DATALESS if Path(path) in self.files else 0
            double: Any = SimpleNamespace(
                st_flags=flags, st_size=status.st_size, st_mode=status.st_mode
            )
            return own(path, double)

        def open_(path: Any, *arguments: Any, **options: Any) -> int:
            if not isinstance(path, int) and Path(os.fsdecode(path)) in self.files:
                self.fetched.append(os.fsdecode(path))
            return opened(path, *arguments, **options)

        monkeypatch.setattr(files, "is_placeholder", is_stub)
        monkeypatch.setattr(os, "open", open_)

    def evict(self, *paths: Path) -> None:
        self.files.update(paths)

    def bring(self, *paths: Path) -> None:
        self.files.difference_update(paths)


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    created = Cloud(monkeypatch)
    yield created
    assert created.fetched == []


def named(library: Library, typed: str) -> list[tuple[str, DocumentState, str]]:
    results = library.search(typed, mode=Mode.WORDS)
    return [(one.path.name, one.state, one.reason) for one in results.named]


def found(library: Library, typed: str) -> list[str]:
    return [hit.path.name for hit in library.search(typed, mode=Mode.WORDS).hits]


# Files that clients leave


@pytest.mark.parametrize(
    ("status", "is_one"),
    [
        ({"st_file_attributes": stat.FILE_ATTRIBUTE_OFFLINE}, True),
        ({"st_file_attributes": _RECALL_ON_OPEN | stat.FILE_ATTRIBUTE_ARCHIVE}, True),
        ({"st_file_attributes": _RECALL_ON_DATA_ACCESS | 0x400}, True),
        # Kept on this computer for good (PINNED), sparse, a link, hidden.
        ({"st_file_attributes": 0x0008_0000 | 0x200 | 0x400 | 0x2}, False),
        ({"st_flags": _DATALESS}, True),
        ({"st_flags": _DATALESS | 0x20}, True),
        ({"st_flags": 0x8000 | 0x20}, False),  # hidden, and compressed by the system
        # Sparse files, and those stored in their inode, use no blocks either.
        ({"st_blocks": 0, "st_size": 10_000_000}, False),
        ({"st_blocks": 0, "st_size": 60}, False),
        ({"st_size": 0}, False),
        ({}, False),
    ],
)
def test_file_attributes_of_each_system(status: dict[str, int], *, is_one: bool) -> None:
    double: Any = SimpleNamespace(**{"st_mode": stat.S_IFREG | 0o644, "st_size": 500, **status})
    assert is_placeholder("/nowhere/a.pdf", double) is is_one


@pytest.mark.parametrize(
    ("name", "size", "behind"),
    [
        (".letter.txt.icloud", 180, "letter.txt"),
        (".two.parts.tar.gz.icloud", 180, "two.parts.tar.gz"),
        ("letter.txt.icloud", 180, None),
        (".letter.txt.icloud", 100_000, None),
        (".icloud", 180, None),
        ("..icloud", 180, None),
        ("letter.txt.nextcloud", 1, "letter.txt"),
        ("letter.txt.owncloud", 0, "letter.txt"),
        ("letter.txt.nextcloud", 2, None),
        (".nextcloud", 1, None),
        ("letter.txt", 1, None),
    ],
)
def test_a_placeholder_under_another_name(name: str, size: int, behind: str | None) -> None:
    double: Any = SimpleNamespace(st_mode=stat.S_IFREG | 0o644, st_size=size)
    assert name_behind(name, double) == behind
    folder: Any = SimpleNamespace(st_mode=stat.S_IFDIR | 0o755, st_size=size)
    assert name_behind(name, folder) is None


def marks(path: Path) -> bool:
    """Whether the attribute of Nextcloud's placeholders can be set here."""
    try:
        os.setxattr(path, "user.nextcloud.hydrate_exec", b"nextcloud")
    except OSError:
        return False
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="there are none of these")
def test_a_file_that_nextcloud_has_marked(library: Library, folder: Path) -> None:
    put(folder / "letter.txt", " ")
    if not marks(folder / "letter.txt"):
        pytest.skip("this file system keeps no attributes")
    put(folder / "empty.txt", "")
    library.add_folder(folder)
    assert library.sync().failed == ()
    assert named(library, "letter") == [("letter.txt", DocumentState.IN_CLOUD, IN_CLOUD)]
    assert named(library, "empty") == [("empty.txt", DocumentState.NO_TEXT, "")]
    # As the client writes it when it arrives.
    (folder / "letter.txt").unlink()
    put(folder / "letter.txt", "Owls hunt mice.")
    library.sync()
    assert found(library, "owls") == ["letter.txt"]
    assert_sound(library)


def test_a_file_that_takes_little_room_is_here(library: Library, folder: Path) -> None:
    put(folder / "short.txt", "Owls hunt mice.")
    with (folder / "sparse.log").open("wb") as file:
        file.truncate(1_000_000)
    library.add_folder(folder)
    library.sync()
    assert library.status().in_cloud == 0
    assert found(library, "owls") == ["short.txt"]


# The document afterwards


def test_a_file_that_was_never_here_is_found_by_its_name(
    library: Library, folder: Path, cloud: Cloud
) -> None:
    path = folder / "tax report.txt"
    put(path, "Owls hunt mice.")
    put(folder / "here.txt", "Crows.")
    cloud.evict(path)
    library.add_folder(folder)
    for _ in range(2):
        report = library.sync()
        assert (report.failed, report.problem) == ((), "")
        assert named(library, "report") == [(path.name, DocumentState.IN_CLOUD, IN_CLOUD)]
    status = library.status()
    assert (status.in_cloud, status.failed, status.folders[0].waiting) == (1, 0, 0)
    # Nor by a retry, nor by a full reread.
    assert library.retry() == 0
    library.sync()
    assert named(library, "report type:text size:>1b") == [
        (path.name, DocumentState.IN_CLOUD, IN_CLOUD)
    ]
    assert named(library, "report type:pdf") == []
    with pytest.raises(LibraryError, match="in the cloud"):
        library.answer(GetDocumentAt(path))
    cloud.bring(path)
    library.sync()
    assert found(library, "owls") == [path.name]
    assert named(library, "report owls type:text") == []
    assert library.status().in_cloud == 0
    assert_sound(library)


def test_a_document_whose_content_left_keeps_its_text(
    library: Library, folder: Path, cloud: Cloud
) -> None:
    path = folder / "letter.txt"
    put(path, "Owls hunt mice.")
    library.add_folder(folder)
    library.sync()
    before = contents(library)
    cloud.evict(path)
    library.sync()
    assert contents(library) == before
    assert found(library, "owls") == ["letter.txt"]
    assert library.answer(CountFacets("owls", mode=Mode.WORDS)).found == 1
    # A view that opens its file reports why it cannot.
    (hit,) = library.search("owls", mode=Mode.WORDS).hits
    with pytest.raises(InCloudError):
        library.answer(ReadMarkup(hit.document_id))
    cloud.bring(path)
    assert library.sync().read == 0
    assert contents(library) == before


def test_a_content_that_changed_in_the_cloud_is_read_when_it_is_here(
    library: Library, folder: Path, cloud: Cloud
) -> None:
    path = folder / "letter.txt"
    put(path, "Owls hunt mice.")
    library.add_folder(folder)
    library.sync()
    put(path, "Crows eat nuts, as it says by now.")
    cloud.evict(path)
    for _ in range(2):
        library.sync()
        assert found(library, "owls") == ["letter.txt"]
        assert library.answer(CountFacets("owls", mode=Mode.WORDS)).found == 1
        assert library.status().in_cloud == 1
    cloud.bring(path)
    library.sync()
    assert (found(library, "owls"), found(library, "nuts")) == ([], ["letter.txt"])
    assert_sound(library)


def test_a_file_evicted_between_listing_and_reading_is_not_fetched(
    library: Library, folder: Path, cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "letter.txt"
    put(path, "Owls hunt mice.")
    library.add_folder(folder)
    listed = files.open_plain

    def leave(at: Path, *arguments: Any) -> Any:
        cloud.evict(path)
        return listed(at, *arguments)

    monkeypatch.setattr("core.indexing.scan.reconcile.open_plain", leave)
    assert library.sync().failed == ()
    assert named(library, "letter") == [("letter.txt", DocumentState.IN_CLOUD, IN_CLOUD)]


def test_a_full_reread_leaves_cloud_files_as_they_were_read(
    library: Library, folder: Path, cloud: Cloud
) -> None:
    path = folder / "letter.txt"
    put(path, "Owls hunt mice.")
    put(folder / "here.txt", "Crows.")
    library.add_folder(folder)
    library.sync()
    before = contents(library)
    cloud.evict(path)
    library.rebuild()
    library.sync()
    assert contents(library) == before
    assert library.status().folders[0].waiting == 0
    assert not library.status().is_rebuilding
    assert_sound(library)


@pytest.mark.parametrize("is_twin", [False, True])
def test_a_file_that_is_moved_while_it_is_in_the_cloud(
    library: Library, folder: Path, cloud: Cloud, *, is_twin: bool
) -> None:
    path, moved = folder / "letter.txt", folder / "old" / "letter.txt"
    put(path, "Owls hunt mice.")
    library.add_folder(folder)
    library.sync()
    moved.parent.mkdir()
    path.rename(moved)
    cloud.evict(moved)
    if is_twin:  # they cannot be distinguished
        twin = folder / "twin" / "letter.txt"
        twin.parent.mkdir()
        shutil.copy2(moved, twin)
        cloud.evict(twin)
    library.sync()
    assert found(library, "owls") == ([] if is_twin else ["letter.txt"])
    assert len(named(library, "letter owls")) == 0
    assert library.status().in_cloud == (2 if is_twin else 0)
    cloud.bring(moved)
    library.sync()
    assert found(library, "owls") == ["letter.txt"]
    assert_sound(library)


def test_an_unreadable_file_stays_so_unless_it_was_not_opened(
    library: Library, folder: Path, cloud: Cloud
) -> None:
    path = folder / "damaged.pdf"
    put(path, "no PDF")
    library.add_folder(folder)
    (failure,) = library.sync().failed
    cloud.evict(path)
    library.sync()
    assert library.failures() == (failure,)
    put(path, "no PDF either, but another one")
    library.sync()
    assert library.failures() == ()
    assert named(library, "damaged") == [("damaged.pdf", DocumentState.IN_CLOUD, IN_CLOUD)]


@pytest.mark.parametrize("stub", [".letter.txt.icloud", "letter.txt.nextcloud"])
def test_a_stub_represents_its_file(stub: str, library: Library, folder: Path) -> None:
    put(folder / "sub" / stub, "")
    library.add_folder(folder)
    library.sync()
    assert named(library, "letter") == [("letter.txt", DocumentState.IN_CLOUD, IN_CLOUD)]
    with pytest.raises(DocumentError, match="in the cloud"):
        files.check_file(folder / "sub" / "letter.txt")
    put(folder / "sub" / "letter.txt", "Owls hunt mice.")
    library.sync()
    assert found(library, "owls") == ["letter.txt"]
    (folder / "sub" / stub).unlink()
    library.sync()
    # And back: the file goes, and its stub comes.
    (folder / "sub" / "letter.txt").unlink()
    put(folder / "sub" / stub, "")
    library.sync()
    assert found(library, "owls") == ["letter.txt"]
    # Both gone, it is forgotten.
    (folder / "sub" / stub).unlink()
    library.sync()
    assert found(library, "owls") == []
    assert contents(library) == {}
    assert_sound(library)


def test_rules_apply_to_the_file_behind_a_stub(library: Library, folder: Path) -> None:
    put(folder / ".gitignore", "*.log\n")
    put(folder / ".build.log.icloud", "")
    put(folder / "..hidden.txt.icloud", "")
    put(folder / ".song.xyz.icloud", "")
    library.add_folder(folder)
    library.sync()
    assert library.status().in_cloud == 0


def test_a_preview_counts_what_it_would_not_fetch(
    library: Library, folder: Path, cloud: Cloud
) -> None:
    put(folder / "letter.txt", "Owls hunt mice.")
    put(folder / "here.txt", "Crows.")
    cloud.evict(folder / "letter.txt")
    is_stub = library.preview(folder)
    assert (is_stub.files, is_stub.waiting, is_stub.in_cloud) == (2, 1, 1)


def test_the_command_line_reports_cloud_files(
    library: Library,
    folder: Path,
    cloud: Cloud,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(folder / "letter.txt", "Owls hunt mice.")
    cloud.evict(folder / "letter.txt")
    library.add_folder(folder)
    library.sync()
    monkeypatch.setenv("WINNOW_HOME", str(library.home))
    assert cli.main(["status"]) == 0
    assert "1 file in the cloud only" in capsys.readouterr().out
    assert cli.main(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["in_cloud"] == 1
    assert cli.main(["search", "letter", "--mode", "words"]) == 0
    assert f"letter.txt ({IN_CLOUD})" in capsys.readouterr().out
