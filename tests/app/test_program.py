"""The start of the program: its speed, its imports, and the work on the window's thread."""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import threading
import types
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.__main__ import main
from app.program import Sweeper
from app.versions import show_versions
from core.files.paths import NO_SCREEN
from core.settings import Theme
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"numpy", "torch", "openvino", "transformers", "faiss", "pypdfium2", "tokenizers"}
HEAVY |= {"ray", "mcp", "starlette", "uvicorn", "keyring", "fsspec", "s3fs"}  # from the extras


def loaded_by(code: str) -> set[str]:
    """Return the top-level modules that a new interpreter has loaded after `code`."""
    return {name.partition(".")[0] for name in modules_after(code)}


def modules_after(code: str) -> set[str]:
    printed = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(printed.stdout.split())


def test_matrix_products_use_one_thread_by_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    monkeypatch.setenv("VECLIB_MAXIMUM_THREADS", "7")
    with contextlib.suppress(SystemExit):
        main(["--help"])
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
    assert os.environ["VECLIB_MAXIMUM_THREADS"] == "7"


@pytest.mark.parametrize("before", [None, "/elsewhere"])
def test_programs_that_are_opened_load_their_own_libraries(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/winnow/_internal")
    if before is None:
        monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    else:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
    with contextlib.suppress(SystemExit):
        main(["--help"])
    assert os.environ.get("LD_LIBRARY_PATH") == before


WHOLE_WINDOW = """
from pathlib import Path
from PySide6.QtWidgets import QApplication
import app.program
from app.main_window import MainWindow
from app.theme import ThemeSwitch
from core.settings import LoadedSettings, Settings, Theme
theme = ThemeSwitch(QApplication([]), Theme.LIGHT)
window = MainWindow(lambda: None, LoadedSettings(Settings()), Path("none"), theme)
assert window.folders and window.preferences
"""


def test_the_window_loads_nothing_heavy() -> None:
    assert not loaded_by(WHOLE_WINDOW) & HEAVY


def test_the_first_parts_load_nothing_else() -> None:
    later = ("app.filters", "app.preferences", "app.reader.reader", "app.session", "app.teaching")
    later += ("core.catalog", "core.documents", "core.index", "core.library.library", "core.search")
    assert not {name for name in modules_after("import app.program") if name.startswith(later)}


def test_a_query_typed_before_the_window_is_complete_is_searched(
    qtbot: QtBot, make_window: MakeWindow
) -> None:
    window = make_window(is_whole=False)
    window.show()
    with qtbot.waitSignal(window.furnished):
        for letter in "oats":
            qtbot.keyClick(window.box.focusProxy(), letter)
        qtbot.keyClick(window, Qt.Key.Key_F3)  # this part is built a moment later
    window.start()
    qtbot.waitUntil(lambda: window.main_view.shows_results)
    assert window.main_view.results.answer is not None
    assert window.main_view.results.answer.results.query == "oats"


def test_a_window_that_is_closed_before_it_is_whole_ends(
    qtbot: QtBot, make_window: MakeWindow
) -> None:
    window = make_window(is_whole=False)
    window.show()
    with qtbot.waitSignal(window.closed):
        window.close()
        assert not window.isVisible()
        assert not window.is_closed


def test_a_hidden_window_is_completed(qtbot: QtBot, make_window: MakeWindow) -> None:
    window = make_window(is_whole=False)
    with qtbot.waitSignal(window.furnished):
        window.showMinimized()
    window.start()


def test_a_window_looks_the_same_built_at_once_or_in_steps(
    qtbot: QtBot, make_window: MakeWindow
) -> None:
    windows = [make_window(is_whole=False), make_window()]
    with qtbot.waitSignal(windows[0].furnished):
        windows[0].show()
    windows[0].start()
    for window in windows:
        window.box.set_text("oats")
        qtbot.waitUntil(lambda window=window: window.main_view.shows_results)  # type: ignore[misc]
        qtbot.waitUntil(lambda window=window: window.session.is_idle)  # type: ignore[misc]
    places = [
        {
            type(widget).__name__: widget.geometry().getRect()
            for widget in (
                window.box,
                window.main_view,
                window.main_view.results,
                window.status_line,
            )
        }
        for window in windows
    ]
    assert places[0] == places[1]


def test_the_command_line_loads_no_qt() -> None:
    assert not loaded_by("import app.__main__") & (HEAVY | {"PySide6"})


@pytest.mark.parametrize("arguments", [["search", "wheat"], ["--help"], ["status"]])
def test_sub_commands_go_to_the_command_line(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[list[str]] = []
    cli = types.ModuleType("core.cli")
    cli.main = lambda argv: heard.append(argv) or 3  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "core.cli", cli)

    assert main(arguments) == 3
    assert heard == [arguments]


def test_a_wrong_theme_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["--theme", "mauve"])

    assert refused.value.code == 2
    assert "mauve" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="the screen is named there alone")
def test_a_missing_display_is_reported_in_a_sentence(home: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "app", "--show"],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":987654"},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=2 * patience(),
    )
    assert (ended.returncode, ended.stderr.splitlines()[-1]) == (1, f"winnow: {NO_SCREEN}")
    assert "Reinstalling" not in ended.stderr


def test_objects_loaded_at_start_are_exempt_from_collection(home: Path) -> None:
    look = """
import gc, sys
from PySide6.QtCore import QTimer
from app.__main__ import main

def tell(window):
    print(gc.isenabled(), gc.get_freeze_count() > 100_000, flush=True)
    window.close()

def shown(window):
    print(gc.isenabled(), flush=True)
    window.session.warmed.connect(lambda: QTimer.singleShot(0, lambda: tell(window)))

sys.exit(main([], shown))
"""
    ended = subprocess.run(
        [sys.executable, "-c", look],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=2 * patience(),
    )
    assert ended.stdout.split() == ["False", "True", "True"]


@pytest.fixture
def sweeper(qapp: QApplication) -> Iterator[Sweeper]:
    thresholds = gc.get_threshold()
    sweeper = Sweeper(qapp)
    sweeper.settle()
    yield sweeper
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    sweeper.deleteLater()


class Knot:
    """A reference cycle, which only a garbage collection frees."""

    def __init__(self) -> None:
        self.itself = self


def test_a_full_collection_runs_when_the_window_loses_focus(
    sweeper: Sweeper, qapp: QApplication
) -> None:
    knot = Knot()
    reference = weakref.ref(knot)
    gc.collect(1)  # Move it to the oldest generation.
    del knot
    # This many new objects would trigger a full collection.
    held = [[number] for number in range(200_000)]
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert reference() is not None
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert reference() is None
    assert len(held) == 200_000


def test_the_library_is_never_called_on_the_windows_thread(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[int] = set()
    names = ("folders", "add_folder", "sync", "answer", "warm_up", "list_files", "status",
             "close")  # fmt: skip
    for name in names:
        monkeypatch.setattr(library, name, noting(threads, getattr(library, name)))
    window = make_window(folders=(library.home.parent,))
    for query in ("oats", "usefulness"):
        window.box.clear()
        window.box.type_on(query)
        qtbot.waitUntil(lambda: window.main_view.shows_results and window.session.is_idle)
    with qtbot.waitSignal(window.closed):
        window.close()

    assert threads
    assert threading.get_ident() not in threads


def noting(threads: set[int], method: object) -> object:
    def call(*arguments: object, **names: object) -> object:
        threads.add(threading.get_ident())
        return method(*arguments, **names)  # type: ignore[operator]

    return call


def test_every_theme_has_a_name_in_the_menu(make_window: MakeWindow) -> None:
    from PySide6.QtGui import QAction

    texts = {action.text() for action in make_window().findChildren(QAction)}

    assert len(Theme) == 3
    assert {"System theme", "Light theme", "Dark theme"} <= texts


def test_every_native_library_has_a_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_versions() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("winnow, version ")
    assert {"Qt", "OpenVINO", "PDFium", "SQLite"} <= {line.split()[0] for line in lines}


@pytest.mark.skipif(os.name == "nt", reason="no pipes to close there")
@pytest.mark.parametrize("more", [[], ["--verbose"]])
def test_versions_written_to_a_closed_pipe_are_no_error(more: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "app", "--version", *more],
        cwd=ROOT,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_library_that_cannot_be_loaded_is_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyppmd", None)
    assert show_versions() == 1
    assert "PPMd cannot be loaded: import of pyppmd halted" in capsys.readouterr().out
