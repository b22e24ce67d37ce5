"""The bodies of Outlook's mails that there are as compressed RTF only.

Source: [MS-OXRTFCP] Rich Text Format (RTF) Compression Algorithm.
"""

from __future__ import annotations

import struct
from typing import Final

from core.documents.office.rtf import document_of
from core.errors import DocumentError

_HEADER: Final = struct.Struct("<II4sI")  # size of what follows the first field, size, kind, sum
_COMPRESSED, _PLAIN = b"LZFu", b"MELA"
_WINDOW_BYTES: Final = 4096
# What the window holds at the beginning, so that short texts can refer to something.
_USUAL: Final = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def text_of(data: bytes) -> str:
    """Return the text of a compressed RTF body.

    Raises:
        DocumentError: It is damaged.
    """
    if len(data) < _HEADER.size:
        raise DocumentError("is damaged: the mail's text is cut off")
    _, size_bytes, kind, _ = _HEADER.unpack_from(data)
    content = data[_HEADER.size :]
    if kind == _COMPRESSED:
        content = _decompressed(content)
    elif kind != _PLAIN:
        raise DocumentError("is damaged: the mail's text is packed in no known way")
    (page,) = document_of(content[:size_bytes]).pages
    return page.text


def _decompressed(data: bytes) -> bytes:
    r"""Undo the compression: a bit says of each of eight items whether it is a reference.

    >>> _decompressed(b"\x00Crows!\r\n" + b"\x01" + struct.pack(">H", (207 << 4) | 3))
    b'Crows!\r\nCrows'
    """
    window = bytearray(_USUAL + bytes(_WINDOW_BYTES - len(_USUAL)))
    write = len(_USUAL)
    result = bytearray()
    position = 0
    while position < len(data):
        flags = data[position]
        position += 1
        for bit in range(8):
            if flags >> bit & 1:
                if position + 2 > len(data):
                    return bytes(result)
                reference = int.from_bytes(data[position : position + 2], "big")
                position += 2
                read, length = reference >> 4, (reference & 15) + 2
                if read == write % _WINDOW_BYTES:
                    return bytes(result)  # as the end is marked
                for _ in range(length):
                    byte = window[read % _WINDOW_BYTES]
                    window[write % _WINDOW_BYTES] = byte
                    result.append(byte)
                    read, write = read + 1, write + 1
            elif position < len(data):
                window[write % _WINDOW_BYTES] = data[position]
                result.append(data[position])
                position, write = position + 1, write + 1
    return bytes(result)
