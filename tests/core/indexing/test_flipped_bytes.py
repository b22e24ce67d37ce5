"""One changed byte in a library's files: a check finds it, or it has no effect."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core import cli
from core.catalog import maintenance
from core.catalog.files.folders import FolderRules
from core.catalog.integrity.user_data_backup import UserDataBackup
from core.errors import LibraryDamagedError, LibraryTooNewError
from core.library.library import Library
from core.responses import Mode
from core.settings import Settings, load_settings, save_settings

from .conftest import assert_sound, contents, put

_FLIPS = int(os.environ.get("WINNOW_TEST_FLIPS", "12"))
Reopen = Callable[..., Library]

BIRDS = {
    "crow.txt": "The crow hides food in the ground and remembers where.",
    "owl.txt": "The owl hunts mice at night without a sound. " * 40,
    "swift.txt": "The swift sleeps in the air 東京に住む.",
}


@pytest.fixture
def whole(library: Library, folder: Path) -> Path:
    """The home of a library with something in each place, closed."""
    for name, text in BIRDS.items():
        put(folder / name, text)
    library.add_folder(folder, FolderRules(exclude=("drafts/",)))
    library.describe_folder(folder, "birds of all kinds")
    library.sync()
    found = library.search("who hunts", mode=Mode.WORDS).hits
    library.teaching.judge("who hunts", found[0].passages[0].passage.id)
    save_settings(Settings(saved_searches=("owls at night",)), library.home / "settings.json")
    library.close()
    return library.home


def state_of(library: Library) -> dict[str, Any]:
    """Everything that a user would miss."""
    return {
        "contents": contents(library),
        "folders": [(one.path, one.rules, one.description) for one in library.folders()],
        "marks": [(one.query, one.path) for one in library.teaching.judgements()],
        "saved": load_settings(library.home / "settings.json").settings.saved_searches,
        "answers": {
            (query, mode): [
                (hit.path, round(hit.score, 3)) for hit in library.search(query, mode=mode).hits
            ]
            for query in ("who hunts mice", "東京", "crow food")
            for mode in Mode
        },
    }


def flipped(path: Path, place: int, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1 << bit
    path.write_bytes(data)


@pytest.mark.timeout(60 + 10 * _FLIPS)
@pytest.mark.parametrize(
    "name", ["catalog.sqlite", "index", "kept.json", "settings.json", "settings.copy.json"]
)
def test_a_check_finds_it_and_a_repair_brings_all_back(
    whole: Path, tmp_path: Path, open_library: Reopen, name: str
) -> None:
    expected = state_of(opened := open_library(whole))
    opened.close()
    draw = random.Random(f"{os.environ.get('WINNOW_TEST_SEED', '')}flips of {name}")
    for number in range(_FLIPS if name == "catalog.sqlite" else max(_FLIPS // 3, 3)):
        home = shutil.copytree(whole, tmp_path / str(number))
        path = home / name
        if name == "index":
            (path,) = path.iterdir()
        # Most bytes of a small catalog are of free space.
        places = [place for place, byte in enumerate(path.read_bytes()) if byte]
        place, bit = draw.choice(places), draw.randrange(8)
        flipped(path, place, bit)
        was = f"{name}, byte {place}, bit {bit}"
        is_found = True
        try:
            library = open_library(home)
        except LibraryTooNewError:
            continue  # the number of the version itself, to which the sentence says what to do
        except LibraryDamagedError:
            Library.recreate(home)
            library = open_library(home)
        else:
            try:
                is_found = bool(library.check().problems)
            except LibraryDamagedError:
                is_found = True
            if is_found:
                report = library.check(repairs=True)
                assert report.is_repaired, (was, report)
        if is_found:
            library.sync()
            assert library.check().problems == (), was
            assert_sound(library)
        assert state_of(library) == expected, was
        library.close()
        shutil.rmtree(home)


@pytest.mark.parametrize("harm", ["zeros", "cut", "text", "empty", "gone", "header"])
def test_a_catalog_beyond_repair_is_recreated_with_the_saved_data(
    whole: Path,
    open_library: Reopen,
    harm: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    expected = state_of(opened := open_library(whole))
    opened.close()
    catalog = whole / "catalog.sqlite"
    data = catalog.read_bytes()
    harmed = {
        "zeros": bytes(len(data)),
        "cut": data[: len(data) // 2],
        "text": b"This is no catalog. " * 100,
        "empty": b"",
        "header": b"x" * 100 + data[100:],
    }
    if harm == "gone":
        catalog.unlink()
    else:
        catalog.write_bytes(harmed[harm])
    monkeypatch.setenv("WINNOW_HOME", str(whole))
    if harm not in {"empty", "gone"}:
        assert cli.main(["status"]) == 1
        assert "Run winnow check --repair to rebuild it from your files" in capsys.readouterr().err
        assert cli.main(["check", "--repair"]) == 0
        assert "with your folders, rules and judgements" in capsys.readouterr().out
        assert (whole / "catalog.sqlite.bad").read_bytes() == harmed[harm]
    library = open_library(whole)
    library.sync()
    assert state_of(library) == expected
    assert library.check().problems == ()
    # The file set aside contains text: it is deleted with the first folder that is removed.
    library.remove_folder(library.folders()[0].path)
    assert not list(whole.glob("*.bad"))
    stored = UserDataBackup(whole / "catalog.sqlite").read()
    assert stored is not None
    assert stored["folders"] == []


def test_text_that_has_changed_is_read_from_its_file_again(
    whole: Path, open_library: Reopen
) -> None:
    library = open_library(whole)
    db = library._catalog.connection()
    db.execute("UPDATE passages SET text = replace(text, 'crow', 'crxw')")
    db.execute("INSERT INTO passages_fts(passages_fts) VALUES ('rebuild')")
    (problem,) = library.check().problems
    assert problem == (
        f"Document data in {library._catalog.path} has changed since the documents were read: 1."
    )
    assert library.check(repairs=True).is_repaired
    assert library.search("crxw", mode=Mode.WORDS).hits == ()
    assert len(library.search("crow", mode=Mode.WORDS).hits) == 1


@pytest.mark.parametrize("column", ["text_sum", "row_sum"])
def test_a_missing_checksum_is_damage(whole: Path, open_library: Reopen, column: str) -> None:
    library = open_library(whole)
    with library._catalog.transaction() as db:
        trigger = "documents_are_summed_anew"
        trigger_sql = maintenance.schema_written()["trigger", trigger]
        db.execute(f"DROP TRIGGER {trigger}")
        db.execute(f"UPDATE documents SET {column} = NULL")
        db.execute(trigger_sql)
    assert library.check().problems != ()
