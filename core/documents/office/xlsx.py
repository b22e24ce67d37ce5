"""Reads Excel workbooks (.xlsx): cells, drawings and comments."""

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from core.documents import damage, limits, superscripts
from core.documents.document import Document, Page
from core.documents.metadata import with_topics
from core.documents.office import ooxml, sheets
from core.documents.office.date_formats import system_codes
from core.documents.office.packages import Package, stream_xml
from core.documents.text import PageText, one_line
from core.errors import DocumentError

_S: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_DRAWN: Final = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}cNvPr"
_VT: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes}"
_THREADED: Final = "{http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments}"
# Characters not allowed in XML are escaped: "_x000D_".
_ESCAPED: Final = re.compile(r"_x([0-9a-fA-F]{4})_")
# Codes in headers and footers, and those that begin a section; "&&" is an ampersand.
_FURNITURE_CODE: Final = re.compile(r'&(?:"[^"]*"|\d{1,3} ?|K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|.)')
_SECTION: Final = re.compile("&[LCR]")
_COLUMN: Final = re.compile(r"[A-Z]{1,3}")


def read_xlsx(package: Package, main: str) -> Document:
    """Read the workbook in `package` with the main part `main`: a page per sheet.

    Raises:
        DocumentError: It is damaged, not a workbook, or too large when unpacked.
    """
    workbook = ooxml.part(package, main)
    if workbook.tag != f"{_S}workbook":
        raise damage.OtherKindError("Not an Excel workbook despite its name")
    links = ooxml.relations(package, main)
    properties = workbook.find(f"{_S}workbookPr")
    is_1904 = properties is not None and properties.get("date1904") in {"1", "true"}
    cells = _XlsxCells(package, links, is_1904=is_1904)
    pages: list[Page] = []
    all_losses = damage.Losses()
    for entry in workbook.iterfind(f"{_S}sheets/{_S}sheet"):
        id_ = entry.get(f"{ooxml.R}id")
        # Only programs can show such sheets, which contain their data.
        if not id_ or entry.get("state") == "veryHidden":
            continue
        page = PageText()
        losses = damage.Losses()
        link = links.get(id_)
        name = entry.get("name") or ""
        if link is None or link.target not in package:
            losses.note(damage.MISSING, damage.MissingError())
            sheets.add_rows(page, name, ())
        else:
            is_cells = link.kind == "worksheet"
            sheets.add_rows(page, name, cells.rows(link.target, losses) if is_cells else ())
            for text in cells.take_furniture():
                page.add(text)
            add_annotations(page, package, link.target, losses)
        if not pages:
            losses.take(cells.losses)
        all_losses.take(losses)
        pages.append(page.page(len(pages) + 1, losses.unread))
    sheets.check_sheets(pages, all_losses)
    about = ooxml.core_properties(package)
    return Document(about.title, with_topics(pages, about.topics), about.author, about.date)


def add_annotations(page: PageText, package: Package, sheet: str, losses: damage.Losses) -> None:
    """Add the text boxes, charts and comments of a sheet."""
    links = list(ooxml.relations_if_intact(package, sheet, losses).values())
    with losses.of(damage.DRAWINGS):
        _add_drawings(page, package, links, losses)
    with losses.of(damage.COMMENTS):
        _add_comments(page, package, links)
    with losses.of(damage.SIDE_PARTS):
        for target in ooxml.link_targets(package, sheet):
            page.link(target)


def _add_drawings(
    page: PageText, package: Package, links: Sequence[ooxml.Relation], losses: damage.Losses
) -> None:
    for link in links:
        if link.kind == "drawing":
            drawing = ooxml.part(package, link.target)
            for paragraph in ooxml.paragraphs(drawing):
                page.add(paragraph)
            for properties in drawing.iter(_DRAWN):
                page.add(ooxml.alternative(properties))
            ooxml.add_drawing(page, drawing, package, ooxml.relations(package, link.target), losses)


def _add_comments(page: PageText, package: Package, links: Sequence[ooxml.Relation]) -> None:
    threads = [link for link in links if link.kind == "threadedComment"]
    for link in threads:
        for text in ooxml.part(package, link.target).iter(f"{_THREADED}text"):
            page.add(text.text or "")
    for link in links:
        # With threads, plain comments only say that the program does not support threads.
        if link.kind == "comments" and link.target.endswith(".xml") and not threads:
            for comment in ooxml.part(package, link.target).iter(f"{_S}text"):
                page.add(_rich_text(comment, _S))


class _XlsxCells:
    """Reads cells, with the strings and number formats of the workbook."""

    def __init__(
        self, package: Package, links: dict[str, ooxml.Relation], *, is_1904: bool
    ) -> None:
        self.losses = damage.Losses()
        self._package = package
        self._is_1904 = is_1904
        self._strings: list[str] = []
        self._furniture: dict[str, None] = {}  # headers and footers of the last sheet
        # Why strings are missing; noted only if a cell refers to one.
        self._missing_strings: damage.DamageError = damage.MissingError()
        self._codes: dict[str, str] = {}
        for link in links.values():
            if link.kind == "sharedStrings":
                try:
                    self._strings.extend(self._read_strings(link.target))
                except damage.DamageError as error:
                    self._missing_strings = error
            elif link.kind == "styles":
                with self.losses.of(damage.STYLES):
                    self._codes = _codes(ooxml.part(package, link.target), _system_codes(package))

    def _read_strings(self, name: str) -> Iterator[str]:
        length = 0
        with self._package.open(name) as stream:
            for item in stream_xml(stream, "{*}si"):
                text = _rich_text(item, item.tag.removesuffix("si"))
                length += len(text)
                limits.DEFAULT.check_characters(length)
                yield text

    def rows(
        self, sheet: str, losses: damage.Losses
    ) -> Iterator[tuple[int, Iterator[tuple[int, str]]]]:
        """Yield the number of each row and its cells as (column, text).

        Stops at damage; damage and missing strings are noted.
        """
        row_number = 0
        with losses.of(damage.SOME_TEXT), self._package.open(sheet) as stream:
            for row in stream_xml(stream, "{*}row", "{*}headerFooter"):
                if row.tag.endswith("headerFooter"):
                    self._furniture |= dict.fromkeys(_shown_furniture(each.text) for each in row)
                    continue
                index = row.get("r") or ""
                row_number = int(index) if index.isdecimal() and len(index) < 8 else row_number + 1
                yield row_number, self._row(row, losses)

    def take_furniture(self) -> Iterator[str]:
        """Yield the distinct headers and footers of the sheet whose rows were read."""
        furniture, self._furniture = self._furniture, {}
        return filter(None, furniture)

    def _row(self, row: Any, losses: damage.Losses) -> Iterator[tuple[int, str]]:
        namespace = row.tag.removesuffix("row")
        column = 0
        for cell in row.iterchildren(f"{namespace}c"):
            column = _column(cell.get("r") or "") or column + 1
            if text := self._text(cell, namespace, losses):
                yield column, text

    def _text(self, cell: Any, namespace: str, losses: damage.Losses) -> str:
        kind = cell.get("t")
        if kind == "inlineStr":
            inline = cell.find(f"{namespace}is")
            return "" if inline is None else _rich_text(inline, namespace)
        value = ""
        for element in cell.iterchildren(f"{namespace}v"):
            value = element.text or ""
        if kind == "s":
            if not value.isdecimal() or len(value) >= 10:
                return ""
            if int(value) < len(self._strings):
                return self._strings[int(value)]
            losses.note(damage.SOME_TEXT, self._missing_strings)
            return ""
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if kind == "d":
            return value.removesuffix("T00:00:00").replace("T", " ")
        if kind in {"str", "e"}:
            return _unescaped(value)
        return self._number_text(value, self._codes.get(cell.get("s") or "0", sheets.GENERAL))

    def _number_text(self, value: str, code: str) -> str:
        try:
            number = float(value)
        except ValueError:
            return value
        if not math.isfinite(number):
            return value
        return (
            sheets.format_plain(number)
            if code == sheets.GENERAL
            else sheets.format_number(number, code, is_1904=self._is_1904)
        )


def _shown_furniture(code: str | None) -> str:
    r"""Return the text of a header or footer without codes for fonts, pages, dates and names.

    >>> _shown_furniture('&L&"Arial,Bold"&12Budget &&amp; plan&CPage &P of &N&R&KFF0000Draft')
    'Budget &amp; plan\nPage of\nDraft'
    """
    sections = _SECTION.split((code or "").replace("&&", "\0"))
    parts = (_FURNITURE_CODE.sub("", section).replace("\0", "&") for section in sections)
    return "\n".join(filter(None, map(one_line, parts)))


def _system_codes(package: Package) -> dict[int, str]:
    """Return the formats that depend on the system, from the names of parts in its language."""
    with suppress(DocumentError):  # only affects how dates look
        for relation in ooxml.relations(package).values():
            if relation.kind == "extended-properties":
                name = next(ooxml.part(package, relation.target).iter(f"{_VT}lpstr"), None)
                return {} if name is None else system_codes((name.text or "").strip())
    return {}


def _codes(styles: Any, of_system: dict[int, str]) -> dict[str, str]:
    """Return the number format of each cell style by its number."""
    own = {
        entry.get("numFmtId"): entry.get("formatCode") or sheets.GENERAL
        for entry in styles.iterfind(f"{_S}numFmts/{_S}numFmt")
    }
    built_in = {str(index): code for index, code in {**sheets.BUILT_IN, **of_system}.items()}
    return {
        str(index): own.get(style.get("numFmtId"))
        or built_in.get(style.get("numFmtId"), sheets.GENERAL)
        for index, style in enumerate(styles.iterfind(f"{_S}cellXfs/{_S}xf"))
    }


def _rich_text(parent: Any, namespace: str) -> str:
    """Return a text, which may be in runs, without phonetic readings."""
    pieces = []
    for element in parent:
        if element.tag == f"{namespace}t":
            pieces.append(element.text or "")
        elif element.tag == f"{namespace}r":
            text = element.findtext(f"{namespace}t") or ""
            script = element.find(f"{namespace}rPr/{namespace}vertAlign")
            is_raised = script is not None and script.get("val") == "superscript"
            pieces.append(superscripts.marked(text) if is_raised else text)
    return _unescaped("".join(pieces))


def _unescaped(text: str) -> str:
    r"""Return a text with escaped characters decoded.

    >>> _unescaped("two_x000D_lines")
    'two\rlines'
    """
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _column(reference: str) -> int:
    """Return the column of a cell reference, counted from 1; 0 if there is none.

    >>> _column("AB12")
    28
    """
    column_number = 0
    if letters := _COLUMN.match(reference):
        for letter in letters.group():
            column_number = 26 * column_number + ord(letter) - 64
    return column_number
