"""The library as a whole: its folders, its lock, its documents, and what goes with them."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import filelock
import pytest

from core.catalog.files.folders import FolderRules
from core.errors import (
    DocumentError,
    FolderError,
    LibraryBusyError,
    LibraryError,
    ModelError,
    UsageError,
)
from core.library.library import Library, LibraryOptions
from core.progress import Job, Progress, Stage
from core.requests import DrawPage, ListDescriptions, ReadPages
from core.responses import Mode
from tests.conftest import write_files

ROOT = Path(__file__).resolve().parents[2]


def paths_of(library: Library) -> list[Path]:
    return [folder.path for folder in library.folders()]


def test_a_library_is_created_where_there_is_none(library: Library, home: Path) -> None:
    status = library.status()
    assert status.home == home
    assert (status.documents, status.passages, status.index_bytes) == (0, 0, 0)
    assert status.catalog_bytes > 0
    report = library.sync()
    assert (report.documents, report.failed, report.read) == (0, (), 0)


def test_folders_are_added_once_by_whatever_name(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "sub").mkdir()
    link = folder.with_name("link")
    link.symlink_to(folder)
    monkeypatch.chdir(folder.parent)
    for name in (folder, link, Path("documents"), folder / "sub" / "..", folder / "sub"):
        assert library.add_folder(name).path == folder
    assert paths_of(library) == [folder]
    library.add_folder(folder.parent)
    assert paths_of(library) == [folder.parent]
    with pytest.raises(FolderError, match="is not a folder of the library"):
        library.remove_folder(folder)
    library.remove_folder(folder.parent)
    assert paths_of(library) == []


def test_a_folder_is_described_in_a_line_of_its_owners_words(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add_folder(folder)
    assert library.answer(ListDescriptions()) == {}
    library.describe_folder(folder, " tax papers\n since 2019\u202e\x07 ")
    assert library.answer(ListDescriptions()) == {folder: "tax papers since 2019"}
    # It stays where other rules are given, and goes with the folder.
    assert library.add_folder(folder, FolderRules(only=("*.md",))).description
    with pytest.raises(UsageError, match="may have 500 characters; this one has 501"):
        library.describe_folder(folder, "ü" * 501)
    for other in (folder.parent, folder / "sub", Path("nowhere")):
        with pytest.raises(FolderError, match="is not a folder of the library"):
            library.describe_folder(other, "mine")
    monkeypatch.chdir(folder.parent)
    library.describe_folder(folder.name, "ü" * 500)
    assert library.folders()[0].description == "ü" * 500
    library.remove_folder(folder)
    assert library.add_folder(folder).description == ""


def test_a_missing_folder_can_be_removed(library: Library, folder: Path) -> None:
    library.add_folder(folder)
    folder.rmdir()
    library.remove_folder(folder)
    assert paths_of(library) == []


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gone", r"The folder .*gone does not exist\. Check the spelling"),
        ("file", r"file is not a folder. Choose the folder that contains it"),
        ("file/sub", r"file/sub is not a folder"),
        ("circle", r"circle cannot be read"),
        ("caf\udce9", "is not valid text"),
    ],
)
def test_a_path_that_is_no_folder_is_refused(
    name: str, sentence: str, library: Library, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    if not name.isascii():
        (tmp_path / name).mkdir()
    with pytest.raises(FolderError, match=sentence):
        library.add_folder(tmp_path / name)
    assert paths_of(library) == []


def test_the_librarys_own_folder_is_refused(library: Library, home: Path) -> None:
    with pytest.raises(FolderError, match="Winnow's own library"):
        library.add_folder(home)


def test_removing_a_folder_leaves_nothing_of_it(library: Library, folder: Path) -> None:
    write_files(folder, {"a.txt": "The quetzal is green."})
    library.add_folder(folder)
    library.sync()
    (number,) = (hit.document_id for hit in library.search("quetzal").hits)
    assert [page.text for page in library.answer(ReadPages(number))] == ["The quetzal is green."]
    library.remove_folder(folder)
    status = library.status()
    assert (status.documents, status.passages, status.tokens, status.index_bytes) == (0, 0, 0, 0)
    assert not list((library.home / "index").iterdir())
    assert library.answer(ReadPages(number)) == ()
    for mode in Mode:
        assert library.search("quetzal", mode=mode).hits == ()


def test_one_winnow_indexes_at_a_time_and_the_rest_search(
    library: Library, folder: Path, home: Path
) -> None:
    write_files(folder, {"a.txt": "Crows hide food."})
    library.add_folder(folder)
    library.sync()
    with filelock.FileLock(home / "writer.lock"):
        with pytest.raises(LibraryBusyError, match="Another Winnow process is indexing"):
            library.sync()
        assert len(library.search("crows").hits) == 1
        # Its vectors' files go with the next sync.
        library.remove_folder(folder)
        assert list((home / "index").iterdir())
        assert library.search("crows").hits == ()
    library.sync()
    assert not list((home / "index").iterdir())


def test_the_lock_is_free_after_a_sync_that_failed(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add_folder(folder)
    with monkeypatch.context() as patch:
        patch.setattr("core.indexing.syncing.list_documents", lambda *_arguments, **_options: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            library.sync()
    library.sync()


def test_searching_goes_on_during_a_sync(library: Library, folder: Path) -> None:
    write_files(folder, {f"{number}.txt": f"Crow number {number}." for number in range(5)})
    library.add_folder(folder)
    found: dict[Stage, int] = {}

    def search(progress: Progress) -> None:
        # On a separate thread, as the window does it.
        def ask() -> None:
            found[progress.stage] = len(library.search("crow", mode=Mode.WORDS).hits)

        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()

    library.sync(Job(search))
    assert found[Stage.SCANNING] == 0
    assert found[Stage.PREPARING] == found[Stage.ENCODING] == 5


def test_another_number_of_bits_makes_the_index_again(
    open_library: Callable[..., Library], folder: Path
) -> None:
    write_files(folder, {"a.txt": "Crows hide food."})
    two = open_library()
    two.add_folder(folder)
    small = two.sync().index_bytes
    four = open_library(options=LibraryOptions(bits=4))
    assert len(four.search("crows", mode=Mode.MEANING).hits) == 1
    assert four.sync().index_bytes > small
    assert len(four.search("crows", mode=Mode.MEANING).hits) == 1
    assert len(list((four.home / "index").iterdir())) == 1
    with pytest.raises(UsageError, match="5 bits are not supported"):
        open_library(options=LibraryOptions(bits=5))


def test_pages_are_drawn_only_of_what_was_indexed(library: Library, folder: Path) -> None:
    write_files(folder, {"a.txt": "Crows hide food."})
    library.add_folder(folder)
    library.sync()
    (hit,) = library.search("crows", mode=Mode.WORDS).hits
    assert not hit.has_page_images
    with pytest.raises(DocumentError, match="no page images"):
        library.answer(DrawPage(hit.document_id, 1, 100))
    write_files(folder, {"a.txt": "Crows hide more food."})
    with pytest.raises(DocumentError, match="Changed since it was indexed"):
        library.answer(DrawPage(hit.document_id, 1, 100))
    with pytest.raises(DocumentError, match="No longer in the library"):
        library.answer(DrawPage(99, 1, 100))


def test_a_collection_is_found_at_once_by_words_and_stored(library: Library, folder: Path) -> None:
    from core.documents.document import Document, Page

    created = [("one", Document("Birds", (Page(1, "Crows."), Page(2, ""), Page(3, "Owls."))))]
    (number,) = library.add_collection("corpus", created)
    assert library.search("owls", mode=Mode.WORDS).hits[0].passages[0].passage.page == 3
    assert [page.text for page in library.answer(ReadPages(number))] == ["Crows.", "", "Owls."]
    library.sync()
    assert library.sync().documents == 1
    assert library.rank("owls", mode=Mode.MEANING)[0][0] == number


def test_a_released_model_is_loaded_again_by_the_next_search(
    library: Library, folder: Path
) -> None:
    write_files(folder, {"crow.txt": "Crows remember faces."})
    library.add_folder(folder)
    library.sync()
    library.warm_up()
    before = library.rank("crows", mode=Mode.MEANING)
    assert before
    library.release_model()
    assert not library.is_warm
    again = library.rank("crows", mode=Mode.MEANING)
    assert library.rank("which bird remembers", mode=Mode.MEANING)
    assert library.is_warm
    assert [number for number, _ in again] == [number for number, _ in before]


def test_warming_up_loads_the_model_once(library: Library) -> None:
    assert library._generations.answering().loaded_encoder is None
    library.warm_up()
    encoder = library._generations.answering().loaded_encoder
    assert encoder is not None
    library.search("crow")
    assert library._generations.answering().loaded_encoder is encoder


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_that_may_not_be_written_is_a_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(LibraryError, match="Set WINNOW_HOME to a writable folder"):
            Library.open(tmp_path / "home")
    finally:
        tmp_path.chmod(0o700)


def test_words_alone_load_nothing_heavy(birds: Library) -> None:
    """Opening a library and searching by words must take milliseconds."""
    script = """
        import sys
        from pathlib import Path
        from core.library.library import Library
        from core.responses import Mode
        with Library.open(Path(sys.argv[1])) as library:
            assert len(library.search("crow", mode=Mode.WORDS).hits) == 1
        heavy = {"torch", "transformers", "openvino", "faiss", "tokenizers", "rich", "PySide6"}
        print(sorted(heavy & set(sys.modules)))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(birds.home)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_a_library_that_cannot_be_opened_leaves_no_connection_open(
    tmp_path: Path, connections: list[sqlite3.Connection]
) -> None:
    with pytest.raises(ModelError) as raised:
        Library.open(tmp_path, LibraryOptions(model=str(tmp_path / "none")))
    # A caller may hold the error, which holds a reference to the library.
    assert connections
    assert raised.value.__traceback__ is not None
    for connection in connections:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
