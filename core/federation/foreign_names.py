"""What comes out of a library of others: names cleaned and bounded once, where they come in."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from core.catalog.copies import Copy
from core.catalog.documents import NamedDocument, ReadDocument
from core.printable import label
from core.search.filters import Facets
from core.search.results import DocumentHit, Passage, SearchResults
from core.search.stored_texts import Reading

_Told = TypeVar("_Told")
# Characters of a path, which must stay as it is to be opened.
_LONGEST_PATH: Final = 40_000
# Characters of a passage, of which Winnow's own have some thousand.
_LONGEST_PASSAGE: Final = 1_000_000


def labelled(told: _Told) -> _Told:
    """Return an answer with titles and names as they may be shown.

    Raises:
        ValueError: a path or a passage is far longer than any.
    """
    return cast("_Told", _labelled(told))


@singledispatch
def _labelled(told: Any) -> Any:
    return told


@_labelled.register
def _(told: SearchResults) -> SearchResults:
    return replace(
        told,
        hits=tuple(_labelled(hit) for hit in told.hits),
        named=tuple(_labelled(document) for document in told.named),
    )


@_labelled.register
def _(told: DocumentHit) -> DocumentHit:
    for hit in told.passages:
        _check_passage(hit.passage)
    _check_path(told.path)
    return replace(
        told,
        title=label(told.title),
        author=label(told.author),
        date=label(told.date),
        copies=tuple(_labelled(copy) for copy in told.copies),
    )


@_labelled.register(Copy)
@_labelled.register(NamedDocument)
def _(told: Any) -> Any:
    _check_path(told.path)
    return replace(told, title=label(told.title))


@_labelled.register
def _(told: ReadDocument) -> ReadDocument:
    _check_path(told.path)
    return replace(told, title=label(told.title), author=label(told.author), date=label(told.date))


@_labelled.register
def _(told: Reading) -> Reading:
    for passage in (told.passage, *told.before, *told.behind):
        _check_passage(passage)
    return replace(told, document=_labelled(told.document))


@_labelled.register
def _(told: Facets) -> Facets:
    authors: dict[str, int] = {}
    for author, count in told.authors.items():
        authors[label(author)] = authors.get(label(author), 0) + count
    return replace(told, authors=authors)


def _check_passage(passage: Passage) -> None:
    if len(passage.text) + len(passage.context) > _LONGEST_PASSAGE:
        raise ValueError("a passage is too long")


def _check_path(path: Path) -> None:
    if len(str(path)) > _LONGEST_PATH:
        raise ValueError("a path is too long")
