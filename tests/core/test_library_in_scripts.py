"""Arguments that a script may pass, and the errors for wrong ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.documents.document import Document, Page
from core.errors import FolderError, ModelError, UsageError
from core.library.library import Library, LibraryOptions
from core.responses import Mode
from tests.conftest import write_files


def test_paths_may_be_text(library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    write_files(folder, {"crow.txt": "Crows hide food."})
    assert library.add_folder(f"~/{folder.name}").path == folder.resolve()
    assert library.preview(str(folder)).files == 1
    with Library.open(f"~/{folder.name}-too") as other:
        assert other.home == folder.parent / f"{folder.name}-too"
    library.remove_folder(str(folder))
    assert library.folders() == ()
    with pytest.raises(FolderError, match="does not exist"):
        library.add_folder(str(folder / "none"))


@pytest.mark.parametrize("named", ["~nobody of that name/docs", "loop"])
def test_a_path_that_leads_nowhere_is_reported_in_a_sentence(
    library: Library, folder: Path, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "loop").symlink_to(folder / "loop")
    monkeypatch.chdir(folder)
    for method in (library.add_folder, library.preview):
        with pytest.raises(FolderError, match=r"does not exist|cannot be read .*loop"):
            method(named)
    with pytest.raises(FolderError, match="is not a folder of the library"):
        library.remove_folder(named)
    with pytest.raises(ModelError, match="no built-in model or folder"):
        Library.open(options=LibraryOptions(model=named))


def test_a_mode_may_be_named(birds: Library) -> None:
    for mode in Mode:
        results = birds.search("owls hunt mice", mode=str(mode))
        assert (results.mode, type(results.mode)) == (mode, Mode)
        assert results.hits[0].passages[0].found_by == birds.search(
            "owls hunt mice", mode=mode
        ).hits[0].passages[0].found_by  # fmt: skip
    assert birds.rank("owls", mode="words") == birds.rank("owls", mode=Mode.WORDS)
    with pytest.raises(ValueError, match="magic"):
        birds.search("owls", mode="magic")


def test_a_key_belongs_to_one_document(library: Library) -> None:
    crow = Document("", (Page(1, "Crows hide food."),))
    library.add_collection("made", [("crow", crow)])
    with pytest.raises(UsageError, match="A document with the key made/crow already exists"):
        library.add_collection("made", [("rook", crow), ("crow", crow)])
    assert [hit.path.name for hit in library.search("crow", mode="words").hits] == ["crow"]
    library.add_collection("made", [("rook", crow)])
    assert library.folders() == ()
    assert len(library.search("crow", mode="words").hits) == 2


def test_a_collection_is_not_called_as_a_folder_could_be(library: Library, folder: Path) -> None:
    for name in (str(folder.resolve()), str(folder / "not there yet"), ""):
        with pytest.raises(UsageError, match=f'"{re.escape(name)}" cannot be used'):
            library.add_collection(name, [])
    library.add_folder(folder)
    assert [one.path for one in library.folders()] == [folder.resolve()]
