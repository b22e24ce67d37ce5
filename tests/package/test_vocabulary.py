"""Tests of names: the vocabulary matches the code, and identifiers use plain words."""

from __future__ import annotations

import ast
import importlib
import re
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in TEXT.splitlines() if line.startswith("| ")][1:]
NAMES = [name for row in ROWS for name in re.findall(r"`([\w.]+)`", row[1])]
# Names in core/index for centroids, lists, scales and other terms, which the papers do not use.
OTHER_WORDS = {"points", "middles", "own_cells", "origins", "gains", "told", "arrange", "floors"}
# Words that identifiers must not contain: what happened to a value instead of what it is, and
# pronouns. `asked` is a query or request, `said` a message or output, `lit` highlighted.
VAGUE_WORDS = frozenset(
    {
        *("anew", "anybody", "asked", "asking", "begun", "beside", "furnish", "heed", "heeded"),
        *("heeds", "holdings", "hush", "kinship", "lender", "likeness", "lies", "lit", "lying"),
        *("mend", "mended", "mends", "nobody", "reckon", "reckoning", "said", "saying"),
        *("somebody", "thereof", "told", "untold", "whereby", "wherein", "whoever"),
    }
)
# Identifiers that say nothing on their own.
VAGUE_NAMES = frozenset(
    {"apart", "few", "given", "gone", "kept", "looked", "made", "making", "taken", "tell", "tells"}
)
CHECKED_FOLDERS = (
    *("app", "benchmarks", "core", "docs", "examples", "lab", "packaging", "tests", "tools"),
)
# Folders and files that still have such names. Remove from this set; add nothing to it.
NOT_YET_CLEAN = {
    *("core/commands/own.py", "core/library/library.py"),
    # The catalog and version 1 of the HTTP API have a column and a field `said_ns`.
    "core/catalog/document_fields.py",
    "core/catalog/maintenance.py",
    *("core/documents/files.py", "core/index/inverted_lists.py"),
    *(
        "core/index/index_writer.py",
        "core/index/native/arrays.py",
        "core/index/segment.py",
    ),
    *("core/indexing/checking.py", "core/responses.py"),
    *("core/search/query/language.py", "core/settings.py"),
}


@pytest.mark.parametrize("name", NAMES)
def test_names_in_the_vocabulary_exist(name: str) -> None:
    parts = name.split(".")
    place = next(at for at in range(len(parts) - 1, 0, -1) if _is_module(parts[:at]))
    found = importlib.import_module(".".join(parts[:place]))
    for part in parts[place:]:
        known = {one.name for one in fields(found)} if is_dataclass(found) else set()
        assert part in known or hasattr(found, part), name
        found = getattr(found, part, None)


def _is_module(parts: list[str]) -> bool:
    return ROOT.joinpath(*parts).with_suffix(".py").is_file()


def test_terms_are_unique() -> None:
    terms = [row[0].strip("| ") for row in ROWS]
    assert len(terms) > 20
    assert len(set(terms)) == len(terms)
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "core" / "index").glob("*.py")), ids=lambda p: p.stem
)
def test_the_index_uses_the_papers_terms(path: Path) -> None:
    used = set(_identifiers(ast.parse(path.read_text(encoding="utf-8"))))
    assert not used & OTHER_WORDS


def python_files(place: str) -> set[Path]:
    """Return the Python files of a folder, or a single file."""
    path = ROOT / place
    return {path} if path.suffix == ".py" else set(path.rglob("*.py"))


@pytest.mark.parametrize("folder", CHECKED_FOLDERS)
def test_identifiers_use_plain_words(folder: str) -> None:
    vague = {
        path.relative_to(ROOT).as_posix(): names
        for path in sorted(python_files(folder).difference(*map(python_files, NOT_YET_CLEAN)))
        if (names := sorted(filter(is_vague, defined_names(path))))
    }
    assert vague == {}


@pytest.mark.parametrize("place", sorted(NOT_YET_CLEAN))
def test_exceptions_are_not_clean_yet(place: str) -> None:
    """An exception is removed as soon as its names are plain."""
    assert any(is_vague(name) for path in python_files(place) for name in defined_names(path))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("told", True),
        ("was_told", True),
        ("AskedAnew", True),
        ("_LIT_WORDS", True),
        ("kept", True),
        ("_kept", True),
        ("split", False),
        ("is_kept", False),
        ("folder", False),
    ],
)
def test_vague_names_are_recognised(name: str, expected: bool) -> None:
    assert is_vague(name) is expected


def is_vague(name: str) -> bool:
    words = {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}
    return bool(words & VAGUE_WORDS) or name.strip("_").lower() in VAGUE_NAMES


@cache
def defined_names(path: Path) -> frozenset[str]:
    """Return the name of a module and of its classes, functions, variables and attributes."""
    found = {path.stem}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
    return frozenset(found)


def _identifiers(tree: ast.AST) -> set[str]:
    """Return all names, including those that a module only uses."""
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
