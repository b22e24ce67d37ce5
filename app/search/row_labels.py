"""The small texts of a result's row: its file, folders, sender, day, page or sheet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from app import texts
from app.translation import translated
from core.catalog.text.normalisation import day_of, fold
from core.documents.formats import format_of, kind_name
from core.printable import quoted

if TYPE_CHECKING:
    from app.search.rows import PassageRow
    from core.responses import DocumentHit

# Key of the formats whose pages are sheets with names as headings.
_WORKBOOK: Final = "spreadsheet"
# Letters of a suffix that is shown as it is.
_LONGEST_SUFFIX: Final = 6
# Separates the title and the headings in the context of a passage.
_STEP: Final = " › "


def name_label(row: PassageRow) -> str:
    """Return the sender of a mail, or the name of another file; "" if the title has it."""
    path, author = row.document.path, row.document.author.strip()
    known = format_of(path)
    if known is not None and known.is_mail and author:
        return quoted(author)
    title = fold(row.title)
    return "" if title in (fold(path.name), fold(path.stem)) else texts.name_of(path)


def folder_labels(document: DocumentHit, depth: int = 1) -> tuple[str, ...]:
    """Return the document's folders, from all of them to the `depth` innermost ones."""
    whole = texts.path_from_home(document.path.parent)
    starts = [match.end() for match in re.finditer(r"[/\\]+", whole)]
    shorter = (f"…{whole[start - 1 :]}" for start in starts[: len(starts) + 1 - depth] if start > 1)
    library = f"{quoted(document.library)} · " if document.library else ""
    return tuple(library + texts.left_to_right(shown) for shown in (whole, *shorter))


def kind_tag(document: DocumentHit) -> str:
    """Return the mark of a document's type: its suffix, as PDF, or its format, as AsciiDoc."""
    suffix, known = document.path.suffix.lstrip("."), format_of(document.path)
    if len(suffix) > _LONGEST_SUFFIX and known is not None:
        return translated(kind_name(known.key))
    return suffix.upper()[:_LONGEST_SUFFIX]


def shown_day(document: DocumentHit) -> str:
    """Return the document's date, its own or its file's, or ""."""
    return "" if not document.dated_ns else texts.readable_day(day_of(document.dated_ns))


def page_label(row: PassageRow) -> str:
    """Return the page or sheet of the passage, or "" for a document without them."""
    page = row.hit.passage.page
    if sheet := _sheet(row):
        return sheet
    return "" if page == 1 and not row.document.has_page_images else texts.page(page)


def position_label(row: PassageRow) -> str:
    """Return the page and the headings of the passage, or ""."""
    page, headings = page_label(row), _headings(row)
    return " · ".join(dict.fromkeys(part for part in (page, headings) if part))


def _headings(row: PassageRow) -> str:
    """Return the headings above the passage without the title of its document."""
    context = row.hit.passage.context.strip()
    return context.removeprefix(row.title).removeprefix(_STEP)


def _sheet(row: PassageRow) -> str:
    """Return the name of the passage's sheet, the only heading of its page."""
    known = format_of(row.document.path)
    if known is None or known.key != _WORKBOOK:
        return ""
    passage = row.hit.passage
    name = passage.text.split("\n", 1)[0] if passage.start == 0 else _headings(row)
    return quoted(name.strip())
