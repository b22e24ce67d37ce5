"""A published library as a source: fetched into the cache, opened read only, there when offline."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from core import paths
from core.catalog.foreign import wrap_data_errors
from core.catalog.schema import VERSION
from core.errors import LibraryError, LibraryTooOldError, Message, WinnowError
from core.federation.foreign_names import sanitise
from core.federation.source import LibraryBacked, SourceState, SourceUnavailableError
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.publishing.addresses import open_store
from core.publishing.cache import CachedSnapshot, SnapshotCache, SnapshotGoneError
from core.publishing.publisher import newest
from core.publishing.store import NotStoredError, Store, StoreError
from core.requests import NO_REWRITE, QueryRewrite
from core.responses import Mode, SearchResults

if TYPE_CHECKING:
    from core.responses import Facets

_Told = TypeVar("_Told")
_TRIES = 3


@dataclass(eq=False)
class _Opened:
    """A snapshot that is open, and how many calls are under way in it."""

    cached: CachedSnapshot
    library: Library
    users: int = 0
    is_replaced: bool = False


class PublishedSource(LibraryBacked):
    """A published library. `refresh` fetches it; what is fetched answers, also when offline.

    While its index is not there yet it is searched by words; a new snapshot takes the old one's
    place as soon as it is there, and calls under way go on in the old one.
    """

    def __init__(
        self,
        name: str,
        address: str,
        cache: SnapshotCache | None = None,
        own: Library | None = None,
    ) -> None:
        """Name a published library; nothing is opened or fetched.

        Args:
            name: what results bear.
            address: a folder, or what fsspec knows (s3://…).
            cache: where snapshots are kept; by default below `WINNOW_CACHE`, at its usual size.
            own: the person's library, whose model and alignment it is searched with.

        Raises:
            UsageError: the address has a password in it, or is of no kind that is known.
        """
        self._name = name
        self._store: Store = open_store(address)
        self._cache = cache or default_cache()
        self._own = own
        self._opened: _Opened | None = None
        self._is_offline = False
        self._problem = ""
        self._guard = threading.Lock()
        self._refreshing = threading.Lock()

    @property
    def name(self) -> str:
        return self._name

    @property
    def is_here(self) -> bool:
        return False

    @property
    def published_name(self) -> str:
        """What its publisher calls it; "" while nothing of it is here."""
        opened = self._opened
        return opened.cached.snapshot.name if opened is not None else ""

    def rename(self, name: str) -> None:
        """Have results bear another name from now on."""
        self._name = name

    # What there is

    def open_known(self) -> bool:
        """Open what was fetched before, asking nobody; whether there is anything.

        Raises:
            LibraryError: it cannot be opened.
        """
        with self._refreshing:
            if self._opened is None:
                known = self._cache.known(self._store.address)
                if known is not None:
                    self._take(known)
        return self._opened is not None

    def refresh(self, job: Job | None = None) -> bool:
        """Fetch the newest snapshot and search that from now on; whether there is a newer one.

        Raises:
            Cancelled: the job was cancelled; it goes on from there the next time.
            SourceUnavailableError: it cannot be reached, and nothing was fetched before.
            LibraryError: what is published is damaged, or by a newer Winnow; the old one answers.
        """
        job = job or Job()
        with self._refreshing:
            try:
                has_changed = self._refresh(job)
            except StoreError as error:
                self._is_offline, self._problem = True, error.message
                if self._opened is None:
                    known = self._cache.known(self._store.address)
                    if known is None:
                        raise SourceUnavailableError(
                            "The library {0} cannot be opened: {1}", self._name, error
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
                    "No library is published at {0}; publish one with winnow publish.",
                    self._store.address,
                ) from error
            opened = self._opened
            is_new = opened is None or opened.cached.snapshot.id != snapshot.id
            if opened is not None and not is_new and opened.cached.is_whole:
                return False
            if snapshot.catalog < VERSION:
                raise self._too_old()
            cached = self._cache.place(self._store.address, snapshot)
            try:
                with self._cache.in_use(cached):
                    if opened is None:
                        # The first time words answer while the index is still on its way.
                        self._cache.fetch(self._store, cached, job, catalog_only=True)
                        self._take(cached)
                    self._cache.fetch(self._store, cached, job)
                    if self._opened is None or self._opened.cached.folder != cached.folder:
                        self._take(cached)
            except SnapshotGoneError:
                job.checkpoint()
                continue
            return True
        raise SourceUnavailableError(
            "The library {0} is not whole where it is published; publish it once more with "
            "winnow publish --check.",
            self._store.address,
        )

    def _take(self, cached: CachedSnapshot) -> None:
        """Open a snapshot, and search it from now on."""
        self._cache.hold(cached)
        try:
            with wrap_data_errors(self._name):
                library = Library.open(cached.folder, self._options())
        except LibraryTooOldError as error:
            self._cache.let_go(cached)
            raise self._too_old() from error
        except BaseException:
            self._cache.let_go(cached)
            raise
        self._replace(_Opened(cached, library))

    def _too_old(self) -> SourceUnavailableError:
        return SourceUnavailableError(
            "The library {0} was published by an older Winnow; ask its publisher to publish it "
            "again.",
            self._name,
        )

    def _replace(self, opened: _Opened | None) -> None:
        """Search another snapshot from now on; let go of this one when nobody uses it any more."""
        with self._guard:
            before, self._opened = self._opened, opened
            if before is not None:
                before.is_replaced = True
                is_free = before.users == 0
        if before is not None and is_free:
            self._end(before)

    def _options(self) -> LibraryOptions:
        return LibraryOptions(
            alignment=self._own.alignment if self._own is not None else None,
            is_foreign=True,
            lender=self._own,
        )

    def _end(self, opened: _Opened) -> None:
        opened.library.close()
        self._cache.let_go(opened.cached)

    @contextlib.contextmanager
    def _using(self, job: Job | None = None) -> Iterator[_Opened]:
        """Use the snapshot that is open now, whatever takes its place meanwhile."""
        with self._guard:
            opened = self._opened
            if opened is None and self._problem:
                raise SourceUnavailableError(self._problem)
            if opened is None:
                raise SourceUnavailableError(
                    "The library {0} has not been fetched yet; it is left out.", self._name
                )
            opened.users += 1
        try:
            with wrap_data_errors(self._name), opened.library.asked_by(job):
                yield opened
        finally:
            with self._guard:
                opened.users -= 1
                is_over = opened.is_replaced and opened.users == 0
            if is_over:
                self._end(opened)

    def _ask(self, work: Callable[[Library], _Told], job: Job | None = None) -> _Told:
        with self._using(job) as opened:
            return sanitise(work(opened.library))

    def state(self) -> SourceState:
        opened = self._opened
        snapshot = opened.cached.snapshot if opened is not None else None
        return SourceState(
            self._name,
            self._store.address,
            self._is_offline,
            self._problem,
            snapshot.published_at if snapshot is not None else "",
            snapshot.documents if snapshot is not None else 0,
            snapshot.passages if snapshot is not None else 0,
        )

    def close(self) -> None:
        """Let go of the snapshot, as soon as nothing is under way in it."""
        self._replace(None)

    def forget(self) -> None:
        """Close it, and remove what was fetched of it."""
        self.close()
        self._cache.forget(self._store.address)

    # Searching

    def search(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        job: Job | None = None,
        is_refined: bool = True,
        rewrites: frozenset[QueryRewrite] = NO_REWRITE,
    ) -> SearchResults:
        with self._using(job) as opened:
            notices: list[str] = []
            if Mode(mode) is not Mode.WORDS and not opened.cached.is_whole:
                mode = Mode.WORDS
                notices.append(
                    Message("It is still being fetched, and is searched by words until it is here.")
                )
            if self._is_offline:
                notices.append(
                    Message(
                        "It cannot be reached; what was published on {0} answers.",
                        opened.cached.snapshot.published_at[:10],
                    )
                )
            elif self._problem:
                notices.append(self._problem)
            results = opened.library.search(
                query, mode=mode, limit=limit, job=job, is_refined=is_refined, rewrites=rewrites
            )
            return _with_notices(sanitise(results), notices)

    def facets(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        found: Collection[int] | None = None,
        job: Job | None = None,
    ) -> Facets:
        with self._using(job) as opened:
            by = mode if opened.cached.is_whole else Mode.WORDS
            found_here = opened.library.facets(query, mode=by, limit=limit, found=found, job=job)
            return sanitise(found_here)


def _with_notices(results: SearchResults, notices: list[str]) -> SearchResults:
    said = [notice for notice in (results.notice, *notices) if notice]
    return replace(results, notice=Message.joined(said)) if notices else results


def default_cache() -> SnapshotCache:
    """Return the cache of published libraries, as large as the settings let it be."""
    from core.settings import chosen

    most_mb = chosen(paths.home() / "settings.json").libraries_cache_mb
    return SnapshotCache(paths.cache() / "libraries", most_mb * 1_000_000)


def open_published(
    name: str, address: str, own: Library | None = None, job: Job | None = None
) -> PublishedSource:
    """Return a published library, fetched and ready to be searched.

    Raises:
        Cancelled: the job was cancelled.
        UsageError: the address has a password in it, or is of no kind that is known.
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
