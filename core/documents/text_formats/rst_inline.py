"""The marks inside a paragraph of reStructuredText: emphasis, literals, roles, references."""

from __future__ import annotations

import re

# What is put in place of a name between bars, by the name in lower case.
Substitutions = dict[str, str]

# What does not end where it begins has a bound, or many beginnings without an end would cost the
# square of their number.
_MARK = re.compile(
    r"\\(?P<escaped>.)"
    r"|``(?P<literal>(?:[^`]|`(?!`))+)``"
    r"|_?(?P<role>:[\w:.+-]{1,99}:)?`(?P<quoted>[^`]+)`(?::[\w.+-]{1,99}:)?_{0,2}"
    r"|\|(?P<name>[^|\s](?:[^|]{0,200}[^|\s])?)\|_{0,2}"
    r"|\*\*(?P<strong>(?=\S)[^*]+(?<=\S))\*\*"
    r"|(?<![\w*])\*(?P<emphasis>(?=\S)[^*]+(?<=\S))\*(?![\w*])"
    r"|\[(?P<note>[\w#*.:-]+)\]_\b"
    r"|(?<![\w`])(?P<reference>[A-Za-z0-9]{1,99}(?:[-._+:][A-Za-z0-9]{1,99}){0,9})__?(?!\w)",
    re.DOTALL,
)
_TARGET = re.compile(r"((?:.*?\S)?)\s*<[^<>]+>", re.DOTALL)


def inline(text: str, substitutions: Substitutions) -> str:
    r"""Return a run of text without its marks.

    >>> inline(r"A *word*, ``*a*``, :func:`~os.path.join`, `text <http://x>`_, ref_ and \*.", {})
    'A word, *a*, join, text, ref and *.'
    """

    def unmarked(match: re.Match[str]) -> str:
        kind = match.lastgroup
        found = match[kind] if kind else ""
        if kind == "escaped":
            return "" if found.isspace() else found
        if kind == "quoted":
            return _quoted(found, is_role=match["role"] is not None)
        if kind == "name":
            return substitutions.get(found.lower(), found)
        if kind == "note":
            return "" if found[0] in "#*" else f"[{found}]"
        return found

    return _MARK.sub(unmarked, text)


def _quoted(found: str, *, is_role: bool) -> str:
    """Return what is shown for the words between single backquotes."""
    if (match := _TARGET.fullmatch(found)) and match[1]:
        return match[1]
    if is_role and found.startswith("~"):
        return found[1:].rpartition(".")[2]
    return found.lstrip("!") if is_role else found
