"""Minimal Debian systems in a chroot, for tests."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from frozen import PackageError, run

_APT: Final = Path("/etc/apt")


def release() -> tuple[str, str]:
    """Return the code name of this machine's Debian release, and its mirror.

    Raises:
        PackageError: this is not Debian, or apt has no mirror for the release.
    """
    os_release = Path("/etc/os-release").read_text("utf-8")
    suite = re.search(r"^VERSION_CODENAME=(.+)$", os_release, re.MULTILINE)
    if suite is None:
        raise PackageError("Cannot create a chroot: /etc/os-release has no VERSION_CODENAME.")
    policy = run(["apt-cache", "policy"], quiet=True)
    mirror = re.search(rf"^\s*\d+ (\S+) {suite[1]}/main ", policy, re.MULTILINE)
    if mirror is None:
        raise PackageError(f"apt has no mirror for {suite[1]}.")
    return suite[1], mirror[1]


def make(root: Path, suite: str, mirror: str, packages: Sequence[str] = ()) -> None:
    """Install a minimal system in the folder `root`, completely or not at all.

    apt's configuration is copied from this machine.

    Args:
        root: a folder that does not exist yet.
        suite: code name of the release.
        mirror: URL of the package mirror.
        packages: packages to install in addition to apt and the essential ones.

    Raises:
        PackageError: debootstrap failed.
    """
    new = root.with_name(f"{root.name}.new")
    remove(new)
    new.parent.mkdir(parents=True, exist_ok=True)
    included = [f"--include={','.join(packages)}"] if packages else []
    run(["debootstrap", "--variant=minbase", *included, suite, new, mirror], quiet=True)
    shutil.copytree(_APT / "apt.conf.d", new / "etc/apt/apt.conf.d", dirs_exist_ok=True)
    new.rename(root)


def remove(root: Path) -> None:
    """Remove a system, if it exists.

    Raises:
        PackageError: folders of this machine are still mounted in it; they would be deleted too.
    """
    if not root.exists():
        return
    mounts = [line.split()[1] for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
    if inside := [mount for mount in mounts if Path(mount).is_relative_to(root)]:
        raise PackageError(f"{root} is still in use. Unmount {', '.join(inside)} and try again.")
    shutil.rmtree(root)


def copy_sources(root: Path) -> None:
    """Copy apt's sources from this machine; the system must be of the same release."""
    for name in ("sources.list", "sources.list.d"):
        if (_APT / name).is_file():
            shutil.copy2(_APT / name, root / "etc" / "apt" / name)
        elif (_APT / name).is_dir():
            shutil.copytree(_APT / name, root / "etc" / "apt" / name, dirs_exist_ok=True)


@contextlib.contextmanager
def system_folders(root: Path, shared: Sequence[Path] = ()) -> Iterator[None]:
    """Mount /proc, /sys and /dev in `root`, and the folders of `shared` read-only."""
    mounted = []
    try:
        for name in ("proc", "sys", "dev"):
            run(["mount", "--rbind", f"/{name}", root / name], quiet=True)
            mounted.append(root / name)
            # Later mounts and unmounts inside do not affect this machine.
            run(["mount", "--make-rslave", root / name], quiet=True)
        for folder in shared:
            target = root / folder.relative_to("/")
            target.mkdir(parents=True, exist_ok=True)
            run(["mount", "--bind", "--options", "ro", folder, target], quiet=True)
            mounted.append(target)
        yield
    finally:
        for path in reversed(mounted):
            run(["umount", "--recursive", "--lazy", path], quiet=True)
