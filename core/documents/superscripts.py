"""Raised runs of characters: note marks, which are separate words, and parts of the word before.

Readers put a raised run between `BEGIN` and `END`; `core.documents.text.normalise` replaces both by
a space or nothing. Lowered runs are always part of their word and need no marks.
"""

import re
from typing import Final

# Control characters, which no text of a document keeps and no format uses for something else.
BEGIN: Final = "\x16"
END: Final = "\x17"
# Raised digits of Unicode.
DIGITS: Final = "\u2070\xb9\xb2\xb3\u2074-\u2079"
# Longer raised runs are text, for example a whole sentence in a raised font.
_LONGEST: Final = 40
# Longest word before a run that is looked at.
_LONGEST_WORD: Final = 30

_OF_NAME: Final = re.compile(r"[^\W\d_]{2}[-‐‑]\d{1,2}\Z")
_LAST_WORD: Final = re.compile(r"[^\W_]+\Z")
# One or several numbers or signs: "12", "3,4", "[5]", "1)", "a,b", "12a".
_NUMERALS: Final = re.compile(
    rf"[\[(]?(?:[\d{DIGITS}]{{1,3}}|[a-z](?=[,;\s]))[a-z]?"
    rf"(?:\s*[,;/–-]\s*(?:[\d{DIGITS}]{{1,3}}[a-z]?|[a-z]))*[\])]?[*†‡§¶.,]*"
)
_LETTER: Final = re.compile(r"[\[(]?[b-dfgi-l][\])]?|[\[(][a-z][\])]|a")
_SIGNS: Final = re.compile(r"tm|sm|®|©|℠|™")
_EXPONENT: Final = re.compile(rf"[\d{DIGITS}]{{1,2}}")
_UNITS: Final = frozenset(
    {"m", "cm", "mm", "km", "dm", "nm", "µm", "μm", "hm", "pm", "ft", "in", "yd", "mi", "sq", "sec"}
    | {"min", "s", "h", "kg", "g", "t", "l", "ha", "yr", "rad", "mol", "bar", "pa", "hz", "w", "kw"}
    | {"wm", "jm", "км", "см", "мм", "дм", "м", "кв", "с", "сек"}
)
# Symbols of elements, before which a raised number is that of an isotope.
_ELEMENT: Final = re.compile(
    r"(?:H|He|Li|Be|B|C|N|O|F|Ne|Na|Mg|Al|Si|P|S|Cl|Ar|K|Ca|Sc|Ti|V|Cr|Mn|Fe|Co|Ni|Cu|Zn|Ga|Ge|As"
    r"|Se|Br|Kr|Rb|Sr|Y|Zr|Nb|Mo|Tc|Ru|Rh|Pd|Ag|Cd|In|Sn|Sb|Te|I|Xe|Cs|Ba|La|Ce|Gd|W|Re|Os|Ir|Pt"
    r"|Au|Hg|Tl|Pb|Bi|Po|At|Rn|Fr|Ra|Th|Pa|U|Np|Pu|Am)(?![a-z])"
)
_WORD_START: Final = re.compile(r"[^\W\d_]{2}|[^\W\d_](?=[’' ])")
# Longest name of a variable, like "mc" in mc².
_SHORT: Final = 2


def marked(run: str) -> str:
    """Return a raised run between its marks."""
    return f"{BEGIN}{run}{END}"


def is_note_mark(before: str, run: str) -> bool:
    """Return whether a raised run is a note's mark, and not part of the word before it.

    Args:
        before: Text that ends with the word.
        run: The raised characters.

    >>> is_note_mark("Das Kaleidometer", "12"), is_note_mark("wrote Featherstone", "3, 4")
    (True, True)
    >>> is_note_mark("rund 25 m", "2"), is_note_mark("on the 1", "st"), is_note_mark("10", "6")
    (False, False, False)
    >>> is_note_mark("in 1999", "4"), is_note_mark("Ca", "2+"), is_note_mark("E = mc", "2")
    (True, False, False)
    """
    last_word = _LAST_WORD.search(before[-_LONGEST_WORD:])
    run = run.strip()
    if last_word is None or not run or len(run) > _LONGEST:
        return False
    word = last_word.group()
    if _SIGNS.fullmatch(run.lower()):
        return True
    if _LETTER.fullmatch(run):
        return word.isalpha() and len(word) > 4
    if _NUMERALS.fullmatch(run) is None:
        return False
    if word.isdecimal():
        # A power of a small number; a year, another number, or a name like "COVID-19" has notes.
        return len(word) > _SHORT or _OF_NAME.search(before) is not None
    if not word[-1].isalpha():
        return False
    if _EXPONENT.fullmatch(run):
        if len(run) == 1 and (word in _UNITS or word.lower() in _UNITS):
            return False
        return not _is_symbol(word)
    return len(word) > 1


def _is_symbol(word: str) -> bool:
    """Return whether a word can have an exponent: a variable (x, mc) or a multiple of one (2x)."""
    letters = word.lstrip("0123456789")
    if len(letters) == 1:
        # Chinese and Japanese have no spaces: the last character belongs to a longer word.
        return letters < "\u2e80"
    return letters in {"mc", "ab", "xy", "sin", "cos", "tan", "log", "exp", "ln"} or (
        letters != word and len(letters) <= _SHORT
    )


def is_mark_before(run: str, after: str) -> bool:
    """Return whether a raised run before a word marks a note's text, and not an isotope.

    >>> is_mark_before("12", "See there"), is_mark_before("14", "C dating")
    (True, False)
    >>> is_mark_before("2", "n")
    False
    """
    run = run.strip()
    if not run or len(run) > _LONGEST or _NUMERALS.fullmatch(run) is None or _ELEMENT.match(after):
        return False
    return _WORD_START.match(after) is not None


def gap(text: str, offset: int) -> str:
    r"""Return the replacement of the `BEGIN` or `END` at a place of a text.

    >>> text = "Rooks\x1612\x17 are"
    >>> gap(text, 5), gap(text, 8)
    (' ', '')
    """
    if text[offset] == BEGIN:
        end = text.find(END, offset, offset + _LONGEST + 2)
        if end < 0:
            return ""
        before = text[max(0, offset - _LONGEST_WORD) : offset]
        return " " if is_note_mark(before, text[offset + 1 : end]) else ""
    start = text.rfind(BEGIN, max(0, offset - _LONGEST - 2), offset)
    if start < 0:
        return ""
    run, after = text[start + 1 : offset], text[offset + 1 : offset + 4]
    before = text[max(0, start - _LONGEST_WORD) : start]
    is_own = before[-1:].isalnum() and not is_note_mark(before, run)
    return " " if not is_own and is_mark_before(run, after) else ""
