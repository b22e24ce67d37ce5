from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.charsets import codec_of, codec_of_page, decode_with
from core.documents.decoding import decode_markup
from core.documents.mail import message
from core.documents.text_formats import html, xml

# A declared name, the encoding that is meant, and text that only that one has.
_CASES = [
    ("GB2312", "gbk", "图纸由朱镕基签字"),
    ("gb_2312-80", "gb18030", "㐀𠀀镕"),
    ("x-sjis", "cp932", "①番の鍵は㈱髙橋商店"),
    ("ks_c_5601-1987", "cp949", "똠방각하 창고"),
    ("iso-8859-1", "cp1252", "„Größe“ – 5 €"),
    ("iso-8859-9", "cp1254", "“İstanbul” – Ağrı"),
    ("tis-620", "cp874", "“ประชุม”…"),
    ("x-mac-cyrillic", "mac_cyrillic", "Протокол собрания"),
    ("x-mac-ce", "mac_latin2", "Žluťoučký kůň"),
    ("big5", "big5hkscs", "香港嘅粵語啲嘢"),
    ("koi8-ru", "koi8_u", "Їжак і ґудзик"),
    ("unicode-1-1-utf-7", "utf-7", "Grüße 漢字"),
]


@pytest.mark.parametrize(("label", "encoding", "text"), _CASES)
def test_a_declared_charset_is_read_as_its_superset(
    tmp_path: Path, label: str, encoding: str, text: str
) -> None:
    content = text.encode(encoding)
    files = {
        "a.html": f"<meta charset={label}><p>".encode() + content,
        "a.xml": f'<?xml version="1.0" encoding="{label}"?><p>'.encode() + content + b"</p>",
        "a.eml": f"From: a@b.c\nContent-Type: text/plain; charset={label}\n\n".encode() + content,
    }
    if encoding == "utf-7":  # not in web pages, by the standard
        files = {"a.eml": files["a.eml"]}
    for name, data in files.items():
        path = tmp_path / name
        path.write_bytes(data)
        read = {".html": html.read, ".xml": xml.read, ".eml": message.read}[path.suffix]
        assert text in read(path).pages[0].text, name


@pytest.mark.parametrize(("label", "encoding", "text"), _CASES)
def test_a_charset_in_a_header_is_read_as_its_superset(
    tmp_path: Path, label: str, encoding: str, text: str
) -> None:
    content = "".join(f"={byte:02X}" for byte in text.encode(encoding))
    percent = content.replace("=", "%")
    path = tmp_path / "a.eml"
    path.write_text(
        f"From: a@b.c\nSubject: =?{label}?Q?{content}?=\n"
        "Content-Type: application/pdf\n"
        f"Content-Disposition: attachment; filename*={label}''{percent}.pdf\n\nx\n"
    )
    document = message.read(path)
    assert document.title == text
    assert f"{text}.pdf" in document.pages[0].text


def test_mail_in_iso_2022_jp_may_have_the_characters_of_windows() -> None:
    data = b"\x1b$B-!HV$N80$O-j|b66>&E9\x1b(B (\x1b(I6E\x1b(B)"
    assert decode_with(data, "iso2022_jp") == "①番の鍵は㈱髙橋商店 (ｶﾅ)"
    page = b"<meta charset=iso-2022-jp><p>\x1b$B-!HV\x1b(B"
    assert "①番" in decode_markup(page)
    assert decode_with(bytes.fromhex("ada1 c8d6 adea fce2"), "euc_jp") == "①番㈱髙"


@pytest.mark.parametrize(
    "label", ["", "x-unknown", "base64", "idna", "unicode_escape", "a\0b", "x" * 10_000, "cp99999"]
)
def test_other_names_are_unknown(label: str) -> None:
    assert codec_of(label) is None


def test_code_pages_have_codecs() -> None:
    assert [codec_of_page(page) for page in (936, 10007, 65001, 28605, 7)] == [
        "gb18030", "mac_cyrillic", "utf-8", "iso8859_15", None,
    ]  # fmt: skip
