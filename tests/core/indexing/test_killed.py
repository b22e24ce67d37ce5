"""A program that is killed at any moment loses nothing and leaves nothing half-made."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core.catalog import manifest
from core.index.generation import codebook_folder, learned_at
from core.library.library import Library, LibraryOptions
from core.responses import Mode
from tests.core.containers import Tree, container_bytes, expected
from tests.waiting import patience

from .conftest import assert_sound, contents, on_disk, put, touch

ROOT = Path(__file__).resolve().parents[3]
_KILLS = int(os.environ.get("WINNOW_TEST_KILLS", "20"))

# Sync a library, and write a dot at each step: each statement of SQLite, each file, each turn.
# The steps are small, so that there are many moments between two of them.
_INDEXER = """
    import os, sys
    from pathlib import Path
    from core.catalog.catalog import Catalog
    from core.index import index_writer, segment
    from core.indexing import rebuild
    from core.indexing.build import generations
    from core.indexing.read import document_rows
    from core.library.library import Library, LibraryOptions
    from core.progress import Job

    rebuild.PASSAGES_PER_SEGMENT = 7
    generations._ENOUGH_PASSAGES = 12
    index_writer._TOGETHER = 2
    index_writer._TIERS = (10, 20, 1 << 17)
    document_rows._STORE_S = 0.0
    connect, write, fsync = Catalog._connect, segment.write, os.fsync

    def dot(*_arguments):
        os.write(1, b".")

    def connect_dotted(self):
        connection = connect(self)
        connection.set_trace_callback(dot)
        return connection

    def dotted(function):
        def call(*arguments):
            dot()
            result = function(*arguments)
            dot()
            return result
        return call

    class DottedJob(Job):
        def checkpoint(self):
            dot()

    Catalog._connect = connect_dotted
    segment.write = dotted(write)
    os.fsync = dotted(fsync)
    with Library.open(Path(sys.argv[1]), LibraryOptions(int(sys.argv[3]))) as library:
        library.add_folder(Path(sys.argv[2]))
        library.sync(DottedJob())
"""


def start(home: Path, folder: Path, bits: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(_INDEXER), str(home), str(folder), str(bits)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run_to_the_end(home: Path, folder: Path, bits: int = 2) -> int:
    """Return the number of dots."""
    with start(home, folder, bits) as process:
        out, errors = process.communicate(timeout=2 * patience())
    assert process.returncode == 0, errors.decode()
    return len(out)


def kill_at(dots: int, home: Path, folder: Path, bits: int = 2) -> bool:
    """Whether it was killed before it had done everything."""
    with start(home, folder, bits) as process:
        assert process.stdout is not None
        seen = process.stdout.read(dots)
        process.kill()
    return len(seen) == dots and process.returncode != 0


def answers(library: Library) -> Mapping[tuple[str, Mode], dict[Path, tuple[str, float]]]:
    return {
        (query, mode): {
            hit.path: (hit.passages[0].passage.text, hit.score)
            for hit in library.search(query, mode=mode, limit=100).hits
        }
        for query in ("crow 7 food", "birds that hunt at night", "stones")
        for mode in Mode
    }


@pytest.mark.skipif(os.name == "nt", reason="the test relies on pipes and SIGKILL")
@pytest.mark.timeout(60 + 20 * _KILLS)
@pytest.mark.slow
def test_killed_at_any_moment_and_started_again_it_ends_as_if_undisturbed(
    folder: Path, tmp_path: Path, open_library: Callable[..., Library]
) -> None:
    for number in range(60):
        bird = ("crow", "owl", "swift", "dipper")[number % 4]
        text = f"The {bird} of story {number} hides food under {number % 7} stones. "
        put(folder / f"{bird}{number}.txt", text * (1 + number % 3))
    dots = run_to_the_end(tmp_path / "undisturbed", folder)
    assert dots > 500
    home = tmp_path / "disturbed"
    kills = 0
    while kills < _KILLS:
        # A part of the way each time, so that late moments have their turn too.
        if not kill_at(random.randint(1, max(dots // 3, 1)), home, folder):
            home = home.with_name(f"disturbed after {kills}")
            continue
        kills += 1
        if not (home / "catalog.sqlite").exists():
            continue
        left = Library.open(home)
        db = left._catalog.connection()
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        db.execute("INSERT INTO passages_fts(passages_fts, rank) VALUES ('integrity-check', 1)")
        assert left._generations.answering().segments.damage() == ""
        # Each document that is there is there whole.
        assert (
            contents(left).items()
            <= {path: text.strip() for path, text in on_disk(folder).items()}.items()
        )
        left.close()
    run_to_the_end(home, folder)
    disturbed, undisturbed = open_library(home), open_library(tmp_path / "undisturbed")
    assert_sound(disturbed)
    assert contents(disturbed) == contents(undisturbed)
    assert disturbed.status().tokens == undisturbed.status().tokens
    expected = answers(undisturbed)
    for query_text, found in answers(disturbed).items():
        assert found.keys() == expected[query_text].keys(), query_text
        for path, (text, score) in found.items():
            assert text == expected[query_text][path][0]
            assert score == pytest.approx(expected[query_text][path][1], abs=1e-3), (
                query_text,
                path,
            )
    # Nothing is left to do, and no rubbish is left.
    files = {
        row["file"] for row in disturbed._catalog.connection().execute("SELECT * FROM segments")
    }
    assert {path.name for path in (home / "index").iterdir()} <= files
    report = disturbed.sync()
    assert (report.documents, report.read, report.removed) == (60, 0, 0)


@pytest.mark.skipif(os.name == "nt", reason="the test relies on pipes and SIGKILL")
@pytest.mark.timeout(60 + 20 * _KILLS)
@pytest.mark.slow
def test_killed_while_its_codebook_is_relearned_every_answer_remains(
    folder: Path, tmp_path: Path, open_library: Callable[..., Library]
) -> None:
    def write(numbers: range) -> None:
        for number in numbers:
            put(folder / f"{number}.txt", f"The crow of story {number} hides food under stones.")

    def found(library: Library) -> set[str]:
        hits = library.search("crow food", mode=Mode.MEANING, limit=100).hits
        return {hit.path.name for hit in hits}

    write(range(14))
    grown = tmp_path / "grown"
    run_to_the_end(grown, folder, bits=1)
    run_to_the_end(grown, folder, bits=1)  # the lists that its own ones replaced are deleted now
    (first,) = codebook_folder(grown).iterdir()
    assert learned_at(first.name) == 14
    write(range(14, 60))
    home = shutil.copytree(grown, tmp_path / "disturbed")
    dots = run_to_the_end(shutil.copytree(grown, tmp_path / "undisturbed"), folder, bits=1)
    before = {path.name for path in folder.iterdir() if int(path.stem) < 14}
    for number in range(max(_KILLS // 4, 1)):
        kill_at(random.randint(1, dots), home, folder, bits=1)
        left = open_library(home, options=LibraryOptions(1))
        answering = left._generations.answering()
        assert answering.segments.damage() == ""
        # Earlier results are still found, and no half-built one.
        assert before <= found(left)
        before = found(left)
        if answering.row.spec.codebook != first.name:
            assert len(before) == 60
            home = shutil.copytree(grown, tmp_path / f"disturbed after {number}")
            before = {f"{number}.txt" for number in range(14)}
        left.close()
    run_to_the_end(home, folder, bits=1)
    run_to_the_end(home, folder, bits=1)
    library = open_library(home, options=LibraryOptions(1))
    assert_sound(library)
    assert len(found(library)) == 60
    (codebook,) = codebook_folder(home).iterdir()
    assert learned_at(codebook.name) == 60
    with library._catalog.reading() as db:
        assert manifest.building(db) is None


def box(*numbers: int) -> dict[str, Tree]:
    return {
        f"{number}.eml": {"body": f"Story {number} of the owl.", "a.txt": f"Stone {number}."}
        for number in numbers
    }


@pytest.mark.skipif(os.name == "nt", reason="the test relies on pipes and SIGKILL")
@pytest.mark.timeout(60 + 20 * _KILLS)
@pytest.mark.slow
def test_killed_in_a_container_and_started_again_it_ends_with_all_that_is_in_it(
    folder: Path, tmp_path: Path, open_library: Callable[..., Library]
) -> None:
    """Also when the containers have changed since: some members are new, some moved."""
    plain = {f"{number}.txt": f"The crow of story {number} hides food." for number in range(12)}
    states: list[dict[str, Tree]] = [
        {"a.zip": {**plain, "in.zip": plain}, "box.mbox": box(*range(8)), "n.eml": box(1)["1.eml"]},
        {"a.zip": {"b": "", **box(3, 4), **plain}, "box.mbox": box(9, *range(2, 8), 10)},
    ]
    home = tmp_path / "disturbed"
    dots = 0
    for state in states:
        for name in ("a.zip", "box.mbox", "n.eml"):
            (folder / name).unlink(missing_ok=True)
            if name in state:
                (folder / name).write_bytes(container_bytes(name, state[name]))
                touch(folder / name)
        dots = dots or run_to_the_end(tmp_path / "undisturbed", folder)
        for _ in range(max(_KILLS // 7, 1)):
            kill_at(random.randint(1, dots), home, folder)
        run_to_the_end(home, folder)
        library = open_library(home)
        wanted = {}
        for name, content in state.items():
            wanted.update(expected(folder / name, content))
        wanted.pop(str(folder / "a.zip" / "b"), None)  # of no kind that is read
        assert contents(library) == wanted
        assert library.failures() == ()
        assert_sound(library)
        assert library.sync().read == 0
        library.close()
