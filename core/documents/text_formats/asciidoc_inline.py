"""The marks inside a paragraph of AsciiDoc: emphasis, macros, references, attributes."""

from __future__ import annotations

import re

# Attributes may name others; without a bound a few lines could swell to gigabytes.
_LONGEST_VALUE = 1_000
_MOST_REPLACED = 1_000_000
_BUILT_IN = {
    "empty": "", "sp": " ", "nbsp": " ", "zwsp": "", "wj": "", "apos": "'", "quot": '"',
    "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "deg": "°", "plus": "+",
    "brvbar": "¦", "vbar": "|", "amp": "&", "lt": "<", "gt": ">", "startsb": "[", "endsb": "]",
    "caret": "^", "asterisk": "*", "tilde": "~", "backslash": "\\", "backtick": "`",
    "two-colons": "::", "two-semicolons": ";;", "cpp": "C++", "pp": "++",
}  # fmt: skip
_ATTRIBUTE = re.compile(r"(?<!\\)\{([A-Za-z0-9_][\w-]*)\}")
# What does not end where it begins has a bound, or many beginnings without an end would cost the
# square of their number.
_MARK = re.compile(
    r"\\(?P<escaped>[*_`#^~{\[<:+])"
    r"|\+\+\+(?P<raw>[^+]*)\+\+\+|\+\+(?P<raw2>[^+]+)\+\+"
    r"|(?<![\w+])\+(?P<raw1>(?=\S)[^+]+(?<=\S))\+(?![\w+])"
    r"|(?P<macro>\b[a-z][a-z0-9]{0,19}):(?!:)(?P<target>[^\s\[\]]{0,999})\["
    r"(?P<words>(?:[^\[\]\\]|\\.)*)\]"
    r"|\{[\w-]{1,99}\}[^\s\[\]]{0,299}\[(?P<linked>[^\[\]]+)\]"
    r"|<<(?P<reference>[^<>]+)>>"
    r"|\[\[\[(?P<citation>[^\[\],]+)[^\[\]]*\]\]\]|\[\[(?P<anchor>[^\[\]]*)\]\]"
    r"|\(\(\((?P<hidden>[^()]*)\)\)\)|\(\((?P<term>[^()]*)\)\)"
    r"|[\"']`(?P<quoted>[^`]+)`[\"']"
    r"|``(?P<code2>[^`]+)``|(?<![\w`])`(?P<code>(?=\S)[^`]+(?<=\S))`(?![\w`])"
    r"|(?:\[[^\[\]]*\])?(?:"
    r"\*\*(?P<strong2>[^*]+)\*\*|(?<![\w*])\*(?P<strong>(?=\S)[^*]+(?<=\S))\*(?![\w*])"
    r"|__(?P<emphasis2>[^_]+)__|(?<![\w_])_(?P<emphasis>(?=\S)[^_]+(?<=\S))_(?![\w_])"
    r"|##(?P<marked2>[^#]+)##|(?<![\w#&])#(?P<marked>(?=\S)[^#]+(?<=\S))#(?![\w#])"
    r"|\^(?P<above>[^\s^]+)\^|~(?P<below>[^\s~]+)~)",
    re.DOTALL,
)
_NESTED = frozenset({"strong", "strong2", "emphasis", "emphasis2", "marked", "marked2", "quoted"})
_GONE = frozenset({"anchor", "hidden"})
_NAMED = re.compile(r",\s*[\w-]+=.*|^[\w-]+=.*|,.*(?<=\d)$", re.DOTALL)
_LINKS = frozenset({"http", "https", "ftp", "irc", "link", "xref", "mailto", "file"})
_UNREAD_MACROS = frozenset({"icon", "indexterm", "anchor", "video", "audio", "toc"})
_DEEPEST = 8


class Attributes:
    """The values that a document gives to names, put in the names' places."""

    def __init__(self) -> None:
        self._values = dict(_BUILT_IN)
        self._left = _MOST_REPLACED

    def set(self, name: str, value: str) -> None:
        """Give `name` a value, with the names in it replaced."""
        self._values[name.lower()] = self.replace(value)

    def get(self, name: str) -> str:
        """Return the value of `name`, "" if it has none."""
        return self._values.get(name, "")

    def replace(self, text: str) -> str:
        """Return `text` with the values of the names in braces; unknown names stay."""

        def value(match: re.Match[str]) -> str:
            found = self._values.get(match[1].lower(), match[0])
            if len(found) > min(_LONGEST_VALUE, self._left):
                return match[0]
            self._left -= len(found)
            return found

        return _ATTRIBUTE.sub(value, text)


def inline(text: str, depth: int = 0) -> str:
    r"""Return a run of text without its marks.

    >>> inline("*Bold _word_*, `*code*`, https://x.y[a site], <<id,text>> and \\*.")
    'Bold word, *code*, a site, text and *.'
    """

    def unmarked(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        found = match[kind] if kind else ""
        if match["macro"]:
            return _macro(match["macro"], match["target"], match["words"].replace("\\]", "]"))
        if kind in _GONE:
            return ""
        if kind == "reference":
            target, _, words = found.partition(",")
            return words.strip() or target.lstrip("#")
        if kind == "linked":
            return caption(found)
        if kind == "citation":
            return f"[{found}]"
        if kind in _NESTED and depth < _DEEPEST:
            return inline(found, depth + 1)
        return found

    return _MARK.sub(unmarked, text)


def _macro(name: str, target: str, words: str) -> str:
    if name in _UNREAD_MACROS:
        return ""
    if name in {"footnote", "footnoteref"}:
        return f" ({inline(words, _DEEPEST)})"
    if name == "menu":
        return " > ".join(filter(None, [target, words]))
    if name in {"kbd", "btn", "stem", "latexmath", "asciimath", "pass"} or not name:
        return words
    shown = caption(words)
    if name == "image":
        return shown
    if name in _LINKS:
        where = target if name in {"link", "xref", "mailto"} else f"{name}:{target}"
        return shown or where
    return f"{name}:{target}[{words}]"


def caption(words: str) -> str:
    """Return what is shown of a macro's brackets: their first part, if it is no named one.

    >>> caption('A crow, width=200'), caption('"One, two",role=x'), caption("width=3")
    ('A crow', 'One, two', '')
    """
    words = words[:_LONGEST_VALUE].strip()
    if words.startswith('"') and (end := words.find('"', 1)) > 0:
        return words[1:end]
    return _NAMED.sub("", words).strip().rstrip("^")
