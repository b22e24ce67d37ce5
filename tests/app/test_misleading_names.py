"""Names and texts with HTML, direction marks and control characters are shown literally."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from app import texts
from app.errors import notice_of
from app.library.files_page import FilesModel
from app.main_window import MainWindow
from app.widgets.controls import Label
from core.catalog.documents import DocumentState, NamedDocument
from core.catalog.files.file_lists import FileGroup, ListedFile
from core.errors import FolderError
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import search

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

NAME = "<b>rooks<img src=x.png>\u202efdp&.exe\x1b[31m\n"
SHOWN = r"<b>rooks<img src=x.png>\u202efdp&.exe\x1b[31m\n"
_RAW = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no such names there")


def texts_of(widget: QWidget) -> Iterator[str]:
    """Yield all texts of a widget and its children, also those for screen readers."""
    for one in (widget, *widget.findChildren(QWidget)):
        yield from (one.toolTip(), one.accessibleName(), one.accessibleDescription())
        if isinstance(one, (QLabel, QAbstractButton)):
            yield one.text()


def texts_of_model(model: QAbstractItemModel) -> Iterator[str]:
    """Yield all texts of the rows of a list."""
    for row in range(model.rowCount()):
        yield from (str(model.index(row, 0).data(role) or "") for role in _ROLES)


@pytest.fixture
def rooks(library: LibraryDouble, tmp_path: Path) -> Book:
    """Add a document with a misleading name and title, and a file with such a name."""
    (tmp_path / NAME).mkdir()
    path = tmp_path / NAME / f"{NAME}.md"
    path.write_text("x", encoding="utf-8")
    book = Book(path, NAME, [["Rooks nest in colonies."]], author=NAME)
    library.books.append(book)
    library.named = (NamedDocument(9, path.with_suffix(".txt"), NAME, DocumentState.FAILED, NAME),)
    return book


def test_the_window_shows_names_literally(qtbot: QtBot, rooks: Book, window: MainWindow) -> None:
    search(qtbot, window, "rooks")
    qtbot.waitUntil(lambda: window.main_view.reader.isVisible())
    found_texts = [*texts_of(window), *texts_of_model(window.main_view.results.model())]
    assert not [text for text in found_texts if _RAW.search(text)]
    assert any(SHOWN[:-2] in text for text in texts_of_model(window.main_view.results.model()))
    for label in window.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText or "<" not in label.text()


def test_no_tooltip_is_interpreted_as_html(qtbot: QtBot, rooks: Book, window: MainWindow) -> None:
    search(qtbot, window, "rooks")
    qtbot.waitUntil(lambda: window.main_view.reader.isVisible())
    found_texts = [one.toolTip() for one in window.findChildren(QWidget)]
    found_texts += [
        str(window.main_view.results.model().index(row, 0).data(Qt.ItemDataRole.ToolTipRole) or "")
        for row in range(window.main_view.results.model().rowCount())
    ]
    named = [text for text in found_texts if "img" in text]
    assert len(named) >= 3
    for text in named:
        assert "<b>" not in text
        assert "<img" not in text
        assert "&lt;b&gt;rooks&lt;img src=x.png&gt;" in text


def test_unreadable_files_are_listed_by_name(qapp: QApplication) -> None:
    model = FilesModel()
    model.show_groups((FileGroup("Damaged", 1, (ListedFile(Path("/docs") / NAME),)),))
    name, hint = (model.index(1, 0).data(role) for role in _ROLES[:2])
    assert name.strip().endswith(SHOWN)
    assert "<img" not in hint
    assert not _RAW.search(hint)


def test_a_name_in_a_sentence_is_shown_literally() -> None:
    assert notice_of(FolderError(f"There is no folder {NAME}.")).text == (
        f"There is no folder {SHOWN}."
    )


def test_paths_and_tooltips_are_shown_literally() -> None:
    assert texts.shown_path(Path("/docs") / NAME) == f"/docs/{SHOWN}"
    assert texts.name_of(Path("/docs") / NAME) == SHOWN
    assert texts.hint("plain & simple") == "plain & simple"
    assert texts.hint("a <b>") == '<span style="white-space: pre-wrap">a &lt;b&gt;</span>'


def test_labels_are_plain(qtbot: QtBot) -> None:
    label = Label("<b>rooks</b>")
    qtbot.addWidget(label)
    plain = QLabel()
    qtbot.addWidget(plain)
    plain.setTextFormat(Qt.TextFormat.PlainText)
    plain.setText("<b>rooks</b>")
    assert label.sizeHint() == plain.sizeHint()


def test_all_labels_are_plain_text() -> None:
    """QLabel guesses whether a text is HTML; `Label` does not, so all labels are made by it."""
    app = Path(__file__).resolve().parents[2] / "app"
    own = {"label.py", "elided.py", "drop_place.py"}
    makers = [
        str(path.relative_to(app))
        for path in app.rglob("*.py")
        if path.name not in own and re.search(r"\bQLabel\(", path.read_text(encoding="utf-8"))
    ]
    assert makers == []
