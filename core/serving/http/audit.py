"""The audit log of a server: a line of JSON for each request, in private, rotated files."""

import json
import logging
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from core.errors import LibraryError
from core.files import own_files

_log = logging.getLogger(__name__)

AUDIT_FILE: Final = "server_audit.jsonl"
# Size of an audit file before it is rotated, and number of old files.
_MOST_BYTES: Final = 10 << 20
_OLD_AUDIT_FILES: Final = 4


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One request.

    Attributes:
        who: the token's name; "" for none.
        peer: the client's address.
        kind: the endpoint's name.
        status: of the response.
        took_ms: from the first byte to the last.
        count: number of documents, passages or pages in the response.
    """

    who: str
    peer: str
    kind: str
    status: int
    took_ms: int
    count: int


class AuditLog:
    """A private file with a line of JSON for each request; rotated.

    Raises:
        LibraryError: it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failed = False
        with LibraryError.on_os_error(
            "The audit log {0} cannot be written ({1}). Choose another file with --audit FILE.",
            path,
        ):
            self._append(b"")

    def note(self, entry: AuditEntry) -> None:
        """Log a request; if that fails, the server continues and reports the error once."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"at": now, **asdict(entry)}) + "\n"
        try:
            self._append(line.encode("ascii"))
            self._failed = False
        except OSError as error:
            if not self._failed:
                _log.error("Cannot write the audit log: %s", error.strerror)
            self._failed = True

    def _append(self, data: bytes) -> None:
        with suppress(FileNotFoundError):
            if self._path.stat().st_size + len(data) > _MOST_BYTES:
                self._rotate()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = os.open(self._path, flags, own_files.OWN_FILE)
        try:
            os.write(descriptor, data)
        finally:
            os.close(descriptor)

    def _rotate(self) -> None:
        """Rotate the file; old ones are named FILE.1, FILE.2 and so on."""
        for age in range(_OLD_AUDIT_FILES - 1, 0, -1):
            with suppress(FileNotFoundError):
                self._old(age).replace(self._old(age + 1))
        self._path.replace(self._old(1))

    def _old(self, age: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{age}")
