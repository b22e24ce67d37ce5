"""Writes files of a person's folder in the format of their suffix."""

from __future__ import annotations

import csv
import html
import io
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, time
from email.headerregistry import Address
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from known_items.items import PersonFile, Section

_LINES_PER_PAGE: Final = 46
_LETTERS_PER_LINE: Final = 88


def write(file: PersonFile, folder: Path) -> None:
    """Write a file below `folder`, with the time of its day."""
    path = folder / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_WRITERS[path.suffix](file))
    written_s = _noon(file).timestamp()
    os.utime(path, (written_s, written_s))


def _noon(file: PersonFile) -> datetime:
    return datetime.combine(file.day, time(12), UTC)


def _plain_lines(sections: tuple[Section, ...]) -> Iterator[str]:
    for section in sections:
        if section.heading:
            yield from ("", section.heading)
        for paragraph in section.paragraphs:
            yield from ("", paragraph)
        if section.rows:
            yield ""
        yield from ("  ".join(row) for row in section.rows)


def _txt(file: PersonFile) -> bytes:
    return "\n".join((file.title, *_plain_lines(file.sections), "")).encode()


def _py(file: PersonFile) -> bytes:
    """Write code: paragraphs are code, the title is the docstring of the module."""
    code = ("\n\n\n".join(section.paragraphs) for section in file.sections)
    return "\n\n\n".join((f'"""{file.title}."""', *code, "")).encode()


def _md(file: PersonFile) -> bytes:
    lines = [f"# {file.title}"]
    for section in file.sections:
        lines += [f"## {section.heading}"] * bool(section.heading)
        lines += section.paragraphs
        if section.rows:
            head, *rows = (f"| {' | '.join(row)} |" for row in section.rows)
            rule = f"|{'---|' * len(section.rows[0])}"
            lines.append("\n".join((head, rule, *rows)))
    return ("\n\n".join(lines) + "\n").encode()


def _html(file: PersonFile) -> bytes:
    parts = [f"<h1>{html.escape(file.title)}</h1>"]
    for section in file.sections:
        parts += [f"<h2>{html.escape(section.heading)}</h2>"] * bool(section.heading)
        parts += (f"<p>{html.escape(paragraph)}</p>" for paragraph in section.paragraphs)
        rows = (
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in section.rows
        )
        parts.append(f"<table>{''.join(rows)}</table>" if section.rows else "")
    head = f'<meta charset="utf-8"><title>{html.escape(file.title)}</title>'
    return f"<!DOCTYPE html><html><head>{head}</head><body>{''.join(parts)}</body></html>".encode()


def _csv(file: PersonFile) -> bytes:
    target = io.StringIO()
    writer = csv.writer(target)
    for section in file.sections:
        writer.writerows(section.rows)
    return target.getvalue().encode()


def _docx(file: PersonFile) -> bytes:
    import docx

    document = docx.Document()
    document.core_properties.title = file.title
    document.core_properties.author = file.mail.sender if file.mail else ""
    document.core_properties.created = document.core_properties.modified = _noon(file)
    document.add_heading(file.title, 0)
    for section in file.sections:
        if section.heading:
            document.add_heading(section.heading, 1)
        for paragraph in section.paragraphs:
            document.add_paragraph(paragraph)
        if section.rows:
            table = document.add_table(0, len(section.rows[0]))
            for row in section.rows:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def _xlsx(file: PersonFile) -> bytes:
    import xlsxwriter

    target = io.BytesIO()
    with xlsxwriter.Workbook(target) as book:
        book.set_properties({"title": file.title, "created": _noon(file).replace(tzinfo=None)})
        for section in file.sections:
            sheet = book.add_worksheet(section.heading[:31])
            for index, row in enumerate(section.rows):
                sheet.write_row(index, 0, row)
    return target.getvalue()


def _eml(file: PersonFile) -> bytes:
    assert file.mail is not None, file.path
    message = EmailMessage()
    user, _, domain = file.mail.address.partition("@")
    message["From"] = Address(file.mail.sender, user, domain)
    message["To"] = file.mail.recipient
    message["Subject"] = file.title
    message["Date"] = _noon(file)
    message["Message-ID"] = f"<{Path(file.path).stem}@example.org>"
    message.set_content("\n".join(_plain_lines(file.sections)).strip() + "\n")
    return message.as_bytes()


def _ics(file: PersonFile) -> bytes:
    fields = {row[0]: row[1] for section in file.sections for row in section.rows}
    notes = "\\n".join(text for section in file.sections for text in section.paragraphs)
    lines = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//known items//EN", "BEGIN:VEVENT"),
        f"UID:{file.path}",
        f"DTSTART:{file.day:%Y%m%d}T{fields['time'].replace(':', '')}00",
        f"SUMMARY:{file.title}",
        f"LOCATION:{fields['place']}",
        f"DESCRIPTION:{notes}",
        *("END:VEVENT", "END:VCALENDAR", ""),
    ]
    return "\r\n".join(lines).encode()


def _vcf(file: PersonFile) -> bytes:
    fields = [row for section in file.sections for row in section.rows]
    lines = [f"{name}:{text}" for name, text in fields]
    card = ("BEGIN:VCARD", "VERSION:4.0", f"FN:{file.title}", *lines, "END:VCARD", "")
    return "\r\n".join(card).encode()


def _wrapped(text: str) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        if line and len(line) + len(word) >= _LETTERS_PER_LINE:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


def _pdf(file: PersonFile) -> bytes:
    """Write a PDF in Helvetica: each section begins a page if it has a heading with a number."""
    pages: list[list[tuple[int, str]]] = [[(18, file.title)]]
    for section in file.sections:
        if section.heading[:1].isdigit() or len(pages[-1]) > _LINES_PER_PAGE:
            pages.append([])
        pages[-1] += [(0, ""), (14, section.heading)] if section.heading else []
        for text in (*section.paragraphs, *("   ".join(row) for row in section.rows)):
            pages[-1] += [(0, ""), *((11, line) for line in _wrapped(text))]
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>"
        % (len(pages), b" ".join(b"%d 0 R" % (5 + 2 * index) for index in range(len(pages)))),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Title <%s> /CreationDate (D:%s120000Z) >>"
        % (
            ("\ufeff" + file.title).encode("utf-16-be").hex().encode(),
            f"{file.day:%Y%m%d}".encode(),
        ),
    ]
    for index, lines in enumerate(pages):
        content = b"BT 50 800 Td " + b" ".join(_pdf_line(*line) for line in lines) + b" ET"
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % (6 + 2 * index),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    data, offsets = b"%PDF-1.4\n", []
    for index, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (index, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
    return data + table + trailer % (count, len(data))


def _pdf_line(size: int, text: str) -> bytes:
    """Return the operators for a line; size 0 is a gap."""
    if not size:
        return b"0 -9 Td"
    escaped = text.encode("cp1252", "replace")
    for sign in (b"\\", b"(", b")"):
        escaped = escaped.replace(sign, b"\\" + sign)
    return b"/F1 %d Tf (%s) Tj 0 -%d Td" % (size, escaped, size + 4)


_WRITERS: Final[Mapping[str, Callable[[PersonFile], bytes]]] = {
    ".txt": _txt,
    ".md": _md,
    ".html": _html,
    ".csv": _csv,
    ".py": _py,
    ".docx": _docx,
    ".xlsx": _xlsx,
    ".pdf": _pdf,
    ".eml": _eml,
    ".ics": _ics,
    ".vcf": _vcf,
}
