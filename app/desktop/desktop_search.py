"""Results of the library for the desktop's own search, independent of the bus.

Nothing here loads the window, the index or the model: the desktop starts the program at the first
typed letter and waits for it.
"""

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

from core.addresses import readable_path
from core.catalog.catalog import Catalog
from core.daemon_client import client
from core.daemon_client.protocol import WARM_UP
from core.documents.formats import format_of
from core.errors import WinnowError
from core.files import paths
from core.printable import passage, quoted
from core.search.desktop_query import DesktopDocument, DesktopResult, describe, find

_log = logging.getLogger(__name__)

# Results per query. A desktop shows the first few and the number of the others.
MOST: Final = 50
# Characters that fit next to a short title in KRunner.
_SHORT: Final = 28
_REMEMBERED: Final = 1000
# Time limit of each request to the service; without a reply, results are by words only.
_PATIENCE_S: Final = 0.3
# Exit codes of xdg-open if no program could open a file; None if it cannot be started.
_NOT_OPENED: Final = frozenset({None, 2, 3, 4})

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Shown:
    """A document as a desktop shows it.

    Attributes:
        key: its id in the library.
        name: its title, or the name of its file.
        line: the line with the words; "" if only its name matches.
        folder: the folder for display.
        icons: icon names for its format, the best first.
        uri: the URI of its file; "" if it is part of another file.
    """

    key: str
    name: str
    line: str
    folder: str
    icons: tuple[str, ...]
    uri: str

    @property
    def about(self) -> str:
        """Line and folder. Desktops truncate it at the end."""
        return f"{self.line} — {self.folder}" if self.line else self.folder

    @property
    def about_in_short(self) -> str:
        """The line or the folder, for places where space is short."""
        return shorten(self.line, _SHORT, placeholder=" …") or self.folder


class DesktopSearch:
    """Searches the library read-only. Without a library there are no results.

    Args:
        home: the folder of the library.
        window: the command that starts the window, without its arguments.
    """

    def __init__(self, home: Path, window: tuple[str, ...]) -> None:
        self._path = home / "catalog.sqlite"
        self._window = window
        self._catalog: Catalog | None = None
        self._identity = (0, 0)
        # Recent results by key, each with the query that found it.
        self._known: dict[str, tuple[DesktopResult, str]] = {}

    def find(self, typed: str, limit: int = MOST) -> list[str]:
        """Return the keys of the best `limit` documents that contain all typed words.

        Results by meaning follow them if a background service has its model loaded.
        """
        none: tuple[DesktopResult, ...] = ()
        by_words = self._ask(lambda db: find(db, typed, limit), none)
        hits = by_words
        if len(by_words) < limit:
            known = {hit.document_id for hit in by_words}
            by_meaning = [
                hit for hit in self._find_by_meaning(typed, limit) if hit.document_id not in known
            ]
            hits = (*by_words, *by_meaning)[:limit]
        for hit in hits:
            key = str(hit.document_id)
            self._known.pop(key, None)
            self._known[key] = hit, typed
        for key in [*self._known][:-_REMEMBERED]:
            del self._known[key]
        return [str(hit.document_id) for hit in hits]

    def _find_by_meaning(self, typed: str, limit: int) -> list[DesktopResult]:
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
        """Return documents by their keys, without unknown keys."""
        described = self._described([*dict.fromkeys(keys)][:_REMEMBERED])
        return [_shown(key, document) for key, document in described.items()]

    def open(self, key: str, terms: str, activation: Mapping[str, str]) -> None:
        """Open a document with the system's program; if that fails, the window with `terms`.

        `activation` holds environment variables that let a window come to the front. Returns
        immediately, because looking up a file on a disconnected drive may take long.
        """
        described = self._described([key]).get(key)
        if described is None or described.file is None:
            self.open_window(terms, activation)
            return
        self._start_thread(lambda: self._open(described, terms, activation))

    def open_window(self, terms: str, activation: Mapping[str, str]) -> None:
        """Open the window with a query, or search for it in the open window."""
        argument = f"--query={terms}" if terms else "--show"
        self._start_thread(lambda: _ended_with([*self._window, argument], activation))

    def query_of(self, key: str) -> str:
        """Return the query that last found a document; "" if it is unknown."""
        return self._known[key][1] if key in self._known else ""

    def forget(self) -> None:
        """Clear the recent results."""
        self._known.clear()

    def close(self) -> None:
        if self._catalog is not None:
            self._catalog.close()
            self._catalog = None

    def _described(self, keys: Iterable[str]) -> dict[str, DesktopDocument]:
        keys_of: dict[str, dict[DesktopResult, str]] = {}
        wanted = [key for key in keys if key.isascii() and key.isdecimal() and len(key) < 19]
        for key in wanted:
            hit, typed = self._known.get(key, (DesktopResult(int(key)), ""))
            keys_of.setdefault(typed, {})[hit] = key
        described: dict[str, DesktopDocument] = {}
        for typed, key_of in keys_of.items():
            none: dict[DesktopResult, DesktopDocument] = {}
            answers = self._ask(partial(describe, typed=typed, results=[*key_of]), none)
            described |= {key_of[hit]: document for hit, document in answers.items()}
        return {key: described[key] for key in wanted if key in described}

    def _ask(self, question: Callable[[sqlite3.Connection], Answer], nothing: Answer) -> Answer:
        """Return the result of `question`; `nothing` if the library cannot be read."""
        try:
            with self._current().reading() as db:
                return question(db)
        except WinnowError as error:
            # A desktop has no place for errors; the window and the command line show them.
            _log.info("%s", error)
            return nothing

    def _current(self) -> Catalog:
        """Return the current catalog, reopened if its file was replaced.

        Raises:
            LibraryError: the catalog is missing, or of another version.
        """
        try:
            there = self._path.stat()
            identity = there.st_dev, there.st_ino
        except OSError:
            identity = 0, 0  # opening it raises the proper error
        if self._catalog is None or identity != self._identity:
            self.close()
            self._catalog, self._identity = Catalog(self._path, is_read_only=True), identity
        return self._catalog

    # On a separate thread

    def _start_thread(self, work: Callable[[], object]) -> None:
        # A daemon thread: a drive that does not respond must not keep the program running.
        threading.Thread(target=work, daemon=True).start()

    def _open(self, described: DesktopDocument, terms: str, activation: Mapping[str, str]) -> None:
        command = _command_for(described)
        # The exit status of any other program says nothing about whether it opened the file.
        if command is None or _ended_with(command, activation) in _NOT_OPENED:
            self.open_window(terms, activation)


def own_command() -> tuple[str, ...]:
    """Return the command line of this program without the last argument."""
    return str(paths.program_file()), *sys.orig_argv[1:-1]


def _command_for(described: DesktopDocument) -> list[str] | None:
    """Return the command that opens a document's file, at its page if possible; None if none can.

    Of a file whose content is in the cloud the placeholder is opened: its client then fetches it.
    """
    # Imported only to open something, because it loads QtCore.
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
    """Run a program that may outlive this one; return its status, None if it cannot be started."""
    # Imported only to open something.
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
    """Return the folder of a document for display, with the home folder as ~."""
    # Compared as text: a document may be in an archive, a bucket or in no folder at all.
    folder = readable_path(path.parent)
    home = os.path.expanduser("~")  # noqa: PTH111 - `Path.home` raises where there is none
    if folder == home or folder.startswith(home + os.sep):
        folder = "~" + folder[len(home) :]
    return quoted(folder)


def _icons(path: Path) -> tuple[str, ...]:
    """Return icon names for a document, the most specific first.

    >>> _icons(Path("a.pdf")), _icons(Path("b.html")), _icons(Path("c.org"))
    (('application-pdf', 'x-office-document'), ('text-html',), ('text-x-generic',))
    """
    file_format = format_of(path)
    return ("text-x-generic",) if file_format is None else file_format.icons
