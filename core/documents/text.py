"""Normalising raw text, building pages from blocks, and mapping text to lines of a file."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Final

from core.documents import limits, superscripts
from core.documents.document import Heading, Page, SheetRow, SourceLines, Style, StyledSpan
from core.documents.links import link_target, unseen

# Characters without content: controls, soft hyphens, marks of direction and joining that only
# steer a renderer, halves of surrogate pairs, and code points that are no characters.
_UNSEEN = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
)
_SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f"
_BLANK = f"[ \t\u3000{_SPACES}{_UNSEEN}]"
_BREAK = "(?:\r\n|[\n\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029])"
# The first branch takes blanks only where they begin: without the look-behind, a long run of
# spaces would be tried from each of its characters and cost the square of its length.
_EDIT = re.compile(
    f"{_BLANK}(?<!{_BLANK}{{2}}){_BLANK}*+{_BREAK}(?:{_BLANK}*+{_BREAK})*+"
    f"|{_BREAK}(?:{_BLANK}*+{_BREAK})*+"
    # Rows of dots before a page number: a model would get a token for each.
    r"|\.(?: ?\.){4,}+"
    f"|[{superscripts.BEGIN}{superscripts.END}]"
    f"|(?:(?![{superscripts.BEGIN}{superscripts.END}])[{_UNSEEN}])++|[{_SPACES}\ufb00-\ufb06\uf0b7\uf0a7]"
    f"|(?<=[^\\W\\d_]{{3}})[{superscripts.DIGITS}]++"
)
# Raised digits that follow letters only once characters without content are gone.
_PARTED_NOTE = re.compile(f"[{_UNSEEN}][\\w{_UNSEEN}]{{0,8}}[{superscripts.DIGITS}]")
_BREAK_PATTERN = re.compile(_BREAK)
_SWAPS = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
    # Bullets of Microsoft's symbol fonts, in the private use area.
    "\uf0b7": "•",
    "\uf0a7": "▪",
}
_RAISED = frozenset({superscripts.BEGIN, superscripts.END})
_WHITE = re.compile(r"\s+")
_BAR = " | "
_LARGEST_NUMBER = 2**31 - 1  # of a row or a column, as views count them


def normalise(raw: str) -> str:
    r"""Normalise raw text.

    Line ends become ``\n``, with at most one blank line between paragraphs. Blanks before a line
    end, control characters, soft hyphens and white space at both ends are removed. Ligatures are
    spelled out, special spaces become plain ones, and rows of dots an ellipsis. Blanks that indent
    a line stay.

    >>> normalise("  One\x00 \r\n\r\n\r\n  two\u00adfold  ")
    'One\n\n  twofold'
    """
    text = _EDIT.sub(_replacement, raw).strip()
    return normalise(text) if _PARTED_NOTE.search(raw) else text


def normalise_with_map(raw: str) -> tuple[str, list[int]]:
    r"""Return `normalise(raw)` and, for each of its characters, the offset in `raw` it came from.

    >>> normalise_with_map(" a\r\n\tb")
    ('a\n\tb', [1, 2, 4, 5])
    """
    pieces: list[str] = []
    sources: list[int] = []
    done = 0
    for match in _EDIT.finditer(raw):
        start, end = match.span()
        replacement = _replacement(match)
        pieces += (raw[done:start], replacement)
        sources.extend(range(done, start))
        # A replacement is never longer than the original, except for a ligature, all of whose
        # letters map to it, and a space before raised digits.
        sources.extend(min(start + i, end - 1) for i in range(len(replacement)))
        done = end
    pieces.append(raw[done:])
    sources.extend(range(done, len(raw)))
    text = "".join(pieces)
    first = len(text) - len(text.lstrip())
    stripped = text.strip()
    sources = sources[first : first + len(stripped)]
    if not _PARTED_NOTE.search(raw):
        return stripped, sources
    again, offsets = normalise_with_map(stripped)
    return again, [sources[offset] for offset in offsets]


def one_line(raw: str) -> str:
    r"""Return `raw` normalised, with each run of white space as one space.

    >>> one_line(" A\n\n long\ttitle ")
    'A long title'
    """
    # Most cells of a spreadsheet are a number or a word.
    return raw if raw.isascii() and raw.isalnum() else _WHITE.sub(" ", normalise(raw))


def normalise_typed(typed: str) -> str:
    """Normalise a typed or pasted query to the letters of normalised text.

    Marks of direction and soft hyphens are removed, and letters are composed with their accents
    (NFC).

    >>> normalise_typed("\u200fcafe\u0301 \ufb01nal") == "café final"
    True
    """
    return unicodedata.normalize("NFC", one_line(typed))


def _replacement(match: re.Match[str]) -> str:
    text = match.group()
    if text in _SWAPS:
        return _SWAPS[text]
    if text[0] == ".":
        return "…"
    if text in _RAISED:
        return superscripts.gap(match.string, match.start())
    if text[0].isdigit():
        before = match.string[max(0, match.start() - 30) : match.start()]
        return f" {text}" if superscripts.is_note_mark(before, text) else text
    # Form feeds, line separators and the like count as line ends.
    breaks = sum(1 for _ in _BREAK_PATTERN.finditer(text))
    if breaks:
        return "\n\n" if breaks > 1 or "\x0c" in text or "\u2029" in text else "\n"
    return " " if _WHITE.fullmatch(text) else ""


def _cell_spans(
    offset: int, cells: Sequence[tuple[int, str]], texts: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    """Yield column, start and end of each cell that is not empty."""
    for (column, _), text in zip(cells, texts, strict=True):
        if text:
            yield column, offset, offset + len(text)
        offset += len(text) + len(_BAR)


class PageText:
    r"""Builds a page from blocks of text, and records the offsets of headings, styles and rows.

    >>> page = PageText()
    >>> page.heading(1, "Birds")
    >>> page.add("Crows\u00ad are clever. ")
    >>> page.add("Rooks too.", gap=1)
    >>> page.finish()
    ('Birds\n\nCrows are clever.\nRooks too.', (Heading(start=0, level=1, text='Birds'),))
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._headings: list[Heading] = []
        self._length = 0
        self._styles: list[StyledSpan] = []
        self._rows: list[SheetRow] = []
        self._lines: list[SourceLines] = []
        self._targets: dict[str, None] = {}  # of links, in the order of the text

    def add(
        self,
        block: str,
        *,
        gap: int = 2,
        styles: Sequence[tuple[Style, int]] = (),
        within: Sequence[StyledSpan] = (),
        lines: tuple[int, int] | None = None,
    ) -> None:
        """Add a block after `gap` line ends (1 or 2). An empty block adds nothing.

        Args:
            block: Text of the block.
            gap: Line ends before it.
            styles: Styles of the whole block, each with its level.
            within: Styles of parts of it, by offsets into `block`.
            lines: First and last line of the file for the block, if it is one line of text or as
                many lines as these.

        Raises:
            DocumentError: The page has more text than any document may. A few bytes can expand to
                much text, so this stops early.
        """
        text, sources = normalise_with_map(block) if within else (normalise(block), [])
        if not text:
            return
        if self._length:
            self._pieces.append("\n" * gap)
            self._length += gap
        self._pieces.append(text)
        self._length += len(text)
        limits.DEFAULT.check_characters(self._length)
        start = self._length - len(text)
        if lines is not None and text.count("\n") in {0, lines[1] - lines[0]}:
            self._lines.append(SourceLines(start, self._length, *lines))
        self._styles += (StyledSpan(start, self._length, style, level) for style, level in styles)
        for part in within:
            first, last = bisect_left(sources, part.start), bisect_left(sources, part.end)
            if first < last:
                self._styles.append(StyledSpan(start + first, start + last, part.style, part.level))

    def heading(self, level: int, block: str, lines: tuple[int, int] | None = None) -> None:
        """Add a heading of `level` 1 (outermost) or deeper as a separate line."""
        text = one_line(block)
        if text:
            self.add(text, lines=lines)
            self._headings.append(Heading(self._length - len(text), level, text))

    def lines(self, lines: Iterable[str]) -> None:
        """Add lines as blocks without blank lines between them."""
        gap = 2
        for line in lines:
            self.add(line, gap=gap)
            if line.strip():
                gap = 1

    def row(self, cells: list[str], *, first: bool, lines: tuple[int, int] | None = None) -> None:
        """Add a table row as one line, its cells separated by bars. Empty rows add nothing."""
        texts = [one_line(cell) for cell in cells]
        if any(texts):
            line = " | ".join(texts).strip(" |")
            self.add(line, gap=2 if first else 1, styles=[(Style.ROW, int(first))], lines=lines)

    def sheet_row(
        self, cells: Sequence[tuple[int, str]], row_number: int = 0, *, first: bool, level: int = 0
    ) -> None:
        """Add a row of a sheet, with its row `row_number` and the column numbers of its cells.

        With a `level` it is also a heading.
        """
        texts = [one_line(text) for _, text in cells]
        joined = _BAR.join(texts)
        line = joined.strip(" |")
        if not line:
            return
        if level:
            self.heading(level, line)
        else:
            self.add(line, gap=2 if first else 1)
        added = self._pieces[-1]
        start = self._length - len(added)
        if added == line:
            # The bars of leading empty cells were removed.
            offset = start - (len(joined) - len(joined.lstrip(" |")))
            cell_spans = _cell_spans(offset, cells, texts)
            inside = tuple(
                cell for cell in cell_spans if start <= cell[1] and cell[2] <= self._length
            )
        else:  # shortened again: the offsets of its cells are unknown
            inside = ((cells[0][0], start, self._length),)
        # A damaged file may have any numbers.
        inside = tuple((min(cell[0], _LARGEST_NUMBER), *cell[1:]) for cell in inside)
        self._rows.append(
            SheetRow(start, min(row_number or len(self._rows) + 1, _LARGEST_NUMBER), inside)
        )

    def link(self, href: str | None, *, is_absolute: bool = False) -> None:
        """Note the target of a link, for `finish`.

        Args:
            href: The target as the document has it.
            is_absolute: Whether targets relative to the document are left out.
        """
        if target := link_target(href, is_absolute=is_absolute):
            self._targets[target] = None

    def note_link(self, name: str) -> None:
        """Note the name of a note that is linked to, for `finish`."""
        if name := one_line(name):
            self._targets[name] = None

    def finish(self) -> tuple[str, tuple[Heading, ...]]:
        """Add the noted targets that the text lacks, one per line, and return the page's text."""
        if self._targets:
            targets, self._targets = self._targets, {}
            for place, target in enumerate(unseen(targets, "".join(self._pieces))):
                span = StyledSpan(0, len(target), Style.LINK)
                self.add(target, gap=1 if place else 2, within=[span])
        return "".join(self._pieces), tuple(self._headings)

    def page(self, page_number: int, unread: str = "") -> Page:
        """Return a page with its styles. `unread` contains the reasons for missing text."""
        text, headings = self.finish()
        return Page(
            page_number,
            text,
            headings,
            unread,
            styles=tuple(self._styles),
            rows=tuple(self._rows),
            lines=tuple(self._lines),
        )


# Runs of lines of one page. A file made to have more is cited without line numbers.
_MOST_LINE_RUNS: Final = 50_000


def by_line(source: str, text: str) -> tuple[SourceLines, ...]:
    r"""Map the lines of `text`, the normalised `source`, to the lines of the source.

    Return an empty tuple if they differ by more than blank lines.

    >>> by_line("\n\na\n b\n\n\n\nc\n", "a\n b\n\nc")
    (SourceLines(start=0, end=4, first=3, last=4), SourceLines(start=6, end=7, first=8, last=8))
    """
    line_numbers = [
        line_number
        for line_number, line in enumerate(source.split("\n"), 1)
        for part in line.splitlines()
        if normalise(part)
    ]
    lines = text.split("\n")
    if not text or len(line_numbers) != sum(map(bool, lines)):
        return ()
    runs = tuple(_runs(lines, line_numbers))
    return runs if len(runs) <= _MOST_LINE_RUNS else ()


def _runs(lines: Sequence[str], line_numbers: Sequence[int]) -> Iterator[SourceLines]:
    """Yield the longest runs of lines that are consecutive in the text and in the source."""
    matched_lines: list[tuple[int, int, int]] = []  # row, source line, start offset
    start = 0
    for row, line in enumerate(lines):
        if line:
            matched_lines.append((row, line_numbers[len(matched_lines)], start))
        start += len(line) + 1
    begin = 0
    borders = [
        index
        for index, (before, here) in enumerate(pairwise(matched_lines), 1)
        if here[0] - before[0] != here[1] - before[1]
    ]
    for border in (*borders, len(matched_lines)):
        first, last = matched_lines[begin], matched_lines[border - 1]
        yield SourceLines(first[2], last[2] + len(lines[last[0]]), first[1], last[1])
        begin = border


def lines_of(
    text: str, lines: Sequence[SourceLines], start: int, end: int
) -> tuple[int, int] | None:
    r"""Return the first and the last line of the file for `text[start:end]`, if known.

    Args:
        text: Text of a page.
        lines: `Page.lines`.
        start: Start offset, not at white space.
        end: End offset, not after white space.

    >>> set_from_two = SourceLines(0, 9, 4, 5)
    >>> lines_of("one, two.", [set_from_two], 0, 9), lines_of("one, two.", [set_from_two], 5, 9)
    ((4, 5), None)
    """
    first = _line_at(text, lines, start, is_end=False)
    last = _line_at(text, lines, end, is_end=True)
    return None if first is None or last is None else (first, last)


def _line_at(text: str, lines: Sequence[SourceLines], offset: int, *, is_end: bool) -> int | None:
    """Return the line of the character that begins, or ends, at an offset of the text."""
    character = offset - is_end
    index = bisect_right(lines, character, key=attrgetter("start")) - 1
    if index < 0 or character >= lines[index].end:
        return None
    run = lines[index]
    if run.first == run.last:
        return run.first
    if "\n" in text[run.start : run.end]:
        return run.first + text.count("\n", run.start, character)
    # A line that was joined from several: only its ends are known.
    if is_end:
        return run.last if offset == run.end else None
    return run.first if offset == run.start else None
