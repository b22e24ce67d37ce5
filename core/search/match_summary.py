"""Summarises an explanation in a sentence: which words of the query were found, and how."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.catalog.text.normalisation import fold
from core.errors import Message
from core.responses import Alignment
from core.search.output.match import (
    MIN_SIMILARITY,
    QueryWord,
    query_words,
    whole_word_pairs,
    widened,
)
from core.token_comparison import Explanation


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """How the significant words of a query match a passage; each word is in one of the three.

    Attributes:
        exact: words that occur in the passage or the headings above it.
        by_meaning: other words, each with the most similar word of the passage, as for highlights.
        missing: words without either.
    """

    exact: tuple[str, ...]
    by_meaning: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]

    @property
    def sentence(self) -> Message:
        """The summary in words.

        >>> MatchSummary(("wheat",), (("install", "set"),), ("tesseract",)).sentence
        'Found by words: "wheat"; by meaning: "install" ~ "set". "tesseract" does not occur.'
        >>> MatchSummary((), (("install", "set"), ("scan", "page")), ()).sentence
        'Found by meaning: "install" ~ "set", "scan" ~ "page".'
        >>> MatchSummary((), (), ("a", "b")).sentence
        'Found by the meaning of the whole text. "a", "b" do not occur.'
        """
        exact = _listed([Message('"{0}"', word) for word in self.exact])
        similar = _listed([Message('"{0}" ~ "{1}"', *pair) for pair in self.by_meaning])
        if exact and similar:
            sentence = Message("Found by words: {0}; by meaning: {1}.", exact, similar)
        elif exact:
            sentence = Message("Found by words: {0}.", exact)
        elif similar:
            sentence = Message("Found by meaning: {0}.", similar)
        else:
            sentence = Message("Found by the meaning of the whole text.")
        if not self.missing:
            return sentence
        missing = _listed([Message('"{0}"', word) for word in self.missing])
        absent = (
            Message("{0} does not occur.", missing)
            if len(self.missing) == 1
            else Message("{0} do not occur.", missing)
        )
        return Message("{0} {1}", sentence, absent)


def summarise(explanation: Explanation) -> MatchSummary:
    """Return how the significant words of the query match the explained passage.

    All tokens of the passage are compared, under the library's alignment, as for highlights.

    >>> from core.alignment.pairwise import AlignmentStrategy
    >>> from core.responses import Passage, QueryToken
    >>> from core.token_comparison import Comparison, PassageToken
    >>> query = [QueryToken(n, text, 9 * n, 9 * n + len(text), n)
    ...     for n, text in enumerate(["install", "wheat", "tesseract"])]
    >>> passage = [PassageToken(text, start, start + len(text), False)
    ...     for text, start in [("set", 0), ("up", 4), ("wheat", 7)]]
    >>> similarity = np.array([[0.6, 0.3, 0.1], [0.1, 0.1, 0.9], [0.2, 0.1, 0.1]], np.float32)
    >>> compared = Comparison(tuple(passage), similarity, np.ones(3, np.float32), None, 3)
    >>> summarise(Explanation(Passage(1, 1, 1, 0, 12, "Set up wheat", ""), tuple(query), None,
    ...     compared, AlignmentStrategy()))
    MatchSummary(exact=('wheat',), by_meaning=(('install', 'Set'),), missing=('tesseract',))
    """
    passage = explanation.passage
    texts = (passage.text, passage.context)
    folded = [fold(text) for text in texts]
    best: dict[int, Alignment] = {}
    word_of = {token.index: token.word for token in explanation.tokens}
    for pair in whole_word_pairs(explanation.tokens, _pairs(explanation)):
        word = word_of[pair.query_index]
        is_similar = pair.similarity >= MIN_SIMILARITY and any(map(str.isalnum, pair.text))
        if is_similar and (word not in best or pair.similarity > best[word].similarity):
            best[word] = pair
    exact: list[str] = []
    by_meaning: list[tuple[str, str]] = []
    missing: list[str] = []
    for query_word in query_words(explanation.tokens):
        if not query_word.is_significant:
            continue
        if any(_occurs(fold(query_word.text), text) for text in folded):
            exact.append(query_word.text)
        elif query_word.index in best:
            match = best[query_word.index]
            text = texts[match.in_context]
            start, end = widened(text, match.start, match.end)
            by_meaning.append((query_word.text, text[start:end]))
        else:
            missing.append(query_word.text)
    return MatchSummary(tuple(exact), tuple(by_meaning), tuple(missing))


def summarise_words(words: Sequence[QueryWord], matched: Collection[int]) -> MatchSummary:
    """Return how the significant words of a query match a passage that was found by words alone.

    Args:
        words: of the query.
        matched: the numbers of those that are highlighted in the passage or its title.

    >>> words = [QueryWord(0, "the", is_significant=False), QueryWord(1, "wheat")]
    >>> summarise_words([*words, QueryWord(2, "silo")], {1}).sentence
    'Found by words: "wheat". "silo" does not occur.'
    """
    significant = [word for word in words if word.is_significant]
    return MatchSummary(
        tuple(word.text for word in significant if word.index in matched),
        (),
        tuple(word.text for word in significant if word.index not in matched),
    )


def _pairs(explanation: Explanation) -> list[Alignment]:
    """Return the aligned pairs of tokens with characters."""
    compared = explanation.exact
    rows, columns = np.nonzero(compared.align(explanation.strategy).alignment)
    pairs = []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        query, token = explanation.tokens[row], compared.tokens[column]
        if query.start < query.end and token.start < token.end:
            cosine = float(compared.similarity[row, column])
            pairs.append(
                Alignment(
                    query.index,
                    query.text,
                    token.start,
                    token.end,
                    cosine,
                    token.text,
                    token.in_context,
                )
            )
    return pairs


def _occurs(word: str, text: str) -> bool:
    """Return whether `text` contains `word` as a whole word.

    >>> _occurs("wheat", "buckwheat and wheat"), _occurs("wheat", "buckwheat")
    (True, False)
    >>> _occurs("铁", "铁轨")
    True
    """
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if widened(text, start, end) == (start, end):
            return True
        start = text.find(word, start + 1)
    return False


def _listed(messages: Sequence[Message]) -> Message | None:
    """Return the messages as a list; None for none."""
    if not messages:
        return None
    *others, last = messages
    return Message("{0}, {1}", _listed(others), last) if others else last
