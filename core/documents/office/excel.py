"""Excel workbooks, in whichever of Excel's formats a file is, for their names often lie."""

from __future__ import annotations

from pathlib import Path

from core.documents.document import Document
from core.documents.files import open_file, read_bytes, unreadable
from core.documents.office.excel_xml import read_excel_xml
from core.documents.office.kinds import EXCEL_XML, by_content
from core.documents.office.ole import OLE_MAGIC
from core.documents.office.ooxml import main_part
from core.documents.office.packages import open_package
from core.documents.office.xls import read_xls
from core.documents.office.xlsb import read_xlsb
from core.documents.office.xlsx import read_xlsx
from core.documents.text_formats import html
from core.errors import DocumentError

# The records that workbooks of Excel 2, 3 and 4 begin with.
_BEFORE_1993 = (b"\x09\0\x04\0", b"\x09\x02\x06\0", b"\x09\x04\x06\0")
_START_BYTES = 2_000


@by_content
def read(path: Path) -> Document:
    """Read a workbook: a page for each sheet, its name as heading, each row as a line.

    Raises:
        DocumentError: It is damaged, needs a password, is no workbook, or unpacks to too much.
    """
    try:
        with open_file(path) as file:
            start = file.read(_START_BYTES)
    except OSError as error:
        raise unreadable(error) from error
    if start.startswith(OLE_MAGIC):
        return read_xls(path)
    if start.startswith(_BEFORE_1993):
        raise DocumentError("is of a version of Excel before 1993, which Winnow does not read")
    if not start.startswith(b"PK"):
        # Programs export tables as XML or as web pages under Excel's names, and Excel opens them.
        if EXCEL_XML in start:
            return read_excel_xml(read_bytes(path))
        if b"<html" in start.lower() or b"<table" in start.lower():
            return html.read(path)
    with open_package(path) as package:
        main = main_part(package)
        is_binary = main.lower().endswith(".bin")
        return read_xlsb(package, main) if is_binary else read_xlsx(package, main)
