"""A short fuzzing run with a fixed seed for every target that receives network messages."""

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


@pytest.mark.parametrize("name", ["http_requests", "mcp_requests", "responses"])
def test_mutated_messages_cause_no_failure(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    fuzzing = importlib.import_module("fuzzing")
    kind = fuzzing.load(name)
    # A served request takes a quarter of a second, a parsed answer a hundredth.
    attempts = 40 if name == "http_requests" else 150
    outcomes = fuzzing.explore(kind, kind.seeds(tmp_path), tmp_path, seed=1, max_attempts=attempts)
    assert outcomes.attempts >= attempts
    assert outcomes.findings == {}
    assert outcomes.answers["answered"] > 10
