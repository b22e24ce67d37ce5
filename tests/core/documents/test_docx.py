from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import docx as python_docx  # noqa: TID253 - the tests make documents with it
import pytest
from docx.oxml import parse_xml  # noqa: TID253

from core.documents import docx
from core.errors import DocumentError

_NS = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write_word(build: Callable[..., None]) -> Path:
        word = python_docx.Document()
        build(word)
        path = tmp_path / "letter.docx"
        word.save(str(path))
        return path

    return write_word


def test_paragraphs_and_tables_come_in_order(write) -> None:
    def build(word) -> None:
        word.core_properties.title = "Annual Report"
        word.add_heading("Report", 0)
        word.add_heading("Birds", 1)
        paragraph = word.add_paragraph("Crows are ")
        paragraph.add_run("cle").bold = True
        paragraph.add_run("ver.\tYes\nthey are.")
        word.add_paragraph("")
        word.add_paragraph("one", style="List Bullet")
        word.add_paragraph("two", style="List Bullet")
        table = word.add_table(rows=2, cols=2)
        for cell, text in zip(table._cells, ["bird", "eggs", "crow", "4"], strict=True):
            cell.text = text
        table.cell(1, 1).add_paragraph("or 5")
        word.add_heading("Ends", 2)
        word.add_paragraph("Done.")

    document = docx.read(write(build))
    assert document.title == "Annual Report"
    (page,) = document.pages
    assert page.text == (
        "Report\n\nBirds\n\nCrows are clever.\tYes\nthey are.\n\none\ntwo\n\nbird | eggs\n"
        "crow | 4 or 5\n\nEnds\n\nDone."
    )
    assert [(h.level, h.text) for h in page.headings] == [(1, "Report"), (1, "Birds"), (2, "Ends")]
    assert all(page.text.startswith(h.text, h.start) for h in page.headings)


def test_the_title_is_the_paragraph_in_its_style_if_the_properties_have_none(write) -> None:
    def build(word) -> None:
        word.core_properties.title = "Microsoft Word - x.doc"
        word.add_heading("A Section", 1)
        word.add_heading("The Title", 0)

    assert docx.read(write(build)).title == "The Title"


def test_what_python_docx_leaves_out_is_read(write) -> None:
    def build(word) -> None:
        word.add_paragraph("first")
        body = word.element.body
        control = "<w:sdtContent><w:p><w:r><w:t>control</w:t></w:r></w:p></w:sdtContent>"
        revised = (
            "<w:ins><w:r><w:t>inserted</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText>"
            "</w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r>"
        )
        box = (
            "<w:r><w:t>anchor</w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:pict>"
            "<w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></w:pict>"
            "</mc:Choice><mc:Fallback><w:t>again</w:t></mc:Fallback></mc:AlternateContent></w:r>"
        )
        for tag, inside in (("sdt", control), ("p", revised), ("p", box)):
            xml = f"<w:{tag} {_NS}>{inside}</w:{tag}>"
            body.insert(len(body) - 1, parse_xml(xml))

    assert docx.read(write(build)).pages[0].text == (
        "first\n\ncontrol\n\ninserted\n\nanchor\n\nin a box"
    )


def test_headings_are_told_by_what_a_style_is_based_on(write) -> None:
    def build(word) -> None:
        style = word.styles.add_style("Kapitel", 1)
        style.base_style = word.styles["Heading 2"]
        word.add_paragraph("Eins", style="Kapitel")
        word.add_paragraph("Text")

    (heading,) = docx.read(write(build)).pages[0].headings
    assert (heading.level, heading.text) == (2, "Eins")


def test_a_document_without_text_is_a_page_without_text(write) -> None:
    assert docx.read(write(lambda word: None)).pages[0].text == ""


def test_every_truncation_has_a_true_reason(write, tmp_path: Path) -> None:
    data = write(lambda word: word.add_paragraph("x " * 5000)).read_bytes()
    path = tmp_path / "cut.docx"
    for length in (4, 30, 1000, len(data) // 2, len(data) - 30):
        path.write_bytes(data[:length])
        with pytest.raises(DocumentError, match=r"^damaged: the file is cut off or changed$"):
            docx.read(path)


def test_a_damaged_part_has_a_true_reason(write, tmp_path: Path) -> None:
    path = tmp_path / "changed.docx"
    with (
        zipfile.ZipFile(write(lambda word: None)) as source,
        zipfile.ZipFile(path, "w") as changed,
    ):
        for name in source.namelist():
            data = source.read(name)
            changed.writestr(name, data[:-40] if name == "word/document.xml" else data)
    with pytest.raises(DocumentError, match=r"damaged: .* not well-formed"):
        docx.read(path)


def test_a_part_that_cannot_be_unpacked_has_a_true_reason(write) -> None:
    path = write(lambda word: None)
    with zipfile.ZipFile(path) as archive:
        part = archive.getinfo("word/document.xml")
    data = path.read_bytes()
    for offset, change in ((60, b"\xff" * 300), (part.compress_size, b"\x00\x01\x02")):
        start = part.header_offset + offset
        path.write_bytes(data[:start] + change + data[start + len(change) :])
        with pytest.raises(DocumentError, match="damaged: a part of the document cannot be unp"):
            docx.read(path)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b"hello", "damaged: it is no .docx file"),
        (
            bytes.fromhex("d0cf11e0a1b11ae1") + "EncryptedPackage".encode("utf-16-le"),
            "needs a password",
        ),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"WordDocument", r"is an old Word document \(.doc\)"),
    ],
)
def test_what_is_no_word_document_is_called_what_it_is(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "x.docx"
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=reason):
        docx.read(path)


def test_another_archive_is_no_word_document(tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(DocumentError, match="damaged: a part of the document is missing"):
        docx.read(path)


def test_a_bomb_is_refused_before_it_is_unpacked(write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(lambda word: None)
    monkeypatch.setattr(docx, "_LARGEST_XML_BYTES", 1_000_000)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/bomb.xml", b" " * 1_000_001)
    monkeypatch.setattr(docx, "_open", lambda path: pytest.fail("it was opened"))
    with pytest.raises(DocumentError, match="unpacks to far more"):
        docx.read(path)
