"""Spelling suggestions: for words that the library lacks, the most similar words it has.

The word index has stems without accents. Suggested words are taken from a sample of texts, or from
a passage that has a word of the stem.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from core.catalog import passages, word_index
from core.catalog.scope import EVERYWHERE, Scope, has_name
from core.catalog.text.index_terms import folded, indexed
from core.catalog.text.letters import plain
from core.catalog.text.normalisation import has_unspaced, quoted
from core.common_words import is_common_word
from core.progress import Job
from core.responses import SpellingSuggestion
from core.search.cached_scan import CachedScan
from core.search.query.language import Query, Term
from core.search.words import fts
from core.search.words.languages import is_stop_word
from core.search.words.stems import LONGEST, OtherForms, bare, word_of_stem

if TYPE_CHECKING:
    from core.search.words.edit_distance import LikeWord, SpellingIndex

# Passages whose words are suggested; takes a second.
_SAMPLE: Final = 20_000
# Letters of a corrected word: too many words are similar to a shorter one.
_LEAST_LETTERS: Final = 4
# Letters of a suggested word.
_LEAST_OFFERED: Final = 3
# A query with more unknown words is in another language, or about something else.
_MOST_CORRECTED: Final = 8
# Similar words searched in the passages that the person may see, and texts read for each.
_TRIED: Final = 5
_TEXTS: Final = 20
# A word in so few passages is corrected to one at a cost of at most _SLIGHT in _FAR_COMMONER times
# as many.
_RARE: Final = 2
_FAR_COMMONER: Final = 100
_SLIGHT: Final = 0.8
# A word found only in other forms is corrected to one at a cost of at most _SLIP in more than
# _COMMONER times as many passages.
_SLIP: Final = 1.0
_COMMONER: Final = 4
# Largest cost of a correction of a short word, by letters: it is similar to too many others.
_MOST_COST: Final = {4: 0.8, 5: 1.0}
_LEAST_LETTERS_OF_RARE: Final = 6

_WORD: Final = re.compile(r"\w+")
_CAMEL_CASE: Final = re.compile(r"[^\W_A-Z][A-Z]|[A-Z]{2}[^\W_A-Z]")
_ABBREVIATION: Final = re.compile(r"\b[A-Z]{2,6}\b")
_ADDRESS: Final = re.compile(r"\S*\w[./@\\_:]\w\S*")


@dataclass(slots=True)
class _Spelt:
    """The words of a library without accents.

    Attributes:
        vocabulary: all words, with the number of passages that have each.
        stood: the spelling in texts of words with accents or the like.
        is_stem: words that no text of the sample has: stems of the word index.
    """

    vocabulary: SpellingIndex
    stood: dict[str, str] = field(default_factory=dict)
    is_stem: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str], share: float, terms: Mapping[str, int]) -> _Spelt:
        """Combine the words of texts, a share of all, with the terms of the word index."""
        from core.search.words.edit_distance import SpellingIndex

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
        return cls(SpellingIndex(holders | rest), stood, frozenset(rest))


def _is_word(word: str) -> bool:
    return _LEAST_OFFERED <= len(word) <= LONGEST and word.isalpha() and not has_unspaced(word)


@dataclass(frozen=True, slots=True)
class _Correction:
    word: str
    is_sure: bool


class Spelling:
    """Suggests spellings from the words of one library; thread-safe."""

    def __init__(self) -> None:
        self.words = CachedScan(_spelt)

    def suggest(
        self,
        db: sqlite3.Connection,
        query: Query,
        forms: Mapping[str, OtherForms],
        scope: Scope = EVERYWHERE,
    ) -> SpellingSuggestion | None:
        """Return the query with corrected words; None if there is nothing to correct.

        The library's words are read when a query first has a word that it lacks, and again when the
        library has grown; until then, if they are read in the background, nothing is suggested.

        Args:
            db: the catalog.
            query: its filters stay as they are.
            forms: other forms of the query's words in the library.
            scope: documents that the person may see; suggested words occur there.
        """
        held, corrected = self._corrections(db, query, forms, scope)
        if not corrected:
            return None
        # Words in quotation marks are required: without one of them nothing is found.
        is_nothing = not any(held.get(word) != 0 for word in _significant(db, query)) or any(
            not held.get(word, 1) for word in _exact(query)
        )
        is_sure = all(
            correction.is_sure for word, correction in corrected.items() if held.get(word) == 0
        )
        better = query.with_terms(lambda term: _with_words(term, corrected))
        return SpellingSuggestion(str(better), is_needed=is_nothing and is_sure)

    def with_corrections(
        self,
        db: sqlite3.Connection,
        query: Query,
        forms: Mapping[str, OtherForms],
        scope: Scope = EVERYWHERE,
    ) -> dict[str, OtherForms]:
        """Return forms with the better spellings of words that the library lacks."""
        held, corrected = self._corrections(db, query, forms, scope)
        found = dict(forms)
        for word, correction in corrected.items():
            holders = fts.holders(db, correction.word, fts.too_many(passages.count(db)))
            if held.get(word) == 0 and holders:
                better = correction.word.lower()
                found[plain(word).lower()] = OtherForms(
                    corrections=(better,), holders={better: holders}
                )
        return found

    def _corrections(
        self, db: sqlite3.Connection, query: Query, forms: Mapping[str, OtherForms], scope: Scope
    ) -> tuple[dict[str, int], dict[str, _Correction]]:
        """Return the numbers of passages with words of the query, and the better spellings."""
        uncorrected = {word for word, others in forms.items() if others.corrections}
        forms = {word: others for word, others in forms.items() if word not in uncorrected}
        held = {
            word: fts.holders(db, word, _RARE + 1)
            for term in _wanted(query)
            for word in _WORD.findall(term.text)
            if word.lower() not in forms
        }
        lacking = [word for word, count in held.items() if not count and _is_correctable(word)]
        if len(lacking) > _MOST_CORRECTED:
            return held, {}
        doubtful = [*_doubtful(query, held), *_with_forms_only(query, forms)]
        # A word that is spelt correctly is not changed, whether or not the library has it.
        codes = _codes(query)
        suspects = [
            word
            for word in dict.fromkeys([*lacking, *doubtful])
            if not is_common_word(bare(word)) and word not in codes
        ]
        if not suspects:
            return held, {}
        # Imported here, because a query of known words needs no numpy, and outside of the reading
        # of words, which is timed.
        import core.search.words.edit_distance  # noqa: F401

        words = self.words.current(db)
        if words is None:
            return held, {}
        corrected: dict[str, _Correction] = {}
        for word in suspects:
            suggestion = _best(db, words, word, held.get(word, 0), scope, forms.get(word.lower()))
            if suggestion and not has_name(db, word, scope):
                corrected[word] = suggestion
        return held, corrected


def _spelt(db: sqlite3.Connection, job: Job) -> _Spelt:
    texts = passages.spread(db, _SAMPLE)
    job.checkpoint()
    terms = word_index.vocabulary(db)

    def unread() -> Iterator[str]:
        for text in texts:
            job.checkpoint()
            yield text

    share = len(texts) / max(passages.count(db), 1)
    return _Spelt.of(unread(), share or 1.0, terms)


def _wanted(query: Query) -> list[Term]:
    """Return the terms whose words may be corrected."""
    return [term for term in query.wanted if not term.pattern]


def _is_correctable(word: str) -> bool:
    return len(word) >= _LEAST_LETTERS and _is_word(word.lower()) and not is_stop_word(word)


def _codes(query: Query) -> set[str]:
    """Return words written like names in code, abbreviations and addresses."""
    text = query.text
    codes = {word for word in _WORD.findall(text) if _CAMEL_CASE.search(word)}
    if not text.isupper():
        codes.update(_ABBREVIATION.findall(text))
    return codes.union(*(_WORD.findall(address) for address in _ADDRESS.findall(text)))


def _significant(db: sqlite3.Connection, query: Query) -> list[str]:
    """Return the query's words without common ones."""
    most = fts.too_many(passages.count(db))
    return [
        word
        for term in query.wanted
        for word in _WORD.findall(term.text)
        if not is_stop_word(word) and fts.holders(db, word, most) < most
    ]


def _exact(query: Query) -> set[str]:
    """Return the words of the query's phrases."""
    return {word for term in _wanted(query) if term.is_phrase for word in _WORD.findall(term.text)}


def _doubtful(query: Query, held: Mapping[str, int]) -> list[str]:
    """Return words in so few passages that they may be mistakes there, without exact ones."""
    exact = _exact(query)
    return [
        word
        for word, count in held.items()
        if 0 < count <= _RARE
        and word not in exact
        and len(word) >= _LEAST_LETTERS_OF_RARE
        and _is_correctable(word)
    ]


def _with_forms_only(query: Query, forms: Mapping[str, OtherForms]) -> list[str]:
    """Return words that the library has only in other forms."""
    prefixes = {text.lower() for text in query.patterns}
    return [
        word
        for term in _wanted(query)
        if not term.is_phrase
        for word in _WORD.findall(term.text)
        if word.lower() in forms
        and word.lower() not in prefixes
        and not forms[word.lower()].own
        and _is_correctable(word)
    ]


def _best(
    db: sqlite3.Connection,
    words: _Spelt,
    word: str,
    held: int,
    scope: Scope,
    forms: OtherForms | None,
) -> _Correction | None:
    from core.search.words.edit_distance import is_sure

    own = bare(word)
    candidates = [
        candidate
        for candidate in words.vocabulary.like(own, _TRIED + 1)
        if words.vocabulary.words[candidate.word_index] != own
    ]
    if words.is_stem:
        # For words in no text of the sample, only the stems are known and compared.
        stems = words.vocabulary.like(indexed(word), _TRIED)
        candidates += [
            candidate
            for candidate in stems
            if words.vocabulary.words[candidate.word_index] in words.is_stem
        ]
        candidates.sort(key=lambda candidate: -candidate.score)
    if held:
        # Correct words may be rare: only a word similar to a far commoner one is doubtful.
        candidates = [
            candidate for candidate in candidates[:1] if _is_in_doubt(words, own, held, candidate)
        ]
    elif forms is not None:
        together = sum(forms.holders.values())
        candidates = [
            candidate
            for candidate in candidates[:1]
            if candidate.cost <= _SLIP
            and words.vocabulary.holders(candidate.word_index) > _COMMONER * together
            and indexed(words.vocabulary.words[candidate.word_index]) not in forms.holders
        ]
    most_cost = _MOST_COST.get(len(own))
    if most_cost is not None:
        candidates = [candidate for candidate in candidates if candidate.cost <= most_cost]
    for candidate in candidates[:_TRIED]:
        if stood := _spelling_in_texts(
            db, words, words.vocabulary.words[candidate.word_index], scope
        ):
            return _Correction(_in_case_of(word, stood), is_sure(candidate.cost, len(own)))
    return None


def _is_in_doubt(words: _Spelt, own: str, held: int, other: LikeWord) -> bool:
    near = words.vocabulary.words[other.word_index]
    return (
        other.cost <= _SLIGHT
        and words.vocabulary.holders(other.word_index) >= _FAR_COMMONER * held
        # Not a word and its plural, or one of the same root.
        and near[:-2] != own[: len(near) - 2]
        and own[:-2] != near[: len(own) - 2]
    )


def _spelling_in_texts(db: sqlite3.Connection, words: _Spelt, key: str, scope: Scope) -> str:
    """Return the spelling of a word in texts that the person may see; "" if it is in none."""
    is_stem = key in words.is_stem
    known = "" if is_stem else words.stood.get(key, key)
    if known and scope.is_everything:
        return known
    sought = word_of_stem(key) if is_stem else known
    if not sought:
        return ""
    stem = key if is_stem else indexed(known)
    counts = Counter(
        word
        for text in word_index.texts_with(db, quoted(sought), _TEXTS, scope)
        for word in _WORD.findall(text.lower())
        if folded(word)[:_LEAST_OFFERED] == stem[:_LEAST_OFFERED] and indexed(word) == stem
    )
    if known in counts:
        return known
    return counts.most_common(1)[0][0] if counts else ""


def _in_case_of(typed: str, word: str) -> str:
    """Return a word with the capitals of the typed one.

    >>> _in_case_of("Retreival", "retrieval"), _in_case_of("RETREIVAL", "retrieval")
    ('Retrieval', 'RETRIEVAL')
    """
    if len(typed) > 1 and typed.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if typed[:1].isupper() else word


def _with_words(term: Term, corrected: Mapping[str, _Correction]) -> Term:
    """Return a term with corrected words."""

    def better(match: re.Match[str]) -> str:
        correction = corrected.get(match[0])
        return correction.word if correction else match[0]

    return term if term.pattern else replace(term, text=_WORD.sub(better, term.text))
