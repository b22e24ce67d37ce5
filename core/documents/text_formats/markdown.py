"""Markdown: the rendered text, without markup.

Custom rules replace those of the library's parser that take unbounded time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.documents import superscripts
from core.documents.decoding import decode
from core.documents.document import Document, Style, StyledSpan
from core.documents.files import read_bytes
from core.documents.metadata import joined_names, properties
from core.documents.text import PageText, normalise
from core.documents.text_formats.front_matter import front_matter
from core.documents.text_formats.html import add_markup
from core.documents.text_formats.plain import LONGEST_PARSED, plain_document

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token


_MOST_LINES = 200_000
_FRONT_DATES = ("lastmod", "modified", "updated", "date", "published", "created")
_FRONT_AUTHORS = ("author", "authors", "author.name", "authors.name")
# Names whose values are metadata of the document. The others are text.
_NOT_TEXT = frozenset({"title", *_FRONT_DATES, *_FRONT_AUTHORS})
_LISTS = {"bullet_list_open": Style.ITEM, "ordered_list_open": Style.NUMBERED}
_INLINE = {"strong": Style.STRONG, "em": Style.EMPHASIS, "link": Style.LINK}
_MARK = re.compile(r"[\\`*_~\[\]!<&]")
# These do not match the formula "x^2+y^2" and the ranges "3~5天，7~9天" and "A~B和C~D".
_RAISED_RUN = re.compile(r"(?<=\w)\^([+−-]?\w{1,20}(?:,\w{1,20})*[+−-]?|[*†‡]{1,3})\^")
_LOWERED_RUN = re.compile(r"(?<=[A-Za-z)])~([0-9A-Za-z+−-]{1,20})~")
_SCRIPT_TAGS = {"<sup>": superscripts.BEGIN, "</sup>": superscripts.END}
_LINE_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)


def read(path: Path) -> Document:
    """Read a Markdown file as one page with headings.

    The title is the one in the front matter, or else the first heading of level 1. Other names and
    values in the front matter come before the text. Its tags and aliases, and the tags in the text,
    are those of the document; Logseq writes them as properties ("tags:: garden").

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path)).replace("\r\n", "\n")
    front = front_matter(source)
    other = front.text(_NOT_TEXT) if front.length else ""
    source = source[front.length :]
    about = properties(
        front.first("title"),
        [name for key in _FRONT_AUTHORS for name in front.values.get(key, ())],
        map(front.first, _FRONT_DATES),
    )
    if len(source) > LONGEST_PARSED or source.count("\n") > _MOST_LINES:
        document = plain_document("\n\n".join(filter(None, (other, source))), about.title)
        tags = _tags_in(source)
    else:
        page = PageText()
        page.add(other)
        tags = add_markdown(page, source, front.lines)
        _, headings = page.finish()
        first = next((heading.text for heading in headings if heading.level == 1), "")
        document = Document(about.title or first, (page.page(1),), about.author, about.date)
    return replace(
        document, tags=joined_names([*front.tags, *tags]), aliases=joined_names(front.aliases)
    )


def _tags_in(text: str) -> list[str]:
    """Return the tags in a text; a number is none.

    >>> _tags_in("#home/garden, (#2024) a#b #12-b and &#8217; C# #[[two words]]")
    ['home/garden', '12-b', 'two words']
    """
    return [match[1] or match[2] for match in _TAG.finditer(text)] if "#" in text else []


def add_markdown(page: PageText, source: str, before: int | None = None) -> list[str]:
    """Add the text of Markdown to `page`, and return the tags in it.

    `before` is the number of lines above it in the file.
    """
    parser = _parser()
    tags: list[str] = []
    tokens = parser.parse(source)
    cells: list[str] = []
    rows = 0
    lists: list[Style] = []  # the open lists
    quotes = 0  # number of open quotations
    gap = 2  # line ends before the next paragraph
    # The library also treats a lone carriage return as a line end.
    above = None if "\r" in source else before
    row_lines: tuple[int, int] | None = None
    for opening, token in zip([None, *tokens], tokens, strict=False):
        kind = token.type
        for child in token.children or ():
            if child.type == "link_open":
                page.link(str(child.attrGet("href") or ""))
                page.note_link(child.meta.get("note", ""))
            elif child.type == "text":
                tags += _tags_in(child.content)
        if kind in _LISTS:
            gap = 1 if lists else 2
            lists.append(_LISTS[kind])
        elif kind in {"bullet_list_close", "ordered_list_close"}:
            lists.pop()
            gap = 1 if lists else 2
        elif kind in {"blockquote_open", "blockquote_close"}:
            quotes += 1 if kind == "blockquote_open" else -1
        elif kind == "list_item_close":
            gap = 1
        elif kind == "table_open":
            rows = 0
        elif kind == _LONG_ROW:
            texts = [_inline_text(parser, cell) for cell in token.meta["cells"]]
            page.row(texts, first=token.meta["first"])
        elif kind == "tr_open":
            cells = []
            row_lines = _source_lines(token, above)
        elif kind == "tr_close":
            page.row(cells, first=rows == 0, lines=row_lines)
            rows += 1
        elif kind == "inline" and opening is not None:
            text, within = _inline(token.children or ())
            lines = _source_lines(token, above)
            if opening.type == "heading_open":
                page.heading(int(opening.tag[1:]), text, lines)
            elif opening.type in {"th_open", "td_open"}:
                cells.append(text)
            else:
                # The number of hard line breaks may differ from the lines of the file.
                is_line = "\n" not in text.strip()
                page.add(
                    text,
                    gap=gap,
                    styles=_styles(lists, quotes),
                    within=within,
                    lines=lines if is_line else None,
                )
            gap = 2
        elif kind in {"fence", "code_block"}:
            page.add(
                token.content,
                styles=[*_styles(lists, quotes), (Style.CODE, 0)],
                lines=_code_lines(token, above),
            )
            gap = 2
        elif kind == _DEFINED:
            is_next = opening is not None and opening.type == _DEFINED
            page.add(token.content, gap=1 if is_next else gap, styles=_styles(lists, quotes))
            gap = 2
        elif kind == "html_block":
            add_markup(page, token.content)
            gap = 2
    return tags


def _source_lines(token: Token, above: int | None) -> tuple[int, int] | None:
    """Return the first and the last line of a token, after the lines `above`."""
    if token.map is None or above is None:
        return None
    return above + token.map[0] + 1, above + token.map[1]


def _code_lines(token: Token, above: int | None) -> tuple[int, int] | None:
    """Return the lines of a code block; None if normalising changes its lines."""
    code = token.content.removesuffix("\n")
    if token.map is None or above is None or normalise(code) != code:
        return None
    first = above + token.map[0] + (2 if token.type == "fence" else 1)
    return first, first + code.count("\n")


def _styles(lists: Sequence[Style], quotes: int) -> list[tuple[Style, int]]:
    """Return the styles of a block in nested lists and quotations."""
    styles = [(lists[-1], len(lists))] if lists else []
    return [*styles, (Style.QUOTE, quotes)] if quotes else styles


def _inline_text(parser: MarkdownIt, source: str) -> str:
    """Return the text of a cell. Most have no markup."""
    if _MARK.search(source) is None:
        return source
    return "".join(_inline(token.children or ())[0] for token in parser.parseInline(source))


def _inline(tokens: Sequence[Token]) -> tuple[str, list[StyledSpan]]:
    """Return the text of inline tokens, and the styles of parts of it."""
    pieces: list[str] = []
    within: list[StyledSpan] = []
    opened: list[int] = []
    length = 0
    for text, style, is_end in _marked(tokens):
        if style and is_end:
            within.append(StyledSpan(opened.pop(), length, style))
        elif style:
            opened.append(length)
        pieces.append(text)
        length += len(text)
    return "".join(pieces), within


def _marked(tokens: Sequence[Token]) -> Iterator[tuple[str, Style | None, bool]]:
    """Yield the pieces of text, and between them the start and end of each style.

    Of links, only the words are yielded.
    """
    for token in tokens:
        name, _, end = token.type.rpartition("_")
        if name in _INLINE and end in {"open", "close"}:
            yield "", _INLINE[name], end == "close"
        elif token.type == "text":
            yield _scripts(token.content), None, False
        elif token.type == "html_inline" and (tag := token.content.lower()) in _SCRIPT_TAGS:
            yield _SCRIPT_TAGS[tag], None, False
        elif token.type == "code_inline":
            yield "", Style.LITERAL, False
            yield token.content, None, False
            yield "", Style.LITERAL, True
        elif token.type == "softbreak":
            yield " ", None, False
        elif token.type == "hardbreak" or (
            token.type == "html_inline" and _LINE_TAG.match(token.content)
        ):
            yield "\n", None, False
        elif token.type == "image":
            yield from _marked(token.children or ())


def _scripts(text: str) -> str:
    r"""Return text with the raised and lowered runs of Pandoc's Markdown.

    >>> _scripts("25 m^2^ H~2~O a^b"), _scripts("x ~ 3")
    ('25 m\x162\x17 H2O a^b', 'x ~ 3')
    """
    if "^" in text:
        text = _RAISED_RUN.sub(f"{superscripts.BEGIN}\\1{superscripts.END}", text)
    return _LOWERED_RUN.sub(r"\1", text) if "~" in text else text


# Tags of Obsidian and Logseq. Words of six hexadecimal digits are colours.
_TAG: Final = re.compile(
    r"(?<![\w&#/])#(?:\[\[([^\[\]\n]{1,100})\]\]"
    r"|(?![0-9a-fA-F]{6}\b)(?![\d/-]+(?![\w/-]))([\w/-]{1,100}))(?<![/-])"
)
# A link to a note by its name, perhaps with the shown words: [[Roses#Pruning|cut them]].
_WIKI_LINK: Final = re.compile(r"!?\[\[([^\[\]|\n]{1,300})(?:\\?\|([^\[\]\n]{1,300}))?\]\]")
# Token of link definitions, which are read as they are: a note of one word looks like one.
_DEFINED: Final = "definition"
# Token of a row of a long table. Its `meta` has the raw cells, and whether it is the first row.
_LONG_ROW: Final = "long_table_row"

# Tables with more cells are parsed by `_long_table`: the library creates four objects per cell.
_MANY_CELLS: Final = 5_000
# Most marks of a kind in a paragraph: the library's search for pairs takes quadratic time.
_MOST_MARKS: Final = 4_000
_MARKS: Final = {"[": ("link", "image"), "*": ("emphasis",), "_": ("emphasis",)}
_RULE: Final = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*")
_BAR: Final = re.compile(r"(?<!\\)\|")
# Nesting levels of the parser: a list takes two, a quotation one. Below the deepest, each line is
# read without its structure. The library stops at its limit without an error, and drops the rest.
_DEEPEST: Final = 200
_UNLIMITED: Final = 2 * _DEEPEST
# Lines times levels, of which 20 are always allowed: each quotation goes through all its lines.
_MOST_LINES_BY_LEVEL: Final = 1_000_000
# Links within the text of links, which the library tries one by one.
_DEEPEST_LINKS: Final = 20
_DEEP_MARKS: Final = re.compile(r"(?:(?:[>*+-]|\d{1,9}[.)])(?:[ \t]+|$))+")
_DEFINITION: Final = re.compile(r"\[([^\[\]\\\n]{1,500})\]:[ \t]+(<[^<>\n]*>|[^\s<]\S*)[ \t]*")


@cache
def _parser() -> MarkdownIt:
    """Return a parser for CommonMark with tables and strikethrough."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _UNLIMITED})
    parser.enable(["table", "strikethrough"])
    parser.block.ruler.before("table", "too_deep", _too_deep)
    parser.block.ruler.before("table", "long_table", _long_table)
    parser.block.ruler.before("reference", "definition", _definition)
    parser.block.ruler.at("reference", _definition_of_lines)
    parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    parser.core.ruler.at("inline", _parse_runs)
    return parser


def _wiki_link(state: StateInline, silent: bool) -> bool:
    """Parse a link to a note; the note's name follows the text unless it is shown."""
    link = _WIKI_LINK.match(state.src, state.pos)
    # Logseq's tags of several words are read as they are.
    if link is None or state.src[max(0, state.pos - 1) : state.pos] == "#":
        return False
    if not silent:
        name, _, heading = (part.strip() for part in link[1].partition("#"))
        shown = link[2] or " › ".join(filter(None, (name, heading.strip("#^ "))))
        state.push("link_open", "a", 1).meta = {"note": "" if name in shown else name}
        state.push("text", "", 0).content = shown
        state.push("link_close", "a", -1)
    state.pos = link.end()
    return True


def _line(state: StateBlock, line_index: int) -> str:
    return state.src[state.bMarks[line_index] + state.tShift[line_index] : state.eMarks[line_index]]


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse the lines of a block that is nested too deeply as one paragraph with line breaks."""
    deepest = max(20, min(_DEEPEST, _MOST_LINES_BY_LEVEL // len(state.bMarks)))
    if silent or state.level < deepest:
        return False
    last = start
    while last < end and (state.isEmpty(last) or state.sCount[last] >= state.blkIndent):
        last += 1
    lines = (
        _DEEP_MARKS.sub("", _line(state, line_index), count=1) for line_index in range(start, last)
    )
    state.push("paragraph_open", "p", 1)
    state.push("inline", "", 0).content = "  \n".join(filter(None, lines))
    state.push("paragraph_close", "p", -1)
    state.line = last
    return True


def _long_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a table with very many cells, up to the next empty line."""
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
    for line_index in (start, *range(start + 2, last)):
        token = state.push(_LONG_ROW, "", 0)
        cells = _cells(_line(state, line_index))[:columns]
        token.meta = {"cells": cells, "first": line_index == start}
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
    """Parse a link reference definition on a single line.

    The library scans all following definitions again for each one.
    """
    if silent or state.is_code_block(start):
        return False
    definition = _DEFINITION.fullmatch(_line(state, start))
    if definition is None or definition[1].startswith("^"):
        return False
    following = _line(state, start + 1) if start + 1 < end else ""
    if following.startswith(("'", '"', "(")):  # possibly a title
        return False
    from markdown_it.common.utils import normalizeReference

    href = state.md.normalizeLink(definition[2].strip("<>"))
    label = normalizeReference(definition[1])
    if not label or not state.md.validateLink(href):
        return False
    known: dict[str, Any] = state.env.setdefault("references", {})
    known.setdefault(label, {"title": "", "href": href, "map": [start, start + 1]})
    state.line = start + 1
    state.push(_DEFINED, "", 0).content = _line(state, start)
    return True


def _definition_of_lines(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a link reference definition by the library's rule, except for a footnote."""
    from markdown_it.rules_block import reference

    if _line(state, start).startswith("[^") or not reference(state, start, end, silent):
        return False
    if not silent:
        lines = (_line(state, number) for number in range(start, state.line))
        state.push(_DEFINED, "", 0).content = "\n".join(lines)
    return True


def _parse_runs(state: StateCore) -> None:
    """Parse inline text, without the rules for marks of which there are too many."""
    parse = state.md.inline.parse
    options = state.md.options
    options["maxNesting"] = _DEEPEST_LINKS
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
    options["maxNesting"] = _UNLIMITED
