"""AsciiDoc: the rendered text, without included files."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from textwrap import dedent

from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.metadata import iso_date, real_title
from core.documents.text_formats.delimited import comma_rows
from core.documents.text_formats.html import add_markup
from core.documents.text_formats.plain import LONGEST_PARSED, LineBlocks, Rule, plain_document

_TITLE = re.compile(r"(={1,6}|#{1,6}) +(\S(?:.*?\S)??)(?: +\1)?")
_UNDERLINES = "=-~^+"  # of two-line titles, outermost first
_ATTRIBUTE = re.compile(r":!?([\w-]+)!?:(?: +(.*))?")
# Comments, conditions and includes.
_UNREAD = re.compile(r"//(?!/).*|(?:ifdef|ifndef|ifeval|endif|include)::[^\s\[]*\[.*\]")
_BLOCK_MACRO = re.compile(r"([a-z]\w*)::([^\s\[]*)\[(.*)\]")
_BLOCK_ATTRIBUTES = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]|\[\[[^\]]*\]\]")
_BLOCK_TITLE = re.compile(r"\.([^\s.].*)")
_VERBATIM = re.compile(r"-{4,}|\.{4,}|`{3,}\w*|\+{4,}|/{4,}")
_COMPOUND = re.compile(r"={4,}|\*{4,}|_{4,}|--")
_BREAK = re.compile(r"'{3,}|<{3}|-{3}|\*{3}|\+")
_ITEM = re.compile(r" *(?:\*{1,6}|-|\.{1,6}|\d+\.|[A-Za-z]\.|<[\d.]+>|•) +(\S.*)")
_TERM = re.compile(r" *(\S.*?)(?:::{1,3}|;;)(?: +(.*))?")
_ANY = re.compile(r".+")
_CHECK = re.compile(r"\[[ x*]\] ")
# Up to four words, and an address.
_AUTHOR = re.compile(r"((?:\w[\w.'’-]*)(?: \w[\w.'’-]*){0,3})(?: <[^<>]*(?:\[[^\]]*\])?>)?")
_REVISION = re.compile(r"v?\d[\w.]*(?:, ?[^:]+)?(?::.*)?|v?[\w.]+, ?[^:]*\d{4}[^:]*(?::.*)?")


def read(path: Path) -> Document:
    """Read a file of AsciiDoc as one page with headings.

    Title, author and date come from the header; without one, the title is the first heading.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path))
    if len(source) > LONGEST_PARSED:
        return plain_document(source)
    blocks = _AsciiDocBlocks([line.rstrip() for line in source.expandtabs(4).splitlines()])
    blocks.header()
    blocks.body()
    text, headings = blocks.page.finish()
    attributes = blocks.attributes
    title = real_title(attributes.get("title") or attributes.get("doctitle"))
    title = title or (headings[0].text if headings else "")
    author = blocks.author or attributes.get("author") or attributes.get("authors")
    date = blocks.date or iso_date(attributes.get("revdate") or attributes.get("date"))
    return Document(title, (Page(1, text, headings),), author, date)


class _AsciiDocBlocks(LineBlocks):
    """Parses the lines of a file, and records its attributes, author and date."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines)
        self.attributes = _Attributes()
        self.author = ""
        self.date = ""
        self._bracketed = ""  # the attributes in brackets above the next block
        self._silent: tuple[Rule, ...] = (
            (_UNREAD, lambda _: True),
            (_ATTRIBUTE, self._attribute),
        )
        self._rules = (
            *self._silent,
            (_BLOCK_ATTRIBUTES, self._block_attributes),
            (_TITLE, self._title),
            (_ANY, self._underlined_title),
            (_VERBATIM, self._verbatim),
            (_BORDER, self._table),
            (_BREAK, self._border),
            (_COMPOUND, self._border),
            (_ITEM, self._item),
            (_TERM, self._term),
            (_BLOCK_TITLE, self._block_title),
            (_BLOCK_MACRO, self._macro),
            (_ANY, self._literal),
        )

    def header(self) -> None:
        """Read the title, and the lines below it with the authors and the date."""
        if not self._next_content_line().startswith("= ") or not self._takes(
            [(_TITLE, self._title)]
        ):
            return
        line = self._next_content_line()
        names = [_AUTHOR.fullmatch(part.strip()) for part in line.split(";")]
        if not line or not all(names):
            return
        self.author = "; ".join(name[1].replace("_", " ") for name in names if name)
        self.page.add(self.author)
        self._at += 1
        line = self._next_content_line()
        if line and _REVISION.fullmatch(line):
            self.date = iso_date(line)
            self.page.add(line, gap=1)
            self._at += 1

    @property
    def _line(self) -> str:
        return self._lines[self._at] if self._at < len(self._lines) else ""

    def _next_content_line(self) -> str:
        while self._line and self._takes(self._silent):
            pass
        return self._line

    def _attribute(self, match: re.Match[str]) -> bool:
        if self._run:
            return False
        value = match[2] or ""
        while value.endswith("\\") and self._line:
            value = f"{value[:-1].rstrip()} {self._line.strip()}"
            self._at += 1
        self.attributes.set(match[1], value)
        return True

    def _block_attributes(self, match: re.Match[str]) -> bool:
        self._flush()
        self._bracketed += match[0]
        return True

    def _title(self, match: re.Match[str]) -> bool:
        self._add_title(len(match[1]), match[2])
        return True

    def _underlined_title(self, match: re.Match[str]) -> bool:
        line, under = match[0], self._line
        is_title = (
            not self._run
            and len(under) > 2
            and under[0] in _UNDERLINES
            and under == under[0] * len(under)
            and abs(len(under) - len(line)) < 3
            and line[0].isalnum()
        )
        if is_title:
            self._at += 1
            self._add_title(_UNDERLINES.index(under[0]) + 1, line)
        return is_title

    def _add_title(self, level: int, title: str) -> None:
        self._flush()
        if "[discrete" not in self._bracketed and "[float" not in self._bracketed:
            self.page.heading(level, self._inline(title))
        else:
            self.page.add(self._inline(title))
        self._forget()

    def _verbatim(self, match: re.Match[str]) -> bool:
        line = match[0]
        border = line if line[0] != "`" else "`" * (len(line) - len(line.lstrip("`")))
        content = self._until(border)
        if line[0] == "+" and "stem" not in self._bracketed and "math" not in self._bracketed:
            add_markup(self.page, "\n".join(content))
        elif line[0] != "/":
            self.page.add("\n".join(content))
        self._forget()
        return True

    def _table(self, match: re.Match[str]) -> bool:
        bracketed = self._bracketed  # `_until` resets it
        content = [self.attributes.replace(each) for each in self._until(match[0])]
        for index, row in enumerate(_table_rows(match[0], bracketed, content)):
            self.page.row([_unmarked(cell, self.page.link) for cell in row], first=index == 0)
        self._forget()
        return True

    def _until(self, border: str) -> list[str]:
        """Move past the block whose first border was read. Return its lines."""
        self._flush()
        start = end = self._at
        while end < len(self._lines) and self._lines[end] != border:
            end += 1
        self._at = end + 1
        return self._lines[start:end]

    def _border(self, _match: re.Match[str]) -> bool:
        """Skip lines between blocks, and borders of blocks that contain other blocks."""
        self._flush()
        return True

    def _item(self, match: re.Match[str]) -> bool:
        if self._run and not self._is_item:
            return False
        self._begin_item(_CHECK.sub("", match[1]))
        return True

    def _term(self, match: re.Match[str]) -> bool:
        if self._run and not self._is_item:
            return False
        self._begin_item(f"{match[1]}: {match[2]}" if match[2] else f"{match[1]} +")
        return True

    def _block_title(self, match: re.Match[str]) -> bool:
        if self._run:
            return False
        self.page.add(self._inline(match[1]))
        self._was_item = False
        return True

    def _macro(self, match: re.Match[str]) -> bool:
        self._flush()
        if match[1] == "image":
            words = self.attributes.replace(match[3])
            self.page.add(_macro("image", match[2], words, self.page.link))
        self._forget()
        return True

    def _literal(self, match: re.Match[str]) -> bool:
        """Add a literal paragraph: one that is indented, or marked as code."""
        is_code = self._bracketed.startswith(("[source", "[listing", "[literal", "[,"))
        if self._run or self._was_item or not (is_code or match[0].startswith(" ")):
            return False
        start = self._at - 1
        while self._line:
            self._at += 1
        self.page.add(dedent("\n".join(self._lines[start : self._at])))
        self._forget()
        return True

    def _paragraph(self) -> str:
        is_verse = self._bracketed.startswith("[verse") or "%hardbreaks" in self._bracketed
        text = ("\n" if is_verse else " ").join(self._run)
        self._bracketed = ""
        return self._inline(re.sub(r" \+(?: |$)", "\n", text))

    def _forget(self) -> None:
        self._bracketed = ""
        self._was_item = False

    def _inline(self, text: str) -> str:
        return _unmarked(self.attributes.replace(text), self.page.link)


# Attributes may refer to others; without a limit, a few lines could expand to gigabytes.
_LONGEST_VALUE = 1_000
_MOST_REPLACED = 1_000_000
_BUILT_IN = {
    "empty": "", "sp": " ", "nbsp": " ", "zwsp": "", "wj": "", "apos": "'", "quot": '"',
    "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "deg": "°", "plus": "+",
    "brvbar": "¦", "vbar": "|", "amp": "&", "lt": "<", "gt": ">", "startsb": "[", "endsb": "]",
    "caret": "^", "asterisk": "*", "tilde": "~", "backslash": "\\", "backtick": "`",
    "two-colons": "::", "two-semicolons": ";;", "cpp": "C++", "pp": "++",
}  # fmt: skip
_ATTRIBUTE_NAME = re.compile(r"(?<!\\)\{([A-Za-z0-9_][\w-]*)\}")
# Marks whose end differs from their start have a bounded length: many unclosed marks would
# otherwise take quadratic time.
_MARK = re.compile(
    r"\\(?P<escaped>[*_`#^~{\[<:+])"
    r"|\+\+\+(?P<raw>[^+]*)\+\+\+|\+\+(?P<raw2>[^+]+)\+\+"
    r"|(?<![\w+])\+(?P<raw1>(?=\S)[^+]+(?<=\S))\+(?![\w+])"
    r"|(?P<macro>\b[a-z][a-z0-9]{0,19}):(?!:)(?P<target>[^\s\[\]]{0,999})\["
    r"(?P<words>(?:[^\[\]\\]|\\.)*)\]"
    r"|\{[\w-]{1,99}\}[^\s\[\]]{0,299}\[(?P<linked>[^\[\]]+)\]"
    r"|<<(?P<reference>[^<>]+)>>"
    r"|\[\[\[(?P<citation>[^\[\],]+)[^\[\]]*\]\]\]|\[\[(?P<anchor>[^\[\]]*)\]\]"
    r"|\(\(\((?P<hidden>[^()]*)\)\)\)|\(\((?P<term>[^()]*)\)\)"
    r"|[\"']`(?P<quoted>[^`]+)`[\"']"
    r"|``(?P<code2>[^`]+)``|(?<![\w`])`(?P<code>(?=\S)[^`]+(?<=\S))`(?![\w`])"
    r"|(?:\[[^\[\]]*\])?(?:"
    r"\*\*(?P<strong2>[^*]+)\*\*|(?<![\w*])\*(?P<strong>(?=\S)[^*]+(?<=\S))\*(?![\w*])"
    r"|__(?P<emphasis2>[^_]+)__|(?<![\w_])_(?P<emphasis>(?=\S)[^_]+(?<=\S))_(?![\w_])"
    r"|##(?P<marked2>[^#]+)##|(?<![\w#&])#(?P<marked>(?=\S)[^#]+(?<=\S))#(?![\w#])"
    r"|\^(?P<above>[^\s^]+)\^|~(?P<below>[^\s~]+)~)",
    re.DOTALL,
)
_NESTED = frozenset({"strong", "strong2", "emphasis", "emphasis2", "marked", "marked2", "quoted"})
_REMOVED = frozenset({"anchor", "hidden"})
_NAMED = re.compile(r",\s*[\w-]+=.*|^[\w-]+=.*|,.*(?<=\d)$", re.DOTALL)
_LINKS = frozenset({"http", "https", "ftp", "irc", "link", "mailto", "file"})
_LINKED = re.compile(r"\blink=(?:\"([^\"]*)\"|([^,\s]*))")
_UNREAD_MACROS = frozenset({"icon", "indexterm", "anchor", "video", "audio", "toc"})
_DEEPEST = 8


class _Attributes:
    """The attributes of a document, and their substitution in text."""

    def __init__(self) -> None:
        self._values = dict(_BUILT_IN)
        self._left = _MOST_REPLACED

    def set(self, name: str, value: str) -> None:
        self._values[name.lower()] = self.replace(value)

    def get(self, name: str) -> str:
        return self._values.get(name, "")

    def replace(self, text: str) -> str:
        """Substitute the names in braces by their values. Unknown names stay."""

        def value(match: re.Match[str]) -> str:
            value = self._values.get(match[1].lower(), match[0])
            if len(value) > self._left:
                return match[0]
            self._left -= len(value)
            return value

        return _ATTRIBUTE_NAME.sub(value, text)


def _unmarked(text: str, link: Callable[[str], None], depth: int = 0) -> str:
    r"""Return inline text without markup; `link` takes the target of each link.

    >>> targets = []
    >>> text = "*Bold _word_*, `*code*`, https://x.y[a site], <<id,text>> and \\*."
    >>> _unmarked(text, targets.append), targets
    ('Bold word, *code*, a site, text and *.', ['https://x.y'])
    """

    def unmarked(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        text = match[kind] if kind else ""
        if match["macro"]:
            words = match["words"].replace("\\]", "]")
            return _macro(match["macro"], match["target"], words, link)
        if kind in _REMOVED:
            return ""
        if kind == "reference":
            target, _, words = text.partition(",")
            _note_document(target, link)
            return words.strip() or target.lstrip("#")
        if kind == "linked":
            return _caption(text)
        if kind == "citation":
            return f"[{text}]"
        return _unmarked(text, link, depth + 1) if kind in _NESTED and depth < _DEEPEST else text

    return _MARK.sub(unmarked, text)


def _macro(name: str, target: str, words: str, link: Callable[[str], None]) -> str:
    if name in _UNREAD_MACROS:
        return ""
    if name in {"footnote", "footnoteref"}:
        return f" ({_unmarked(words, link, _DEEPEST)})"
    if name == "menu":
        return " > ".join(filter(None, [target, words]))
    if name in {"kbd", "btn", "stem", "latexmath", "asciimath", "pass"} or not name:
        return words
    shown = _caption(words)
    if name == "image":
        if linked := _LINKED.search(words):
            link(linked[1] or linked[2])
        return shown
    if name == "xref":
        _note_document(target, link)
        return shown or target
    if name in _LINKS:
        where = target if name in {"link", "mailto"} else f"{name}:{target}"
        link(where)
        return shown or where
    return f"{name}:{target}[{words}]"


def _note_document(target: str, link: Callable[[str], None]) -> None:
    """Note the target of a cross-reference to another document, which has a suffix."""
    path = target.partition("#")[0]
    if "." in path:
        link(path)


def _caption(words: str) -> str:
    """Return the visible text in a macro's brackets: the first unnamed attribute.

    >>> _caption('A crow, width=200'), _caption('"One, two",role=x'), _caption("width=3")
    ('A crow', 'One, two', '')
    """
    words = words[:_LONGEST_VALUE].strip()
    if words.startswith('"') and (end := words.find('"', 1)) > 0:
        return words[1:end]
    return _NAMED.sub("", words).strip().rstrip("^")


_BORDER = re.compile(r"[|,:!]={3,}")
_NESTED_BORDER = re.compile(r"!={3,}")
# Span, repetition, alignment and style of a cell, directly before its bar.
_BARS = {
    bar: re.compile(
        r"(?:(?<=\s)|^)(?:(?:\d+(?:\.\d+)?|\.\d+)[+*])?[<^>]?(?:\.[<^>])?[aehlmsdv]?"
        rf"(?<!\\){re.escape(bar)}|(?<!\\){re.escape(bar)}"
    )
    for bar in "|!"
}
_COLUMNS = re.compile(r"\bcols=(?:\"([^\"]*)\"|'([^']*)'|([^,\]]+))")
_REPEATED = re.compile(r"\s*(\d+)\*")
_MOST_COLUMNS = 1_000


def _table_rows(border: str, attributes: str, lines: Sequence[str]) -> list[list[str]]:
    """Return the rows of a table between two borders.

    >>> _table_rows("|===", '[cols="2*"]', ["|a", "|b", "2+|c", "|d |e"])
    [['a', 'b'], ['c', 'd'], ['e']]
    >>> _table_rows("|===", "", ["|a |b", "|c", "more |d"])
    [['a', 'b'], ['c more', 'd']]
    >>> _table_rows("|===", "", ["|a", "a|", "!===", "!b !c", "!===", "|d"])
    [['a'], ['b c'], ['d']]
    """
    unquoted = attributes.replace('"', "").replace("'", "")
    if border[0] in {",", ":"} or "format=csv" in unquoted or "format=dsv" in unquoted:
        by_colon = border[0] == ":" or "format=dsv" in unquoted
        return comma_rows(lines, ":" if by_colon else ",")
    bar = "!" if border[0] == "!" else "|"
    width = _table_width(attributes)
    rows: list[list[str]] = []
    for line in lines if bar == "!" else _without_nested(lines):
        before, *cells = _BARS[bar].split(line)
        if not cells or before.strip():
            # Continues the cell above.
            if rows and before.strip():
                rows[-1][-1] = f"{rows[-1][-1]} {before.strip()}".strip()
            elif before.strip():
                rows.append([before.strip()])
        if cells:
            new = [cell.strip().replace(f"\\{bar}", bar) for cell in cells]
            if rows and before.strip():
                rows[-1] += new
            else:
                rows.append(new)
    if not width:
        return rows
    flat = [cell for row in rows for cell in row]
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def _without_nested(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a table, with nested tables as text of their cells."""
    is_nested = False
    for line in lines:
        if _NESTED_BORDER.fullmatch(line.rstrip()):
            is_nested = not is_nested
        elif is_nested:
            yield " ".join(cell.strip() for cell in _BARS["!"].split(line)).strip()
        else:
            yield line


def _table_width(attributes: str) -> int:
    """Return the declared number of columns; 0 if there is none."""
    match = _COLUMNS.search(attributes)
    if not match:
        return 0
    width = 0
    for column in re.split(r"[,;]", match[1] or match[2] or match[3] or ""):
        repeated = _REPEATED.match(column)
        width += min(int(repeated[1]), _MOST_COLUMNS) if repeated else 1
    return min(width, _MOST_COLUMNS)
