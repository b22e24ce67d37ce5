"""The protocol between a caller and the service of a library; imports only the standard library.

A caller sends one line of JSON: its version, the library's folder, the name of a request, and the
request's value. A request is one of `core.requests`, a command to run, or a control
message. The service replies in frames: a kind (one byte), a length (four bytes, big-endian) and
that many bytes.
"""

import os
import sys
import zlib
from pathlib import Path
from typing import BinaryIO, Final

# Kinds of frames.

# The request was received. A caller that does not get this soon continues without the service.
ACCEPTED: Final = b"a"
# The request is for another version, another library, or unknown.
DECLINED: Final = b"d"
# A piece of a command's standard output or standard error.
OUT: Final = b"o"
ERROR: Final = b"e"
# The last frame: a command's exit status, or a value as JSON.
RESPONSE: Final = b"r"

# Requests in addition to those of `core.requests`.
RUN_COMMAND: Final = "RunCommand"
STATUS: Final = "GetServiceStatus"
# Changes nothing in the library until the connection is closed.
HOLD: Final = "HoldChanges"
# Loads the model; the response does not wait for it.
WARM_UP: Final = "WarmUp"
END: Final = "EndService"

LONGEST_LINE: Final = 1 << 20
_HEADER_BYTES: Final = 5
# Bytes of a frame after its header.
_LONGEST_FRAME: Final = 64 << 20


class DeclinedError(Exception):
    """The service cannot answer, or ended before it did; the caller continues without it."""


def frame(kind: bytes, data: bytes = b"") -> bytes:
    r"""Return the bytes of a frame.

    >>> frame(OUT, b"ab")
    b'o\x00\x00\x00\x02ab'
    """
    return kind + len(data).to_bytes(4, "big") + data


def read_frame(stream: BinaryIO) -> tuple[bytes, bytes]:
    """Return the kind and the bytes of the next frame.

    Raises:
        DeclinedError: the stream has ended or is invalid.
    """
    header = stream.read(_HEADER_BYTES)
    length = int.from_bytes(header[1:], "big")
    if length > _LONGEST_FRAME:
        raise DeclinedError
    data = stream.read(length)
    if len(header) < _HEADER_BYTES or len(data) < length:
        raise DeclinedError
    return header[:1], data


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
    paths = [Path(runtime) / name] if runtime and os.access(runtime, os.W_OK | os.X_OK) else []
    paths.append(Path(os.path.realpath(home)) / "service.socket")
    return [str(path) for path in paths if len(os.fsencode(path)) <= _LONGEST_NAME]


def existing_addresses(home: Path) -> list[str]:
    """Return the addresses at which there is a socket, and possibly a running service."""
    return [*filter(os.path.exists, addresses(home))] if has_sockets() else []


def runtime_folder() -> str | None:
    """Return the user's runtime folder (XDG_RUNTIME_DIR); None if it is not set."""
    return os.environ.get("XDG_RUNTIME_DIR") or None


def has_sockets() -> bool:
    """Return whether this system has Unix domain sockets."""
    return sys.platform != "win32"


def require_sockets() -> None:
    """Check that this system has Unix domain sockets.

    Raises:
        UsageError: it has no such sockets.
    """
    if not has_sockets():
        from core.errors import UsageError

        raise UsageError(
            "The service requires Unix sockets, which this system does not support. Use the tray "
            "icon to keep Winnow running."
        )
