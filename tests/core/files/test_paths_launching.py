"""How this Winnow is started again by others, in whatever form it was installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.files import paths
from core.files.paths import launch_command


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A packaged program, in the folder where an AppImage mounts its content."""
    folder = tmp_path / ".mount_winnow"
    program = folder / "usr" / "lib" / "winnow" / "winnow"
    program.parent.mkdir(parents=True)
    program.touch()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.delenv("WINNOW_HOME", raising=False)
    monkeypatch.setenv("APPIMAGE", str(tmp_path / "Winnow.AppImage"))
    monkeypatch.setenv("APPDIR", str(folder))
    return folder


def test_an_appimage_is_started_by_its_file_and_not_where_it_is_shown(
    shown: Path, tmp_path: Path
) -> None:
    assert launch_command("mcp").command == str(tmp_path / "Winnow.AppImage")


def test_a_library_next_to_an_appimage_travels_with_it(shown: Path, tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    assert paths.home() == tmp_path / "library"


def test_variables_left_by_another_appimage_are_ignored(
    shown: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "terminal").mkdir()
    monkeypatch.setenv("APPDIR", str(tmp_path / "terminal"))
    assert launch_command("mcp").command == sys.executable
