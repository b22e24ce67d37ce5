"""How the text of Palm's and Mobipocket's books is packed: PalmDOC's pairs, and HUFF/CDIC codes.

Both are told by https://wiki.mobileread.com/wiki/PalmDOC and https://wiki.mobileread.com/wiki/MOBI;
the tables of HUFF and CDIC records beside the code that reads them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

from core.documents.damage import DamageError, as_damage

_LONGEST_RECORD: Final = 1 << 20
"""Bytes that one record of text unpacks to; books have 4,096."""
_DEEPEST: Final = 32
"""Phrases that are packed in phrases."""
_WHAT: Final = "a part of it cannot be unpacked"


def unpack_pairs(data: bytes) -> bytes:
    r"""Return what PalmDOC packed: bytes, runs of them, repetitions, and spaces before letters.

    Raises:
        DamageError: it repeats what is not there.

    >>> unpack_pairs(b"\x02\xffacrow" + bytes([0x80, 4 << 3 | 1]) + b"\xf3")
    b'\xffacrowcrow s'
    """
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        at += 1
        if 1 <= code <= 8:
            out += data[at : at + code]
            at += code
        elif code < 0x80:
            out.append(code)
        elif code < 0xC0:
            if at == len(data):
                break
            pair = (code << 8 | data[at]) & 0x3FFF
            at += 1
            distance, length = pair >> 3, (pair & 7) + 3
            if not 0 < distance <= len(out):
                raise DamageError("is damaged: {0}", _WHAT)
            for _ in range(length):  # what is repeated may be longer than what is there yet
                out.append(out[-distance])
        else:
            out += bytes((0x20, code ^ 0x80))
    return bytes(out)


class HuffmanPhrases:
    """Unpacks records by one HUFF record, the codes, and the CDIC records, the phrases.

    Raises:
        DamageError: the records are not whole.
    """

    def __init__(self, codes: bytes, phrases: Sequence[bytes]) -> None:
        with as_damage(_WHAT, struct.error, IndexError):
            self._read_codes(codes)
            self._phrases: list[tuple[bytes, bool]] = []
            for record in phrases:
                self._read_phrases(record)
        self._unpacked: dict[int, bytes] = {}

    def _read_codes(self, record: bytes) -> None:
        """Read two tables: of codes by their first 8 bits, and of the longer ones by their length.

        An entry of the first is a code's length in 5 bits, whether it ends there in 1, and in 24
        the greatest code of that length; the second has the least and the greatest of 1 to 32.
        """
        first, second = struct.unpack_from(">LL", record, 8)
        self._short: list[tuple[int, bool, int]] = []
        for entry in struct.unpack_from(">256L", record, first):
            length = entry & 0x1F
            most = ((entry >> 8) + 1 << 32 - length) - 1
            self._short.append((length, bool(entry & 0x80), most))
        bounds = struct.unpack_from(">64L", record, second)
        self._least = [0, *(bounds[2 * n - 2] << 32 - n for n in range(1, 33))]
        self._most = [0, *((bounds[2 * n - 1] + 1 << 32 - n) - 1 for n in range(1, 33))]

    def _read_phrases(self, record: bytes) -> None:
        """Read phrases: behind their places a length in 15 bits, and whether one is not packed."""
        count, bits = struct.unpack_from(">LL", record, 8)
        here = max(0, min(1 << min(bits, 16), count - len(self._phrases)))
        for place in struct.unpack_from(f">{here}H", record, 16):
            (size,) = struct.unpack_from(">H", record, 16 + place)
            begin = 18 + place
            self._phrases.append((record[begin : begin + (size & 0x7FFF)], bool(size & 0x8000)))

    def unpack(self, data: bytes) -> bytes:
        """Return what a record holds.

        Raises:
            DamageError: it has codes that stand for nothing, or unpacks without measure.
        """
        return self._unpack(data, 0)

    def _unpack(self, data: bytes, depth: int) -> bytes:
        if depth > _DEEPEST:
            raise DamageError("is damaged: {0}", _WHAT)
        # Behind the end stand zeros, so that the last code can be looked at like any other.
        bits = int.from_bytes(data) << 32
        left = 8 * len(data)
        out = bytearray()
        while left > 0:
            # All but what is left is cut off: the number never gets longer than it is.
            code = bits >> left & 0xFFFFFFFF
            length, ends, most = self._short[code >> 24]
            if not ends:
                while 0 < length <= 32 and code < self._least[length]:
                    length += 1
                most = self._most[length] if length <= 32 else 0
            if not 0 < length <= 32:
                raise DamageError("is damaged: {0}", _WHAT)
            left -= length
            if left < 0:
                break
            out += self._phrase(most - code >> 32 - length, depth)
            if len(out) > _LONGEST_RECORD:
                raise DamageError("is damaged: {0}", _WHAT)
        return bytes(out)

    def _phrase(self, number: int, depth: int) -> bytes:
        if not 0 <= number < len(self._phrases):
            raise DamageError("is damaged: {0}", _WHAT)
        phrase, is_plain = self._phrases[number]
        if is_plain:
            return phrase
        if number not in self._unpacked:
            self._unpacked[number] = self._unpack(phrase, depth + 1)
        return self._unpacked[number]
