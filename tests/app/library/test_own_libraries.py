"""A second library in the window: searched in place, turned on and off, unplugged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from app.filters.pane import COUNT_ROLE
from app.library.other_libraries import AddLibraryDialog
from app.main_window import MainWindow
from app.session import open_library
from app.theme import ThemeSwitch
from app.widgets.notices import NoticeBar
from core.encoders.encoder import Encoder
from core.federation.federation import Federation
from core.library.library import Library
from core.settings import LoadedSettings, Settings
from tests.conftest import write_files
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

PATIENCE_MS = round(patience() * 1000)
HERON = "The heron stands in shallow water without moving and waits for fish."
NAME = "Büro & 東京"
BOTH = {"heron.txt": NAME, "owl.txt": ""}


@pytest.fixture
def work(encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """The other library, open in another Winnow."""
    monkeypatch.setattr(
        "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
    )
    write_files(tmp_path / "work", {"heron.txt": HERON})
    with Library.open(tmp_path / "disk" / "other home") as library:
        library.add_folder(tmp_path / "work")
        library.sync()
        yield library


@pytest.fixture
def window(
    qtbot: QtBot,
    theme: ThemeSwitch,
    home: Path,
    tmp_path: Path,
    work: Library,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[MainWindow]:
    # A busy machine may need longer than the limit for results of other libraries.
    patient = partial(Federation, deadline_s=PATIENCE_MS / 1000)
    monkeypatch.setattr("core.federation.federation.Federation", patient)
    write_files(
        tmp_path / "own", {"owl.txt": "The owl hunts at night and waits for fish on a branch."}
    )
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
    add(qtbot, opened_window, work.home)
    yield opened_window
    with qtbot.waitSignal(opened_window.closed, timeout=PATIENCE_MS):
        opened_window.close()
    opened_window.deleteLater()


def add(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.show_library()
    window.folders.pages.setCurrentWidget(window.folders.others)
    window.folders.others.add_button.click()
    (dialog,) = window.folders.findChildren(AddLibraryDialog)
    dialog.address.setText(str(path))
    dialog.name.setText(NAME)
    with qtbot.waitSignal(window.others.opened, timeout=PATIENCE_MS):
        dialog.add_button.click()


def notice_text(bar: NoticeBar) -> str:
    return bar.notice.text if bar.notice is not None else ""


def found(window: MainWindow) -> dict[str, str]:
    answer = window.main_view.results.answer
    assert answer is not None
    return {row.document.path.name: row.document.library for row in answer.rows}


def search(qtbot: QtBot, window: MainWindow, query: str, expected: dict[str, str]) -> None:
    window.box.set_text(query)
    window.searcher.ask_now()
    qtbot.waitUntil(
        lambda: (
            window.main_view.results.answer is not None
            and not window.searcher.is_waiting
            and found(window) == expected
        ),
        timeout=PATIENCE_MS,
    )


def side_bar(window: MainWindow) -> dict[str, tuple[int, Qt.CheckState]]:
    """The libraries in the side bar, with their counts and ticks."""
    model = window.tools.filtering._pane.tree.filters
    heading = model.index_of("libraries")
    rows = [model.index(row, 0, heading) for row in range(model.rowCount(heading))]
    return {
        row.data(): (row.data(COUNT_ROLE), Qt.CheckState(row.data(Qt.ItemDataRole.CheckStateRole)))
        for row in rows
    }


YES, NO = Qt.CheckState.Checked, Qt.CheckState.Unchecked


def test_its_documents_are_found_read_opened_and_highlighted(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = window.folders.others
    qtbot.waitUntil(lambda: [line[:3] for line in page.lines] == [(NAME, "Ready", "1")])
    (entry,) = json.loads((home / "libraries.json").read_text(encoding="utf-8"))["libraries"]
    assert entry["is_folder"] is True
    search(qtbot, window, "who stands in shallow water, waiting for fish?", BOTH)
    results = window.main_view.results
    index = results.model().index(0, 0)
    assert f"In {NAME}:" in index.data()
    results.setCurrentIndex(index)
    qtbot.waitUntil(lambda: HERON in window.main_view.reader.view.text.toPlainText())
    qtbot.waitUntil(lambda: results.answer.rows[0].is_exact)  # type: ignore[union-attr]
    row = results.answer.rows[0]  # type: ignore[union-attr]
    opened: list[tuple[object, ...]] = []
    monkeypatch.setattr(window.opener, "open", lambda *arguments: opened.append(arguments))
    monkeypatch.setattr(window.opener, "open_folder", lambda *arguments: opened.append(arguments))
    window.result_opener.open_document(row)
    window.result_opener.open_folder(row)
    place = tmp_path / "work" / "heron.txt"
    assert [arguments[0] for arguments in opened] == [place, place]
    assert opened[0][2]() == 1  # type: ignore[operator]
    assert index.flags() & Qt.ItemFlag.ItemIsDragEnabled
    assert notice_text(window.trouble) == ""
    # Functions of the main library only are explained by a notice.
    window.teaching.toggle(row)
    assert "Only results from your own library" in notice_text(window.folders.notice)


def test_changes_by_another_winnow_are_found(
    qtbot: QtBot, window: MainWindow, work: Library, tmp_path: Path
) -> None:
    search(qtbot, window, "waiting for fish", BOTH)
    write_files(tmp_path / "work", {"egret.txt": f"The egret, too. {HERON}"})
    work.sync()
    search(qtbot, window, "egret waiting for fish", {**BOTH, "egret.txt": NAME})


def test_the_side_bar_counts_and_ticks_it(qtbot: QtBot, window: MainWindow) -> None:
    window.tools.filtering.show(is_shown=True)
    search(qtbot, window, "waiting for fish", BOTH)
    both = {"Your library": (1, NO), NAME: (1, NO)}
    qtbot.waitUntil(lambda: side_bar(window) == both)
    tree = window.tools.filtering._pane.tree
    (choice,) = [
        row.choice
        for row in tree.filters.row_at(tree.filters.index_of("libraries")).rows  # type: ignore[union-attr]
        if row.label == NAME
    ]
    tree.filters.setData(
        tree.filters.index_of(choice),
        None,
        Qt.ItemDataRole.CheckStateRole,  # type: ignore[arg-type]
    )
    qtbot.waitUntil(lambda: window.box.text() == f'waiting for fish library:"{NAME}"')
    qtbot.waitUntil(lambda: not window.searcher.is_waiting and found(window) == {"heron.txt": NAME})
    # The other one shows the number of results it would add.
    qtbot.waitUntil(lambda: side_bar(window) == {"Your library": (1, NO), NAME: (1, YES)})
    search(qtbot, window, "waiting for fish library:mine", {"owl.txt": ""})
    qtbot.waitUntil(lambda: side_bar(window) == {"Your library": (1, YES), NAME: (1, NO)})
    window.box.set_text("fish library:nowhere")
    window.searcher.ask_now()
    qtbot.waitUntil(
        lambda: (
            "There is no library nowhere. Available libraries: mine" in notice_text(window.remark)
        )
    )


def test_a_library_that_is_turned_off_is_not_searched(
    qtbot: QtBot, window: MainWindow, home: Path
) -> None:
    search(qtbot, window, "waiting for fish", BOTH)
    page = window.folders.others
    page.model.item(0, 0).setCheckState(NO)
    qtbot.waitUntil(lambda: [line[1] for line in page.lines] == ["Turned off"])
    qtbot.waitUntil(lambda: not window.searcher.is_waiting and found(window) == {"owl.txt": ""})
    (entry,) = json.loads((home / "libraries.json").read_text(encoding="utf-8"))["libraries"]
    assert entry["is_off"] is True
    page.model.item(0, 0).setCheckState(YES)
    qtbot.waitUntil(lambda: [line[1] for line in page.lines] == ["Ready"])
    qtbot.waitUntil(lambda: not window.searcher.is_waiting and found(window) == BOTH)


def test_its_disk_can_be_removed_and_reconnected_while_the_window_is_open(
    qtbot: QtBot, window: MainWindow, work: Library, tmp_path: Path
) -> None:
    search(qtbot, window, "waiting for fish", BOTH)
    results, page = window.main_view.results, window.folders.others
    work.close()
    (tmp_path / "disk").rename(tmp_path / "unplugged")
    # Results still in the list request their text and page.
    results.setCurrentIndex(results.model().index(0, 0))
    qtbot.waitUntil(lambda: not window.session.is_reading)
    page._update.click()
    qtbot.waitUntil(lambda: [line[1] for line in page.lines] == ["Unavailable"])
    assert "Connect its disk" in page._problem.text()
    search(qtbot, window, "who hunts at night", {"owl.txt": ""})
    qtbot.waitUntil(lambda: f"The library {NAME} was not found" in notice_text(window.remark))
    (tmp_path / "unplugged").rename(tmp_path / "disk")
    page._update.click()
    qtbot.waitUntil(lambda: [line[1] for line in page.lines] == ["Ready"])
    search(qtbot, window, "waiting for fish", BOTH)
