"""Tokenizes text for a model; each token has its span of characters."""

from __future__ import annotations

import sys
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.encoders.folders.checkpoint import Checkpoint, TextRules, remedy
from core.encoders.folders.packed_weights import read_tokenizer
from core.encoders.folders.sentencepiece_file import read_sentencepiece
from core.errors import ModelError
from core.files import foreign_files

if TYPE_CHECKING:
    import tokenizers

    from core.encoders.folders.unigram import UnigramTokenizer


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one text, without the model's special ones.

    `spans` are character offsets into the text; `words` number the words, of which a token is a
    whole or a piece. `prompt` are the ids of the prefix before the text; a token that begins there
    and ends in the text is the text's.
    """

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    words: tuple[int, ...]
    prompt: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def first(self, count: int) -> Tokens:
        """Return the first `count` tokens."""
        return Tokens(self.ids[:count], self.spans[:count], self.words[:count], self.prompt)


@dataclass(frozen=True, slots=True)
class Frame:
    """Text rules as ids: tokens around prompt and text, padding, and tokens without vectors."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    filler: int | None
    without_vectors: frozenset[int]


class Tokenizer:
    """A tokenizer of the Hugging Face `tokenizers` library, or with its tokens; thread-safe."""

    def __init__(self, path: Path, is_lowercased: bool = False) -> None:
        """Read the tokenizer at `path` on first use.

        `is_lowercased` lowercases texts first, for models trained on lowercased texts whose
        tokenizer does not do it.
        """
        self._path = path
        self._is_lowercased = is_lowercased

    @classmethod
    def of(cls, checkpoint: Checkpoint) -> Tokenizer:
        """Return the tokenizer of a checkpoint."""
        return cls(checkpoint.tokenizer, checkpoint.is_lowercased)

    @cached_property
    def _tokenizer(self) -> tokenizers.Tokenizer | UnigramTokenizer:
        from tokenizers import Tokenizer as Backend

        try:
            if self._path.suffix == ".model":
                backend = read_sentencepiece(self._path)
            elif self._path.suffix == ".bin":
                return read_tokenizer(self._path)
            else:
                foreign_files.check(self._path, sys.maxsize, follows_links=True)
                backend = Backend.from_file(str(self._path))
        except Exception as error:  # the library raises bare Exception for every error
            raise ModelError(
                "The tokenizer {0} cannot be read. To fix this, {1}.",
                self._path,
                remedy(self._path),
            ) from error
        # Passages and batches determine truncation and padding.
        backend.no_truncation()
        backend.no_padding()
        return backend

    @cached_property
    def surround(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The ids before and after a text."""
        encoding = self._tokenizer.encode("a")
        inner = [position for position, flag in enumerate(encoding.special_tokens_mask) if not flag]
        if not inner:
            raise ModelError(
                "The tokenizer {0} does not recognise letters. To fix this, {1}.",
                self._path,
                remedy(self._path),
            )
        return tuple(encoding.ids[: inner[0]]), tuple(encoding.ids[inner[-1] + 1 :])

    @property
    def vocabulary(self) -> dict[str, int]:
        """All tokens, with their ids."""
        known: dict[str, int] = self._tokenizer.get_vocab()
        return known

    def frame(self, rules: TextRules) -> Frame:
        """Return the ids of `rules` in this vocabulary.

        Raises:
            ModelError: the vocabulary lacks one of their tokens.
        """
        before, after = self.surround
        prefix = tuple(
            token if isinstance(token, int) else self._id(token) for token in rules.prefix
        )
        known = (self._tokenizer.token_to_id(token) for token in rules.without_vectors)
        return Frame(
            (*before, *prefix),
            after,
            self._id(rules.filler) if rules.filler else None,
            frozenset(token for token in known if token is not None),
        )

    def tokenize(self, texts: Sequence[str], prompt: str = "") -> list[Tokens]:
        """Return the tokens of each text, tokenized after the prompt."""
        opening = self._opening(prompt)
        seen = [opening + text for text in self._seen(texts)]
        encodings = self._tokenizer.encode_batch(seen, add_special_tokens=False)
        return [
            _behind(len(opening), text, encoding)
            for text, encoding in zip(seen, encodings, strict=True)
        ]

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        seen = self._seen(texts)
        batch = self._tokenizer.encode_batch_fast(seen, add_special_tokens=False)
        return [len(encoding) for encoding in batch]

    def readable_share(self, text: str) -> float:
        """Return the share of a text's letters in scripts in which the model knows words.

        For other scripts it has only single letters, or one token for all unknown characters.
        A text without letters is readable.
        """
        letters = [letter for letter in unicodedata.normalize("NFKC", text) if letter.isalpha()]
        if not letters or (self._has_latin_words and {*map(_script, letters)} == {"LATIN"}):
            return 1.0
        known = self._scripts
        if known is None:
            return 1.0
        return sum(_script(letter) in known for letter in letters) / len(letters)

    @cached_property
    def _has_latin_words(self) -> bool:
        """Whether the first pieces of the vocabulary show that Latin is one of the scripts.

        All scripts take up to half a second to find out, and most queries are in Latin.
        """
        pieces = filter(None, map(self._tokenizer.id_to_token, range(_FIRST_PIECES)))
        return sum(_script_of_word(piece) == "LATIN" for piece in pieces) >= _FEWEST_PIECES

    @cached_property
    def _scripts(self) -> frozenset[str] | None:
        """The scripts with multi-letter pieces in the vocabulary.

        None if there are few such pieces in any script, or byte pieces, which allow no conclusion.
        """
        if type(self._tokenizer.decoder).__name__ == "ByteLevel":
            return None
        counts = Counter(map(_script_of_word, self._tokenizer.get_vocab(with_added_tokens=False)))
        scripts = frozenset(
            script for script, count in counts.items() if script and count >= _FEWEST_PIECES
        )
        return scripts or None

    def _seen(self, texts: Sequence[str]) -> list[str]:
        return [_lowered(text) for text in texts] if self._is_lowercased else list(texts)

    def _opening(self, prompt: str) -> str:
        """The prompt as the model sees it; a token of the vocabulary's own keeps its case."""
        if not prompt or not self._is_lowercased:
            return prompt
        added = self._tokenizer.get_added_tokens_decoder().values()
        return prompt if any(token.content in prompt for token in added) else _lowered(prompt)

    def _id(self, token: str) -> int:
        token_id = self._tokenizer.token_to_id(token)
        if token_id is None:
            raise ModelError(
                "The tokenizer {0} has no token '{1}', which the model's settings require. To "
                "fix this, {2}.",
                self._path,
                token,
                remedy(self._path),
            )
        return int(token_id)


# Minimum number of multi-letter pieces of a supported script; English BERT has 8 Cyrillic ones.
_FEWEST_PIECES: Final = 100
_FIRST_PIECES: Final = 2000


def _script(letter: str) -> str:
    """Return the script of a letter: the first word of its Unicode name.

    >>> [_script(letter) for letter in "aéя中"]
    ['LATIN', 'LATIN', 'CYRILLIC', 'CJK']
    """
    return unicodedata.name(letter, "").partition(" ")[0]


def _script_of_word(piece: str) -> str:
    """Return the script of a piece with several letters; "" of other pieces.

    >>> _script_of_word("##ing"), _script_of_word("a"), _script_of_word("的话")
    ('LATIN', '', 'CJK')
    """
    letters = [letter for letter in piece if letter.isalpha()]
    return _script(letters[0]) if len(letters) > 1 else ""


def _behind(start: int, text: str, encoding: tokenizers.Encoding) -> Tokens:
    """Return the tokens that end after `start`, with offsets from there."""
    ids, offsets, words = encoding.ids, encoding.offsets, encoding.word_ids
    first = 0
    if start:
        first = next((index for index, (_, end) in enumerate(offsets) if end > start), len(ids))
        offsets = [(max(a, start), b) for a, b in offsets[first:]]
    # Few tokenizers include white space.
    spans = [_trimmed(text, a, b) if text[a:b] != text[a:b].strip() else (a, b) for a, b in offsets]
    if start:
        spans = [(a - start, b - start) for a, b in spans]
    return Tokens(
        tuple(ids[first:]),
        tuple(spans),
        tuple([-1 if word is None else word for word in words[first:]]),
        tuple(ids[:first]),
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without white space at its ends, which some tokenizers include in a word.

    >>> _trimmed("two words", 3, 9)
    (4, 9)
    """
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _lowered(text: str) -> str:
    """Return the text in lower case, with unchanged character offsets.

    >>> _lowered("NaÏve İx"), len(_lowered("İx"))
    ('naïve İx', 2)
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
