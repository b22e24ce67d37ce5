"""The responses to `core.requests`, as frozen values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

# Not for type checkers only: the fields' types are looked up where responses are decoded.
from core.catalog.copies import Copy
from core.catalog.document_fields import DocumentFields, result_field, result_fields
from core.catalog.documents import NamedDocument, ReadDocument

if TYPE_CHECKING:
    from core.catalog.passages import StoredPassage


class Mode(StrEnum):
    """How documents are found."""

    HYBRID = "hybrid"
    MEANING = "meaning"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class QueryToken:
    """A token of the query: `text` is the query's characters from `start` to `end`.

    `word` is the index of its word; the pieces of one word share a colour. `share` is its share of
    the query's weight, 1 for all tokens together. A token that is not significant could be left
    out: its alignment did not make the match. Neither is compared: equal queries have equal tokens.
    """

    index: int
    text: str
    start: int
    end: int
    word: int
    share: float = field(default=0.0, compare=False)
    is_significant: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Alignment:
    """One pair of aligned tokens.

    `start` and `end` are character offsets into the passage's text (its context, if `in_context`),
    `similarity` is the dot product of the two unit vectors.
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
        """Return the passage from its row in the catalog."""
        return cls(
            id=stored.id,
            document_id=stored.document_id,
            page=stored.page,
            start=stored.start,
            end=stored.end,
            text=stored.text,
            context=stored.context,
        )


MEANING: Final = "meaning"
# Names of the terms of a score.
WORDS: Final = "words"


@dataclass(frozen=True, slots=True)
class ScoreTerm:
    """A named term of a score, which is the sum of its terms.

    `label` describes it. If `is_imputed`, the passage has no vectors yet, and its score by meaning
    was estimated from its words. If `is_exact`, all tokens of the passage were encoded for the
    comparison, instead of using the vectors of the index.
    """

    name: str
    label: str
    weight: float
    value: float
    is_imputed: bool = False
    is_exact: bool = False

    @property
    def adds(self) -> float:
        return self.weight * self.value


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A found passage; `found_by` names the modes that found it.

    `alignments` is empty in words mode and for a passage without vectors; `words` are the spans of
    the query's own words in the passage's text, in order. `terms` add up to the score; () if
    documents are listed by age. `answer` is the span in its text of the sentence that answers a
    question; only the best passage of the first document may have one.
    """

    passage: Passage
    score: float
    found_by: tuple[Mode, ...]
    alignments: tuple[Alignment, ...]
    words: tuple[tuple[int, int], ...]
    terms: tuple[ScoreTerm, ...] = ()
    answer: tuple[int, int] | None = None

    @property
    def is_compared(self) -> bool:
        """Whether meaning counts in its score."""
        return any(term.name == MEANING for term in self.terms)

    @property
    def is_exact(self) -> bool:
        """Whether all its tokens were compared, which its alignments then refer to."""
        return any(term.is_exact for term in self.terms)


@dataclass(frozen=True, slots=True)
class DocumentHit(DocumentFields):
    """A found document, with its best passages, best first (never empty).

    `file` is the document's own file or the container of the document; None if a program
    added the document. `library` is the name of another library, "" for the person's own. It
    `is_elsewhere` if its file is on another machine. `copies` are the copies and versions that it
    represents, and the mails that quote it. It `is_likely` unless the model considers its score
    typical of chance; unlikely documents come last.
    """

    document_id: int
    path: Path
    has_page_images: bool
    passages: tuple[PassageHit, ...]
    file: Path | None = None
    library: str = result_field(
        default="",
        is_listed=True,
        about='Library of the document; "" for the user\'s own.',
        printed="in {0}",
    )
    copies: tuple[Copy, ...] = ()
    is_likely: bool = result_field(
        default=True,
        is_listed=True,
        about="False if no closer to the query than random documents; do not cite it.",
    )
    is_elsewhere: bool = False

    @property
    def listed(self) -> dict[str, Any]:
        """The listed fields, by name."""
        declared = result_fields(type(self)).items()
        return {name: getattr(self, name) for name, each in declared if each.is_listed}

    @property
    def score(self) -> float:
        return self.passages[0].score

    def is_found_by(self, way: Mode) -> bool:
        """Whether one of its passages was found in this way."""
        return any(way in passage.found_by for passage in self.passages)

    @property
    def dated_ns(self) -> int:
        """The time for filters and order: its own date, or else its file's."""
        return self.changed_ns if self.said_ns is None else self.said_ns


@dataclass(frozen=True, slots=True)
class SpellingSuggestion:
    """A query with better spelling, or with filters for what a sentence says about documents.

    `is_needed` if nothing can be found by the words as typed, and the correction is almost certain.
    A suggestion with filters is only offered: `is_filter`; `documents` is the number of documents
    that they leave.
    """

    query: str
    is_needed: bool = False
    is_filter: bool = False
    documents: int = 0


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The results of one query, best document first.

    Attributes:
        query: the query that was searched for.
        mode: as requested.
        tokens: the query's tokens; empty if no model took part.
        hits: the documents.
        took_ms: duration of the search.
        notice: a sentence for the person if the results are incomplete; "" otherwise.
        named: documents outside the hits whose file names match; they may be unread.
        typed: the query as typed, if `query` was searched for instead, because the last word was
            treated as a prefix or the spelling was corrected; "" otherwise.
        suggestion: a better spelling, or the same query with filters, if there is one.
        can_be_refined: whether a refined search may order the documents differently, or find the
            sentence that answers a question. It cannot if no model took part.
    """

    query: str
    mode: Mode
    tokens: tuple[QueryToken, ...]
    hits: tuple[DocumentHit, ...]
    took_ms: float
    notice: str = ""
    named: tuple[NamedDocument, ...] = ()
    typed: str = ""
    suggestion: SpellingSuggestion | None = None
    can_be_refined: bool = False

    @property
    def likely(self) -> int:
        """The number of likely hits, which come first."""
        return sum(hit.is_likely for hit in self.hits)

    @property
    def answer(self) -> str:
        """The sentence of the first document that answers the question; "" if there is none."""
        span = self.hits[0].passages[0].answer if self.hits else None
        return "" if span is None else self.hits[0].passages[0].passage.text[slice(*span)]

    @property
    def original_query(self) -> str:
        """The query as typed."""
        return self.typed or self.query

    @property
    def is_corrected(self) -> bool:
        """Whether these are the results of the suggested query."""
        return (
            self.suggestion is not None
            and self.suggestion.query == self.query != self.original_query
        )

    @property
    def offered(self) -> str:
        """A suggested query that was not searched for; "" for none."""
        return "" if self.suggestion is None or self.is_corrected else self.suggestion.query


def with_correction(
    results: SearchResults, search: Callable[[str], SearchResults]
) -> SearchResults:
    """Return the results of the better spelling if only its words find something close.

    Returns `results` unchanged if names of files match the query as typed.
    """
    suggestion = results.suggestion
    if suggestion is None or suggestion.is_filter or results.named:
        return results
    if results.likely and not suggestion.is_needed:
        return results
    better = search(suggestion.query)
    if not any(hit.is_likely and hit.is_found_by(Mode.WORDS) for hit in better.hits):
        return results
    took_ms = results.took_ms + better.took_ms
    return replace(
        better, typed=results.original_query, suggestion=results.suggestion, took_ms=took_ms
    )


@dataclass(frozen=True, slots=True)
class ExactAlignments:
    """The alignments of passages with all tokens encoded, by passage id.

    `tokens` are the query's, as in `SearchResults`. Removed passages are left out.
    """

    tokens: tuple[QueryToken, ...]
    of: Mapping[int, tuple[Alignment, ...]]


@dataclass(frozen=True, slots=True)
class Facets:
    """Document counts, including zeros, so that the list of values is stable.

    Attributes:
        found: number of documents found.
        roots: the library's folders.
        folders: counts by folder, including subfolders; a container counts as a folder.
        kinds: by format key, the library's most frequent first.
        days: by the document's date, or else the date of its file.
        authors: by name.
        attachments: the mails with an attachment; None if there are none in the library.
        libraries: by the names of the searched libraries, "" for the person's own; empty if only
            one is searched.
        tags: by tag, each with the tags inside it.
    """

    found: int
    roots: tuple[Path, ...]
    folders: Mapping[Path, int]
    kinds: Mapping[str, int]
    days: Mapping[date, int]
    authors: Mapping[str, int]
    attachments: int | None = None
    libraries: Mapping[str, int] = field(default_factory=dict)
    tags: Mapping[str, int] = field(default_factory=dict)

    @property
    def without_any(self) -> Facets:
        """The same counts with all numbers zero."""
        return replace(
            self,
            found=0,
            folders=dict.fromkeys(self.folders, 0),
            kinds=dict.fromkeys(self.kinds, 0),
            days=dict.fromkeys(self.days, 0),
            authors=dict.fromkeys(self.authors, 0),
            attachments=None if self.attachments is None else 0,
            tags=dict.fromkeys(self.tags, 0),
        )


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """The scale of scores by meaning: scores of equal scales can be compared.

    Attributes:
        model: with the fingerprint of its files.
        words: the weight of words, as in `RankingConfig`.
        alignment: the text form of an `AlignmentStrategy`.
    """

    model: str
    words: float
    alignment: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage in its document, with its neighbours."""

    document: ReadDocument
    passage: Passage
    before: tuple[Passage, ...]
    after: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Inner:
    """A document inside another one, such as an attachment of a mail.

    `reason` says why it could not be read, as the end of a sentence that begins with its name; a
    document that is unread without a reason is waiting to be read.
    """

    document_id: int
    path: Path
    title: str
    is_read: bool
    reason: str
    has_page_images: bool


@dataclass(frozen=True, slots=True)
class SourceState:
    """The current state of another library that is searched as well.

    Attributes:
        name: given by the person.
        address: a folder or a URL, without credentials.
        is_offline: whether it cannot be reached; a local copy is searched instead.
        problem: a sentence on why it does not answer correctly; "" if it does.
        published_at: when the searched snapshot was published, ISO 8601 in UTC; "" if unknown, or
            if the library is always current.
        documents: the number of its documents.
        passages: the number of its passages.
        is_refused: whether it can be reached, but denies access.
        is_here: whether it is another library of this person, with its files on this machine.
        is_on: whether it is searched.
    """

    name: str
    address: str
    is_offline: bool = False
    problem: str = ""
    published_at: str = ""
    documents: int = 0
    passages: int = 0
    is_refused: bool = False
    is_here: bool = False
    is_on: bool = True
