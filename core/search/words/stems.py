"""Other forms of a query's words, from the library's own vocabulary, by Snowball stemmers.

The word index has English stems. In a library with texts in other languages, a word also matches
all words of the library with the same stem in one of them, and compounds with it
(docs/decisions/0035-languages.md).
"""

import re
import sqlite3
import threading
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Self

from core.catalog import passages, word_index
from core.catalog.text.index_terms import indexed, stemmer
from core.catalog.text.letters import plain
from core.catalog.text.normalisation import has_unspaced
from core.progress import Job
from core.search.cached_scan import CachedScan
from core.search.words.languages import COMPOUNDING, ENGLISH, is_function_word, languages_among

# Passages from which a library's languages are determined.
_SAMPLE: Final = 600
_MOST_FORMS: Final = 20
# Words whose forms are cached.
_WORDS_CACHED: Final = 20_000
# Letters of the longest word that is compared with others.
LONGEST: Final = 24
# Other forms of shorter words would be mostly wrong.
_LEAST_LETTERS: Final = 3
# Minimum letters of the searched part of a compound, and of a part that need not be a word.
_LEAST_PART: Final = 4
_LONG_PART: Final = 5
_PREFIX: Final = 5

# The Turkish i without a dot.
_LETTERS: Final = str.maketrans({"ı": "i"})
# Scripts whose words change at the beginning too; all words of the script are compared.
_SCRIPTS: Final = {
    "arabic": ("\u0600", "\u0700"),
    "persian": ("\u0600", "\u0700"),
}
# Combining classes that change letters of India: nukta and virama; 0 is no combining sign.
_INDIAN: Final = frozenset({0, 7, 9})
_UMLAUT: Final = re.compile("(?<![aeq])([aou])e")
# Letters that stemmers need and plain or bare words lack.
_SPELT: Final = {
    "polish": (re.compile("ow$"), "ów"),
    "persian": (re.compile("\u0643"), "\u06a9"),
    "arabic": (re.compile("\u0647$"), "\u0629"),  # the feminine ending
}
_DIGIT: Final = re.compile(r"[\d_]")
# The English stemmer removes it from the end of longer words of any language.
_SILENT: Final = "e"
# Languages with prefixes: the stem is searched within words.
_WITHIN: Final = frozenset({"indonesian"})
_LINKS: Final = ("", "s", "es", "n", "en", "er", "e")


@dataclass(frozen=True, slots=True)
class OtherForms:
    """Other forms of a word, and compounds with it, as terms of the word index.

    `parts` are phrases of the word's parts, `joined` are forms of several words of the query
    together, `corrections` the better spelling of a word that the library lacks. `own` is the
    number of passages with the word itself, `holders` that of each other term.
    """

    forms: tuple[str, ...] = ()
    compounds: tuple[str, ...] = ()
    own: int = 0
    holders: Mapping[str, int] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.forms, *self.compounds, *self.written, *self.corrections)

    @property
    def written(self) -> tuple[str, ...]:
        """Those that are the word itself, written in parts or joined with others."""
        return (*self.parts, *self.joined)


_NONE: Final = OtherForms()


def bare(word: str) -> str:
    """Return a word without case and accents, in plain letters.

    >>> bare("Häuser"), bare("пчёлы"), bare("Straße")
    ('hauser', 'пчелы', 'strasse')
    """
    parts = unicodedata.normalize("NFKD", plain(word).casefold())
    letters = "".join([c for c in parts if unicodedata.combining(c) in _INDIAN])
    return unicodedata.normalize("NFC", letters).translate(_LETTERS)


_bare = lru_cache(100_000)(bare)


_ENDINGS: Final = ("", "e", "s", "es", "ed", "ing", "ss", "y", "ion")


def word_of_stem(term: str) -> str:
    """Return a word with a stem of the word index, which cannot be queried by stems; "" for none.

    >>> word_of_stem("invoic"), word_of_stem("univers"), word_of_stem("biologi")
    ('invoic', 'universe', 'biologie')
    """
    # SQLite's stemmer cuts the i of "logi", Snowball's does not.
    endings = _ENDINGS[1:] if term.endswith("logi") else _ENDINGS
    return next((term + end for end in endings if indexed(term + end) == term), "")


def stems(language: str, words: Sequence[str]) -> list[str]:
    """Return the words' stems in a language, without accents.

    >>> stems("german", ["häuser", "haus", "haeuser"]), stems("french", ["chevaux"])
    (['haus', 'haus', 'haus'], ['cheval'])
    """
    if language in _SPELT:
        seen, meant = _SPELT[language]
        words = [seen.sub(meant, word) for word in words]
    stems = stemmer(language).stemWords(list(words))
    return [stem if stem.isascii() else _bare(stem) for stem in stems]


@dataclass(slots=True)
class _Vocabulary:
    """The terms of the word index, sorted by bare form, for some languages.

    Attributes:
        languages: of the library, without English.
        holders: number of passages with each term.
        bare: the bare forms, ascending.
        spelt: by bare form, terms with that bare form that are not bare themselves.
        forms: cached results.
    """

    languages: tuple[str, ...]
    holders: Mapping[str, int]
    bare: list[str] = field(default_factory=list)
    spelt: dict[str, list[str]] = field(default_factory=dict)
    text: str = ""
    forms: dict[str, OtherForms] = field(default_factory=dict)
    of_script: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, languages: Iterable[str], holders: Mapping[str, int]) -> Self:
        """Sort terms by their bare forms."""
        vocabulary = cls(tuple(sorted(languages)), holders)
        spelt = set()
        for term in holders:
            if not term.isascii() and (own := bare(term)) != term:
                vocabulary.spelt.setdefault(own, []).append(term)
                spelt.add(term)
        vocabulary.bare = (
            sorted({*holders, *vocabulary.spelt} - spelt) if spelt else sorted(holders)
        )
        if (COMPOUNDING | _WITHIN) & set(vocabulary.languages):
            vocabulary.text = "\n" + "\n".join(vocabulary.bare) + "\n"
        return vocabulary

    def other_forms(self, word: str) -> OtherForms:
        """Return the other forms of a word, and compounds with it."""
        word = word.lower()
        if word not in self.forms:
            if len(self.forms) > _WORDS_CACHED:
                self.forms.clear()
            self.forms[word] = self._look_up(word)
        return self.forms[word]

    def _look_up(self, word: str) -> OtherForms:
        own = bare(word)
        if len(own) < _LEAST_LETTERS or _DIGIT.search(own) or has_unspaced(own):
            return _NONE
        term = indexed(word)
        same: dict[str, None] = {}
        compounds: dict[str, None] = {}
        for language in self.languages:
            if (language in _SCRIPTS or language in _OTHER_SCRIPTS) == own.isascii():
                continue
            keys = set(stems(language, [word, own, bare(term)]))
            same |= dict.fromkeys(self._with_stem(language, keys, own))
            if language in COMPOUNDING:
                compounds |= dict.fromkeys(self._with_part(language, keys | {own}))
        same.pop(term, None)  # the word index takes it for the word itself
        far = [compound for compound in compounds if compound != term and compound not in same]
        forms, parts = (tuple(sorted(terms, key=len)[:_MOST_FORMS]) for terms in (same, far))
        if not forms and not parts:
            return _NONE
        holders = {term: self.holders[term] for term in (*forms, *parts)}
        return OtherForms(forms, parts, self.holders.get(term, 0), holders)

    def __contains__(self, form: str) -> bool:
        return form in self.spelt or (form in self.holders and _bare(form) == form)

    def _terms(self, form: str) -> list[str]:
        """Return the terms with a known bare form."""
        spelt = self.spelt.get(form, [])
        return [form, *spelt] if form in self.holders else spelt

    def _with_stem(self, language: str, keys: set[str], own: str) -> list[str]:
        if language in _SCRIPTS:
            by_stem = self._by_stem(language)
            return [term for key in keys for term in by_stem.get(key, ())]
        terms = []
        for prefix in _prefixes(language, keys, own):
            near = self._between(prefix, prefix + "\uffff")
            either = [stems(language, near)]
            if own.isascii():
                either.append(stems(language, [form + _SILENT for form in near]))
            for form, *seen in zip(near, *either, strict=True):
                if not keys.isdisjoint(seen):
                    terms += self._terms(form)
        if language in _WITHIN:
            near = [form for key in keys for form in self._holding(key)]
            for form, stem in zip(near, stems(language, near), strict=True):
                if stem in keys:
                    terms += self._terms(form)
        return terms

    def _between(self, first: str, last: str) -> list[str]:
        return self.bare[bisect_left(self.bare, first) : bisect_left(self.bare, last)]

    def _by_stem(self, language: str) -> dict[str, list[str]]:
        """Return the terms of a language's script by their stems."""
        if language not in self.of_script:
            near = self._between(*_SCRIPTS[language])
            by_stem: dict[str, list[str]] = {}
            for form, stem in zip(near, stems(language, near), strict=True):
                by_stem.setdefault(stem, []).extend(self._terms(form))
            self.of_script[language] = by_stem
        return self.of_script[language]

    def _with_part(self, language: str, keys: set[str]) -> list[str]:
        """Return compounds with a part of one of these stems, and other words as the rest."""
        return [
            term
            for key in keys
            for form in self._holding(key)
            if self._is_compound(language, form, form.index(key), key, keys)
            for term in self._terms(form)
        ]

    def _holding(self, part: str) -> list[str]:
        """Return some hundreds of bare forms that contain a part."""
        terms: list[str] = []
        offset = self.text.find(part) if len(part) >= _LEAST_PART else -1
        while offset >= 0 and len(terms) < 20 * _MOST_FORMS:
            end = self.text.find("\n", offset)
            terms.append(self.text[self.text.rfind("\n", 0, offset) + 1 : end])
            offset = self.text.find(part, end)
        return terms

    def _is_compound(self, language: str, form: str, length: int, key: str, keys: set[str]) -> bool:
        before, rest = form[:length], form[length:]
        if not form.isalpha() or (before and not self._is_words(before, key)):
            return False
        after = rest[len(key) :]
        (ended,) = stems(language, [rest])
        if before and (not after or ended in keys):
            return True
        return any(
            after.startswith(link) and self._is_words(after[len(link) :], key) for link in _LINKS
        )

    def _is_words(self, part: str, key: str) -> bool:
        """Return whether a compound's other part is a word, or both parts are long."""
        if len(part) < _LEAST_LETTERS:
            return False
        if len(part) >= _LONG_PART <= len(key):
            return True
        return any(part.endswith(link) and part[: len(part) - len(link)] in self for link in _LINKS)


_OTHER_SCRIPTS: Final = frozenset({"russian", "serbian", "greek", "armenian", "hindi", "tamil"})


def _prefixes(language: str, keys: Iterable[str], own: str) -> set[str]:
    """Return prefixes that other forms of a word may have."""
    prefixes = set()
    for key in [*keys, own]:
        length = min(_PREFIX, max(_LEAST_LETTERS, len(key) - 2))
        prefixes.add(key[:length])
        if language == "german":
            # Umlauts may be typed as two letters.
            prefixes.add(re.sub("[aou]", r"\g<0>e", key, count=1)[:length])
            prefixes.add(_UMLAUT.sub(r"\1", key)[:length])
    # A prefix includes those that begin with it.
    return {
        prefix
        for prefix in prefixes
        if not any(prefix != other and prefix.startswith(other) for other in prefixes)
    }


class WordForms:
    """The other forms of words in one library; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.words = CachedScan(_vocabulary)

    def of(self, db: sqlite3.Connection, words: Iterable[str]) -> dict[str, OtherForms]:
        """Return the other forms of words; words without any are left out.

        The first search reads the vocabulary, and a search after the library has grown reads it
        again; if all texts are English, only a sample of them is read.
        """
        # Never in the background: without them other documents would be found.
        vocabulary = self.words.learn(db)
        if not vocabulary.languages:
            return {}
        with self._lock:
            other_forms = {
                word: vocabulary.other_forms(word) for word in words if not is_function_word(word)
            }
        return {word: forms for word, forms in other_forms.items() if forms is not _NONE}


def _vocabulary(db: sqlite3.Connection, job: Job) -> _Vocabulary:
    languages = languages_among(passages.spread(db, _SAMPLE)) - {ENGLISH}
    job.checkpoint()
    return _Vocabulary.of(languages, word_index.vocabulary(db) if languages else {})
