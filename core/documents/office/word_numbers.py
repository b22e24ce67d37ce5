"""The numbers that Word computes for paragraphs: of lists, headings and clauses.

Source: ECMA-376, part 1, 17.9 (numbering).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PLACEHOLDER: Final = re.compile(r"%([1-9])")
_DEEPEST: Final = 9
_LARGEST: Final = 9_999  # higher counts of letters and Roman numerals are shown as digits
_ROMAN: Final = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L")),
    *((40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)


@dataclass(frozen=True, slots=True)
class _ListLevel:
    start: int
    kind: str  # "decimal", "lowerRoman", …
    pattern: str  # "%1.%2", with the numbers of these levels
    is_legal: bool  # whether the numbers of all levels are shown as digits


class WordNumbers:
    """Counts the numbered paragraphs of a document, in their order.

    Args:
        numbering: Root of the part with the numberings; None if there is none.
        styles: The elements of the document's styles.
    """

    def __init__(self, numbering: Any = None, styles: Iterable[Any] = ()) -> None:
        self._levels: dict[tuple[str, int], _ListLevel] = {}  # by numbering and level
        self._lists: dict[str, str] = {}  # the abstract numbering of each numbering
        self._restarts: dict[str, list[int]] = {}  # levels that a numbering starts again
        self._of_styles: dict[str, tuple[str, int]] = {}
        self._parents: dict[str, str] = {}
        self._counts: dict[str, dict[int, int]] = {}
        if numbering is not None:
            self._read(numbering)
            for style in styles:
                self._add_style(style)

    def number(self, properties: Any, style: str) -> str:
        """Count a paragraph, and return its number as shown; "" if it has none, or a bullet.

        Args:
            properties: Its `pPr` element; None if it has none.
            style: The id of its style.
        """
        if not self._levels:
            return ""
        own = None if properties is None else properties.find(f"{_W}numPr")
        of_style, level = self._style_numbering(style)
        if own is not None:
            of_style = _value(own, "numId") or of_style
            level = _whole(_value(own, "ilvl"), level)
        if (of_style, level) not in self._levels:
            return ""
        counts = self._counts.setdefault(self._lists[of_style], {})
        for restarted in self._restarts.pop(of_style, ()):
            counts.pop(restarted, None)
        shown = self._levels[of_style, level]
        counts[level] = counts.get(level, shown.start - 1) + 1
        for deeper in [other for other in counts if other > level]:
            del counts[deeper]
        if shown.kind in {"bullet", "none"}:
            return ""

        def count_of(match: re.Match[str]) -> str:
            other = self._levels.get((of_style, int(match[1]) - 1), shown)
            count = counts.setdefault(int(match[1]) - 1, other.start)
            return _shown(count, "decimal" if shown.is_legal else other.kind)

        return _PLACEHOLDER.sub(count_of, shown.pattern).strip()

    def _read(self, numbering: Any) -> None:
        abstract: dict[str, dict[int, _ListLevel]] = {}
        for element in numbering.iterchildren(f"{_W}abstractNum"):
            levels = abstract[element.get(f"{_W}abstractNumId") or ""] = {}
            for each in element.iterchildren(f"{_W}lvl"):
                levels[_whole(each.get(f"{_W}ilvl") or "", 0)] = _list_level(each)
        for element in numbering.iterchildren(f"{_W}num"):
            own = element.get(f"{_W}numId") or ""
            listed = self._lists[own] = _value(element, "abstractNumId")
            levels = dict(abstract.get(listed, {}))
            for override in element.iterchildren(f"{_W}lvlOverride"):
                index = _whole(override.get(f"{_W}ilvl") or "", 0)
                if (replaced := override.find(f"{_W}lvl")) is not None:
                    levels[index] = _list_level(replaced)
                start = _value(override, "startOverride")
                if start and index in levels:
                    old = levels[index]
                    first = _whole(start, old.start)
                    levels[index] = _ListLevel(first, old.kind, old.pattern, old.is_legal)
                    self._restarts.setdefault(own, []).append(index)
            self._levels |= {(own, index): each for index, each in levels.items()}

    def _add_style(self, style: Any) -> None:
        own = style.get(f"{_W}styleId") or ""
        self._parents[own] = _value(style, "basedOn")
        numbering = style.find(f"{_W}pPr/{_W}numPr")
        if numbering is not None and (id_ := _value(numbering, "numId")):
            self._of_styles[own] = (id_, _whole(_value(numbering, "ilvl"), 0))

    def _style_numbering(self, style: str) -> tuple[str, int]:
        """Return the numbering and level of a style, or of the nearest style it is based on."""
        for _ in range(_DEEPEST):
            if style in self._of_styles:
                return self._of_styles[style]
            style = self._parents.get(style, "")
        return "", 0


def _list_level(element: Any) -> _ListLevel:
    legal = element.find(f"{_W}isLgl")
    return _ListLevel(
        start=_whole(_value(element, "start"), 0),
        kind=_value(element, "numFmt") or "decimal",
        pattern=_value(element, "lvlText"),
        is_legal=legal is not None and legal.get(f"{_W}val") not in {"0", "false"},
    )


def _value(element: Any, name: str) -> str:
    child = element.find(f"{_W}{name}")
    return "" if child is None else child.get(f"{_W}val") or ""


def _whole(value: str, default: int) -> int:
    return int(value) if value.isdecimal() and len(value) < 8 else default


def _shown(count: int, kind: str) -> str:
    """Return a count in a format of Word; digits for other formats.

    >>> [_shown(4, kind) for kind in ("decimal", "decimalZero", "upperRoman", "lowerLetter")]
    ['4', '04', 'IV', 'd']
    >>> _shown(28, "upperLetter"), _shown(0, "lowerRoman")
    ('BB', '0')
    """
    if kind == "decimalZero":
        return f"{count:02}"
    text = ""
    if kind in {"upperLetter", "lowerLetter"} and 0 < count <= _LARGEST:
        times, letter = divmod(count - 1, 26)
        text = chr(ord("A") + letter) * (times + 1)
    elif kind in {"upperRoman", "lowerRoman"} and 0 < count <= _LARGEST:
        rest = count
        for value, numeral in _ROMAN:
            text += numeral * (rest // value)
            rest %= value
    return (text.lower() if kind.startswith("lower") else text) or str(count)
