"""Another library of the same person as a source, searched in place and always current.

It is opened read-only while another Winnow may write to it, and reopened if its catalog was
replaced or its disk was connected again.
"""

import contextlib
import logging
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core import errors
from core.alignment.pairwise import AlignmentStrategy
from core.catalog.catalog_file import may_write
from core.catalog.integrity.foreign import wrap_data_errors
from core.documents.reader import SCRATCH
from core.federation.opened_library import Opened, OpenedLibrary
from core.federation.source import SourceUnavailableError
from core.files import paths
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.requests import CountDocuments, Request, Response
from core.responses import SourceState

_log = logging.getLogger(__name__)
CATALOG: Final = "catalog.sqlite"


def is_library(folder: Path) -> bool:
    """Return whether a folder contains a library."""
    # By `os.path`, which returns False for a disk with errors.
    return os.path.isfile(folder / CATALOG)  # noqa: PTH113


@dataclass(frozen=True, slots=True)
class _Mark:
    """Identifies an opened library, which is reopened if its mark has changed.

    `changed` has the times and sizes of a catalog that this user cannot write: SQLite treats it as
    immutable, and would not notice changes by its owner.
    """

    device: int
    node: int
    changed: tuple[int, ...]
    alignment: AlignmentStrategy | None


class FolderSource:
    """Another library of the same person; the first request opens it.

    Nothing is written to it: SQLite opens it read-only, and documents are unpacked in the person's
    own library while they are shown.
    """

    is_here = True

    def __init__(self, name: str, home: Path, own: Library | None = None) -> None:
        """Name another library, without opening it.

        Args:
            name: shown with its results.
            home: its folder, as in `WINNOW_HOME`.
            own: the person's library, whose model and alignment it is searched with.
        """
        self.name = name
        self._home = home
        self._own = own
        self._opened: OpenedLibrary[_Mark] = OpenedLibrary()
        self._is_closed = False
        self._counts = (0, 0, 0)
        self._is_offline = False
        self._problem = ""
        # Not acquired by `state`, which must respond even while the disk is slow.
        self._opening = threading.Lock()

    def state(self) -> SourceState:
        documents, passages, _ = self._counts
        return SourceState(
            self.name,
            str(self._home),
            self._is_offline,
            self._problem,
            documents=documents,
            passages=passages,
            is_here=True,
        )

    def refresh(self, job: Job | None = None) -> bool:
        """Count its documents; return whether the counts or its state have changed.

        Raises:
            Cancelled: the job was cancelled.
            SourceUnavailableError: it is not there, or cannot be read by this Winnow.
        """
        if job is not None:
            job.checkpoint()
        before = self._counts, self._problem
        held = self.answer(CountDocuments())
        self._counts = held.documents, held.passages, held.passages_waiting
        return (self._counts, self._problem) != before

    def close(self) -> None:
        """Close it after the requests under way; later ones are refused."""
        self._is_closed = True
        self._opened.replace(None)

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        """Return the response of the current library.

        Raises:
            SourceUnavailableError: it is not there, or cannot be read by this Winnow.
        """
        try:
            with contextlib.ExitStack() as stack:
                with wrap_data_errors(self.name), self._opening:
                    self._open_current()
                    opened = stack.enter_context(self._opened.using())
                if opened is None:
                    raise self._closed()
                response = opened.answer(self.name, request, job)
        except (SourceUnavailableError, errors.LibraryDamagedError) as error:
            self._problem = error.message
            raise
        except OSError as error:
            # Its segments are files too, on a disk that may be unplugged at any moment.
            self._problem = self._missing_error(error).message
            raise self._missing_error(error) from error
        self._is_offline, self._problem = False, ""
        return response

    # The open library

    def _open_current(self) -> None:
        """Open the current library, unless it is open.

        Raises:
            SourceUnavailableError: it is not there, or cannot be read by this Winnow.
        """
        if self._is_closed:
            raise self._closed()
        mark = self._look()
        opened = self._opened.current
        try:
            if opened is not None and opened.mark == mark:
                opened.library.check_newer()
                return
            opened = Opened(Library.open(self._home, self._options(mark)), mark)
        except errors.LibraryTooOldError as error:
            self._opened.replace(None)
            raise SourceUnavailableError(
                "The library {0} was created by an older version of Winnow. Start Winnow once "
                "with WINNOW_HOME={1} to update it.",
                self.name,
                self._home,
            ) from error
        except errors.LibraryTooNewError as error:
            self._opened.replace(None)
            raise SourceUnavailableError(
                "The library {0} was created by a newer version of Winnow. Update Winnow to "
                "search it.",
                self.name,
            ) from error
        except errors.WinnowError as error:
            self._opened.replace(None)
            raise SourceUnavailableError(
                "The library {0} cannot be searched: {1}", self.name, error
            ) from error
        self._opened.replace(opened)

    def _look(self) -> _Mark:
        """Return the mark of the current library.

        Raises:
            SourceUnavailableError: it is missing.
        """
        catalog = self._home / CATALOG
        try:
            status = catalog.stat()
            changed: tuple[int, ...] = ()
            if not may_write(catalog):
                changed = (status.st_mtime_ns, status.st_size, *_log_of(catalog))
        except OSError as error:
            self._is_offline = True
            self._opened.replace(None)
            raise self._missing_error(error) from error
        alignment = self._own.alignment if self._own is not None else None
        return _Mark(status.st_dev, status.st_ino, changed, alignment)

    def _options(self, mark: _Mark) -> LibraryOptions:
        own = self._own.home if self._own is not None else paths.home()
        return LibraryOptions(
            alignment=mark.alignment,
            is_foreign=True,
            foreign_name=self.name,
            shared_library=self._own,
            scratch=own / SCRATCH,
        )

    def _missing_error(self, error: OSError) -> SourceUnavailableError:
        return SourceUnavailableError(
            "The library {0} was not found ({1}: {2}); its documents are not included. Connect "
            "its disk, or remove it from the list.",
            self.name,
            self._home,
            error.strerror or type(error).__name__,
        )

    def _closed(self) -> SourceUnavailableError:
        return SourceUnavailableError("The library {0} was closed. Search again.", self.name)


def _log_of(catalog: Path) -> tuple[int, int]:
    """Return the modification time and size of a catalog's write-ahead log."""
    try:
        status = catalog.with_name(f"{catalog.name}-wal").stat()
    except FileNotFoundError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def open_folder(name: str, home: Path, own: Library | None, job: Job | None = None) -> FolderSource:
    """Return another library of the same person, opened.

    Raises:
        Cancelled: the job was cancelled.
        SourceUnavailableError: it is not there, or cannot be read by this Winnow.
    """
    source = FolderSource(name, home, own)
    try:
        source.refresh(job)
    except errors.LibraryError:
        source.close()
        raise
    return source
