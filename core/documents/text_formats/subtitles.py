"""Subtitles (.vtt, .srt, .sbv, .ass, .ssa) and lyrics (.lrc): the text, with times."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.metadata import real_title
from core.documents.text import PageText
from core.documents.text_formats.plain import plain_document

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,]\d{1,3}"
_TIMES = re.compile(rf"\s*{_TIME}\s*(?:-->|,)\s*{_TIME}(?:\s.*)?")
# A line of SubStation Alpha: the layer, the times, six more fields and the text.
_EVENT = re.compile(rf"Dialogue: *[^,]*,{_TIME},{_TIME}(?:,[^,]*){{6}},(.*)")
# A line of lyrics, which may be sung at several times.
_LYRIC = re.compile(r"\[()(\d{1,3}):(\d{1,2})(?:[.:]\d{1,3})?\](?:\[[\d:.]{4,12}\])*(.*)")
_LYRIC_TITLE = re.compile(r"^\[ti:(.*)\]", re.MULTILINE)
_UNREAD = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s.*)?")
_VOICE = re.compile(r"<v(?:\.[\w.-]+)?\s++([^<>]+)>")
_TAG = re.compile(r"</?[a-zA-Z\d][^<>]*>|\{\\[^{}]*\}")
_HEADER = re.compile(r"WEBVTT[ \t]+-[ \t]*(.+)")
_BETWEEN_HEADINGS_S = 120
# Shortest pause between paragraphs.
_PAUSE_S = 4


@dataclass(frozen=True, slots=True)
class Cue:
    """Lines shown from one second to another, with their style tags."""

    start_s: int
    end_s: int
    lines: list[str]


def read(path: Path) -> Document:
    """Read subtitles as one page, with the time as a heading every two minutes.

    Lines that rolling captions repeat appear once. A speaker's name, if given, precedes the text.
    Files without times are read as plain text.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    text = decode(read_bytes(path))
    lines = text.splitlines()
    cues = list(_cues(lines))
    if not cues:
        return plain_document(text)
    header = _HEADER.fullmatch(lines[0].strip()) or _LYRIC_TITLE.search(text)
    content, headings = page_of(cues).finish()
    return Document(real_title(header[1] if header else ""), (Page(1, content, headings),))


def page_of(cues: Iterable[Cue]) -> PageText:
    page = PageText()
    next_heading_s = 0
    shown: list[str] = []  # the lines of the previous cue
    voice = ""
    end_s = 0
    for cue in cues:
        lines, speaker = _words_of(cue.lines)
        is_rolling = cue.start_s <= end_s + 1
        fresh = [line for line in lines if not (is_rolling and line in shown)]
        shown = lines or shown
        if not fresh:
            end_s = cue.end_s
            continue
        is_new_paragraph = cue.start_s - end_s >= _PAUSE_S
        if cue.start_s >= next_heading_s:
            page.heading(1, clock(cue.start_s))
            next_heading_s = (cue.start_s // _BETWEEN_HEADINGS_S + 1) * _BETWEEN_HEADINGS_S
            is_new_paragraph = True
        if speaker != voice:
            voice = speaker
            is_new_paragraph = True
            if speaker:
                fresh[0] = f"{speaker}: {fresh[0]}"
        page.add("\n".join(fresh), gap=2 if is_new_paragraph else 1)
        end_s = cue.end_s
    return page


def _cues(lines: list[str]) -> Iterator[Cue]:
    """Yield the cues. A line directly above the times is a number or a name, and skipped."""
    at = 0
    while at < len(lines):
        times = _TIMES.fullmatch(lines[at])
        at += 1
        if event := _EVENT.fullmatch(lines[at - 1].strip()):
            yield Cue(_seconds(event, 1), _seconds(event, 4), event[7].split("\\N"))
            continue
        if lyric := _LYRIC.fullmatch(lines[at - 1].strip()):
            yield Cue(_seconds(lyric, 1), _seconds(lyric, 1) + _PAUSE_S, [lyric[4]])
            continue
        if not times:
            # Skip the lines of the note or style, up to a blank one.
            if _UNREAD.fullmatch(lines[at - 1]):
                while at < len(lines) and lines[at].strip():
                    at += 1
            continue
        first = at
        while at < len(lines) and lines[at].strip() and not _TIMES.fullmatch(lines[at]):
            at += 1
        last = at
        if at < len(lines) and lines[at].strip() and last > first:
            last -= 1  # no blank line between: the next cue's number
        yield Cue(_seconds(times, 1), _seconds(times, 4), lines[first:last])


def _seconds(times: re.Match[str], group: int) -> int:
    hours, minutes, seconds = (int(part or 0) for part in times.groups()[group - 1 : group + 2])
    return hours * 3600 + minutes * 60 + seconds


def _words_of(lines: list[str]) -> tuple[list[str], str]:
    """Return the lines of a cue without tags, and the speaker ("" if unknown)."""
    speaker = ""
    words_by_line = []
    for line in lines:
        if voice := _VOICE.search(line):
            speaker = " ".join(unescape(voice[1]).split())
        words = " ".join(unescape(_TAG.sub("", line).replace("\\N", " ")).split())
        if words:
            words_by_line.append(words)
    return words_by_line, speaker


def clock(seconds: int) -> str:
    """Format a time as a player does.

    >>> clock(65), clock(3725)
    ('1:05', '1:02:05')
    """
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
