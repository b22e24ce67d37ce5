"""The passes of `.ci/run` name tests that exist."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".ci" / "run"
PATTERNS = sorted(set(re.findall(r"tests/\S+", SCRIPT.read_text(encoding="utf-8"))))


def test_there_are_patterns() -> None:
    assert len(PATTERNS) > 4


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_path_exists(pattern: str) -> None:
    """pytest runs nothing at all when one of its paths is missing."""
    expanded = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' {pattern}"], capture_output=True, text=True, check=True
    ).stdout.split()
    missing = [path for path in expanded if not (ROOT / path.partition("::")[0]).exists()]
    assert not missing
