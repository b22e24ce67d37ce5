"""Walks through containers in a process apart, and single members taken out of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents import formats
from core.documents.containers.members import Closed, Member
from core.documents.document import Document, Page
from core.documents.formats import Format
from core.documents.limits import ContainerLimits, Limits
from core.documents.reader import Reader
from core.documents.sandbox.scratch import Scratch
from core.errors import DocumentError, WinnowError
from tests.core.containers import container_bytes, zip_bytes
from tests.core.documents.conftest import pdf_bytes

TREE = {
    "a.txt": "Crows",
    "in.zip": {"b.txt": "Owls", "note.eml": {"body": "Rooks", "c.txt": "Swifts"}},
    "z.txt": "Last",
}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "papers.zip"
    path.write_bytes(container_bytes("papers.zip", TREE))
    return path


def walked(reader: Reader, path: Path) -> dict[str, str]:
    """The texts of all members by place, and the ends of containers."""
    found: dict[str, str] = {}
    with reader.members(path) as walk:
        for step in walk:
            name = "/".join(step.inner_path)
            if isinstance(step, Closed):
                found[f"end of {name}"] = step.reason
            elif step.reason:
                found[name] = step.reason
            elif name.endswith(".zip"):
                found[name] = "container"
            else:
                found[name] = reader.read_member(step, walk).pages[0].text
    return found


def test_members_are_walked_through_in_order(reader: Reader, archive: Path) -> None:
    assert list(walked(reader, archive).items()) == [
        ("a.txt", "Crows"),
        ("in.zip", "container"),
        ("in.zip/b.txt", "Owls"),
        ("in.zip/note.eml", "From: Anna Rook <anna@example.org>\nAttachments: c.txt\n\nRooks"),
        ("in.zip/note.eml/c.txt", "Swifts"),
        ("end of in.zip/note.eml", ""),
        ("end of in.zip", ""),
        ("z.txt", "Last"),
    ]


@pytest.mark.parametrize("suffix", ["zip", "7z", "tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_archives_of_every_kind_are_opened(reader: Reader, tmp_path: Path, suffix: str) -> None:
    """No unpacking library needs a call that a reading process may not make."""
    path = tmp_path / f"papers.{suffix}"
    path.write_bytes(container_bytes(path.name, {"a.txt": "Crows", "sub/b.md": "Owls"}))
    assert walked(reader, path) == {"a.txt": "Crows", "sub/b.md": "Owls"}


def test_skipped_folders_are_not_walked(reader: Reader, archive: Path) -> None:
    places = []
    with reader.members(archive) as walk:
        for step in walk:
            places.append(step.inner_path)
            walk.pass_over()
    assert places == [("a.txt",), ("in.zip",), ("z.txt",)]


def test_a_walk_can_be_left_in_its_middle(reader: Reader, archive: Path) -> None:
    for _ in range(3):
        with reader.members(archive) as walk:
            for _step in walk:
                break
    assert len(walked(reader, archive)) == 8


def test_each_step_can_be_cancelled(reader: Reader, archive: Path) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), reader.members(archive, stop) as walk:
        list(walk)
    assert len(walked(reader, archive)) == 8


def test_a_document_in_a_container_is_read_by_its_path(reader: Reader, archive: Path) -> None:
    assert reader.read(archive / "in.zip" / "b.txt").pages[0].text == "Owls"
    assert reader.read(archive / "in.zip" / "note.eml" / "c.txt").pages[0].text == "Swifts"
    for missing in ("gone.txt", "in.zip/gone.txt", "a.txt/gone.txt"):
        with pytest.raises(DocumentError, match="No longer in its archive"):
            reader.read(archive / missing)
    with pytest.raises(DocumentError, match="only other documents"):
        reader.read(archive / "in.zip")
    plain = archive.with_name("a.txt")
    plain.write_text("x")
    with pytest.raises(DocumentError, match="Unsupported file type"):
        reader.read(plain / "b.txt")


def test_a_page_of_a_pdf_in_a_container_is_drawn(reader: Reader, tmp_path: Path) -> None:
    pages = [[(50, 500, 12, f"Page {number}")] for number in (1, 2)]
    path = tmp_path / "papers.zip"
    path.write_bytes(zip_bytes({"in.zip": zip_bytes({"a.pdf": pdf_bytes(pages)}), "b.txt": b"x"}))
    image = reader.draw(path / "in.zip" / "a.pdf", 2, 400, [(0, 4)])
    assert (image.width, image.height) == (400, 600)
    assert image.boxes[0]
    with pytest.raises(DocumentError, match="has no page images"):
        reader.draw(path / "b.txt", 1, 400)


def test_pages_are_turned_without_unpacking_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zip_bytes({"a.pdf": pdf_bytes([[(50, 500, 12, "One")], []])}))
    with Reader() as reader:
        reader.draw(path / "a.pdf", 1, 100)
        extracted = []
        take = Reader._take
        monkeypatch.setattr(
            reader._unpacking, "exchange", lambda: extracted.append(take) or pytest.fail("again")
        )
        reader.draw(path / "a.pdf", 2, 100)
        monkeypatch.undo()
        # Another archive of the same name is another one.
        path.write_bytes(zip_bytes({"a.pdf": pdf_bytes([[(50, 500, 12, "Two")]] * 3)}))
        reader.draw(path / "a.pdf", 3, 100)


# Errors


_HOSTILE = """
    import ctypes, os, time
    from core.documents.document import Document, Page

    def segfault(path): ctypes.string_at(0)
    def hang(path): time.sleep(1000)
    def unpack_and_crash(path, level):
        level.take("a.txt", [b"Crows"])
        ctypes.string_at(0)
    def unpack_and_hang(path, level):
        level.take("a.txt", [b"Crows"])
        time.sleep(1000)
    def unpack_slowly(path, level):
        for number in range(6):
            time.sleep(0.4)
            level.take(f"{number}.txt", [b"Crows"])
    def unpack_in_silence(path, level):
        sink = level.member("film.raw")
        for _ in range(6):
            time.sleep(0.4)
            sink.write(bytes(40_000_000))
        level.take("a.txt", [b"Crows"])
    def escape(path, level):
        level._pass.listener._send({"member": ["..", "x.txt"], "size_bytes": 1, "mtime_ns": None,
                                    "hash": "0", "reason": ""})
    def lie(path, level):
        def name(): return "../../etc/passwd"
        from core.documents.containers.members import Member
        level._pass.listener.offer(Member(("a.txt",), 1, None, "0"), name)
"""


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Give a container whose process, or the one that reads members, has a function from above."""
    import textwrap

    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "hostile_containers.py").write_text(textwrap.dedent(_HOSTILE))
    monkeypatch.syspath_prepend(folder)

    def make(opener: str = "", *, reader: str = "") -> Path:
        path = tmp_path / "hostile.zip"
        path.write_bytes(zip_bytes({"a.txt": b"Crows", "b.md": b"Owls", "c.txt": b"Rooks"}))
        own = []
        if opener:
            own.append(Format("x", "X", (".zip",), members=f"hostile_containers:{opener}"))
        if reader:
            own.append(Format("y", "Y", (".md",), f"hostile_containers:{reader}"))
        monkeypatch.setattr(formats, "FORMATS", (*own, *formats.FORMATS))
        return path

    return make


@pytest.mark.parametrize(
    ("function", "reason"),
    [("segfault", "Reading this file crashed the reader"), ("hang", "Took longer than 0.7 s")],
)
def test_a_member_that_kills_its_reader_costs_itself_alone(hostile, function, reason) -> None:
    """The walk continues at the same position: nothing is unpacked again."""
    with Reader(Limits(timeout_s=0.7)) as reader:
        path = hostile(reader=function)
        found = []
        with reader.members(path) as walk:
            for step in walk:
                assert isinstance(step, Member)
                process = reader._unpacking.process
                try:
                    found.append(reader.read_member(step, walk).pages[0].text)
                except DocumentError as error:
                    found.append(str(error))
                assert reader._unpacking.process is process
    assert found == ["Crows", reason, "Rooks"]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("unpack_and_crash", "Reading this file crashed the reader"),
        ("unpack_and_hang", "Took longer than 0.7 s"),
    ],
)
def test_a_container_that_kills_its_process_ends_the_walk_with_a_reason(
    hostile, archive: Path, function, reason
) -> None:
    found = []
    with Reader(Limits(timeout_s=0.7)) as reader:
        path = hostile(function)
        with pytest.raises(DocumentError, match=reason), reader.members(path) as walk:
            found.extend(step.inner_path for step in walk)
        formats.FORMATS = formats.FORMATS[1:]
        assert len(walked(reader, archive)) == 8
    assert found == [("a.txt",)]


@pytest.mark.parametrize("function", ["unpack_slowly", "unpack_in_silence"])
def test_only_silence_counts_against_the_time_limit(hostile, function) -> None:
    """However long a walk takes, and however long the program thinks about a member."""
    import time

    with Reader(Limits(timeout_s=1.0)) as reader, reader.members(hostile(function)) as walk:
        steps = 0
        for _step in walk:
            steps += 1
            if steps == 1:
                end_s = time.monotonic() + 1.2
                while time.monotonic() < end_s:
                    pass
    assert steps in {1, 6}


@pytest.mark.parametrize("function", ["escape", "lie"])
def test_the_output_of_the_process_is_not_trusted(hostile, function) -> None:
    with (
        Reader() as reader,
        pytest.raises(DocumentError, match="Reading this file crashed the reader"),
    ):
        walked(reader, hostile(function))


def test_limits_hold_in_the_separate_process(archive: Path) -> None:
    limits = Limits(containers=ContainerLimits(members=2))
    with (
        Reader(limits) as reader,
        pytest.raises(DocumentError, match="more than 2 documents"),
        reader.members(archive) as walk,
    ):
        list(walk)


def test_an_invalid_container_has_a_reason(reader: Reader, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"nothing of the kind")
    (tmp_path / "a.txt").write_bytes(b"x")
    for name, reason in (
        ("a.zip", "Damaged"),
        ("a.txt", "Unsupported file type"),
        ("gone.zip", "No longer exists"),
    ):
        with pytest.raises(DocumentError, match=reason), reader.members(tmp_path / name) as walk:
            list(walk)


def test_a_scratch_folder_that_cannot_be_written_to_is_the_system_s_failure(
    reader: Reader, tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zip_bytes({"a.txt": os.urandom(5_000_000)}))
    with Reader(scratch=tmp_path / "scratch") as other, other.members(path) as walk:
        shutil.rmtree(other._scratch.folder())
        with pytest.raises(FileNotFoundError, match="No such file"):
            list(walk)


# The scratch folder


def test_nothing_is_left_of_what_was_unpacked(tmp_path: Path, archive: Path) -> None:
    place = tmp_path / "scratch"
    with Reader(scratch=place) as reader:
        walked(reader, archive)
        reader.read(archive / "in.zip" / "b.txt")
        (folder,) = (path for path in place.iterdir() if path.is_dir())
        assert list(folder.iterdir())
    assert [path for path in place.iterdir() if path.name != "making"] == []


def test_leftovers_of_a_killed_program_are_removed_and_those_of_a_live_one_are_not(
    tmp_path: Path,
) -> None:
    script = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "from pathlib import Path; from core.documents.sandbox.scratch import Scratch\n"
        f"scratch = Scratch(Path({str(tmp_path)!r}))\n"
        "(scratch.folder() / 'secret.txt').write_text('x')\n"
        "print(scratch.folder(), flush=True); sys.stdin.readline()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        other = Path(program.stdout.readline().strip())
        first = Scratch(tmp_path)
        first.folder()
        assert (other / "secret.txt").exists()
        program.kill()
    second = Scratch(tmp_path)
    second.folder()
    assert not other.exists()
    assert first.folder().exists()
    first.close()
    second.close()
    second.close()


def test_a_place_that_cannot_be_written_to_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WinnowError, match=r"cannot be unpacked in .*set WINNOW_HOME"):
        Scratch(tmp_path / "file").folder()


def test_only_its_owner_may_look_into_a_scratch_folder(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    if os.name != "nt":
        assert scratch.folder().stat().st_mode & 0o077 == 0
    scratch.close()


def test_documents_are_what_they_were(reader: Reader, archive: Path) -> None:
    """A member is read like a file in a folder."""
    plain = archive.with_name("b.txt")
    plain.write_text("Owls")
    assert reader.read(plain) == reader.read(archive / "in.zip" / "b.txt")
    assert reader.read(plain) == Document("", (Page(1, "Owls"),))
