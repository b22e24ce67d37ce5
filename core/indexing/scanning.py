"""Which files a folder holds, told without opening any of them."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core import filesystems, paths
from core.catalog.documents import Failure, FileStamp
from core.catalog.folders import NO_RULES, FolderRules, Rule
from core.documents.files import unreadable
from core.errors import FolderError, Message
from core.indexing.ignore_rules import IgnoreRules, Links
from core.printable import is_text


class Changes:
    """Paths at which something came, changed, or went.

    Of a path that is a file the folder that it lies in is looked at; of one that is, or was, a
    folder all that is in it, too: what is moved there as a whole is told by its own name alone.

    >>> changes = Changes([Path("/docs/a/new.txt")])
    >>> changes.lead_to("/docs/a"), changes.lead_to("/docs/b")
    (True, False)
    >>> changes.are_in("/docs/a"), changes.are_in("/docs")
    (True, False)
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        # What a .gitignore says concerns all that is beside it.
        self.whole = frozenset(
            str(path.parent if path.name == ".gitignore" else path) for path in paths
        )
        """Paths of files, and of folders that are to be looked at with all that is in them."""
        self.listed = frozenset(map(os.path.dirname, self.whole))
        """Folders whose files are to be looked at."""
        self._above = {above for path in self.whole for above in _above(path)}

    def lead_to(self, folder: str) -> bool:
        """Return whether a folder is to be looked into, for itself or for one that lies in it."""
        return folder in self._above or self._is_in_whole(folder)

    def are_in(self, folder: str) -> bool:
        """Return whether the files of a folder are to be looked at."""
        return folder in self.listed or self._is_in_whole(folder)

    def _is_in_whole(self, path: str) -> bool:
        return path in self.whole or any(above in self.whole for above in _above(path))


def _above(path: str) -> Iterator[str]:
    """Yield all folders that a path lies in, the nearest first."""
    while (parent := os.path.dirname(path)) != path:  # noqa: PTH120 - many
        yield parent
        path = parent


@dataclass(slots=True)
class ScanResult:
    """What a scan came upon.

    `files` are those of a format that Winnow reads, by their paths as text because there are many,
    `skipped` the ones of other kinds; `left_out` counts files and folders by the rule that leaves
    them out. `links` are those that lead to what is not to be read, and all is such where the
    folder `is_system`. `closed` are folders that could not be looked into, and files of which the
    system tells nothing, so that nothing can be said of what they hold; `offline` are places at
    which a drive or a share is away.
    """

    files: dict[str, FileStamp] = field(default_factory=dict)
    skipped: list[Path] = field(default_factory=list)
    left_out: Counter[Rule] = field(default_factory=Counter)
    links: set[str] = field(default_factory=set)
    is_system: bool = False
    closed: list[Failure] = field(default_factory=list)
    offline: list[Path] = field(default_factory=list)


def root_at(folder: Path, known: Iterable[Path] = ()) -> Path:
    """Return the one path of a folder that can be scanned: absolute, its links resolved.

    Where it is one of the `known` folders, or lies in one, by another way of writing it (upper and
    lower case, composed and decomposed letters on systems where both mean the same), it is
    written as that one.

    Raises:
        FolderError: there is no such folder, it may not be read, or the system shows its own
            workings there.
    """
    path = paths.absolute(folder)
    try:
        path = path.resolve(strict=True)
        str(path).encode()
        with os.scandir(path):
            pass
        written = _written_as(path, known)
    except (OSError, RuntimeError, UnicodeEncodeError) as error:
        raise FolderError(_why_not(path, error)) from error
    if filesystems.is_system(path):
        raise FolderError(
            "In {0} the system shows its own workings, not documents; choose another folder.", path
        )
    return written


def _written_as(path: Path, known: Iterable[Path]) -> Path:
    places = {}
    for root in known:
        # A known folder may be away at the moment.
        with contextlib.suppress(OSError):
            status = root.stat()
            places[status.st_dev, status.st_ino] = root
    for above in (path, *path.parents):
        status = above.stat()
        if (status.st_dev, status.st_ino) in places:
            return places[status.st_dev, status.st_ino] / path.relative_to(above)
    return path


def _why_not(path: Path, error: Exception) -> str:
    """Return why a folder cannot be added, in a sentence."""
    if isinstance(error, FileNotFoundError):
        return Message("There is no folder {0}; check the spelling.", path)
    if isinstance(error, NotADirectoryError):
        return Message("{0} is not a folder; give the folder that it lies in.", path)
    if isinstance(error, UnicodeEncodeError):
        return Message("The folder {0} has a name that is no text; rename it.", path)
    if isinstance(error, PermissionError):
        return Message(
            "The folder {0} may not be read; change its permissions or choose another.", path
        )
    return Message("The folder {0} cannot be read ({1}); check the path and the disk.", path, error)


def scan(
    root: Path,
    on_folder: Callable[[Path, int], None],
    rules: FolderRules = NO_RULES,
    changes: Changes | None = None,
    *,
    pictures: bool = False,
    home: Path | None = None,
    folders: Mapping[Path, FolderRules] | None = None,
) -> ScanResult:
    """Walk through `root`, links to folders not followed.

    Args:
        root: an absolute path, links resolved when the folder was added.
        on_folder: called at each folder with the number of files found so far; may raise to stop.
        rules: what the person wants of the folder.
        changes: where to look; None for everywhere.
        pictures: whether files that are pictures are documents, since their text is recognised.
        home: the library's folder, in which nothing is a document of the person's.
        folders: all of the library's, with their rules; links may lead there. By default this one.

    Raises:
        UsageError: one of the rules' patterns is none.
    """
    ignore = IgnoreRules.of(root, rules, pictures=pictures)
    own = () if home is None else (home, paths.cache())
    own_real = frozenset(os.path.realpath(folder) for folder in own)
    links = Links(folders or {root: rules}, pictures=pictures, own=own_real)
    return _Scan(on_folder, changes, own_real, links).run(root, ignore)


class _Scan:
    """One walk, which collects what it comes upon."""

    def __init__(
        self,
        on_folder: Callable[[Path, int], None],
        changes: Changes | None,
        own: frozenset[str],
        links: Links,
    ) -> None:
        self._on_folder = on_folder
        self._changes = changes
        self._own = own
        self._links = links
        self._found = ScanResult()
        self._systems = filesystems.system_points()

    def run(self, root: Path, ignore: IgnoreRules) -> ScanResult:
        if filesystems.is_system(Path(os.path.realpath(root))):
            # Added by a Winnow that did not look, or mounted there since.
            self._found.left_out[Rule.SYSTEM] += 1
            self._found.is_system = True
            return self._found
        folders = [(str(root), ignore)]
        while folders:
            folder, ignore = folders.pop()
            self._on_folder(Path(folder), len(self._found.files))
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                self._found.closed.append(Failure(Path(folder), str(unreadable(error))))
                continue
            names = {entry.name for entry in entries}
            if rule := ignore.cache_rule(names, folder):
                self._found.left_out[rule] += 1
                continue
            inside = ignore.inside(folder, names)
            takes_files = self._changes is None or self._changes.are_in(folder)
            for entry in entries:
                self._take(entry, inside, folders, takes_files=takes_files)
        return self._found

    def _take(
        self,
        entry: os.DirEntry[str],
        ignore: IgnoreRules,
        folders: list[tuple[str, IgnoreRules]],
        *,
        takes_files: bool,
    ) -> None:
        found = self._found
        try:
            if _is_link(entry):
                if takes_files:
                    self._take_link(entry, ignore)
                return
            if entry.is_dir(follow_symlinks=False):
                if self._changes is not None and not self._changes.lead_to(entry.path):
                    return
                rule = ignore.folder_rule(entry.path, entry.name)
                if rule is None and entry.path in self._systems:
                    rule = Rule.SYSTEM
                elif rule is None and entry.path in self._own:
                    rule = Rule.OWN
                if rule is not None:
                    found.left_out[rule] += 1
                elif is_text(entry.name):
                    folders.append((entry.path, ignore))
                else:
                    found.closed.append(_misnamed(Path(entry.path)))
                return
            if not takes_files:
                return
            if rule := ignore.file_rule(entry.path, entry.name):
                found.left_out[rule] += 1
                return
            self._take_file(entry, ignore, entry.stat(follow_symlinks=False))
        except OSError as error:
            # A link to nowhere, or in a circle, or a file that has gone since the folder was
            # listed.
            if not isinstance(error, FileNotFoundError) and error.errno != errno.ELOOP:
                found.closed.append(Failure(Path(entry.path), str(unreadable(error))))

    def _take_link(self, entry: os.DirEntry[str], ignore: IgnoreRules) -> None:
        rule = ignore.file_rule(entry.path, entry.name)
        if rule is None:
            rule = self._links.rule_of(entry.path)
            if rule not in (None, Rule.LINK_IN):
                self._found.links.add(entry.path)
        if rule is None:
            self._take_file(entry, ignore, entry.stat())
        else:
            self._found.left_out[rule] += 1

    def _take_file(
        self, entry: os.DirEntry[str], ignore: IgnoreRules, status: os.stat_result
    ) -> None:
        found = self._found
        path = Path(entry.path)
        if rule := ignore.size_rule(path, status.st_size):
            found.left_out[rule] += 1
            if rule is Rule.UNKNOWN:
                found.skipped.append(path if is_text(entry.name) else _printable(path))
        elif is_text(entry.name):
            found.files[entry.path] = FileStamp(status.st_size, status.st_mtime_ns)
        else:
            found.closed.append(_misnamed(path))


def _is_link(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is another name for what lies elsewhere."""
    if sys.platform == "win32":
        # A folder that leads to another one; that at which a drive was mounted is none.
        tag = entry.stat(follow_symlinks=False).st_reparse_tag
        if tag == stat.IO_REPARSE_TAG_MOUNT_POINT and not os.path.ismount(entry.path):
            return True
    return entry.is_symlink()


def _printable(path: Path) -> Path:
    return Path(os.fsencode(path).decode(errors="replace"))


def _misnamed(path: Path) -> Failure:
    return Failure(_printable(path), Message("has a name that is no text; rename it"))
