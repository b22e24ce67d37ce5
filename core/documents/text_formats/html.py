"""Web pages, also saved as one MHTML file: the visible text, without running scripts.

Nothing is loaded. Markup that is nested excessively is flattened before it is parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Set
from dataclasses import replace
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.documents import superscripts
from core.documents.decoding import decode_as, decode_markup
from core.documents.document import Document, Style, StyledSpan
from core.documents.files import read_bytes
from core.documents.metadata import iso_date, properties, real_title
from core.documents.text import PageText, one_line
from core.errors import DocumentError

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode


# Elements that a browser does not show, or without text.
_UNREAD = frozenset(
    {"script", "style", "template", "head", "title", "noscript", "iframe", "object", "embed"}
    | {"applet", "canvas", "metadata", "audio", "video", "map", "datalist", "select", "option"}
    | {"button", "input"}
    # Readings of Chinese and Japanese characters, which would split the words.
    | {"rt", "rtc", "rp"}
)
# Elements of note marks and exponents that have no tag for it.
_RAISED_STYLE = re.compile(r"vertical-align\s*:\s*(?:super|text-top|top|\d)", re.IGNORECASE)
_RAISED_CLASS = re.compile(
    r"(?<![\w-])(?:sup|super(?:script)?|(?:doc-)?noteref|footnote-?(?:ref|link|mark)?|fnref|fn)(?![\w-])",
    re.IGNORECASE,
)
_RAISED_ATTRIBUTES = ("class", "epub:type", "role")
_PAGE_BREAKS = frozenset({"pagebreak", "doc-pagebreak"})
_LONGEST_PAGE_NUMBER = 20
_RUNS = frozenset({"span", "a", "font", "small", "em", "i", "b", "strong"})
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details"}
    | {"dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header"}
    | {"hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section"}
    | {"summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"}
    # A label in a drawing (SVG). The drawing itself may be an icon within a sentence.
    | {"text"}
)
# Blocks without a blank line before them, such as list items.
_LINES = frozenset({"li", "dt", "dd", "tr"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
# Blocks with a blank line before them even in an item, unless the item begins with them.
_PARAGRAPHS = frozenset({"p", "pre", "blockquote", "table", *_HEADINGS})
_LISTS = {"ul": Style.ITEM, "menu": Style.ITEM, "ol": Style.NUMBERED}
_INLINE = {
    **dict.fromkeys(("strong", "b"), Style.STRONG),
    **dict.fromkeys(("em", "i", "cite", "dfn", "var"), Style.EMPHASIS),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), Style.LITERAL),
    "a": Style.LINK,
}
_PRESERVED = frozenset({"pre", "textarea", "listing", "xmp"})
# A table that contains one of these is for layout, not for data.
_LAYOUT = "table, h1, h2, h3, h4, h5, h6, ul, ol, dl, pre, form, article, section, hr"
# Metadata names for the author and the date, best first.
_AUTHOR = ("author", "article:author", "dc.creator", "dcterms.creator", "citation_author")
_DATE = (
    *("article:modified_time", "datemodified", "dcterms.modified", "last-modified"),
    *("article:published_time", "datepublished", "dcterms.created", "dc.date", "dcterms.date"),
    *("date", "citation_publication_date"),
)
_OWN_ADDRESSES: Final = (
    ('link[rel="canonical"]', "href"),
    ('meta[property="og:url"]', "content"),
    ("base[href]", "href"),
)
_SITE: Final = re.compile(r"https?://[^/?#]+", re.IGNORECASE)
# The targets of links in these, to the other pages of a site, are not read.
_NAVIGATION: Final = frozenset({"nav", "footer"})
_XML_SUFFIXES = frozenset({".xhtml", ".xht"})
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)/>")
# Elements without an end tag in HTML.
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"}
    | {"track", "wbr"}
)
_WHITE = re.compile(r"[ \t\n\r\f]+")
# Attributes of a part of a label (SVG) that is a separate line.
_BEGINS_LINE = frozenset({"y", "dy"})
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DEEPEST = 2_000
# Elements that may contain a page, and the attributes of templates that browsers show.
_NESTED = frozenset({"iframe", "template"})
_SHADOW = frozenset({"shadowrootmode", "shadowroot"})
_OPENING = re.compile(r"<template(?:[^>\"']|\"[^\"]*\"|'[^']*')*>", re.IGNORECASE)
_DEEPEST_NESTED_PAGE = 10


def read(path: Path) -> Document:
    """Read a web page: its title, and its text as one page with headings.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    markup = decode_markup(read_bytes(path))
    is_xml = path.suffix.lower() in _XML_SUFFIXES
    return document_of(closed(markup) if is_xml else markup)


def closed(markup: str) -> str:
    """Convert XHTML to HTML: replace self-closing tags by pairs of tags.

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
    """Return the visible text of an HTML page, with its title, author and date."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(_tamed(markup))
    page = PageText()
    if tree.root is not None:
        _HtmlBlocks(page, _own_site(tree)).walk(tree.root)
    _, headings = page.finish()
    title_node = tree.css_first("title")
    title = real_title(title_node.text(deep=True)) if title_node is not None else ""
    if not title:
        title = next((heading.text for heading in headings if heading.level == 1), "")
    values = _meta_values(tree)
    authors = (properties(None, values[name], []).author for name in _AUTHOR if name in values)
    author = next(filter(None, authors), "")
    date = next(filter(None, (iso_date(values[name][0]) for name in _DATE if name in values)), "")
    return Document(title, (page.page(1),), author, date)


def _own_site(tree: LexborHTMLParser) -> str:
    """Return the site that a page names as its own, such as "https://example.org"; or ""."""
    for selector, name in _OWN_ADDRESSES:
        node = tree.css_first(selector)
        if node is not None and (match := _SITE.match(node.attributes.get(name) or "")):
            return match.group().lower()
    return ""


def _meta_values(tree: LexborHTMLParser) -> dict[str, list[str]]:
    """Return the contents of a page's `meta` elements by name."""
    values: dict[str, list[str]] = {}
    for node in tree.css("meta[content]"):
        attributes = node.attributes
        name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop")
        if name and (content := one_line(attributes.get("content") or "")):
            values.setdefault(name.lower(), []).append(content)
    return values


def add_markup(page: PageText, markup: str, depth: int = 0) -> None:
    """Add the visible text of markup that is inside of `depth` other pages."""
    from selectolax.lexbor import LexborHTMLParser

    root = LexborHTMLParser(_tamed(markup)).root
    if root is not None:
        _HtmlBlocks(page, depth=depth).walk(root)


class _HtmlBlocks:
    """Walks through a tree of nodes once and fills a page.

    The walk uses an explicit stack, so that a page nested thousands of tags deep does not exhaust
    Python's.
    """

    def __init__(self, page: PageText, own_site: str = "", depth: int = 0) -> None:
        self._page = page
        self._depth = depth  # of pages in one another
        self._own_site = own_site
        self._navigation = 0  # number of open elements of navigation
        self._run = _InlineRun()  # the inline text since the last block border
        self._gap = 0  # the widest gap of the borders since the last block
        self._items = 0  # number of open list items
        self._is_fresh = False  # the innermost item has no text yet
        self._preserved = 0  # number of open elements that preserve white space
        self._quotes = 0  # number of open quotations
        self._lists: list[Style] = []  # the open lists
        self._cells: list[str] | None = None  # the cells of the row being read
        self._first_row = True
        self._raised: list[int] = []  # the open raised element
        self._tables: list[bool] = []  # for each open table, whether it contains data
        self._layout_tables: set[int] = set()

    def walk(self, root: LexborNode) -> None:
        self._layout_tables = _layout_tables(root)
        stack: list[tuple[LexborNode, bool]] = [(root, False)]
        depth = 0
        while stack:
            node, is_left = stack.pop()
            if is_left:
                depth -= 1
                if self._raised and self._raised[-1] == node.mem_id:
                    self._raised.pop()
                    self._run.append(superscripts.END)
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
        """Begin an element. Return False to skip it with its contents."""
        tag = node.tag or ""
        if tag in _UNREAD:
            if tag in _NESTED:
                self._add_nested(node)
            return False
        attributes = node.attributes
        if attributes and ("hidden" in attributes or _HIDDEN.search(attributes.get("style") or "")):
            return False
        if attributes and _is_page_number(node, attributes):
            return False
        if not self._raised and _is_raised(tag, attributes):
            self._raised.append(node.mem_id)
            self._run.append(superscripts.BEGIN)
        if tag == "br" or (tag == "tspan" and _BEGINS_LINE & attributes.keys()):
            self._run.append("\n")
        elif tag == "img":
            # The alternative text of a picture, unless it is a file name.
            if alt := real_title(attributes.get("alt")):
                self._run.append(f" {alt} ")
        elif tag == "table":
            self._flush()
            is_data = (attributes.get("role") or "") not in {"presentation", "none"}
            self._tables.append(is_data and node.mem_id not in self._layout_tables)
            self._first_row = True
        elif tag == "tr" and self._tables and self._tables[-1]:
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
            # Code in a preformatted block needs no style.
            is_plain = (tag == "a" and "href" not in attributes) or (
                self._preserved and _INLINE[tag] is Style.LITERAL
            )
            self._run.begin(None if is_plain else _INLINE[tag])
            if tag == "a":
                self._note_target(attributes.get("href"))
        elif tag in _NAVIGATION:
            self._navigation += 1
        return True

    def _add_nested(self, node: LexborNode) -> None:
        """Add the page in a frame, or in the template of an element's shown content."""
        attributes = node.attributes
        markup = attributes.get("srcdoc") or ""
        if node.tag == "template" and _SHADOW & attributes.keys():
            # The parser gives no access to the children of a template.
            markup = _OPENING.sub("", node.html or "", count=1)
        if not markup or self._depth == _DEEPEST_NESTED_PAGE:
            return
        self._flush()
        page = self._page if self._cells is None else PageText()
        add_markup(page, markup, self._depth + 1)
        if page is not self._page:
            self._run.append(page.finish()[0])
        self._gap = 2

    def _note_target(self, href: str | None) -> None:
        """Note the target of a link, unless it leads to another page of the same site."""
        site = _SITE.match(href or "")
        is_own = site is not None and site.group().lower() == self._own_site
        if not is_own and not self._navigation:
            self._page.link(href, is_absolute=True)

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
                self._run.append(f" {heading} ")
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
        elif tag in _NAVIGATION:
            self._navigation -= 1

    def _styles(self) -> list[tuple[Style, int]]:
        """Return the styles of the current block."""
        styles = [(self._lists[-1], len(self._lists))] if self._lists and self._items else []
        if self._quotes:
            styles.append((Style.QUOTE, self._quotes))
        return [*styles, (Style.CODE, 0)] if self._preserved else styles

    def _text(self, text: str) -> None:
        self._run.append(text if self._preserved else _WHITE.sub(" ", text))

    def _flush(self) -> None:
        """End the current block: it becomes a paragraph, or a part of the current cell."""
        if self._cells is not None:
            self._run.append(" ")
            return
        block, within = self._run.take(is_preserved=self._preserved > 0)
        if block.strip():
            self._page.add(block, gap=self._gap or 2, styles=self._styles(), within=within)
            self._gap = 0
            self._is_fresh = False


def _is_page_number(node: LexborNode, attributes: dict[str, str | None]) -> bool:
    """Return whether an element has the number of a printed page, which may split a word."""
    kinds = f"{attributes.get('epub:type') or ''} {attributes.get('role') or ''}".split()
    is_break = not _PAGE_BREAKS.isdisjoint(kinds)
    return is_break and len(node.text(deep=True)) <= _LONGEST_PAGE_NUMBER


def _is_raised(tag: str, attributes: dict[str, str | None]) -> bool:
    """Return whether an element is a raised run, such as a note's mark."""
    if tag == "sup":
        return True
    if tag not in _RUNS or not attributes:
        return False
    return _RAISED_STYLE.search(attributes.get("style") or "") is not None or any(
        _RAISED_CLASS.search(attributes.get(name) or "") for name in _RAISED_ATTRIBUTES
    )


def _layout_tables(root: LexborNode) -> set[int]:
    """Return the ids of the tables for layout: those that contain an element of `_LAYOUT`."""
    tables: set[int] = set()
    if root.css_first("table") is None:
        return tables
    seen: set[int] = set()
    for table in root.css(_LAYOUT):
        node = table.parent
        while node is not None and node.mem_id not in seen:
            seen.add(node.mem_id)
            if node.tag == "table":
                tables.add(node.mem_id)
            node = node.parent
    return tables


_PAGES = frozenset({"text/html", "application/xhtml+xml"})


def read_saved(path: Path) -> Document:
    """Read the root page of a saved web page, without its other parts.

    Raises:
        DocumentError: It cannot be read, is too large, or contains no web page.
    """
    return saved_document(read_bytes(path))


def saved_document(data: bytes) -> Document:
    """Return the root page in the bytes of a saved web page.

    Raises:
        DocumentError: It contains no web page, or is not text.
    """
    message = message_from_bytes(data)
    root = _root(message)
    if root is None:
        if b"<html" in data[:10_000].lower():
            return document_of(decode_markup(data))  # HTML with the wrong suffix
        raise DocumentError("No web page found")
    payload = root.get_payload(decode=True)
    body = payload if isinstance(payload, bytes) else b""
    charset = root.get_content_charset()
    document = document_of((decode_as(body, charset) if charset else None) or decode_markup(body))
    title = document.title or real_title(_words(message["Subject"]))
    return replace(document, title=title, date=document.date or iso_date(_words(message["Date"])))


def _root(message: Message) -> Message | None:
    """Return the part that the message names as its root, or else the first HTML part."""
    pages = [part for part in message.walk() if part.get_content_type() in _PAGES]
    start = message.get_param("start")
    named = (part for part in pages if start and part["Content-ID"] == start)
    return next(named, pages[0] if pages else None)


def _words(header: object) -> str:
    """Decode a header."""
    raw = "" if header is None else str(header)
    try:
        pieces = decode_header(raw)
    except MessageError:
        return raw  # an invalid encoding
    return "".join(
        piece
        if isinstance(piece, str)
        else decode_as(piece, charset or "utf-8") or piece.decode("utf-8", errors="replace")
        for piece, charset in pieces
    )


# Runs of spaces become one; spaces at line ends are removed.
_SPACES = re.compile(r" *\n *| {2,}")


class _InlineRun:
    """Collects the inline text and styles between two block borders.

    >>> run = _InlineRun()
    >>> run.append("Crows are ")
    >>> run.begin(Style.STRONG)
    >>> run.append(" very ")
    >>> run.end()
    >>> run.append("clever.")
    >>> text, spans = run.take()
    >>> text, spans == [StyledSpan(10, 15, Style.STRONG)]
    ('Crows are very clever.', True)
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._opened: list[Style | None] = []
        # Start of each active style; few, however many are opened and never closed.
        self._starts: dict[Style, int] = {}
        self._within: list[StyledSpan] = []

    def append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def begin(self, style: Style | None) -> None:
        """Begin a style, until the matching `end`; None for no change."""
        if style in self._starts:  # already active
            style = None
        elif style is not None:
            self._starts[style] = self._length
        self._opened.append(style)

    def end(self) -> None:
        style = self._opened.pop()
        if style is not None:
            self._note(style, self._starts.pop(style))

    def take(self, *, is_preserved: bool = False) -> tuple[str, list[StyledSpan]]:
        """Return the text and its styles, and reset. Open styles stay open.

        Runs of spaces become one, unless white space `is_preserved`.
        """
        for style, start in self._starts.items():
            self._note(style, start)
        text, within = "".join(self._pieces), self._within
        self._pieces, self._within, self._length = [], [], 0
        self._starts = dict.fromkeys(self._starts, 0)
        return (text, within) if is_preserved else _collapsed(text, within)

    def _note(self, style: Style, start: int) -> None:
        if start < self._length:
            self._within.append(StyledSpan(start, self._length, style))


def _collapsed(text: str, within: list[StyledSpan]) -> tuple[str, list[StyledSpan]]:
    if not within or _SPACES.search(text) is None:
        return _SPACES.sub(_replacement, text), within
    pieces: list[str] = []
    sources: list[int] = []
    done = 0
    for match in _SPACES.finditer(text):
        pieces += (text[done : match.start()], _replacement(match))
        sources += (*range(done, match.start()), match.start())
        done = match.end()
    pieces.append(text[done:])
    sources += range(done, len(text))
    moved = [
        StyledSpan(bisect_left(sources, span.start), bisect_left(sources, span.end), span.style)
        for span in within
    ]
    return "".join(pieces), moved


def _replacement(match: re.Match[str]) -> str:
    return "\n" if "\n" in match.group() else " "


# The parser searches all open elements at most tags, and all attributes at each attribute. Smaller
# pages are passed to it unchanged.
_MANY_TAGS: Final = 4_000
_LONG_TAG: Final = re.compile(r"<[A-Za-z][^>]{8000}")
# Browsers stop at 512.
_DEEPEST_NESTED: Final = 400
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
# Elements that are never nested, or empty.
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
_LINE_NAMES: Final = {"li": {"li"}, "dd": {"dd", "dt"}, "dt": {"dd", "dt"}}
_WALLS: Final = frozenset({"template", "svg", "math"})
_SCOPES: Final = frozenset({*_CELLS, *_WALLS, "table", "caption", "applet", "object", "marquee"})
# An end tag of these closes an element only through inline elements.
_PLAIN_NAMES: Final = (
    "span label abbr acronym cite dfn del ins kbd q samp sub sup var bdo bdi mark time data output"
    " ruby rb rt rtc rp"
)
_PLAIN: Final = frozenset(_PLAIN_NAMES.split())
_INLINE_NAMES: Final = _FORMATTING | _PLAIN


def _tamed(markup: str) -> str:
    """Drop tags that are nested too deep from HTML, but keep their text.

    >>> _tamed("<p>as it was") == "<p>as it was"
    True
    >>> len(_tamed("<div>" * 50_000)) < 60_000
    True
    """
    if markup.count("<") < _MANY_TAGS and _LONG_TAG.search(markup) is None:
        return markup
    return _PIECE.sub(_Taming(), markup)


class _Taming:
    """Tracks open elements, approximately as a parser does, and drops tags that are too deep.

    In doubt an element counts as open: this may drop too many tags, never too few.
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
                return _replacement_for(name)
            return match.group() if self._close(name) else _replacement_for(name)
        if name not in _UNCOUNTED and not self._begin(name):
            self._dropped[name] = self._dropped.get(name, 0) + 1
            return _replacement_for(name)
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
        elif name in _LINE_NAMES:
            self._pop_to(_LINE_NAMES[name], through=_INLINE_NAMES | {"div", "address"})
        if len(self._open) >= _DEEPEST_NESTED:
            return False
        self._open.append(name)
        self._counts[name] += 1
        return True

    def _close(self, name: str) -> bool:
        """Close an element. Return whether there was one."""
        if not self._counts[name]:
            return False
        if name in _FORMATTING:
            for index in range(len(self._open) - 1, -1, -1):
                if self._open[index] == name:
                    del self._open[index]
                    self._counts[name] -= 1
                    return True
                if self._open[index] in _SCOPES:
                    return False
            return False
        if name == "table":
            return self._pop_to({name}, within=_WALLS)
        if name in _CELLS or name in _ROWS:
            return self._pop_to({name}, within=_WALLS | {"table"})
        if name in _PLAIN:
            return self._pop_to({name}, through=_INLINE_NAMES)
        return self._pop_to({name}, within=_SCOPES)

    def _pop_to(
        self, names: Set[str], *, within: Set[str] = frozenset(), through: Set[str] | None = None
    ) -> bool:
        """Close the innermost of `names` with its contents, unless one of `within` is inside.

        With `through`, only those may be inside.
        """
        for index in range(len(self._open) - 1, -1, -1):
            element = self._open[index]
            if element in names:
                self._cut(index)
                return True
            if element in within or (through is not None and element not in through):
                return False
        return False

    def _cut(self, index: int) -> None:
        self._counts.subtract(self._open[index:])
        del self._open[index:]

    def _pop_below(self, name: str) -> None:
        for index in range(len(self._open) - 1, -1, -1):
            if self._open[index] == name:
                self._cut(index + 1)
                return
            if self._open[index] in _WALLS:
                return


def _replacement_for(name: str) -> str:
    """Return the replacement of a dropped tag: blocks stay separated."""
    return "" if name in _INLINE_NAMES else " "
