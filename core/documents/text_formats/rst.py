"""reStructuredText: the rendered text, without included files or executed code."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.metadata import iso_date, real_title
from core.documents.text import PageText, one_line
from core.documents.text_formats.delimited import comma_rows
from core.documents.text_formats.plain import LONGEST_PARSED, plain_document

_DEEPEST = 40
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+")
_FIELD = re.compile(r":(?![: ])((?:[^:\\]|\\.){1,100}):(?: +(.*))?")
_BULLET = re.compile(r"[-*+•‣⁃](?: +|$)")
_NUMBER = re.compile(r"\(?(?:\d+|#|[A-Za-z]|[ivxlcdmIVXLCDM]+)[.)] +")
_DIRECTIVE = re.compile(r"(?:\|([^|]+)\| +)?([A-Za-z][\w:.+-]*?) ?::(?: +(.*))?")
_NOTE = re.compile(r"\[([\w#*.:-]+)\] *(.*)")
_OPTION = re.compile(r":([\w-]+):(?: +(.*))?")
# The address of a named or anonymous target; one that ends in "_" is another name.
_ADDRESS = re.compile(r"(?:__ +|_(?:_|`[^`]+`|(?!_)(?:[^:`\\]|\\.)+): *)(\S(?:.*[^_])?)")
# Directives that configure a builder, and those whose body is not prose. A colon in a name
# ("py:class") separates it from its domain.
_UNREAD = frozenset(
    {"include", "literalinclude", "raw", "contents", "index", "highlight"}
    | {"currentmodule", "meta", "role", "default-role", "sectnum", "section-numbering"}
    | {"target-notes", "tabularcolumns", "bibliography", "codeauthor", "testsetup", "testcleanup"}
)
_VERBATIM = frozenset(
    {"code", "code-block", "sourcecode", "parsed-literal", "math", "prompt", "doctest", "testcode"}
    | {"testoutput", "console", "productionlist", "ipython", "graphviz", "digraph", "graph", "uml"}
    | {"mermaid"}
)

# Directives that list other documents or objects, one per line; those that describe code.
_LISTS = frozenset({"toctree", "autosummary"})
_CODE_NAMES = re.compile(
    r"module|auto[a-z]+|(?:class|static)?method|class|exception|function|attribute|property|data"
    r"|decorator|member|macro|struct|enum|enumerator|union|type|var"
)
_LISTED = re.compile(r"(.*\S)\s+<[^<>]*>")

_VERSIONS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
}


def read(path: Path) -> Document:
    """Read a file of reStructuredText as one page with headings.

    Title, author and date come from the fields at the top; else the title is the first heading.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path))
    if len(source) > LONGEST_PARSED:
        return plain_document(source)
    walk = _RstBlocks()
    walk.blocks([line.rstrip() for line in source.expandtabs(8).splitlines()])
    text, headings = walk.page.finish()
    title = walk.title or next((heading.text for heading in headings if heading.level == 1), "")
    return Document(title, (Page(1, text, headings),), "; ".join(walk.authors), walk.date)


class _RstBlocks:
    """Parses the blocks of a file recursively, and fills a page."""

    def __init__(self) -> None:
        self.page = PageText()
        self.title = ""
        self.authors: list[str] = []
        self.date = ""
        self._styles: list[tuple[str, bool]] = []  # adornments of titles, by level
        self._substitutions: _Substitutions = {}
        self._depth = 0
        self._items = 0  # number of open list items
        self._gap = 2  # line ends before the next block
        # Each adds the block that begins at line `at` and returns the line after it, or `at` if no
        # block of its kind begins there.
        self._rules: tuple[Callable[[Sequence[str], int], int], ...] = (
            self._title,
            self._transition,
            self._explicit,
            self._field,
            self._item,
            self._line_block,
            self._doctest,
            self._table,
            self._quotation,
            self._paragraph,
        )

    def blocks(self, lines: Sequence[str]) -> None:
        """Add the blocks of a body that is not indented."""
        if self._depth == _DEEPEST:
            self._add("\n".join(lines))
            return
        self._depth += 1
        at = 0
        was_item = False
        while at < len(lines):
            if not lines[at]:
                at += 1
                continue
            is_item = any(mark.match(lines[at]) for mark in (_BULLET, _NUMBER, _FIELD))
            if was_item and not is_item:
                self._gap = 2
            was_item = is_item
            at = next(end for rule in self._rules if (end := rule(lines, at)) > at)
        if was_item:
            self._gap = 2
        self._depth -= 1

    def _title(self, lines: Sequence[str], at: int) -> int:
        if _is_adornment(lines[at]) and at + 2 < len(lines):
            title = lines[at + 1].strip()
            if title and lines[at + 2] == lines[at] and not _is_adornment(title):
                return self._heading(title, (lines[at][0], True), at + 3)
        if at + 1 < len(lines) and _is_adornment(lines[at + 1]) and not _is_adornment(lines[at]):
            under = lines[at + 1]
            if lines[at][0] != " " and len(under) >= min(len(lines[at]), 4):
                return self._heading(lines[at], (under[0], False), at + 2)
        return at

    def _heading(self, title: str, style: tuple[str, bool], end: int) -> int:
        if style not in self._styles:
            self._styles.append(style)
        self.page.heading(self._styles.index(style) + 1, self._inline(title))
        self._gap = 2
        return end

    def _transition(self, lines: Sequence[str], at: int) -> int:
        return at + 1 if _is_adornment(lines[at]) and len(lines[at]) >= 4 else at

    def _explicit(self, lines: Sequence[str], at: int) -> int:
        """Parse directives, notes, targets and comments, which begin with two dots."""
        line = lines[at]
        if line.startswith("__ "):
            self._note_address(line)
            return at + 1
        if line != ".." and not line.startswith(".. "):
            return at
        if line == ".." and not "".join(lines[at + 1 : at + 2]):
            return at + 1  # an empty comment, which ends the block before a quotation
        end = _indented_end(lines, at + 1)
        rest = line[3:].strip()
        body = lines[at + 1 : end]
        if match := _DIRECTIVE.fullmatch(rest):
            self._directive(match[1] or "", match[2].lower(), match[3] or "", body)
        elif match := _NOTE.fullmatch(rest):
            self.blocks([f"[{match[1]}] {match[2]}", *_dedented(body)])
        else:
            self._note_address(" ".join([rest, *map(str.strip, body)]).strip())
        return end

    def _note_address(self, target: str) -> None:
        if match := _ADDRESS.fullmatch(target):
            self.page.link(match[1])

    def _directive(self, substituted: str, name: str, argument: str, body: Sequence[str]) -> None:
        options, content = _options(body)
        kind = name.rpartition(":")[2]
        if kind in {"image", "figure"}:
            text = one_line(options.get("alt", ""))
            if not (target := options.get("target", "")).endswith("_"):
                self.page.link(target)
            if substituted:
                self._substitutions[substituted.lower()] = text
                return
            self._add(self._inline(text))
            self.blocks(content)
        elif substituted:
            replaced = " ".join([argument, *content]) if kind == "replace" else ""
            self._substitutions[substituted.lower()] = self._inline(one_line(replaced))
        elif kind == "sectionauthor":
            self.authors.append(one_line(re.sub(r"<[^>]*>", "", argument)))
        elif kind == "csv-table":
            self._add(self._inline(argument))
            header = [options["header"]] if "header" in options else []
            for index, row in enumerate(comma_rows([*header, *content])):
                self.page.row([self._inline(cell) for cell in row], first=index == 0)
        elif kind in _LISTS:
            self._list(options.get("caption", ""), content)
        elif _CODE_NAMES.fullmatch(kind):
            end = 0 if options else _paragraph_end(content, 0)
            # Without removing markup: a name may end in a mark.
            self._add("\n".join(filter(None, [argument, *map(str.strip, content[:end])])))
            self.blocks([options.get("synopsis", ""), *content[end:]])
        elif kind in _VERBATIM:
            is_content = kind in {"math", "productionlist"}
            self._add("\n".join([argument if is_content else "", *content]))
        elif kind not in _UNREAD:
            prefix = f"{_VERSIONS[kind]} " if kind in _VERSIONS else ""
            self.blocks([f"{prefix}{argument}", *content])

    def _list(self, caption: str, content: Sequence[str]) -> None:
        """Add a list of documents or objects, without name patterns."""
        self._add(self._inline(caption))
        for line in map(str.strip, content):
            titled = _LISTED.fullmatch(line)
            if titled or (line not in {"", "self"} and "*" not in line):
                self._add(titled[1] if titled else line.lstrip("~!"))
                self._gap = 1
        self._gap = 2

    def _field(self, lines: Sequence[str], at: int) -> int:
        match = _FIELD.fullmatch(lines[at])
        if not match:
            return at
        end = _indented_end(lines, at + 1)
        name = match[1].strip()
        body = [match[2] or "", *_dedented(lines[at + 1 : end])]
        value = self._inline(" ".join(body))
        if self._depth == 1:
            self._bibliographic_field(name.lower(), value, body)
        if value:
            start = [f"{name}: {body[0]}"] if body[0] else [f"{name}:", ""]
            self.blocks([*start, *body[1:]])
            self._gap = 1
        return end

    def _bibliographic_field(self, name: str, value: str, body: Sequence[str]) -> None:
        if name == "title":
            self.title = real_title(value)
        elif name == "author" and not self.authors:
            self.authors.append(value)
        elif name == "authors" and not self.authors:
            items = [_BULLET.sub("", line, count=1) for line in body if _BULLET.match(line)]
            names = items or re.split(r";|, ", value)
            self.authors += [self._inline(name).strip() for name in names]
        elif name == "date" and not self.date:
            self.date = iso_date(value)

    def _item(self, lines: Sequence[str], at: int) -> int:
        match = _BULLET.match(lines[at]) or _NUMBER.match(lines[at])
        if not match:
            return at
        width = match.end()
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if (
            following
            and not following.startswith(" ")
            and not _BULLET.match(following)
            and not _NUMBER.match(following)
        ):
            return at  # a paragraph that begins like an item
        end = _indented_end(lines, at + 1)
        if self._items:
            self._gap = 1
        self._items += 1
        self.blocks([lines[at][width:], *_dedented(lines[at + 1 : end])])
        self._items -= 1
        self._gap = 1
        return end

    def _line_block(self, lines: Sequence[str], at: int) -> int:
        end = at
        while end < len(lines) and (lines[end] == "|" or lines[end].startswith("| ")):
            end += 1
        if end > at:
            self._add("\n".join(self._inline(line[2:]) for line in lines[at:end]))
        return end

    def _doctest(self, lines: Sequence[str], at: int) -> int:
        if not lines[at].startswith(">>> "):
            return at
        end = _paragraph_end(lines, at)
        self._add("\n".join(lines[at:end]))
        return end

    def _table(self, lines: Sequence[str], at: int) -> int:
        if _is_grid(lines[at]):
            rows, end = _grid_rows(lines, at)
        elif _is_simple(lines[at]):
            rows, end = _simple_rows(lines, at)
        else:
            return at
        for index, row in enumerate(rows):
            self.page.row([self._inline(cell) for cell in row], first=index == 0)
        self._gap = 2
        return end

    def _quotation(self, lines: Sequence[str], at: int) -> int:
        if not lines[at].startswith(" "):
            return at
        end = _indented_end(lines, at)
        self.blocks(_dedented(lines[at:end]))
        return end

    def _paragraph(self, lines: Sequence[str], at: int) -> int:
        if at + 1 < len(lines) and lines[at + 1].startswith(" "):
            # A term with its definition.
            self._add(self._inline(lines[at]))
            self._gap = 1
            end = _indented_end(lines, at + 1)
            self.blocks(_dedented(lines[at + 1 : end]))
            return end
        end = _paragraph_end(lines, at)
        is_options = end > at + 1 and all(line.startswith("-") for line in lines[at:end])
        text = ("\n" if is_options else " ").join(lines[at:end])
        if text.endswith("::"):
            text = text[:-2].rstrip() if text.endswith(" ::") else text[:-1]
            self._add(self._inline(text.rstrip(":") if text == ":" else text))
            literal_end = _indented_end(lines, end)
            self._add("\n".join(_dedented(lines[end:literal_end])))
            return literal_end
        self._add(self._inline(text))
        return end

    def _add(self, text: str) -> None:
        if text.strip():
            self.page.add(text, gap=self._gap)
            self._gap = 2

    def _inline(self, text: str) -> str:
        return _unmarked(text, self._substitutions, self.page.link)


def _is_adornment(line: str) -> bool:
    return bool(_ADORNMENT.fullmatch(line)) and line not in {"::", "..", "--"}


def _indented_end(lines: Sequence[str], at: int) -> int:
    """Return the end of the indented lines from `at` on, without trailing blank ones."""
    end = at
    for index in range(at, len(lines)):
        if lines[index].startswith(" "):
            end = index + 1
        elif lines[index]:
            break
    return end


def _paragraph_end(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and lines[at]:
        at += 1
    return at


def _dedented(lines: Sequence[str]) -> list[str]:
    return dedent("\n".join(lines)).split("\n") if lines else []


def _options(body: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    content = _dedented(body)
    options: dict[str, str] = {}
    at = 0
    while at < len(content) and (match := _OPTION.fullmatch(content[at])):
        options[match[1].lower()] = match[2] or ""
        at += 1
    return options, content[at:]


# Substitutions by name, in lower case.
_Substitutions = dict[str, str]

# Marks whose end differs from their start have a bounded length: many unclosed marks would
# otherwise take quadratic time.
_MARK = re.compile(
    r"\\(?P<escaped>.)"
    r"|``(?P<literal>(?:[^`]|`(?!`))+)``"
    r"|_?(?P<role>:[\w:.+-]{1,99}:)?`(?P<quoted>[^`]+)`(?::[\w.+-]{1,99}:)?_{0,2}"
    r"|\|(?P<name>[^|\s](?:[^|]{0,200}[^|\s])?)\|_{0,2}"
    r"|\*\*(?P<strong>(?=\S)[^*]+(?<=\S))\*\*"
    r"|(?<![\w*])\*(?P<emphasis>(?=\S)[^*]+(?<=\S))\*(?![\w*])"
    r"|\[(?P<note>[\w#*.:-]+)\]_\b"
    r"|(?<![\w`])(?P<reference>[A-Za-z0-9]{1,99}(?:[-._+:][A-Za-z0-9]{1,99}){0,9})__?(?!\w)",
    re.DOTALL,
)
_TARGET = re.compile(r"((?:.*?\S)?)\s*<([^<>]+)>", re.DOTALL)


def _unmarked(text: str, substitutions: _Substitutions, link: Callable[[str], None]) -> str:
    r"""Return inline text without markup; `link` takes the target of each link.

    >>> targets = []
    >>> text = r"A *word*, ``*a*``, :func:`~os.path.join`, `text <http://x>`_, ref_ and \*."
    >>> _unmarked(text, {}, targets.append), targets
    ('A word, *a*, join, text, ref and *.', ['http://x'])
    """

    def unmarked(match: re.Match[str]) -> str:
        kind = match.lastgroup
        text = match[kind] if kind else ""
        if kind == "escaped":
            return "" if text.isspace() else text
        if kind == "quoted":
            if match["role"] is not None:
                return _interpreted(text)
            target = _TARGET.fullmatch(text)
            if target and not target[2].endswith("_"):
                link(target[2])
            return (target[1] or target[2]) if target else text
        if kind == "name":
            return substitutions.get(text.lower(), text)
        if kind == "note":
            return "" if text[0] in "#*" else f"[{text}]"
        return text

    return _MARK.sub(unmarked, text)


def _interpreted(text: str) -> str:
    """Return the visible text of an interpreted text with a role."""
    if (match := _TARGET.fullmatch(text)) and match[1]:
        return match[1]
    return text[1:].rpartition(".")[2] if text.startswith("~") else text.lstrip("!")


_GRID = re.compile(r"\+(?:[-=]+\+)+")
_SIMPLE = re.compile(r"=+(?: +=+)+")
_RULE = re.compile(r"[=-]+(?: +[=-]+)*")


def _is_grid(line: str) -> bool:
    """Return whether a line is the border of a grid table.

    >>> _is_grid("+---+--+"), _is_grid("+")
    (True, False)
    """
    return bool(_GRID.fullmatch(line))


def _is_simple(line: str) -> bool:
    """Return whether a line is the border of a simple table.

    >>> _is_simple("===  =="), _is_simple("====")
    (True, False)
    """
    return bool(_SIMPLE.fullmatch(line))


def _grid_rows(lines: Sequence[str], at: int) -> tuple[list[list[str]], int]:
    """Return the rows of the table that begins at line `at`, and the line after it.

    >>> _grid_rows(["+--+---+", "|a |b  |", "|  |bb |", "+==+===+", "|c     |", "+--+---+"], 0)
    ([['a', 'b bb'], ['c']], 6)
    """
    rows: list[list[str]] = []
    running: list[list[str]] = []  # the lines of each cell of the current row
    columns = [match.start() for match in re.finditer(r"\+", lines[at])]
    while at < len(lines) and lines[at][:1] in {"+", "|"}:
        line = lines[at]
        at += 1
        if _is_grid(line):
            if running:
                rows.append(list(map(" ".join, running)))
            running = []
            continue
        # If a border is not drawn in this line, the cell spans columns.
        reached = columns[: bisect_left(columns, len(line))]
        borders = [column for column in reached if line[column] in "+|"]
        cells = [line[start + 1 : end].strip() for start, end in pairwise([*borders, len(line)])]
        if not cells[-1]:  # behind the right border
            cells.pop()
        # If a cell spans rows, its text and the border of its neighbours share a line.
        cells = ["" if _RULE.fullmatch(cell) else cell for cell in cells]
        _append_line(running, cells)
    if running:
        rows.append(list(map(" ".join, running)))
    return rows, at


def _simple_rows(lines: Sequence[str], at: int) -> tuple[list[list[str]], int]:
    """Return the rows of the table that begins at line `at`, and the line after it.

    A line whose first cell is empty continues the row above it.

    >>> _simple_rows(["==  ===", "a   b", "==  ===", "1   2", "    3", "==  ==="], 0)
    ([['a', 'b'], ['1', '2 3']], 6)
    """
    columns = [match.start() for match in re.finditer(r"=+", lines[at])]
    rows: list[list[list[str]]] = []  # the lines of each cell
    at += 1
    while at < len(lines):
        line = lines[at]
        at += 1
        if _is_simple(line):
            if at == len(lines) or not lines[at]:
                break  # the lower border
        elif line and not _RULE.fullmatch(line):
            # Text across the start of a column spans it.
            reached = columns[: bisect_left(columns, len(line))]
            starts = [column for column in reached if not line[column - 1 : column].strip()]
            cells = [line[start:end].strip() for start, end in pairwise([*starts, None])]
            if not rows or cells[0]:
                rows.append([])
            _append_line(rows[-1], cells)
        elif not line and not rows:
            break  # a border without a table
    return [list(map(" ".join, row)) for row in rows], at


def _append_line(row: list[list[str]], cells: Sequence[str]) -> None:
    """Append a line of a table to the lines of the cells of a row; an empty cell has no line."""
    row += ([] for _ in range(len(cells) - len(row)))
    for lines, cell in zip(row, cells, strict=False):
        if cell:
            lines.append(cell)
