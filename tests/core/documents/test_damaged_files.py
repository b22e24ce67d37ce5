"""Mails, containers and old documents under damage of every kind: read, or refused with a reason.

How many damaged copies of each are tried is set by WINNOW_TEST_MUTATIONS.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.documents.containers import archives
from core.documents.containers.unpacking import Unpack
from core.documents.document import Document
from core.documents.limits import ContainerLimits
from core.documents.mail import message
from core.documents.office import doc, mobi, ppt
from core.errors import DocumentError
from tests.core.containers import container_bytes, mail_bytes, mbox_bytes
from tests.core.documents.mail.outlook_files import outlook_bytes
from tests.core.documents.mutations import COUNT, mutations
from tests.core.documents.office.book_files import CODES, PAIRS, book_bytes
from tests.core.documents.office.slide_files import BODY, TITLE, Shape, Slide, slides_bytes
from tests.core.documents.office.word_files import HIDDEN, ITEM, P, row, word_bytes
from tests.core.documents.passes import go_through

# One copy may take a second, where all others take a thousandth of it.
pytestmark = pytest.mark.timeout(120 + COUNT)

_ATTACHED = {"a.txt": b"Crows", "b.pdf": b"%PDF" * 50, "in.eml": mail_bytes("Inside", {})}
_MAIL = mail_bytes("Grüße und Küsse — 罪\n" * 20, _ATTACHED, subject="Über Vögel")
_TREE = {
    "a.txt": "Crows are clever.\n" * 200,
    "sub/b.md": "Owls",
    "in.zip": {"c.txt": "Rooks"},
    "in.tar": {"d.txt": "Swifts"},
    "note.eml": {"body": "Dippers", "e.txt": "Robins"},
}
_RTF = struct.pack("<II4sI", 99, 99, b"LZFu", 0) + b"\x01\x00\x09\x00 Crows\\par Owls}"
_OUTLOOK = outlook_bytes(
    {
        0x0037: "Birds",
        0x0C1A: "Anna",
        0x1013: b"<p>Crows",
        0x0039: datetime(2024, 6, 30, tzinfo=UTC),
    },
    people=[{0x3001: "Bo", 0x39FE: "bo@example.org", 0x0C15: 1}],
    attachments=[{0x3707: "a.txt", 0x3701: b"Owls"}, ({0x0037: "In", 0x1009: _RTF}, [])],
)
_WORD = word_bytes(
    [
        P("On Birds\r", 13),
        P("\x13 HYPERLINK x \x14Crows\x15 are clever.\r", 1, ITEM, ((3, 9, HIDDEN),)),
        *row("Bird", "Food"),
        P("End.\r"),
    ],
    footnotes=[P("A note.\r")],
    styles={1: (1, 0xFFF), 12: (0xFFE, 1), 13: (62, 12)},
    title="Birds",
    pieces=3,
)
_SLIDES = slides_bytes(
    [
        Slide([Shape("Crows", TITLE, is_in_outline=True), Shape("Food", BODY)], notes="Slowly"),
        Slide([Shape("Owls 罪"), Shape("9", placeholder=8)], is_grouped=True),
    ],
    has_older_edit=True,
)
_BOOK = "<html><body><h1>Birds</h1><p>Crows</p><mbp:pagebreak/><p>Owls</p></body></html>"
_LETTERS = [(bytes([byte]), True) for byte in sorted(set(_BOOK.encode()))]


@pytest.mark.parametrize(
    ("read", "name", "data"),
    [
        (message.read, "a.eml", _MAIL),
        (message.read, "a.msg", _OUTLOOK),
        (doc.read, "a.doc", _WORD),
        (ppt.read, "a.ppt", _SLIDES),
        (mobi.read, "a.mobi", book_bytes(_BOOK, packing=PAIRS, name="Birds", extra={100: "Anna"})),
        (mobi.read, "a.azw3", book_bytes(_BOOK, packing=CODES, phrases=_LETTERS, behind="a")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_damaged_documents_are_read_or_have_a_reason(
    tmp_path: Path, read: Callable[[Path], Document], name: str, data: bytes
) -> None:
    path = tmp_path / name
    outcomes = {"read": 0, "refused": 0}
    path.write_bytes(data)
    assert read(path).pages
    for damaged in mutations(data):
        path.write_bytes(damaged)
        try:
            document = read(path)
        except DocumentError:
            outcomes["refused"] += 1
            continue
        outcomes["read"] += 1
        for page in document.pages:
            assert page.text == page.text.strip()
            for heading in page.headings:
                assert page.text.startswith(heading.text, heading.start)
    assert all(outcomes.values()), outcomes


_LIMITS = ContainerLimits(member_bytes=5_000_000, least_bytes=20_000_000, members=1000)


@pytest.mark.parametrize(
    ("unpack", "name", "data"),
    [
        *(
            (archives.unpack, name, container_bytes(name, _TREE))
            for name in ("a.zip", "a.tar", "a.tar.gz", "a.tar.bz2", "a.tar.xz", "a.7z")
        ),
        (message.unpack_mailbox, "a.mbox", mbox_bytes([_MAIL, mail_bytes("Short", {}), _MAIL])),
        (message.unpack, "a.eml", _MAIL),
        (message.unpack, "a.msg", _OUTLOOK),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_damaged_containers_are_opened_or_have_a_reason(
    tmp_path: Path, unpack: Unpack, name: str, data: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert go_through(path, unpack, tmp_path, _LIMITS).contents
    for damaged in mutations(data):
        path.write_bytes(damaged)
        try:
            noted = go_through(path, unpack, tmp_path, _LIMITS)
        except (DocumentError, MemoryError):
            # To ask for more memory than there is ends as a reason in the reading process.
            continue
        assert len(noted.members) == len({member.inner_path for member in noted.members})
