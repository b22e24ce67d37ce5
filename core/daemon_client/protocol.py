"""How a caller and the service of a library communicate; loads the standard library alone.

A caller sends one line of JSON: its version, the library's folder, the name of a request, and the
request's value. A request is one of `core.requests`, a command to run, or a control
message. The service replies in frames: a kind (one byte), a length (four bytes, big-endian) and
that many bytes.
"""

from __future__ import annotations

from typing import BinaryIO, Final

# Kinds of frames.
ACCEPTED: Final = b"a"
"""The request was received. A caller that does not get this soon continues without the service."""
DECLINED: Final = b"d"
"""The request is for another version, another library, or unknown."""
OUT: Final = b"o"
ERROR: Final = b"e"
"""A piece of a command's standard output or standard error."""
RESPONSE: Final = b"r"
"""The last frame: a command's exit status, or a value as JSON."""

# Requests in addition to those of `core.requests`.
RUN_COMMAND: Final = "RunCommand"
STATUS: Final = "GetServiceStatus"
HOLD: Final = "HoldChanges"
"""Changes nothing in the library until the connection is closed."""
WARM_UP: Final = "WarmUp"
"""Loads the model; the response does not wait for it."""
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
        DeclinedError: there is none, or it is not a frame.
    """
    header = stream.read(_HEADER_BYTES)
    length = int.from_bytes(header[1:], "big")
    if length > _LONGEST_FRAME:
        raise DeclinedError
    data = stream.read(length)
    if len(header) < _HEADER_BYTES or len(data) < length:
        raise DeclinedError
    return header[:1], data
