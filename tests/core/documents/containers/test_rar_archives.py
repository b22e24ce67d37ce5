"""RAR archives with libarchive, and the message without it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.containers import archives
from core.documents.limits import ContainerLimits
from core.errors import DocumentError
from core.library.library import Library
from core.responses import Mode
from tests.core.documents.containers.rar_files import rar4_bytes, rar5_bytes
from tests.core.documents.mutations import mutations
from tests.core.documents.passes import go_through

Packed = Callable[..., bytes]
_TREE = {"letter.txt": b"Crows are clever.", "2024/notes.md": b"# Owls", "a.exe": b"MZ"}
_NEEDS_LIBRARY = pytest.mark.skipif(archives._libarchive() is None, reason="has no libarchive")


@pytest.fixture(params=[rar4_bytes, rar5_bytes])
def packed(request: pytest.FixtureRequest) -> Packed:
    form: Packed = request.param
    return form


@_NEEDS_LIBRARY
def test_members_have_modification_times(tmp_path: Path, packed: Packed) -> None:
    (tmp_path / "a.rar").write_bytes(packed(_TREE))
    noted = go_through(tmp_path / "a.rar", archives.unpack, tmp_path)
    assert noted.contents == {
        ("letter.txt",): b"Crows are clever.",
        ("2024", "notes.md"): b"# Owls",
    }
    assert all(member.mtime_ns for member in noted.members)


@_NEEDS_LIBRARY
def test_a_locked_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.rar").write_bytes(rar5_bytes({}, is_locked=True))
    with pytest.raises(DocumentError, match="Password required"):
        go_through(tmp_path / "a.rar", archives.unpack, tmp_path)
    (tmp_path / "b.rar").write_bytes(rar4_bytes(_TREE, is_locked=True))
    noted = go_through(tmp_path / "b.rar", archives.unpack, tmp_path)
    assert set(noted.refused.values()) == {"Password required"}


@_NEEDS_LIBRARY
def test_names_that_lead_out_and_bombs_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.rar").write_bytes(rar5_bytes({"../../etc/b.txt": b"x", "Käuze.txt": b"y"}))
    noted = go_through(tmp_path / "a.rar", archives.unpack, tmp_path)
    assert noted.refused == {("etc", "b.txt"): "Its name is a path outside its archive"}
    assert noted.contents == {("Käuze.txt",): b"y"}
    (tmp_path / "b.rar").write_bytes(rar5_bytes({"a.txt": bytes(5000)}))
    small = ContainerLimits(least_bytes=1000, ratio=0)
    with pytest.raises(DocumentError, match="Unpacks to far more"):
        go_through(tmp_path / "b.rar", archives.unpack, tmp_path, small)


@_NEEDS_LIBRARY
def test_damage_costs_a_member_or_the_rest(tmp_path: Path, packed: Packed) -> None:
    path = tmp_path / "a.rar"
    whole = packed(_TREE)
    path.write_bytes(whole[: whole.index(b"clever")])
    with pytest.raises(DocumentError, match="Damaged: the archive is truncated"):
        go_through(path, archives.unpack, tmp_path)
    for damaged in mutations(whole):
        path.write_bytes(damaged)
        try:
            noted = go_through(path, archives.unpack, tmp_path)
        except DocumentError:
            continue
        assert len(noted.members) == len({member.inner_path for member in noted.members})


@_NEEDS_LIBRARY
def test_members_are_found_by_searches(library: Library, folder: Path) -> None:
    """The sandboxed process can load the library."""
    (folder / "birds.rar").write_bytes(rar5_bytes(_TREE))
    library.add_folder(folder)
    assert library.sync().failed == ()
    (hit,) = library.search("clever", mode=Mode.WORDS).hits
    assert hit.path == folder / "birds.rar" / "letter.txt"


def test_without_libarchive_there_is_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "_libarchive", lambda: None)
    (tmp_path / "a.rar").write_bytes(rar5_bytes(_TREE))
    with pytest.raises(DocumentError, match=r"libarchive, .* is not installed"):
        go_through(tmp_path / "a.rar", archives.unpack, tmp_path)
