"""What a query was meant to be: words that the library lacks, as it spells the nearest that it has.

The word index has stems without accents. What is offered stands in a text: words are taken from
the texts of a sample, and where only the index has one, from a passage that holds it.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from core.catalog import passages
from core.catalog.normalisation import has_unspaced, quoted
from core.catalog.scope import EVERYWHERE, Scope
from core.progress import Job
from core.responses import Mending
from core.search.cached_scan import Reread
from core.search.query.language import Query, Term
from core.search.words import fts as word_query
from core.search.words.languages import says_nothing
from core.search.words.stems import LONGEST, OtherForms, asked_as, bare, folded, indexed

if TYPE_CHECKING:
    from core.search.words.edit_distance import LikeWord, Vocabulary

_SAMPLE: Final = 20_000
"""The words of so many passages are offered as they stand there; a second's work."""
_LEAST_LETTERS: Final = 4
"""Of a word that is mended: too much is near to a shorter one."""
_LEAST_OFFERED: Final = 3
_MOST_MENDED: Final = 8
"""With more words that the library lacks a text is in another language, or about other things."""
_TRIED: Final = 5
"""So many of the likest words are looked for in the passages that the person may see."""
_TEXTS: Final = 20
_RARE: Final = 2
_FAR_COMMONER: Final = 100
_SLIGHT: Final = 0.8
"""A word in so few passages is offered another in so many times as many that differs so little."""
_SLIP: Final = 1.0
_COMMONER: Final = 4
"""What is found by other forms alone is offered a word in more than so many times as many, that far
from it at the most."""
_LEAST_LETTERS_OF_RARE: Final = 6

_WORD: Final = re.compile(r"\w+")


@dataclass(slots=True)
class _Spelt:
    """The words of a library, bare.

    Attributes:
        vocabulary: of them all.
        stood: how those stand in texts that have accents or the like.
        is_stem: those that no text of the sample has: they are stems of the word index.
    """

    vocabulary: Vocabulary
    stood: dict[str, str] = field(default_factory=dict)
    is_stem: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str], share: float, terms: Mapping[str, int]) -> _Spelt:
        """Put together the words of texts, a share of all, and the terms of the word index."""
        from core.search.words.edit_distance import Vocabulary

        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(set(_WORD.findall(text.lower())))
        holders: dict[str, float] = {}
        stood: dict[str, str] = {}
        best: dict[str, int] = {}
        for word, count in counts.items():
            if not _is_word(word):
                continue
            key = word if word.isascii() else bare(word)
            holders[key] = holders.get(key, 0.0) + count / share
            if count > best.get(key, 0):
                best[key] = count
                stood[key] = word
        stood = {key: word for key, word in stood.items() if key != word}
        stems = {indexed(stood.get(key, key)) for key in holders}
        rest = {
            term: float(count)
            for term, count in terms.items()
            if term not in stems and term not in holders and _is_word(term)
        }
        return cls(Vocabulary(holders | rest), stood, frozenset(rest))


def _is_word(word: str) -> bool:
    return _LEAST_OFFERED <= len(word) <= LONGEST and word.isalpha() and not has_unspaced(word)


@dataclass(frozen=True, slots=True)
class _Mended:
    word: str
    is_sure: bool


class Spelling:
    """Words of one library, by which queries are mended; for any number of threads at once."""

    def __init__(self) -> None:
        self.words = Reread(_spelt)

    def mended(
        self,
        db: sqlite3.Connection,
        query: Query,
        forms: Mapping[str, OtherForms],
        scope: Scope = EVERYWHERE,
    ) -> Mending | None:
        """Return the query with its wrong words mended; None where there is nothing to mend.

        The library's words are read when a query first has a word that it lacks, and anew when the
        library has grown. Where they are read beside, nothing is mended until they are.

        Args:
            db: the library.
            query: whose filters stay as they are.
            forms: other forms of the query's words that the library has.
            scope: what the person may see; offered is only what stands there.
        """
        held = {
            word: word_query.holders(db, word, _RARE + 1)
            for term in _wanted(query)
            for word in _WORD.findall(term.text)
            if word.lower() not in forms
        }
        lacking = [word for word, count in held.items() if not count and _is_mendable(word)]
        doubtful = [*_doubtful(query, held), *_with_forms_only(query, forms)]
        if not (lacking or doubtful) or len(lacking) > _MOST_MENDED:
            return None
        # Here and not above: a query that is spelt as the library spells needs no numpy. And not
        # where they are read, whose time counts.
        import core.search.words.edit_distance  # noqa: F401

        words = self.words.current(db)
        if words is None:
            return None
        mended: dict[str, _Mended] = {}
        for word in dict.fromkeys([*lacking, *doubtful]):
            if found := _best(db, words, word, held.get(word, 0), scope, forms.get(word.lower())):
                mended[word] = found
        if not mended:
            return None
        # Words in quotation marks are asked for in any case: without one of them nothing is found.
        is_nothing = not any(held.get(word) != 0 for word in _telling(db, query)) or any(
            not held.get(word, 1) for word in _exact(query)
        )
        is_sure = all(mended[word].is_sure for word in lacking if word in mended)
        better = query.with_terms(lambda term: _with_words(term, mended))
        return Mending(str(better), is_needed=is_nothing and is_sure)


def _spelt(db: sqlite3.Connection, job: Job) -> _Spelt:
    texts = passages.spread(db, _SAMPLE)
    job.checkpoint()
    terms = passages.vocabulary(db)

    def looked_at() -> Iterator[str]:
        for text in texts:
            job.checkpoint()
            yield text

    share = len(texts) / max(passages.count(db), 1)
    return _Spelt.of(looked_at(), share or 1.0, terms)


def _wanted(query: Query) -> Iterator[Term]:
    """Yield the terms whose words may be mended."""
    return (term for term in query.wanted if not term.is_beginning)


def _is_mendable(word: str) -> bool:
    return len(word) >= _LEAST_LETTERS and _is_word(word.lower()) and not says_nothing(word)


def _telling(db: sqlite3.Connection, query: Query) -> list[str]:
    """Return the query's words but for those that every other text has."""
    most = word_query.too_many(passages.count(db))
    return [
        word
        for term in query.wanted
        for word in _WORD.findall(term.text)
        if not says_nothing(word) and word_query.holders(db, word, most) < most
    ]


def _exact(query: Query) -> set[str]:
    """Return the words of the query's phrases."""
    return {word for term in _wanted(query) if term.is_phrase for word in _WORD.findall(term.text)}


def _doubtful(query: Query, held: Mapping[str, int]) -> list[str]:
    """Return words in so few passages that they may be mistakes there, too; no exact words."""
    exact = _exact(query)
    return [
        word
        for word, count in held.items()
        if 0 < count <= _RARE
        and word not in exact
        and len(word) >= _LEAST_LETTERS_OF_RARE
        and _is_mendable(word)
    ]


def _with_forms_only(query: Query, forms: Mapping[str, OtherForms]) -> list[str]:
    """Return words that are not there themselves, while another language's stems have forms."""
    begun = {text.lower() for text in query.beginnings}
    return [
        word
        for term in _wanted(query)
        if not term.is_phrase
        for word in _WORD.findall(term.text)
        if word.lower() in forms
        and word.lower() not in begun
        and not forms[word.lower()].own
        and _is_mendable(word)
    ]


def _best(
    db: sqlite3.Connection,
    words: _Spelt,
    word: str,
    held: int,
    scope: Scope,
    forms: OtherForms | None,
) -> _Mended | None:
    from core.search.words.edit_distance import is_sure

    own = bare(word)
    found = [
        one
        for one in words.vocabulary.like(own, _TRIED + 1)
        if words.vocabulary.words[one.place] != own
    ]
    if words.is_stem:
        # Of what stands in no text of the sample only the stem is known: compared is the word's.
        stems = words.vocabulary.like(indexed(word), _TRIED)
        found += [one for one in stems if words.vocabulary.words[one.place] in words.is_stem]
        found.sort(key=lambda one: -one.score)
    if held:
        # Right words are rare, too: only what is next to a far commoner one is in doubt.
        found = [one for one in found[:1] if _is_in_doubt(words, own, held, one)]
    elif forms is not None:
        together = sum(forms.holders.values())
        found = [
            one
            for one in found[:1]
            if one.cost <= _SLIP
            and words.vocabulary.holders(one.place) > _COMMONER * together
            and indexed(words.vocabulary.words[one.place]) not in forms.holders
        ]
    for one in found[:_TRIED]:
        if stood := _as_it_stands(db, words, words.vocabulary.words[one.place], scope):
            return _Mended(_in_case_of(word, stood), is_sure(one.cost, len(own)))
    return None


def _is_in_doubt(words: _Spelt, own: str, held: int, other: LikeWord) -> bool:
    near = words.vocabulary.words[other.place]
    return (
        other.cost <= _SLIGHT
        and words.vocabulary.holders(other.place) >= _FAR_COMMONER * held
        # Not a word and its plural, or another of the same root.
        and near[:-2] != own[: len(near) - 2]
        and own[:-2] != near[: len(own) - 2]
    )


def _as_it_stands(db: sqlite3.Connection, words: _Spelt, key: str, scope: Scope) -> str:
    """Return a word as it stands in a text that the person may see; "" where in none."""
    is_stem = key in words.is_stem
    known = "" if is_stem else words.stood.get(key, key)
    if known and scope.is_everything:
        return known
    asked = asked_as(key) if is_stem else known
    if not asked:
        return ""
    stem = key if is_stem else indexed(known)
    counts = Counter(
        word
        for text in passages.texts_with(db, quoted(asked), _TEXTS, scope)
        for word in _WORD.findall(text.lower())
        if folded(word)[:_LEAST_OFFERED] == stem[:_LEAST_OFFERED] and indexed(word) == stem
    )
    if known in counts:
        return known
    return counts.most_common(1)[0][0] if counts else ""


def _in_case_of(typed: str, word: str) -> str:
    """Return a word with capitals where the one that was typed has them.

    >>> _in_case_of("Retreival", "retrieval"), _in_case_of("RETREIVAL", "retrieval")
    ('Retrieval', 'RETRIEVAL')
    """
    if len(typed) > 1 and typed.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if typed[:1].isupper() else word


def _with_words(term: Term, mended: Mapping[str, _Mended]) -> Term:
    """Return a term with its wrong words mended."""

    def better(match: re.Match[str]) -> str:
        found = mended.get(match[0])
        return found.word if found else match[0]

    return term if term.is_beginning else replace(term, text=_WORD.sub(better, term.text))
