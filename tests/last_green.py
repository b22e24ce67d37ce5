"""Leaves out tests of tools and packaging while all that they use is as in the last green commit.

Only in a run of all tests without `--slow`, and never in CI.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
TOOL_TESTS: Final = "tests/package"
_KEY: Final = "winnow/green_commit"
# Every test depends on these.
_ALWAYS: Final = ("pyproject.toml", "requirements", "tests/conftest.py")
_PROGRAM: Final = ("app", "core", "resources")
_BENCHMARKS: Final = ("benchmarks", "core", "lab", "app", "resources")
_PACKAGING: Final = ("packaging", "tools", *_PROGRAM, ".github", "LICENSE", "README.md", "setup.py")
# What the tests of a file use or package, apart from the file itself: files and folders. Files of
# tests that are not named here check the code of all folders, and always run.
SUBJECTS: Final[dict[str, tuple[str, ...]]] = {
    "test_checksums": _PACKAGING,
    "test_chroot": ("packaging",),
    "test_ci": (".ci", "tests"),
    "test_dev": ("dev.py", *_BENCHMARKS, *_PACKAGING),
    "test_environment": ("tools", "core"),
    "test_formats": ("docs", *_PACKAGING),
    "test_fuzz": (*_BENCHMARKS, "tests"),
    "test_fuzzing": (*_BENCHMARKS, "tests"),
    "test_fuzzing_wire": (*_BENCHMARKS, "tests"),
    "test_install_progress": ("tools/install_progress.py",),
    "test_lock_files": ("tools",),
    "test_machine": ("benchmarks",),
    "test_package": ("docs", *_PACKAGING),
    "test_peers_at_size": _BENCHMARKS,
    "test_program": _PACKAGING,
    "test_runtime_hook": _PACKAGING,
    "test_screen": ("benchmarks",),
    "test_workflow": (".github",),
}


def git(*arguments: str) -> str | None:
    """Return the output of git in the checkout; None if it fails or is not installed."""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


def changed_since(commit: str) -> set[str] | None:
    """Return the paths that differ from a commit, new files included; None if git cannot tell."""
    tracked = git("diff", "--name-only", "--no-renames", commit)
    untracked = git("ls-files", "--others", "--exclude-standard")
    if tracked is None or untracked is None:
        return None
    return {*tracked.splitlines(), *untracked.splitlines()}


def unchanged(changed: set[str]) -> list[str]:
    """Return the files in `SUBJECTS` of which neither they nor their subjects have changed."""
    return [
        name
        for name, subjects in SUBJECTS.items()
        if not any(
            path == subject or path.startswith(f"{subject}/")
            for subject in (f"{TOOL_TESTS}/{name}.py", *_ALWAYS, *subjects)
            for path in changed
        )
    ]


class LastGreen:
    """Deselects the tests, says so, and notes each commit that is green."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._commit: str | None = None
        self._left_out: list[str] = []
        worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        if worker is not None:
            self._left_out = worker.get("left_out", [])
        elif self._is_whole_run():
            self._commit = self._clean_commit()
            green = config.cache.get(_KEY, None) if config.cache else None
            changed = changed_since(green) if green else None
            if changed is not None and not config.option.slow and not os.environ.get("CI"):
                self._left_out = unchanged(changed)

    def _is_whole_run(self) -> bool:
        options = self._config.option
        return self._config.args_source is pytest.Config.ArgsSource.TESTPATHS and not (
            options.keyword or options.markexpr or options.deselect or getattr(options, "lf", False)
        )

    def _clean_commit(self) -> str | None:
        """Return the commit that is checked out; None if anything differs from it."""
        commit = git("rev-parse", "HEAD")
        return commit.strip() if commit and git("status", "--porcelain") == "" else None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["left_out"] = self._left_out

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        left_out = {ROOT / TOOL_TESTS / f"{name}.py" for name in self._left_out}
        if deselected := [item for item in items if item.path in left_out]:
            self._config.hook.pytest_deselected(items=deselected)
            items[:] = [item for item in items if item.path not in left_out]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._left_out:
            names = ", ".join(self._left_out)
            terminalreporter.write_line(
                f"Not run, since all that they use is as in the last green commit: {names}. "
                f"To run them: python3 dev.py test {TOOL_TESTS}"
            )

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        is_green = exitstatus == pytest.ExitCode.OK and self._commit is not None
        if is_green and self._config.cache and self._clean_commit() == self._commit:
            self._config.cache.set(_KEY, self._commit)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(LastGreen(config), "last_green")
