from __future__ import annotations

import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.mail import message
from core.errors import DocumentError
from tests.core.documents.mail.outlook_files import outlook_bytes, outlook_streams
from tests.core.documents.office.compound_files import compound_bytes
from tests.core.documents.passes import go_through

SUBJECT, BODY, HTML, RTF, HEADERS, SENT, DELIVERED = (
    *(0x0037, 0x1000, 0x1013, 0x1009, 0x007D, 0x0039, 0x0E06),
)
SENDER, SENDER_ADDRESS, SENDER_PATH, SHOWN_TO = 0x0C1A, 0x5D01, 0x0C1F, 0x0E04
NAME, ADDRESS, KIND = 0x3001, 0x39FE, 0x0C15
FILE_NAME, CONTENT, MEDIA_TYPE = 0x3707, 0x3701, 0x370E
CODE_PAGE, LOCALE, HTML_CODE_PAGE = 0x3FFD, 0x3FF1, 0x3FDE
NOON = datetime(2024, 6, 30, 12, 5, tzinfo=UTC)
MAIL = {SUBJECT: "On Birds", SENDER: "Anna Röok", SENDER_ADDRESS: "anna@example.org"}


def read(tmp_path: Path, data: bytes) -> Document:
    path = tmp_path / "a.msg"
    path.write_bytes(data)
    return message.read(path)


def test_a_mail_is_read_as_a_person_reads_it(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        outlook_bytes(
            MAIL | {BODY: "Dear Carl,\r\n\r\nCrows are clever. 罪\r\n", SENT: NOON},
            people=[
                {NAME: "Crow, Carl", ADDRESS: "carl@example.org", KIND: 1},
                {NAME: "dora@example.org", ADDRESS: "dora@example.org", KIND: 2},
                {NAME: "Ede", KIND: 3},
            ],
        ),
    )
    assert document.title == "On Birds"
    assert document.author == "Anna Röok"
    assert document.date == "2024-06-30T12:05:00+00:00"
    assert document.pages[0].text == (
        "From: Anna Röok <anna@example.org>\nTo: Crow, Carl <carl@example.org>\n"
        "Cc: dora@example.org\nBcc: Ede\nDate: 2024-06-30 12:05\n\n"
        "Dear Carl,\n\nCrows are clever. 罪"
    )


def test_paths_in_a_company_s_directory_are_no_addresses(tmp_path: Path) -> None:
    values = {SUBJECT: "x", SENDER: "Anna", SENDER_PATH: "/O=ROOK/CN=ANNA", SHOWN_TO: "Bo; Carl"}
    text = read(tmp_path, outlook_bytes(values)).pages[0].text
    assert text == "From: Anna\nTo: Bo, Carl"


def test_the_headers_that_a_mail_came_with_complete_it(tmp_path: Path) -> None:
    headers = (
        "Microsoft Mail Internet Headers Version 2.0\r\nFrom: A <a@example.org>\r\n"
        "Date: Sun, 30 Jun 2024 14:05:00 +0200\r\n\r\n"
    )
    values = {SUBJECT: "x", SENDER: "Anna", HEADERS: headers, DELIVERED: NOON}
    document = read(tmp_path, outlook_bytes(values))
    assert document.pages[0].text == "From: A <a@example.org>\nDate: 2024-06-30 14:05"
    assert document.date == "2024-06-30T14:05:00+02:00"
    assert read(tmp_path, outlook_bytes({SUBJECT: "x", DELIVERED: NOON})).date.startswith("2024")


def test_a_subject_s_prefix_is_read_as_text(tmp_path: Path) -> None:
    assert read(tmp_path, outlook_bytes({SUBJECT: "\x01\x05Re: Birds"})).title == "Re: Birds"


@pytest.mark.parametrize(
    ("encoding", "properties", "text"),
    [
        ("cp1251", {CODE_PAGE: 1251}, "Привет, как дела?"),
        ("cp1251", {LOCALE: 1049}, "Привет"),
        ("big5", {LOCALE: 0x0404}, "測試中文"),
        ("gb18030", {LOCALE: 0x0804}, "测试"),
        ("utf-8", {CODE_PAGE: 1252}, "Grüße"),
        ("cp1252", {}, "Viele Grüße aus Köln"),
    ],
)
def test_old_mails_are_read_in_their_encoding(
    tmp_path: Path, encoding: str, properties, text: str
) -> None:
    data = outlook_bytes({SUBJECT: text, BODY: text, **properties}, encoding=encoding)
    document = read(tmp_path, data)
    assert (document.title, document.pages[0].text) == (text, text)


def test_a_web_page_is_read_where_there_is_no_plain_text(tmp_path: Path) -> None:
    page = "<p>Grüße &amp; Küsse".encode("cp1252")
    assert read(tmp_path, outlook_bytes({HTML: page, HTML_CODE_PAGE: 1252})).pages[0].text == (
        "Grüße & Küsse"
    )
    assert read(tmp_path, outlook_bytes({HTML: "<p>Text"})).pages[0].text == "Text"
    assert read(tmp_path, outlook_bytes({HTML: page, BODY: "Plain"})).pages[0].text == "Plain"


def packed(rtf: bytes, kind: bytes, size_bytes: int = 1000) -> bytes:
    return struct.pack("<II4sI", len(rtf) + 12, size_bytes, kind, 0) + rtf


def test_rich_text_is_read_where_there_is_nothing_else(tmp_path: Path) -> None:
    plain = packed(rb"{\rtf1 Crows are \b clever\b0 .\par Owls}", b"MELA")
    assert read(tmp_path, outlook_bytes({RTF: plain})).pages[0].text == "Crows are clever.\n\nOwls"
    # The initial window begins with "{\rtf1\ansi".
    items = b"\x01" + struct.pack(">H", 0 << 4 | 9) + rb" Crows" + b"\\\x00par Owls" + b"\x00}"
    found = read(tmp_path, outlook_bytes({RTF: packed(items, b"LZFu")})).pages[0].text
    assert found == "Crows\n\nOwls"
    for broken in (b"x", packed(b"x", b"????")):
        with pytest.raises(DocumentError, match="Damaged: the text of the email"):
            read(tmp_path, outlook_bytes({RTF: broken}))


def test_attachments_are_documents(tmp_path: Path) -> None:
    data = outlook_bytes(
        MAIL,
        attachments=[
            {FILE_NAME: "Grüße.txt", CONTENT: b"Hello \x00\r\n"},
            (
                {SUBJECT: "Inside", SENDER: "Bo, Dr.", BODY: "Über alles\n"},
                [{NAME: "Ännchen", ADDRESS: "a@example.org", KIND: 1}],
            ),
            {FILE_NAME: "x", CONTENT: b"%PDF", MEDIA_TYPE: "application/pdf"},
        ],
    )
    document = read(tmp_path, data)
    assert "Attachments: Grüße.txt, Inside.eml, x.pdf" in document.pages[0].text
    noted = go_through(tmp_path / "a.msg", message.unpack, tmp_path)
    assert list(noted.contents) == [("Grüße.txt",), ("Inside.eml",), ("x.pdf",)]
    assert noted.contents["Grüße.txt",] == b"Hello \x00\r\n"
    inside = tmp_path / "Inside.eml"
    inside.write_bytes(noted.contents["Inside.eml",])
    assert message.read(inside).title == "Inside"
    assert message.read(inside).pages[0].text == (
        "From: Bo, Dr.\nTo: Ännchen <a@example.org>\n\nÜber alles"
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (compound_bytes({"Other": b"x"}), "Not an email despite"),
        (outlook_bytes(MAIL)[:1500], "Damaged"),
    ],
)
def test_an_invalid_mail_has_a_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read(tmp_path, data)


@pytest.mark.parametrize("missing", ["00000000", "00000001", "00000002"])
def test_attachments_and_recipients_after_a_gap_are_read(tmp_path: Path, missing: str) -> None:
    people = [
        {NAME: f"Crow {index}", ADDRESS: f"c{index}@example.org", KIND: 1} for index in range(3)
    ]
    files = [{FILE_NAME: f"owl{index}.txt", CONTENT: b"Owls."} for index in range(3)]
    streams = outlook_streams(MAIL | {BODY: "Dear all"}, people=people, attachments=files)
    remaining = {name: data for name, data in streams.items() if f"#{missing}/" not in name}
    text = read(tmp_path, compound_bytes(remaining)).pages[0].text
    names = {f"owl{index}.txt" for index in range(3)} - {f"owl{int(missing)}.txt"}
    assert {name for name in ("owl0.txt", "owl1.txt", "owl2.txt") if name in text} == names
    assert {index for index in range(3) if f"c{index}@" in text} == {0, 1, 2} - {int(missing)}


@pytest.mark.parametrize("mails", [8, 13])
def test_mails_nested_too_deeply_have_a_reason(tmp_path: Path, mails: int) -> None:
    attached = "__attach_version1.0_#00000000/__substg1.0_3701000D/"
    streams: dict[str, bytes] = {}
    for level in range(mails):
        own = outlook_streams({SUBJECT: f"Level {level}"})
        streams |= {attached * level + name: data for name, data in own.items()}
        properties = attached * level + "__properties_version1.0"
        # An attached mail has eight bytes fewer before its properties.
        streams[properties] = streams[properties][8 * bool(level) :]
        holder = "__attach_version1.0_#00000000/__properties_version1.0"
        streams[attached * level + holder] = bytes(8)
    path = tmp_path / "deep.msg"
    path.write_bytes(compound_bytes(streams))
    closed = go_through(path, message.unpack, tmp_path).closed
    assert closed["Level 1.eml", "Level 2.eml", "Level 3.eml"].startswith("Nested too deeply")
