"""Locations of Winnow's files, and resolution of paths given by people."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.addresses import is_in_bucket
from core.errors import UsageError

RESOURCES = Path(__file__).resolve().parents[2] / "resources"


def absolute(path: Path | str, folder: str | None = None) -> Path:
    """Return an absolute path, with "~" and "~user" expanded if the user exists.

    A path in a bucket is returned unchanged.

    Args:
        path: as a person typed it.
        folder: the folder that relative paths are resolved in; None for the current one.

    >>> absolute("~nobody of that name/docs").parts[-2:]
    ('~nobody of that name', 'docs')

    Raises:
        UsageError: it is relative to the current folder, which has been removed.
    """
    if is_in_bucket(path):
        return Path(path)
    # By `os.path`, because `Path` raises for unknown users.
    named = Path(os.path.expanduser(path))  # noqa: PTH111
    if folder is not None:
        return Path(folder, named)
    try:
        return named.absolute()
    except FileNotFoundError as error:
        raise UsageError(
            "The current folder was removed, so {0} cannot be resolved. Change to another "
            "folder, or pass an absolute path.",
            path,
        ) from error


def home() -> Path:
    """Return the folder of the library: `WINNOW_HOME`, or the system's folder for a program's data.

    A folder `library` next to the installed program takes precedence over the latter: a portable
    Winnow.
    """
    named = os.environ.get("WINNOW_HOME")
    return absolute(named) if named else _carried("library") or usual_home()


def usual_home() -> Path:
    """Return the system's folder for a program's data, the default location of the library."""
    import platformdirs  # imported here, because packed training runs lack it

    return Path(platformdirs.user_data_dir("winnow", False))


def cache() -> Path:
    """Return the folder of caches: `WINNOW_CACHE`, or the system's."""
    import platformdirs

    named = os.environ.get("WINNOW_CACHE")
    if named:
        return absolute(named)
    return _carried("library/cache") or Path(platformdirs.user_cache_dir("winnow", False))


def add_ons() -> Path:
    """Return the folder for additional Python packages of an installed Winnow: `WINNOW_ADD_ONS`."""
    named = os.environ.get("WINNOW_ADD_ONS")
    return absolute(named) if named else home() / "add-ons"


def program_file() -> Path:
    """Return a file that starts this program, also after this process has ended.

    The files of an AppImage are mounted only while its process runs; the image itself stays. The
    environment names it, but may be inherited from another AppImage: it is ours only if this
    executable is in the mounted folder.
    """
    running = Path(sys.executable)
    whole, shown = os.environ.get("APPIMAGE"), os.environ.get("APPDIR")
    if whole and shown and running.resolve().is_relative_to(Path(shown).resolve()):
        return Path(whole)
    return running


def _carried(name: str) -> Path | None:
    """Return a path next to the installed program, if it has a portable library."""
    program_folder = program_file().parent
    if getattr(sys, "frozen", False) and (program_folder / "library").is_dir():
        return program_folder / name
    return None


# Displayed if the window is requested at a terminal without a desktop.
NO_SCREEN: Final = (
    "The window cannot be opened because there is no display. Use winnow index and winnow search, "
    "or start Winnow from a desktop."
)


@dataclass(frozen=True, slots=True)
class LaunchCommand:
    """A command that starts Winnow: program, arguments and environment variables."""

    command: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


def launch_command(*arguments: str) -> LaunchCommand:
    """Return the command that starts this Winnow, from any folder."""
    named = os.environ.get("WINNOW_HOME")
    environment = {"WINNOW_HOME": str(absolute(named))} if named else {}
    if getattr(sys, "frozen", False):
        return LaunchCommand(str(program_file()), arguments, environment)
    script = Path(sys.executable).with_name("winnow.exe" if os.name == "nt" else "winnow")
    if script.exists():
        return LaunchCommand(str(script), arguments, environment)
    return LaunchCommand(sys.executable, ("-m", "app", *arguments), environment)
