"""Settings and maintenance of a real library: choices apply, and searches continue."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.main_window import MainWindow
from app.session import MODEL_KEPT_MS, open_library
from app.theme import ThemeSwitch
from core.catalog import manifest
from core.catalog.catalog import Catalog
from core.settings import IndexSize, LoadedSettings, Settings, load_settings
from tests.app.person import press, titles, turn_to
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

# The first run on a machine converts the model.
PATIENCE_MS = round(patience() * 1000)

TEXTS = {
    "grain.txt": "Wheat keeps for years in a dry silo.",
    "oats.txt": "Porridge needs salt, and milk if there is any.",
    "light.txt": "The lighthouse keeper polishes his lamp.",
}


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSwitch, home: Path, tmp_path: Path) -> Iterator[MainWindow]:
    """A window with a library of three texts, synchronised and loaded."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    opened_window = MainWindow(
        lambda: open_library(home), LoadedSettings(Settings()), home / "settings.json", theme
    )
    opened_window.session.add_folders([folder])
    opened_window.show()
    with qtbot.waitSignals(
        [opened_window.session.synced, opened_window.session.warmed], timeout=PATIENCE_MS
    ):
        opened_window.start()
    qtbot.waitUntil(lambda: opened_window.session.is_idle, timeout=PATIENCE_MS)
    yield opened_window
    with qtbot.waitSignal(opened_window.closed, timeout=PATIENCE_MS):
        opened_window.close()
    opened_window.deleteLater()


def ask(qtbot: QtBot, window: MainWindow, query: str) -> list[str]:
    """Type a query; return the titles of the results."""
    window.box.clear()
    window.box.type_on(query)

    def is_answered() -> bool:
        answer = window.main_view.results.answer
        return answer is not None and answer.results.query == query

    qtbot.waitUntil(is_answered, timeout=PATIENCE_MS)
    return titles(window)


def test_another_index_size_is_estimated_built_and_searched(
    qtbot: QtBot, window: MainWindow, home: Path
) -> None:
    window.preferences.present()
    page = window.preferences.index
    turn_to(window.preferences.pages, window.preferences.advanced)
    qtbot.waitUntil(
        lambda: page.device.count() > 1 and page.size_box.count() > 1, timeout=PATIENCE_MS
    )
    assert any("OpenVINO, CPU" in page.device.itemText(n) for n in range(page.device.count()))
    page.size_box.show_value(IndexSize.SMALL)
    page.size_box.activated.emit(page.size_box.currentIndex())
    qtbot.waitUntil(lambda: "takes" in page.bar.text.text(), timeout=PATIENCE_MS)
    assert "Re-encoding 3 passages" in page.bar.text.text()
    with qtbot.waitSignal(window.session.synced, timeout=PATIENCE_MS):
        press(qtbot, window.preferences, "Apply")
    assert load_settings(home / "settings.json").settings.index_size is IndexSize.SMALL
    with contextlib.closing(Catalog(home / "catalog.sqlite", is_read_only=True)) as catalog:
        live = manifest.live(catalog.connection())
    assert live is not None
    assert live.spec.reduction == "pruned-pooling:0.8:0.2"
    qtbot.waitUntil(lambda: not page.bar.isVisible(), timeout=PATIENCE_MS)
    assert ask(qtbot, window, "cereals in a silo")[0] == "grain"


def test_searches_continue_during_a_check_and_a_rebuild(
    qtbot: QtBot, window: MainWindow, home: Path
) -> None:
    press(qtbot, window, "Library")
    page = window.folders.maintenance
    turn_to(window.folders.pages, page)
    press(qtbot, page, "Check index")
    qtbot.waitUntil(
        lambda: page.report.text().startswith("No problems found."), timeout=PATIENCE_MS
    )
    before = {path.name for path in (home / "index").iterdir()}
    with qtbot.waitSignal(window.session.synced, timeout=PATIENCE_MS):
        press(qtbot, page, "Rebuild index")
        assert ask(qtbot, window, "cereals in a silo")[0] == "grain"
    qtbot.waitUntil(lambda: "has been rebuilt" in page.report.text(), timeout=PATIENCE_MS)
    assert before.isdisjoint(path.name for path in (home / "index").iterdir())
    assert ask(qtbot, window, "who polishes the lamp")[0] == "light"


def test_a_damaged_index_is_reported_and_repaired(
    qtbot: QtBot, window: MainWindow, home: Path
) -> None:
    [file] = (home / "index").iterdir()
    data = bytearray(file.read_bytes())
    data[-1] ^= 0xFF
    file.write_bytes(bytes(data))
    press(qtbot, window, "Library")
    page = window.folders.maintenance
    turn_to(window.folders.pages, page)
    press(qtbot, page, "Check index")
    qtbot.waitUntil(lambda: file.name in page.report.text(), timeout=PATIENCE_MS)
    press(qtbot, page, "Repair index")
    qtbot.waitUntil(lambda: "were repaired." in page.report.text(), timeout=PATIENCE_MS)
    assert ask(qtbot, window, "cereals in a silo")[0] == "grain"


def test_the_model_is_released_when_nothing_is_searched(qtbot: QtBot, window: MainWindow) -> None:
    library = window.session.library
    assert library is not None
    assert library.is_warm
    window.session.model_timer.setInterval(0)
    window.session.model_timer.start()
    qtbot.waitUntil(lambda: not library.is_warm, timeout=PATIENCE_MS)
    window.session.model_timer.setInterval(MODEL_KEPT_MS)
    assert ask(qtbot, window, "polishing a lamp")
    qtbot.waitUntil(lambda: library.is_warm, timeout=PATIENCE_MS)
