"""Examples generated from documents without judgements: queries like those of a search box."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from lab.training.corpus import Corpus, Passage, words
from lab.training.pairs import Example

_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[\"'”’)\]]*\s+|\n+")
_SEPARATOR = " › "  # between title and headings in a passage's context
_MOST_KEYWORDS = 5


class TitleSource:
    """A document's title, for a passage of it."""

    def __init__(self, name: str, corpus: Corpus, units: Sequence[int], keep: float = 0.5) -> None:
        self.name = name
        self._corpus = corpus
        self._keep = keep
        self._units = [unit for unit in units if corpus.document(unit).title]

    def __len__(self) -> int:
        return len(self._units)

    def example(self, unit: int, generator: np.random.Generator, ways: int) -> Example | None:
        """Return the title, which stays in the passage's context with the probability `keep`."""
        del ways  # in-batch negatives only
        number = self._units[unit]
        passage = _any(self._corpus, number, generator)
        title = self._corpus.document(number).title
        if passage is None or not words(title):
            return None
        if generator.random() >= self._keep:
            passage = replace(passage, context=_without(passage.context, title))
        return Example(title, passage, self.name, _of_same_title(self._corpus, number))


class HeadingSource:
    """The heading of a section, with or without the document's title, for a passage in it."""

    def __init__(self, name: str, corpus: Corpus, units: Sequence[int], keep: float = 0.5) -> None:
        self.name = name
        self._corpus = corpus
        self._keep = keep
        self._units = [
            unit for unit in units if any(page.headings for page in corpus.document(unit).pages)
        ]

    def __len__(self) -> int:
        return len(self._units)

    def example(self, unit: int, generator: np.random.Generator, ways: int) -> Example | None:
        """Return a heading and a passage below it; other documents may have the same heading.

        Passages with all its words are therefore not used as negatives.
        """
        del ways
        number = self._units[unit]
        title = self._corpus.document(number).title
        passages = [
            passage
            for passage in self._corpus.passages(number)
            if _SEPARATOR in passage.context or (passage.context and passage.context != title)
        ]
        if not passages:
            return None
        passage = passages[int(generator.integers(len(passages)))]
        heading = passage.context.split(_SEPARATOR)[-1]
        query = f"{title} {heading}" if title and generator.random() < 0.5 else heading
        if not words(heading):
            return None
        if generator.random() >= self._keep:
            passage = replace(passage, context=_without(passage.context, heading))
        relevant = frozenset({passage.document})
        return Example(query, passage, self.name, relevant, frozenset(words(query)))


class SentenceSource:
    """A sentence of a passage, for the passage without it.

    Source: Lee et al., Latent Retrieval for Weakly Supervised Open Domain Question Answering,
    2019, section 4 (the inverse cloze task, in which a tenth of the passages keep the sentence).
    """

    def __init__(self, name: str, corpus: Corpus, units: Sequence[int], keep: float = 0.1) -> None:
        self.name = name
        self._corpus = corpus
        self._keep = keep
        self._units = units

    def __len__(self) -> int:
        return len(self._units)

    def example(self, unit: int, generator: np.random.Generator, ways: int) -> Example | None:
        """Return a sentence of 4 to 40 words of a longer passage; None if there is none."""
        del ways
        passage = _any(self._corpus, self._units[unit], generator)
        if passage is None:
            return None
        borders = [0, *(match.end() for match in _SENTENCE_END.finditer(passage.text))]
        spans = list(zip(borders, [*borders[1:], len(passage.text)], strict=True))
        fitting = [
            (start, end) for start, end in spans if 4 <= len(words(passage.text[start:end])) <= 40
        ]
        if len(spans) < 3 or not fitting:
            return None
        start, end = fitting[int(generator.integers(len(fitting)))]
        query = passage.text[start:end].strip()
        if generator.random() >= self._keep:
            rest = f"{passage.text[:start].rstrip()}\n{passage.text[end:].lstrip()}".strip()
            passage = replace(passage, text=rest)
        return Example(query, passage, self.name, frozenset({passage.document}))


class KeywordSource:
    """Two to five rare words of a passage and its title, in lower case and in their order."""

    def __init__(self, name: str, corpus: Corpus, units: Sequence[int]) -> None:
        self.name = name
        self._corpus = corpus
        self._units = units

    def __len__(self) -> int:
        return len(self._units)

    def example(self, unit: int, generator: np.random.Generator, ways: int) -> Example | None:
        """Return words sampled by informativeness; None if there are fewer than two.

        Half of the queries take at least one word from the context, if it has any: people often
        search for a document whose name they half remember.
        """
        del ways
        number = self._units[unit]
        passage = _any(self._corpus, number, generator)
        if passage is None:
            return None
        context = self._content(passage.context)
        text = {
            word: weights_of_words
            for word, weights_of_words in self._content(passage.text).items()
            if word not in context
        }
        count = int(generator.integers(2, _MOST_KEYWORDS + 1))
        chosen: list[str] = []
        if context and generator.random() < 0.5:
            chosen = self._draw(context, min(count, 1 + int(generator.integers(2))), generator)
        chosen += self._draw(text, count - len(chosen), generator)
        if len(chosen) < 2:
            return None
        # If documents share a title, each of them may be meant, unless a word of the text
        # distinguishes them.
        relevant = (
            _of_same_title(self._corpus, number)
            if all(word in context for word in chosen)
            else frozenset({passage.document})
        )
        return Example(" ".join(chosen), passage, self.name, relevant, frozenset(chosen))

    def _content(self, text: str) -> dict[str, float]:
        """Return the distinct informative words, in order, with their weights.

        The weight is the square of tf-idf: a text repeats the words of its topic.
        """
        weights = self._corpus.words
        weights_of_words = {}
        for word, count in Counter(words(text)).items():
            if len(word) > 1 and weights.is_rare(word):
                weights_of_words[word] = (weights.weight(word) * (1 + math.log(count))) ** 2
        return weights_of_words

    def _draw(
        self, weight_of: Mapping[str, float], count: int, generator: np.random.Generator
    ) -> list[str]:
        count = min(count, len(weight_of))
        if count < 1:
            return []
        names, weights = list(weight_of), np.array(list(weight_of.values()))
        places = generator.choice(len(names), count, replace=False, p=weights / weights.sum())
        return [names[place] for place in sorted(places)]


def _any(corpus: Corpus, document_index: int, generator: np.random.Generator) -> Passage | None:
    passages = corpus.passages(document_index)
    return passages[int(generator.integers(len(passages)))] if passages else None


def _of_same_title(corpus: Corpus, document_index: int) -> frozenset[str]:
    title = corpus.document(document_index).title.casefold()
    numbers = corpus.by_title.get(title, (document_index,))
    return frozenset(corpus.key(corpus.id(one)) for one in numbers)


def _without(context: str, part: str) -> str:
    """Return a context without one of its parts.

    >>> _without("Birds › Crows › Food", "Crows"), _without("Birds", "Birds")
    ('Birds › Food', '')
    """
    return _SEPARATOR.join(one for one in context.split(_SEPARATOR) if one != part)
