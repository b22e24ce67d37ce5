"""Locations of documents and folders: on this machine, or in a bucket of an object storage."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Self, cast
from urllib.parse import quote

from core.addresses import is_in_bucket, readable_path
from core.files.filesystems import FileStamp


@dataclass(frozen=True, slots=True)
class Location:
    """A file or a folder on this machine, or an object or a folder in a bucket.

    Elsewhere both are text or a `Path`; `Location.of` distinguishes them.

    Attributes:
        path: as the catalog stores it. In a bucket it has one slash where the address has two.
        is_local: whether it is on this machine.
    """

    path: Path
    is_local: bool

    @classmethod
    def of(cls, path: PurePath | str) -> Self:
        """Return the location at a path or an address."""
        # A pure path of another system stays one: only its text is used then.
        location = cast("Path", path) if isinstance(path, PurePath) else Path(path)
        return cls(location, not is_in_bucket(path))

    def __str__(self) -> str:
        """Return the displayed form: a path, or an address in a bucket."""
        return readable_path(self.path)

    @property
    def local_path(self) -> Path | None:
        """The absolute path on this machine; None in a bucket, and for a name without a folder.

        >>> Location.of("s3://team/a.pdf").local_path
        """
        return self.path if self.is_local and self.path.is_absolute() else None

    @property
    def is_absolute(self) -> bool:
        """Whether the path does not depend on the current folder.

        >>> Location.of("s3://team/a.pdf").is_absolute, Location.of("a.pdf").is_absolute
        (True, False)
        """
        return not self.is_local or self.path.is_absolute()

    @property
    def url(self) -> str:
        """The URL of the location.

        >>> Location.of("s3://team/a b.pdf").url
        's3://team/a%20b.pdf'
        """
        if not self.is_local:
            return quote(str(self), safe=":/")
        if self.path.is_absolute():
            return self.path.as_uri()
        return "file://" + quote(self.path.as_posix())

    def absolute(self) -> Path:
        """Return the path from the root; links are not resolved."""
        return self.path.absolute() if self.is_local else self.path

    def resolved(self) -> Path:
        """Return the path without links; nothing needs to exist there. A bucket has no links."""
        # By `os.path`, because `Path` raises for circular links.
        return Path(os.path.realpath(self.path)) if self.is_local else self.path

    def is_folder(self) -> bool:
        """Return whether the folder exists and can be scanned.

        Unlike `Path.is_dir` this is False for a share whose server does not respond, and for a
        drive that was unplugged. A bucket is not queried: it counts as a folder.
        """
        return not self.is_local or os.path.isdir(self.path)  # noqa: PTH112

    def is_file(self) -> bool:
        """Return whether the file exists. A bucket is not queried: its objects count as files."""
        return not self.is_local or self.path.is_file()

    def is_on_disk(self) -> bool:
        """Return whether a file or folder exists on this machine."""
        return self.is_local and self.path.exists()

    def stamp(self) -> FileStamp:
        """Return the size and modification time.

        Raises:
            OSError: the file or the object cannot be accessed.
            UsageError: the package for this kind of bucket is not installed.
        """
        if self.is_local:
            status = self.path.stat()
            return FileStamp(status.st_size, status.st_mtime_ns)
        from core.files import object_storage

        return object_storage.stamp_of(self.path)

    def can_be_read(self) -> bool:
        """Return whether the package for its bucket, if any, is installed."""
        if self.is_local:
            return True
        from core.files import object_storage

        return object_storage.is_installed(self.path)

    def fetch(
        self, stamp: FileStamp | None, most_bytes: int, on_step: Callable[[], None] = lambda: None
    ) -> int:
        """Fetch an object, and return a descriptor of a file with its content.

        Args:
            stamp: the object's listed stamp; None for the current one.
            most_bytes: a larger object is refused.
            on_step: called regularly; may raise to stop.

        Raises:
            DocumentError: it is too large.
            OSError: it cannot be fetched.
            UsageError: the package for this kind of bucket is not installed.
        """
        from core.files import object_storage

        return object_storage.opened(self.path, stamp, most_bytes, on_step)

    def fetch_copy(self, most_bytes: int, on_step: Callable[[], None] = lambda: None) -> Path:
        """Fetch an object, and return a copy in the cache for another program to show.

        Raises:
            DocumentError, OSError, UsageError: as `fetch`.
        """
        from core.files import object_storage

        return object_storage.copied(self.path, most_bytes, on_step)


def discard_fetched(*, copies: bool = False) -> None:
    """Discard recently fetched objects, and optionally the copies in the cache."""
    from core.files import object_storage

    object_storage.forget()
    if copies:
        object_storage.remove_copies()
