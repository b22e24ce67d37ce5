"""File stamps and mounted file systems."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.files.paths import RESOURCES

# The largest integer of SQLite.
_GREATEST: Final = 2**63 - 1
_TABLE: Final = Path("/proc/self/mounts")
_ESCAPE: Final = re.compile(r"\\([0-7]{3})")
_TYPES: Final[dict[str, str]] = json.loads((RESOURCES / "file_systems.json").read_text("utf-8"))
# File systems without change notifications, or without those for changes by other machines.
_SHARES: Final = frozenset(_TYPES["shares"].split())
# Types of file systems without users' files.
_SYSTEM: Final = frozenset(_TYPES["system"].split())
# USB sticks and cards: on some systems, a watched drive cannot be ejected.
_REMOVABLE: Final = frozenset({"vfat", "exfat", "msdos", "iso9660", "udf"})
# File systems whose files keep their inode numbers when they are mounted again.
_KEEPS_INODES: Final = frozenset(
    {"ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "jfs", "tmpfs"}
)
# Pseudo file systems are mounted here, whatever their type: in a container, /dev is an ordinary
# tmpfs.
_SYSTEM_FOLDERS: Final = tuple(map(Path, ("/proc", "/sys", "/dev")))
_SHARED_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - not written to


@dataclass(frozen=True, slots=True)
class FileStamp:
    """A file's size and modification time: a file with the same stamp is not read again.

    Sizes and times beyond SQLite's integers are clipped: a wrong clock, a mail or an archive's
    header may say the year 2500.

    `ctime_ns` and `inode` tell another file with the same size and time, as far as the file system
    keeps them; 0 if it does not. They are not compared with the rest, because a renamed or copied
    file has others.
    """

    size_bytes: int
    mtime_ns: int
    ctime_ns: int = field(default=0, compare=False)
    inode: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        for name in ("size_bytes", "mtime_ns", "ctime_ns", "inode"):
            value = getattr(self, name)
            if abs(value) > _GREATEST:
                object.__setattr__(self, name, _GREATEST if value > 0 else -_GREATEST)

    @classmethod
    def of(cls, status: os.stat_result, mount: Mount) -> FileStamp:
        """Return the stamp of a file on a file system."""
        return cls(
            status.st_size,
            status.st_mtime_ns,
            0 if mount.is_polled else status.st_ctime_ns,
            status.st_ino if mount.keeps_inodes else 0,
        )

    @property
    def identity(self) -> tuple[int, int]:
        """What distinguishes the file from others with the same size and time."""
        return self.ctime_ns, self.inode

    def may_be_another(self, other: FileStamp) -> bool:
        """Return whether two stamps of one path may be of different files or contents.

        >>> FileStamp(5, 1, ctime_ns=7).may_be_another(FileStamp(5, 1, ctime_ns=8))
        True
        >>> FileStamp(5, 1, ctime_ns=7).may_be_another(FileStamp(5, 1))
        False
        """
        pairs = zip(self.identity, other.identity, strict=True)
        return self != other or any(0 not in pair and len({*pair}) > 1 for pair in pairs)


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted file system: its mount point and type ("" if unknown)."""

    point: Path
    kind: str

    @property
    def is_polled(self) -> bool:
        """Whether changes must be polled, because notifications are missing or unreliable."""
        kind = self.kind
        return kind in _SHARES or kind in _REMOVABLE or kind.startswith("fuse.")

    @property
    def keeps_inodes(self) -> bool:
        """Whether its files are known to keep their inode numbers; shares often invent them."""
        return self.kind in _KEEPS_INODES

    @property
    def is_system(self) -> bool:
        """Whether it is a pseudo file system without users' files."""
        return self.kind in _SYSTEM


def mounted() -> tuple[Mount, ...]:
    """Return all mounted file systems on Linux; nothing on other systems."""
    if not sys.platform.startswith("linux"):
        return ()
    try:
        lines = os.fsdecode(_TABLE.read_bytes()).splitlines()
    except OSError:
        # The system hides them; `mount_of` then checks folder by folder.
        return ()
    return tuple(_mount(line) for line in lines)


def system_points() -> frozenset[str]:
    """Return the mount points of pseudo file systems."""
    if sys.platform == "win32":
        return frozenset()
    # Of two at the same path, the later one covers the other.
    kinds = {str(mount.point): mount.is_system for mount in mounted()}
    points = {point for point, is_system in kinds.items() if is_system}
    return frozenset(points | set(map(str, _SYSTEM_FOLDERS)))


def is_system(path: Path) -> bool:
    """Return whether the folder at `path`, absolute without links, is in a pseudo file system.

    Shared memory (/dev/shm) is not: people also work there.
    """
    if sys.platform == "win32":
        return False
    if any(path.is_relative_to(folder) for folder in _SYSTEM_FOLDERS):
        return not path.is_relative_to(_SHARED_MEMORY)
    return mount_of(path, mounted()).is_system


def mount_of(path: Path, mounts: tuple[Mount, ...]) -> Mount:
    """Return the file system that contains the folder at `path`, which must exist."""
    above = [mount for mount in mounts if path.is_relative_to(mount.point)]
    if above:
        # Of two at the same path, the later one covers the other.
        return max(
            enumerate(above), key=lambda numbered: (len(numbered[1].point.parts), numbered[0])
        )[1]
    folder = path
    while folder != folder.parent and not os.path.ismount(folder):
        folder = folder.parent
    return Mount(folder, "")


def _mount(line: str) -> Mount:
    r"""Return a line of the system's table.

    >>> _mount(r"//nas/docs /mnt/my\\040docs cifs rw 0 0").kind
    'cifs'
    """
    _, point, kind, *_ = line.split(" ")
    mount_point = _ESCAPE.sub(lambda match: chr(int(match[1], 8)), point)
    return Mount(Path(mount_point), kind)
