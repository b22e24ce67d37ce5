"""Texts to unit token vectors, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.encoders.checkpoint import Checkpoint
from core.encoders.runtimes import Runtime
from core.encoders.tokens import Tokenizer, Tokens

Floats = npt.NDArray[np.float32]

BATCH_TOKENS = 4096
"""Tokens a batch, padding included: enough to keep the processor busy, small enough to stay in
its caches; twice as many are slower."""


@dataclass(frozen=True, slots=True)
class PassageTokens:
    """The tokens of a passage as the encoder sees it: first the context's, then the text's.

    `spans` point into the context for the first `context` tokens, into the text for the rest.
    """

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    context: int

    def __len__(self) -> int:
        return len(self.ids)


class Encoder:
    """A checkpoint, its tokenizer, and the runtime that runs it.

    Each token gives one vector of unit length; the special tokens that frame a text see it but
    are not given out. A text's vectors do not depend on what else is in its batch.
    """

    def __init__(self, checkpoint: Checkpoint, tokenizer: Tokenizer, runtime: Runtime) -> None:
        self.checkpoint = checkpoint
        self.tokenizer = tokenizer
        self.runtime = runtime

    @property
    def limit(self) -> int:
        """The most tokens of one text that the model can take, special ones not counted."""
        return self.checkpoint.max_tokens - 2

    def query_tokens(self, text: str) -> Tokens:
        """The tokens of a query, cut at `limit`."""
        return self.tokenizer.tokenize([text])[0].first(self.limit)

    def passage_tokens(self, passages: Sequence[tuple[str, str]]) -> list[PassageTokens]:
        """The tokens of each passage, given as context and text, cut at `limit`."""
        return passage_tokens(self.tokenizer, passages, self.limit)

    def encode(
        self,
        ids: Sequence[tuple[int, ...]],
        on_batch: Callable[[int], None] | None = None,
    ) -> list[Floats]:
        """The unit vectors of each text's tokens.

        Args:
            ids: the token ids of each text, at most `limit` each.
            on_batch: called after each batch with the number of texts done; may raise to stop.

        Returns:
            One (m, d) float32 array a text, in the order of `ids`; m = 0 for an empty text.
        """
        before, after = self.tokenizer.special
        vectors: list[Floats] = [
            np.zeros((0, self.checkpoint.dimensions), dtype=np.float32) for _ in ids
        ]
        done = 0
        for rows in batches([len(text) for text in ids], BATCH_TOKENS):
            longest = len(ids[rows[0]]) + 2
            batch = np.zeros((len(rows), longest), dtype=np.int64)
            mask = np.zeros_like(batch)
            for place, row in enumerate(rows):
                framed = (before, *ids[row], after)
                batch[place, : len(framed)] = framed
                mask[place, : len(framed)] = 1
            projected = self.runtime.project(batch, mask)
            for place, row in enumerate(rows):
                vectors[row] = unit(projected[place, 1 : len(ids[row]) + 1])
            done += len(rows)
            if on_batch is not None:
                on_batch(done)
        return vectors


def passage_tokens(
    tokenizer: Tokenizer, passages: Sequence[tuple[str, str]], limit: int
) -> list[PassageTokens]:
    """The tokens of each passage, given as context and text, cut at `limit` tokens together."""
    tokens = tokenizer.tokenize([part for passage in passages for part in passage])
    return [
        PassageTokens(
            (context.ids + text.ids)[:limit],
            (context.spans + text.spans)[:limit],
            min(len(context), limit),
        )
        for context, text in zip(tokens[::2], tokens[1::2], strict=True)
    ]


def unit(vectors: Floats) -> Floats:
    """(m, d) vectors brought to unit length; a zero vector stays zero.

    >>> unit(np.array([[3, 4], [0, 0]], dtype=np.float32)).round(3).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    normalised: Floats = vectors / np.maximum(norms, np.finfo(np.float32).tiny)
    return normalised


def batches(lengths: Sequence[int], tokens: int) -> list[list[int]]:
    """Group texts of similar lengths, the longest first, empty ones left out.

    Args:
        lengths: the number of tokens of each text.
        tokens: the most tokens of a batch, each text counted as long as the longest in it, with
            two special tokens; a longer text is a batch of its own.

    Returns:
        The texts' numbers, batch by batch.

    >>> batches([2, 9, 8, 0], tokens=24)
    [[1, 2], [0]]
    """
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    grouped: list[list[int]] = []
    for row in order:
        if lengths[row] == 0:
            continue
        if grouped:
            longest = lengths[grouped[-1][0]] + 2
            if (len(grouped[-1]) + 1) * longest <= tokens:
                grouped[-1].append(row)
                continue
        grouped.append([row])
    return grouped
