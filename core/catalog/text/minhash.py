"""MinHash signatures of texts, to estimate how much wording two documents share.

Source: Broder, "On the resemblance and containment of documents", 1997; eight bits of each minimum
are kept, as in Li and König, "b-bit minwise hashing", 2010.
"""

import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from core.catalog.text.normalisation import fold, unspaced

# (d, SIZE), one row per document.
Signatures = npt.NDArray[np.uint8]

# Hash functions for the wording, one byte each: the standard error is about 0.04.
_HASHES: Final = 128
# Bytes for the numbers in a text.
_FIGURES: Final = 16
SIZE: Final = _HASHES + _FIGURES
# Words per shingle. Long enough that common phrases of a genre rarely match.
SHINGLE: Final = 5
# Texts with fewer distinct shingles are too short to be called versions of each other.
LEAST_SHINGLES: Final = 60
# With fewer distinct numbers, numbers are not compared.
_FEWEST_FIGURES: Final = 5
# Minimum share of common shingles of two versions.
VERSION: Final = 0.75
# Minimum share of common numbers. Two bills share their wording, but not their amounts.
SAME_FIGURES: Final = 0.4
# Bytes per band: documents without a common band are not compared.
_ROWS: Final = 4
_WORDS: Final = re.compile(r"[^\W_]+")
# Shingles hashed per step, so that a book takes no more memory than a chapter.
_AT_ONCE: Final = 1 << 13
# One odd number per hash function. Changing them invalidates stored signatures.
_MULTIPLIERS: Final = np.random.Generator(np.random.PCG64(22)).integers(
    1 << 62, size=_HASHES, dtype=np.uint64
) * np.uint64(2) + np.uint64(1)
_MIXERS: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def words_of(texts: Iterable[str]) -> list[str]:
    """Return the words that are compared: case, accents, signs and line breaks do not count.

    >>> words_of(["A Résumé,", "in 東京."])
    ['a', 'resume', 'in', '東', '京']
    """
    joined = "\n".join(texts)
    if joined.isascii():
        return _WORDS.findall(joined.casefold())
    joined = fold(joined)
    return _WORDS.findall(unspaced().sub(r" \g<0> ", joined))


def signature(words: list[str]) -> bytes:
    """Return the signature of a text's words; b"" for a text too short to have one.

    >>> text = [f"word{number}" for number in range(200)]
    >>> len(signature(text)), signature(text[:20])
    (144, b'')
    """
    hashed = _hashed(words)
    shingles = _shingles(hashed)
    if len(shingles) < LEAST_SHINGLES:
        return b""
    is_figure = np.fromiter(
        (not word.isalpha() for word in words), dtype=np.bool_, count=len(words)
    )
    figures = np.unique(hashed[is_figure])
    figure_bytes = np.zeros(_FIGURES, dtype=np.uint8)
    if len(figures) >= _FEWEST_FIGURES:
        # 0 means none.
        figure_bytes = np.maximum(_least(figures, _FIGURES), 1)
    return _least(shingles, _HASHES).tobytes() + figure_bytes.tobytes()


def _least(values: npt.NDArray[np.uint64], hashes: int) -> npt.NDArray[np.uint8]:
    """Return bytes of the minimum of some numbers under each hash function."""
    least = np.full(hashes, np.iinfo(np.uint64).max, dtype=np.uint64)
    for first in range(0, len(values), _AT_ONCE):
        part = values[first : first + _AT_ONCE] * _MULTIPLIERS[:hashes, None]
        np.minimum(least, part.min(axis=1), out=least)
    # The high bits of a minimum are zero; its low bits are kept.
    return _mixed(least).astype(np.uint8)


def _hashed(words: list[str]) -> npt.NDArray[np.uint64]:
    known: dict[str, int] = {}
    hashes = (known.get(word) or known.setdefault(word, _hash(word)) for word in words)
    return _mixed(np.fromiter(hashes, dtype=np.uint64, count=len(words)))


def _hash(word: str) -> int:
    encoded = word.encode("utf-8", "surrogatepass")
    return zlib.crc32(encoded) << 32 | zlib.adler32(encoded)


def _shingles(hashed: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return a hash for each different run of `SHINGLE` words."""
    count = max(0, len(hashed) - SHINGLE + 1)
    rolled = np.zeros(count, dtype=np.uint64)
    for offset in range(SHINGLE):
        rolled = _mixed(rolled + hashed[offset : offset + count])
    return np.unique(rolled)


def _mixed(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Source: Steele and others, "Fast splittable pseudorandom number generators", 2014."""
    first, second = _MIXERS
    values = (values ^ (values >> np.uint64(30))) * first
    values = (values ^ (values >> np.uint64(27))) * second
    return values ^ (values >> np.uint64(31))


def bands(signatures: Signatures) -> Iterator[npt.NDArray[np.uint32]]:
    """Yield (d,) bands of the signatures; similar documents most likely share one.

    Of documents that share four shingles of five, all but one in 10,000 do.
    """
    for first in range(0, _HASHES, _ROWS):
        piece = np.ascontiguousarray(signatures[:, first : first + _ROWS])
        yield piece.view(np.uint32).ravel()


def resemblance(signature: Signatures, candidates: Signatures) -> npt.NDArray[np.float64]:
    """Return the estimated Jaccard similarity of documents' shingles.

    >>> both = np.zeros((2, SIZE), dtype=np.uint8)
    >>> both[1, :64] = 1
    >>> resemblance(both[0], both).round(1).tolist()
    [1.0, 0.5]
    """
    equal: npt.NDArray[np.float64] = (candidates[..., :_HASHES] == signature[..., :_HASHES]).mean(
        axis=-1
    )
    # One in 256 different minima has the same low bits.
    return np.clip((equal * 256 - 1) / 255, 0, 1)


def are_versions(signature: Signatures, candidates: Signatures) -> npt.NDArray[np.bool_]:
    """Return which documents are versions of the same text: similar in wording and in numbers."""
    figures, their_figures = signature[..., _HASHES:], candidates[..., _HASHES:]
    has_figures = figures.any(axis=-1) & their_figures.any(axis=-1)
    same: npt.NDArray[np.bool_] = (figures == their_figures).mean(axis=-1) >= SAME_FIGURES
    return np.logical_and(resemblance(signature, candidates) >= VERSION, same | ~has_figures)
