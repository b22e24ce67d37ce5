"""Libraries on a read-only disk, in another user's folder, and in a locked one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.catalog.schema import VERSION
from core.library.library import Library
from tests.conftest import copy_home

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="other rights there")

# A user's actions on a library, each with its result; "no: " marks refused ones.
_ASK = """
    import sys
    from pathlib import Path
    from core.errors import WinnowError
    from core.library.library import Library, LibraryOptions
    from core.requests import CountFacets, Explain, ReadMarkup
    from core.responses import Mode

    home, folder = map(Path, sys.argv[1:])

    def ask(name, what):
        try:
            print(name, what())
        except WinnowError as error:
            print(name, "no:", error)

    for is_read_only in (False, True):
        try:
            library = Library.open(home, LibraryOptions(is_read_only=is_read_only))
        except WinnowError as error:
            print("open no:", error)
            continue
        with library:
            hits = library.search("crow", mode=Mode.WORDS).hits
            ask("words", lambda: [hit.title for hit in hits])
            ask("meaning", lambda: library.search("who hunts at night").hits[0].title)
            number = hits[0].passages[0].passage.id
            ask("explain", lambda: bool(library.answer(Explain("crow", number))))
            ask("facets", lambda: bool(library.answer(CountFacets("crow"))))
            ask("status", lambda: library.status().documents)
            ask("text", lambda: bool(library.texts.passage(number).passage.text))
            ask("view", lambda: bool(library.answer(ReadMarkup(hits[0].document_id))))
            ask("preview", lambda: library.preview(folder).waiting)
            if not is_read_only:
                ask("sync", library.sync)
                ask("add", lambda: library.add_folder(folder.parent))
                ask("remove", lambda: library.remove_folder(folder))
                ask("retry", library.retry)
                ask("check", library.check)
                ask("rebuild", library.rebuild)
                ask("judge", lambda: library.teaching.judge("crow", number))
"""


@pytest.fixture
def home(birds: Library, tmp_path: Path) -> Path:
    """A copy of the library with birds, which others use as well."""
    return copy_home(birds, tmp_path / "home")


@pytest.fixture
def run_read_only(home: Path, birds: Library) -> Iterator[Callable[[], list[str]]]:
    """Run all those queries where nothing can be written; return the answers."""
    command = [sys.executable, "-c", textwrap.dedent(_ASK), str(home)]
    command.append(str(birds.home.parent / "documents"))

    def ask() -> list[str]:
        if os.geteuid() == 0:
            # Rights are no obstacle to the superuser, a mount is.
            mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"'
            unshared = ["unshare", "--mount", "sh", "-c"]
            if shutil.which("unshare") is None or _fails([*unshared, mount, str(home)]):
                pytest.skip("neither rights nor mounts can keep this user from writing")
            arguments = [*unshared, f'{mount} && exec "$@"', str(home), *command]
        else:
            for path in (home, *home.rglob("*")):
                path.chmod(0o500 if path.is_dir() else 0o400)
            arguments = command
        before = _state(home)
        done = subprocess.run(
            arguments,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert _state(home) == before
        return done.stdout.splitlines()

    yield ask
    for path in (home, *home.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)


def _fails(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode != 0


def _state(home: Path) -> dict[str, tuple[int, int]]:
    files = sorted(path for path in home.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def test_a_read_only_library_can_be_searched_and_reports_refused_actions(
    run_read_only: Callable[[], list[str]], home: Path
) -> None:
    answers = run_read_only()
    arguments = ["words ['crow']", "meaning owl", "explain True", "facets True", "status 8"]
    arguments += ["text True", "view True", "preview 0"]
    refusal = (
        f"no: The library in {home} is in a read-only location. It can be searched, "
        "but not updated or changed."
    )
    changes = ["sync", "add", "remove", "retry", "rebuild", "judge"]
    refused = [f"{change} {refusal}" for change in changes]
    (checked,) = (answer for answer in answers if answer.startswith("check "))
    assert checked.startswith("check CheckReport(problems=(), is_repaired=False")
    answers.remove(checked)
    assert answers == [*arguments, *refused, *arguments]


# Writes into the log and is killed, so that the log stays.
_KILLED = """
    import os, signal, sys
    from pathlib import Path
    from core.catalog.catalog import Catalog
    catalog = Catalog(Path(sys.argv[1]))
    connection = catalog.connection()
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("UPDATE documents SET title = 'raven' WHERE title = 'crow'")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def _kill_while_writing(home: Path) -> None:
    catalog = str(home / "catalog.sqlite")
    script = textwrap.dedent(_KILLED)
    done = subprocess.run(
        [sys.executable, "-c", script, catalog],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode < 0
    assert (home / "catalog.sqlite-wal").stat().st_size


def test_content_only_in_the_log_is_found(
    run_read_only: Callable[[], list[str]], home: Path
) -> None:
    """Its program was killed before the disk was made read only."""
    _kill_while_writing(home)
    assert run_read_only()[0] == "words ['raven']"


def test_a_log_that_cannot_be_read_is_a_sentence(
    run_read_only: Callable[[], list[str]], home: Path
) -> None:
    _kill_while_writing(home)
    (home / "catalog.sqlite-shm").unlink()
    answers = run_read_only()
    assert len(answers) == 2
    for answer in answers:
        assert answer.startswith("open no: ")
        assert "was still open when it was copied" in answer


def test_an_older_one_is_a_sentence(run_read_only: Callable[[], list[str]], home: Path) -> None:
    with sqlite3.connect(home / "catalog.sqlite") as db:
        db.execute(f"PRAGMA user_version = {VERSION - 1}")
    db.close()
    answers = run_read_only()
    assert len(answers) == 2
    for answer in answers:
        assert answer.startswith("open no: ")
        assert "created by an older version of Winnow and is read-only" in answer


def _as_other_user(home: Path) -> list[str]:
    """Ask of a library as an ordinary user, to whom it does not belong."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("takes two users")
    for path in (home.parent, *home.parent.parents):
        if not path.stat().st_mode & 0o001 and path != home:
            pytest.skip("nobody else gets as far as the test's folder")
    script = """
        import os, sys
        from pathlib import Path
        from core.errors import WinnowError
        from core.catalog.catalog import Catalog
        try:
            catalog = Catalog(Path(sys.argv[1]) / "catalog.sqlite")
            with catalog.reading() as db:
                print(db.execute("SELECT count(*) FROM documents").fetchone()[0])
        except WinnowError as error:
            print(error)
    """
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    done = subprocess.run(
        [*user, sys.executable, "-c", textwrap.dedent(script), str(home)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "Permission denied" in done.stderr:
        pytest.skip("nobody else may run this Python")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def open_to_all(home: Path) -> Iterator[Path]:
    """A library in a folder to which everybody gets; its own is shut."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(shutil.move(home, Path(place) / "home"))


def test_a_foreign_library_raises_one_sentence(open_to_all: Path) -> None:
    (answer,) = _as_other_user(open_to_all)
    assert answer == (
        f"Permission to read the library in {open_to_all} was denied. Check its owner and "
        "permissions, or set WINNOW_HOME to a folder of your own."
    )


def test_a_foreign_library_that_all_may_read_is_read(open_to_all: Path) -> None:
    for path in (open_to_all, *open_to_all.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert _as_other_user(open_to_all) == ["8"]
