"""The vocabulary names what there is, and the index uses no other words for it."""

from __future__ import annotations

import ast
import importlib
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in TEXT.splitlines() if line.startswith("| ")][1:]
NAMES = [name for row in ROWS for name in re.findall(r"`([\w.]+)`", row[1])]
# Words for centroids, lists, scales and others that the papers do not use.
OTHER_WORDS = {"points", "middles", "own_cells", "origins", "gains", "told", "arrange", "floors"}


@pytest.mark.parametrize("name", NAMES)
def test_what_the_vocabulary_names_is_there(name: str) -> None:
    parts = name.split(".")
    place = next(at for at in range(len(parts) - 1, 0, -1) if _is_module(parts[:at]))
    found = importlib.import_module(".".join(parts[:place]))
    for part in parts[place:]:
        known = {one.name for one in fields(found)} if is_dataclass(found) else set()
        assert part in known or hasattr(found, part), name
        found = getattr(found, part, None)


def _is_module(parts: list[str]) -> bool:
    return ROOT.joinpath(*parts).with_suffix(".py").is_file()


def test_each_term_is_there_once() -> None:
    terms = [row[0].strip("| ") for row in ROWS]
    assert len(terms) > 20
    assert len(set(terms)) == len(terms)
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "core" / "index").glob("*.py")), ids=lambda p: p.stem
)
def test_the_index_uses_no_other_words(path: Path) -> None:
    used = set(_identifiers(ast.parse(path.read_text(encoding="utf-8"))))
    assert not used & OTHER_WORDS


def _identifiers(tree: ast.AST) -> set[str]:
    """All names of classes, functions, parameters, variables and attributes."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
    return found
