"""How a translation must agree with its source: gaps, mnemonics, markup, the ends of a sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from tools.texts import Text

_GAP: Final = re.compile(r"\{[^{}]*\}|%L?\d+")
_COUNT: Final = re.compile(r"%L?n")
_TAG: Final = re.compile(r"</?[a-z][^<>]*>")
_MNEMONIC: Final = re.compile(r"&(?!&)(.)")
# Marks that mean the same: what follows a menu's entry, what stands before a field.
_ENDS: Final = {"…": "…", ":": ":：", ".": ".。", "?": "?？", "!": "!！"}
_FULL_STOP: Final = ".。"


def faults(text: Text, forms: Sequence[str]) -> Iterator[str]:
    """Give what does not agree, each as the end of a sentence."""
    for form in forms:
        if _counted(_GAP, text.source) != _counted(_GAP, form):
            yield "has other gaps in its translation"
        if text.has_plurals and len(_COUNT.findall(form)) > 1:
            yield "says its number twice"
        if _counted(_TAG, text.source) != _counted(_TAG, form):
            yield "has other markup in its translation"
        if bool(mnemonic(text.source)) != bool(mnemonic(form)):
            yield "has a mnemonic on one side only"
        if len(_MNEMONIC.findall(form.replace("&&", ""))) > 1:
            yield "has two mnemonics"
        if (form != form.strip()) != (text.source != text.source.strip()):
            yield "begins or ends with a space on one side only"
        if text.source.count("\n") != form.count("\n"):
            yield "has other lines"
        if not _ends_alike(text.source, form):
            yield "ends with another mark"
    # One form may do without its number ("one document"), but not all of them.
    if text.has_plurals and not any(map(_COUNT.search, forms)):
        yield "never says its number"


def mnemonic(said: str) -> str:
    """Give the letter that the keyboard reaches a control by, in lower case; "" for none.

    >>> mnemonic("Largest &file:"), mnemonic("Wheat && rye"), mnemonic("模型(&M)：")
    ('f', '', 'm')
    """
    found = _MNEMONIC.search(said.replace("&&", ""))
    return found[1].lower() if found else ""


def _counted(pattern: re.Pattern[str], said: str) -> Counter[str]:
    return Counter(pattern.findall(said))


def _ends_alike(source: str, form: str) -> bool:
    last, other = source.rstrip()[-1:], form.rstrip()[-1:]
    if last in _ENDS:
        return other in _ENDS[last]
    return other not in _FULL_STOP
