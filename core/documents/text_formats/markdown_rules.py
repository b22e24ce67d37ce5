"""The parser of Markdown, with rules of our own where the library's take time without bounds."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore

ROW: Final = "long_table_row"
"""A row of a long table: its `meta` has the cells as they stand, and whether it is the first."""

# Beyond so many cells a table has rows of our own: the library makes four objects of each cell.
_MANY_CELLS: Final = 5_000
# Beyond so many marks in one paragraph the library's search for pairs grows with their square.
_MOST_MARKS: Final = 4_000
_MARKS: Final = {"[": ("link", "image"), "*": ("emphasis",), "_": ("emphasis",)}
_RULE: Final = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*")
_BAR: Final = re.compile(r"(?<!\\)\|")
_DEFINITION: Final = re.compile(r"\[([^\[\]\\\n]{1,500})\]:[ \t]+(<[^<>\n]*>|[^\s<]\S*)[ \t]*")


@cache
def markdown_parser() -> MarkdownIt:
    """Return a parser for CommonMark with tables and strikethrough."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.block.ruler.before("table", "long_table", _long_table)
    parser.block.ruler.before("reference", "definition", _definition)
    parser.core.ruler.at("inline", _inline)
    return parser


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _long_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a table of very many cells, up to the next empty line."""
    if silent or start + 2 > end or state.sCount[start + 1] < state.blkIndent:
        return False
    head, rule = _line(state, start), _line(state, start + 1)
    if "|" not in head or _RULE.fullmatch(rule) is None:
        return False
    columns = len(_cells(head))
    last = start + 2
    while last < end and not state.isEmpty(last) and state.sCount[last] >= state.blkIndent:
        last += 1
    if columns != len(_cells(rule)) or columns * (last - start) <= _MANY_CELLS:
        return False
    for number in (start, *range(start + 2, last)):
        token = state.push(ROW, "", 0)
        cells = _cells(_line(state, number))[:columns]
        token.meta = {"cells": cells, "first": number == start}
    state.line = last
    return True


def _cells(line: str) -> list[str]:
    r"""Return the cells of a row.

    >>> _cells("| a | b\\|c |")
    ['a', 'b|c']
    """
    bare = line.strip().removeprefix("|")
    if bare.endswith("|") and not bare.endswith("\\|"):
        bare = bare[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(bare)]


def _definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take what a link stands for, where a line says all of it.

    The library goes through all that follow once more for each.
    """
    if silent or state.is_code_block(start):
        return False
    found = _DEFINITION.fullmatch(_line(state, start))
    if found is None:
        return False
    following = _line(state, start + 1) if start + 1 < end else ""
    if following.startswith(("'", '"', "(")):  # a title, perhaps
        return False
    from markdown_it.common.utils import normalizeReference

    href = state.md.normalizeLink(found[2].strip("<>"))
    label = normalizeReference(found[1])
    if not label or not state.md.validateLink(href):
        return False
    known: dict[str, Any] = state.env.setdefault("references", {})
    known.setdefault(label, {"title": "", "href": href, "map": [start, start + 1]})
    state.line = start + 1
    return True


def _inline(state: StateCore) -> None:
    """Parse the runs of text; of one with marks without end these are left standing."""
    parse = state.md.inline.parse
    for token in state.tokens:
        if token.type == "inline":
            content = token.content
            token.children = []
            left = [
                name
                for mark, names in _MARKS.items()
                if content.count(mark) > _MOST_MARKS
                for name in names
            ]
            if left:
                with state.md.reset_rules():
                    state.md.disable(left)
                    parse(content, state.md, state.env, token.children)
            else:
                parse(content, state.md, state.env, token.children)
