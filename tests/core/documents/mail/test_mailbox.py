from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.documents.mail import message
from core.errors import DocumentError
from tests.core.documents.passes import Noted, go_through

FROM = b"From anna@example.org Mon Jun 01 10:00:00 2009\n"


def opened(tmp_path: Path, data: bytes) -> Noted:
    path = tmp_path / "inbox.mbox"
    path.write_bytes(data)
    return go_through(path, message.unpack_mailbox, tmp_path)


def mail(subject: str, body: str = "Text.") -> bytes:
    return f"From: a@example.org\nSubject: {subject}\n\n{body}\n".encode()


def test_mails_are_numbered_and_named_by_their_subjects(tmp_path: Path) -> None:
    noted = opened(
        tmp_path,
        FROM + mail("On Birds") + b"\n" + FROM + mail("Re: a/b =?utf-8?Q?=C3=BC?=") + b"\n"
        + FROM + mail("") + b"\n" + FROM + mail("x " * 200),
    )  # fmt: skip
    names = [place[0] for place in noted.contents]
    assert names[:3] == ["00001 On Birds.eml", "00002 Re: a-b ü.eml", "00003.eml"]
    assert names[3].startswith("00004 x x x")
    assert len(names[3]) < 120
    assert noted.contents["00001 On Birds.eml",] == mail("On Birds")


def test_only_lines_in_separator_form_are_separators(tmp_path: Path) -> None:
    body = "From now on crows are clever.\n\nFrom here, too.\n\n>From the start.\n>>From afar."
    noted = opened(tmp_path, FROM + mail("One", body) + b"\n" + FROM + mail("Two") + b"\n")
    first, second = noted.contents.values()
    assert first.partition(b"\n\n")[2] == (
        b"From now on crows are clever.\n\nFrom here, too.\n\nFrom the start.\n>From afar.\n"
    )
    assert second == mail("Two")


@pytest.mark.parametrize(
    "sentence",
    [
        "From 9:30 on Monday 3 June 2024 the bakery is closed.",
        "From the office of Mon Jan 1 10:00:00 2024 we remember",
        "From anna@example.org Mon Jan 01 10:00:00 2024 came a parcel.",
        "From anna@example.org Mon Jan 01 10:00:00 2024",  # and no header follows
        "From 10:00 bis 12:00 am 3. Juni 2024 ist geschlossen",
    ],
)
def test_a_sentence_with_a_date_is_no_separator(tmp_path: Path, sentence: str) -> None:
    noted = opened(tmp_path, FROM + mail("One", f"Text.\n\n{sentence}\nKeys are with Ann."))
    (only,) = noted.contents.values()
    assert sentence.encode() in only


def test_mails_need_no_blank_line_between_them(tmp_path: Path) -> None:
    noted = opened(tmp_path, FROM + mail("One") + FROM + mail("Two") + FROM + mail("Three"))
    assert len(noted.contents) == 3


@pytest.mark.parametrize(
    "separator",
    [
        "From - Mon Jan 01 00:00:00 2024",
        "From MAILER-DAEMON Fri Jul  8 12:08:34 2011",
        "From 1489@xxx Tue Dec 01 10:00:00 +0000 2015",
        "From anna@example.org Wed Mar  5 10:00 2014",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_separators_of_many_programs_are_known(tmp_path: Path, separator: str, end: str) -> None:
    lines = [separator, "Subject: One", "", "Text.", "", separator, "Subject: Two", "", "Text.", ""]
    noted = opened(tmp_path, end.join([*lines, ""]).encode())
    assert list(noted.contents) == [("00001 One.eml",), ("00002 Two.eml",)]


def test_a_mail_that_was_opened_is_the_same_mail(tmp_path: Path) -> None:
    notes = b"Status: RO\nX-Mozilla-Status: 0001\nX-Mozilla-Keys: a\n b\nX-Status: A\n"
    before = opened(tmp_path, FROM + mail("One")).members
    after = opened(tmp_path, FROM + notes + mail("One") + b"\n" + FROM + mail("Two")).members
    assert after[0] == before[0]


def test_the_time_of_a_mail_is_when_it_was_sent(tmp_path: Path) -> None:
    dated = b"Date: Sun, 30 Jun 2024 12:05:00 +0200\n" + mail("One")
    wrong = b"Date: Mon, 01 Jan 1900 00:00:00 +0000\n" + mail("Two")
    noted = opened(tmp_path, FROM + dated + b"\n" + FROM + wrong)
    assert [member.mtime_ns for member in noted.members] == [1_719_741_900_000_000_000, None]


def test_a_mail_in_a_mailbox_may_have_attachments(tmp_path: Path) -> None:
    attached = (
        b'From: a@example.org\nSubject: One\nContent-Type: multipart/mixed; boundary="b"\n\n--b\n'
        b'Content-Type: text/plain; name="a.txt"\n\nCrows\n--b--\n'
    )
    noted = opened(tmp_path, FROM + attached + b"\n" + FROM + mail("Two"))
    assert noted.contents["00001 One.eml", "a.txt"] == b"Crows"
    assert ("00002 Two.eml",) in noted.contents
    assert noted.closed == {("00001 One.eml",): "", ("00002 Two.eml",): ""}


def test_very_long_lines_and_headers_end(tmp_path: Path) -> None:
    line = b"x" * 3_000_000
    noted = opened(tmp_path, FROM + b"Subject: One\nX: " + line + b"\n\n" + line + b"\n\n" + FROM)
    assert len(noted.contents["00001 One.eml",]) > 6_000_000
    assert len(noted.contents) == 2


def test_an_empty_mailbox_holds_nothing(tmp_path: Path) -> None:
    assert opened(tmp_path, b"").members == []
    assert opened(tmp_path, b"\n\n").members == []


def test_an_invalid_mailbox_has_a_reason(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="not a mailbox"):
        opened(tmp_path, b"Subject: x\n\nText.")


_lines = st.lists(
    st.sampled_from(["", "Text.", "From here on.", ">From there.", ">>From x", "a b"])
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bodies=st.lists(_lines, max_size=5))
def test_mails_come_out_as_they_were_put_in(bodies: list[list[str]], tmp_path: Path) -> None:
    """As in mboxrd, lines that begin like a separator are quoted."""
    mails = ["\n".join(["Subject: x", "", *body]).rstrip("\n") + "\n" for body in bodies]
    quoted = [
        "".join(
            f">{line}" if line.lstrip(">").startswith("From ") else line
            for line in mail_.splitlines(keepends=True)
        )
        for mail_ in mails
    ]
    data = b"".join(FROM + mail_.encode() + b"\n" for mail_ in quoted)
    noted = opened(tmp_path, data)
    assert [content.decode() for content in noted.contents.values()] == mails


@pytest.mark.parametrize(
    ("status", "is_left_out"),
    [
        ("0001", False),
        ("0008", True),
        ("0009", True),
        ("000D", True),
        ("1000", False),
        ("x", False),
    ],
)
def test_mails_that_thunderbird_deleted_are_left_out(
    tmp_path: Path, status: str, is_left_out: bool
) -> None:
    flagged = f"X-Mozilla-Status: {status}\n".encode() + mail("Second")
    data = b"\n".join([FROM + mail("First"), FROM + flagged, FROM + mail("Third")])
    names = [place[0] for place in opened(tmp_path, data).contents]
    others = ["00001 First.eml", "00003 Third.eml"]
    assert [name for name in names if name not in others] == ["00002 Second.eml"][is_left_out:]
    assert set(others) < {*names, ""}
