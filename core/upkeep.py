"""What keeps a library in step with its folders and in order: the part of `Library` that writes.

It is mixed into `Library`, which is what programs talk to.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from core.catalog import documents
from core.catalog.catalog import Catalog, damaged
from core.catalog.records import (
    CheckReport,
    DocumentState,
    Failure,
    Shares,
    Status,
    SyncReport,
)
from core.documents.containers.scratch import sweep
from core.documents.pages.recognition import is_installed
from core.documents.reader import SCRATCH, Reader
from core.errors import LibraryDamagedError
from core.indexing import checking, rebuilding, roots, stock, syncing
from core.indexing.choosing import Choosing, index_part
from core.indexing.editions import Editions
from core.indexing.lock import writing
from core.indexing.watching import Watcher
from core.manners import Pace
from core.progress import Job
from core.settings import Settings, chosen


class Upkeep:
    """Syncs, checks, repairs and rebuilds a library, and has its settings hold."""

    home: Path
    _catalog: Catalog
    _editions: Editions
    _reader: Reader
    _settings: Settings

    # Keeping in step

    def sync(
        self,
        job: Job | None = None,
        changed: Iterable[Path] | None = None,
        *,
        background: bool = False,
    ) -> SyncReport:
        """Bring the library in step with its folders: scan, read, encode, publish.

        May be cancelled, or killed, at any moment: the next sync goes on from there. Folders that
        are not there (a drive that is unplugged) keep their documents. The settings hold as they
        are at this moment.

        Args:
            job: its progress.
            changed: the paths at which something changed, so that nothing else is looked at; None
                for everywhere.
            background: nobody waits for it: keep to the manners that the settings tell.

        Raises:
            Cancelled: the job was cancelled; what was done stays.
            LibraryBusyError: another Winnow is at it.
            DiskFullError: there is no room; nothing that was stored is lost.
            ModelError: the model cannot be loaded, or not on the device of the settings.
        """
        self._catalog.check_writable()
        began_s = time.monotonic()
        job = job or Job()
        self.take_settings()
        if background:
            job.keep_pace(Pace(self._settings.manners))
        done = syncing.sync(self._catalog, self._editions, self._reader, job, changed)
        seconds = time.monotonic() - began_s
        report = stock.report(self.status(), self.failures(), done, seconds)
        return replace(report, is_whole=changed is None)

    def retry(self) -> int:
        """Have the next sync try the files once more that could not be read; gives how many.

        By themselves they are tried when they have changed.
        """
        with self._catalog.transaction() as db:
            count = documents.count(db)[DocumentState.FAILED]
            documents.set_failed_waiting(db)
        return count

    def watcher(self) -> Watcher:
        """What tells where something changes in the folders as they are now, for `sync`."""
        return roots.watcher(self._catalog)

    def check(self, *, repairs: bool = False, job: Job | None = None) -> CheckReport:
        """Compare all that is stored with what was written; where asked, make anew what differs.

        Raises:
            Cancelled: the job was cancelled.
            LibraryBusyError: another Winnow is indexing.
            LibraryDamagedError: the catalog is damaged beyond reading, and is not to be repaired.
        """
        self._catalog.check_writable()
        job = job or Job()
        with writing(self.home):
            sweep(self.home / SCRATCH)
            try:
                return self._check(job, repairs=repairs)
            except LibraryDamagedError as error:
                if not repairs:
                    raise
                self._catalog.begin_anew()
                self._editions.close()
                return CheckReport((str(error),), True, 0, 0, is_begun_anew=True)

    def _check(self, job: Job, *, repairs: bool) -> CheckReport:
        checked = self.home, self._catalog, self._editions.checkpoint, job
        with self._catalog.reading():
            problems = checking.check(*checked)
            files, size_bytes = checking.size(self._catalog)
            is_repaired = False
            if problems.sentences and repairs:
                checking.mend(self._catalog, self.home, problems)
                syncing.bring_in_step(self._catalog, self._editions, self._reader, job, None)
                left = checking.check(*checked)
                is_repaired = not left.sentences
                if left.is_of_catalog:
                    raise LibraryDamagedError(damaged(self.home, left.sentences[0]))
        return CheckReport(problems.sentences, is_repaired, files, size_bytes)

    def rebuild(self) -> None:
        """Have the next sync make everything again from the files, while what is there answers.

        It may be cancelled or killed at any moment: the one after it goes on from there.

        Raises:
            ModelError: the model that was chosen is not there.
            LibraryBusyError: another Winnow is indexing.
            LibraryError: the catalog is damaged beyond repair.
        """
        self._catalog.check_writable()
        with writing(self.home):
            rebuilding.begin(self._catalog, self._editions)

    def keep_as_built(self) -> None:
        """Give up making everything again; what has not been replaced yet stays as it is.

        Raises:
            LibraryBusyError: another Winnow is indexing.
        """
        self._catalog.check_writable()
        with writing(self.home):
            rebuilding.give_up(self._catalog, self._editions)

    # Settings

    @property
    def choosing(self) -> Choosing:
        """The settings that the library's index depends on: what there is, and what it costs."""
        path = self.home / "settings.json"
        return Choosing(path, self._catalog, self._editions, self.take_settings)

    def take_settings(self) -> None:
        """Have the settings hold as they are in their file at this moment.

        The model's device changes at once, what is read and how it is kept with the next sync.

        Raises:
            ModelError: the model cannot be run on that device; the old one goes on.
        """
        settings = chosen(self.home / "settings.json")
        if index_part(settings) != index_part(self._settings):
            self._editions.take(settings)
        if settings.ocr != self._settings.ocr:
            self._reader.recognise(is_on=settings.ocr and is_installed())
        self._settings = settings

    # What there is

    def failures(self) -> tuple[Failure, ...]:
        """The files that could not be read, with the reasons."""
        with self._catalog.reading() as db:
            return documents.failures(db)

    def status(self) -> Status:
        """The library in numbers."""
        return stock.status(self.home, self._catalog, self._editions)

    def shares(self) -> Shares:
        """What the library takes on the disk, folder by folder; looks at every passage."""
        return stock.shares(self._catalog)
