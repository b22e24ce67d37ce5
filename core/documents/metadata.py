"""Titles, authors, dates and picture descriptions in files, without programs' placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from typing import Final, NamedTuple

from core.documents.text import one_line

_LONGEST_AUTHOR = 300
# Placeholders that programs write for a missing author, and names of programs.
_PLACEHOLDER_NAME = re.compile(
    r"(unknown|anonymous|author|unbekannt|none|null|owner|user( ?name)?|default user|default"
    r"|admin(istrator)?|root|guest|pc|home|customer|valued (gateway )?customer"
    r"|(microsoft |ms )?(office|windows|word|excel|powerpoint)( user)?|microsoft( corporation)?"
    r"|python-(docx|pptx)|openpyxl|xlsxwriter|apache (poi|openoffice)|libreoffice|openoffice"
    r"|calibre|pandoc)[ _-]*[\d.]*"
    # URLs, and printed lists and objects of scripts.
    r"|https?://\S+|www\.\S+|(array|hash|scalar|code|object)\(0x[\da-f]+\)|\[object \w+\]",
    re.IGNORECASE,
)
# Save times of the empty templates of python-docx and python-pptx.
_TEMPLATES_SAVED = frozenset(
    {"2013-12-23T23:15:00+00:00", "2013-01-27T09:14:16+00:00", "2013-01-27T09:15:58+00:00"}
)
# Epochs of file formats: a date that was never set.
_EPOCHS = (
    *("0001-01-01", "1601-01-01", "1899-12-30", "1899-12-31"),
    *("1900-01-01", "1904-01-01", "1970-01-01", "1980-01-01"),
)


class Properties(NamedTuple):
    """A title, author and date, formatted as in `Document`."""

    title: str = ""
    author: str = ""
    date: str = ""


def properties(
    title: str | None, authors: Iterable[str | None], dates: Iterable[str | None]
) -> Properties:
    """Clean a file's metadata: drop placeholders and duplicate authors.

    The date is the first of `dates` that names a day.

    >>> properties("Untitled 1", ["Ann Rook", "Administrator", "Ann Rook"], [None, "2024-06-30"])
    Properties(title='', author='Ann Rook', date='2024-06-30')
    """
    names = [one_line(author or "") for author in authors]
    real = dict.fromkeys(name for name in names if name and not _PLACEHOLDER_NAME.fullmatch(name))
    days = (
        day
        for day in map(iso_date, dates)
        if day and day not in _TEMPLATES_SAVED and not day.startswith(_EPOCHS)
    )
    return Properties(real_title(title), shorten("; ".join(real), _LONGEST_AUTHOR), next(days, ""))


_LONGEST_TITLE = 300
# Placeholders that programs write for a missing title.
_PLACEHOLDER = re.compile(
    r"(untitled|word document|no title|title|document|dokument|doc|unknown|unspecified"
    r"|unbenannt|sans titre|sin título|powerpoint presentation|adobe photoshop pdf|slide|print"
    r"|\(anonymous\)|none|null)"
    r"([ _-]*(document|page|file|presentation))?[ _-]*\d*",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"(microsoft (office )?(word|excel|powerpoint|publisher|visio|project|outlook|onenote|access)"
    r"( \d+)?|word|openoffice|libreoffice|acrobat|latex) - ",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"\.(docx?|docm|dotx?|rtf|odt|wpd|pdf|e?ps|dvi|tex|indd|qx[dp]|pages|pptx?|xlsx?|fm|p65|pmd|html?"
    r"|txt|md|tmp|ai|psd|tiff?|jpe?g|png|cdr|vsdx?)$",
    re.IGNORECASE,
)
_PATH = re.compile(r"^([a-z]:[\\/]|\\\\|/|file:|https?:)\S", re.IGNORECASE)


def real_title(raw: str | None) -> str:
    r"""Return a title from a file's metadata as one line, or "" for placeholders and file names.

    >>> real_title("Microsoft Word - report_v3.doc"), real_title("Untitled 1")
    ('', '')
    >>> real_title(" A Theory of\nJustice "), real_title("Microsoft Windows - Wikipedia")
    ('A Theory of Justice', 'Microsoft Windows - Wikipedia')
    """
    title = one_line(raw or "")
    if (
        not any(character.isalpha() for character in title)
        or _PLACEHOLDER.fullmatch(title)
        or _PROGRAM.match(title)
        or _FILE_NAME.search(title)
        or _PATH.match(title)
    ):
        return ""
    return shorten(title, _LONGEST_TITLE)


def shorten(text: str, most: int) -> str:
    """Return `text` in at most `most` characters, cut at a word with an ellipsis.

    >>> shorten("The quick brown fox", 12)
    'The quick…'
    """
    if len(text) <= most:
        return text
    head = text[: most - 1]
    border = head.rfind(" ")
    return (head[:border] if border > most // 2 else head).rstrip() + "…"


_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_ISO = re.compile(
    r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:(?:[T ]| \w{2,3}\.? )(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?"
    r" ?(Z|UTC|[+-]\d\d:?\d\d)?)?"
)
_PDF = re.compile(
    r"D:(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?)?", re.ASCII
)
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)? +([a-z]{3})[a-z]*\.?,? +(\d{4})")
_MONTH_FIRST = re.compile(r"([a-z]{3})[a-z]*\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})")
_DOTS = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")
_LONGEST_DATE = 200


def iso_date(raw: str | None) -> str:
    """Return a date in ISO 8601, with its time if it has one; "" if it names no day.

    A date whose day and month are ambiguous ("03/04/2024") names no day.

    >>> iso_date("June 30, 2024"), iso_date("Sun, 30 Jun 2024 12:05:00 +0200")
    ('2024-06-30', '2024-06-30T12:05:00+02:00')
    >>> iso_date("D:20240630120500+02'00'"), iso_date("<2024-06-30 Sun>"), iso_date("03/04/2024")
    ('2024-06-30T12:05:00+02:00', '2024-06-30', '')
    """
    text = " ".join((raw or "")[:_LONGEST_DATE].split())
    if match := _PDF.match(text):
        year, month, day, hour, minute, second, utc, zone_hour, zone_minute = match.groups()
        zone = "Z" if utc else f"{zone_hour}:{zone_minute or '00'}" if zone_hour else ""
        clock = f"{hour}:{minute}:{second or '00'}" if hour else ""
        return _joined((year, month, day), clock, zone)
    if match := _ISO.search(text):
        return _joined(match.groups()[:3], match[4] or "", (match[5] or "").replace("UTC", "Z"))
    # Imported here: it loads sockets, and only reading documents needs it.
    from email.utils import parsedate_to_datetime

    try:
        return _written(parsedate_to_datetime(text))
    except ValueError:
        return _in_words(text.lower())


def _in_words(text: str) -> str:
    if match := _DAY_FIRST.search(text):
        return _joined((match[3], _month(match[2]), match[1]))
    if match := _MONTH_FIRST.search(text):
        return _joined((match[3], _month(match[1]), match[2]))
    if match := _DOTS.search(text):
        return _joined((match[3], match[2], match[1]))
    return ""


def _month(name: str) -> str:
    """Return the number of a month by its first three letters; "0" for an unknown one.

    >>> _month("mar"), _month("abc")
    ('3', '0')
    """
    return str(_MONTHS.find(name) // 4 + 1 if name in _MONTHS.split() else 0)


def _joined(day: Sequence[str], clock: str = "", zone: str = "") -> str:
    """Join a date with a time, if that is valid; "" for an invalid date."""
    try:
        on = date(*map(int, day))
    except ValueError:
        return ""
    if not clock:
        return on.isoformat()
    try:
        at = time.fromisoformat(f"{clock}{zone}")
    except ValueError:
        return on.isoformat()
    return _written(datetime.combine(on, at))


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


# What Office adds to generated descriptions, in several languages.
_ADDED: Final = re.compile(
    r"\s*(?:description automatically generated(?: with \w+ confidence)?"
    r"|(?:mit \w+er zuverlässigkeit )?automatisch generierte beschreibung"
    r"|description (?:générée|generee) automatiquement|descripción generada automáticamente"
    r"|descrizione generata automaticamente|automatisch gegenereerde beschrijving"
    r"|descrição gerada automaticamente|已自动生成说明|描述已自动生成|自動的に生成された説明"
    r"|ai-generated content may be incorrect|ki-generierte inhalte können fehlerhaft sein"
    r"|le contenu généré par l[’']ia peut être incorrect)[.。]?",
    re.IGNORECASE,
)
_PICTURE_FILE: Final = re.compile(
    r"\.(?:gif|bmp|svgz?|emf|wmf|webp|heic|jfif|avif)$|^cid:", re.IGNORECASE
)
_GENERIC_DESCRIPTION: Final = re.compile(
    r"(?:a |an )?(?:picture|image|graphic|photo|shape|diagram|chart|logo|icon|object|grafik|bild"
    r"|abbildung|imagen?|immagine|afbeelding|obraz|figura?|изображение|рисунок|图片|画像|図)"
    r"[ _-]*\d*",
    re.IGNORECASE,
)


def described(*texts: str | None) -> str:
    r"""Return a picture's description; "" for file names and other generic text.

    >>> described("A crow on a nest\n\nDescription automatically generated", "A crow on a nest")
    'A crow on a nest'
    >>> described("image1.png"), described("Picture 3"), described("Nests", "Where crows nest")
    ('', '', 'Nests: Where crows nest')
    """
    parts = []
    for text in texts:
        if not text:
            continue
        line = real_title(_ADDED.sub("", one_line(text)).rstrip(", "))
        if line and not _PICTURE_FILE.search(line) and not _GENERIC_DESCRIPTION.fullmatch(line):
            parts.append(line)
    return ": ".join(dict.fromkeys(parts))
