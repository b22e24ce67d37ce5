"""The search of the desktop over a real bus, as GNOME Shell and KRunner use it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, Proxy, open_dbus_connection
from PySide6.QtWidgets import QApplication

from app.desktop import viewers
from app.desktop.desktop_search import DesktopSearch, _icons
from app.desktop.instance import LaunchRequest, Reception, claim
from app.desktop.search_service import (
    GNOME,
    GNOME_PATH,
    KRUNNER,
    KRUNNER_PATH,
    NAME,
    SearchService,
)
from core.catalog import documents as table
from core.documents.document import Document, Page
from core.documents.formats import FORMATS
from core.files.filesystems import FileStamp
from core.indexing.read.document_rows import passage_rows
from core.library.library import Library
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = patience()

# As defined by their projects: GNOME Shell in data/dbus-interfaces, KRunner in src/data.
DEFINED = {
    GNOME: {
        "GetInitialResultSet": ("as", "as"),
        "GetSubsearchResultSet": ("asas", "as"),
        "GetResultMetas": ("as", "aa{sv}"),
        "ActivateResult": ("sasu", ""),
        "LaunchSearch": ("asu", ""),
    },
    KRUNNER: {
        "Teardown": ("", ""),
        "Config": ("", "a{sv}"),
        "Actions": ("", "a(sss)"),
        "SetActivationToken": ("s", ""),
        "Run": ("ss", ""),
        "Match": ("s", "a(sssida{sv})"),
    },
}
PATHS = {GNOME: GNOME_PATH, KRUNNER: KRUNNER_PATH}

Ask = Callable[..., Any]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in (
        ("crow.txt", "The crow remembers the faces of people who fed it."),
        ("owls.txt", "Owls hunt mice at night, and no crow likes them."),
        ("card.txt", "A card that came with the mail."),
        ("<b>\u202egpj.txt", "Swifts sleep in the air."),
        ("東京.txt", "東京の川を歩く。"),
        ("café.txt", "Espresso."),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def indexed(home: Path, documents: Path) -> Library:
    """A library with documents that are found by words; no model is loaded."""
    library = Library.open(home)
    library.add_folder(documents)
    with library._catalog.transaction() as db:
        found = [(1, str(path), FileStamp(1, 1)) for path in sorted(documents.iterdir())]
        table.add_new(db, found)
        for number, (_, place, _) in enumerate(found, 1):
            text = Path(place).read_text(encoding="utf-8")
            document = Document("", [Page(1, text)])
            table.set_read(db, number, None, "", 1, passage_rows(document, _letters))
    library.close()
    return library


def _letters(texts: Sequence[str]) -> list[int]:
    return [len(text) for text in texts]


class Desktop:
    """A client on the bus."""

    def __init__(self, client: DBusConnection) -> None:
        self.client = client

    def call(self, interface: str, member: str, *arguments: Any, path: str = "") -> Any:
        address = DBusAddress(path or PATHS[interface], NAME, interface)
        signature = DEFINED[interface][member][0] or None
        return self.send(new_method_call(address, member, signature, arguments))

    def send(self, message: Any) -> Any:
        reply = self.client.send_and_get_reply(message, timeout=PATIENCE_S)
        fields = reply.header.fields
        if reply.header.message_type is MessageType.error:
            return fields[HeaderFields.error_name]
        interface = message.header.fields[HeaderFields.interface]
        member = message.header.fields[HeaderFields.member]
        if interface in DEFINED:
            assert fields.get(HeaderFields.signature, "") == DEFINED[interface][member][1]
        return reply.body[0] if reply.body else None

    def gnome(self, member: str, *arguments: Any) -> Any:
        return self.call(GNOME, member, *arguments)

    def krunner(self, member: str, *arguments: Any) -> Any:
        return self.call(KRUNNER, member, *arguments)

    def named(self, *terms: str) -> list[str]:
        metas = self.gnome("GetResultMetas", self.gnome("GetInitialResultSet", list(terms)))
        return [meta["name"][1] for meta in metas]


@pytest.fixture
def client(bus: str) -> Iterator[DBusConnection]:
    with open_dbus_connection(bus) as connection:
        yield connection


@pytest.fixture
def serve(bus: str, home: Path, client: DBusConnection) -> Iterator[Callable[..., None]]:
    """Runs the service on a thread until the end of the test, or until it is idle for that long."""
    ended: list[tuple[threading.Thread, DBusConnection]] = []

    def begin(patience_s: float = PATIENCE_S, window: tuple[str, ...] = ("false",)) -> None:
        own = open_dbus_connection(bus)
        search = DesktopSearch(home, window)

        def run() -> None:
            SearchService(own, search).serve(patience_s)
            search.close()

        thread = threading.Thread(target=run)
        thread.start()
        ended.append((thread, own))
        with_name = Proxy(message_bus, client)
        while not with_name.NameHasOwner(NAME)[0]:
            assert thread.is_alive()

    yield begin
    for thread, own in ended:
        if thread.is_alive():
            own.sock.shutdown(2)
        thread.join()
        own.close()


@pytest.fixture
def desktop(client: DBusConnection, serve: Callable[..., None], indexed: Library) -> Desktop:
    serve()
    return Desktop(client)


# Both interfaces match their definitions


@pytest.mark.parametrize("interface", DEFINED)
def test_introspection_matches_the_interface(desktop: Desktop, interface: str) -> None:
    address = DBusAddress(PATHS[interface], NAME, "org.freedesktop.DBus.Introspectable")
    [described] = ET.fromstring(desktop.send(new_method_call(address, "Introspect")))
    assert described.get("name") == interface
    reported = {
        str(method.get("name")): tuple(
            "".join(str(one.get("type")) for one in method if one.get("direction") == way)
            for way in ("in", "out")
        )
        for method in described
    }
    assert reported == DEFINED[interface]


def test_gnome_finds_documents_with_all_words_and_shows_them(
    desktop: Desktop, documents: Path
) -> None:
    found = desktop.gnome("GetInitialResultSet", ["owls", "crow"])
    [meta] = desktop.gnome("GetResultMetas", found)
    assert meta["id"] == ("s", found[0])
    assert meta["name"] == ("s", "owls.txt")
    _, about = meta["description"]
    words, _, folder = about.rpartition(" — ")
    assert words.startswith("Owls hunt mice at night")
    assert folder.endswith(documents.name)
    assert meta["icon"] == ("(sv)", ("themed", ("as", ["text-x-generic"])))


def test_a_name_comes_before_a_text(desktop: Desktop) -> None:
    assert desktop.named("crow") == ["crow.txt", "owls.txt"]


def test_a_completed_word_finds_more_results(desktop: Desktop) -> None:
    before = desktop.gnome("GetInitialResultSet", ["ca"])
    found = desktop.gnome("GetSubsearchResultSet", before, ["card"])
    assert [meta["name"][1] for meta in desktop.gnome("GetResultMetas", found)] == ["card.txt"]
    assert desktop.named("espre") == ["café.txt"]
    assert desktop.named("東京") == ["東京.txt"]


def test_krunner_finds_the_same(desktop: Desktop, documents: Path) -> None:
    [first, second] = desktop.krunner("Match", "crow")
    key, text, icon, _, relevance, reported = first
    assert [key] == desktop.gnome("GetInitialResultSet", ["crow"])[:1]
    assert (text, icon) == ("crow.txt", "text-x-generic")
    assert reported["urls"] == ("as", [(documents / "crow.txt").as_uri()])
    assert reported["subtext"] == ("s", "The crow remembers the …")
    assert 1 >= relevance > second[4] >= 0
    assert [one[0] for one in desktop.krunner("Actions")] == ["winnow"]
    assert desktop.krunner("Config")["MinLetterCount"] == ("i", 2)
    assert desktop.krunner("Teardown") is None


def test_a_misleading_name_is_shown_literally(desktop: Desktop) -> None:
    assert desktop.named("swifts") == [r"<b>\u202egpj.txt"]


# With any arguments


@pytest.mark.parametrize(
    "terms",
    [
        [],
        [""],
        ["   "],
        ["x" * 200_000],
        ["crow"] * 20_000,
        ['"', "((", "type:", "before:yesteryear OR", "-"],
        ["\x01\u202e\ufffe"],
        ["ext:pdf"],
    ],
)
def test_an_invalid_query_has_no_results(desktop: Desktop, terms: list[str]) -> None:
    assert desktop.gnome("GetInitialResultSet", terms) == []
    assert desktop.krunner("Match", " ".join(terms)) == []
    assert desktop.named("mice") == ["owls.txt"]


def test_unknown_keys_are_ignored(desktop: Desktop) -> None:
    odd = ["", "-1", "0", "999", "٣", "1 OR 1", "9" * 40, "\u202e", "1.5"]
    assert desktop.gnome("GetResultMetas", odd) == []
    [crow, _] = desktop.gnome("GetInitialResultSet", ["crow"])
    assert [one["id"][1] for one in desktop.gnome("GetResultMetas", [*odd, crow, crow])] == [crow]


def test_a_document_found_by_another_process_is_shown(desktop: Desktop) -> None:
    [crow, _] = desktop.gnome("GetInitialResultSet", ["crow"])
    desktop.krunner("Teardown")  # it has no state, like a service that has just started
    [meta] = desktop.gnome("GetResultMetas", [crow])
    assert meta["name"] == ("s", "crow.txt")


def test_invalid_calls_are_refused(desktop: Desktop) -> None:
    error = "org.freedesktop.DBus.Error"
    wrong = DBusAddress(GNOME_PATH, NAME, GNOME)
    request = new_method_call(wrong, "GetInitialResultSet", "s", ("crow",))
    assert desktop.send(request) == f"{error}.InvalidArgs"
    other = DBusAddress(GNOME_PATH, NAME, KRUNNER)
    assert desktop.send(new_method_call(other, "Match", "s", ("a",))) == f"{error}.UnknownMethod"
    assert (
        desktop.call(GNOME, "GetInitialResultSet", ["crow"], path="/") == f"{error}.UnknownObject"
    )
    assert desktop.named("mice") == ["owls.txt"]


# The library as it is


def test_without_a_library_there_are_no_results_and_none_is_created(
    client: DBusConnection, serve: Callable[..., None], home: Path
) -> None:
    serve()
    desktop = Desktop(client)
    assert desktop.gnome("GetInitialResultSet", ["crow"]) == []
    assert desktop.gnome("GetResultMetas", ["1"]) == []
    assert desktop.krunner("Match", "crow") == []
    assert not home.exists()


def test_an_invalid_library_has_no_results(
    client: DBusConnection, serve: Callable[..., None], home: Path
) -> None:
    home.mkdir(parents=True)
    (home / "catalog.sqlite").write_bytes(b"no database" * 1000)
    serve()
    assert Desktop(client).gnome("GetInitialResultSet", ["crow"]) == []


def test_changes_and_a_new_or_removed_library_are_noticed(
    desktop: Desktop, home: Path, documents: Path
) -> None:
    assert desktop.named("wren") == []
    with Library.open(home) as library:
        page = Document("Wrens", [Page(1, "A wren sings.")])
        library.add_collection("environment", [("one", page)])
    [wren] = desktop.gnome("GetInitialResultSet", ["wren"])
    [meta] = desktop.gnome("GetResultMetas", [wren])
    assert meta["name"] == ("s", "Wrens")
    away = home.with_name("away")
    home.rename(away)
    assert desktop.named("wren") == []
    away.rename(home)
    assert desktop.named("wren") == ["Wrens"]


# Opening


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file to which the doubles of the opener and the window write their arguments."""
    log = tmp_path / "calls.txt"
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("xdg-open", "window"):
        program = programs / name
        program.write_text(
            "#!/bin/sh\n"
            f'echo "{name} $* token=$XDG_ACTIVATION_TOKEN startup=$DESKTOP_STARTUP_ID" >> {log}\n'
            f'case "$*" in *card.txt) exit 4;; esac\n'
        )
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    monkeypatch.delenv("DESKTOP_STARTUP_ID", raising=False)
    return log


def lines(qtbot: QtBot, log: Path, count: int) -> list[str]:
    def there() -> bool:
        return log.exists() and len(log.read_text().splitlines()) >= count

    qtbot.waitUntil(there, timeout=round(PATIENCE_S * 1000))
    return log.read_text().splitlines()


def test_a_result_opens_its_document_or_else_the_window(
    opened: Path,
    serve: Callable[..., None],
    client: DBusConnection,
    indexed: Library,
    documents: Path,
    qtbot: QtBot,
) -> None:
    serve(window=("window",))
    desktop = Desktop(client)
    [crow] = desktop.gnome("GetInitialResultSet", ["fed"])
    desktop.gnome("ActivateResult", crow, ["fed"], 4711)
    expected = [f"xdg-open {documents / 'crow.txt'} token= startup=winnow_TIME4711"]
    assert lines(qtbot, opened, 1) == expected
    desktop.gnome("LaunchSearch", ["-a", "card"], 0)
    expected.append("window --query=-a card token= startup=")
    assert lines(qtbot, opened, 2) == expected
    [match] = desktop.krunner("Match", "espresso")
    desktop.krunner("SetActivationToken", "let me")
    desktop.krunner("Run", match[0], "winnow")
    expected.append("window --query=espresso token=let me startup=")
    assert lines(qtbot, opened, 3) == expected
    [card] = desktop.krunner("Match", "mail")
    desktop.krunner("Run", card[0], "")
    expected.append(f"xdg-open {documents / 'card.txt'} token= startup=")
    expected.append("window --query=mail token= startup=")
    assert lines(qtbot, opened, 5) == expected
    (documents / "crow.txt").unlink()
    desktop.gnome("ActivateResult", crow, ["fed"], 0)
    expected.append("window --query=fed token= startup=")
    assert lines(qtbot, opened, 6) == expected
    desktop.gnome("ActivateResult", "no such", [], 0)
    assert lines(qtbot, opened, 7) == [*expected, "window --show token= startup="]


def test_a_document_opens_at_the_page_if_the_viewer_supports_it(
    opened: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path, qtbot: QtBot
) -> None:
    book = tmp_path / "documents" / "book.pdf"
    book.parent.mkdir()
    book.touch()
    with Library.open(home) as library:
        library.add_folder(book.parent)
        with library._catalog.transaction() as db:
            table.add_new(db, [(1, str(book), FileStamp(1, 1))])
            pages = [Page(1, "Elms."), Page(2, "Rooks.")]
            rows = passage_rows(Document("", pages), _letters)
            table.set_read(db, 1, None, "", 2, rows)
    programs = tmp_path / "programs"
    (programs / "xdg-open").rename(programs / "evince")
    monkeypatch.setattr(viewers, "_default_program", lambda _kind: str(programs / "evince"))
    search = DesktopSearch(home, ("window",))
    [key] = search.find("rooks")
    search.open(key, "rooks", {})
    expected = (
        f"xdg-open --page-index=2 {book} token= startup="  # the name under which the script runs
    )
    assert lines(qtbot, opened, 1) == [expected]
    search.close()


# The process


def test_it_ends_when_idle_and_releases_its_name(
    client: DBusConnection, serve: Callable[..., None], indexed: Library, qtbot: QtBot
) -> None:
    serve(0.5)
    proxy = Proxy(message_bus, client)
    qtbot.waitUntil(lambda: not proxy.NameHasOwner(NAME)[0], timeout=round(PATIENCE_S * 1000))


@pytest.mark.usefixtures("indexed")
def test_the_bus_starts_it_and_the_open_window_is_handed_the_query(
    services: Path,
    client: DBusConnection,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    qapp: QApplication,
    qtbot: QtBot,
) -> None:
    runtime = tmp_path_factory.mktemp("run")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    command = f"{sys.executable} -m app desktop-search"
    (services / f"{NAME}.service").write_text(f"[D-BUS Service]\nName={NAME}\nExec={command}\n")
    own = Proxy(message_bus, client)
    environment = {
        "WINNOW_HOME": str(home),
        "XDG_RUNTIME_DIR": str(runtime),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(ROOT),
    }
    # As the session of a desktop does, which starts after the bus.
    bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
    desktop = Desktop(client)
    desktop.send(new_method_call(bus, "UpdateActivationEnvironment", "a{ss}", (environment,)))
    desktop.send(new_method_call(bus, "ReloadConfig"))
    try:
        assert desktop.named("mice") == ["owls.txt"]
        reception = Reception(qapp)
        claimed = claim(home, LaunchRequest())
        assert claimed is not None
        reception.open(claimed)
        with qtbot.waitSignal(reception.received, timeout=round(PATIENCE_S * 1000)) as request:
            desktop.gnome("LaunchSearch", ["night", "owls"], 1)
        assert request.args is not None
        assert request.args[0].query == "night owls"
        reception.close()
    finally:
        os.kill(own.GetConnectionUnixProcessID(NAME)[0], 15)


def test_it_loads_neither_window_nor_model(indexed: Library, home: Path) -> None:
    program = (
        "import sys\n"
        "import app.__main__, app.desktop.search_service\n"
        "from pathlib import Path\n"
        "from app.desktop.desktop_search import DesktopSearch\n"
        "search = DesktopSearch(Path(sys.argv[1]), ())\n"
        "assert len(search.show(search.find('crow'))) == 2\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))\n"
        "print(*sys.modules)\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program, str(home)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(finished.stdout.split())
    assert "jeepney" in loaded
    assert not loaded & {"PySide6", "numpy", "torch", "transformers", "openvino", "tokenizers"}
    assert not loaded & {
        "click",
        "core.library.library",
        "core.index",
        "core.encoders",
        "app.main_window",
    }


def test_without_a_bus_it_explains_how_it_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "app", "desktop-search"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if "DBUS" not in name},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 1
    assert finished.stderr.startswith("winnow: The desktop's message bus cannot be reached;")


def test_each_format_has_an_icon_that_every_theme_has() -> None:
    # Names from the freedesktop specification: those of types, and that of mail.
    every = {
        *(f"x-office-{kind}" for kind in ("document", "spreadsheet", "presentation")),
        *(f"{kind}-x-generic" for kind in ("text", "image", "audio", "video", "package")),
        *("text-x-script", "text-html", "x-office-calendar", "x-office-address-book"),
        "mail-unread",
    }
    shown = {one.key: _icons(Path(f"a{one.suffixes[0]}"))[-1] for one in FORMATS}
    assert set(shown.values()) == every
    assert shown["spreadsheet"] == "x-office-spreadsheet"
    assert shown["mail"] == "mail-unread"
    assert _icons(Path("notes")) == ("text-x-generic",)
    assert _icons(Path("notes.tar.gz")) == ("package-x-generic",)
