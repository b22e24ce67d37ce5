"""Letters as the word index has them: without combining marks, variants and compatibility forms.

SQLite's tokenizer folds case and the accents of Latin letters. This module does the rest, for texts
and queries alike, and records where each character came from, for highlights. Two letters are one
if people type one for the other: because their keyboard lacks it (`œ`, `þ`), because two countries
encode it differently (Arabic and Persian yeh), or because Unicode has several encodings of it.

The rules are those of Unicode's canonical equivalence and of Lucene's ICUFoldingFilter, with three
exceptions, where the folded letters would be other words: `й`, the voicing of kana, and the Turkish
`ı`. `unicodedata` has the data for composed and compatibility forms; letters that Unicode does not
decompose are in `FOLDED`. PyICU would need ICU's 30 MB.

Source: UAX 15 (normalisation forms), UTS 10 (collation), CLDR's Latin-ASCII transform, and Lucene's
PersianNormalizer and HindiNormalizer.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

# Nonspacing marks that a word may be written with or without: accents, Hebrew and Arabic points,
# Syriac vowels, tones of N'Ko, the nukta of Hindi, variation selectors; also the Arabic stroke that
# only makes a word longer, the joiner that only steers a renderer, and the okina and its relatives.
# Not vowel signs: those are letters.
MARKS: Final = (
    "\u02b9-\u02bb\u02bd-\u02bf\u093c\u0a3c\u0abc\u0cbc"
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b"
    "\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u135d-\u135f\u1ab0-\u1ace\u1dc0-\u1dff\u200d"
    "\u20d0-\u20f0\u2cef-\u2cf1\u2de0-\u2dff\ua66f-\ua672\ua674-\ua67d\ua69e\ua69f\ufb1e"
    "\ufe00-\ufe0f\ufe20-\ufe2f\U000e0100-\U000e01ef"
)
# Letters and digits that are another way to write others: raised, lowered, circled, wide, joined,
# mathematical, presentation forms, squared units and words, radicals. Halfwidth kana are composed
# with their marks.
_COMPATIBLE: Final = (
    "\u03d0-\u03d2\u03d5\u03d6\u03f0-\u03f2\u03f4\u03f5\u03f9\u2e9f\u2ef3\u2f00-\u2fd5\u3300-\u3357"
    "\uf900-\ufaff\U0002f800-\U0002fa1d"
    "\u00aa\u00b2\u00b3\u00b9\u00ba\u0132\u0133\u0149\u017f\u01c4-\u01cc\u01f1-\u01f3\u02b0-\u02b8"
    "\u02e0-\u02e4\u0587\u0675-\u0678\u1d2c-\u1d6a\u1d78\u1d9b-\u1dbf\u1e9a\u2070-\u209c\u2102\u2107"
    "\u210a-\u2113\u2115\u2119-\u211d\u2124\u2128\u212c-\u2131\u2133-\u2139\u213c-\u213f\u2145-\u2149"
    "\u2160-\u217f\u2460-\u2473\u2c7c\u2c7d\u3251-\u325f\u32b1-\u32bf\u3371-\u33df\ufb00-\ufb06"
    "\ufb13-\ufb17\ufb1d\ufb1f-\ufb28\ufb2a-\ufbb1\ufbd3-\ufbff\ufc5e-\ufd3d\ufd50-\ufdf9\ufe70-\ufefc"
    "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\U0001d400-\U0001d7ff\U0001ee00-\U0001eebb"
)
# One letter, or several, for letters that Unicode does not decompose, and a few that SQLite's
# tokenizer does not fold. In lower case; capitals are added.
_ONE_FOR_ONE: Final = {
    **dict(
        zip(
            "øǿđðħłŀŧŋəɛɔƀɓƈȼƌɖɗɇƒǥɠɨɩɉƙƚɫɲƞɵƥɍȿƭʈⱦʉʋƴɏƶȥʒ",
            "ooddhlltneeobbccdddefggiijkllnnoprstttuvyyzzz",
            strict=True,
        )
    ),
    "\u0451": "\u0435",  # Russian yo, which is mostly printed as ye
    "\u0450": "\u0435",  # ye and i with the Bulgarian and Macedonian stress
    "\u045d": "\u0438",
    "\u03c2": "\u03c3",  # final sigma, which has no capital of its own
    # Arabic letters: alef and waw with their signs, heh, yeh and kaf as Arabic, Persian and Urdu
    # write them, and the feminine ending, which is often typed as heh.
    **dict.fromkeys("\u0622\u0623\u0625\u0671", "\u0627"),
    "\u0624": "\u0648",
    **dict.fromkeys("\u0629\u06c0\u06c1\u06c2\u06c3", "\u0647"),
    **dict.fromkeys("\u0626\u0649\u06cc\u06d2\u06d3", "\u064a"),
    "\u06a9": "\u0643",
    # Signs in numbers, and the apostrophe that is a letter.
    "\u066b": ".",
    "\u066c": ",",
    "\u02bc": "'",
}
_SEVERAL_FOR_ONE: Final = dict.fromkeys("æǽǣ", "ae") | {"œ": "oe", "ß": "ss", "þ": "th", "ƕ": "hv"}
_LOWER: Final = _ONE_FOR_ONE | _SEVERAL_FOR_ONE
# For `str.translate`.
FOLDED: Final = str.maketrans(
    {"ẞ": "SS"}
    | {letter.upper(): form.upper() for letter, form in _LOWER.items() if len(letter.upper()) == 1}
    | _LOWER
)
_SINGLE: Final = "".join(chr(code) for code, form in FOLDED.items() if len(form) == 1)
_MULTIPLE: Final = "".join(chr(code) for code, form in FOLDED.items() if len(form) > 1)
# Letters in several characters that are one: Korean, kana with their voicing, Cyrillic letters of
# their own.
_KANA: Final = "\u3041-\u3096\u309d\u30a1-\u30fa\u30fd\uff66-\uff9d"
_COMPOSED: Final = (
    f"[\u1100-\u11ff]+|[{_KANA}][{MARKS}]*[\u3099\u309a\uff9e\uff9f]"
    "|[\u0418\u0438\u0423\u0443]\u0306|[\u0406\u0456]\u0308|[\u0413\u0433\u041a\u043a]\u0301"
)
# Letters of India that Unicode decomposes, but never composes.
_DECOMPOSED: Final = (
    "\u0929\u0931\u0934\u0958-\u095f\u09dc\u09dd\u09df\u0a33\u0a36\u0a59-\u0a5b\u0a5e\u0b5c\u0b5d"
)
# The Thai and Lao vowel am in two signs, with a tone mark between or before them, and the vowel ae
# typed as two e.
_SOUTHEAST: Final = (
    "\u0e4d[\u0e48-\u0e4b]?\u0e32|\u0ecd[\u0ec8-\u0ecb]?\u0eb2|\u0e40\u0e40|\u0ec0\u0ec0"
)
_SOUTHEAST_FORMS: Final = {
    "\u0e4d": "\u0e33",
    "\u0ecd": "\u0eb3",
    "\u0e40": "\u0e41",
    "\u0ec0": "\u0ec1",
}
# Hebrew abbreviations have a mark before their last letter, also with an ending after it; a word in
# quotation marks may follow a prefix. Sounds of other languages have an apostrophe. Catalan has a
# dot between two l.
_HEBREW: Final = f"[\u05d0-\u05ea][{MARKS}]*"
_INNER_MARK: Final = (
    f"(?:{_HEBREW}(?:\u05f4+(?={_HEBREW})|[\u0022\u201c\u201d](?={_HEBREW}(?!{_HEBREW})"
    f"|(?:{_HEBREW}){{2,3}}(?!{_HEBREW}|[\u0022\u05f4\u201c\u201d]))"
    f"|['\u05f3\u2019](?={_HEBREW}))"
    f"|[lL\u013f\u0140][{MARKS}]*[\u00b7\u2022\u2027\u2219](?=[{MARKS}]*[lL]))"
)
# Ligatures of Calibri and other fonts: PDFs from Word name them by letters that are in no word at
# these points, capitals after small letters of English. Only "ti" begins a word.
_LIGATURE_FORMS: Final = {"\u019f": "ti", "\u01a9": "tt", "\u014c": "ft", "\u01ab": "tti"}
_LIGATURES: Final = "(?<=[a-z])[\u019f\u01a9\u014c\u01ab]|(?<![^\\W\\d_])\u019f(?=[a-z])"
# The sign of degrees in "n° 12", for a raised o, and fractions.
_NUMERO: Final = "(?<![^\\W\\d_])[nN]\u00b0(?=\\s?\\d)"
_FRACTIONS: Final = "\u00bc-\u00be\u2150-\u215e"
# Greek is written without accents in capitals, and often typed so.
_ACCENTED: Final = "\u0386\u0388-\u0390\u03aa-\u03b0\u03ca-\u03ce\u03d3\u03d4\u1f00-\u1fff"
_RAISED: Final = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
# A raised number after a word of this many letters is that of a note; after fewer it belongs to a
# unit or a formula.
_LETTERS_BEFORE_NOTE: Final = 4
# Characters before a raised number that are looked at: these letters with their marks.
_LOOKED_BACK: Final = 24


# Compiled on first use: most texts are ASCII.
@cache
def _special() -> re.Pattern[str]:
    return re.compile(
        f"(?P<ligature>{_LIGATURES})|(?P<composed>{_COMPOSED})|(?P<southeast>{_SOUTHEAST})"
        f"|(?P<inner>{_INNER_MARK})|(?P<numero>{_NUMERO})|(?P<fraction>[{_FRACTIONS}])"
        f"|(?P<marks>[{MARKS}]+)|(?P<raised>[{_RAISED}]+)"
        f"|(?P<folded>[{_SINGLE}]+|[{_MULTIPLE}])|(?P<accented>[{_ACCENTED}{_DECOMPOSED}]+)"
        rf"|[{_COMPATIBLE}]+|(?P<digits>[^\D0-9]+)"
    )


def _written(match: re.Match[str]) -> str:
    characters = match[0]
    match match.lastgroup:
        case "marks":
            return ""
        case "ligature":
            return _LIGATURE_FORMS[characters]
        case "numero":
            return f"{characters[0]}o"
        case "fraction":
            form = unicodedata.normalize("NFKC", characters).replace("\u2044", "/")
            return f" {form}" if match.string[match.start() - 1 : match.start()].isdigit() else form
        case "composed":
            last = characters[-1]
            return unicodedata.normalize("NFKC", _marks().sub("", characters[:-1]) + last)
        case "southeast":
            return characters[1:-1] + _SOUTHEAST_FORMS[characters[0]]
        case "inner":
            return characters[0].translate(FOLDED)
        case "raised":
            normal_form = unicodedata.normalize("NFKC", characters)
            return f" {normal_form}" if _is_after_word(match) else normal_form
        case "folded":
            return characters.translate(FOLDED)
        case "accented":
            return unicodedata.normalize("NFD", characters).translate(FOLDED)
        case "digits":
            return "".join(str(unicodedata.decimal(digit)) for digit in characters)
        case _:
            return _composed(characters).translate(FOLDED)


def _is_after_word(match: re.Match[str]) -> bool:
    """Return whether a match follows enough letters, whose marks do not count."""
    before = match.string[max(match.start() - _LOOKED_BACK, 0) : match.start()]
    return _word_end().search(_marks().sub("", before)) is not None


@cache
def _word_end() -> re.Pattern[str]:
    return re.compile(rf"[^\W\d_]{{{_LETTERS_BEFORE_NOTE}}}\Z")


def _composed(run: str) -> str:
    """Return the plain form of compatibility characters, of each that has one of letters only."""
    whole = unicodedata.normalize("NFKC", run)
    if _is_word(whole):
        return whole
    forms = [(character, unicodedata.normalize("NFKC", character)) for character in run]
    return "".join(form if _is_word(form) else character for character, form in forms)


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(f"[{MARKS}]+")


def _is_word(text: str) -> bool:
    return _marks().sub("", text).isalnum()


def plain(text: str) -> str:
    """Return a text in the letters of the word index.

    >>> plain("25 m²"), plain("H₂Ｏ"), plain("ﬁn"), plain("Featherstone³")
    ('25 m2', 'H2O', 'fin', 'Featherstone 3')
    >>> plain("3½ cups, n° 12")
    '3 1/2 cups, no 12'
    >>> plain("שָׁלוֹם") == "שלום", plain("Œuvre"), plain("١٣٩٩")
    (True, 'OEuvre', '1399')
    """
    if text.isascii():
        return text
    # Twice, because written out characters may contain marks.
    return _marks().sub("", _special().sub(_written, text))


_HEBREW_QUOTE: Final = re.compile(
    "(?<=[\u05d0-\u05ea])[\u0022\u201c\u201d](?=[\u05d0-\u05ea](?![\u05d0-\u05ea])"
    "|[\u05d0-\u05ea]{2,3}(?![\u05d0-\u05ea\u0022\u05f4\u201c\u201d]))"
)


def with_hebrew_marks(text: str) -> str:
    """Return a text with the mark of Hebrew abbreviations where a quotation mark stands for it.

    >>> with_hebrew_marks('דו"ח') == "דו\u05f4ח", with_hebrew_marks('a "phrase"')
    (True, 'a "phrase"')
    """
    return text if text.isascii() else _HEBREW_QUOTE.sub("\u05f4", text)


def plain_with_offsets(text: str) -> tuple[str, Callable[[int, int], tuple[int, int]]]:
    """Return a text in plain letters, and a function that maps its spans back to the text.

    >>> text, original = plain_with_offsets("ein m² שָׁלוֹם")
    >>> text == "ein m2 שלום", original(4, 6), original(7, 11)
    (True, (4, 6), (7, 14))
    """
    if text.isascii():
        return text, lambda start, end: (start, end)
    parts = [*_edits(text)]
    if all(first == written for first, written, _ in parts):
        return text, lambda start, end: (start, end)
    letters: list[str] = []
    starts: list[int] = []
    offset = 0
    for original, written, is_edit in parts:
        letters.append(written)
        last = max(len(original) - 1, 0)
        starts += (offset + (min(i, last) if is_edit else i) for i in range(len(written)))
        offset += len(original)
    return "".join(letters), _Offsets(text, starts)


def _edits(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield all parts of a text as they are, in plain letters, and whether these may differ."""
    offset = 0
    for match in _special().finditer(text):
        if match.start() > offset:
            yield text[offset : match.start()], text[offset : match.start()], False
        yield match[0], _marks().sub("", _written(match)), True
        offset = match.end()
    if offset < len(text):
        yield text[offset:], text[offset:], False


class _Offsets:
    """Maps spans of a plain text to the text that it was made of."""

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = starts

    def __call__(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text, with the marks after its last letter."""
        if start >= end:
            return (0, 0)
        first, last = self._starts[start], self._starts[end - 1] + 1
        following = self._starts[end] if end < len(self._starts) else len(self._text)
        while last < following and not self._text[last].isspace() and _is_part(self._text[last]):
            last += 1
        return first, last


def _is_part(character: str) -> bool:
    """Return whether a character takes no place in plain text."""
    return _special().match(character) is not None
