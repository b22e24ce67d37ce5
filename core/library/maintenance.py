"""Verification of a library's stored data, and repairs."""

from collections.abc import Callable
from pathlib import Path

from core.catalog.catalog import Catalog
from core.catalog.catalog_file import damaged
from core.catalog.reports import CheckReport
from core.documents.reader import SCRATCH, Reader
from core.documents.sandbox.scratch import sweep
from core.errors import LibraryDamagedError
from core.indexing import checking, syncing
from core.indexing.build.generations import Generations
from core.indexing.checking import Problems
from core.progress import Job
from core.writer_lock import writing


def check(
    home: Path,
    catalog: Catalog,
    generations: Generations,
    reader: Reader,
    job: Job,
    *,
    repairs: bool,
) -> CheckReport:
    """Verify all stored data; see `Library.check`.

    Args:
        home: the library's folder.
        catalog: the library's.
        generations: its index.
        reader: reads damaged documents again.
        job: receives progress, and may cancel.
        repairs: whether damaged parts are built again.

    Raises:
        Cancelled: the job was cancelled.
        LibraryBusyError: another Winnow is indexing.
        LibraryDamagedError: the catalog is unreadable, and `repairs` is False.
    """

    def find() -> Problems:
        return checking.check(home, catalog, generations.target.checkpoint, job)

    def repair(problems: Problems) -> None:
        checking.repair(catalog, home, problems)
        syncing.bring_in_step(catalog, generations, reader, job, None)

    if not repairs and not catalog.is_writable:
        return _check(catalog, job, find)
    catalog.check_writable()
    with writing(home):
        sweep(home / SCRATCH)
        try:
            return _check(catalog, job, find, repair if repairs else None)
        except LibraryDamagedError as error:
            if not repairs:
                raise
            catalog.recreate()
            generations.close()
            return CheckReport((error.message,), True, 0, 0, is_recreated=True)


def _check(
    catalog: Catalog,
    job: Job,
    find: Callable[[], Problems],
    repair: Callable[[Problems], None] | None = None,
) -> CheckReport:
    with catalog.until_closed(job), catalog.reading():
        problems = find()
        files, size_bytes = checking.size(catalog)
        is_repaired = False
        if problems.sentences and repair is not None:
            repair(problems)
            left = find()
            is_repaired = not left.sentences
            if left.is_of_catalog:
                raise LibraryDamagedError(damaged(catalog.path.parent, left.sentences[0]))
    return CheckReport(problems.sentences, is_repaired, files, size_bytes)
