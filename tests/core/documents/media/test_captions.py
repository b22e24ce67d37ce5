"""Captions from EXIF, XMP and IPTC in each picture format."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from core.documents.damage import CUT
from core.documents.document import IS_PICTURE, Document
from core.documents.media import picture_blocks
from core.documents.pages import pictures
from core.errors import DocumentError
from tests.core.documents.media.media_files import (
    exif_bytes,
    heif_bytes,
    iptc_bytes,
    jpeg_bytes,
    png_bytes,
    webp_bytes,
    xmp_text,
)
from tests.core.documents.mutations import mutations, read_all

_NOTES = exif_bytes(
    {
        0x010E: "Krähen auf dem Dach",
        0x010F: "Canon",
        0x0110: "Canon EOS 7D",
        0x0132: "2025:01:01 00:00:00",
        0x013B: "Ann Rook",
    },
    {0x9003: "2024:06:30 12:05:00", 0x9011: "+02:00"},
    {1: "N", 2: [(48, 1), (8, 1), (132, 10)], 3: "W", 4: [(11, 1), (34, 1), (30, 1)]},
)
_XMP = xmp_text(
    """<dc:title><rdf:Alt><rdf:li xml:lang="x-default">The roost</rdf:li></rdf:Alt></dc:title>
    <dc:subject><rdf:Bag><rdf:li>crow</rdf:li><rdf:li>roof</rdf:li></rdf:Bag></dc:subject>
    <Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Bo Daw</rdf:li></rdf:Bag>
    </Iptc4xmpExt:PersonInImage>
    <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>
      <rdf:li><rdf:Description mwg-rs:Name="Cy Jay" mwg-rs:Type="Face"/></rdf:li>
      <rdf:li><rdf:Description mwg-rs:Name="Roof" mwg-rs:Type="Focus"/></rdf:li>
    </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>""",
    'photoshop:City="Munich" photoshop:Country="Germany"',
)
_IPTC = iptc_bytes([(105, "Grüße"), (120, "A flock"), (25, "owl"), (90, "Köln"), (55, "20230102")])


def _read(tmp_path: Path, name: str, data: bytes) -> Document:
    (tmp_path / name).write_bytes(data)
    read = pictures.read_caption if name.endswith(("heic", "avif")) else pictures.read
    return read(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jpg", jpeg_bytes(_NOTES, _XMP)),
        ("a.png", png_bytes((b"eXIf", _NOTES), (b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + _XMP))),
        ("a.webp", webp_bytes((b"EXIF", _NOTES), (b"XMP ", _XMP))),
        ("a.heic", heif_bytes(_NOTES, _XMP)),
        ("a.avif", heif_bytes(_NOTES, _XMP, b"avif")),
    ],
)
def test_all_fields_are_read_from_each_format(tmp_path: Path, name: str, data: bytes) -> None:
    document = _read(tmp_path, name, data)
    assert (document.title, document.author) == ("The roost", "Ann Rook")
    assert document.date == "2024-06-30T12:05:00+02:00"
    (page,) = document.pages
    assert page.text == (
        "The roost\n\nKrähen auf dem Dach\n\nPeople: Bo Daw, Cy Jay\n"
        "Where: Munich, Germany (48.137, -11.575)\nWhen: 2024-06-30 12:05\nTags: crow, roof\n"
        "Camera: Canon EOS 7D"
    )
    assert [heading.text for heading in page.headings] == ["The roost"]
    assert page.unread == ("" if name in {"a.heic", "a.avif"} else IS_PICTURE)


def test_notes_of_news_agencies_are_read(tmp_path: Path) -> None:
    document = _read(tmp_path, "a.jpg", jpeg_bytes(iptc=_IPTC))
    assert (document.title, document.date) == ("Grüße", "2023-01-02")
    assert document.pages[0].text == "Grüße\n\nA flock\n\nWhere: Köln\nWhen: 2023-01-02\nTags: owl"


def test_a_tiff_file_has_a_caption_in_its_directories(tmp_path: Path) -> None:
    for order in "<>":
        data = exif_bytes({0x010E: "A fax", 0x02BC: _XMP, 0x83BB: _IPTC}, order=order)
        text = _read(tmp_path, "a.tif", data).pages[0].text
        assert "The roost" in text
        assert "A fax" in text
        assert "owl" in text


def test_words_of_png_files_and_comments_of_jpeg_files(tmp_path: Path) -> None:
    packed = b"Description\0\0" + zlib.compress("Ein Käuzchen".encode("latin-1"))
    data = png_bytes((b"tEXt", b"Title\0Owls"), (b"zTXt", packed))
    assert _read(tmp_path, "a.png", data).pages[0].text == "Owls\n\nEin Käuzchen"
    data = jpeg_bytes(comment=b"Found on the beach")
    assert _read(tmp_path, "a.jpg", data).pages[0].text == "Found on the beach"


@pytest.mark.parametrize(
    "description",
    [*("OLYMPUS DIGITAL CAMERA         ", "SONY DSC", "IMG_20240630_120500", "12.3.2004", " ")],
)
def test_camera_metadata_adds_no_text(tmp_path: Path, description: str) -> None:
    notes = exif_bytes({0x010E: description, 0x0110: "E-M1"}, {0x9003: "2024:06:30 12:05:00"})
    document = _read(tmp_path, "a.jpg", jpeg_bytes(notes))
    assert (document.title, document.pages[0].text) == ("", "")
    assert document.date == "2024-06-30T12:05:00"


def test_windows_words_and_comments_of_every_encoding(tmp_path: Path) -> None:
    wide = {0x9C9B: "Title ä\0".encode("utf-16-le"), 0x9C9E: "a tag;b\0".encode("utf-16-le")}
    comment = {0x9286: b"UNICODE\0" + "Über 罪".encode("utf-16-le")}
    text = _read(tmp_path, "a.jpg", jpeg_bytes(exif_bytes(wide, comment))).pages[0].text
    assert text == "Title ä\n\nÜber 罪\n\nTags: a tag, b"


def test_hostile_notes_cost_nothing(tmp_path: Path) -> None:
    entities = b'<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>' + _XMP.partition(b"?>")[2]
    assert _read(tmp_path, "a.jpg", jpeg_bytes(xmp=entities)).pages[0].text == ""
    # A directory that links to itself, and a text chunk that decompresses to too much.
    circle = b"II*\0\x08\0\0\0\0\0\x08\0\0\0" + bytes(10)
    assert len(_read(tmp_path, "a.tif", circle).pages) == 1
    bomb = b"Comment\0\0" + zlib.compress(b"crow " * 2_000_000)
    (page,) = _read(tmp_path, "a.png", png_bytes((b"zTXt", bomb))).pages
    assert len(page.text) <= picture_blocks.LONGEST


def test_an_invalid_picture_has_a_reason(tmp_path: Path) -> None:
    for data in (b"", b"text", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom"):
        with pytest.raises(DocumentError, match="Damaged: not an image"):
            _read(tmp_path, "a.heic", data)
    assert _read(tmp_path, "a.jpg", b"\xff\xd8").pages[0].text == ""


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jpg", jpeg_bytes(_NOTES, _XMP, _IPTC, b"So")),
        ("a.png", png_bytes((b"eXIf", _NOTES), (b"tEXt", b"Title\0Owls"))),
        ("a.tif", exif_bytes({0x010E: "A fax", 0x02BC: _XMP})),
        ("a.webp", webp_bytes((b"EXIF", _NOTES), (b"XMP ", _XMP))),
        ("a.heic", heif_bytes(_NOTES, _XMP)),
    ],
)
def test_damage_leaves_a_picture_or_a_reason(tmp_path: Path, name: str, data: bytes) -> None:
    read = pictures.read_caption if name == "a.heic" else pictures.read
    count, reasons = read_all(read, tmp_path / name, mutations(data))
    assert count
    assert reasons <= {"Damaged: not an image", "Has 2,001 pages; the limit is 2,000"}


@pytest.mark.parametrize("count", [100, 20_000, 60_000])
def test_a_long_caption_is_read_to_its_end(count: int, tmp_path: Path) -> None:
    notes = exif_bytes({0x010E: f"{'caw ' * count}The end"}, {}, {})
    data = png_bytes((b"eXIf", notes))
    assert _read(tmp_path, "a.png", data).pages[0].text.endswith("The end")


_LONG = xmp_text(
    "<dc:title><rdf:Alt><rdf:li>The roost</rdf:li></rdf:Alt></dc:title>"
    f"<dc:description><rdf:Alt><rdf:li>{'caw ' * 500}</rdf:li></rdf:Alt></dc:description>"
)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", png_bytes((b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + _LONG))),
        ("b.png", png_bytes((b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(_LONG)))),
        ("a.webp", webp_bytes((b"XMP ", _LONG))),
        ("a.heic", heif_bytes(_NOTES, _LONG)),
        ("a.tif", exif_bytes({0x010E: "The roost " + "caw " * 500})),
    ],
)
def test_the_end_of_a_long_block_is_reported(
    tmp_path: Path, name: str, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (page,) = _read(tmp_path, name, data).pages
    assert CUT not in page.unread
    monkeypatch.setattr(picture_blocks, "LONGEST", 1_200)
    (page,) = _read(tmp_path, name, data).pages
    assert "The roost" in page.text
    assert CUT in page.unread.split("\n")
    assert page.is_picture == (name != "a.heic")


def test_the_second_part_of_xmp_in_a_jpeg_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extended = xmp_text("<dc:subject><rdf:Bag><rdf:li>rookery</rdf:li></rdf:Bag></dc:subject>")
    half = len(extended) // 2
    parts = [
        b"http://ns.adobe.com/xmp/extension/\0" + bytes(32)
        + struct.pack(">II", len(extended), at) + extended[at : at + half]
        for at in range(0, len(extended), half)
    ]  # fmt: skip
    segments = b"".join(
        struct.pack(">BBH", 0xFF, 0xE1, len(part) + 2) + part for part in reversed(parts)
    )
    picture = jpeg_bytes(_NOTES, _XMP)
    (page,) = _read(tmp_path, "a.jpg", picture[:2] + segments + picture[2:]).pages
    assert "Tags: crow, roof, rookery" in page.text
    assert page.unread == IS_PICTURE
    monkeypatch.setattr(picture_blocks, "_LONGEST_EXTENDED", half)
    (page,) = _read(tmp_path, "a.jpg", picture[:2] + segments + picture[2:]).pages
    assert CUT in page.unread
