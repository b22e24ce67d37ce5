"""A query as tokens and vectors, and the characters that tokens stand for; both are cached."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from core.alignment.pairwise import AlignmentStrategy, scores, similarity
from core.arrays import Floats
from core.catalog.passages import StoredPassage
from core.encoders.encoder import Encoder, TextTokens, TokenVectors
from core.index.generation import IndexGeneration

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """At most `size` values by their keys, for any number of threads at once.

    Example:
        >>> recent = Recent[str, int](2)
        >>> recent.remember({"a": 1, "b": 2})
        >>> recent.remember({"a": 1, "c": 3})
        >>> recent.known(["a", "b", "c"])
        {'a': 1, 'c': 3}
    """

    def __init__(self, size: int) -> None:
        """Remember `size` values, those that were remembered last."""
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._guard = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def known(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the values of those of the keys that are remembered."""
        with self._guard:
            return {key: self._values[key] for key in keys if key in self._values}

    def remember(self, values: Mapping[K, V]) -> None:
        """Have these be the last that were used, the last of them last of all."""
        with self._guard:
            self._values.update(values)
            for key in values:
                self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)


_QUERIES_CACHED: Final = 32
"""Queries; some 20 kB each."""


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """The query `text` with the n tokens that it has, and the vector of each."""

    text: str
    tokens: TextTokens
    vectors: TokenVectors

    @classmethod
    def of(cls, text: str, encoder: Encoder) -> EncodedQuery:
        """Encode `text`."""
        tokens = encoder.query_tokens(text)
        return cls(text, tokens, encoder.encode_queries([tokens])[0])

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def weights(self) -> Floats:
        """(n,) how much each token counts, 1 on average."""
        weights = self.vectors.weights
        return np.ones(len(self), dtype=np.float32) if weights is None else weights

    def aligned(
        self, passage: Floats, strategy: AlignmentStrategy, length: int | None = None
    ) -> tuple[Floats, Floats]:
        """The similarity of each query token with each vector of a passage, and their alignment.

        Args:
            passage: (m, d).
            strategy: which of them are aligned.
            length: how many tokens the passage has; None where each has its own vector.

        Returns:
            Two (n, m) matrices, the rows of the latter weighted as the query's tokens are.
        """
        pairs = similarity(self.vectors.vectors, passage)
        return pairs, strategy.align(pairs, self.vectors.weights, length)

    def scores(
        self, passage: Floats, strategies: Sequence[AlignmentStrategy], length: int | None = None
    ) -> Floats:
        """(s,) a passage's scores under s strategies; the arguments are those of `aligned`."""
        pairs = similarity(self.vectors.vectors, passage)
        return scores(pairs, strategies, self.vectors.weights, length)


class RecentQueries:
    """The last queries of one library as they were encoded; for any number of threads at once.

    A query that is answered is asked again at once: its results are counted beside the filters,
    their words lit exactly, one of them explained.
    """

    def __init__(self, size: int = _QUERIES_CACHED) -> None:
        """Remember `size` queries, the last ones that were asked for."""
        self._queries = Recent[tuple[str, str], EncodedQuery](size)

    def __len__(self) -> int:
        return len(self._queries)

    def of(self, text: str, generation: IndexGeneration) -> EncodedQuery:
        """`text` as the generation's model encodes it.

        Raises:
            ModelError: the model cannot be loaded.
        """
        key = (generation.row.spec.fingerprint, text)
        found = self._queries.known([key]).get(key)
        if found is None:
            found = EncodedQuery.of(text, generation.query_encoder())
        self._queries.remember({key: found})
        return found


_PASSAGES_CACHED: Final = 1000
"""Passages; some 2 kB each."""


@dataclass(frozen=True, slots=True)
class TokenSpans:
    """The characters of a passage's m tokens.

    Attributes:
        places: (m, 2) int32, start and end: in the context for the first `context` tokens, in the
            text for the rest; equal for a token that stands for no characters.
        context: how many tokens come before the text's own.
    """

    places: npt.NDArray[np.int32]
    context: int

    @classmethod
    def of(cls, tokens: TextTokens) -> TokenSpans:
        """Return those of a passage's tokens."""
        places = np.array(tokens.spans, dtype=np.int32).reshape(-1, 2)
        return cls(places, tokens.context)


class RecentSpans:
    """The spans of one library's passages; for any number of threads at once.

    While a person types, most of what is found was found a word before, and need not be split
    into tokens again. A passage never changes, and its number never comes back.
    """

    def __init__(self, size: int = _PASSAGES_CACHED) -> None:
        """Remember `size` passages, the last ones that were asked for."""
        self._spans = Recent[tuple[str, int], TokenSpans](size)

    def __len__(self) -> int:
        return len(self._spans)

    def of(self, shown: Sequence[StoredPassage], generation: IndexGeneration) -> list[TokenSpans]:
        """Return the spans of passages, in their order, by the generation's tokens."""
        keys = [(generation.row.spec.fingerprint, one.id) for one in shown]
        found = self._spans.known(keys)
        fresh = {key: one for key, one in zip(keys, shown, strict=True) if key not in found}
        texts = [(one.context, one.text) for one in fresh.values()]
        made = [
            TokenSpans.of(tokens) for tokens in generation.query_encoder().passage_tokens(texts)
        ]
        found.update(zip(fresh, made, strict=True))
        self._spans.remember(found)
        return [found[key] for key in keys]
