"""Where the service of a library is asked, and how it is spoken to; nothing here loads anything.

A question is one line of JSON. What comes back are frames: a kind (one byte), a length (four, the
highest first) and so many bytes.
"""

from __future__ import annotations

import os
import sys
import zlib
from pathlib import Path
from typing import Final

from core import APP_ID, paths

TAKEN: Final = b"t"
"""The question is heard: whoever gets none of it within a moment answers it without the service."""
DECLINED: Final = b"n"
"""It is not for this service: of another version, or for another library."""
OUT: Final = b"o"
ERROR: Final = b"e"
"""What a command prints on its two outputs."""
ENDED: Final = b"x"
"""The end of an answer: a command's exit status, or a value, as JSON."""
HEADER_BYTES: Final = 5
LONGEST_LINE: Final = 1 << 20
# Bytes of a frame behind its header.
LONGEST_FRAME: Final = 64 << 20

# What the name of a socket may have at most, with the byte behind its end, on the system where it
# is shortest (macOS).
_LONGEST_NAME: Final = 103


def key_of(home: Path) -> str:
    """Return a short name of a library's folder, by which files of its service are told apart."""
    return f"{zlib.crc32(os.fsencode(os.path.realpath(home))):08x}"


def addresses(home: Path) -> list[str]:
    """Return where the service of the library in `home` may listen, the first choice first.

    In the folder that the desktop gives each person, or else in the library's own: to neither can
    anybody else write. Two libraries whose names collide are told apart by what is asked.
    """
    name = f"winnow-{key_of(home)}.service"
    runtime = runtime_folder()
    if not runtime and hasattr(os, "getuid"):
        # A terminal that was not opened from the desktop need not know it.
        runtime = f"/run/user/{os.getuid()}"
    places = [Path(runtime) / name] if runtime and os.access(runtime, os.W_OK | os.X_OK) else []
    places.append(Path(os.path.realpath(home)) / "service.socket")
    return [str(place) for place in places if len(os.fsencode(place)) <= _LONGEST_NAME]


def made(home: Path) -> list[str]:
    """Return those of the addresses at which somebody has made a socket: there may be a service."""
    return [*filter(os.path.exists, addresses(home))] if has_sockets() else []


def runtime_folder() -> str | None:
    """Return the folder for sockets that the desktop gives each person; None where it says of none.

    As a Flatpak it is the part that all processes of the program see: the rest is each one's own.
    """
    named = os.environ.get("XDG_RUNTIME_DIR") or None
    if named and paths.is_flatpak():
        return f"{named}/app/{APP_ID}"
    return named


def frame(kind: bytes, data: bytes = b"") -> bytes:
    r"""Return bytes as they are sent.

    >>> frame(OUT, b"ab")
    b'o\x00\x00\x00\x02ab'
    """
    return kind + len(data).to_bytes(4, "big") + data


def has_sockets() -> bool:
    """Return whether this system has sockets that are files, which the service is asked by."""
    return sys.platform != "win32"


def require_sockets() -> None:
    """Say so where this system has none.

    Raises:
        UsageError: it has none.
    """
    if not has_sockets():
        from core.errors import UsageError

        raise UsageError(
            "The service needs Unix sockets, which this system lacks; an icon in the tray keeps "
            "Winnow at work."
        )
