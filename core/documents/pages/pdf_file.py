"""PDF files as such: opened, and their pages with all that was written on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.documents.files import mapped, open_file, size_of, unreadable
from core.documents.text import normalise
from core.errors import DocumentError

# Encrypted in a way that PDFium does not know is a matter of passwords to a person.
_PASSWORD_ERRORS: Final = frozenset({4, 5})
_MOST_ANNOTATIONS: Final = 5_000
# A larger one is read bit by bit, for what is mapped counts as memory that is taken.
_MOST_IN_MEMORY: Final = 500_000_000


@contextmanager
def open_pdf(path: Path) -> Iterator[Any]:
    """Give the opened `pypdfium2.PdfDocument`, closed afterwards.

    Raises:
        DocumentError: It is no PDF, is damaged, or needs a password.
    """
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(_content(path))
    except OSError as error:
        raise unreadable(error) from error
    except pypdfium2.PdfiumError as error:
        if error.err_code in _PASSWORD_ERRORS:
            raise DocumentError("needs a password") from error
        raise DocumentError(f"is damaged: {_damage(path)}") from error
    try:
        if pdf.get_formtype():
            with suppress(pypdfium2.PdfiumError):  # a broken form; the pages may be whole
                pdf.init_forms()
        yield pdf
    finally:
        pdf.close()


def _content(path: Path) -> Any:
    """Return what PDFium reads a file by: it could open it by its name, but may not."""
    size_bytes = size_of(path)
    if not size_bytes:
        raise DocumentError(f"is damaged: {_damage(path)}")
    return mapped(path) if size_bytes <= _MOST_IN_MEMORY else open_file(path)


@contextmanager
def open_page(pdf: Any, index: int) -> Iterator[Any]:
    """Give page `index`, counted from 0.

    Raises:
        pypdfium2.PdfiumError: The page is broken.
    """
    page = pdf[index]
    try:
        yield page
    finally:
        page.close()


class Written(NamedTuple):
    """What people wrote on a page afterwards: into the `fields` of a form, and as `notes`."""

    fields: list[str]
    notes: list[str]


def written_on(pdf: Any, page: Any) -> Written:
    """Return what people wrote on a page afterwards.

    PDFium could make it part of the page ("flatten"), which loses the fonts of some pages.
    """
    import pypdfium2.raw as pdfium

    fields: dict[str, None] = {}
    notes: dict[str, None] = {}
    count = pdfium.FPDFPage_GetAnnotCount(page)
    for number in range(min(count, _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, number)
        if annotation:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind == pdfium.FPDF_ANNOT_WIDGET:
                fields[_field_in(annotation, pdf.formenv)] = None
            elif kind not in {pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP}:
                get = partial(pdfium.FPDFAnnot_GetStringValue, annotation, b"Contents")
                notes[normalise(_string(get))] = None
            pdfium.FPDFPage_CloseAnnot(annotation)
    return Written(*([words for words in each if words] for each in (fields, notes)))


def _field_in(annotation: Any, form: Any) -> str:
    import pypdfium2.raw as pdfium

    of_text = {
        pdfium.FPDF_FORMFIELD_TEXTFIELD,
        pdfium.FPDF_FORMFIELD_COMBOBOX,
        pdfium.FPDF_FORMFIELD_LISTBOX,
    }
    if form is None or pdfium.FPDFAnnot_GetFormFieldType(form, annotation) not in of_text:
        return ""
    return normalise(_string(partial(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)))


def _string(get: Callable[[Any, int], int]) -> str:
    """Return the string that a function of PDFium writes into a buffer of some size."""
    import ctypes

    import pypdfium2.raw as pdfium

    size = get(None, 0)
    buffer = ctypes.create_string_buffer(size)
    get(ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), size)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0")


def _damage(path: Path) -> str:
    try:
        with open_file(path) as file:
            start = file.read(1024)
    except OSError as error:
        raise unreadable(error) from error
    if not start:
        return "the file is empty"
    return "its structure is broken" if b"%PDF" in start else "it is no PDF file"
