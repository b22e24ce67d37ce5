"""What of a document was not read, in words."""

from __future__ import annotations

from collections.abc import Sequence

from core.documents.document import Document
from core.documents.titles import shorten

_LONGEST = 300


def gaps_of(document: Document) -> str:
    """Return what of a document was not read, as the end of a sentence that begins with its name.

    >>> from core.documents.document import IS_PICTURE, Page
    >>> pages = [Page(1, "Crows"), Page(2, "", unread=IS_PICTURE), Page(3, "", unread="is damaged")]
    >>> gaps_of(Document("", tuple(pages)))
    'has gaps: page 2 is a picture; turn on text recognition to read it. Page 3 is damaged'
    >>> gaps_of(Document("", (pages[1],)))
    'is a picture; turn on text recognition to read it'
    """
    by_reason: dict[str, list[int]] = {}
    for page in document.pages:
        for reason in page.unread.splitlines():
            by_reason.setdefault(reason, []).append(page.number)
    if not by_reason:
        return ""
    if len(document.pages) == 1:
        return _sentences(list(by_reason))
    parts = [
        f"page {numbers[0]} {reason}"
        if len(numbers) == 1
        else f"each of the pages {_ranges(numbers)} {reason}"
        for reason, numbers in by_reason.items()
    ]
    return "has gaps: " + _sentences(parts)


def _sentences(parts: Sequence[str]) -> str:
    return ". ".join([parts[0], *(part[0].upper() + part[1:] for part in parts[1:])])


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers as people write them.

    >>> _ranges([1, 2, 3, 7, 9, 10])
    '1-3, 7, 9-10'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    return shorten(", ".join("-".join(map(str, run)) for run in runs), _LONGEST)
