"""What a search gives: documents in order, their passages, and why each was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.catalog.passages import StoredPassage
from core.catalog.records import NamedDocument


class Mode(StrEnum):
    """Which of the two ways of finding is used."""

    HYBRID = "hybrid"
    MEANING = "meaning"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class QueryToken:
    """A token of the query: `text` is the query's characters from `start` to `end`.

    `word` numbers the word it is a piece of, from 0; the pieces of one word share a colour.
    """

    index: int
    text: str
    start: int
    end: int
    word: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """One pair of aligned tokens.

    `start` and `end` are character offsets into the passage's text (into its context where
    `in_context`), `similarity` is the dot product of the two unit vectors.
    """

    query_index: int
    query_token: str
    start: int
    end: int
    similarity: float
    text: str
    in_context: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document's page: `text` is the page's text from `start` to `end`.

    `context` is the title and the headings above it, as the encoder sees them.
    """

    id: int
    document_id: int
    page: int
    start: int
    end: int
    text: str
    context: str

    @classmethod
    def of(cls, stored: StoredPassage) -> Passage:
        """The passage as the catalog has it."""
        return cls(
            id=stored.id,
            document_id=stored.document_id,
            page=stored.page,
            start=stored.start,
            end=stored.end,
            text=stored.text,
            context=stored.context,
        )


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage that was found; `found_by` names the ways that found it.

    `alignments` is empty in words mode and for a passage whose vectors are not made yet;
    `words` are the spans in the passage's text of the query's own words, in order.
    """

    passage: Passage
    score: float
    found_by: tuple[Mode, ...]
    alignments: tuple[Alignment, ...]
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A document that was found, with its best passages, best first (never empty).

    `author` and `date` (ISO 8601) are what it says of its making, "" where it says nothing.
    """

    document_id: int
    path: Path
    title: str
    has_page_images: bool
    passages: tuple[PassageHit, ...]
    author: str = ""
    date: str = ""

    @property
    def score(self) -> float:
        return self.passages[0].score


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The answer to one query, best document first.

    `tokens` are the query's tokens as the encoder has them (empty when no model took part).
    `notice` is a sentence for the person when the answer is not all they asked for ("").
    `named` are documents beside the hits whose files are called so; they need not have been read.
    """

    query: str
    mode: Mode
    tokens: tuple[QueryToken, ...]
    hits: tuple[DocumentHit, ...]
    took_ms: float
    notice: str = ""
    named: tuple[NamedDocument, ...] = ()


@dataclass(frozen=True, slots=True)
class ExactAlignments:
    """The alignments of passages that were encoded anew, by the passages' numbers.

    `tokens` are the query's, as `SearchResults` has them. Passages that are gone are left out.
    """

    tokens: tuple[QueryToken, ...]
    of: Mapping[int, tuple[Alignment, ...]]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The whole alignment of one passage, encoded anew.

    `similarity` and `alignment` are (n, m) for the query's n tokens and the passage's m, the rows
    of the latter weighted as the query's tokens are; `spans` gives each passage token's characters,
    `in_context` tells which lie in the context. Where the model `has_summaries` the first token of
    either stands for the query and the passage as wholes, and for no characters.
    """

    passage: Passage
    tokens: tuple[QueryToken, ...]
    spans: tuple[tuple[int, int], ...]
    in_context: tuple[bool, ...]
    similarity: npt.NDArray[np.float32]
    alignment: npt.NDArray[np.float32]
    score: float
    has_summaries: bool = False

    @property
    def as_wholes(self) -> float | None:
        """How similar query and passage are as wholes; None where the model has no summaries."""
        if not self.has_summaries or not self.similarity.size:
            return None
        return float(self.similarity[0, 0])
