"""A folder is excluded by the pattern that a person would type."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from core.errors import FolderError
from core.indexing.scan.exclusion import exclusion_of
from core.library.library import Library

NAMES = ["old", "to do", "a*b", "[draft]", "#1", "!bang", "trailing ", "über", 'say "hi"']


@pytest.mark.parametrize("name", NAMES)
def test_only_this_folder_is_excluded_and_comes_back(
    name: str, library: Library, folder: Path
) -> None:
    for place in (name, "other", f"other/{name}"):
        (folder / place).mkdir(parents=True)
        (folder / place / "owl.txt").write_text(f"Owls of {place}.")
    root = library.add_folder(folder)
    library.sync()
    exclusion = exclusion_of(folder / name, library.folders())
    library.add_folder(folder, exclusion.added_to(root.rules))
    library.sync()
    indexed = {document.path for document in library.documents()}
    assert indexed == {folder / "other" / "owl.txt", folder / "other" / name / "owl.txt"}

    (changed,) = library.folders()
    assert len(changed.rules.exclude) == 1
    library.add_folder(folder, exclusion.removed_from(changed.rules))
    library.sync()
    assert len(library.documents()) == 3
    assert library.folders()[0].rules == root.rules


def test_an_archive_is_excluded_as_a_whole(library: Library, folder: Path) -> None:
    with zipfile.ZipFile(folder / "owls.zip", "w") as archive:
        archive.writestr("far/owl.txt", "Owls hunt.")
    library.add_folder(folder)
    assert exclusion_of(folder / "owls.zip", library.folders()).pattern == "/owls.zip"
    with pytest.raises(FolderError, match="as a whole"):
        exclusion_of(folder / "owls.zip" / "far", library.folders())


def test_a_folder_of_the_library_or_outside_of_it_is_refused(
    library: Library, folder: Path
) -> None:
    library.add_folder(folder)
    with pytest.raises(FolderError, match="Remove it"):
        exclusion_of(folder, library.folders())
    with pytest.raises(FolderError, match="not in a folder"):
        exclusion_of(folder.parent / "elsewhere", library.folders())
