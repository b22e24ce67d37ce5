"""Where links lead, and which files may be read by way of one.

A link is a name for something that lies elsewhere. What lies in the library's folders is read where
it lies, by the rules that hold there; what lies outside was never asked for.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core import mounts
from core.catalog.folders import FolderRules, Rule
from core.documents.files import FileIdentity
from core.indexing.sieve import Sieve

# Where git-annex keeps contents, under names that are their checksums; the documents are links.
_ANNEX: Final = os.path.join("", ".git", "annex", "objects", "")  # noqa: PTH118 - a piece of paths


@dataclass(frozen=True, slots=True)
class Real:
    """The file that is read for a document: its path without any link, and which file that is."""

    path: Path
    identity: FileIdentity


class Links:
    """Tells where links lead in a library.

    Args:
        folders: the library's, those that are there, each with the rules that hold in it.
        pictures: whether files that are pictures are documents.
        own: folders of Winnow's own, without links.
    """

    def __init__(
        self,
        folders: Mapping[Path, FolderRules],
        *,
        pictures: bool = False,
        own: frozenset[str] = frozenset(),
    ) -> None:
        # A folder may have been moved since it was added, and be a link to its new place.
        self._real = {str(path): os.path.realpath(path) for path in folders}
        self._rules = {self._real[str(path)]: rules for path, rules in folders.items()}
        self._pictures = pictures
        self._closed = mounts.system_points()
        self._own = own
        self._sieves: dict[str, Sieve | Rule] = {}

    def rule_of(self, path: str) -> Rule | None:
        """The rule that leaves out the link at `path`; None where the file is read by way of it.

        That is so where only the file's own name tells no kind of document, as with what a program
        keeps under checksums.

        Raises:
            OSError: it leads nowhere, in a circle, or to where nobody may look.
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

    def real(self, path: str) -> Real | None:
        """The file that may be read for the document at `path` at this moment.

        None where something on the way to it is a link by now that it must not be read by.

        Raises:
            OSError: it is gone, or nobody may look at it.
        """
        real = os.path.realpath(path)
        if real != self._expected(path) and self.rule_of(path) is not None:
            return None
        return Real(Path(real), FileIdentity.of(os.lstat(real)))

    def _expected(self, path: str) -> str:
        """A document's path where no link leads to it, but to the library's folder itself."""
        for folder, real in self._real.items():
            if _lies_in(path, folder):
                return real + path[len(folder) :]
        return path

    def _folder_of(self, real: str) -> str | None:
        """The innermost of the library's folders that a path without links lies in."""
        found = [folder for folder in self._rules if real == folder or _lies_in(real, folder)]
        return max(found, key=len, default=None)

    def _rule_at(self, real: str, size_bytes: int) -> Rule | None:
        """The rule that leaves out a file where it lies; None if it is read there."""
        sieve = self._sieve_of(os.path.dirname(real))  # noqa: PTH120 - often
        if isinstance(sieve, Rule):
            return sieve
        name = os.path.basename(real)  # noqa: PTH119 - often
        return sieve.file_rule(real, name) or sieve.size_rule(Path(real), size_bytes)

    def _sieve_of(self, folder: str) -> Sieve | Rule:
        """The sieve for the entries of a folder, or the rule that leaves all of it out."""
        way = []
        while (found := self._sieves.get(folder)) is None and folder not in self._rules:
            way.append(folder)
            folder = os.path.dirname(folder)  # noqa: PTH120 - often
        if found is None:
            sieve = Sieve.of(folder, self._rules[folder], pictures=self._pictures)
            found = self._sieves[folder] = sieve.below(folder)
        for inner in reversed(way):
            if isinstance(found, Sieve):
                found = self._entered(found, inner)
            self._sieves[inner] = found
        return found

    def _entered(self, sieve: Sieve, folder: str) -> Sieve | Rule:
        if rule := sieve.folder_rule(folder, os.path.basename(folder)):  # noqa: PTH119 - often
            return rule
        if folder in self._closed:
            return Rule.SYSTEM
        return Rule.OWN if folder in self._own else sieve.below(folder)


def _lies_in(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
