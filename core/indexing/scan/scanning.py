"""Listing the files of a folder, on a disk or in a bucket, without opening them."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.catalog.documents import Failure
from core.catalog.files.folders import NO_RULES, FolderRules
from core.documents import files
from core.documents.files import HANDS_OVER, unreadable
from core.errors import BucketAwayError, FolderError, Message, UsageError
from core.files import filesystems, object_storage, own_files, paths
from core.files.excluded_names import Rule
from core.files.filesystems import FileStamp, Mount
from core.files.locations import Location
from core.indexing.scan.ignore_rules import CACHE_TAG, IgnoreRules, Links
from core.printable import is_text


class Changes:
    """Paths at which something was created, changed, or removed.

    For a path of a file, its folder is scanned; for a path of a current or former folder, also all
    its subfolders: moving a folder notifies its own path only.

    >>> changes = Changes([Path("/docs/a/new.txt")])
    >>> changes.lead_to("/docs/a"), changes.lead_to("/docs/b")
    (True, False)
    >>> changes.are_in("/docs/a"), changes.are_in("/docs")
    (True, False)
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        # A .gitignore affects its whole folder.
        # Paths of files, and of folders to scan with all their subfolders.
        self.whole = frozenset(
            str(path.parent if path.name == ".gitignore" else path) for path in paths
        )
        # Folders to scan without their subfolders.
        self.listed = frozenset(map(os.path.dirname, self.whole))
        self._above = {above for path in self.whole for above in _above(path)}

    def lead_to(self, folder: str) -> bool:
        """Return whether a folder, or one of its subfolders, must be scanned."""
        return folder in self._above or self.cover(folder)

    def are_in(self, folder: str) -> bool:
        """Return whether the files of a folder must be scanned."""
        return folder in self.listed or self.cover(folder)

    def concern(self, path: str) -> bool:
        """Return whether a scan of these places looks at a file or folder."""
        return self.lead_to(path) or self.are_in(os.path.dirname(path))  # noqa: PTH120 - as text

    def cover(self, folder: str) -> bool:
        """Return whether a scan of these places looks at everything in a folder.

        >>> Changes([Path("/docs")]).cover("/docs/a"), Changes([Path("/docs/a")]).cover("/docs")
        (True, False)
        """
        return folder in self.whole or any(above in self.whole for above in _above(folder))


def _above(path: str) -> Iterator[str]:
    """Yield all parents of a path, the nearest first."""
    while (parent := os.path.dirname(path)) != path:  # noqa: PTH120 - many
        yield parent
        path = parent


# Called with the path of a file or folder, the rule that excludes it, and whether it is a folder.
OnLeftOut = Callable[[str, Rule, bool], None]


@dataclass(slots=True)
class ScanResult:
    """The result of a scan.

    `files` have a format that Winnow reads, keyed by path as text to save memory; `unsupported`
    have other formats; `excluded` counts files and folders by rule, and `excluded_folders` the
    folders among them. `links` lead to what must not be read, which is everything if the folder
    `is_system`. The content of files `in_cloud` is not on
    this computer; if only a placeholder exists, the size is given as 0. `closed` are unreadable
    folders, and files without attributes, whose contents are unknown; `offline` are mount points of
    unavailable drives or shares.
    """

    files: dict[str, FileStamp] = field(default_factory=dict)
    unsupported: list[Path] = field(default_factory=list)
    excluded: Counter[Rule] = field(default_factory=Counter)
    excluded_folders: Counter[Rule] = field(default_factory=Counter)
    links: set[str] = field(default_factory=set)
    in_cloud: set[str] = field(default_factory=set)
    is_system: bool = False
    closed: list[Failure] = field(default_factory=list)
    offline: list[Path] = field(default_factory=list)
    on_excluded: OnLeftOut | None = None

    def leave_out(self, path: str, rule: Rule, *, is_folder: bool = False) -> None:
        """Count a file, or a folder with its contents, that a rule excludes."""
        self.excluded[rule] += 1
        if is_folder:
            self.excluded_folders[rule] += 1
        if self.on_excluded is not None:
            self.on_excluded(path, rule, is_folder)

    def take(self, path: Path, stamp: FileStamp, rules: IgnoreRules) -> None:
        """Add a file that is not excluded by name, unless it is by format or size."""
        if rule := rules.size_rule(path, stamp.size_bytes):
            self.leave_out(str(path), rule)
            if rule is Rule.UNKNOWN:
                self.unsupported.append(path if is_text(path.name) else _printable(path))
        elif is_text(path.name):
            self.files[str(path)] = stamp
        else:
            self.closed.append(_misnamed(path))


def root_at(folder: Path, known: Iterable[Path] = ()) -> Path:
    """Return the canonical path of a folder: absolute, its links resolved.

    If it is one of the `known` folders, or inside one, in a different spelling (case, or Unicode
    composition, on systems that ignore it), it gets their spelling.

    Raises:
        FolderError: it does not exist, may not be read, or is in a pseudo file system.
    """
    path = paths.absolute(folder)
    if not Location.of(path).is_local:
        return bucket_folder(path)
    try:
        path = path.resolve(strict=True)
        str(path).encode()
        with os.scandir(path):
            pass
        written = _written_as(path, known)
    except (OSError, RuntimeError, UnicodeEncodeError) as error:
        raise FolderError(_why_not(path, error)) from error
    if filesystems.is_system(path):
        raise FolderError("{0} is a system folder without documents. Choose another folder.", path)
    return written


def _written_as(path: Path, known: Iterable[Path]) -> Path:
    spellings = {}
    for root in known:
        # A known folder may be unavailable at the moment.
        with contextlib.suppress(OSError):
            status = root.stat()
            spellings[status.st_dev, status.st_ino] = root
    for above in (path, *path.parents):
        status = above.stat()
        if (status.st_dev, status.st_ino) in spellings:
            return spellings[status.st_dev, status.st_ino] / path.relative_to(above)
    return path


def _why_not(path: Path, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return Message("The folder {0} does not exist. Check the spelling.", path)
    if isinstance(error, NotADirectoryError):
        return Message("{0} is not a folder. Choose the folder that contains it.", path)
    if isinstance(error, UnicodeEncodeError):
        return Message("The name of the folder {0} is not valid text. Rename the folder.", path)
    if isinstance(error, PermissionError):
        return Message(
            "Permission to read the folder {0} was denied. Change its permissions or choose "
            "another folder.",
            path,
        )
    return Message("The folder {0} cannot be read ({1}). Check the path and the disk.", path, error)


def scan(
    root: Path,
    on_folder: Callable[[Path, int], None],
    rules: FolderRules = NO_RULES,
    changes: Changes | None = None,
    *,
    home: Path | None = None,
    folders: Mapping[Path, FolderRules] | None = None,
    on_excluded: OnLeftOut | None = None,
) -> ScanResult:
    """Walk through `root`, without following links to folders.

    Args:
        root: an absolute path, whose links were resolved when the folder was added.
        on_folder: called at each folder with the number of files found so far; may raise to stop.
        rules: the person's rules for the folder.
        changes: where to look; None for everywhere.
        home: the library's folder, which is left out.
        folders: all of the library's, with their rules, as link targets; by default only this one.
        on_excluded: called with each file and folder that is left out.

    Raises:
        UsageError: one of the rules' patterns is invalid.
        LibraryError: too many files are open.
    """
    ignore_rules = IgnoreRules.of(root, rules)
    result = ScanResult(on_excluded=on_excluded)
    if not Location.of(root).is_local:
        return scan_bucket(root, on_folder, ignore_rules, result)
    own = () if home is None else (home, paths.cache())
    own_real = frozenset(os.path.realpath(folder) for folder in own)
    links = Links(folders or {root: rules}, own=own_real)
    return _Scan(on_folder, changes, own_real, links, result).run(root, ignore_rules)


@dataclass(eq=False, slots=True)
class _Scan:
    on_folder: Callable[[Path, int], None]
    changes: Changes | None
    own: frozenset[str]
    links: Links
    result: ScanResult
    # By device.
    mounts: dict[int, Mount] = field(default_factory=dict)
    systems: frozenset[str] = field(default_factory=filesystems.system_points)

    def run(self, root: Path, rules: IgnoreRules) -> ScanResult:
        if filesystems.is_system(Path(os.path.realpath(root))):
            # Mounted there since the folder was added.
            self.result.leave_out(str(root), Rule.SYSTEM, is_folder=True)
            self.result.is_system = True
            return self.result
        folders = [(str(root), rules)]
        while folders:
            folder, rules = folders.pop()
            self.on_folder(Path(folder), len(self.result.files))
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                if own_files.is_out_of_files(error):
                    raise own_files.out_of_files_error(Path(folder)) from error
                self.result.closed.append(Failure(Path(folder), str(unreadable(error))))
                continue
            names = {entry.name for entry in entries}
            if rule := rules.cache_rule(names, folder):
                self.result.leave_out(folder, rule, is_folder=True)
                continue
            inside = rules.inside(folder, names)
            takes_files = self.changes is None or self.changes.are_in(folder)
            for entry in entries:
                self._take(entry, inside, folders, takes_files=takes_files)
        return self.result

    def _take(
        self,
        entry: os.DirEntry[str],
        rules: IgnoreRules,
        folders: list[tuple[str, IgnoreRules]],
        *,
        takes_files: bool,
    ) -> None:
        result = self.result
        try:
            if _is_link(entry):
                if takes_files:
                    self._take_link(entry, rules)
                return
            if entry.is_dir(follow_symlinks=False):
                if self.changes is not None and not self.changes.lead_to(entry.path):
                    return
                rule = rules.folder_rule(entry.path, entry.name)
                if rule is None and entry.path in self.systems:
                    rule = Rule.SYSTEM
                elif rule is None and entry.path in self.own:
                    rule = Rule.OWN
                if rule is not None:
                    result.leave_out(entry.path, rule, is_folder=True)
                elif is_text(entry.name):
                    folders.append((entry.path, rules))
                else:
                    result.closed.append(_misnamed(Path(entry.path)))
                return
            if not takes_files:
                return
            status = None
            if files.may_be_stub(entry.name):
                status = entry.stat(follow_symlinks=False)
                if name := files.name_behind(entry.name, status):
                    self._take_stub(Path(entry.path).with_name(name), rules, status)
                    return
            if rule := rules.file_rule(entry.path, entry.name):
                result.leave_out(entry.path, rule)
                return
            self._take_file(entry, rules, status or entry.stat(follow_symlinks=False))
        except OSError as error:
            # A broken or circular link, or a file that was removed since the folder was
            # listed.
            if own_files.is_out_of_files(error):
                raise own_files.out_of_files_error(Path(entry.path)) from error
            if not isinstance(error, FileNotFoundError) and error.errno != errno.ELOOP:
                result.closed.append(Failure(Path(entry.path), str(unreadable(error))))

    def _take_link(self, entry: os.DirEntry[str], rules: IgnoreRules) -> None:
        rule = rules.file_rule(entry.path, entry.name)
        if rule is None:
            rule = self.links.rule_of(entry.path)
            if rule not in (None, Rule.LINK_IN):
                self.result.links.add(entry.path)
        if rule is None:
            self._take_file(entry, rules, entry.stat())
        else:
            self.result.leave_out(entry.path, rule)

    def _take_file(
        self, entry: os.DirEntry[str], rules: IgnoreRules, status: os.stat_result
    ) -> None:
        stamp = FileStamp.of(status, self._mount_of(entry.path, status.st_dev))
        if files.is_placeholder(entry.path, status):
            self.result.in_cloud.add(entry.path)
            if status.st_size <= 1:
                stamp = FileStamp(0, status.st_mtime_ns)
        self.result.take(Path(entry.path), stamp, rules)

    def _mount_of(self, path: str, device: int) -> Mount:
        """Return the file system of a file."""
        if device not in self.mounts:
            folder = Path(os.path.realpath(path)).parent
            self.mounts[device] = filesystems.mount_of(folder, filesystems.mounted())
        return self.mounts[device]

    def _take_stub(self, path: Path, rules: IgnoreRules, status: os.stat_result) -> None:
        """Add the missing file at a path that this placeholder represents."""
        if os.path.lexists(path):
            return  # it was downloaded, and its stub is about to be removed
        if rule := rules.file_rule(str(path), path.name):
            self.result.leave_out(str(path), rule)
            return
        self.result.in_cloud.add(str(path))
        self.result.take(path, FileStamp(0, status.st_mtime_ns), rules)


def _is_link(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a link, of any kind the system has."""
    if sys.platform == "win32":
        # A junction to another folder; a mount point is not a link.
        tag = entry.stat(follow_symlinks=False).st_reparse_tag
        if tag == stat.IO_REPARSE_TAG_MOUNT_POINT and not os.path.ismount(entry.path):
            return True
    return entry.is_symlink()


def _printable(path: Path) -> Path:
    return Path(os.fsencode(path).decode(errors="replace"))


def _misnamed(path: Path) -> Failure:
    return Failure(_printable(path), Message("The file name is not valid text. Rename the file."))


# Buckets

_OBJECTS_TOGETHER: Final = 1000
_NO_NAME: Final = "(no name)"
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def bucket_folder(path: Path) -> Path:
    """Return a folder in a bucket that can be scanned.

    Raises:
        FolderError: it does not exist, may not be read, there is no response, or its address
            contains credentials.
        UsageError: the library for this storage is not installed.
    """
    scheme, bucket, *_ = path.parts
    if {"@", ":"}.intersection(bucket):
        # Bucket names never contain "@". A secret may contain slashes and extend past this part.
        raise FolderError(
            "Do not put credentials in an address such as {0}, because addresses are stored and "
            "shown. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.",
            f"{scheme}//{str(path).rpartition('@')[2] if '@' in str(path) else 'BUCKET/FOLDER'}",
        )
    if not HANDS_OVER:
        raise FolderError(
            "Winnow cannot read documents in a bucket such as {0} on Windows. Copy them to a "
            "folder.",
            path,
        )
    if ".." in path.parts or _CONTROL.search(str(path)) or not is_text(str(path)):
        raise FolderError("{0} is not the address of a folder. Use s3://BUCKET/FOLDER.", path)
    try:
        is_folder = object_storage.is_folder(path)
    except FileNotFoundError as error:
        raise FolderError("The folder {0} does not exist. Check the spelling.", path) from error
    except PermissionError as error:
        raise FolderError(
            "Access to {0} was denied by the bucket. Check the credentials (AWS_ACCESS_KEY_ID "
            "etc.), their permissions and this computer's clock.",
            path,
        ) from error
    except BucketAwayError as error:
        raise FolderError(
            "{0} cannot be reached ({1}). Check the address (AWS_ENDPOINT_URL) and the connection.",
            path,
            error.strerror,
        ) from error
    if not is_folder:
        raise FolderError("{0} is not a folder. Choose the folder that contains it.", path)
    return path


def scan_bucket(
    root: Path, on_folder: Callable[[Path, int], None], rules: IgnoreRules, result: ScanResult
) -> ScanResult:
    """List a folder in a bucket; without response or access, it is offline.

    There are no links in a bucket, and `.gitignore` files in it are not read.

    Args:
        root: the folder.
        on_folder: called regularly with the number of files found so far; may raise to stop.
        rules: the rules for excluded files.
        result: receives the files; returned.
    """

    def step() -> None:
        on_folder(root, len(result.files))

    step()
    try:
        objects = sorted(object_storage.objects_in(root, step))
    except (OSError, UsageError) as error:
        reason = error.message if isinstance(error, UsageError) else unreadable(error).message
        if isinstance(error, BucketAwayError):
            reason = Message("Listing failed: {0}", error.strerror)
        elif isinstance(error, PermissionError):
            reason = Message(
                "Access denied. Check the credentials, their permissions and this computer's clock."
            )
        elif isinstance(error, FileNotFoundError):
            reason = Message("No longer exists, or has another address")
        result.closed.append(Failure(root, reason))
        result.offline.append(root)
        return result
    folder_rules = _FolderRules(root, rules, frozenset(key for key, _ in objects), result)
    for listed_count, (key, stamp) in enumerate(objects, 1):
        _take_object(key, stamp, folder_rules, result)
        if listed_count % _OBJECTS_TOGETHER == 0:
            step()
    return result


def _take_object(key: str, stamp: FileStamp, rules: _FolderRules, result: ScanResult) -> None:
    parts = key.split("/")
    if not parts[-1] and not stamp.size_bytes:
        return  # how some programs note a folder
    path = rules.root.joinpath(*(_part(part) for part in parts))
    if path.parts[len(rules.root.parts) :] != tuple(parts) or "?versionId=" in key:
        reason = Message("The key is not a valid path. Give the object another key.")
        result.closed.append(Failure(path, reason))
        return
    if not rules.takes(tuple(parts[:-1])):
        return
    if rule := rules.rules.file_rule(str(path), path.name):
        result.leave_out(str(path), rule)
    elif rules.is_below_object(parts):
        reason = Message(
            "The key of another object is a parent path of this one. Give one of them another key."
        )
        result.closed.append(Failure(path, reason))
    else:
        result.take(path, stamp, rules.rules)


def _part(part: str) -> str:
    """Return a part of a key as part of a path, replaced if it is not valid there."""
    if part in {"", ".", ".."}:
        return part.replace(".", "%2E") or _NO_NAME
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", part)


class _FolderRules:
    """Decides which folders in a bucket, which are only prefixes of keys, are included.

    Args:
        root: the library's folder.
        rules: the rules for excluded files.
        keys: of all objects in it.
        found: receives the folders left out, each once.
    """

    def __init__(
        self, root: Path, rules: IgnoreRules, keys: frozenset[str], result: ScanResult
    ) -> None:
        self.root = root
        self.rules = rules
        self._result = result
        self._keys = keys
        self._included: dict[tuple[str, ...], bool] = {(): True}

    def takes(self, folder: tuple[str, ...]) -> bool:
        """Return whether the rules for folders include the contents of a folder."""
        if (known := self._included.get(folder)) is not None:
            return known
        is_included = self.takes(folder[:-1])
        if is_included and (rule := self._rule(folder)) is not None:
            self._result.leave_out(str(self.root.joinpath(*folder)), rule, is_folder=True)
            is_included = False
        self._included[folder] = is_included
        return is_included

    def is_below_object(self, parts: list[str]) -> bool:
        """Return whether an object's key begins with that of another one, as if it were in it."""
        return any("/".join(parts[:count]) in self._keys for count in range(1, len(parts)))

    def _rule(self, folder: tuple[str, ...]) -> Rule | None:
        path = str(self.root.joinpath(*folder))
        names = {CACHE_TAG} if f"{'/'.join(folder)}/{CACHE_TAG}" in self._keys else set[str]()
        return self.rules.folder_rule(path, folder[-1]) or self.rules.cache_rule(names, path)
