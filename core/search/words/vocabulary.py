"""The vocabulary of one library: other forms of words, and spelling suggestions."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from core.catalog import passages, word_index
from core.catalog.text.identifiers import name_forms
from core.catalog.text.index_terms import indexed
from core.catalog.text.joined_forms import joined_forms, numbers_with_words, parts_of
from core.catalog.text.letters import plain
from core.catalog.text.normalisation import any_of, has_unspaced
from core.progress import Job
from core.search.cached_scan import CachedScan
from core.search.known_values import AuthorWords, author_words
from core.search.query.language import FEWEST_LETTERS, Query, Term
from core.search.words import fts
from core.search.words.patterns import matching_words, pattern_of
from core.search.words.spelling import Spelling
from core.search.words.stems import OtherForms, WordForms, bare


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
        """Return other forms of the query's words, and the words that its patterns match."""
        return with_written_forms(db, query, self.forms.of(db, fts.unquoted(query)))


_PLAIN: Final = re.compile(rf"[^\W\d_]{{{FEWEST_LETTERS},}}")
# A number of thousands with decimals, without signs in the whole.
_AMOUNT: Final = re.compile(r"(?<![\w.,])\d{4,}[.,]\d{1,2}(?![\w.,])")


def pattern_forms(db: sqlite3.Connection, query: Query) -> dict[str, OtherForms]:
    """Return the words of the library for each pattern in a query, by its letters."""
    return {
        plain(text).lower(): matching_words(db, pattern) for text, pattern in query.patterns.items()
    }


def with_written_forms(
    db: sqlite3.Connection, query: Query, known: Mapping[str, OtherForms]
) -> dict[str, OtherForms]:
    """Return known forms with the words of patterns, and the ways to write words in parts."""
    forms = dict(known) | pattern_forms(db, query) | _hashes(db, query)
    total = passages.count(db)
    written = _Written(forms, partial(fts.holders, db, most=total))
    joined = [*_in_parts(query)]
    rows: dict[str, list[tuple[str, int]]] = {}
    words = fts.terms(query.text)
    terms = {indexed(form) for form, _ in joined}.union(map(indexed, words))
    for form, parts, holders in word_index.joined_forms(db, terms):
        rows.setdefault(form, []).append((parts, holders))
    for word in words:
        names = []
        term = indexed(word)
        for parts, holders in rows.get(term, ()):
            if " " in parts or term not in parts:
                written.add_parts(word, parts, holders)
            else:
                names.append((parts, holders))
        # Where "user" is a word of texts, the names in code with it are many, and say less.
        if names and not fts.holders(db, word, 1):
            written.add_compounds(word, dict(names))
        if own_parts := parts_of(word):
            written.add_parts(word, own_parts, written.count(own_parts))
    for form, its_words in joined:
        typed = [*map(indexed, its_words)]
        ways = [*rows.get(indexed(form), ()), (form, written.count(form))]
        for way, holders in ways:
            # Parts as typed are found word by word: as a phrase too, they would count three times.
            if [*map(indexed, fts.terms(way))] == typed:
                continue
            for word in its_words:
                written.add_joined(word, way, holders)
    return forms


# Words that an abbreviated hash stands for.
_MOST_HASHES: Final = 50
# The first signs of a hash, as programs abbreviate commits, and the length of whole ones.
_ABBREVIATED_HASH: Final = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{7,39}")
_HASH_LENGTHS: Final = frozenset({32, 40, 64})


def _hashes(db: sqlite3.Connection, query: Query) -> dict[str, OtherForms]:
    """Return the hashes that words of a query abbreviate."""
    forms = {}
    for word in filter(_ABBREVIATED_HASH.fullmatch, fts.terms(query.text)):
        hashes = {
            term: holders
            for term, holders in word_index.terms_from(db, word, _MOST_HASHES).items()
            if len(term) in _HASH_LENGTHS
        }
        if hashes:
            own = word_index.holders_of_term(db, word)
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

    def add_compounds(self, word: str, names: Mapping[str, int]) -> None:
        """Add names in code with the word in them, with the number of passages with each."""
        others = self._of(word)
        compounds = tuple(dict.fromkeys((*others.compounds, *names)))
        counts = {**others.holders, **names}
        self.forms[word] = replace(others, compounds=compounds, holders=counts)

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
        for form, words in name_forms(text):
            if " " in words:
                yield form, fts.terms(words.replace(" ", "_"))
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
    if not isinstance(last, Term) or last.is_phrase or last.is_excluded or last.pattern:
        return query
    if not _PLAIN.fullmatch(last.text) or has_unspaced(last.text):
        return query
    if plain(last.text).lower() in (known or {}) or fts.holders(db, last.text, 1):
        return query
    if not matching_words(db, f"{last.text}*").forms:
        return query
    return Query((*query.parts[:-1], Term(last.text, pattern=f"{last.text}*")), query.notices)


def highlight_spans(
    query: Query, words: Sequence[str], forms: Mapping[str, OtherForms], texts: Mapping[int, str]
) -> dict[int, fts.Spans]:
    """Return the spans in each text of words in any of their forms.

    Of a pattern only words that it matches: the word index also finds `computing`, which has the
    same stem as a word that `computer*` matches. A phrase is one span.
    """
    patterns = {plain(text).lower(): pattern for text, pattern in query.patterns.items()}
    phrases = fts.match_spans(
        " OR ".join(fts.possible(phrase, forms) for phrase in query.phrases), texts
    )
    # A word of a phrase alone is highlighted only in a text that has no whole phrase.
    unquoted = set(fts.unquoted(query)) if phrases else set(words)
    spans_of = _spans(
        [word for word in words if word in unquoted and word not in patterns], forms, texts
    )
    if phrases:
        rest = {text_id: text for text_id, text in texts.items() if text_id not in phrases}
        quoted_words = [word for word in words if word not in unquoted]
        for more in (phrases, _spans(quoted_words, forms, rest)):
            for text_id, spans in more.items():
                spans_of[text_id] = _ordered((*spans_of.get(text_id, ()), *spans))
    for word in words:
        if word in patterns:
            pattern = pattern_of(patterns[word])
            for text_id, spans in _spans([word], forms, texts).items():
                text = texts[text_id]
                own = [span for span in spans if pattern.fullmatch(bare(text[slice(*span)]))]
                spans_of[text_id] = _ordered((*spans_of.get(text_id, ()), *own))
    return {text_id: spans for text_id, spans in spans_of.items() if spans}


def _spans(
    words: Sequence[str], forms: Mapping[str, OtherForms], texts: Mapping[int, str]
) -> dict[int, fts.Spans]:
    return fts.match_spans(any_of(fts.with_forms(words, forms)), texts)


def _ordered(spans: Iterable[tuple[int, int]]) -> fts.Spans:
    return tuple(sorted(set(spans)))
