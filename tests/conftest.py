"""What holds for every test: a home of its own, no network, no screen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import hypothesis
import pytest

# Before anything imports Qt or transformers: both read these while they are loaded.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

# Times vary too much on a shared machine for a deadline; in CI a failure must not depend on luck.
hypothesis.settings.register_profile("winnow", deadline=None)
hypothesis.settings.register_profile("winnow-ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("winnow-ci" if os.environ.get("CI") else "winnow")

# A worker holds the model and torch. More workers than these would be idle before all have started.
WORKER_BYTES = 2 << 30
MOST_WORKERS = 8


def processors() -> int:
    """How many processors this process may use."""
    may_use = getattr(os, "sched_getaffinity", None)
    return len(may_use(0)) if may_use is not None else os.cpu_count() or 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """As many workers as there are processors and memory for."""
    import psutil

    room = psutil.virtual_memory().available // WORKER_BYTES
    return max(1, min(processors(), room, MOST_WORKERS))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: Sequence[object]) -> None:
    """Share the processors among the workers: threads of each would wait for those of the others.

    What computes reads these while it is loaded, in the workers and in what they start.
    """
    threads = str(max(1, processors() // len(specs)))
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", threads)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that Winnow writes to during this test; it is not there yet."""
    folder = tmp_path_factory.mktemp("home") / "winnow"
    monkeypatch.setenv("WINNOW_HOME", str(folder))
    return folder
