"""Documents that list what the code has, held against the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from core.documents.formats import markdown_table

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
HEADINGS = ["Context", "Decision", "What it costs"]


def dependencies() -> set[str]:
    """The names of everything that `pyproject.toml` installs, in lower case."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    return {re.split(r"[\s\[<>=!~;]", text)[0].lower() for group in groups for text in group}


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.name)
def test_each_decision_says_why_what_and_at_what_cost(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    number = path.name[:4]
    assert re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", path.name)
    assert text.startswith(f"# {number} ")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in DECISIONS]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_table_of_dependencies_names_each_and_no_other() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    named = [name.lower() for name in re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)]
    assert sorted(named) == sorted(dependencies())


def test_readme_lists_the_formats_that_there_are() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = re.search(r"^\| Format \|.*\n(?:\|.*\n)+", readme, re.MULTILINE)
    assert table, "README.md has no table that begins with | Format |"
    assert table[0] == f"{markdown_table()}\n"
