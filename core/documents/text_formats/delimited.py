"""Delimited text (.csv, .tsv), row by row, with the header as a heading."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from core.documents.decoding import decode
from core.documents.document import Document
from core.documents.files import read_bytes
from core.documents.text import PageText
from core.documents.text_formats.plain import plain_document

# Most cells that are parsed, which takes seconds. Larger tables are read as plain text.
_MOST_CELLS = 2_000_000
_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_CHARACTERS = 64_000
_SAMPLE_ROWS = 200
# Excel's declaration of the delimiter.
_SEPARATOR_LINE = re.compile(r"sep=([,;|\t])\r?\n")
_NUMBER = re.compile(r"[-+(]?[\d.,:/ \u00a0%$€£-]*\d[\d.,:/ \u00a0%$€£)-]*")
_LONGEST_NAME = 60


def read(path: Path) -> Document:
    """Read a table as one page, one line per row, with a bar between cells.

    A row of column names is a heading, so that each passage of a long table has them.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    text = decode(read_bytes(path)).replace("\0", "")
    declared = _SEPARATOR_LINE.match(text)
    if declared:
        text = text[declared.end() :]
    delimiter = (
        declared[1] if declared else _delimiter(text, is_tabbed=path.suffix.lower() == ".tsv")
    )
    page = PageText()
    cells = 0
    is_first = True
    try:
        for row in _rows(text, delimiter):
            cells += len(row)
            if cells > _MOST_CELLS:
                return plain_document(text)
            level = int(is_first and _names_columns(row))
            page.sheet_row(list(enumerate(row, 1)), first=is_first, level=level)
            is_first = False
    except csv.Error:
        # A cell of more than 128 kB: the quotation marks are not delimiters.
        return plain_document(text)
    return Document("", (page.page(1),))


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    lines = io.StringIO(text, newline="")
    for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True):
        if any(row):
            yield row


def comma_rows(lines: Sequence[str], delimiter: str = ",") -> list[list[str]]:
    """Return the rows of a table in another document; if it is invalid, one cell per line.

    >>> comma_rows(['"a, b", c'])
    [['a, b', 'c']]
    """
    try:
        return list(_rows("\n".join(lines), delimiter))
    except csv.Error:
        return [[line] for line in lines]


def _delimiter(text: str, *, is_tabbed: bool) -> str:
    r"""Return the delimiter that gives most rows the same number of cells, more than one.

    >>> _delimiter("a;b;c\n1,5;2;3\n4;5,2;6\n", is_tabbed=False)
    ';'
    >>> _delimiter("Lorem, ipsum\ndolor\n", is_tabbed=False)
    ','
    """
    sample = text[:_SAMPLE_CHARACTERS]
    if len(sample) < len(text):
        sample = sample[: sample.rfind("\n") + 1] or sample
    usual = "\t" if is_tabbed else ","
    best, most = usual, 0.0
    for delimiter in (usual, *(other for other in _DELIMITERS if other != usual)):
        try:
            widths = Counter(map(len, islice(_rows(sample, delimiter), _SAMPLE_ROWS)))
        except csv.Error:
            continue
        width, count = max(
            ((width, count) for width, count in widths.items() if width > 1),
            key=lambda pair: pair[1],
            default=(1, 0),
        )
        # On a tie the delimiter with more cells wins, with a preference for the usual one.
        share = count / widths.total() + min(width, 100) / 10_000 if width > 1 else 0.0
        if share > most + (0.02 if best == usual and most else 0):
            best, most = delimiter, share
    return best


def _names_columns(row: Sequence[str]) -> bool:
    """Return whether a table's first row contains column names.

    >>> _names_columns(["Name", "Born"]), _names_columns(["Ann", "1999"]), _names_columns(["Ann"])
    (True, False, False)
    """
    names = [cell.strip() for cell in row]
    while names and not names[-1]:
        names.pop()
    return (
        len(names) > 1
        and all(names)
        and len(set(names)) == len(names)
        and not any(_NUMBER.fullmatch(name) or len(name) > _LONGEST_NAME for name in names)
    )
