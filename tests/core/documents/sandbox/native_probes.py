"""Calls that hostile native code would try in a reading process, by libc and the kernel.

`run` is a reader: it tries everything and gives the outcomes as JSON. Run as a program it does so
without walls, each attempt in a separate process.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import platform
import resource
import signal
import stat
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from core.documents.document import Document, Page
from core.documents.files import open_file

_LIBC = ctypes.CDLL(None, use_errno=True)
_SYSCALLS = {
    "x86_64": {"io_uring_setup": 425, "openat2": 437, "pidfd_open": 434, "tgkill": 234}
    | {"clone": 56, "clone3": 435, "memfd_create": 319, "execveat": 322, "bpf": 321}
    | {"perf_event_open": 298, "userfaultfd": 323, "add_key": 248, "keyctl": 250}
    | {"open_by_handle_at": 304, "pivot_root": 155, "kexec_load": 246, "process_vm_readv": 310}
    | {"process_vm_writev": 311, "tkill": 200, "rt_sigqueueinfo": 129, "finit_module": 313}
    | {"name_to_handle_at": 303, "landlock_create_ruleset": 444, "fchmodat2": 452},
    "aarch64": {"io_uring_setup": 425, "openat2": 437, "pidfd_open": 434, "tgkill": 131}
    | {"clone": 220, "clone3": 435, "memfd_create": 279, "execveat": 281, "bpf": 280}
    | {"perf_event_open": 241, "userfaultfd": 282, "add_key": 217, "keyctl": 219}
    | {"open_by_handle_at": 265, "pivot_root": 41, "kexec_load": 104, "process_vm_readv": 270}
    | {"process_vm_writev": 271, "tkill": 130, "rt_sigqueueinfo": 138, "finit_module": 273}
    | {"name_to_handle_at": 264, "landlock_create_ruleset": 444, "fchmodat2": 452},
}[platform.machine()]
_AT_FDCWD = -100
_SECRET = "WINNOW_PROBE_SECRET"
_BUFFER = ctypes.create_string_buffer(8)

Probe = Callable[[dict[str, str], int], int]
PROBES: dict[str, Probe] = {}
"""By name; each gets the paths outside and the program's number, and returns the C result."""


def _probe(function: Probe) -> Probe:
    PROBES[function.__name__.removeprefix("_")] = function
    return function


def _call(name: str, *arguments: object) -> int:
    result: int = _LIBC.syscall(_SYSCALLS[name], *arguments)
    return result


def _add(name: str, probe: Probe) -> None:
    PROBES[name] = probe


def _path(outside: dict[str, str], name: str) -> bytes:
    return os.fsencode(outside[name])


_NAMELESS = os.O_RDWR | 0o20000000 | os.O_DIRECTORY


def _nameless_in(outside: dict[str, str]) -> bytes:
    """Return the folder to make a file in; the scratch folder, where there is one."""
    is_there = Path(outside["scratch"]).parent.is_dir()
    return os.fsencode(Path(outside["scratch"]).parent) if is_there else _path(outside, "folder")


for _family in ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"):
    _number = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}[_family]
    _add(f"socket {_family}", lambda _o, _p, n=_number: _LIBC.socket(n, 2, 0))  # type: ignore[misc]
_add("socketpair", lambda _o, _p: _LIBC.socketpair(1, 1, 0, (ctypes.c_int * 2)()))
_add("io_uring_setup", lambda _o, _p: _call("io_uring_setup", 4, (ctypes.c_char * 120)()))

_add("open to read", lambda o, _p: _LIBC.open(_path(o, "file"), os.O_RDONLY))
_add("open to write", lambda o, _p: _LIBC.open(_path(o, "file"), os.O_WRONLY))
_add("open to append", lambda o, _p: _LIBC.open(_path(o, "file"), os.O_RDWR | os.O_APPEND))
_add("open anew", lambda o, _p: _LIBC.open(_path(o, "new"), os.O_CREAT | os.O_WRONLY, 0o600))
_add("creat", lambda o, _p: _LIBC.creat(_path(o, "new"), 0o600))
_add(
    "openat2",
    lambda o, _p: _call("openat2", _AT_FDCWD, _path(o, "file"), (ctypes.c_uint64 * 3)(), 24),
)
_add("open by the root", lambda o, _p: _LIBC.open(b"/proc/self/root" + _path(o, "file"), 0))
_add("open by a link", lambda o, _p: _LIBC.open(_path(o, "link"), 0))
_add("list a folder", lambda o, _p: _LIBC.open(_path(o, "folder"), os.O_DIRECTORY))
_add("parent's environment", lambda _o, p: _LIBC.open(b"/proc/%d/environ" % p, 0))
_add("parent's memory", lambda _o, p: _LIBC.open(b"/proc/%d/mem" % p, 0))
_add("own connections", lambda _o, _p: _LIBC.open(b"/proc/self/net/tcp", 0))
_add("own mounts", lambda _o, _p: _LIBC.open(b"/proc/self/mountinfo", 0))
_add("a file without a name", lambda o, _p: _LIBC.open(_nameless_in(o), _NAMELESS, 0o600))
_add("groups of processes", lambda _o, _p: _LIBC.open(b"/sys/fs/cgroup", os.O_DIRECTORY))
_add("lock a file", lambda _o, _p: _LIBC.flock(0, 2))
_add("lock a region", lambda _o, _p: _LIBC.fcntl(0, 6, _BUFFER))
_add("lock an open file", lambda _o, _p: _LIBC.fcntl(0, 37, _BUFFER))
_add("accounts", lambda _o, _p: _LIBC.open(b"/etc/passwd", 0))
_add("terminal", lambda _o, _p: _LIBC.ioctl(0, 0x5412, _BUFFER))
_add("unlink", lambda o, _p: _LIBC.unlink(_path(o, "file")))
_add("rename", lambda o, _p: _LIBC.rename(_path(o, "file"), _path(o, "new")))
_add("link", lambda o, _p: _LIBC.link(_path(o, "file"), _path(o, "new")))
_add("symlink", lambda o, _p: _LIBC.symlink(b"x", _path(o, "new")))
_add("mkdir", lambda o, _p: _LIBC.mkdir(_path(o, "new"), 0o700))
_add("rmdir", lambda o, _p: _LIBC.rmdir(_path(o, "empty")))
_add("mkfifo", lambda o, _p: _LIBC.mkfifo(_path(o, "new"), 0o600))
_add("truncate", lambda o, _p: _LIBC.truncate(_path(o, "file"), ctypes.c_long(1)))
_add("chmod", lambda o, _p: _LIBC.chmod(_path(o, "file"), 0o600))
_add("fchmodat2", lambda o, _p: _call("fchmodat2", _AT_FDCWD, _path(o, "file"), 0o600, 0))
_add("chown", lambda o, _p: _LIBC.chown(_path(o, "file"), os.getuid(), os.getgid()))
_add("utimensat", lambda o, _p: _LIBC.utimensat(_AT_FDCWD, _path(o, "file"), None, 0))
_add("setxattr", lambda o, _p: _LIBC.setxattr(_path(o, "file"), b"user.x", b"1", 1, 0))
_add("name_to_handle_at", lambda o, _p: _handle(_path(o, "file")))
_add("inotify", lambda _o, _p: _LIBC.inotify_init1(0))

_add("kill", lambda _o, p: _LIBC.kill(p, 0))
_add("kill everybody", lambda _o, p: _LIBC.kill(-1, 0))
_add("tkill", lambda _o, p: _call("tkill", p, 0))
_add("tgkill", lambda _o, p: _call("tgkill", p, p, 0))
_add("pidfd_open", lambda _o, p: _call("pidfd_open", p, 0))
_add("prlimit", lambda _o, p: _LIBC.prlimit(p, 7, (ctypes.c_uint64 * 2)(64, 64), None))
_add("own limits", lambda _o, _p: _LIBC.setrlimit(4, (ctypes.c_uint64 * 2)(0, 0)))
_add("process_vm_readv", lambda _o, p: _memory("process_vm_readv", p))
_add("ptrace", lambda _o, _p: _LIBC.ptrace(0, 0, None, None))
_add("setpriority", lambda _o, p: _LIBC.setpriority(0, p, 0))
_add("dumpable", lambda _o, _p: _LIBC.prctl(4, 1, 0, 0, 0))
_add("setuid", lambda _o, _p: _LIBC.setuid(os.getuid()))
_add("personality", lambda _o, _p: _LIBC.personality(0))
_add("shmget", lambda _o, _p: _LIBC.shmget(0, 4096, 0o1600))
_add("msgget", lambda _o, _p: _LIBC.msgget(0, 0o1600))
_add("memfd_create", lambda _o, _p: _call("memfd_create", b"x", 0))
_add("own descriptor's owner", lambda _o, p: _LIBC.fcntl(0, 8, p))

# Only some people may do these in any case.
PRIVILEGED = frozenset(
    {"unshare", "chroot", "mount", "bpf", "perf_event_open", "userfaultfd", "add_key"}
    | {"process_vm_readv", "parent's memory", "io_uring_setup", "open_by_handle_at", "setns"}
    | {"own descriptor's owner", "personality", "kexec_load", "finit_module", "terminal"}
    | {"setxattr", "fchmodat2", "accounts", "execveat", "socket AF_INET6", "kill everybody"}
    | {"setpriority"}
)
_add("unshare", lambda _o, _p: _LIBC.unshare(0x10000000))
_add("setns", lambda _o, _p: _LIBC.setns(0, 0))
_add("chroot", lambda _o, _p: _LIBC.chroot(b"/"))
_add("mount", lambda o, _p: _LIBC.mount(b"x", _path(o, "empty"), b"tmpfs", 0, None))
_add("bpf", lambda _o, _p: _call("bpf", 0, (ctypes.c_char * 128)(), 128))
_add("perf_event_open", lambda _o, _p: _call("perf_event_open", _BUFFER, 0, -1, -1, 0))
_add("userfaultfd", lambda _o, _p: _call("userfaultfd", 1))
_add("add_key", lambda _o, _p: _call("add_key", b"user", b"x", b"y", 1, -2))
_add("open_by_handle_at", lambda _o, _p: _call("open_by_handle_at", 0, _BUFFER, 0))
_add("kexec_load", lambda _o, _p: _call("kexec_load", 0, 0, None, 0))
_add("finit_module", lambda _o, _p: _call("finit_module", 0, b"", 0))
_add("execveat", lambda _o, _p: _call("execveat", 0, b"", None, None, 0x1000))


@_probe
def _fork(_outside: dict[str, str], _parent: int) -> int:
    found: int = _LIBC.fork()
    if found == 0:
        os._exit(0)
    return found


@_probe
def _clone(_outside: dict[str, str], _parent: int) -> int:
    found = _call("clone", int(signal.SIGCHLD), None, None, None, None)
    if found == 0:
        os._exit(0)
    return found


@_probe
def _clone3(_outside: dict[str, str], _parent: int) -> int:
    arguments = (ctypes.c_uint64 * 8)(0, 0, 0, 0, int(signal.SIGCHLD))
    found = _call("clone3", arguments, ctypes.sizeof(arguments))
    if found == 0:
        os._exit(0)
    return found


@_probe
def _posix_spawn(_outside: dict[str, str], _parent: int) -> int:
    arguments = (ctypes.c_char_p * 2)(b"true", None)
    code: int = _LIBC.posix_spawnp(_BUFFER, b"true", None, None, arguments, None)
    ctypes.set_errno(code)
    return -1 if code else 0


@_probe
def _execve(_outside: dict[str, str], _parent: int) -> int:
    # If it succeeds no process is left to report it; the file "x" is checked later instead.
    arguments = (ctypes.c_char_p * 2)(b"x", None)
    result: int = _LIBC.execve(b"/no/such/program", arguments, None)
    return 0 if ctypes.get_errno() == errno.ENOENT else result


@_probe
def _a_large_file(outside: dict[str, str], _parent: int) -> int:
    path = outside["scratch"]
    descriptor: int = _LIBC.open(os.fsencode(path), os.O_CREAT | os.O_RDWR, 0o600)
    if descriptor < 0:
        return descriptor
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    result: int = _LIBC.ftruncate(descriptor, ctypes.c_long(64 << 30))
    os.close(descriptor)
    return result


@_probe
def _own_environment(_outside: dict[str, str], _parent: int) -> int:
    data = Path("/proc/self/environ").read_bytes()
    ctypes.set_errno(errno.EPERM)
    return 0 if _SECRET.encode() in data or _SECRET in os.environ else -1


def _handle(path: bytes) -> int:
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0) + bytes(128))
    return _call("name_to_handle_at", _AT_FDCWD, path, handle, (ctypes.c_int * 1)(), 0)


def _memory(name: str, pid: int) -> int:
    here = ctypes.create_string_buffer(8)
    # The program's address is unknown: an unmapped address gives EFAULT, where permitted.
    one = (ctypes.c_uint64 * 2)(ctypes.addressof(here), 8)
    found = _call(name, pid, one, 1, (ctypes.c_uint64 * 2)(8, 8), 1, 0)
    return 0 if found < 0 and ctypes.get_errno() == errno.EFAULT else found


def _outcome(name: str, outside: dict[str, str], parent: int) -> str:
    ctypes.set_errno(0)
    try:
        result = PROBES[name](outside, parent)
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "done" if result >= 0 else errno.errorcode.get(ctypes.get_errno(), "?")


def run(path: Path) -> Document:
    """Try everything; the outcomes are the document's text."""
    with open_file(path) as file:
        settings = json.loads(file.read())
    found = {name: _outcome(name, settings["outside"], settings["parent"]) for name in PROBES}
    return Document("", (Page(1, json.dumps(found)),))


def flood(path: Path) -> Document:
    """Write many files into the scratch folder, and perhaps never answer."""
    with open_file(path) as file:
        settings = json.loads(file.read())
    target = Path(settings["outside"]["scratch"])
    for number in range(3000):
        target.with_name(f"{number}.txt").touch()
    while settings.get("is_endless"):
        pass
    return Document("", (Page(1, "flooded"),))


def keep(path: Path) -> Document:
    """Write a file into the scratch folder, and read it."""
    with open_file(path) as file:
        target = Path(json.loads(file.read())["outside"]["scratch"])
    target.write_text("kept", encoding="utf-8")
    return Document("", (Page(1, target.read_text(encoding="utf-8")),))


def held(_path: Path) -> Document:
    """Return the kind of each open descriptor; only the process itself may query it."""
    kinds = []
    for descriptor in range(resource.getrlimit(resource.RLIMIT_NOFILE)[0]):
        with contextlib.suppress(OSError):  # it is not open
            kinds.append(_kind(os.fstat(descriptor)))
    return Document("", (Page(1, json.dumps(kinds)),))


def _kind(status: os.stat_result) -> str:
    if stat.S_ISCHR(status.st_mode) and status.st_rdev == os.makedev(1, 3):
        return "/dev/null"
    tests = {"pipe": stat.S_ISFIFO, "socket": stat.S_ISSOCK, "file": stat.S_ISREG}
    return next((kind for kind, is_one in tests.items() if is_one(status.st_mode)), str(status))


def make_outside(folder: Path) -> dict[str, str]:
    """Create the targets of the probes, and return their paths."""
    folder.mkdir()
    (folder / "file").write_text("secret", encoding="utf-8")
    (folder / "folder").mkdir()
    (folder / "empty").mkdir()
    (folder / "link").symlink_to(folder / "file")
    names = ("file", "folder", "empty", "link", "new", "scratch")
    return {name: str(folder / name) for name in names}


def _free(name: str, folder: Path) -> str:
    """Return the outcome of one probe in a separate process, without a sandbox."""
    outside = make_outside(folder)
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(sending, _outcome(name, outside, os.getppid()).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(sending)
    with os.fdopen(receiving, "rb") as outcome:
        return outcome.read().decode()


if __name__ == "__main__":
    base = Path(sys.argv[1])
    free = sorted(PROBES.keys() - PRIVILEGED)
    found = {name: _free(name, base / str(at)) for at, name in enumerate(free)}
    sys.stdout.write(json.dumps(found))
