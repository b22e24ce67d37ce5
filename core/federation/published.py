"""A published library as a source: fetched into a cache, opened read-only, also when offline."""

import threading
from dataclasses import replace
from typing import Any, cast

from core.catalog.integrity.foreign import wrap_data_errors
from core.catalog.schema import VERSION
from core.errors import LibraryError, LibraryTooOldError, Message, WinnowError
from core.federation.opened_library import Opened, OpenedLibrary
from core.federation.source import SourceUnavailableError
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.publishing.cache import CachedSnapshot, SnapshotCache, SnapshotMissingError, default_cache
from core.publishing.publisher import newest
from core.publishing.store import NotStoredError, Store, StoreError, open_store
from core.requests import CountFacets, Request, Response, Search
from core.responses import Mode, SourceState

_TRIES = 3
_BY_WORDS = "Still downloading; searchable by words only until it is complete."


class PublishedSource:
    """A published library: `refresh` fetches it, and the fetched snapshot answers.

    Until its index has been fetched it is searched by words. A new snapshot replaces the old one
    once it is complete; requests under way use the old one.
    """

    is_here = False

    def __init__(
        self,
        name: str,
        address: str,
        cache: SnapshotCache | None = None,
        own: Library | None = None,
    ) -> None:
        """Name a published library, without opening or fetching it.

        Args:
            name: shown with its results.
            address: a folder, or an address that fsspec supports (s3://…).
            cache: for snapshots; by default in `WINNOW_CACHE`, with the size of the settings.
            own: the person's library, whose model and alignment it is searched with.

        Raises:
            UsageError: the address contains a password, or its kind is not supported.
        """
        self.name = name
        self._store: Store = open_store(address)
        self._cache = cache or default_cache()
        self._own = own
        self._opened: OpenedLibrary[CachedSnapshot] = OpenedLibrary(
            lambda opened: self._cache.let_go(opened.mark)
        )
        self._is_offline = False
        self._problem = ""
        self._refreshing = threading.Lock()

    @property
    def published_name(self) -> str:
        """Its publisher's name for it; "" until it was fetched."""
        opened = self._opened.current
        return opened.mark.snapshot.name if opened is not None else ""

    def rename(self, name: str) -> None:
        """Change the name shown with its results."""
        self.name = name

    # Snapshots

    def open_known(self) -> bool:
        """Open the snapshot in the cache, without a connection; return whether there is one.

        Raises:
            LibraryError: it cannot be opened.
        """
        with self._refreshing:
            if self._opened.current is None:
                known = self._cache.known(self._store.address)
                if known is not None:
                    self._take(known)
        return self._opened.current is not None

    def refresh(self, job: Job | None = None) -> bool:
        """Fetch the newest snapshot; return whether it is a new one.

        Raises:
            Cancelled: the job was cancelled; the next call continues.
            SourceUnavailableError: it cannot be reached, and nothing was fetched before.
            LibraryError: the snapshot is damaged, or was written by a newer Winnow; the old one
                stays in use.
        """
        job = job or Job()
        with self._refreshing:
            try:
                has_changed = self._refresh(job)
            except StoreError as error:
                self._is_offline, self._problem = True, error.message
                if self._opened.current is None:
                    known = self._cache.known(self._store.address)
                    if known is None:
                        raise SourceUnavailableError(
                            "The library {0} cannot be opened: {1}", self.name, error
                        ) from error
                    self._take(known)
                return False
            except WinnowError as error:
                self._problem = error.message
                raise
            self._is_offline, self._problem = False, ""
            return has_changed

    def _refresh(self, job: Job) -> bool:
        for _ in range(_TRIES):
            try:
                _, snapshot = newest(self._store, job)
            except NotStoredError as error:
                raise SourceUnavailableError(
                    "No library is published at {0}. Publish one with winnow publish.",
                    self._store.address,
                ) from error
            opened = self._opened.current
            is_new = opened is None or opened.mark.snapshot.id != snapshot.id
            if opened is not None and not is_new and opened.mark.is_whole:
                return False
            if snapshot.catalog < VERSION:
                raise self._too_old()
            cached = self._cache.folder_for(self._store.address, snapshot)
            try:
                with self._cache.in_use(cached):
                    if opened is None:
                        # The first time, searches are by words until the index is downloaded.
                        self._cache.fetch(self._store, cached, job, catalog_only=True)
                        self._take(cached)
                    self._cache.fetch(self._store, cached, job)
                    opened = self._opened.current
                    if opened is None or opened.mark.folder != cached.folder:
                        self._take(cached)
            except SnapshotMissingError:
                job.checkpoint()
                continue
            return True
        raise SourceUnavailableError(
            "The published library {0} is incomplete. Publish it again with winnow publish "
            "--check.",
            self._store.address,
        )

    def _take(self, cached: CachedSnapshot) -> None:
        """Open a snapshot in place of the current one."""
        self._cache.hold(cached)
        try:
            with wrap_data_errors(self.name):
                library = Library.open(cached.folder, self._options())
        except LibraryTooOldError as error:
            self._cache.let_go(cached)
            raise self._too_old() from error
        except BaseException:
            self._cache.let_go(cached)
            raise
        self._opened.replace(Opened(library, cached))

    def _too_old(self) -> SourceUnavailableError:
        return SourceUnavailableError(
            "The library {0} was published by an older version of Winnow. Ask its publisher to "
            "publish it again.",
            self.name,
        )

    def _options(self) -> LibraryOptions:
        return LibraryOptions(
            alignment=self._own.alignment if self._own is not None else None,
            is_foreign=True,
            foreign_name=self.name,
            shared_library=self._own,
        )

    def state(self) -> SourceState:
        opened = self._opened.current
        snapshot = opened.mark.snapshot if opened is not None else None
        return SourceState(
            self.name,
            self._store.address,
            self._is_offline,
            self._problem,
            snapshot.published_at if snapshot is not None else "",
            snapshot.documents if snapshot is not None else 0,
            snapshot.passages if snapshot is not None else 0,
        )

    def close(self) -> None:
        """Close the snapshot after the requests under way."""
        self._opened.replace(None)

    def forget(self) -> None:
        """Close it, and remove it from the cache."""
        self.close()
        self._cache.forget(self._store.address)

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        """Return the response of the open snapshot; a newer one may replace it in the meantime.

        Raises:
            SourceUnavailableError: nothing was fetched yet.
        """
        with self._opened.using() as opened:
            if opened is None and self._problem:
                raise SourceUnavailableError(self._problem)
            if opened is None:
                raise SourceUnavailableError(
                    "The library {0} has not been downloaded yet; its documents are not included.",
                    self.name,
                )
            request_here: Any = request
            notices = self._notices(opened.mark)
            if isinstance(request, (Search, CountFacets)) and not opened.mark.is_whole:
                request_here = replace(request, mode=Mode.WORDS)
                if request.mode is not Mode.WORDS:
                    notices.insert(0, Message(_BY_WORDS))
            response: Any = opened.answer(self.name, request_here, job)
        if isinstance(request, Search) and notices:
            sentences = [notice for notice in (response.notice, *notices) if notice]
            response = replace(response, notice=Message.joined(sentences))
        return cast("Response", response)

    def _notices(self, cached: CachedSnapshot) -> list[str]:
        if self._is_offline:
            published_on = cached.snapshot.published_at[:10]
            return [
                Message("The library cannot be reached; searching the copy from {0}.", published_on)
            ]
        return [self._problem] if self._problem else []


def open_published(
    name: str, address: str, own: Library | None = None, job: Job | None = None
) -> PublishedSource:
    """Return a published library, fetched and opened.

    Raises:
        Cancelled: the job was cancelled.
        UsageError: the address contains a password, or its kind is not supported.
        LibraryError: it cannot be reached and was not fetched before, or is damaged.
    """
    source = PublishedSource(name, address, own=own)
    try:
        source.refresh(job)
    except LibraryError:
        if not source.open_known():
            source.close()
            raise
    return source
