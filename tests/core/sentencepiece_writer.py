"""Files as SentencePiece saves them, of a few pieces, written by hand."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Backend

NORMAL, UNKNOWN, CONTROL, USER_DEFINED = 1, 2, 3, 4
TYPES = {"<pad>": CONTROL, "</s>": CONTROL, "<unk>": UNKNOWN}
PIECES = [(piece, 0.0 if piece in TYPES else -2.0) for piece in (*TYPES, "▁", "▁owl", "a", "b")]


def integer(value: int) -> bytes:
    written = b""
    while value >= 0x80:
        written += bytes([value & 0x7F | 0x80])
        value >>= 7
    return written + bytes([value])


def number(field: int, value: int) -> bytes:
    return integer(field << 3) + integer(value)


def message(field: int, content: bytes) -> bytes:
    return integer(field << 3 | 2) + integer(len(content)) + content


def spiece(
    pieces: Sequence[tuple[str, float]] = PIECES, model_type: int = 1, characters: bytes = b""
) -> bytes:
    """A model of these pieces, as sentencepiece_model.proto has it, with fields of other kinds."""
    written = b""
    for piece, score in pieces:
        one = message(1, piece.encode()) + integer(2 << 3 | 5) + struct.pack("<f", score)
        if TYPES.get(piece, NORMAL) != NORMAL:
            one += number(3, TYPES[piece])
        written += message(1, one)
    written += message(2, message(1, b"corpus.txt") + number(3, model_type) + number(4, 32_000))
    return written + message(3, message(1, b"nmt_nfkc") + message(2, characters))


def pieces_of(backend: Backend) -> list[tuple[str, float]]:
    """The pieces of a tokenizer in the order of their numbers, as they are scored there."""
    return [(piece, score) for piece, score in json.loads(backend.to_str())["model"]["vocab"]]
