"""Expands a LaTeX file's own macros and the shorthands of its language before it is read."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

# A backslash that is not the second one of a line break.
_SINGLE: Final = r"(?<!(?<!\\)\\)\\"
_DEFINITION: Final = re.compile(
    rf"{_SINGLE}(?:newcommand|renewcommand|providecommand|DeclareRobustCommand)\*?\s*"
    r"(?:\{\s*\\(?P<braced>[a-zA-Z@]+)\s*\}|\\(?P<bare>[a-zA-Z@]+))\s*"
    r"(?:\[(?P<count>\d)\]\s*)?(?P<default>\[[^\][]{0,200}\]\s*)?(?=\{)"
    rf"|{_SINGLE}def"
    r"\s*\\(?P<plain>[a-zA-Z@]+)\s*(?P<marks>(?:#\d)*)\s*(?=\{)"
)
_COMMAND: Final = re.compile(rf"{_SINGLE}([a-zA-Z@]+)")
_ARGUMENT: Final = re.compile(r"#([1-9])")
_AFTER_COMMAND: Final = re.compile(r"\\[a-zA-Z@]+\Z")
_BRACE: Final = re.compile(r"\\.|%[^\n]*|[{}]", re.DOTALL)
# Environments whose text is printed as it is.
VERBATIM: Final = frozenset({"verbatim", "Verbatim", "lstlisting", "minted", "alltt"})
_RAW: Final = re.compile(
    rf"\\begin\{{(?P<name>(?:{'|'.join(sorted(VERBATIM))})\*?)\}}"
    r"|\\(?:verb|lstinline)\*?(?P<mark>[^\w\s{*])"
)
_MOST_MACROS: Final = 2_000
_LONGEST_BODY: Final = 2_000
_LONGEST_ARGUMENT: Final = 5_000
# Macros inside macros that are expanded.
_DEEPEST: Final = 4
# A file may grow by this factor, and this many characters.
_MOST_GROWTH, _LEAST_GROWTH = 2, 100_000

# Shorthands of the packages for German and Dutch.
_LANGUAGE: Final = re.compile(
    r"\\(?:usepackage|documentclass)\s*(?:\[[^\]]{0,1000}?\b(?:n?german|n?austrian|n?swissgerman|dutch)\b"
    r"|(?:\[[^\]]{0,1000}\]\s*)?\{[^}]{0,500}?\bn?german\b)"
)
_SHORTHAND: Final = re.compile(r"""(?<!\\)"([aouAOUeiEIszSZ"`'=~|<>-])""")
_SIGNS: Final = {
    **{letter: f'\\"{{{letter}}}' for letter in "aouAOUeiEI"},
    "s": "\\ss{}",
    "z": "\\ss{}",
    "S": "SS",
    "Z": "SZ",
    "`": "„",
    "'": "“",
    "<": "«",
    ">": "»",
    '"': "",
    "-": "",
    "|": "",
    "=": "-",
    "~": "-",
}


class _Macro(NamedTuple):
    body: str
    arguments: int
    default: str | None


def expanded(source: str, known: frozenset[str]) -> str:
    r"""Return a LaTeX file with its own macros expanded and without their definitions.

    Args:
        source: The file.
        known: Commands that are read as they are, even if the file redefines them.

    >>> expanded(r"\newcommand{\who}[1]{Ann #1}By \who{Rook} and \who{Y}.", frozenset())
    'By Ann Rook and Ann Y.'
    """
    if _LANGUAGE.search(source):
        raw = _Raw(source)
        source = _SHORTHAND.sub(
            lambda match: match[0] if match.start() in raw else _SIGNS[match[1]], source
        )
    source, macros = _without_definitions(source, known)
    most = _MOST_GROWTH * len(source) + _LEAST_GROWTH
    for _ in range(_DEEPEST if macros else 0):
        longer = _expand(source, macros, most)
        if longer is None or longer == source:
            break
        source = longer
    return source


def _without_definitions(source: str, known: frozenset[str]) -> tuple[str, dict[str, _Macro]]:
    """Return a file without the definitions of macros, and the macros."""
    macros: dict[str, _Macro] = {}
    pieces: list[str] = []
    done = 0
    raw, closing = _Raw(source), closing_braces(source)
    for match in _DEFINITION.finditer(source):
        if match.start() < done or match.start() in raw or len(macros) == _MOST_MACROS:
            continue
        name = match["braced"] or match["bare"] or match["plain"]
        end = _group_end(closing, match.end(), _LONGEST_BODY)
        if end is None or name in known:
            continue
        default = match["default"]
        macros[name] = _Macro(
            source[match.end() + 1 : end - 1],
            int(match["count"] or 0) or (match["marks"] or "").count("#"),
            None if default is None else default.strip()[1:-1],
        )
        pieces.append(source[done : match.start()])
        done = end
    return "".join([*pieces, source[done:]]), macros


def _expand(source: str, macros: dict[str, _Macro], most: int) -> str | None:
    """Return a file with each macro replaced once; None if it would be too long."""
    pieces: list[str] = []
    done = length = 0
    raw, closing = _Raw(source), closing_braces(source)
    for match in _COMMAND.finditer(source):
        macro = macros.get(match[1])
        if macro is None or match.start() < done or match.start() in raw:
            continue
        values, end = _arguments(source, closing, match.end(), macro)
        text = _filled(macro.body, values)
        before = source[done : match.start()]
        # After another command, it is the argument of that.
        pieces += (before, f"{{{text}}}" if _AFTER_COMMAND.search(before[-50:]) else text)
        # A space after a macro without arguments is kept: more readable than joined words.
        length += len(before) + len(text)
        if length > most:
            return None
        done = end
    return "".join([*pieces, source[done:]])


def _filled(body: str, values: Sequence[str]) -> str:
    """Return the body of a macro with its arguments; missing ones are empty."""

    def value(mark: re.Match[str]) -> str:
        argument_number = int(mark[1])
        return values[argument_number - 1] if argument_number <= len(values) else ""

    return _ARGUMENT.sub(value, body)


def _arguments(
    source: str, closing: Mapping[int, int], at: int, macro: _Macro
) -> tuple[list[str], int]:
    """Return the arguments after a macro, and the end of the last one."""
    values: list[str] = []
    if macro.default is not None:
        close = source.find("]", at, at + _LONGEST_ARGUMENT) if source[at : at + 1] == "[" else -1
        values.append(macro.default if close < 0 else source[at + 1 : close])
        at = at if close < 0 else close + 1
    while len(values) < macro.arguments:
        offset = at
        while offset < len(source) and source[offset].isspace():
            offset += 1
        end = _group_end(closing, offset, _LONGEST_ARGUMENT)
        if end is None:
            break
        values.append(source[offset + 1 : end - 1])
        at = end
    return values, at


def _group_end(closing: Mapping[int, int], at: int, longest: int) -> int | None:
    """Return the end of the braces at `at`; None if there are none, or too much is in them."""
    end = closing.get(at, at + longest) + 1
    return end if end - at <= longest else None


def closing_braces(source: str) -> dict[int, int]:
    """Return the closing brace of each opening brace, without unclosed ones."""
    closing: dict[int, int] = {}
    is_open: list[int] = []
    for match in _BRACE.finditer(source):
        if match[0] == "{":
            is_open.append(match.start())
        elif match[0] == "}" and is_open:
            closing[is_open.pop()] = match.start()
    return closing


class _Raw:
    r"""The parts of a file that are printed as they are.

    >>> raw = _Raw(r"See \verb|\x| and \x.")
    >>> 10 in raw, 18 in raw
    (True, False)
    """

    def __init__(self, source: str) -> None:
        self._starts: list[int] = []
        self._ends = [0]
        unclosed: set[str] = set()
        for match in _RAW.finditer(source):
            if match.start() < self._ends[-1] or match[0] in unclosed:
                continue
            if name := match["name"]:
                end = source.find(f"\\end{{{name}}}", match.end())
            else:
                end = source.find(match["mark"], match.end(), match.end() + _LONGEST_ARGUMENT)
            if end >= 0:
                self._starts.append(match.start())
                self._ends.append(end)
            elif name:
                unclosed.add(match[0])

    def __contains__(self, at: int) -> bool:
        return at < self._ends[bisect_right(self._starts, at)]
