"""The audit log: who asked, what kind of thing, when, for how long, and how much came of it.

Without a word of queries or documents, and without paths: it may be kept longer than they are, and
read by somebody who may not see them.
"""

from __future__ import annotations

import json
import logging
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from core import own_files
from core.errors import LibraryError

_log = logging.getLogger(__name__)

FILE: Final = "server_audit.jsonl"
_MOST_BYTES: Final = 10 << 20
_KEPT: Final = 4


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One request.

    Attributes:
        who: the token's name; "" for none.
        peer: the address that it came from.
        kind: the endpoint's name.
        status: of the answer.
        took_ms: from the first byte to the last.
        count: how many documents, passages or pages were given.
    """

    who: str
    peer: str
    kind: str
    status: int
    took_ms: int
    count: int


class AuditLog:
    """A file with a line of JSON a request, which only its owner can read; the oldest ones go.

    Raises:
        LibraryError: it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failed = False
        try:
            self._append(b"")
        except OSError as error:
            raise LibraryError(
                "The audit log {0} cannot be written ({1}); name another with --audit FILE.",
                path,
                error.strerror,
            ) from error

    def note(self, entry: AuditEntry) -> None:
        """Write a request down; where that fails the server goes on, and its log says so once."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"at": now, **asdict(entry)}) + "\n"
        try:
            self._append(line.encode("ascii"))
            self._failed = False
        except OSError as error:
            if not self._failed:
                _log.error("the audit log cannot be written: %s", error.strerror)
            self._failed = True

    def _append(self, data: bytes) -> None:
        with suppress(FileNotFoundError):
            if self._path.stat().st_size + len(data) > _MOST_BYTES:
                self._turn()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        number = os.open(self._path, flags, own_files.OWN_FILE)
        try:
            os.write(number, data)
        finally:
            os.close(number)

    def _turn(self) -> None:
        """Begin another file; the last few are kept as FILE.1, FILE.2 and so on."""
        for number in range(_KEPT - 1, 0, -1):
            with suppress(FileNotFoundError):
                self._numbered(number).replace(self._numbered(number + 1))
        self._path.replace(self._numbered(1))

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")
