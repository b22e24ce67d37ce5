"""Another local library, searched in place: written meanwhile, unplugged, replaced."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.catalog.schema import VERSION
from core.errors import DocumentError, UsageError
from core.federation.federation import Federation
from core.federation.folder_source import FolderSource, is_library
from core.federation.library_list import (
    add_library,
    added_libraries,
    fetch_and_add,
    open_all,
    open_known,
    open_now,
    remove_library,
    switch_library,
)
from core.federation.source import LibrarySource, Source, SourceUnavailableError
from core.library.library import Library
from core.progress import Job
from core.requests import (
    Align,
    Explain,
    GetDocument,
    GetSalientWords,
    ListInner,
    LocateLines,
    ReadMarkup,
    ReadPages,
    Request,
)
from core.responses import MEANING
from tests.conftest import write_files
from tests.library_requests import facets, search
from tests.process_state import open_files
from tests.waiting import becomes_true, patience

QUERY = "a bird that waits for fish in shallow water"
HERON = "The heron stands in shallow water without moving and waits for fish."
OWL = "Owls hunt mice at night and wait on a branch above the water."
NAME = 'Büro "Süd" 東京'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the other library lies: a disk that may go."""
    return tmp_path / "disk of work" / "Büro “Süd” 東京"


@pytest.fixture
def work(open_library: Callable[..., Library], place: Path, tmp_path: Path) -> Library:
    """The other library, open to its own Winnow."""
    write_files(tmp_path / "work", {"heron.txt": HERON})
    library = open_library(place)
    library.add_folder(tmp_path / "work")
    library.sync()
    return library


@pytest.fixture
def own(library: Library, tmp_path: Path) -> Library:
    write_files(tmp_path / "own", {"owl.txt": OWL})
    library.add_folder(tmp_path / "own")
    library.sync()
    return library


@pytest.fixture
def source(work: Library, own: Library) -> Iterator[FolderSource]:
    created = FolderSource("Work", work.home, own)
    yield created
    created.close()


@pytest.fixture
def both(own: Library, source: FolderSource) -> Federation:
    federation = Federation(LibrarySource("", own), deadline_s=patience())
    federation.add(source)
    return federation


def found(searched: Federation | Source, query: str = QUERY) -> list[tuple[str, str]]:
    return [(hit.library, hit.path.name) for hit in search(searched, query).hits]


def files_of(home: Path) -> dict[Path, str]:
    """The files of a folder, by checksum."""
    return {
        path: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in home.rglob("*")
        if path.is_file()
    }


def test_it_answers_in_one_list_as_one_library_of_both_would(
    both: Federation, work: Library, own: Library
) -> None:
    results = search(both, QUERY, mode="meaning")
    assert results.notice == ""
    assert [(hit.library, hit.path.name) for hit in results.hits] == [
        ("Work", "heron.txt"),
        ("", "owl.txt"),
    ]
    # By one model and one alignment, so that the scores are those that each library gives.
    alone = work.search(QUERY, mode="meaning").hits + own.search(QUERY, mode="meaning").hits
    assert [hit.score for hit in results.hits] == pytest.approx([hit.score for hit in alone])
    assert not any(hit.is_elsewhere for hit in results.hits)
    terms = {term.name for hit in results.hits for term in hit.passages[0].terms}
    assert MEANING in terms


def test_every_request_on_a_result_is_answered_as_for_the_local_library(
    both: Federation, work: Library
) -> None:
    hit = search(both, QUERY).hits[0]
    passage = hit.passages[0].passage
    assert hit.file is not None
    assert hit.file.read_text(encoding="utf-8") == HERON
    assert both.answer(Explain(QUERY, passage.id)).passage == passage
    assert passage.id in both.answer(Align(QUERY, (passage.id,))).of
    assert both.answer(ReadPages(hit.document_id))[0].text == HERON
    assert both.answer(ReadMarkup(hit.document_id))[0].text == HERON
    assert both.answer(GetDocument(hit.document_id)).path == hit.path
    assert both.answer(LocateLines((passage.id,))) == {passage.id: (1, 1)}
    assert both.answer(GetSalientWords(passage.id)) == work.answer(
        GetSalientWords(work.search(QUERY).hits[0].passages[0].passage.id)
    )
    assert both.states()[0].documents == 0  # no request was sent yet
    assert both.refresh()
    assert [(one.name, one.documents, one.is_here) for one in both.states()] == [("Work", 1, True)]
    assert not both.refresh()


def test_writes_of_its_own_winnow_are_found_at_once(
    both: Federation, work: Library, tmp_path: Path
) -> None:
    assert found(both)[0] == ("Work", "heron.txt")
    write_files(tmp_path / "work", {"egret.txt": f"The egret, too. {HERON}"})
    work.sync()
    assert {("Work", "egret.txt"), ("Work", "heron.txt")} <= set(found(both))
    (tmp_path / "work" / "heron.txt").unlink()
    work.sync()
    assert ("Work", "heron.txt") not in found(both)
    assert both.refresh()


def test_searching_while_it_is_written_loses_nothing(
    both: Federation, work: Library, tmp_path: Path
) -> None:
    problems: list[BaseException] = []
    is_over = threading.Event()

    def keep_searching() -> None:
        try:
            while not is_over.is_set():
                results = search(both, QUERY)
                assert results.notice == ""
                assert ("Work", "heron.txt") in [
                    (hit.library, hit.path.name) for hit in results.hits
                ]
                facets(both, QUERY)
        except BaseException as error:  # noqa: BLE001 - reported below
            problems.append(error)

    searching = [threading.Thread(target=keep_searching) for _ in range(2)]
    for one in searching:
        one.start()
    try:
        for number in range(5):
            write_files(tmp_path / "work", {f"note {number}.txt": f"Note {number} on herons."})
            work.sync()
    finally:
        is_over.set()
        for one in searching:
            one.join()
    assert problems == []
    assert work.status().documents == 6


def test_nothing_is_written_to_it(
    own: Library, open_library: Callable[..., Library], work: Library, tmp_path: Path
) -> None:
    home = work.home
    work.close()
    before = files_of(home)
    federation = Federation(LibrarySource("", own), deadline_s=patience())
    federation.add(FolderSource("Work", home, own))
    federation.refresh()
    hit = search(federation, QUERY).hits[0]
    facets(federation, QUERY)
    federation.answer(ReadMarkup(hit.document_id))
    federation.answer(Explain(QUERY, hit.passages[0].passage.id))
    federation.close()
    # A thread that has just answered closes its connection as it ends.
    becomes_true(lambda: not open_files([home]), patience())
    assert files_of(home) == before


def test_when_a_disk_disappears_the_rest_is_found_with_a_notice(
    both: Federation, work: Library, place: Path
) -> None:
    hit = search(both, QUERY).hits[0]
    work.close()
    unplugged = place.parent.with_name("unplugged")
    place.parent.rename(unplugged)
    place.parent.mkdir()  # the mount point is still there
    results = search(both, QUERY)
    assert [one.path.name for one in results.hits] == ["owl.txt"]
    assert "The library Work was not found" in results.notice
    assert facets(both, QUERY).libraries == {"": 1, "Work": 0}
    with pytest.raises(DocumentError, match="does not respond"):
        both.answer(ReadMarkup(hit.document_id))
    with pytest.raises(SourceUnavailableError, match="was not found"):
        both.answer(ReadPages(hit.document_id))
    assert not both.refresh()
    (state,) = both.states()
    assert state.is_offline
    assert "was not found" in state.problem
    assert list(place.parent.iterdir()) == []
    place.parent.rmdir()
    unplugged.rename(place.parent)
    assert found(both)[0] == ("Work", "heron.txt")
    assert both.refresh() or both.states()[0].problem == ""
    assert search(both, QUERY).notice == ""


def test_the_last_writes_of_a_killed_winnow_are_found(
    own: Library, work: Library, tmp_path: Path
) -> None:
    """It is in SQLite's log, not yet checkpointed into the catalog."""
    write_files(tmp_path / "work", {"egret.txt": f"The egret, too. {HERON}"})
    work.sync()
    assert (work.home / "catalog.sqlite-wal").stat().st_size > 0
    left = tmp_path / "left behind"
    shutil.copytree(work.home, left, ignore=shutil.ignore_patterns("*-shm"))
    source = FolderSource("Left", left, own)
    assert {("", "egret.txt"), ("", "heron.txt")} <= set(found(source))
    source.close()
    with Library.open(left) as owner:
        assert owner.status().documents == 2
        assert owner.check().problems == ()


def test_a_recreated_library_is_reopened(
    both: Federation, work: Library, place: Path, tmp_path: Path
) -> None:
    assert found(both)[0] == ("Work", "heron.txt")
    work.close()
    shutil.rmtree(place)
    write_files(tmp_path / "other", {"egret.txt": f"The egret, too. {HERON}"})
    with Library.open(place) as reopened:
        reopened.add_folder(tmp_path / "other")
        reopened.sync()
        assert found(both)[0] == ("Work", "egret.txt")


def version(home: Path, number: int) -> None:
    connection = sqlite3.connect(home / "catalog.sqlite")
    connection.execute(f"PRAGMA user_version = {number}")
    connection.commit()
    connection.close()


def test_a_library_of_another_version_is_reported_in_one_sentence(
    both: Federation, work: Library, place: Path
) -> None:
    assert len(found(both)) == 2
    # Brought up to date by a newer one while it is open here.
    version(place, VERSION + 1)
    results = search(both, QUERY)
    assert [hit.path.name for hit in results.hits] == ["owl.txt"]
    assert "Work was created by a newer version of Winnow" in results.notice
    version(place, VERSION - 1)
    notice = search(both, QUERY).notice
    assert "Work was created by an older version of Winnow" in notice
    assert str(place) in notice
    connection = sqlite3.connect(place / "catalog.sqlite")
    assert connection.execute("PRAGMA user_version").fetchone()[0] == VERSION - 1
    connection.close()
    version(place, VERSION)
    assert len(found(both)) == 2


def test_requests_under_way_end_before_it_is_closed(
    source: FolderSource, work: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = search(source, QUERY).hits[0].document_id
    is_in, may_go_on = threading.Event(), threading.Event()
    notices: list[object] = []
    inside = Library.answer

    def slow(library: Library, request: Request[Any], job: Job | None = None) -> Any:
        if isinstance(request, ReadPages):
            is_in.set()
            assert may_go_on.wait(patience())
        return inside(library, request, job)

    monkeypatch.setattr(Library, "answer", slow)
    reading = threading.Thread(target=lambda: notices.append(source.answer(ReadPages(number))))
    reading.start()
    assert is_in.wait(patience())
    source.close()
    may_go_on.set()
    reading.join()
    assert notices[0][0].text == HERON  # type: ignore[index]
    for ask in (
        lambda: source.answer(ListInner(number)),
        lambda: source.answer(ReadMarkup(number)),
        lambda: search(source, QUERY),
        source.refresh,
    ):
        with pytest.raises(SourceUnavailableError, match="was closed"):
            ask()


def test_a_file_of_both_is_listed_once_as_ones_own(
    both: Federation, own: Library, tmp_path: Path
) -> None:
    write_files(tmp_path / "own", {"copy of heron.txt": HERON})
    own.add_folder(tmp_path / "work")
    own.sync()
    names = [(hit.library, hit.path.name) for hit in search(both, QUERY).hits]
    assert ("Work", "heron.txt") not in names
    # The copy represents it, or the reverse, as in the local library alone.
    assert names == found(Federation(LibrarySource("", own)))
    assert found(both, "heron library:work") == [("Work", "heron.txt")]


def test_libraries_are_addressed_and_counted(both: Federation, own: Library) -> None:
    assert found(both, f"{QUERY} library:work") == [("Work", "heron.txt")]
    assert found(both, f"{QUERY} library:MINE") == [("", "owl.txt")]
    assert found(both, f"{QUERY} -library:mine") == [("Work", "heron.txt")]
    assert len(found(both, f"{QUERY} library:work library:mine")) == 2
    assert found(both, "library:work") == [("Work", "heron.txt")]
    assert found(both, "library:mine") == [("", "owl.txt")]
    assert found(both, "(library:work type:pdf) OR library:mine") == [("", "owl.txt")]
    for query in ("type:text", "type:text library:work", "type:text library:mine"):
        counted = facets(both, query)
        assert counted.libraries == {"": 1, "Work": 1}
        assert counted.found == 2 - ("library:" in query)
        assert counted.kinds["text"] == counted.found
    results = search(both, "owls library:wrok")
    assert results.hits == ()
    assert "There is no library wrok. Available libraries: mine, Work." in results.notice
    # Where no others were added it is said as well.
    alone = own.search("owls library:work")
    assert (alone.hits, alone.notice) == (
        (),
        "There is no library work. Available libraries: mine.",
    )
    assert own.search("owls library:mine").notice == ""


def test_a_disabled_library_is_not_queried(both: Federation, work: Library, place: Path) -> None:
    both.switch("Work", is_on=False)
    work.close()
    place.parent.rename(place.parent.with_name("unplugged"))
    results = search(both, QUERY)
    assert [hit.path.name for hit in results.hits] == ["owl.txt"]
    assert results.notice == ""
    assert facets(both, QUERY).libraries == {}
    assert not both.refresh()
    assert [(one.is_on, one.problem) for one in both.states()] == [(False, "")]
    assert "Work is turned off" in search(both, "fish library:work").notice
    both.switch("Work", is_on=True)
    assert "Work was not found" in search(both, QUERY).notice


def test_it_is_added_under_any_name_and_remembered(
    own: Library, work: Library, place: Path, home: Path
) -> None:
    assert is_library(place)
    source = fetch_and_add(home, str(place), NAME, own, Job())
    assert source.state().documents == 1
    source.close()
    (stored,) = added_libraries(home)
    assert (stored.name, Path(stored.address), stored.is_folder, stored.is_off) == (
        NAME,
        place.resolve(),
        True,
        False,
    )
    switch_library(home, NAME, is_on=False)
    federation = Federation(LibrarySource("", own), deadline_s=patience())
    for one, is_on in open_all(home, own):
        federation.add(one, is_on=is_on)
    assert found(federation) == [("", "owl.txt")]
    switch_library(home, NAME, is_on=True)
    federation.switch(NAME, is_on=True)
    quoted = NAME.replace('"', '""')
    assert found(federation, f'{QUERY} library:"{quoted}"') == [(NAME, "heron.txt")]
    federation.close()
    before = files_of(place)
    remove_library(home, NAME)
    assert added_libraries(home) == ()
    assert files_of(place) == before


def test_a_library_that_cannot_be_added_is_reported(
    own: Library, work: Library, home: Path
) -> None:
    with pytest.raises(UsageError, match="is the library you are already searching"):
        add_library(home, str(own.home))
    with pytest.raises(UsageError, match="The name Mine is reserved"):
        add_library(home, str(work.home), "Mine")
    add_library(home, str(work.home), "Work")
    with pytest.raises(UsageError, match="was already added as Work"):
        add_library(home, str(work.home), "Other")
    with pytest.raises(UsageError, match="A library named WORK already exists"):
        add_library(home, "/somewhere", "WORK")
    with pytest.raises(UsageError, match="No added library is named Else"):
        switch_library(home, "Else", is_on=False)


def test_one_that_is_away_is_known_when_the_window_opens(
    own: Library, work: Library, home: Path, place: Path
) -> None:
    stored = add_library(home, str(place), "Work")
    work.close()
    shutil.rmtree(place)
    source = open_known(stored, own)
    with pytest.raises(SourceUnavailableError, match="Connect its disk"):
        source.refresh()
    source.close()


def test_one_that_may_only_be_read_is_read_as_it_is_now(
    own: Library, work: Library, place: Path, tmp_path: Path
) -> None:
    """SQLite treats it as read-only for all, although its owner may write."""
    source = FolderSource("Work", place, own)

    def found_by_a_guest() -> set[str]:
        with pytest.MonkeyPatch.context() as patch:
            for module in ("catalog.catalog", "federation.folder_source"):
                patch.setattr(f"core.{module}.may_write", lambda _path: False)
            return {name for _, name in found(source)}

    work.close()
    assert found_by_a_guest() == {"heron.txt"}
    write_files(tmp_path / "work", {"egret.txt": f"The egret, too. {HERON}"})
    with Library.open(place) as owner:
        owner.sync()
    assert "egret.txt" in found_by_a_guest()
    source.close()


def test_one_is_searched_instead_of_ones_own(work: Library) -> None:
    source = open_now("there", str(work.home))
    assert isinstance(source, FolderSource)
    assert found(source) == [("", "heron.txt")]
    source.close()
