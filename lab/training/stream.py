"""The order of a run's examples, a function of seed and step, and their prefetching."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from core.errors import UsageError
from lab.training.pairs import Example, Source
from lab.training.similarity_groups import group_similar

_MAX_ATTEMPTS = 1000


class Stream:
    """Batches of examples from weighted sources, addressable by step.

    A source is exhausted before examples repeat, and shuffled on each pass. A run that resumes from
    a checkpoint needs no state of the stream, only the number of the next step.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        weights: Sequence[float],
        *,
        batch: int,
        ways: int = 1,
        seed: int = 7,
        mixed: bool = False,
        regrouped_batches: int = 1,
    ) -> None:
        """Take the sources.

        Args:
            sources: the sources of examples.
            weights: sampling weights of the sources.
            batch: examples per step.
            ways: maximum number of passages per example.
            seed: for all random choices.
            mixed: whether the source is drawn per example; otherwise per batch.
            regrouped_batches: number of batches of a source, a power of two, that are regrouped
                into batches of similar examples; fewer for a small source. 1 for none.

        Raises:
            UsageError: a source is empty.
        """
        for source in sources:
            if not len(source):
                raise UsageError(f"The data {source.name} has no examples.")
        self._sources = sources
        self._shares = np.array(weights, dtype=np.float64) / sum(weights)
        self._batch = batch
        self._ways = ways
        self._seed = seed
        self._mixed = mixed
        self._regrouped = [
            _batches_within(len(source), batch, regrouped_batches) for source in sources
        ]
        self._pools: dict[int, tuple[int, list[tuple[Example, ...]]]] = {}
        self._drawn: npt.NDArray[np.int64] = np.zeros((0, batch), dtype=np.int64)

    def batch(self, step: int) -> tuple[Example, ...]:
        """Return the examples of a step, counted from 0.

        Raises:
            UsageError: a source yields almost no examples.
        """
        chosen = self._sources_of(step)
        counts = np.bincount(self._drawn[:step].ravel(), minlength=len(self._sources))
        first = int(chosen[0])
        if not self._mixed and self._regrouped[first] > 1:
            return self._regrouped_batch(first, int(counts[first]) // self._batch)
        examples = []
        for place, number in enumerate(chosen):
            examples.append(self._example(int(number), int(counts[number]), (step, place)))
            counts[number] += 1
        return tuple(examples)

    def _regrouped_batch(self, source_index: int, turn: int) -> tuple[Example, ...]:
        """Return the `turn`-th batch of a source, from a pool grouped by similarity."""
        batch_count = self._regrouped[source_index]
        pool, place = divmod(turn, batch_count)
        known = self._pools.get(source_index)
        if known is None or known[0] != pool:
            size = batch_count * self._batch
            examples = [
                self._example(source_index, pool * size + position, (pool, source_index, position))
                for position in range(size)
            ]
            generator = np.random.default_rng([self._seed, 5, source_index, pool])
            texts = [f"{example.passage.context} {example.passage.text}" for example in examples]
            rows = generator.permutation(group_similar(texts, batch_count, generator))
            batches = [tuple(examples[position] for position in row) for row in rows]
            known = self._pools[source_index] = (pool, batches)
        return known[1][place]

    def _sources_of(self, step: int) -> npt.NDArray[np.int64]:
        if step >= len(self._drawn):
            # A longer row of the same generator starts with the shorter one.
            rows = max(2 * len(self._drawn), step + 1, 256)
            generator = np.random.default_rng([self._seed, 0])
            shape = (rows, self._batch) if self._mixed else (rows, 1)
            drawn = generator.choice(len(self._sources), shape, p=self._shares)
            self._drawn = np.broadcast_to(drawn, (rows, self._batch))
        row: npt.NDArray[np.int64] = self._drawn[step]
        return row

    def _example(self, source_index: int, position: int, at: tuple[int, ...]) -> Example:
        source = self._sources[source_index]
        turn, place = divmod(position, len(source))
        generator = np.random.default_rng([self._seed, 1, *at])
        unit = int(_order(self._seed, source_index, turn, len(source))[place])
        for _ in range(_MAX_ATTEMPTS):
            example = source.example(unit, generator, self._ways)
            if example is not None:
                return example
            unit = int(generator.integers(len(source)))
        raise UsageError(f"The data {source.name} has hardly any examples; its texts are short.")


T = TypeVar("T")


class Prefetcher(Generic[T]):
    """Prefetches the data of the steps in a thread, one after another and in order.

    Use it as a context manager: prefetching stops at its end.
    """

    AHEAD = 2

    def __init__(self, make: Callable[[int], T], first: int, end: int | None = None) -> None:
        """Start prefetching.

        Args:
            make: returns the data of a step; a pure function of the step's number, called by one
                thread at a time.
            first: the first step, counted from 0.
            end: the number of steps, at which prefetching stops; None if unknown.
        """
        self._make = make
        self._next = first
        self._end = end
        self._futures: deque[Future[T]] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="batches")

    def __enter__(self) -> Prefetcher[T]:
        for _ in range(self.AHEAD):
            self._order()
        return self

    def __exit__(self, *_raised: object) -> None:
        self._thread.shutdown(cancel_futures=True)

    def next(self) -> T:
        """Return the data of the next step; raises errors of its preparation."""
        data = self._futures.popleft().result()
        self._order()
        return data

    def _order(self) -> None:
        if self._end is None or self._next < self._end:
            self._futures.append(self._thread.submit(self._make, self._next))
            self._next += 1


def _batches_within(length: int, batch: int, most: int) -> int:
    """Return the largest power of two, up to `most`, of full batches in `length` examples.

    >>> _batches_within(1000, 48, 64), _batches_within(40, 48, 64)
    (16, 1)
    """
    fitting = max(min(most, length // batch), 1)
    return 1 << (fitting.bit_length() - 1)


@lru_cache(maxsize=64)
def _order(seed: int, source: int, turn: int, length: int) -> npt.NDArray[np.int64]:
    return np.random.default_rng([seed, 2, source, turn]).permutation(length)
