"""What comes over the wire, changed at random but always in the same way: no input is a failure."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="forks, and limits memory"),
    pytest.mark.enable_socket,
    pytest.mark.allow_hosts(["127.0.0.1"]),
]
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["http", "mcp", "responses"])
def test_no_changed_input_is_a_failure(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    fuzzing = importlib.import_module("fuzzing")
    kind = fuzzing.kinds()[name]
    outcomes = fuzzing.explored(kind, kind.seeds(tmp_path), tmp_path, seed=1, most=150)
    assert outcomes.attempts >= 150
    assert outcomes.findings == {}
    assert outcomes.answers["answered"] > 10
