"""Queries and passages with the vectors of all their tokens, cached."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Final, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from core.alignment.pairwise import AlignmentStrategy, scores, similarity
from core.arrays import Floats
from core.catalog.passages import StoredPassage
from core.catalog.text.normalisation import has_unspaced, letter_starts
from core.encoders.encoder import Encoder, TextTokens, TokenVectors
from core.encoders.runtimes import calls_at_once
from core.index.generation import IndexGeneration
from core.progress import Job
from core.responses import Passage

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A cache of the most recently used values; thread-safe.

    Example:
        >>> recent = Recent[str, int](2)
        >>> recent.remember({"a": 1, "b": 2})
        >>> recent.remember({"a": 1, "c": 3})
        >>> recent.known(["a", "b", "c"])
        {'a': 1, 'c': 3}
    """

    def __init__(self, size: int, cost: Callable[[V], int] = lambda _: 1) -> None:
        """Cache values that cost at most `size` together; by default each costs 1."""
        self._size = size
        self._cost = cost
        self._spent = 0
        self._values: OrderedDict[K, V] = OrderedDict()
        self._guard = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def known(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the cached values of the keys."""
        with self._guard:
            return {key: self._values[key] for key in keys if key in self._values}

    def remember(self, values: Mapping[K, V]) -> None:
        """Cache values as the most recently used ones, in order."""
        with self._guard:
            for key, value in values.items():
                if self._values.get(key) is value:
                    self._values.move_to_end(key)
                    continue
                before = self._values.pop(key, None)
                self._spent -= 0 if before is None else self._cost(before)
                self._values[key] = value
                self._spent += self._cost(value)
            while self._spent > self._size:
                self._spent -= self._cost(self._values.popitem(last=False)[1])


# Queries; some 20 kB each.
_QUERIES_CACHED: Final = 32


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """A query with its n tokens and their vectors.

    If it `has_summary`, the first vector represents the query as a whole. `readable_share` is the
    share of the text that the model can read.
    """

    text: str
    tokens: TextTokens
    vectors: TokenVectors
    has_summary: bool
    readable_share: float = 1.0

    @classmethod
    def of(cls, text: str, encoder: Encoder) -> Self:
        """Encode `text`."""
        tokens = encoder.query_tokens(text)
        has_summary = encoder.checkpoint.queries.includes_summary
        (vectors,) = encoder.encode_queries([tokens])
        return cls(text, tokens, vectors, has_summary, encoder.tokenizer.readable_share(text))

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def weights(self) -> Floats:
        """Return (n,) the weights of the tokens, 1 on average."""
        weights = self.vectors.weights
        return np.ones(len(self), dtype=np.float32) if weights is None else weights

    def aligned(
        self, passage: Floats, strategy: AlignmentStrategy, length: int | None = None
    ) -> tuple[Floats, Floats]:
        """Return the similarities of query tokens and a passage's vectors, and their alignment.

        Args:
            passage: (m, d).
            strategy: selects the aligned pairs.
            length: number of tokens of the passage; None if each has its own vector.

        Returns:
            Two (n, m) matrices; the rows of the second are weighted as the query's tokens.
        """
        pairs = similarity(self.vectors.vectors, passage)
        weights = self.vectors.weights
        return pairs, strategy.align(pairs, weights, length, has_summary=self.has_summary)

    def scores(
        self, passage: Floats, strategies: Sequence[AlignmentStrategy], length: int | None = None
    ) -> Floats:
        """Return (s,) a passage's scores under s strategies, with the arguments of `aligned`."""
        pairs = similarity(self.vectors.vectors, passage)
        weights = self.vectors.weights
        return scores(pairs, strategies, weights, length, has_summary=self.has_summary)


def words_of(text: str, spans: Sequence[tuple[int, int]], words: Sequence[int]) -> tuple[int, ...]:
    """Return the number of each token's word; -1 for none.

    In scripts without spaces, a tokenizer takes a whole sentence for one word. There each token is
    a word, as its pieces are mostly words, unless it begins inside a letter.

    >>> words_of("wings 北京大学", [(0, 4), (4, 5), (6, 8), (8, 10)], [0, 0, 1, 1])
    (0, 0, 1, 2)
    """
    starts = letter_starts(text)
    if not starts:
        return tuple(words)
    word_indexes: list[int] = []
    count = 0
    before = None
    for (start, end), word in zip(spans, words, strict=True):
        if word < 0 or start == end:
            word_indexes.append(-1)
            continue
        if before is not None:
            (start_before, end_before), word_before = before
            is_parted = start in starts or (
                has_unspaced(text[end_before - 1 : end_before])
                and not has_unspaced(text[start : start + 1])
            )
            count += word != word_before or (is_parted and start != start_before)
        word_indexes.append(count)
        before = ((start, end), word)
    return tuple(word_indexes)


class RecentQueries:
    """Queries encoded recently; thread-safe.

    After a search the same query is used again at once, for the counts of the filters, for exact
    highlights, and to explain a result.
    """

    def __init__(self, size: int = _QUERIES_CACHED) -> None:
        """Cache `size` queries."""
        self._queries = Recent[tuple[str, str], EncodedQuery](size)

    def __len__(self) -> int:
        return len(self._queries)

    def of(self, text: str, generation: IndexGeneration) -> EncodedQuery:
        """Return `text` encoded with the generation's model.

        Raises:
            ModelError: the model cannot be loaded.
        """
        key = (generation.row.spec.fingerprint, text)
        encoded = self._queries.known([key]).get(key)
        if encoded is None:
            encoded = EncodedQuery.of(text, generation.query_encoder())
        self._queries.remember({key: encoded})
        return encoded


# Passages; some 2 kB each.
_PASSAGES_CACHED: Final = 1000


@dataclass(frozen=True, slots=True)
class TokenSpans:
    """The character spans of a passage's m tokens.

    Attributes:
        spans: (m, 2) int32, start and end: in the context for the first `context` tokens, in the
            text for the rest; equal for a token without characters.
        context: number of tokens before the text's own.
    """

    spans: npt.NDArray[np.int32]
    context: int

    @classmethod
    def of(cls, tokens: TextTokens) -> Self:
        """Return the spans of a passage's tokens."""
        spans = np.array(tokens.spans, dtype=np.int32).reshape(-1, 2)
        return cls(spans, tokens.context)


class RecentSpans:
    """Token spans of passages that were shown recently; thread-safe.

    While a person types, most results are those of the query one word before. A passage never
    changes, and its id is never used again.
    """

    def __init__(self, size: int = _PASSAGES_CACHED) -> None:
        """Cache `size` passages."""
        self._spans = Recent[tuple[str, int], TokenSpans](size)

    def __len__(self) -> int:
        return len(self._spans)

    def of(self, shown: Sequence[Passage], generation: IndexGeneration) -> list[TokenSpans]:
        """Return the spans of passages, in their order, as the generation's model splits them."""
        keys = [(generation.row.spec.fingerprint, passage.id) for passage in shown]
        known = self._spans.known(keys)
        fresh = {key: passage for key, passage in zip(keys, shown, strict=True) if key not in known}
        texts = [(passage.context, passage.text) for passage in fresh.values()]
        encoded = [
            TokenSpans.of(tokens) for tokens in generation.query_encoder().passage_tokens(texts)
        ]
        known.update(zip(fresh, encoded, strict=True))
        self._spans.remember(known)
        return [known[key] for key in keys]


# Encoded passages: some 350, those of twenty queries.
_BYTES_CACHED: Final = 32 << 20
# Of a token's id, span and word, as Python objects.
_BYTES_PER_TOKEN: Final = 300
# Passages per batch; a search that is cancelled waits for one. Larger ones are hardly faster.
_ENCODED_AT_ONCE: Final = 2


@dataclass(frozen=True, slots=True)
class EncodedPassage:
    """A passage with its m tokens and their vectors."""

    tokens: TextTokens
    vectors: TokenVectors

    @property
    def size_bytes(self) -> int:
        """Return the approximate memory usage."""
        return self.vectors.vectors.nbytes + _BYTES_PER_TOKEN * len(self.tokens)


class RecentPassages:
    """Passages encoded recently with a vector for each token; thread-safe.

    While a person types, most results are those of the query one word before. A passage is known by
    its text, so that copies, and documents that are read again, are not encoded again.
    """

    def __init__(self, size_bytes: int = _BYTES_CACHED) -> None:
        """Cache passages of at most `size_bytes` together."""
        self._passages = Recent[tuple[str, bytes], EncodedPassage](
            size_bytes, lambda passage: passage.size_bytes
        )

    def __len__(self) -> int:
        return len(self._passages)

    def of(
        self,
        passages: Sequence[StoredPassage | Passage],
        generation: IndexGeneration,
        job: Job | None = None,
    ) -> list[EncodedPassage]:
        """Return passages encoded with the generation's model, in their order.

        Batches that are encoded before the job is cancelled are cached.

        Raises:
            Cancelled: the job was cancelled.
            ModelError: the model cannot be loaded.
        """
        job = job or Job()
        encoder, model = generation.query_encoder(), generation.row.spec.fingerprint
        texts = [(passage.context, passage.text) for passage in passages]
        keys = [(model, _digest(*text)) for text in texts]
        known = self._passages.known(keys)
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        split = zip(fresh, encoder.passage_tokens([*fresh.values()]), strict=True)
        # Of similar length together, since padding is computed too; the longest first, so that
        # the threads finish at about the same time. The vectors are the same in any batch.
        ordered = sorted(split, key=lambda item: -len(item[1].framed))
        firsts = range(0, len(ordered), _ENCODED_AT_ONCE)
        batches = [dict(ordered[first : first + _ENCODED_AT_ONCE]) for first in firsts]
        tokens = [[*batch.values()] for batch in batches]
        encoded = _encoded_in_parallel(encoder, tokens, job)
        for batch, vectors in zip(batches, encoded, strict=True):
            new = map(EncodedPassage, batch.values(), vectors)
            known.update(zip(batch, new, strict=True))
            self._passages.remember({key: known[key] for key in batch})
        self._passages.remember({key: known[key] for key in keys})
        return [known[key] for key in keys]


def _encoded_in_parallel(
    encoder: Encoder, batches: Sequence[Sequence[TextTokens]], job: Job
) -> Iterator[list[TokenVectors]]:
    """Yield encoded batches, in their order, on as many threads as the runtime uses at once.

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

    # After a cancellation, batches in progress are finished, and no others are started.
    yield from _threads().map(encode, batches)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(calls_at_once(), "winnow-encode")


def _digest(context: str, text: str) -> bytes:
    # No passage contains NUL (`core.documents.text`).
    return hashlib.blake2b(f"{context}\0{text}".encode(), digest_size=16).digest()
