"""Where the kernel has no Landlock: a root folder of its own for a reading process.

In it is what Landlock would let the process read, mounted where it always is and read only, and the
scratch folder. Nothing else is there. This needs user namespaces, which most systems let everybody
have.
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
_READ_ONLY, _NO_SETUID, _NO_DEVICES, _NO_PROGRAMS, _REMOUNT = 1, 2, 4, 8, 32
_NO_TIMES, _NO_FOLDER_TIMES, _RELATIVE_TIMES = 1024, 2048, 1 << 21
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_DETACH: Final = 2
# The new root is made here; in this process's namespace alone it covers what was there.
_PLACE: Final = Path("/tmp")  # noqa: S108 - nothing is written to it
# What a mount has may not be taken from it in a namespace of one's own, and has to be repeated.
if sys.platform == "linux":
    _KEPT: Final = {
        os.ST_NOSUID: _NO_SETUID,
        os.ST_NODEV: _NO_DEVICES,
        os.ST_NOEXEC: _NO_PROGRAMS,
        os.ST_NOATIME: _NO_TIMES,
        os.ST_NODIRATIME: _NO_FOLDER_TIMES,
        os.ST_RELATIME: _RELATIVE_TIMES,
    }


def is_possible(reads: Iterable[Path], keeps: Iterable[Path]) -> bool:
    """Return whether `enter` succeeds, and modules are found afterwards. This has one thread.

    A child process tries it. Modules are not found where the way to them leads through links.
    """
    reads = tuple(reads)
    modules = [
        path
        for path in map(Path, [os.__file__, *sys.path])
        if path.exists() and any(path.resolve().is_relative_to(shown) for shown in reads)
    ]
    child = os.fork()
    if child == 0:
        with suppress(OSError):
            enter(reads, keeps)
            os._exit(0 if all(path.exists() for path in modules) else 1)
        os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def enter(reads: Iterable[Path], keeps: Iterable[Path]) -> None:
    """Give this process, which has one thread, a root folder that holds these alone.

    Raises:
        OSError: The system refuses; what is mounted then is not what it should be.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    links = {path: path.readlink() for path in Path("/").iterdir() if path.is_symlink()}
    _check(libc.unshare(_NEW_USERS | _NEW_MOUNTS))
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    _mount(libc, b"none", "/", None, _RECURSIVE | _PRIVATE)
    # Before the new root covers some of them.
    shown = _opened(reads)
    kept = _opened(keeps)
    _mount(libc, b"none", _PLACE, b"tmpfs", _NO_SETUID | _NO_DEVICES)
    for link, target in links.items():
        _inside(link).symlink_to(target)
    for path, descriptor in sorted((shown | kept).items()):
        _show(libc, _inside(path), descriptor, is_kept=path in kept)
        os.close(descriptor)
    with suppress(FileNotFoundError):  # nothing of it is shown
        _inside(Path("/proc/self")).symlink_to(str(os.getpid()))
    _mount(libc, b"none", _PLACE, None, _REMOUNT | _READ_ONLY | _NO_SETUID | _NO_DEVICES)
    os.chdir(_PLACE)
    _check(libc.syscall(_PIVOT_ROOT[os.uname().machine], b".", b"."))
    _check(libc.umount2(b".", _DETACH))
    os.chdir("/")


_PIVOT_ROOT: Final[Mapping[str, int]] = {"x86_64": 155, "aarch64": 41}


def _opened(paths: Iterable[Path]) -> dict[Path, int]:
    found = {}
    for path in paths:
        with suppress(OSError):  # it is not there, or not for us
            found[path] = os.open(path, os.O_PATH | os.O_CLOEXEC)
    return found


def _inside(path: Path) -> Path:
    return _PLACE / path.relative_to("/")


def _show(libc: ctypes.CDLL, target: Path, descriptor: int, *, is_kept: bool) -> None:
    """Mount what is open at its place in the new root."""
    is_there = target.exists()
    if is_there and not is_kept:
        return  # in a folder that is shown
    if not is_there:
        target.parent.mkdir(parents=True, exist_ok=True)
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        target.mkdir() if is_folder else target.touch()
    _mount(libc, b"/proc/self/fd/%d" % descriptor, target, None, _BIND | _RECURSIVE)
    if not is_kept:
        flags = os.statvfs(target).f_flag
        kept = sum(mount for flag, mount in _KEPT.items() if flags & flag)
        _mount(libc, b"none", target, None, _BIND | _REMOUNT | _READ_ONLY | kept)


def _mount(
    libc: ctypes.CDLL, source: bytes, target: Path | str, kind: bytes | None, flags: int
) -> None:
    _check(libc.mount(source, os.fsencode(target), kind, ctypes.c_ulong(flags), None))


def _check(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
