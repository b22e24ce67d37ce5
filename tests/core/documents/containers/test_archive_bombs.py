"""Archive bombs are abandoned before they do harm."""

from __future__ import annotations

import io
import struct
import tarfile

import pytest

from core.errors import DocumentError
from tests.core.containers import archive, zip_bytes


@pytest.mark.parametrize("kind", ["zip", "gz", "xz", "7z"])
@pytest.mark.parametrize("name", ["a.txt", "photo.jpg"])
def test_a_bomb_is_left_before_it_goes_off(opened, kind: str, name: str) -> None:
    """A few kilobytes of compressed zeros; unread members of a ZIP are not unpacked at all."""
    data = archive(kind, {name: bytes(20_000_000), "b.txt": b"x"})
    assert len(data) < 100_000
    if kind == "zip" and name == "photo.jpg":
        assert opened(data, least_bytes=1_000_000).contents == {("b.txt",): b"x"}
        return
    with pytest.raises(DocumentError, match="Unpacks to far more data than an archive of its size"):
        opened(data, least_bytes=1_000_000)


def test_bombs_in_bombs_count_together(opened) -> None:
    inner = zip_bytes({f"{number}.txt": bytes(900_000) for number in range(3)})
    data = zip_bytes({f"{number}.zip": inner for number in range(9)})
    with pytest.raises(DocumentError, match="Unpacks to far more"):
        opened(data, least_bytes=20_000_000)


def test_honest_archives_of_dull_text_are_no_bombs(opened) -> None:
    lines = (
        b"2024-06-30 12:%02d error %d in module %d\n" % (n % 60, n, n % 7) for n in range(9999)
    )
    log = b"".join(lines)
    noted = opened(archive("xz", {"a.log": log}), least_bytes=1_000)
    assert len(noted.contents["a.log",]) == len(log)


def test_gigabytes_that_are_not_there_are_refused(opened) -> None:
    """A sparse member of 10 GB takes a few bytes in its archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        sparse = tarfile.TarInfo("sparse.txt")
        sparse.pax_headers = {
            "GNU.sparse.major": "1",
            "GNU.sparse.minor": "0",
            "GNU.sparse.name": "sparse.txt",
            "GNU.sparse.realsize": str(10_000_000_000),
        }
        table = b"0\n".ljust(512, b"\0")
        sparse.size = len(table)
        archive.addfile(sparse, io.BytesIO(table))
        good = tarfile.TarInfo("good.txt")
        good.size = 1
        archive.addfile(good, io.BytesIO(b"x"))
    noted = opened(buffer.getvalue())
    assert noted.refused == {("sparse.txt",): "Larger than 1000 MB"}
    assert noted.contents == {("good.txt",): b"x"}


def test_gigabytes_that_a_zip_archive_speaks_of_are_refused(opened) -> None:
    data = bytearray(zip_bytes({"a.txt": b"x" * 99}))
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, 0xF0000000)
    assert opened(bytes(data)).refused == {("a.txt",): "Larger than 1000 MB"}


def test_members_without_end_are_counted(opened) -> None:
    data = zip_bytes({f"{number}.txt": b"x" for number in range(30)})
    with pytest.raises(
        DocumentError, match=r"Contains more than 20 documents; the rest were skipped"
    ):
        opened(data, members=20)


def test_a_long_pass_sends_signs_of_life(opened) -> None:
    noted = opened(archive("gz", {"film.mp4": bytes(100_000_000), "a.txt": b"x"}))
    assert noted.signs_of_life >= 2
    assert ("a.txt",) in noted.contents
