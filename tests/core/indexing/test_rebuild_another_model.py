"""A library remembers its model, and another takes its place at once or not at all."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.catalog import manifest
from core.errors import Cancelled, ModelError
from core.library.library import Library
from core.model_names import BUILT_IN
from core.progress import Job, Stage
from core.responses import Mode
from tests.core.tiny_models import save_tiny

from .conftest import Opener, assert_sound, dots_of, put, stop_after

_KILLS = int(os.environ.get("WINNOW_TEST_KILLS", "5"))
QUERIES = ("crows remember", "the owl hunts mice", "hide food")

Answers = Mapping[str, list[tuple[str, float]]]


@pytest.fixture
def files(folder: Path) -> Path:
    for number in range(10):
        bird = ("crow", "owl")[number % 2]
        put(folder / f"{number}.txt", f"the {bird} hunts at night. {number} crows hide food.")
    return folder


def answers(library: Library) -> Answers:
    found = {}
    for query in QUERIES:
        results = library.search(query, mode=Mode.MEANING, limit=50)
        assert results.notice == ""
        found[query] = sorted((hit.path.name, round(hit.score, 3)) for hit in results.hits)
    return found


def stored_files(library: Library) -> int:
    return len(list((library.home / "index").iterdir()))


def test_the_old_model_answers_until_all_new_vectors_are_built(
    opened: Opener, models: Path, files: Path, tmp_path: Path
) -> None:
    library = opened(models / "first")
    library.add_folder(files)
    library.sync()
    by_first = answers(library)
    other = opened(models / "second", home=tmp_path / "other")
    other.add_folder(files)
    other.sync()
    by_second = answers(other)
    assert by_first != by_second
    library = opened(models / "second")
    for count in (0, 1, 1):
        with pytest.raises(Cancelled):
            library.sync(stop_after(count))
        assert answers(library) == by_first
        status = library.status()
        assert (status.model, status.coming_model) == ("first", "second")
    staged = library._catalog.connection().execute("SELECT count(*) FROM staged").fetchone()[0]
    assert staged == 6
    # Another process meanwhile: it sees the same, and continues the switch alone.
    assert answers(opened()) == by_first
    done: list[int] = []
    opened().sync(Job(lambda one: done.append(one.done) if one.stage is Stage.REPLACING else None))
    assert done[-1] == 4
    # At once, for those that were opened before as well.
    assert answers(library) == by_second
    status = library.status()
    assert (status.model, status.coming_model, status.waiting) == ("second", "", 0)
    assert_sound(library)
    assert stored_files(library) == 1
    assert answers(opened()) == by_second


def test_an_empty_library_changes_its_model_at_once(
    opened: Opener, models: Path, files: Path
) -> None:
    opened(models / "first").sync()
    assert opened().status().model == "first"
    library = opened(models / "second")
    library.sync()
    assert library.status().model == "second"
    library.add_folder(files)
    library.sync()
    assert library.status().coming_model == ""
    assert_sound(library)


def test_documents_may_come_and_go_in_the_middle(
    opened: Opener, models: Path, files: Path, tmp_path: Path
) -> None:
    opened(models / "first").add_folder(files)
    opened().sync()
    library = opened(models / "second")
    with pytest.raises(Cancelled):
        library.sync(stop_after(7))
    for number in (0, 1, 2, 9):
        (files / f"{number}.txt").unlink()
    put(files / "new.txt", "crows remember the faces.")
    library.sync()
    assert library.status().model == "second"
    assert_sound(library)
    fresh = opened(models / "second", home=tmp_path / "fresh")
    fresh.add_folder(files)
    fresh.sync()
    assert answers(library) == answers(fresh)


def test_reverting_the_choice_retains_the_active_model(
    opened: Opener, models: Path, files: Path
) -> None:
    library = opened(models / "first")
    library.add_folder(files)
    library.sync()
    before = answers(library)
    with pytest.raises(Cancelled):
        opened(models / "second").sync(stop_after(4))
    again = opened(models / "first")
    encoded: list[Stage] = []
    again.sync(Job(lambda progress: encoded.append(progress.stage)))
    assert not {Stage.ENCODING, Stage.REPLACING} & {*encoded}
    assert answers(again) == before
    assert again.status().coming_model == ""
    assert stored_files(again) == 1


@pytest.mark.parametrize("harm", ["gone", "changed"])
def test_without_the_old_models_files_words_are_left_and_a_sentence(
    harm: str, opened: Opener, models: Path, files: Path, tmp_path: Path
) -> None:
    shutil.copytree(models / "first", tmp_path / "own")
    library = opened(tmp_path / "own")
    library.add_folder(files)
    library.sync()
    if harm == "gone":
        shutil.rmtree(tmp_path / "own")
        sentence = "The model first, which this library was indexed with, is missing from"
    else:
        save_tiny(tmp_path / "own", 3)
        sentence = "The model first has changed since this library was indexed"
    library = opened(models / "second")
    for mode in (Mode.MEANING, Mode.HYBRID):
        results = library.search("crow hunts", mode=mode)
        assert results.notice.startswith(sentence)
        assert len(results.hits) == 10
        assert results.hits[0].passages[0].found_by == (Mode.WORDS,)
    library.sync()
    assert library.search("crow", mode=Mode.MEANING).notice == ""
    assert_sound(library)


def test_a_remembered_model_whose_drive_is_unplugged(
    opened: Opener, models: Path, files: Path, tmp_path: Path
) -> None:
    shutil.copytree(models / "first", tmp_path / "drive")
    library = opened(tmp_path / "drive")
    library.add_folder(files)
    library.sync()
    before = answers(library)
    (tmp_path / "drive").rename(tmp_path / "away")
    library = opened()
    library.sync()
    put(files / "new.txt", "crows remember the faces.")
    # New files are read, and found by their words.
    with pytest.raises(ModelError, match="no built-in model or folder"):
        library.sync()
    assert len(library.search("remember", mode=Mode.HYBRID).hits) == 1
    (files / "new.txt").unlink()
    (tmp_path / "away").rename(tmp_path / "drive")
    library = opened()
    library.sync()
    assert answers(library) == before
    with pytest.raises(ModelError, match="no built-in model or folder"):
        opened(tmp_path / "nowhere")


def test_the_settings_name_the_model_of_a_library_that_chose_none(
    opened: Opener, home: Path, models: Path
) -> None:
    assert opened().status().model == BUILT_IN
    home.mkdir(exist_ok=True)
    (home / "settings.json").write_text(json.dumps({"model": str(models / "second")}))
    assert opened().status().model == "second"
    assert opened(models / "first").status().model == "first"
    (home / "settings.json").write_text(json.dumps({"model": "/nowhere"}))
    assert (
        "no built-in model or folder named '/nowhere'"
        in opened().search("x", mode=Mode.HYBRID).notice
    )


# Sync a library with another model, and write a dot at each step.
_SWITCHER = """
    import os, sys
    from pathlib import Path
    from core.catalog.catalog import Catalog
    from core.index import segment
    from core.indexing import rebuild
    from core.library.library import Library, LibraryOptions

    rebuild.PASSAGES_PER_SEGMENT = 3
    connect, write, fsync = Catalog._connect, segment.write, os.fsync

    def dot(*_arguments):
        os.write(1, b".")

    def connect_dotted(self):
        connection = connect(self)
        connection.set_trace_callback(dot)
        return connection

    def write_dotted(*arguments):
        dot()
        result = write(*arguments)
        dot()
        return result

    Catalog._connect = connect_dotted
    segment.write = write_dotted
    with Library.open(Path(sys.argv[1]), LibraryOptions(32, model=sys.argv[2])) as library:
        library.sync()
"""


def switch(home: Path, model: Path, dots: int | None) -> int:
    """Run it to the end, or kill it after a number of dots; return the number of dots."""
    return dots_of(_SWITCHER, [home, model], dots)


@pytest.mark.skipif(os.name == "nt", reason="the test relies on pipes and SIGKILL")
@pytest.mark.timeout(60 + 30 * _KILLS)
@pytest.mark.slow
def test_killed_at_any_moment_one_model_answers_or_the_other(
    opened: Opener, home: Path, models: Path, files: Path, tmp_path: Path
) -> None:
    library = opened(models / "first")
    library.add_folder(files)
    library.sync()
    by = {"first": answers(library)}
    library.close()
    original = shutil.copytree(home, tmp_path / "original")
    dots = switch(home, models / "second", None)
    assert dots > 50
    library = opened(home=home)
    by["second"] = answers(library)
    library.close()
    disturbed = tmp_path / "disturbed"
    for _ in range(_KILLS):
        if not disturbed.exists():
            shutil.copytree(original, disturbed)
        switch(disturbed, models / "second", random.randint(1, dots))
        left = opened(home=disturbed)
        assert answers(left) == by[left.status().model]
        with left._catalog.reading() as db:
            live = manifest.live(db)
            found = {row["codec"] for row in db.execute(_ANSWERING)}
        assert live is not None
        assert found == {live.codec}
        left.close()
        if live.spec.name == "second":
            shutil.rmtree(disturbed)
    if disturbed.exists():
        switch(disturbed, models / "second", None)
        left = opened(home=disturbed)
        assert answers(left) == by["second"]
        assert_sound(left)
        assert stored_files(left) == 1


_ANSWERING = (
    "SELECT DISTINCT codec FROM passages JOIN segments ON segments.id = passages.segment_id"
)
