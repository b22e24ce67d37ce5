"""Consistency checks of translations: placeholders, mnemonics, markup and punctuation."""

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
# Punctuation at the end of a source text, and its equivalents.
_PUNCTUATION: Final = {"…": "…", ":": ":：", ".": ".。", "?": "?？", "!": "!！"}
_FULL_STOP: Final = ".。"


def faults(text: Text, forms: Sequence[str]) -> Iterator[str]:
    """Yield the inconsistencies of a translation, as predicates."""
    for form in forms:
        if _counts(_PLACEHOLDER, text.source) != _counts(_PLACEHOLDER, form):
            yield "has different placeholders"
        if text.has_plurals and len(_COUNT.findall(form)) > 1:
            yield "contains %n twice"
        if _counts(_TAG, text.source) != _counts(_TAG, form):
            yield "has different markup"
        if bool(mnemonic(text.source)) != bool(mnemonic(form)):
            yield "has a mnemonic on one side only"
        if len(_MNEMONIC.findall(form.replace("&&", ""))) > 1:
            yield "has two mnemonics"
        if (form != form.strip()) != (text.source != text.source.strip()):
            yield "has leading or trailing spaces on one side only"
        if text.source.count("\n") != form.count("\n"):
            yield "has a different number of lines"
        if not _has_same_ending(text.source, form):
            yield "ends with different punctuation"
    # One form may omit the number ("one document"), but not all of them.
    if text.has_plurals and not any(map(_COUNT.search, forms)):
        yield "does not contain %n"


def mnemonic(label: str) -> str:
    """Return the mnemonic letter of a label in lower case, or "".

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
