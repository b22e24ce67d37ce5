"""The commands that open a file at a page or line, or its folder.

The system's default program for a file opens it: at a page or a line if it is one of the programs
below, else without.
"""

import configparser
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from PySide6.QtCore import QMimeDatabase, QUrl


@dataclass(frozen=True, slots=True)
class ViewerCommand:
    """A program and its arguments."""

    program: str
    arguments: list[str]


# Arguments by the name of the program in its desktop entry, or of its file, in lower case.
_AT_LINE: Final = {
    **dict.fromkeys(("code", "code-insiders", "codium", "cursor"), "--goto {path}:{at}"),
    **dict.fromkeys(("emacs", "featherpad", "gedit", "gvim", "pluma", "xed"), "+{at} {path}"),
    **dict.fromkeys(("geany", "kate", "kwrite", "mousepad"), "--line {at} {path}"),
    **dict.fromkeys(("subl", "sublime_text", "zed", "zeditor"), "{path}:{at}"),
}
_AT_PAGE: Final = {
    **dict.fromkeys(("evince", "papers", "atril", "xreader"), "--page-index={at} {path}"),
    **dict.fromkeys(("mupdf", "xpdf"), "{path} {at}"),
    "okular": "-p {at} {path}",
    "zathura": "--page={at} {path}",
    "qpdfview": "{path}#{at}",
    "sumatrapdf": "-page {at} {path}",
}


def at_page(path: Path, page: int) -> ViewerCommand | None:
    """Return the command that opens a file at a page; None if the default program cannot."""
    if sys.platform == "win32":
        program = shutil.which("SumatraPDF")
    elif sys.platform == "darwin":
        program = None  # Preview cannot open a page
    else:
        program = _default_program(path)
    return command_for(program, path, page) if program else None


def at_line(path: Path, line: int) -> ViewerCommand | None:
    """Return the command that opens a file at a line; None if the default program cannot."""
    # Other systems do not report the default program.
    is_freedesktop = sys.platform not in {"win32", "darwin"}
    program = _default_program(path) if is_freedesktop else None
    return command_for(program, path, line, _AT_LINE) if program else None


def command_for(
    program: str, path: Path, page_or_line: int, known: Mapping[str, str] = _AT_PAGE
) -> ViewerCommand | None:
    """Return the command that opens a file at a page or line; None if the program is not `known`.

    >>> command_for("/usr/bin/okular", Path("a.pdf"), 3).arguments
    ['-p', '3', 'a.pdf']
    """
    arguments = known.get(Path(program).name.lower().removesuffix(".exe"))
    if arguments is None:
        return None
    return ViewerCommand(
        program, [part.format(path=path, at=page_or_line) for part in arguments.split()]
    )


def in_vault(path: Path) -> ViewerCommand | None:
    """Return how Obsidian opens a note of a vault, if the system has a program for its links."""
    is_note = path.suffix.lower() in {".md", ".canvas"}
    if not is_note or not any((folder / ".obsidian").is_dir() for folder in path.parents):
        return None
    return _by_link(f"obsidian://open?path={quote(str(path), safe='')}")


def in_zotero(document: Path) -> ViewerCommand | None:
    """Return how Zotero shows an item of its library, if the system has a program for its links."""
    from core.catalog.references import ZOTERO

    if ZOTERO not in document.parts or document.name == ZOTERO:
        return None
    *_, group, folder, _ = document.parts
    within = f"groups/{group.removeprefix('group ')}" if group.startswith("group ") else "library"
    return _by_link(f"zotero://select/{within}/items/{folder.partition('+')[0]}")


def _by_link(link: str) -> ViewerCommand | None:
    """Return the program that opens a link; None if the system names none, or not to us."""
    is_freedesktop = sys.platform not in {"win32", "darwin"}
    scheme = link.partition(":")[0]
    program = _program_for([f"x-scheme-handler/{scheme}"]) if is_freedesktop else None
    return ViewerCommand(program, [link]) if program else None


def in_folder(path: Path) -> ViewerCommand | None:
    """Return how the system's file manager shows a file in its folder, chosen among the system."""
    if sys.platform == "win32":
        # One argument: the program splits it at the commas.
        return ViewerCommand("explorer", [f"/select,{path}"])
    if sys.platform == "darwin":
        return ViewerCommand("open", ["-R", str(path)])
    sender = shutil.which("gdbus")
    if sender is None or not os.environ.get("DBUS_SESSION_BUS_ADDRESS") or not _has_file_manager():
        return None
    uri = bytes(QUrl.fromLocalFile(str(path)).toEncoded().data()).decode("ascii")
    return ViewerCommand(
        sender,
        [
            *("call", "--session", "--dest", "org.freedesktop.FileManager1"),
            *("--object-path", "/org/freedesktop/FileManager1"),
            *("--method", "org.freedesktop.FileManager1.ShowItems"),
            # A URI has neither quotation marks nor backslashes: those are written as numbers.
            f"['{uri.replace(chr(39), '%27')}']",
            "''",
        ],
    )


def _has_file_manager() -> bool:
    """Return whether D-Bus can start a file manager that shows files in their folder."""
    name = "dbus-1/services/org.freedesktop.FileManager1.service"
    return any((folder / name).exists() for folder in _data_folders())


def _default_program(path: Path) -> str | None:
    """Return the program that opens a file, by the freedesktop associations.

    A type without a program falls back to its more general types: source code to plain text.
    """
    of = QMimeDatabase().mimeTypeForFile(str(path))
    return _program_for([of.name(), *of.allAncestors()])


def _program_for(kinds: Iterable[str]) -> str | None:
    """Return the first installed program for some MIME types, in their order."""
    for entry in _default_entries(kinds):
        for folder in _data_folders():
            if program := _program_in(folder / "applications" / entry):
                return program
    return None


def _default_entries(kinds: Iterable[str]) -> Iterator[str]:
    """Return the desktop entries for MIME types in order, the person's choices first."""
    lists = [
        *(folder / "mimeapps.list" for folder in _config_folders()),
        *(folder / "applications" / "mimeapps.list" for folder in _data_folders()),
        *(folder / "applications" / "defaults.list" for folder in _data_folders()),
    ]
    parsed = [_parsed(path) for path in lists]
    for kind in kinds:
        for entries in parsed:
            value = entries.get("Default Applications", kind, fallback="")
            yield from (entry for entry in value.split(";") if entry)


def _program_in(entry: Path) -> str | None:
    """Return the program that a desktop entry starts, if it is installed."""
    line = _parsed(entry).get("Desktop Entry", "Exec", fallback="")
    return shutil.which(line.split()[0].strip('"')) if line.split() else None


def _parsed(path: Path) -> configparser.RawConfigParser:
    """Return a parsed ini file; an empty one if it is missing or malformed."""
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError, OSError):
        return configparser.RawConfigParser()
    return parser


def _config_folders() -> list[Path]:
    own = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return _folders(own, os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg")


def _data_folders() -> list[Path]:
    own = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return _folders(own, os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share")


def _folders(own: str, system: str) -> list[Path]:
    return [Path(folder) for folder in (own, *system.split(":")) if folder]
