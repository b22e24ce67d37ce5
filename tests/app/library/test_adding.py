"""The preview and the rules of a folder before it is added."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QStandardPaths, Qt
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLineEdit, QPushButton, QSpinBox

from app.library import adding
from app.library.rules import RulesForm, rule_text
from app.main_window import MainWindow
from core.catalog.documents import Failure
from core.catalog.files.folders import NO_RULES, FolderRules
from core.catalog.reports import Kind, Preview, SampledFile
from core.files.excluded_names import Rule
from core.settings import load_settings
from tests.app.library_double import LibraryDouble
from tests.app.person import page_of, press

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def preview_of(folder: Path, rules: FolderRules) -> Preview:
    drafts = 0 if "drafts/" in rules.exclude else 3
    left_out = {Rule.HIDDEN: 2, Rule.EXCLUDED: 3 - drafts}
    return Preview(
        folder=folder,
        files=120 + drafts,
        size_bytes=52_300_000,
        kinds=(Kind("PDF", 120, 52_000_000), Kind("Plain text", drafts, 300_000)),
        excluded={rule: count for rule, count in left_out.items() if count},
        closed=(Failure(folder / "locked", "may not be read"),),
        waiting=100,
        waiting_bytes=50_000_000,
        reading_s=42.0,
        encoding_s=754.0,
        index_bytes=19_000_000,
    )


@pytest.fixture
def dropped_folder(window: MainWindow, library: LibraryDouble, tmp_path: Path) -> Path:
    """A dropped folder whose preview is open."""
    library.preview_of = preview_of
    new = tmp_path / "new"
    new.mkdir()
    window.adding.add([new])
    return new


def test_the_preview_shows_files_bytes_and_time(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, dropped_folder: Path
) -> None:
    page = page_of(qtbot, window, dropped_folder)
    assert page.summary.text() == (
        "123 files · 52.3 MB · 100 files to index\n"
        "Searchable by words in about 40 s, by meaning about 13 min later. "
        "The index takes up about 19.0 MB."
    )
    assert page.lines() == [
        ("PDF", "120", "52.0 MB"),
        ("Plain text", "3", "300 kB"),
        ("Hidden files and folders", "2"),
        ("may not be read", "locked"),
    ]
    assert len(library.list_of_folders) == 1
    press(qtbot, page, "Cancel")
    assert window.adding.page is None
    assert len(library.list_of_folders) == 1


def test_the_estimates_follow_the_text_of_some_files(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    library.preview_of = lambda *about: replace(preview_of(*about), has_recognition=True)
    library.scale_of_text = 0.1
    (tmp_path / "new").mkdir()
    window.adding.add([tmp_path / "new"])
    page = page_of(qtbot, window, tmp_path / "new")
    assert page.summary.text().endswith(
        "Searchable by words in about 40 s, by meaning about 1 min later. "
        "The index takes up about 1.9 MB. "
        "Recognising text in pictures and scans takes longer and adds to it."
    )
    press(qtbot, page, "Cancel")


def test_adding_begins_with_the_usual_folders_that_exist(
    qtbot: QtBot,
    window: MainWindow,
    library: LibraryDouble,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = tmp_path / "person"
    usual = {
        QStandardPaths.StandardLocation.DocumentsLocation: home / "Documents",
        QStandardPaths.StandardLocation.DesktopLocation: home,
        QStandardPaths.StandardLocation.DownloadLocation: home / "Downloads",
    }
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda place: str(usual[place]))
    (home / "Documents").mkdir(parents=True)
    library.preview_of = preview_of
    window.adding.ask()
    page = window.adding.page
    assert page is not None
    names = [one.text().replace("&", "") for one in page.findChildren(QPushButton)]
    assert names[:2] == ["Documents", "Another folder…"], "no desktop apart from the home folder"
    [go] = [one for one in page.findChildren(QPushButton) if one.text() == "Add"]
    assert not go.isEnabled()
    page.accept()
    assert page.isVisible(), "nothing was chosen"

    press(qtbot, page, "Documents")
    qtbot.waitUntil(lambda: not page.is_looking)
    assert page.summary.text().startswith("123 files")
    go.click()
    qtbot.waitUntil(lambda: library.list_of_folders[-1].path == home / "Documents")


def test_adding_asks_for_a_folder_where_there_are_no_usual_ones(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "standard_folders", list)
    window.adding.ask()
    dialog = window.findChild(QFileDialog)
    assert dialog.isVisible()
    dialog.reject()


def test_typed_rules_are_previewed_and_applied(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, dropped_folder: Path
) -> None:
    page = page_of(qtbot, window, dropped_folder)
    assert not page.findChild(RulesForm).isVisible()
    page.options.click()
    assert page.findChild(RulesForm).isVisible()
    _description, exclude, only = page.findChildren(QLineEdit)[:3]
    qtbot.keyClicks(exclude, 'drafts/ "old letters/"')
    page.findChild(QSpinBox).setValue(20)
    gitignore = page.findChild(RulesForm).findChild(QCheckBox)
    qtbot.mouseClick(gitignore, Qt.MouseButton.LeftButton, pos=QPoint(9, gitignore.height() // 2))
    qtbot.waitUntil(lambda: not page.is_looking)
    assert ("Excluded by your patterns", "3") in page.lines()
    assert only.text() == ""
    # Not once per key.
    assert len(library.previewed) <= 4

    press(qtbot, page, "Add")
    wanted = FolderRules(("drafts/", "old letters/"), (), 20_000_000, respects_gitignore=False)
    qtbot.waitUntil(lambda: [folder.rules for folder in library.list_of_folders[1:]] == [wanted])


def test_the_rules_of_a_folder_can_be_changed(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.preview_of = preview_of
    press(qtbot, window, "Library")
    pages = window.folders.folders
    qtbot.waitUntil(lambda: len(pages.lines) == 1)
    folder = library.list_of_folders[0].path
    press(qtbot, pages, "Edit rules…")
    page = page_of(qtbot, window, folder)
    qtbot.keyClicks(page.findChildren(QLineEdit)[2], "*.pdf")
    qtbot.waitUntil(lambda: not page.is_looking)
    press(qtbot, page, "Apply")
    qtbot.waitUntil(lambda: library.list_of_folders[0].rules == FolderRules(only=("*.pdf",)))
    qtbot.waitUntil(lambda: "custom rules" in pages.lines[0][0])

    press(qtbot, pages, "Edit rules…")
    page = page_of(qtbot, window, folder)
    assert page.findChildren(QLineEdit)[2].text() == "*.pdf"
    press(qtbot, page, "Cancel")


def test_the_description_of_a_folder_is_stored_and_shown(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, dropped_folder: Path
) -> None:
    page = page_of(qtbot, window, dropped_folder)
    qtbot.waitUntil(lambda: not page.is_looking)
    previews = len(library.previewed)
    page.options.click()
    qtbot.keyClicks(page.findChildren(QLineEdit)[0], "tax papers since 2019")
    # It does not affect which files are read.
    assert not page.is_looking
    press(qtbot, page, "Add")
    qtbot.waitUntil(lambda: len(library.list_of_folders) == 2)
    qtbot.waitUntil(lambda: library.list_of_folders[1].description == "tax papers since 2019")
    assert len(library.previewed) == previews

    press(qtbot, window, "Library")
    pages = window.folders.folders
    qtbot.waitUntil(lambda: len(pages.lines) == 2)
    row = next(row for row in range(2) if pages.model.folder(row).path == dropped_folder)
    hint = pages.model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert hint.splitlines() == [str(dropped_folder), "tax papers since 2019"]
    pages.view.selectRow(row)
    press(qtbot, pages, "Edit rules…")
    page = page_of(qtbot, window, dropped_folder)
    field = page.findChildren(QLineEdit)[0]
    assert field.text() == "tax papers since 2019"
    field.clear()
    press(qtbot, page, "Apply")
    qtbot.waitUntil(lambda: [one.description for one in library.list_of_folders] == ["", ""])


def test_a_folder_that_cannot_be_added_shows_an_error(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    nowhere = tmp_path / "nowhere"
    window.adding.add([nowhere])
    page = page_of(qtbot, window, nowhere)
    assert "nowhere is not a folder" in page.notice.accessibleName()
    [go] = [button for button in page.findChildren(QPushButton) if button.text() == "Add"]
    assert not go.isEnabled()
    press(qtbot, page, "Cancel")


@pytest.mark.parametrize(
    "rules",
    [
        NO_RULES,
        FolderRules(exclude=("*.bak", "old letters/", "!important.bak"), only=("*.pdf",)),
        FolderRules(largest_bytes=5_000_000, respects_gitignore=False),
    ],
)
def test_the_form_returns_the_rules_it_was_set_to(qtbot: QtBot, rules: FolderRules) -> None:
    form = RulesForm()
    qtbot.addWidget(form)
    form.set_rules(rules)
    assert form.rules() == rules


def test_every_rule_has_a_name() -> None:
    assert len({rule_text(rule) for rule in Rule}) == len(Rule)


@pytest.mark.parametrize(("share", "is_preselected"), [(0.3, False), (0.9, True)])
def test_the_multilingual_model_is_offered_for_files_in_other_languages(
    qtbot: QtBot,
    window: MainWindow,
    library: LibraryDouble,
    tmp_path: Path,
    share: float,
    is_preselected: bool,
) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    library.share_of_files = share
    library.preview_of = lambda folder, rules: replace(
        preview_of(folder, rules), sample=(SampledFile(folder / "brief.txt", 1000, 1),)
    )
    window.adding.add([folder])
    page = page_of(qtbot, window, folder)
    assert page.multilingual.isVisible()
    assert page.multilingual.isChecked() is is_preselected
    assert f"{share:.0%} of the text" in page.multilingual.text()
    # The size and the time are those of the model that is ticked.
    expected = "winnow-mini-multi" if is_preselected else ""
    qtbot.waitUntil(lambda: library.previewed_models[-1] == expected)
    press(qtbot, page, "Add")
    qtbot.waitUntil(lambda: len(library.list_of_folders) == 2)
    settings = load_settings(library.home / "settings.json").settings
    assert settings.model == ("winnow-mini-multi" if is_preselected else "")


def test_no_model_is_offered_for_english_files(
    qtbot: QtBot, window: MainWindow, dropped_folder: Path
) -> None:
    page = page_of(qtbot, window, dropped_folder)
    assert page.multilingual.isHidden()
