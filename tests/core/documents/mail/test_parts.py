"""Which parts of mails are read: alternatives, unnamed attachments, and parts that wrap others."""

from __future__ import annotations

import base64
import binascii
import zlib
from pathlib import Path

import pytest

from core.documents.formats import format_of
from core.documents.mail import message
from core.errors import DocumentError
from tests.core.documents.mail.test_message import attached, body, multipart, read
from tests.core.documents.mail.wrapped_files import cms, properties, tnef
from tests.core.documents.mutations import COUNT, mutations
from tests.core.documents.passes import go_through

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
        cms(_INNER),
        cms(_INNER, endless=True),
        cms(zlib.compress(_INNER), packed=True),
        cms(_wrapped("application/pkcs7-mime", cms(_INNER))),
    ],
)
def test_opaque_s_mime_is_read(tmp_path: Path, data: bytes) -> None:
    mail = _wrapped("application/x-pkcs7-mime", data, "smime.p7m")
    assert body(tmp_path, mail).endswith("Crows.")
    assert ("attachment 1.ics",) in attached(tmp_path, mail).contents


def test_s_mime_in_very_many_pieces_is_read(tmp_path: Path) -> None:
    data = cms(
        multipart("mixed", "Content-Type: text/plain\n\n" + "Crows. " * 50_000), endless=True
    )
    assert body(tmp_path, _wrapped("application/pkcs7-mime", data)).count("Crows.") == 50_000


_nesting = pytest.mark.parametrize(
    "head",
    [
        "Content-Type: message/rfc822\n\n",
        'Content-Type: multipart/alternative; boundary="{0}"\n\n--{0}\n',
        'Content-Type: multipart/mixed; boundary="{0}"\n\n--{0}\n',
    ],
)


def _nested(head: str, count: int) -> list[bytes]:
    """Return a mail of parts in one another, as it is and inside of S/MIME."""
    mail = "From: a@b.c\n" + "".join(map(head.format, range(count)))
    data = f"{mail}Content-Type: text/plain\n\nx".encode()
    return [data, _wrapped("application/pkcs7-mime", cms(data, endless=True))]


@_nesting
@pytest.mark.parametrize("count", [500, 900, 5_000])
def test_parts_nested_too_deeply_are_refused(tmp_path: Path, head: str, count: int) -> None:
    for mail in _nested(head, count):
        for read_or_unpack in (read, attached):
            with pytest.raises(DocumentError, match=r"^Damaged: parts contain each other$"):
                read_or_unpack(tmp_path, mail)


@_nesting
def test_parts_nested_deeply_are_read(tmp_path: Path, head: str) -> None:
    for mail in _nested(head, 140):
        read(tmp_path, mail)
        attached(tmp_path, mail)


def test_a_signed_file_is_an_attachment_without_its_signature(tmp_path: Path) -> None:
    mail = _wrapped("application/pkcs7-mime", cms(b"<a/>"), "invoice.xml.p7m")
    assert attached(tmp_path, mail).contents == {("invoice.xml",): b"<a/>"}


def test_damaged_s_mime_is_an_empty_mail(tmp_path: Path) -> None:
    whole = cms(_INNER, endless=True)
    for data in (b"", b"\x30\x80" * 5000, *(whole[:cut] for cut in range(0, len(whole), 7))):
        read(tmp_path, _wrapped("application/pkcs7-mime", data, "smime.p7m"))


def test_a_mail_of_outlook_is_read_from_winmail_dat(tmp_path: Path) -> None:
    data = tnef(
        (0x9003, properties(_1000="Крабы и вороны.")),
        (0x9002, b""), (0x8010, b"old.txt\0"), (0x800F, b"Owls."),
        (0x9005, properties(_3707="Совы.txt")),
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


_WINMAIL = tnef(
    (0x8004, b"Birds\0"),
    (0x9003, properties(_1000="Crows cache.", _0C1A="Anna Rook")),
    (0x9002, b""), (0x8010, b"old.txt\0"), (0x800F, b"Owls."),
    (0x9005, properties(_3707="owls.txt")),
)  # fmt: skip


@pytest.mark.parametrize("name", ["winmail.dat", "letter.tnef"])
def test_a_saved_winmail_dat_is_a_mail(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(_WINMAIL)
    assert format_of(path) is format_of(Path("a.eml"))
    document = message.read(path)
    assert document.title == "Birds"
    assert "Crows cache." in document.pages[0].text
    assert go_through(path, message.unpack, tmp_path).contents == {("owls.txt",): b"Owls."}


@pytest.mark.timeout(120 + COUNT)
@pytest.mark.parametrize(
    ("kind", "name", "content"),
    [
        ("application/ms-tnef", "winmail.dat", _WINMAIL),
        ("application/pkcs7-mime", "smime.p7m", cms(_INNER)),
        ("application/pkcs7-mime", "smime.p7m", cms(_INNER, endless=True)),
        ("application/pkcs7-mime", "smime.p7m", cms(zlib.compress(_INNER), packed=True)),
    ],
)
def test_damaged_wrapped_parts_leave_the_mail_readable(
    tmp_path: Path, kind: str, name: str, content: bytes
) -> None:
    for damaged in mutations(content):
        mail = _wrapped(kind, damaged, name)
        assert "From: a@b.c" in read(tmp_path, mail).pages[0].text
        attached(tmp_path, mail)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("size", [1, 44, 45, 46, 1000])
def test_uuencoded_files_are_attachments(tmp_path: Path, line_end: str, size: int) -> None:
    content = bytes(range(32, 127)) * 11
    lines = [
        binascii.b2a_uu(content[start : min(start + 45, size)]).decode().rstrip("\n")
        for start in range(0, size, 45)
    ]
    body = ["Before.", "begin 644 birds & co.txt", *lines, "`", "end", "After."]
    path = tmp_path / "a.eml"
    path.write_bytes(line_end.join(["From: a@b.example", "", *body, ""]).encode())
    page = message.read(path).pages[0]
    assert page.text.endswith("Attachments: birds & co.txt\n\nBefore.\nAfter.")
    noted = go_through(path, message.unpack, tmp_path)
    assert noted.contents == {("birds & co.txt",): content[:size]}


@pytest.mark.parametrize(
    "text", ["begin 644 words\nas usual, yes", "begin\n\nend", "begin 12 x\nend"]
)
def test_text_that_begins_like_a_file_stays_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.eml"
    path.write_bytes(f"From: a@b.example\n\n{text}\n".encode())
    assert message.read(path).pages[0].text.endswith(text)
