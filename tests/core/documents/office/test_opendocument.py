from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents import limits
from core.documents.document import Document
from core.documents.limits import Limits
from core.documents.office import opendocument
from core.errors import DocumentError
from tests.core.documents.mutations import mutations, package_mutations, packed, read_all

_NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        *(("office", "office"), ("text", "text"), ("table", "table"), ("style", "style")),
        *(("draw", "drawing"), ("presentation", "presentation"), ("meta", "meta")),
    )
)
_NAMES += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
_META = """<office:meta><dc:title>All About Crows</dc:title>
<meta:initial-creator>Ann Rook</meta:initial-creator><dc:creator>Bob Crow</dc:creator>
<dc:date>2024-06-30T12:05:00.123</dc:date></office:meta>"""


def _members(body: str, *, styles: str = "", masters: str = "", meta: str = "") -> dict[str, str]:
    def part(name: str, inside: str) -> str:
        return f'<?xml version="1.0"?><office:{name} {_NAMES}>{inside}</office:{name}>'

    automatic = f"<office:automatic-styles>{styles}</office:automatic-styles>"
    return {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "META-INF/manifest.xml": "<manifest/>",
        "content.xml": part("document-content", f"{automatic}<office:body>{body}</office:body>"),
        "styles.xml": part(
            "document-styles", f"<office:master-styles>{masters}</office:master-styles>"
        ),
        "meta.xml": part("document-meta", meta),
    }


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Document]:
    def read_body(
        body: str, *, suffix: str = ".odt", more: dict[str, str] | None = None, **parts: str
    ) -> Document:
        path = tmp_path / f"letter{suffix}"
        path.write_bytes(packed({**_members(body, **parts), **(more or {})}))
        return opendocument.read(path)

    return read_body


def _text_of(document: Document) -> str:
    (page,) = document.pages
    return page.text


_LETTER = """<office:text><text:sequence-decls/>
<text:p text:style-name="P1">The Bird Book</text:p><text:h text:outline-level="2">Crows</text:h>
<text:p>They  are
 <text:span>cle</text:span>ver<text:s text:c="2"/>and<text:tab/>black.<text:line-break/>All.
</text:p>
<text:p/>
<text:list>
 <text:list-item><text:p>one</text:p>
  <text:list><text:list-item><text:p>within</text:p></text:list-item></text:list></text:list-item>
 <text:list-item><text:p>two</text:p></text:list-item>
</text:list>
<text:section><text:p>after</text:p></text:section>
<table:table><table:table-column table:number-columns-repeated="3"/>
 <table:table-header-rows><table:table-row>
  <table:table-cell><text:p>bird</text:p></table:table-cell>
  <table:table-cell><text:p>eggs</text:p></table:table-cell>
 </table:table-row></table:table-header-rows>
 <table:table-row>
  <table:table-cell><text:p>crow</text:p><text:p>rook</text:p></table:table-cell>
  <table:covered-table-cell/>
  <table:table-cell><text:list><text:list-item><text:p>4</text:p></text:list-item></text:list>
  </table:table-cell>
 </table:table-row>
</table:table>
<text:p>end</text:p></office:text>"""


def test_headings_paragraphs_lists_and_tables_come_in_order(read) -> None:
    own = '<style:style style:name="P1" style:parent-style-name="Title"/>'
    document = read(_LETTER, styles=own)
    assert document.title == "The Bird Book"
    assert _text_of(document) == (
        "The Bird Book\n\nCrows\n\nThey are clever  and\tblack.\nAll.\n\none\nwithin\ntwo\n\nafter"
        "\n\nbird | eggs\ncrow rook |  | 4\n\nend"
    )
    assert [(h.level, h.text) for h in document.pages[0].headings] == [
        (1, "The Bird Book"),
        (2, "Crows"),
    ]


_NOTED = """<office:text>
<text:tracked-changes><text:deletion><text:p>gone</text:p></text:deletion></text:tracked-changes>
<text:p>Crows<text:note><text:note-citation>1</text:note-citation><text:note-body>
<text:p>And rooks.</text:p></text:note-body></text:note> are<office:annotation>
<dc:creator>Ann</dc:creator><text:p>Says who?</text:p></office:annotation> clever.</text:p>
<text:p>Page <text:page-number>7</text:page-number></text:p></office:text>"""


def test_notes_annotations_and_furniture_come_last(read) -> None:
    masters = "".join(
        "<style:master-page><style:header><text:p>Bird Report</text:p></style:header>"
        f"<style:footer><text:p>{foot}</text:p></style:footer></style:master-page>"
        for foot in ("Confidential", "Confidential", "Draft")
    )
    assert _text_of(read(_NOTED, masters=masters)).split("\n\n") == [
        *("Crows are clever.", "Page", "And rooks.", "Says who?"),
        *("Bird Report", "Confidential", "Draft"),
    ]


_BOXED = """<office:text>
<text:p>before<draw:frame><draw:text-box><text:p>in a box</text:p></draw:text-box></draw:frame>
 it</text:p>
<text:p><draw:frame><draw:object xlink:href="./Object 1"/><draw:image/></draw:frame></text:p>
<text:p>after</text:p></office:text>"""


def test_boxes_and_charts_follow_the_paragraph_they_are_in(read) -> None:
    chart = (
        f"<office:document-content {_NAMES}><office:body><office:chart><c:chart xmlns:c='urn:c'>"
        "<c:title><text:p>Where they nest</text:p></c:title></c:chart></office:chart></office:body>"
        "</office:document-content>"
    )
    document = read(_BOXED, more={"Object 1/content.xml": chart})
    assert _text_of(document) == "before it\n\nin a box\n\nWhere they nest\n\nafter"


def test_alternative_text_follows_the_paragraph_it_is_in(read) -> None:
    svg = 'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
    loext = 'xmlns:l="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
    document = read(
        f"<office:text {svg} {loext}><text:p>Here<draw:frame><draw:image/><svg:title>Nests"
        "</svg:title><svg:desc>Where they are</svg:desc></draw:frame> it is</text:p><text:p>"
        "<draw:frame l:decorative='true'><svg:desc>A fine line</svg:desc></draw:frame></text:p>"
        "<text:p><draw:frame><svg:desc>crow.png</svg:desc></draw:frame>End</text:p></office:text>"
    )
    assert _text_of(document) == "Here it is\n\nNests: Where they are\n\nEnd"


def test_the_numbers_of_a_chart_are_rows_of_a_table(read) -> None:
    rows = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        + "</table:table-row>"
        for row in (("", "Nests"), ("North", "3.5"))
    )
    chart = (
        f"<office:document-content {_NAMES}><office:body><office:chart><c:chart xmlns:c='urn:c'>"
        f"<table:table table:name='local-table'>{rows}</table:table></c:chart></office:chart>"
        "</office:body></office:document-content>"
    )
    document = read(_BOXED, more={"Object 1/content.xml": chart})
    assert _text_of(document) == "before it\n\nin a box\n\nNests\nNorth | 3.5\n\nafter"


def test_title_author_and_date_are_those_of_the_metadata(read) -> None:
    document = read("<office:text><text:p>x</text:p></office:text>", meta=_META)
    assert document.title == "All About Crows"
    assert (document.author, document.date) == ("Ann Rook", "2024-06-30T12:05:00")


def test_a_damaged_member_at_the_start_loses_no_text(tmp_path: Path) -> None:
    path = tmp_path / "letter.odt"
    package = packed(_members(_LETTER))
    path.write_bytes(package[:2] + b"\0\0" + package[4:])
    assert _text_of(opendocument.read(path)).startswith("The Bird Book")


@pytest.mark.parametrize("more", [{"meta.xml": "<"}, {"meta.xml": "<x/>"}])
def test_damaged_metadata_lose_no_text(read, more: dict[str, str]) -> None:
    document = read("<office:text><text:p>Crows</text:p></office:text>", more=more)
    assert (document.title, _text_of(document)) == ("", "Crows")


_SLIDES = """<office:presentation>
<presentation:footer-decl presentation:name="f1">Bird Society</presentation:footer-decl>
<draw:page presentation:use-footer-name="f1">
 <draw:frame presentation:class="outline"><draw:text-box><text:list>
  <text:list-item><text:p>They are clever.</text:p></text:list-item>
  <text:list-item><text:p>And black.</text:p></text:list-item>
 </text:list></draw:text-box></draw:frame>
 <draw:frame presentation:class="title"><draw:text-box><text:p>Crows</text:p></draw:text-box>
 </draw:frame>
 <draw:g><draw:custom-shape><text:p>in a group</text:p></draw:custom-shape></draw:g>
 <draw:frame presentation:class="date-time"><draw:text-box><text:p>today</text:p></draw:text-box>
 </draw:frame>
 <office:annotation><text:p>Says who?</text:p></office:annotation>
 <presentation:notes><draw:page-thumbnail presentation:class="page"/>
  <draw:frame presentation:class="notes"><draw:text-box><text:p>Speak up.</text:p></draw:text-box>
  </draw:frame></presentation:notes>
</draw:page>
<draw:page presentation:use-footer-name="f1"/>
</office:presentation>"""


def test_each_slide_is_a_page_with_its_title_first(read) -> None:
    document = read(_SLIDES, suffix=".odp")
    assert document.title == "Crows"
    first, second = document.pages
    assert (first.number, second.number) == (1, 2)
    assert first.text.split("\n\n") == [
        *("Crows", "They are clever.\nAnd black.", "in a group"),
        *("Speak up.", "Says who?", "Bird Society"),
    ]
    assert second.text == ""
    assert [h.text for page in document.pages for h in page.headings] == ["Crows"]


_SHEETS = """<office:spreadsheet>
<table:table table:name="Nests">
 <table:shapes><draw:frame><draw:text-box><text:p>a box</text:p></draw:text-box></draw:frame>
 </table:shapes>
 <table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>
 <table:table-row>
  <table:table-cell office:value="45473"><text:p>30.06.2024</text:p>
   <office:annotation><text:p>Says who?</text:p></office:annotation></table:table-cell>
  <table:table-cell table:number-columns-repeated="2"><text:p>25 %</text:p></table:table-cell>
  <table:table-cell table:number-columns-repeated="16000"/>
  <table:table-cell table:number-columns-repeated="99999999"><text:p>x</text:p>
  </table:table-cell>
 </table:table-row>
 <table:table-row table:number-rows-repeated="1048576">
  <table:table-cell><text:p>last</text:p></table:table-cell></table:table-row>
</table:table>
<table:table table:name="Empty"><table:table-row/></table:table>
</office:spreadsheet>"""


@pytest.mark.parametrize("kind", ["text", "spreadsheet"])
def test_each_sheet_is_a_page_of_what_its_cells_show(read, kind: str) -> None:
    # A spreadsheet known by its type is streamed; one known by its body is read as a whole.
    more = {"mimetype": f"application/vnd.oasis.opendocument.{kind}"}
    document = read(_SHEETS, suffix=".ods", more=more)
    first, second = document.pages
    line = "30.06.2024 | 25 % | 25 % |  | " + " | ".join(["x"] * 64)
    assert first.text == f"Nests\n\n{line}\nlast\n\na box\n\nSays who?"
    assert [h.text for h in first.headings] == ["Nests"]
    assert (second.number, second.text) == (2, "Empty")


def test_a_little_file_cannot_unfold_to_text_without_end(
    read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DEFAULT", Limits(characters=100_000))
    cell = (
        f'<table:table-cell table:number-columns-repeated="9999"><text:p>{"x" * 99}</text:p>'
        "</table:table-cell>"
    )
    body = f"<office:spreadsheet><table:table><table:table-row>{cell * 50}</table:table-row>"
    with pytest.raises(DocumentError, match=r"^More than 0\.1 million characters"):
        read(f"{body}</table:table></office:spreadsheet>")
    spaces = '<text:s text:c="99999999"/>' * 10
    document = read(f"<office:text><text:p>a{spaces}b</text:p></office:text>")
    assert len(_text_of(document)) < 2_000


@pytest.mark.parametrize("suffix", [".fodt", ".FODT"])
def test_flat_files_are_read_like_packed_ones(tmp_path: Path, suffix: str) -> None:
    picture = (
        f"<draw:image><office:binary-data>{'QUJD' * 3_000_000}</office:binary-data></draw:image>"
    )
    path = tmp_path / f"letter{suffix}"
    path.write_text(
        f"<office:document {_NAMES}>{_META}<office:styles/><office:master-styles>"
        "<style:master-page><style:header><text:p>Bird Report</text:p></style:header>"
        "</style:master-page>"
        "</office:master-styles><office:body><office:text><text:h>Crows</text:h><text:p>"
        f"<draw:frame>{picture}</draw:frame>are clever.</text:p></office:text></office:body>"
        "</office:document>"
    )
    document = opendocument.read(path)
    assert _text_of(document) == "Crows\n\nare clever.\n\nBird Report"
    assert (document.title, document.author) == ("All About Crows", "Ann Rook")


def test_flat_spreadsheets_and_presentations_are_read(tmp_path: Path) -> None:
    for suffix, body, count in ((".fods", _SHEETS, 2), (".fodp", _SLIDES, 2)):
        path = tmp_path / f"x{suffix}"
        path.write_text(
            f"<office:document {_NAMES}><office:body>{body}</office:body></office:document>"
        )
        assert len(opendocument.read(path).pages) == count


def test_an_encrypted_file_needs_a_password(read, tmp_path: Path) -> None:
    def manifest(name: str) -> str:
        entry = f'<m:file-entry m:full-path="{name}"><m:encryption-data/></m:file-entry>'
        names = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
        return f'<m:manifest xmlns:m="{names}">{entry}</m:manifest>'

    with pytest.raises(DocumentError, match=r"^Password required$"):
        read("", more={"META-INF/manifest.xml": manifest("content.xml"), "content.xml": "\x9f"})
    # A macro library may be encrypted on its own.
    body = "<office:text><text:p>Crows</text:p></office:text>"
    more = {"META-INF/manifest.xml": manifest("Basic/Standard/Module1.xml")}
    assert _text_of(read(body, more=more)) == "Crows"
    path = tmp_path / "whole.odt"
    whole = {"META-INF/manifest.xml": manifest("encrypted-package"), "encrypted-package": "\x9f"}
    path.write_bytes(packed(whole))
    with pytest.raises(DocumentError, match=r"^Password required$"):
        opendocument.read(path)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("x.odt", b"", "Empty file"),
        ("x.odt", b"hello", r"^Damaged: not a \.odt file$"),
        ("x.odt", packed({"a": "b"}), "Not an OpenDocument file despite its name"),
        ("x.odt", packed({"content.xml": "<a/>"}), "^Damaged: a part is missing$"),
        ("x.odt", packed({"content.xml": "<a"}), "^Damaged: a part is not well-formed$"),
        ("x.fodt", b"<a/>", "Not an OpenDocument file despite its name"),
        ("x.fodt", b"<a", "^Damaged: it is not well-formed$"),
    ],
)
def test_an_invalid_opendocument_file_is_called_by_its_kind(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocumentError, match=reason):
        opendocument.read(tmp_path / name)


def test_deep_nesting_is_survived(read) -> None:
    tables = "<table:table><table:table-row><table:table-cell><text:p>deep</text:p>" * 60
    tables += "</table:table-cell></table:table-row></table:table>" * 60
    boxes = "<text:p>deep<draw:frame><draw:text-box>" * 70
    boxes += "</draw:text-box></draw:frame></text:p>" * 70
    spans = f"<text:p>{'<text:span>' * 240}deep{'</text:span>' * 240}</text:p>"
    for body in (tables, boxes, spans):
        assert "deep" in _text_of(read(f"<office:text>{body}</office:text>"))


@pytest.mark.parametrize(
    ("suffix", "body"),
    [
        (".odt", _LETTER),
        (".odt", _NOTED),
        (".odp", _SLIDES),
        (".ods", _SHEETS),
    ],
)
def test_damage_of_any_kind_has_a_reason(tmp_path: Path, suffix: str, body: str) -> None:
    path = tmp_path / f"damaged{suffix}"
    members = _members(body, meta=_META)
    if suffix == ".ods":
        members["mimetype"] = "application/vnd.oasis.opendocument.spreadsheet"
    count, reasons = read_all(opendocument.read, path, package_mutations(packed(members)))
    assert count
    assert reasons
    flat = f"<office:document {_NAMES}>{_META}<office:body>{body}</office:body></office:document>"
    path = tmp_path / f"damaged.f{suffix[1:]}"
    read_all(opendocument.read, path, mutations(flat.encode()))
