"""Mailboxes in mbox files: one mail after another, told apart by lines that begin with "From "."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import BinaryIO, Final

from core.documents.containers.members import part_of
from core.documents.containers.unpacking import CHUNK_BYTES, Level, Sink
from core.documents.files import open_file
from core.documents.mail.mime import date_of, header, time_ns
from core.documents.metadata import shorten
from core.errors import DocumentError

_SEPARATOR: Final = re.compile(rb"From .*\d:\d\d\b.*\b\d{4}\b")
_QUOTED: Final = re.compile(rb">+From ")
# What programs note beside a mail: whether it was read, in which folders it lies. None of it is
# the mail's own, and a mail must not seem to be another one whenever it was looked at.
_NOTES: Final = re.compile(
    rb"(X-)?(Mozilla-|Gmail-)?(Status2?|Keys|Keywords|Labels|UID|IMAP|IMAPbase)[ \t]*:",
    re.IGNORECASE,
)
_LARGEST_HEADER_BYTES: Final = 1 << 20
_LONGEST_SUBJECT: Final = 100


def unpack(path: Path, level: Level) -> None:
    """Take the mails of a mailbox, numbered from 1; read once, line by line.

    Raises:
        DocumentError: It is no mailbox.
        OSError: It cannot be read.
    """
    mail: _Mail | None = None
    number = 0
    was_blank = True
    with open_file(path) as file:
        for line, is_whole in _lines(file):
            if was_blank and line.startswith(b"From ") and (_SEPARATOR.match(line) or not mail):
                if mail is not None:
                    mail.end()
                number += 1
                mail = _Mail(level, number)
                was_blank = False
                continue
            was_blank = is_whole and line in {b"\n", b"\r\n"}
            if mail is not None:
                mail.add(line, is_blank=was_blank)
            elif not was_blank:
                raise DocumentError("is damaged, or no mailbox: it does not begin with a mail")
    if mail is not None:
        mail.end()


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Yield a file's lines, very long ones in pieces; with each whether it begins a line."""
    is_whole = True
    while line := file.readline(CHUNK_BYTES):
        yield line, is_whole
        is_whole = line.endswith(b"\n")


class _Mail:
    """One mail of a mailbox, taken line by line."""

    def __init__(self, level: Level, number: int) -> None:
        self._level = level
        self._number = number
        self._sink: Sink | None = None  # as soon as the header, and with it the name, is known
        self._lines: list[bytes] = []
        self._size_bytes = 0
        self._is_in_note = False
        self._blank = b""

    def add(self, line: bytes, *, is_blank: bool) -> None:
        if self._sink is None:
            if line[:1] not in b" \t":
                self._is_in_note = _NOTES.match(line) is not None
            if self._is_in_note and not is_blank:
                return
        elif _QUOTED.match(line):
            line = line[1:]
        # The last blank line is the mailbox's, not the mail's.
        self._append(self._blank)
        self._blank = line if is_blank else b""
        if not is_blank:
            self._append(line)
        if self._sink is None:
            if is_blank or self._size_bytes > _LARGEST_HEADER_BYTES:
                self._begin()
        elif self._size_bytes > CHUNK_BYTES:
            self._flush(self._sink)

    def end(self) -> None:
        sink = self._sink or self._begin()
        self._flush(sink)
        sink.close()

    def _append(self, line: bytes) -> None:
        if line:
            self._lines.append(line)
            self._size_bytes += len(line)

    def _begin(self) -> Sink:
        parsed = BytesHeaderParser().parsebytes(b"".join(self._lines))
        subject = shorten(header(parsed, "Subject"), _LONGEST_SUBJECT)
        name = part_of(f"{self._number:05} {subject}".strip() + ".eml")
        self._sink = self._level.member(name, mtime_ns=time_ns(date_of(parsed)))
        return self._sink

    def _flush(self, sink: Sink) -> None:
        sink.write(b"".join(self._lines))
        self._lines.clear()
        self._size_bytes = 0
