"""Rules that exclude entries of a folder; links are judged by their targets.

A file in the library's folders is read only at its own path, by the rules for that path, and not
through links to it; a file outside them was never added.
"""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from core.catalog.files.folders import NO_RULES, FolderRules
from core.documents.files import FileIdentity
from core.documents.formats import format_of
from core.errors import UsageError
from core.files import filesystems, own_files
from core.files.excluded_names import Rule, rule_of
from core.files.filesystems import FileStamp
from core.files.locations import Location

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_log = logging.getLogger(__name__)
_GITIGNORE: Final = ".gitignore"
CACHE_TAG: Final = "CACHEDIR.TAG"
_LARGEST_BYTES: Final = 1_000_000_000
_LARGEST_GITIGNORE_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules for the entries of one folder; `inside` returns those of a subfolder.

    Attributes:
        root: the added folder, to which the person's patterns are relative.
        rules: the person's.
        exclude: their exclusion patterns.
        only: their inclusion patterns; None for everything.
        gitignored: the active `.gitignore` files, each with its folder, the outermost first.
    """

    root: str
    rules: FolderRules
    exclude: GitIgnoreSpec | None
    only: GitIgnoreSpec | None
    gitignored: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    @classmethod
    def of(cls, root: str | os.PathLike[str], rules: FolderRules = NO_RULES) -> IgnoreRules:
        """Return the rules of an added folder.

        Raises:
            UsageError: one of the patterns is invalid.
        """
        exclude, only = _compiled(rules.exclude), _compiled(rules.only)
        return cls(os.fspath(root), rules, exclude, only)

    def inside(self, folder: str, names: frozenset[str] | set[str]) -> IgnoreRules:
        """Return the rules for the entries of `folder`, which have these names."""
        if not self.rules.respects_gitignore or _GITIGNORE not in names:
            return self
        spec = _read_gitignore(os.path.join(folder, _GITIGNORE))  # noqa: PTH118 - once a folder
        return (
            self if spec is None else replace(self, gitignored=(*self.gitignored, (folder, spec)))
        )

    def folder_rule(self, path: str, name: str) -> Rule | None:
        """Return the rule that excludes the folder at `path` with its contents, or None."""
        if (choice := self._chosen(path, is_folder=True)) is not None:
            return Rule.EXCLUDED if choice else None
        if rule := rule_of(f"{name}/"):
            return None if rule is Rule.HIDDEN and _is_mail_folder(path) else rule
        return Rule.GITIGNORE if self._is_ignored(path, is_folder=True) else None

    def file_rule(self, path: str, name: str) -> Rule | None:
        """Return the rule that excludes the file at `path` regardless of its size, or None."""
        choice = self._chosen(path, is_folder=False)
        if choice:
            return Rule.EXCLUDED
        if choice is None:
            if rule := rule_of(name):
                return rule
            if self._is_ignored(path, is_folder=False):
                return Rule.GITIGNORE
        if self.only is not None and not self.only.match_file(_relative(path, self.root)):
            return Rule.NOT_WANTED
        return None

    def size_rule(self, path: Path, size_bytes: int) -> Rule | None:
        """Return the rule that excludes a file by its format or size, or None."""
        kind = format_of(path)
        if kind is None:
            return Rule.UNKNOWN
        largest = self.rules.largest_bytes
        # Little of a film is read, but an object in a bucket is downloaded completely.
        is_bounded = not (kind.reads_little and Location.of(path).is_local)
        if largest is None and is_bounded and (kind.reader or not kind.members):
            largest = _LARGEST_BYTES
        return Rule.TOO_LARGE if largest is not None and size_bytes > largest else None

    def cache_rule(self, names: frozenset[str] | set[str], folder: str) -> Rule | None:
        """Return the rule that excludes a folder because of the names in it, or None."""
        if CACHE_TAG in names and folder != self.root and not self._is_reincluded(folder):
            return Rule.CACHE
        return None

    def below(self, folder: str) -> IgnoreRules | Rule:
        """Return the rules for a subfolder that is not listed yet, or the rule that excludes it."""
        names = {name for name in (_GITIGNORE, CACHE_TAG) if _is_there(folder, name)}
        return self.cache_rule(names, folder) or self.inside(folder, names)

    def _is_reincluded(self, folder: str) -> bool:
        return self._chosen(folder, is_folder=True) is False

    def _chosen(self, path: str, *, is_folder: bool) -> bool | None:
        """Return True if the person's patterns exclude a path, False if they include it."""
        if self.exclude is None:
            return None
        return self.exclude.check_file(_relative(path, self.root, is_folder=is_folder)).include

    def _is_ignored(self, path: str, *, is_folder: bool) -> bool:
        # The innermost file with a matching pattern takes precedence.
        for base, spec in reversed(self.gitignored):
            result = spec.check_file(_relative(path, base, is_folder=is_folder)).include
            if result is not None:
                return result
        return False


def _is_mail_folder(path: str) -> bool:
    """Return whether a hidden folder is one of a Maildir that contains it, as in Maildir++."""
    folders = (path, os.path.dirname(path))  # noqa: PTH120 - often
    return all(os.path.isdir(os.path.join(folder, "cur")) for folder in folders)  # noqa: PTH112, PTH118


def _is_there(folder: str, name: str) -> bool:
    return os.path.lexists(os.path.join(folder, name))  # noqa: PTH118 - often


def _relative(path: str, base: str, *, is_folder: bool = False) -> str:
    relative = path[len(base.rstrip(os.sep)) + 1 :]
    return f"{relative}/" if is_folder else relative


def _spec_of(lines: Iterable[str]) -> GitIgnoreSpec:
    # Imported here, because the first search needs no patterns.
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)


def _compiled(patterns: tuple[str, ...]) -> GitIgnoreSpec | None:
    for pattern in patterns:
        try:
            _spec_of([pattern])
        except ValueError as error:
            raise UsageError(
                "{0} is not a valid pattern. Use .gitignore syntax, for example *.bak.",
                f"{pattern!r}",
            ) from error
    return _spec_of(patterns) if patterns else None


def _read_gitignore(path: str) -> GitIgnoreSpec | None:
    """Return the patterns in a `.gitignore` file, without invalid lines, as in git.

    Raises:
        LibraryError: too many files are open.
    """
    try:
        # Not a pipe, which would block, nor a huge file.
        if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST_GITIGNORE_BYTES:  # noqa: PTH113, PTH202
            return None
        with open(path, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            lines = file.read().splitlines()
    except OSError as error:
        if own_files.is_out_of_files(error):
            # Without its patterns, excluded files would be indexed.
            raise own_files.out_of_files_error(Path(path)) from error
        _log.info("Cannot read %s: %s", path, error)
        return None
    good = []
    for line in lines:
        try:
            _spec_of([line])
        except ValueError as error:
            _log.info("Invalid pattern in %s: %s", path, error)
        else:
            good.append(line)
    return _spec_of(good)


# git-annex stores contents here, named by checksum; the documents are links to them.
_ANNEX: Final = os.path.join("", ".git", "annex", "objects", "")  # noqa: PTH118 - a piece of paths


@dataclass(frozen=True, slots=True)
class RealFile:
    """The file that is read for a document.

    Attributes:
        path: without links.
        identity: of the file.
        stamp: its size and modification time.
    """

    path: Path
    identity: FileIdentity
    stamp: FileStamp

    @classmethod
    def at(cls, path: Path, listed: FileStamp | None = None) -> Self:
        """Return the file at a path without links, or the object in a bucket.

        Args:
            path: of the file.
            listed: the stamp of an object as it was listed; with it the bucket is not queried.

        Raises:
            OSError: it does not exist, or cannot be accessed.
        """
        location = Location.of(path)
        if location.is_local:
            status = path.lstat()
            stamp = FileStamp(status.st_size, status.st_mtime_ns)
            return cls(path, FileIdentity.of(status), stamp)
        stamp = listed or location.stamp()
        return cls(path, FileIdentity(stamp.size_bytes, stamp.mtime_ns), stamp)


class Links:
    """Resolves links in a library.

    Args:
        folders: the library's available folders, with their rules.
        own: folders of Winnow's own, without links.
    """

    def __init__(
        self, folders: Mapping[Path, FolderRules], *, own: frozenset[str] = frozenset()
    ) -> None:
        # A folder may have been moved since it was added, and be a link to its new place.
        self._real = {str(path): os.fspath(Location.of(path).resolved()) for path in folders}
        self._rules = {self._real[str(path)]: rules for path, rules in folders.items()}
        self._closed = filesystems.system_points()
        self._own = own
        self._ignore_rules: dict[str, IgnoreRules | Rule] = {}

    def rule_of(self, path: str) -> Rule | None:
        """Return the rule that excludes the link at `path`; None if the file is read through it.

        It is read if the target is excluded only because its name has no known format, as in
        stores that name files by checksum.

        Raises:
            OSError: it is broken or circular, or access is denied.
        """
        real = os.path.realpath(path)
        if self._folder_of(real) is None:
            return Rule.LINK_OUT
        status = os.stat(path)  # noqa: PTH116 - often
        if stat.S_ISDIR(status.st_mode):
            return Rule.LINK_IN
        rule = self._rule_at(real, status.st_size)
        if rule is None:
            return Rule.LINK_IN
        return None if rule is Rule.UNKNOWN or _ANNEX in real else rule

    def real(self, path: str, listed: FileStamp | None = None) -> RealFile | None:
        """Return the file that may be read for the document at `path` at the moment.

        None if the path now leads through a link that must not be followed.

        Args:
            path: of the document.
            listed: the stamp of an object as it was listed; with it the bucket is not queried.

        Raises:
            OSError: it no longer exists, or cannot be accessed.
        """
        real = Location.of(path).resolved()
        if os.fspath(real) != self._expected(path) and self.rule_of(path) is not None:
            return None
        return RealFile.at(real, listed)

    def _expected(self, path: str) -> str:
        """Return a path with the links of its library folder resolved, but no others."""
        for folder, real in self._real.items():
            if _is_inside(path, folder):
                return real + path[len(folder) :]
        return path

    def _folder_of(self, real: str) -> str | None:
        """Return the innermost of the library's folders that contains a path without links."""
        within = [folder for folder in self._rules if real == folder or _is_inside(real, folder)]
        return max(within, key=len, default=None)

    def _rule_at(self, real: str, size_bytes: int) -> Rule | None:
        """Return the rule that excludes a file at its own path; None if it is read there."""
        rules = self._ignore_rules_of(os.path.dirname(real))  # noqa: PTH120 - often
        if isinstance(rules, Rule):
            return rules
        name = os.path.basename(real)  # noqa: PTH119 - often
        return rules.file_rule(real, name) or rules.size_rule(Path(real), size_bytes)

    def _ignore_rules_of(self, folder: str) -> IgnoreRules | Rule:
        """Return the rules for a folder's entries, or the rule that excludes the folder."""
        way = []
        while (rules := self._ignore_rules.get(folder)) is None and folder not in self._rules:
            way.append(folder)
            folder = os.path.dirname(folder)  # noqa: PTH120 - often
        if rules is None:
            rules = IgnoreRules.of(folder, self._rules[folder])
            rules = self._ignore_rules[folder] = rules.below(folder)
        for inner in reversed(way):
            if isinstance(rules, IgnoreRules):
                rules = self._entered(rules, inner)
            self._ignore_rules[inner] = rules
        return rules

    def _entered(self, rules: IgnoreRules, folder: str) -> IgnoreRules | Rule:
        if rule := rules.folder_rule(folder, os.path.basename(folder)):  # noqa: PTH119 - often
            return rule
        if folder in self._closed:
            return Rule.SYSTEM
        return Rule.OWN if folder in self._own else rules.below(folder)


def _is_inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
