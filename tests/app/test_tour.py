"""The tour on the library in memory: it completes, or reports where it failed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QDialog, QLabel

from app.session import open_library
from app.theme import ThemeSwitch
from core.catalog.reports import Preview
from core.encoders.encoder import Encoder
from core.errors import LibraryDamagedError
from core.library.library import Library
from tests.app.library_double import Book, LibraryDouble
from tools.tour.folder import make_folder
from tools.tour.gallery import write_gallery
from tools.tour.other_libraries import other_libraries
from tools.tour.person import FRONT, READER, Person, TourError
from tools.tour.pictures import SCREENS, refresh
from tools.tour.walk import KINDS, Walk

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

SUFFIXES = {"pdf": "pdf", "mail": "eml", "sheet": "xlsx", "text": "txt", "code": "py"}


@pytest.fixture
def tour(library: LibraryDouble, theme: ThemeSwitch, tmp_path: Path) -> Walk:
    library.books.extend(
        Book(library.home / f"{kind}.{suffix}", kind, [[f"Dry wheat as {kind}."]])
        for kind, suffix in SUFFIXES.items()
    )
    library.choosing.measure_gate.set()

    def open_library(home: Path) -> Library:
        if home.name == "damaged":
            raise LibraryDamagedError("It is damaged.")
        return library

    return Walk(open_library, theme, tmp_path / "pictures", (1240, 800))


def test_the_tour_begins_with_an_empty_library(
    qtbot: QtBot, tour: Walk, library: LibraryDouble, tmp_path: Path
) -> None:
    library.list_of_folders.clear()
    library.preview_of = lambda folder, _: Preview(folder, 1, 9, (), {}, (), 1, 9, 1.0, 1.0)
    folder = tmp_path / "papers"
    folder.mkdir()
    tour.index_folder(tmp_path / "home", folder, is_complete=True)
    first_screens = ["01-start", "02-empty", "03-add-folder", "04-indexing", "05-ready"]
    assert tour.screens == first_screens
    assert [one.path for one in library.list_of_folders] == [folder]


def test_the_tour_reaches_every_screen(
    qtbot: QtBot, tour: Walk, library: LibraryDouble, tmp_path: Path
) -> None:
    tour.visit_screens(tmp_path / "home", "wheat dry", is_own=False)
    tour.show_open_error(tmp_path / "damaged")
    wanted = {f"20-reader-{kind}" for kind in KINDS if kind in SUFFIXES} | {
        "10-results", "14-filtered", "17-help", "30-inspector", "32-teaching", "40-settings",
        "41-library", "50-narrow", "51-narrow-filters", "60-nothing-found", "62-unexpected",
        "63-no-library",
    }  # fmt: skip
    assert wanted <= set(tour.screens)
    for name in tour.screens:
        picture = QImage(str(tmp_path / "pictures" / f"{name}.png"))
        assert picture.width() >= (560 if "narrow" in name else 1240)
        assert picture.height() >= 800
        assert int(picture.text(FRONT).split()[2]) <= picture.width()
        if name == "10-results":
            assert picture.text(FRONT) == f"0 0 {picture.width()} {picture.height()}"
            assert 300 < int(picture.text(READER).split()[2]) < picture.width()


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.slow
def test_the_tour_visits_other_libraries(
    qtbot: QtBot,
    theme: ThemeSwitch,
    encoder: Encoder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    monkeypatch.setattr(
        "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
    )
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "hive.txt").write_text("The bees of our hive survive each winter.")
    with Library.open(tmp_path / "home") as library:
        library.add_folder(tmp_path / "own")
        library.sync()
    tour = Walk(open_library, theme, tmp_path / "pictures", (1240, 800))
    with other_libraries(tmp_path / "team") as others:
        tour.visit_other_libraries(tmp_path / "home", "how do bees survive the winter", others)
    assert tour.screens[1:3] == ["71-add-library", "72-add-server"]
    assert tour.screens[-2:] == ["75-token-revoked", "76-other-libraries-refused"]
    for name in tour.screens:
        assert (tmp_path / "pictures" / f"{name}.png").exists()


def test_a_dialog_is_in_front_of_its_parent(qtbot: QtBot, tmp_path: Path) -> None:
    window = QLabel("Rook")
    qtbot.addWidget(window)
    first = QDialog(window)
    second = QDialog(first)
    second.show()
    first.show()
    window.show()
    first.resize(300, 200)
    second.resize(100, 80)
    person = Person(window, tmp_path)
    person.shoot("rook")
    front = QImage(str(tmp_path / "rook.png")).text(FRONT).split()
    assert front[2:] == [str(second.width()), str(second.height())]


def test_an_unreachable_screen_ends_the_tour_with_a_sentence(
    qtbot: QtBot, tour: Walk, library: LibraryDouble, tmp_path: Path
) -> None:
    library.books.clear()
    with pytest.raises(TourError, match="Nothing is found for 'wheat'"):
        tour.visit_screens(tmp_path / "home", "wheat", is_own=True)


def test_a_hidden_control_cannot_be_clicked(qtbot: QtBot, tmp_path: Path) -> None:
    label = QLabel("Rook")
    qtbot.addWidget(label)
    with pytest.raises(TourError, match="There is no feather to click"):
        Person(label, tmp_path).click(label, "feather")


def test_the_album_shows_each_screen_in_each_variant(tmp_path: Path) -> None:
    for name in ("light/01-start", "dark/01-start", "dark/02-empty"):
        path = tmp_path / f"{name}.png"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    page = write_gallery(tmp_path).read_text(encoding="utf-8")
    assert page.count("<img") == 3
    assert 'src="dark/02-empty.png"' in page


def test_the_pictures_for_the_guide_are_cropped_and_have_few_colours(tmp_path: Path) -> None:
    drawn = QImage(60, 80, QImage.Format.Format_RGB32)
    for x in range(60):
        for y in range(80):
            drawn.setPixelColor(x, y, QColor(4 * x, 6 * y, 0) if y < 12 else QColor("#f5f6f8"))
    drawn.setPixelColor(12, 8, QColor("blue"))
    drawn.setText(FRONT, "10 5 30 20")
    drawn.setText(READER, "10 5 30 70")
    for screen, _ in SCREENS.values():
        path = tmp_path / "taken" / f"{screen}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        assert drawn.save(str(path))
    size_bytes = refresh(tmp_path / "taken", tmp_path)
    images = {path.stem: QImage(str(path)) for path in tmp_path.glob("*.png")}
    assert set(images) == set(SCREENS)
    assert size_bytes == sum(path.stat().st_size for path in tmp_path.glob("*.png"))
    for name, (_, part) in SCREENS.items():
        # A reader ends a little below its content.
        sizes = {"": QSize(60, 80), FRONT: QSize(28, 18), READER: QSize(28, 6 + 24)}
        assert images[name].size() == sizes[part]
        # The background is unchanged, and rare colours are kept.
        assert images[name].pixelColor(5, 16) == QColor("#f5f6f8")
        assert images[name].pixelColor(1 if part else 12, 2 if part else 8).blue() > 240
        assert images[name].format() == QImage.Format.Format_Indexed8


def test_the_sample_folder_contains_a_document_of_each_kind(tmp_path: Path) -> None:
    make_folder(tmp_path)
    suffixes = {path.suffix for path in tmp_path.rglob("*") if path.is_file()}
    assert suffixes >= {".pdf", ".eml", ".xlsx", ".csv", ".txt", ".md", ".py", ".html"}
