"""Calendars (.ics, .vcs) and contacts (.vcf): the readable fields of each entry.

Both consist of content lines, a name with parameters and a value: RFC 5545 (iCalendar), RFC 6350
(vCard) and their predecessors vCalendar 1.0 and vCard 2.1. Section numbers are given below.
"""

import quopri
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from core.documents.decoding import decode, decode_as
from core.documents.document import Document, Style
from core.documents.files import read_bytes
from core.documents.metadata import properties
from core.documents.text import PageText, one_line
from core.documents.text_formats.plain import LONGEST_PARSED, plain_document

_ENTRIES: Final = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VCARD"})
# Names of related people, also as Apple's and Evolution's programs write them.
_RELATED: Final = (
    *("RELATED", "X-ABRELATEDNAMES", "X-SPOUSE", "X-EVOLUTION-SPOUSE"),
    *("X-MANAGER", "X-EVOLUTION-MANAGER", "X-ASSISTANT", "X-EVOLUTION-ASSISTANT"),
)
# A name, possibly after a group ("item1.EMAIL"), and parameters; quotes may contain anything.
_LINE: Final = re.compile(
    r'(?:[\w-]++\.)?(?P<name>[\w-]++)(?P<parameters>(?:;(?:[^":;]++|"[^"]*+")*+)*+):(?P<value>.*)',
    re.DOTALL,
)
_PARAMETER: Final = re.compile(r';([\w-]++)=((?:[^";]++|"[^"]*+")*+)')
# Not after "=", which continues a quoted-printable line; see `_unfolded`.
_FOLD: Final = re.compile(rb"(?<!=)(?:\r\n|\r|\n)[ \t]")
_CHARSET: Final = re.compile(rb";CHARSET=\"?([\w.:-]+)", re.IGNORECASE)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_PARTS: Final = re.compile(r"(?<!\\)(?:\\\\)*+;")
_DATE_TIME: Final = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?\d\d)?(Z?))?")
_YEARLY: Final = re.compile(r"--(\d\d)-?(\d\d)")


@dataclass(frozen=True, slots=True)
class _Value:
    """The raw value of a content line, and its parameters by name."""

    raw: str
    parameters: Mapping[str, str]

    @property
    def text(self) -> str:
        """The value without escapes (RFC 5545, 3.3.11)."""
        return _ESCAPE.sub(lambda escape: "\n" if escape[1] in "nN" else escape[1], self.raw)

    @property
    def parts(self) -> list[str]:
        """The parts of a value, separated by semicolons; "" for an empty one."""
        raw, begin, parts = self.raw, 0, []
        for border in _PARTS.finditer(raw):
            parts.append(raw[begin : border.end() - 1])
            begin = border.end()
        return [one_line(_Value(part, {}).text) for part in (*parts, raw[begin:])]


@dataclass(frozen=True, slots=True)
class _Entry:
    """An event, a task, a journal note or a person: its values by name."""

    kind: str
    values: dict[str, list[_Value]] = field(default_factory=dict)

    def first(self, name: str) -> str:
        return next((text for text in self.texts(name) if text), "")

    def texts(self, name: str) -> Iterator[str]:
        return (one_line(value.text) for value in self.values.get(name, ()))

    def people(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the names of people, "" if they have none, and their addresses."""
        for value in self.values.get(name, ()):
            common_name = one_line(value.parameters.get("CN", ""))
            yield common_name, re.sub("(?i)^mailto:", "", one_line(value.text))

    def addressed(self, name: str) -> str:
        """Return the names of people with their addresses, each once."""
        people = dict.fromkeys(self.people(name))
        return "; ".join(
            f"{person} <{address}>"
            if person and address and person != address
            else person or address
            for person, address in people
        )


def read_calendar(path: Path) -> Document:
    """Read a calendar as one page: each event, task and note with its time and place.

    Alarms, time zones and recurrence rules are left out; times are not converted. A calendar with
    one event has the title, the organizer and the day of that event.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    return _read(path, _describe_event)


def read_contacts(path: Path) -> Document:
    """Read contacts as one page: each person with their addresses and other fields.

    Pictures and keys are left out. A file with one person has their name as its title.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    return _read(path, _describe_person)


def _read(path: Path, describe: Callable[[PageText, _Entry], None]) -> Document:
    text = _decoded(read_bytes(path))
    if len(text) > LONGEST_PARSED:
        return plain_document(text)
    name, entries = _entries(text)
    if not entries:
        return plain_document(text)
    page = PageText()
    for entry in entries:
        describe(page, entry)
    title, author, day = name, "", ""
    if len(entries) == 1:
        (entry,) = entries
        title = _title(entry) or name
        author = next((person or address for person, address in entry.people("ORGANIZER")), "")
        day = _date_time(entry.first("DTSTART")).day
    about = properties(title, [author], [day])
    return Document(about.title, (page.page(1),), about.author, about.date)


def _decoded(data: bytes) -> str:
    """Decode content lines. Bytes are unfolded first: a fold may be inside a character (3.1)."""
    if b"\0" not in data:  # not in UTF-16, where the bytes of a fold are also parts of characters
        data = _FOLD.sub(b"", data)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        if _CHARSET.search(data):  # vCard 2.1 and vCalendar 1.0
            return "\n".join(map(_decoded_line, data.splitlines()))
    return decode(data)


def _decoded_line(line: bytes) -> str:
    charset = _CHARSET.search(line.partition(b":")[0])
    label = charset[1].decode("ascii", errors="replace") if charset else "utf-8"
    return decode_as(line, label) or line.decode("utf-8", errors="replace")


class _OpenComponents:
    """The components that the current line is in.

    They are counted by name: a file may begin very many and end none, so comparing them all for
    each line would take time quadratic in its size.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self._counts: Counter[str] = Counter()
        self._entries: list[_Entry] = []

    def begin(self, name: str) -> _Entry | None:
        """Enter a component; return its entry, if it is one.

        No entry is a part of another: one that begins inside another follows one without an end,
        or is the secretary of a contact.
        """
        self.names.append(name)
        self._counts[name] += 1
        if name not in _ENTRIES:
            return None
        self._entries.append(_Entry(name))
        return self._entries[-1]

    def end(self, name: str) -> None:
        """Leave the innermost component of this name and those in it, if there is one."""
        while self._counts[name]:
            ended = self.names.pop()
            self._counts[ended] -= 1
            if ended in _ENTRIES:
                self._entries.pop()
            if ended == name:
                return

    @property
    def entry(self) -> _Entry | None:
        """The innermost component, if it is an entry."""
        return self._entries[-1] if self.names and self.names[-1] in _ENTRIES else None


def _entries(text: str) -> tuple[str, list[_Entry]]:
    """Return the name of a calendar, and the entries without components nested in them."""
    name = ""
    entries: list[_Entry] = []
    inside = _OpenComponents()
    for line in _unfolded(text):
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        key = match["name"].upper()
        if key == "BEGIN":
            if entry := inside.begin(match["value"].strip().upper()):
                entries.append(entry)
        elif key == "END":
            inside.end(match["value"].strip().upper())
        elif entry := inside.entry:
            entry.values.setdefault(key, []).append(_value(match))
        elif key in {"X-WR-CALNAME", "NAME"} and inside.names == ["VCALENDAR"]:
            name = name or one_line(_value(match).text)
    return name, [entry for entry in entries if entry.values]


def _unfolded(text: str) -> Iterator[str]:
    r"""Yield unfolded lines: a line that begins with a blank continues the previous one (3.1).

    A quoted-printable line (vCard 2.1) also continues if it ends in "=".

    >>> list(_unfolded("NOTE:a\r\n b\nNOTE;ENCODING=QUOTED-PRINTABLE:c=\nd"))
    ['NOTE:ab', 'NOTE;ENCODING=QUOTED-PRINTABLE:c=\nd']
    """
    pieces: list[str] = []
    is_printable = is_continued = False
    for line in re.split(r"\r\n?|\n", text):
        if is_continued:
            pieces.append("\n" + line)
        elif line[:1] in {" ", "\t"} and pieces:
            pieces.append(line[1:])
        else:
            if pieces:
                yield "".join(pieces)
            pieces = [line]
            is_printable = "QUOTED-PRINTABLE" in line.partition(":")[0].upper()
        is_continued = is_printable and line.endswith("=")
    yield "".join(pieces)


def _value(match: re.Match[str]) -> _Value:
    parameters = {
        parameter[1].upper(): parameter[2].replace('"', "")
        for parameter in _PARAMETER.finditer(match["parameters"])
    }
    raw = match["value"]
    if "QUOTED-PRINTABLE" in match["parameters"].upper():
        data = quopri.decodestring(raw.encode())
        written = parameters.get("CHARSET", "utf-8")
        raw = decode_as(data, written) or data.decode(errors="replace")
    return _Value(raw, parameters)


def _title(entry: _Entry) -> str:
    if entry.kind != "VCARD":
        return entry.first("SUMMARY")
    family, first, *rest = [*_structured(entry, "N"), "", ""]
    parts = (*rest[1:2], first, *rest[:1], family, *rest[2:3])
    return entry.first("FN") or " ".join(filter(None, parts)) or entry.first("ORG")


def _structured(entry: _Entry, name: str) -> Sequence[str]:
    values = entry.values.get(name, ())
    return values[0].parts if values else ()


def _describe_event(page: PageText, entry: _Entry) -> None:
    page.heading(1, _title(entry))
    _add_fields(
        page,
        [
            ("When", _span(entry)),
            ("Where", ", ".join(entry.texts("LOCATION"))),
            ("From", entry.addressed("ORGANIZER")),
            ("With", entry.addressed("ATTENDEE")),
            ("Contact", ", ".join(entry.texts("CONTACT"))),
            ("Resources", ", ".join(entry.texts("RESOURCES"))),
            ("Tags", ", ".join(entry.texts("CATEGORIES"))),
            ("Link", entry.first("URL")),
        ],
    )
    _add_notes(page, entry, "DESCRIPTION")
    _add_notes(page, entry, "COMMENT")


def _describe_person(page: PageText, entry: _Entry) -> None:
    title = _title(entry)
    page.heading(1, title)
    name = [part for part in _structured(entry, "N") if part not in title]
    born = entry.first("BDAY")
    _add_fields(
        page,
        [
            ("Name", ", ".join(filter(None, name))),
            ("Also", ", ".join((*list(entry.texts("FN"))[1:], *entry.texts("NICKNAME")))),
            *_joined(entry, "Organization", "ORG"),
            *(("Role", text) for name in ("TITLE", "ROLE") for text in entry.texts(name)),
            *_addresses(entry, "Mail", "EMAIL"),
            *_addresses(entry, "Phone", "TEL"),
            *_addresses(entry, "Chat", "IMPP"),
            *_joined(entry, "Address", "ADR"),
            *_related(entry),
            ("Born", _date_time(born).day or born),
            *_addresses(entry, "Link", "URL"),
            ("Tags", ", ".join(entry.texts("CATEGORIES"))),
        ],
    )
    _add_notes(page, entry, "NOTE")


def _joined(entry: _Entry, label: str, name: str) -> Iterator[tuple[str, str]]:
    for value in entry.values.get(name, ()):
        yield label, ", ".join(filter(None, value.parts))


def _addresses(entry: _Entry, label: str, name: str) -> Iterator[tuple[str, str]]:
    for text in dict.fromkeys(entry.texts(name)):
        yield label, re.sub("(?i)^(?:mailto|tel):", "", text)


def _related(entry: _Entry) -> Iterator[tuple[str, str]]:
    """Yield the names of related people, not the ids of their entries."""
    for text in (text for name in _RELATED for text in entry.texts(name)):
        if not text.lower().startswith("urn:"):
            yield "Related", text


def _add_fields(page: PageText, fields: Sequence[tuple[str, str]]) -> None:
    gap = 2
    for label, text in fields:
        if text:
            page.add(f"{label}: {text}", gap=gap, styles=[(Style.FIELD, len(label))])
            gap = 1


def _add_notes(page: PageText, entry: _Entry, name: str) -> None:
    for value in entry.values.get(name, ()):
        page.add(value.text)


@dataclass(frozen=True, slots=True)
class _DateTime:
    """A day in ISO 8601 and a time; "" if not given."""

    day: str = ""
    clock: str = ""


def _date_time(raw: str) -> _DateTime:
    """Parse a date, or a date with a time (RFC 5545, 3.3.4 and 3.3.5).

    >>> _date_time("20240630T120500Z"), _date_time("1999-12-31"), _date_time("soon")
    (_DateTime(day='2024-06-30', clock='12:05 UTC'), _DateTime(day='1999-12-31', clock=''), \
_DateTime(day='', clock=''))
    """
    match = _DATE_TIME.match(raw)
    if match is None:
        yearly = _YEARLY.match(raw)  # a birthday without its year (RFC 6350, 6.2.5)
        return _DateTime(f"{yearly[1]}-{yearly[2]}") if yearly else _DateTime()
    try:
        day = date(int(match[1]), int(match[2]), int(match[3])).isoformat()
    except ValueError:
        return _DateTime()
    return _DateTime(day, f"{match[4]}:{match[5]}{' UTC' * bool(match[6])}" if match[4] else "")


def _span(entry: _Entry) -> str:
    """Return the start and end of an event. All-day events end on the day before DTEND (3.6.1)."""
    begin = _date_time(entry.first("DTSTART"))
    end = _date_time(entry.first("DTEND") or entry.first("DUE"))
    last = end.day
    if end.day and not end.clock and "DTEND" in entry.values and end.day > begin.day:
        last = (date.fromisoformat(end.day) - timedelta(days=1)).isoformat()
    since = f"{begin.day} {begin.clock}".strip()
    until = f"{last if last != begin.day else ''} {end.clock}".strip()
    return " – ".join(filter(None, (since, until)))
