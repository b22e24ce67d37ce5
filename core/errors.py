"""The errors that a person can act on; each message is one plain sentence for them."""

from __future__ import annotations


class WinnowError(Exception):
    """Something outside the program went wrong; the message says what and what to do.

    Anything that is not a `WinnowError` is a bug of ours and is shown as unexpected.
    """

    exit_status = 1


class UsageError(WinnowError):
    """The request itself cannot be met as it was written (exit status 2)."""

    exit_status = 2


class FolderError(UsageError):
    """A folder does not exist, is not a folder, or may not be read."""


class LibraryError(WinnowError):
    """The library cannot be opened, read or written."""


class LibraryBusyError(LibraryError):
    """Another Winnow is changing the library at this moment."""


class LibraryDamagedError(LibraryError):
    """Files of the library are missing or do not hold what they should."""


class LibraryTooNewError(LibraryError):
    """The library was written by a newer version of Winnow."""


class DiskFullError(LibraryError):
    """There is no room left to write the library."""


class ModelError(WinnowError):
    """The model's files are missing, damaged, or not of a kind that Winnow can run."""


class DocumentError(WinnowError):
    """One document cannot be read; the message is the reason that is shown beside it."""


class ScratchError(WinnowError):
    """There is no place to unpack what lies in archives and mails."""


class Cancelled(Exception):  # noqa: N818 - not an error: the person asked for it
    """The person cancelled the job; raised by `Job.checkpoint`."""
