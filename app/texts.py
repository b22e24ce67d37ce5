"""Wording that several parts of the window share."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QDate, QDir, QLocale, Qt
from PySide6.QtGui import QGuiApplication

from core.addresses import readable_path
from core.printable import quoted

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from core.alignment.pairwise import AlignmentStrategy
    from core.responses import DocumentHit


def grouped(count: int) -> str:
    """Return `count` with digits grouped for the locale."""
    return QLocale().toString(count)


def figure(value: float, digits: int) -> str:
    """Return a number with `digits` decimals in the format of the locale."""
    return QLocale().toString(value, "f", digits)


def opening() -> tuple[str, str]:
    """Return the headline and the sentence that are shown until the library is open."""
    return _tr("Please wait"), _tr("Opening your library…")


def documents(count: int) -> str:
    return _tr("%Ln document(s)", count)


def files(count: int) -> str:
    return _tr("%Ln file(s)", count)


def passages(count: int) -> str:
    return _tr("%Ln passage(s)", count)


def matches(count: int) -> str:
    """Return the number of highlighted words."""
    return _tr("%Ln match(es)", count)


def further_passages(count: int, *, are_shown: bool) -> str:
    """Return the text of the row that shows or hides further passages of a document."""
    return _tr("Hide %Ln passage(s)", count) if are_shown else _tr("%Ln more passage(s)", count)


def more(count: int, *, are_shown: bool, are_copies: bool, mails: int) -> str:
    """Return the text of a row that shows or hides further passages, copies or mails.

    Of the copies, some number are `mails` of the document's conversation.
    """
    if not are_copies:
        return further_passages(count, are_shown=are_shown)
    if mails == count:
        if are_shown:
            return _tr("Hide %Ln further mail(s) of this conversation", count)
        return _tr("and %Ln further mail(s) of this conversation", count)
    if mails:
        if are_shown:
            return _tr("Hide %Ln copy(s), version(s) and mail(s) of this conversation", count)
        return _tr("%Ln more copy(s), version(s) or mail(s) of this conversation", count)
    if are_shown:
        return _tr("Hide %Ln copy(s) and version(s)", count)
    return _tr("%Ln more copy(s) or version(s)", count)


def page(page_number: int) -> str:
    return _tr("p. {0}").format(grouped(page_number))


def further_queries(count: int) -> str:
    return _tr("%Ln more query(s)", count)


def close_matches(count: int) -> str:
    """Return the number of likely results."""
    return _tr("%Ln close match(es)", count)


def compared_words(strategy: AlignmentStrategy) -> str:
    """Return the words of a passage that each word of a query is compared with."""
    if strategy.is_top_1:
        return _tr("the best word of a passage")
    if strategy.kind == "topk":
        return _tr("the best {0} words of a passage").format(grouped(int(strategy.value)))
    return _tr("the best {0}% of a passage’s words").format(_decimal(strategy.value * 100))


def day(shown: date) -> str:
    """Return a day in the format of the locale; ISO 8601 if none is set."""
    locale = QLocale()
    if locale.language() == QLocale.Language.C:
        # Qt's format is 1 04 2009.
        return shown.isoformat()
    written = QDate(shown.year, shown.month, shown.day)
    return locale.toString(written, QLocale.FormatType.ShortFormat)


def readable_day(shown: date) -> str:
    """Return a day with the name of its month, as 16 Nov 2016; ISO 8601 if no locale is set."""
    locale = QLocale()
    if locale.language() == QLocale.Language.C:
        return shown.isoformat()
    return locale.toString(QDate(shown.year, shown.month, shown.day), _day_format(locale.name()))


# A weekday at one end of a date, with what separates it from the rest.
_WEEKDAY: Final = re.compile("^dddd(?:[^dMyG']|'[^']*')*|[,\\s]*dddd$")


@cache
def _day_format(locale: str) -> str:
    """Return the long format of dates of a locale without the weekday, with short months.

    >>> [_day_format(name) for name in ("en_GB", "en_US", "de", "zh_CN", "hu", "da")]
    ['d MMM yyyy', 'MMM d, yyyy', 'd. MMM yyyy', 'yyyy年M月d日', 'yyyy. MMM d.', 'd. MMM yyyy']
    """
    long = QLocale(locale).dateFormat(QLocale.FormatType.LongFormat)
    return _WEEKDAY.sub("", long).replace("MMMM", "MMM")


def time_left(seconds: float) -> str:
    """Return a rough estimate that does not change every second."""
    return _tr("{0} left").format(duration(seconds))


def duration(seconds: float) -> str:
    """Return a rounded duration."""
    if seconds < 10:
        return _tr("a few seconds")
    if seconds < 55:
        return _tr("about {0} s").format(grouped(round(seconds / 10) * 10))
    minutes = round(seconds / 60)
    if minutes < 60:
        return _tr("about {0} min").format(grouped(max(1, minutes)))
    hours, minutes = divmod(minutes, 60)
    return _tr("about {0} h {1} min").format(grouped(hours), grouped(minutes))


def size(size_bytes: int) -> str:
    """Return a size in decimal units, as file managers do: 1.2 MB."""
    digits = 0 if size_bytes < 1_000_000 else 1
    locale = QLocale()
    text = locale.formattedDataSize(size_bytes, digits, QLocale.DataSizeFormat.DataSizeSIFormat)
    is_mirrored = locale.textDirection() == Qt.LayoutDirection.RightToLeft
    return text if is_mirrored else left_to_right(text)


def name_of(path: Path) -> str:
    """Return the name of a file or folder with misleading characters made visible."""
    return quoted(path.name or path)


def hint(text: str) -> str:
    """Return a text for a tooltip, escaped if Qt would interpret it as HTML.

    Unlike labels, tooltips cannot be set to plain text.
    """
    if "<" not in text:
        return text
    from html import escape

    return f'<span style="white-space: pre-wrap">{escape(text)}</span>'


def shown_path(path: Path) -> str:
    """Return `path` for display, with the home folder as ~."""
    return left_to_right(path_from_home(path))


def path_from_home(path: Path) -> str:
    """Return the readable form of `path`, with the home folder as ~."""
    text = readable_path(path)
    home = QDir.toNativeSeparators(QDir.homePath())
    if text.startswith(home) and text[len(home) :][:1] in ("/", "\\"):
        text = "~" + text[len(home) :]
    return quoted(text)


def shown_document_path(document: DocumentHit) -> str:
    """Return the path of a document, after the name of its library unless that is the own one."""
    path = shown_path(document.path)
    return f"{quoted(document.library)} · {path}" if document.library else path


def incomplete() -> str:
    """Return the mark of a document with parts that could not be read."""
    return _tr("incomplete")


def left_to_right(text: str) -> str:
    """Return a path, size or typed text that keeps its order in right-to-left windows."""
    if QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft:
        # Isolated: otherwise punctuation at the ends would move to the other side.
        return f"\u2066{text}\u2069"
    return text


def _decimal(value: float) -> str:
    """Return `value` without trailing zeros, with the decimal separator of the locale."""
    return QLocale().toString(value, "g", 3)


def _tr(text: str, count: int = -1) -> str:
    """Return the translation of `text`, with the plural for `count` if it contains %Ln."""
    return QCoreApplication.translate("texts", text, "", count)
