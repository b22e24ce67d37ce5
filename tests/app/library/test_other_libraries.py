"""Published libraries in the window: added, searched together, offline, removed."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.library.other_libraries import AddLibraryDialog, OtherLibrariesPage
from app.main_window import MainWindow
from app.session import open_library
from app.theme import ThemeSwitch
from app.widgets.notices import NoticeBar
from core.encoders.encoder import Encoder
from core.federation.federation import Federation
from core.federation.server_tokens import TOKENS
from core.federation.source import SourceState
from core.library.library import Library, LibraryOptions
from core.serving.http import server as serving
from core.serving.http.limits import ServerLimits
from core.serving.http.server import Address
from core.serving.http.tokens import TokenFile
from core.settings import LoadedSettings, Settings
from tests.conftest import write_files
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

PATIENCE_MS = round(patience() * 1000)
HERON = "The heron stands in shallow water without moving and waits for fish."


@pytest.fixture
def shared(encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A published library; the model is loaded once for all tests."""
    monkeypatch.setattr(
        "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
    )
    write_files(tmp_path / "theirs", {"heron.txt": HERON})
    with Library.open(tmp_path / "home of others") as library:
        library.add_folder(tmp_path / "theirs")
        library.sync()
        library.publish(str(tmp_path / "share"))
    return tmp_path / "share"


@pytest.fixture
def window(
    qtbot: QtBot,
    theme: ThemeSwitch,
    home: Path,
    tmp_path: Path,
    shared: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[MainWindow]:
    # A busy machine may need longer than the limit for results of other libraries.
    patient = partial(Federation, deadline_s=PATIENCE_MS / 1000)
    monkeypatch.setattr("core.federation.federation.Federation", patient)
    write_files(tmp_path / "own", {"owl.txt": "Owls hunt mice at night and wait on a branch."})
    opened_window = MainWindow(
        lambda: open_library(home),
        LoadedSettings(Settings()),
        home / "settings.json",
        theme,
        [tmp_path / "own"],
    )
    opened_window.show()
    with qtbot.waitSignals(
        [opened_window.session.synced, opened_window.session.warmed], timeout=PATIENCE_MS
    ):
        opened_window.start()
    yield opened_window
    with qtbot.waitSignal(opened_window.closed, timeout=PATIENCE_MS):
        opened_window.close()
    opened_window.deleteLater()


def notice_text(bar: NoticeBar) -> str:
    return bar.notice.text if bar.notice is not None else ""


def ask_for_library(window: MainWindow) -> AddLibraryDialog:
    window.show_library()
    window.folders.pages.setCurrentWidget(window.folders.others)
    window.folders.others.add_button.click()
    (dialog,) = window.folders.findChildren(AddLibraryDialog)
    return dialog


def add(qtbot: QtBot, window: MainWindow, address: Path, name: str = "Team") -> None:
    dialog = ask_for_library(window)
    dialog.address.setText(str(address))
    dialog.name.setText(name)
    with qtbot.waitSignal(window.others.opened, timeout=PATIENCE_MS):
        dialog.add_button.click()


def paths_found(window: MainWindow) -> dict[str, str]:
    answer = window.main_view.results.answer
    assert answer is not None
    return {row.document.path.name: row.document.library for row in answer.rows}


def search(qtbot: QtBot, window: MainWindow, query: str, found: dict[str, str]) -> None:
    window.box.set_text(query)
    window.searcher.ask_now()
    qtbot.waitUntil(
        lambda: (
            window.main_view.results.answer is not None
            and not window.searcher.is_waiting
            and paths_found(window) == found
        ),
        timeout=PATIENCE_MS,
    )


BOTH = {"heron.txt": "Team", "owl.txt": ""}


def test_a_published_library_is_added_searched_read_and_removed(
    qtbot: QtBot, window: MainWindow, home: Path, shared: Path
) -> None:
    page = window.folders.others
    assert page.lines == []
    add(qtbot, window, shared)
    qtbot.waitUntil(lambda: [line[:3] for line in page.lines] == [("Team", "Ready", "1")])
    assert json.loads((home / "libraries.json").read_text())["libraries"] == [
        {"name": "Team", "address": str(shared)}
    ]
    search(qtbot, window, "waiting for fish", BOTH)
    answer = window.main_view.results.answer
    assert answer is not None
    first = answer.rows[0]
    assert first.document.path.name == "heron.txt"
    results = window.main_view.results
    index = results.model().index(0, 0)
    assert "In Team:" in index.data()
    # Its text and the explanation of a result are available.
    results.setCurrentIndex(index)
    qtbot.waitUntil(
        lambda: HERON in window.main_view.reader.view.text.toPlainText(), timeout=PATIENCE_MS
    )
    qtbot.waitUntil(
        lambda: window.main_view.results.answer.rows[0].is_exact,  # type: ignore[union-attr]
        timeout=PATIENCE_MS,
    )
    # Actions on files of other machines are refused with a notice.
    window.result_opener.open_document(first)
    assert "belongs to the library Team" in notice_text(window.trouble)
    window.trouble.clear()
    window.teaching.toggle(first)
    assert "Only results from your own library" in notice_text(window.folders.notice)
    page._remove.click()
    qtbot.waitUntil(lambda: page.lines == [], timeout=PATIENCE_MS)
    search(qtbot, window, "hunting mice at night", {"owl.txt": ""})
    assert json.loads((home / "libraries.json").read_text())["libraries"] == []


def test_an_empty_address_is_reported_and_not_added(
    qtbot: QtBot, window: MainWindow, home: Path, tmp_path: Path
) -> None:
    dialog = ask_for_library(window)
    assert not dialog.add_button.isEnabled()
    dialog.address.setText(str(tmp_path / "nowhere"))
    dialog.add_button.click()
    qtbot.waitUntil(lambda: "cannot be reached" in notice_text(dialog.notice), timeout=PATIENCE_MS)
    assert dialog.isVisible()
    assert dialog.add_button.isEnabled()
    assert not (home / "libraries.json").exists()
    dialog.cancel_button.click()
    assert window.folders.others.lines == []


def test_cached_results_are_found_offline_with_a_notice(
    qtbot: QtBot, window: MainWindow, shared: Path, tmp_path: Path
) -> None:
    add(qtbot, window, shared)
    shared.rename(tmp_path / "unplugged")
    page = window.folders.others
    qtbot.waitUntil(lambda: not window.others._refreshing.is_running, timeout=PATIENCE_MS)
    page._update.click()
    qtbot.waitUntil(
        lambda: [line[1] for line in page.lines] == ["Unavailable"], timeout=PATIENCE_MS
    )
    search(qtbot, window, "waiting for fish", BOTH)
    assert "In Team: The library cannot be reached" in notice_text(window.remark)


@pytest.fixture
def server(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, str]]:
    """The same library on a server of this machine: its address, and a token for it."""
    monkeypatch.setitem(sys.modules, "keyring", None)
    with Library.open(tmp_path / "home of others", LibraryOptions(is_read_only=True)) as library:
        tokens = TokenFile(library.home)
        token = tokens.add("anna", [], None)
        address = Address()
        served = serving.build_server(library, library.home, address, ServerLimits())
        with serving.bound(address) as listening:
            thread = threading.Thread(target=served.run, kwargs={"sockets": [listening]})
            thread.start()
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", token
            served.should_exit = True
            thread.join(patience())


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_server_is_connected_to_by_its_token(
    qtbot: QtBot, window: MainWindow, server: tuple[str, str], home: Path, tmp_path: Path
) -> None:
    url, token = server
    window.show_library()
    window.folders.pages.setCurrentWidget(window.folders.others)
    window.folders.others.connect_button.click()
    (dialog,) = window.folders.findChildren(AddLibraryDialog)
    assert dialog.address.text() == "https://"
    dialog.address.setText(str(home))
    assert not dialog.token.isVisible()
    dialog.address.setText(url)
    assert dialog.token.isVisible()
    dialog.name.setText("Team")
    dialog.token.setText("winnow_wrong")
    dialog.add_button.click()
    qtbot.waitUntil(lambda: "rejected the token" in notice_text(dialog.notice), timeout=PATIENCE_MS)
    assert TOKENS.get(url) == ""
    dialog.token.setText(token)
    with qtbot.waitSignal(window.others.opened, timeout=PATIENCE_MS):
        dialog.add_button.click()
    page = window.folders.others
    qtbot.waitUntil(lambda: [line[:3] for line in page.lines] == [("Team", "Ready", "1")])
    assert token not in (home / "libraries.json").read_text()
    search(qtbot, window, "waiting for fish", BOTH)
    window.main_view.results.setCurrentIndex(window.main_view.results.model().index(0, 0))
    qtbot.waitUntil(
        lambda: HERON in window.main_view.reader.view.text.toPlainText(), timeout=PATIENCE_MS
    )
    # After the token is revoked, the next search reports it, and the list says what to do.
    TokenFile(tmp_path / "home of others").revoke("anna")
    search(qtbot, window, "hunting mice at night", {"owl.txt": ""})
    assert "revoked" in notice_text(window.remark)
    window.show_library()
    assert page.lines[0][:2] == ("Team", "Needs attention")
    assert "Ask the server's administrator" in page._problem.text()
    # A wrong new token leaves the former one; the right one needs no other entry.
    renewed = TokenFile(tmp_path / "home of others").add("anna2", [], None)
    page.connect_button.click()
    dialog = window.folders.findChildren(AddLibraryDialog)[-1]
    assert dialog.address.text() == url
    dialog.token.setText("winnow_wrong")
    dialog.add_button.click()
    qtbot.waitUntil(lambda: "rejected the token" in notice_text(dialog.notice), timeout=PATIENCE_MS)
    assert TOKENS.get(url) == token
    dialog.token.setText(renewed)
    dialog.add_button.click()
    qtbot.waitUntil(
        lambda: [line[:2] for line in page.lines] == [("Team", "Ready")], timeout=PATIENCE_MS
    )
    assert TOKENS.get(url) == renewed
    search(qtbot, window, "waiting for fish", BOTH)
    page._remove.click()
    qtbot.waitUntil(lambda: page.lines == [], timeout=PATIENCE_MS)
    assert TOKENS.get(url) == ""


def test_a_problem_is_shown_even_if_another_library_is_selected(qtbot: QtBot) -> None:
    page = OtherLibrariesPage()
    qtbot.addWidget(page)
    states = [SourceState(name, f"/{name}", problem=f"{name} fails.") for name in ("b", "c")]
    page.show_states((SourceState("a", "/a", documents=1), *states))
    page.show()
    assert (page.view.currentIndex().row(), page._problem.text()) == (0, "b fails.")
    page.view.selectRow(2)
    assert page._problem.text() == "c fails."
    page.show_states((SourceState("a", "/a", documents=1),))
    assert not page._problem.isVisible()
