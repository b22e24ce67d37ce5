"""Phrases that begin in one passage and end in the next one of the document."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.catalog import passages
from core.catalog.passages import Neighbourhood, StoredPassage
from core.catalog.text.normalisation import WORD, any_of, has_unspaced, quoted, word_text
from core.search.query.language import Query
from core.search.words import fts

# Passages looked at for each way to cut a phrase. Phrases of words that begin or end more passages
# than these are found inside passages only.
_MOST_PASSAGES: Final = 200
# Characters of a neighbour that are compared besides a phrase's own length.
_MARGIN: Final = 40


@dataclass(frozen=True, slots=True)
class PassagesAcrossBorders:
    """Passages that have a query's phrases only together with their neighbours.

    Attributes:
        passage_ids: of the passages on both sides of each seam.
        expression: matches all of them, for their scores.
    """

    passage_ids: tuple[int, ...] = ()
    expression: str = ""


def passages_across_borders(db: sqlite3.Connection, query: Query) -> PassagesAcrossBorders:
    """Return the passages that have the query's phrases across their borders."""
    candidates = {
        passage_id for phrase in _phrases(query) for passage_id in _candidates(db, phrase)
    }
    if not candidates:
        return PassagesAcrossBorders()
    accepted = accepted_passages(db, query, sorted(candidates), with_alternatives=True)
    return PassagesAcrossBorders(tuple(sorted(accepted)), any_of(fts.terms(query.text)))


def accepted_passages(
    db: sqlite3.Connection,
    query: Query,
    passage_ids: Sequence[int],
    *,
    with_alternatives: bool = False,
) -> frozenset[int]:
    """Return the passages that contain the query's phrases and none of the excluded ones.

    A phrase may continue in the next passage, or begin in the one before. `with_alternatives` also
    requires one alternative of each OR of words and phrases.
    """
    stored = passages.fetch(db, passage_ids)
    phrases = [*_phrases(query), *query.unwanted_phrases]
    accepted: set[int] = set()
    if not with_alternatives:
        accepted = {
            passage_id
            for passage_id, passage in stored.items()
            if fts.accepts(query, (passage.text, passage.context))
        }
    rest = (
        stored
        if query.unwanted_phrases
        else [passage_id for passage_id in stored if passage_id not in accepted]
    )
    for passage_id, neighbours in passages.neighbourhoods(db, [*rest]).items():
        text = _TextWithNeighbours(stored[passage_id], neighbours)
        if not any(map(text.has_part, phrases)):
            continue
        accepted.discard(passage_id)
        if fts.accepts(query, text) and (not with_alternatives or _has_alternatives(query, text)):
            accepted.add(passage_id)
    return frozenset(accepted)


def _phrases(query: Query) -> list[str]:
    """Return all phrases that must occur, and those in alternatives."""
    ways = [way for ways in query.alternatives for way in ways]
    return [*query.phrases, *(term.text for way in ways for term in way if term.is_phrase)]


def _has_alternatives(query: Query, text: fts.Contents) -> bool:
    return all(
        any(all(text.has(term.text) for term in way) for way in ways) for ways in query.alternatives
    )


class _TextWithNeighbours:
    """A passage's text and context, and what its phrases may share with its neighbours."""

    def __init__(self, passage: StoredPassage, neighbours: Neighbourhood) -> None:
        self._own = fts.Texts((passage.text, passage.context))
        self._text = passage.text
        self._neighbours = neighbours

    def has(self, phrase: str) -> bool:
        """Return whether the phrase is in the passage, or in part."""
        return self.has_part(phrase) or self._own.has(phrase)

    def has_part(self, phrase: str) -> bool:
        """Return whether the phrase is partly in the passage, partly in a neighbour."""
        length = 2 * len(phrase) + _MARGIN
        before, after = self._neighbours.before[-length:], self._neighbours.after[:length]
        if len(self._text) <= 2 * length:
            return _overlaps(phrase, before, self._text, after)
        # Only the ends of the text: this is done for many passages.
        return _overlaps(phrase, before, self._text[:length], "") or _overlaps(
            phrase, "", self._text[-length:], after
        )


def _overlaps(phrase: str, before: str, text: str, after: str) -> bool:
    """Return whether a phrase begins or ends in a text, and continues in one of the others."""
    first, own, last = fts.comparable(before), fts.comparable(text), fts.comparable(after)
    first += _gap(first, own)
    start, end = len(first), len(first) + len(own)
    pattern = fts.pattern_of(fts.comparable(phrase))
    return any(
        match.start() < end and match.end() > start and (match.start() < start or match.end() > end)
        for match in pattern.finditer(first + own + _gap(own, last) + last)
    )


def _gap(before: str, after: str) -> str:
    """Return what parts two texts: a space, except in scripts without spaces."""
    return "" if has_unspaced(before[-1:]) and has_unspaced(after[:1]) else " "


def _candidates(db: sqlite3.Connection, phrase: str) -> Iterator[int]:
    """Yield passages on both sides of the seams that the phrase may cross."""
    units = WORD.findall(word_text(phrase))
    for cut in range(1, len(units)):
        first, last = quoted(" ".join(units[:cut])), quoted(" ".join(units[cut:]))
        # Few passages begin with the rest of the phrase.
        after = _some(db, f"text : ^ {last}")
        if after is not None:
            yield from after
            yield from passages.next_to(db, after, is_before=True)
        elif (before := _some(db, f"text : {first}")) is not None:
            yield from before
            yield from passages.next_to(db, before, is_before=False)


def _some(db: sqlite3.Connection, expression: str) -> Collection[int] | None:
    """Return the passages that match an expression; None if they are too many."""
    passage_ids = passages.ids_matching(db, expression, _MOST_PASSAGES + 1)
    return passage_ids if len(passage_ids) <= _MOST_PASSAGES else None
