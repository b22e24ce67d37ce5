"""What an address of a published library names: a folder, or what fsspec reaches."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from urllib.request import url2pathname

from core import paths
from core.errors import UsageError
from core.publishing.bucket_store import BucketStore
from core.publishing.store import FolderStore, Store


def open_store(address: str) -> Store:
    """Return the store at an address: a folder's path, file:// or what fsspec knows (s3://…).

    Raises:
        UsageError: the address has a password in it, or is of a kind that is not known here.
    """
    scheme, separator, _ = address.partition("://")
    if not separator or len(scheme) < 2:  # C:\ is no scheme
        return FolderStore(paths.absolute(address))
    if scheme == "file":
        return FolderStore(Path(url2pathname(urlsplit(address).path)))
    return BucketStore(without_credentials(address))


def without_credentials(address: str) -> str:
    """Return an address as it may be kept.

    Raises:
        UsageError: there is a user or a password in it.

    >>> without_credentials("s3://team/library")
    's3://team/library'
    """
    parts = urlsplit(address)
    if "@" in parts.netloc or parts.query:
        bare = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
        raise UsageError(
            "The address {0} is kept and shown, so that no password may be in it; give it in the "
            "environment, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
            bare,
        )
    return address
