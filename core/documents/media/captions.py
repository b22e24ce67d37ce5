"""What people and cameras said of a picture, from the three ways in which it is written.

Cameras' notes (EXIF), the records of news agencies (IPTC IIM 4.2) and Adobe's XML (XMP) tell the
same things; programs write them into all, and one is often cut off. Only what a person wrote makes
a picture a document with text: camera and place alone would make thousands of photos alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from core.documents.damage import DamageError
from core.documents.document import Page, Style
from core.documents.media.picture_blocks import Blocks, blocks_of
from core.documents.metadata import Properties, properties, shorten
from core.documents.office.packages import parse_xml
from core.documents.text import PageText, normalise, one_line

# What cameras and programs write where nobody said anything.
_NOBODY: Final = re.compile(
    r"(img|dsc\w?|pxl|p|mvi|vid|_mg)[ _-]*\d[\d_-]*|dcim.*|dcf [\d.]+|padbytes|jfif|ascii"
    r"|.*\bdigital[ -](still )?camera|(\w+ )?dsc( picture)?|exif[ _-]jpeg[ _-](picture|[\w.]+)"
    r"|default|dav|hdr\w*|\w{0,5}hdr|cof|mde|sdr|oznor\w*|sdhdr|binary comment|a?charset=.*"
    r"|user ?comments?|image ?description|(screen ?shot|bildschirmfoto)\b.{0,40}|<.*|\{.*\}"
    r"|(created|edited|made|generated|optimi[sz]ed|compressed) (with|by|in|using) .{0,80}"
    r"|creator: .{0,80}|intel\(r\).*|lead technologies.*|file (source|written) .{0,80}"
    r"|.*\.(jpe?g|tif)|samsung|applemark|image|picture|photo|untitled|undefined|none|null|n/a",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST: Final = 20_000
_MOST_TAGS: Final = 300
_SPACES: Final = {
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://ns.adobe.com/photoshop/1.0/": "photoshop",
    "http://ns.adobe.com/exif/1.0/": "exif",
    "http://ns.adobe.com/tiff/1.0/": "tiff",
    "http://ns.adobe.com/xap/1.0/": "xmp",
    "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": "iptc",
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": "ext",
    "http://www.metadataworkinggroup.com/schemas/regions/": "regions",
    "http://ns.microsoft.com/photo/1.2/t/Region#": "people",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
}


@dataclass(slots=True)
class _Said:
    """What is said, each thing as often as it is written; the best comes first."""

    titles: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    cameras: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Caption:
    """What a picture says of itself: its properties, and a page with all words in the text.

    `pages` is how many pages it has, of which the words belong to the first.
    """

    about: Properties
    page: Page
    pages: int


def caption_of(path: Path) -> Caption:
    """Return what is said of a picture; its page is empty where nobody said anything.

    Raises:
        DocumentError: It is no picture, or cannot be read.
    """
    blocks = blocks_of(path)
    said = _Said()
    # XMP has all languages and no bounds; what came before it is often cut off.
    _take_xmp(said, blocks.xmp)
    _take_iptc(said, blocks.iptc)
    _take_notes(said, blocks)
    _take_words(said, blocks)
    return _caption(said, blocks.pages)


def _caption(said: _Said, pages: int) -> Caption:
    titles, words = _told(said.titles), _told(said.words)
    tags = [tag for tag in _distinct(said.tags) if not _NOBODY.fullmatch(tag)][:_MOST_TAGS]
    people = _distinct(said.people)[:_MOST_TAGS]
    about = properties((titles or words or [""])[0], said.authors, said.dates)
    place = ", ".join(_distinct(said.places))
    page = PageText()
    if titles or words or tags or people or place:
        for title in titles:
            page.heading(1, title)
        for text in words:
            if not any(text in title for title in titles):
                page.add(text)
        point = said.points[0] if said.points else ""
        where = " ".join(filter(None, (place, f"({point})" if place and point else point)))
        fields = [
            ("People", ", ".join(people)),
            ("Where", where),
            ("When", " ".join(about.date[:16].split("T"))),
            ("Tags", ", ".join(tags)),
            ("Camera", (_distinct(said.cameras) or [""])[0]),
        ]
        gap = 2
        for label, text in fields:
            if text:
                page.add(f"{label}: {text}", gap=gap, styles=[(Style.FIELD, len(label))])
                gap = 1
    return Caption(about, page.page(1), pages)


def _told(texts: Iterable[str]) -> list[str]:
    """Return what people said, each once, and nothing that another one of them says whole."""
    kept: list[str] = []
    for raw in texts:
        text = normalise(raw[:_LONGEST])
        if not any(map(str.isalpha, text)) or _NOBODY.fullmatch(text):
            continue
        plain = text.casefold()
        if not any(plain in other.casefold() for other in kept):
            kept = [other for other in kept if other.casefold() not in plain]
            kept.append(text)
    return kept


def _distinct(texts: Iterable[str]) -> list[str]:
    lines = (shorten(one_line(text), 300) for text in texts)
    return list({line.casefold(): line for line in lines if line}.values())


# Notes of cameras (EXIF)


def _take_notes(said: _Said, blocks: Blocks) -> None:
    notes = blocks.notes
    first, taking = notes.first, notes.taking
    said.words += [_plain(first.get(0x010E, b"")), _comment(taking.get(0x9286, b""), notes.order)]
    said.titles.append(_wide(first.get(0x9C9B, b"")))
    said.words += [_wide(first.get(number, b"")) for number in (0x9C9C, 0x9C9F)]
    said.tags += _wide(first.get(0x9C9E, b"")).split(";")
    said.authors += [*_plain(first.get(0x013B, b"")).split(";"), _wide(first.get(0x9C9D, b""))]
    zone = _plain(taking.get(0x9011, b"")).strip()
    times = (taking.get(0x9003), taking.get(0x9004), first.get(0x0132))
    for number, raw in enumerate(times):
        # The camera's own form: 2024:06:30 12:05:00.
        text = _plain(raw or b"").replace(":", "-", 2)
        said.dates.append(f"{text}{zone}" if zone and number == 0 and text else text)
    said.points += _point(
        [notes.numbers(notes.place.get(number, b"")) for number in (2, 4)],
        [_plain(notes.place.get(number, b"")) for number in (1, 3)],
    )
    said.cameras.append(_camera(_plain(first.get(0x010F, b"")), _plain(first.get(0x0110, b""))))


def _plain(raw: bytes) -> str:
    """Return words that should be ASCII; programs write UTF-8 there, and Windows its Latin."""
    raw = raw.partition(b"\0")[0]
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace").strip()


def _wide(raw: bytes) -> str:
    """Return words as Windows keeps them in a photo: UTF-16."""
    return raw.decode("utf-16-le", errors="replace").partition("\0")[0].strip()


def _comment(raw: bytes, order: str) -> str:
    r"""Return a comment, before which its encoding stands.

    >>> _comment(b"ASCII\0\0\0A crow\0", "<"), _comment(b"UNICODE\0A\0", "<")
    ('A crow', 'A')
    """
    kind, content = raw[:8], raw[8:]
    if kind == b"UNICODE\0":
        wide = "utf-16-le" if order == "<" else "utf-16-be"
        return content.decode(wide, errors="replace").partition("\0")[0].strip()
    if kind in {b"ASCII\0\0\0", bytes(8)}:
        return _plain(content.lstrip(b"\0"))
    if kind == b"JIS\0\0\0\0\0":
        return content.decode("iso2022_jp", errors="replace").strip("\0 ")
    return ""


def _point(angles: Sequence[Sequence[float]], sides: Sequence[str]) -> list[str]:
    """Return a place in degrees as people type it, north and east counted up.

    >>> _point([[48, 8.0, 13.2], [11.0, 34.0, 30.0]], ["N", "W"]), _point([[0, 0, 0]] * 2, ["", ""])
    (['48.137, -11.575'], [])
    """
    found = []
    for numbers, side in zip(angles, sides, strict=True):
        degrees = sum(number / 60**power for power, number in enumerate(numbers[:3]))
        found.append(-degrees if side[:1] in {"S", "W"} else degrees)
    is_place = all(numbers for numbers in angles) and any(found)
    if not is_place or abs(found[0]) > 90 or abs(found[1]) > 180:
        return []
    return [f"{found[0]:.3f}, {found[1]:.3f}"]


def _camera(maker: str, model: str) -> str:
    """Return what a camera is called, its maker once.

    >>> _camera("NIKON CORPORATION", "NIKON D90"), _camera("Apple", "iPhone 12")
    ('NIKON D90', 'Apple iPhone 12')
    """
    maker, model = one_line(maker), one_line(model)
    first = maker.partition(" ")[0].casefold()
    return model if first and model.casefold().startswith(first) else f"{maker} {model}".strip()


# Words that are kept under names (PNG), and comments (JPEG)


def _take_words(said: _Said, blocks: Blocks) -> None:
    words = blocks.said
    said.titles.append(words.get("title", ""))
    said.words += [words.get("description", ""), words.get("comment", "")]
    said.words += map(_plain, blocks.comments)
    said.authors.append(words.get("author", ""))
    said.dates.append(words.get("creation time", ""))


# Records of news agencies (IPTC)

_IPTC_DAY, _IPTC_TIME = 55, 60


def _take_iptc(said: _Said, raw: bytes) -> None:
    told: dict[int, list[str]] = {}
    encoding = "latin-1"
    at = 0
    while at + 5 <= len(raw) and raw[at] == 0x1C:
        record, number = raw[at + 1], raw[at + 2]
        size = int.from_bytes(raw[at + 3 : at + 5], "big")
        if size & 0x8000:  # of a kind that is longer than any words
            break
        value = raw[at + 5 : at + 5 + size]
        at += 5 + size
        if (record, number) == (1, 90) and value == b"\x1b%G":
            encoding = "utf-8"
        elif record == 2:
            told.setdefault(number, []).append(_in_records(value, encoding))
    said.titles += [*told.get(105, []), *told.get(5, [])]
    said.words += told.get(120, [])
    said.tags += told.get(25, [])
    said.authors += told.get(80, [])
    for number in (92, 90, 95, 101):
        said.places += told.get(number, [])
    day, clock = "".join(told.get(_IPTC_DAY, [])[:1]), "".join(told.get(_IPTC_TIME, [])[:1])
    if match := re.fullmatch(r"(\d{4})(\d\d)(\d\d)", day):
        written = re.match(r"(\d\d)(\d\d)(\d\d)", clock)
        time = f"T{':'.join(written.groups())}" if written else ""
        said.dates.append("-".join(match.groups()) + time)


def _in_records(value: bytes, encoding: str) -> str:
    with suppress(UnicodeDecodeError):  # many write UTF-8 and do not say so
        return value.decode("utf-8").strip("\0 ")
    return value.decode(encoding, errors="replace").strip("\0 ")


# Adobe's XML (XMP)


def _take_xmp(said: _Said, raw: bytes) -> None:
    raw = raw.strip(b"\0 \t\r\n")
    if not raw:
        return
    with suppress(DamageError):  # the picture is none the less one
        told: dict[str, list[str]] = {}
        for name, text in _properties_of(parse_xml(raw, recovers=True)):
            told.setdefault(name, []).append(text)
        said.titles += [*told.get("dc:title", []), *told.get("photoshop:Headline", [])]
        described = ("dc:description", "iptc:AltTextAccessibility", "iptc:ExtDescrAccessibility")
        for name in (*described, "exif:UserComment"):
            said.words += told.get(name, [])
        said.tags += told.get("dc:subject", [])
        for name in ("ext:PersonInImage", "people:PersonDisplayName", "regions:Face"):
            said.people += told.get(name, [])
        for name in (
            *("iptc:Location", "ext:Sublocation", "photoshop:City", "ext:City"),
            *("photoshop:State", "ext:ProvinceState", "photoshop:Country", "ext:CountryName"),
        ):
            said.places += told.get(name, [])
        said.authors += told.get("dc:creator", [])
        for name in ("exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"):
            said.dates += told.get(name, [])[:1]
        for places in zip(
            told.get("exif:GPSLatitude", []), told.get("exif:GPSLongitude", []), strict=False
        ):
            said.points += _point(*zip(*map(_angle, places), strict=True))
        for pair in zip(told.get("tiff:Make", []), told.get("tiff:Model", []), strict=False):
            said.cameras.append(_camera(*pair))


def _properties_of(root: Any) -> Iterator[tuple[str, str]]:
    """Yield the properties that stand anywhere, each text of one that has several."""
    for element in root.iter("*"):
        for name, text in element.attrib.items():
            yield _short(name), text
        short = _short(element.tag)
        if short == "rdf:Description" or short.startswith("rdf:li"):
            yield from _faces(element)
        if not len(element):
            # The text of an item belongs to the property that has a list of them.
            owner = element
            while owner is not None and _short(owner.tag).startswith("rdf:"):
                owner = owner.getparent()
            if owner is not None and element.text:
                yield _short(owner.tag), element.text


def _faces(element: Any) -> Iterator[tuple[str, str]]:
    """Yield the name of a region that is somebody's face."""
    parts = {_short(child.tag): child.text or "" for child in element.iterchildren("*")}
    parts |= {_short(name): text for name, text in element.attrib.items()}
    if parts.get("regions:Type") == "Face" and parts.get("regions:Name"):
        yield "regions:Face", parts["regions:Name"]


def _short(name: str) -> str:
    r"""Return a name with the prefix that is used here.

    >>> _short("{http://purl.org/dc/elements/1.1/}title"), _short("{urn:x}a"), _short("b")
    ('dc:title', ':a', ':b')
    """
    space, _, local = name.rpartition("}")
    return f"{_SPACES.get(space.removeprefix('{'), '')}:{local}"


def _angle(raw: str) -> tuple[list[float], str]:
    """Return degrees, minutes and seconds, and the side, as XMP writes them.

    >>> _angle("48,8.22N"), _angle("11,34,30E"), _angle("north")
    (([48.0, 8.22], 'N'), ([11.0, 34.0, 30.0], 'E'), ([], ''))
    """
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?(?:,\d{1,2}(?:\.\d+)?){0,2})([NSEW])", raw.strip())
    return ([float(part) for part in match[1].split(",")], match[2]) if match else ([], "")
