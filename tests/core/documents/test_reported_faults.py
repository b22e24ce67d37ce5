"""Faults of comparable programs, as reported to their trackers: each text is read here.

The reports are listed in docs/measurements/reading.md.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.documents.containers import archives
from core.documents.document import Document
from core.documents.formats import format_of, load_function
from tests.core.documents.conftest import pdf_bytes
from tests.core.documents.mail.outlook_files import outlook_bytes
from tests.core.documents.office.book_files import book_bytes
from tests.core.documents.office.word_files import P, word_bytes
from tests.core.documents.passes import go_through

_PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def relations(*targets: tuple[str, str]) -> str:
    links = "".join(
        f'<Relationship Id="r{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}relationships">{links}</Relationships>'


def book(
    spine: Mapping[str, str],
    parts: Mapping[str, str | bytes],
    *,
    kind: str = "application/xhtml+xml",
) -> bytes:
    """Return an e-book, with the spine's hrefs by their ids."""
    items = "".join(f'<item id="{i}" href="{h}" media-type="{kind}"/>' for i, h in spine.items())
    order = "".join(f'<itemref idref="{i}"/>' for i in spine)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>'
        f"<manifest>{items}</manifest><spine>{order}</spine></package>"
    )
    container = (
        '<container version="1.0" '
        'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/>'
        "</rootfiles></container>"
    )
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OEBPS/content.opf": package,
            **parts,
        }
    )


def chapter(text: str) -> str:
    return (
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head>'
        f"<body><p>{text}</p></body></html>"
    )


def letter(body: str, parts: Mapping[str, str] | None = None) -> bytes:
    return zipped(
        {
            "_rels/.rels": relations(("officeDocument", "word/document.xml")),
            "word/document.xml": (
                f'<w:document xmlns:w="{_WORD}" xmlns:r="{_OFFICE}"><w:body>'
                f"{body}</w:body></w:document>"
            ),
            **(parts or {}),
        }
    )


def workbook(
    rows: str,
    *,
    strings: str = "",
    styles: str = "",
    target: str = "worksheets/sheet1.xml",
    properties: str = "",
) -> bytes:
    parts = {
        "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": (
            f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}">{properties}<sheets>'
            '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": relations(
            ("worksheet", target), ("sharedStrings", "sharedStrings.xml"), ("styles", "styles.xml")
        ),
        "xl/worksheets/sheet1.xml": (
            f'<worksheet xmlns="{_SHEET}"><sheetData>{rows}</sheetData></worksheet>'
        ),
    }
    if strings:
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{_SHEET}">{strings}</sst>'
    if styles:
        parts["xl/styles.xml"] = f'<styleSheet xmlns="{_SHEET}">{styles}</styleSheet>'
    return zipped(parts)


@pytest.fixture
def text_of(tmp_path: Path):
    def read(name: str, data: bytes) -> str:
        path = tmp_path / name
        path.write_bytes(data)
        kind = format_of(path)
        assert kind is not None
        document: Document = load_function(kind.reader)(path)
        return "\n".join(page.text for page in document.pages)

    return read


@pytest.mark.parametrize(
    ("href", "name"),
    [
        ("chapter%201.xhtml", "OEBPS/chapter 1.xhtml"),
        ("Caf%C3%A9.xhtml", "OEBPS/Café.xhtml"),
        ("%E7%AB%A0.xhtml", "OEBPS/章.xhtml"),
        ("chapter.xhtml#section-2", "OEBPS/chapter.xhtml"),
        ("../text/a.xhtml", "text/a.xhtml"),
        ("/OEBPS/a.xhtml", "OEBPS/a.xhtml"),
        ("./a.xhtml", "OEBPS/a.xhtml"),
        ("100%.xhtml", "OEBPS/100%.xhtml"),
    ],
)
def test_chapters_of_books_are_found_by_their_links(text_of, href: str, name: str) -> None:
    assert "Krähe" in text_of("a.epub", book({"a": href}, {name: chapter("Krähe")}))


def test_chapters_follow_the_spine_and_a_damaged_one_is_left_out(text_of) -> None:
    parts = {f"OEBPS/{n}.xhtml": chapter(f"chapter{n} text") for n in (3, 1, 2)}
    data = book({"a": "1.xhtml", "b": "2.xhtml", "c": "3.xhtml"}, parts)
    text = text_of("a.epub", data)
    assert text.index("chapter1") < text.index("chapter2") < text.index("chapter3")
    damaged = data.replace(b"chapter2 text", b"chapter9 text")  # its checksum is wrong
    text = text_of("b.epub", damaged)
    assert "chapter1" in text
    assert "chapter3" in text


@pytest.mark.parametrize("kind", ["text/html", "application/xml", "TEXT/HTML; charset=utf-8", ""])
def test_chapters_of_other_media_types_are_read(text_of, kind: str) -> None:
    data = book({"a": "a.html"}, {"OEBPS/a.html": chapter("raven")}, kind=kind)
    assert "raven" in text_of("a.epub", data)


def test_named_entities_and_marks_lose_no_chapter(text_of) -> None:
    page = "\ufeff" + chapter('<span style="x">raven&nbsp;and&eacute; &mdash; crow</span>')
    assert "raven andé — crow" in text_of("a.epub", book({"a": "a.xhtml"}, {"OEBPS/a.xhtml": page}))


def test_all_runs_of_an_inline_string_are_read(text_of) -> None:
    cell = '<c r="A1" t="inlineStr"><is><r><t>First </t></r><r><t>second</t></r></is></c>'
    assert "First second" in text_of("a.xlsx", workbook(f'<row r="1">{cell}</row>'))


def test_phonetic_guides_are_not_part_of_cells(text_of) -> None:
    guide = '<rPh sb="0" eb="3"><t>とうきょうと</t></rPh>'
    rows = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>'
        f'<c r="C1" t="inlineStr"><is><t>大阪</t>{guide}</is></c></row>'
    )
    strings = f"<si><t>東京都</t>{guide}</si><si><r><t>京</t></r><r><t>都府</t></r>{guide}</si>"
    text = text_of("a.xlsx", workbook(rows, strings=strings))
    assert {"東京都", "京都府", "大阪"} <= set(text.replace("|", "\t").split())
    assert "とうきょうと" not in text


def test_empty_shared_strings_keep_their_numbers(text_of) -> None:
    rows = '<row r="1"><c r="A1" t="s"><v>2</v></c><c r="B1" t="s"><v>0</v></c></row>'
    strings = "<si><t/></si><si/><si><t>third</t></si><si><t>fourth</t></si>"
    text = text_of("a.xlsx", workbook(rows, strings=strings))
    assert "third" in text
    assert "fourth" not in text


@pytest.mark.parametrize(
    ("format_", "shown"), [(31, "2025-04-14"), (57, "2025-04-14"), (14, "2025-04-14")]
)
def test_dates_in_built_in_formats_of_east_asia_are_dates(
    text_of, format_: int, shown: str
) -> None:
    styles = f'<cellXfs><xf numFmtId="0"/><xf numFmtId="{format_}"/></cellXfs>'
    rows = '<row r="1"><c r="A1" s="1"><v>45761</v></c></row>'
    assert shown in text_of("a.xlsx", workbook(rows, styles=styles))


def test_dates_from_1904_are_dates(text_of) -> None:
    styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    rows = '<row r="1"><c r="A1" s="1"><v>44299</v></c></row>'
    data = workbook(rows, styles=styles, properties='<workbookPr date1904="1"/>')
    assert "2025-04-14" in text_of("a.xlsx", data)


@pytest.mark.parametrize(
    "target", [r"worksheets\sheet1.xml", "/xl/worksheets/sheet1.xml", "Worksheets/Sheet1.xml"]
)
def test_sheets_are_found_by_unusual_targets(text_of, target: str) -> None:
    cell = '<c r="A1" t="inlineStr"><is><t>raven</t></is></c>'
    assert "raven" in text_of("a.xlsx", workbook(f'<row r="1">{cell}</row>', target=target))


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def control(content: str) -> str:
    return f"<w:sdt><w:sdtPr/><w:sdtContent>{content}</w:sdtContent></w:sdt>"


def test_content_controls_are_read_wherever_they_are(text_of) -> None:
    paragraph = "<w:p>{}</w:p>".format
    cell = "<w:tc>{}</w:tc>".format
    drawing = "<w:p><w:r><w:drawing/></w:r></w:p>"
    box = (
        '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>'
        f"<w:txbxContent>{control(paragraph(run('boxed')))}</w:txbxContent>"
        "</v:textbox></v:shape></w:pict></w:r></w:p>"
    )
    body = (
        control(paragraph(run("block")))
        + paragraph(run("before ") + control(run("inline")) + run(" after"))
        + control(f"<w:tbl><w:tr>{cell(paragraph(run('table')))}</w:tr></w:tbl>")
        + "<w:tbl>"
        + control(f"<w:tr>{cell(paragraph(run('row')))}</w:tr>")
        + "<w:tr>"
        + control(cell(paragraph(run("cell"))))
        + cell(control(paragraph(run("inside"))))
        + "</w:tr>"
        + "</w:tbl>"
        + control(drawing + paragraph(run("picture")))
        + box
    )
    text = text_of("a.docx", letter(body))
    for word in (
        "block",
        "before inline after",
        "table",
        "row",
        "cell",
        "inside",
        "picture",
        "boxed",
    ):
        assert word in text


def test_styles_without_a_name_or_value_are_no_error(text_of) -> None:
    styles = (
        f'<w:styles xmlns:w="{_WORD}"><w:style w:styleId="x"><w:name/></w:style>'
        "<w:style/></w:styles>"
    )
    body = (
        "<w:p><w:pPr><w:pStyle/><w:numPr><w:ilvl/><w:numId/></w:numPr>"
        f"<w:outlineLvl/></w:pPr>{run('raven')}</w:p>"
        '<w:p><w:pPr><w:pStyle w:val="missing"/></w:pPr><w:r><w:rPr>'
        '<w:vertAlign/><w:b w:val=""/></w:rPr>'
        "<w:t>crow</w:t></w:r></w:p>"
    )
    links = relations(("styles", "styles.xml"))
    parts = {"word/styles.xml": styles, "word/_rels/document.xml.rels": links}
    text = text_of("a.docx", letter(body, parts))
    assert "raven" in text
    assert "crow" in text


_HEAD = (
    "From: Rita <rita@example.org>\r\nDate: Tue, 14 May 2024 10:11:12 "
    "+0200\r\nMIME-Version: 1.0\r\nSubject: s\r\n"
)


def test_a_mail_with_two_types_and_a_part_without_headers_is_read(text_of) -> None:
    mail = (
        f"{_HEAD}Content-Type: text/html; charset=utf-8\r\nContent-Type: "
        'multipart/mixed; boundary="b"\r\n\r\n'
        "--b\r\n\r\n<html><body><p>raven</p></body></html>\r\n"
        "--b\r\nContent-Type: text/plain; name=a.txt\r\n\r\ncrow\r\n--b--\r\n"
    )
    assert "raven" in text_of("a.eml", mail.encode())


def test_a_body_that_is_marked_as_inline_is_read(text_of) -> None:
    mail = (
        f"{_HEAD}Content-Type: text/html; charset=utf-8\r\nContent-Disposition: "
        "inline\r\n\r\n<p>raven</p>\r\n"
    )
    assert "raven" in text_of("a.eml", mail.encode())


def test_styles_scripts_and_templates_are_no_text(text_of) -> None:
    page = (
        "<style>hidden1</style><script>hidden2</script><template>hidden3</template><p>raven"
        "<noscript>script off</noscript><svg><style>hidden4</style></svg></p>"
        "<details><summary>s</summary>more</details>"
    )
    for name, data in (
        ("a.html", page),
        ("a.eml", f"{_HEAD}Content-Type: text/html\r\n\r\n{page}"),
    ):
        text = text_of(name, data.encode())
        assert "hidden" not in text
        assert "raven" in text
        assert "more" in text
        assert "script off" not in text


def test_a_mail_inside_a_registered_mail_is_a_document(tmp_path: Path) -> None:
    mail = (
        f"{_HEAD}Content-Type: multipart/signed; "
        'protocol="application/pkcs7-signature"; boundary="s"\r\n\r\n'
        '--s\r\nContent-Type: multipart/mixed; boundary="m"\r\n\r\n'
        "--m\r\nContent-Type: text/plain\r\n\r\nenvelope\r\n"
        "--m\r\nContent-Type: application/xml; name=daticert.xml\r\n\r\n<a>data</a>\r\n"
        '--m\r\nContent-Type: message/rfc822; name="postacert.eml"\r\n'
        "Content-Disposition: inline\r\n\r\nFrom: a@example.org\r\nSubject: Inner\r\n\r\nraven\r\n"
        "--m--\r\n--s\r\nContent-Type: application/pkcs7-signature; "
        "name=smime.p7s\r\n\r\nMIAG\r\n--s--\r\n"
    )
    path = tmp_path / "a.eml"
    path.write_bytes(mail.encode())
    kind = format_of(path)
    assert kind is not None
    noted = go_through(path, load_function(kind.members), tmp_path)
    assert b"raven" in noted.contents[("postacert.eml",)]


@pytest.mark.parametrize("blank", ["", "\n"])
def test_bare_separators_divide_a_mailbox(tmp_path: Path, blank: str) -> None:
    mails = [
        "From \nFrom: a@example.org\nSubject: One\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\nraven\n",
        (
            "From \nX-Mozilla-Status: 0001\nFrom: b@example.org\nSubject: Two\n\n> "
            "From the attached:\nFrom \ncrow\n"
        ),
        "From \nReturn-Path:\n <c@example.org>\nSubject: Three\n\nrook\n",
    ]
    path = tmp_path / "a.mbox"
    path.write_text(blank.join(mails))
    kind = format_of(path)
    assert kind is not None
    noted = go_through(path, load_function(kind.members), tmp_path)
    assert [name for (name,) in noted.contents] == [
        "00001 One.eml",
        "00002 Two.eml",
        "00003 Three.eml",
    ]
    assert b"crow" in noted.contents[("00002 Two.eml",)]


def test_characters_beyond_the_basic_plane_are_read_from_rtf(text_of) -> None:
    source = (
        rb"{\rtf1\ansi\ansicpg1252 caf\u233? a\u8212?b \u-10179?\u-8704? "
        rb"{\uc0\u55357\u56833} \u7903\'3f end}"
    )
    text = text_of("a.rtf", source)
    for word in ("café", "a—b", "\U0001f600", "\U0001f601", "ở", "end"):
        assert word in text


def test_notes_and_boxes_of_old_word_files_are_read(text_of) -> None:
    data = word_bytes(
        [P("raven\r")],
        footnotes=[P("footnote\r")],
        endnotes=[P("endnote\r")],
        text_boxes=[P("boxed\r")],
    )
    text = text_of("a.doc", data)
    for word in ("raven", "footnote", "endnote", "boxed"):
        assert word in text


def test_values_of_forms_and_typed_comments_are_read(text_of) -> None:
    place = "/Rect [50 300 350 320] /F 4"
    annotations = (
        f"<< /Subtype /FreeText {place} /Contents (typed) /DA (/Helv 12 Tf) >>"
        f" << /Subtype /Widget {place} /FT /Tx /T (a) /V (filled) >>"
        f" << /Subtype /Widget {place} /FT /Ch /T (b) /Opt [(crow) (owl)] /V (owl) >>"
    )
    data = pdf_bytes(
        [[(50, 500, 12, "Name:")]],
        page_entries=f"/Annots [{annotations}]",
        catalog_entries="/AcroForm << /Fields [] >>",
    )
    text = text_of("a.pdf", data)
    for word in ("Name:", "typed", "filled", "owl"):
        assert word in text
    assert "crow" not in text


def test_characters_across_records_of_kindle_books_are_whole(text_of) -> None:
    text = "".join(chr(0x4E00 + number) for number in range(300))
    for size in (62, 63, 64):
        data = book_bytes(f"<p>{text}</p>", version=8, record_bytes=size)
        assert text in text_of("a.azw3", data).replace("\n", "")


def test_a_text_kept_as_rtf_alone_is_the_body(text_of) -> None:
    rtf = rb"{\rtf1\ansi\fromtext raven\par crow}"
    for wrong in (0, 12):
        data = (
            (len(rtf) + 12).to_bytes(4, "little")
            + (len(rtf) + wrong).to_bytes(4, "little")
            + b"MELA"
            + bytes(4)
            + rtf
        )
        mail = outlook_bytes({0x0037: "Subject", 0x1009: data, 0x0C1A: "Rita"})
        assert "raven" in text_of("a.msg", mail)


def test_a_table_with_a_mark_and_quoted_names_is_read(text_of) -> None:
    data = '\ufeff"name","note"\r\n"raven","says ""hi"""\r\n'.encode()
    text = text_of("a.csv", data)
    assert "\ufeff" not in text
    assert 'says "hi"' in text
    wide = "name;note\r\nraven;größer\r\n".encode("utf-16")
    assert "größer" in text_of("b.csv", wide)


def test_groups_charts_and_diagrams_of_slides_are_read(text_of) -> None:
    names = (
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
        f'xmlns:r="{_OFFICE}"'
    )
    frame = (
        '<p:graphicFrame><a:graphic><a:graphicData uri="{}">{}</a:graphicData>'
        "</a:graphic></p:graphicFrame>"
    ).format
    drawing = "http://schemas.openxmlformats.org/drawingml/2006/"

    def shape(text: str) -> str:
        return f"<p:sp><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"

    table = (
        "<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>cell</a:t></a:r></a:p>"
        "</a:txBody></a:tc></a:tr></a:tbl>"
    )
    slide = (
        f"<p:sld {names}><p:cSld><p:spTree>{shape('first')}{shape('second')}"
        f"<p:grpSp><p:grpSp>{shape('grouped')}</p:grpSp></p:grpSp>"
        + frame(f"{drawing}table", table)
        + frame(f"{drawing}chart", f'<c:chart xmlns:c="{drawing}chart" r:id="r1"/>')
        + frame(f"{drawing}diagram", f'<dgm:relIds xmlns:dgm="{drawing}diagram" r:dm="r2"/>')
        + "</p:spTree></p:cSld></p:sld>"
    )
    chart = (
        f'<c:chartSpace xmlns:c="{drawing}chart" xmlns:a="{drawing}main"><c:chart>'
        "<c:title><c:tx><c:rich>"
        "<a:p><a:r><a:t>charted</a:t></a:r></a:p></c:rich></c:tx></c:title>"
        "</c:chart></c:chartSpace>"
    )
    diagram = (
        f'<dgm:dataModel xmlns:dgm="{drawing}diagram" xmlns:a="{drawing}main">'
        '<dgm:ptLst><dgm:pt modelId="1">'
        "<dgm:t><a:p><a:r><a:t>drawn</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>"
    )
    data = zipped(
        {
            "_rels/.rels": relations(("officeDocument", "ppt/presentation.xml")),
            "ppt/presentation.xml": (
                f'<p:presentation {names}><p:sldIdLst><p:sldId id="256" r:id="r1"/>'
                "</p:sldIdLst></p:presentation>"
            ),
            "ppt/_rels/presentation.xml.rels": relations(("slide", "slides/slide1.xml")),
            "ppt/slides/slide1.xml": slide,
            "ppt/slides/_rels/slide1.xml.rels": relations(
                ("chart", "../charts/chart1.xml"), ("diagramData", "../diagrams/data1.xml")
            ),
            "ppt/charts/chart1.xml": chart,
            "ppt/diagrams/data1.xml": diagram,
        }
    )
    words = text_of("a.pptx", data).replace("|", " ").split()
    assert {"first", "second", "grouped", "cell", "charted", "drawn"} <= set(words)


def test_characters_of_equations_are_read(text_of) -> None:
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    equation = (
        f'<m:oMathPara xmlns:m="{math}"><m:oMath><m:f><m:num><m:r><m:t>alpha</m:t></m:r></m:num>'
        "<m:den><m:r><m:t>beta</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara>"
    )
    text = text_of("a.docx", letter(f"<w:p>{equation}</w:p><w:p>{run('before')}</w:p>"))
    for word in ("alpha", "beta", "before"):
        assert word in text


def test_footnotes_and_endnotes_are_read(text_of) -> None:
    def notes(kind: str) -> str:
        return (
            f'<w:{kind}s xmlns:w="{_WORD}"><w:{kind} w:id="2"><w:p>{run(f"text of a {kind}")}</w:p>'
            f"</w:{kind}></w:{kind}s>"
        )

    body = (
        f'<w:p>{run("raven")}<w:r><w:footnoteReference w:id="2"/></w:r>'
        '<w:r><w:endnoteReference w:id="2"/></w:r></w:p>'
    )
    parts = {
        "word/footnotes.xml": notes("footnote"),
        "word/endnotes.xml": notes("endnote"),
        "word/_rels/document.xml.rels": relations(
            ("footnotes", "footnotes.xml"), ("endnotes", "endnotes.xml")
        ),
    }
    text = text_of("a.docx", letter(body, parts))
    assert "text of a footnote" in text
    assert "text of a endnote" in text


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("gbk", "比赛规则及附件"),
        ("gbk", "合同"),
        ("cp932", "新しいフォルダー"),
        ("cp949", "계약서"),
        ("cp866", "Новый отчёт"),
        ("cp437", "Größe der Bücher"),
        ("cp1252", "Größe der Bücher"),
    ],
)
def test_names_in_old_archives_are_in_the_system_of_their_writer(
    tmp_path: Path, encoding: str, name: str
) -> None:
    raw = f"{name}.txt".encode(encoding)
    plain = "x" * len(raw)
    data = zipped({plain: b"raven"}).replace(plain.encode(), raw)
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    kind = format_of(path)
    assert kind is not None
    noted = go_through(path, load_function(kind.members), tmp_path)
    assert list(noted.contents) == [(f"{name}.txt",)]


@pytest.mark.parametrize(("system", "name"), [(0, "Übergabe"), (3, "\u0161bergabe")])
def test_windows_writes_names_in_the_code_page_of_dos(
    tmp_path: Path, system: int, name: str
) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo("xbergabe.txt")
        info.create_system = system
        archive.writestr(info, b"raven")
    path = tmp_path / "a.zip"
    path.write_bytes(buffer.getvalue().replace(b"xbergabe", b"\x9abergabe"))
    noted = go_through(path, archives.unpack, tmp_path)
    assert list(noted.contents) == [(f"{name}.txt",)]


def test_grouped_values_of_contacts_are_read(text_of) -> None:
    card = (
        "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Rook;Anna;Maria;Dr.;\r\nFN:Dr. Anna Maria Rook\r\n"
        "item1.TEL:+49 89 1234\r\nitem1.X-ABLabel:Cottage\r\n"
        "item2.EMAIL;type=INTERNET:a@example.org\r\n"
        "BDAY:1970-06-16\r\nEND:VCARD\r\n"
    )
    text = text_of("a.vcf", card.encode())
    for word in ("Anna Maria Rook", "+49 89 1234", "a@example.org", "1970-06-16"):
        assert word in text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_subtitles_may_begin_with_a_mark(text_of, encoding: str) -> None:
    lines = (
        "1\r\n00:00:01,000 --> 00:00:02,000\r\nDie Krähe fällt.\r\n\r\n2\r\n"
        "00:00:03,000 --> 00:00:04,000\r\nÜber uns.\r\n"
    )
    text = text_of("a.srt", lines.encode(encoding))
    assert "Die Krähe fällt." in text
    assert "Über uns." in text
    assert "-->" not in text


@pytest.mark.parametrize("encoding", ["gbk", "gb18030", "big5", "utf-16"])
def test_texts_of_old_chinese_systems_are_read(text_of, encoding: str) -> None:
    text = "第一章 本公司的仓库在城市的北面，钥匙由经理保管。\r\n" * 3
    if encoding == "big5":
        text = "第一章 本公司的倉庫在城市的北面，鑰匙由經理保管。\r\n" * 3
    assert text.split("\r\n")[0] in text_of("a.txt", text.encode(encoding))
    assert "城市的北面" in text_of("b.csv", text.encode(encoding))


def test_runs_in_wrappers_are_read_and_deleted_ones_are_not(text_of) -> None:
    ruby = f"<w:ruby><w:rt>{run('reading')}</w:rt><w:rubyBase>{run('base')}</w:rubyBase></w:ruby>"
    body = (
        f"<w:p><w:ins>{run('inserted ')}</w:ins><w:smartTag>{run('smart ')}</w:smartTag>"
        f'<w:fldSimple w:instr="REF a">{run("field ")}</w:fldSimple><w:r>{ruby}</w:r>'
        "<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
        f"{run('Project')}{run('X2024')}</w:p>"
    )
    text = text_of("a.docx", letter(body))
    for word in ("inserted smart field", "base", "ProjectX2024"):
        assert word in text
    assert "deleted" not in text


def test_headers_and_footers_are_read(text_of) -> None:
    body = (
        f"<w:p>{run('raven')}</w:p><w:sectPr>"
        '<w:headerReference w:type="default" r:id="r1"/>'
        '<w:footerReference w:type="default" r:id="r2"/></w:sectPr>'
    )
    names = f'xmlns:w="{_WORD}"'
    parts = {
        "word/header1.xml": f"<w:hdr {names}><w:p>{run('Example Ltd')}</w:p></w:hdr>",
        "word/footer1.xml": f"<w:ftr {names}><w:p>{run('Reference 4711')}</w:p></w:ftr>",
        "word/_rels/document.xml.rels": relations(
            ("header", "header1.xml"), ("footer", "footer1.xml")
        ),
    }
    text = text_of("a.docx", letter(body, parts))
    for word in ("raven", "Example Ltd", "Reference 4711"):
        assert word in text


def test_tables_in_the_bodies_of_mails_are_read(text_of) -> None:
    table = "<table><tr><td>inner</td></tr></table>"
    page = f"<p>before</p><table><tr><td>cell {table}</td><td>other</td></tr></table>"
    mail = (
        f'{_HEAD}Content-Type: multipart/alternative; boundary="b"\r\n\r\n'
        f"--b\r\nContent-Type: text/html\r\n\r\n{page}\r\n--b--\r\n"
    )
    text = text_of("a.eml", mail.encode())
    for word in ("before", "cell", "inner", "other"):
        assert word in text


_CAP = '<w:p><w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>{}</w:p>'


@pytest.mark.parametrize(
    ("first", "rest", "text"),
    [("R", "ealized with care.", "Realized with care."), ("A", " raven sat.", "A raven sat.")],
)
def test_a_large_initial_letter_of_word_begins_its_word(
    text_of, first: str, rest: str, text: str
) -> None:
    body = _CAP.format(run(first)) + f"<w:p>{run(rest)}</w:p>"
    assert text_of("a.docx", letter(body)) == text


@pytest.mark.parametrize(
    ("first", "rest", "text"),
    [
        ("R", "ealized through care", "Realized through care"),
        ("T", "HE recent development", "THE recent development"),
        ("A", "raven sat on a tree", "A\n\nraven sat on a tree"),
        ("A", "lthough they were late", "Although they were late"),
    ],
)
def test_a_large_initial_letter_of_a_pdf_begins_its_word(
    text_of, first: str, rest: str, text: str
) -> None:
    lines = [(40, 50, 672, first), (12, 85, 700, rest), (12, 85, 686, "and the next line"),
             (12, 85, 672, "beside the letter.")]  # fmt: skip
    content = "\n".join(f"BT /F {size} Tf {x} {y} Td ({t}) Tj ET" for size, x, y, t in lines)
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        (
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources"
            "<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
        ),
        f"<</Length {len(content)}>>\nstream\n{content}\nendstream",
    ]
    body = "".join(f"{i} 0 obj\n{each}\nendobj\n" for i, each in enumerate(objects, 1))
    data = f"%PDF-1.7\n{body}trailer<</Size 5/Root 1 0 R>>\n%%EOF\n".encode()
    assert text_of("a.pdf", data).startswith(f"{text}\nand the next line")


@pytest.mark.parametrize(
    ("result", "chosen"), [('<w:result w:val="1"/>', "rook"), ("", "raven"), ("9", "raven")]
)
def test_the_chosen_entry_of_a_form_is_read(text_of, result: str, chosen: str) -> None:
    entries = "".join(f'<w:listEntry w:val="{name}"/>' for name in ("raven", "rook"))
    field = f"<w:ffData><w:ddList>{result}{entries}</w:ddList></w:ffData>"
    body = f'<w:p><w:r><w:fldChar w:fldCharType="begin">{field}</w:fldChar></w:r></w:p>'
    assert text_of("a.docx", letter(body)) == chosen


def test_drawing_boards_are_read_by_their_texts(text_of) -> None:
    canvas = (
        '{"nodes": [{"id": "9f", "type": "text", "x": -40, "text": "# Ravens\\nThe **rook**"},'
        ' {"id": "a1", "type": "group", "label": "Winter"}, {"id": "b", "type": "file",'
        ' "file": "birds/jay.md"}], "edges": [{"fromNode": "9f", "label": "leads to"}]}'
    )
    assert text_of("a.canvas", canvas.encode()) == (
        "Ravens\n\nThe rook\n\nWinter\n\nbirds/jay.md\n\nleads to"
    )
    drawing = b'{"type": "excalidraw", "elements": [{"type": "text", "text": "Raven"}]}'
    assert text_of("a.excalidraw", drawing) == "Raven"
    assert "Raven" in text_of("b.canvas", b'{"other": "Raven"}')


def test_output_that_is_only_html_is_read(text_of) -> None:
    table = '"data": {"text/html": ["<table><tr><td>raven</td><td>7</td></tr></table>"]}'
    cell = f'{{"cell_type": "code", "source": [], "outputs": [{{{table}}}]}}'
    assert text_of("a.ipynb", f'{{"cells": [{cell}]}}'.encode()) == "raven | 7"


def test_subtitles_of_substation_alpha_are_read(text_of) -> None:
    film = (
        "[Script Info]\nTitle: x\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL,"
        " MarginR, MarginV, Effect, Text\nComment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,no\n"
        "Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\i1}The raven{\\i0},\\Nand a rook\n"
    )
    assert text_of("a.ass", film.encode()) == "0:01\n\nThe raven,\nand a rook"


def test_bookmarks_in_files_are_read(text_of) -> None:
    assert "raven.example" in text_of("a.url", b"[InternetShortcut]\nURL=https://raven.example/\n")
    plist = b"<plist><dict><key>URL</key><string>https://raven.example/</string></dict></plist>"
    assert "raven.example" in text_of("a.webloc", plist)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (b"N\bNA\bAM\bME\bE\n   raven - a bird\n", "NAME\n   raven - a bird"),
        (b"R\bR\bRA\bA\bAV\bVE\bEN\bN _\br_\bo_\bo_\bk j\b_a\b_y\b_", "RAVEN rook jay"),
        ("K\bKr\brä\bäh\bhe\be _\bÄ_\bs_\bt".encode(), "Krähe Äst"),
    ],
)
def test_characters_printed_over_one_another_are_read_once(text_of, page: bytes, text: str) -> None:
    assert text_of("a.txt", page) == text


def test_words_split_by_soft_hyphens_are_whole(text_of) -> None:
    text = text_of("a.txt", "Der Kolk\u00ad\nrabe und die Saat\u00adkrähe.\n".encode())
    assert "Kolkrabe" in text
    assert "Saatkrähe" in text


@pytest.mark.parametrize("disposition", ["inline", "attachment"])
def test_attachments_of_any_type_are_documents(tmp_path: Path, disposition: str) -> None:
    path = tmp_path / "a.eml"
    part = f"Content-Type: application/octet-stream\r\nContent-Disposition: {disposition};"
    path.write_bytes(
        f'{_HEAD}Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
        f'--b\r\n{part} filename="bill.txt"\r\n\r\nraven\r\n--b--\r\n'.encode()
    )
    kind = format_of(path)
    assert kind is not None
    members = go_through(path, load_function(kind.members), tmp_path).contents
    assert [content.strip() for content in members.values()] == [b"raven"]
