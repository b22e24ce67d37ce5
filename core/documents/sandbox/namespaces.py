"""A private root folder for a reading process, for kernels without Landlock.

It contains the paths that Landlock would let the process read, mounted read-only at their usual
places, and the scratch folder. This needs unprivileged user namespaces, which most systems allow.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

_NEW_MOUNTS, _NEW_USERS = 0x00020000, 0x10000000
_READ_ONLY, _NO_SETUID, _NO_DEVICES, _NO_EXEC, _REMOUNT = 1, 2, 4, 8, 32
_NO_ATIME, _NO_DIR_ATIME, _RELATIVE_ATIME = 1024, 2048, 1 << 21
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_DETACH: Final = 2
# Mount point of the new root. It hides the real folder in this process's namespace only.
_NEW_ROOT: Final = Path("/tmp")  # noqa: S108 - only a mount point
# Flags of the original mount. In a user namespace a remount must repeat them.
if sys.platform == "linux":
    _INHERITED_FLAGS: Final = {
        os.ST_NOSUID: _NO_SETUID,
        os.ST_NODEV: _NO_DEVICES,
        os.ST_NOEXEC: _NO_EXEC,
        os.ST_NOATIME: _NO_ATIME,
        os.ST_NODIRATIME: _NO_DIR_ATIME,
        os.ST_RELATIME: _RELATIVE_ATIME,
    }


def is_possible(readable: Iterable[Path], writable: Iterable[Path]) -> bool:
    """Return whether `enter` succeeds and Python's modules can still be found after it.

    Forks a child process that tries it, so the calling process must have only one thread. Modules
    that are reached through links cannot be found.
    """
    readable = tuple(readable)
    modules = [
        path
        for path in map(Path, [os.__file__, *sys.path])
        if path.exists() and any(path.resolve().is_relative_to(folder) for folder in readable)
    ]
    child = os.fork()
    if child == 0:
        with suppress(OSError):
            enter(readable, writable)
            os._exit(0 if all(path.exists() for path in modules) else 1)
        os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def enter(readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Move this process to a new root folder that contains only the given paths.

    The process must have only one thread.

    Args:
        readable: files and folders to mount read-only.
        writable: files and folders to mount writable.

    Raises:
        OSError: The system refused a step; the mounts are then incomplete.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    links = {path: path.readlink() for path in Path("/").iterdir() if path.is_symlink()}
    _check(libc.unshare(_NEW_USERS | _NEW_MOUNTS))
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    _mount(libc, b"none", "/", None, _RECURSIVE | _PRIVATE)
    # Open the paths before the new root hides some of them.
    read_only = _open(readable)
    read_write = _open(writable)
    _mount(libc, b"none", _NEW_ROOT, b"tmpfs", _NO_SETUID | _NO_DEVICES)
    for link, target in links.items():
        _in_new_root(link).symlink_to(target)
    for path, descriptor in sorted((read_only | read_write).items()):
        _bind(libc, _in_new_root(path), descriptor, is_writable=path in read_write)
        os.close(descriptor)
    with suppress(FileNotFoundError):  # /proc is not among the paths
        _in_new_root(Path("/proc/self")).symlink_to(str(os.getpid()))
    _mount(libc, b"none", _NEW_ROOT, None, _REMOUNT | _READ_ONLY | _NO_SETUID | _NO_DEVICES)
    os.chdir(_NEW_ROOT)
    _check(libc.syscall(_PIVOT_ROOT[os.uname().machine], b".", b"."))
    _check(libc.umount2(b".", _DETACH))
    os.chdir("/")


_PIVOT_ROOT: Final[Mapping[str, int]] = {"x86_64": 155, "aarch64": 41}


def _open(paths: Iterable[Path]) -> dict[Path, int]:
    descriptors = {}
    for path in paths:
        with suppress(OSError):  # missing, or no permission
            descriptors[path] = os.open(path, os.O_PATH | os.O_CLOEXEC)
    return descriptors


def _in_new_root(path: Path) -> Path:
    return _NEW_ROOT / path.relative_to("/")


def _bind(libc: ctypes.CDLL, target: Path, descriptor: int, *, is_writable: bool) -> None:
    """Bind-mount an open file or folder at its place in the new root."""
    exists = target.exists()
    if exists and not is_writable:
        return  # its parent folder is already mounted
    if not exists:
        target.parent.mkdir(parents=True, exist_ok=True)
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        target.mkdir() if is_folder else target.touch()
    _mount(libc, b"/proc/self/fd/%d" % descriptor, target, None, _BIND | _RECURSIVE)
    if not is_writable:
        flags = os.statvfs(target).f_flag
        inherited = sum(mount for flag, mount in _INHERITED_FLAGS.items() if flags & flag)
        _mount(libc, b"none", target, None, _BIND | _REMOUNT | _READ_ONLY | inherited)


def _mount(
    libc: ctypes.CDLL, source: bytes, target: Path | str, kind: bytes | None, flags: int
) -> None:
    _check(libc.mount(source, os.fsencode(target), kind, ctypes.c_ulong(flags), None))


def _check(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
