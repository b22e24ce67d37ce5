"""A tokenizer with a large unigram vocabulary in little memory.

The trie of the `tokenizers` library takes 245 MB for the 250,000 pieces of XLM-RoBERTa, which is
half of the window's memory; a dictionary takes a fifth of that. The library still normalises texts,
splits them into words and keeps their offsets.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import tokenizers
    from tokenizers.normalizers import Normalizer
    from tokenizers.pre_tokenizers import PreTokenizer
    from tokenizers.processors import PostProcessor

# An unknown character is less likely than the least likely piece by this logarithm.
_UNKNOWN: Final = 10.0
# Words whose pieces are kept: most words of a text are frequent ones. A longer "word" is a sentence
# of a script without spaces, which does not come again.
_WORDS: Final = 8192
_LONGEST_KEPT: Final = 32


class UnigramTokenizer:
    """The part of `tokenizers.Tokenizer` that is used here, with the same tokens; thread-safe."""

    decoder: None = None

    def __init__(
        self,
        pieces: Sequence[tuple[str, float]],
        unknown_id: int,
        normalizer: Normalizer,
        pre_tokenizer: PreTokenizer,
        post_processor: PostProcessor,
    ) -> None:
        """Tokenize with `pieces`, by id, and the logarithms of their probabilities."""
        self._texts = [text for text, _ in pieces]
        self._ids = {text: token_id for token_id, text in enumerate(self._texts)}
        self._scores = array("f", [score for _, score in pieces])
        self._longest = max(map(len, self._texts), default=0)
        self._unknown_id = unknown_id
        self._unknown_score = min(self._scores, default=0.0) - _UNKNOWN
        self._parts = normalizer, pre_tokenizer, post_processor
        self._kept_tokens = lru_cache(_WORDS)(self._tokens_of)

    def encode(self, text: str, add_special_tokens: bool = True) -> tokenizers.Encoding:
        """Return the tokens of a text."""
        from tokenizers import PreTokenizedString

        normalizer, pre_tokenizer, post_processor = self._parts
        words = PreTokenizedString(text)
        words.normalize(normalizer.normalize)
        pre_tokenizer.pre_tokenize(words)
        words.tokenize(self._tokens)
        encoding = words.to_encoding()
        return post_processor.process(encoding) if add_special_tokens else encoding

    def encode_batch(
        self, texts: Sequence[str], add_special_tokens: bool = True
    ) -> list[tokenizers.Encoding]:
        """Return the tokens of each text."""
        return [self.encode(text, add_special_tokens) for text in texts]

    encode_batch_fast = encode_batch

    def get_vocab(self, with_added_tokens: bool = True) -> dict[str, int]:  # noqa: ARG002 - the library's
        """Return all pieces with their ids; special tokens are pieces."""
        return dict(self._ids)

    def get_added_tokens_decoder(self) -> dict[int, tokenizers.AddedToken]:
        """Return {}: special tokens are pieces."""
        return {}

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a piece; None if there is no such piece."""
        return self._ids.get(token)

    def id_to_token(self, token_id: int) -> str | None:
        """Return a piece; None if there is no such id."""
        return self._texts[token_id] if token_id < len(self._texts) else None

    def _tokens(self, word: str) -> list[tokenizers.Token]:
        return (self._kept_tokens if len(word) <= _LONGEST_KEPT else self._tokens_of)(word)

    def _tokens_of(self, word: str) -> list[tokenizers.Token]:
        from tokenizers import Token

        sizes = [0]
        for character in word:
            sizes.append(sizes[-1] + len(character.encode()))
        return [
            Token(token_id, word[start:end], (sizes[start], sizes[end]))
            for start, end, token_id in self.segment(word)
        ]

    def segment(self, word: str) -> list[tuple[int, int, int]]:
        """Return the most likely pieces of a word: start, end and id; unknown ones are joined.

        Source: Kudo 2018, Subword Regularization, section 3.2; unigram/model.rs of
        huggingface/tokenizers, for unknown characters and ties.
        """
        # For each end of a piece, the score up to it, and the start and id of the piece.
        best: list[tuple[float, int, int]] = [(0.0, 0, 0)]
        best += [(float("-inf"), 0, 0)] * len(word)
        for start in range(len(word)):
            before = best[start][0]
            is_known = False
            for end in range(start + 1, min(len(word), start + self._longest) + 1):
                if (token_id := self._ids.get(word[start:end])) is not None:
                    is_known = is_known or end == start + 1
                    if (score := before + self._scores[token_id]) > best[end][0]:
                        best[end] = score, start, token_id
            if not is_known and (score := before + self._unknown_score) > best[start + 1][0]:
                best[start + 1] = score, start, self._unknown_id
        pieces: list[tuple[int, int, int]] = []
        end = len(word)
        while end:
            _, start, token_id = best[end]
            last = pieces[-1] if pieces else (0, 0, -1)
            if token_id == last[2] == self._unknown_id:
                pieces[-1] = start, last[1], token_id
            else:
                pieces.append((start, end, token_id))
            end = start
        return pieces[::-1]
