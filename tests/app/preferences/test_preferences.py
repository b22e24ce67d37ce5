"""Settings apply immediately; the cost of a new index is shown first, and it can be cancelled."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel

from app import texts
from app.main_window import MainWindow
from app.preferences import dialog as settings_dialog
from app.preferences.dialog import SettingsDialog
from app.preferences.pages import SettingsPage
from core.documents.sandbox import confinement
from core.indexing.build.index_settings import Way
from core.progress import Progress, Stage
from core.settings import (
    ENTRIES,
    IndexSize,
    LoadedSettings,
    Settings,
    load_settings,
    save_settings,
)
from core.throttle import BackgroundLoad
from tests.app.choosing_double import ChoosingDouble
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import press, turn_to

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "settings.json"


@pytest.fixture
def choosing(library: LibraryDouble) -> ChoosingDouble:
    return library.choosing


def show_settings(qtbot: QtBot, window: MainWindow) -> SettingsDialog:
    [action] = [one for one in window.findChildren(QAction) if one.text() == "Settings…"]
    action.trigger()
    dialog = window.preferences
    qtbot.waitUntil(lambda: dialog.index.device.count() == 3 and dialog.index.size_box.count() > 0)
    assert dialog.isVisible()
    return dialog


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, path: Path) -> SettingsDialog:
    save_settings(Settings(background_load=BackgroundLoad.FULL, recent_searches=("wheat",)), path)
    return show_settings(qtbot, window)


def choose(qtbot: QtBot, box: QComboBox, text: str) -> None:
    qtbot.keyClicks(box, text)
    box.activated.emit(box.currentIndex())


def label_text(dialog: SettingsDialog) -> str:
    return " ".join(one.text() for one in dialog.findChildren(QLabel) if one.isVisible())


def test_the_background_load_is_shown_and_chosen(
    qtbot: QtBot, opened: SettingsDialog, path: Path
) -> None:
    qtbot.waitUntil(
        lambda: opened.indexing.choices["background_load"].currentText() == "Full speed"
    )
    choose(qtbot, opened.indexing.choices["background_load"], "Pause")
    qtbot.waitUntil(lambda: load_settings(path).settings.background_load is BackgroundLoad.SAVING)
    # The others stay as they were.
    assert load_settings(path).settings.recent_searches == ("wheat",)


def test_settings_read_before_a_click_do_not_revert_it(
    qtbot: QtBot,
    window: MainWindow,
    opened: SettingsDialog,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_read, goes_on = threading.Event(), threading.Event()

    def read(path: Path) -> LoadedSettings:
        found = load_settings(path)
        is_read.set()
        assert goes_on.wait(60)
        return found

    monkeypatch.setattr(settings_dialog, "load_settings", read)
    opened.present()
    assert is_read.wait(60)
    switch = opened.indexing.switches["service"]
    shown: list[bool] = []
    switch.toggled.connect(shown.append)
    wanted = not switch.isChecked()
    switch.click()
    goes_on.set()
    qtbot.waitUntil(lambda: load_settings(path).settings.service is wanted)
    qtbot.waitUntil(lambda: not window.settings.is_running and not opened._loading.is_running)
    assert shown == [wanted]


def test_the_disk_space_of_published_libraries_is_shown_and_chosen(
    qtbot: QtBot, opened: SettingsDialog, path: Path
) -> None:
    turn_to(opened.pages, opened.advanced)
    box = opened.advanced.choices["libraries_cache_mb"]
    qtbot.waitUntil(lambda: box.currentText() == "Up to 10 GB")
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == "Up to 50 GB"
    qtbot.waitUntil(lambda: load_settings(path).settings.libraries_cache_mb == 50_000)
    assert "searched offline" in label_text(opened)


def test_a_cache_size_that_is_not_offered_is_shown(opened: SettingsDialog) -> None:
    box = opened.advanced.choices["libraries_cache_mb"]
    for size, text in ((3_000, "Up to 3,000 MB"), (77, "Up to 77 MB")):
        opened.advanced.show_settings(Settings(libraries_cache_mb=size))
        assert (box.currentText(), box.value) == (text, size)
        assert box.count() == 5
    opened.advanced.show_settings(Settings())
    assert box.currentText() == "Up to 10 GB"


def test_each_setting_is_on_exactly_one_page(opened: SettingsDialog) -> None:
    pages = [opened.appearance, opened.search, opened.indexing, opened.advanced]
    assert [opened.pages.tabText(place).replace("&", "") for place in range(4)] == [
        "Appearance",
        "Search",
        "Indexing",
        "Advanced",
    ]
    generated = [page for page in pages if isinstance(page, SettingsPage)]
    shown = sorted(name for page in generated for name in (*page.switches, *page.choices))
    assert shown == sorted(name for name, entry in ENTRIES.items() if entry.page is not None)
    for field in (opened.index.model, opened.index.size_box, opened.index.device):
        assert sum(page.isAncestorOf(field) for page in pages) == 1
    assert opened.search.isAncestorOf(opened.index.model)
    assert list(opened.appearance.choices) == ["theme", "text_percent", "language"]


def test_models_are_named_by_what_they_are_for(
    qtbot: QtBot, opened: SettingsDialog, path: Path
) -> None:
    turn_to(opened.pages, opened.search)
    box = opened.index.model
    assert [box.itemText(row) for row in range(box.count())] == ["minilm-128", "English, fast"]
    assert box.currentText() == "English, fast"
    assert "winnow-mini. Text in other languages" in label_text(opened)
    choose(qtbot, box, "mini")
    qtbot.waitUntil(opened.index.bar.apply.isVisible)
    # The bar is on every page, since a choice on one page needs a new index for all.
    turn_to(opened.pages, opened.appearance)
    assert opened.index.bar.apply.isVisible()
    # The model in use again needs nothing.
    turn_to(opened.pages, opened.search)
    box.setCurrentIndex(1)
    box.activated.emit(1)
    qtbot.waitUntil(lambda: not opened.index.bar.isVisible())
    assert load_settings(path).settings.model == ""


def test_each_choice_shows_its_size(qtbot: QtBot, opened: SettingsDialog) -> None:
    turn_to(opened.pages, opened.advanced)
    page = opened.index
    assert [page.size_box.itemText(row) for row in range(page.size_box.count())] == [
        "Little disk space · 10.0 MB",
        "Fast searches (recommended) · 40.0 MB",
        "Exact (for measurements) · 800.0 MB",
    ]
    assert "about 40.0 MB (14.4 bytes per token)" in label_text(opened)
    assert "Searches take less time and power than with the small index." in label_text(opened)
    assert "Searches by meaning alone are slightly less accurate." in label_text(opened)
    assert not page.bar.apply.isVisible()
    choose(qtbot, page.size_box, "Little disk space")
    qtbot.waitUntil(lambda: "about 10.0 MB (3.6 bytes per token)" in label_text(opened))
    assert "No measurable loss of search quality" in label_text(opened)
    assert "free disk space" not in label_text(opened)


def test_a_fast_index_without_room_is_explained(
    qtbot: QtBot, opened: SettingsDialog, choosing: ChoosingDouble
) -> None:
    choosing.lacks_room = True
    choosing.answering = Way("winnow-mini", IndexSize.SMALL)
    opened.present()
    turn_to(opened.pages, opened.advanced)
    sentence = "The fast index would take up too much of the free disk space."
    qtbot.waitUntil(lambda: sentence in label_text(opened))
    assert opened.index.size_box.currentText().startswith("Little disk space")
    assert not opened.index.bar.isVisible()


def test_the_cost_of_a_change_is_shown_before_it_is_applied(
    qtbot: QtBot,
    opened: SettingsDialog,
    path: Path,
    choosing: ChoosingDouble,
    library: LibraryDouble,
) -> None:
    turn_to(opened.pages, opened.advanced)
    syncs = library.syncs
    choose(qtbot, opened.index.size_box, "Exact")
    qtbot.waitUntil(lambda: "Estimating the time" in label_text(opened))
    assert "Search quality at this size has not been measured." in label_text(opened)
    choosing.measure_gate.set()
    qtbot.waitUntil(lambda: f"Re-encoding {texts.passages(1234)}" in label_text(opened))
    assert "takes about 12 min" in label_text(opened)
    assert choosing.measured == [{"index_size": IndexSize.EXACT}]
    assert load_settings(path).settings.index_size is IndexSize.FAST

    press(qtbot, opened, "Apply")
    qtbot.waitUntil(lambda: load_settings(path).settings.index_size is IndexSize.EXACT)
    qtbot.waitUntil(
        lambda: (
            "Building a new index: English, fast · Exact (for measurements)" in label_text(opened)
        )
    )
    qtbot.waitUntil(lambda: library.syncs > syncs)


def test_a_new_index_can_be_cancelled_until_it_is_complete(
    qtbot: QtBot, opened: SettingsDialog, path: Path, window: MainWindow
) -> None:
    save_settings(Settings(index_size=IndexSize.SMALL), path)
    opened.present()
    turn_to(opened.pages, opened.advanced)
    qtbot.waitUntil(lambda: opened.index.bar.cancel.isVisible())
    window.session.sync_progressed.emit(Progress(Stage.ENCODING, 3, 12))
    assert (opened.index.bar.progress.value(), opened.index.bar.progress.maximum()) == (3, 12)
    press(qtbot, opened, "Cancel rebuild")
    qtbot.waitUntil(lambda: load_settings(path).settings.index_size is IndexSize.FAST)
    qtbot.waitUntil(lambda: not opened.index.bar.cancel.isVisible())


def test_the_progress_disappears_when_the_index_is_complete(
    qtbot: QtBot, opened: SettingsDialog, path: Path, choosing: ChoosingDouble, window: MainWindow
) -> None:
    save_settings(Settings(index_size=IndexSize.SMALL), path)
    opened.present()
    turn_to(opened.pages, opened.advanced)
    qtbot.waitUntil(lambda: opened.index.bar.cancel.isVisible())
    choosing.answering = Way("winnow-mini", IndexSize.SMALL)
    window.session.sync()
    qtbot.waitUntil(lambda: not opened.index.bar.cancel.isVisible())


def test_a_pending_choice_can_be_reverted(
    qtbot: QtBot, opened: SettingsDialog, path: Path, choosing: ChoosingDouble
) -> None:
    turn_to(opened.pages, opened.advanced)
    choose(qtbot, opened.index.size_box, "Little disk space")
    qtbot.waitUntil(opened.index.bar.drop.isVisible)
    press(qtbot, opened, "Revert")
    qtbot.waitUntil(lambda: opened.index.size_box.currentText().startswith("Fast searches"))
    qtbot.waitUntil(lambda: choosing.cancelled == 1)
    assert not opened.index.bar.apply.isVisible()
    assert load_settings(path).settings.index_size is IndexSize.FAST


def test_only_the_supported_sizes_of_a_model_are_offered(
    qtbot: QtBot, opened: SettingsDialog, path: Path, choosing: ChoosingDouble
) -> None:
    choosing.measure_gate.set()
    turn_to(opened.pages, opened.advanced)
    assert opened.index.size_box.count() == 3
    turn_to(opened.pages, opened.search)
    choose(qtbot, opened.index.model, "mini")
    qtbot.waitUntil(lambda: opened.index.size_box.count() == 1)
    assert opened.index.size_box.currentText().startswith("Little disk space")
    turn_to(opened.pages, opened.advanced)
    assert "the loss may be greater with other models" in label_text(opened)
    press(qtbot, opened, "Apply")
    qtbot.waitUntil(lambda: load_settings(path).settings.model == "minilm-128")


def test_a_folder_without_a_model_is_refused_with_a_sentence(
    qtbot: QtBot, opened: SettingsDialog, path: Path, tmp_path: Path
) -> None:
    turn_to(opened.pages, opened.search)
    press(qtbot, opened, "Another model…")
    file_dialog = opened.findChild(QFileDialog)
    file_dialog.fileSelected.emit(str(tmp_path))
    file_dialog.reject()
    qtbot.waitUntil(lambda: opened.notice.isVisible())
    assert str(tmp_path) in opened.notice.accessibleName()
    qtbot.waitUntil(lambda: opened.index.model.currentText() == "English, fast")
    assert load_settings(path).settings.model == ""


def test_a_device_applies_immediately_or_shows_an_error(
    qtbot: QtBot, opened: SettingsDialog, path: Path
) -> None:
    turn_to(opened.pages, opened.advanced)
    device = opened.index.device
    names = [device.itemText(row) for row in range(device.count())]
    assert names[1:] == [
        "OpenVINO, CPU · Some Processor",
        "Torch, GPU (CUDA) · Some Card",
    ]
    choose(qtbot, device, "Open")
    qtbot.waitUntil(lambda: load_settings(path).settings.device == "openvino:CPU")
    device.setCurrentIndex(2)
    device.activated.emit(2)
    qtbot.waitUntil(lambda: opened.notice.isVisible())
    assert "cannot run the model on cuda" in opened.notice.accessibleName()
    qtbot.waitUntil(lambda: device.currentText().startswith("OpenVINO"))
    assert load_settings(path).settings.device == "openvino:CPU"


@pytest.mark.parametrize("is_installed", [True, False])
def test_text_recognition_is_offered_where_it_is_installed(
    qtbot: QtBot,
    opened: SettingsDialog,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_installed: bool,
) -> None:
    monkeypatch.setattr("core.documents.pages.recognition.is_installed", lambda: is_installed)
    opened.present()
    turn_to(opened.pages, opened.indexing)
    ocr = opened.indexing.switches["ocr"]
    qtbot.waitUntil(lambda: ocr.isEnabled() is is_installed)
    assert "no language to choose" in label_text(opened)
    if is_installed:
        qtbot.mouseClick(ocr, Qt.MouseButton.LeftButton, pos=QPoint(9, ocr.height() // 2))
        qtbot.waitUntil(lambda: load_settings(path).settings.ocr)
    else:
        assert "pip install" in label_text(opened)


def test_settings_that_cannot_be_written_show_an_error(
    qtbot: QtBot, opened: SettingsDialog, path: Path
) -> None:
    path.unlink()
    path.mkdir()
    choose(qtbot, opened.indexing.choices["background_load"], "Slower")
    qtbot.waitUntil(lambda: opened.notice.isVisible())
    assert "settings.json cannot be read" in opened.notice.accessibleName()


def test_settings_are_written_before_the_library_is_open(
    qtbot: QtBot, make_window: MakeWindow, path: Path
) -> None:
    def refuse() -> object:
        raise PermissionError("no library")

    window = make_window(refuse)
    window.preferences.present()
    choose(qtbot, window.preferences.indexing.choices["background_load"], "Pause")
    qtbot.waitUntil(lambda: load_settings(path).settings.background_load is BackgroundLoad.SAVING)
    assert not window.preferences.index.is_enabled


def test_the_settings_describe_the_sandbox(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confinement, "available", lambda: ("Landlock 5", "seccomp"))
    monkeypatch.setattr(confinement, "is_confined", lambda: True)
    dialog = show_settings(qtbot, window)
    turn_to(dialog.pages, dialog.advanced)
    sentence = "Documents are read in sandboxed processes: Landlock 5, seccomp."
    qtbot.waitUntil(lambda: sentence in label_text(dialog))


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.label])
def test_each_switch_follows_from_its_entry_alone(
    window: MainWindow, opened: SettingsDialog, name: str
) -> None:
    heard: list[tuple[str, bool]] = []
    window.settings.chosen.connect(lambda chosen, value: heard.append((chosen, value)))
    [page] = [one for one in opened.findChildren(SettingsPage) if name in one.switches]
    switch = page.switches[name]
    assert switch.text() == ENTRIES[name].label
    switch.setEnabled(True)
    switch.click()
    assert heard == [(name, switch.isChecked())]


def test_a_subscriber_to_a_setting_gets_its_first_value_and_each_later_one(
    window: MainWindow, opened: SettingsDialog
) -> None:
    stays: list[bool] = []
    languages: list[str] = []
    initial = Settings(tray=True, language="de")
    window.settings.subscribe("tray", initial, stays.append)
    window.settings.subscribe("language", initial, languages.append)
    assert (stays, languages) == ([True], ["de"])
    switch = opened.appearance.switches["tray"]
    switch.setEnabled(True)
    switch.click()
    switch.click()
    assert stays == [True, True, False]
    assert languages == ["de"]


def test_the_dialog_is_built_on_first_use_and_shows_a_pending_change(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    assert window.findChildren(SettingsDialog) == []
    wanted = not load_settings(path).settings.service
    window.settings.choose("service", wanted)
    window.preferences.present()
    switch = window.preferences.indexing.switches["service"]
    qtbot.waitUntil(lambda: not window.settings.is_running)
    qtbot.waitUntil(lambda: switch.isChecked() is wanted)
    assert load_settings(path).settings.service is wanted
