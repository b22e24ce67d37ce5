"""How a translation must agree with its source: gaps, mnemonics, markup, the ends of a sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from tools.texts import Text

_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}|%L?\d+")
_COUNT: Final = re.compile(r"%L?n")
_TAG: Final = re.compile(r"</?[a-z][^<>]*>")
_MNEMONIC: Final = re.compile(r"&(?!&)(.)")
# Marks that mean the same: what follows a menu's entry, what stands before a field.
_PUNCTUATION: Final = {"…": "…", ":": ":：", ".": ".。", "?": "?？", "!": "!！"}
_FULL_STOP: Final = ".。"


def faults(text: Text, forms: Sequence[str]) -> Iterator[str]:
    """Give what does not agree, each as the end of a sentence."""
    for form in forms:
        if _counts(_PLACEHOLDER, text.source) != _counts(_PLACEHOLDER, form):
            yield "has other gaps in its translation"
        if text.has_plurals and len(_COUNT.findall(form)) > 1:
            yield "says its number twice"
        if _counts(_TAG, text.source) != _counts(_TAG, form):
            yield "has other markup in its translation"
        if bool(mnemonic(text.source)) != bool(mnemonic(form)):
            yield "has a mnemonic on one side only"
        if len(_MNEMONIC.findall(form.replace("&&", ""))) > 1:
            yield "has two mnemonics"
        if (form != form.strip()) != (text.source != text.source.strip()):
            yield "begins or ends with a space on one side only"
        if text.source.count("\n") != form.count("\n"):
            yield "has other lines"
        if not _has_same_ending(text.source, form):
            yield "ends with another mark"
    # One form may do without its number ("one document"), but not all of them.
    if text.has_plurals and not any(map(_COUNT.search, forms)):
        yield "never says its number"


def mnemonic(label: str) -> str:
    """Give the letter that the keyboard reaches a control by, in lower case; "" for none.

    >>> mnemonic("Largest &file:"), mnemonic("Wheat && rye"), mnemonic("模型(&M)：")
    ('f', '', 'm')
    """
    match = _MNEMONIC.search(label.replace("&&", ""))
    return match[1].lower() if match else ""


def _counts(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(pattern.findall(text))


def _has_same_ending(source: str, form: str) -> bool:
    last, other = source.rstrip()[-1:], form.rstrip()[-1:]
    if last in _PUNCTUATION:
        return other in _PUNCTUATION[last]
    return other not in _FULL_STOP
