"""A document that takes long to read does not hold up a person who cancels."""

from __future__ import annotations

import multiprocessing
import textwrap
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from core.documents import formats
from core.documents.document import IS_PICTURE, Document, Page
from core.documents.formats import Format
from core.documents.limits import Limits
from core.documents.reader import Reader
from core.documents.recogniser import Recogniser
from core.documents.sandbox.worker_handle import ReadingProcess
from core.errors import Cancelled
from core.progress import Job

Started = Callable[[], list[BaseProcess]]
_READERS = """
    def hang(path, *_):
        while True: pass
"""


@pytest.fixture
def started() -> Started:
    """Return the live processes that this test has started, without those of other tests."""
    before = set(multiprocessing.active_children())
    return lambda: [one for one in multiprocessing.active_children() if one not in before]


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file whose reading, drawing, opening and measuring never ends."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "slow_readers.py").write_text(textwrap.dedent(_READERS))
    monkeypatch.syspath_prepend(folder)
    hang = "slow_readers:hang"
    format_ = Format(
        "slow", "Slow", (".slow",), hang, drawer=hang, placer=hang, measurer=hang, members=hang
    )
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, format_))
    path = tmp_path / "x.slow"
    path.write_text("x")
    return path


@pytest.fixture
def cancelled(monkeypatch: pytest.MonkeyPatch) -> Job:
    """A job that the person cancels as soon as a process is at work on something slow."""
    job = Job()
    send = ReadingProcess.send

    def send_and_cancel(self: ReadingProcess, message: bytes) -> None:
        send(self, message)
        if b"slow_readers" in message:
            job.cancel()

    monkeypatch.setattr(ReadingProcess, "send", send_and_cancel)
    return job


def _walk(reader: Reader, path: Path, job: Job) -> None:
    with reader.members(path, job=job) as walk:
        list(walk)


_USES: dict[str, Callable[[Reader, Path, Job], object]] = {
    "read": lambda reader, path, job: reader.read(path, job=job),
    "read with styles": lambda reader, path, job: reader.read_with_styles(path, job),
    "read together": lambda reader, path, job: reader.read_together({path: None}, job),
    "unpack": _walk,
    "take": lambda reader, path, job: reader.read(path / "a.txt", job=job),
    "draw": lambda reader, path, job: reader.draw(path, 1, 100, job=job),
    "place": lambda reader, path, job: reader.locate_spans(path, 1, (9, 9), [(0, 1)], job=job),
    "measure": lambda reader, path, job: reader.page_sizes(path, job),
}


@pytest.mark.parametrize("use", _USES)
def test_cancelling_does_not_wait_for_a_process(
    use: str, slow: Path, cancelled: Job, started: Started
) -> None:
    note = slow.with_name("note.txt")
    note.write_text("Crows")
    with Reader() as reader:
        with pytest.raises(Cancelled):
            _USES[use](reader, slow, cancelled)
        # The process that was at it is gone, and the next document has another one.
        assert started() == []
        assert reader.read(note).pages[0].text == "Crows"


def test_cancelling_does_not_wait_for_a_page_to_be_recognised(
    slow: Path, cancelled: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.documents.pages.recognition.is_installed", lambda: True)
    recogniser = Recogniser(Limits(), pages_per_process=9)
    scan = Document("", (Page(1, "", unread=IS_PICTURE),))
    with pytest.raises(Cancelled):
        recogniser.fill(scan, "slow_readers:hang", slow, job=cancelled)
    recogniser.close()


def test_a_reading_cancelled_before_it_began_starts_no_process(
    tmp_path: Path, started: Started
) -> None:
    (tmp_path / "note.txt").write_text("Crows")
    job = Job()
    job.cancel()
    with Reader() as reader:
        with pytest.raises(Cancelled):
            reader.read(tmp_path / "note.txt", job=job)
        assert started() == []


def test_a_process_between_two_documents_is_left_alone(tmp_path: Path, started: Started) -> None:
    (tmp_path / "note.txt").write_text("Crows")
    job = Job()
    with Reader() as reader:
        reader.read(tmp_path / "note.txt", job=job)
        (process,) = started()
        job.cancel()
        reader.read(tmp_path / "note.txt")
        assert started() == [process]
