"""The sandbox on Linux: Landlock or a private root, no capabilities, and a system-call filter."""

import ctypes
import os
import stat
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.documents.sandbox import seccomp

# Mechanism that keeps a process from files on kernels without Landlock.
OWN_ROOT: Final = "separate root folder"
_NO_NEW_PRIVILEGES: Final = 38
_DUMPABLE: Final = 4
_CAPABILITIES_VERSION: Final = 0x20080522
# CAP_DAC_READ_SEARCH: root may run a Python whose files only another user can read.
_READ_ANYTHING: Final = 1 << 2


class _CapabilitiesHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Capabilities(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


def available() -> tuple[str, ...]:
    """Return the mechanisms of this system."""
    version = landlock_version()
    walls = [f"Landlock {version}"] if version else []
    return (*walls, "seccomp") if seccomp.is_available() else tuple(walls)


def restrict(
    readable: Iterable[Path], writable: Iterable[Path], descriptors_from: int | None
) -> tuple[str, ...]:
    """Apply all mechanisms of the system to this process; return those in effect.

    The process must have only one thread.

    Args:
        readable: Files and folders that may be opened for reading.
        writable: Folders in which files may also be written.
        descriptors_from: Socket that hands over open files.
    """
    readable, writable = tuple(readable), tuple(writable)
    libc = ctypes.CDLL(None, use_errno=True)
    is_alone = len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208
    walls = []
    # Must come before the process is made non-dumpable.
    if not landlock_version() and is_alone and can_enter_root(readable, writable):
        enter_root(readable, writable)
        walls.append(OWN_ROOT)
    # The size limit for core dumps does not apply if the system pipes them to a program.
    libc.prctl(_DUMPABLE, 0, 0, 0, 0)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return tuple(walls)
    _drop_capabilities(libc)
    # Landlock applies to the calling thread, and to those that it starts later.
    if landlock_version() and is_alone:
        # If the system refuses now what the probe found, it is missing in the result and logged.
        with suppress(OSError):
            walls.append(f"Landlock {_restrict_files(readable, writable)}")
    if seccomp.is_available():
        with suppress(OSError):
            seccomp.restrict(descriptors_from=descriptors_from, writes=bool(writable))
            walls.append("seccomp")
    return tuple(walls)


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    """Drop the capabilities of root."""
    which = seccomp.machine()
    if which is None:
        return
    header = _CapabilitiesHeader(_CAPABILITIES_VERSION, 0)
    both = (_Capabilities * 2)()
    if libc.syscall(_CAPGET[which], ctypes.byref(header), both) != 0:
        return
    retained = both[0].permitted & _READ_ANYTHING
    both[0] = _Capabilities(retained, retained, 0)
    both[1] = _Capabilities(0, 0, 0)
    libc.syscall(seccomp.CAPSET[which], ctypes.byref(header), both)


_CAPGET: Final = seccomp.HARMLESS["capget"]


# Numbers of Landlock's system calls; the C library has no functions for them.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_FILE, _MAKE_REG, _TRUNCATE = 1 << 5, 1 << 8, 1 << 14
_ON_FILES: Final = 1 << 0 | _WRITE_FILE | _READ_FILE | _TRUNCATE | 1 << 15
_READS: Final = _READ_FILE | _READ_DIR
_KEEPS: Final = _READS | _WRITE_FILE | _REMOVE_FILE | _MAKE_REG | _TRUNCATE
# Number of file rights that each version of Landlock handles. Moving between folders, truncating
# and ioctl came later, as did the network, and signals and sockets to processes outside.
_FILE_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NETWORK_SINCE, _NETWORK = 4, 0b11
_SCOPE_SINCE, _SCOPE = 6, 0b11
_RULE_PATH_BENEATH: Final = 1
_VERSION: Final = 1


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scope", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def landlock_version() -> int:
    """Return the enabled version of Landlock; 0 for none."""
    version: int = _libc().syscall(_CREATE_RULESET, None, 0, _VERSION)
    return max(version, 0)


def _restrict_files(readable: Iterable[Path], writable: Iterable[Path] = ()) -> int:
    """Restrict file access to reading below `readable`, and also writing below `writable`.

    This applies to the calling thread and those that it starts. Open descriptors are not affected.
    Missing paths are ignored.

    Returns:
        The version of Landlock.

    Raises:
        OSError: The system refuses, or has no Landlock.
    """
    version = landlock_version()
    rights = (1 << _FILE_RIGHTS[min(max(version, 1), max(_FILE_RIGHTS))]) - 1
    ruleset = _Ruleset(
        rights,
        _NETWORK if version >= _NETWORK_SINCE else 0,
        _SCOPE if version >= _SCOPE_SINCE else 0,
    )
    rules = _checked(
        _libc().syscall(_CREATE_RULESET, ctypes.byref(ruleset), ctypes.sizeof(ruleset), 0)
    )
    try:
        for path in readable:
            _allow(rules, path, _READS & rights)
        for path in writable:
            _allow(rules, path, _KEEPS & rights)
        _checked(_libc().syscall(_RESTRICT_SELF, rules, 0))
    finally:
        os.close(rules)
    return version


def _allow(rules: int, path: Path, rights: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # missing, or no permission
        return
    try:
        if not stat.S_ISDIR(os.fstat(folder).st_mode):
            rights &= _ON_FILES
        beneath = _PathBeneath(rights, folder)
        _checked(_libc().syscall(_ADD_RULE, rules, _RULE_PATH_BENEATH, ctypes.byref(beneath), 0))
    finally:
        os.close(folder)


# A private root folder, for kernels without Landlock. It contains the paths that Landlock would let
# the process read, mounted read-only at their usual places, and the scratch folder. This needs
# unprivileged user namespaces, which most systems allow.
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


def can_enter_root(readable: Iterable[Path], writable: Iterable[Path]) -> bool:
    """Return whether `enter_root` succeeds and Python's modules can still be found after it.

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
            enter_root(readable, writable)
            os._exit(0 if all(path.exists() for path in modules) else 1)
        os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def enter_root(readable: Iterable[Path], writable: Iterable[Path]) -> None:
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
    _checked(libc.unshare(_NEW_USERS | _NEW_MOUNTS))
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
    _checked(libc.syscall(_PIVOT_ROOT[os.uname().machine], b".", b"."))
    _checked(libc.umount2(b".", _DETACH))
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
    _checked(libc.mount(source, os.fsencode(target), kind, ctypes.c_ulong(flags), None))


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
