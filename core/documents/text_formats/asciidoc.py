"""AsciiDoc: the text as a person reads it once it is set, nothing included."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

from core.documents.dates import iso_date
from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.text import PageText
from core.documents.text_formats import asciidoc_tables
from core.documents.text_formats.asciidoc_inline import Attributes, caption, inline
from core.documents.text_formats.html import add_markup
from core.documents.text_formats.plain import LONGEST_PARSED, as_it_stands
from core.documents.titles import real_title

_TITLE = re.compile(r"(={1,6}|#{1,6}) +(\S(?:.*?\S)??)(?: +\1)?")
_UNDERLINES = "=-~^+"  # of titles on two lines, outermost first
_ATTRIBUTE = re.compile(r":!?([\w-]+)!?:(?: +(.*))?")
_DIRECTIVE = re.compile(r"(?:ifdef|ifndef|ifeval|endif|include)::[^\s\[]*\[.*\]")
_BLOCK_MACRO = re.compile(r"([a-z]\w*)::([^\s\[]*)\[(.*)\]")
_BLOCK_ATTRIBUTES = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]|\[\[[^\]]*\]\]")
_BLOCK_TITLE = re.compile(r"\.([^\s.].*)")
_VERBATIM = re.compile(r"-{4,}|\.{4,}|`{3,}\w*|\+{4,}|/{4,}")
_COMPOUND = re.compile(r"={4,}|\*{4,}|_{4,}|--")
_BREAK = re.compile(r"'{3,}|<{3}|-{3}|\*{3}|\+")
_ITEM = re.compile(r" *(?:\*{1,6}|-|\.{1,6}|\d+\.|[A-Za-z]\.|<[\d.]+>|•) +(\S.*)")
_TERM = re.compile(r" *(\S.*?)(?:::{1,3}|;;)(?: +(.*))?")
_CHECK = re.compile(r"\[[ x*]\] ")
# Up to three words, and where to reach the person.
_AUTHOR = re.compile(r"((?:\w[\w.'’-]*)(?: \w[\w.'’-]*){0,3})(?: <[^<>]*(?:\[[^\]]*\])?>)?")
_REVISION = re.compile(r"v?\d[\w.]*(?:, ?[^:]+)?(?::.*)?|v?[\w.]+, ?[^:]*\d{4}[^:]*(?::.*)?")


def read(path: Path) -> Document:
    """Read a file of AsciiDoc as one page with headings.

    Title, author and date are those of the header; without one the title is the first heading.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path))
    if len(source) > LONGEST_PARSED:
        return as_it_stands(source)
    walk = _Walk([line.rstrip() for line in source.expandtabs(4).splitlines()])
    walk.header()
    walk.body()
    text, headings = walk.page.finish()
    attributes = walk.attributes
    title = real_title(attributes.get("title") or attributes.get("doctitle"))
    title = title or (headings[0].text if headings else "")
    author = walk.author or attributes.get("author") or attributes.get("authors")
    date = walk.date or iso_date(attributes.get("revdate") or attributes.get("date"))
    return Document(title, (Page(1, text, headings),), author, date)


class _Walk:
    """Goes through the lines of a file once and fills a page."""

    def __init__(self, lines: list[str]) -> None:
        self.page = PageText()
        self.attributes = Attributes()
        self.author = ""
        self.date = ""
        self._lines = lines
        self._at = 0
        self._run: list[str] = []  # the lines of the running paragraph
        self._is_item = False  # is it an item of a list,
        self._was_item = False  # and was the block before it?
        self._said = ""  # the attributes in brackets above the next block
        # Each reads the block at the current line, or says that it is of another kind.
        self._rules: tuple[Callable[[str], bool], ...] = (
            self._unread,
            self._block_attributes,
            self._section,
            self._verbatim,
            self._table,
            self._border,
            self._item,
            self._term,
            self._block_title,
            self._macro,
            self._literal,
        )

    def header(self) -> None:
        """Read the title with the lines below it that say who wrote the document and when."""
        while self._line and self._unread(self._line):
            pass
        if not self._line.startswith("= ") or not self._section(self._line):
            return
        line = self._next_said()
        names = [_AUTHOR.fullmatch(part.strip()) for part in line.split(";")]
        if not line or not all(names):
            return
        self.author = "; ".join(name[1].replace("_", " ") for name in names if name)
        self.page.add(self.author)
        self._at += 1
        line = self._next_said()
        if line and _REVISION.fullmatch(line):
            self.date = iso_date(line)
            self.page.add(line, gap=1)
            self._at += 1

    def body(self) -> None:
        """Read all that follows."""
        while self._at < len(self._lines):
            line = self._line
            if not line:
                self._flush()
                self._at += 1
            elif not any(rule(line) for rule in self._rules):
                self._run.append(line.strip())
                self._at += 1
        self._flush()

    @property
    def _line(self) -> str:
        return self._lines[self._at] if self._at < len(self._lines) else ""

    def _next_said(self) -> str:
        while self._line and self._unread(self._line):
            pass
        return self._line

    def _unread(self, line: str) -> bool:
        """Comments, conditions, inclusions, and the giving of values to names."""
        if line.startswith("//") and not line.startswith("///"):
            self._at += 1
            return True
        if _DIRECTIVE.fullmatch(line):
            self._at += 1
            return True
        match = None if self._run else _ATTRIBUTE.fullmatch(line)
        if not match:
            return False
        value = match[2] or ""
        self._at += 1
        while value.endswith("\\") and self._line:
            value = f"{value[:-1].rstrip()} {self._line.strip()}"
            self._at += 1
        self.attributes.set(match[1], value)
        return True

    def _block_attributes(self, line: str) -> bool:
        if not _BLOCK_ATTRIBUTES.fullmatch(line):
            return False
        self._flush()
        self._said += line
        self._at += 1
        return True

    def _section(self, line: str) -> bool:
        match = _TITLE.fullmatch(line)
        under = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        if match:
            level, title, end = len(match[1]), match[2], self._at + 1
        elif (
            not self._run
            and len(under) > 2
            and under[0] in _UNDERLINES
            and under == under[0] * len(under)
            and abs(len(under) - len(line)) < 3
            and line[0].isalnum()
        ):
            level, title, end = _UNDERLINES.index(under[0]) + 1, line, self._at + 2
        else:
            return False
        self._flush()
        if "[discrete" not in self._said and "[float" not in self._said:
            self.page.heading(level, self._inline(title))
        else:
            self.page.add(self._inline(title))
        self._forget()
        self._at = end
        return True

    def _verbatim(self, line: str) -> bool:
        if not _VERBATIM.fullmatch(line):
            return False
        border = line if line[0] != "`" else "`" * (len(line) - len(line.lstrip("`")))
        content = self._until(border)
        if line[0] == "+" and "stem" not in self._said and "math" not in self._said:
            add_markup(self.page, "\n".join(content))
        elif line[0] != "/":
            self.page.add("\n".join(content))
        self._forget()
        return True

    def _table(self, line: str) -> bool:
        if not asciidoc_tables.is_border(line):
            return False
        said = self._said
        content = [self.attributes.replace(each) for each in self._until(line)]
        for number, row in enumerate(asciidoc_tables.rows(line, said, content)):
            self.page.row([inline(cell) for cell in row], first=number == 0)
        self._forget()
        return True

    def _until(self, border: str) -> list[str]:
        """Go behind the block that begins here; gives its lines up to the other border."""
        self._flush()
        start = self._at + 1
        end = start
        while end < len(self._lines) and self._lines[end] != border:
            end += 1
        self._at = end + 1
        return self._lines[start:end]

    def _border(self, line: str) -> bool:
        """Lines between blocks, and borders of blocks that hold others: no text themselves."""
        if not _BREAK.fullmatch(line) and not _COMPOUND.fullmatch(line):
            return False
        self._flush()
        self._at += 1
        return True

    def _item(self, line: str) -> bool:
        match = _ITEM.fullmatch(line) if self._is_item or not self._run else None
        if not match:
            return False
        self._flush(is_over=False)
        self._is_item = True
        self._run.append(_CHECK.sub("", match[1]))
        self._at += 1
        return True

    def _term(self, line: str) -> bool:
        match = _TERM.fullmatch(line) if self._is_item or not self._run else None
        if not match:
            return False
        self._flush(is_over=False)
        self._is_item = True
        self._run.append(f"{match[1]}: {match[2]}" if match[2] else f"{match[1]} +")
        self._at += 1
        return True

    def _block_title(self, line: str) -> bool:
        match = None if self._run else _BLOCK_TITLE.fullmatch(line)
        if not match:
            return False
        self.page.add(self._inline(match[1]))
        self._was_item = False
        self._at += 1
        return True

    def _macro(self, line: str) -> bool:
        match = _BLOCK_MACRO.fullmatch(line)
        if not match:
            return False
        self._flush()
        if match[1] == "image":
            self.page.add(caption(self.attributes.replace(match[3])))
        self._forget()
        self._at += 1
        return True

    def _literal(self, line: str) -> bool:
        """A paragraph as it stands: one that is indented, or said to be code."""
        is_code = self._said.startswith(("[source", "[listing", "[literal", "[,"))
        if self._run or self._was_item or not (is_code or line.startswith(" ")):
            return False
        start = self._at
        while self._line:
            self._at += 1
        self.page.add(dedent("\n".join(self._lines[start : self._at])))
        self._forget()
        return True

    def _flush(self, *, is_over: bool = True) -> None:
        """End the running paragraph; `is_over` where the next block is no item right below it."""
        if self._run:
            is_verse = self._said.startswith("[verse") or "%hardbreaks" in self._said
            text = ("\n" if is_verse else " ").join(self._run)
            text = self._inline(re.sub(r" \+(?: |$)", "\n", text))
            self.page.add(text, gap=1 if self._is_item and self._was_item else 2)
            self._was_item = self._is_item
            self._said = ""
            self._run.clear()
        self._is_item = self._is_item and not is_over

    def _forget(self) -> None:
        self._said = ""
        self._was_item = False

    def _inline(self, text: str) -> str:
        return inline(self.attributes.replace(text))
