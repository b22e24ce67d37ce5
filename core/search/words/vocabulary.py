"""The vocabulary of one library: other forms of words, and spelling suggestions."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from core.catalog import passages
from core.catalog.text.index_terms import folded, indexed
from core.catalog.text.joined_forms import joined_forms, numbers_with_words, parts_of
from core.catalog.text.letters import plain
from core.catalog.text.normalisation import any_of, has_unspaced, quoted
from core.progress import Job
from core.search.cached_scan import CachedScan
from core.search.known_values import AuthorWords, author_words
from core.search.query.language import FEWEST_LETTERS, Query, Term
from core.search.words import fts
from core.search.words.spelling import Spelling
from core.search.words.stems import OtherForms, WordForms, bare, word_of_stem


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The vocabulary of one library, as learned by its searches; thread-safe."""

    forms: WordForms = field(default_factory=WordForms)
    spelling: Spelling = field(default_factory=Spelling)
    authors: CachedScan[AuthorWords] = field(default_factory=lambda: CachedScan(author_words))

    def compute_in_background(self) -> None:
        """Make no search of a large library wait for suggestions; another thread calls `learn`."""
        self.spelling.words.compute_in_background()
        self.authors.compute_in_background()

    def learn(self, db: sqlite3.Connection, job: Job) -> None:
        """Read the library's words if that is due; takes seconds in a large library.

        Raises:
            Cancelled: the job was cancelled.
        """
        self.forms.words.learn(db, job)
        self.authors.learn(db, job)
        self.spelling.words.learn(db, job)

    def forms_of(self, db: sqlite3.Connection, query: Query) -> dict[str, OtherForms]:
        """Return other forms of the query's words, and the words that its prefixes match."""
        return with_written_forms(db, query, self.forms.of(db, fts.unquoted(query)))


# A prefix matches at most this many words, those in most passages,
_MOST_WORDS: Final = 50
# which are together in at most this many passages, or in as many as a single word may be in, so
# that a search for each typed letter takes no longer than one for a word.
_MOST_HELD: Final = 20_000
# The most letters that the English stemmer removes.
_LONGEST_ENDING: Final = 7
# Texts that are searched for a word with the prefix.
_TEXTS: Final = 20
_PLAIN: Final = re.compile(rf"[^\W\d_]{{{FEWEST_LETTERS},}}")
_WORD: Final = re.compile(r"\w+")
# A number of thousands with decimals, without signs in the whole.
_AMOUNT: Final = re.compile(r"(?<![\w.,])\d{4,}[.,]\d{1,2}(?![\w.,])")


def words_with_prefix(db: sqlite3.Connection, prefix: str) -> OtherForms:
    """Return the words of the library with a prefix, as its other forms."""
    own = indexed(prefix)
    matching = passages.terms_from(db, folded(prefix), _MOST_WORDS)
    if not matching and (umlauts := _UMLAUT.sub(r"\1", folded(prefix))) != folded(prefix):
        matching = _with_umlauts(db, passages.terms_from(db, umlauts, _MOST_WORDS), prefix)
    matching |= _shorter_stems(db, prefix)
    matching.pop(own, None)  # the word index takes it for the prefix itself
    too_many = fts.too_many(passages.count(db))
    room = max(too_many, _MOST_HELD)
    words = {}
    for term, holders in matching.items():
        if holders < too_many and holders <= room and (word := word_of_stem(term)):
            words[word] = holders
            room -= holders
    return OtherForms(tuple(words), (), passages.holders_of_term(db, own), words)


_UMLAUT: Final = re.compile("(?<![aeq])([aou])e")
_WRITTEN_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def _with_umlauts(db: sqlite3.Connection, terms: dict[str, int], prefix: str) -> dict[str, int]:
    """Return the terms of words that begin with a prefix when their umlauts are written out."""
    wanted = plain(prefix).lower()
    return {
        term: holders
        for term, holders in terms.items()
        if (word := word_of_stem(term))
        and any(
            written.lower().translate(_WRITTEN_OUT).startswith(wanted)
            for text in passages.texts_with(db, quoted(word), _TEXTS)
            for written in _WORD.findall(text)
        )
    }


def _shorter_stems(db: sqlite3.Connection, prefix: str) -> dict[str, int]:
    """Return stems shorter than a prefix if one of their words has it."""
    wanted = folded(prefix)
    stems = {}
    shortest = max(FEWEST_LETTERS, len(wanted) - _LONGEST_ENDING)
    for length in range(shortest, len(wanted)):
        term = wanted[:length]
        holders = passages.holders_of_term(db, term)
        if not holders or not (word := word_of_stem(term)):
            continue
        texts = passages.texts_with(db, quoted(word), _TEXTS)
        if any(
            folded(written).startswith(wanted) for text in texts for written in _WORD.findall(text)
        ):
            stems[term] = holders
    return stems


def prefix_forms(db: sqlite3.Connection, query: Query) -> dict[str, OtherForms]:
    """Return the words of the library for each prefix in a query."""
    return {plain(text).lower(): words_with_prefix(db, text) for text in query.beginnings}


def with_written_forms(
    db: sqlite3.Connection, query: Query, known: Mapping[str, OtherForms]
) -> dict[str, OtherForms]:
    """Return known forms with the words of prefixes, and the ways to write words in parts."""
    forms = dict(known) | prefix_forms(db, query) | _hashes(db, query)
    total = passages.count(db)
    written = _Written(forms, partial(fts.holders, db, most=total))
    joined = [*_in_parts(query)]
    rows: dict[str, list[tuple[str, int]]] = {}
    words = fts.terms(query.text)
    terms = {indexed(form) for form, _ in joined}.union(map(indexed, words))
    for form, parts, holders in passages.joined_forms(db, terms):
        rows.setdefault(form, []).append((parts, holders))
    for word in words:
        for parts, holders in rows.get(indexed(word), ()):
            written.add_parts(word, parts, holders)
        if own_parts := parts_of(word):
            written.add_parts(word, own_parts, written.count(own_parts))
    for form, its_words in joined:
        ways = [*rows.get(indexed(form), ()), (form, written.count(form))]
        for way, holders in ways:
            for word in its_words:
                written.add_joined(word, way, holders)
    return forms


# The first signs of a hash, as programs abbreviate commits, and the length of whole ones.
_ABBREVIATED_HASH: Final = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{7,39}")
_HASH_LENGTHS: Final = frozenset({32, 40, 64})


def _hashes(db: sqlite3.Connection, query: Query) -> dict[str, OtherForms]:
    """Return the hashes that words of a query abbreviate."""
    forms = {}
    for word in filter(_ABBREVIATED_HASH.fullmatch, fts.terms(query.text)):
        hashes = {
            term: holders
            for term, holders in passages.terms_from(db, word, _MOST_WORDS).items()
            if len(term) in _HASH_LENGTHS
        }
        if hashes:
            own = passages.holders_of_term(db, word)
            forms[word] = OtherForms(tuple(hashes), (), own, hashes)
    return forms


@dataclass(frozen=True, slots=True)
class _Written:
    """Adds other ways to write words to their forms; `count` counts the passages with a phrase."""

    forms: dict[str, OtherForms]
    count: Callable[[str], int]

    def add_parts(self, word: str, parts: str, holders: int) -> None:
        """Add a word's parts."""
        if holders:
            others = self._of(word)
            parted = tuple(dict.fromkeys((*others.parts, parts)))
            counts = {**others.holders, parts: holders}
            self.forms[word] = replace(others, parts=parted, holders=counts)

    def add_joined(self, word: str, form: str, holders: int) -> None:
        """Add a joined form of a word and others of the query."""
        if holders and form != word:
            others = self._of(word)
            joined = tuple(dict.fromkeys((*others.joined, form)))
            counts = {**others.holders, form: holders}
            self.forms[word] = replace(others, joined=joined, holders=counts)

    def _of(self, word: str) -> OtherForms:
        return self.forms.get(word) or OtherForms(own=self.count(word))


def _in_parts(query: Query) -> Iterator[tuple[str, list[str]]]:
    """Yield the joined forms of a query's words and phrases, each with its parts."""
    words = " ".join(term.text for term in query.wanted if not term.is_phrase)
    for typed in (words, *(term.text for term in query.wanted if term.is_phrase)):
        text = plain(typed)
        for joined in (*joined_forms(text), *numbers_with_words(text)):
            for form in (joined.form, *joined.others):
                yield form.lower(), fts.terms(text[joined.start : joined.end])
        for amount in _AMOUNT.finditer(text):
            yield amount[0].replace(",", "."), fts.terms(amount[0])


def complete_prefix(
    db: sqlite3.Connection, query: Query, known: Mapping[str, OtherForms] | None = None
) -> Query:
    """Return a query with its last word as a prefix, if that is not a word of the library.

    A word that the library has stays a word, also in `known` other forms, so that nothing changes
    when the rest of it is typed. A word that is no prefix of another stays, too.
    """
    last = query.parts[-1] if query.parts else None
    if not isinstance(last, Term) or last.is_phrase or last.is_excluded or last.is_beginning:
        return query
    if not _PLAIN.fullmatch(last.text) or has_unspaced(last.text):
        return query
    if plain(last.text).lower() in (known or {}) or fts.holders(db, last.text, 1):
        return query
    if not words_with_prefix(db, last.text).forms:
        return query
    return Query((*query.parts[:-1], Term(last.text, is_beginning=True)), query.notices)


def highlight_spans(
    query: Query,
    words: Sequence[str],
    forms: Mapping[str, OtherForms],
    texts: Mapping[int, str],
) -> dict[int, fts.Spans]:
    """Return the spans in each text of words in any of their forms.

    Of a prefix only words with that prefix: the word index also finds `computing`, which has the
    same stem as a word that `computer*` matches. A phrase is one span.
    """
    prefixes = {plain(text).lower() for text in query.beginnings}
    phrases = fts.match_spans(
        " OR ".join(fts.possible(phrase, forms) for phrase in query.phrases), texts
    )
    # A word of a phrase alone is highlighted only in a text that has no whole phrase.
    unquoted = set(fts.unquoted(query)) if phrases else set(words)
    spans_of = _spans(
        [word for word in words if word in unquoted and word not in prefixes], forms, texts
    )
    if phrases:
        rest = {text_id: text for text_id, text in texts.items() if text_id not in phrases}
        quoted_words = [word for word in words if word not in unquoted]
        for more in (phrases, _spans(quoted_words, forms, rest)):
            for text_id, spans in more.items():
                spans_of[text_id] = _ordered((*spans_of.get(text_id, ()), *spans))
    for word in words:
        if word in prefixes:
            prefix = bare(word)
            for text_id, spans in _spans([word], forms, texts).items():
                text = texts[text_id]
                own = [span for span in spans if bare(text[span[0] : span[1]]).startswith(prefix)]
                spans_of[text_id] = _ordered((*spans_of.get(text_id, ()), *own))
    return {text_id: spans for text_id, spans in spans_of.items() if spans}


def _spans(
    words: Sequence[str], forms: Mapping[str, OtherForms], texts: Mapping[int, str]
) -> dict[int, fts.Spans]:
    return fts.match_spans(any_of(fts.with_forms(words, forms)), texts)


def _ordered(spans: Iterable[tuple[int, int]]) -> fts.Spans:
    return tuple(sorted(set(spans)))
