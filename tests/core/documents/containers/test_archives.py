"""The members unpacked from and refused in archives of each kind."""

from __future__ import annotations

import io
import os
import stat
import struct
import tarfile
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from core.documents.containers import archives
from core.documents.containers.members import LEADS_OUT
from core.documents.limits import ContainerLimits
from core.errors import DocumentError
from tests.core.containers import archive, sevenzip_bytes, tar_bytes, zip_bytes
from tests.core.documents.passes import Noted

KINDS = ["zip", "tar", "gz", "bz2", "xz", "7z"]
FILES = {"a.txt": b"Crows", "sub/b.md": b"Owls" * 1000, "photo.jpg": b"\xff\xd8", "empty.txt": b""}
READ = {("a.txt",): b"Crows", ("sub", "b.md"): b"Owls" * 1000, ("empty.txt",): b""}


@pytest.mark.parametrize("kind", KINDS)
def test_readable_members_are_unpacked(opened, kind: str) -> None:
    noted = opened(archive(kind, FILES))
    assert noted.contents == READ
    assert noted.refused == {}


@pytest.mark.parametrize("kind", KINDS)
def test_ignored_files_are_left_out(opened, kind: str) -> None:
    left_out = [".hidden.txt", "__MACOSX/._a.txt", ".git/x.md", "a/node_modules/x.md", "~$a.txt"]
    noted = opened(archive(kind, dict.fromkeys([*left_out, "a.txt"], b"x")))
    assert list(noted.contents) == [("a.txt",)]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "tar"])
def test_an_archive_may_be_empty(opened, kind: str) -> None:
    assert opened(archive(kind, {})).members == []


@pytest.mark.parametrize("kind", KINDS)
def test_large_members_are_unpacked_whole(opened, kind: str) -> None:
    data = os.urandom(3_000_000)
    noted = opened(archive(kind, {"a.txt": data, "b.txt": b"x", "c.txt": data[:5]}))
    assert noted.contents == {("a.txt",): data, ("b.txt",): b"x", ("c.txt",): data[:5]}


@pytest.mark.parametrize("outer", KINDS)
@pytest.mark.parametrize("inner", KINDS)
def test_archives_in_archives_are_opened(opened, outer: str, inner: str) -> None:
    suffix = inner if inner in {"zip", "7z", "tar"} else f"tar.{inner}"
    files = {"before.txt": b"x", f"in.{suffix}": archive(inner, FILES), "then.txt": b"y"}
    noted = opened(archive(outer, files))
    inside = {(f"in.{suffix}", *place): data for place, data in READ.items()}
    extracted = {
        place: data for place, data in noted.contents.items() if place[-1] != f"in.{suffix}"
    }
    assert extracted == {("before.txt",): b"x", **inside, ("then.txt",): b"y"}
    assert noted.closed == {(f"in.{suffix}",): ""}


def test_containers_nested_too_deeply_are_refused(opened) -> None:
    data = zip_bytes({"deep.txt": b"x"})
    for depth in range(4, 0, -1):
        data = zip_bytes({f"{depth}.zip": data, "a.txt": b"x"})
    noted = opened(data)
    assert noted.refused == {
        ("1.zip", "2.zip", "3.zip"): "Nested too deeply: at most 3 levels are opened"
    }
    assert ("1.zip", "2.zip", "a.txt") in noted.contents


def test_an_archive_that_holds_itself_ends(opened) -> None:
    """An archive that contains itself is opened down to the depth limit."""
    data = zip_bytes({"a.txt": b"x"})
    for _ in range(50):
        data = zip_bytes({"a.zip": data})
    assert len(opened(data).members) == 3


# Names, links, devices


def tar_of(*infos: tarfile.TarInfo) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as built:
        for info in infos:
            built.addfile(info, io.BytesIO(bytes(info.size)))
    return buffer.getvalue()


def info(name: str, kind: bytes = tarfile.REGTYPE, **attributes: object) -> tarfile.TarInfo:
    built = tarfile.TarInfo(name)
    built.type = kind
    for attribute, value in attributes.items():
        setattr(built, attribute, value)
    return built


OUTSIDE = {
    "/etc/a.txt": ("etc", "a.txt"),
    "../../b.txt": ("b.txt",),
    "x/../../c.txt": ("x", "c.txt"),
    "C:\\d.txt": ("C_", "d.txt"),
}


@pytest.mark.parametrize("kind", ["zip", "tar", "gz"])
def test_names_that_lead_out_are_refused(opened, kind: str) -> None:
    noted = opened(archive(kind, {**dict.fromkeys(OUTSIDE, b"x"), "good.txt": b"y"}))
    assert noted.refused == dict.fromkeys(OUTSIDE.values(), LEADS_OUT)
    assert noted.contents == {("good.txt",): b"y"}


def test_names_that_lead_out_of_a_7z_archive_are_refused(
    opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    import py7zr

    with monkeypatch.context() as patch:
        # Otherwise it would not write them.
        patch.setattr(py7zr.py7zr, "check_archive_path", lambda _name: True)
        data = sevenzip_bytes({**dict.fromkeys(OUTSIDE, b"x"), "good.txt": b"y"})
    noted = opened(data)
    assert noted.refused == dict.fromkeys(OUTSIDE.values(), LEADS_OUT)
    assert noted.contents == {("good.txt",): b"y"}


def test_links_and_devices_are_refused(opened) -> None:
    data = tar_of(
        info("link.txt", tarfile.SYMTYPE, linkname="/etc/passwd"),
        info("hard.txt", tarfile.LNKTYPE, linkname="good.txt"),
        info("null.txt", tarfile.CHRTYPE, devmajor=1, devminor=3),
        info("pipe.txt", tarfile.FIFOTYPE),
        info("link", tarfile.SYMTYPE, linkname="/etc"),
        info("good.txt", size=3),
    )
    noted = opened(data)
    assert noted.refused == {
        ("link.txt",): "Link (not followed)",
        ("hard.txt",): "Link (not followed)",
        ("null.txt",): "Device file (skipped)",
        ("pipe.txt",): "Device file (skipped)",
    }
    assert noted.contents == {("good.txt",): bytes(3)}


def test_links_in_zip_and_7z_archives_are_refused(opened, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as built:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        built.writestr(link, "/etc/passwd")
    refused = {("link.txt",): "Link (not followed)"}
    assert opened(buffer.getvalue()).refused == refused
    if os.name == "nt":
        return
    import py7zr

    (tmp_path / "link.txt").symlink_to("/etc/passwd")
    with py7zr.SevenZipFile(tmp_path / "a.7z", "w") as archive_7z:
        archive_7z.write(tmp_path / "link.txt", "link.txt")
    assert opened((tmp_path / "a.7z").read_bytes()).refused == refused


def test_two_members_of_one_name_are_both_unpacked(opened) -> None:
    data = tar_of(info("a.txt", size=1), info("a.txt", size=2), info("a (2).txt", size=3))
    assert {place: len(data) for place, data in opened(data).contents.items()} == {
        ("a.txt",): 1,
        ("a (2).txt",): 2,
        ("a (2) (2).txt",): 3,
    }


def test_thousands_of_members_of_one_name_are_numbered_in_no_time(opened) -> None:
    noted = opened(tar_of(*(info("a.txt") for _ in range(20_000))))
    assert ("a (20000).txt",) in noted.contents


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("Prüfung und Übung für Anfänger.txt", "cp850"),
        ("Отчёт за прошлый год.txt", "cp866"),
        ("审计压缩包文件检索测试文档.txt", "gbk"),
        ("Größe.txt", "utf-8"),
    ],
)
def test_names_are_read_in_the_encoding_they_look_like(opened, name: str, encoding: str) -> None:
    raw = name.encode(encoding)
    placeholder = "x" * (len(raw) - 4) + ".txt"
    data = zip_bytes({placeholder: b"x"}).replace(placeholder.encode(), raw)
    assert list(opened(data).contents) == [(name,)]


def test_modification_times(opened) -> None:
    built = datetime(2020, 1, 1).astimezone()
    (member,) = opened(zip_bytes({"a.txt": b"x"})).members
    assert member.mtime_ns == int(built.timestamp()) * 1_000_000_000
    (member,) = opened(tar_of(info("a.txt", mtime=1_600_000_000))).members
    assert member.mtime_ns == 1_600_000_000_000_000_000
    (member,) = opened(tar_of(info("a.txt", mtime=-5))).members
    assert member.mtime_ns is None
    (member,) = opened(sevenzip_bytes({"a.txt": b"x"})).members
    assert member.mtime_ns is not None


# Passwords and damage


def test_a_member_without_a_name_is_unpacked(opened) -> None:
    data = bytearray(zip_bytes({"": b"Crows", "a.txt": b"Owls"}))
    assert opened(bytes(data)).contents == {("a.txt",): b"Owls"}


def test_encrypted_archives_are_refused(opened) -> None:
    with pytest.raises(DocumentError, match=r"^Password required$"):
        opened(sevenzip_bytes({"a.txt": b"x"}, password="x"))
    encrypted = bytearray(zip_bytes({"a.txt": b"x", "b.txt": b"y"}))
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[encrypted.index(magic) + offset] |= 1
    noted = opened(bytes(encrypted))
    assert noted.refused == {("a.txt",): "Password required"}
    assert noted.contents == {("b.txt",): b"y"}
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[encrypted.rindex(magic) + offset] |= 1
    with pytest.raises(DocumentError, match=r"^Password required$"):
        opened(bytes(encrypted))


def test_an_encrypted_header_needs_a_password(tmp_path: Path, opened) -> None:
    import py7zr

    with py7zr.SevenZipFile(tmp_path / "a.7z", "w", password="x", header_encryption=True) as built:
        built.writestr(b"x", "a.txt")
    with pytest.raises(DocumentError, match=r"^Password required$"):
        opened((tmp_path / "a.7z").read_bytes())


@pytest.mark.parametrize("kind", KINDS)
def test_a_truncated_archive_is_damaged_but_intact_members_are_unpacked(opened, kind: str) -> None:
    files = {"a.txt": os.urandom(50_000), "b.txt": os.urandom(50_000)}
    data = archive(kind, files)
    noted = None
    for share in range(1, 10):
        with pytest.raises(DocumentError, match="Damaged"):
            noted = opened(data[: len(data) * share // 10])
    assert noted is None


@pytest.mark.parametrize("kind", ["tar", "gz", "xz"])
def test_members_before_the_damage_are_unpacked(tmp_path: Path, kind: str) -> None:
    data = archive(kind, {"a.txt": os.urandom(50_000), "b.txt": os.urandom(3_000_000)})
    path = tmp_path / "a.tar"
    path.write_bytes(data[:2_000_000])
    extracted: list[str] = []

    class Listener(Noted):
        def offer(self, member, write) -> bool:
            extracted.append(member.inner_path[0])
            return False

    from core.documents.containers.unpacking import Pass

    with pytest.raises(DocumentError, match="Damaged"):
        Pass(tmp_path, ContainerLimits(), Listener(tmp_path)).run(path, archives.unpack)
    assert extracted == ["a.txt"]


def test_a_damaged_member_is_refused_and_the_rest_are_unpacked(opened) -> None:
    data = zip_bytes({"a.txt": b"Crows" * 99, "b.txt": b"Owls"})
    at = data.index(b"a.txt") + 8
    noted = opened(data[:at] + b"\xff\xff\xff" + data[at + 3 :])
    assert noted.refused == {("a.txt",): "Damaged in its archive"}
    assert noted.contents == {("b.txt",): b"Owls"}


def test_a_damaged_header_in_a_tape_archive_is_no_end(opened) -> None:
    data = bytearray(tar_bytes({"a.txt": b"x", "b.txt": b"y"}))
    data[1024 + 150] ^= 0xFF
    with pytest.raises(DocumentError, match="Damaged"):
        opened(bytes(data))


def test_a_damaged_archive_in_an_archive_is_closed_with_the_reason(opened) -> None:
    noted = opened(zip_bytes({"in.zip": b"PK\x03\x04 no more", "a.txt": b"x"}))
    assert noted.closed == {("in.zip",): "Damaged: the archive is truncated or modified"}
    assert ("a.txt",) in noted.contents


def test_an_unknown_way_of_packing_is_refused(opened) -> None:
    data = bytearray(zip_bytes({"a.txt": b"x"}))
    for magic, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        struct.pack_into("<H", data, data.index(magic) + offset, 9)
    assert opened(bytes(data)).refused == {("a.txt",): "Unsupported compression method"}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "Empty file"),
        (bytes(2000), "Contains only zero bytes"),
        (b"something else", "Damaged, or not a supported archive"),
    ],
)
def test_an_invalid_archive_has_a_reason(opened, data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        opened(data)


@pytest.mark.parametrize("kind", ["zip", "tar", "gz", "7z"])
def test_an_archive_without_members_is_an_empty_one(opened, kind: str) -> None:
    noted = opened(archive(kind, {}))
    assert (noted.contents, noted.refused, noted.closed) == ({}, {}, {})


def test_a_tape_archive_is_empty_without_a_record_filled_up(opened) -> None:
    assert opened(bytes(1024)).contents == {}


def test_a_tape_archive_from_before_there_was_a_mark_is_opened(opened) -> None:
    data = bytearray(archive("tar", {"a.txt": b"Crows."}))
    data[257:265] = bytes(8)
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    assert opened(bytes(data)).contents == {("a.txt",): b"Crows."}
