"""Values are read as a person sees them: in forms, cells, headers, chats, books and calendars."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.documents.formats import format_of, load_function


def text_of(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    kind = format_of(path)
    assert kind is not None
    return "\n\n".join(page.text for page in load_function(kind.reader)(path).pages)


def form(*objects: str | bytes, catalog: str, page: str = "") -> bytes:
    """Return a PDF with one page; `objects` are numbered from 4."""
    own = (
        f"<</Type/Catalog/Pages 2 0 R/AcroForm<<{catalog}>>>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]{page}>>",
    )
    data = b"%PDF-1.7\n"
    for number, content in enumerate((*own, *objects), 1):
        raw = content.encode() if isinstance(content, str) else content
        data += f"{number} 0 obj\n".encode() + raw + b"\nendobj\n"
    return data + b"trailer<</Root 1 0 R>>\n%%EOF\n"


def stream(text: str) -> bytes:
    data = text.encode()
    return f"<</Length {len(data)}>>stream\n".encode() + data + b"\nendstream"


@pytest.mark.parametrize(
    ("options", "value", "text"),
    [
        ("[[(h)(Heron)][(e)(Egret)]]", "(e)", "Egret"),
        ("[(Heron)(Egret)]", "(Heron)", "Heron"),
        ("[[(h)(Heron)]]", "(own words)", "own words"),
    ],
)
def test_a_choice_is_read_by_its_label(tmp_path: Path, options: str, value: str, text: str) -> None:
    field = (
        "<</Type/Annot/Subtype/Widget/FT/Ch/Ff 393216/T(bird)/Rect[10 10 90 30]"
        f"/Opt{options}/V{value}>>"
    )
    content = form(field, catalog="/Fields[4 0 R]", page="/Annots[4 0 R]")
    assert text_of(tmp_path / "a.pdf", content) == text


TEMPLATE = (
    '<template xmlns="http://www.xfa.org/schema/xfa-template/3.0/"><subform><field name="a">'
    "<caption><value><text>Wing span</text></value></caption><script>x()</script></field>"
    "</subform></template>"
)
DATA = (
    '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><f><a>Two metres'
    "</a><b/></f></xfa:data></xfa:datasets>"
)


@pytest.mark.parametrize(
    ("template", "data", "text"),
    [
        (TEMPLATE, DATA, "Wing span\nTwo metres"),
        (TEMPLATE, "<broken", "Wing span"),
        ("<template/>", DATA, "Two metres"),
    ],
)
def test_captions_and_values_of_an_xfa_form_are_read(
    tmp_path: Path, template: str, data: str, text: str
) -> None:
    catalog = "/Fields[]/XFA[(template)4 0 R(datasets)5 0 R]"
    content = form(stream(template), stream(data), catalog=catalog)
    assert text_of(tmp_path / "a.pdf", content) == text


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (["At the ", {"type": "bold", "text": "Cr"}, "ow"], "At the Crow"),
        ([{"type": "text", "text": "He"}, {"type": "text", "text": "ron", "marks": []}], "Heron"),
        (["a ", {"type": "text_link", "text": "b", "href": "https://c.d"}], "a b (https://c.d)"),
    ],
)
def test_formatted_runs_of_a_text_are_joined(tmp_path: Path, runs: list[object], text: str) -> None:
    message = {"messages": [{"text": runs}]}
    assert text_of(tmp_path / "a.json", json.dumps(message)).endswith(f"text: {text}")


def test_other_lists_in_json_are_not_joined(tmp_path: Path) -> None:
    tasks = [{"type": "task", "text": "Feed"}, {"type": "task", "text": "Count"}]
    assert "FeedCount" not in text_of(tmp_path / "a.json", json.dumps({"todo": tasks}))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("Kron<span epub:type='pagebreak'>13</span>leuchter", "Kronleuchter"),
        ("Kron<span role='doc-pagebreak'>xiv</span>leuchter", "Kronleuchter"),
        ("<p>A</p><div epub:type='pagebreak'>[7]</div><p>B</p>", "A\n\nB"),
        (
            "<div role='doc-pagebreak'>A long text that is no number</div>",
            "A long text that is no number",
        ),
    ],
)
def test_page_numbers_within_words_are_left_out(tmp_path: Path, markup: str, text: str) -> None:
    assert text_of(tmp_path / "a.html", markup) == text


@pytest.mark.parametrize(
    ("attendee", "text"),
    [
        ("ATTENDEE;CN=Anna Rook:mailto:anna@a.example", "With: Anna Rook <anna@a.example>"),
        ("ATTENDEE:MAILTO:bob@a.example", "With: bob@a.example"),
        ("ATTENDEE;CN=c@a.example:mailto:c@a.example", "With: c@a.example"),
    ],
)
def test_the_address_of_an_attendee_is_read(tmp_path: Path, attendee: str, text: str) -> None:
    lines = ("BEGIN:VCALENDAR", "BEGIN:VEVENT", "SUMMARY:Walk", attendee, "END:VEVENT")
    assert text in text_of(tmp_path / "a.ics", "\r\n".join([*lines, "END:VCALENDAR", ""])).split(
        "\n"
    )


ENEX = """<en-export><note><title>Shopping</title><content><![CDATA[<?xml version="1.0"?><en-note>
<div>Buy <b>seeds</b></div></en-note>]]></content><resource><data encoding="base64">aGVyb24=</data>
</resource></note></en-export>"""
DRAWING = """<o:document xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:d="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><o:body><o:drawing><d:page>
<d:frame><d:text-box><t:p>Nest</t:p></d:text-box></d:frame></d:page></o:drawing></o:body>
</o:document>"""


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.enex", ENEX, "Shopping\n\nBuy seeds"),
        ("a.po", 'msgid "Heron"\nmsgstr "Reiher"\n', 'msgid "Heron"\nmsgstr "Reiher"'),
        ("a.fodg", DRAWING, "Nest"),
    ],
)
def test_more_formats_of_text_and_xml_are_read(
    tmp_path: Path, name: str, content: str, text: str
) -> None:
    assert text_of(tmp_path / name, content) == text
