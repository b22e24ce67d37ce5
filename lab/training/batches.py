"""Examples as tensors, and which passages of a batch are fair negatives for which query."""

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

    `before` and `after` tokens of each frame it. `lengths` say how many tokens each text has with
    its frame: what the mask says, but known without asking the device.
    """

    ids: Tensor
    mask: Tensor
    before: int
    after: int
    lengths: tuple[int, ...]

    @property
    def own_ids(self) -> Tensor:
        """(b, n) the ids without the frame, but for closing tokens of texts that are shorter."""
        return self.ids[:, self.before : self.ids.shape[1] - self.after]

    def chosen(self, rows: Tensor) -> Texts:
        """Return the texts of some rows, in their order, cut at the longest of them."""
        lengths = tuple(self.lengths[row] for row in rows.tolist())
        longest = max(lengths, default=0)
        return replace(
            self, ids=self.ids[rows, :longest], mask=self.mask[rows, :longest], lengths=lengths
        )

    def to(self, device: str) -> Texts:
        """Return them on a device; from pinned memory they are still on their way there."""
        return replace(
            self,
            ids=self.ids.to(device, non_blocking=True),
            mask=self.mask.to(device, non_blocking=True),
        )

    def pinned(self) -> Texts:
        """Return them where a graphics card can fetch them by itself."""
        return replace(self, ids=self.ids.pin_memory(), mask=self.mask.pin_memory())


@dataclass(frozen=True, slots=True)
class Batch:
    """One step's examples.

    Attributes:
        examples: what it was made of.
        passages: each different passage of the examples once; the b positives stand first,
            unless two examples share one.
        query_texts: b of them.
        passage_texts: p of them.
        positives: (b,) int64, the column of each query's positive.
        candidates: (b, p) bool, what a positive is compared with: all but passages that are known
            to answer the query, too.
        own: (b, w) int64, the columns of each query's own passages, its positive first; 0 where
            it has fewer.
        own_mask: (b, w) bool, where it has one.
        teacher: (b, w) float32, mined scores of the own passages; NaN where there are none.
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
        """How many tokens the transformer reads, special ones included, padding not."""
        return sum(self.query_texts.lengths) + sum(self.passage_texts.lengths)

    def to(self, device: str) -> Batch:
        """Return all tensors on a device; from pinned memory they are still on their way there."""
        return self._with(
            lambda texts: texts.to(device), lambda tensor: tensor.to(device, non_blocking=True)
        )

    def pinned(self) -> Batch:
        """Return all tensors where a graphics card can fetch them by itself."""
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
        """Each query's own passages; to be asked where the tensors are the processor's."""
        return [
            [self.passages[column] for column in row[mask].tolist()]
            for row, mask in zip(self.own, self.own_mask, strict=True)
        ]


class Collator:
    """Makes batches of examples; knows the tokenizer and how long texts may be."""

    def __init__(self, tokenizer: Tokenizer, start: Start, run: RunConfig) -> None:
        self._tokenizer = tokenizer
        self._start = start
        self._run = run

    def queries(self, texts: Sequence[str]) -> Texts:
        """Queries, cut and framed."""
        tokens = self._tokenizer.tokenize(texts)
        ids = [token.ids[: self._run.query_tokens] for token in tokens]
        return self._framed(ids, self._start.query_prefix)

    def passages(self, passages: Sequence[tuple[str, str]]) -> Texts:
        """Passages, given as context and text, cut and framed."""
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
    """(b, p) bool: each query's positive, and all passages that are not known to answer it.

    Known to answer a query are passages of its relevant documents, passages of the same text as
    its positive, passages that answer another example of the same query, and, where the example
    says so, passages that have all its words.
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
    """Token ids of texts between what frames them.

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
