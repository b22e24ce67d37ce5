"""FTS5 expressions of a query, the spans that they match in a text, and exact phrases."""

import math
import re
import sqlite3
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from core.catalog import passages
from core.catalog.text.joined_forms import with_joined_forms
from core.catalog.text.letters import plain, plain_with_offsets
from core.catalog.text.normalisation import (
    SEAM,
    TOKENIZER,
    WORD,
    WORD_CHARACTER,
    any_of,
    fold,
    has_unspaced,
    pieces,
    quoted,
    set_apart,
)
from core.search.query.language import Query, Term
from core.search.words.stems import OtherForms

# A word in more than a quarter of the passages is common, except in a small library.
_COMMON_SHARE: Final = 4
_FEWEST_COMMON: Final = 250
# Weights of another form of a word, of a compound with it, of the word in parts, of its joined form
# with others, and of its better spelling; the word itself weighs 1.
_FORM: Final = 0.8
_COMPOUND: Final = 0.5
_PARTS: Final = 1.0
_JOINED: Final = 0.5
_CORRECTION: Final = 0.8
# Words are highlighted from this share of the mean rarity of a query's words on.
_LEAST_RARITY: Final = 0.5


def terms(text: str) -> list[str]:
    """Return the distinct words of `text`, in order, in lower case.

    >>> terms("The wing, the Flow")
    ['the', 'wing', 'flow']
    """
    return list(_terms(text))


@lru_cache(maxsize=64)
def _terms(text: str) -> tuple[str, ...]:
    words = [piece.lower() for word in WORD.findall(plain(text)) for piece in pieces(word)]
    return tuple(dict.fromkeys(words))


# Words with their other forms in the library; words without any are left out.
Forms = Mapping[str, OtherForms]


def possible(phrase: str, forms: Forms) -> str:
    """Return an expression for the passages that may have a phrase, in parts or in joined forms.

    >>> possible("an e-mail", {}), possible("to e", {})
    ('("an e-mail" OR "an email")', '"to e"')
    >>> possible("my email", {"email": OtherForms(parts=("e mail",))})
    '("my email" OR (("my") AND ("email" OR "e mail")))'
    """
    letters = plain(phrase)
    ways = [quoted(way) for way in dict.fromkeys([letters, with_joined_forms(letters)])]
    every = [(word, *forms[word].written) if word in forms else (word,) for word in terms(letters)]
    if any(len(others) > 1 for others in every):
        ways.append(f"({' AND '.join(f'({any_of(others)})' for others in every)})")
    return f"({' OR '.join(ways)})" if len(ways) > 1 else ways[0]


def unquoted(query: Query) -> list[str]:
    """Return the query's words outside phrases, which may occur in other forms."""
    exact = [*query.phrases]
    exact += [
        term.text for ways in query.alternatives for way in ways for term in way if term.is_phrase
    ]
    fixed = {word for phrase in exact for word in terms(phrase)}
    return [word for word in terms(query.text) if word not in fixed]


def _in_any_form(term: Term, forms: Forms) -> str:
    """Return an expression for a term: a phrase unchanged, a word in each of its forms."""
    if term.is_phrase:
        return possible(term.text, forms)
    letters = plain(term.text)
    of_word = forms.get(letters.lower(), OtherForms())
    ways = dict.fromkeys((letters, with_joined_forms(letters), *of_word.terms))
    return f"({any_of(ways)})" if len(ways) > 1 else quoted(letters)


def with_forms(words: Sequence[str], forms: Forms) -> list[str]:
    """Return words and all their other forms."""
    all_forms = dict.fromkeys(words)
    for word in words:
        if word in forms:
            all_forms |= dict.fromkeys(forms[word].terms)
    return list(all_forms)


def expansions(
    db: sqlite3.Connection, words: Sequence[str], forms: Forms, query: Query
) -> tuple[tuple[str, float], ...]:
    """Return expressions for the words' other forms, with the weights of their BM25 scores.

    BM25 would treat a rare form as a rarer word and rank it above the word itself. The weights make
    all forms of a word as rare as they are together, and less important than the word as typed.
    """
    total = passages.count(db)
    wanted = demanded(query, forms=forms)
    expansions = []
    for word in words:
        if word not in forms:
            continue
        of_word = forms[word]
        for variants, share in (
            (of_word.forms, _FORM),
            (of_word.compounds, _COMPOUND),
            (of_word.parts, _PARTS),
            (of_word.joined, _JOINED),
            (of_word.corrections, _CORRECTION),
        ):
            if not variants:
                continue
            counts = [of_word.holders[other] for other in variants]
            together = _rarity(total, min(of_word.own + sum(counts), total))
            rarest = _rarity(total, min(counts))
            expression = any_of(variants)
            if wanted:
                expression = f"({expression}) AND {wanted}"
            expansions.append((expression, share * together / rarest))
    return tuple(expansions)


def _rarity(total: int, holders: int) -> float:
    """Return the inverse document frequency as FTS5 computes it."""
    return max(math.log((total - holders + 0.5) / (holders + 0.5)), 1e-6)


def demanded(query: Query, *, of_phrases: bool = False, forms: Forms | None = None) -> str:
    """Return the expression a passage must match: all phrases, and one way of each OR; or "".

    With `of_phrases` only phrases and alternatives of phrases, which are required in every mode;
    alternatives of words concern searches by words, in any of their `forms`.
    """
    known = forms or {}
    alternatives = query.phrase_alternatives if of_phrases else query.alternatives
    ways = (
        " OR ".join(
            "(" + " AND ".join(_in_any_form(term, known) for term in way) + ")" for way in either
        )
        for either in alternatives
    )
    phrases = [possible(phrase, known) for phrase in query.phrases]
    return " AND ".join([*phrases, *(f"({way})" for way in ways)])


def found_by(expression: str, query: Query, forms: Forms | None = None) -> str:
    """Return an expression narrowed to the query's required terms; "" if both are empty."""
    wanted = demanded(query, forms=forms)
    return f"({expression}) AND {wanted}" if expression and wanted else expression or wanted


def count_holders(db: sqlite3.Connection, words: Sequence[str]) -> dict[str, int]:
    """Return the number of passages with each word, counting at most those of a common word."""
    most = too_many(passages.count(db))
    return {word: holders(db, word, most) for word in words}


def significant(
    db: sqlite3.Connection,
    query: Query,
    forms: Forms | None = None,
    counts: Mapping[str, int] | None = None,
) -> list[str]:
    """Return the query's words without those in a quarter of all passages or more.

    Such words hardly change BM25 (their inverse document frequency is near zero), take most of its
    time, and would highlight the whole page. They are kept if no passage has any other word, and in
    alternatives. A word in no passage is kept only if it occurs in other `forms`. `counts` are
    those of `count_holders`, if they are known.
    """
    known = forms or {}
    words = terms(query.text)
    chosen = {
        word
        for ways in query.alternatives
        for way in ways
        for term in way
        for word in terms(term.text)
    }
    most = too_many(passages.count(db))
    held = counts or count_holders(db, [word for word in words if word not in chosen])
    rare = [
        word
        for word in words
        if word in chosen or 0 < held[word] < most or (held[word] == 0 and word in known)
    ]
    return rare or words


def worth_showing(
    db: sqlite3.Connection, words: Sequence[str], forms: Forms | None = None
) -> list[str]:
    """Return the words that are rare enough, compared with the others, to highlight.

    A word in n of N passages has the rarity log(1 + N / n), which grows as its weight in BM25 does;
    half of the mean is enough: a search without the others finds as much
    (docs/decisions/0020-highlighting.md). Words in no passage are left out, unless they occur in
    other `forms`.
    """
    known = forms or {}
    total = passages.count(db)
    held = {word: holders(db, word, too_many(total)) or int(word in known) for word in words}
    rarity = {word: math.log1p(total / n) for word, n in held.items() if n}
    least = _LEAST_RARITY * sum(rarity.values()) / max(1, len(rarity))
    return [word for word, value in rarity.items() if value >= least]


def rarities(
    db: sqlite3.Connection, query: Query, forms: Forms, counts: Mapping[str, int] | None = None
) -> dict[str, float]:
    """Return the rarity of each of the query's words in the library, in any of its forms.

    Common words count only if the query has no others, and then equally; a word that the library
    lacks counts as the rarest. `counts` are those of `count_holders`, if they are known.
    """
    words = terms(query.text)
    total = passages.count(db)
    common_from = too_many(total)
    counts = counts or count_holders(db, words)
    rare = significant(db, query, forms, counts)
    rarity = {}
    for word in words:
        held = counts[word]
        if word in forms:
            any_form = any_of(with_forms([word], forms))
            # For words that are not rare it is enough to know whether they occur at all.
            held = _count(db, any_form, common_from if word in rare else 1)
        is_common = held >= common_from or (held > 0 and word not in rare)
        rarity[word] = 0.0 if is_common else _positive_rarity(total, held)
    return rarity if any(rarity.values()) else dict.fromkeys(words, 1.0)


def shares_of_words(
    rarity: Mapping[str, float], forms: Forms, texts: Mapping[int, str]
) -> dict[int, float]:
    """Return the share of a query's words in each text, weighted by `rarities`.

    A word may occur in any of its forms.
    """
    words = list(rarity)
    whole = sum(rarity.values())
    standing = texts_with({word: any_of(with_forms([word], forms)) for word in words}, texts)
    return {
        text_id: sum(rarity[word] for word in words if text_id in standing[word]) / whole
        for text_id in texts
    }


def _positive_rarity(total: int, holders: int) -> float:
    """Return the inverse document frequency as Lucene computes it; it is above 0."""
    return math.log1p((total - holders + 0.5) / (holders + 0.5))


def too_many(total: int) -> int:
    """Return the minimum number of passages with a common word."""
    return max(total // _COMMON_SHARE, _FEWEST_COMMON) + 1


def holders(db: sqlite3.Connection, word: str, most: int) -> int:
    """Return the number of passages with the word, counting at most `most`."""
    return _count(db, quoted(word), most)


def _count(db: sqlite3.Connection, expression: str, most: int) -> int:
    count = db.execute(
        "SELECT count(*) FROM (SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT ?)",
        [expression, most],
    )
    return int(count.fetchone()[0])


Spans = tuple[tuple[int, int], ...]


def match_spans(expression: str, texts: Mapping[int, str]) -> dict[int, Spans]:
    """Return the character spans in each matching text of an FTS5 expression; "" matches none.

    The texts are indexed in memory, which takes 2 to 3 ms for the results of a search in a library
    of any size. Its own word index would look up all words for each passage (9 to 17 ms),
    or visit all passages with any of the words (1 ms in a small library, 7 ms with 190,000
    passages).

    >>> match_spans('"crow"', {7: "Two crows.", 8: "An owl."})
    {7: ((4, 9),)}
    >>> match_spans('"e mail"', {7: "An e-mail."})
    {7: ((3, 9),)}
    """
    if not expression or not texts:
        return {}
    with _indexed(texts) as db:
        rows = db.execute(
            "SELECT rowid, highlight(words, 0, char(2), char(3)) FROM words WHERE words MATCH ?",
            [expression],
        )
        return {text_id: _original(texts[text_id], marked) for text_id, marked in rows}


def _original(text: str, marked: str) -> Spans:
    """Return the marked spans of a text's letters as offsets into the text."""
    _, original = _letters_of(text)
    return tuple(sorted({original(*span) for span in _marked_spans(marked)}))


def texts_with(expressions: Mapping[str, str], texts: Mapping[int, str]) -> dict[str, set[int]]:
    """Return the texts that match each named FTS5 expression.

    >>> texts_with({"bird": '"crow" OR "owl"', "cat": '"cat"'}, {7: "Two crows.", 8: "An owl."})
    {'bird': {8, 7}, 'cat': set()}
    """
    with _indexed(texts) as db:
        sql = "SELECT rowid FROM words WHERE words MATCH ?"
        return {
            name: {text_id for (text_id,) in db.execute(sql, [expression])}
            for name, expression in expressions.items()
        }


# Searches while typing show mostly the same texts.
_letters_of = lru_cache(maxsize=1024)(plain_with_offsets)


@contextmanager
def _indexed(texts: Mapping[int, str]) -> Iterator[sqlite3.Connection]:
    """Index texts in memory as the library does."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute(
            "CREATE VIRTUAL TABLE words"
            f" USING fts5(text, columnsize=0, tokenize='porter {TOKENIZER}')"
        )
        db.execute("BEGIN")
        db.executemany(
            "INSERT INTO words(rowid, text) VALUES (?, ?)",
            [(text_id, set_apart(_letters_of(text)[0])) for text_id, text in texts.items()],
        )
        yield db


def _marked_spans(marked: str) -> Spans:
    r"""Return the spans between \x02 and \x03, as offsets into the text without marks and seams.

    Texts contain no control characters, so that all marks are from `highlight`.

    >>> _marked_spans("a \x02bc\x03 d \x02e\x03")
    ((2, 4), (7, 8))
    """
    spans = []
    position = 0
    start = 0
    for character in marked:
        if character == "\x02":
            start = position
        elif character == "\x03":
            spans.append((start, position))
        elif character != SEAM:
            position += 1
    return tuple(spans)


# Typographic apostrophes and dashes, with those on keyboards.
_ON_KEYBOARDS: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u2032", "'")
    # The last one separates the parts of Persian words without a space.
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u200c", "-")
)


def contains(text: str, phrase: str) -> bool:
    r"""Return whether `text` contains `phrase` between word boundaries.

    Scripts without spaces have no boundaries. Apostrophes and dashes that look alike are equal, and
    so are the ways to write a compound: in parts, with hyphens, and joined where `joined_forms`
    joins it; and numbers with and without a space before their unit.

    >>> contains("The boundary\nlayer.", "Boundary Layer"), contains("layered", "layer")
    (True, False)
    >>> contains("Don\u2019t panic", "don't panic"), contains("an e-mail", "an email")
    (True, True)
    """
    there, wanted = comparable(text), comparable(phrase)
    if pattern_of(wanted).search(there):
        return True
    joined, sought = (_parted(with_joined_forms(text)) for text in (there, wanted))
    if (joined, sought) == (there, wanted):
        return False
    return pattern_of(sought).search(joined) is not None


# Currencies stand before their number or after it.
_CURRENCY_BEFORE: Final = re.compile(r"([$\u00a2-\u00a5\u20a0-\u20c0]) ?(\d+(?:[.,']\d+)*)")
_NEXT_TO_NUMBER: Final = re.compile(
    r"(?<=\d)(?=[^\W\d_]|[%\u2030$\u00a2-\u00a7\u00b0\u20a0-\u20c0])"
    r"|(?:(?<=[^\W\d_])|(?<=[^\W\d_]\.)|(?<=[\u00a7\u00b0#]))(?=\d)"
)


def _parted(text: str) -> str:
    """Return a comparable text with spaces between numbers and their units and words.

    >>> _parted("5kg for \u20ac49"), _parted("rtx4090, \u00a77, nr.5")
    ('5 kg for 49 \u20ac', 'rtx 4090, \u00a7 7, nr. 5')
    """
    return _NEXT_TO_NUMBER.sub(" ", _CURRENCY_BEFORE.sub(r"\2 \1", text))


# Of quoted lines in mails, and of comments in code.
_LINE_MARKS: Final = re.compile(
    r"\n[ \t]*(?:[>|](?:[ \t]?[>|])*|[#%;]+(?=[ \t])|//[/!]*|\*+(?=[ \t])|--(?=[ \t]))(?!\n)"
)
# Of Chinese and Japanese, and their punctuation; Korean has spaces between words.
_UNSPACED_LETTER: Final = (
    "[\u3001-\u3020\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff0f"
    "\uff1a-\uff1f\U00020000-\U0003ffff]"
)
_SPACE_BETWEEN_LETTERS: Final = re.compile(
    f"(?:(?<={_UNSPACED_LETTER})|(?<={_UNSPACED_LETTER}[,.:;!?)])) (?={_UNSPACED_LETTER})"
)


@lru_cache(maxsize=4096)
def comparable(text: str) -> str:
    r"""Return a text as phrases are compared: in plain letters, folded, with signs of keyboards.

    Marks of quoted lines and of comments are no words, and a space between two Chinese or Japanese
    letters is mostly the end of a line.

    >>> comparable("the copper\n> kettle"), comparable("在北京召\n开大会")
    ('the copper kettle', '在北京召开大会')
    """
    text = _LINE_MARKS.sub("\n", text) if "\n" in text else text
    if text.isascii():
        return fold(text)
    text = fold(plain(unicodedata.normalize("NFC", text))).translate(_ON_KEYBOARDS)
    return _SPACE_BETWEEN_LETTERS.sub("", text)


@lru_cache(maxsize=256)
def pattern_of(wanted: str) -> re.Pattern[str]:
    """Return a pattern for a comparable phrase in a comparable text."""
    before = f"(?<!{WORD_CHARACTER})" if wanted and _is_bordered(wanted[0]) else ""
    after = f"(?!{WORD_CHARACTER})" if wanted and _is_bordered(wanted[-1]) else ""
    parts = map(re.escape, _BETWEEN_LETTERS.split(wanted))
    return re.compile(before + "(?: |- ?)".join(parts) + after)


# A space or hyphen between the parts of a compound; a line may end after the hyphen.
_BETWEEN_LETTERS: Final = re.compile(r"(?<=[^\W\d_])[ -](?=[^\W\d_])")


def _is_bordered(character: str) -> bool:
    return WORD.match(character) is not None and not has_unspaced(character)


def has_phrases(query: Query) -> bool:
    """Return whether the query has phrases, which the word index knows only by their stems."""
    return bool(query.phrases or query.unwanted_phrases or query.phrase_alternatives)


class Contents(Protocol):
    """What a query's phrases are searched in."""

    def has(self, phrase: str) -> bool:
        """Return whether the phrase occurs."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts that a phrase may occur in."""

    texts: Sequence[str]

    def has(self, phrase: str) -> bool:
        """Return whether one of the texts contains the phrase."""
        return any(contains(text, phrase) for text in self.texts)


def accepts(query: Query, texts: Sequence[str] | Contents) -> bool:
    """Return whether the texts contain all of the query's phrases, and no excluded one."""
    occurs = Texts(texts).has if isinstance(texts, Sequence) else texts.has
    return (
        all(map(occurs, query.phrases))
        and not any(map(occurs, query.unwanted_phrases))
        and all(
            any(all(occurs(term.text) for term in way) for way in ways)
            for ways in query.phrase_alternatives
        )
    )
