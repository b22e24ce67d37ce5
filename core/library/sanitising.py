"""Sanitising of titles, names and texts in responses of a library that others may have written."""

from collections.abc import Mapping
from dataclasses import replace
from functools import singledispatch
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from core.catalog.copies import Copy
from core.catalog.documents import NamedDocument, ReadDocument
from core.printable import label, labelled
from core.responses import DocumentHit, Facets, Passage, Reading, SearchResults

_Response = TypeVar("_Response")
# Longest path, in characters. A longer one is an error, since a shortened one cannot be opened.
_LONGEST_PATH: Final = 40_000
# Longest passage, in characters. Winnow's own have a few thousand.
_LONGEST_PASSAGE: Final = 1_000_000


def sanitise(response: _Response) -> _Response:
    """Return the response with escaped and shortened titles and names.

    Raises:
        ValueError: A path or a passage is too long.
    """
    return cast("_Response", _sanitise(response))


@singledispatch
def _sanitise(response: Any) -> Any:
    return response


@_sanitise.register
def _(response: SearchResults) -> SearchResults:
    return replace(
        response,
        hits=tuple(_sanitise(hit) for hit in response.hits),
        named=tuple(_sanitise(document) for document in response.named),
    )


@_sanitise.register
def _(response: DocumentHit) -> DocumentHit:
    for hit in response.passages:
        _check_passage(hit.passage)
    _check_path(response.path)
    copies = tuple(_sanitise(copy) for copy in response.copies)
    return replace(labelled(response), copies=copies)


@_sanitise.register(Copy)
@_sanitise.register(NamedDocument)
@_sanitise.register(ReadDocument)
def _(response: Any) -> Any:
    _check_path(response.path)
    return labelled(response)


@_sanitise.register
def _(response: Reading) -> Reading:
    for passage in (response.passage, *response.before, *response.after):
        _check_passage(passage)
    return replace(response, document=_sanitise(response.document))


@_sanitise.register
def _(response: Facets) -> Facets:
    return replace(response, authors=_labelled(response.authors), tags=_labelled(response.tags))


def _labelled(counts: Mapping[str, int]) -> dict[str, int]:
    labelled_counts: dict[str, int] = {}
    for name, count in counts.items():
        labelled_counts[label(name)] = labelled_counts.get(label(name), 0) + count
    return labelled_counts


def _check_passage(passage: Passage) -> None:
    if len(passage.text) + len(passage.context) > _LONGEST_PASSAGE:
        raise ValueError("passage too long")


def _check_path(path: Path) -> None:
    if len(str(path)) > _LONGEST_PATH:
        raise ValueError("path too long")
