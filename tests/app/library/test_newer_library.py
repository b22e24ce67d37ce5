"""A window whose library cannot be opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton

from app.session import open_library
from core.catalog.schema import VERSION
from core.library.library import Library

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.app.conftest import MakeWindow
    from tests.app.library_double import LibraryDouble


def test_a_newer_library_is_reported_and_opened_once_possible(
    qtbot: QtBot, make_window: MakeWindow, home: Path, library: LibraryDouble
) -> None:
    with Library.open(home) as written:
        written._catalog.connection().execute(f"PRAGMA user_version = {VERSION + 1}")
    # The second attempt is made by the newest version.
    openings = [lambda: open_library(home), lambda: library]
    window = make_window(lambda: openings.pop(0)())
    sentence = (
        f"The library in {home} was created by a newer version of Winnow. Update Winnow to open it."
    )
    qtbot.waitUntil(lambda: window.main_view.empty.sentence == sentence)
    assert window.main_view.empty.headline == "The library cannot be opened"
    assert window.trouble.notice is None
    (again,) = [one for one in window.main_view.empty.findChildren(QPushButton) if one.isVisible()]
    again.click()
    qtbot.waitUntil(lambda: window.main_view.empty.headline.endswith("ready to search"))


def test_a_damaged_library_is_rebuilt_on_request(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path, library: LibraryDouble
) -> None:
    home = tmp_path / "home"  # where the window has its settings
    home.mkdir(exist_ok=True)
    (home / "catalog.sqlite").write_bytes(b"This is no catalog. " * 50)
    openings = [lambda: open_library(home), lambda: library]
    window = make_window(lambda: openings.pop(0)())
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "The library is damaged")
    assert "Your files are not affected" in window.main_view.empty.sentence
    assert "file is not a database" in window.main_view.empty.toolTip()
    (button,) = [one for one in window.main_view.empty.findChildren(QPushButton) if one.isVisible()]
    assert button.text() == "Rebuild library"
    button.click()
    qtbot.waitUntil(lambda: window.main_view.empty.headline.endswith("ready to search"))
    assert (home / "catalog.sqlite.bad").read_bytes().startswith(b"This is no catalog.")
    with Library.open(home) as new_library:
        assert new_library.status().documents == 0
