"""Where a library is published: a few operations on files by name, in a folder or a bucket."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from core import foreign_files, own_files
from core.errors import DiskFullError, LibraryError
from core.foreign_files import UnexpectedFileError
from core.locations import Location
from core.progress import Job

_ANYBODY: Final = 0o666
"""As far as the system's habits allow: those who read a published library are others."""


class StoreError(LibraryError):
    """A place where a library is published cannot be reached, read or written."""


class NotStoredError(Exception):
    """There is no file of that name; what that means is the caller's to say."""


class UnexpectedPieceError(Exception):
    """A name leads to no file, or to a larger one than there may be: the caller says so, too."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What is known of a file without reading it; the time is the store's own, in seconds."""

    size_bytes: int
    changed_s: float


class Store(Protocol):
    """Files by names with slashes; each is there whole or not at all.

    Each method raises `StoreError` where the place does not answer or refuses.
    """

    @property
    def address(self) -> str:
        """How a person names it, without credentials."""
        ...

    def read(self, name: str, most_bytes: int, job: Job | None = None) -> bytes:
        """Return what a file holds, which others may have written.

        Args:
            name: of the file.
            most_bytes: it may have.
            job: to cancel it.

        Raises:
            NotStoredError: there is none.
            UnexpectedPieceError: it is not a regular file, or has more bytes.
            Cancelled: the job was cancelled.
        """
        ...

    def write(self, name: str, data: bytes) -> None:
        """Write a file, or replace it by one step."""
        ...

    def claim(self, name: str, data: bytes) -> bool:
        """Write a file if there is none of that name; gives whether it was written."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file; there may be none."""
        ...

    def files(self, folder: str) -> Mapping[str, StoredFile]:
        """Return the files of a folder and of those in it, by their names from the top."""
        ...

    def now_s(self) -> float:
        """Return the time by the clock that files are dated by."""
        ...

    def sweep(self) -> None:
        """Remove what was begun and never finished; call it where nobody else can be writing."""
        ...


class FolderStore:
    """A folder on a disk or a share; anybody who may read it may read the library."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def address(self) -> str:
        return str(self.folder)

    def read(self, name: str, most_bytes: int, job: Job | None = None) -> bytes:
        on_step = (job or Job()).checkpoint
        try:
            return foreign_files.read(self._path(name), most_bytes, on_step)
        except UnexpectedFileError as error:
            raise UnexpectedPieceError(name) from error
        except (FileNotFoundError, NotADirectoryError) as error:
            if not Location.of(self.folder).is_folder():
                raise StoreError(
                    "The folder {0} cannot be reached; check the path and the connection.",
                    self.folder,
                ) from error
            raise NotStoredError(name) from error
        except OSError as error:
            raise self._error("read", error) from error

    def write(self, name: str, data: bytes) -> None:
        path = self._path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            own_files.atomic_write(path, data, _ANYBODY)
        except OSError as error:
            raise self._error("written", error) from error

    def claim(self, name: str, data: bytes) -> bool:
        path = self._path(name)
        making = path.with_name(f".winnow-{os.getpid()}-{secrets.token_hex(4)}.making")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Whole when it gets its name: nobody finds an empty claim of somebody who was killed.
            own_files.atomic_write(making, data, _ANYBODY)
            try:
                os.link(making, path)
            except FileExistsError:
                return False
            except OSError:
                # A file system without links, as sticks and some shares are.
                try:
                    with path.open("xb") as file:
                        file.write(data)
                except FileExistsError:
                    return False
            return True
        except OSError as error:
            raise self._error("written", error) from error
        finally:
            own_files.discard(making)

    def remove(self, name: str) -> None:
        try:
            self._path(name).unlink(missing_ok=True)
        except OSError as error:
            raise self._error("written", error) from error

    def files(self, folder: str) -> Mapping[str, StoredFile]:
        found = {}
        try:
            for path in (self.folder / folder).rglob("*"):
                if path.name.startswith(".winnow-") or not path.is_file():
                    continue
                status = path.stat()
                name = path.relative_to(self.folder).as_posix()
                found[name] = StoredFile(status.st_size, status.st_mtime)
        except FileNotFoundError:
            # Somebody else removed one meanwhile; it is not there any more.
            pass
        except OSError as error:
            raise self._error("read", error) from error
        return found

    def now_s(self) -> float:
        probe = self._path(f".winnow-{os.getpid()}-{secrets.token_hex(4)}.making")
        try:
            probe.touch()
            return probe.stat().st_mtime
        except OSError as error:
            raise self._error("written", error) from error
        finally:
            own_files.discard(probe)

    def sweep(self) -> None:
        for making in self.folder.rglob(".winnow-*.making"):
            own_files.discard(making)

    def _path(self, name: str) -> Path:
        return self.folder / name

    def _error(self, how: str, error: OSError) -> LibraryError:
        if own_files.is_out_of_room(error):
            return DiskFullError(
                "The disk of {0} is full; make room and try again. What was published before is "
                "as it was.",
                self.folder,
            )
        if how == "read":
            return StoreError(
                "The folder {0} cannot be read ({1}); check the path and your rights.",
                self.folder,
                error.strerror or error,
            )
        return StoreError(
            "The folder {0} cannot be written ({1}); check the path and your rights.",
            self.folder,
            error.strerror or error,
        )
