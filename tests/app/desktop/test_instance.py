"""A library has one window, which receives the requests of later starts."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication

from app.desktop.instance import InstanceClaim, LaunchRequest, Reception, address_of, claim
from app.desktop.integration import DesktopIntegration
from app.main_menu import MainMenu
from app.main_window import MainWindow
from core.settings import Settings, Theme
from tests.app.person import line, shown_query
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.app.library_double import LibraryDouble

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_MS = round(patience() * 1000)

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture(autouse=True)
def runtime(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("run")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    return folder


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts Winnow as in a terminal; kills processes that still run at the end."""
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", *arguments],
            cwd=ROOT,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def reception(qapp: QApplication) -> Iterator[Reception]:
    opened = Reception(qapp)
    yield opened
    opened.close()
    opened.deleteLater()


def first(home: Path) -> InstanceClaim:
    claimed = claim(home, LaunchRequest())
    assert claimed is not None
    assert claimed.lock is not None
    return claimed


def end(qtbot: QtBot, process: subprocess.Popen[str]) -> tuple[int, str, str]:
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=PATIENCE_MS)
    out, err = process.communicate()
    return process.returncode, out, err


def is_heard(home: Path) -> bool:
    """Return whether a window of the library in `home` accepts requests."""
    with socket.socket(socket.AF_UNIX) as caller:
        return caller.connect_ex(address_of(home)) == 0


@pytest.mark.parametrize(
    "launch",
    [
        LaunchRequest(),
        LaunchRequest(
            (Path("/a folder"), Path(os.fsdecode(b"/na\xefve"))),
            'dry "wheat"\nΑβ',
            "token",
            Theme.DARK,
        ),
    ],
)
def test_a_request_survives_encoding(launch: LaunchRequest) -> None:
    data = launch.encoded()

    assert LaunchRequest.decoded(data) == launch
    assert data.endswith(b"\n")
    assert data.count(b"\n") == 1


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"[]\n", b"7\n", b"{}\n", b'{"folders": 3}\n', b"\xff\n"),
        b'{"folders": [], "query": "", "activation": "", "theme": "mauve"}\n',
    ],
)
def test_invalid_requests_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - json has several kinds
        LaunchRequest.decoded(data)


def test_a_second_start_brings_the_window_forward_and_hands_over(
    qtbot: QtBot,
    window: MainWindow,
    library: LibraryDouble,
    reception: Reception,
    start: Start,
    home: Path,
    tmp_path: Path,
) -> None:
    presence = DesktopIntegration(window, Settings())
    reception.received.connect(presence.answer)
    reception.open(first(home))
    wanted = tmp_path / "letters"
    wanted.mkdir()
    window.showMinimized()

    second = start("--folder", str(wanted), "--query", "wheat")

    assert end(qtbot, second) == (0, "", "")
    qtbot.waitUntil(lambda: shown_query(window) == "wheat")
    assert line(window).text() == "wheat"
    assert not window.isMinimized()
    assert window.isVisible()
    qtbot.waitUntil(lambda: wanted in {folder.path for folder in library.folders()})


def test_a_start_from_a_folders_menu_searches_in_it(
    qtbot: QtBot,
    window: MainWindow,
    library: LibraryDouble,
    reception: Reception,
    start: Start,
    home: Path,
    tmp_path: Path,
) -> None:
    presence = DesktopIntegration(window, Settings())
    reception.received.connect(presence.answer)
    reception.open(first(home))
    wanted = tmp_path / 'her "old" letters'
    wanted.mkdir()
    assert end(qtbot, start("--in", str(wanted))) == (0, "", "")
    query = f'in:"{str(wanted).replace(chr(34), chr(34) * 2)}"'
    qtbot.waitUntil(lambda: shown_query(window) == query)
    assert window.box.text() == f"{query} "
    # The filter is a pill, and the next words are typed after it.
    qtbot.waitUntil(lambda: [pill.pill.text for pill in window.box.pills] == [query])
    assert line(window).text() == ""
    qtbot.waitUntil(lambda: wanted in {folder.path for folder in library.folders()})


def test_a_start_with_another_theme_applies_it_for_this_session(
    qtbot: QtBot, window: MainWindow, reception: Reception, start: Start, home: Path
) -> None:
    presence = DesktopIntegration(window, Settings())
    reception.received.connect(presence.answer)
    reception.open(first(home))
    assert window.appearance.theme is Theme.LIGHT
    assert end(qtbot, start("--theme", "dark")) == (0, "", "")
    qtbot.waitUntil(lambda: window.appearance.theme is Theme.DARK)
    [ticked] = [one.text() for one in window.findChild(MainMenu).actions() if one.isChecked()]
    assert ticked == "Dark theme"
    assert window.appearance.as_settings()["theme"] is Settings().theme


def test_a_link_has_the_window_search(
    qtbot: QtBot, window: MainWindow, reception: Reception, start: Start, home: Path
) -> None:
    presence = DesktopIntegration(window, Settings())
    reception.received.connect(presence.answer)
    reception.open(first(home))
    with qtbot.waitSignal(reception.received, timeout=PATIENCE_MS) as received:
        later = start("winnow:search?q=dry+%22wheat%22&in=Old%20letters")
    assert end(qtbot, later) == (0, "", "")
    qtbot.waitUntil(lambda: shown_query(window) == 'in:"Old letters" dry "wheat"')
    assert received.args[0].folders == ()


def test_of_many_starts_at_once_one_opens_a_window(qtbot: QtBot, start: Start, home: Path) -> None:
    processes = [start("--query", f"start {number}") for number in range(4)]

    qtbot.waitUntil(
        lambda: sum(process.poll() is None for process in processes) == 1, timeout=PATIENCE_MS
    )
    qtbot.waitUntil(lambda: is_heard(home), timeout=PATIENCE_MS)
    handed = [process for process in processes if process.poll() is not None]
    assert [end(qtbot, process)[0] for process in handed] == [0, 0, 0]
    assert claim(home, LaunchRequest()) is None


def test_leftovers_of_a_killed_window_block_nothing(
    qtbot: QtBot, start: Start, reception: Reception, home: Path
) -> None:
    process = start()
    qtbot.waitUntil(lambda: is_heard(home), timeout=PATIENCE_MS)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert Path(address_of(home)).exists()

    reception.open(first(home))

    with qtbot.waitSignal(reception.received, timeout=PATIENCE_MS) as received:
        later = start("--query", "oats")
    assert received.args[0].query == "oats"
    assert end(qtbot, later)[0] == 0


def test_each_library_has_its_own_window(tmp_path: Path) -> None:
    claims = [first(tmp_path / name) for name in ("one", "other")]

    assert len({opened.address for opened in claims}) == 2


def test_the_same_library_by_another_name_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "home")

    assert address_of(tmp_path / "link") == address_of(tmp_path / "home")


def test_without_a_runtime_folder_the_address_is_in_the_library(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, reception: Reception, home: Path
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    reception.open(first(home))

    assert Path(address_of(home)).parent == home.resolve()
    assert is_heard(home)


def test_other_users_cannot_send_requests(reception: Reception, home: Path) -> None:
    reception.open(first(home))

    assert Path(address_of(home)).stat().st_mode & 0o077 == 0
    assert (home / "window.lock").stat().st_mode & 0o077 == 0


def test_an_unresponsive_window_does_not_prevent_another(home: Path) -> None:
    held = first(home)
    claimed = claim(home, LaunchRequest(query="wheat"), patience_s=0.2)

    assert held.lock is not None
    assert claimed == InstanceClaim(held.address, None)


def test_a_start_while_the_window_closes_waits_and_is_the_first(
    qtbot: QtBot, reception: Reception, home: Path
) -> None:
    held = first(home)
    assert held.lock is not None
    reception.open(held)
    reception.close()
    claims: list[InstanceClaim | None] = []
    waiting = threading.Thread(target=lambda: claims.append(claim(home, LaunchRequest(), 30)))
    waiting.start()
    held.lock.release()
    qtbot.waitUntil(lambda: not waiting.is_alive(), timeout=PATIENCE_MS)

    [claimed] = claims
    assert claimed is not None
    assert claimed.lock is not None


def test_a_closed_window_cannot_be_reached(
    qtbot: QtBot, window: MainWindow, reception: Reception, home: Path
) -> None:
    reception.open(first(home))
    window.session.closing.connect(reception.close)
    assert is_heard(home)
    with qtbot.waitSignal(window.closed):
        window.close()

    assert not is_heard(home)


def test_a_library_that_cannot_be_locked_still_opens_a_window(
    tmp_path: Path, reception: Reception
) -> None:
    (tmp_path / "home").write_text("a file, no folder")
    claimed = claim(tmp_path / "home", LaunchRequest())
    assert claimed is not None
    assert claimed.lock is None
    reception.open(claimed)
    assert not is_heard(tmp_path / "home")


def test_malformed_requests_are_ignored(
    qtbot: QtBot, reception: Reception, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[object] = []
    reception.received.connect(heard.append)
    reception.open(first(home))
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(address_of(home))
        caller.sendall(b"nonsense\n")
        qtbot.waitUntil(lambda: "not understood" in caplog.text)
    assert heard == []


def test_a_silent_caller_does_not_block_others(
    qtbot: QtBot, reception: Reception, start: Start, home: Path
) -> None:
    reception.open(first(home))
    with socket.socket(socket.AF_UNIX) as silent:
        silent.connect(address_of(home))
        with qtbot.waitSignal(reception.received, timeout=PATIENCE_MS):
            start("--show")
