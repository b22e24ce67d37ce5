from __future__ import annotations

import struct
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.documents.document import Document, Page
from core.documents.metadata import Properties
from core.documents.office.ole import compound_file, reason_not_a_package, stream, summary_of
from core.documents.text import normalise
from core.errors import DocumentError
from tests.core.documents.mutations import mutations, read_all
from tests.core.documents.office.compound_files import compound_bytes, summary_stream

_SUMMARY = "\x05SummaryInformation"


def _ticks(moment: datetime) -> int:
    return int((moment - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "costs.xls"


def _properties(path: Path, summary: bytes) -> Properties:
    path.write_bytes(compound_bytes({"Book": b"x", _SUMMARY: summary}))
    with compound_file(path) as ole:
        return summary_of(ole)


@pytest.mark.parametrize(
    ("code_page", "encoding", "title"),
    [
        (1251, "cp1251", "Вороны"),
        (-535, "utf-8", "Krähen"),
        (10000, "mac-roman", "Krähen"),
        (1200, "utf-16-le", "Krähen"),
        (7, "ascii", "Crows"),
    ],
)
def test_the_summary_is_read_in_its_code_page(
    path: Path, code_page: int, encoding: str, title: str
) -> None:
    times = {12: _ticks(datetime(2003, 5, 6, 7, 8, tzinfo=UTC))}
    summary = summary_stream(title, "Ann Rook", code_page=code_page, encoding=encoding, times=times)
    assert _properties(path, summary) == Properties(title, "Ann Rook", "2003-05-06T07:08:00+00:00")


def test_the_date_is_when_it_was_saved_last(path: Path) -> None:
    times = {
        12: _ticks(datetime(2003, 5, 6, tzinfo=UTC)),
        13: _ticks(datetime(2004, 1, 2, tzinfo=UTC)),
    }
    assert _properties(path, summary_stream(times=times)).date == "2004-01-02T00:00:00+00:00"
    for none in (0, 2**63):
        assert _properties(path, summary_stream(times={13: none})).date == ""


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xfe\xff",
        # A list of 4 billion entries, all missing.
        summary_stream("Crows").replace(
            struct.pack("<II", 0x1E, 6), struct.pack("<II", 0x101E, 0xFFFFFFFF)
        ),
    ],
)
def test_a_damaged_summary_is_ignored(path: Path, damage: bytes) -> None:
    assert _properties(path, damage) == Properties()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("EncryptedPackage", "Password required"),
        ("WordDocument", "Is a Word 97–2003 document (.doc), despite its name"),
        ("PowerPoint Document", "Is a PowerPoint 97–2003 presentation (.ppt), despite its "),
        ("Workbook", "Is an Excel 97–2003 workbook (.xls), despite its name"),
        ("Notes", "Damaged, or not a .xls file despite its name"),
    ],
)
def test_the_content_type_is_recognised_by_a_stream(path: Path, name: str, reason: str) -> None:
    path.write_bytes(compound_bytes({name: b"x"}))
    assert reason_not_a_package(path).startswith(reason)


@pytest.mark.parametrize("name", ["Root Entry", "Book"])
@pytest.mark.parametrize("size_bytes", [100, 5000])
def test_a_small_file_that_claims_gigabytes_is_not_searched_for_them(
    path: Path, name: str, size_bytes: int
) -> None:
    data = bytearray(compound_bytes({"Book": b"x" * size_bytes}))
    entry = data.index(name.encode("utf-16-le"))
    struct.pack_into("<I", data, entry + 120, 0xFFFF0000)
    path.write_bytes(data)
    reason = pytest.raises(DocumentError, match="Damaged: the file is truncated or modified")
    with reason, compound_file(path) as ole:
        stream(ole, "Book")


@pytest.mark.parametrize(("at", "shift"), [(30, 2), (30, 28), (30, 31), (32, 31)])
def test_sectors_of_impossible_sizes_are_damage_and_take_no_memory(
    path: Path, at: int, shift: int
) -> None:
    data = bytearray(compound_bytes({"Book": b"x" * 5000}))
    struct.pack_into("<H", data, at, shift)
    struct.pack_into("<II", data, 68, 0, 1)  # continues in a sector that lists sectors
    struct.pack_into("<I", data, 44, 1000)
    path.write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(DocumentError, match="Damaged"), compound_file(path):
            pass
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def test_sector_counts_beyond_the_file_are_ignored(path: Path) -> None:
    """The chain of mini FAT sectors is circular, and its declared length is in the billions."""
    data = bytearray(compound_bytes({"Book": b"x" * 100}))
    struct.pack_into("<II", data, 60, 0, 2**32 - 5)
    fat = 512 * (struct.unpack_from("<I", data, 76)[0] + 1)
    struct.pack_into("<I", data, fat, 0)
    path.write_bytes(data)
    tracemalloc.start()
    try:
        with compound_file(path) as ole:
            stream(ole, "Book")
    except DocumentError:
        pass
    finally:
        peak_bytes = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak_bytes < 50_000_000


def test_damage_has_a_reason(path: Path) -> None:
    data = compound_bytes({"Book": b"x" * 5000, _SUMMARY: summary_stream("Crows")})

    def read(path: Path) -> Document:
        with compound_file(path) as ole:
            properties = summary_of(ole)
            text = stream(ole, "Book").decode("latin-1")
        return Document(properties.title, (Page(1, normalise(text)),))

    count, reasons = read_all(read, path, mutations(data))
    assert count
    assert all(reason.startswith("Damaged: ") for reason in reasons)
