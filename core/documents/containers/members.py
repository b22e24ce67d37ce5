"""Members, the documents inside containers: their names, and the file that contains them.

The path of a member continues that of its container as if that were a folder:
`/home/a/papers.zip/2024/letter.docx`.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.documents.formats import format_of
from core.documents.metadata import shorten
from core.errors import Message
from core.files.locations import Location

LEADS_OUT = Message("Its name is a path outside its archive")
_LONGEST_PART = 200
_LONGEST_NAME = 4096
_ABSOLUTE = re.compile(r"[A-Za-z]:|/")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_SUFFIX = re.compile(r"(?:\.tar)?\.\w{1,10}$")


@dataclass(frozen=True, slots=True)
class Member:
    """A member found by the reading process, or the reason why it cannot be read.

    `inner_path` is its path below the outermost container. `hash` is that of the content, "" if
    there is a `reason`. `mtime_ns` is None if the container stores no time.
    """

    inner_path: tuple[str, ...]
    size_bytes: int = 0
    mtime_ns: int | None = None
    hash: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of a container inside a container; `reason` says why the rest was not read."""

    inner_path: tuple[str, ...]
    reason: str = ""


def inner_path_of(name: str) -> tuple[tuple[str, ...], str]:
    r"""Return the place for the `name` of a member, and the reason to refuse it or "".

    >>> inner_path_of("2024/letter.docx")
    (('2024', 'letter.docx'), '')
    >>> inner_path_of("..\\..\\etc/passwd")
    (('etc', 'passwd'), 'Its name is a path outside its archive')
    """
    reason = LEADS_OUT if _ABSOLUTE.match(name) else ""
    if len(name) > _LONGEST_NAME:
        name, reason = name[-_LONGEST_PART:], Message("Its name is too long")
    # Old Windows archives use backslashes.
    parts = name.replace("\\", "/").split("/")
    if name.startswith("\\") or ".." in parts:
        reason = reason or LEADS_OUT
    inner_path = tuple(part_of(part) for part in parts if part not in {"", ".", ".."})
    return inner_path or ("unnamed",), reason


def part_of(name: str) -> str:
    r"""Return `name` as one part of a path on any system: printable, and of limited length.

    >>> part_of("Re: a/b\n.eml")
    'Re: a-b_.eml'
    """
    part = _UNPRINTABLE.sub("_", name.replace("/", "-").replace("\\", "-"))
    if part[1:2] == ":":
        # On Windows this would name a drive.
        part = f"{part[0]}_{part[2:]}"
    if part in {"", ".", ".."}:
        return "unnamed"
    if len(part) > _LONGEST_PART:
        suffix = suffix_of(part)
        part = shorten(part.removesuffix(suffix), _LONGEST_PART - len(suffix)) + suffix
    return part


def is_part(name: str) -> bool:
    """Return whether `name` can be one part of a path on any system."""
    return (
        name not in {"", ".", ".."}
        and name[1:2] != ":"
        and not _UNPRINTABLE.search(name)
        and not {"/", "\\"}.intersection(name)
    )


def numbered(part: str, repeat: int) -> str:
    """Return a name for the `repeat`th member called `part`.

    >>> numbered("invoice.pdf", 2)
    'invoice (2).pdf'
    """
    suffix = suffix_of(part)
    return f"{part.removesuffix(suffix)} ({repeat}){suffix}"


def suffix_of(part: str) -> str:
    """Return the suffix of a name, including ".tar" of a compressed archive.

    >>> suffix_of("a.b.tar.gz"), suffix_of("Makefile")
    ('.tar.gz', '')
    """
    match = _SUFFIX.search(part)
    return match[0] if match else ""


def file_of(path: Path) -> Path:
    """Return the file on disk of the document at `path`: itself, or its outermost container.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".zip") as archive:
    ...     file_of(Path(archive.name) / "2024" / "letter.docx") == Path(archive.name)
    True
    """
    if not Location.of(path).is_local:
        return _object_of(path)
    with suppress(OSError):  # not accessible; opening it will raise the error
        for ancestor in (path, *path.parents):
            if ancestor.exists():
                return ancestor if ancestor.is_file() else path
    return path


def _object_of(path: Path) -> Path:
    """Return the stored object of a document, checking only parents with a container's suffix."""
    for ancestor in [*path.parents][::-1]:
        format_ = format_of(ancestor)
        if format_ is not None and format_.members:
            with suppress(OSError):  # missing or not accessible; opening it will raise the error
                Location.of(ancestor).stamp()
                return ancestor
    return path
