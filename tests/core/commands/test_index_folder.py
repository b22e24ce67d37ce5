"""`winnow index FOLDER` scans this folder and no other one."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import cli
from core.library.library import Library


@pytest.fixture
def places(home: Path, folder: Path) -> tuple[Path, Path]:
    near, far = folder / "near", folder / "far"
    for place in (near, far):
        place.mkdir()
        (place / "owl.txt").write_text(f"Owls of {place.name}.")
    assert cli.main(["index", str(folder)]) == 0
    return near, far


def names() -> set[str]:
    with Library.open() as library:
        return {document.path.name for document in library.documents()}


def test_only_a_named_folder_is_scanned(places: tuple[Path, Path]) -> None:
    near, far = places
    (near / "crow.txt").write_text("Crows.")
    (far / "kite.txt").write_text("Kites.")
    assert cli.main(["index", str(near)]) == 0
    assert names() == {"owl.txt", "crow.txt"}
    assert cli.main(["index"]) == 0
    assert names() == {"owl.txt", "crow.txt", "kite.txt"}


def test_left_out_files_are_counted_for_a_named_folder(home: Path, folder: Path) -> None:
    (folder / "owl.txt").write_text("Owls.")
    (folder / "owl.xyzzy").write_text("Not a format.")
    near = folder / "near"
    near.mkdir()
    assert cli.main(["index", str(folder)]) == 0

    def left_out() -> int:
        with Library.open() as library:
            return library.status().files.excluded

    assert left_out() == 1
    # A scan of a part of the folder keeps the counts of the whole.
    (near / "crow.xyzzy").write_text("Nor this.")
    assert cli.main(["index", str(near)]) == 0
    assert left_out() == 1
    assert cli.main(["index", str(folder)]) == 0
    assert left_out() == 2
