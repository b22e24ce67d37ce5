"""Web pages: what a person reads of them, without scripts and without loading anything."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from core.documents.dates import iso_date
from core.documents.decoding import decode_markup
from core.documents.document import Document
from core.documents.files import read_bytes
from core.documents.properties import properties
from core.documents.styles import Style
from core.documents.text import PageText, one_line
from core.documents.text_formats.inline_run import InlineRun
from core.documents.text_formats.tame_html import tamed
from core.documents.titles import real_title

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# Not shown by a browser, or no text.
_UNREAD = frozenset(
    {"script", "style", "template", "head", "title", "noscript", "iframe", "object", "embed"}
    | {"applet", "svg", "canvas", "audio", "video", "map", "datalist", "select", "option"}
    | {"button", "input"}
)
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details"}
    | {"dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header"}
    | {"hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section"}
    | {"summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"}
)
# Blocks that stand close below the one before, as the items of a list do.
_LINES = frozenset({"li", "dt", "dd", "tr"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
# Blocks that stand apart even inside an item, if it does not begin with them.
_PARAGRAPHS = frozenset({"p", "pre", "blockquote", "table", *_HEADINGS})
_LISTS = {"ul": Style.ITEM, "menu": Style.ITEM, "ol": Style.NUMBERED}
_INLINE = {
    **dict.fromkeys(("strong", "b"), Style.STRONG),
    **dict.fromkeys(("em", "i", "cite", "dfn", "var"), Style.EMPHASIS),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), Style.LITERAL),
    "a": Style.LINK,
}
_PRESERVED = frozenset({"pre", "textarea", "listing", "xmp"})
# A table that holds one of these gives a page its layout; its cells are no cells of data.
_LAYOUT = "table, h1, h2, h3, h4, h5, h6, ul, ol, dl, pre, form, article, section, hr"
# Where pages say who wrote them and when, best first.
_AUTHOR = ("author", "article:author", "dc.creator", "dcterms.creator", "citation_author")
_DATE = (
    *("article:modified_time", "datemodified", "dcterms.modified", "last-modified"),
    *("article:published_time", "datepublished", "dcterms.created", "dc.date", "dcterms.date"),
    *("date", "citation_publication_date"),
)
_XML_SUFFIXES = frozenset({".xhtml", ".xht"})
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)/>")
# Elements that have no end in HTML.
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"}
    | {"track", "wbr"}
)
_WHITE = re.compile(r"[ \t\n\r\f]+")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DEEPEST = 2_000


def read(path: Path) -> Document:
    """Read a web page: its title, and its text as one page with headings.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    markup = decode_markup(read_bytes(path))
    is_xml = path.suffix.lower() in _XML_SUFFIXES
    return document_of(closed(markup) if is_xml else markup)


def closed(markup: str) -> str:
    """Return XHTML as HTML: elements that close themselves are closed by name.

    >>> closed('<title/><a id="x"/><br/>')
    '<title></title><a id="x"></a><br/>'
    """
    return _SELF_CLOSED.sub(
        lambda match: (
            match.group() if match[1].lower() in _VOID else f"<{match[1]}{match[2]}></{match[1]}>"
        ),
        markup,
    )


def document_of(markup: str) -> Document:
    """Return what a page of HTML shows, with its title, author and date."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(tamed(markup))
    page = PageText()
    if tree.root is not None:
        _Walk(page).walk(tree.root)
    _, headings = page.finish()
    title_node = tree.css_first("title")
    title = real_title(title_node.text(deep=True)) if title_node is not None else ""
    if not title:
        title = next((heading.text for heading in headings if heading.level == 1), "")
    said = _said_of_itself(tree)
    authors = (properties(None, said[name], []).author for name in _AUTHOR if name in said)
    author = next(filter(None, authors), "")
    date = next(filter(None, (iso_date(said[name][0]) for name in _DATE if name in said)), "")
    return Document(title, (page.page(1),), author, date)


def _said_of_itself(tree: LexborHTMLParser) -> dict[str, list[str]]:
    """Return what a page's `meta` elements say, by their names."""
    said: dict[str, list[str]] = {}
    for node in tree.css("meta[content]"):
        attributes = node.attributes
        name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop")
        if name and (content := one_line(attributes.get("content") or "")):
            said.setdefault(name.lower(), []).append(content)
    return said


def add_markup(page: PageText, markup: str) -> None:
    """Add the text of a piece of HTML to `page`."""
    from selectolax.lexbor import LexborHTMLParser

    root = LexborHTMLParser(tamed(markup)).root
    if root is not None:
        _Walk(page).walk(root)


class _Walk:
    """Goes through a tree of nodes once and fills a page.

    The walk keeps its own stack, so that a page nested thousands of tags deep cannot exhaust
    Python's.
    """

    def __init__(self, page: PageText) -> None:
        self._page = page
        self._run = InlineRun()  # the inline text since the last block border
        self._gap = 0  # the widest gap that a border since the last block asked for
        self._items = 0  # how many items of lists are open,
        self._is_fresh = False  # and has the innermost no text yet?
        self._preserved = 0  # how many open elements keep white space as it is
        self._quotes = 0  # how many quotations are open
        self._lists: list[Style] = []  # those that are open
        self._cells: list[str] | None = None  # the cells of the row being read
        self._first_row = True
        self._tables: list[bool] = []  # for each open table: does it hold data?
        self._layout_tables: set[int] = set()

    def walk(self, root: LexborNode) -> None:
        """Add all that is under `root`."""
        self._layout_tables = _layout_tables(root)
        stack: list[tuple[LexborNode, bool]] = [(root, False)]
        depth = 0
        while stack:
            node, is_left = stack.pop()
            if is_left:
                depth -= 1
                self._leave(node.tag or "")
                continue
            if node.is_text_node:
                self._text(node.text_content or "")
                continue
            if not node.is_element_node or not self._enter(node):
                continue
            stack.append((node, True))
            depth += 1
            children = []
            child = node.first_child if depth < _DEEPEST else None
            while child is not None:
                children.append((child, False))
                child = child.next
            stack.extend(reversed(children))
        self._flush()

    def _enter(self, node: LexborNode) -> bool:
        """Begin an element; False if it is passed over with all it holds."""
        tag = node.tag or ""
        if tag in _UNREAD:
            return False
        attributes = node.attributes
        if attributes and ("hidden" in attributes or _HIDDEN.search(attributes.get("style") or "")):
            return False
        if tag == "br":
            self._run.say("\n")
        elif tag == "img":
            # The text that stands for a picture, but not the names of files.
            if alt := real_title(attributes.get("alt")):
                self._run.say(f" {alt} ")
        elif tag == "table":
            self._flush()
            is_data = (attributes.get("role") or "") not in {"presentation", "none"}
            self._tables.append(is_data and node.mem_id not in self._layout_tables)
            self._first_row = True
        elif tag == "tr" and self._is_in_data:
            self._flush()
            self._cells = []
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._flush()
            is_close = self._items and (self._is_fresh or tag not in _PARAGRAPHS)
            self._gap = max(self._gap, 1 if tag in _LINES or is_close else 2)
            if tag in _LINES:
                self._items += 1
                self._is_fresh = True
        if tag in _PRESERVED:
            self._preserved += 1
        elif tag == "blockquote":
            self._quotes += 1
        elif tag in _LISTS:
            self._lists.append(_LISTS[tag])
        elif tag in _INLINE:
            # In what is set in fixed width as a whole, code looks as all the rest does.
            is_plain = (tag == "a" and "href" not in attributes) or (
                self._preserved and _INLINE[tag] is Style.LITERAL
            )
            self._run.begin(None if is_plain else _INLINE[tag])
        return True

    def _leave(self, tag: str) -> None:
        if tag in _INLINE:
            self._run.end()
        elif tag in _HEADINGS:
            heading, _ = self._run.take()
            if self._cells is None:
                self._page.heading(_HEADINGS[tag], heading)
                self._gap = 2
                self._is_fresh = False
            else:
                self._run.say(f" {heading} ")
        elif tag in {"td", "th"} and self._cells is not None:
            self._cells.append(self._run.take()[0])
        elif tag == "tr" and self._cells is not None:
            cells, self._cells = self._cells, None
            self._page.row(cells, first=self._first_row)
            self._first_row = False
        elif tag in _BLOCKS:
            self._flush()
            if tag == "table":
                self._tables.pop()
            if tag in _LINES:
                self._items -= 1
            self._gap = max(self._gap, 1 if tag in _LINES or self._items else 2)
        if tag in _PRESERVED:
            self._preserved -= 1
        elif tag == "blockquote":
            self._quotes -= 1
        elif tag in _LISTS:
            self._lists.pop()

    @property
    def _is_in_data(self) -> bool:
        return bool(self._tables) and self._tables[-1]

    def _styles(self) -> list[tuple[Style, int]]:
        """Return the styles of a block that ends here."""
        styles = [(self._lists[-1], len(self._lists))] if self._lists and self._items else []
        if self._quotes:
            styles.append((Style.QUOTE, self._quotes))
        return [*styles, (Style.CODE, 0)] if self._preserved else styles

    def _text(self, text: str) -> None:
        self._run.say(text if self._preserved else _WHITE.sub(" ", text))

    def _flush(self) -> None:
        """End the running block: it becomes a paragraph, or a part of the running cell."""
        if self._cells is not None:
            self._run.say(" ")
            return
        block, within = self._run.take(is_preserved=self._preserved > 0)
        if block.strip():
            self._page.add(block, gap=self._gap or 2, styles=self._styles(), within=within)
            self._gap = 0
            self._is_fresh = False


def _layout_tables(root: LexborNode) -> set[int]:
    """Return the tables that give a page its layout: those that hold what no cell of data does."""
    tables: set[int] = set()
    if root.css_first("table") is None:
        return tables
    seen: set[int] = set()
    for found in root.css(_LAYOUT):
        node = found.parent
        while node is not None and node.mem_id not in seen:
            seen.add(node.mem_id)
            if node.tag == "table":
                tables.add(node.mem_id)
            node = node.parent
    return tables
