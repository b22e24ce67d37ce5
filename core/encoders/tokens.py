"""Text as the model's tokens, each with the characters that it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

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
        """The first `count` tokens."""
        return Tokens(self.ids[:count], self.spans[:count], self.words[:count])


class Tokenizer:
    """A tokenizer file of the Hugging Face `tokenizers` kind; may be used by several threads."""

    def __init__(self, path: Path) -> None:
        """Read the tokenizer at `path` when it is first used."""
        self._path = path

    @cached_property
    def _tokenizer(self) -> tokenizers.Tokenizer:
        from tokenizers import Tokenizer as Backend

        try:
            backend = Backend.from_file(str(self._path))
        except Exception as error:  # the library raises bare Exception, whatever is wrong
            raise ModelError(
                f"The tokenizer {self._path} cannot be read; install Winnow again."
            ) from error
        # Length is our decision (passages), padding the batch's.
        backend.no_truncation()
        backend.no_padding()
        return backend

    @cached_property
    def special(self) -> tuple[int, int]:
        """The ids that stand before and after a text."""
        ids = self._tokenizer.encode("").ids
        if len(ids) != 2:
            raise ModelError(f"The tokenizer {self._path} frames a text in {len(ids)} tokens.")
        return ids[0], ids[1]

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [
            Tokens(
                tuple(encoding.ids),
                tuple(encoding.offsets),
                tuple(word if word is not None else -1 for word in encoding.word_ids),
            )
            for encoding in encodings
        ]

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has."""
        batch = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(encoding) for encoding in batch]
