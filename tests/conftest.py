"""What holds for every test: a home of its own, no network, no screen."""

from __future__ import annotations

import os
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


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that Winnow writes to during this test; it is not there yet."""
    folder = tmp_path_factory.mktemp("home") / "winnow"
    monkeypatch.setenv("WINNOW_HOME", str(folder))
    return folder
