"""What sound and film say of themselves, whatever the kind of file, and how it becomes a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from core.documents.document import Document, Style
from core.documents.metadata import properties, shorten
from core.documents.text import PageText, one_line
from core.documents.text_formats.subtitles import Cue, clock, page_of

LONGEST: Final = 1_000_000
"""Bytes of one thing that is told; what is longer is a cover, or no words."""
_MOST: Final = 1_000
_LONGEST_LINE: Final = 500
_FIELDS: Final = (
    ("By", "artist"),
    ("Album by", "album_artist"),
    ("Album", "album"),
    ("Composer", "composer"),
    ("With", "with"),
    ("Show", "show"),
    ("When", "date"),
    ("Genre", "genre"),
    ("Tags", "tags"),
    ("Where", "place"),
    ("Publisher", "publisher"),
)
_NOTES: Final = ("comment", "description", "summary", "lyrics")
_PROGRAMS_OWN: Final = {"made", "point"}
"""What is told by programs and cameras, and makes no text by itself."""
_NAMES: Final = {
    "artist": "artist",
    "author": "artist",
    "performer": "with",
    "actor": "with",
    "director": "artist",
    "albumartist": "album_artist",
    "album_artist": "album_artist",
    "album": "album",
    "composer": "composer",
    "conductor": "with",
    "writer": "composer",
    "lyricist": "composer",
    "title": "title",
    "subtitle": "subtitle",
    "date": "date",
    "date_released": "date",
    "date_recorded": "date",
    "year": "date",
    "genre": "genre",
    "keywords": "tags",
    "keyword": "tags",
    "comment": "comment",
    "comments": "comment",
    "description": "description",
    "synopsis": "description",
    "summary": "summary",
    "lyrics": "lyrics",
    "unsyncedlyrics": "lyrics",
    "publisher": "publisher",
    "label": "publisher",
    "organization": "publisher",
    "location": "place",
    "show": "show",
    "recording_location": "place",
    "series": "show",
    "narrator": "with",
}


@dataclass(slots=True)
class Tags:
    """What was found: words by what they are, chapters, and subtitles track by track."""

    told: dict[str, list[str]] = field(default_factory=dict)
    chapters: list[tuple[int, str]] = field(default_factory=list)
    subtitles: list[list[Cue]] = field(default_factory=list)
    unread: str = ""

    def add(self, kind: str, text: str) -> None:
        values = self.told.get(kind, [])
        text = text.replace("\0", " / ").strip(" /") if kind not in _NOTES else text.strip("\0 \n")
        if text and text not in values and len(values) < _MOST:
            self.told.setdefault(kind, values).append(text[:LONGEST])

    def add_named(self, name: str, text: str) -> None:
        """Take something by the name that Vorbis comments and Matroska have for it, if we do."""
        plain = name.strip().lower().replace(" ", "_")
        if kind := _NAMES.get(plain) or _NAMES.get(plain.replace("_", "")):
            self.add(kind, text)

    def note(self, reason: str) -> None:
        self.unread = reason

    def add_chapter(self, start_s: int, title: str) -> None:
        """Take a chapter; one without a name says nothing."""
        title = one_line(title)
        if title and len(self.chapters) < 10 * _MOST:
            self.chapters.append((start_s, shorten(title, _LONGEST_LINE)))


def words(raw: bytes) -> str:
    r"""Return words that should be UTF-8, and are Windows' Latin where they are not.

    >>> words("Grüße".encode()), words(b"Gr\xfc\xdfe")
    ('Grüße', 'Grüße')
    """
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace").strip()


def document_of(tags: Tags) -> Document:
    """Return what is told as a page, and subtitles behind it, a page a track."""
    told = tags.told
    title = one_line(_first(told.get("title", ())))
    dates = told.get("date") or told.get("made") or []
    about = properties(title, told.get("artist", ()), dates)
    if told.keys() - _PROGRAMS_OWN:
        told = {**told, "place": [*told.get("place", ()), *told.get("point", ())]}
    page = PageText()
    page.heading(1, shorten(title, _LONGEST_LINE))
    page.add(one_line(_first(told.get("subtitle", ()))))
    gap = 2
    for label, kind in _FIELDS:
        separator = "; " if kind != "date" else ", "
        text = shorten(one_line(separator.join(told.get(kind, ()))), _LONGEST_LINE)
        if text:
            page.add(f"{label}: {text}", gap=gap, styles=[(Style.FIELD, len(label))])
            gap = 1
    for kind in _NOTES:
        for text in told.get(kind, ()):
            page.add(text)
    page.lines(f"{clock(start_s)} {name}" for start_s, name in sorted(set(tags.chapters)))
    first = page.page(1, tags.unread)
    tracks = (page_of(sorted(cues, key=_start)) for cues in tags.subtitles if cues)
    return Document(
        about.title,
        (first, *(track.page(number) for number, track in enumerate(tracks, 2))),
        about.author,
        about.date,
    )


def _first(texts: Iterable[str]) -> str:
    return next(iter(texts), "")


def _start(cue: Cue) -> int:
    return cue.start_s
