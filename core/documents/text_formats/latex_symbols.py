"""What LaTeX's commands for letters, accents and signs stand for."""

from __future__ import annotations

import re
import unicodedata

# Accents as the combining characters that stand behind their letter.
_ACCENTS = dict(
    zip("\"'`^~=.uvHckrdb", "\u0308\u0301\u0300\u0302\u0303\u0304\u0307\u0306\u030c\u030b\u0327"
        "\u0328\u030a\u0323\u0331", strict=True)
)  # fmt: skip
_SIGNS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
    "aa": "å", "AA": "Å", "i": "i", "j": "j", "S": "§", "P": "¶", "dots": "…", "ldots": "…",
    "cdots": "…", "textellipsis": "…", "copyright": "©", "pounds": "£", "euro": "€", "dag": "†",
    "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "XeTeX": "XeTeX", "LaTeXe": "LaTeX2e",
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|",
    "textless": "<", "textgreater": ">", "textquotesingle": "'", "slash": "/", "textdegree": "°",
    "textendash": "–", "textemdash": "—", "quad": " ", "qquad": " ", "space": " ", "and": "; ",
    "times": "×", "cdot": "·", "pm": "±", "mp": "∓", "div": "÷", "le": "≤", "leq": "≤", "ge": "≥",
    "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼", "infty": "∞",
    "to": "→", "rightarrow": "→", "leftarrow": "←", "Rightarrow": "⇒", "Leftarrow": "⇐", "iff": "⇔",
    "Leftrightarrow": "⇔", "mapsto": "↦", "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆",
    "cup": "∪", "cap": "∩", "emptyset": "∅", "forall": "∀", "exists": "∃", "neg": "¬", "land": "∧",
    "wedge": "∧", "lor": "∨", "vee": "∨", "sum": "∑", "prod": "∏", "int": "∫", "partial": "∂",
    "nabla": "∇", "circ": "∘", "otimes": "⊗", "oplus": "⊕", "ell": "ℓ", "langle": "⟨",
    "rangle": "⟩", "prime": "′", "ast": "∗", "star": "⋆", "mid": "|", "vert": "|", "degree": "°",
}  # fmt: skip
_MATH = re.compile(
    r"\\(?:left|right|bigl?|bigr|Bigl?|Bigr|displaystyle|limits|nolimits|label\{[^{}]*\})(?![a-zA-Z])"
    r"|\\([a-zA-Z]+)|\\[,;:! ]|[&~]|\s+"
)


def sign(name: str) -> str | None:
    r"""Return what a command without arguments prints, None if it is not known to print anything.

    >>> sign("alpha"), sign("varOmega"), sign("ss"), sign("emph")
    ('α', 'Ω', 'ß', None)
    """
    if name in _SIGNS:
        return _SIGNS[name]
    letter = name.removeprefix("var")
    case = "CAPITAL" if letter[:1].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {letter}")
    except KeyError:
        return None


def accented(accent: str, letter: str) -> str:
    r"""Return a letter under an accent.

    >>> accented('"', "a"), accented("c", "c"), accented("'", "")
    ('ä', 'ç', '')
    """
    first, rest = letter[:1], letter[1:]
    return unicodedata.normalize("NFC", first + _ACCENTS[accent]) + rest if first else ""


def is_accent(name: str) -> bool:
    """Say whether a command puts an accent on the letter after it."""
    return name in _ACCENTS


def formula(source: str) -> str:
    r"""Return a formula with its signs in place of their names, as it stands otherwise.

    >>> formula(r"\left( \alpha_{1} \leq \frac{x}{2} \right)")
    '( α_{1} ≤ \\frac{x}{2} )'
    """

    def printed(match: re.Match[str]) -> str:
        if not match[1]:
            return " " if match[0][0] in "&~" or match[0].isspace() or match[0] == "\\ " else ""
        return sign(match[1]) or match[0]

    return " ".join(_MATH.sub(printed, source).split())
