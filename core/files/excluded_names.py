"""Reasons for excluding files and folders, and names that are excluded by default."""

import fnmatch
import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import Final


class Rule(StrEnum):
    """Why a file or folder is excluded; the value is a description."""

    HIDDEN = "hidden files"
    WORKINGS = "other programs' internal files"
    UNFINISHED = "temporary files"
    PROGRAM = "programs and libraries"
    DISK_IMAGE = "disk images and virtual machines"
    CACHE = "caches (CACHEDIR.TAG)"
    SYSTEM = "system file systems"
    LINK_OUT = "links out of your folders"
    LINK_IN = "links inside your folders"
    OWN = "Winnow's own files"
    GITIGNORE = "ignored by .gitignore"
    EXCLUDED = "excluded by your patterns"
    NOT_WANTED = "not included by your patterns"
    TOO_LARGE = "too large"
    UNKNOWN = "unsupported file types"


# Patterns of names; those that end in "/" match only folders.
EXCLUDED: Final = {
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


def is_excluded(parts: Sequence[str]) -> bool:
    """Return whether a file is excluded by its name, the last one, or by a folder's name.

    >>> is_excluded([".git", "a.txt"]), is_excluded(["~$letter.docx"]), is_excluded(["letter.docx"])
    (True, True, False)
    """
    *folders, name = parts
    return rule_of(name) is not None or any(rule_of(f"{folder}/") for folder in folders)


def rule_of(name: str) -> Rule | None:
    """Return the rule that excludes a file, or a folder if `name` ends in "/", or None.

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
    for rule, names in EXCLUDED.items():
        globs = [
            name.removesuffix("/").lower()
            for name in (*names.split(), *_SPACED.get(rule, ()))
            if is_folder or not name.endswith("/")
        ]
        if globs:
            either = "|".join(fnmatch.translate(glob) for glob in globs)
            groups.append(f"(?P<{rule.name}>{either})")
    return re.compile("|".join(groups))
