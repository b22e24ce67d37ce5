"""Adds the sheets of a spreadsheet to pages, and formats the numbers in cells."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final

from core.documents import limits
from core.documents.damage import Losses
from core.documents.document import Page
from core.documents.office.date_formats import shown_date
from core.documents.text import PageText


def add_rows(
    page: PageText, name: str, rows: Iterable[tuple[int, Iterable[tuple[int, str]]]]
) -> None:
    """Add a sheet to `page`: its `name` as a heading, then a line per row with text.

    A row is its number and its non-empty cells as (column, text), counted from 1. The heading is
    added even if there are no rows.
    """
    page.heading(1, name)
    is_first = True
    for row_number, cells in rows:
        line = list(spaced(cells))
        if not line:
            continue
        page.sheet_row(line, row_number, first=is_first)
        is_first = False


def check_sheets(pages: Iterable[Page], losses: Losses) -> None:
    """Raise if nothing of a damaged workbook is left but the names of its sheets.

    Raises:
        DocumentError: No sheet has more text, and some text was lost.
    """
    losses.check(page for page in pages if page.text != "".join(h.text for h in page.headings))


def spaced(cells: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the non-empty cells of a row, and one empty cell for each gap between them."""
    last: int | None = None
    length = 0
    for column, text in cells:
        if not text or text.isspace():
            continue
        length += len(text)
        limits.DEFAULT.check_characters(length)
        if last is not None and column > last + 1:
            yield column - 1, ""
        yield column, text
        last = column


GENERAL: Final = "General"
# Whole numbers from this one on are shown with an exponent.
_FEWEST_SCIENTIFIC: Final = 1e20
# Excel's built-in number formats. Dates are always formatted as ISO 8601.
BUILT_IN: Final = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    **dict.fromkeys((5, 6, 37, 38, 41, 42), "#,##0;-#,##0"),
    **dict.fromkeys((7, 8, 39, 40, 43, 44), "#,##0.00;-#,##0.00"),
    **dict.fromkeys((14, 15, 16, 17, *range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((18, 20, 32, 34, 55), "h:mm"),
    **dict.fromkeys((19, 21, 33, 35, 56), "h:mm:ss"),
    22: "yyyy-mm-dd h:mm", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 48: "0.0E+0", 49: "@",
}  # fmt: skip
_LONGEST_CODE = 255
_MOST_DECIMALS = 30
# The epochs of serial dates. Excel counts February 29, 1900, which did not exist.
_EPOCH: Final = datetime(1899, 12, 30)  # noqa: DTZ001 - cells know no time zones
_EPOCH_1904: Final = datetime(1904, 1, 1)  # noqa: DTZ001
_FALSE_LEAP_DAY = 60
_LAST_DAY = 2_958_466
_SECONDS_A_DAY = 86_400
_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|\[(?P<elapsed>[hms]+)\]|\[[^\]]*\]|_.|\*."
    r"|am/pm|a/p|(?P<general>general)|(?P<time>[ymdhsegb]+)"
    r"|(?P<digits>[0#?.,]*[0#?][0#?.,]*)(?P<exponent>e[+-][0#?]+)?|(?P<rest>.)",
    re.IGNORECASE,
)
_WORDS: Final = ("quoted", "escaped", "currency", "time", "rest")


@dataclass(frozen=True, slots=True)
class _NumberFormat:
    """The format of a number and the literal text around it."""

    before: str
    after: str
    decimals: int
    least_decimals: int
    least_digits: int
    is_grouped: bool
    is_scientific: bool
    factor: float


@dataclass(frozen=True, slots=True)
class _DateFormat:
    """The parts of a date and time that are shown."""

    has_date: bool
    has_time: bool
    has_hours: bool
    has_seconds: bool
    is_elapsed: bool


# A section formats a date, a number, any number as the same text, or a number without a format.
_Section = _DateFormat | _NumberFormat | str | None


def format_number(value: float, code: str, *, is_1904: bool = False) -> str:
    """Format the number in a cell with the number format `code`.

    Dates are formatted as ISO 8601 with a space before the time, followed by the date as the
    format shows it, so that both are found. Formats other than one number with text around it are
    ignored.

    >>> format_number(45473.5, "dd.mm.yyyy h:mm"), format_number(0.125, "0.0%")
    ('2024-06-30 12:00 (30.06.2024)', '12.5%')
    >>> format_number(-1234.5, '#,##0.00 "EUR"'), format_number(1.75, "[h]:mm")
    ('-1,234.50 EUR', '42:00')
    >>> format_number(7, "00000"), format_number(3.0, "General")
    ('00007', '3')
    """
    if not math.isfinite(value):
        return format_plain(value)
    sections = _sections(code)
    negative = value < 0 and len(sections) > 1
    section = sections[1] if negative else sections[0]
    if value == 0 and len(sections) > 2:
        section = sections[2]
    if section is None:
        return format_plain(value)
    if isinstance(section, str):
        return section
    if isinstance(section, _DateFormat):
        text = _date(value, section, is_1904)
        return _with_shown(text, code) if text else format_plain(value)
    return _written(abs(value) if negative else value, section)


def format_plain(value: float) -> str:
    """Format a number with the 15 digits that spreadsheets store; up to 20 digits of whole ones.

    >>> format_plain(89.0), format_plain(0.1 + 0.2), format_plain(4.0065432109876e15)
    ('89', '0.3', '4006543210987600')
    >>> format_plain(1e20), format_plain(-2.5e-7)
    ('1E+20', '-2.5E-07')
    """
    if not math.isfinite(value):
        return str(value)
    text = f"{value:.15g}"
    # A number of an account or an order: nobody types it with an exponent.
    return (
        f"{Decimal(text):f}" if "e+" in text and abs(value) < _FEWEST_SCIENTIFIC else text.upper()
    )


@lru_cache(maxsize=1000)
def _sections(code: str) -> list[_Section]:
    """Parse the sections of a number format."""
    if len(code) > _LONGEST_CODE:
        return [None]
    sections: list[list[re.Match[str]]] = [[]]
    for token in _TOKEN.finditer(code):
        if token["rest"] == ";":
            sections.append([])
        else:
            sections[-1].append(token)
    return [_section(tokens) for tokens in sections]


def _section(tokens: list[re.Match[str]]) -> _Section:
    letters = "".join((token["time"] or "").lower() for token in tokens)
    elapsed = "".join((token["elapsed"] or "").lower() for token in tokens)
    digit_indexes = [index for index, token in enumerate(tokens) if token["digits"]]
    if elapsed or set(letters) & set("ymdhs") or (letters and not digit_indexes):
        has_time = bool(elapsed) or "h" in letters or "s" in letters
        # An m is a minute next to hours or seconds, else a month.
        has_date = bool(set(letters) & set("ydegb")) or ("m" in letters and not has_time)
        return _DateFormat(
            has_date=has_date,
            has_time=has_time,
            has_hours="h" in letters + elapsed,
            has_seconds="s" in letters + elapsed,
            is_elapsed=bool(elapsed) and not has_date,
        )
    if not digit_indexes and not any(token["general"] or token["rest"] == "@" for token in tokens):
        return "".join(map(_literal, tokens)).strip()
    if len(digit_indexes) != 1:
        return None
    (at,) = digit_indexes
    digits = tokens[at]["digits"]
    whole, _, fraction = digits.partition(".")
    last = fraction or whole
    thousands = len(last) - len(last.rstrip(","))
    percents = sum(token["rest"] == "%" for token in tokens)
    return _NumberFormat(
        before="".join(map(_literal, tokens[:at])),
        after="".join(map(_literal, tokens[at + 1 :])),
        decimals=min(_MOST_DECIMALS, sum(map(fraction.count, "0#?"))),
        least_decimals=min(_MOST_DECIMALS, fraction.count("0")),
        least_digits=whole.count("0"),
        is_grouped="," in whole.rstrip(","),
        is_scientific=tokens[at]["exponent"] is not None,
        factor=100.0**percents / 1000.0**thousands,
    )


def _literal(token: re.Match[str]) -> str:
    literal: str = next((token[name] for name in _WORDS if token[name]), "")
    return literal or (" " if token.group().startswith("_") else "")


def _written(value: float, number_format: _NumberFormat) -> str:
    value *= number_format.factor
    if number_format.is_scientific:
        digits = f"{abs(value):.{number_format.decimals}E}"
    else:
        digits = f"{abs(value):{',' if number_format.is_grouped else ''}.{number_format.decimals}f}"
        spare = number_format.decimals - number_format.least_decimals
        if spare:
            end = len(digits) - spare
            digits = (digits[:end] + digits[end:].rstrip("0")).rstrip(".")
        missing = number_format.least_digits - len(digits.partition(".")[0])
        digits = "0" * missing + digits
        if value == 0 and number_format.least_digits + number_format.least_decimals == 0:
            digits = ""
    sign = "-" if value < 0 else ""
    return f"{sign}{number_format.before}{digits}{number_format.after}".strip()


def _date(value: float, moment: _DateFormat, is_1904: bool) -> str:
    """Format a serial date as a date, a time or both; return "" if it is out of range."""
    if abs(value) >= _LAST_DAY or (value < 0 and not moment.is_elapsed):
        return ""
    seconds = round(value * _SECONDS_A_DAY)
    if moment.is_elapsed:
        return _clock(abs(seconds), moment, "-" if seconds < 0 else "")
    parts = []
    if moment.has_date:
        days = seconds // _SECONDS_A_DAY
        epoch = _EPOCH_1904 if is_1904 else _EPOCH
        if not is_1904 and days < _FALSE_LEAP_DAY:
            days += 1
        day = (epoch + timedelta(days=days)).date()
        parts.append(day.isoformat())
    if moment.has_time:
        parts.append(_clock(seconds % _SECONDS_A_DAY, moment, ""))
    return " ".join(parts)


def _with_shown(text: str, code: str) -> str:
    """Return a date in ISO 8601 with the date as the sheet shows it, if that is different."""
    try:
        shown = shown_date(date.fromisoformat(text[:10]), code)
    except ValueError:  # a time
        return text
    return f"{text} ({shown})" if shown and not text.startswith(shown) else text


def _clock(seconds: int, moment: _DateFormat, sign: str) -> str:
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    clock = f"{hours:02}:{minute:02}" if moment.has_hours else f"{minutes:02}"
    return f"{sign}{clock}" + (f":{second:02}" if moment.has_seconds else "")
