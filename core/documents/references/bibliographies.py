"""Reads bibliographies: BibTeX (.bib), RIS (.ris) and the library of Zotero (zotero.sqlite)."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from core.documents.containers.unpacking import Level
from core.documents.decoding import decode
from core.documents.files import read_bytes
from core.documents.references import zotero
from core.documents.references.entries import Entry, date_of, words_of
from core.documents.text import one_line
from core.documents.text_formats.latex import inline_text
from core.documents.text_formats.latex_macros import closing_braces
from core.errors import DocumentError

_MONTHS: Final = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)
_KEYWORDS: Final = ("keywords", "keyword", "mendeley-tags")
_PARTS: Final = ("abstract", "note", "annote", "annotation")
_START: Final = re.compile(r"@[ \t]*([A-Za-z]+)[ \t\n]*([{(])")
_NAME: Final = re.compile(r"[\s,]*([^\s=,{}()\"#]+)\s*=")
# A piece of a value: digits, the name of a string, or the start of a text.
_PIECE: Final = re.compile(r"\s*(?:(?P<word>[^\s=,{}()\"#]+)|(?P<opening>[{\"]))")
_JOINT: Final = re.compile(r"\s*#")
_MARK: Final = re.compile(r"(?<!\\)[{}\"]")
_LONGEST_KEY: Final = 300
_LONGEST_QUOTATION: Final = 20_000
_LONGEST_EXPANDED: Final = 10_000
_NO_ENTRY: Final = "Damaged, or not a bibliography: no entry found"


def unpack(path: Path, level: Level) -> None:
    """Unpack the entries of a bibliography.

    Raises:
        DocumentError: The file is damaged, or not a bibliography.
    """
    if path.suffix.lower() == ".sqlite":
        zotero.unpack(path, level)
        return
    source = decode(read_bytes(path)).replace("\r\n", "\n").replace("\r", "\n")
    is_ris = path.suffix.lower() == ".ris"
    has_entry = not source.strip()
    for entry in _ris_entries(source) if is_ris else _bibtex_entries(source):
        has_entry = True
        level.take(entry.file_name, [entry.packed()])
    if not has_entry:
        raise DocumentError(_NO_ENTRY)


# BibTeX


def _bibtex_entries(source: str) -> Iterator[Entry]:
    strings = {name: name.capitalize() for name in _MONTHS}
    closing = closing_braces(source)
    at = 0
    while match := _START.search(source, at):
        kind, at = match[1].lower(), match.end()
        end = closing.get(at - 1, at)
        if kind in {"comment", "preamble"}:
            at = end
            continue
        key = ""
        if kind != "string":
            key, comma, _ = source[at : at + _LONGEST_KEY].partition(",")
            at += len(key) + len(comma)
        values: dict[str, str] = {}
        while name := _NAME.match(source, at):
            value, at = _value(source, name.end(), strings, closing)
            values[name[1].lower()] = value
        if kind == "string":
            strings |= {
                name: text for name, text in values.items() if len(text) < _LONGEST_EXPANDED
            }
            continue
        # What is no field, up to the next entry where a brace is missing.
        if rest := source[at:end].partition("\n@")[0].strip(", \t\n"):
            values["note"] = " ".join(filter(None, (values.get("note"), rest)))
        if values:
            yield _bibtex_entry(kind, one_line(key), values)


def _value(
    source: str, at: int, strings: Mapping[str, str], closing: Mapping[int, int]
) -> tuple[str, int]:
    """Return the value at an offset, with its pieces joined, and the offset after it."""
    pieces = []
    length = 0
    while piece := _PIECE.match(source, at):
        at = piece.end()
        if piece["word"]:
            # A string may be made of strings: a few lines could expand to gigabytes.
            known = strings if length < _LONGEST_EXPANDED else {}
            pieces.append(known.get(piece["word"].lower(), piece["word"]))
            length += len(pieces[-1])
        else:
            is_quoted = piece["opening"] == '"'
            end = _end_of_quotation(source, at) if is_quoted else closing.get(at - 1)
            if end is None:  # damaged: up to the end of the line
                end = source.find("\n", at)
                end = len(source) if end < 0 else end
            pieces.append(source[at:end])
            at = end + 1
        joint = _JOINT.match(source, at)
        if joint is None:
            break
        at = joint.end()
    return "".join(pieces), at


def _end_of_quotation(source: str, at: int) -> int | None:
    """Return the offset of the next quotation mark that is not in braces; None if there is none."""
    depth = 0
    for mark in _MARK.finditer(source, at, at + _LONGEST_QUOTATION):
        if mark[0] == '"' and not depth:
            return mark.start()
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
    return None


def _bibtex_entry(kind: str, key: str, values: dict[str, str]) -> Entry:
    shown = {name: inline_text(value) for name, value in values.items()}
    people = shown.pop("author", "") or shown.pop("editor", "")
    year, month = shown.get("year", ""), shown.get("month", "")[:3].lower()
    number = _MONTHS.index(month) + 1 if month in _MONTHS else 0
    entry = Entry(
        title=shown.pop("title", ""),
        authors=re.split(r"\s+and\s+", people) if people else [],
        date=date_of(shown.get("date", ""), f"{year}-{number}" if number else year),
        tags=words_of([shown.pop(name, "") for name in _KEYWORDS]),
        parts=[("", shown.pop(name)) for name in _PARTS if name in shown],
    )
    entry.fields = [("type", kind), ("key", key), *shown.items()]
    return entry


# RIS

_RIS_LINE: Final = re.compile(r"([A-Z][A-Z0-9])  - ?(.*)")
_RIS_NAMES: Final = {
    "TY": "type",
    "JO": "journal",
    "JF": "journal",
    "T2": "in",
    "BT": "in",
    "PB": "publisher",
    "VL": "volume",
    "IS": "issue",
    "SP": "from page",
    "EP": "to page",
    "UR": "url",
    "DO": "doi",
    "SN": "isbn",
    "CY": "place",
}


def _ris_entries(source: str) -> Iterator[Entry]:
    lines: list[tuple[str, str]] = []
    for line in source.split("\n"):
        match = _RIS_LINE.match(line.lstrip("\ufeff"))
        if match is None:
            if lines and line.strip():  # the next line of a value
                lines[-1] = (lines[-1][0], f"{lines[-1][1]}\n{line.strip()}")
        elif match[1] != "ER":
            if match[1] == "TY" and lines:
                yield _ris_entry(lines)
                lines = []
            lines.append((match[1], match[2].strip()))
        elif lines:
            yield _ris_entry(lines)
            lines = []
    if lines:
        yield _ris_entry(lines)


def _ris_entry(lines: list[tuple[str, str]]) -> Entry:
    def take(*tags: str) -> list[str]:
        values = [value for tag, value in lines if tag in tags]
        lines[:] = [line for line in lines if line[0] not in tags]
        return values

    titles = take("TI", "T1") or take("BT", "T2")
    dates = [value for tag in ("DA", "PY", "Y1") for name, value in lines if name == tag]
    entry = Entry(
        title=one_line(" ".join(titles[:1])),
        authors=take("AU", "A1") or take("A2"),
        date=date_of(*dates),
        tags=words_of(take("KW"), ";\n"),
        parts=[("", value) for value in take("AB", "N2", "N1")],
    )
    entry.fields = [(_RIS_NAMES.get(tag, tag), value) for tag, value in lines if value]
    return entry
