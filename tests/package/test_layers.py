"""Tests of the code's structure: import layers, heavy imports and file sizes."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = {"ray", "mcp", "starlette", "uvicorn", "keyring", "fsspec", "s3fs"}
HEAVY = {"torch", "transformers", "openvino", "faiss", "pypdfium2", "lxml", "olefile"} | EXTRAS
# Modules imported before the window appears or the command line prints anything.
FAST_TO_IMPORT = ("core.library.library", "core.cli", "app.__main__")
MAX_LINES = 800

SOURCES = sorted(path for part in ("app", "core", "lab") for path in (ROOT / part).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


MODULES = [module_name(path) for path in SOURCES]
OWN_MODULES = frozenset(MODULES)


def loaded_by(modules: list[str]) -> set[str]:
    """Return the top-level packages loaded in a new interpreter after importing `modules`."""
    program = (
        "import importlib, json, sys\n"
        "for name in json.loads(sys.argv[1]):\n"
        "    importlib.import_module(name)\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program, json.dumps(modules)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return set(json.loads(finished.stdout))


def test_core_and_lab_load_no_qt() -> None:
    engine = [name for name in MODULES if name.partition(".")[0] in {"core", "lab"}]
    assert "core.errors" in engine
    loaded = loaded_by(engine)
    assert "core" in loaded
    assert not {name for name in loaded if name.startswith(("PySide", "PyQt", "shiboken"))}


@pytest.mark.parametrize("module", [name for name in FAST_TO_IMPORT if name in MODULES])
def test_nothing_heavy_is_loaded_before_it_is_needed(module: str) -> None:
    assert not loaded_by([module]) & HEAVY


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_module_docstrings_start_with_a_sentence(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    first_paragraph = docstring.partition("\n\n")[0]
    assert first_paragraph.endswith((".", "?")), f"{relative(path)}: {first_paragraph!r}"


@pytest.mark.parametrize("path", [*SOURCES, *TESTS, ROOT / "dev.py"], ids=relative)
def test_files_are_not_too_long(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MAX_LINES, f"{relative(path)} has {lines} lines; split it"


def test_packaging_is_not_a_package() -> None:
    # It would shadow PyPI's `packaging`, which pip and pytest import.
    assert not (ROOT / "packaging" / "__init__.py").exists()


def imported_by(path: Path) -> set[str]:
    """Return Winnow's modules that a module imports, including late and type-only imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in OWN_MODULES else node.module)
    return found & OWN_MODULES


@cache
def imports() -> dict[str, set[str]]:
    """Return each module's imports; cached, and not computed at collection."""
    return {name: imported_by(path) for name, path in zip(MODULES, SOURCES, strict=True)}


# The remaining imports that close a cycle. Do not add to this list.
ALLOWED_CIRCULAR_IMPORTS = {
    # Type-only: the tray and the shortcut receive the window that they activate.
    ("app.desktop.integration", "app.main_window"),
}
PACKAGES = {module_name(path) for path in SOURCES if path.name == "__init__.py"}


def modules_in_cycles(graph: dict[str, set[str]]) -> list[str]:
    """Return the modules in cycles, and those that import them."""
    remaining = graph
    while leaves := {
        name for name, imported in remaining.items() if not imported & remaining.keys()
    }:
        remaining = {name: imported for name, imported in remaining.items() if name not in leaves}
    return sorted(remaining)


def imports_between_parts(package: str) -> dict[str, set[str]]:
    """Return the imports between the direct members of `package`.

    A subpackage includes all modules below it.
    """

    def part_of(module: str) -> str:
        return ".".join(module.split(".")[: package.count(".") + 2])

    found: dict[str, set[str]] = {}
    for module, imported in imports().items():
        if module.startswith(f"{package}."):
            inside = {
                part_of(name)
                for name in imported
                if name.startswith(f"{package}.") and (module, name) not in ALLOWED_CIRCULAR_IMPORTS
            }
            found.setdefault(part_of(module), set()).update(inside - {part_of(module)})
    return found


def test_there_are_no_import_cycles() -> None:
    """Late and type-only imports count too: readers must understand both modules together."""
    assert modules_in_cycles(imports()) == []


# Modules of core that core.documents may import.
ALLOWED_IMPORTS_OF_READERS = {
    "core.arrays",
    "core.common_words",
    "core.errors",
    "core.files.filesystems",
    "core.files.excluded_names",
    "core.files.locations",
    "core.optional_packages",
    "core.files.own_files",
    "core.files.paths",
    "core.printable",
    "core.progress",
}


def test_the_readers_import_a_small_base_only() -> None:
    imported = {
        name
        for module, names in imports().items()
        if module.startswith("core.documents")
        for name in names
        if not name.startswith("core.documents")
    }
    assert imported == ALLOWED_IMPORTS_OF_READERS


def test_allowed_circular_imports_still_exist() -> None:
    assert not [
        (module, name) for module, name in ALLOWED_CIRCULAR_IMPORTS if name not in imports()[module]
    ]


def contracts() -> list[dict[str, Any]]:
    """Return the contracts that import-linter checks."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return found


def test_import_linter_ignores_no_other_import() -> None:
    ignored = {line for contract in contracts() for line in contract.get("ignore_imports", ())}
    assert ignored == {f"{module} -> {name}" for module, name in ALLOWED_CIRCULAR_IMPORTS}


def test_each_package_and_top_level_module_is_in_a_layer() -> None:
    layered = {
        name.strip()
        for contract in contracts()
        if contract["type"] == "layers"
        for layer in contract["layers"]
        for name in layer.split("|")
    }
    wanted = PACKAGES | {name for name in MODULES if name.count(".") == 1}
    assert wanted - layered == set()
    assert layered - set(MODULES) == set()


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_subpackages_have_no_import_cycles(package: str) -> None:
    """Subpackages that import each other should be one package."""
    assert modules_in_cycles(imports_between_parts(package)) == []
