from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Style
from core.documents.text import PageText
from core.documents.text_formats import content_lines

Read = Callable[..., Document]

_EVENT = """BEGIN:VEVENT
SUMMARY:Rehearsal\\, all voices
DTSTART;TZID=Europe/Berlin:20240630T193000
DTEND;TZID=Europe/Berlin:20240630T213000
LOCATION:Parish hall
ORGANIZER;CN="Rook, Ann: choir":mailto:ann@example.org
ATTENDEE;CN=Bob Jay;PARTSTAT=ACCEPTED:mailto:bob@example.org
ATTENDEE:MAILTO:eve@example.org
DESCRIPTION:Bring the Requiem.\\nWe begin with the
  Sanctus.
BEGIN:VALARM
DESCRIPTION:This is an event reminder
END:VALARM
END:VEVENT
"""
_ZONE = "BEGIN:VTIMEZONE\nTZID:Europe/Berlin\nBEGIN:STANDARD\nDTSTART:16010101T030000\n"
_ZONE += "TZNAME:CET\nEND:STANDARD\nEND:VTIMEZONE\n"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_source(source: str | bytes, name: str = "choir.ics") -> Document:
        path = tmp_path / name
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
        is_calendar = name.endswith(("ics", "vcs"))
        reader = content_lines.read_calendar if is_calendar else content_lines.read_contacts
        return reader(path)

    return read_source


def _calendar(*parts: str) -> str:
    return "\r\n".join(("BEGIN:VCALENDAR", *"".join(parts).splitlines(), "END:VCALENDAR", ""))


def _person(*lines: str) -> str:
    return "\n".join(("BEGIN:VCARD", "VERSION:4.0", *lines, "END:VCARD", ""))


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


def test_an_event_is_read_with_when_where_and_who(read: Read) -> None:
    document = read(_calendar(_ZONE, _EVENT))
    assert _text(document) == (
        "Rehearsal, all voices\n\nWhen: 2024-06-30 19:30 – 21:30\nWhere: Parish hall\n"
        "From: Rook, Ann: choir <ann@example.org>\n"
        "With: Bob Jay <bob@example.org>; eve@example.org\n\n"
        "Bring the Requiem.\nWe begin with the Sanctus."
    )
    assert (document.title, document.author) == ("Rehearsal, all voices", "Rook, Ann: choir")
    assert document.date == "2024-06-30"
    (page,) = document.pages
    assert [heading.text for heading in page.headings] == ["Rehearsal, all voices"]
    fields = [page.text[span.start : span.end] for span in page.styles if span.style == Style.FIELD]
    assert fields[1] == "Where: Parish hall"


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ("DTSTART;VALUE=DATE:20240801\nDTEND;VALUE=DATE:20240805", "2024-08-01 – 2024-08-04"),
        ("DTSTART;VALUE=DATE:20240801\nDTEND;VALUE=DATE:20240802", "2024-08-01"),
        (
            "DTSTART:20240801T100000Z\nDTEND:20240802T013000Z",
            "2024-08-01 10:00 UTC – 2024-08-02 01:30 UTC",
        ),
        ("DTSTART:20240801T100000", "2024-08-01 10:00"),
        ("DUE:20240801", "2024-08-01"),
        ("DTSTART:20241301", ""),
    ],
)
def test_times_are_returned_as_they_are_written(read: Read, lines: str, shown: str) -> None:
    source = _calendar(f"BEGIN:VTODO\nSUMMARY:Sing\n{lines}\nEND:VTODO\n")
    assert _text(read(source)) == "Sing" + f"\n\nWhen: {shown}" * bool(shown)


def test_a_calendar_of_several_events_has_its_own_name(read: Read) -> None:
    other = "BEGIN:VJOURNAL\nSUMMARY:Tour\nEND:VJOURNAL\n"
    document = read(_calendar("X-WR-CALNAME:Choir\\; altos\n", _EVENT, other))
    assert (document.title, document.author, document.date) == ("Choir; altos", "", "")
    headings = document.pages[0].headings
    assert [heading.text for heading in headings] == ["Rehearsal, all voices", "Tour"]


def test_a_person_is_read_with_all_by_which_they_are_found(read: Read) -> None:
    document = read(
        _person(
            "N:Müller;Jürgen;Karl;Dr.;",
            "NICKNAME:Jo",
            "ORG:ACME\\; Ltd;Research",
            "item1.EMAIL;TYPE=work:jm@example.org",
            "TEL;VALUE=uri:tel:+49-30-1234",
            "ADR;TYPE=home:;;Hauptstr. 5;Berlin;;10115;Germany",
            "BDAY:--0412",
            "NOTE:Met at\\nthe fair.",
            "PHOTO;ENCODING=b:/9j/4AAQ",
            " AAAA",
        ),
        "jo.vcf",
    )
    assert document.title == "Dr. Jürgen Karl Müller"
    assert _text(document) == (
        "Dr. Jürgen Karl Müller\n\nAlso: Jo\nOrganization: ACME; Ltd, Research\n"
        "Mail: jm@example.org\nPhone: +49-30-1234\n"
        "Address: Hauptstr. 5, Berlin, 10115, Germany\nBorn: 04-12\n\nMet at\nthe fair."
    )


def test_old_contacts_are_written_in_printable_characters(read: Read) -> None:
    source = _person(
        "FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:J=FCrgen M=FCller",
        "NOTE;ENCODING=QUOTED-PRINTABLE:met at=",
        " the =",
        "fair",
        "TITLE:Ornithologist",
    )
    text = _text(read(source, "old.vcf"))
    assert text == "Jürgen Müller\n\nRole: Ornithologist\n\nmet at the fair"


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_an_entry_without_an_end_keeps_the_others(read: Read, missing: int) -> None:
    events = [f"BEGIN:VEVENT\r\nSUMMARY:Owl {index}\r\nEND:VEVENT\r\n" for index in range(3)]
    events[missing] = events[missing].replace("END:VEVENT\r\n", "")
    text = _text(read(f"BEGIN:VCALENDAR\r\n{''.join(events)}END:VCALENDAR\r\n", "birds.ics"))
    assert all(f"Owl {index}" in text for index in range(3))


def test_people_in_other_people_are_entries_of_their_own(read: Read) -> None:
    agent = ("AGENT:", "BEGIN:VCARD", "FN:Agent", "END:VCARD")
    document = read(_person("FN:Ann Rook", *agent, "TEL:123") + _person("FN:Bob"), "two.vcard")
    assert document.title == ""
    assert _text(document) == "Ann Rook\n\nPhone: 123\n\nAgent\n\nBob"


@pytest.mark.parametrize(
    "source", ["", "Only text\nof lines", "BEGIN:VCALENDAR\nEND:VCALENDAR", "BEGIN:VEVENT"]
)
def test_text_without_entries_is_read_verbatim(read: Read, source: str) -> None:
    assert _text(read(source)) == source


def test_a_file_that_ends_in_the_middle_is_read_to_there(read: Read) -> None:
    source = _calendar(_EVENT)
    assert "Parish" in _text(read(source[: source.index("hall")]))


def test_a_very_long_line_of_parameters_takes_a_moment(read: Read) -> None:
    """Each is looked at once, also where no colon follows."""
    for hostile in (
        ';A="' * 200_000,
        ";A=b" * 200_000,
        "a." * 200_000,
        '"' * 400_000,
        "\\" * 400_000,
    ):
        source = _calendar(
            f"BEGIN:VEVENT\nX{hostile}\nSUMMARY:{hostile}\nLOCATION:Hall\nEND:VEVENT\n"
        )
        assert "Where: Hall" in _text(read(source))
    source = _person("FN:Ann", "N:" + "\\;" * 200_000, "ORG:" + ";" * 200_000)
    assert "Ann" in _text(read(source, "a.vcf"))


_LINES = r"""BEGIN:VEVENT|END:VEVENT|BEGIN:VCARD|END:VCARD|SUMMARY:a\|FN;X="a:b|N:;;\;
DTSTART:99999999|DTEND:20240101| x|NOTE;QUOTED-PRINTABLE:=|="""


@given(st.lists(st.sampled_from(_LINES.replace("\n", "|").split("|"))))
def test_any_lines_keep_the_promises_of_a_page(lines: list[str]) -> None:
    _, entries = content_lines._entries("\n".join(lines))
    page = PageText()
    for entry in entries:
        content_lines._describe_event(page, entry)
        content_lines._describe_person(page, entry)
    text, headings = page.finish()
    assert text == text.strip()
    assert all(text.startswith(heading.text, heading.start) for heading in headings)


def test_fields_that_occur_twice_or_seldom_are_read(read: Read) -> None:
    event = "BEGIN:VEVENT\nSUMMARY:Rehearsal\nLOCATION:Hall\nLOCATION:Online\nCONTACT:Eve Jay\n"
    text = _text(read(_calendar(event, "RESOURCES:piano\nEND:VEVENT\n")))
    assert text == "Rehearsal\n\nWhere: Hall, Online\nContact: Eve Jay\nResources: piano"
    person = _person("FN:Bob", "FN:Bobby", "N:Smith;Bob;;;", "RELATED:urn:uuid:1", "X-SPOUSE:Eve")
    assert _text(read(person, "a.vcf")) == "Bob\n\nName: Smith\nAlso: Bobby\nRelated: Eve"
