"""Observing the file access of a sync, and its changes to the catalog."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from core.documents.containers.members import Member
from core.documents.document import Document
from core.documents.formats import format_of
from core.documents.reader import ContainerWalk, Reader
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.graphics import Runtime
from core.encoders.runtimes import open_runtime
from core.errors import Cancelled
from core.indexing import rebuild
from core.library.library import Library, LibraryOptions
from core.progress import Job, Progress, Stage
from core.requests import ReadPages
from core.responses import Mode
from tests.core.containers import Tree, container_bytes, expected
from tests.core.tiny_models import save_tiny
from tests.waiting import patience

MakeFile = Callable[..., Path]
Noted = Callable[[], list[str]]
Opener = Callable[..., Library]

ROOT = Path(__file__).resolve().parents[3]

_clock = count(1_700_000_000_000_000_000, 1_000_000_000)


def put(path: Path, text: str) -> None:
    """Write a file whose time differs from that of every other one, however fast the test is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    touch(path)


def dots_of(program: str, arguments: Sequence[Path], dots: int | None) -> int:
    """Run a program that prints dots to its end, or kill it after some; return their number."""
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        if dots is None:
            out, errors = process.communicate(timeout=2 * patience())
            assert process.returncode == 0, errors.decode()
            return len(out)
        seen = process.stdout.read(dots)
        process.kill()
    return len(seen)


def touch(path: Path) -> None:
    now = next(_clock)
    os.utime(path, ns=(now, now))


def contents(library: Library) -> dict[str, str]:
    """The text of every document that is read, by path; not of empty archives and mailboxes."""
    rows = library._catalog.connection().execute(
        "SELECT id, path, state FROM documents WHERE state IN ('read', 'no_text')"
    )
    return {
        row["path"]: "\n".join(page.text for page in library.answer(ReadPages(row["id"])))
        for row in rows
        if row["state"] == "read" or not is_container(Path(row["path"]))
    }


def is_container(path: Path) -> bool:
    """Whether documents are read from it; an empty one is without text."""
    found = format_of(path)
    return found is not None and bool(found.members)


def on_disk(folder: Path) -> dict[str, str]:
    return {str(path): path.read_text(encoding="utf-8") for path in folder.rglob("*.txt")}


def passage_ids(library: Library, path: Path) -> list[int]:
    rows = library._catalog.connection().execute(
        "SELECT passages.id FROM passages JOIN documents ON documents.id = document_id"
        " WHERE path = ? ORDER BY passages.id",
        [str(path)],
    )
    return [row["id"] for row in rows]


def found(library: Library, query: str) -> list[str]:
    """The names of the files that are found, each copy for itself."""
    hits = library.search(query, mode=Mode.WORDS, is_folded=False).hits
    return [hit.path.name for hit in hits]


def assert_sound(library: Library) -> None:
    """Nothing waits, every passage has its vectors, and the word index agrees with the text."""
    db = library._catalog.connection()
    assert db.execute("SELECT count(*) FROM documents WHERE state = 'found'").fetchone()[0] == 0
    assert library.status().waiting == 0
    db.execute("INSERT INTO passages_fts(passages_fts, rank) VALUES ('integrity-check', 1)")
    numbers = {row["id"] for row in db.execute("SELECT id FROM passages WHERE tokens > 0")}
    assert set(library._generations.answering().searcher.vectors(sorted(numbers))) == numbers


@pytest.fixture
def was_read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Return the names of the files that readers were called for since the last call."""
    names: list[str] = []
    read = Reader.read

    def read_noted(self: Reader, path: Path, **options: Any) -> Document:
        names.append(path.name)
        return read(self, path, **options)

    def since() -> list[str]:
        noted = sorted(names)
        names.clear()
        return noted

    monkeypatch.setattr(Reader, "read", read_noted)
    return since


@pytest.fixture
def synced(library: Library, folder: Path, was_read: Callable[[], list[str]]) -> Library:
    """A library of three files, in step."""
    put(folder / "crow.txt", "The crow hides food.")
    put(folder / "owl.txt", "The owl hunts mice.")
    put(folder / "sub" / "swift.txt", "The swift sleeps in the air.")
    library.add_folder(folder)
    library.sync()
    assert was_read() == ["crow.txt", "owl.txt", "swift.txt"]
    return library


@pytest.fixture
def make_file(folder: Path) -> MakeFile:
    """Writes a container into the folder."""

    def make(name: str, content: Tree | bytes) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else container_bytes(name, content)
        path.write_bytes(data)
        touch(path)
        return path

    return make


@pytest.fixture
def members_read(monkeypatch: pytest.MonkeyPatch) -> Noted:
    """Return the places of the members that were read since the last call."""
    places: list[str] = []
    read = Reader.read_member

    def read_noted(self: Reader, member: Member, walk: ContainerWalk, **options: Any) -> Document:
        places.append("/".join(member.inner_path))
        try:
            return read(self, member, walk, **options)
        except Cancelled:
            places.pop()
            raise

    def since() -> list[str]:
        noted = places.copy()
        places.clear()
        return noted

    monkeypatch.setattr(Reader, "read_member", read_noted)
    return since


PAPERS = {
    "crow.txt": "The crow hides food.",
    "2024/owl.md": "The owl hunts mice.",
    "in.zip": {"swift.txt": "The swift sleeps in the air."},
    "note.eml": {"body": "The dipper dives.", "rook.txt": "The rook breeds in colonies."},
}


@pytest.fixture
def papers(library: Library, folder: Path, make_file: MakeFile, members_read: Noted) -> Library:
    """A library with one archive, in step."""
    make_file("papers.zip", PAPERS)
    library.add_folder(folder)
    library.sync()
    assert len(members_read()) == 5
    return library


def assert_in_step(library: Library, files: dict[Path, Tree | str]) -> None:
    wanted = {}
    for path, content in files.items():
        wanted.update(expected(path, content))
    assert contents(library) == wanted
    assert_sound(library)
    assert library.sync().read == 0


def ids(library: Library, container: Path, *places: str) -> list[list[int]]:
    """The passages' numbers of members: unchanged while their vectors are."""
    return [passage_ids(library, container / place) for place in places]


def every(act: Callable[[Progress], None]) -> Job:
    """A job that reports each document, however fast they are."""
    job = Job()
    job.report = act  # type: ignore[method-assign]
    return job


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two models, first and second."""
    folder = tmp_path_factory.mktemp("models")
    save_tiny(folder / "first", 1)
    save_tiny(folder / "second", 2, dimensions=24)
    return folder


@pytest.fixture(scope="session")
def runtimes() -> dict[object, Runtime]:
    """The models that tests have loaded in torch, by their files."""
    return {}


@pytest.fixture
def opened(
    home: Path, monkeypatch: pytest.MonkeyPatch, runtimes: dict[object, Runtime]
) -> Iterator[Opener]:
    """Opens libraries whose models run in torch, which has nothing to convert.

    They share a loaded model while its files are the same.
    """
    monkeypatch.setenv("WINNOW_RUNTIME", "torch")

    def open_once(checkpoint: Checkpoint, threads: int = 0, device: str = "") -> Runtime:
        files = (path for path in sorted(checkpoint.folder.rglob("*")) if path.is_file())
        stamps = [(path, path.stat().st_mtime_ns, path.stat().st_size) for path in files]
        key = (str(checkpoint), device, os.environ["WINNOW_RUNTIME"], *stamps)
        if key not in runtimes:
            runtimes[key] = open_runtime(checkpoint, threads, device)
        return runtimes[key]

    monkeypatch.setattr("core.index.generation.open_runtime", open_once)
    monkeypatch.setattr(rebuild, "PASSAGES_PER_SEGMENT", 3)
    libraries: list[Library] = []

    def make(model: Path | None = None, home: Path = home, bits: int = 32) -> Library:
        options = LibraryOptions(bits, model=str(model) if model else None)
        libraries.append(Library.open(home, options))
        return libraries[-1]

    yield make
    for library in libraries:
        library.close()


def stop_after(count: int) -> Job:
    """A job that is cancelled when so many passages have been encoded."""
    return _Stopping(count)


class _Stopping(Job):
    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def report(self, progress: Progress) -> None:
        # Here, since a job forwards only a part of its reports.
        if progress.stage in {Stage.ENCODING, Stage.REPLACING} and progress.done >= self._count:
            self.cancel()
