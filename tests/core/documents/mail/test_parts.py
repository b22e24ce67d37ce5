"""Which parts of mails are read: alternatives, unnamed attachments, and parts that wrap others."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path

import pytest

from core.documents.mail import message
from tests.core.documents.mail.test_message import attached, body, multipart, read

_LONG = "<style>p{}</style><p>Bestellt: 2 Paar Gummistiefel an Packstation 117, Versand morgen.</p>"


@pytest.mark.parametrize(
    ("plain", "markup", "word"),
    [
        ("Your mail program does not show HTML. Open this in a browser.", _LONG, "Gummistiefel"),
        ("https://example.org/view?id=" + "x" * 200, _LONG, "Gummistiefel"),
        ("\u00a0 \u200b", _LONG, "Gummistiefel"),
        (
            "このメールはHTMLです。",
            "<p>ご注文の長靴は明日発送されます。倉庫の鍵をご用意ください。</p>",
            "長靴",
        ),
        (
            "Письмо в формате HTML",
            "<p>Заказ: две пары резиновых сапог, доставка завтра</p>",
            "сапог",
        ),
        (
            "Code im HTML-Teil. " * 40,
            "<p>Der Code lautet ABC4711 und gilt bis morgen Abend</p>",
            "ABC4711",
        ),
    ],
)
def test_a_plain_part_that_says_little_gives_way(
    tmp_path: Path, plain: str, markup: str, word: str
) -> None:
    head = "Content-Type: text/{}; charset=utf-8\n\n"
    parts = (head.format("plain") + plain, head.format("html") + markup)
    related = multipart("related", head.format("html") + markup).partition(b"\n")[2]
    assert word in body(tmp_path, multipart("alternative", *parts))
    inner = related.replace(b"=-=", b"=+=")
    assert word in body(tmp_path, multipart("alternative", parts[0], inner))


def test_a_plain_part_with_the_same_text_is_preferred(tmp_path: Path) -> None:
    words = "The crows met at the old mill near the river and flew to the hills at nine."
    markup = f"<p>{words}</p><p>Sent with a program. Unsubscribe here.</p>"
    parts = (f"Content-Type: text/plain\n\n{words}", f"Content-Type: text/html\n\n{markup}")
    assert body(tmp_path, multipart("alternative", *parts)) == words


@pytest.mark.parametrize(
    ("kind", "content", "suffix"),
    [
        ("text/calendar; method=REQUEST", b"BEGIN:VCALENDAR", ".ics"),
        ("text/x-vcard", b"BEGIN:VCARD", ".vcf"),
        ("application/vnd.oasis.opendocument.text", b"PK", ".odt"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", b"PK", ".xlsx"),
        ("application/msword", b"x", ".doc"),
        ("application/x-pdf", b"%PDF-", ".pdf"),
        ("application/octet-stream", b"%PDF-1.7", ".pdf"),
        ("application/octet-stream", b"PK\3\4 word/document.xml", ".docx"),
        ("text/x-python-traceback", b"Traceback", ".txt"),
    ],
)
def test_the_type_of_an_unnamed_part_names_its_suffix(
    tmp_path: Path, kind: str, content: bytes, suffix: str
) -> None:
    part = b"Content-Type: %b\nContent-Transfer-Encoding: base64\n\n%b" % (
        kind.encode(), base64.encodebytes(content),
    )  # fmt: skip
    mail = multipart("mixed", "Content-Type: text/plain\n\nx", part)
    assert attached(tmp_path, mail).contents == {(f"attachment 1{suffix}",): content}


def _der(tag: int, *parts: bytes, endless: bool = False) -> bytes:
    content = b"".join(parts)
    if endless:
        return bytes([tag, 0x80]) + content + b"\0\0"
    size = len(content)
    length = bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")
    return bytes([tag]) + length + content


def _cms(content: bytes, *, endless: bool = False, packed: bool = False) -> bytes:
    kind = "2a864886f70d0109100109" if packed else "2a864886f70d010702"
    halves = (_der(4, content[:9]), _der(4, content[9:]))
    octets = _der(0x24, *halves, endless=True) if endless else _der(4, content)
    inner = _der(
        0x30, _der(6, bytes.fromhex("2a864886f70d010701")), _der(0xA0, octets, endless=endless),
        endless=endless,
    )  # fmt: skip
    data = _der(0x30, _der(2, b"\1"), _der(0x31), inner, _der(0x31), endless=endless)
    oid = _der(6, bytes.fromhex(kind))
    return _der(0x30, oid, _der(0xA0, data, endless=endless), endless=endless)


_INNER = multipart(
    "mixed", "Content-Type: text/plain\n\nCrows.", "Content-Type: text/calendar\n\nx"
)


def _wrapped(kind: str, content: bytes, name: str = "") -> bytes:
    named = f'; name="{name}"' if name else ""
    head = f"From: a@b.c\nContent-Type: {kind}{named}\nContent-Transfer-Encoding: base64\n\n"
    return head.encode() + base64.encodebytes(content)


@pytest.mark.parametrize(
    "data",
    [
        _cms(_INNER),
        _cms(_INNER, endless=True),
        _cms(zlib.compress(_INNER), packed=True),
        _cms(_wrapped("application/pkcs7-mime", _cms(_INNER))),
    ],
)
def test_opaque_s_mime_is_read(tmp_path: Path, data: bytes) -> None:
    mail = _wrapped("application/x-pkcs7-mime", data, "smime.p7m")
    assert body(tmp_path, mail).endswith("Crows.")
    assert ("attachment 1.ics",) in attached(tmp_path, mail).contents


def test_a_signed_file_is_an_attachment_without_its_signature(tmp_path: Path) -> None:
    mail = _wrapped("application/pkcs7-mime", _cms(b"<a/>"), "invoice.xml.p7m")
    assert attached(tmp_path, mail).contents == {("invoice.xml",): b"<a/>"}


def test_damaged_s_mime_is_an_empty_mail(tmp_path: Path) -> None:
    whole = _cms(_INNER, endless=True)
    for data in (b"", b"\x30\x80" * 5000, *(whole[:cut] for cut in range(0, len(whole), 7))):
        read(tmp_path, _wrapped("application/pkcs7-mime", data, "smime.p7m"))


def _tnef(*attributes: tuple[int, bytes]) -> bytes:
    parts = (
        struct.pack("<BHHI", 1, number, 0, len(data)) + data + b"\0\0"
        for number, data in attributes
    )
    return b"\x78\x9f\x3e\x22\1\0" + b"".join(parts)


def _properties(**texts: str) -> bytes:
    found = struct.pack("<I", len(texts))
    for number, text in texts.items():
        data = text.encode("utf-16-le") + b"\0\0"
        found += struct.pack("<HHII", 0x1F, int(number[1:], 16), 1, len(data))
        found += data + bytes(-len(data) % 4)
    return found


def test_a_mail_of_outlook_is_read_from_winmail_dat(tmp_path: Path) -> None:
    data = _tnef(
        (0x9003, _properties(_1000="Крабы и вороны.")),
        (0x9002, b""), (0x8010, b"old.txt\0"), (0x800F, b"Owls."),
        (0x9005, _properties(_3707="Совы.txt")),
        (0x9002, b""), (0x8010, "Übersicht.csv".encode("cp1252")), (0x800F, b"a,b"),
    )  # fmt: skip
    mail = _wrapped("application/ms-tnef", data, "winmail.dat")
    assert "Крабы и вороны." in body(tmp_path, mail)
    names = {place[0] for place in attached(tmp_path, mail).contents}
    assert "Übersicht.csv" in names
    assert len(names) == 2
    for cut in range(len(data)):
        message.read(_file(tmp_path, _wrapped("application/ms-tnef", data[:cut], "winmail.dat")))


def _file(folder: Path, data: bytes) -> Path:
    path = folder / "a.eml"
    path.write_bytes(data)
    return path
