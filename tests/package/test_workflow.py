"""Tests that workflows name what they use exactly: a tag can be moved, a newest version changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

WORKFLOWS = Path(__file__).resolve().parents[2] / ".github" / "workflows"


@pytest.mark.parametrize("path", sorted(WORKFLOWS.glob("*.yml")), ids=lambda path: path.name)
def test_actions_are_pinned_to_a_commit(path: Path) -> None:
    used = re.findall(r"^ *-? *uses: *(.+)$", path.read_text("utf-8"), re.MULTILINE)
    assert used
    for action in used:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}  # v[\d.]+", action)


@pytest.mark.parametrize("path", sorted(WORKFLOWS.glob("*.yml")), ids=lambda path: path.name)
def test_programs_from_chocolatey_have_a_version(path: Path) -> None:
    for command in re.findall(r"choco install .*", path.read_text("utf-8")):
        assert re.search(r" --version=\d+\.\d+", command), command
