"""Tags and subtitles of sound and film."""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

import pytest

from core.documents.damage import CUT, SOME_TEXT, TOO_MANY_PARTS, TRUNCATED
from core.documents.document import Document
from core.documents.media import boxes, matroska, mp4, recordings
from core.documents.media import tags as media_tags
from core.errors import DocumentError
from core.indexing.scan.ignore_rules import IgnoreRules
from core.indexing.scan.reconcile import content_hash
from core.library.library import Library
from core.responses import Mode
from tests.core.documents.media.media_files import box, riff_bytes, riff_chunk
from tests.core.documents.media.recording_files import (
    element,
    flac_bytes,
    id3_bytes,
    mkv_bytes,
    mp4_bytes,
    ogg_bytes,
    old_tag,
    wav_bytes,
)
from tests.core.documents.mutations import mutations, read_all

_COMMENTS = (
    "TITLE=Rooks",
    "ARTIST=Ann Daw",
    "ARTIST=Bo Jay",
    "album=Über Vögel",
    "DATE=2024-06-30",
)
_LYRICS = "LYRICS=Caw\nCaw again"
_SUNG = "Rooks\n\nBy: Ann Daw; Bo Jay\nAlbum: Über Vögel\nWhen: 2024-06-30\n\nCaw\nCaw again"
_CUES = [(0, 3, "The crow\nwaits."), (3, 130, ""), (130, 133, "It has gone.")]
_SHOWN = "0:00\n\nThe crow\nwaits.\n\n2:10\n\nIt has gone."


def _read(tmp_path: Path, name: str, data: bytes) -> Document:
    (tmp_path / name).write_bytes(data)
    return recordings.read(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.flac", flac_bytes(*_COMMENTS, _LYRICS)),
        ("a.ogg", ogg_bytes(*_COMMENTS, _LYRICS)),
        ("b.ogg", ogg_bytes("COVER=" + "x" * 2000, *_COMMENTS, _LYRICS, room=2)),
        ("a.opus", ogg_bytes(*_COMMENTS, _LYRICS, kind=b"OpusTags")),
        (
            "a.mp3",
            id3_bytes(
                ("TIT2", b"\3Rooks"),
                ("TPE1", b"\3Ann Daw\0Bo Jay"),
                ("TALB", "\1Über Vögel".encode("latin-1")[:1] + "Über Vögel".encode("utf-16")),
                ("TDRC", b"\x002024-06-30"),
                ("APIC", b"\0image/png\0\3\0" + bytes(50)),
                ("USLT", b"\0eng\0Caw\nCaw again"),
            ),
        ),
        (
            "a.m4a",
            mp4_bytes(
                (b"\xa9nam", "Rooks"),
                (b"\xa9ART", "Ann Daw; Bo Jay"),
                (b"\xa9alb", "Über Vögel"),
                (b"\xa9day", "2024-06-30"),
                (b"\xa9lyr", "Caw\nCaw again"),
            ),
        ),
        (
            "a.mkv",
            mkv_bytes(
                "Rooks", [tuple(comment.split("=")) for comment in (*_COMMENTS[1:], _LYRICS)]
            ),
        ),
    ],
)
def test_each_format_produces_the_same_page(tmp_path: Path, name: str, data: bytes) -> None:
    document = _read(tmp_path, name, data)
    assert (document.title, document.date) == ("Rooks", "2024-06-30")
    assert document.author in {"Ann Daw; Bo Jay", "Ann Daw / Bo Jay"}
    assert document.pages[0].text.replace(" / ", "; ") == _SUNG


def test_old_tags_of_sound_are_read(tmp_path: Path) -> None:
    old = b"\xff\xfb" + bytes(500) + old_tag("Käuze", "Ann", genre=8)
    assert _read(tmp_path, "a.mp3", old).pages[0].text == "Käuze\n\nBy: Ann\nGenre: Jazz"
    third = id3_bytes(("TIT2", b"\0K\xe4uze"), ("TYER", b"\x001999"), version=3)
    assert _read(tmp_path, "b.mp3", third).pages[0].text == "Käuze\n\nWhen: 1999"
    second = id3_bytes(("TT2", b"\0Owls"), ("TCO", b"\0(17)"), version=2)
    assert _read(tmp_path, "c.mp3", second).pages[0].text == "Owls\n\nGenre: Rock"
    content = wav_bytes((b"INAM", "Owls"), (b"IART", "Bo"), (b"ICMT", "At night"))
    assert _read(tmp_path, "a.wav", content).pages[0].text == "Owls\n\nBy: Bo\n\nAt night"
    listed = b"INFO" + riff_chunk(b"INAM", b"Wings\0")
    film = riff_bytes(b"AVI ", (b"LIST", b"movi" + bytes(40)), (b"LIST", listed))
    assert _read(tmp_path, "a.avi", film).pages[0].text == "Wings"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.mp4", mp4_bytes(subtitles=_CUES)),
        ("a.mkv", mkv_bytes(cues=_CUES)),
        ("b.mkv", mkv_bytes(cues=_CUES, is_listed=True)),
        ("c.mkv", mkv_bytes(cues=_CUES, is_open=True)),
        (
            "d.mkv",
            mkv_bytes(
                cues=[(0, 3, r"0,0,Who,,0,0,0,,{\i1}The crow\Nwaits."), _CUES[2]],
                codec="S_TEXT/ASS",
            ),
        ),
    ],
)
def test_subtitles_are_a_page_behind_the_tags(tmp_path: Path, name: str, data: bytes) -> None:
    first, second = _read(tmp_path, name, data).pages
    assert (first.text, second.number) == ("", 2)
    assert second.text == _SHOWN


def test_chapters_of_every_kind(tmp_path: Path) -> None:
    shown = "0:00 The nest\n2:00 The flight"
    content = [(0, "The nest"), (120, "The flight")]
    assert _read(tmp_path, "a.mkv", mkv_bytes(chapters=content)).pages[0].text == shown
    assert _read(tmp_path, "a.m4b", mp4_bytes(nero=content)).pages[0].text == shown
    tracked = mp4_bytes(chapters=[(0, 120, "The nest"), (120, 180, "The flight")])
    (page,) = _read(tmp_path, "b.m4b", tracked).pages
    assert page.text == shown
    named = ("CHAPTER001=00:00:00.000", "CHAPTER001NAME=The nest")
    named += ("CHAPTER002=00:02:00.000", "CHAPTER002NAME=The flight")
    assert _read(tmp_path, "a.opus", ogg_bytes(*named)).pages[0].text == shown
    times = struct.pack(">IIII", 120_000, 180_000, 0, 0)
    inner = b"TIT2" + struct.pack(">I", 11) + b"\0\0\0The flight"
    assert _read(tmp_path, "a.mp3", id3_bytes(("CHAP", b"a\0" + times + inner), version=3)).pages[
        0
    ].text == ("2:00 The flight")


def test_phone_metadata_adds_no_text(tmp_path: Path) -> None:
    place = box(b"\xa9xyz", struct.pack(">HH", 18, 0), b"+48.1370+011.5750/")
    header = box(b"mvhd", bytes(4), struct.pack(">I", 3_802_503_900), bytes(92))
    start = box(b"ftyp", b"qt  ", bytes(4))
    document = _read(tmp_path, "a.mov", start + box(b"moov", header, box(b"udta", place)))
    assert (document.pages[0].text, document.date) == ("", "2024-06-29T11:05:00+00:00")
    title = box(b"\xa9nam", struct.pack(">HH", 4, 0), b"Nest")
    document = _read(tmp_path, "a.mov", start + box(b"moov", box(b"udta", place, title)))
    assert document.pages[0].text == "Nest\n\nWhere: 48.137, 11.575"


def test_names_of_tags_that_programs_make_up(tmp_path: Path) -> None:
    data = mp4_bytes(named=[("PUBLISHER", "Nests Ltd"), ("iTunSMPB", "0000")])
    assert _read(tmp_path, "a.m4a", data).pages[0].text == "Publisher: Nests Ltd"
    data = id3_bytes(("COMM", b"\0engiTunNORM\0 0000"), ("TXXX", b"\0narrator\0Ann"), version=3)
    assert _read(tmp_path, "a.mp3", data).pages[0].text == "With: Ann"


@pytest.mark.parametrize("data", [b"", b"text", b"RIFF\4\0\0\0ACON", bytes(9000)])
def test_an_invalid_recording_has_a_reason(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"Empty file|Damaged: not a supported audio or video"):
        _read(tmp_path, "a.mp3", data)


def test_a_film_of_very_many_blocks_notes_missing_subtitles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cues = [(number, number + 1, f"Crow {number}") for number in range(9)]
    film = mkv_bytes(cues=cues)
    assert not _read(tmp_path, "a.mkv", film).pages[0].unread
    monkeypatch.setattr(matroska, "_MOST_ELEMENTS", 80)
    first, second = _read(tmp_path, "a.mkv", film).pages
    assert first.unread == TOO_MANY_PARTS
    assert "Crow 0" in second.text
    assert "Crow 8" not in second.text


@pytest.mark.parametrize(
    ("limit", "name", "data"),
    [
        ("_MOST_VALUES", "a.flac", flac_bytes(*_COMMENTS)),
        ("_MOST_COMMENTS", "a.ogg", ogg_bytes("TITLE=Rooks", "DATE=2024")),
        ("_MOST_BLOCKS", "b.flac", flac_bytes("TITLE=Rooks")),
        ("_MOST_FRAMES", "a.mp3", id3_bytes(("TIT2", b"\3Rooks"), ("TPE1", b"\3Ann"))),
    ],
)
def test_tags_beyond_a_limit_are_reported(
    limit: str, name: str, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not _read(tmp_path, name, data).pages[0].unread
    monkeypatch.setattr(media_tags, limit, 1)
    assert _read(tmp_path, name, data).pages[0].unread == TOO_MANY_PARTS


@pytest.mark.parametrize(
    ("module", "limit", "most"),
    [(mp4, "_MOST_TRACKS", 1), (mp4, "_MOST_SAMPLES", 1), (boxes, "_MOST_BOXES", 2)],
)
def test_parts_of_a_film_beyond_a_limit_are_reported(
    module: ModuleType, limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = mp4_bytes((b"\xa9nam", "Rooks"), subtitles=[(0, 1, "Crows"), (1, 2, "Owls")])
    assert not _read(tmp_path, "a.mp4", film).pages[0].unread
    monkeypatch.setattr(module, limit, most)
    assert _read(tmp_path, "a.mp4", film).pages[0].unread == TOO_MANY_PARTS


@pytest.mark.parametrize("damage", [b"\0\1\2", b"\xa3\0\0\0", bytes([0, *range(200)])])
def test_damage_in_a_film_ends_only_the_damaged_part(tmp_path: Path, damage: bytes) -> None:
    cues = [(index, index + 1, f"Crow {index}") for index in range(5)]
    film = mkv_bytes("Rooks", cues=cues)
    starts = [match.start() for match in re.finditer(b"\x1f\x43\xb6\x75", film)]
    middle = starts[2]
    segment = film.index(b"\x18\x53\x80\x67") + 4
    size = int.from_bytes(film[segment : segment + 8], "big") + len(damage)
    data = film[:segment] + size.to_bytes(8, "big") + film[segment + 8 : middle] + damage
    first, track = _read(tmp_path, "a.mkv", data + film[middle:]).pages
    assert first.unread == SOME_TEXT
    assert all(f"Crow {index}" in track.text for index in range(5))


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
@pytest.mark.parametrize(
    ("name", "film"),
    [
        ("a.mkv", mkv_bytes("Rooks", cues=_CUES)),
        ("a.mp4", mp4_bytes((b"\xa9nam", "Rooks"), subtitles=_CUES)),
        ("a.m4a", mp4_bytes((b"\xa9nam", "Rooks"))),
    ],
)
def test_a_film_that_was_cut_off_is_reported(
    tmp_path: Path, name: str, film: bytes, share: float
) -> None:
    assert not _read(tmp_path, name, film).pages[0].unread
    assert _read(tmp_path, name, film[: int(share * len(film))]).pages[0].unread == TRUNCATED


def test_a_film_cut_between_two_boxes_is_reported(tmp_path: Path) -> None:
    film = mp4_bytes((b"\xa9nam", "Rooks"))
    assert _read(tmp_path, "a.mp4", film[: film.index(b"moov") - 4]).pages[0].unread == TRUNCATED


def test_padding_in_a_film_is_no_damage(tmp_path: Path) -> None:
    film = mkv_bytes("Rooks", cues=_CUES)
    assert not _read(tmp_path, "a.mkv", film + bytes(40)).pages[0].unread


@pytest.mark.parametrize("kind", ["COMMENT", "LYRICS", "DESCRIPTION"])
def test_very_long_values_are_cut_and_reported(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(media_tags, "LONGEST", 20)
    page = _read(tmp_path, "a.flac", flac_bytes("TITLE=Rooks", f"{kind}={'caw ' * 9}")).pages[0]
    assert page.unread == CUT


def _open_film(title: str) -> bytes:
    """Return a film as live recorders write it: a segment and clusters of unknown size."""
    header, film = element(0x1A45DFA3), mkv_bytes(title, cues=_CUES, is_open=True)
    start = film.index(b"\x18\x53\x80\x67")
    return header + element(0x18538067, film[start + 12 :], is_open=True)


def test_an_open_segment_ends_before_the_next_one(tmp_path: Path) -> None:
    joined = _open_film("Rooks") + _open_film("Owls")
    first, *tracks = _read(tmp_path, "a.mkv", joined).pages
    assert first.text == "Rooks"
    assert [track.text for track in tracks] == [_SHOWN, _SHOWN]


@pytest.mark.parametrize("kind", [0x18538067, 0x1F43B675, 0x1549A966, 0x1654AE6B, 0x1254C367])
def test_each_open_element_is_read_a_few_times(
    kind: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []

    def noted(file: BinaryIO, start: int, end: int, most_bytes: int) -> bytes:
        reads.append(start)
        return boxes.read_part(file, start, end, most_bytes)

    monkeypatch.setattr(matroska, "read_part", noted)
    film = _open_film("Rooks") + element(kind, is_open=True) * 1_000
    assert _read(tmp_path, "a.mkv", film).title == "Rooks"
    assert len(reads) < 10_000


def test_a_large_film_is_read_in_parts(tmp_path: Path, library: Library, folder: Path) -> None:
    film = folder / "holidays.mp4"
    film.write_bytes(mp4_bytes((b"\xa9nam", "Jays in the garden")))
    with film.open("ab") as file:
        file.write(struct.pack(">I4sQ", 1, b"mdat", 3_000_000_000))
        file.truncate(3_000_000_000)  # a hole, which takes no room
    assert IgnoreRules.of(folder).size_rule(film, 3_000_000_000) is None
    library.add_folder(folder)
    report = library.sync()
    assert (report.failed, report.unsupported) == ((), ())
    assert [hit.path for hit in library.search("jays", mode=Mode.WORDS).hits] == [film]
    before = content_hash(film)
    os.utime(film, ns=(1, 1))
    assert content_hash(film) != before


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.mp3", id3_bytes(("TIT2", b"\3Rooks"), ("COMM", b"\0eng\0Caw"), version=3)),
        ("a.flac", flac_bytes(*_COMMENTS)),
        ("a.ogg", ogg_bytes(*_COMMENTS, room=1)),
        ("a.wav", wav_bytes((b"INAM", "Owls"))),
        ("a.mp4", mp4_bytes((b"\xa9nam", "Owls"), subtitles=_CUES, nero=[(0, "Nest")])),
        ("a.mkv", mkv_bytes("Owls", [("ARTIST", "Ann")], [(0, "Nest")], _CUES, is_listed=True)),
    ],
)
def test_damage_leaves_a_recording_or_a_reason(tmp_path: Path, name: str, data: bytes) -> None:
    count, reasons = read_all(recordings.read, tmp_path / name, mutations(data))
    assert count
    assert all(reason.startswith(("Damaged: not a", "Empty file")) for reason in reasons)
