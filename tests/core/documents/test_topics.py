"""Keywords, subject, category and description of a file are searchable in all formats."""

from __future__ import annotations

from pathlib import Path

import docx as python_docx
import pptx as python_pptx
import xlsxwriter

from core.documents.document import Document
from core.documents.formats import format_of, load_function
from tests.core.documents.mutations import packed
from tests.core.documents.office.word_files import P, word_bytes

_ODF = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{prefix}:1.0"'
    for prefix in ("office", "text", "meta")
)


def _read(path: Path, data: bytes | str | None = None) -> Document:
    if data is not None:
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    found = format_of(path)
    assert found is not None
    document: Document = load_function(found.reader)(path)
    return document


def _texts(document: Document) -> list[str]:
    return [page.text for page in document.pages]


def test_word(tmp_path: Path) -> None:
    word = python_docx.Document()
    word.add_paragraph("Smlouva o nájmu")
    word.core_properties.keywords = "byt; Brno"
    word.core_properties.category = "právní"
    word.save(str(tmp_path / "a.docx"))
    # Not the description that the program writes by itself.
    assert _texts(_read(tmp_path / "a.docx")) == ["Smlouva o nájmu\n\nbyt; Brno\n\nprávní"]


def test_slides_and_sheets(tmp_path: Path) -> None:
    talk = python_pptx.Presentation()
    for title in ("Introducción", "Fin"):
        talk.slides.add_slide(talk.slide_layouts[5]).shapes.title.text = title
    talk.core_properties.subject = "Cigüeñas"
    talk.save(str(tmp_path / "a.pptx"))
    assert _texts(_read(tmp_path / "a.pptx")) == ["Introducción\n\nCigüeñas", "Fin"]
    workbook = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    workbook.add_worksheet("工资").write(0, 0, "姓名")
    workbook.set_properties({"keywords": "出纳", "comments": "每月更新"})
    workbook.close()
    assert _texts(_read(tmp_path / "a.xlsx")) == ["工资\n\n姓名\n\n出纳\n\n每月更新"]


def test_old_word(tmp_path: Path) -> None:
    topics = {3: "Dachausbau", 5: "Statik, Gaube", 6: "Entwurf"}
    data = word_bytes([P("Angebot\r")], topics=topics)
    assert _texts(_read(tmp_path / "a.doc", data)) == [
        "Angebot\n\nStatik, Gaube\n\nDachausbau\n\nEntwurf"
    ]
    data = word_bytes([P("Angebot\r")], category="Handwerk")
    assert _texts(_read(tmp_path / "a.doc", data)) == ["Angebot\n\nHandwerk"]


def test_open_document(tmp_path: Path) -> None:
    kind = "application/vnd.oasis.opendocument.text"
    meta = (
        "<meta:keyword>βιβλίο</meta:keyword><meta:keyword>Αθήνα</meta:keyword>"
        '<dc:subject xmlns:dc="http://purl.org/dc/elements/1.1/">ιστορία</dc:subject>'
    )
    data = packed(
        {
            "mimetype": kind,
            "content.xml": f"<office:document-content {_ODF}><office:body><office:text>"
            "<text:p>Κείμενο</text:p></office:text></office:body></office:document-content>",
            "meta.xml": f"<office:document-meta {_ODF}><office:meta>{meta}</office:meta>"
            "</office:document-meta>",
        }
    )
    assert _texts(_read(tmp_path / "a.odt", data)) == ["Κείμενο\n\nβιβλίο\n\nΑθήνα\n\nιστορία"]


def test_rtf(tmp_path: Path) -> None:
    info = "{\\info{\\title Facture}{\\keywords ch\\'e8que, loyer}{\\doccomm Payer avant mai}}"
    data = f"{{\\rtf1\\ansi\\ansicpg1252 {info}Bonjour\\par}}"
    assert _texts(_read(tmp_path / "a.rtf", data)) == [
        "Bonjour\n\nchèque, loyer\n\nPayer avant mai"
    ]


def test_pdf(tmp_path: Path, write_pdf) -> None:
    path = write_pdf(
        [[], [(40, 300, 11, "Birds of prey")], [(40, 300, 11, "Owls")]],
        info_entries="/Keywords (falconry, birds) /Subject (birds of prey) /Author (Ann Rook)",
    )
    document = _read(path)
    # On the first page with text, and not repeated.
    assert _texts(document) == ["", "Birds of prey\n\nfalconry, birds", "Owls"]
    assert document.author == "Ann Rook"


def test_descriptions_of_books_are_without_markup(tmp_path: Path) -> None:
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject>Sjøfart</dc:subject>'
        "<dc:description>&lt;p&gt;En reise til &lt;b&gt;Tromsø&lt;/b&gt;&lt;/p&gt;</dc:description>"
        '</metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
        '</manifest><spine><itemref idref="a"/></spine></package>'
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="c.opf"/></rootfiles></container>'
    )
    chapter = "<html><body><p>Kapittel</p></body></html>"
    data = packed({"META-INF/container.xml": container, "c.opf": opf, "a.xhtml": chapter})
    assert _texts(_read(tmp_path / "a.epub", data)) == [
        "Kapittel\n\nSjøfart\n\nEn reise til Tromsø"
    ]
