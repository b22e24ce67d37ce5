"""What the desktop's own search finds in the library, shows of it and opens; knows no bus.

Nothing here loads the window, the index or the model: the desktop starts the program for the first
letter that is typed, and waits.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Final, TypeVar

from core import paths
from core.addresses import readable_path
from core.catalog.catalog import Catalog
from core.daemon_client import client
from core.daemon_client.protocol import WARM_UP
from core.documents.formats import format_of
from core.errors import WinnowError
from core.printable import passage, quoted
from core.search.desktop_query import DesktopDocument, DesktopResult, describe, find

_log = logging.getLogger(__name__)

MOST: Final = 50
"""A desktop shows the first few and says how many more there are."""
_SHORT: Final = 28
"""So many characters have room in KRunner beside a short title."""
_REMEMBERED: Final = 1000
_PATIENCE_S: Final = 0.3
"""So long each step of an answer by meaning may take; without it there is the one by words."""
_NOT_OPENED: Final = frozenset({None, 2, 3, 4})
"""What xdg-open ends with where no program could open a file; None where it cannot be started."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Shown:
    """A document as a desktop shows it.

    Attributes:
        key: tells it from the others; the same as long as it is in the library.
        name: its title, or its file's name.
        line: that in which the words stand; "" where only its name has them.
        folder: that it is in, as a person reads it.
        icons: names of icons by its kind, the best first.
        uri: of its file; "" where it has none of its own.
    """

    key: str
    name: str
    line: str
    folder: str
    icons: tuple[str, ...]
    uri: str

    @property
    def about(self) -> str:
        """Line and folder; what is too long a desktop cuts at its end."""
        return f"{self.line} — {self.folder}" if self.line else self.folder

    @property
    def about_in_short(self) -> str:
        """One of both, where there is little room and the middle is cut of what is too long."""
        return shorten(self.line, _SHORT, placeholder=" …") or self.folder


class DesktopSearch:
    """Answers from the library as it is at that moment, read only; from none, with nothing.

    Args:
        home: the library's folder.
        window: what the window is started with, before its own arguments.
    """

    def __init__(self, home: Path, window: tuple[str, ...]) -> None:
        self._path = home / "catalog.sqlite"
        self._window = window
        self._catalog: Catalog | None = None
        self._identity = (0, 0)
        # What was found lately, by its key: with the query that found it.
        self._known: dict[str, tuple[DesktopResult, str]] = {}

    def find(self, typed: str, limit: int = MOST) -> list[str]:
        """Return the keys of the best `limit` documents with all words that were typed.

        Behind them stand those that mean what was typed, where a service in the background has its
        model loaded.
        """
        none: tuple[DesktopResult, ...] = ()
        by_words = self._ask(lambda db: find(db, typed, limit), none)
        found = by_words
        if len(by_words) < limit:
            known = {one.document_id for one in by_words}
            by_meaning = [one for one in self._meant(typed, limit) if one.document_id not in known]
            found = (*by_words, *by_meaning)[:limit]
        for one in found:
            key = str(one.document_id)
            self._known.pop(key, None)
            self._known[key] = one, typed
        for key in [*self._known][:-_REMEMBERED]:
            del self._known[key]
        return [str(one.document_id) for one in found]

    def _meant(self, typed: str, limit: int) -> list[DesktopResult]:
        home = self._path.parent
        # As JSON: the types of requests and responses would load numpy.
        results = client.send_request(
            home,
            "Search",
            {"query": typed, "limit": limit, "is_refined": False},
            timeout_s=_PATIENCE_S,
            only_if_warm=True,
        )
        if results is None:
            client.send_request(home, WARM_UP, timeout_s=_PATIENCE_S)
            return []
        return [
            DesktopResult(hit["document_id"], hit["passages"][0]["passage"]["id"])
            for hit in results["hits"]
            if hit["is_likely"]
        ]

    def show(self, keys: Iterable[str]) -> list[Shown]:
        """Return what is shown of documents by their keys, without those that there are none of."""
        described = self._described([*dict.fromkeys(keys)][:_REMEMBERED])
        return [_shown(key, one) for key, one in described.items()]

    def open(self, key: str, terms: str, activation: Mapping[str, str]) -> None:
        """Open a document with the system's program; where that cannot be, the window with `terms`.

        `activation` is what lets a window come forward, as variables of the environment. Returns at
        once: to look for a file on a drive that has gone may take long.
        """
        described = self._described([key]).get(key)
        if described is None or described.file is None:
            self.open_window(terms, activation)
            return
        self._apart(lambda: self._open(described, terms, activation))

    def open_window(self, terms: str, activation: Mapping[str, str]) -> None:
        """Open the window with a query, or have the one that is open search for it."""
        asked = f"--query={terms}" if terms else "--show"
        self._apart(lambda: _ended_with([*self._window, asked], activation))

    def query_of(self, key: str) -> str:
        """Return the query that found a document lately; "" where none is known."""
        return self._known[key][1] if key in self._known else ""

    def forget(self) -> None:
        """Keep nothing of what was found."""
        self._known.clear()

    def close(self) -> None:
        """Let go of the library."""
        if self._catalog is not None:
            self._catalog.close()
            self._catalog = None

    def _described(self, keys: Iterable[str]) -> dict[str, DesktopDocument]:
        """Return what is known of documents, in the order of their keys."""
        keys_of: dict[str, dict[DesktopResult, str]] = {}
        wanted = [key for key in keys if key.isascii() and key.isdecimal() and len(key) < 19]
        for key in wanted:
            found, typed = self._known.get(key, (DesktopResult(int(key)), ""))
            keys_of.setdefault(typed, {})[found] = key
        described: dict[str, DesktopDocument] = {}
        for typed, key_of in keys_of.items():
            none: dict[DesktopResult, DesktopDocument] = {}
            told = self._ask(partial(describe, typed=typed, found=[*key_of]), none)
            described |= {key_of[found]: one for found, one in told.items()}
        return {key: described[key] for key in wanted if key in described}

    def _ask(self, question: Callable[[sqlite3.Connection], Answer], nothing: Answer) -> Answer:
        """Return the library's answer; `nothing` where there is none, and none to be had now."""
        try:
            with self._current().reading() as db:
                return question(db)
        except WinnowError as error:
            # A desktop has no place for it; the window and the command line will say it.
            _log.info("%s", error)
            return nothing

    def _current(self) -> Catalog:
        """Return the catalog that lies there now: it may have been made anew, or moved away.

        Raises:
            LibraryError: there is none, or one of another version.
        """
        try:
            there = self._path.stat()
            identity = there.st_dev, there.st_ino
        except OSError:
            identity = 0, 0  # to open it tells what is the matter
        if self._catalog is None or identity != self._identity:
            self.close()
            self._catalog, self._identity = Catalog(self._path, is_read_only=True), identity
        return self._catalog

    # On a thread of its own

    def _apart(self, work: Callable[[], object]) -> None:
        # Whoever waits in vain for a drive does not keep the program from its end.
        threading.Thread(target=work, daemon=True).start()

    def _open(self, described: DesktopDocument, terms: str, activation: Mapping[str, str]) -> None:
        command = _command_for(described)
        # Other programs end when the person closes them, whatever they say then.
        if command is None or _ended_with(command, activation) in _NOT_OPENED:
            self.open_window(terms, activation)


def own_command() -> tuple[str, ...]:
    """Return what this program was started with, but for the last argument."""
    return str(paths.program_file()), *sys.orig_argv[1:-1]


def _command_for(described: DesktopDocument) -> list[str] | None:
    """Return what opens a document's file, at its page where that can be; None where nothing can.

    A file whose content is in the cloud is opened by what stands in its place: its client fetches
    it.
    """
    # Not before something is opened: it loads Qt's core.
    from app.desktop.viewers import at_page
    from core.documents.files import stub_of

    file = described.file
    assert file is not None
    if not file.exists():
        file = stub_of(file)
    if file is None:
        return None
    if described.page is not None and file == described.path:
        viewer = at_page(file, described.page)
        if viewer is not None:
            return [viewer.program, *viewer.arguments]
    opener = shutil.which("xdg-open")
    return [opener, str(file)] if opener is not None else None


def _ended_with(command: list[str], activation: Mapping[str, str]) -> int | None:
    """Run a program that may outlive this one; give its status, None where it cannot be started."""
    # Not before something is opened.
    import subprocess

    try:
        process = subprocess.Popen(
            command,
            env={**os.environ, **activation},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        _log.warning("%s cannot be started: %s", command[0], error)
        return None
    return process.wait()


def _shown(key: str, described: DesktopDocument) -> Shown:
    path = described.path
    is_own = described.file == path
    return Shown(
        key,
        quoted(described.title.strip() or path.name),
        passage(described.line),
        _folder(path),
        _icons(path),
        path.as_uri() if is_own else "",
    )


def _folder(path: Path) -> str:
    """Return the folder of a document as a person reads it, with the home folder as ~."""
    # By text: a document may lie in an archive, a bucket or in no folder at all.
    folder = readable_path(path.parent)
    home = os.path.expanduser("~")  # noqa: PTH111 - `Path.home` raises where there is none
    if folder == home or folder.startswith(home + os.sep):
        folder = "~" + folder[len(home) :]
    return quoted(folder)


def _icons(path: Path) -> tuple[str, ...]:
    """Return the names of icons for a document, the most specific first.

    >>> _icons(Path("a.pdf")), _icons(Path("b.html")), _icons(Path("c.org"))
    (('application-pdf', 'x-office-document'), ('text-html',), ('text-x-generic',))
    """
    found = format_of(path)
    return ("text-x-generic",) if found is None else found.icons
