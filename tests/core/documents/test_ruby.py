"""Readings of Chinese and Japanese characters do not split the words that they annotate."""

from __future__ import annotations

from pathlib import Path

import docx as python_docx
import pytest
from docx.oxml import parse_xml

from core.documents.formats import format_of, load_function
from tests.core.documents.mutations import packed

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_ODF = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{prefix}:1.0"'
    for prefix in ("office", "text", "style")
)


def _text_of(path: Path) -> str:
    found = format_of(path)
    assert found is not None
    (page,) = load_function(found.reader)(path).pages
    text: str = page.text
    return text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<ruby>大阪<rp>（</rp><rt>おおさか</rt><rp>）</rp></ruby>市役所", "大阪市役所"),
        # Bopomofo, each character with its own reading; the end tags are optional.
        ("<ruby>臺<rt>ㄊㄞˊ<rb>灣<rt>ㄨㄢ</ruby>大學", "臺灣大學"),
        # A second line of readings.
        ("<ruby>明<rb>日<rt>あ<rt>した<rtc>tomorrow</rtc></ruby>は雨", "明日は雨"),
        ("<ruby>北京<rp>(</rp><rt>Běijīng</rt><rp>)</rp></ruby>大学", "北京大学"),
    ],
)
def test_html(tmp_path: Path, markup: str, text: str) -> None:
    (tmp_path / "a.html").write_text(f"<meta charset=utf-8><p>{markup}", "utf-8")
    assert _text_of(tmp_path / "a.html") == text


def test_word(tmp_path: Path) -> None:
    word = python_docx.Document()
    paragraph = word.add_paragraph("彼は")
    paragraph._p.append(
        parse_xml(
            f"<w:r {_W}><w:ruby><w:rubyPr/><w:rt><w:r><w:t>きょうと</w:t></w:r></w:rt>"
            "<w:rubyBase><w:r><w:t>京都</w:t></w:r></w:rubyBase></w:ruby></w:r>"
        )
    )
    paragraph.add_run("大学に行く")
    word.save(str(tmp_path / "a.docx"))
    assert _text_of(tmp_path / "a.docx") == "彼は京都大学に行く"


def test_open_document(tmp_path: Path) -> None:
    content = (
        f"<office:document-content {_ODF}><office:body><office:text><text:p>彼は<text:ruby>"
        "<text:ruby-base>名古屋</text:ruby-base><text:ruby-text>なごや</text:ruby-text></text:ruby>"
        "城を見た</text:p></office:text></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.text"
    (tmp_path / "a.odt").write_bytes(packed({"mimetype": kind, "content.xml": content}))
    assert _text_of(tmp_path / "a.odt") == "彼は名古屋城を見た"
