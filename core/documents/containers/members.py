"""Members, the documents inside other ones: what they are called, and in which file they lie.

A member's path is that of its container with the member's place below it, as if the container
were a folder: `/home/a/papers.zip/2024/letter.docx`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.documents.formats import format_of
from core.documents.metadata import shorten
from core.locations import Location

LEADS_OUT = "has a name that leads out of its container"
_LONGEST_PART = 200
_LONGEST_NAME = 4096
_ABSOLUTE = re.compile(r"[A-Za-z]:|/")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_SUFFIX = re.compile(r"(?:\.tar)?\.\w{1,10}$")


@dataclass(frozen=True, slots=True)
class Member:
    """A member as the reading process came upon it, or why it cannot be had.

    `place` are the names below the outermost container's path. `hash` is that of the content, ""
    where there is a `reason`. `mtime_ns` is None where the container tells no time.
    """

    place: tuple[str, ...]
    size_bytes: int = 0
    mtime_ns: int | None = None
    hash: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of a container inside a container; `reason` says why no more of it could be had."""

    place: tuple[str, ...]
    reason: str = ""


def place_of(name: str) -> tuple[tuple[str, ...], str]:
    r"""Return the place that a container's `name` for a member stands for, and what is wrong in it.

    >>> place_of("2024/letter.docx")
    (('2024', 'letter.docx'), '')
    >>> place_of("..\\..\\etc/passwd")
    (('etc', 'passwd'), 'has a name that leads out of its container')
    """
    reason = LEADS_OUT if _ABSOLUTE.match(name) else ""
    if len(name) > _LONGEST_NAME:
        name, reason = name[-_LONGEST_PART:], "has a name of several thousand characters"
    # Archives made on Windows, years ago, have its separators.
    parts = name.replace("\\", "/").split("/")
    if name.startswith("\\") or ".." in parts:
        reason = reason or LEADS_OUT
    place = tuple(part_of(part) for part in parts if part not in {"", ".", ".."})
    return place or ("unnamed",), reason


def part_of(name: str) -> str:
    r"""Return `name` as one part of a path, on any system: printable, and not too long.

    >>> part_of("Re: a/b\n.eml")
    'Re: a-b_.eml'
    """
    part = _UNPRINTABLE.sub("_", name.replace("/", "-").replace("\\", "-"))
    if part[1:2] == ":":
        # Joined to a path on Windows, it would stand for a drive.
        part = f"{part[0]}_{part[2:]}"
    if part in {"", ".", ".."}:
        return "unnamed"
    if len(part) > _LONGEST_PART:
        suffix = suffix_of(part)
        part = shorten(part.removesuffix(suffix), _LONGEST_PART - len(suffix)) + suffix
    return part


def is_part(name: str) -> bool:
    """Return whether `name` can be one part of a path, on any system."""
    return (
        name not in {"", ".", ".."}
        and name[1:2] != ":"
        and not _UNPRINTABLE.search(name)
        and not {"/", "\\"}.intersection(name)
    )


def numbered(part: str, number: int) -> str:
    """Return the name of the `number`th member that would be called `part`.

    >>> numbered("invoice.pdf", 2)
    'invoice (2).pdf'
    """
    suffix = suffix_of(part)
    return f"{part.removesuffix(suffix)} ({number}){suffix}"


def suffix_of(part: str) -> str:
    """Return the suffix of a name, both of them for a compressed archive.

    >>> suffix_of("a.b.tar.gz"), suffix_of("Makefile")
    ('.tar.gz', '')
    """
    found = _SUFFIX.search(part)
    return found[0] if found else ""


def file_of(path: Path) -> Path:
    """Return the file on the disk in which the document at `path` lies: its own, or a container.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".zip") as archive:
    ...     file_of(Path(archive.name) / "2024" / "letter.docx") == Path(archive.name)
    True
    """
    if not Location.of(path).is_local:
        return _object_of(path)
    with suppress(OSError):  # what may not be looked at: whoever opens it finds out
        for place in (path, *path.parents):
            if place.exists():
                return place if place.is_file() else path
    return path


def _object_of(path: Path) -> Path:
    """Return the object in which a document lies; asks only where a name above is a container's."""
    for place in [*path.parents][::-1]:
        format_ = format_of(place)
        if format_ is not None and format_.members:
            with suppress(OSError):  # there is none, or who opens it finds out
                Location.of(place).stamp()
                return place
    return path
