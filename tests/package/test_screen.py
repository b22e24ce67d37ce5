"""Tests of the detection of windows on an X screen, used by a benchmark."""

from __future__ import annotations

import ctypes.util
import importlib
import os
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

_WINDOW = """
from PySide6.QtWidgets import QApplication, QWidget
application = QApplication([])
window = QWidget()
window.resize({size}, {size})
window.show()
application.exec()
"""
_ON_X = {**os.environ, "QT_QPA_PLATFORM": "xcb"}


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import the module like the benchmarks, from their folder."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "benchmarks"))
    return importlib.import_module("_screen")


def test_an_unreachable_x_server_is_reported(
    screen: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", "nowhere.invalid:1")
    with pytest.raises(OSError, match=r"^(No X server answers|Windows are looked for by libX11)"):
        screen.Screen()


@pytest.mark.skipif(
    not (os.environ.get("DISPLAY") and ctypes.util.find_library("X11")), reason="no X screen"
)
def test_windows_are_detected(screen: ModuleType) -> None:
    assert screen.seconds_to_window([sys.executable, "-c", _WINDOW.format(size=300)], _ON_X) > 0
    program = shutil.which("true")
    assert program
    with pytest.raises(OSError, match="ended without a window"):
        screen.seconds_to_window([program])
