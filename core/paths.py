"""Where Winnow keeps its files."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

RESOURCES = Path(__file__).resolve().parent.parent / "resources"


def home() -> Path:
    """The folder of the library: `WINNOW_HOME`, or the system's place for a program's data."""
    named = os.environ.get("WINNOW_HOME")
    return Path(named).expanduser() if named else Path(platformdirs.user_data_dir("winnow", False))


def cache() -> Path:
    """The folder for what can be made anew: `WINNOW_CACHE`, or the system's place for caches."""
    named = os.environ.get("WINNOW_CACHE")
    return Path(named).expanduser() if named else Path(platformdirs.user_cache_dir("winnow", False))


def add_ons() -> Path:
    """The folder for Python packages that an installed Winnow comes without: `WINNOW_ADD_ONS`."""
    named = os.environ.get("WINNOW_ADD_ONS")
    return Path(named).expanduser() if named else home() / "add-ons"
