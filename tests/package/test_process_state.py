"""The check after each test names what a test leaves to others, and accepts what it may leave."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEAVING_TESTS = """
import os, string, sys, threading, types
import pytest

kept = []

def test_replaces_a_module():
    sys.modules["string"] = types.ModuleType("string")

def test_removes_a_module():
    del sys.modules["string"]

def test_adds_to_the_path(tmp_path):
    sys.path.append(str(tmp_path))

def test_sets_a_variable():
    os.environ["WINNOW_LEFT"] = "1"

def test_removes_a_variable():
    del os.environ["HOME"]

def test_changes_the_directory(tmp_path):
    os.chdir(tmp_path)

def test_leaves_a_thread():
    kept.append(threading.Event())
    threading.Thread(target=kept[-1].wait, name="left", daemon=True).start()

@pytest.mark.skipif(sys.platform != "linux", reason="open files are listed on Linux only")
def test_leaves_a_file_open(tmp_path):
    kept.append(open(tmp_path / "left.txt", "w"))

def test_undoes_its_changes(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "string", types.ModuleType("string"))
    monkeypatch.delitem(sys.modules, "textwrap", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("WINNOW_LEFT", "1")
    monkeypatch.chdir(tmp_path)
    with open("closed.txt", "w"):
        pass

def test_imports_a_module():
    sys.modules.pop("this_is_new", None)
    sys.modules["this_is_new"] = types.ModuleType("this_is_new")

def test_ends_a_thread_soon():
    threading.Timer(0.2, kept.clear).start()
"""
NAMED = {
    "replaces_a_module": "modules replaced or removed: string",
    "removes_a_module": "modules replaced or removed: string",
    "adds_to_the_path": "sys.path changed",
    "sets_a_variable": "environment changed: WINNOW_LEFT",
    "removes_a_variable": "environment changed: HOME",
    "changes_the_directory": "working directory changed",
    "leaves_a_thread": "threads left running: <Thread(left",
    "leaves_a_file_open": "files left open: ",
}
ACCEPTED = ("undoes_its_changes", "imports_a_module", "ends_a_thread_soon")


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The error at the end of each of these tests, "" without one."""
    folder = tmp_path_factory.mktemp("leaving")
    path, report = folder / "test_leaving.py", folder / "report.xml"
    path.write_text(LEAVING_TESTS, encoding="utf-8")
    # The thread that stays is waited for two seconds only, a tenth of this patience.
    start = "import sys, pytest, tests.process_state as s; s.patience = lambda: 20.0; "
    start += "sys.exit(pytest.main(sys.argv[1:], plugins=[s]))"
    options = ["-p", "no:cacheprovider", "-p", "no:randomly", "-c", os.devnull]
    done = subprocess.run(
        [sys.executable, "-c", start, *options, "--rootdir", folder, "--junitxml", report, path],
        # Without PYTEST_ADDOPTS, where CI passes the seed: there are no plug-ins here to read it.
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return {
        str(case.get("name")).removeprefix("test_"): "".join(element.text or "" for element in case)
        for case in ET.parse(report).iter("testcase")
    }


@pytest.mark.parametrize("name", NAMED)
def test_a_test_that_leaves_something_fails(name: str, errors: dict[str, str]) -> None:
    if name == "leaves_a_file_open" and sys.platform != "linux":
        pytest.skip("open files are listed on Linux only")
    assert "This test leaves to the tests after it" in errors[name]
    assert NAMED[name] in errors[name]


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_test_that_leaves_nothing_passes(name: str, errors: dict[str, str]) -> None:
    assert errors[name] == ""
