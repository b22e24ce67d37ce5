"""The window with a real library: folders on disk, the model, rendered pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.main_window import MainWindow
from app.search.rows import PassageRow
from app.session import open_library
from app.theme import ThemeSwitch
from core.settings import LoadedSettings, Settings
from tests.app.reader.shown_pages import drawing_of, highlight_boxes
from tests.waiting import patience
from tools.tour.pdf import pdf

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

# The first run on a machine converts the model.
PATIENCE_MS = round(patience() * 1000)

PDF = "lighthouse.pdf"
PDF_LINE = "The lighthouse keeper polishes his lamp."
TEXTS = {
    "grain.md": "# Storing grain\n\nWheat keeps for years in a dry silo.\n",
    "oats.txt": "Porridge needs salt.\n",
    "broken.pdf": "This is no PDF.",
}


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSwitch, home: Path, tmp_path: Path) -> Iterator[MainWindow]:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / PDF).write_bytes(pdf([f"# {PDF_LINE}"]))
    opened_window = MainWindow(
        lambda: open_library(home),
        LoadedSettings(Settings()),
        home / "settings.json",
        theme,
        [folder],
    )
    opened_window.show()
    opened_window.start()
    yield opened_window
    with qtbot.waitSignal(opened_window.closed, timeout=PATIENCE_MS):
        opened_window.close()
    opened_window.deleteLater()


def rows(window: MainWindow) -> list[PassageRow]:
    answer = window.main_view.results.answer
    assert answer is not None
    return list(answer.rows)


def test_a_folder_is_read_searched_by_meaning_and_shown(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.session.synced, timeout=PATIENCE_MS) as synced:
        pass
    assert synced.args[0].documents == 3
    page = window.folders.folders
    qtbot.waitUntil(lambda: [line[:2] for line in page.lines] == [("1 unreadable", "3")])

    reader = window.main_view.reader
    window.box.type_on("how long can cereals be stored?")
    qtbot.waitUntil(lambda: "dry silo" in reader.view.text.toPlainText(), timeout=PATIENCE_MS)
    # On a busy machine the first response is by words only.
    chips = ["how", "long", "can", "cereals", "be", "stored"]
    qtbot.waitUntil(
        lambda: [chip.text for chip in window.chips.chips] == chips, timeout=PATIENCE_MS
    )
    text = reader.view.text.toPlainText()
    assert "Wheat" in {
        text[highlight.start : highlight.end] for highlight in reader.view.text.highlights
    }
    qtbot.waitUntil(lambda: all(row.is_exact for row in rows(window)), timeout=PATIENCE_MS)
    assert "Wheat" in {
        text[highlight.start : highlight.end] for highlight in reader.view.text.highlights
    }

    window.box.clear()
    window.box.type_on("lighthouse lamp")
    qtbot.waitUntil(
        lambda: reader.view.pages.isVisible() and drawing_of(reader.view.pages) is not None,
        timeout=PATIENCE_MS,
    )
    drawing = drawing_of(reader.view.pages)
    assert drawing is not None
    highlight = {highlight.word: boxes for highlight, boxes in highlight_boxes(reader.view.pages)}
    assert highlight[0][0].right < highlight[1][0].left, "lighthouse stands before lamp"
    assert len(drawing.boxes) > len(highlight), "the passage is marked too"


def test_a_document_changed_while_it_is_read_is_shown_as_it_is_now(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.session.synced, timeout=PATIENCE_MS):
        pass
    reader = window.main_view.reader
    window.box.type_on("wheat silo")
    qtbot.waitUntil(lambda: "dry silo" in reader.view.text.toPlainText(), timeout=PATIENCE_MS)

    text = "# Storing grain\n\nNot as before: wheat keeps for a year in a silo that is damp.\n"
    (tmp_path / "documents" / "grain.md").write_text(text, encoding="utf-8")
    window.session.sync()
    qtbot.waitUntil(lambda: "damp" in reader.view.text.toPlainText(), timeout=PATIENCE_MS)
    shown = reader.view.text.toPlainText()
    qtbot.waitUntil(
        lambda: (
            {"wheat", "silo"}
            <= {shown[highlight.start : highlight.end] for highlight in reader.view.text.highlights}
        ),
        timeout=PATIENCE_MS,
    )
