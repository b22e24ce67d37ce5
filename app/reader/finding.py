"""Finding words within the document that is read; for the background, without Qt."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from app.reader.marks import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.documents.document import Page
    from core.progress import Job

MOST_FOUND: Final = 10_000


def find(pages: Sequence[Page], words: str, job: Job) -> tuple[Spot, ...]:
    """Give where `words` stand in the pages, in their order, whatever their case and line ends.

    Raises:
        Cancelled: the job was cancelled.
    """
    return tuple(islice(_found(pages, words, job), MOST_FOUND))


def _found(pages: Sequence[Page], words: str, job: Job) -> Iterator[Spot]:
    pieces = words.split()
    if not pieces:
        return
    pattern = re.compile(r"\s+".join(map(re.escape, pieces)), re.IGNORECASE)
    for page in pages:
        job.checkpoint()
        for match in pattern.finditer(page.text):
            yield Spot(page.number, match.start(), match.end())
