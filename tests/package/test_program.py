"""What proves that a package works must itself work, and must notice what does not."""

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
def test_a_sound_winnow_passes(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TMPDIR": str(tmp_path)}
    environment["PYTHONPATH"] = str(ROOT)
    ran = subprocess.run(
        [sys.executable, "packaging/program.py", "--smoke-test"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, "FAILED" in ran.stdout) == (0, False), ran.stdout + ran.stderr
    assert "search: lighthouse.pdf first of" in ran.stdout
    # What it made is gone; torch, which converts the model once, leaves a folder of its own.
    assert list(tmp_path.glob("winnow-*")) == []


def test_what_is_not_as_it_should_be_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    test = program.SmokeTest(tmp_path)
    monkeypatch.setitem(sys.modules, "core.documents.office.doc", None)
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))

    test.check_modules()
    test.check_kernels()

    said = capsys.readouterr().out
    assert "FAILED: Old Word document: import of core.documents.office.doc halted" in said
    assert "FAILED: the package lacks the compiled loops" in said
    assert not test.is_finished
