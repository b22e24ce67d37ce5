"""Opening documents at their page, if the viewer supports it, and showing them in their folder."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QProcess, Qt
from PySide6.QtGui import QDesktopServices

from app.background import Lane
from app.desktop import viewers
from app.desktop.opening import Opener
from app.desktop.viewers import (
    ViewerCommand,
    at_line,
    at_page,
    command_for,
    in_folder,
    in_vault,
    in_zotero,
)
from app.main_window import MainWindow
from app.reader.reader import ReaderView
from app.widgets.notices import Notice
from core.errors import BucketAwayError
from tests.app.library_double import LibraryDouble
from tests.app.reader.shown_pages import drawing_of

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

Search = Callable[[str], ReaderView]
freedesktop = pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="of freedesktop")


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A desktop on which Okular opens PDFs by default."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("okular", "gdbus"):
        (programs / name).write_text("#!/bin/sh\n", encoding="ascii")
        (programs / name).chmod(0o755)
    entries = tmp_path / "share" / "applications"
    entries.mkdir(parents=True)
    (entries / "org.kde.okular.desktop").write_text(
        "[Desktop Entry]\nName=Okular\nExec=okular %U\n[Desktop Action new]\nExec=other\n",
        encoding="utf-8",
    )
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "mimeapps.list").write_text(
        "[Default Applications]\napplication/pdf=gone.desktop;org.kde.okular.desktop;\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "none"))
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    return programs


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("/usr/bin/okular", ["-p", "7", "a b.pdf"]),
        ("/usr/bin/evince", ["--page-index=7", "a b.pdf"]),
        ("/usr/bin/zathura", ["--page=7", "a b.pdf"]),
        (r"SumatraPDF.exe", ["-page", "7", "a b.pdf"]),
    ],
)
def test_viewers_open_at_a_page(program: str, arguments: list[str]) -> None:
    assert command_for(program, Path("a b.pdf"), 7) == ViewerCommand(program, arguments)


def test_unknown_viewers_get_no_page() -> None:
    assert command_for("/usr/bin/firefox", Path("a.pdf"), 7) is None


@freedesktop
def test_the_program_that_the_person_chose_is_found(desktop: Path) -> None:
    path = Path("/d/a.pdf")
    assert at_page(path, 3) == ViewerCommand(str(desktop / "okular"), ["-p", "3", str(path)])
    assert at_page(Path("/d/a.png"), 3) is None


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("/usr/share/code/code", ["--goto", "/d/a b.py:7"]),
        ("/usr/bin/kate", ["--line", "7", "/d/a b.py"]),
        ("/usr/bin/gedit", ["+7", "/d/a b.py"]),
    ],
)
def test_editors_open_at_a_line(program: str, arguments: list[str]) -> None:
    command = command_for(program, Path("/d/a b.py"), 7, viewers._AT_LINE)
    assert command == ViewerCommand(program, arguments)


def install(tmp_path: Path, command: str, kind: str) -> None:
    """Install a program on the desktop, which opens files or links of a kind by default."""
    name = command.partition(" ")[0]
    (tmp_path / "bin" / name).write_text("#!/bin/sh\n", encoding="ascii")
    (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "share" / "applications" / f"{name}.desktop").write_text(
        f"[Desktop Entry]\nName={name}\nExec={command} %U\n", encoding="utf-8"
    )
    with (tmp_path / "config" / "mimeapps.list").open("a", encoding="utf-8") as file:
        file.write(f"{kind}={name}.desktop\n")


@freedesktop
def test_source_code_is_opened_at_a_line_by_what_opens_plain_text(
    desktop: Path, tmp_path: Path
) -> None:
    path = Path("/d/a.py")
    assert at_line(path, 7) is None
    install(tmp_path, "kate -b", "text/plain")
    assert at_line(path, 7) == ViewerCommand(str(desktop / "kate"), ["--line", "7", str(path)])
    # A viewer of pages gets no line.
    assert at_line(Path("/d/a.pdf"), 7) is None


@freedesktop
def test_a_note_in_a_vault_is_opened_in_obsidian_if_that_is_installed(
    desktop: Path, tmp_path: Path
) -> None:
    note = tmp_path / "vault" / "home" / "Tea & milk.md"
    assert in_vault(note) is None
    install(tmp_path, "obsidian", "x-scheme-handler/obsidian")
    assert in_vault(note) is None  # not in a vault
    (tmp_path / "vault" / ".obsidian").mkdir(parents=True)
    command = in_vault(note)
    assert command is not None
    assert command.program == str(desktop / "obsidian")
    assert command.arguments[0].startswith("obsidian://open?path=%2F")
    assert command.arguments[0].endswith("%2FTea%20%26%20milk.md")
    assert in_vault(note.with_suffix(".pdf")) is None


@freedesktop
def test_an_item_of_zotero_is_shown_there_if_that_is_installed(
    desktop: Path, tmp_path: Path
) -> None:
    library = tmp_path / "Zotero" / "zotero.sqlite"
    item = library / "ABCD1234+FILE0001" / "Rook 2020 Owls.reference"
    assert in_zotero(item) is None
    install(tmp_path, "zotero", "x-scheme-handler/zotero")
    program = str(desktop / "zotero")
    link = "zotero://select/{}/items/ABCD1234"
    assert in_zotero(item) == ViewerCommand(program, [link.format("library")])
    in_group = library / "group 777" / "ABCD1234" / "Rook 2020 Owls.reference"
    assert in_zotero(in_group) == ViewerCommand(program, [link.format("groups/777")])
    assert in_zotero(library) is None
    assert in_zotero(tmp_path / "Zotero" / "storage" / "FILE0001" / "a.pdf") is None


@freedesktop
def test_without_a_choice_nothing_is_guessed(desktop: Path, tmp_path: Path) -> None:
    (tmp_path / "config" / "mimeapps.list").write_bytes(b"[Default\xff\n")
    assert at_page(Path("/d/a.pdf"), 3) is None


@freedesktop
def test_the_file_manager_shows_the_file_if_there_is_one(desktop: Path, tmp_path: Path) -> None:
    path = Path("/d/it's, here.pdf")
    assert in_folder(path) is None
    services = tmp_path / "share" / "dbus-1" / "services"
    services.mkdir(parents=True)
    (services / "org.freedesktop.FileManager1.service").touch()
    command = in_folder(path)
    assert command is not None
    assert "['file:///d/it%27s,%20here.pdf']" in command.arguments


@pytest.mark.parametrize(
    ("system", "command"),
    [
        ("win32", ViewerCommand("explorer", ["/select,a.pdf"])),
        ("darwin", ViewerCommand("open", ["-R", "a.pdf"])),
    ],
)
def test_each_system_shows_files_in_its_own_way(
    monkeypatch: pytest.MonkeyPatch, system: str, command: ViewerCommand
) -> None:
    monkeypatch.setattr(viewers.sys, "platform", system)
    assert in_folder(Path("a.pdf")) == command


def test_if_a_viewer_does_not_start_the_system_opens_the_file(
    qtbot: QtBot, lane: Lane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF")
    opened: list[str] = []
    started: list[tuple[str, list[str]]] = []

    def start(program: str, arguments: list[str]) -> tuple[bool, int]:
        started.append((program, arguments))
        return program == "works", 0

    monkeypatch.setattr(QProcess, "startDetached", start)
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True
    )
    opener = Opener(lane, lane)
    for program in ("works", "fails"):
        monkeypatch.setattr(
            "app.desktop.opening.at_page",
            lambda _path, page, name=program: ViewerCommand(name, [str(page)]),
        )
        opener.open(path, 4)
        qtbot.waitUntil(lambda: lane.is_empty)
    assert started == [("works", ["4"]), ("fails", ["4"])]
    assert opened == [str(path)]


def test_a_text_is_opened_at_the_line_of_its_passage(
    search: Search,
    qtbot: QtBot,
    window: MainWindow,
    library: LibraryDouble,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(
        QProcess,
        "startDetached",
        lambda _program, arguments: (started.append(arguments) or True, 0),
    )
    monkeypatch.setattr(
        "app.desktop.opening.at_line",
        lambda path, line: ViewerCommand("editor", [path.name, str(line)]),
    )
    reader = search("oats")
    row = window.main_view.results.chosen
    assert row is not None
    path = tmp_path / row.document.path.name
    path.write_text("Oats.", encoding="utf-8")
    moved = replace(row, document=replace(row.document, path=path))
    library.line_numbers[row.passage_id] = (12, 18)
    window.main_view.results.document_opened.emit(moved)
    qtbot.waitUntil(lambda: started == [[path.name, "12"]])
    assert reader is window.main_view.reader


def test_the_placeholder_of_a_cloud_file_is_opened(
    qtbot: QtBot, lane: Lane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client of the cloud fetches a file that the person opens."""
    opened: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True
    )
    stub = tmp_path / ".letter.txt.icloud"
    stub.touch()
    opener = Opener(lane, lane)
    notices: list[Notice] = []
    opener.failed.connect(notices.append)
    opener.open(tmp_path / "letter.txt")
    qtbot.waitUntil(lambda: lane.is_empty)
    assert (opened, notices) == ([str(stub)], [])
    stub.unlink()
    opener.open(tmp_path / "letter.txt")
    qtbot.waitUntil(lambda: len(notices) == 1)
    assert len(opened) == 1


def test_a_copy_of_an_object_in_a_bucket_is_opened_but_no_folder(
    qtbot: QtBot, lane: Lane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True
    )
    copy = tmp_path / "a.txt"
    copy.touch()

    def copied(path: Path, _most_bytes: int, _on_step: Callable[[], None]) -> Path:
        if path.name == "away.txt":
            raise BucketAwayError(113, "s3://team does not respond (TimeoutError)")
        return copy

    monkeypatch.setattr("core.files.object_storage.copied", copied)
    opener = Opener(lane, lane)
    notices: list[Notice] = []
    opener.failed.connect(notices.append)
    opener.open(Path("s3://team/a.txt"))
    qtbot.waitUntil(lambda: lane.is_empty)
    assert (opened, notices) == ([str(copy)], [])
    opener.open(Path("s3://team/away.txt"))
    qtbot.waitUntil(lambda: len(notices) == 1)
    opener.open_folder(Path("s3://team/a.txt"))
    qtbot.waitUntil(lambda: len(notices) == 2)
    unfetched, no_folder = (notice.text for notice in notices)
    assert "Download failed: s3://team does not respond (TimeoutError)." in unfetched
    assert "s3://team/a.txt" in no_folder
    assert "is in a bucket, whose folders cannot be opened here." in no_folder


def test_the_page_that_is_shown_is_opened(
    search: Search, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, int | None]] = []
    monkeypatch.setattr(
        window.opener, "open", lambda path, page=None, _line=None: opened.append((path.name, page))
    )
    reader = search("usefulness")
    qtbot.waitUntil(lambda: drawing_of(reader.view.pages) is not None)
    reader.view.pages.turn(-1)
    reader.header.open_wanted.emit()
    qtbot.keyClick(window.main_view.results, Qt.Key.Key_Return)
    search("oats")
    reader.header.open_wanted.emit()
    assert opened == [("model.pdf", 1), ("model.pdf", 2), ("oats.md", None)]
