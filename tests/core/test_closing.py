"""A library that is closed while other threads search it, or bring it in step."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import LibraryClosedError
from core.library.library import Library
from core.progress import Job, Progress, Stage
from core.requests import CountFacets, DrawPage, Explain, GetSalientWords
from tests.conftest import BIRDS, write_files

_CLOSED_UNDER_SEARCHES = """
    import sys, threading
    from core.errors import LibraryClosedError
    from core.library.library import Library, LibraryOptions
    from core.requests import CountFacets, ReadPages
    from core.responses import Mode

    ASKS = (
        lambda library: library.search("the crow remembers", mode="words"),
        lambda library: library.answer(CountFacets("", Mode.WORDS)),
        lambda library: (library.status(), library.failures(), library.documents()),
        lambda library: (library.copies(), library.answer(ReadPages(1))),
    )

    def use(library, ask, begun):
        try:
            while True:
                ask(library)
                begun.release()
        except LibraryClosedError:
            pass

    for round in range(20):
        library = Library.open(sys.argv[1], LibraryOptions(is_read_only=True))
        begun = threading.Semaphore(0)
        users = [threading.Thread(target=use, args=(library, ask, begun)) for ask in ASKS]
        for user in users:
            user.start()
        # During the work, and each time of other calls.
        for _ in range(8 + round):
            begun.acquire()
        library.close()
        for user in users:
            user.join()
    print("closed")
"""


def test_a_library_is_closed_while_it_is_searched(birds: Library) -> None:
    # In a separate process: closing it during searches would crash it.
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_CLOSED_UNDER_SEARCHES), birds.home],
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "closed\n", "")


@pytest.mark.parametrize("stage", [Stage.SCANNING, Stage.READING, Stage.ENCODING])
def test_a_sync_ends_when_the_library_is_closed_and_the_next_goes_on(
    stage: Stage, open_library: Callable[..., Library], folder: Path
) -> None:
    write_files(folder, BIRDS)
    with zipfile.ZipFile(folder / "more.zip", "w") as archive:
        for name in ("rook.txt", "jay.txt"):
            archive.writestr(name, f"The {name} lies in an archive.")
    library = open_library()
    library.add_folder(folder)

    def close(progress: Progress) -> None:
        # By the working thread, without waiting.
        if progress.stage is stage:
            library.close()

    with pytest.raises(LibraryClosedError):
        library.sync(Job(close))
    library = open_library()
    report = library.sync()
    assert report.failed == ()
    assert report.documents == len(BIRDS) + 2
    assert library.check().problems == ()


def test_using_a_closed_library_raises_a_closed_error(open_library: Callable[..., Library]) -> None:
    library = open_library()
    texts = library.texts
    library.close()
    library.close()
    calls: list[Callable[[], object]] = [
        library.status,
        library.sync,
        library.check,
        library.warm_up,
        library.watcher,
        lambda: library.search("crow"),
        lambda: library.answer(Explain("crow", 1)),
        lambda: library.answer(DrawPage(1, 1, 100)),
        lambda: texts.passage(1),
    ]
    for ask in calls:
        with pytest.raises(LibraryClosedError, match=r"^The library is closed\.$"):
            ask()


def test_nothing_that_a_library_does_leaves_a_connection_open(
    open_library: Callable[..., Library], folder: Path
) -> None:
    """Closing closes the connection of a thread that is at rest, unless it was given out of it."""
    write_files(folder, BIRDS)

    def use() -> Library:
        library = open_library()
        library.add_folder(folder)
        library.sync()
        (hit, *_) = library.search("a bird that never raises its chicks").hits
        library.answer(Explain("bird", hit.passages[0].passage.id))
        library.answer(CountFacets("bird"))
        library.answer(GetSalientWords(hit.passages[0].passage.id))
        library.background_vocabulary()(Job())
        library.check()
        library.rebuild()
        library.keep_as_built()
        library.rebuild()
        library.sync()
        library.publish(str(folder.with_name("published")))
        library.remove_folder(folder)
        return library

    with ThreadPoolExecutor(1) as executor:
        library = executor.submit(use).result()
        held = [owned.connection for owned in library._catalog._connections]
        assert held
        # While the thread lives, which would close it at its end.
        library.close()
        for connection in held:
            with pytest.raises(sqlite3.ProgrammingError, match="closed"):
                connection.execute("SELECT 1")
