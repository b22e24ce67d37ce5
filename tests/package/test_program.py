"""Tests of the smoke test."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
try:
    program = importlib.import_module("program")
finally:
    sys.path.remove(str(ROOT / "packaging"))


@pytest.mark.timeout(240)  # the first run on a machine converts the model and compiles
@pytest.mark.slow
def test_the_smoke_test_passes(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TMPDIR": str(tmp_path)}
    environment["PYTHONPATH"] = str(ROOT)
    finished = subprocess.run(
        [sys.executable, "packaging/program.py", "--smoke-test"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (finished.returncode, "FAILED" in finished.stdout) == (0, False), (
        finished.stdout + finished.stderr
    )
    assert "search: lighthouse.pdf first of" in finished.stdout
    # Its temporary files are deleted; torch, which converts the model once, leaves a folder.
    assert list(tmp_path.glob("winnow-*")) == []


def test_failures_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    test = program.SmokeTest(tmp_path)
    monkeypatch.setitem(sys.modules, "core.documents.office.doc", None)
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))

    test.check_modules()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    test.check_kernels()

    output = capsys.readouterr().out
    assert "FAILED: Word 97–2003 document: import of core.documents.office.doc halted" in output
    assert "FAILED: the package lacks the compiled loops" in output
    assert not test.is_finished
