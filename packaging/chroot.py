"""A Debian that holds next to nothing, in a folder of this machine, to try things out in."""

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
    """Give the name of this machine's Debian, and where its packages are from.

    Raises:
        PackageError: it is no Debian, or nobody offers its packages.
    """
    described = Path("/etc/os-release").read_text("utf-8")
    suite = re.search(r"^VERSION_CODENAME=(.+)$", described, re.MULTILINE)
    if suite is None:
        raise PackageError("This machine's release cannot be told: there is no chroot to make.")
    policy = run(["apt-cache", "policy"], quiet=True)
    mirror = re.search(rf"^\s*\d+ (\S+) {suite[1]}/main ", policy, re.MULTILINE)
    if mirror is None:
        raise PackageError(f"Nobody here offers the packages of {suite[1]}.")
    return suite[1], mirror[1]


def make(root: Path, suite: str, mirror: str, packages: Sequence[str] = ()) -> None:
    """Make a bare system of a release in the folder `root`, whole or not at all.

    Args:
        root: is not there yet.
        suite: the release's name.
        mirror: where its packages are from; how apt is to ask there is as on this machine.
        packages: what is in it besides apt and all that Debian itself cannot do without.

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
    """Remove a system, if it is there.

    Raises:
        PackageError: something of this machine is still shown in it, which would go with it.
    """
    if not root.exists():
        return
    shown = [line.split()[1] for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
    if left := [place for place in shown if Path(place).is_relative_to(root)]:
        raise PackageError(f"Unmount {', '.join(left)} and start again: {root} is still in use.")
    shutil.rmtree(root)


def copy_sources(root: Path) -> None:
    """Have apt in a system of this machine's own release ask where it asks here."""
    for name in ("sources.list", "sources.list.d"):
        if (_APT / name).is_file():
            shutil.copy2(_APT / name, root / "etc" / "apt" / name)
        elif (_APT / name).is_dir():
            shutil.copytree(_APT / name, root / "etc" / "apt" / name, dirs_exist_ok=True)


@contextlib.contextmanager
def system_folders(root: Path, shared: Sequence[Path] = ()) -> Iterator[None]:
    """Show inside `root` what the kernel tells of itself, and folders of this machine to read."""
    mounted = []
    try:
        for name in ("proc", "sys", "dev"):
            run(["mount", "--rbind", f"/{name}", root / name], quiet=True)
            mounted.append(root / name)
            # What is mounted or unmounted in there is so in there alone.
            run(["mount", "--make-rslave", root / name], quiet=True)
        for folder in shared:
            place = root / folder.relative_to("/")
            place.mkdir(parents=True, exist_ok=True)
            run(["mount", "--bind", "--options", "ro", folder, place], quiet=True)
            mounted.append(place)
        yield
    finally:
        for path in reversed(mounted):
            run(["umount", "--recursive", "--lazy", path], quiet=True)
