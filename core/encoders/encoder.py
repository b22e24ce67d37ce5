"""Encodes texts as unit token vectors, in batches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from core.arrays import Floats
from core.encoders.folders.checkpoint import Checkpoint, TextRules
from core.encoders.graphics import Runtime
from core.encoders.tokens import Frame, Tokenizer, Tokens

# Tokens per batch, with padding: enough to keep the processor busy, few enough to stay in its
# caches; twice as many are slower.
BATCH_TOKENS = 4096

# A batch's length is a multiple of this many tokens (docs/decisions/0004-encoder.md). Processors
# sum a row of attention in groups of 8 or 16 numbers, and the remainder differently: the last bits
# of a text's vectors would depend on the padding.
PADDED_TO = 16

_QUERY, _PASSAGE = 0, 1  # index of the salience column


@dataclass(frozen=True, slots=True)
class TextTokens:
    """The tokens of a query or a passage that have vectors, and the transformer's input.

    Attributes:
        ids: of the m tokens with vectors.
        spans: their character spans, in a passage's context for the first `context` of them, in
            its text for the rest; empty (start = end) for a token without characters.
        words: the index of each token's word; -1 for none.
        context: number of tokens before the text's own.
        framed: all input ids; empty for an empty text.
        attended: number of tokens of `framed` that others attend to.
        positions: positions of the m tokens in `framed`.
        is_cut: whether the text was truncated.
    """

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    words: tuple[int, ...]
    context: int
    framed: tuple[int, ...]
    attended: int
    positions: tuple[int, ...]
    is_cut: bool = False

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """The encoder's output for one text of m tokens.

    Attributes:
        vectors: (m, d) float32, each of unit length.
        saliences: (m,) float32, 0 or more; None if the model has none.
        weights: (m,) float32, the weights of a query's tokens, 1 on average; None if all are
            equal.
    """

    vectors: Floats
    saliences: Floats | None = None
    weights: Floats | None = None

    @property
    def weighted(self) -> Floats:
        """(m, d) the vectors scaled by weight, for a weighted mean of maxima."""
        return self.vectors if self.weights is None else self.vectors * self.weights[:, None]

    def __len__(self) -> int:
        return len(self.vectors)


class Encoder:
    """A checkpoint, its tokenizer, and the runtime that runs it.

    A text's vectors do not depend on what else is in its batch.
    """

    def __init__(self, checkpoint: Checkpoint, tokenizer: Tokenizer, runtime: Runtime) -> None:
        self.checkpoint = checkpoint
        self.tokenizer = tokenizer
        self.runtime = runtime

    @cached_property
    def _query_frame(self) -> Frame:
        return self.tokenizer.frame(self.checkpoint.queries)

    @cached_property
    def _passage_frame(self) -> Frame:
        return self.tokenizer.frame(self.checkpoint.passages)

    def query_tokens(self, text: str) -> TextTokens:
        """Return the tokens of a query, truncated to the model's limit."""
        rules = self.checkpoint.queries
        (tokens,) = self.tokenizer.tokenize([text], rules.prompt)
        return _framed((_NOTHING, tokens), self._query_frame, rules)

    def passage_tokens(self, passages: Sequence[tuple[str, str]]) -> list[TextTokens]:
        """Return the tokens of passages, given as context and text, truncated to the limit."""
        rules = self.checkpoint.passages
        tokens = self.tokenizer.tokenize([part for passage in passages for part in passage])
        if rules.prompt:
            openings = [context or text for context, text in passages]
            prompted = self.tokenizer.tokenize(openings, rules.prompt)
            for index, ((context, _), opening) in enumerate(zip(passages, prompted, strict=True)):
                tokens[2 * index + (not context)] = opening
        return [
            _framed(parts, self._passage_frame, rules)
            for parts in zip(tokens[::2], tokens[1::2], strict=True)
        ]

    def encode_queries(self, queries: Sequence[TextTokens]) -> list[TokenVectors]:
        """Return the vectors of queries, in their order, with the saliences of query tokens."""
        return [
            replace(query, weights=query_weights(self.checkpoint, query.saliences, len(query)))
            for query in self._encode(queries, _QUERY, None)
        ]

    def encode_passages(
        self, passages: Sequence[TextTokens], on_batch: Callable[[int], None] | None = None
    ) -> list[TokenVectors]:
        """Return the vectors of passages, in their order, with the saliences of passage tokens.

        Args:
            passages: as returned by `passage_tokens`.
            on_batch: called after each batch with the number of passages done; may raise to stop.
        """
        return self._encode(passages, _PASSAGE, on_batch)

    def project(self, texts: Sequence[TextTokens]) -> Iterator[tuple[list[int], Floats]]:
        """Yield the outputs of the transformer and the model's layers, batch by batch.

        Yields:
            The indices of a batch's b texts, and (b, l, c) the runtime's output; texts without
            tokens are in no batch.
        """
        most = self.checkpoint.passages.max_tokens
        for rows in batches([padded(len(text.framed), most) for text in texts], BATCH_TOKENS):
            batch = np.zeros((len(rows), padded(len(texts[rows[0]].framed), most)), dtype=np.int64)
            mask = np.zeros_like(batch)
            for index, row in enumerate(rows):
                batch[index, : len(texts[row].framed)] = texts[row].framed
                mask[index, : texts[row].attended] = 1
            yield rows, self.runtime.project(batch, mask)

    def _encode(
        self, texts: Sequence[TextTokens], side: int, on_batch: Callable[[int], None] | None
    ) -> list[TokenVectors]:
        dimensions = self.checkpoint.dimensions
        has_saliences = self.checkpoint.saliences is not None
        has_own = side == _QUERY and self.checkpoint.query_layers is not None
        columns = slice(dimensions, 2 * dimensions) if has_own else slice(dimensions)
        nothing = np.zeros(0, dtype=np.float32)
        empty = TokenVectors(nothing.reshape(0, dimensions), nothing if has_saliences else None)
        vectors = [empty for _ in texts]
        done = 0
        for rows, projected in self.project(texts):
            for index, row in enumerate(rows):
                outputs = projected[index, list(texts[row].positions)]
                saliences = np.maximum(outputs[:, dimensions + side], 0) if has_saliences else None
                vectors[row] = TokenVectors(unit(outputs[:, columns]), saliences)
            done += len(rows)
            if on_batch is not None:
                on_batch(done)
        return vectors


def query_weights(checkpoint: Checkpoint, saliences: Floats | None, n: int) -> Floats | None:
    """Return the weights of a query's n tokens, 1 on average; None if all are equal.

    If no token of a query is salient, all are weighted equally.

    Args:
        checkpoint: has the rules for saliences and the weight of a summary.
        saliences: (n,), not negative; None if the model has none.
        n: number of tokens, including the summary, which is the first.
    """
    has_summary = checkpoint.queries.includes_summary
    if n == 0 or not (has_summary or (checkpoint.weighs_queries and saliences is not None)):
        return None
    weights = np.ones(n, dtype=np.float32)
    first = int(has_summary)
    if checkpoint.weighs_queries and saliences is not None and saliences[first:].any():
        weights = saliences.copy()
    if has_summary:
        weights[0] = checkpoint.summary_weight * weights[1:].sum()
    scaled: Floats = weights * (n / weights.sum())
    return scaled


_NOTHING: Final = Tokens((), (), ())


def _framed(parts: tuple[Tokens, Tokens], frame: Frame, rules: TextRules) -> TextTokens:
    """Add prefix, prompt, special tokens and fillers to a context and text."""
    context, text = parts
    before = (*frame.before, *context.prompt, *text.prompt)
    room = rules.max_tokens - len(before) - len(frame.after)
    ids = (context.ids + text.ids)[:room]
    if not ids:
        return TextTokens((), (), (), 0, (), 0, ())
    spans = (context.spans + text.spans)[:room]
    words = (context.words + text.words)[:room]
    framed = (*before, *ids, *frame.after)
    attended = len(framed)
    if frame.filler is not None:
        framed += (frame.filler,) * ((rules.filled_to or rules.max_tokens) - len(framed))
        if rules.is_filler_attended:
            attended = len(framed)
    first = len(before)
    context_tokens = min(len(context), len(ids))
    positions: Sequence[int] = range(first, first + len(ids))
    if not frame.without_vectors.isdisjoint(ids):
        chosen = [index for index, own in enumerate(ids) if own not in frame.without_vectors]
        positions = [first + index for index in chosen]
        spans = tuple([spans[index] for index in chosen])
        words = tuple([words[index] for index in chosen])
        context_tokens = sum(index < context_tokens for index in chosen)
    leading: list[int] = []
    trailing: list[int] = []
    if rules.includes_summary:
        leading = [0]
    if rules.includes_special_tokens:
        surround = [*range(first), *range(first + len(ids), len(framed))]
        frame_positions = [
            position for position in surround if framed[position] not in frame.without_vectors
        ]
        leading = [position for position in frame_positions if position < first]
        trailing = [position for position in frame_positions if position >= first]
    every = (*leading, *positions, *trailing)
    return TextTokens(
        ids=tuple([framed[position] for position in every]),
        spans=(*[(0, 0)] * len(leading), *spans, *[(0, 0)] * len(trailing)),
        words=(*[-1] * len(leading), *words, *[-1] * len(trailing)),
        context=len(leading) + context_tokens,
        framed=framed,
        attended=attended,
        positions=every,
        is_cut=len(context) + len(text) > room,
    )


def unit(vectors: Floats) -> Floats:
    """Return (m, d) vectors scaled to unit length; a zero vector stays zero.

    >>> unit(np.array([[3, 4], [0, 0]], dtype=np.float32)).round(3).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    divided = vectors / np.maximum(norms, np.finfo(np.float32).tiny)
    normalised: Floats = divided.astype(np.float32, copy=False)
    return normalised


def padded(length: int, most: int) -> int:
    """Return the padded length of a text in a batch: the next multiple, or `most`.

    >>> padded(0, 256), padded(17, 256), padded(250, 255), padded(300, 255)
    (0, 32, 255, 300)
    """
    return max(length, min(length + -length % PADDED_TO, most))


def batches(lengths: Sequence[int], tokens: int) -> list[list[int]]:
    """Group texts of similar lengths, the longest first, without empty ones.

    Args:
        lengths: the number of input tokens of each text.
        tokens: the limit of a batch's tokens, each text counted as long as the longest in it; a
            longer text is a separate batch.

    Returns:
        The indices of the texts, batch by batch.

    >>> batches([4, 11, 10, 0], tokens=24)
    [[1, 2], [0]]
    """
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    grouped: list[list[int]] = []
    for row in order:
        if lengths[row] == 0:
            continue
        if grouped and (len(grouped[-1]) + 1) * lengths[grouped[-1][0]] <= tokens:
            grouped[-1].append(row)
        else:
            grouped.append([row])
    return grouped
