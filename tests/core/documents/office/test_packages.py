"""Reading and limits of ZIP packages and the XML in them."""

from __future__ import annotations

import io
import random
import tracemalloc
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from core.documents.office import packages
from core.documents.office.packages import open_package, parse_xml, stream_xml
from core.errors import DocumentError
from tests.core.documents.mutations import packed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "letter.docx"


def test_names_are_found_whatever_their_case_and_slashes(path: Path) -> None:
    path.write_bytes(packed({"Word\\Document.xml": "<a/>", "x": "y"}))
    with open_package(path) as package:
        assert package.xml("word/document.xml").tag == "a"
        assert "/WORD/document.xml" in package
        assert "other" not in package
        with package.open("X") as stream:
            assert stream.read() == b"y"
        with pytest.raises(DocumentError, match=r"^Damaged: a part is missing$"):
            package.read("other")


def test_a_bomb_is_refused_before_it_is_unpacked(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(packed({"bomb": b" " * 12_000_000, "dull": b"0123456789abcdef" * 100}))
    with open_package(path) as package:
        monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was unpacked"))
        for read in (package.read, lambda name: package.open(name).__enter__()):
            with pytest.raises(DocumentError, match="Unpacks to far more data than a document"):
                read("bomb")
        monkeypatch.undo()
        assert len(package.read("dull")) == 1600


@pytest.mark.parametrize(
    ("limit", "value", "method"),
    [
        ("LARGEST_MEMBER_BYTES", 99, "read"),
        ("LARGEST_STREAM_BYTES", 99, "open"),
        ("LARGEST_UNPACKED_BYTES", 199, "read"),
    ],
)
def test_sizes_are_bounded(
    path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, method: str
) -> None:
    path.write_bytes(packed({"part": b"x" * 100}))
    monkeypatch.setattr(packages, limit, value)

    def unpack_twice() -> None:
        with open_package(path) as package, ExitStack() as opened:
            for _ in range(2):
                if method == "read":
                    package.read("part")
                else:
                    opened.enter_context(package.open("part"))

    with pytest.raises(DocumentError, match="far more"):
        unpack_twice()


def test_a_member_returns_no_more_than_its_declared_size(path: Path) -> None:
    data = packed({"part": b"x" * 5_000_000})
    size = (5_000_000).to_bytes(4, "little")
    assert data.count(size) == 2
    path.write_bytes(data.replace(size, (100).to_bytes(4, "little")))
    with (
        open_package(path) as package,
        pytest.raises(DocumentError, match=r"^Damaged: a part cannot be unpacked$"),
    ):
        package.read("part")


def test_a_member_is_no_larger_than_the_file_that_contains_it(path: Path) -> None:
    """With a declared compressed size of 2 GB, no unpacked size would exceed the ratio."""
    data = packed({"part": random.Random(1).randbytes(500)})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        start, (info,) = archive.start_dir, archive.infolist()
    size = info.compress_size.to_bytes(4, "little")
    assert data[start + 20 : start + 24] == size
    path.write_bytes(
        data[: start + 20] + (2_000_000_000).to_bytes(4, "little") + data[start + 24 :]
    )
    tracemalloc.start()
    try:
        with (
            open_package(path) as package,
            pytest.raises(DocumentError, match=r"^Damaged: a part cannot be unpacked$"),
        ):
            package.read("part")
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_members_are_counted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(packed({"a": "", "b": "", "c": ""}))
    monkeypatch.setattr(packages, "MOST_MEMBERS", 2)
    with pytest.raises(DocumentError, match="far more"), open_package(path):
        pass


def test_a_member_that_is_packed_in_a_rare_way_is_refused(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("part", "x")
    with open_package(path) as package, pytest.raises(DocumentError, match="cannot be unpacked"):
        package.read("part")


def test_damage_shows_while_a_stream_is_read(path: Path) -> None:
    contents = random.Random(1).randbytes(300_000)
    data = bytearray(packed({"part": contents}))
    data[200_000] ^= 255
    path.write_bytes(data)
    with open_package(path) as package, package.open("part") as stream:
        assert stream.read(1000) == contents[:1000]
        with pytest.raises(DocumentError, match="cannot be unpacked"):
            stream.read()


def test_an_encrypted_archive_needs_a_password(path: Path) -> None:
    data = bytearray(packed({"part": "x"}))
    for signature in (b"PK\x03\x04", b"PK\x01\x02"):
        data[data.index(signature) + (6 if signature[2] == 3 else 8)] |= 1
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=r"^Password required$"), open_package(path):
        pass


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "^Empty file"),
        (b"hello", r"^Damaged: not a \.docx file$"),
        (b"PK\x03\x04 and so on", "^Damaged: the file is truncated or modified$"),
        (bytes.fromhex("d0cf11e0a1b11ae1"), "^Damaged: the file is truncated or modified$"),
    ],
)
def test_an_invalid_package_is_called_by_its_kind(path: Path, data: bytes, reason: str) -> None:
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=reason), open_package(path):
        pass


def test_a_missing_file_is_reported(path: Path) -> None:
    with pytest.raises(DocumentError, match="No longer exists"), open_package(path):
        pass


def test_a_bug_in_a_reader_is_no_damage(path: Path) -> None:
    path.write_bytes(packed({"part": "x"}))
    with (
        pytest.raises(ValueError, match="a bug"),
        open_package(path) as package,
        package.open("part"),
    ):
        raise ValueError("a bug")


def test_packed_is_what_zipfile_reads() -> None:
    with zipfile.ZipFile(io.BytesIO(packed({"a": "b"}))) as archive:
        assert archive.read("a") == b"b"


_BOMB = (
    '<!DOCTYPE r [<!ENTITY a0 "lollollol">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    + "]>"
)


@pytest.mark.parametrize(
    "body", ["<r>&a9;</r>", '<r x="&a9;"/>', "<r/>"], ids=["text", "attribute", "unused"]
)
def test_a_bomb_of_entities_is_refused(body: str) -> None:
    with pytest.raises(DocumentError, match=r"^Damaged: a part (is not well|defines ent)"):
        parse_xml((_BOMB + body).encode())


def test_entities_are_refused_and_nothing_outside_is_read(tmp_path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    markup = f'<!DOCTYPE r [<!ENTITY x SYSTEM "{secret.as_uri()}">]><r>&x;</r>'
    with pytest.raises(DocumentError, match="defines entities"):
        parse_xml(markup.encode())
    (root,) = stream_xml(io.BytesIO(markup.encode()), "r")
    assert "secret" not in "".join(root.itertext())


@pytest.mark.parametrize("data", [b"", b"\0", b"<a>", b"<a>&nbsp;</a>", b"<a>\xff</a>"])
def test_malformed_xml_is_damaged(data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"^Damaged: it is not well-formed$"):
        parse_xml(data, "it")
    with pytest.raises(DocumentError, match=r"^Damaged: a part is not well-formed$"):
        list(stream_xml(io.BytesIO(data), "a"))


def test_depth_is_bounded_so_that_readers_may_recurse() -> None:
    def nested(depth: int) -> bytes:
        return b"<a>" * depth + b"</a>" * depth

    assert parse_xml(nested(250)).tag == "a"
    with pytest.raises(DocumentError, match="not well-formed"):
        parse_xml(nested(300))


def test_a_stream_keeps_nothing_of_what_it_gave() -> None:
    rows = "".join(f"<row><c>{number}</c></row>" for number in range(20_000))
    seen = []
    for row in stream_xml(io.BytesIO(f"<sheet>{rows}</sheet>".encode()), "{*}row"):
        seen.append(row[0].text)
        assert row.getparent().index(row) <= 1
        assert len(row.getparent()) < 5_000  # it reads some way ahead
    assert seen == [str(number) for number in range(20_000)]
