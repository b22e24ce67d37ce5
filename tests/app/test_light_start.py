"""A command loads few modules: none of other commands, of indexing or of the window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.documents.document import Document, Page
from core.library.library import Library

ROOT = Path(__file__).resolve().parents[2]
OWN = frozenset({"app", "core", "lab"})
_PROGRAM = """
import json, sys
from app.__main__ import main
try:
    status = main(sys.argv[1:])
except SystemExit as ended:
    status = ended.code or 0
print(json.dumps([status, sorted(sys.modules)]), file=sys.stderr)
"""


def loaded_by(home: Path, *command: str) -> set[str]:
    """Return the modules that a command loads in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *command],
        cwd=ROOT,
        env={**os.environ, "WINNOW_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    status, modules = json.loads(done.stderr.splitlines()[-1])
    assert status == 0, done.stderr
    return set(modules)


@pytest.mark.parametrize(
    ("command", "most"),
    [("--version", 15), ("--help", 55), ("search --help", 40)],
)
def test_what_needs_no_library_loads_little(command: str, most: int, tmp_path: Path) -> None:
    loaded = loaded_by(tmp_path, *command.split())
    assert len({name for name in loaded if name.partition(".")[0] in OWN}) <= most
    assert not loaded & {"numpy", "rich", "PySide6", "multiprocessing", "importlib.metadata"}
    assert "core.library.library" not in loaded


def test_a_search_by_words_opens_the_catalog_alone(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        library.add_collection("birds", [("crow", Document("", (Page(1, "A crow hides food."),)))])
    loaded = loaded_by(tmp_path, "search", "--mode", "words", "crow")
    assert len({name for name in loaded if name.partition(".")[0] in OWN}) <= 90
    assert not loaded & {
        "numpy",
        "rich",
        "PySide6",
        "core.library.library",
        "core.documents.reader",
    }
