"""Batches of examples as tensors, and the fair negatives of each query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.encoders.tokens import Tokenizer
from lab.training.config import RunConfig
from lab.training.corpus import Passage, words
from lab.training.pairs import Example
from lab.training.start import Start


@dataclass(frozen=True, slots=True)
class Texts:
    """Framed texts: `ids` and `mask` are (b, l), int64 and bool, padded to the longest.

    Each has `before` and `after` frame tokens. `lengths` counts each text's tokens with its frame,
    which avoids reading the mask from the device.
    """

    ids: Tensor
    mask: Tensor
    before: int
    after: int
    lengths: tuple[int, ...]

    @property
    def own_ids(self) -> Tensor:
        """(b, n) ids without the frame, except for closing tokens of shorter texts."""
        return self.ids[:, self.before : self.ids.shape[1] - self.after]

    def chosen(self, rows: Tensor) -> Texts:
        """Return the texts of some rows, in their order, truncated to the longest of them."""
        lengths = tuple(self.lengths[row] for row in rows.tolist())
        longest = max(lengths, default=0)
        return replace(
            self, ids=self.ids[rows, :longest], mask=self.mask[rows, :longest], lengths=lengths
        )

    def to(self, device: str) -> Texts:
        """Return the texts on a device; from pinned memory the copy is asynchronous."""
        return replace(
            self,
            ids=self.ids.to(device, non_blocking=True),
            mask=self.mask.to(device, non_blocking=True),
        )

    def pinned(self) -> Texts:
        """Return the texts in pinned memory."""
        return replace(self, ids=self.ids.pin_memory(), mask=self.mask.pin_memory())


@dataclass(frozen=True, slots=True)
class Batch:
    """The examples of one step.

    Attributes:
        examples: the examples of the batch.
        passages: the distinct passages of the examples; the b positives come first, unless two
            examples share one.
        query_texts: b queries.
        passage_texts: p passages.
        positives: (b,) int64, the column of each query's positive.
        candidates: (b, p) bool, the passages compared with a positive: all except others known to
            answer the query.
        own: (b, w) int64, the columns of each query's own passages, its positive first; 0 where
            it has fewer.
        own_mask: (b, w) bool, where it has one.
        teacher: (b, w) float32, mined scores of the own passages; NaN if missing.
    """

    examples: tuple[Example, ...]
    passages: tuple[Passage, ...]
    query_texts: Texts
    passage_texts: Texts
    positives: Tensor
    candidates: Tensor
    own: Tensor
    own_mask: Tensor
    teacher: Tensor

    @property
    def tokens(self) -> int:
        """Number of tokens that the transformer reads, special ones included, without padding."""
        return sum(self.query_texts.lengths) + sum(self.passage_texts.lengths)

    def to(self, device: str) -> Batch:
        """Return all tensors on a device; from pinned memory the copy is asynchronous."""
        return self._with(
            lambda texts: texts.to(device), lambda tensor: tensor.to(device, non_blocking=True)
        )

    def pinned(self) -> Batch:
        """Return all tensors in pinned memory."""
        return self._with(Texts.pinned, Tensor.pin_memory)

    def _with(self, texts: Callable[[Texts], Texts], tensor: Callable[[Tensor], Tensor]) -> Batch:
        return replace(
            self,
            query_texts=texts(self.query_texts),
            passage_texts=texts(self.passage_texts),
            positives=tensor(self.positives),
            candidates=tensor(self.candidates),
            own=tensor(self.own),
            own_mask=tensor(self.own_mask),
            teacher=tensor(self.teacher),
        )

    @property
    def own_passages(self) -> list[list[Passage]]:
        """Return each query's own passages; needs tensors in CPU memory."""
        return [
            [self.passages[column] for column in row[mask].tolist()]
            for row, mask in zip(self.own, self.own_mask, strict=True)
        ]


class Collator:
    """Makes batches of examples, given the tokenizer and the maximum lengths."""

    def __init__(self, tokenizer: Tokenizer, start: Start, run: RunConfig) -> None:
        self._tokenizer = tokenizer
        self._start = start
        self._run = run

    def queries(self, texts: Sequence[str]) -> Texts:
        """Return queries, truncated and framed."""
        tokens = self._tokenizer.tokenize(texts)
        ids = [token.ids[: self._run.query_tokens] for token in tokens]
        return self._framed(ids, self._start.query_prefix)

    def passages(self, passages: Sequence[tuple[str, str]]) -> Texts:
        """Return passages, given as context and text, truncated and framed."""
        tokens = self._tokenizer.tokenize([part for passage in passages for part in passage])
        ids = [
            (context.ids + text.ids)[: self._run.passage_tokens]
            for context, text in zip(tokens[::2], tokens[1::2], strict=True)
        ]
        return self._framed(ids, self._start.passage_prefix)

    def _framed(self, ids: Sequence[tuple[int, ...]], prefix: tuple[int, ...]) -> Texts:
        opening, closing = self._tokenizer.surround
        return frame(ids, (*opening, *prefix), closing)

    def batch(self, examples: Sequence[Example]) -> Batch:
        """Return the examples as tensors."""
        columns: dict[Passage, int] = {}
        for example in examples:
            columns.setdefault(example.passage, len(columns))
        for example in examples:
            for negative in example.negatives:
                columns.setdefault(negative, len(columns))
        passages = tuple(columns)
        ways = max(1 + len(one.negatives) for one in examples)
        own = torch.zeros(len(examples), ways, dtype=torch.int64)
        own_mask = torch.zeros(len(examples), ways, dtype=torch.bool)
        teacher = torch.full((len(examples), ways), torch.nan)
        for row, example in enumerate(examples):
            for place, passage in enumerate((example.passage, *example.negatives)):
                own[row, place] = columns[passage]
                own_mask[row, place] = True
            if example.teacher:
                teacher[row, : len(example.teacher)] = torch.tensor(example.teacher)
        return Batch(
            examples=tuple(examples),
            passages=passages,
            query_texts=self.queries([one.query for one in examples]),
            passage_texts=self.passages([(one.context, one.text) for one in passages]),
            positives=torch.tensor([columns[one.passage] for one in examples]),
            candidates=fair_candidates(examples, passages),
            own=own,
            own_mask=own_mask,
            teacher=teacher,
        )


def fair_candidates(examples: Sequence[Example], passages: Sequence[Passage]) -> Tensor:
    """Return (b, p) bool: each query's positive, and the passages not known to answer it.

    Passages are known to answer a query if they belong to its relevant documents, have the same
    text as its positive, answer another example of the same query or, if the example says so,
    contain all its words.
    """
    texts = [" ".join(words(one.text)) for one in passages]
    bags = [frozenset(words(f"{one.context} {one.text}")) for one in passages]
    relevant: dict[str, set[str]] = {}
    for example in examples:
        relevant.setdefault(_folded(example.query), set()).update(example.relevant)
    fair = torch.ones(len(examples), len(passages), dtype=torch.bool)
    for row, example in enumerate(examples):
        answers = relevant[_folded(example.query)]
        positive = " ".join(words(example.passage.text))
        for column, passage in enumerate(passages):
            if (
                passage.document in answers
                or texts[column] == positive
                or (example.all_words and example.all_words <= bags[column])
            ):
                fair[row, column] = passage == example.passage
    return fair


def frame(
    texts: Sequence[tuple[int, ...]], before: tuple[int, ...], after: tuple[int, ...]
) -> Texts:
    """Return token ids of texts between opening and closing tokens.

    >>> frame([(7, 8), ()], (1,), (2,)).ids.tolist()
    [[1, 7, 8, 2], [1, 2, 0, 0]]
    """
    framed = [(*before, *text, *after) for text in texts]
    longest = max(map(len, framed), default=0)
    ids = torch.zeros(len(framed), longest, dtype=torch.int64)
    mask = torch.zeros(len(framed), longest, dtype=torch.bool)
    for row, one in enumerate(framed):
        ids[row, : len(one)] = torch.tensor(one)
        mask[row, : len(one)] = True
    return Texts(ids, mask, len(before), len(after), tuple(map(len, framed)))


def _folded(query: str) -> str:
    return " ".join(words(query))
