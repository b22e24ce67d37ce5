"""Access control: a view of a library that is limited to some of its folders."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from core.catalog.files.folders import Folder
from core.catalog.scope import Scope
from core.errors import FolderError, GoneError
from core.files.locations import Location
from core.progress import Job
from core.requests import (
    Align,
    Answerer,
    CountDocuments,
    CountFacets,
    DrawPage,
    Explain,
    GetDocument,
    GetDocumentAt,
    GetModelName,
    GetSalientWords,
    GetScoreScale,
    ListDescriptions,
    ListFolders,
    ListInner,
    ListLibraries,
    LocateLines,
    LocateSpans,
    MeasurePages,
    ReadMarkup,
    ReadPage,
    ReadPages,
    ReadPassage,
    Request,
    Response,
    Search,
)
from core.responses import Facets
from core.search.query.language import NO_TEXT

# Kinds of requests with rules below. Others are refused, so that none is forgotten here.
_KNOWN: Final = frozenset(
    {
        *(Search, CountFacets, Explain, Align, GetSalientWords, GetScoreScale),
        *(ReadPassage, LocateLines, GetDocument, GetDocumentAt, ReadPage, ReadPages),
        *(DrawPage, LocateSpans, MeasurePages, ReadMarkup, ListInner),
        *(ListFolders, ListDescriptions, CountDocuments, GetModelName, ListLibraries),
    }
)


class Access:
    """Answers requests from some folders, as if there were nothing else.

    Folders are a scope that applies before ranking. A passage or document elsewhere is refused in
    the same words as one that does not exist. A kind of request that is not known here is refused.

    Args:
        library: answers allowed requests.
        folders: the visible folders; None for everything.
    """

    def __init__(self, library: Answerer, folders: Sequence[Path] | None = None) -> None:
        # A scope without paths has no conditions.
        if folders is not None and not folders:
            raise ValueError("no visible folders")
        self._library = library
        self._folders = None if folders is None else tuple(folders)
        self._scope = Scope(paths=self._folders or ())

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        """Return the response, without hidden documents.

        Raises:
            GoneError: a document or passage does not exist, or may not be seen.
            WinnowError: raised by the library.
            Cancelled: the job was cancelled.
        """
        if type(request) not in _KNOWN:
            raise TypeError(f"no rule for {type(request).__name__}")
        allowed: Any = self._narrowed(request)
        self._check(allowed)
        response = self._library.answer(allowed, job)
        # Check again: the id may belong to another passage by now.
        self._check(allowed)
        return cast("Response", self._without_hidden(allowed, response))

    def sees(self, path: Path) -> bool:
        """Return whether a path may be seen."""
        return self._folders is None or any(_is_in(path, folder) for folder in self._folders)

    def _narrowed(self, request: Request[Any]) -> Request[Any]:
        """Return a request that is restricted to visible folders."""
        match request:
            case Search() | CountDocuments():
                return replace(request, scope=self._scope & request.scope)
            case CountFacets():
                ids = request.document_ids if self._folders is None else None
                return replace(request, scope=self._scope & request.scope, document_ids=ids)
            case Align():
                return replace(request, passage_ids=self._seen(request.passage_ids))
            case _:
                return request

    def _check(self, request: Request[Any]) -> None:
        """Raise `GoneError` if a request is for a document or passage that may not be seen."""
        match request:
            case ReadPassage() | GetDocument():  # their response is checked
                return
            case GetDocumentAt():
                if not self.sees(request.path):
                    raise GoneError("There is no document at {0} in the library.", request.path)
                return
        if (passage_id := getattr(request, "passage_id", None)) is not None:
            self.answer(ReadPassage(passage_id))
        if (document_id := getattr(request, "document_id", None)) is not None:
            document = self.answer(GetDocument(document_id))
            page = getattr(request, "page", 1)
            if not 1 <= page <= document.pages:
                raise GoneError(
                    "{0} has no page {1}; its pages are {2}.", document.path, page, document.pages
                )

    def _without_hidden(self, request: Request[Any], response: Any) -> Any:
        """Return a response without hidden documents."""
        match request:
            case ReadPassage():
                if not self.sees(response.document.path):
                    raise GoneError("This passage is no longer in the library. Search again.")
            case GetDocument():
                if not self.sees(response.path):
                    raise GoneError("This document is no longer in the library. Search again.")
            case Align():
                seen = self._seen(response.of)
                return replace(
                    response, of={passage_id: response.of[passage_id] for passage_id in seen}
                )
            case LocateLines():
                return {passage_id: response[passage_id] for passage_id in self._seen(response)}
            case CountFacets() if self._folders is not None:
                return self._seen_facets(response)
            case ListFolders() if self._folders is not None:
                folders = self._parts(response)
                return self._counted(folders) if request.is_counted else tuple(folders)
            case ListLibraries() if self._folders is not None:
                return ()
            case ListDescriptions():
                # Not for a folder that is only partly visible.
                return {
                    path: description for path, description in response.items() if self.sees(path)
                }
            case ListInner():
                return tuple(file for file in response if self.sees(file.path))
        return response

    def _seen(self, passage_ids: Iterable[int]) -> tuple[int, ...]:
        """Return the passages that may be seen."""
        if self._folders is None:
            return tuple(passage_ids)
        return tuple(passage_id for passage_id in passage_ids if self._sees_passage(passage_id))

    def _sees_passage(self, passage_id: int) -> bool:
        try:
            self.answer(ReadPassage(passage_id))
        except GoneError:
            return False
        return True

    def _seen_facets(self, facets: Facets) -> Facets:
        folders = {path: count for path, count in facets.folders.items() if self.sees(path)}
        every = self._library.answer(ListFolders(is_counted=False))
        roots = tuple(folder.path for folder in self._parts(every))
        return replace(facets, roots=roots, folders=folders, libraries={})

    def _counted(self, folders: Sequence[Folder]) -> tuple[Folder, ...]:
        """Return folders with their numbers of documents."""
        return tuple(
            replace(folder, documents=held.documents, failed=held.failed, waiting=held.waiting)
            for folder in folders
            for held in [self.answer(CountDocuments(Scope(paths=(folder.path,))))]
        )

    def _parts(self, folders: Sequence[Folder]) -> list[Folder]:
        """Return the visible parts of folders, without numbers, which include hidden documents."""
        parts: list[Folder] = []
        for visible in self._folders or ():
            for folder in folders:
                seen = replace(
                    folder,
                    documents=0,
                    failed=0,
                    without_text=0,
                    waiting=0,
                    in_cloud=0,
                    size_bytes=0,
                )
                if _is_in(folder.path, visible):
                    parts.append(seen)
                elif _is_in(visible, folder.path):
                    parts.append(replace(seen, path=visible, description=""))
        return parts


def checked_path(named: str, folders: Iterable[Path]) -> Path:
    """Return the path that a client or an agent names, if it is one of the folders or in one.

    Access does not depend on it: it explains to a client why nothing is found.

    Raises:
        FolderError: it is not a path, goes upwards, is in none of the folders, or a link leads out
            of them.

    >>> checked_path("/docs/a/../b", [Path("/docs")])
    Traceback (most recent call last):
    core.errors.FolderError: /docs/a/../b contains "..". Use a path without it.
    """
    if NO_TEXT.search(named):
        raise FolderError("{0} is not a path.", f"{named!a}")
    path, roots = Path(named), tuple(folders)
    if ".." in path.parts:
        raise FolderError('{0} contains "..". Use a path without it.', named)
    if not any(path.is_relative_to(root) for root in roots):
        raise FolderError(
            "{0} is not in a folder of the library. Call list_folders to list its folders.", named
        )
    # There are no links in archives and mails.
    real = Location.of(path).resolved()
    if not any(real.is_relative_to(Location.of(root).resolved()) for root in roots):
        raise FolderError("{0} is a link out of the library's folders.", named)
    return path


def _is_in(path: Path, folder: Path) -> bool:
    """Return whether a path is a place or in it, by its text as in the catalog's scope."""
    return path == folder or str(path).startswith(str(folder).rstrip(os.sep) + os.sep)
