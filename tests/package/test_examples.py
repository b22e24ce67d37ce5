"""Runs the scripts in `examples/` on a small library."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path
from types import ModuleType

import pytest

from core.library.library import Library
from tests.conftest import write_files

FOLDER = Path(__file__).resolve().parents[2] / "examples"


def load(name: str) -> ModuleType:
    """Load an example as a module of its own, which stays out of `sys.modules`."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    write_files(
        folder,
        {
            "owl.txt": "Owls hunt mice at night. Their feathers make no sound.",
            "tax.txt": "A receipt has to be kept for seven years.",
            "broken.pdf": "This is no PDF.",
        },
    )
    return folder


def test_a_folder_is_indexed_searched_and_explained(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "library"
    load("index_folder").main(notes, home)
    printed = capsys.readouterr().out
    assert "2 documents, 2 passages" in printed
    assert f"{notes / 'broken.pdf'}: " in printed

    load("search").main(home, "which birds are silent at night")
    printed = capsys.readouterr().out
    assert printed.startswith("owl.txt, page 1: Owls hunt mice at night.")
    assert "night" in printed.splitlines()[1]

    load("explain").main(home, "which birds are silent at night")
    *terms, score = capsys.readouterr().out.splitlines()[1:]
    total = sum(float(line.split()[0]) * float(line.split()[2]) for line in terms)
    # Each printed value is rounded to three digits, each weight to two.
    assert float(score.split()[0]) == pytest.approx(total, abs=0.05)


def test_changes_are_followed_until_it_is_stopped(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "library"
    with Library.open(home) as library:
        library.add_folder(notes)
    stop = threading.Event()
    stop.set()
    load("follow_changes").main(home, stop)
    with Library.open(home) as library:
        assert library.status().documents == 2


def test_a_library_is_built_with_another_model(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load("another_model").main(notes, tmp_path / "library", "winnow-mini")
    assert capsys.readouterr().out == "2 passages encoded with winnow-mini\n"
