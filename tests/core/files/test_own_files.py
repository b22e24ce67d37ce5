"""A library is private to its user, whatever the umask and earlier permissions are."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.catalog import schema
from core.catalog.catalog import Catalog
from core.files import own_files
from core.index.native import compiler, loops
from core.library.library import Library
from core.settings import Settings, save_settings

pytestmark = pytest.mark.skipif(os.name == "nt", reason="other rights there")

TEXT = "The crow hides food. "


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def readable_by_all(home: Path) -> list[str]:
    return [
        f"{path.relative_to(home.parent)} {stat.S_IMODE(path.lstat().st_mode):o}"
        for path in (home, *home.rglob("*"))
        if path.lstat().st_mode & 0o077
    ]


def _fill(home: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "a.txt").write_text(TEXT)
    with Library.open(home) as library:
        library.add_folder(folder)
        library.sync()
        # While it is open there are the logs, too.
        assert (home / "catalog.sqlite-wal").exists()
        assert readable_by_all(home) == []
    save_settings(Settings(), home / "settings.json")


def test_created_files_are_private(tmp_path: Path, umask: int) -> None:
    home = tmp_path / "deep" / "home"
    _fill(home, tmp_path / "documents")
    assert readable_by_all(home) == []
    assert readable_by_all(home.parent) == []


def test_a_folder_that_was_there_before_is_shut(tmp_path: Path, umask: int) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o755)
    _fill(home, tmp_path / "documents")
    assert readable_by_all(home) == []


def test_a_library_of_an_older_winnow_is_shut_with_all_in_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    _fill(home, tmp_path / "documents")
    (home / "catalog.v1.backup").write_text(TEXT)
    (home / "codebooks").mkdir()
    (home / "codebooks" / "a.safetensors").write_text(TEXT)
    for path in (home, *home.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert len(readable_by_all(home)) > 6
    with Library.open(home) as library:
        assert readable_by_all(home) == []
        assert library.status().documents == 1


def test_a_copy_before_an_upgrade_is_the_persons_alone(tmp_path: Path, umask: int) -> None:
    catalog = Catalog(tmp_path / "home" / "catalog.sqlite")
    catalog.close()
    version = schema.VERSION
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.catalog.schema.VERSION", version + 1)
        Catalog(catalog.path).close()
    backup = tmp_path / "home" / f"catalog.v{version}.backup"
    assert backup.stat().st_size
    assert readable_by_all(tmp_path / "home") == []


def test_shared_folders_retain_their_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library in the person's home itself, or in a folder where everybody may write."""
    for name in ("a person", "everybody"):
        home = tmp_path / name
        home.mkdir()
        home.chmod(0o1777 if name == "everybody" else 0o755)
        (home / "page.html").write_text("for all")
        (home / "page.html").chmod(0o644)
        monkeypatch.setenv("HOME", str(tmp_path / "a person"))
        Library.open(home).close()
        assert stat.S_IMODE(home.stat().st_mode) == (0o1777 if name == "everybody" else 0o755)
        assert stat.S_IMODE((home / "page.html").stat().st_mode) == 0o644
        assert stat.S_IMODE((home / "catalog.sqlite").stat().st_mode) == 0o600


def test_a_library_on_a_stick_that_knows_no_rights_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o755)

    def refuse(_path: Path, _mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "chmod", refuse)
        with Library.open(home) as library:
            assert library.status().documents == 0
    assert stat.S_IMODE(home.stat().st_mode) == 0o755


def test_a_link_in_the_library_does_not_lead_to_other_files_rights(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("for all")
    (tmp_path / "page.html").chmod(0o644)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "a.json").symlink_to(tmp_path / "page.html")
    own_files.tighten(tmp_path / "home")
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o644


def test_compiled_code_is_stored_in_a_private_folder(
    tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files there are executed. A short source, since rights do not depend on what is compiled."""
    source = tmp_path / "source.c"
    source.write_text("int level(void) { return 0; }\n")
    monkeypatch.setattr(compiler, "SOURCE", source)
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    library = loops._compiled()
    assert readable_by_all(tmp_path / "cache") == []
    library.parent.chmod(0o777)
    assert loops._compiled() == library
    assert readable_by_all(tmp_path / "cache") == []
