from __future__ import annotations

import re
import sys
import zipfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import docx as python_docx
import pytest
from docx.oxml import parse_xml

from core.documents.limits import Limits
from core.documents.office import docx
from core.documents.reader import Reader
from core.errors import DocumentError
from tests.core.documents.mutations import package_mutations, packed, read_all
from tests.core.documents.office.compound_files import compound_bytes

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


def test_content_that_python_docx_skips_is_read(write) -> None:
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


def test_headings_are_recognised_by_the_parent_of_a_style(write) -> None:
    def build(word) -> None:
        style = word.styles.add_style("Kapitel", 1)
        style.base_style = word.styles["Heading 2"]
        word.add_paragraph("Eins", style="Kapitel")
        word.add_paragraph("Text")

    (heading,) = docx.read(write(build)).pages[0].headings
    assert (heading.level, heading.text) == (2, "Eins")


def test_a_document_without_text_is_a_page_without_text(write) -> None:
    assert docx.read(write(lambda word: None)).pages[0].text == ""


def test_notes_comments_headers_and_footers_come_last_each_once(write) -> None:
    def build(word) -> None:
        word.add_heading("Birds", 1)
        paragraph = word.add_paragraph("Crows are clever.")
        word.add_comment(paragraph.runs, text="Says who?", author="Ann", initials="A")
        for _ in range(3):
            section = word.add_section()
            section.header.is_linked_to_previous = False
            section.header.paragraphs[0].text = "The Bird Report"
            section.footer.is_linked_to_previous = False
            section.footer.paragraphs[0].text = "Confidential"
        word.add_paragraph("Owls are not.")

    text = docx.read(write(build)).pages[0].text
    assert text == (
        "Birds\n\nCrows are clever.\n\nOwls are not.\n\nSays who?\n\nThe Bird Report\n\n"
        "Confidential"
    )


def test_footnotes_and_endnotes_come_after_the_text(write) -> None:
    notes = {
        kind: f"<w:{kind}s {_NS}><w:{kind}><w:p><w:r><w:t>a {kind}</w:t></w:r></w:p></w:{kind}>"
        f"</w:{kind}s>"
        for kind in ("endnote", "footnote")
    }
    path = _with_parts(
        write(lambda word: word.add_paragraph("Text.")),
        {f"word/{kind}s.xml": xml for kind, xml in notes.items()},
        [(f"{kind}s", f"{kind}s.xml") for kind in notes],
    )
    assert docx.read(path).pages[0].text == "Text.\n\na footnote\n\na endnote"


def test_a_chart_is_read_in_its_position(write) -> None:
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    c = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    r = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def build(word) -> None:
        word.add_paragraph("before")
        frame = f'<w:p {_NS}><w:r><w:drawing><c:chart xmlns:c="{c}" xmlns:r="{r}" r:id="rIdNew0"/>'
        body = word.element.body
        body.insert(len(body) - 1, parse_xml(f"{frame}</w:drawing></w:r></w:p>"))
        word.add_paragraph("after")

    chart = (
        f'<c:chartSpace xmlns:c="{c}" xmlns:a="{a}"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>'
        "Eggs</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:cat><c:numRef><c:numCache>"
        "<c:formatCode>mmm yy</c:formatCode><c:pt><c:v>45473</c:v></c:pt><c:pt><c:v>odd</c:v>"
        "</c:pt></c:numCache></c:numRef></c:cat></c:ser></c:chart></c:chartSpace>"
    )
    path = _with_parts(
        write(build), {"word/charts/chart1.xml": chart}, [("chart", "charts/chart1.xml")]
    )
    assert docx.read(path).pages[0].text == "before\n\nEggs\n2024-06-30\nodd\n\nafter"


def test_author_and_date_are_those_of_the_properties(write) -> None:
    def build(word) -> None:
        word.core_properties.author = "Ann Rook;Bob Crow"
        word.core_properties.modified = datetime(2024, 6, 30, 12, 5, tzinfo=UTC)

    document = docx.read(write(build))
    assert (document.author, document.date) == ("Ann Rook; Bob Crow", "2024-06-30T12:05:00+00:00")


def test_defaults_of_the_library_are_neither_author_nor_date(write) -> None:
    document = docx.read(write(lambda word: None))
    assert (document.title, document.author, document.date) == ("", "", "")


def test_damaged_properties_lose_no_text(write) -> None:
    path = _with_parts(write(lambda word: word.add_paragraph("Crows")), {"docProps/core.xml": "<"})
    assert docx.read(path).pages[0].text == "Crows"


def test_the_strict_variant_is_read_like_the_usual_one(write) -> None:
    path = write(lambda word: word.add_heading("Crows", 2))
    with zipfile.ZipFile(path) as package:
        strict = {
            name: re.sub(
                rb"http://schemas.openxmlformats.org/(\w+)/2006/",
                rb"http://purl.oclc.org/ooxml/\1/",
                package.read(name),
            )
            for name in package.namelist()
            if name != "_rels/.rels"
        }
    before = docx.read(path)
    assert docx.read(_with_parts(path, strict)) == before
    assert before.pages[0].headings[0].level == 2


@pytest.mark.parametrize("suffix", [".docm", ".dotx", ".dotm"])
def test_files_with_macros_and_templates_are_read(write, suffix: str) -> None:
    path = write(lambda word: word.add_paragraph("Crows"))
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    with zipfile.ZipFile(path) as package:
        types = package.read("[Content_Types].xml").decode()
    assert main in types
    path = _with_parts(path, {"[Content_Types].xml": types.replace(main, "application/other")})
    assert docx.read(path.rename(path.with_suffix(suffix))).pages[0].text == "Crows"


def test_deep_nesting_is_survived(write) -> None:
    def build(word) -> None:
        # As deep as XML may be, in the elements that take most to walk.
        deep = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p>" * 40
        deep += "</w:tc></w:tr></w:tbl>" * 40
        boxes = "<w:p><w:r><w:txbxContent>" * 40 + "</w:txbxContent></w:r></w:p>" * 40
        spans = (
            f"<w:p>{'<w:smartTag>' * 200}<w:r><w:t>deep</w:t></w:r>{'</w:smartTag>' * 200}</w:p>"
        )
        for part in (deep, boxes, spans):
            word.element.body.insert(0, parse_xml(f"<w:sdt {_NS}>{part}</w:sdt>"))

    assert "deep" in docx.read(write(build)).pages[0].text


def test_every_truncation_has_a_true_reason(write, tmp_path: Path) -> None:
    data = write(lambda word: word.add_paragraph("x " * 5000)).read_bytes()
    path = tmp_path / "cut.docx"
    for length in (4, 30, 1000, len(data) // 2, len(data) - 30):
        path.write_bytes(data[:length])
        with pytest.raises(DocumentError, match=r"^Damaged: the file is truncated or modified$"):
            docx.read(path)


def test_a_damaged_part_has_a_true_reason(write) -> None:
    path = write(lambda word: None)
    with zipfile.ZipFile(path) as package:
        main = package.read("word/document.xml")
    with pytest.raises(DocumentError, match=r"^Damaged: a part is not well-formed$"):
        docx.read(_with_parts(path, {"word/document.xml": main[:-40]}))


def test_a_part_that_cannot_be_unpacked_has_a_true_reason(write) -> None:
    path = write(lambda word: None)
    with zipfile.ZipFile(path) as archive:
        part = archive.getinfo("word/document.xml")
    data = path.read_bytes()
    for offset, change in ((60, b"\xff" * 300), (part.compress_size, b"\x00\x01\x02")):
        start = part.header_offset + offset
        path.write_bytes(data[:start] + change + data[start + len(change) :])
        with pytest.raises(DocumentError, match=r"^Damaged: a part cannot be unp"):
            docx.read(path)


_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
_DECORATIVE = (
    f'<a:extLst xmlns:a="{_A}"><a:ext uri="x"><d:decorative val="1" xmlns:d='
    '"http://schemas.microsoft.com/office/drawing/2017/decorative"/></a:ext></a:extLst>'
)


def _picture(alt: str, inner: str = "") -> object:
    return parse_xml(
        f'<w:p {_NS}><w:r><w:t>Here</w:t></w:r><w:r><w:drawing><wp:inline xmlns:wp="{_WP}">'
        f'<wp:docPr id="1" name="Picture 1" {alt}>{inner}</wp:docPr></wp:inline></w:drawing></w:r>'
        "</w:p>"
    )


@pytest.mark.parametrize(
    ("description", "inner", "text"),
    [
        ('descr="A crow on its nest"', "", "Here\n\nA crow on its nest\n\nEnd"),
        ('title="Nests" descr="Where they are"', "", "Here\n\nNests: Where they are\n\nEnd"),
        (
            'descr="A bird on a wire&#10;&#10;Description automatically generated"',
            "",
            "Here\n\nA bird on a wire\n\nEnd",
        ),
        ('descr="image1.png"', "", "Here\n\nEnd"),
        ('descr="Picture 4"', "", "Here\n\nEnd"),
        ('descr="A fine line"', _DECORATIVE, "Here\n\nEnd"),
    ],
)
def test_alternative_text_is_read_in_its_position(
    write, description: str, inner: str, text: str
) -> None:
    def build(word) -> None:
        word.element.body.insert(0, _picture(description, inner))
        word.add_paragraph("End")

    assert docx.read(write(build)).pages[0].text == text


def test_alternative_text_in_a_cell_or_in_the_old_form_is_read(write) -> None:
    def build(word) -> None:
        cell = word.add_table(1, 2).rows[0].cells[0]
        cell._element.insert(0, _picture('descr="A crow"'))
        old = f'<w:p {_NS}><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" alt="A jay"/>'
        word.element.body.append(parse_xml(f"{old}</w:pict></w:p>"))

    assert docx.read(write(build)).pages[0].text == "Here A crow\n\nA jay"


def test_the_numbers_of_a_chart_are_rows_of_a_table(write) -> None:
    c = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    r = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def points(*values: str) -> str:
        return "".join(f'<c:pt idx="{n}"><c:v>{v}</c:v></c:pt>' for n, v in enumerate(values) if v)

    def series(name: str, *values: str) -> str:
        return (
            f"<c:ser><c:tx><c:strRef><c:strCache>{points(name)}</c:strCache></c:strRef></c:tx>"
            "<c:cat><c:multiLvlStrRef><c:multiLvlStrCache>"
            f"<c:lvl>{points('north', 'south')}</c:lvl><c:lvl>{points('oak')}</c:lvl>"
            "</c:multiLvlStrCache></c:multiLvlStrRef></c:cat>"
            "<c:val><c:numRef><c:numCache><c:formatCode>0.0%</c:formatCode>"
            f"{points(*values)}</c:numCache></c:numRef></c:val></c:ser>"
        )

    def build(word) -> None:
        word.element.body.insert(
            0,
            parse_xml(
                f'<w:p {_NS}><w:r><w:drawing><c:chart xmlns:c="{c}" xmlns:r="{r}" r:id="rIdNew0"/>'
                "</w:drawing></w:r></w:p>"
            ),
        )

    scatter = (
        f"<c:ser><c:xVal><c:numRef><c:numCache>{points('1', '2')}</c:numCache></c:numRef></c:xVal>"
        f"<c:yVal><c:numRef><c:numCache>{points('7', '')}</c:numCache></c:numRef></c:yVal></c:ser>"
    )
    chart = (
        f'<c:chartSpace xmlns:c="{c}"><c:chart>{series("Eggs", "0.5", "0.125")}'
        f"{series('Nests', '', '1')}{scatter}</c:chart></c:chartSpace>"
    )
    path = _with_parts(
        write(build), {"word/charts/chart1.xml": chart}, [("chart", "charts/chart1.xml")]
    )
    assert docx.read(path).pages[0].text == (
        "Eggs | Nests\noak north | 50.0%\nsouth | 12.5% | 100.0%\n1 | 7\n2"
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "Empty file"),
        (b"hello", r"^Damaged: not a \.docx file$"),
        (compound_bytes({"EncryptedPackage": b"x", "EncryptionInfo": b"x"}), "^Password required$"),
        (compound_bytes({"Notes": b"x"}), r"^Damaged, or not a \.docx file despite"),
    ],
)
def test_an_invalid_word_document_is_called_by_its_kind(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "x.docx"
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=reason):
        docx.read(path)


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"a.txt": "x"}, "^Damaged: a part is missing$"),
        (
            {
                "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/'
                '2006/relationships"><Relationship Type="x/officeDocument" Target="a.xml"/>'
                "</Relationships>",
                "a.xml": "<a/>",
            },
            "^Not a Word document despite its name$",
        ),
    ],
)
def test_another_archive_is_no_word_document(tmp_path: Path, members, reason: str) -> None:
    path = tmp_path / "x.docx"
    path.write_bytes(packed(members))
    with pytest.raises(DocumentError, match=reason):
        docx.read(path)


def test_a_bomb_is_refused(write) -> None:
    path = write(lambda word: None)
    with pytest.raises(DocumentError, match="Unpacks to far more data than a document"):
        docx.read(_with_parts(path, {"word/document.xml": b" " * 20_000_000}))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the limit")
def test_more_than_there_is_memory_for_is_no_damage(write) -> None:
    body = "".join(f"<w:p><w:r><w:t>{n}</w:t></w:r></w:p>" for n in range(300_000))
    path = write(lambda word: None)
    _with_parts(path, {"word/document.xml": f"<w:document {_NS}>{body}</w:document>"})
    with (
        Reader(Limits(memory_bytes=180_000_000)) as reader,
        pytest.raises(DocumentError, match=r"^Not enough memory$"),
    ):
        reader.read(path)


def test_damage_of_any_kind_has_a_reason(write, tmp_path: Path) -> None:
    def build(word) -> None:
        word.core_properties.title = "Crows"
        word.add_heading("Birds", 1)
        paragraph = word.add_paragraph("one", style="List Bullet")
        word.add_comment(paragraph.runs, text="Says who?")
        word.add_table(rows=2, cols=2).cell(0, 0).text = "cell"
        word.sections[0].header.paragraphs[0].text = "The Bird Report"

    with zipfile.ZipFile(write(build)) as package:
        # Themes, pictures and so on are not read.
        needed = ("rels", "document.xml", "core.xml", "comments.xml", "header1.xml")
        members = {name: package.read(name) for name in package.namelist() if name.endswith(needed)}
    data = packed(members)
    count, reasons = read_all(docx.read, tmp_path / "damaged.docx", package_mutations(data))
    assert count
    assert reasons


def _with_parts(
    path: Path, parts: dict[str, str] | dict[str, bytes], links: Sequence[tuple[str, str]] = ()
) -> Path:
    """Add or replace parts of a Word document, with relations from the main part."""
    with zipfile.ZipFile(path) as package:
        members: dict[str, str | bytes] = {name: package.read(name) for name in package.namelist()}
    rels = str(members["word/_rels/document.xml.rels"], "utf-8")  # type: ignore[arg-type]
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    added = "".join(
        f'<Relationship Id="rIdNew{number}" Type="{kinds}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(links)
    )
    members["word/_rels/document.xml.rels"] = rels.replace("</Relat", f"{added}</Relat")
    path.write_bytes(packed({**members, **parts}))
    return path


def _with_chunk(path: Path, name: str, content: bytes) -> Path:
    """Return a copy of a document with another one in it after its last paragraph."""
    with zipfile.ZipFile(path) as package:
        members = {each: package.read(each) for each in package.namelist()}
    links = "word/_rels/document.xml.rels"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    link = f'<Relationship Id="chunk" Type="{kind}/aFChunk" Target="{name}"/></Relationships>'
    members[links] = members[links].replace(b"</Relationships>", link.encode())
    chunk = f'<w:altChunk xmlns:r="{kind}" r:id="chunk"/><w:sectPr'
    members["word/document.xml"] = members["word/document.xml"].replace(
        b"<w:sectPr", chunk.encode(), 1
    )
    members[f"word/{name}"] = content
    path.write_bytes(packed(members))
    return path


_SAVED_PAGE = (
    "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
    "Content-Type: text/html; charset=iso-8859-2\r\n\r\n<h2>Żuraw</h2><p>gniazdo\r\n--b--\r\n"
)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.mht", _SAVED_PAGE.encode("iso-8859-2"), "Żuraw\n\ngniazdo"),
        ("a.html", "<h2>Grue</h2><ul><li>nid".encode("utf-16"), "Grue\n\nnid"),
        ("a.xhtml", b"<?xml version='1.0'?><html><body><p>Kran<a id='x'/>ich</p>", "Kranich"),
        ("a.rtf", rb"{\rtf1\ansi Tra\'f1e\par}", "Trañe"),
        ("a.txt", "Kurki\n\npesä".encode(), "Kurki\n\npesä"),
    ],
)
def test_a_document_in_another_format_is_part_of_the_text(
    write, name: str, content: bytes, expected: str
) -> None:
    path = _with_chunk(write(lambda word: word.add_paragraph("Before")), name, content)
    (page,) = docx.read(path).pages
    assert page.text == f"Before\n\n{expected}"
    assert all(page.text.startswith(heading.text, heading.start) for heading in page.headings)


def test_a_document_may_contain_another_and_itself(write) -> None:
    inner = write(lambda word: word.add_heading("Crane", 2)).read_bytes()
    path = _with_chunk(write(lambda word: word.add_paragraph("Before")), "a.docx", inner)
    (page,) = docx.read(path).pages
    assert (page.text, page.headings[0].level) == ("Before\n\nCrane", 2)
    for _ in range(6):
        inner = path.read_bytes()
        path = _with_chunk(write(lambda word: word.add_paragraph("x")), "a.docx", inner)
    assert docx.read(path).pages[0].text == "x\n\nx\n\nx\n\nx"


@pytest.mark.parametrize("content", [b"PK\x03\x04 damaged", b"\x00\x01\x02" * 500])
def test_a_damaged_document_in_another_is_noted(write, content: bytes) -> None:
    path = _with_chunk(write(lambda word: word.add_paragraph("Before")), "a.docx", content)
    (page,) = docx.read(path).pages
    assert page.text == "Before"
    assert "damaged" in page.unread
