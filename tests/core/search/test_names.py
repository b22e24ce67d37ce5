"""Documents are found by their files' names before they are read, and if they cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.catalog import documents, scope
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState
from core.catalog.files import folders
from core.catalog.scope import Scope
from core.encoders.encoder import Encoder
from core.errors import Cancelled
from core.files.filesystems import FileStamp
from core.library.library import Library
from core.progress import Job, Progress, Stage
from core.responses import Mode
from tests.conftest import indexed_library


def write_documents(root: Path) -> None:
    root.mkdir()
    # Their titles and texts say nothing of their names.
    for name, text in (
        ("Résumé of Mr Tax.html", "Owls hunt at night."),
        ("東京入門.html", "Rooks."),
        ("Tax-return_2024.html", "Crows fly over the field."),
    ):
        (root / name).write_text(f"<title>Birds</title><p>{text}")
    (root / "locked.docx").write_bytes(b"\xd0\xcf\x11\xe0 no more")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "documents"
    write_documents(root)
    return root


@pytest.fixture(scope="module")
def read(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An indexed library of the documents. Tests must not change it."""
    root = tmp_path_factory.mktemp("shared")
    write_documents(root / "documents")
    with indexed_library(encoder, root) as library:
        yield library


@pytest.fixture
def own_library(library: Library, folder: Path) -> Library:
    """An indexed library of the documents, which the test may change."""
    library.add_folder(folder)
    library.sync()
    return library


def named(library: Library, query: str) -> list[str]:
    """Return the files found by their names, among the results and after them."""
    results = library.search(query, mode=Mode.WORDS)
    first = [hit for hit in results.hits if hit.passages[0].terms]
    by_name = [hit for hit in first if not hit.passages[0].words]
    return [each.path.name for each in (*by_name, *results.named)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("tax 2024", ["Tax-return_2024.html"]),
        ("tax", ["Tax-return_2024.html", "Résumé of Mr Tax.html"]),
        ("tax retu", ["Tax-return_2024.html"]),
        ("retu tax", []),
        ("resume", ["Résumé of Mr Tax.html"]),
        ("東京", ["東京入門.html"]),
        ("tax in:elsewhere", []),
        ("tax -crows", ["Résumé of Mr Tax.html"]),
        ("tax type:pdf", []),
        ("t", []),
        ("tax OR locked", []),
        ("type:web", []),
    ],
)
def test_all_words_must_stand_in_the_name_and_the_last_may_be_a_beginning(
    read: Library, query: str, expected: list[str]
) -> None:
    assert sorted(named(read, query)) == sorted(expected)


def test_an_unreadable_file_is_found_by_its_name_with_the_reason(read: Library) -> None:
    [one] = read.search("locked", mode=Mode.WORDS).named
    assert (one.path.name, one.state) == ("locked.docx", DocumentState.FAILED)
    assert "Damaged" in one.reason


def test_files_among_the_results_are_not_named_again(read: Library) -> None:
    results = read.search("crows 2024", mode=Mode.WORDS)
    assert [hit.path.name for hit in results.hits] == ["Tax-return_2024.html"]
    assert results.named == ()


def test_names_come_before_anything_is_read(library: Library, folder: Path) -> None:
    library.add_folder(folder)
    found: list[str] = []

    def stop_reading(progress: Progress) -> None:
        if progress.stage is Stage.READING:
            found.extend(named(library, "tax 2024"))
            job.cancel()

    job = Job(stop_reading)
    with pytest.raises(Cancelled):
        library.sync(job)
    assert found == ["Tax-return_2024.html"]
    [one] = library.search("resume", mode=Mode.WORDS).named
    assert (one.state, one.reason) == (DocumentState.FOUND, "")


def test_names_follow_what_happens_to_files(own_library: Library, folder: Path) -> None:
    (folder / "Tax-return_2024.html").rename(folder / "Invoice.html")
    (folder / "Résumé of Mr Tax.html").unlink()
    own_library.sync()
    assert named(own_library, "tax") == []
    assert named(own_library, "invoice") == ["Invoice.html"]
    own_library.remove_folder(folder)
    assert named(own_library, "invoice") == []
    with own_library._catalog.reading() as db:
        db.execute("INSERT INTO names_fts(names_fts) VALUES ('integrity-check')")
        assert scope.find_names(db, ["locked"], 5) == ()


def test_a_removed_folder_leaves_no_name_on_the_disk(own_library: Library, folder: Path) -> None:
    own_library.remove_folder(folder)
    own_library.close()
    left = [path for path in own_library.home.rglob("*") if path.is_file()]
    assert left
    for path in left:
        assert b"resume" not in path.read_bytes().lower(), path


def test_whole_words_come_first_and_then_short_names(home: Path) -> None:
    catalog = Catalog(home / "catalog.sqlite")
    saved = ["tax of the year 2019.txt", "tax.txt", "taxation.txt", "taxi.txt", "tax old.txt"]
    with catalog.transaction() as db:
        folder = folders.add(db, Path("/srv"))
        documents.add_new(db, [(folder, f"/srv/{name}", FileStamp(1, 1)) for name in saved])
    with catalog.reading() as db:
        found = [one.path.name for one in scope.find_names(db, ["tax"], 5)]
    assert found == [
        "tax.txt",
        "tax old.txt",
        "tax of the year 2019.txt",
        "taxi.txt",
        "taxation.txt",
    ]
    catalog.close()


def test_only_the_newest_of_very_many_names_are_compared(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scope, "_COMPARED", 3)
    catalog = Catalog(home / "catalog.sqlite")
    with catalog.transaction() as db:
        folder = folders.add(db, Path("/srv"))
        paths = [Path(f"/srv/{'x' * number} report.txt") for number in range(9)]
        documents.add_new(db, [(folder, str(path), FileStamp(1, 1)) for path in paths])
    with catalog.reading() as db:
        found = scope.find_names(db, ["re"], 5)
        in_scope = scope.find_names(db, ["re"], 5, Scope(names=("xx report",)))
    assert [one.path for one in found] == paths[6:]
    assert [one.path for one in in_scope] == paths[6:]
    catalog.close()
