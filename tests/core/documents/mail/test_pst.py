"""Outlook's data files: their mails' properties, and files that are none.

No file is written here: a data file can only be made by Outlook.
"""

from __future__ import annotations

import sys
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from core.documents.mail import message, mime, outlook, pst
from core.documents.mail.pst import properties_of
from core.documents.reader import Reader
from core.errors import DocumentError
from tests.core.documents.passes import go_through

SUBJECT, BODY, SENDER, SENDER_ADDRESS, SENT = 0x0037, 0x1000, 0x0C1A, 0x5D01, 0x0039
NAME, ADDRESS, KIND, FILE_NAME, CONTENT, MEDIA_TYPE = (
    *(0x3001, 0x39FE, 0x0C15, 0x3707, 0x3701, 0x370E),
)
INTEGER, UNICODE, BINARY, TIME = 3, 0x1F, 0x102, 0x40
# 30 June 2024, 12:05, in tenths of microseconds since 1601.
NOON = 133_642_227_000_000_000


def records(texts: dict[int, str], **other: dict[tuple[int, int], bytes]) -> outlook.Properties:
    wide = {(name, UNICODE): text.encode("utf-16-le") for name, text in texts.items()}
    return properties_of(wide | other.get("values", {}))


def mail(subject: str = "Über Vögel") -> Message:
    return outlook.message_of(
        records(
            {SUBJECT: subject, SENDER: "Anna Röok", SENDER_ADDRESS: "anna@example.org"}
            | {BODY: "Crows are clever. 罪"},
            values={(SENT, TIME): NOON.to_bytes(8, "little")},
        ),
        [
            records({NAME: "Carl Krähe", ADDRESS: "carl@example.org"}),
            records({NAME: "Dora"}, values={(KIND, INTEGER): b"\2\0\0\0"}),
        ],
        [
            (records({FILE_NAME: "Nöte.txt"}, values={(CONTENT, BINARY): b"An egg"}), None),
            (
                records(
                    {FILE_NAME: "status.txt", MEDIA_TYPE: "message/delivery-status"},
                    values={(CONTENT, BINARY): b"It failed"},
                ),
                None,
            ),
        ],
    )


def test_a_mail_is_written_from_its_properties(tmp_path: Path) -> None:
    path = tmp_path / "a.eml"
    path.write_bytes(mime.bytes_of(mail()))
    document = message.read(path)
    assert (document.title, document.author) == ("Über Vögel", "Anna Röok")
    assert document.date == "2024-06-30T12:05:00+00:00"
    assert document.senders == "Anna Röok <anna@example.org>"
    assert document.recipients == "Carl Krähe <carl@example.org>, Dora"
    assert document.pages[0].text.endswith("Crows are clever. 罪")
    unpacked = go_through(path, message.unpack, tmp_path).contents
    assert unpacked == {("Nöte.txt",): b"An egg", ("status.txt",): b"It failed"}


def test_a_mail_in_a_mail_is_written(tmp_path: Path) -> None:
    outer = outlook.message_of(records({SUBJECT: "Outer"}), [], [(records({}), mail("Inner ü"))])
    path = tmp_path / "a.eml"
    path.write_bytes(mime.bytes_of(outer))
    unpacked = go_through(path, message.unpack, tmp_path).contents
    assert ("Inner ü.eml",) in unpacked


class Level:
    """Notes the refused parts of a data file."""

    def __init__(self) -> None:
        self.refused: list[tuple[str, str]] = []

    def refuse(self, name: str, reason: str) -> None:
        self.refused.append((name, reason))


def test_a_folder_that_cannot_be_read_is_listed() -> None:
    level: Any = Level()
    pst._unpack_folder(None, ("Inbox",), level, set())
    assert level.refused == [("Inbox/Folder.eml", "Damaged")]


@pytest.mark.parametrize("data", [b"", b"PST", b"!BDN", b"!BDN" + bytes(5_000)])
def test_another_file_is_refused(tmp_path: Path, reader: Reader, data: bytes) -> None:
    pytest.importorskip("pypff")
    path = tmp_path / "a.pst"
    path.write_bytes(data)
    refused = pytest.raises(DocumentError, match="Damaged, or not an Outlook data file")
    with refused, reader.members(path) as walk:
        assert not list(walk)


def test_without_the_package_a_sentence_names_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypff", None)
    path = tmp_path / "a.pst"
    path.write_bytes(b"!BDN")
    with pytest.raises(DocumentError, match=r"Run: pip install 'winnow-search\[pst\]'"):
        go_through(path, pst.unpack, tmp_path)
