"""The tokenizer of T5 and mT5 from `spiece.model`, as SentencePiece saves it.

Some published folders have only that file. It is a protocol buffers message, of which three parts
are read: the pieces with their scores, the kind of model, and the normalisation table of
characters.

Source: sentencepiece_model.proto of google/sentencepiece; transformers' T5 tokenizer, for the
tokens around the pieces.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.files import foreign_files

if TYPE_CHECKING:
    import tokenizers

_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3  # fields of the whole
_PIECE, _SCORE, _TYPE = 1, 2, 3  # fields of a piece
_MODEL_TYPE, _UNIGRAM = 3, 1
_CHARACTERS: Final = 2  # field of the normalizer
_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED = 1, 2, 3, 4  # types of pieces
_END: Final = "</s>"


def read_sentencepiece(path: Path) -> tokenizers.Tokenizer:
    """Return the tokenizer of a SentencePiece file, with `</s>` behind each text.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged, or not a unigram model as in T5.
    """
    from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces: list[tuple[str, float, int]] = []
    characters = b""
    model_type: int | bytes = _UNIGRAM
    for field, value in _fields(foreign_files.read(path, sys.maxsize, follows_links=True)):
        if not isinstance(value, bytes):
            continue
        if field == _PIECES:
            pieces.append(_piece(value))
        elif field == _TRAINER:
            types = (part for name, part in _fields(value) if name == _MODEL_TYPE)
            model_type = next(types, model_type)
        elif field == _NORMALIZER:
            named = (part for name, part in _fields(value) if name == _CHARACTERS)
            characters = next((part for part in named if isinstance(part, bytes)), b"")
    if model_type != _UNIGRAM:
        raise ValueError("not a unigram model")
    ids = {text: token_id for token_id, (text, _, _) in enumerate(pieces)}
    unknown = next(
        (token_id for token_id, piece in enumerate(pieces) if piece[2] == _UNKNOWN), None
    )
    if _END not in ids or unknown is None:
        raise ValueError("missing closing or unknown piece")
    tokenizer = Tokenizer(models.Unigram([(text, score) for text, score, _ in pieces], unknown))
    if characters:
        tokenizer.normalizer = normalizers.Precompiled(characters)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {_END}", special_tokens=[(_END, ids[_END])]
    )
    tokenizer.add_tokens(
        [
            AddedToken(text, normalized=False, special=kind != _USER_DEFINED)
            for text, _, kind in pieces
            if kind in {_UNKNOWN, _CONTROL, _USER_DEFINED}
        ]
    )
    return tokenizer


def _piece(data: bytes) -> tuple[str, float, int]:
    """Return a piece's text, score and type."""
    text, score, kind = "", 0.0, _NORMAL
    for field, value in _fields(data):
        if field == _PIECE and isinstance(value, bytes):
            text = value.decode("utf-8")
        elif field == _SCORE and isinstance(value, bytes):
            (score,) = struct.unpack("<f", value)
        elif field == _TYPE and isinstance(value, int):
            kind = value
    return text, score, kind


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the numbers and values of a message's fields: integers or bytes.

    Raises:
        ValueError: it is not a message, or is truncated.
    """
    at = 0
    while at < len(data):
        key, at = _integer(data, at)
        wire = key & 7
        if wire == 0:
            value, at = _integer(data, at)
            yield key >> 3, value
            continue
        if wire == 2:
            size, at = _integer(data, at)
        elif wire in _FIXED:
            size = _FIXED[wire]
        else:
            raise ValueError(f"a field of the kind {wire}")
        if at + size > len(data):
            raise ValueError("field longer than its message")
        yield key >> 3, data[at : at + size]
        at += size


# Sizes of fixed-length fields, by wire type.
_FIXED: Final = {1: 8, 5: 4}


def _integer(data: bytes, at: int) -> tuple[int, int]:
    """Return the integer at a position, seven bits per byte, and the position after it.

    >>> _integer(bytes([0xAC, 0x02]), 0)
    (300, 2)
    """
    value = shift = 0
    while at < len(data) and shift < 64:
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            return value, at
        shift += 7
    raise ValueError("unterminated integer")
