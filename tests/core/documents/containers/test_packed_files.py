"""Single compressed files: the document in each, by the name before the suffix."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.containers import archives
from core.documents.containers.unpacking import Pass
from core.documents.formats import format_of
from core.documents.limits import ContainerLimits
from core.errors import DocumentError
from tests.core.containers import tar_bytes, zip_bytes
from tests.core.documents.passes import Noted, go_through

PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


def unpacked(tmp_path: Path, name: str, data: bytes) -> Noted:
    path = tmp_path / name
    path.write_bytes(data)
    return go_through(path, archives.unpack, tmp_path)


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("error.log", b"crow\n"),
        ("syslog.2", "Die Krähe flog über das Dach\n".encode() * 50_000),
        ("отчёт.csv", "имя;птица\n".encode()),
        ("notes.md", b""),
        ("letter.eml", b"Subject: Owl\n\nHoot.\n"),
    ],
)
def test_a_compressed_file_contains_one_document(
    tmp_path: Path, name: str, data: bytes, suffix: str
) -> None:
    noted = unpacked(tmp_path, name + suffix, PACK[suffix](data))
    assert noted.contents == {(name,): data}
    assert not noted.refused


@pytest.mark.parametrize("suffix", PACK)
def test_a_compressed_file_may_be_in_an_archive(tmp_path: Path, suffix: str) -> None:
    inner = {f"logs/app.log.1{suffix}": PACK[suffix](b"crow"), "a.txt": b"owl"}
    noted = unpacked(tmp_path, "logs.zip", zip_bytes(inner))
    packed = ("logs", f"app.log.1{suffix}")
    assert noted.contents[(*packed, "app.log.1")] == b"crow"
    assert noted.contents[("a.txt",)] == b"owl"
    assert noted.closed == {packed: ""}


def test_a_tape_archive_may_have_the_suffix_of_a_single_file(tmp_path: Path) -> None:
    noted = unpacked(tmp_path, "backup.txt.gz", tar_bytes({"a.txt": b"owl"}, "gz"))
    assert noted.contents == {("a.txt",): b"owl"}


def test_a_text_is_no_tape_archive(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="truncated or modified"):
        unpacked(tmp_path, "backup.tar.gz", gzip.compress(b"crow\n" * 200))


@pytest.mark.parametrize("suffix", PACK)
def test_the_beginning_of_a_truncated_file_is_kept(tmp_path: Path, suffix: str) -> None:
    text = random.Random(7).randbytes(1_500_000).hex().encode()
    data = PACK[suffix](text)
    path = tmp_path / f"app.log{suffix}"
    path.write_bytes(data[: len(data) * 2 // 3])
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    noted = Noted(scratch)
    with pytest.raises(DocumentError, match="truncated or modified"):
        Pass(scratch, ContainerLimits(), noted).run(path, archives.unpack)
    (content,) = noted.contents.values()
    assert len(content) > len(text) // 3
    assert text.startswith(content)


def test_a_file_stores_its_time_in_gzip(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with gzip.GzipFile("app.log", "wb", fileobj=buffer, mtime=1_715_000_000) as file:
        file.write(b"crow")
    (member,) = unpacked(tmp_path, "app.log.gz", buffer.getvalue()).members
    assert member.mtime_ns == 1_715_000_000 * 10**9
    (member,) = unpacked(tmp_path, "b.log.gz", gzip.compress(b"crow", mtime=0)).members
    assert member.mtime_ns is None


def test_concatenated_parts_are_one_file(tmp_path: Path) -> None:
    data = gzip.compress(b"first\n") + gzip.compress(b"second\n")
    assert unpacked(tmp_path, "app.log.gz", data).contents == {("app.log",): b"first\nsecond\n"}


@pytest.mark.parametrize(
    "name",
    ["app.log.1", "app.log.12", "app.log.old", "app.log-20240501", "app.log.2024-05-01",
     "app.log.2024-05-01.3", "app.log.2024-05-01_13-05", "app.log-20240501-1714521600", "syslog.1",
     "Messages-20240501", "Xorg.0.log.old", "access_log-20240501", "APP.LOG.3"],
)  # fmt: skip
def test_older_parts_of_logs_are_texts(name: str) -> None:
    for path in (Path(name), Path("/var/log") / name):
        assert format_of(path) is format_of(Path("a.txt"))
    assert format_of(Path(f"{name}.gz")) is format_of(Path("a.zip"))


@pytest.mark.parametrize(
    "name",
    ["photo.raw.1", "lib.so.1", "ls.1", "app.log.bin", "catalog.1", "blog.2", "app.log.12345"],
)  # fmt: skip
def test_other_files_with_numbers_are_not_logs(name: str) -> None:
    assert format_of(Path(name)) is None
    assert format_of(Path(f"{name}.gz")) is None


def test_a_name_of_many_dates_is_recognised_in_time() -> None:
    assert format_of(Path("app.log" + "-20240501" * 25 + "x")) is None
