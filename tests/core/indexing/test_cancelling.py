"""A person who cancels does not wait for a document that takes long, and loses nothing."""

from __future__ import annotations

import hashlib
import os
import signal
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from core import cli
from core.documents import formats
from core.documents.formats import Format
from core.documents.sandbox.worker_handle import ReadingProcess
from core.errors import Cancelled
from core.library.library import Library
from core.progress import Job

from .conftest import MakeFile, contents, put

_READERS = """
    from core.documents.text_formats.plain import read as read_plain

    def read(path):
        while path.read_bytes() != b"quick": pass
        return read_plain(path)
"""


@pytest.fixture
def on_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[], None]], None]:
    """Call a function when a process works on a file that takes forever to read."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "slow_reader.py").write_text(textwrap.dedent(_READERS))
    monkeypatch.syspath_prepend(modules)
    format_ = Format("slow", "Slow", (".org",), "slow_reader:read")
    monkeypatch.setattr(formats, "FORMATS", (format_, *formats.FORMATS))

    def set_act(act: Callable[[], None]) -> None:
        send = ReadingProcess.send

        def send_and_act(self: ReadingProcess, message: bytes) -> None:
            send(self, message)
            if b"slow_reader" in message:
                act()

        monkeypatch.setattr(ReadingProcess, "send", send_and_act)

    return set_act


def _waiting(library: Library) -> list[str]:
    rows = library._catalog.connection().execute(
        "SELECT path FROM documents WHERE state = 'found' ORDER BY path"
    )
    return [Path(row["path"]).name for row in rows]


def test_a_document_in_the_middle_of_its_reading_waits(
    library: Library, folder: Path, on_slow: Callable[[Callable[[], None]], None]
) -> None:
    job = Job()
    on_slow(job.cancel)
    # The latest file is read first.
    put(folder / "c.txt", "The swift sleeps in the air.")
    put(folder / "b.org", "The owl hunts mice.")
    put(folder / "a.txt", "The crow hides food.")
    library.add_folder(folder)
    with pytest.raises(Cancelled):
        library.sync(job)
    assert library.failures() == ()
    assert _waiting(library) == ["b.org", "c.txt"]
    assert list(contents(library)) == [str(folder / "a.txt")]
    on_slow(lambda: None)
    put(folder / "b.org", "quick")
    report = library.sync()
    assert (report.read, report.failed) == (2, ())
    assert contents(library)[str(folder / "b.org")] == "quick"


def test_container_members_wait_likewise(
    library: Library,
    folder: Path,
    make_file: MakeFile,
    on_slow: Callable[[Callable[[], None]], None],
) -> None:
    job = Job()
    on_slow(job.cancel)
    make_file("papers.zip", {"a.txt": "The crow hides food.", "b.org": "The owl hunts mice."})
    library.add_folder(folder)
    with pytest.raises(Cancelled):
        library.sync(job)
    assert library.failures() == ()
    assert _waiting(library) == ["papers.zip"]
    assert list(contents(library)) == [str(folder / "papers.zip" / "a.txt")]


@pytest.mark.skipif(os.name == "nt", reason="signals differ there")
def test_control_c_is_heard_in_the_middle_of_a_document(
    library: Library,
    folder: Path,
    on_slow: Callable[[Callable[[], None]], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    on_slow(lambda: signal.raise_signal(signal.SIGINT))
    put(folder / "b.org", "The owl hunts mice.")
    put(folder / "a.txt", "The crow hides food.")
    assert cli.main(["index", str(folder)]) == 130
    stopped = "Interrupted. Progress is saved; run the same command again to continue."
    assert stopped in capsys.readouterr().err
    assert library.failures() == ()
    assert list(contents(library)) == [str(folder / "a.txt")]


def test_counting_the_words_of_a_long_text_is_cancelled(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job()
    tokenizer = type(library._generations.target.tokenizer)
    count = tokenizer.count
    counted: list[int] = []

    def count_and_cancel(self: object, texts: list[str]) -> list[int]:
        counted.append(len(texts))
        job.cancel()
        return count(self, texts)

    put(folder / "long.txt", "The crow hides food. " * 10_000)
    library.add_folder(folder)
    monkeypatch.setattr(tokenizer, "count", count_and_cancel)
    with pytest.raises(Cancelled):
        library.sync(job)
    assert len(counted) == 1
    assert counted[0] < 10_000
    assert library.failures() == ()
    assert contents(library) == {}


def test_a_large_file_is_not_read_to_its_end_for_its_hash(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job()
    put(folder / "large.txt", "x" * 3_000_000)
    library.add_folder(folder)

    class Digest:
        def __init__(self) -> None:
            self.seen = 0
            digests.append(self)

        def update(self, block: bytes) -> None:
            self.seen += len(block)
            job.cancel()

        def hexdigest(self) -> str:
            return "0"

    digests: list[Digest] = []
    monkeypatch.setattr(hashlib, "blake2b", lambda *_args, **_options: Digest())
    with pytest.raises(Cancelled):
        library.sync(job)
    assert [digest.seen < 3_000_000 for digest in digests] == [True]
