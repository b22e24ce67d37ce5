"""Calendars and contacts that are folded inside characters, or declare a character set."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.text_formats.content_lines import read_calendar, read_contacts


@pytest.mark.parametrize("text", ["Grüner Saal", "Зелёный зал", "緑の会議室", "🎉 Fest"])
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_a_fold_may_be_anywhere(tmp_path: Path, text: str, end: bytes) -> None:
    start, middle = b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:", text.encode()
    for cut in range(len(middle) + 1):
        path = tmp_path / "a.ics"
        folded = middle[:cut] + end + b" " + middle[cut:]
        path.write_bytes(start + folded + b"\nEND:VEVENT\nEND:VCALENDAR\n")
        assert text in read_calendar(path).pages[0].text
    path = tmp_path / "a.vcf"
    path.write_bytes(b"BEGIN:VCARD\nFN:" + middle[:2] + end + b" " + middle[2:] + b"\nEND:VCARD\n")
    assert text in read_contacts(path).pages[0].text


@pytest.mark.parametrize(
    ("label", "encoding", "text"),
    [
        ("GB2312", "gbk", "朱镕基"),
        ("SHIFT_JIS", "cp932", "髙橋"),
        ("windows-1251", "cp1251", "Жуков"),
    ],
)
def test_a_contact_may_name_its_character_set(
    tmp_path: Path, label: str, encoding: str, text: str
) -> None:
    path = tmp_path / "a.vcf"
    lines = f"BEGIN:VCARD\nFN;CHARSET={label}:{text}\nEND:VCARD\n"
    path.write_bytes(lines.encode(encoding))
    assert text in read_contacts(path).pages[0].text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_letters_that_have_the_bytes_of_a_fold_are_kept(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.vcf"
    lines = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:ગુજરાતી નામ અને\r\n  ગામ\r\nEND:VCARD\r\n"
    path.write_bytes(lines.encode(encoding))
    assert read_contacts(path).title == "ગુજરાતી નામ અને ગામ"
