"""Responses of the reading process when a disk or a share fails."""

from __future__ import annotations

import errno
import os
from multiprocessing import Pipe
from pathlib import Path

import pytest

from core.documents import files
from core.documents.limits import Limits
from core.documents.sandbox import worker
from core.documents.sandbox.confinement import WorkerTask

_KINDS = [
    ("core.documents.text_formats.plain:read", "a.txt"),
    ("core.documents.office.docx:read", "a.docx"),
    ("core.documents.media.recordings:read", "a.mp3"),
]


@pytest.mark.parametrize(("function", "name"), _KINDS)
@pytest.mark.parametrize("number", [errno.EIO, errno.ESTALE, errno.ETIMEDOUT])
def test_a_disk_that_fails_is_no_verdict_on_the_document(
    function: str, name: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_path: Path) -> None:
        raise OSError(number, os.strerror(number))

    for module in ("core.documents.office.packages", "core.documents.media.recordings"):
        monkeypatch.setattr(f"{module}.open_file", fail)
    monkeypatch.setattr(files, "open_file", fail)
    path = tmp_path / name
    path.write_bytes(b"Crows hide food.")
    reads, writes = Pipe(duplex=False)
    with reads, writes:
        limits = Limits()
        teller = worker._PassReporter(reads, writes, limits)
        request = {"do": "read", "function": function, "path": str(path)}
        answer = worker._answered(request, WorkerTask(limits, None, ()), teller)
    assert answer == {"failure": os.strerror(number), "errno": number}
