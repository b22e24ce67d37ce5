"""Confining the reading process: resource limits, readable folders, and the system's sandbox."""

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

# Audit events that a reader never needs. Native code bypasses this hook; only the system's sandbox
# is safe. The hook gives a clear error, and is the only barrier on systems without a sandbox.
_FORBIDDEN = (
    *("socket.", "urllib.", "ftplib.", "smtplib.", "webbrowser."),
    *("subprocess.Popen", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system"),
    *("os.startfile", "os.kill", "os.remove", "os.rename", "os.rmdir", "shutil."),
)
_MOST_OPEN = 256


# Folder in the scratch folder for copies of documents that other packages read.
COPIES_FOLDER: Final = "given"


@dataclass(frozen=True, slots=True)
class WorkerTask:
    """Configuration of a reading process.

    Attributes:
        limits: Limits for one document.
        scratch: The only folder in which it may write files; None for none.
        modules: Modules of other packages that read formats; it may open their files.
    """

    limits: Limits
    scratch: Path | None = None
    modules: Sequence[str] = ()


def confine(task: WorkerTask, inherited: Collection[int], files: int | None) -> tuple[str, ...]:
    """Confine this process permanently, once at its start, before it has a second thread.

    The memory limit, on top of current use, holds on Linux; macOS ignores it. There only the time
    limit and the replacement of processes that have grown protect the machine's memory.

    Args:
        task: Limits and folders of the process.
        inherited: Descriptors of the pipes to the parent.
        files: The one of them that hands over documents.

    Returns:
        Names of the sandbox mechanisms that were applied.
    """
    readable = readable_folders(task.modules)
    writable = () if task.scratch is None else (task.scratch,)
    _silence()
    _close_other_descriptors(inherited)
    # Ctrl-C in a terminal goes to the whole process group; the parent decides when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    _limit_memory(task.limits.memory_bytes)
    _limit_files(largest_file_bytes(task))
    standing = restrict(readable, writable, files)
    _follow_parent()
    sys.addaudithook(_refuse)
    return standing


def set_alarm(seconds: float) -> None:
    """Let the system kill this process after `seconds` of processor time; 0 turns the alarm off.

    The parent's clock normally ends the process first. The alarm is for a process whose parent is
    gone and that hangs in a library that holds Python's lock, working or waiting. Windows has no
    such alarm.
    """
    if sys.platform != "win32":
        # The system counts the time of all threads together.
        signal.setitimer(signal.ITIMER_PROF, seconds * (os.cpu_count() or 1))
        signal.setitimer(signal.ITIMER_REAL, seconds * WALL_TO_PROCESSOR)


def memory_bytes() -> int:
    """Return the memory in use by this process; on macOS the peak; on other systems 0."""
    if sys.platform == "linux":
        # Not the peak: a process starts with that of its parent.
        return _bytes_in_use()[1]
    elif sys.platform == "darwin":  # noqa: RET505 - mypy checks one of three platforms at a time
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    else:
        return 0


if sys.platform == "linux":

    def _bytes_in_use() -> tuple[int, int]:
        """Return the address space and the memory in use, in bytes."""
        fields = Path("/proc/self/statm").read_text(encoding="ascii").split()
        page_bytes = os.sysconf("SC_PAGE_SIZE")
        return int(fields[0]) * page_bytes, int(fields[1]) * page_bytes


def _silence() -> None:
    """Discard what libraries print, also from C."""
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


def _close_other_descriptors(inherited: Collection[int]) -> None:
    """Close all other inherited descriptors, through which it could reach other processes."""
    if sys.platform != "win32":
        parent = parent_process()
        assert parent is not None
        open_descriptors = sorted({0, 1, 2, parent.sentinel, *inherited})
        for before, after in pairwise([*open_descriptors, 1 << 16]):
            os.closerange(before + 1, after)


def largest_file_bytes(task: WorkerTask) -> int:
    """Return the largest size of a file that the process may write; 0 without a scratch folder.

    It writes unpacked members, and copies of documents for readers of other packages.
    """
    return 0 if task.scratch is None else max(task.limits.containers.member_bytes, LARGEST_BYTES)


def _limit_files(most_bytes: int) -> None:
    """Limit the size of files and the number of open ones.

    The number of processes is not limited: the system counts all threads of the user, so another
    program could keep text recognition from starting threads.
    """
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_OPEN if hard == resource.RLIM_INFINITY else min(_MOST_OPEN, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))


def _follow_parent() -> None:
    """End this process when its parent ends, even while reading a document.

    Linux can signal the parent's end, but does so when the thread ends that started this process.
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
# Readable parts of Winnow's folder: the rest of a checkout may hold anything.
_PARTS: Final = ("core", "app", "resources")
_LINUX: Final = (
    # shared libraries
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64"),
    *("/usr/local/lib", "/usr/local/lib64", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/ld-musl-x86_64.path", "/etc/ld-musl-aarch64.path"),
    # fonts, for documents that do not embed them
    *("/usr/share/fonts", "/usr/share/X11/fonts", "/usr/local/share/fonts"),
    # languages and time zones
    *("/usr/share/locale", "/usr/share/zoneinfo", "/etc/localtime", "/etc/timezone"),
    # the machine: number of processors, size of memory
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm/overcommit_memory"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node"),
    "/sys/kernel/mm/transparent_hugepage",
    *("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"),
)
# Readable files in /proc/self: not the network, the mounts or the environment.
_OF_ITSELF: Final = ("auxv", "maps", "stat", "statm", "status")
_PACKAGES: Final = frozenset({"site-packages", "dist-packages", "add-ons"})
_LOADER_PATHS: Final = "LD_LIBRARY_PATH"


def readable_folders(modules: Iterable[str] = ()) -> list[Path]:
    """Return the files and folders needed to read documents, with the packages of these modules.

    Folders that contain the user's home are left out.
    """
    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111 - there may be none
    folders = [*_of_python(), *(_WINNOW / part for part in _PARTS), *_packages(modules)]
    folders += map(Path, mimetypes.knownfiles)
    if sys.platform == "linux":
        folders += [Path(name) for name in _LINUX]
        folders += [Path("/proc/self", name) for name in _OF_ITSELF]
        folders += [Path(name) for name in os.environ.get(_LOADER_PATHS, "").split(":") if name]
    real = dict.fromkeys(path.resolve() for path in folders)
    return [path for path in real if not home.is_relative_to(path)]


def _of_python() -> Iterator[Path]:
    """Yield the folders of the Python installation and of its packages."""
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen is not None:
        yield Path(frozen)
        # The modules are in the executable. Its folder is left out: a library may be in it.
        yield Path(sys.executable)
        return
    yield from map(Path, (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix))
    yield Path(os.__file__).parent
    yield from (path for path in map(Path, sys.path) if path.name in _PACKAGES)


def _packages(modules: Iterable[str]) -> Iterator[Path]:
    """Yield the folders, or the single files, of the modules' packages."""
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
    """Return the names of the sandbox mechanisms of this system, without applying them.

    Mechanisms that a container hides are not included.
    """
    if sys.platform == "linux":
        from core.documents.sandbox import linux

        return linux.available()
    else:  # noqa: RET505 - mypy checks one platform at a time
        return ()


def keep_from_files(standing: Iterable[str]) -> bool:
    """Return whether the applied mechanisms keep a process from opening files."""
    if sys.platform == "linux":
        from core.documents.sandbox.linux import OWN_ROOT

        return any(wall == OWN_ROOT or wall.startswith("Landlock") for wall in standing)
    else:  # noqa: RET505 - mypy checks one platform at a time
        return False


def is_confined() -> bool:
    """Return whether the system keeps readers from both files and the network."""
    if sys.platform == "linux":
        from core.documents.sandbox import linux, seccomp

        return linux.landlock_version() > 0 and seccomp.is_available()
    else:  # noqa: RET505 - mypy checks one platform at a time
        return False


def restrict(
    readable: Iterable[Path], writable: Iterable[Path], descriptors_from: int | None
) -> tuple[str, ...]:
    """Confine this process permanently, before it starts a thread; return the mechanisms' names.

    Args:
        readable: Files and folders that it may read.
        writable: Folders in which it may also write files.
        descriptors_from: Socket that hands over open files.
    """
    if sys.platform == "linux":
        from core.documents.sandbox import linux

        return linux.restrict(readable, writable, descriptors_from)
    else:  # noqa: RET505 - mypy checks one platform at a time
        return ()


def in_words() -> str:
    """Return a sentence about the sandbox on this system."""
    walls = ", ".join(available())
    if is_confined():
        return Message("Documents are read in sandboxed processes: {0}.", walls)
    if walls:
        return Message(
            "Documents are read in sandboxed processes, with partial protection: {0}.", walls
        )
    return Message("Documents are read without a sandbox: this system does not support one.")
