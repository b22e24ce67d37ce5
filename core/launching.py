"""How other programs start this Winnow: agents' programs, the system's list of services."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core import paths


@dataclass(frozen=True, slots=True)
class LaunchCommand:
    """How a program starts one of ours: a command, its arguments, and what else is in its world."""

    command: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


def launch_command(*arguments: str) -> LaunchCommand:
    """Return how this Winnow is started, from whatever folder and by whatever path."""
    named = os.environ.get("WINNOW_HOME")
    environment = {"WINNOW_HOME": str(paths.absolute(named))} if named else {}
    if getattr(sys, "frozen", False):
        return LaunchCommand(sys.executable, arguments, environment)
    script = Path(sys.executable).with_name("winnow.exe" if os.name == "nt" else "winnow")
    if script.exists():
        return LaunchCommand(str(script), arguments, environment)
    return LaunchCommand(sys.executable, ("-m", "app", *arguments), environment)
