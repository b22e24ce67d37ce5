"""Tests of tools are left out only while all that they use is as in the last green commit."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.last_green import ROOT, SUBJECTS, TOOL_TESTS, unchanged

_IMPORT = re.compile(r"^\s*(?:from|import)\s+(app|core|lab|benchmarks|tests|tools)\b", re.MULTILINE)


def imports_of(path: Path) -> set[str]:
    return set(_IMPORT.findall(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_subjects_include_what_a_file_imports(name: str) -> None:
    """And what the benchmarks and packaging import, unless the file is of one of them alone."""
    wanted = imports_of(ROOT / TOOL_TESTS / f"{name}.py")
    for subject in {"benchmarks", "packaging"}.intersection(SUBJECTS[name]):
        if SUBJECTS[name] != (subject,):
            for path in (ROOT / subject).rglob("*.py"):
                wanted |= imports_of(path) - {"tests"}
    roots = {Path(subject).parts[0] for subject in SUBJECTS[name]}
    assert wanted <= roots
    assert all((ROOT / subject).exists() for subject in SUBJECTS[name])


def test_a_change_selects_the_tests_of_what_it_changes() -> None:
    assert set(unchanged(set())) == set(SUBJECTS)
    assert unchanged({"pyproject.toml"}) == []
    left_out = unchanged({"tools/install_progress.py"})
    assert "test_install_progress" not in left_out
    assert {"test_chroot", "test_workflow"} <= set(left_out)
    assert "test_chroot" in unchanged({"packaging_of_another/a.py", f"{TOOL_TESTS}/test_dev.py"})
    assert "test_dev" not in unchanged({f"{TOOL_TESTS}/test_dev.py"})


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with one test of a tool and one of the program."""
    root = tmp_path / "checkout"
    (root / TOOL_TESTS).mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "last_green.py", root / "tests")
    (root / "packaging").mkdir()
    (root / "packaging" / "chroot.py").write_text("")
    (root / "tests" / "test_program.py").write_text("def test_it(): pass")
    (root / TOOL_TESTS / "test_chroot.py").write_text("def test_it(): pass")
    (root / "tests" / "conftest.py").write_text(
        "pytest_plugins = ['tests.last_green']\n"
        "def pytest_addoption(parser): parser.addoption('--slow', action='store_true')\n"
    )
    (root / ".gitignore").write_text("__pycache__/\n.pytest_cache/\n")
    (root / "pytest.ini").write_text("[pytest]\ntestpaths = tests\npythonpath = .\n")
    commit(root, "init", "-q")
    return root


def commit(root: Path, *first: str) -> None:
    own = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    steps = ([first] if first else []) + [("add", "."), (*own, "commit", "-q", "-m", "A change")]
    for step in steps:
        subprocess.run(["git", *step], cwd=root, check=True)


def run(root: Path, *arguments: str, **variables: str) -> str:
    """Run all tests there as a person would, and return what is printed."""
    environment = {
        name: text for name, text in os.environ.items() if name != "CI" and "PYTEST" not in name
    }
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:randomly", *arguments],
        cwd=root,
        env={**environment, "PYTHONPATH": "", **variables},
        capture_output=True,
        encoding="utf-8",
        check=False,
    ).stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_tests_of_an_unchanged_tool_are_left_out_and_named(checkout: Path) -> None:
    assert "2 passed" in run(checkout)
    second = run(checkout)
    assert "1 passed, 1 deselected" in second
    (line,) = (line for line in second.splitlines() if line.startswith("Not run, "))
    assert "test_chroot" in line
    assert line.endswith(f"To run them: python3 dev.py test {TOOL_TESTS}")
    parallel = run(checkout, "-n", "1")
    assert "1 passed" in parallel
    assert line in parallel
    for all_run in (run(checkout, "--slow"), run(checkout, CI="1"), run(checkout, "tests")):
        assert "2 passed" in all_run
    (checkout / "packaging" / "chroot.py").write_text("import sys")
    assert "2 passed" in run(checkout)
    assert "2 passed" in run(checkout), "an uncommitted state is not noted"
    commit(checkout)
    assert "2 passed" in run(checkout)
    assert "1 deselected" in run(checkout)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_red_commit_is_not_noted(checkout: Path) -> None:
    (checkout / "tests" / "test_program.py").write_text("def test_it(): assert False")
    commit(checkout)
    assert "1 failed, 1 passed" in run(checkout)
    assert "1 failed, 1 passed" in run(checkout)
