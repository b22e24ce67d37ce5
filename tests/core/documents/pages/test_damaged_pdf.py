"""PDFs under damage of every kind, read and drawn as the program does it: in a process of its own.

How many damaged copies are tried is set by WINNOW_TEST_MUTATIONS.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.reader import Reader
from core.errors import DocumentError
from tests.core.documents.conftest import pdf_bytes
from tests.core.documents.mutations import COUNT, mutations

pytestmark = pytest.mark.timeout(120 + COUNT)

_RECT = "/Rect [50 300 350 320]"
_FIELD = f"<< /Subtype /Widget /FT /Tx /T (a) /V (Ann) /F 4 {_RECT} >>"
_NOTE = f"<< /Subtype /Text {_RECT} /Contents (True?) >>"
_PDF = pdf_bytes(
    [
        [(50, 550, 20, "Birds"), (50, 500, 12, "Crows are cle-"), (50, 486, 12, "ver.")],
        [(50, 500, 12, "Owls"), (50, 450, 12, "hunt at night.")],
    ],
    title="Birds",
    bookmarks=[("Birds", 0), ("Owls", 1)],
    page_entries=f"/Annots [{_FIELD} {_NOTE}]",
    catalog_entries="/AcroForm << /Fields [] >>",
    info_entries="/Author (Ann Rook) /ModDate (D:20240630120500Z)",
)


def test_damaged_pdfs_are_read_and_drawn_or_have_a_reason(tmp_path: Path, reader: Reader) -> None:
    path = tmp_path / "damaged.pdf"
    path.write_bytes(_PDF)
    assert "Ann\n\nTrue?" in reader.read(path).pages[1].text
    read = 0
    reasons = set()
    for damaged in mutations(_PDF):
        path.write_bytes(damaged)
        try:
            document = reader.read(path)
            reader.draw(path, 1, 100, [(0, 10)])
        except DocumentError as error:
            reasons.add(str(error))
            continue
        read += 1
        assert all(page.text == page.text.strip() for page in document.pages)
    assert read
    # An error of ours would be told by its name, a crash of PDFium as one.
    assert [reason for reason in reasons if not reason.startswith("is damaged")] == []
