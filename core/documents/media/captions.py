"""The caption of a picture: what people and cameras wrote into its metadata.

EXIF, IPTC IIM 4.2 and XMP hold the same fields; programs write all three, and often truncate one.
A picture gets text only if a person wrote some: with camera and location alone, thousands of
photos would look alike.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.documents import xmp
from core.documents.charsets import decode_with
from core.documents.damage import CUT
from core.documents.document import Page, Style
from core.documents.media.picture_blocks import Blocks, blocks_of
from core.documents.metadata import Properties, properties, shorten
from core.documents.text import PageText, normalise, one_line

# Default values that cameras and programs write.
_BOILERPLATE: Final = re.compile(
    r"(img|dsc\w?|pxl|p|mvi|vid|_mg)[ _-]*\d[\d_-]*|dcim.*|dcf [\d.]+|padbytes|jfif|ascii"
    r"|.*\bdigital[ -](still )?camera|(\w+ )?dsc( picture)?|exif[ _-]jpeg[ _-](picture|[\w.]+)"
    r"|default|dav|hdr\w*|\w{0,5}hdr|cof|mde|sdr|oznor\w*|sdhdr|binary comment|a?charset=.*"
    r"|user ?comments?|image ?description|(screen ?shot|bildschirmfoto)\b.{0,40}|<.*|\{.*\}"
    r"|(created|edited|made|generated|optimi[sz]ed|compressed) (with|by|in|using) .{0,80}"
    r"|creator: .{0,80}|intel\(r\).*|lead technologies.*|file (source|written) .{0,80}"
    r"|.*\.(jpe?g|tif)|samsung|applemark|image|picture|photo|untitled|undefined|none|null|n/a",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(slots=True)
class _Metadata:
    """The values of each field, in the order of their quality; duplicates are possible."""

    titles: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    locations: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    cameras: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Caption:
    """The properties of a picture and the page with its text.

    `pages` is the number of pages in the file; the text belongs to the first.
    """

    about: Properties
    page: Page
    pages: int


def caption_of(path: Path) -> Caption:
    """Return the caption of a picture; its page is empty if nothing was written.

    Raises:
        DocumentError: The file is not a picture, or cannot be read.
    """
    blocks = blocks_of(path)
    metadata = _Metadata()
    # XMP supports all languages and any length; the older forms are often truncated.
    for raw in (blocks.xmp, blocks.extended_xmp):
        _read_xmp(metadata, raw)
    _read_iptc(metadata, blocks.iptc)
    _read_exif(metadata, blocks)
    _read_text_chunks(metadata, blocks)
    return _caption(metadata, blocks)


def _caption(metadata: _Metadata, blocks: Blocks) -> Caption:
    titles, words = _distinct_texts(metadata.titles), _distinct_texts(metadata.words)
    tags = [tag for tag in _distinct(metadata.tags) if not _BOILERPLATE.fullmatch(tag)]
    people = _distinct(metadata.people)
    about = properties((titles or words or [""])[0], metadata.authors, metadata.dates)
    location = ", ".join(_distinct(metadata.locations))
    page = PageText()
    if titles or words or tags or people or location:
        for title in titles:
            page.heading(1, title)
        for text in words:
            if not any(text in title for title in titles):
                page.add(text)
        point = metadata.points[0] if metadata.points else ""
        where = " ".join(filter(None, (location, f"({point})" if location and point else point)))
        fields = [
            ("People", ", ".join(people)),
            ("Where", where),
            ("When", " ".join(about.date[:16].split("T"))),
            ("Tags", ", ".join(tags)),
            ("Camera", (_distinct(metadata.cameras) or [""])[0]),
        ]
        gap = 2
        for label, text in fields:
            if text:
                page.add(f"{label}: {text}", gap=gap, styles=[(Style.FIELD, len(label))])
                gap = 1
    return Caption(about, page.page(1, CUT if blocks.is_cut else ""), blocks.pages)


def _distinct_texts(texts: Iterable[str]) -> list[str]:
    """Return the texts without boilerplate, duplicates, and texts contained in others."""
    distinct: list[str] = []
    for raw in texts:
        text = normalise(raw)
        if not any(map(str.isalpha, text)) or _BOILERPLATE.fullmatch(text):
            continue
        plain = text.casefold()
        if not any(plain in other.casefold() for other in distinct):
            distinct = [other for other in distinct if other.casefold() not in plain]
            distinct.append(text)
    return distinct


def _distinct(texts: Iterable[str]) -> list[str]:
    lines = (shorten(one_line(text), 300) for text in texts)
    return list({line.casefold(): line for line in lines if line}.values())


# EXIF


def _read_exif(metadata: _Metadata, blocks: Blocks) -> None:
    directories = blocks.directories
    first, exif_ifd = directories.first, directories.exif
    metadata.words += [
        _narrow_text(first.get(0x010E, b"")),
        _comment(exif_ifd.get(0x9286, b""), directories.order),
    ]
    metadata.titles.append(_utf16_text(first.get(0x9C9B, b"")))
    metadata.words += [_utf16_text(first.get(tag_id, b"")) for tag_id in (0x9C9C, 0x9C9F)]
    metadata.tags += _utf16_text(first.get(0x9C9E, b"")).split(";")
    metadata.authors += [
        *_narrow_text(first.get(0x013B, b"")).split(";"),
        _utf16_text(first.get(0x9C9D, b"")),
    ]
    zone = _narrow_text(exif_ifd.get(0x9011, b"")).strip()
    times = (exif_ifd.get(0x9003), exif_ifd.get(0x9004), first.get(0x0132))
    for index, raw in enumerate(times):
        # EXIF writes 2024:06:30 12:05:00.
        text = _narrow_text(raw or b"").replace(":", "-", 2)
        metadata.dates.append(f"{text}{zone}" if zone and index == 0 and text else text)
    metadata.points += _coordinates(
        [directories.rationals(directories.gps.get(tag_id, b"")) for tag_id in (2, 4)],
        [_narrow_text(directories.gps.get(tag_id, b"")) for tag_id in (1, 3)],
    )
    metadata.cameras.append(
        _camera(_narrow_text(first.get(0x010F, b"")), _narrow_text(first.get(0x0110, b"")))
    )


def _narrow_text(raw: bytes) -> str:
    """Decode a text that should be ASCII but may be UTF-8 or Windows-1252."""
    raw = raw.partition(b"\0")[0]
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace").strip()


def _utf16_text(raw: bytes) -> str:
    """Decode the UTF-16 text of a tag that Windows writes."""
    return raw.decode("utf-16-le", errors="replace").partition("\0")[0].strip()


def _comment(raw: bytes, order: str) -> str:
    r"""Return a comment (UserComment), which begins with the name of its encoding.

    >>> _comment(b"ASCII\0\0\0A crow\0", "<"), _comment(b"UNICODE\0A\0", "<")
    ('A crow', 'A')
    """
    kind, content = raw[:8], raw[8:]
    if kind == b"UNICODE\0":
        wide = "utf-16-le" if order == "<" else "utf-16-be"
        return content.decode(wide, errors="replace").partition("\0")[0].strip()
    if kind in {b"ASCII\0\0\0", bytes(8)}:
        return _narrow_text(content.lstrip(b"\0"))
    return decode_with(content, "iso2022_jp").strip("\0 ") if kind == b"JIS\0\0\0\0\0" else ""


def _coordinates(angles: Sequence[Sequence[float]], sides: Sequence[str]) -> list[str]:
    """Return a location as decimal degrees, north and east positive.

    >>> _coordinates([[48, 8.0, 13.2], [11.0, 34.0, 30.0]], ["N", "W"])
    ['48.137, -11.575']
    >>> _coordinates([[0, 0, 0]] * 2, ["", ""])
    []
    """
    coordinates = []
    for angle, side in zip(angles, sides, strict=True):
        degrees = sum(part / 60**power for power, part in enumerate(angle[:3]))
        coordinates.append(-degrees if side[:1] in {"S", "W"} else degrees)
    has_location = all(angle for angle in angles) and any(coordinates)
    if not has_location or abs(coordinates[0]) > 90 or abs(coordinates[1]) > 180:
        return []
    return [f"{coordinates[0]:.3f}, {coordinates[1]:.3f}"]


def _camera(maker: str, model: str) -> str:
    """Return the name of a camera without repeating its maker.

    >>> _camera("NIKON CORPORATION", "NIKON D90"), _camera("Apple", "iPhone 12")
    ('NIKON D90', 'Apple iPhone 12')
    """
    maker, model = one_line(maker), one_line(model)
    first = maker.partition(" ")[0].casefold()
    return model if first and model.casefold().startswith(first) else f"{maker} {model}".strip()


# Text chunks (PNG) and comments (JPEG)


def _read_text_chunks(metadata: _Metadata, blocks: Blocks) -> None:
    words = blocks.texts
    metadata.titles.append(words.get("title", ""))
    metadata.words += [words.get("description", ""), words.get("comment", "")]
    metadata.words += map(_narrow_text, blocks.comments)
    metadata.authors.append(words.get("author", ""))
    metadata.dates.append(words.get("creation time", ""))


# IPTC records

_IPTC_DAY, _IPTC_TIME = 55, 60


def _read_iptc(metadata: _Metadata, raw: bytes) -> None:
    values: dict[int, list[str]] = {}
    encoding = "latin-1"
    at = 0
    while at + 5 <= len(raw) and raw[at] == 0x1C:
        record, dataset_id = raw[at + 1], raw[at + 2]
        size = int.from_bytes(raw[at + 3 : at + 5], "big")
        if size & 0x8000:  # an extended data set, which is not text
            break
        value = raw[at + 5 : at + 5 + size]
        at += 5 + size
        if (record, dataset_id) == (1, 90) and value == b"\x1b%G":
            encoding = "utf-8"
        elif record == 2:
            values.setdefault(dataset_id, []).append(_iptc_text(value, encoding))
    metadata.titles += [*values.get(105, []), *values.get(5, [])]
    metadata.words += values.get(120, [])
    metadata.tags += values.get(25, [])
    metadata.authors += values.get(80, [])
    for dataset_id in (92, 90, 95, 101):
        metadata.locations += values.get(dataset_id, [])
    day, clock = "".join(values.get(_IPTC_DAY, [])[:1]), "".join(values.get(_IPTC_TIME, [])[:1])
    if match := re.fullmatch(r"(\d{4})(\d\d)(\d\d)", day):
        written = re.match(r"(\d\d)(\d\d)(\d\d)", clock)
        time = f"T{':'.join(written.groups())}" if written else ""
        metadata.dates.append("-".join(match.groups()) + time)


def _iptc_text(value: bytes, encoding: str) -> str:
    with suppress(UnicodeDecodeError):  # many programs write UTF-8 without declaring it
        return value.decode("utf-8").strip("\0 ")
    return value.decode(encoding, errors="replace").strip("\0 ")


# XMP


def _read_xmp(metadata: _Metadata, raw: bytes) -> None:
    if values := xmp.values_of(raw):
        metadata.titles += [*values.get("dc:title", []), *values.get("photoshop:Headline", [])]
        described = ("dc:description", "iptc:AltTextAccessibility", "iptc:ExtDescrAccessibility")
        for name in (*described, "exif:UserComment"):
            metadata.words += values.get(name, [])
        metadata.tags += values.get("dc:subject", [])
        for name in ("ext:PersonInImage", "people:PersonDisplayName", "regions:Face"):
            metadata.people += values.get(name, [])
        for name in (
            *("iptc:Location", "ext:Sublocation", "photoshop:City", "ext:City"),
            *("photoshop:State", "ext:ProvinceState", "photoshop:Country", "ext:CountryName"),
        ):
            metadata.locations += values.get(name, [])
        metadata.authors += values.get("dc:creator", [])
        for name in ("exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"):
            metadata.dates += values.get(name, [])[:1]
        for located in zip(
            values.get("exif:GPSLatitude", []), values.get("exif:GPSLongitude", []), strict=False
        ):
            metadata.points += _coordinates(*zip(*map(_angle, located), strict=True))
        for pair in zip(values.get("tiff:Make", []), values.get("tiff:Model", []), strict=False):
            metadata.cameras.append(_camera(*pair))


def _angle(raw: str) -> tuple[list[float], str]:
    """Return degrees, minutes and seconds, and the hemisphere, of an XMP coordinate.

    >>> _angle("48,8.22N"), _angle("11,34,30E"), _angle("north")
    (([48.0, 8.22], 'N'), ([11.0, 34.0, 30.0], 'E'), ([], ''))
    """
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?(?:,\d{1,2}(?:\.\d+)?){0,2})([NSEW])", raw.strip())
    return ([float(part) for part in match[1].split(",")], match[2]) if match else ([], "")
