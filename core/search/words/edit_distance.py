"""The words of a vocabulary that are most similar to a mistyped, misspelt or misheard word.

A filter by letters leaves some thousands of a million words; their edit distances are computed
together with numpy; the nearest are compared letter by letter, weighted by common typing errors
(docs/decisions/0042-spelling.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Floats, Numbers
from core.search.words.stems import LONGEST

_MOST_EDITS: Final = 2
# Nearest words, and words that sound the same, that are compared letter by letter.
_WEIGHED: Final = 60
# Largest difference in length of words that sound the same.
_SOUND_LENGTHS: Final = 3
# Weight of an edit relative to the logarithm of the number of passages with the word.
_COST: Final = 8.0
_SAME_SOUND: Final = 0.85
_MOST_OF_SAME_SOUND: Final = 1.4
# Weight and largest cost of the edits of a word that sounds the same, and its least number of
# letters.
_LEAST_SOUNDING: Final = 5

# Costs of single edits (docs/measurements/spelling.md).
_SWAPPED: Final = 0.7
_SWAPPED_FIRST: Final = 0.9
_ALIKE: Final = 0.75
_NEIGHBOURS: Final = 0.8
_OTHER: Final = 1.15
_FIRST: Final = 0.4
_DOUBLED: Final = 0.55
_SLIGHT: Final = 0.8
_GAP: Final = 0.95
_GAP_FIRST: Final = 1.3

_VOWELS: Final = "aeiouy"
_KEYS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# Offsets of a keyboard's rows to the right, in keys.
_SHIFTS: Final = (0.0, 0.3, 0.8)
_LIKE: Final = ("ck", "cs", "sz", "fv", "gj", "td", "bp", "mn", "kq", "gk", "vw")
# Letters with the same sound, mainly in English and German names; applied in this order.
_PAIRS: Final = (
    "ph:f gh:g ck:k sch:s tch:c ch:k sh:s th:t qu:k kn:n x:ks dt:t tz:s z:s ce:se ci:si cy:si c:k"
    " v:f j:g h:"
)
_SOUNDS: Final = tuple(pair.split(":") for pair in _PAIRS.split())
_VOWEL: Final = {ord(letter): "a" for letter in _VOWELS}


@dataclass(frozen=True, slots=True)
class LikeWord:
    """A word of the vocabulary, by its position.

    `cost` is the cost of the edits from it to the typed word: about 1 for each; `score` weighs
    that against how common the word is.
    """

    word_index: int
    cost: float
    score: float


class SpellingIndex:
    """Words in lower case without accents, prepared for comparison; thread-safe.

    It takes 53 bytes per word, in addition to the texts.
    """

    def __init__(self, holders: Mapping[str, float]) -> None:
        """Prepare words; `holders` are the numbers of passages with each."""
        self.words = sorted((word for word in holders if 0 < len(word) <= LONGEST), key=len)
        count = len(self.words)
        counts = np.fromiter(map(holders.__getitem__, self.words), np.float32, count)
        self._holders: Floats = counts
        self._commonness: Floats = np.log1p(counts)
        lengths = np.fromiter(map(len, self.words), np.int64, count)
        self._lengths = lengths.astype(np.int8)
        self._from = np.searchsorted(lengths, np.arange(LONGEST + 2))
        self._letters = _columns(self.words, self._from)
        self._marks = _marks(self._letters)
        sounds = _sounded(self.words)
        keys = np.fromiter(map(hash, sounds), np.int64, count)
        self._by_sound = np.argsort(keys, kind="stable").astype(np.int32)
        self._sounds = keys[self._by_sound]

    def holders(self, word_index: int) -> float:
        """Return the number of passages with the word at a position."""
        return float(self._holders[word_index])

    def like(self, word: str, most: int) -> list[LikeWord]:
        """Return the `most` likely intended words for a word, the likeliest first."""
        if not 0 < len(word) <= LONGEST:
            return []
        same_sound = self._sounding(word)
        word_indexes = dict.fromkeys([*self._near(word), *same_sound])
        alike = []
        for word_index in word_indexes:
            cost = edit_cost(word, self.words[word_index])
            dearest = _most_cost(len(word))
            if word_index in same_sound:
                cost = min(_SAME_SOUND * cost, _MOST_OF_SAME_SOUND)
                if len(word) >= _LEAST_SOUNDING:
                    dearest = max(dearest, _MOST_OF_SAME_SOUND)
            if cost <= dearest:
                score = float(self._commonness[word_index]) - _COST * cost
                alike.append(LikeWord(word_index, cost, score))
        alike.sort(key=lambda like: (-like.score, self.words[like.word_index]))
        return alike[:most]

    def _near(self, word: str) -> list[int]:
        """Return the positions of the nearest and most common words within two edits."""
        shortest, longest = max(len(word) - _MOST_EDITS, 1), min(len(word) + _MOST_EDITS, LONGEST)
        first, end = self._from[shortest], self._from[longest + 1]
        (letters,) = _codes([word])
        (mark,) = _marks(letters[:, None])
        # An edit changes at most two bits: one letter is added, another removed.
        differing = np.bitwise_count(self._marks[first:end] ^ mark)
        word_indexes = np.flatnonzero(differing <= 2 * _MOST_EDITS) + first
        edits = _edits(letters, self._letters[:, word_indexes], self._lengths[word_indexes])
        is_near = edits <= _MOST_EDITS
        word_indexes, edits = word_indexes[is_near], edits[is_near]
        if len(word_indexes) > _WEIGHED:
            scores = self._commonness[word_indexes] - _COST * edits
            word_indexes = word_indexes[np.argpartition(-scores, _WEIGHED)[:_WEIGHED]]
        nearest: list[int] = word_indexes.tolist()
        return nearest

    def _sounding(self, word: str) -> list[int]:
        """Return the positions of the most common words that sound the same."""
        (sound,) = _sounded([word])
        key = hash(sound)
        first, end = np.searchsorted(self._sounds, [key, key + 1]) if key < 2**63 - 1 else (0, 0)
        word_indexes = self._by_sound[first:end]
        differing = np.abs(self._lengths[word_indexes].astype(np.int64) - len(word))
        word_indexes = word_indexes[differing <= _SOUND_LENGTHS]
        order = np.argsort(-self._commonness[word_indexes], kind="stable")[:_WEIGHED]
        nearest: list[int] = word_indexes[order].tolist()
        return nearest


def _most_cost(letters: int) -> float:
    """Return the largest cost of a word of this length; a short one may have few errors."""
    return min(0.25 * letters, 1.8)


def is_sure(cost: float, letters: int) -> bool:
    """Return whether a word of this length was almost certainly mistyped.

    Of correct words missing from a library, one in twelve is as close to a word in it; of typing
    errors, four in five (docs/measurements/spelling.md).

    >>> is_sure(edit_cost("hypertnsion", "hypertension"), 11), is_sure(0.75, 4)
    (True, False)
    """
    return cost <= min(0.15 * letters, 1.3)


def _codes(words: list[str]) -> list[npt.NDArray[np.uint8]]:
    """Return a byte for each letter of each word.

    Letters of different scripts may share a byte; the weighted comparison distinguishes them.
    """
    return [np.frombuffer(word.encode("utf-32-le"), np.uint32).astype(np.uint8) for word in words]


def _columns(words: list[str], begins: Numbers) -> npt.NDArray[np.uint8]:
    """Return (letters, n) bytes of words sorted by length, padded with 0."""
    (flat,) = _codes(["".join(words)])
    columns = np.zeros((LONGEST, len(words)), np.uint8)
    offset = 0
    for length in range(1, LONGEST + 1):
        first, end = int(begins[length]), int(begins[length + 1])
        size = length * (end - first)
        columns[:length, first:end] = flat[offset : offset + size].reshape(-1, length).T
        offset += size
    return columns


def _marks(letters: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """Return (n,) bit sets of the letters that each word has once, and twice."""
    once = np.zeros(letters.shape[1], np.uint64)
    twice = np.zeros_like(once)
    for column in letters:
        bits = np.left_shift(np.uint64(1), (column & 31).astype(np.uint64))
        bits[column == 0] = 0
        twice |= once & bits
        once |= bits
    return once | np.left_shift(twice, np.uint64(32))


def _edits(
    word: npt.NDArray[np.uint8], letters: npt.NDArray[np.uint8], lengths: npt.NDArray[np.int8]
) -> npt.NDArray[np.int8]:
    """Return (n,) edit distances between a word and others, capped at three.

    Inserting, deleting, changing a letter and swapping neighbours are one edit each.

    Source: Damerau, "A technique for computer detection and correction of spelling errors", 1964;
    the optimal string alignment, a band of two on each side of the diagonal.
    """
    too_many = np.full(len(lengths), _MOST_EDITS + 1, np.int8)
    edit_counts = too_many.copy()
    size = len(word)
    before: list[npt.NDArray[np.int8]] = []
    last = [np.full_like(too_many, min(row, _MOST_EDITS + 1)) for row in range(size + 1)]
    for position in range(1, int(lengths.max(initial=0)) + 1):
        now = [too_many] * (size + 1)
        letter = letters[position - 1]
        for row in range(max(0, position - _MOST_EDITS), min(size, position + _MOST_EDITS) + 1):
            if row == 0:
                now[0] = np.full_like(too_many, min(position, _MOST_EDITS + 1))
                continue
            edits = np.minimum(last[row], now[row - 1]) + np.int8(1)
            np.minimum(edits, last[row - 1] + (letter != word[row - 1]), out=edits)
            if row > 1 and position > 1:
                is_swapped = (letter == word[row - 2]) & (letters[position - 2] == word[row - 1])
                swapped = np.where(is_swapped, before[row - 2] + np.int8(1), too_many)
                np.minimum(edits, swapped, out=edits)
            now[row] = np.minimum(edits, too_many)
        is_end = lengths == position
        edit_counts[is_end] = now[size][is_end]
        before, last = last, now
    return edit_counts


def _sounded(words: list[str]) -> list[str]:
    """Return rough phonetic keys of words, with all vowels equal.

    Processing all words at once is a hundred times as fast as one by one.

    >>> _sounded(["meyer", "maier", "philips", "fillips", "eddy", "addie"])
    ['mar', 'mar', 'falaps', 'falaps', 'ada', 'ada']
    """
    text = "\n" + "\n".join(words)
    for letters, sound in _SOUNDS:
        text = text.replace(letters, sound)
    text = text.translate(_VOWEL)
    for letter in "abdfgklmnprsta":
        text = text.replace(letter + letter, letter)
    return text[1:].split("\n")


@cache
def _replaced() -> dict[str, float]:
    """Return the costs of typing one letter for another, for pairs that cost less."""
    key_positions = {
        key: (column + shift, row)
        for row, (keys, shift) in enumerate(zip(_KEYS, _SHIFTS, strict=True))
        for column, key in enumerate(keys)
    }
    costs = {
        letter + other: _NEIGHBOURS
        for letter, (x, y) in key_positions.items()
        for other, (x2, y2) in key_positions.items()
        if letter != other and abs(x - x2) <= 1 and abs(y - y2) <= 1
    }
    costs |= dict.fromkeys(("yz", "zy"), _NEIGHBOURS)  # German keyboards have them the other way
    alike = [*_LIKE, *(letter + other for letter in _VOWELS for other in _VOWELS if letter < other)]
    return costs | dict.fromkeys([*alike, *(pair[::-1] for pair in alike)], _ALIKE)


def edit_cost(typed: str, word: str) -> float:
    """Return the cost of the edits from a word to the typed one, by common typing errors.

    Swapped neighbours and doubled letters cost little, as do adjacent keys and letters
    that sound alike; the first letter is seldom wrong.

    >>> edit_cost("recieve", "receive"), edit_cost("adress", "address"), edit_cost("cat", "cat")
    (0.7, 0.55, 0.0)
    """
    costs = _replaced()
    gaps = [_gap(word, column) for column in range(len(word))]
    before: list[float] = []
    last = [0.0, *accumulate(gaps)]
    for row, letter in enumerate(typed):
        gap = _gap(typed, row)
        now = [last[0] + gap]
        for column, meant in enumerate(word):
            if letter == meant:
                best = last[column]
            else:
                best = last[column] + costs.get(letter + meant, _OTHER)
                best += _FIRST * (row == 0 or column == 0)
                if row and column and letter == word[column - 1] and typed[row - 1] == meant:
                    swapped = _SWAPPED if row > 1 else _SWAPPED_FIRST
                    best = min(best, before[column - 1] + swapped)
            now.append(min(best, last[column + 1] + gap, now[-1] + gaps[column]))
        before, last = last, now
    return round(last[-1], 6)


def _gap(word: str, index: int) -> float:
    """Return the cost of a letter of a word that is missing in the other."""
    letter = word[index]
    if letter in (word[index - 1 : index], word[index + 1 : index + 2]):
        return _DOUBLED
    if index == 0:
        return _GAP_FIRST
    return _SLIGHT if letter in "eh" else _GAP
