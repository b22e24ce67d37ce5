from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document
from core.documents.text_formats import subtitles


@pytest.fixture
def read(tmp_path: Path):
    def read_source(source: str | bytes, name: str = "film.srt") -> Document:
        path = tmp_path / name
        path.write_bytes(source.encode() if isinstance(source, str) else source)
        return subtitles.read(path)

    return read_source


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


def test_cues_are_read_without_numbers_times_and_tags(read) -> None:
    source = (
        "1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Crows</i> &amp; owls\r\n{\\an8}are here.\r\n\r\n"
        "2\r\n00:00:02,500 --> 00:00:04,000\r\nSee them.\r\n\r\n"
        "3\r\n00:00:20,000 --> 00:00:21,000\r\n42\r\n"
    )
    assert _text(read(source)) == "0:01\n\nCrows & owls\nare here.\nSee them.\n\n42"


def test_the_time_is_a_heading_at_regular_intervals(read) -> None:
    cues = [
        f"{n}\n{n // 60:02}:{n % 60:02}:00,000 --> {n // 60:02}:{n % 60:02}:01,000\nline {n}\n"
        for n in range(63)
    ]
    headings = read("\n".join(cues)).pages[0].headings
    assert [heading.text for heading in headings[:3]] == ["0:00", "2:00", "4:00"]
    assert headings[-1].text == "1:02:00"


def test_webvtt_has_speakers_notes_and_a_title(read) -> None:
    document = read(
        "WEBVTT - The Birds\n\nSTYLE\n::cue {color: red}\n\nNOTE a comment\nof two lines\n\n"
        "intro\n00:01.000 --> 00:02.000 align:start\n<v.loud Ann Rook>Look!\n\n"
        "00:02.000 --> 00:03.000\n<v Ann Rook>There.</v>\n\n"
        "00:03.000 --> 00:04.000\n<v Bob>Where?\n",
        "film.vtt",
    )
    assert document.title == "The Birds"
    assert _text(document) == "0:01\n\nAnn Rook: Look!\nThere.\n\nBob: Where?"


def test_captions_that_roll_up_are_read_once(read) -> None:
    source = (
        "WEBVTT\n\n00:00.000 --> 00:02.000\nso today we\n\n00:02.000 --> 00:02.010\nso today we\n\n"
        "00:02.010 --> 00:04.000\nso today we\nlook at<00:03.000><c> crows</c>\n\n"
        "00:04.000 --> 00:06.000\nlook at crows\nand owls\n"
    )
    assert _text(read(source, "talk.vtt")) == "0:00\n\nso today we\nlook at crows\nand owls"


def test_lyrics_are_read_with_their_title(read) -> None:
    source = "[ti:The Owl]\n[ar:Ann]\n[00:01.00]So wise\n[00:03.50][01:10.00]<00:04.0>so old\n"
    document = read(source, "song.lrc")
    assert document.title == "The Owl"
    assert _text(document) == "0:01\n\nSo wise\nso old"


def test_a_line_repeated_later_is_included(read) -> None:
    source = "0:00:01.000,0:00:02.000\nYes.\n\n0:00:09.000,0:00:10.000\nYes.\n"
    assert _text(read(source, "film.sbv")) == "0:01\n\nYes.\n\nYes."


def test_old_encodings_are_read(read) -> None:
    source = "1\n00:00:01,000 --> 00:00:02,000\nDer Müller fährt über die größere Brücke.\n"
    assert "größere Brücke" in _text(read(source.encode("cp1252")))


@pytest.mark.parametrize("source", ["", "WEBVTT\n\nno times", "only text\nof lines"])
def test_text_without_times_is_read_verbatim(read, source: str) -> None:
    assert _text(read(source)) == source


@given(st.text(alphabet=st.sampled_from("0:1,.- ->\n<v >a{}&;")))
def test_any_source_keeps_the_promises_of_a_page(source: str) -> None:
    cues = list(subtitles._cues(source.splitlines()))
    text, headings = subtitles.page_of(cues).finish()
    assert text == text.strip()
    assert all(text.startswith(heading.text, heading.start) for heading in headings)
