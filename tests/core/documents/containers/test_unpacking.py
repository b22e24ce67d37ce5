"""Passes over containers whose readers fail, and passes for one member."""

from __future__ import annotations

from errno import EIO
from pathlib import Path

import pytest

from core.documents.containers import archives, unpacking
from core.documents.containers.members import Closed
from core.documents.containers.unpacking import NoRoomError, Pass, StopError
from core.documents.limits import ContainerLimits
from core.documents.mail import message
from core.errors import DocumentError
from tests.core.containers import container_bytes
from tests.core.documents.passes import Noted, go_through

TREE = {
    "a.txt": "Crows",
    "in.zip": {"a.txt": "Owls", "note.eml": {"body": "Rooks", "b.txt": "Swifts"}},
    "z.txt": "Last",
}


class Taker(Noted):
    """Wants one member and stops there, as the reading process does."""

    def __init__(self, scratch: Path, wanted: tuple[str, ...]) -> None:
        super().__init__(scratch)
        self.wanted = wanted
        self.found = b""

    def offer(self, member, write) -> bool:
        super().offer(member, write)
        if member.inner_path == self.wanted:
            self.found = (self._scratch / write()).read_bytes()
            raise StopError
        return True


def written(tmp_path: Path) -> Path:
    path = tmp_path / "a.zip"
    path.write_bytes(container_bytes("a.zip", TREE))
    return path


@pytest.mark.parametrize(
    ("wanted", "content", "on_the_way"),
    [
        (("a.txt",), b"Crows", 1),
        (("in.zip", "a.txt"), b"Owls", 2),
        (("in.zip", "note.eml", "b.txt"), b"Swifts", 3),
        (("z.txt",), b"Last", 1),
    ],
)
def test_one_member_is_found_and_no_other_touched(
    tmp_path: Path, wanted: tuple[str, ...], content: bytes, on_the_way: int
) -> None:
    taker = Taker(tmp_path, wanted)
    with pytest.raises(StopError):
        Pass(tmp_path, ContainerLimits(), taker, wanted).run(written(tmp_path), archives.unpack)
    assert taker.found == content
    assert len(taker.members) == on_the_way


def test_the_second_of_two_of_one_name_is_found(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "one")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.txt", "two")
    taker = Taker(tmp_path, ("a (2).txt",))
    with pytest.raises(StopError):
        Pass(tmp_path, ContainerLimits(), taker, taker.wanted).run(path, archives.unpack)
    assert taker.found == b"two"


def test_members_not_to_be_opened_are_skipped(tmp_path: Path) -> None:
    class Indifferent(Noted):
        def offer(self, member, write) -> bool:
            super().offer(member, write)
            return False

    noted = Indifferent(tmp_path)
    Pass(tmp_path, ContainerLimits(), noted).run(written(tmp_path), archives.unpack)
    assert [member.inner_path for member in noted.members] == [("a.txt",), ("in.zip",), ("z.txt",)]
    assert noted.closed == {}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (DocumentError("Password required"), "Password required"),
        (MemoryError(), "Not enough memory"),
        (ZeroDivisionError(), "Cannot be opened (ZeroDivisionError)"),
    ],
)
def test_a_container_that_fails_in_another_one_costs_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    def fail(_path: Path, _level: object) -> None:
        raise error

    closed: list[tuple[Closed, str]] = []

    class Listener(Noted):
        def close(self, found: Closed, trace: str) -> None:
            closed.append((found, trace))

    path = written(tmp_path)
    monkeypatch.setattr(unpacking, "load_function", lambda _opener: fail)
    noted = Listener(tmp_path)
    Pass(tmp_path, ContainerLimits(), noted).run(path, archives.unpack)
    assert list(noted.contents) == [("a.txt",), ("in.zip",), ("z.txt",)]
    ((found, trace),) = closed
    assert found == Closed(("in.zip",), reason)
    # Only an unexpected error has a traceback.
    assert bool(trace) == isinstance(error, ZeroDivisionError)


def test_a_missing_scratch_folder_is_not_damage(tmp_path: Path) -> None:
    scratch = tmp_path / "gone"
    with pytest.raises(NoRoomError):
        Pass(scratch, ContainerLimits(), Noted(scratch)).run(written(tmp_path), archives.unpack)


def test_a_longer_member_leaves_nothing_to_a_shorter_one(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(container_bytes("a.tar", {"a.txt": "long " * 500_000, "b.txt": "short"}))
    noted = Noted(tmp_path)
    Pass(tmp_path, ContainerLimits(), noted).run(path, archives.unpack)
    assert noted.contents["b.txt",] == b"short"
    # One file for both: the scratch folder has one member at a time.
    assert sorted(file.name for file in tmp_path.iterdir()) == ["1.txt", "a.tar"]


def test_a_failing_disk_is_not_damage_of_a_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_path: Path, _level: object) -> None:
        raise OSError(EIO, "Input/output error")

    noted = Noted(tmp_path)
    monkeypatch.setattr(unpacking, "load_function", lambda _name: fail)
    with pytest.raises(OSError, match="Input/output error"):
        Pass(tmp_path, ContainerLimits(), noted).run(written(tmp_path), archives.unpack)
    assert noted.closed == {}


@pytest.mark.parametrize("is_started", [False, True])
def test_a_disk_that_fails_while_an_archive_is_read_does_not_damage_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_started: bool
) -> None:
    import zipfile

    def fail(*_: object) -> bytes:
        raise OSError(EIO, "Input/output error")

    noted = Noted(tmp_path)
    path = written(tmp_path)
    if is_started:
        monkeypatch.setattr(zipfile.ZipExtFile, "read", fail)
    else:
        monkeypatch.setattr(zipfile.ZipFile, "_RealGetContents", fail)
    with pytest.raises(OSError, match="Input/output error"):
        Pass(tmp_path, ContainerLimits(), noted).run(path, archives.unpack)
    assert noted.members == []


FORWARDED = {
    "body": "one",
    "b.eml": {
        "body": "two",
        "c.eml": {"body": "three", "d.eml": {"body": "four", "e.txt": "five"}},
    },
}


@pytest.mark.parametrize(("depth", "innermost"), [(2, ("b.eml", "c.eml")), (1, ("b.eml",))])
def test_a_mail_at_the_limit_is_read_and_the_mails_in_it_are_reported(
    tmp_path: Path, depth: int, innermost: tuple[str, ...]
) -> None:
    path = tmp_path / "a.eml"
    path.write_bytes(container_bytes("a.eml", FORWARDED))
    noted = go_through(path, message.unpack, tmp_path, ContainerLimits(depth=depth))
    assert list(noted.contents)[-1] == innermost
    assert noted.closed[innermost] == f"Nested too deeply: at most {depth} levels are opened"
    assert not any(noted.closed[place] for place in noted.closed if place != innermost)


def test_a_mail_at_the_limit_without_attachments_lacks_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.eml"
    path.write_bytes(container_bytes("a.eml", FORWARDED))
    noted = go_through(path, message.unpack, tmp_path, ContainerLimits(depth=4))
    assert not any(noted.closed.values())
    flat = {"body": "one", "b.eml": {"body": "two"}}
    path.write_bytes(container_bytes("a.eml", flat))
    noted = go_through(path, message.unpack, tmp_path, ContainerLimits(depth=1))
    assert noted.closed == {("b.eml",): ""}
