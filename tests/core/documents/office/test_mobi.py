from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.damage import DamageError, OtherKindError
from core.documents.document import Document
from core.documents.office import mobi
from core.documents.office.mobi import HuffmanPhrases, unpack_pairs
from core.errors import DocumentError
from tests.core.documents.office.book_files import CODES, PAIRS, PLAIN, book_bytes, database_bytes

Read = Callable[[bytes], Document]

_BOOK = (
    "<html><body><h1>Crows</h1><p>They hide fööd.</p><mbp:pagebreak/>"
    "<h1>Owls</h1><p>They hunt mice 罪.</p></body></html>"
)
_TEXTS = ["Crows\n\nThey hide fööd.", "Owls\n\nThey hunt mice 罪."]
_LETTERS = tuple((bytes([byte]), True) for byte in sorted(set(_BOOK.encode())))


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_bytes(data: bytes) -> Document:
        path = tmp_path / "book.mobi"
        path.write_bytes(data)
        return mobi.read(path)

    return read_bytes


def _texts(document: Document) -> list[str]:
    return [page.text for page in document.pages]


@pytest.mark.parametrize(
    ("packing", "extras"), [(PLAIN, 0), (PAIRS, 0), (CODES, 0), (PAIRS, 0b111)]
)
def test_each_part_of_a_book_is_a_page(read: Read, packing: int, extras: int) -> None:
    document = read(book_bytes(_BOOK, packing=packing, extras=extras, phrases=_LETTERS))
    assert _texts(document) == _TEXTS
    assert [page.headings[0].text for page in document.pages] == ["Crows", "Owls"]


def test_a_book_contains_its_metadata(read: Read) -> None:
    extra = {100: "Ann Rook", 106: "2024-06-30", 503: "Birds of the field"}
    document = read(book_bytes(_BOOK, name="birds", extra=extra))
    assert (document.title, document.author) == ("Birds of the field", "Ann Rook")
    assert document.date == "2024-06-30"
    assert read(book_bytes(_BOOK, name="Birds at home")).title == "Birds at home"


def test_the_files_of_a_book_of_kindles_are_pages_and_its_styles_are_not_read(read: Read) -> None:
    files = "".join(
        f'<?xml version="1.0"?><html><head><title>x</title></head><body></body></html><p>{bird}</p>'
        for bird in ("Crows", "Owls")
    )
    document = read(book_bytes(files, version=8, behind="p { color: red }"))
    assert _texts(document) == ["Crows", "Owls"]


def test_old_books_are_in_windows_letters(read: Read) -> None:
    assert _texts(read(book_bytes("<p>fööd €", encoding="cp1252"))) == ["fööd €"]


def test_a_dictionary_is_one_page(read: Read) -> None:
    entries = "".join(f"<p>word {number}</p><mbp:pagebreak/>" for number in range(2_500))
    (page,) = read(book_bytes(entries, record_bytes=4096)).pages
    assert "word 2499" in page.text


def test_texts_of_palms_own_are_read(read: Read) -> None:
    text = b"Crows hide food.\nOwls < mice."
    header = struct.pack(">HHLHHHH", PLAIN, 0, len(text), 1, 4096, 0, 0)
    assert _texts(read(database_bytes([header, text], b"TEXtREAd"))) == [text.decode()]


@pytest.mark.parametrize("data", [book_bytes(_BOOK, locks=2), b"\xeaDRMION\xee" + bytes(100)])
def test_a_locked_book_is_reported(read: Read, data: bytes) -> None:
    with pytest.raises(DocumentError, match="Copy-protected"):
        read(data)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04" + bytes(200), b"TPZ0" + bytes(200)])
def test_an_invalid_book_is_refused(read: Read, data: bytes) -> None:
    with pytest.raises(OtherKindError, match="Not an e-book despite"):
        read(data)


def test_a_book_that_ends_in_the_middle_is_read_to_there(read: Read) -> None:
    data = book_bytes("<p>Crows " * 400, packing=PAIRS)
    document = read(data[: len(data) // 2])
    assert _texts(document)[0].startswith("Crows")
    assert document.pages[0].unread == "Some damaged text was skipped"


def test_records_that_cannot_be_unpacked_are_left_out(read: Read) -> None:
    data = bytearray(book_bytes("<p>Crows " * 400, packing=PAIRS))
    data[-700:-600] = b"\x80\x00" * 50
    document = read(bytes(data))
    assert "Crows" in _texts(document)[0]
    assert document.pages[0].unread


@pytest.mark.parametrize("packing", [CODES, 99])
def test_a_book_with_unknown_compression_is_damaged(read: Read, packing: int) -> None:
    data = bytearray(book_bytes(_BOOK))
    begin = struct.unpack_from(">L", data, 78)[0]
    struct.pack_into(">H", data, begin, packing)
    with pytest.raises(DamageError, match="cannot be unpacked"):
        read(bytes(data))


def test_phrases_in_themselves_and_without_measure_are_refused(read: Read) -> None:
    itself = [(b"\xff", False)]
    growing = [(b"a" * 60, True), *((bytes([255 - n]) * 60, False) for n in range(20))]
    for phrases in (itself, growing):
        first = 255 - (len(phrases) - 1)
        codes = book_bytes("<p>a", packing=CODES, phrases=[*_LETTERS])
        assert _texts(read(codes)) == ["a"]
        with pytest.raises(DamageError):
            _phrases_of(phrases).unpack(bytes([first]))


def _phrases_of(phrases: list[tuple[bytes, bool]]) -> HuffmanPhrases:
    from tests.core.documents.office import book_files

    return HuffmanPhrases(book_files._codes(), [book_files._phrases(phrases)])


@given(st.binary(max_size=200))
def test_any_bytes_unpack_or_are_damaged(data: bytes) -> None:
    with suppress(DamageError):
        assert len(unpack_pairs(data)) <= 10 * len(data)
    phrases = _phrases_of([(bytes([n]), True) for n in range(100)])
    try:
        assert len(phrases.unpack(data)) == len(data)
    except DamageError:
        assert min(data) < 156
