"""The documents of a training run, split into passages on demand."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from core.documents.document import Document
from core.documents.formats import format_of, load_function
from core.documents.passages import CountTokens, split
from core.errors import DocumentError, UsageError
from lab.evaluation.data import DataSet, is_data_set
from lab.evaluation.run import as_document

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# Documents for computing word weights; more change little.
_SAMPLE = 3000


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as the encoder's input.

    `document` identifies the document among all corpora of a run, `number` the passage in it.
    """

    document: str
    number: int
    context: str
    text: str

    @property
    def id(self) -> str:
        return f"{self.document}#{self.number}"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A document and its id; passages are created on demand."""

    id: str
    document: Document


class Corpus:
    """The documents of one folder, by number and by id."""

    def __init__(
        self,
        name: str,
        documents: Iterable[tuple[str, Document]],
        count_tokens: CountTokens,
        own: Collection[str] | None = None,
    ) -> None:
        """Take the documents and their ids; nothing is split into passages yet.

        Args:
            name: the name of the corpus.
            documents: the documents with their ids.
            count_tokens: as in `core.documents.passages.split`.
            own: the ids of those that queries may be generated from; None for all.
        """
        self.name = name
        self._documents = [_Entry(*one) for one in documents]
        self._count_tokens = count_tokens
        self._passages: dict[int, tuple[Passage, ...]] = {}
        self._numbers = {one.id: number for number, one in enumerate(self._documents)}
        self.own = tuple(
            number for number, one in enumerate(self._documents) if own is None or one.id in own
        )

    def __len__(self) -> int:
        return len(self._documents)

    def __contains__(self, document: str) -> bool:
        return document in self._numbers

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents, by number."""
        return tuple(entry.document for entry in self._documents)

    def number(self, document: str) -> int:
        """Return the number of the document whose id in its folder is `document`."""
        return self._numbers[document]

    def id(self, index: int) -> str:
        """Return the document's id in its folder."""
        return self._documents[index].id

    def key(self, document: str) -> str:
        """Return the document's name in `Passage.document`."""
        return f"{self.name}/{document}"

    def document(self, index: int) -> Document:
        return self._documents[index].document

    def passages(self, index: int) -> tuple[Passage, ...]:
        """The passages of a document, split as in the product; empty if it has no text."""
        known = self._passages.get(index)
        if known is None:
            entry = self._documents[index]
            texts = {page.number: page.text for page in entry.document.pages}
            known = tuple(
                Passage(self.key(entry.id), place, span.context, one)
                for place, (span, one) in enumerate(
                    (span, texts[span.page][span.start : span.end])
                    for span in split(entry.document, self._count_tokens)
                )
            )
            self._passages[index] = known
        return known

    @cached_property
    def words(self) -> WordWeights:
        """Weights of the words among the documents."""
        step = max(len(self) // _SAMPLE, 1)
        return WordWeights.of(
            [entry.document.title, *(page.text for page in entry.document.pages)]
            for entry in self._documents[::step]
        )

    @cached_property
    def by_title(self) -> dict[str, tuple[int, ...]]:
        """Documents by case-folded title; those without a title are left out."""
        numbers: dict[str, list[int]] = {}
        for number, entry in enumerate(self._documents):
            if entry.document.title:
                numbers.setdefault(entry.document.title.casefold(), []).append(number)
        return {title: tuple(found) for title, found in numbers.items()}


@dataclass(frozen=True, slots=True)
class WordWeights:
    """Inverse document frequencies, ln(1 + (n - f + 0.5) / (f + 0.5)).

    Source: Robertson and Zaragoza, The probabilistic relevance framework, 2009, section 3.1.
    """

    documents: int
    frequencies: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def of(documents: Iterable[Sequence[str]]) -> WordWeights:
        """Count the documents, each a number of texts, that have each word."""
        frequencies: Counter[str] = Counter()
        count = 0
        for texts in documents:
            count += 1
            frequencies.update({word for text in texts for word in words(text)})
        return WordWeights(count, frequencies)

    @staticmethod
    def merged(parts: Iterable[WordWeights]) -> WordWeights:
        """Return the weights in several corpora together."""
        frequencies: Counter[str] = Counter()
        count = 0
        for part in parts:
            count += part.documents
            frequencies += part.frequencies
        return WordWeights(count, frequencies)

    def weight(self, word: str) -> float:
        """Return the weight of a lowercase word."""
        frequency = self.frequencies[word]
        return math.log(1 + (self.documents - frequency + 0.5) / (frequency + 0.5))

    def is_rare(self, word: str) -> bool:
        """Return whether at most a tenth of the documents have the word, or only one."""
        return self.frequencies[word] <= max(self.documents // 10, 1)

    def overlap(self, query: str, text: str) -> float:
        """Return the total weight of the shared words."""
        return sum(self.weight(word) for word in set(words(query)) & set(words(text)))


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, in order.

    >>> words("The owl's 2-year study, READ_ME")
    ['the', "owl's", '2-year', 'study', 'read', 'me']
    """
    return [match.group().lower() for match in _WORD.finditer(text)]


def read_corpus(folder: Path, count_tokens: CountTokens, split: str | None = "train") -> Corpus:
    """Return the corpus of a data set, or of all readable documents of a folder.

    Data of other splits must not be used in training, even without their queries. Documents that
    only other splits judge are left out, and queries are generated only from documents that `split`
    and no other split judges.

    Args:
        folder: holds a data set, or documents of any kind.
        count_tokens: as in `core.documents.passages.split`.
        split: the split for training; None to use all documents of a data set for everything.

    Raises:
        UsageError: the data set is malformed, or no document is left.
    """
    if not is_data_set(folder):
        corpus = Corpus(folder.resolve().name, _files(folder), count_tokens)
    else:
        data = DataSet(folder)
        documents = ((one.id, as_document(one)) for one in data.documents())
        if split is None:
            corpus = Corpus(data.name, documents, count_tokens)
        else:
            judged = _judged(data, split)
            judged_elsewhere = _judged(data, *(name for name in data.splits if name != split))
            selected = (
                one for one in documents if one[0] in judged or one[0] not in judged_elsewhere
            )
            corpus = Corpus(data.name, selected, count_tokens, judged - judged_elsewhere)
    if not len(corpus):
        raise UsageError(f"{folder} holds no documents to train on.")
    return corpus


def _judged(data: DataSet, *splits: str) -> set[str]:
    judgements = (data.split(name).judgements.values() for name in splits)
    return {document for split in judgements for grades in split for document in grades}


def _files(folder: Path) -> Iterable[tuple[str, Document]]:
    from core.indexing.scan.reconcile import title_of

    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder: name one that holds data or documents.")
    for path in sorted(folder.rglob("*")):
        kind = format_of(path)
        if kind is None or not kind.reader or kind.is_picture or not path.is_file():
            continue
        try:
            document = load_function(kind.reader)(path)
        except DocumentError:
            continue  # an ordinary folder, not a data set: unreadable files are skipped
        title = document.title or title_of(path)
        yield path.relative_to(folder).as_posix(), Document(title, document.pages)
