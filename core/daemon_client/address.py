"""Where the service of a library listens; loads the standard library alone."""

from __future__ import annotations

import os
import sys
import zlib
from pathlib import Path
from typing import Final

from core import APP_ID, paths

# Bytes of a socket's path without the terminating one, on the system with the lowest limit (macOS).
_LONGEST_NAME: Final = 103


def key_of(home: Path) -> str:
    """Return a short key of a library's folder, used in the names of its service's files."""
    return f"{zlib.crc32(os.fsencode(os.path.realpath(home))):08x}"


def addresses(home: Path) -> list[str]:
    """Return the sockets that the service of the library in `home` may use, in order of preference.

    The first is in the user's runtime folder, the second in the library's own: only the user can
    write to either. If the keys of two libraries collide, the folder in each request differs.
    """
    name = f"winnow-{key_of(home)}.service"
    runtime = runtime_folder()
    if not runtime and hasattr(os, "getuid"):
        # The variable may be missing in a terminal that was not opened from the desktop.
        runtime = f"/run/user/{os.getuid()}"
    places = [Path(runtime) / name] if runtime and os.access(runtime, os.W_OK | os.X_OK) else []
    places.append(Path(os.path.realpath(home)) / "service.socket")
    return [str(place) for place in places if len(os.fsencode(place)) <= _LONGEST_NAME]


def existing_addresses(home: Path) -> list[str]:
    """Return the addresses at which there is a socket, and possibly a running service."""
    return [*filter(os.path.exists, addresses(home))] if has_sockets() else []


def runtime_folder() -> str | None:
    """Return the user's runtime folder (XDG_RUNTIME_DIR); None if it is not set.

    In a Flatpak it is the subfolder that is shared by all processes of the program.
    """
    named = os.environ.get("XDG_RUNTIME_DIR") or None
    if named and paths.is_flatpak():
        return f"{named}/app/{APP_ID}"
    return named


def has_sockets() -> bool:
    """Return whether this system has Unix domain sockets."""
    return sys.platform != "win32"


def require_sockets() -> None:
    """Check that this system has Unix domain sockets.

    Raises:
        UsageError: it has none.
    """
    if not has_sockets():
        from core.errors import UsageError

        raise UsageError(
            "The service needs Unix sockets, which this system lacks; an icon in the tray keeps "
            "Winnow at work."
        )
