"""Document trees in formats without structure: text, tables, subtitles, calendars, contacts."""

from __future__ import annotations

import csv
import io

from tests.core.documents.trees.document_tree import Table, Tree


def plain(tree: Tree) -> bytes:
    return "\n\n".join(tree.lines()).encode()


def one_line(tree: Tree) -> bytes:
    return " ".join(tree.lines()).encode()


def comma_separated(tree: Tree) -> bytes:
    """Return rows of different lengths: those of tables, and the words of each block."""
    written = io.StringIO()
    writer = csv.writer(written)
    for block in tree.blocks:
        if isinstance(block, Table):
            writer.writerows(block.rows)
    for line in Tree(tuple(b for b in tree.blocks if not isinstance(b, Table)), ()).lines():
        writer.writerow([*line.split()[:3], " \n ".join(line.split()[3:])])
    return written.getvalue().encode()


def subtitles(tree: Tree) -> bytes:
    cues = (
        f"{number}\n00:{number // 60:02}:{number % 60:02},000 --> 00:59:59,000\n<i>{line}</i>\n"
        for number, line in enumerate(tree.lines(), 1)
    )
    return "\n".join(cues).encode()


def web_subtitles(tree: Tree) -> bytes:
    cues = (
        f"00:{number // 60:02}:{number % 60:02}.000 --> 00:59:59.000\n<v Anna>{line}</v>\n"
        for number, line in enumerate(tree.lines(), 1)
    )
    return "\n".join(["WEBVTT\n", *cues]).encode()


def _folded(line: str) -> str:
    """Fold a content line at 75 bytes, as RFC 5545 prescribes, between characters."""
    pieces, piece = [], ""
    for letter in line:
        if len((piece + letter).encode()) > 74:
            pieces.append(piece)
            piece = ""
        piece += letter
    return "\r\n ".join([*pieces, piece])


_EVENT = ("SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CONTACT", "CATEGORIES", "RESOURCES")


def calendar(tree: Tree) -> bytes:
    """Return events, each property of which has the text of a block."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0"]
    texts = tree.lines()
    for first in range(0, len(texts), len(_EVENT) + 1):
        own = texts[first : first + len(_EVENT) + 1]
        lines += ["BEGIN:VEVENT", "DTSTART:20240101T120000Z"]
        lines += [f"{name}:{text}" for name, text in zip(_EVENT, own, strict=False)]
        if len(own) > len(_EVENT):
            lines.append(f'ATTENDEE;CN="{own[-1]}":mailto:a@example.org')
        lines.append("END:VEVENT")
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()


_PERSON = ("FN", "N", "NOTE", "TITLE", "ROLE", "NICKNAME", "RELATED")


def contacts(tree: Tree) -> bytes:
    lines: list[str] = []
    texts = tree.lines()
    for first in range(0, len(texts), len(_PERSON) + 2):
        own = texts[first : first + len(_PERSON) + 2]
        lines += ["BEGIN:VCARD", "VERSION:4.0"]
        lines += [f"{name}:{text}" for name, text in zip(_PERSON, own, strict=False)]
        if len(own) > len(_PERSON):
            lines.append(f"ORG:{';'.join(own[len(_PERSON)].split())}")
        if len(own) > len(_PERSON) + 1:
            street, *rest = own[-1].split()
            lines.append(f"ADR:;;{street};{' '.join(rest)};;;")
        lines.append("END:VCARD")
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()
