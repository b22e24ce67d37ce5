"""Reads binary Excel workbooks (.xlsb): the parts of .xlsx with records in place of XML.

Source: [MS-XLSB], sections 2.1.4 (records), 2.4 (their contents), 2.5.9 (cells).
"""

from collections.abc import Iterator
from typing import Final

from core.documents import damage
from core.documents.document import Document, Page
from core.documents.metadata import with_topics
from core.documents.office.ooxml import Relation, core_properties, link_targets, relations
from core.documents.office.packages import Package
from core.documents.office.sheets import BUILT_IN, GENERAL, add_rows, check_sheets, format_number
from core.documents.office.xls import ERRORS, BiffRecord
from core.documents.office.xlsx import add_annotations
from core.documents.text import PageText

_ROW, _RK, _ERROR, _BOOL, _REAL, _TEXT, _SHARED = 0, 2, 3, 4, 5, 6, 7
_FORMULA_TEXT, _FORMULA_REAL, _FORMULA_BOOL, _FORMULA_ERROR = 8, 9, 10, 11
_SST_ITEM, _RICH_TEXT, _COMMENT_TEXT = 19, 62, 637
_FORMAT, _STYLE, _STYLES_BEGIN, _STYLES_END = 44, 47, 617, 618
_WORKBOOK_PROPERTIES, _SHEET = 153, 156
_VERY_HIDDEN: Final = 2
_NO_TEXT: Final = 0xFFFFFFFF


def read_xlsb(package: Package, main: str) -> Document:
    """Read the workbook in `package` with the main part `main`: a page per sheet.

    Raises:
        DocumentError: It is damaged, or too large when unpacked.
    """
    with damage.as_damage("a part cannot be read", EOFError):
        pages = _pages(package, main)
    about = core_properties(package)
    return Document(about.title, with_topics(pages, about.topics), about.author, about.date)


def _pages(package: Package, main: str) -> list[Page]:
    links = relations(package, main)
    cells = _XlsbCells(package, links)
    pages: list[Page] = []
    all_losses = damage.Losses()
    for record in _records(package.read(main)):
        if record.kind == _WORKBOOK_PROPERTIES:
            cells.is_1904 = bool(record.integer("<I") & 1)
        if record.kind != _SHEET:
            continue
        state, _ = record.integer("<I"), record.integer("<I")
        id_, name = _text(record), _text(record)
        if not id_ or state == _VERY_HIDDEN:
            continue
        page = PageText()
        losses = damage.Losses()
        link = links.get(id_)
        if link is None or link.target not in package:
            losses.note(damage.MISSING, damage.MissingError())
            add_rows(page, name, ())
        else:
            if link.kind == "worksheet":
                add_rows(page, name, cells.rows(link.target, losses))
            add_annotations(page, package, link.target, losses)
            with losses.of(damage.COMMENTS):
                _add_comments(page, package, link.target)
        if not pages:
            losses.take(cells.losses)
        all_losses.take(losses)
        pages.append(page.page(len(pages) + 1, losses.unread))
    check_sheets(pages, all_losses)
    return pages


def _add_comments(page: PageText, package: Package, sheet: str) -> None:
    links = relations(package, sheet).values()
    for target in link_targets(package, sheet):
        page.link(target)
    if any(link.kind == "threadedComment" for link in links):
        return
    for link in links:
        if link.kind == "comments":
            for record in _records(package.read(link.target)):
                if record.kind == _COMMENT_TEXT:
                    record.take(1)
                    page.add(_text(record))


class _XlsbCells:
    """Reads cells, with the strings and number formats of the workbook."""

    def __init__(self, package: Package, links: dict[str, Relation]) -> None:
        self.is_1904 = False
        self.losses = damage.Losses()
        self._package = package
        self._strings: list[str] = []
        self._codes: list[str] = []
        for link in links.values():
            # Missing strings are noted where a cell refers to them.
            if link.kind == "sharedStrings" and link.target in package:
                for record in _records(package.read(link.target)):
                    if record.kind == _SST_ITEM:
                        record.take(1)
                        self._strings.append(_text(record))
            elif link.kind == "styles":
                with self.losses.of(damage.STYLES):
                    self._codes = _codes(package.read(link.target))

    def rows(
        self, sheet: str, losses: damage.Losses
    ) -> Iterator[tuple[int, list[tuple[int, str]]]]:
        """Yield the number of each row and its cells as (column, text).

        Missing strings are noted.
        """
        row_number = 0
        row: list[tuple[int, str]] = []
        for record in _records(self._package.read(sheet)):
            if record.kind == _ROW:
                yield row_number, row
                row_number, row = record.integer("<I") + 1, []
            elif record.kind in _VALUES:
                column = record.integer("<I") + 1
                style = record.integer("<I") & 0xFFFFFF
                row.append((column, self._shown(record, style, losses)))
        yield row_number, row

    def _shown(self, record: BiffRecord, style: int, losses: damage.Losses) -> str:
        kind = record.kind
        if kind in {_TEXT, _FORMULA_TEXT}:
            return _text(record)
        if kind == _RICH_TEXT:
            record.take(1)
            return _text(record)
        if kind == _SHARED:
            index = record.integer("<I")
            if index < len(self._strings):
                return self._strings[index]
            losses.note(damage.SOME_TEXT, damage.MissingError())
            return ""
        if kind in {_BOOL, _FORMULA_BOOL}:
            return "TRUE" if record.integer("<B") else "FALSE"
        if kind in {_ERROR, _FORMULA_ERROR}:
            return ERRORS.get(record.integer("<B"), "")
        value = record.rk() if kind == _RK else record.double()
        code = self._codes[style] if style < len(self._codes) else GENERAL
        return format_number(value, code, is_1904=self.is_1904)


_VALUES: Final = frozenset(
    {_RK, _ERROR, _BOOL, _REAL, _TEXT, _SHARED, _RICH_TEXT}
    | {_FORMULA_TEXT, _FORMULA_REAL, _FORMULA_BOOL, _FORMULA_ERROR}
)


def _codes(styles: bytes) -> list[str]:
    """Return the number format of each cell style."""
    formats = dict(BUILT_IN)
    codes = []
    is_of_cells = False
    for record in _records(styles):
        if record.kind in {_STYLES_BEGIN, _STYLES_END}:
            is_of_cells = record.kind == _STYLES_BEGIN
        elif record.kind == _FORMAT:
            format_id = record.integer("<H")
            formats[format_id] = _text(record)
        elif record.kind == _STYLE and is_of_cells:
            record.take(2)
            codes.append(formats.get(record.integer("<H"), GENERAL))
    return codes


def _records(data: bytes) -> Iterator[BiffRecord]:
    """Yield the records of a part; kind and size are variable-length integers."""
    at = 0
    while at < len(data):
        kind = data[at]
        at += 1
        if kind & 0x80 and at < len(data):
            kind = kind & 0x7F | (data[at] & 0x7F) << 7
            at += 1
        size = 0
        for shift in (0, 7, 14, 21):
            if at >= len(data):
                return
            byte = data[at]
            at += 1
            size |= (byte & 0x7F) << shift
            if not byte & 0x80:
                break
        yield BiffRecord(kind, data[at : at + size])
        at += size


def _text(record: BiffRecord) -> str:
    length = record.integer("<I")
    return "" if length == _NO_TEXT else record.take(2 * length).decode("utf-16-le", "replace")
