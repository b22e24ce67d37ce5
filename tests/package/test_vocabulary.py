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
# Parameters that do not say what they are: an id is a `document_id`, `passage_id`, `folder_id` or
# `segment_id`, a position an `index`, `offset`, `path` or `point`, and a result has the name of
# what it is. The tests are not checked.
VAGUE_PARAMETERS = frozenset({"found", "number", "numbers", "one", "place", "places"})
PARAMETER_FOLDERS = ("app", "benchmarks", "core", "lab", "packaging", "tools")
# Names that others chose, by file.
EXCEPTIONS = {
    # A column of the catalog, and a field in version 1 of the HTTP API.
    ("core/catalog/document_fields.py", "said_ns"),
    # A method of Python's files.
    ("core/documents/files.py", "tell"),
}


@pytest.mark.parametrize("name", NAMES)
def test_names_in_the_vocabulary_exist(name: str) -> None:
    parts = name.split(".")
    length = next(at for at in range(len(parts) - 1, 0, -1) if _is_module(parts[:at]))
    owner = importlib.import_module(".".join(parts[:length]))
    for part in parts[length:]:
        known = {each.name for each in fields(owner)} if is_dataclass(owner) else set()
        assert part in known or hasattr(owner, part), name
        owner = getattr(owner, part, None)


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


def _paths(folder: str) -> list[str]:
    """Return the Python files of a folder, relative to the project's."""
    return [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("folder", CHECKED_FOLDERS)
def test_identifiers_use_plain_words(folder: str) -> None:
    vague = {
        (path, name)
        for path in _paths(folder)
        for name in defined_names(ROOT / path)
        if is_vague(name)
    }
    assert vague == {each for each in EXCEPTIONS if each[0].startswith(f"{folder}/")}


@pytest.mark.parametrize("folder", PARAMETER_FOLDERS)
def test_parameters_say_what_they_are(folder: str) -> None:
    vague = {
        (path, node.lineno, node.arg)
        for path in _paths(folder)
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        if isinstance(node, ast.arg) and node.arg.strip("_") in VAGUE_PARAMETERS
    }
    assert vague == set()


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
    names = {path.stem}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
    return frozenset(names)


def _identifiers(tree: ast.AST) -> set[str]:
    """Return all names, including those that a module only uses."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.keyword) and node.arg:
            names.add(node.arg)
    return names
