"""What a person chooses is written at once, and shown as it is in the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QLabel

from app.main_window import MainWindow
from app.preferences.dialog import SettingsDialog
from core.manners import Manners
from core.settings import Settings, load_settings, save_settings
from tests.app.person import press

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "settings.json"


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, path: Path) -> SettingsDialog:
    save_settings(Settings(manners=Manners.FULL, recent_searches=("wheat",)), path)
    [action] = [one for one in window.findChildren(QAction) if one.text() == "Settings…"]
    action.trigger()
    dialog = window.preferences
    qtbot.waitUntil(lambda: dialog.findChildren(QComboBox)[1].count() > 1)
    assert dialog.isVisible()
    return dialog


def choose(qtbot: QtBot, box: QComboBox, text: str) -> None:
    qtbot.keyClicks(box, text)
    box.activated.emit(box.currentIndex())


def test_manners_are_shown_and_chosen(qtbot: QtBot, opened: SettingsDialog, path: Path) -> None:
    manners = opened.findChildren(QComboBox)[0]
    assert manners.currentText() == "As fast as it can"
    choose(qtbot, manners, "Not")
    qtbot.waitUntil(lambda: load_settings(path).settings.manners is Manners.SAVING)
    # The others stay as they were.
    assert load_settings(path).settings.recent_searches == ("wheat",)


def test_a_model_is_chosen_by_its_name(qtbot: QtBot, opened: SettingsDialog, path: Path) -> None:
    models = opened.findChildren(QComboBox)[1]
    assert models.currentText() == "The library’s own"
    choose(qtbot, models, "winnow")
    qtbot.waitUntil(lambda: load_settings(path).settings.model == "winnow-mini")


def test_a_folder_without_a_model_is_refused_with_a_sentence(
    qtbot: QtBot, opened: SettingsDialog, path: Path, tmp_path: Path
) -> None:
    press(qtbot, opened, "Another model…")
    asked = opened.findChild(QFileDialog)
    asked.fileSelected.emit(str(tmp_path))
    asked.reject()
    qtbot.waitUntil(lambda: opened.notice.isVisible())
    assert str(tmp_path) in opened.notice.accessibleName()
    assert load_settings(path).settings.model == ""


def test_a_models_folder_is_taken_and_shown(
    qtbot: QtBot, opened: SettingsDialog, path: Path
) -> None:
    from core.paths import RESOURCES

    folder = str(RESOURCES / "models" / "winnow-mini")
    press(qtbot, opened, "Another model…")
    asked = opened.findChild(QFileDialog)
    asked.fileSelected.emit(folder)
    asked.reject()
    qtbot.waitUntil(lambda: load_settings(path).settings.model == folder)
    models = opened.findChildren(QComboBox)[1]
    qtbot.waitUntil(lambda: models.currentText() == folder)


@pytest.mark.parametrize("is_installed", [True, False])
def test_text_recognition_is_offered_where_it_is_installed(
    qtbot: QtBot,
    opened: SettingsDialog,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_installed: bool,
) -> None:
    monkeypatch.setattr("core.documents.pages.recognition.is_installed", lambda: is_installed)
    opened.open_anew()
    ocr = opened.findChild(QCheckBox)
    qtbot.waitUntil(lambda: ocr.isEnabled() is is_installed)
    if is_installed:
        qtbot.mouseClick(ocr, Qt.MouseButton.LeftButton, pos=QPoint(9, ocr.height() // 2))
        qtbot.waitUntil(lambda: load_settings(path).settings.ocr)
    else:
        told = [label.text() for label in opened.findChildren(QLabel)]
        assert any("pip install" in text for text in told)


def test_what_cannot_be_written_is_said(qtbot: QtBot, opened: SettingsDialog, path: Path) -> None:
    path.unlink()
    path.mkdir()
    choose(qtbot, opened.findChildren(QComboBox)[0], "Slower")
    qtbot.waitUntil(lambda: opened.notice.isVisible())
    assert "cannot be written" in opened.notice.accessibleName()
