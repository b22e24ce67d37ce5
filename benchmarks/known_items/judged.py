"""Questions derived from judged data sets: a title, a heading, a command, the name of a function.

The judgements are not used: a document's own title or name is the question. Parameters of ranking
may be chosen on the sets in `CHOSEN_ON`; figures are reported of the others too.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.documents.document import Document
from known_items.items import Question
from lab.evaluation.data import CorpusDocument, DataSet
from lab.evaluation.run import as_document

# Documents taken of a set, and questions asked of it.
_MOST_DOCUMENTS, _MOST_QUESTIONS = 1_000, 40
CHOSEN_ON: Final = frozenset({"cranfield", "selqa", "cosqa"})
_FUNCTION: Final = re.compile(r"\s*(?:async )?def (\w{6,})\(")


@dataclass(frozen=True)
class DerivedSet:
    """A set in BEIR's layout, and how a question is made of a document ("" for none)."""

    name: str
    kind: str
    question: Callable[[CorpusDocument], str]

    @property
    def part(self) -> str:
        return f"judged: {self.name}{' (chosen on)' * (self.name in CHOSEN_ON)}"

    def read(self, data: Path) -> tuple[dict[str, Document], list[Question]]:
        """Return some of the documents by id, and questions whose text one document has."""
        entries = sorted(DataSet(data / self.name).documents(), key=_shuffled)[:_MOST_DOCUMENTS]
        texts = Counter(self.question(entry).lower() for entry in entries)
        questions = [
            Question(self.part, self.kind, text, frozenset({entry.id}))
            for entry, text in self._with_text(entries)
            if texts[text.lower()] == 1
        ]
        return {entry.id: as_document(entry) for entry in entries}, questions[:_MOST_QUESTIONS]

    def _with_text(self, entries: Sequence[CorpusDocument]) -> Iterator[tuple[CorpusDocument, str]]:
        for entry in entries:
            if text := self.question(entry):
                yield entry, text


def _shuffled(entry: CorpusDocument) -> bytes:
    return hashlib.sha256(entry.id.encode()).digest()


def _title(entry: CorpusDocument) -> str:
    """Return a title as people type it: without the stop at its end."""
    return " ".join(entry.title.split()).rstrip(" .") if len(entry.title.split()) > 2 else ""


def _heading_and_page(entry: CorpusDocument) -> str:
    """Return the heading of a section, and the page that it is on.

    >>> _heading_and_page(CorpusDocument("1", "Crows - Nests", "They build high."))
    'nests crows'
    """
    page, dash, heading = entry.title.partition(" - ")
    return f"{heading} {page}".lower() if dash else ""


def _command(entry: CorpusDocument) -> str:
    return entry.title


def _function(entry: CorpusDocument) -> str:
    match = _FUNCTION.match(entry.text)
    return match[1] if match else ""


SETS: Final = (
    DerivedSet("cranfield", "title", _title),
    DerivedSet("cacm", "title", _title),
    DerivedSet("selqa", "heading", _heading_and_page),
    DerivedSet("claude-docs", "heading", _title),
    DerivedSet("tldr-pages", "command", _command),
    DerivedSet("cosqa", "function", _function),
)
