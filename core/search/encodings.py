"""Queries and passages as the encoder sees them, their tokens with all vectors; both are cached."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from core.alignment.pairwise import AlignmentStrategy, scores, similarity
from core.arrays import Floats
from core.catalog.passages import StoredPassage
from core.encoders.encoder import Encoder, TextTokens, TokenVectors
from core.encoders.runtimes import calls_at_once
from core.index.generation import IndexGeneration
from core.progress import Job

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values by their keys, of which the last `size` are kept; for any number of threads at once.

    Example:
        >>> recent = Recent[str, int](2)
        >>> recent.remember({"a": 1, "b": 2})
        >>> recent.remember({"a": 1, "c": 3})
        >>> recent.known(["a", "b", "c"])
        {'a': 1, 'c': 3}
    """

    def __init__(self, size: int, cost: Callable[[V], int] = lambda _: 1) -> None:
        """Remember values that cost `size` together, those that were remembered last."""
        self._size = size
        self._cost = cost
        self._spent = 0
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
            for key, value in values.items():
                before = self._values.pop(key, None)
                self._spent -= 0 if before is None else self._cost(before)
                self._values[key] = value
                self._spent += self._cost(value)
            while self._spent > self._size:
                self._spent -= self._cost(self._values.popitem(last=False)[1])


_QUERIES_CACHED: Final = 32
"""Queries; some 20 kB each."""


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """The query `text` with the n tokens that it has, and the vector of each.

    Where it `has_summary` the first vector stands for the query as a whole. `readable_share` is
    how much of the text the model can read.
    """

    text: str
    tokens: TextTokens
    vectors: TokenVectors
    has_summary: bool
    readable_share: float = 1.0

    @classmethod
    def of(cls, text: str, encoder: Encoder) -> EncodedQuery:
        """Encode `text`."""
        tokens = encoder.query_tokens(text)
        has_summary = encoder.checkpoint.queries.gives_summary
        (vectors,) = encoder.encode_queries([tokens])
        return cls(text, tokens, vectors, has_summary, encoder.tokenizer.readable_share(text))

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
        weights = self.vectors.weights
        return pairs, strategy.align(pairs, weights, length, has_summary=self.has_summary)

    def scores(
        self, passage: Floats, strategies: Sequence[AlignmentStrategy], length: int | None = None
    ) -> Floats:
        """(s,) a passage's scores under s strategies; the arguments are those of `aligned`."""
        pairs = similarity(self.vectors.vectors, passage)
        weights = self.vectors.weights
        return scores(pairs, strategies, weights, length, has_summary=self.has_summary)


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


_BYTES_CACHED: Final = 32 << 20
"""Of encoded passages: some 350, those of twenty queries or of one that is typed on and on."""
_BYTES_A_TOKEN: Final = 300
"""Of its number, its characters and its word, as Python keeps them."""
_ENCODED_AT_ONCE: Final = 2
"""Passages: what a person waits for who types on. More at once are hardly faster on one thread."""


@dataclass(frozen=True, slots=True)
class EncodedPassage:
    """A passage with the m tokens that it has, and the vector of each."""

    tokens: TextTokens
    vectors: TokenVectors

    @property
    def size_bytes(self) -> int:
        """About what it takes in memory."""
        return self.vectors.vectors.nbytes + _BYTES_A_TOKEN * len(self.tokens)


class RecentPassages:
    """The last passages that were encoded anew; for any number of threads at once.

    What a person types on finds much of what was found a word before. A passage is known by its
    text, so that a document that is read again, or lies twice, is not encoded again.
    """

    def __init__(self, size_bytes: int = _BYTES_CACHED) -> None:
        """Remember passages of so many bytes, the last ones that were asked for."""
        self._passages = Recent[tuple[str, bytes], EncodedPassage](
            size_bytes, lambda passage: passage.size_bytes
        )

    def __len__(self) -> int:
        return len(self._passages)

    def of(
        self, passages: Sequence[StoredPassage], generation: IndexGeneration, job: Job | None = None
    ) -> list[EncodedPassage]:
        """Return passages with a vector for each of their tokens, in their order.

        What was encoded before the job is cancelled is remembered.

        Raises:
            Cancelled: the job was cancelled.
            ModelError: the model cannot be loaded.
        """
        return self.by(
            generation.query_encoder(),
            generation.row.spec.fingerprint,
            passages,
            job=job,
        )

    def by(
        self,
        encoder: Encoder,
        model: str,
        passages: Sequence[StoredPassage],
        *,
        job: Job | None = None,
    ) -> list[EncodedPassage]:
        """Return passages as an encoder sees them, likewise.

        Args:
            encoder: of the model.
            model: what it is remembered by.
            passages: with their texts.
            job: to cancel.

        Raises:
            Cancelled: the job was cancelled.
        """
        job = job or Job()
        texts = [(passage.context, passage.text) for passage in passages]
        keys = [(model, _digest(*text)) for text in texts]
        found = self._passages.known(keys)
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        split = zip(fresh, encoder.passage_tokens([*fresh.values()]), strict=True)
        # Of like length together, for what pads them is computed, too; the longest first, so that
        # the threads end at about the same time. The vectors are the same in any batch.
        ordered = sorted(split, key=lambda one: -len(one[1].framed))
        firsts = range(0, len(ordered), _ENCODED_AT_ONCE)
        batches = [dict(ordered[first : first + _ENCODED_AT_ONCE]) for first in firsts]
        seen_in = [[*batch.values()] for batch in batches]
        encoded = _encoded_side_by_side(encoder, seen_in, job)
        for batch, seen, vectors in zip(batches, seen_in, encoded, strict=True):
            made = map(EncodedPassage, seen, vectors)
            found.update(zip(batch, made, strict=True))
            self._passages.remember({key: found[key] for key in batch})
        self._passages.remember({key: found[key] for key in keys})
        return [found[key] for key in keys]


def _encoded_side_by_side(
    encoder: Encoder, batches: Sequence[Sequence[TextTokens]], job: Job
) -> Iterator[list[TokenVectors]]:
    """Yield the batches encoded, in their order, on as many threads as run side by side.

    Raises:
        Cancelled: the job was cancelled.
    """
    if len(batches) < 2:
        for batch in batches:
            job.checkpoint()
            yield encoder.encode_passages(batch)
        return

    def encode(batch: Sequence[TextTokens]) -> list[TokenVectors]:
        job.checkpoint()
        return encoder.encode_passages(batch)

    # Who cancels has those in hand finished and no more begun.
    yield from _threads().map(encode, batches)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(calls_at_once(), "winnow-encode")


def _digest(context: str, text: str) -> bytes:
    # No passage has a zero in it (`core.documents.text`).
    return hashlib.blake2b(f"{context}\0{text}".encode(), digest_size=16).digest()
