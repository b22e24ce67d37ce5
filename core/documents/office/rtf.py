"""Reads Rich Text Format (.rtf): text with headings, tables, notes and boxes in reading order.

Source: Microsoft's Rich Text Format (RTF) Specification, version 1.9.1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.documents import superscripts
from core.documents.charsets import codec_of_page
from core.documents.damage import OtherKindError
from core.documents.document import Document, Heading, Page
from core.documents.files import read_bytes
from core.documents.links import field_targets
from core.documents.metadata import described, properties, with_topics
from core.documents.office.kinds import by_content
from core.documents.text import PageText, one_line
from core.errors import DocumentError, Message

_TOKEN: Final = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<code>[0-9a-fA-F]{2})"
    rb"|\\(?P<symbol>[^a-zA-Z])|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+|\\\Z"
)
# Tokens that matter while skipping a group: braces, and data that may contain braces.
_BORDER: Final = re.compile(rb"\\bin(?P<size>\d{1,10}) ?|\\[^a-zA-Z]|(?P<brace>[{}])")
# The property of a picture or shape with its alternative text.
_DESCRIPTION_NAME: Final = b"wzDescription"
_DESCRIPTION: Final = re.compile(
    rb"\\sn\s+wzDescription\s*\}\s*\{\s*\\sv\s?((?:[^\\{}]|\\[^{}]|\\[{}])*+)"
)
_MOST_NESTED: Final = 2_000

_CHARACTERS: Final = {
    "tab": "\t", "line": "\n", "softline": "\n", "lbr": "\n", "bullet": "•",
    "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "qmspace": " ",
    "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
}  # fmt: skip
_SYMBOLS: Final = {"~": "\xa0", "_": "-", "\\": "\\", "{": "{", "}": "}", "\n": "", "\r": ""}
_PARAGRAPH_ENDS: Final = frozenset({"par", "sect", "page", "column"})
# Groups with text outside the running text.
_NOTES: Final = frozenset({"footnote", "annotation"})
_FURNITURE: Final = frozenset(
    place + pages for place in ("header", "footer") for pages in ("", "l", "r", "f")
)
_FIELD_CODE: Final = "fldinst"
_BOXES: Final = frozenset({"shptxt", "dptxbxtext"})
# Groups whose text is collected apart from the text around them.
_SEPARATE: Final = _NOTES | _FURNITURE | _BOXES | {_FIELD_CODE}
_TOPICS: Final = ("keywords", "subject", "category", "doccomm")
_METADATA_WORDS: Final = frozenset({"title", "author", "creatim", "revtim", *_TOPICS})
# Optional groups (marked with "\*") that contain text.
_STARRED: Final = frozenset(
    {"shpinst", "shpgrp", "do", "annotation", "moMathPara", "moMath", "ud", "fldinst"}
)
# Groups without text, with hidden text, or that duplicate another group.
_PASSED_OVER_WORDS = """colortbl pict filetbl sp shprslt nonshppict nonesttables list
    listtable listoverridetable revtbl pn xe tc tcn rxe txe mmathPict subject keywords comment
    doccomm operator company category manager hlinkbase printim buptim"""
_PASSED_OVER: Final = frozenset(_PASSED_OVER_WORDS.split())
_MARKS: Final = frozenset({"listtext", "pntext"})
_MATH_PROPERTIES: Final = re.compile(r"m[a-zA-Z]+Pr")
_UNITS: Final = frozenset({"yr", "mo", "dy", "hr", "min"})
_SYSTEMS: Final = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}
_ENCODING_WORDS: Final = frozenset({"ansicpg", "deff", "fcharset", "cpg", *_SYSTEMS})
_HEADING: Final = re.compile(r"heading ([1-9])", re.IGNORECASE)


@by_content
def read(path: Path) -> Document:
    """Read a Rich Text file as one page with headings.

    Footnotes and annotations come after the text; headers and footers last, each once.

    Raises:
        DocumentError: The file cannot be read, is too large, or is not Rich Text.
    """
    data = read_bytes(path)
    if not data.lstrip().startswith(b"{\\rtf"):
        what = Message("the file is empty" if not data else "not an RTF file")
        raise OtherKindError("Damaged: {0}", what)
    return document_of(data)


def document_of(data: bytes) -> Document:
    """Return the document in the bytes of a Rich Text file, which may be truncated.

    Raises:
        DocumentError: Its groups are nested too deeply.
    """
    return _Parser(data).parse()


@dataclass(slots=True)
class _State:
    """The state of the current group.

    `flow` receives the text, None for none. `group` is the control word that began the group if its
    end needs handling, `within` the innermost such word of this and the enclosing groups.
    """

    flow: Flow | None
    group: str = ""
    within: str = ""
    font: int | None = None
    unicode_skip: int = 1
    is_hidden: bool = False
    is_deleted: bool = False
    is_raised: bool = False
    style: int | None = None
    level: int | None = None
    is_item: bool = False
    in_cell: bool = False


class _Parser:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._body = Flow()
        self._state = _State(self._body)
        self._outer: list[_State] = []
        self._fonts = _Fonts()
        self._levels: dict[int, int] = {}  # heading levels by style
        self._bytes = bytearray()  # text in the encoding of the current font
        self._code_page = 1252
        self._skip = 0  # remaining fallback characters after "\u"
        self._is_starred = False
        self._notes: list[str] = []
        self._furniture: list[str] = []
        self._metadata: dict[str, str] = {}
        self._date_parts: dict[str, int] = {}
        self._default_font: int | None = None

    def parse(self) -> Document:
        """Return the document, up to the end of a truncated file."""
        while self._at < len(self._data):
            match = _TOKEN.match(self._data, self._at)
            assert match is not None  # the expression has a branch for any byte
            self._at = match.end()
            if match["brace"]:
                self._brace(match["brace"])
                if not self._outer:
                    break
            elif match["word"]:
                argument = match["number"]
                self._word(
                    match["word"].decode("ascii"), None if argument is None else int(argument)
                )
            elif match["code"]:
                self._add_bytes(bytes.fromhex(match["code"].decode("ascii")))
            elif match["symbol"]:
                self._symbol(match["symbol"].decode("latin-1"))
            elif match["text"]:
                self._add_bytes(match["text"])
        while self._outer:
            self._brace(b"}")
        return self._document()

    def _document(self) -> Document:
        text, headings = self._body.finish([*self._notes, *dict.fromkeys(self._furniture)])
        about = properties(
            self._metadata.get("title"),
            [self._metadata.get("author")],
            [self._metadata.get("revtim"), self._metadata.get("creatim")],
            map(self._metadata.get, _TOPICS),
        )
        title = about.title or self._body.title
        title = title or next((h.text for h in headings if h.level == 1), "")
        pages = with_topics([Page(1, text, headings)], about.topics)
        return Document(title, pages, about.author, about.date)

    # --- groups ---

    def _brace(self, brace: bytes) -> None:
        self._write_bytes()
        self._skip = 0
        self._is_starred = False
        if brace == b"{":
            if len(self._outer) >= _MOST_NESTED:
                raise DocumentError("Damaged: groups are nested too deeply")
            self._outer.append(self._state)
            self._state = replace(self._state, group="")
            if self._state.within == "stylesheet":
                self._state = _State(Flow(), "style", "style")
            return
        if not self._outer:
            return
        ended, self._state = self._state, self._outer.pop()
        if ended.group:
            self._end_group(ended)

    def _end_group(self, ended: _State) -> None:
        text = ended.flow.text() if ended.flow is not None else ""
        if ended.group == _FIELD_CODE:
            if self._state.flow is not None:
                self._state.flow.link(text)
        elif ended.group in _NOTES:
            self._notes.append(text)
        elif ended.group in _FURNITURE:
            self._furniture.append(text)
        elif ended.group in _BOXES:
            if self._state.flow is not None:
                self._state.flow.add_box(text)
        elif ended.group in {"creatim", "revtim"}:
            year, month, day, hour, minute = (
                self._date_parts.get(unit, 0) for unit in ("yr", "mo", "dy", "hr", "min")
            )
            self._metadata[ended.group] = f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}"
            self._date_parts.clear()
        elif ended.group in _METADATA_WORDS:
            self._metadata[ended.group] = text
        elif ended.group == "style" and ended.style is not None:
            self._set_style(ended.style, text.rstrip("; "), ended.level)

    def _set_style(self, argument: int, name: str, level: int | None) -> None:
        if heading := _HEADING.fullmatch(name):
            level = int(heading[1])
        elif name.lower() == "title":
            level = 0
        if level is not None:
            self._levels[argument] = level

    def _pass_over(self) -> None:
        """Skip to the closing brace of the current group."""
        begin, depth = self._at, 0
        while match := _BORDER.search(self._data, self._at):
            if match["brace"] == b"}" and depth == 0:
                self._at = match.start()
                self._describe(begin, self._at)
                return
            self._at = match.end() + int(match["size"] or 0)
            depth += {b"{": 1, b"}": -1, None: 0}[match["brace"]]
        self._at = len(self._data)

    def _describe(self, begin: int, end: int) -> None:
        """Add the alternative text of a picture in a skipped group after the paragraph."""
        if self._state.flow is None or self._data.find(_DESCRIPTION_NAME, begin, end) < 0:
            return
        if match := _DESCRIPTION.search(self._data, begin, end):
            page = b"\\ansicpg%d " % int(self._code_page)
            alternative = document_of(b"{\\rtf1" + page + match[1] + b"}").pages[0].text
            self._state.flow.add_box(described(alternative))

    # --- text ---

    def _add_bytes(self, data: bytes) -> None:
        skipped_bytes = min(self._skip, len(data))
        self._skip -= skipped_bytes
        self._bytes += data[skipped_bytes:]

    def _write_bytes(self) -> None:
        if self._bytes:
            self._write(self._fonts.decode(bytes(self._bytes), self._state.font))
            self._bytes.clear()

    def _write(self, text: str) -> None:
        state = self._state
        if state.flow is not None and not (state.is_hidden or state.is_deleted):
            state.flow.write(superscripts.marked(text) if state.is_raised else text)

    def _symbol(self, symbol: str) -> None:
        if symbol == "*":
            self._is_starred = True
            return
        self._write_bytes()
        if self._skip:
            self._skip -= 1
        elif symbol in "\r\n":
            self._end_paragraph()
        else:
            self._write(_SYMBOLS.get(symbol, ""))

    # --- control words ---

    def _word(self, word: str, argument: int | None) -> None:
        self._write_bytes()
        is_starred, self._is_starred = self._is_starred, False
        if word == "bin":
            self._at += max(argument or 0, 0)
        elif self._skip and word != "u":
            self._skip -= 1
        elif word in _MARKS:
            # The number or bullet of a list item.
            self._pass_over()
            if self._outer:
                self._outer[-1].is_item = True
        elif word in _PASSED_OVER or (is_starred and word not in _STARRED):
            # Metadata is only found in its own group.
            if not (word in _TOPICS and self._begin_group(word)):
                self._pass_over()
        elif word == "upr":
            # Two versions of a text: in a code page, which is skipped, and in Unicode.
            self._at = self._data.find(b"{", self._at) + 1 or len(self._data)
            self._pass_over()
            self._at += 1
        elif not self._begin_group(word):
            self._set_or_write(word, argument)

    def _begin_group(self, word: str) -> bool:
        """Begin a group if `word` is the first of one that needs handling."""
        state = self._state
        if word in _SEPARATE:
            self._state = _State(Flow(), word, word, state.font, state.unicode_skip)
        elif word in _METADATA_WORDS and state.within == "info":
            state.flow, state.group, state.within = Flow(), word, word
        elif word in {"info", "fonttbl", "stylesheet"}:
            state.flow, state.within = None, word
        elif _MATH_PROPERTIES.fullmatch(word):
            self._pass_over()
        else:
            return False
        return True

    def _set_or_write(self, word: str, argument: int | None) -> None:
        state = self._state
        if word in _CHARACTERS:
            self._write(_CHARACTERS[word])
        elif word in _PARAGRAPH_ENDS:
            self._end_paragraph()
        elif word in {"cell", "nestcell", "row", "nestrow"}:
            self._end_cell(word)
        elif word == "u" and argument is not None:
            self._write(chr(argument & 0xFFFF))
            self._skip = state.unicode_skip
        elif word in _UNITS:
            self._date_parts[word] = argument or 0
        elif word in _ENCODING_WORDS:
            self._set_encoding(word, argument)
        else:
            self._set_format(word, argument)

    def _set_format(self, word: str, argument: int | None) -> None:
        state = self._state
        is_on = argument != 0
        match word:
            case "pard":
                state.style = state.level = None
                state.is_item = state.in_cell = False
            case "plain":
                state.is_hidden = state.is_deleted = state.is_raised = False
                state.font = self._default_font
            case "f":
                state.font = argument
            case "s":
                state.style = argument
            case "outlinelevel":
                state.level = argument + 1 if argument is not None and 0 <= argument < 9 else None
            case "ls":
                state.is_item = bool(argument)
            case "intbl":
                state.in_cell = is_on
            case "uc":
                state.unicode_skip = max(argument or 0, 0)
            case "v":
                state.is_hidden = is_on
            case "super":
                state.is_raised = is_on
            case "up":  # in half points
                state.is_raised = argument is None or argument > 2
            case "nosupersub" | "sub":
                state.is_raised = False
            case "deleted":
                state.is_deleted = is_on

    def _set_encoding(self, word: str, argument: int | None) -> None:
        font = self._state.font
        if word == "ansicpg":
            self._code_page = argument or 1252
            self._fonts.default = _of_code_page(argument)
        elif word in _SYSTEMS:
            self._fonts.default = _SYSTEMS[word]
        elif word == "deff":
            self._default_font = argument
        elif self._state.within == "fonttbl" and font is not None and argument is not None:
            if word == "cpg":
                self._fonts.set_code_page(font, argument)
            else:
                self._fonts.set_charset(font, argument)

    def _end_paragraph(self) -> None:
        state = self._state
        if state.flow is not None:
            level = state.level
            if level is None and state.style is not None:
                level = self._levels.get(state.style)
            state.flow.end_paragraph(level, is_item=state.is_item, in_cell=state.in_cell)

    def _end_cell(self, word: str) -> None:
        flow = self._state.flow
        if flow is None:
            return
        if word == "cell":
            flow.end_cell()
        elif word == "row":
            flow.end_row()
        else:
            # Nested tables are text of the cell.
            flow.end_paragraph(None, is_item=False, in_cell=True)


class Flow:
    """Collects text into the paragraphs and rows of a page."""

    def __init__(self) -> None:
        self.title = ""
        self._page = PageText()
        self._pieces: list[str] = []
        self._boxes: list[str] = []
        self._cell: list[str] = []
        self._cells: list[str] = []
        self._in_rows = False
        self._was_item = False

    def write(self, text: str) -> None:
        self._pieces.append(text)

    def add_box(self, text: str) -> None:
        """Add a text box after the current paragraph."""
        self._boxes.append(text)

    def link(self, code: str) -> None:
        """Note the target of the link that a field's code describes, if any."""
        for target in field_targets(code):
            self._page.link(target)

    def end_paragraph(self, level: int | None, *, is_item: bool, in_cell: bool) -> None:
        """End the current paragraph: a heading if it has a `level`, 0 for a title."""
        text = self._pop_text()
        if in_cell:
            self._cell += [text, *self._boxes]
        elif level is not None:
            if level == 0 and not self.title:
                self.title = one_line(text)
            self._page.heading(max(level, 1), text)
        else:
            self._page.add(text, gap=1 if is_item and self._was_item else 2)
        if not in_cell:
            for box in self._boxes:
                self._page.add(box)
            if text.strip():
                self._was_item = is_item and level is None
                self._in_rows = False
        self._boxes.clear()

    def end_cell(self) -> None:
        """End the current cell and its paragraph."""
        self.end_paragraph(None, is_item=False, in_cell=True)
        self._cells.append(" ".join(part for part in self._cell if part.strip()))
        self._cell.clear()

    def end_row(self) -> None:
        """End the current row: its cells become a line."""
        if any(cell.strip() for cell in self._cells):
            self._page.row(self._cells, first=not self._in_rows)
            self._in_rows = True
            self._was_item = False
        self._cells.clear()

    def finish(self, rest: list[str]) -> tuple[str, tuple[Heading, ...]]:
        """Return the page's text and headings, with the texts in `rest` at its end."""
        if self._cell or self._cells:
            # The file ends within a table.
            self.end_cell()
            self.end_row()
        self.end_paragraph(None, is_item=False, in_cell=False)
        for text in rest:
            self._page.add(text)
        return self._page.finish()

    def text(self) -> str:
        """Return the collected text."""
        return self.finish([])[0]

    def _pop_text(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        if text.isascii():
            return text
        # Characters beyond U+FFFF are surrogate pairs, with a control word for each half.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


# Python codecs by font character set.
CHARSETS: Final = {
    77: "mac-roman", 78: "cp932", 79: "cp949", 80: "gb18030", 81: "cp950", 85: "mac-greek",
    86: "mac-turkish", 88: "mac-latin2", 89: "mac-cyrillic", 128: "cp932", 129: "cp949",
    130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258",
    177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
    254: "cp437", 255: "cp850",
}  # fmt: skip
_SYMBOL: Final = 2
_WIDE: Final = frozenset({"cp932", "gb18030", "cp949", "big5hkscs", "cp950", "johab"})


def _of_code_page(argument: int | None) -> str:
    return codec_of_page(argument or 1252) or "cp1252"


class _Fonts:
    """The encodings of the fonts of a file by font number."""

    def __init__(self) -> None:
        self.default = "cp1252"
        self._encodings: dict[int, str] = {}
        self._symbols: set[int] = set()

    def set_charset(self, font: int, charset: int) -> None:
        if charset == _SYMBOL:
            self._symbols.add(font)
        elif charset in CHARSETS:
            self._encodings[font] = CHARSETS[charset]
        elif charset == 0 and self.default in _WIDE:
            # A Latin font in an East Asian document.
            self._encodings[font] = "cp1252"

    def set_code_page(self, font: int, code_page: int) -> None:
        self._encodings[font] = _of_code_page(code_page)

    def decode(self, data: bytes, font: int | None) -> str:
        """Decode bytes in a font."""
        if font in self._symbols:
            # Like Word, map symbols to the private use area.
            return "".join(chr(0xF000 + byte) if byte > 32 else chr(byte) for byte in data)
        encoding = self.default if font is None else self._encodings.get(font, self.default)
        return data.decode(encoding, errors="replace")
