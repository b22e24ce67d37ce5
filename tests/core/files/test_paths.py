"""Where Winnow keeps its files."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from core.daemon_client import client
from core.errors import UsageError
from core.files import paths
from tests.conftest import Run


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WINNOW_HOME", "WINNOW_CACHE", "WINNOW_ADD_ONS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an installed program, which runs."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "winnow"))
    return tmp_path


def test_the_system_determines_the_place_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert paths.home() == Path(platformdirs.user_data_dir("winnow", False))
    assert paths.cache() == Path(platformdirs.user_cache_dir("winnow", False))
    monkeypatch.setenv("WINNOW_HOME", "~/elsewhere")
    assert paths.home() == Path.home() / "elsewhere"
    assert paths.add_ons() == Path.home() / "elsewhere" / "add-ons"


def test_a_library_next_to_the_installed_program_is_used(installed: Path) -> None:
    assert paths.home() == Path(platformdirs.user_data_dir("winnow", False))
    (installed / "library").mkdir()
    assert paths.home() == installed / "library"
    assert paths.cache() == installed / "library" / "cache"


def test_a_library_next_to_the_interpreter_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    (tmp_path / "library").mkdir()
    assert paths.home() == Path(platformdirs.user_data_dir("winnow", False))


def test_a_named_place_takes_precedence_over_a_neighbouring_one(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (installed / "library").mkdir()
    monkeypatch.setenv("WINNOW_HOME", str(installed / "named"))
    assert paths.home() == installed / "named"


@pytest.mark.skipif(sys.platform == "win32", reason="nobody can be in a folder that was removed")
def test_in_a_folder_that_was_removed_only_what_needs_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, home: Path
) -> None:
    monkeypatch.setenv("WINNOW_HOME", str(home))  # not the library of the user who runs the tests
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(UsageError, match=r"was removed, so notes cannot be resolved"):
        paths.absolute("notes")
    assert paths.absolute(tmp_path / "notes") == tmp_path / "notes"
    assert client.run_command(paths.home(), ["search", "owls"]) is None
    assert run("search", "owls", "--mode", "words")[0] == 0
    status, _, error = run("index", "notes")
    assert (status, "Change to another folder" in error) == (2, True)
