"""The reading process confined: its limits and noise, what it may open, its parent's end, walls."""

from __future__ import annotations

import mimetypes
import os
import signal
import sys
import threading
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Final

from core.documents.files import LARGEST_BYTES
from core.documents.limits import WALL_TO_PROCESSOR, Limits
from core.errors import Message

# What a reader never needs. Native code does not see this: the system's walls are what holds. It
# gives an error that says what was asked for, and is all there is where there are no walls.
_FORBIDDEN = (
    *("socket.", "urllib.", "ftplib.", "smtplib.", "webbrowser."),
    *("subprocess.Popen", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system"),
    *("os.startfile", "os.kill", "os.remove", "os.rename", "os.rmdir", "shutil."),
)
_MOST_OPEN = 256


GIVEN: Final = "given"
"""The folder in the scratch folder for copies of documents that are read by other packages."""


@dataclass(frozen=True, slots=True)
class WorkerTask:
    """What a reading process is for.

    Attributes:
        limits: What one document may take.
        scratch: The only folder in which it may write files; None for none.
        modules: That read formats of other packages, and may so be opened themselves.
    """

    limits: Limits
    scratch: Path | None = None
    modules: Sequence[str] = ()


def confine(task: WorkerTask, inherited: Collection[int], files: int | None) -> tuple[str, ...]:
    """Confine this process for good, once at its start, before it has a second thread.

    The limit on memory, beyond what the process has now, holds on Linux; macOS ignores it. There
    only the time limit and the replacing of a process that has grown stand between a document and
    the machine's memory.

    Args:
        task: what the process is for.
        inherited: the descriptors by which it speaks with its parent.
        files: the one of them by which documents are handed over.

    Returns:
        The walls that the system put up, by name.
    """
    reads = readable_folders(task.modules)
    keeps = () if task.scratch is None else (task.scratch,)
    _silence()
    _close_others(inherited)
    # Ctrl-C in a terminal goes to the whole group; the parent decides what becomes of us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    _limit_memory(task.limits.memory_bytes)
    _limit_files(largest_file_bytes(task))
    standing = restrict(reads, keeps, files)
    _follow_parent()
    sys.addaudithook(_refuse)
    return standing


def set_alarm(seconds: float) -> None:
    """Have the system kill this process after `seconds` of work, whatever it is doing; 0: never.

    The parent's clock is the one that counts. This one is for a process that hangs in a library
    that keeps Python's lock when its parent is gone: at work, or waiting. Windows has no such
    alarm.
    """
    if sys.platform != "win32":
        # The system counts the time of all threads together.
        signal.setitimer(signal.ITIMER_PROF, seconds * (os.cpu_count() or 1))
        signal.setitimer(signal.ITIMER_REAL, seconds * WALL_TO_PROCESSOR)


def memory_bytes() -> int:
    """Return the memory that this process has in use; on macOS the most that it had; else 0."""
    if sys.platform == "linux":
        # Not the peak that the system keeps: a process starts with its parent's there.
        return _bytes_in_use()[1]
    elif sys.platform == "darwin":  # noqa: RET505 - mypy checks one of three platforms at a time
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    else:
        return 0


if sys.platform == "linux":

    def _bytes_in_use() -> tuple[int, int]:
        """Return the bytes of address space and of memory in use."""
        fields = Path("/proc/self/statm").read_text(encoding="ascii").split()
        page_bytes = os.sysconf("SC_PAGE_SIZE")
        return int(fields[0]) * page_bytes, int(fields[1]) * page_bytes


def _silence() -> None:
    """Send what libraries print, also from C, nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    if null > 2:
        os.close(null)
    # A program with a window has no standard streams at all on Windows.
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115, PTH123


def _limit_memory(memory_bytes: int) -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            limit = _bytes_in_use()[0] + memory_bytes
            if hard != resource.RLIM_INFINITY:
                limit = min(limit, hard)
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _close_others(inherited: Collection[int]) -> None:
    """Close what else the process was started with, by which it could reach others."""
    if sys.platform != "win32":
        parent = parent_process()
        assert parent is not None
        kept = sorted({0, 1, 2, parent.sentinel, *inherited})
        for before, after in pairwise([*kept, 1 << 16]):
            os.closerange(before + 1, after)


def largest_file_bytes(task: WorkerTask) -> int:
    """Return the most bytes that a file may have that is written; none is where there is no room.

    A member that is unpacked, or a document that a package which is not Winnow's reads.
    """
    if task.scratch is None:
        return 0
    return max(task.limits.containers.member_bytes, LARGEST_BYTES)


def _limit_files(most_bytes: int) -> None:
    """Limit how large files grow and how many are open.

    Not how many processes there are: the system counts all threads of the person's there, so that
    another program could keep text recognition from starting its own.
    """
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_OPEN if hard == resource.RLIM_INFINITY else min(_MOST_OPEN, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))


def _follow_parent() -> None:
    """End this process when its parent ends, even in the middle of a document.

    Linux could signal a parent's end, but takes the end of the thread that started us for it.
    """
    parent = parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def wait() -> None:
        connection.wait([sentinel])
        os._exit(1)

    threading.Thread(target=wait, name="follow-parent", daemon=True).start()


def _refuse(event: str, _arguments: object) -> None:
    if event.startswith(_FORBIDDEN):
        raise PermissionError(f"a document's reader may not use {event}")


_WINNOW: Final = Path(__file__).resolve().parents[3]
# Of Winnow's own folder: not the folder itself, in which a checkout of it may hold anything.
_PARTS: Final = ("core", "app", "resources")
_LINUX: Final = (
    # shared libraries
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64"),
    *("/usr/local/lib", "/usr/local/lib64", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/ld-musl-x86_64.path", "/etc/ld-musl-aarch64.path"),
    # fonts, for documents that do not bring theirs
    *("/usr/share/fonts", "/usr/share/X11/fonts", "/usr/local/share/fonts"),
    # languages and time zones
    *("/usr/share/locale", "/usr/share/zoneinfo", "/etc/localtime", "/etc/timezone"),
    # the machine: how many processors, how much memory
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm/overcommit_memory"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/fs/cgroup"),
    "/sys/kernel/mm/transparent_hugepage",
    *("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"),
)
# What of a process's own folder there is use for: not its network, its mounts, its environment.
_OF_ITSELF: Final = ("auxv", "cgroup", "maps", "stat", "statm", "status")
_PACKAGES: Final = frozenset({"site-packages", "dist-packages", "add-ons"})
_LOADER_PATHS: Final = "LD_LIBRARY_PATH"


def readable_folders(modules: Iterable[str] = ()) -> list[Path]:
    """Return what is needed to read documents, with the packages of these modules.

    Nothing of it holds the person's home: what would is left out.
    """
    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111 - there may be none
    found = [*_of_python(), *(_WINNOW / part for part in _PARTS), *_packages(modules)]
    found += map(Path, mimetypes.knownfiles)
    if sys.platform == "linux":
        found += [Path(name) for name in _LINUX]
        found += [Path("/proc/self", name) for name in _OF_ITSELF]
        found += [Path(name) for name in os.environ.get(_LOADER_PATHS, "").split(":") if name]
    real = dict.fromkeys(path.resolve() for path in found)
    return [path for path in real if not home.is_relative_to(path)]


def _of_python() -> Iterator[Path]:
    """Yield the folders of Python's installation and of what is installed in it."""
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen is not None:
        yield Path(frozen)
        # The modules lie in the program itself; not in its folder, where a library may lie.
        yield Path(sys.executable)
        return
    yield from map(Path, (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix))
    yield Path(os.__file__).parent
    yield from (path for path in map(Path, sys.path) if path.name in _PACKAGES)


def _packages(modules: Iterable[str]) -> Iterator[Path]:
    """Yield the folders, or the single files, of the packages that modules belong to."""
    for name in {module.partition(".")[0] for module in modules}:
        try:
            spec = find_spec(name)
        except (ImportError, ValueError):
            continue
        if spec is None:
            continue
        yield from map(Path, spec.submodule_search_locations or ())
        if not spec.submodule_search_locations and spec.origin is not None:
            yield Path(spec.origin)


def available() -> tuple[str, ...]:
    """Return what confines a reading process on this system, by name.

    Nothing is applied. A container may hide what the kernel has; then it is not among them.
    """
    if sys.platform == "linux":
        from core.documents.sandbox import linux

        return linux.available()
    else:  # noqa: RET505 - mypy checks one platform at a time
        return ()


def keep_from_files(standing: Iterable[str]) -> bool:
    """Return whether the walls that were applied keep a process from opening files."""
    if sys.platform == "linux":
        from core.documents.sandbox.linux import OWN_ROOT

        return any(wall == OWN_ROOT or wall.startswith("Landlock") for wall in standing)
    else:  # noqa: RET505 - mypy checks one platform at a time
        return False


def is_confined() -> bool:
    """Return whether the system keeps readers from files and from the network."""
    if sys.platform == "linux":
        from core.documents.sandbox import linux, seccomp

        return linux.landlock_version() > 0 and seccomp.is_available()
    else:  # noqa: RET505 - mypy checks one platform at a time
        return False


def restrict(
    reads: Iterable[Path], keeps: Iterable[Path], descriptors_from: int | None
) -> tuple[str, ...]:
    """Confine this process for good, before it starts a thread; return the walls by name.

    Args:
        reads: the files and folders that it may read.
        keeps: the folders in which it may write files, too.
        descriptors_from: the socket by which open files are handed over.
    """
    if sys.platform == "linux":
        from core.documents.sandbox import linux

        return linux.restrict(reads, keeps, descriptors_from)
    else:  # noqa: RET505 - mypy checks one platform at a time
        return ()


def in_words() -> str:
    """Return what confines reading here, as a sentence."""
    walls = ", ".join(available())
    if is_confined():
        return Message("Documents are read in processes that this system confines: {0}.", walls)
    if walls:
        return Message(
            "Documents are read in processes that this system confines in part: {0} alone.", walls
        )
    return Message("Documents are read in processes that this system does not confine.")
