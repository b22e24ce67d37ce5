from __future__ import annotations

import base64
import email
import quopri
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document
from core.documents.limits import ContainerLimits
from core.documents.mail import message, mime
from core.documents.mail.mime import base64_bytes, decoded
from core.errors import DocumentError
from tests.core.documents.passes import Noted, go_through


def read(tmp_path: Path, data: str | bytes) -> Document:
    path = tmp_path / "a.eml"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return message.read(path)


def body(tmp_path: Path, data: str | bytes) -> str:
    text = read(tmp_path, data).pages[0].text
    return text.partition("\n\n")[2]


def attached(tmp_path: Path, data: str | bytes) -> Noted:
    path = tmp_path / "a.eml"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return go_through(path, message.unpack, tmp_path)


def multipart(kind: str, *parts: str | bytes) -> bytes:
    joined = b"".join(
        b"--=-=\n" + (part.encode() if isinstance(part, str) else part) + b"\n" for part in parts
    )
    head = f'From: a@example.org\nContent-Type: multipart/{kind}; boundary="=-="\n\n'
    return head.encode() + joined + b"--=-=--\n"


def test_a_mail_of_apple_s_is_read_without_what_is_noted_of_it(tmp_path: Path) -> None:
    mail_ = b"From: a@example.org\nSubject: Birds\n\nCrows.\n"
    notes = b"<?xml version='1.0'?><plist><dict><key>flags</key></dict></plist>"
    path = tmp_path / "1.emlx"
    for data in (b"%-10d\n%b%b" % (len(mail_), mail_, notes), b"99999\n%b" % mail_, mail_):
        path.write_bytes(data)
        document = message.read(path)
        assert (document.title, document.pages[0].text.split()[-1]) == ("Birds", "Crows.")
    path.write_bytes(b"9" * 5000 + b"\n" + mail_)
    with pytest.raises(DocumentError, match="Damaged, or not an email"):
        message.read(path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_mail_that_was_saved_in_wide_characters_is_read(tmp_path: Path, encoding: str) -> None:
    mail_ = "From: a@example.org\nSubject: Birds\n\nCrows and königlich owls.\n"
    document = read(tmp_path, mail_.encode(encoding))
    assert document.title == "Birds"
    assert document.pages[0].text.endswith("Crows and königlich owls.")


def test_a_mail_is_read_as_a_person_reads_it(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        "Received: from x by y; Sun, 30 Jun 2024 12:05:09 +0200\n"
        'From: Anna Rook <anna@example.org>\nTo: b@example.org,\n "Crow, Carl" <c@example.org>\n'
        "Cc: d@example.org\nDate: Sun, 30 Jun 2024 12:05:00 +0200\nSubject: On\n Birds\n"
        "DKIM-Signature: v=1; b=xyz\n\nDear Carl,\n\nCrows are clever.\n",
    )
    assert document.title == "On Birds"
    assert document.author == "Anna Rook"
    assert document.date == "2024-06-30T12:05:00+02:00"
    assert document.pages[0].text == (
        "From: Anna Rook <anna@example.org>\n"
        "To: b@example.org, Crow, Carl <c@example.org>\n"
        "Cc: d@example.org\n"
        "Date: 2024-06-30 12:05\n\n"
        "Dear Carl,\n\nCrows are clever."
    )


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("=?utf-8?Q?Caf=C3=A9?=", "Café"),
        ("=?UTF-8?B?4piV?= and =?iso-8859-1?q?th=E9?=", "☕ and thé"),
        # A character split by a program that counts bytes.
        ("=?utf-8?B?4pg=?= =?utf-8?B?lQ==?=", "☕"),
        ("=?iso-2022-jp?B?GyRCOmEkSEgzGyhC?=", "罪と罰"),
        ("=?koi8-r?B?8NLJ18XU?=", "Привет"),
        ("=?utf-8*en?Q?Crows?=", "Crows"),
        ("=?no-such?Q?Crows?=", "Crows"),
        ("=?utf-8?B?!!!?= x", "x"),
        ("Café ohne Kodierung", "Café ohne Kodierung"),
        ("=?utf-8?Q?unfinished", "=?utf-8?Q?unfinished"),
    ],
)
def test_headers_are_decoded(tmp_path: Path, raw: str, text: str) -> None:
    assert read(tmp_path, f"From: a@example.org\nSubject: {raw}\n\nx").title == text


def test_bytes_in_headers_are_in_the_encoding_they_look_like(tmp_path: Path) -> None:
    subject = "Grüße aus Köln und Düsseldorf".encode("latin-1")
    data = b"From: a@example.org\nSubject: " + subject + b"\n\nx"
    assert read(tmp_path, data).title == "Grüße aus Köln und Düsseldorf"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=40))
def test_any_words_pass_the_encodings_of_headers(text: str) -> None:
    q = quopri.encodestring(text.encode(), quotetabs=True, header=True).decode()
    q = q.replace("=\n", "").replace("?", "=3F")
    assert decoded(f"=?utf-8?Q?{q}?=") == text
    assert decoded(f"=?utf-8?B?{base64.b64encode(text.encode()).decode()}?=") == text


@given(st.binary(max_size=99), st.integers(0, 3))
def test_base64_is_decoded_as_far_as_it_goes(data: bytes, cut: int) -> None:
    encoded = base64.encodebytes(data).rstrip(b"\n=")
    found = base64_bytes(encoded[: len(encoded) - cut] if cut else encoded)
    assert data.startswith(found)
    assert len(found) >= len(data) - cut - 1


def test_a_malformed_sender_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, "From: =?utf-8?Q?R=C3=B6ok=2C_Anna?= <a@example.org>\nTo: ;;\n\nx")
    assert document.author == "Röok, Anna"
    assert document.pages[0].text.startswith("From: Röok, Anna <a@example.org>\n")
    assert read(tmp_path, "From: Just Anna\n\nx").author == "Just Anna"


def test_lists_of_people_without_end_are_read_as_they_stand(tmp_path: Path) -> None:
    many = ",\n ".join(f"Rook {number} <{number}@example.org>" for number in range(20_000))
    for listed in (many, "(" * 5000, ":,;" * 4000, "<" * 15_000):
        text = read(tmp_path, f"From: a@example.org\nTo: {listed}\n\nx").pages[0].text
        assert text.startswith("From: a@example.org\nTo: ")
    assert "Rook 19999 <19999@example.org>" in read(tmp_path, f"To: {many}\n\nx").pages[0].text


@pytest.mark.parametrize("date", ["", "Date: no day\n", "Date: Sun, 99 Jun 2024 12:05:00\n"])
def test_a_date_that_is_none_is_left_out(tmp_path: Path, date: str) -> None:
    document = read(tmp_path, f"From: a@example.org\n{date}\nx")
    assert document.date == ""
    assert document.pages[0].text == "From: a@example.org\n\nx"


def test_bodies_are_decoded(tmp_path: Path) -> None:
    head = "From: a@example.org\nContent-Type: text/plain; charset={}\n"
    head += "Content-Transfer-Encoding: {}\n\n"
    quoted = head.format("utf-8", "quoted-printable") + "Caf=C3=A9 is =\nopen."
    assert body(tmp_path, quoted) == "Café is open."
    packed = (
        head.format("koi8-r", "base64") + base64.encodebytes("Привет".encode("koi8-r")).decode()
    )
    assert body(tmp_path, packed) == "Привет"
    # Declared charsets are wrong more often than valid UTF-8.
    assert body(tmp_path, head.format("us-ascii", "8bit") + "Café") == "Café"
    wrong = head.format("utf-8", "8bit").encode() + "Grüße aus Köln und Umgebung".encode("latin-1")
    assert body(tmp_path, wrong) == "Grüße aus Köln und Umgebung"


def test_base64_that_is_broken_is_not_shown(tmp_path: Path) -> None:
    encoded = base64.b64encode(b"Crows are clever birds.").decode()
    head = "From: a@example.org\nContent-Transfer-Encoding: base64\n\n"
    assert body(tmp_path, head + encoded[:-3]).startswith("Crows are clever bir")
    assert body(tmp_path, head + "*" + encoded) == "Crows are clever birds."


def test_plain_text_is_preferred_unless_it_is_empty(tmp_path: Path) -> None:
    plain, web = (
        "Content-Type: text/plain\n\nPlain.",
        "Content-Type: text/html\n\n<p>Web &amp; more",
    )
    empty = "Content-Type: text/plain\n\n \n"
    assert body(tmp_path, multipart("alternative", plain, web)) == "Plain."
    assert body(tmp_path, multipart("alternative", web, plain)) == "Plain."
    assert body(tmp_path, multipart("alternative", empty, web)) == "Web & more"
    assert body(tmp_path, multipart("mixed", plain, web)) == "Plain.\n\nWeb & more"


def test_web_pages_in_mails_are_read_in_their_charset(tmp_path: Path) -> None:
    page = '<meta charset="koi8-r"><style>p {}</style><p>Привет'.encode("koi8-r")
    head = b"From: a@example.org\nContent-Type: text/html"
    assert body(tmp_path, head + b"\n\n" + page) == "Привет"
    assert body(tmp_path, head + b"; charset=koi8-r\n\n" + page[23:]) == "Привет"
    japanese = "<p>罪と罰".encode("iso-2022-jp")
    assert body(tmp_path, head + b"; charset=iso-2022-jp\n\n" + japanese) == "罪と罰"


def test_lines_that_were_broken_for_the_way_are_joined(tmp_path: Path) -> None:
    head = "From: a@example.org\nContent-Type: text/plain; format=flowed; delsp={}\n\n"
    assert body(tmp_path, head.format("no") + "Crows \nare clever.\n> Are \n> they?\n") == (
        "Crows are clever.\n> Are they?"
    )
    assert body(tmp_path, head.format("yes") + "罪と \n罰\n") == "罪と罰"


def test_attachments_are_named_and_extracted(tmp_path: Path) -> None:
    data = multipart(
        "mixed",
        "Content-Type: text/plain\n\nSee below.",
        'Content-Type: application/pdf\nContent-Disposition: attachment; filename="a.pdf"\n'
        "Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(b"%PDF-1.7").decode(),
        "Content-Type: text/plain\nContent-Disposition: attachment;"
        " filename*=utf-8''Gr%C3%BC%C3%9Fe.txt\n\nHello",
        'Content-Type: image/png; name="=?utf-8?Q?K=C3=A4fer=2Epng?="\n\nxx',
        "Content-Type: text/x-python\n\n# No name",
        'Content-Type: text/plain; name="C:\\\\papers\\\\a.txt"\n\nWith a path',
    )
    assert read(tmp_path, data).pages[0].text == (
        "From: a@example.org\nAttachments: a.pdf, Grüße.txt, Käfer.png, attachment 4.py, a.txt"
        "\n\nSee below."
    )
    noted = attached(tmp_path, data)
    assert noted.contents == {
        ("a.pdf",): b"%PDF-1.7",
        ("Grüße.txt",): b"Hello",
        ("attachment 4.py",): b"# No name",
        ("a.txt",): b"With a path",
    }


def test_two_attachments_of_one_name_are_both_extracted(tmp_path: Path) -> None:
    part = "Content-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\n{}"
    noted = attached(tmp_path, multipart("mixed", part.format("one"), part.format("two")))
    assert noted.contents == {("a.txt",): b"one", ("a (2).txt",): b"two"}


def test_a_kind_completes_a_name(tmp_path: Path) -> None:
    data = multipart("mixed", 'Content-Type: application/pdf; name="invoice"\n\nxx')
    assert list(attached(tmp_path, data).contents) == [("invoice.pdf",)]


def test_mails_in_mails_are_documents_with_attachments_of_their_own(tmp_path: Path) -> None:
    deepest = multipart("mixed", 'Content-Type: text/plain; name="deep.txt"\n\nDeep')
    deepest = deepest.replace(b"=-=", b"=+=")
    inner = b"Subject: Of old\nFrom: b@example.org\n" + deepest.partition(b"\n")[2]
    data = multipart(
        "mixed", "Content-Type: text/plain\n\nSee.", b"Content-Type: message/rfc822\n\n" + inner
    )
    assert body(tmp_path, data) == "See."
    noted = attached(tmp_path, data)
    assert list(noted.contents) == [("Of old.eml",), ("Of old.eml", "deep.txt")]
    path = tmp_path / "inner.eml"
    path.write_bytes(noted.contents["Of old.eml",])
    assert message.read(path).title == "Of old"


def test_a_mail_that_is_all_attachment(tmp_path: Path) -> None:
    data = 'From: a@example.org\nContent-Type: application/pdf; name="a.pdf"\n\n%PDF'
    assert read(tmp_path, data).pages[0].text == "From: a@example.org\nAttachments: a.pdf"
    assert attached(tmp_path, data).contents == {("a.pdf",): b"%PDF"}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "Empty file"),
        (b" \n\n", "Empty file"),
        (b"Just some text.\nNo mail at all.", "not an email"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, "not an email"),
    ],
)
def test_an_invalid_mail_has_a_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read(tmp_path, data)


def test_parts_nested_without_end_have_a_reason(tmp_path: Path) -> None:
    nested = "From: a@example.org\n" + "".join(
        f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(3000)
    )
    with pytest.raises(DocumentError, match="parts contain each other"):
        read(tmp_path, nested)


def test_a_member_that_is_too_large_is_refused(tmp_path: Path) -> None:
    data = multipart("mixed", 'Content-Type: text/plain; name="a.txt"\n\n' + "x" * 2000)
    path = tmp_path / "a.eml"
    path.write_bytes(data)
    limits = ContainerLimits(member_bytes=1000)
    assert go_through(path, message.unpack, tmp_path, limits).refused == {
        ("a.txt",): "Larger than 0.001 MB"
    }


def test_an_attached_mail_with_letters_where_none_may_be_is_opened() -> None:
    """A multipart mail without a boundary parameter."""
    data = (
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: message/rfc822\n\n"
        b"Content-Type: multipart/mixed; bou\0dary=b\n\n--b\nCon\xd4nt: x\n\nDeep\n--b--\n\n--a--\n"
    )
    whole = email.message_from_bytes(data, policy=mime.POLICY)
    (part,) = (one for one in whole.walk() if one.get_content_type() == "message/rfc822")
    (content,) = mime.contents(part)
    assert b"Deep" in content
