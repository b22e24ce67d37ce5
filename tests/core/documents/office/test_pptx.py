from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pptx as python_pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from core.documents.office import pptx
from core.errors import DocumentError
from tests.core.documents.mutations import package_mutations, packed, read_all
from tests.core.documents.office.compound_files import compound_bytes

_TITLE_ONLY, _TITLE_AND_TEXT, _BLANK = 5, 1, 6
_BOX = (Inches(1), Inches(1), Inches(3), Inches(1))
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write_talk(build: Callable[..., object]) -> Path:
        talk = python_pptx.Presentation()
        build(talk)
        path = tmp_path / "talk.pptx"
        talk.save(str(path))
        return path

    return write_talk


def _slide(talk, layout: int):
    return talk.slides.add_slide(talk.slide_layouts[layout])


def test_each_slide_is_a_page_with_its_title_first(write) -> None:
    def build(talk) -> None:
        talk.core_properties.title = "All About Crows"
        talk.core_properties.author = "Ann Rook"
        talk.core_properties.modified = datetime(2024, 6, 30, 12, 5, tzinfo=UTC)
        slide = _slide(talk, _TITLE_AND_TEXT)
        # A title may be the topmost shape.
        slide.shapes._spTree.append(slide.shapes.title._element)
        slide.shapes.title.text = "Crows"
        body = slide.placeholders[1].text_frame
        body.text = "They are clever."
        paragraph = body.add_paragraph()
        paragraph.add_run().text = "They are "
        paragraph.add_run().text = "black."
        _slide(talk, _BLANK)
        _slide(talk, _TITLE_ONLY).shapes.title.text = "Owls"

    document = pptx.read(write(build))
    assert document.title == "All About Crows"
    assert (document.author, document.date) == ("Ann Rook", "2024-06-30T12:05:00+00:00")
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert [page.text for page in document.pages] == [
        "Crows\n\nThey are clever.\nThey are black.",
        "",
        "Owls",
    ]
    assert [h.text for page in document.pages for h in page.headings] == ["Crows", "Owls"]


def test_without_a_title_of_its_own_a_talk_has_that_of_its_first_slide(write) -> None:
    def build(talk) -> None:
        talk.core_properties.title = "PowerPoint Presentation"
        _slide(talk, _BLANK)
        _slide(talk, _TITLE_ONLY).shapes.title.text = "Owls"

    assert pptx.read(write(build)).title == "Owls"


def test_groups_tables_notes_and_charts_are_read(write) -> None:
    def build(talk) -> None:
        slide = _slide(talk, _BLANK)
        group = slide.shapes.add_group_shape()
        group.shapes.add_textbox(*_BOX).text_frame.text = "in a group"
        inner = group.shapes.add_group_shape()
        inner.shapes.add_textbox(*_BOX).text_frame.text = "deeper"
        table = slide.shapes.add_table(2, 2, *_BOX).table
        for cell, text in zip(table.iter_cells(), ["bird", "eggs", "crow", "4"], strict=True):
            cell.text = text
        data = CategoryChartData()
        data.categories = ["North", "South"]
        data.add_series("Nests", (1, 2))
        chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *_BOX, data).chart
        chart.chart_title.text_frame.text = "Where they nest"
        slide.notes_slide.notes_text_frame.text = "Speak up.\nSmile."

    assert pptx.read(write(build)).pages[0].text == (
        "in a group\n\ndeeper\n\nbird | eggs\ncrow | 4\n\nWhere they nest\nNests\nNorth | 1"
        "\nSouth | 2\n\nSpeak up.\nSmile."
    )


def test_text_repeated_on_every_slide_is_read_once(write) -> None:
    def build(talk) -> None:
        for _ in range(2):
            slide = _slide(talk, _BLANK)
            for kind, text in (("ftr", "Bird Society"), ("dt", "June 2024"), ("sldNum", "‹1›")):
                box = slide.shapes.add_textbox(*_BOX)
                box.text_frame.text = text
                place = box._element.nvSpPr.nvPr._add_ph()
                place.set("type", kind)
            box = slide.shapes.add_textbox(*_BOX)
            box.text_frame.text = "text"
            run = box.text_frame.paragraphs[0]._p
            field = run.makeelement(f"{{{_A}}}fld", {"type": "datetime1"})
            field.append(run.makeelement(f"{{{_A}}}t"))
            field[0].text = "today"
            run.append(field)

    first, second = pptx.read(write(build)).pages
    assert first.text == "Bird Society\n\nJune 2024\n\ntext"
    assert second.text == "text"


_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"


def test_comments_of_both_kinds_come_last(write) -> None:
    path = write(lambda talk: _slide(talk, _BLANK))
    old = f'<p:cmLst xmlns:p="{_P}"><p:cm><p:text>Says who?</p:text></p:cm></p:cmLst>'
    new = (
        f'<c:cmLst xmlns:c="urn:new" xmlns:a="{_A}"><c:cm><c:txBody><a:p><a:r><a:t>Says Ann.</a:t>'
        "</a:r></a:p></c:txBody></c:cm></c:cmLst>"
    )
    parts = {"ppt/comments/a.xml": old, "ppt/comments/b.xml": new}
    links = [("comments", "../comments/a.xml"), ("comments", "../comments/b.xml")]
    assert pptx.read(_with_parts(path, parts, links)).pages[0].text == "Says who?\n\nSays Ann."


def test_a_diagram_is_read_point_by_point(write) -> None:
    dgm = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
    points = "".join(
        f'<dgm:pt type="{kind}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for kind, text in (("doc", ""), ("node", "Egg"), ("parTrans", "arrow"), ("node", "Crow"))
    )
    data = f'<dgm:dataModel xmlns:dgm="{dgm}" xmlns:a="{_A}">{points}</dgm:dataModel>'
    path = write(lambda talk: _slide(talk, _BLANK))
    frame = (
        f'<p:graphicFrame xmlns:p="{_P}" xmlns:a="{_A}"><a:graphic><a:graphicData>'
        f'<dgm:relIds xmlns:dgm="{dgm}" xmlns:r="{_KINDS}" r:dm="rIdNew0"/></a:graphicData>'
        "</a:graphic></p:graphicFrame></p:spTree>"
    )
    with zipfile.ZipFile(path) as package:
        slide = package.read("ppt/slides/slide1.xml").decode().replace("</p:spTree>", frame)
    parts = {"ppt/diagrams/data1.xml": data, "ppt/slides/slide1.xml": slide}
    path = _with_parts(path, parts, [("diagramData", "../diagrams/data1.xml")])
    assert pptx.read(path).pages[0].text == "Egg\nCrow"


@pytest.mark.parametrize("suffix", [".ppsx", ".pptm", ".potx"])
def test_shows_templates_and_files_with_macros_are_read(write, suffix: str) -> None:
    path = write(lambda talk: setattr(_slide(talk, _TITLE_ONLY).shapes.title, "text", "Owls"))
    with zipfile.ZipFile(path) as package:
        types = package.read("[Content_Types].xml").decode()
    usual = "presentationml.presentation.main+xml"
    assert usual in types
    types = types.replace(usual, "presentationml.slideshow.main+xml")
    path = _with_parts(path, {"[Content_Types].xml": types}).rename(path.with_suffix(suffix))
    assert pptx.read(path).pages[0].text == "Owls"


def test_alternative_text_and_groups_are_read_in_their_position(write) -> None:
    from PIL import Image

    def build(talk) -> None:
        slide = _slide(talk, _BLANK)
        slide.shapes.add_textbox(*_BOX).text_frame.text = "Before"
        group = slide.shapes.add_group_shape()
        group._element.nvGrpSpPr.cNvPr.set("descr", "Birds of a feather")
        line = group.shapes.add_connector(1, 0, 0, 9, 9)
        line._element.nvCxnSpPr.cNvPr.set("descr", "From nest to nest")
        picture = io.BytesIO()
        Image.new("RGB", (2, 2)).save(picture, "PNG")
        shape = slide.shapes.add_picture(picture, 0, 0)
        shape._element.nvPicPr.cNvPr.set("descr", "A crow")
        named = slide.shapes.add_picture(picture, 0, 0)
        named._element.nvPicPr.cNvPr.set("descr", "crow.png")
        slide.shapes.add_textbox(*_BOX).text_frame.text = "After"

    assert pptx.read(write(build)).pages[0].text == (
        "Before\n\nBirds of a feather\n\nFrom nest to nest\n\nA crow\n\nAfter"
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "Empty file"),
        (b"hello", r"^Damaged: not a \.pptx file$"),
        (compound_bytes({"EncryptedPackage": b"x"}), "^Password required$"),
        (
            compound_bytes({"Notes": b"x"}),
            r"^Damaged, or not a \.pptx file despite",
        ),
        (packed({"a": "b"}), "^Damaged: a part is missing$"),
    ],
)
def test_an_invalid_presentation_is_called_by_its_kind(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "x.pptx"
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=reason):
        pptx.read(path)


def test_damage_of_any_kind_has_a_reason(write, tmp_path: Path) -> None:
    def build(talk) -> None:
        slide = _slide(talk, _TITLE_AND_TEXT)
        slide.shapes.title.text = "Crows"
        slide.placeholders[1].text_frame.text = "They are clever."
        slide.shapes.add_table(2, 2, *_BOX).table.cell(0, 0).text = "cell"
        data = CategoryChartData()
        data.categories = ["North", "South"]
        data.add_series("Nests", (1, 2))
        slide.shapes.add_chart(XL_CHART_TYPE.PIE, *_BOX, data)
        slide.notes_slide.notes_text_frame.text = "Speak up."

    with zipfile.ZipFile(write(build)) as package:
        # Layouts, themes and so on are not read.
        suffixes = (
            "rels",
            "presentation.xml",
            "core.xml",
            "slide1.xml",
            "chart",
            "notesSlide1.xml",
        )
        members = {
            name: package.read(name)
            for name in package.namelist()
            if name.endswith(suffixes) or "charts/chart" in name
        }
    data = packed(members)
    count, reasons = read_all(pptx.read, tmp_path / "damaged.pptx", package_mutations(data))
    assert count
    assert reasons


def _with_parts(path: Path, parts: dict[str, str], links=()) -> Path:
    """Add or replace parts of a presentation, with relations from its first slide."""
    with zipfile.ZipFile(path) as package:
        members: dict[str, str | bytes] = {name: package.read(name) for name in package.namelist()}
    listed = "ppt/slides/_rels/slide1.xml.rels"
    added = "".join(
        f'<Relationship Id="rIdNew{number}" Type="{_KINDS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(links)
    )
    members[listed] = members[listed].decode().replace("</Relat", f"{added}</Relat")  # type: ignore[union-attr]
    path.write_bytes(packed({**members, **parts}))
    return path
