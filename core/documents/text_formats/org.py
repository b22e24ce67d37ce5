"""Org: the text without markup, drawers and export settings."""

import re
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.metadata import iso_date, real_title
from core.documents.text import one_line
from core.documents.text_formats.plain import LONGEST_PARSED, LineBlocks, plain_document

_KEYWORD = re.compile(r" *#\+([\w-]+)(?:\[[^\]]*\])?: *(.*)")
_HEADLINE = re.compile(
    r"(\*+) +(?:([A-Z]{3,}) +)?(?:\[#\w+\] *)?((?:.*?[^ ])??)(?: +(:[\w@#%:]+:))?"
)
# The usual task states at the start of a headline.
_TASKS = frozenset({"TODO", "DONE", "NEXT", "WAITING", "HOLD", "CANCELLED", "CANCELED"})
_BLOCK = re.compile(r" *#\+begin_(\w+).*", re.IGNORECASE)
_BLOCK_END = re.compile(r" *#\+end_(\w+) *", re.IGNORECASE)
_DRAWER = re.compile(r" *:[\w-]+: *")
_DRAWER_END = re.compile(r" *:end: *", re.IGNORECASE)
# Comments, horizontal rules and clock entries.
_UNREAD = re.compile(r" *(?:#(?: .*)?|-{5,}|CLOCK: *[<\[].*)")
_FIXED = re.compile(r" *:(?: .*)?")
_PLANNED = re.compile(r" *((?:SCHEDULED|DEADLINE|CLOSED): *[<\[].*)")
_ITEM = re.compile(r"( *)(?:[-+]|\d+[.)]|(?<= )\*)(?: +(.*))?")
_COUNTER = re.compile(r"\[@\d+\] *|\[[ X-]\] +")
_TERM = re.compile(r"(\S(?:.*?\S)??) +::(?: +(.*))?")
_NOTE = re.compile(r"\[fn:([^\]\s:]+)\] *(.*)")
_ROW = re.compile(r"\s*\|.*")
_TABLE_RULE = re.compile(r" *\|[-+|: ]*-[-+|: ]*")
# Marks whose end differs from their start have a bounded length: many unclosed marks would
# otherwise take quadratic time.
_MARK = re.compile(
    r"\[\[(?P<link>(?:[^\[\]\\]|\\.)+)\](?:\[(?P<words>[^\]]+)\])?\]"
    r"|(?<!\w)[=](?P<verbatim>(?=\S)[^=\n]+(?<=\S))=(?!\w)"
    r"|(?<![\w~])~(?P<code>(?=\S)[^~\n]+(?<=\S))~(?![\w~])"
    r"|(?<![\w*])\*(?P<bold>(?=\S)[^*]+(?<=\S))\*(?![\w*])"
    r"|(?<![\w/:<])/(?P<italic>(?=\S)[^/\s](?:[^/]*[^/\s])?)/(?![\w/])"
    r"|(?<![\w_])_(?P<underlined>(?=\S)[^_]+(?<=\S))_(?![\w_])"
    r"|(?<![\w+])\+(?P<struck>(?=\S)[^+]+(?<=\S))\+(?![\w+])"
    r"|\[fn:[^\]:\s]{0,99}(?::(?P<note>[^\]]{0,999}))?\]"
    r"|(?<!<)<{2,3}(?P<target>[^<>\n]+)>{2,3}"
    r"|[<\[](?P<stamp>\d{4}-\d\d-\d\d[^<>\[\]\n]*)[>\]]"
    r"|\[cite[^:\]]{0,99}:(?P<cited>[^\]]{0,999})\]"
    r"|\{\{\{[\w-]{1,99}(?:\((?P<argument>[^{}]*)\))?\}\}\}"
    r"|\\\\(?P<broken>\n|$)",
    re.DOTALL,
)
# The target of a link that is an address, not a heading or a name in the file.
_ADDRESS = re.compile(r"(?:file:)?((?!id:)[a-zA-Z][\w+.-]*:\S.*|(?<=:).+|[./~].*)")
_NESTED = frozenset({"bold", "italic", "underlined", "struck", "words"})


def read(path: Path) -> Document:
    """Read an Org file as one page with headings.

    Title, author and date come from keywords; without one, the title is the first heading.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path))
    if len(source) > LONGEST_PARSED:
        return plain_document(source)
    blocks = _OrgBlocks([line.rstrip() for line in source.expandtabs(8).splitlines()])
    blocks.body()
    metadata = {name: one_line(" ".join(values)) for name, values in blocks.keywords.items()}
    title = real_title(blocks.inline(metadata.get("title", "")))
    author = blocks.inline(metadata.get("author", ""))
    text, headings = blocks.page.finish()
    title = title or next((heading.text for heading in headings if heading.level == 1), "")
    return Document(title, (Page(1, text, headings),), author, iso_date(metadata.get("date")))


class _OrgBlocks(LineBlocks):
    """Parses the lines of a file, and records its keywords."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines)
        self.keywords: dict[str, list[str]] = {}
        self._ends = _ends(lines)
        self._rules = (
            (_HEADLINE, self._headline),
            (_BLOCK, self._block),
            (_KEYWORD, self._keyword),
            (_UNREAD, lambda _: True),
            (_PLANNED, self._planned),
            (_DRAWER, self._drawer),
            (_FIXED, self._fixed),
            (_ROW, self._table),
            (_ITEM, self._item),
            (_NOTE, self._note),
        )

    def _headline(self, match: re.Match[str]) -> bool:
        self._flush()
        level, task, words, tags = match.groups()
        if task and task not in _TASKS:
            words = f"{task} {words}".rstrip()
        self.page.heading(len(level), self.inline(words))
        self.page.add(", ".join((tags or "").strip(":").split(":")))
        self._was_item = False
        return True

    def _block(self, match: re.Match[str]) -> bool:
        kind = match[1].lower()
        stop = self._next(kind)
        if stop == len(self._lines):
            return False  # not closed, so not a block
        self._flush()
        content = self._lines[self._at : stop]
        self._was_item = False
        if kind in {"comment", "export"}:
            self._at = stop + 1
        elif kind in {"src", "example", "verse"}:
            # A comma escapes code that looks like Org.
            text = re.sub(r"^( *),(?=[*#,])", r"\1", "\n".join(content), flags=re.MULTILINE)
            self.page.add(self.inline(text) if kind == "verse" else dedent(text))
            self._at = stop + 1
        else:
            # A quotation or similar: it contains Org.
            self._lines[stop] = ""
        return True

    def _keyword(self, match: re.Match[str]) -> bool:
        self._flush()
        name = match[1].lower()
        if name == "caption":
            self.page.add(self.inline(match[2]))
        elif match[2]:
            self.keywords.setdefault(name, []).append(match[2])
        return True

    def _planned(self, match: re.Match[str]) -> bool:
        self._flush()
        self.page.add(self.inline(match[1]))
        return True

    def _drawer(self, _match: re.Match[str]) -> bool:
        stop = self._next(":end:")
        if stop == len(self._lines) or self._next("*") < stop:
            return False  # not closed, so not a drawer
        self._flush()
        self._at = stop + 1
        return True

    def _next(self, kind: str) -> int:
        """Return the next line that ends a block of this kind, or the number of lines."""
        ends = self._ends.get(kind, [])
        index = bisect_left(ends, self._at)
        return ends[index] if index < len(ends) else len(self._lines)

    def _fixed(self, match: re.Match[str]) -> bool:
        self._flush()
        lines = (re.sub(r"^ *: ?", "", line) for line in self._run_of(match.re))
        self.page.add(dedent("\n".join(lines)))
        self._was_item = False
        return True

    def _table(self, match: re.Match[str]) -> bool:
        self._flush()
        lines = (line.strip() for line in self._run_of(match.re))
        rows = [line.strip("|").split("|") for line in lines if not _TABLE_RULE.fullmatch(line)]
        for index, cells in enumerate(rows):
            self.page.row([self.inline(cell.strip()) for cell in cells], first=index == 0)
        self._was_item = False
        return True

    def _run_of(self, pattern: re.Pattern[str]) -> list[str]:
        """Move past consecutive lines of a pattern from the previous line on, and return them."""
        start = self._at - 1
        while self._at < len(self._lines) and pattern.fullmatch(self._lines[self._at]):
            self._at += 1
        return self._lines[start : self._at]

    def _item(self, match: re.Match[str]) -> bool:
        words = _COUNTER.sub("", match[2] or "")
        if term := _TERM.fullmatch(words):
            words = f"{term[1]}: {term[2]}" if term[2] else f"{term[1]}:"
        self._begin_item(words)
        return True

    def _note(self, match: re.Match[str]) -> bool:
        self._flush()
        self._run.append(f"[{match[1]}] {match[2]}")
        return True

    def _paragraph(self) -> str:
        return self.inline(" ".join(self._run))

    def inline(self, text: str) -> str:
        """Return inline text without markup, and note the targets of its links."""
        return _inline(text, self.page.link)


def _ends(lines: list[str]) -> dict[str, list[int]]:
    """Return the ends of blocks by kind, the ends of drawers (":end:"), and the headlines ("*").

    Searching for a missing end from each beginning would take quadratic time.
    """
    ends: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        if match := _BLOCK_END.fullmatch(line):
            ends.setdefault(match[1].lower(), []).append(index)
        elif _DRAWER_END.fullmatch(line):
            ends.setdefault(":end:", []).append(index)
        elif line.startswith("* "):
            ends.setdefault("*", []).append(index)
    return ends


def _inline(text: str, link: Callable[[str], None], depth: int = 0) -> str:
    r"""Return inline text without markup. Links keep their words; `link` takes their targets.

    >>> targets = []
    >>> text = "*Bold /it/*, =a*b*=, [[https://x.y][a site]] of <2024-06-30 Sun>[fn:1]"
    >>> _inline(text, targets.append), targets
    ('Bold it, a*b*, a site of 2024-06-30 Sun', ['https://x.y'])
    """

    def unmarked(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        text = match[kind] if kind else ""
        if address := _ADDRESS.fullmatch(match["link"] or ""):
            link(address[1].partition("::")[0])
        if kind == "link":
            return re.sub(r"^(?:file|id|\*|#):?|::.*$", "", text)
        if kind == "note":
            return f" ({_inline(text.strip(), link, 8)})" if text else ""
        if kind == "cited":
            return ", ".join(re.findall(r"@([\w:.-]+)", text))
        return _inline(text, link, depth + 1) if kind in _NESTED and depth < 8 else text

    return _MARK.sub(unmarked, text)
