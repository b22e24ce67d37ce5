"""Why files and folders are left out, and the names of those that no person looks for."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import Final


class Rule(StrEnum):
    """Why a file is left out, or a folder with all that is in it; the value says it in words."""

    HIDDEN = "hidden"
    WORKINGS = "other programs' workings"
    UNFINISHED = "unfinished or temporary"
    PROGRAM = "programs and parts of them"
    DISK_IMAGE = "images of disks and machines"
    CACHE = "caches that say so (CACHEDIR.TAG)"
    SYSTEM = "the system's own file systems"
    LINK_OUT = "links that lead out of your folders"
    LINK_IN = "links to what lies in your folders itself"
    OWN = "Winnow's own"
    GITIGNORE = "named in a .gitignore"
    EXCLUDED = "excluded by your patterns"
    NOT_WANTED = "not among your patterns"
    TOO_LARGE = "too large"
    UNKNOWN = "of kinds that Winnow does not read"


# Patterns of names; one that ends in "/" is of folders alone.
LEFT_OUT: Final = {
    Rule.UNFINISHED: "~$* *~ *.tmp *.part *.crdownload *.swp",
    Rule.HIDDEN: ".*",
    Rule.WORKINGS: (
        "node_modules/ bower_components/ __pycache__/ site-packages/ *.egg-info/ __MACOSX/"
        " lost+found/ $RECYCLE.BIN/ *.photoslibrary/ *.lrdata/ *.xcodeproj/"
    ),
    Rule.PROGRAM: (
        "*.app/ *.framework/ *.exe *.dll *.msi *.so *.so.* *.dylib *.o *.obj *.a *.lib *.class"
        " *.pyc *.pyo *.pyd *.wasm *.whl *.jar *.apk *.deb *.rpm"
    ),
    Rule.DISK_IMAGE: (
        "*.vmwarevm/ *.pvm/ *.utm/ *.sparsebundle/ *.backupdb/ *.iso *.img *.dmg *.vdi *.vmdk"
        " *.vmem *.vhdx *.qcow *.qcow2 *.sparseimage *.ova"
    ),
}
_SPACED: Final = {Rule.WORKINGS: ("System Volume Information/",)}


def is_left_out(place: Sequence[str]) -> bool:
    """Return whether a file is left out by its name, the last one, or by a folder's name.

    >>> is_left_out([".git", "a.txt"]), is_left_out(["~$letter.docx"]), is_left_out(["letter.docx"])
    (True, True, False)
    """
    *folders, name = place
    return rule_of(name) is not None or any(rule_of(f"{folder}/") for folder in folders)


def rule_of(name: str) -> Rule | None:
    """The rule that leaves out a file, or a folder where `name` ends in "/"; None if none does.

    >>> rule_of("disk.VMDK").name, rule_of("node_modules"), rule_of("Chess.app/").name
    ('DISK_IMAGE', None, 'PROGRAM')
    """
    is_folder = name.endswith("/")
    match = _patterns(is_folder).match(name.removesuffix("/").lower())
    return Rule[match.lastgroup] if match and match.lastgroup else None


@cache
def _patterns(is_folder: bool) -> re.Pattern[str]:
    """Return all patterns of files, or of folders, as one, with a group for each rule."""
    groups = []
    for rule, names in LEFT_OUT.items():
        globs = [
            name.removesuffix("/").lower()
            for name in (*names.split(), *_SPACED.get(rule, ()))
            if is_folder or not name.endswith("/")
        ]
        if globs:
            either = "|".join(fnmatch.translate(glob) for glob in globs)
            groups.append(f"(?P<{rule.name}>{either})")
    return re.compile("|".join(groups))
