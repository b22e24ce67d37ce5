"""Files whose content is in the cloud and not on this computer, told without opening any of them.

To open one would have its client fetch it. Which clients leave what is in docs/decisions/0043.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from pathlib import Path
from typing import Final

from core.errors import DocumentError, Message

IN_CLOUD: Final = Message("is in the cloud and not on this computer; it is read once it is here")

# Windows, in `st_file_attributes`: FILE_ATTRIBUTE_OFFLINE, _RECALL_ON_OPEN and
# _RECALL_ON_DATA_ACCESS. The module `stat` names the first alone.
_RECALLED: Final = stat.FILE_ATTRIBUTE_OFFLINE | 0x0004_0000 | 0x0040_0000
# macOS, in `st_flags`: SF_DATALESS.
_DATALESS: Final = 0x4000_0000
# Linux, where Nextcloud's client is built to keep placeholders under the files' own names.
_ATTRIBUTE: Final = "user.nextcloud.hydrate_exec"
_STUB: Final = re.compile(
    r"\.(?P<icloud>.+)\.icloud|(?P<name>.+)\.(?:nextcloud|owncloud)", re.DOTALL
)
_STUB_ENDINGS: Final = (".icloud", ".nextcloud", ".owncloud")
_LARGEST_STUB: Final = {"icloud": 4096, "name": 1}
"""What stands for a file under another name is a list of its properties, or a single space."""


class InCloudError(DocumentError):
    """A document cannot be read because its content is not on this computer."""

    def __init__(self) -> None:
        super().__init__(IN_CLOUD)


def is_placeholder(path: str | Path, status: os.stat_result) -> bool:
    """Return whether what lies at a path, under its own name, has its content in the cloud.

    A file that takes no room on the disk is none by that: so do sparse and very small ones.
    """
    if getattr(status, "st_file_attributes", 0) & _RECALLED:
        return True
    if getattr(status, "st_flags", 0) & _DATALESS:
        return True
    return status.st_size <= 1 and stat.S_ISREG(status.st_mode) and _is_marked(path)


def _is_marked(path: str | Path) -> bool:
    if sys.platform != "linux":
        return False
    try:
        return bool(os.getxattr(path, _ATTRIBUTE, follow_symlinks=False))
    except OSError:
        return False


def may_be_stub(name: str) -> bool:
    """Return whether a file of this name may stand for another one."""
    return name.endswith(_STUB_ENDINGS)


def name_behind(name: str, status: os.stat_result) -> str | None:
    """Return the name of the file that another one of this name stands for; None if it does not.

    >>> from types import SimpleNamespace as Status
    >>> name_behind(".tax.pdf.icloud", Status(st_mode=stat.S_IFREG, st_size=190))
    'tax.pdf'
    >>> name_behind("tax.pdf.nextcloud", Status(st_mode=stat.S_IFREG, st_size=5000)) is None
    True
    """
    match = _STUB.fullmatch(name)
    if match is None or not stat.S_ISREG(status.st_mode):
        return None
    kind = match.lastgroup or ""
    return match[kind] if status.st_size <= _LARGEST_STUB[kind] else None


def check_here(path: Path, status: os.stat_result) -> None:
    """Make sure that the content of a file is on this computer.

    Raises:
        InCloudError: it is not.
    """
    if is_placeholder(path, status):
        raise InCloudError


def check_no_stub(path: Path, error: OSError) -> None:
    """Make sure that a file that is missing is not one that another one stands for.

    Raises:
        InCloudError: it is.
    """
    if error.errno == errno.ENOENT and stub_of(path) is not None:
        raise InCloudError from error


def stub_of(path: Path) -> Path | None:
    """Return the file that stands for the one at a path, at which nothing lies; None for none.

    Whoever opens it with its client has the file fetched.
    """
    for name in (f".{path.name}.icloud", f"{path.name}.nextcloud", f"{path.name}.owncloud"):
        stub = path.with_name(name)
        try:
            if name_behind(name, stub.lstat()) is not None:
                return stub
        except OSError:
            continue
    return None
