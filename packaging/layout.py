"""The file layout that all Linux packages share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import archives
import contents
import desktop
import frozen
import licences
import man_page
from frozen import PackageError, run

if TYPE_CHECKING:
    from click import Group


@dataclass(frozen=True)
class Layout:
    """Paths of the program, relative to the root of the package.

    Attributes:
        home: folder of the frozen program.
        command: link by which users, desktops and D-Bus start it.
        share: folder of data files such as desktop entries.
    """

    home: Path
    command: Path
    share: Path

    @property
    def program(self) -> Path:
        """The executable."""
        return self.home / contents.NAME


SYSTEM: Final = Layout(
    Path("opt") / contents.NAME, Path("usr/bin") / contents.NAME, Path("usr/share")
)
"""For system packages (.deb, .rpm); software from outside the distribution goes in /opt."""
ONE_FILE: Final = Layout(
    Path("usr/lib") / contents.NAME, Path("usr/bin") / contents.NAME, Path("usr/share")
)
"""For an AppImage, which is mounted in a different folder each time."""


def lay_out(
    tree: Path,
    program: frozen.FrozenProgram,
    components: Sequence[licences.Component],
    layout: Layout,
) -> None:
    """Recreate `tree` with the program and its desktop integration.

    Raises:
        PackageError: a desktop file or the AppStream metadata is invalid.
    """
    shutil.rmtree(tree, ignore_errors=True)
    date = frozen.source_date()
    shutil.copytree(program.folder, tree / layout.home, symlinks=True)
    (tree / layout.command).parent.mkdir(parents=True)
    (tree / layout.command).symlink_to(link(layout.command, layout.program))
    share = tree / layout.share
    desktop.write(share, date, Path("/") / layout.command)
    documents = share / "doc" / contents.NAME
    documents.mkdir(parents=True)
    (documents / "copyright").write_text(licences.overview(components), encoding="utf-8")
    pages = share / "man" / "man1"
    pages.mkdir(parents=True)
    page = man_page.man_page(_commands(), contents.version(), date)
    (pages / "winnow.1.gz").write_bytes(archives.gzipped(page))
    check_desktop(share)


def link(source: Path, target: Path) -> Path:
    """Return the target of a link: relative if both are in the same top-level folder.

    >>> str(link(Path("usr/bin/winnow"), Path("usr/lib/winnow/winnow")))
    '../lib/winnow/winnow'
    >>> str(link(Path("usr/bin/winnow"), Path("opt/winnow/winnow")))
    '/opt/winnow/winnow'
    """
    if source.parts[0] == target.parts[0]:
        return Path(os.path.relpath(target, source.parent))
    return Path("/") / target


def _commands() -> Group:
    from core.cli import commands

    return commands


def check_desktop(share: Path) -> None:
    """Validate the desktop entries and the AppStream metadata.

    Raises:
        PackageError: one of them is invalid.
    """
    for path in sorted((share / "applications").glob("*.desktop")):
        printed = run(["desktop-file-validate", path], quiet=True)
        if printed.strip():
            raise PackageError(printed)
    for path in (share / "metainfo").iterdir():
        run(["appstreamcli", "validate", "--no-net", path], quiet=True)


def normalize(tree: Path, date: int) -> None:
    """Set the permissions and dates of all files to reproducible values."""
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            path.chmod(archives.mode_of(path))
        os.utime(path, (date, date), follow_symlinks=False)
