"""The files that a reading process may open by name: Python, libraries, fonts; no documents."""

from __future__ import annotations

import mimetypes
import os
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

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
_PACKAGES: Final = frozenset({"site-packages", "dist-packages", "add-ons"})
_LOADER_PATHS: Final = "LD_LIBRARY_PATH"


def folders(modules: Iterable[str] = ()) -> list[Path]:
    """Return what is needed to read documents, with the packages of these modules.

    Nothing of it holds the person's home: what would is left out.
    """
    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111 - there may be none
    found = [*_of_python(), *(_WINNOW / part for part in _PARTS), *_packages(modules)]
    found += map(Path, mimetypes.knownfiles)
    if sys.platform == "linux":
        found += [Path(name) for name in _LINUX]
        found += [Path("/proc/self")]
        found += [Path(name) for name in os.environ.get(_LOADER_PATHS, "").split(":") if name]
    real = dict.fromkeys(path.resolve() for path in found)
    return [path for path in real if not home.is_relative_to(path)]


def _of_python() -> Iterator[Path]:
    """Give the folders of Python's installation and of what is installed in it."""
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
    """Give the folders, or the single files, of the packages that modules belong to."""
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
