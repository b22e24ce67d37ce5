"""A rebuild rereads every file, and the old index answers until it is done."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog import manifest
from core.documents.document import Document, Page
from core.documents.reader import Reader
from core.errors import Cancelled
from core.indexing.read import executor
from core.library.library import Library
from core.progress import Job
from core.responses import Mode

from .conftest import (
    MakeFile,
    Noted,
    Opener,
    assert_in_step,
    assert_sound,
    dots_of,
    found,
    ids,
    put,
    stop_after,
)

_KILLS = int(os.environ.get("WINNOW_TEST_KILLS", "5"))
QUERIES = ("crows remember", "the owl hunts mice", "hide food")


def answers(library: Library) -> dict[str, list[tuple[str, float]]]:
    """The results by meaning, with their scores."""
    scores = {}
    for query in QUERIES:
        results = library.search(query, mode=Mode.MEANING, limit=50)
        assert results.notice == ""
        scores[query] = sorted((hit.path.name, round(hit.score, 3)) for hit in results.hits)
    return scores


def segments(library: Library) -> set[str]:
    return {path.name for path in (library.home / "index").iterdir()}


@pytest.fixture
def ten(opened: Opener, models: Path, folder: Path) -> Library:
    """A library of ten files that all queries find, three passages a segment."""
    for number in range(10):
        bird = ("crow", "owl")[number % 2]
        put(folder / f"{number}.txt", f"the {bird} hunts at night. {number} crows hide food.")
    library = opened(models / "first")
    library.add_folder(folder)
    library.sync()
    return library


def test_every_file_is_reread_and_every_vector_rebuilt(
    synced: Library, folder: Path, was_read: Callable[[], list[str]]
) -> None:
    before = ids(synced, folder, "crow.txt", "owl.txt", "sub/swift.txt")
    old = segments(synced)
    synced.rebuild()
    assert synced.status().is_rebuilding
    synced.sync()
    assert was_read() == ["crow.txt", "owl.txt", "swift.txt"]
    # The text is unchanged: a reader of a passage can continue.
    assert ids(synced, folder, "crow.txt", "owl.txt", "sub/swift.txt") == before
    assert old.isdisjoint(segments(synced))
    assert not synced.status().is_rebuilding
    assert_sound(synced)
    assert synced.sync().read == 0
    assert was_read() == []


def test_the_old_index_answers_until_the_new_one_is_complete(ten: Library, opened: Opener) -> None:
    before = answers(ten)
    ten.rebuild()
    for _ in range(3):
        with pytest.raises(Cancelled):
            ten.sync(stop_after(1))
        assert answers(ten) == before
        assert ten.status().is_rebuilding
    # Another Winnow sees the same, and ends it.
    other = opened()
    assert answers(other) == before
    other.sync()
    assert answers(ten) == before
    assert not ten.status().is_rebuilding
    assert_sound(ten)


def test_a_rebuild_can_be_abandoned(
    ten: Library, folder: Path, was_read: Callable[[], list[str]]
) -> None:
    before, old = answers(ten), segments(ten)
    ten.rebuild()
    with pytest.raises(Cancelled):
        ten.sync(stop_after(4))
    was_read()
    ten.keep_as_built()
    assert not ten.status().is_rebuilding
    assert ten.sync().read == 0
    assert was_read() == []
    assert (answers(ten), segments(ten)) == (before, old)
    # An abandoned rebuild starts over.
    ten.rebuild()
    ten.sync()
    assert old.isdisjoint(segments(ten))
    assert answers(ten) == before


def test_a_reader_that_reads_more_by_now_has_its_way(
    synced: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_self: Reader, path: Path, **_options: object) -> Document:
        return Document("", (Page(1, f"The {path.stem} has feathers."),))

    monkeypatch.setattr(Reader, "read", read)
    synced.sync()
    assert found(synced, "feathers") == []
    synced.rebuild()
    synced.sync()
    assert sorted(found(synced, "feathers")) == ["crow.txt", "owl.txt", "swift.txt"]
    assert found(synced, "mice") == []
    assert_sound(synced)


def test_a_document_that_reads_otherwise_by_now_is_soon_found_by_meaning_again(
    synced: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "KEEP_UP_PASSAGES", 1)

    by_meaning: list[int] = []

    def read(_self: Reader, path: Path, **_options: object) -> Document:
        by_meaning.append(len(synced.search("birds", mode=Mode.MEANING).hits))
        return Document("", (Page(1, f"The {path.stem} has feathers."),))

    monkeypatch.setattr(Reader, "read", read)
    synced.rebuild()
    synced.sync()
    assert by_meaning == [3, 3, 3]
    assert len(found(synced, "feathers")) == 3
    assert_sound(synced)


def test_the_newest_files_of_a_new_library_are_found_by_meaning_while_the_others_are_read(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "KEEP_UP_PASSAGES", 1)
    for age, name in enumerate(("owl.txt", "crow.txt", "swift.txt")):
        put(folder / name, f"The {name} has feathers.")
        os.utime(folder / name, (1e9 - age, 1e9 - age))
    library.add_folder(folder)
    by_meaning: list[list[str]] = []

    def read(_self: Reader, path: Path, **_options: object) -> Document:
        hits = library.search("birds", mode=Mode.MEANING).hits
        by_meaning.append([hit.path.name for hit in hits])
        return Document("", (Page(1, f"The {path.stem} has feathers."),))

    monkeypatch.setattr(Reader, "read", read)
    library.sync()
    # The first is encoded early, the others when all have been read.
    assert by_meaning == [[], ["owl.txt"], ["owl.txt"]]
    assert len(library.search("birds", mode=Mode.MEANING).hits) == 3
    assert_sound(library)


def test_archive_members_are_reread_and_stay_the_same(
    papers: Library, folder: Path, members_read: Noted
) -> None:
    places = ("crow.txt", "2024/owl.md", "in.zip/swift.txt", "note.eml")
    before = ids(papers, folder / "papers.zip", *places)
    papers.rebuild()
    papers.sync()
    assert len(members_read()) == 5
    assert ids(papers, folder / "papers.zip", *places) == before
    assert papers.sync().read == 0


def test_a_rebuild_begins_entirely_or_not_at_all(
    synced: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_the_disk(*_: object) -> None:
        raise sqlite3.DatabaseError("full")

    with monkeypatch.context() as patch:
        patch.setattr(manifest, "put", fill_the_disk)
        with pytest.raises(sqlite3.DatabaseError):
            synced.rebuild()
    assert not synced.status().is_rebuilding
    assert synced.sync().read == 0


def test_a_folder_that_is_away_keeps_what_it_has(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    away = tmp_path / "stick"
    put(away / "rook.txt", "The rook breeds in colonies.")
    put(folder / "crow.txt", "The crow hides food.")
    for one in (folder, away):
        library.add_folder(one)
    library.sync()
    away.rename(tmp_path / "unplugged")
    library.rebuild()
    library.sync()
    assert found(library, "rook") == ["rook.txt"]
    assert not library.status().is_rebuilding
    assert_sound(library)


def test_files_that_come_and_go_meanwhile_are_synced(
    library: Library, folder: Path, make_file: MakeFile
) -> None:
    make_file("in.zip", {"swift.txt": "The swift sleeps in the air."})
    put(folder / "crow.txt", "The crow hides food.")
    put(folder / "owl.txt", "The owl hunts mice.")
    library.add_folder(folder)
    library.sync()
    library.rebuild()
    with pytest.raises(Cancelled):
        library.sync(stop_after(1))
    (folder / "owl.txt").unlink()
    put(folder / "dipper.txt", "The dipper dives.")
    library.sync()
    assert_in_step(
        library,
        {
            folder / "in.zip": {"swift.txt": "The swift sleeps in the air."},
            folder / "crow.txt": "The crow hides food.",
            folder / "dipper.txt": "The dipper dives.",
        },
    )


# Continue a rebuild, and write a dot at each statement of SQLite.
_REBUILDER = """
    import os, sys
    from pathlib import Path
    from core.catalog.catalog import Catalog
    from core.indexing import rebuild
    from core.library.library import Library, LibraryOptions

    rebuild.PASSAGES_PER_SEGMENT = 3
    connect = Catalog._connect

    def connect_dotted(self):
        connection = connect(self)
        connection.set_trace_callback(lambda _statement: os.write(1, b"."))
        return connection

    Catalog._connect = connect_dotted
    with Library.open(Path(sys.argv[1]), LibraryOptions(32)) as library:
        if not library.status().is_rebuilding:
            library.rebuild()
        library.sync()
"""


def rebuild(home: Path, dots: int | None) -> int:
    """Run it to the end, or kill it after a number of dots; return the number of dots."""
    return dots_of(_REBUILDER, [home], dots)


@pytest.mark.skipif(os.name == "nt", reason="the test relies on pipes and SIGKILL")
@pytest.mark.timeout(60 + 30 * _KILLS)
@pytest.mark.slow
def test_killed_at_any_moment_it_answers_as_before_and_goes_on(ten: Library) -> None:
    before = answers(ten)
    dots = rebuild(ten.home, None)
    assert dots > 50
    for _ in range(_KILLS):
        rebuild(ten.home, random.randint(1, dots))
        assert answers(ten) == before
        with ten._catalog.reading() as db:
            live = manifest.live(db)
        assert live is not None
    ten.sync(Job())
    assert answers(ten) == before
    assert not ten.status().is_rebuilding
    assert_sound(ten)
