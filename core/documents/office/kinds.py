"""Detects the kind of an office document by its content."""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Final

from core.documents.damage import OtherKindError
from core.documents.document import Document
from core.documents.files import start_of
from core.documents.formats import load_function
from core.documents.office.ole import OLE_MAGIC, compound_file, stream
from core.documents.office.ooxml import main_part, part
from core.documents.office.packages import open_package
from core.errors import DocumentError

Read = Callable[[Path], Document]

_START_BYTES: Final = 2_000
_OFFICE: Final = "core.documents.office"
_TEXT: Final = "core.documents.text_formats"
_DOC, _PPT, _RTF = (f"{_OFFICE}.{name}:read" for name in ("doc", "ppt", "rtf"))
_DOCX, _PPTX, _EXCEL = (f"{_OFFICE}.{name}:read" for name in ("docx", "pptx", "excel"))
_ODF: Final = f"{_OFFICE}.opendocument:read"
_STREAMS: Final = {
    "WordDocument": _DOC,
    "PowerPoint Document": _PPT,
    "Workbook": _EXCEL,
    "Book": _EXCEL,
}
_ROOTS: Final = {"document": _DOCX, "presentation": _PPTX, "workbook": _EXCEL}
# Readers of plain text files with the suffixes of old office formats.
_AS_TEXT: Final = {
    ".doc": f"{_TEXT}.plain:read",
    **dict.fromkeys((".xls", ".xlt"), f"{_TEXT}.delimited:read"),
}
# The XML namespace of Excel 2003 workbooks.
EXCEL_XML: Final = b"urn:schemas-microsoft-com:office:spreadsheet"


def by_content(read: Read) -> Read:
    """Make `read` fall back to the reader that fits the content if the suffix is wrong."""

    @wraps(read)
    def read_any(path: Path) -> Document:
        try:
            return read(path)
        except OtherKindError:
            other = _reader_of(path)
            if other in {"", f"{read.__module__}:read"}:
                raise
            try:
                document: Document = load_function(other)(path)
                return document
            except DocumentError:
                if other not in _AS_TEXT.values():
                    raise
            # Not text either: the first error is more helpful.
            raise

    return read_any


def _reader_of(path: Path) -> str:
    """Return the name of the function that reads the content of a file; "" if unknown."""
    start = start_of(path, _START_BYTES)
    if start.startswith(OLE_MAGIC):
        with compound_file(path) as ole:
            return next((reader for name, reader in _STREAMS.items() if stream(ole, name)), "")
    if start.startswith(b"PK"):
        return _reader_of_package(path)
    beginning = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if beginning.startswith(b"{\\rtf"):
        return _RTF
    if EXCEL_XML in start:
        return _EXCEL
    if beginning.startswith((b"<html", b"<!doctype html", b"<table")) or b"<html" in beginning:
        return f"{_TEXT}.html:read"
    if beginning.startswith(b"mime-version:"):
        return f"{_TEXT}.html:read_saved"
    if beginning.startswith(b"<?xml"):
        return f"{_TEXT}.xml:read"
    return _AS_TEXT.get(path.suffix.lower(), "") if start else ""


def _reader_of_package(path: Path) -> str:
    # For a damaged package, trust the suffix.
    with suppress(DocumentError), open_package(path) as package:
        if "content.xml" in package:  # in every OpenDocument file
            return _ODF
        main = main_part(package)
        if main.lower().endswith(".bin"):
            return _EXCEL
        return _ROOTS.get(part(package, main).tag.rpartition("}")[2], "")
    return ""
