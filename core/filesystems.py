"""File stamps and mounted file systems."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# The largest integer of SQLite.
_GREATEST: Final = 2**63 - 1
_TABLE: Final = Path("/proc/self/mounts")
_ESCAPE: Final = re.compile(r"\\([0-7]{3})")
# File systems without change notifications, or without those for changes by other machines.
_SHARES: Final = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "afs",
        "ceph",
        "glusterfs",
        "lustre",
        "vboxsf",
        "prl_fs",
        "davfs",
        "afpfs",
        "webdav",
    }
)
# USB sticks and cards: on some systems, a watched drive cannot be ejected.
_REMOVABLE: Final = frozenset({"vfat", "exfat", "msdos", "iso9660", "udf"})
# Pseudo file systems are mounted here, whatever their type: in a container, /dev is an ordinary
# tmpfs.
_SYSTEM_PLACES: Final = tuple(map(Path, ("/proc", "/sys", "/dev")))
_SHARED_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - not written to
# Types of file systems without users' files.
_SYSTEM: Final = frozenset(
    {
        "binfmt_misc",
        "bpf",
        "cgroup",
        "cgroup2",
        "configfs",
        "debugfs",
        "devpts",
        "devtmpfs",
        "efivarfs",
        "fusectl",
        "hugetlbfs",
        "mqueue",
        "nsfs",
        "proc",
        "pstore",
        "rpc_pipefs",
        "securityfs",
        "selinuxfs",
        "sysfs",
        "tracefs",
    }
)


@dataclass(frozen=True, slots=True)
class FileStamp:
    """A file's size and modification time: a file with the same stamp is not read again.

    Sizes and times beyond SQLite's integers are clipped: a wrong clock, a mail or an archive's
    header may say the year 2500.
    """

    size_bytes: int
    mtime_ns: int

    def __post_init__(self) -> None:
        for name, value in (("size_bytes", self.size_bytes), ("mtime_ns", self.mtime_ns)):
            if abs(value) > _GREATEST:
                object.__setattr__(self, name, _GREATEST if value > 0 else -_GREATEST)


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
    return frozenset(points | set(map(str, _SYSTEM_PLACES)))


def is_system(path: Path) -> bool:
    """Return whether the folder at `path`, absolute without links, is in a pseudo file system.

    Shared memory (/dev/shm) is not: people also work there.
    """
    if sys.platform == "win32":
        return False
    if any(path.is_relative_to(place) for place in _SYSTEM_PLACES):
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
    place = _ESCAPE.sub(lambda match: chr(int(match[1], 8)), point)
    return Mount(Path(place), kind)
