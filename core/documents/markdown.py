"""Markdown: the text as a person reads it once it is set, without the marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.html import add_markup
from core.documents.text import PageText, normalise
from core.documents.titles import real_title

if TYPE_CHECKING:
    from markdown_it.token import Token

# Parsing takes about a second for each million characters: a file beyond any manual's size is
# data, and is read as the plain text that Markdown also is.
_LONGEST_PARSED = 5_000_000
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(.+)$", re.MULTILINE)
_LINE_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)


def read(path: Path) -> Document:
    """Read a Markdown file as one page with headings.

    The title is the one in the front matter, or else the first heading of level 1.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path)).replace("\r\n", "\n")
    title = ""
    if front := _FRONT_MATTER.match(source):
        source = source[front.end() :]
        if named := _FRONT_TITLE.search(front[1]):
            title = real_title(named[1].strip().strip("\"'"))
    if len(source) > _LONGEST_PARSED:
        return Document(title, (Page(1, normalise(source)),))
    page = _set(source)
    text, headings = page.finish()
    if not title:
        title = next((heading.text for heading in headings if heading.level == 1), "")
    return Document(title, (Page(1, text, headings),))


def _set(source: str) -> PageText:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = parser.parse(source)
    page = PageText()
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
    return page


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
