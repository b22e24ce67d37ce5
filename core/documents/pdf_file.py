"""PDF files as such: opened, and their pages with all that was written on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.documents.files import unreadable
from core.documents.text import normalise
from core.errors import DocumentError

# Encrypted in a way that PDFium does not know is a matter of passwords to a person.
_PASSWORD_ERRORS: Final = frozenset({4, 5})
_MOST_ANNOTATIONS: Final = 5_000


@contextmanager
def open_pdf(path: Path) -> Iterator[Any]:
    """Give the opened `pypdfium2.PdfDocument`, closed afterwards.

    Raises:
        DocumentError: It is no PDF, is damaged, or needs a password.
    """
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(path)
    except OSError as error:
        raise unreadable(error) from error
    except pypdfium2.PdfiumError as error:
        if error.err_code in _PASSWORD_ERRORS:
            raise DocumentError("needs a password") from error
        raise DocumentError(f"is damaged: {_damage(path)}") from error
    try:
        if pdf.get_formtype():
            # Some programs leave it to the reader to set what was filled in.
            with suppress(pypdfium2.PdfiumError):  # a broken form; the pages may be whole
                pdf.init_forms()
        yield pdf
    finally:
        pdf.close()


class OpenPage(NamedTuple):
    """A `pypdfium2.PdfPage`, and what people noted on it: on its own or on what they marked."""

    page: Any
    notes: list[str]


@contextmanager
def open_page(pdf: Any, index: int) -> Iterator[OpenPage]:
    """Give page `index`, counted from 0, as it is printed: with filled in forms, with stamps.

    Raises:
        pypdfium2.PdfiumError: The page is broken.
    """
    import pypdfium2.raw as pdfium

    written = {pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP}
    page = pdf[index]
    try:
        annotations = list(_annotations(page))
        notes = filter(None, (normalise(note) for _, note in annotations))
        if any(kind in written for kind, _ in annotations):
            # What is written over a page becomes part of it; nothing is left to be noted on it.
            pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
            page.close()
            page = pdf[index]
        yield OpenPage(page, list(dict.fromkeys(notes)))
    finally:
        page.close()


def _annotations(page: Any) -> Iterator[tuple[int, str]]:
    """Give the kind of each annotation on a page, and the note in it."""
    import pypdfium2.raw as pdfium

    silent = {pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_POPUP}
    count = pdfium.FPDFPage_GetAnnotCount(page)
    for number in range(min(count, _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, number)
        if annotation:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            note = "" if kind in silent else _note_in(annotation)
            pdfium.FPDFPage_CloseAnnot(annotation)
            yield kind, note


def _note_in(annotation: Any) -> str:
    import ctypes

    import pypdfium2.raw as pdfium

    size = pdfium.FPDFAnnot_GetStringValue(annotation, b"Contents", None, 0)
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAnnot_GetStringValue(
        annotation, b"Contents", ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), size
    )
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0")


def _damage(path: Path) -> str:
    try:
        with path.open("rb") as file:
            start = file.read(1024)
    except OSError as error:
        raise unreadable(error) from error
    if not start:
        return "the file is empty"
    return "its structure is broken" if b"%PDF" in start else "it is no PDF file"
