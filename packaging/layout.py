"""Where the parts of the program lie in a system: what all packages for Linux share."""

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
    """Where the program lies, as paths below the root of what is packed.

    Attributes:
        home: the folder of the frozen program.
        command: the link that people, desktops and buses start it by.
        share: the folder of what desktops look for.
    """

    home: Path
    command: Path
    share: Path

    @property
    def program(self) -> Path:
        """The frozen program's file."""
        return self.home / contents.NAME


SYSTEM: Final = Layout(
    Path("opt") / contents.NAME, Path("usr/bin") / contents.NAME, Path("usr/share")
)
"""Of packages that the system installs (.deb, .rpm): what is no part of it lies in /opt."""
ONE_FILE: Final = Layout(
    Path("usr/lib") / contents.NAME, Path("usr/bin") / contents.NAME, Path("usr/share")
)
"""Of an AppImage, which is shown in another folder each time."""
SANDBOX: Final = Layout(
    Path("app/lib") / contents.NAME, Path("app/bin") / contents.NAME, Path("app/share")
)
"""Of a Flatpak, which has /app for itself."""


def lay_out(
    tree: Path,
    program: frozen.FrozenProgram,
    components: Sequence[licences.Component],
    layout: Layout,
) -> None:
    """Put the program, and what desktops want to know of it, below `tree`, which is made anew.

    Raises:
        PackageError: the desktop's own tools find fault with it.
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
    """What a link at one path says to lead to another: within one folder of the root, relatively.

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
    """Have the desktop's own tools judge what is meant for it.

    Raises:
        PackageError: they find fault with it.
    """
    for path in sorted((share / "applications").glob("*.desktop")):
        printed = run(["desktop-file-validate", path], quiet=True)
        if printed.strip():
            raise PackageError(printed)
    for path in (share / "metainfo").iterdir():
        run(["appstreamcli", "validate", "--no-net", path], quiet=True)


def normalize(tree: Path, date: int) -> None:
    """Give all files the permissions and the date that they have in any package of this commit."""
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            path.chmod(archives.mode_of(path))
        os.utime(path, (date, date), follow_symlinks=False)
