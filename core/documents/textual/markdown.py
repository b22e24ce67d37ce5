"""Markdown: the text as a person reads it once it is set, without the marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.documents.dates import iso_date
from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.text import PageText, one_line
from core.documents.textual.html import add_markup
from core.documents.textual.plain import LONGEST_PARSED, as_it_stands
from core.documents.titles import real_title

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_LINE = re.compile(r"^(title|author|date|lastmod|updated):[ \t]*(\S.*)$", re.MULTILINE)
_FRONT_DATES = ("lastmod", "updated", "date")
_LINE_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)


def read(path: Path) -> Document:
    """Read a Markdown file as one page with headings.

    The title is the one in the front matter, or else the first heading of level 1.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path)).replace("\r\n", "\n")
    said: dict[str, str] = {}
    if front := _FRONT_MATTER.match(source):
        source = source[front.end() :]
        said = {name: one_line(value).strip("\"'") for name, value in _FRONT_LINE.findall(front[1])}
    title = real_title(said.get("title"))
    if len(source) > LONGEST_PARSED:
        return as_it_stands(source, title)
    page = PageText()
    add_markdown(page, source)
    text, headings = page.finish()
    if not title:
        title = next((heading.text for heading in headings if heading.level == 1), "")
    date = next(filter(None, (iso_date(said.get(name)) for name in _FRONT_DATES)), "")
    return Document(title, (Page(1, text, headings),), _names(said.get("author", "")), date)


def _names(value: str) -> str:
    """Return the names that YAML gives as a word or as a list in brackets.

    >>> _names("[Ann Rook, 'Bob Crow']")
    'Ann Rook; Bob Crow'
    """
    if not (value.startswith("[") and value.endswith("]")):
        return value
    return "; ".join(name.strip(" \"'") for name in value[1:-1].split(",") if name.strip(" \"'"))


def add_markdown(page: PageText, source: str) -> None:
    """Add the text of a piece of Markdown to `page`."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = parser.parse(source)
    cells: list[str] = []
    rows = 0
    depth = 0  # how many lists are open
    gap = 2  # how far below the text before it the next paragraph stands
    for before, token in zip([None, *tokens], tokens, strict=False):
        kind = token.type
        if kind in {"bullet_list_open", "ordered_list_open"}:
            gap = 1 if depth else 2
            depth += 1
        elif kind in {"bullet_list_close", "ordered_list_close"}:
            depth -= 1
            gap = 1 if depth else 2
        elif kind == "list_item_close":
            gap = 1
        elif kind == "table_open":
            rows = 0
        elif kind == "tr_open":
            cells = []
        elif kind == "tr_close":
            page.row(cells, first=rows == 0)
            rows += 1
        elif kind == "inline" and before is not None:
            text = "".join(_inline(token.children or ()))
            if before.type == "heading_open":
                page.heading(int(before.tag[1:]), text)
            elif before.type in {"th_open", "td_open"}:
                cells.append(text)
            else:
                page.add(text, gap=gap)
            gap = 2
        elif kind in {"fence", "code_block"}:
            page.add(token.content)
            gap = 2
        elif kind == "html_block":
            add_markup(page, token.content)
            gap = 2


def _inline(tokens: Sequence[Token]) -> Iterator[str]:
    """Give the pieces of text in a run of inline marks; links keep their words only."""
    for token in tokens:
        if token.type in {"text", "code_inline"}:
            yield token.content
        elif token.type == "softbreak":
            yield " "
        elif token.type == "hardbreak" or (
            token.type == "html_inline" and _LINE_TAG.match(token.content)
        ):
            yield "\n"
        elif token.type == "image":
            yield from _inline(token.children or ())
