"""Tests of the runtime hook: a running service answers before the packaged program loads."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import app.__main__ as program
from core.daemon_client import client

ROOT = Path(__file__).resolve().parents[2]
HOOK = ROOT / "packaging" / "runtime_hook.py"


def test_the_program_exits_if_the_service_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = []
    monkeypatch.setattr(sys, "argv", ["winnow", "search", "lamp"])
    monkeypatch.setattr(
        client, "run_command", lambda _home, arguments: commands.append(arguments) or 3
    )
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(HOOK))
    assert ended.value.code == 3
    assert commands == [["search", "lamp"]]


@pytest.mark.parametrize("arguments", [["search", "lamp"], ["index"], ["--version"], []])
def test_without_a_service_nothing_changes(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["winnow", *arguments])
    monkeypatch.setattr(client, "run_command", lambda _home, _arguments: None)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/winnow/_internal")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/home/ann/lib")
    before = dict(os.environ)
    runpy.run_path(str(HOOK))
    assert dict(os.environ) == before
    # The user's own value is restored later.
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    program._forget_own_libraries()
    assert os.environ["LD_LIBRARY_PATH"] == "/home/ann/lib"


def test_the_service_is_queried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = []
    monkeypatch.setattr(
        client, "run_command", lambda _home, arguments: commands.append(arguments) or 0
    )
    monkeypatch.setattr("core.cli.main", lambda _arguments: 5)
    assert program.main(["status"]) == 0
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert program.main(["status"]) == 5
    assert commands == [["status"]]


def test_the_hook_loads_no_heavy_modules() -> None:
    code = (
        "import sys, runpy; sys.argv = ['winnow', '--version']\n"
        f"runpy.run_path({str(HOOK)!r})\n"
        "print(*sys.modules, sep='\\n')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in ran.stdout.split()}
    assert not loaded & {"click", "multiprocessing", "numpy", "PySide6", "sqlite3", "tarfile"}
