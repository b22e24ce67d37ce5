"""Links: files outside the library's folders are not read through one, and none twice."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog.files.folders import FolderRules
from core.documents.document import Document
from core.documents.files import FileIdentity, open_plain
from core.documents.reader import Reader
from core.errors import DocumentError, FolderError
from core.files import filesystems
from core.files.excluded_names import Rule
from core.files.filesystems import Mount
from core.indexing.scan import scanning
from core.indexing.scan.ignore_rules import IgnoreRules, Links
from core.indexing.scan.watching import Watched, Watcher
from core.library.library import Library
from core.requests import ReadMarkup
from tests.core.indexing.conftest import contents, found, put

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need rights there")

SECRET = "swordfish"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file of the user outside the library's folders."""
    put(tmp_path / "keys" / "id_rsa.txt", f"The word is {SECRET}.")
    return tmp_path / "keys" / "id_rsa.txt"


def names(library: Library, folder: Path) -> list[str]:
    return sorted(str(Path(path).relative_to(folder)) for path in contents(library))


def traces(library: Library) -> list[str]:
    """Files of the library that hold the secret."""
    library._catalog.settle()
    files = [path for path in library.home.rglob("*") if path.is_file()]
    return [path.name for path in files if SECRET.encode() in path.read_bytes()]


def test_a_link_out_of_the_library_is_left_out_and_counted(
    library: Library, folder: Path, outside: Path
) -> None:
    put(folder / "a.txt", "Crows.")
    (folder / "notes.txt").symlink_to(outside)
    (folder / "chain.txt").symlink_to(folder / "notes.txt")
    (folder / "relative.txt").symlink_to(Path("..") / "keys" / "id_rsa.txt")
    (folder / "keys").symlink_to(outside.parent)
    (folder / "missing.txt").symlink_to(outside.with_name("none.txt"))
    assert library.preview(folder).excluded == {Rule.LINK_OUT: 5}
    library.add_folder(folder)
    report = library.sync()
    assert report.excluded == {Rule.LINK_OUT: 5}
    assert report.failed == ()
    assert names(library, folder) == ["a.txt"]
    assert found(library, SECRET) == []


def test_a_link_into_the_library_is_not_read_twice(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    put(folder / "deep" / "a.txt", "Crows.")
    put(tmp_path / "other" / "b.txt", "Owls.")
    (folder / "a link.txt").symlink_to(folder / "deep" / "a.txt")
    (folder / "b link.txt").symlink_to(tmp_path / "other" / "b.txt")
    (folder / "deep" / "up").symlink_to(folder)
    (folder / "circle.txt").symlink_to(folder / "circle.txt")
    (folder / "nowhere.txt").symlink_to(folder / "none.txt")
    library.add_folder(folder)
    report = library.sync()
    assert names(library, folder) == ["deep/a.txt"]
    assert report.excluded == {Rule.LINK_IN: 2, Rule.LINK_OUT: 1}
    assert report.failed == ()
    library.add_folder(tmp_path / "other")
    assert library.sync().excluded == {Rule.LINK_IN: 3}
    assert sorted(contents(library).values()) == ["Crows.", "Owls."]


def test_a_link_is_left_out_by_the_rule_that_holds_where_it_leads(
    library: Library, folder: Path
) -> None:
    """A home that was added holds keys in hidden folders, to which a link is soon made."""
    for name in (".ssh/id.txt", "node_modules/b.txt", "drafts/c.txt", "build/d.txt", "tag/e.txt"):
        put(folder / name, SECRET)
    put(folder / "big.txt", "x" * 100)
    put(folder / ".gitignore", "build/\n")
    put(folder / "tag" / "CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55")
    for number, name in enumerate((*sorted(folder.rglob("*.txt")),)):
        (folder / f"link {number}.txt").symlink_to(name)
    rules = FolderRules(exclude=("drafts/",), largest_bytes=99)
    library.add_folder(folder, rules)
    report = library.sync()
    assert contents(library) == {}
    assert report.excluded == {
        Rule.HIDDEN: 3,  # .ssh, .gitignore and the link
        Rule.WORKINGS: 2,
        Rule.EXCLUDED: 2,
        Rule.GITIGNORE: 2,
        Rule.CACHE: 2,
        Rule.TOO_LARGE: 2,
    }


def test_content_stored_under_a_checksum_is_read_by_its_link(
    library: Library, folder: Path
) -> None:
    """As git-annex and caches of models and data sets do."""
    put(folder / ".git" / "annex" / "objects" / "1" / "SHA256-1.txt", "Crows.")
    put(folder / "blobs" / "0123abcd", "Owls.")
    (folder / "crows.txt").symlink_to(folder / ".git" / "annex" / "objects" / "1" / "SHA256-1.txt")
    (folder / "owls.txt").symlink_to(Path("blobs") / "0123abcd")
    library.add_folder(folder)
    library.sync()
    assert contents(library) == {
        str(folder / "crows.txt"): "Crows.",
        str(folder / "owls.txt"): "Owls.",
    }
    assert library.sync().read == 0
    put(folder / "blobs" / "0123abcd", "Eagle owls.")
    assert library.sync().read == 1
    assert contents(library)[str(folder / "owls.txt")] == "Eagle owls."


def test_a_folder_that_is_named_by_a_link_is_read(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    put(folder / "a.txt", "Crows.")
    (tmp_path / "Documents").symlink_to(folder)
    assert library.add_folder(tmp_path / "Documents").path == folder
    library.sync()
    assert names(library, folder) == ["a.txt"]
    library.remove_folder(tmp_path / "Documents")
    assert contents(library) == {}


def test_a_folder_that_was_moved_and_linked_to_is_still_read(
    library: Library, folder: Path, tmp_path: Path, outside: Path
) -> None:
    """As who has a full disk does with a large folder."""
    put(folder / "a.txt", "Crows.")
    library.add_folder(folder)
    library.sync()
    folder.rename(tmp_path / "moved")
    folder.symlink_to(tmp_path / "moved")
    put(folder / "b.txt", "Owls.")
    (folder / "blob").write_text("Rooks.")
    (folder / "c.txt").symlink_to(tmp_path / "moved" / "a.txt")
    (folder / "d.txt").symlink_to(outside)
    (folder / "e.txt").symlink_to(folder / "blob")
    report = library.sync()
    assert names(library, folder) == ["a.txt", "b.txt", "e.txt"]
    assert report.excluded == {Rule.LINK_IN: 1, Rule.LINK_OUT: 1, Rule.UNKNOWN: 1}


def test_a_file_whose_link_leads_outside_is_removed_without_trace(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    """Also files read by an older Winnow, which followed all links to files."""
    keys = tmp_path / "keys"
    (folder / "blobs").mkdir()
    (folder / "blobs" / "1").write_text(f"The word is {SECRET}.")
    (folder / "notes.txt").symlink_to(folder / "blobs" / "1")
    put(folder / "a.txt", "Crows.")
    library.add_folder(folder)
    library.sync()
    assert found(library, SECRET) == ["notes.txt"]
    (folder / "blobs").rename(keys)
    (folder / "notes.txt").unlink()
    (folder / "notes.txt").symlink_to(keys / "1")
    report = library.sync(changed=[folder / "notes.txt"])
    assert report.removed == 1
    assert found(library, SECRET) == []
    assert traces(library) == []
    assert found(library, "crows") == ["a.txt"]


@pytest.mark.parametrize("together", [1, 20])
def test_a_file_that_a_link_replaces_after_the_scan_is_not_read(
    library: Library,
    folder: Path,
    outside: Path,
    monkeypatch: pytest.MonkeyPatch,
    together: int,
) -> None:
    for number in range(together):
        put(folder / f"{number}.txt", "Crows." * 2 + str(number))
    library.add_folder(folder)
    listed = scanning.scan

    def swap(*arguments: object, **named: object) -> scanning.ScanResult:
        seen = listed(*arguments, **named)  # type: ignore[arg-type]
        (folder / "0.txt").unlink()
        (folder / "0.txt").symlink_to(outside)
        return seen

    with monkeypatch.context() as patch:
        patch.setattr("core.indexing.scan.reconcile.scan", swap)
        library.sync()
    assert len(contents(library)) == together - 1
    assert found(library, SECRET) == []
    assert traces(library) == []
    library.sync()
    assert len(contents(library)) == together - 1
    assert library.status().failed == 0


def test_a_file_that_a_link_replaces_while_it_is_read_is_not_stored(
    library: Library, folder: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link leads to a file of the same size and time."""
    put(folder / "a.txt", "x" * outside.stat().st_size)
    times = outside.stat().st_mtime_ns
    os.utime(folder / "a.txt", ns=(times, times))
    library.add_folder(folder)
    read = Reader.read

    def swap(reader: Reader, path: Path, **named: object) -> Document:
        (folder / "a.txt").unlink()
        (folder / "a.txt").symlink_to(outside)
        return read(reader, path, **named)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Reader, "read", swap)
        library.sync()
    assert found(library, SECRET) == []
    assert traces(library) == []


def test_a_link_that_took_a_documents_place_is_not_shown(
    library: Library, folder: Path, outside: Path
) -> None:
    text = outside.read_text().replace(SECRET, "x" * len(SECRET))
    put(folder / "a.txt", text)
    library.add_folder(folder)
    library.sync()
    (document,) = library.documents()
    assert library.answer(ReadMarkup(document.id))[0].text == text
    times = (folder / "a.txt").stat().st_mtime_ns
    os.utime(outside, ns=(times, times))
    (folder / "a.txt").unlink()
    (folder / "a.txt").symlink_to(outside)
    with pytest.raises(DocumentError, match="Is now a link to another location"):
        library.answer(ReadMarkup(document.id))


def test_a_folder_on_the_way_that_a_link_replaces_is_noticed(
    folder: Path, tmp_path: Path, outside: Path
) -> None:
    put(folder / "keys" / "id_rsa.txt", "Crows.")
    known = Links({folder: FolderRules()})
    path = str(folder / "keys" / "id_rsa.txt")
    real = known.real(path)
    assert real is not None
    with open_plain(real.path, real.identity) as file:
        assert file.read() == b"Crows."
    (folder / "keys").rename(tmp_path / "away")
    (folder / "keys").symlink_to(outside.parent)
    assert known.real(path) is None
    with pytest.raises(DocumentError, match="Replaced by another file"):
        open_plain(real.path, real.identity)


def test_only_plain_files_are_opened(
    folder: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "link.txt").symlink_to(outside)
    os.mkfifo(folder / "pipe.txt")
    monkeypatch.chdir(folder)  # the address of a socket must be short
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket.txt")
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", lambda *_arguments: pytest.fail("it was opened"))
        with pytest.raises(DocumentError, match="Not a regular file"):
            open_plain(folder / "pipe.txt")
    with pytest.raises(DocumentError, match="Not a regular file"):
        open_plain(folder / "socket.txt")
    with pytest.raises(OSError, match="link"):
        open_plain(folder / "link.txt")
    with pytest.raises(DocumentError, match="Not a regular file"):
        open_plain(folder / "pipe.txt")
    with pytest.raises(DocumentError, match="Is a folder"):
        open_plain(folder)
    with open_plain(outside, FileIdentity.of(outside.stat())) as file:
        assert SECRET.encode() in file.read()


@pytest.mark.parametrize("place", ["/proc", "/sys", "/dev"])
def test_virtual_file_systems_are_no_folders_of_documents(
    library: Library, folder: Path, tmp_path: Path, place: str
) -> None:
    if not Path(place).is_dir():
        pytest.skip(f"no {place} on this system")
    (tmp_path / "link").symlink_to(place)
    for named in (Path(place), tmp_path / "link"):
        for ask in (library.add_folder, library.preview):
            with pytest.raises(FolderError, match="is a system folder without documents"):
                ask(named)
    (folder / "link").symlink_to(place)
    assert library.preview(folder).excluded == {Rule.LINK_OUT: 1}


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no such file here")
def test_winnows_own_environment_is_not_read(library: Library, folder: Path) -> None:
    (folder / "notes.txt").symlink_to("/proc/self/environ")
    library.add_folder(folder)
    assert library.sync().excluded == {Rule.LINK_OUT: 1}
    assert contents(library) == {}


def test_a_file_system_of_the_systems_is_left_out_wherever_it_is_mounted(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system for programs that was unpacked among the person's files, with its own /proc."""
    put(folder / "debian" / "proc" / "1" / "environ.txt", SECRET)
    put(folder / "a.txt", "Crows.")
    (folder / "b.txt").symlink_to(folder / "debian" / "proc" / "1" / "environ.txt")
    library.add_folder(folder)
    library.add_folder(folder.parent)
    table = (Mount(Path("/"), "ext4"), Mount(folder / "debian" / "proc", "proc"))
    monkeypatch.setattr(filesystems, "mounted", lambda: table)
    report = library.sync()
    assert report.excluded[Rule.SYSTEM] == 2
    assert names(library, folder) == ["a.txt"]
    with pytest.raises(FolderError, match="is a system folder without documents"):
        library.preview(folder / "debian" / "proc" / "1")


def test_a_folder_over_which_the_system_was_mounted_leaves_without_trace(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder / "a.txt", SECRET)
    library.add_folder(folder)
    library.sync()
    table = (Mount(Path("/"), "ext4"), Mount(folder, "proc"))
    monkeypatch.setattr(filesystems, "mounted", lambda: table)
    report = library.sync()
    assert (report.removed, report.excluded) == (1, {Rule.SYSTEM: 1})
    assert traces(library) == []


def test_changes_behind_a_link_are_not_reported(folder: Path, outside: Path) -> None:
    """The system watches what links to folders lead to: a whole disk, for one to its root."""
    (folder / "link").symlink_to(outside.parent)
    (folder / "notes.txt").symlink_to(outside)
    watcher = Watcher([Watched(folder)], folder.parent / "home")
    assert not watcher._matters(str(folder / "link" / "id_rsa.txt"))
    assert watcher._matters(str(folder / "link"))
    assert watcher._matters(str(folder / "notes.txt"))


def test_very_many_links_into_one_folder_look_at_its_rules_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder / "a" / "b" / "c.txt", "x")
    for number in range(100):
        (folder / f"{number}.txt").symlink_to(folder / "a" / "b" / "c.txt")
    seen: list[str] = []
    below = IgnoreRules.below

    def note(ignore: IgnoreRules, inner: str) -> IgnoreRules | Rule:
        seen.append(inner)
        return below(ignore, inner)

    monkeypatch.setattr(IgnoreRules, "below", note)
    found = scanning.scan(folder, lambda _folder, _files: None)
    assert found.excluded == {Rule.LINK_IN: 100}
    assert seen == [str(folder), str(folder / "a"), str(folder / "a" / "b")]


def test_a_library_in_which_a_link_leads_to_another_of_its_folders(
    library: Library, folder: Path, tmp_path: Path, open_library: Callable[..., Library]
) -> None:
    """Nothing is lost when the folder that is linked to is removed."""
    put(tmp_path / "other" / "b.txt", "Owls.")
    (folder / "other").symlink_to(tmp_path / "other")
    library.add_folder(folder)
    library.add_folder(folder / "other")
    library.sync()
    assert contents(library) == {str(tmp_path / "other" / "b.txt"): "Owls."}
    library.remove_folder(folder / "other")
    assert library.sync().excluded == {Rule.LINK_OUT: 1}
    assert contents(library) == {}


def test_files_read_together_are_not_swapped_meanwhile(folder: Path, outside: Path) -> None:
    put(folder / "a.txt", "Crows.")
    put(folder / "b.txt", "Owls.")
    known = Links({folder: FolderRules()})
    real = {path: known.real(str(path)) for path in folder.iterdir()}
    expected = {path: None if one is None else one.identity for path, one in real.items()}
    (folder / "a.txt").unlink()
    (folder / "a.txt").symlink_to(outside)
    with Reader(scratch=folder.parent / ".scratch") as reader:
        read = reader.read_together(expected)
        assert [page.text for page in read[folder / "b.txt"].pages] == ["Owls."]
        assert folder / "a.txt" not in read
