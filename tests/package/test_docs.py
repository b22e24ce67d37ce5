"""Tests that compare the documents with the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))
MEASUREMENTS = sorted((DOCS / "measurements").glob("*.md"))
DOCUMENTS = sorted({*ROOT.glob("*.md"), *DOCS.glob("*.md"), *DECISIONS, *MEASUREMENTS})
DOCUMENTS_NAMING_FILES = [DOCS / "architecture.md", *DECISIONS, *MEASUREMENTS]
HEADINGS = ["Context", "Decision", "Consequences"]
MAX_WORDS = 450
MAX_DECISIONS = 40
FOLDERS = ("app", "benchmarks", "core", "docs", "lab", "packaging", "resources", "tests", "tools")
COMMAND = re.compile(
    r"(?:^    |`)(?:xvfb-run )?(?:winnow |python3 dev\.py (?:bench|package|test)\b)", re.MULTILINE
)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def dependencies() -> set[str]:
    """Return the names of all dependencies in `pyproject.toml`, in lower case."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    return {re.split(r"[\s\[<>=!~;]", text)[0].lower() for group in groups for text in group}


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.name)
def test_each_decision_has_context_decision_and_consequences(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    number = path.name[:4]
    assert re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", path.name)
    assert text.startswith(f"# {number} ")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.name)
def test_decisions_have_at_most_a_page(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").split()) <= MAX_WORDS


def test_the_number_of_decisions_is_limited_and_each_has_its_own_number() -> None:
    numbers = [path.name[:4] for path in DECISIONS]
    assert len(numbers) == len(set(numbers)) <= MAX_DECISIONS


@pytest.mark.parametrize("path", MEASUREMENTS, ids=lambda path: path.name)
def test_each_table_of_measurements_names_its_command(path: Path) -> None:
    for section in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
        if re.search(r"^\|", section, re.MULTILINE):
            has_command = COMMAND.search(section) or "scratch" in section.lower()
            assert has_command, section.partition("\n")[0]


def test_the_list_of_measurements_is_complete() -> None:
    text = (DOCS / "measurements" / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"^- \[.+?\]\((.+?)\): ", text, re.MULTILINE)
    assert sorted([*named, "README.md"]) == [path.name for path in MEASUREMENTS]


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_links_between_documents_are_not_broken(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:)([^)#\s]+)", text)
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.fixture(scope="session")
def files() -> set[str]:
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*"))
    return {f"/{relative(path)}" for path in [*found, *ROOT.glob("*.*")] if path.is_file()}


@pytest.mark.parametrize("path", DOCUMENTS_NAMING_FILES, ids=relative)
def test_files_named_in_documents_exist(path: Path, files: set[str]) -> None:
    """Files can be named relative to any parent folder; folders are relative to the root."""
    names = set(re.findall(r"`([\w./-]+)`", path.read_text(encoding="utf-8")))
    of_files = {name for name in names if re.fullmatch(r"[\w./-]+\.(py|c|spec)", name)}
    of_folders = {name for name in names if name.endswith("/") and name.startswith(FOLDERS)}
    missing = {name for name in of_files if not any(file.endswith(f"/{name}") for file in files)}
    missing |= {name for name in of_folders if not (ROOT / name).is_dir()}
    missing |= {
        name
        for name in names
        if re.match(r"(app|core|lab)\.\w", name) and not is_module_or_member(name)
    }
    assert missing == set()


def is_module_or_member(name: str) -> bool:
    """Return whether `core.package.module.Member` exists; a member is any word of its module."""
    place, *parts = [ROOT, *name.split(".")]
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    module = place / f"{parts[0]}.py" if parts else place / "__init__.py"
    if not module.is_file():
        return False
    return len(parts) < 2 or parts[1] in re.findall(r"\w+", module.read_text(encoding="utf-8"))


def test_the_table_of_dependencies_is_complete() -> None:
    text = (DOCS / "dependencies.md").read_text(encoding="utf-8")
    named = [name.lower() for name in re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)]
    assert sorted(named) == sorted(dependencies())
