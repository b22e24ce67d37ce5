"""Web pages, also those saved in one file: what a person reads of them, without scripts.

Nothing is loaded, and a page nested beyond all use is cut down before it is parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Set
from dataclasses import replace
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.documents.decoding import decode_as, decode_markup
from core.documents.document import Document, Style, StyledSpan
from core.documents.files import read_bytes
from core.documents.metadata import iso_date, properties, real_title
from core.documents.text import PageText, one_line
from core.errors import DocumentError

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

    tree = LexborHTMLParser(_tamed(markup))
    page = PageText()
    if tree.root is not None:
        _HtmlBlocks(page).walk(tree.root)
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
    from selectolax.lexbor import LexborHTMLParser

    root = LexborHTMLParser(_tamed(markup)).root
    if root is not None:
        _HtmlBlocks(page).walk(root)


class _HtmlBlocks:
    """Goes through a tree of nodes once and fills a page.

    The walk keeps its own stack, so that a page nested thousands of tags deep cannot exhaust
    Python's.
    """

    def __init__(self, page: PageText) -> None:
        self._page = page
        self._run = _InlineRun()  # the inline text since the last block border
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


_PAGES = frozenset({"text/html", "application/xhtml+xml"})


def read_saved(path: Path) -> Document:
    """Read a saved web page: the text of its root, nothing of the parts beside it.

    Raises:
        DocumentError: It cannot be read, is too large, or holds no web page.
    """
    data = read_bytes(path)
    message = message_from_bytes(data)
    root = _root(message)
    if root is None:
        if b"<html" in data[:10_000].lower():
            return document_of(decode_markup(data))  # a page under another name
        raise DocumentError("holds no web page")
    payload = root.get_payload(decode=True)
    body = payload if isinstance(payload, bytes) else b""
    charset = root.get_content_charset()
    document = document_of((decode_as(body, charset) if charset else None) or decode_markup(body))
    title = document.title or real_title(_words(message["Subject"]))
    return replace(document, title=title, date=document.date or iso_date(_words(message["Date"])))


def _root(message: Message) -> Message | None:
    """Return the part that the message names as its root, or else the first that is a page."""
    pages = [part for part in message.walk() if part.get_content_type() in _PAGES]
    start = message.get_param("start")
    named = (part for part in pages if start and part["Content-ID"] == start)
    return next(named, pages[0] if pages else None)


def _words(header: object) -> str:
    """Return a header as a person reads it."""
    raw = "" if header is None else str(header)
    try:
        return str(make_header(decode_header(raw)))
    except (MessageError, LookupError, ValueError):
        return raw  # not encoded by the rules: as it stands


# One space for many, and none beside a line end.
_SPACES = re.compile(r" *\n *| {2,}")


class _InlineRun:
    """Gathers pieces of text between two borders of blocks.

    >>> run = _InlineRun()
    >>> run.say("Crows are ")
    >>> run.begin(Style.STRONG)
    >>> run.say(" very ")
    >>> run.end()
    >>> run.say("clever.")
    >>> text, spans = run.take()
    >>> text, spans == [StyledSpan(10, 15, Style.STRONG)]
    ('Crows are very clever.', True)
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._opened: list[Style | None] = []
        # Where each style that holds has begun: few, however many were opened and never end.
        self._begun: dict[Style, int] = {}
        self._within: list[StyledSpan] = []

    def say(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def begin(self, style: Style | None) -> None:
        """Give what follows a style, until the `end` that belongs to this; None: as before."""
        if style in self._begun:  # what is strong is not so twice
            style = None
        elif style is not None:
            self._begun[style] = self._length
        self._opened.append(style)

    def end(self) -> None:
        style = self._opened.pop()
        if style is not None:
            self._note(style, self._begun.pop(style))

    def take(self, *, is_preserved: bool = False) -> tuple[str, list[StyledSpan]]:
        """Return the text and the styles of parts of it, and begin anew; what is open stays so.

        Runs of spaces become one, unless the text `is_preserved` as it is.
        """
        for style, start in self._begun.items():
            self._note(style, start)
        text, within = "".join(self._pieces), self._within
        self._pieces, self._within, self._length = [], [], 0
        self._begun = dict.fromkeys(self._begun, 0)
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


# A parser looks through all open elements at most tags, and through all attributes at each: what
# is short and honest needs no look from us.
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
_LINE_NAMES: Final = {"li": {"li"}, "dd": {"dd", "dt"}, "dt": {"dd", "dt"}}
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
_INLINE_NAMES: Final = _FORMATTING | _PLAIN


def _tamed(markup: str) -> str:
    """Return HTML without what is nested beyond any page's depth, and its text all the same.

    >>> _tamed("<p>as it was") == "<p>as it was"
    True
    >>> len(_tamed("<div>" * 50_000)) < 60_000
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
        elif name in _LINE_NAMES:
            self._pop_to(_LINE_NAMES[name], through=_INLINE_NAMES | {"div", "address"})
        if len(self._open) >= _DEEPEST_NESTED:
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
            return self._pop_to({name}, through=_INLINE_NAMES)
        return self._pop_to({name}, within=_SCOPES)

    def _pop_to(
        self, names: Set[str], *, within: Set[str] = frozenset(), through: Set[str] | None = None
    ) -> bool:
        """Close the innermost of `names` with all in it, unless one of `within` lies between.

        With `through` only those may.
        """
        for place in range(len(self._open) - 1, -1, -1):
            element = self._open[place]
            if element in names:
                self._cut(place)
                return True
            if element in within or (through is not None and element not in through):
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
    return "" if name in _INLINE_NAMES else " "
