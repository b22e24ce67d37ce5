"""HTML cut down to what a parser can take in good time: not nested too deep, few attributes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set
from typing import Final

# A parser looks through all open elements at most tags, and through all attributes at each: what
# is short and honest needs no look from us.
_MANY_TAGS: Final = 4_000
_LONG_TAG: Final = re.compile(r"<[A-Za-z][^>]{8000}")
# Browsers stop at 512.
_DEEPEST: Final = 400
_MOST_ATTRIBUTES: Final = 500

_PIECE: Final = re.compile(
    r"<!--(?:.*?-->|.*)"
    r"|<(?P<raw>script|style|textarea|title|xmp|iframe|noembed|noframes)\b(?:.*?</(?P=raw)\b|.*)"
    r"|<(?P<end>/?)(?P<name>[a-z][^\s/>]*+)"
    r"(?P<rest>(?:[\s/]++|[^\s/>=][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+))?+"
    r"|=)*+)(?:>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(
    r"[^\s/>=][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+))?+"
)
# They never lie in one another, or hold nothing.
_UNCOUNTED: Final = frozenset(
    {"html", "head", "body", "p", "a", "nobr", "button", "form", "select", "option", "optgroup"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "plaintext", "col", "colgroup", "frame", "frameset"}
    | {"area", "base", "br", "embed", "hr", "img", "input", "link", "meta", "param", "source"}
    | {"track", "wbr", "image", "keygen", "bgsound", "basefont"}
)
_FORMATTING: Final = frozenset(
    {"b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"}
)
_CELLS: Final = frozenset({"td", "th"})
_ROWS: Final = frozenset({"tr", "tbody", "thead", "tfoot", "caption"})
_LINES: Final = {"li": {"li"}, "dd": {"dd", "dt"}, "dt": {"dd", "dt"}}
_WALLS: Final = frozenset({"template", "svg", "math"})
_SCOPES: Final = frozenset({*_CELLS, *_WALLS, "table", "caption", "applet", "object", "marquee"})
# Through these an end is looked for that belongs to nothing special.
_PLAIN: Final = frozenset(
    {"span", "label", "abbr", "acronym", "cite", "dfn", "del", "ins", "kbd", "q", "samp", "sub"}
    | {
        "sup",
        "var",
        "bdo",
        "bdi",
        "mark",
        "time",
        "data",
        "output",
        "ruby",
        "rb",
        "rt",
        "rtc",
        "rp",
    }
)
_INLINE: Final = _FORMATTING | _PLAIN


def tamed(markup: str) -> str:
    """Return HTML without what is nested beyond any page's depth, and its text all the same.

    >>> tamed("<p>as it was") == "<p>as it was"
    True
    >>> len(tamed("<div>" * 50_000)) < 60_000
    True
    """
    if markup.count("<") < _MANY_TAGS and _LONG_TAG.search(markup) is None:
        return markup
    return _PIECE.sub(_Taming(), markup)


class _Taming:
    """Follows which elements are open, about as a parser would, and drops tags that lie too deep.

    In doubt an element is taken to be open still: then a tag is dropped too many, never too few.
    """

    def __init__(self) -> None:
        self._open: list[str] = []
        self._counts: Counter[str] = Counter()  # of each name in it
        self._dropped: dict[str, int] = {}

    def __call__(self, match: re.Match[str]) -> str:
        if match["name"] is None:
            return match.group()
        name = match["name"].lower()
        if match["end"]:
            if name in _UNCOUNTED:
                return match.group()
            if self._dropped.get(name):
                self._dropped[name] -= 1
                return _instead(name)
            return match.group() if self._close(name) else _instead(name)
        if name not in _UNCOUNTED and not self._begin(name):
            self._dropped[name] = self._dropped.get(name, 0) + 1
            return _instead(name)
        rest = match["rest"]
        if len(rest) > 2 * _MOST_ATTRIBUTES:
            attributes = _ATTRIBUTE.findall(rest)
            if len(attributes) > _MOST_ATTRIBUTES:
                return f"<{name} {' '.join(attributes[:_MOST_ATTRIBUTES])}>"
        return match.group()

    def _begin(self, name: str) -> bool:
        if name in _CELLS:
            self._pop_to(_CELLS, within=_WALLS | {"table"})
        elif name in _ROWS:
            self._pop_below("table")
        elif name in _LINES:
            self._pop_to(_LINES[name], through=_INLINE | {"div", "address"})
        if len(self._open) >= _DEEPEST:
            return False
        self._open.append(name)
        self._counts[name] += 1
        return True

    def _close(self, name: str) -> bool:
        """Close an element; whether there is one to be closed."""
        if not self._counts[name]:
            return False
        if name in _FORMATTING:
            for place in range(len(self._open) - 1, -1, -1):
                if self._open[place] == name:
                    del self._open[place]
                    self._counts[name] -= 1
                    return True
                if self._open[place] in _SCOPES:
                    return False
            return False
        if name == "table":
            return self._pop_to({name}, within=_WALLS)
        if name in _CELLS or name in _ROWS:
            return self._pop_to({name}, within=_WALLS | {"table"})
        if name in _PLAIN:
            return self._pop_to({name}, through=_INLINE)
        return self._pop_to({name}, within=_SCOPES)

    def _pop_to(
        self, names: Set[str], *, within: Set[str] = frozenset(), through: Set[str] | None = None
    ) -> bool:
        """Close the innermost of `names` with all in it, unless one of `within` lies between.

        With `through` only those may.
        """
        for place in range(len(self._open) - 1, -1, -1):
            one = self._open[place]
            if one in names:
                self._cut(place)
                return True
            if one in within or (through is not None and one not in through):
                return False
        return False

    def _cut(self, place: int) -> None:
        self._counts.subtract(self._open[place:])
        del self._open[place:]

    def _pop_below(self, name: str) -> None:
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place] == name:
                self._cut(place + 1)
                return
            if self._open[place] in _WALLS:
                return


def _instead(name: str) -> str:
    """Return what stands for a tag that is dropped: what it kept apart stays apart."""
    return "" if name in _INLINE else " "
