"""The answer to a query as the list shows it; made in the background, without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.highlights import Lit, QueryWord, lit_in_text, lit_in_title, query_words
from app.search.snippets import Snippet, snippet_of

if TYPE_CHECKING:
    from core.search.results import DocumentHit, PassageHit, SearchResults

_BEST_LENGTH: Final = 320
_FURTHER_LENGTH: Final = 200


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage in the list; the best one of its document stands for the document.

    `lits` lie in the passage's text.
    """

    document: DocumentHit
    hit: PassageHit
    is_best: bool
    title: str
    title_lits: tuple[Lit, ...]
    lits: tuple[Lit, ...]
    snippet: Snippet

    @property
    def passage_id(self) -> int:
        return self.hit.passage.id


@dataclass(frozen=True, slots=True)
class MoreRow:
    """Stands for the further passages of a document and shows or hides them."""

    document: DocumentHit
    count: int
    is_open: bool


Row = PassageRow | MoreRow


@dataclass(frozen=True, slots=True)
class Found:
    """A document in the answer: its best passage and the further ones, best first."""

    best: PassageRow
    further: tuple[PassageRow, ...]

    @property
    def rows(self) -> tuple[PassageRow, ...]:
        return (self.best, *self.further)


@dataclass(frozen=True, slots=True)
class Answer:
    """Results arranged for the window; `lit_words` numbers the words that light anything."""

    results: SearchResults
    words: tuple[QueryWord, ...]
    found: tuple[Found, ...]
    lit_words: frozenset[int]


def arrange(results: SearchResults) -> Answer:
    """Give `results` as rows, with titles, snippets and lit words worked out."""
    words = query_words(results)
    found: list[Found] = []
    lit: set[int] = set()
    for document in results.hits:
        rows = [
            _passage_row(results, words, document, hit, is_best=place == 0)
            for place, hit in enumerate(document.passages)
        ]
        for row in rows:
            lit.update(piece.word for piece in (*row.lits, *row.title_lits))
        found.append(Found(rows[0], tuple(rows[1:])))
    if not results.tokens:
        # Without the encoder's tokens a word may have been a filter: only what was found is sure.
        words = tuple(word for word in words if word.number in lit)
    return Answer(results, words, tuple(found), frozenset(lit))


def shown_title(document: DocumentHit) -> str:
    """Give the document's title, or its file's name where it has none."""
    return document.title.strip() or document.path.name


def _passage_row(
    results: SearchResults,
    words: tuple[QueryWord, ...],
    document: DocumentHit,
    hit: PassageHit,
    *,
    is_best: bool,
) -> PassageRow:
    title = shown_title(document)
    lits = lit_in_text(hit, results.tokens, words)
    length = _BEST_LENGTH if is_best else _FURTHER_LENGTH
    return PassageRow(
        document,
        hit,
        is_best,
        title,
        lit_in_title(hit, results.tokens, title),
        lits,
        snippet_of(hit.passage.text, lits, length),
    )
