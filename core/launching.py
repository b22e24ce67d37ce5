"""How other programs start this Winnow: agents' programs, the system's list of services."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core import APP_ID, paths

NO_SCREEN: Final = (
    "There is no screen to open the window on; use winnow index and winnow search, or start it "
    "from a desktop."
)
"""Said where the window is asked for at a terminal without a desktop."""


@dataclass(frozen=True, slots=True)
class LaunchCommand:
    """How a program starts one of ours: a command, its arguments, and what else is in its world."""

    command: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


def launch_command(*arguments: str) -> LaunchCommand:
    """Return how other programs start this Winnow, from whatever folder and by whatever path."""
    own = own_command(*arguments)
    if not paths.is_flatpak():
        return own
    given = (f"--env={name}={value}" for name, value in own.environment.items())
    return LaunchCommand("flatpak", ("run", *given, APP_ID, *arguments))


def own_command(*arguments: str) -> LaunchCommand:
    """Return how this Winnow starts itself, as a Flatpak in its own world."""
    named = os.environ.get("WINNOW_HOME")
    environment = {"WINNOW_HOME": str(paths.absolute(named))} if named else {}
    if getattr(sys, "frozen", False):
        return LaunchCommand(str(paths.program_file()), arguments, environment)
    script = Path(sys.executable).with_name("winnow.exe" if os.name == "nt" else "winnow")
    if script.exists():
        return LaunchCommand(str(script), arguments, environment)
    return LaunchCommand(sys.executable, ("-m", "app", *arguments), environment)
