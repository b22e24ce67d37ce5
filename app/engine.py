"""What the window needs of the engine: the façade of `core.library` as the window sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path
    from threading import Event

    from core.alignment.pairwise import AlignmentStrategy
    from core.catalog.documents import Failure
    from core.catalog.folders import Folder, FolderRules
    from core.catalog.judgements import Forgotten, Judgement
    from core.catalog.reports import CheckReport, Preview, Shares, Status, SyncReport
    from core.documents.document import Box, Page, PageImage, PageSize
    from core.encoders.devices import Device
    from core.indexing.choosing import Choices
    from core.indexing.views import Inner
    from core.progress import Job
    from core.search.explanation import Explanation
    from core.search.facets import Facets
    from core.search.results import ExactAlignments, Mode, SearchResults
    from core.search.teaching import Adaptation


class Watcher(Protocol):
    """Tells where something changes in the folders; see `core.indexing.watching`."""

    def changes(self, stop: Event) -> Iterator[frozenset[Path] | None]: ...


class Teaching(Protocol):
    """What was marked as right, and what follows; see `core.search.teaching`."""

    @property
    def can_undo(self) -> bool: ...

    def judge(self, query: str, passage_id: int) -> Judgement: ...

    def forget(self, number: int) -> Forgotten: ...

    def restore(self, forgotten: Forgotten) -> None: ...

    def judgements(self, query: str | None = None) -> tuple[Judgement, ...]: ...

    def propose(self, job: Job | None = None) -> Adaptation: ...

    def adopt(self, alignment: AlignmentStrategy) -> None: ...

    def undo(self) -> AlignmentStrategy: ...


class Views(Protocol):
    """What documents look like; see `core.indexing.views`."""

    def pages(self, document_id: int, job: Job | None = None) -> tuple[Page, ...]: ...

    def boxes(
        self,
        document_id: int,
        page: int,
        size: tuple[int, int],
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> tuple[tuple[Box, ...], ...]: ...

    def sizes(self, document_id: int, job: Job | None = None) -> tuple[PageSize, ...]: ...

    def inside(self, document_id: int) -> tuple[Inner, ...]: ...


class Choosing(Protocol):
    """The settings that the index depends on; see `core.indexing.choosing`."""

    def choices(self, **changes: Any) -> Choices: ...

    def devices(self) -> tuple[Device, ...]: ...

    def encoding_s(self, job: Job | None = None, **changes: Any) -> float: ...

    def choose(self, **changes: Any) -> None: ...

    def take_back(self) -> None: ...


class Engine(Protocol):
    """An open library. Every method may block and is called on a background thread only."""

    def folders(self) -> tuple[Folder, ...]: ...

    def add_folder(self, path: Path, rules: FolderRules | None = None) -> Folder: ...

    def remove_folder(self, path: Path, job: Job | None = None) -> None: ...

    def retry(self) -> int: ...

    def preview(
        self, folder: Path, rules: FolderRules | None = None, job: Job | None = None
    ) -> Preview: ...

    def sync(
        self,
        job: Job | None = None,
        changed: Iterable[Path] | None = None,
        *,
        background: bool = ...,
    ) -> SyncReport: ...

    def watcher(self) -> Watcher: ...

    def rebuild(self) -> None: ...

    def keep_as_built(self) -> None: ...

    def check(self, *, repairs: bool = False, job: Job | None = None) -> CheckReport: ...

    @property
    def choosing(self) -> Choosing: ...

    def search(
        self, query: str, *, mode: Mode = ..., limit: int = ..., job: Job | None = ...
    ) -> SearchResults: ...

    def facets(
        self,
        query: str,
        *,
        mode: Mode = ...,
        limit: int = ...,
        found: Collection[int] | None = ...,
        job: Job | None = ...,
    ) -> Facets: ...

    def align(
        self, query: str, passage_ids: Sequence[int], job: Job | None = ...
    ) -> ExactAlignments: ...

    def explain(self, query: str, passage_id: int) -> Explanation: ...

    def salient_words(self, passage_id: int, count: int = ...) -> tuple[str, ...]: ...

    @property
    def teaching(self) -> Teaching: ...

    def warm_up(self) -> None: ...

    def page_texts(self, document_id: int) -> tuple[Page, ...]: ...

    def page_image(
        self,
        document_id: int,
        page: int,
        width: int,
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> PageImage: ...

    @property
    def views(self) -> Views: ...

    def failures(self) -> tuple[Failure, ...]: ...

    def status(self) -> Status: ...

    def shares(self) -> Shares: ...

    def close(self) -> None: ...


def begin_anew(home: Path) -> None:
    """Set the library in `home` aside, which is damaged, and begin another in its place.

    Raises:
        LibraryError: that cannot be done.
    """
    from core.library import Library

    Library.begin_anew(home)


def open_library(home: Path) -> Engine:
    """Open the library in `home`; imports the engine, so only in the background.

    Raises:
        LibraryError: it cannot be opened.
    """
    from core.library import Library

    return Library.open(home)
