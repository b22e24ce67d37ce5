"""Text as the model's tokens, each with the characters that it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from core.encoders.checkpoint import Checkpoint, TextRules, remedy
from core.errors import ModelError

if TYPE_CHECKING:
    import tokenizers


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one text, the model's special ones left out.

    `spans` are character offsets into the text; `words` number the words, of which a token is a
    whole or a piece.
    """

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    words: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def first(self, count: int) -> Tokens:
        """Return the first `count` tokens."""
        return Tokens(self.ids[:count], self.spans[:count], self.words[:count])


@dataclass(frozen=True, slots=True)
class Frame:
    """Text rules as ids: what stands round a text, fills it up, and has no vectors in it."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    filler: int | None
    skipped: frozenset[int]


class Tokenizer:
    """A tokenizer file of the Hugging Face `tokenizers` kind; may be used by several threads."""

    def __init__(self, path: Path, is_lowercased: bool = False) -> None:
        """Read the tokenizer at `path` when it is first used.

        `is_lowercased` puts texts into lower case first, for models that were trained so with a
        tokenizer that does not.
        """
        self._path = path
        self._is_lowercased = is_lowercased

    @classmethod
    def of(cls, checkpoint: Checkpoint) -> Tokenizer:
        """Return the tokenizer of a checkpoint."""
        return cls(checkpoint.tokenizer, checkpoint.is_lowercased)

    @cached_property
    def _tokenizer(self) -> tokenizers.Tokenizer:
        from tokenizers import Tokenizer as Backend

        try:
            backend = Backend.from_file(str(self._path))
        except Exception as error:  # the library raises bare Exception, whatever is wrong
            raise ModelError(
                "The tokenizer {0} cannot be read; {1}.", self._path, remedy(self._path)
            ) from error
        # Length is our decision (passages), padding the batch's.
        backend.no_truncation()
        backend.no_padding()
        return backend

    @cached_property
    def surround(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The ids that stand before and after a text."""
        encoding = self._tokenizer.encode("a")
        inner = [place for place, flag in enumerate(encoding.special_tokens_mask) if not flag]
        if not inner:
            raise ModelError(
                "The tokenizer {0} knows no letters; {1}.", self._path, remedy(self._path)
            )
        return tuple(encoding.ids[: inner[0]]), tuple(encoding.ids[inner[-1] + 1 :])

    def frame(self, rules: TextRules) -> Frame:
        """Return what `rules` mean in this vocabulary.

        Raises:
            ModelError: the vocabulary lacks one of their tokens.
        """
        before, after = self.surround
        prefix = tuple(
            token if isinstance(token, int) else self._id(token) for token in rules.prefix
        )
        prompt = self.tokenize([rules.prompt])[0].ids if rules.prompt else ()
        known = (self._tokenizer.token_to_id(token) for token in rules.skipped)
        return Frame(
            (*before, *prefix, *prompt),
            after,
            self._id(rules.filler) if rules.filler else None,
            frozenset(token for token in known if token is not None),
        )

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of each text."""
        seen = self._seen(texts)
        encodings = self._tokenizer.encode_batch(seen, add_special_tokens=False)
        return [
            Tokens(
                tuple(encoding.ids),
                tuple(_trimmed(text, start, end) for start, end in encoding.offsets),
                tuple(word if word is not None else -1 for word in encoding.word_ids),
            )
            for text, encoding in zip(seen, encodings, strict=True)
        ]

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return how many tokens each text has."""
        seen = self._seen(texts)
        batch = self._tokenizer.encode_batch_fast(seen, add_special_tokens=False)
        return [len(encoding) for encoding in batch]

    def _seen(self, texts: Sequence[str]) -> list[str]:
        return [_lowered(text) for text in texts] if self._is_lowercased else list(texts)

    def _id(self, token: str) -> int:
        found = self._tokenizer.token_to_id(token)
        if found is None:
            raise ModelError(
                "The tokenizer {0} has no token '{1}', which the model's settings name; {2}.",
                self._path,
                token,
                remedy(self._path),
            )
        return int(found)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without white space at its ends, which some tokenizers count to a word.

    >>> _trimmed("two words", 3, 9)
    (4, 9)
    """
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _lowered(text: str) -> str:
    """Return the text in lower case, each character at its old place.

    >>> _lowered("NaÏve İx"), len(_lowered("İx"))
    ('naïve İx', 2)
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
