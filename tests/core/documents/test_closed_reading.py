"""Closing a reader stops the current request at once, without a failure of the document."""

from __future__ import annotations

import threading
import zipfile
from pathlib import Path

import pytest

from core.documents.reader import SCRATCH, Reader
from core.documents.sandbox.worker_handle import ReadingProcess
from core.errors import LibraryClosedError
from tests.waiting import patience


def _walk(reader: Reader, archive: Path) -> None:
    with reader.members(archive) as walk:
        for _ in walk:
            reader.close()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "birds.zip"
    with zipfile.ZipFile(path, "w") as package:
        for name in ("crow.txt", "owl.txt"):
            package.writestr(name, name)
    return path


def test_a_reader_is_closed_while_a_document_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "note.txt").write_text("Crows")
    reader = Reader()
    is_requested, is_closed = threading.Event(), threading.Event()
    receive = ReadingProcess.receive

    def receive_late(self: ReadingProcess, most_bytes: int) -> bytes:
        is_requested.set()
        is_closed.wait(patience())
        return receive(self, most_bytes)

    def close() -> None:
        is_requested.wait(patience())
        reader.close()
        is_closed.set()

    monkeypatch.setattr(ReadingProcess, "receive", receive_late)
    closing = threading.Thread(target=close)
    closing.start()
    with pytest.raises(LibraryClosedError):
        reader.read(tmp_path / "note.txt")
    # Neither the pending response nor the sixty seconds were waited for.
    assert is_closed.is_set()
    closing.join()
    assert reader._reading.process is None


def test_a_reader_is_closed_by_the_thread_that_walks(home: Path, archive: Path) -> None:
    reader = Reader()
    with pytest.raises(LibraryClosedError):
        _walk(reader, archive)
    assert reader._unpacking.process is None
    with pytest.raises(LibraryClosedError):
        _walk(reader, archive)
    # The unpacked files are gone, and no other folder was created.
    assert [path.name for path in (home / SCRATCH).iterdir()] == ["making"]
