"""Which kind of office document a file holds, whatever it is called: told by its content."""

from __future__ import annotations

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
# What the old programs open under their own names, although it says of itself only that it is text.
_AS_TEXT: Final = {
    ".doc": f"{_TEXT}.plain:read",
    **dict.fromkeys((".xls", ".xlt"), f"{_TEXT}.delimited:read"),
}
EXCEL_XML: Final = b"urn:schemas-microsoft-com:office:spreadsheet"
"""The namespace of workbooks in the XML of 2003."""


def by_content(read: Read) -> Read:
    """Have `read` read what another reader of office documents can where the name misleads."""

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
            # No text either: what was said first is more to the point.
            raise

    return read_any


def _reader_of(path: Path) -> str:
    """Return the function that reads what the file at `path` holds; "" where nothing tells it."""
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
    # What is damaged is what its name says for all that is known.
    with suppress(DocumentError), open_package(path) as package:
        if "content.xml" in package:  # the part that each OpenDocument file has
            return _ODF
        main = main_part(package)
        if main.lower().endswith(".bin"):
            return _EXCEL
        return _ROOTS.get(part(package, main).tag.rpartition("}")[2], "")
    return ""
