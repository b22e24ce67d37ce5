"""PDF: the text of pages, its repair, and the remains of damaged files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.documents.document import IS_PICTURE, Heading
from core.documents.pages import pdf
from core.documents.pages.pdf import draw_page, open_page, open_pdf
from core.documents.reader import Reader
from core.errors import DocumentError
from tests.core.documents.conftest import pdf_bytes
from tests.core.documents.mutations import COUNT, mutations
from tests.examples import examples

# Twelve points high, fourteen apart: the lines of one paragraph.
_PAGE = [
    (50, 550, 20, "The Title"),
    (50, 500, 12, "Crows are clever birds, and they co-"),
    (50, 486, 12, "operate with others of their kind."),
    (50, 458, 12, "Owls hunt at night. Jean-"),
    (50, 444, 12, "Paul saw one."),
]
_TEXT = (
    "The Title\n\nCrows are clever birds, and they cooperate with others of their kind."
    "\n\nOwls hunt at night. Jean-Paul saw one."
)


def test_pages_read_as_paragraphs_with_words_joined(write_pdf) -> None:
    document = pdf.read(write_pdf([_PAGE, [(50, 500, 12, "Second page (2)")]], title="Birds"))
    assert document.title == "Birds"
    assert [page.number for page in document.pages] == [1, 2]
    # A line end is white space like any other to those who search.
    assert document.pages[0].text.replace("\n\n", "¶").replace("\n", " ") == _TEXT.replace(
        "\n\n", "¶"
    )
    assert document.pages[1].text == "Second page (2)"


def _packet(title: str, form: str = "application/pdf") -> bytes:
    return f"""<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
          xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
          xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="{form}">
          <dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
          <dc:creator><rdf:Seq><rdf:li>Ann Rook</rdf:li><rdf:li>Bo Jay</rdf:li></rdf:Seq>
          </dc:creator>
          <dc:subject><rdf:Bag><rdf:li>corvids</rdf:li><rdf:li>nests</rdf:li></rdf:Bag></dc:subject>
        </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>""".encode()


def test_properties_in_xmp_alone_are_read(write_pdf) -> None:
    path = write_pdf([_PAGE])
    packets = _packet("Old") + _packet("Magpies") + _packet("A photo", "image/jpeg")
    path.write_bytes(path.read_bytes() + packets)
    document = pdf.read(path)
    assert (document.title, document.author) == ("Magpies", "Ann Rook; Bo Jay")
    assert document.pages[0].text.endswith("\n\ncorvids, nests")


def test_properties_in_both_forms_are_those_of_the_pdf(write_pdf) -> None:
    path = write_pdf([_PAGE], title="Birds")
    path.write_bytes(path.read_bytes() + _packet("Magpies"))
    assert pdf.read(path).title == "Birds"


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_reads_like_any_other(write_pdf, turn: int) -> None:
    path = write_pdf([_PAGE], turn=turn, page_entries=f"/Rotate {turn}")
    assert pdf.read(path) == pdf.read(write_pdf([_PAGE], "upright.pdf"))


def test_the_map_leads_to_the_character_on_the_page(write_pdf) -> None:
    import pypdfium2.raw as pdfium

    with open_pdf(write_pdf([_PAGE])) as opened, open_page(opened, 0) as page:
        found = pdf.page_text(page)
        text_page = page.get_textpage()
        assert len(found.characters) == len(found.text)
        assert found.characters == sorted(found.characters)
        for character, index in zip(found.text, found.characters, strict=True):
            if not character.isspace() and character != "-":
                assert chr(pdfium.FPDFText_GetUnicode(text_page, index)) == character
        text_page.close()


def test_bookmarks_become_headings(write_pdf) -> None:
    pages = [_PAGE, [(50, 500, 16, "1.2 Night Birds"), (50, 450, 12, "Owls and such.")]]
    path = write_pdf(pages, bookmarks=[("the  title", 0), ("Night Birds", 1), ("Not There", 1)])
    first, second = pdf.read(path).pages
    assert first.headings == (Heading(0, 1, "The Title"),)
    assert second.headings == (Heading(0, 1, "1.2 Night Birds"),)


def test_a_pdf_without_text_has_empty_pages(write_pdf) -> None:
    document = pdf.read(write_pdf([[], []], title="Untitled"))
    assert [page.text for page in document.pages] == ["", ""]
    assert document.title == ""


def test_a_broken_page_does_not_lose_the_rest(write_pdf) -> None:
    pages = [[(50, 500, 12, f"page {number}")] for number in (1, 2, 3)]
    document = pdf.read(write_pdf(pages, broken_pages=[1]))
    assert [page.text for page in document.pages] == ["page 1", "", "page 3"]


def test_a_pdf_of_broken_pages_is_damaged(write_pdf) -> None:
    with pytest.raises(DocumentError, match=r"^Damaged: no page can be read"):
        pdf.read(write_pdf([[], []], broken_pages=[0, 1]))


def test_a_page_of_glyphs_without_meaning_has_no_text(write_pdf) -> None:
    gibberish = "".join(chr(3 + i % 5) for i in range(60)) + "abc"
    assert pdf.read(write_pdf([[(50, 500, 12, gibberish)]])).pages[0].text == ""


def test_wrong_characters_of_fonts_are_repaired(write_pdf) -> None:
    # Glyphs' numbers in place of characters: PDFium gives "4XLFN" for "Quick".
    shifted = "Quick brown foxes".translate({code: code - 29 for code in range(0x20, 0x7F)})
    page = pdf.read(write_pdf([[(50, 500, 12, shifted), (50, 486, 12, "READ AS IT IS")]])).pages[0]
    assert page.text.split("\n") == ["Quick brown foxes", "READ AS IT IS"]


def test_form_field_values_follow_the_text(write_pdf) -> None:
    rect = "/Subtype /Widget /F 4 /Rect [50 300 350 320]"
    fields = (
        f"<< {rect} /FT /Tx /T (name) /V (Ann Rook) >> << {rect} /FT /Btn /T (box) /V /Yes >>"
        f" << {rect} /FT /Tx /T (again) /V (Ann Rook) >> << {rect} /FT /Tx /T (none) >>"
        f" << {rect} /FT /Ch /T (bird) /Opt [(Crow) (Owl)] /V (Owl) >>"
    )
    path = write_pdf(
        [[(50, 500, 12, "Name of the applicant:")]],
        page_entries=f"/Annots [{fields}]",
        catalog_entries="/AcroForm << /Fields [] >>",
    )
    (page,) = pdf.read(path).pages
    assert page.text == "Name of the applicant:\n\nAnn Rook\n\nOwl"
    # It has no place on the page that could be marked.
    assert draw_page(path, 1, 400, [(24, 27)]).boxes == ((),)


def test_short_lines_are_no_glyphs_without_meaning(write_pdf) -> None:
    lines = [(50 + 40 * (number % 2), 550 - 90 * number, 12, x) for number, x in enumerate("BIRDS")]
    assert pdf.read(write_pdf([lines])).pages[0].text.split() == list("BIRDS")


def test_numbers_beyond_those_of_characters_are_none() -> None:
    assert [pdf.character(code) for code in (0x41, 0x10FFFF, 0x110000, 0xFFFFFFFF)] == [
        *("A", "\U0010ffff", "\ufffd", "\ufffd")
    ]


def test_notes_on_a_page_stand_behind_its_text(write_pdf) -> None:
    rect = "/Rect [10 10 20 20]"
    notes = (
        f"<< /Subtype /Text {rect} /Contents (Is this true?) >>"
        f" << /Subtype /Highlight {rect} /QuadPoints [] /Contents (Crows are) >>"
        f" << /Subtype /Link {rect} /Contents (a link) >>"
        f" << /Subtype /Popup {rect} /Contents (Is this true?) >>"
    )
    path = write_pdf([[(50, 500, 12, "Crows are clever.")]], page_entries=f"/Annots [{notes}]")
    assert pdf.read(path).pages[0].text == "Crows are clever.\n\nIs this true?"
    # A scan is one still, so that its text is recognised.
    scan = write_pdf([[(50, 500, 12, "\x04")]], page_entries=f"/Annots [{notes}]")
    assert (pdf.read(scan).pages[0].text, pdf.read(scan).pages[0].unread) == ("", IS_PICTURE)


def test_an_encrypted_pdf_needs_a_password(write_pdf) -> None:
    entries = (
        f"/ID [<{'00' * 16}> <{'00' * 16}>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4"
        f" /O <{'ab' * 32}> /U <{'cd' * 32}> >>"
    )
    with pytest.raises(DocumentError, match=r"^Password required$"):
        pdf.read(write_pdf([_PAGE], trailer_entries=entries))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "^Damaged: the file is empty$"),
        (b"hello", "^Damaged: not a PDF file$"),
        (b"%PDF-1.7\nnothing", "^Damaged: its structure is invalid$"),
    ],
)
def test_an_invalid_pdf_has_a_true_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=reason):
        pdf.read(path)


def test_a_document_contains_its_authors_and_date(write_pdf) -> None:
    info = "/Author (Ann  Rook) /CreationDate (D:20240630120000+02'00')"
    document = pdf.read(write_pdf([_PAGE], info_entries=info))
    assert (document.author, document.date) == ("Ann Rook", "2024-06-30T12:00:00+02:00")
    changed = f"{info} /ModDate (D:20250101)"
    assert pdf.read(write_pdf([_PAGE], info_entries=changed)).date == "2025-01-01"
    without_author = pdf.read(
        write_pdf([_PAGE], info_entries="/Author (Administrator) /ModDate (D:1601)")
    )
    assert (without_author.author, without_author.date) == ("", "")


def test_a_title_that_is_no_unicode_is_none(write_pdf) -> None:
    path = write_pdf([_PAGE], title="\U0001f426 and more")
    first_half = "\U0001f426".encode("utf-16-le").hex()[:4].encode()
    path.write_bytes(path.read_bytes().replace(first_half, b"4100"))
    document = pdf.read(path)
    assert document.title == ""
    assert document.pages[0].text.startswith("The Title")


def test_too_many_pages_are_refused(write_pdf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MOST_PAGES", 2)
    with pytest.raises(DocumentError, match="Has 3 pages; the limit is 2"):
        pdf.read(write_pdf([[], [], []]))


_LINES = st.lists(
    st.tuples(
        st.integers(0, 390),
        st.integers(0, 590),
        st.integers(1, 30),
        st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=255), max_size=20),
    ),
    max_size=8,
)


# Each example overwrites the previous file.
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=_LINES)
def test_any_page_keeps_its_promises(write_pdf, lines) -> None:
    path = write_pdf([lines])
    with open_pdf(path) as opened, open_page(opened, 0) as page:
        found = pdf.page_text(page)
    assert found.text == found.text.strip()
    assert len(found.text) == len(found.characters)


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
    # An error of ours would be reported by its name, a crash of PDFium as one.
    assert [reason for reason in reasons if not reason.startswith("Damaged")] == []
