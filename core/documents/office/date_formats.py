"""Dates in cells as a sheet shows them, in addition to their form in ISO 8601."""

import json
import re
from datetime import date
from functools import lru_cache
from typing import Any, Final

from core.files.paths import RESOURCES

_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$[^\]-]*-?(?P<language>[0-9a-fA-F]*)[^\]]*\]|\[[^\]]*\]'
    r"|_.|\*.|(?P<date>y+|m+|d+)|(?P<other>[hsgeb]+|am/pm|a/p)|(?P<sign>.)",
    re.IGNORECASE | re.DOTALL,
)
_NAMES: Final[dict[str, Any]] = json.loads(
    (RESOURCES / "words" / "sheet_dates.json").read_text("utf-8")
)
# Month names by the low ten bits of languages. Other languages are shown in ISO 8601 only.
_MONTHS: Final = {int(language): names.split() for language, names in _NAMES["months"].items()}
# Short names that are not the first three letters.
_SHORT_MONTHS: Final[dict[str, str]] = _NAMES["short_months"]
# How the format "short date of the system" shows dates, by the name of the sheets in the language
# of the program that wrote a workbook. English is missing: its countries differ.
_SYSTEM_DATES: Final = {
    name: code
    for code, entry in _NAMES["system"].items()
    for name in entry.get("sheets", "").split()
}
# The same by the telephone code of the country of the computer.
_BY_COUNTRY: Final = {
    country: code for code, entry in _NAMES["system"].items() for country in entry["countries"]
}
_WEEKDAY: Final = 3  # letters of a weekday's name, which is left out


def shown_date(day: date, code: str) -> str:
    """Return a day as a number format shows it; "" if that needs names of an unknown language.

    Times and names of weekdays are left out.

    >>> day = date(2026, 3, 5)
    >>> shown_date(day, "dd.mm.yyyy"), shown_date(day, "[$-407]d. mmmm yyyy")
    ('05.03.2026', '5. März 2026')
    >>> shown_date(day, "m/d/yy h:mm"), shown_date(day, "mmmm d, yyyy")
    ('3/5/26', '')
    """
    pieces = _pieces(code)
    if pieces is None:
        return ""
    tokens, language = pieces
    months = _MONTHS.get(language)
    text = ""
    for token, is_literal in tokens:
        if is_literal:
            text += token
        elif token[0] == "y":
            text += f"{day.year:04}" if len(token) > 2 else f"{day.year % 100:02}"
        elif token[0] == "d":
            text += f"{day.day:02}" if len(token) == 2 else str(day.day)
        elif len(token) > 2:
            if months is None:
                return ""
            name = months[day.month - 1]
            text += name if len(token) > 3 else _SHORT_MONTHS.get(name, name[:3])
        else:
            text += f"{day.month:02}" if len(token) == 2 else str(day.month)
    return text.strip(" ,;-/")


def system_codes(sheets: str = "", country: int = 0) -> dict[int, str]:
    """Return the number formats that depend on the system, 14 and 22, if it is known.

    Args:
        sheets: Name of the sheets in the language of the program that wrote the workbook.
        country: Telephone code of the country of the computer.

    >>> system_codes("Feuilles de calcul"), system_codes(country=31)[14], system_codes("Worksheets")
    ({14: 'dd/mm/yyyy', 22: 'dd/mm/yyyy h:mm'}, 'dd-mm-yyyy', {})
    """
    code = _BY_COUNTRY.get(country) or _SYSTEM_DATES.get(sheets.partition(" ")[0], "")
    return {14: code, 22: f"{code} h:mm"} if code else {}


@lru_cache(maxsize=1000)
def _pieces(code: str) -> tuple[list[tuple[str, bool]], int] | None:
    """Return the tokens of the first section of a number format, and its language.

    Return None without a day or a month. Each token comes with whether it is literal text.
    """
    tokens: list[tuple[str, bool]] = []
    language = 0
    is_time = False
    for token in _TOKEN.finditer(code):
        if token["sign"] == ";":
            break
        if token["language"]:
            language = int(token["language"][-4:], 16) & 0x3FF
        if token["other"]:
            # The rest is the time, and the text before it is between both: "T", " um ".
            is_time = True
            _drop_literals(tokens)
        elif is_time and token["date"] and token["date"][0].lower() in "yd":
            return None
        elif not is_time and token["date"]:
            name = token["date"].lower()
            if name[0] == "d" and len(name) >= _WEEKDAY:
                _drop_literals(tokens)
            else:
                tokens.append((name, False))
        elif not is_time and (tokens or token["quoted"] or token["escaped"]):
            tokens.append((token["quoted"] or token["escaped"] or token["sign"] or "", True))
    kinds = {name[0] for name, is_literal in tokens if not is_literal}
    return (tokens, language) if {"d", "m", "y"} <= kinds else None


def _drop_literals(tokens: list[tuple[str, bool]]) -> None:
    """Remove the literal text at the end of a list of tokens."""
    while tokens and tokens[-1][1]:
        tokens.pop()
