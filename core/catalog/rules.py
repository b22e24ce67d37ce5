"""What a person wants of a folder, and the rules by which its files are left out."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum


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


@dataclass(frozen=True, slots=True)
class FolderRules:
    """What a person wants of a folder, beside what is left out everywhere.

    Patterns are those of `.gitignore`, relative to the folder.

    Attributes:
        exclude: what to leave out; one that begins with "!" takes back in what other rules leave
            out.
        only: where there are any, only files that match one of them are taken.
        largest_bytes: of a file; None for 1 GB, and no limit for archives and mailboxes, of which
            only the documents in them count.
        heeds_gitignore: whether what `.gitignore` files name is left out.
    """

    exclude: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    largest_bytes: int | None = None
    heeds_gitignore: bool = True

    def to_json(self) -> str:
        """The rules as the catalog keeps them."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> FolderRules:
        """The rules that the catalog keeps.

        >>> rules = FolderRules(exclude=("drafts/",), largest_bytes=9)
        >>> FolderRules.from_json(rules.to_json()) == rules
        True
        """
        fields = json.loads(text)
        lists = {name: tuple(fields.get(name, ())) for name in ("exclude", "only")}
        return cls(**{**fields, **lists})


NO_RULES = FolderRules()
