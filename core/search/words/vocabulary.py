"""The vocabulary of one library: other forms of words, and spelling suggestions."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.catalog import passages
from core.catalog.text.joined_forms import joined_forms
from core.catalog.text.letters import plain
from core.catalog.text.normalisation import any_of, has_unspaced, quoted
from core.progress import Job
from core.search.cached_scan import CachedScan
from core.search.known_values import AuthorWords, author_words
from core.search.query.language import FEWEST_LETTERS, Query, Term
from core.search.words import fts
from core.search.words.spelling import Spelling
from core.search.words.stems import OtherForms, WordForms, bare, folded, indexed, word_of_stem


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


def words_with_prefix(db: sqlite3.Connection, prefix: str) -> OtherForms:
    """Return the words of the library with a prefix, as its other forms."""
    own = indexed(prefix)
    matching = passages.terms_from(db, folded(prefix), _MOST_WORDS)
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
    """Return known forms with the words of prefixes, and the joined forms of words in parts."""
    forms = dict(known) | prefix_forms(db, query)
    total = passages.count(db)
    for form, words in _in_parts(query):
        if not (holders := fts.holders(db, form, total)):
            continue
        for word in words:
            others = forms.get(word) or OtherForms(own=fts.holders(db, word, total))
            forms[word] = replace(
                others,
                joined=tuple(dict.fromkeys((*others.joined, form))),
                holders={**others.holders, form: holders},
            )
    return forms


def _in_parts(query: Query) -> Iterator[tuple[str, list[str]]]:
    """Yield the joined forms of a query's words and phrases, each with its parts."""
    words = " ".join(term.text for term in query.wanted if not term.is_phrase)
    for typed in (words, *(term.text for term in query.wanted if term.is_phrase)):
        text = plain(typed)
        for form in joined_forms(text):
            yield form.form.lower(), fts.terms(text[form.start : form.end])


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
    same stem as a word that `computer*` matches.
    """
    prefixes = {plain(text).lower() for text in query.beginnings}
    spans_of = _spans([word for word in words if word not in prefixes], forms, texts)
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
