"""Tests of the fuzzer for other data than documents, in `benchmarks/fuzzing`."""

from __future__ import annotations

import importlib
import json
import os
import random
import signal
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from core.errors import DocumentError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, and limits memory")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def fuzzing(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return importlib.import_module("fuzzing")


class Planted:
    """A fuzz target with every kind of failure."""

    KIND = "planted"

    def seeds(self, folder: Path) -> list[bytes]:
        assert folder.is_dir()
        return [b"good", b"refused", b"crash", b"memory", b"hang", b"error"]

    def attempt(self, data: bytes, folder: Path) -> None:
        assert folder.is_dir()
        if data == b"crash":
            os.abort()
        if data == b"hang":
            os.kill(os.getpid(), signal.SIGPROF)  # the signal of the timer
        if data == b"memory":
            bytearray(8 << 30)
        if data == b"error":
            raise KeyError(data)
        if data == b"refused":
            raise DocumentError("That is {0}.", "refused")


def test_every_kind_of_failure_is_found(
    fuzzing: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = Planted()
    outcomes = fuzzing.explore(kind, kind.seeds(tmp_path), tmp_path, 1, max_attempts=6)
    assert outcomes.answers == {"answered": 1, "DocumentError: That is {0}.": 1}
    assert set(outcomes.findings.values()) == {b"crash", b"hang", b"memory", b"error"}
    for text, data in outcomes.findings.items():
        assert fuzzing.outcome_of(kind, data, tmp_path) == text
    lines = fuzzing.fuzz_kind(kind, tmp_path, 0.2, lambda data, _fails: data, seed=1)
    assert "planted" in capsys.readouterr().out
    for line in lines:
        assert Path(line.split()[-1]).is_file()


def test_safetensors_headers_are_mutated_as_json(fuzzing: ModuleType) -> None:
    from safetensors.numpy import save

    data = save({"a": np.arange(40, dtype=np.int64), "b": np.zeros((3, 5), np.float32)})
    mutants = [fuzzing.mutate(data, [data], random.Random(seed)) for seed in range(300)]
    assert mutants == [fuzzing.mutate(data, [data], random.Random(seed)) for seed in range(300)]
    headers = [header for one in mutants if (header := fuzzing._header(one)) is not None]
    assert len(headers) > 150
    assert len({json.dumps(header) for header in headers}) > 50


def test_archive_members_are_mutated_separately(fuzzing: ModuleType) -> None:
    data = fuzzing.packed({"config.json": b'{"a": [1, 2]}', "weights": bytes(200)})
    mutants = [fuzzing.mutate(data, [data], random.Random(seed)) for seed in range(100)]
    assert sum(len(fuzzing.parts_of(one)) == 2 for one in mutants) > 70
    assert len(set(mutants)) > 50


def test_targets_are_named_like_their_modules(fuzzing: ModuleType) -> None:
    for name in fuzzing.kinds():
        kind = fuzzing.load(name)
        assert name == kind.KIND
        assert callable(kind.seeds)
        assert callable(kind.attempt)
