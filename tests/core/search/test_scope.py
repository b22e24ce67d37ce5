"""A search in a part of the library finds what is there, however much is elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import pytest

from core import cli
from core.catalog.scope import Scope
from core.documents.document import Document, Page
from core.index.probing import Probing
from core.library import Library, LibraryOptions
from core.search.results import Mode

every_mode = pytest.mark.parametrize("mode", list(Mode))
TEXTS = {
    "birds/owl.txt": "Owls hunt mice at night.",
    "birds/crow.md": "Crows hunt for food by day.",
    "birds of prey/kite.txt": "Kites hunt over fields.",
    "code/Hunt.PY": "# hunt for the bug",
    "Makefile": "hunt: all",
}


@pytest.fixture
def files(library: Library, folder: Path) -> Library:
    for number, (name, text) in enumerate(TEXTS.items(), 1):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        moment = datetime(2026, 3, number, 23, 59, 59).astimezone().timestamp()
        os.utime(path, (moment, moment))
    library.add_folder(folder)
    library.sync()
    return library


def names(library: Library, mode: Mode, scope: Scope, query: str = "hunt") -> set[str]:
    return {hit.path.name for hit in library.search(query, mode=mode, scope=scope).hits}


@every_mode
def test_only_what_is_in_the_scope_is_found(mode: Mode, files: Library, folder: Path) -> None:
    def found(**conditions: object) -> set[str]:
        return names(files, mode, Scope(**conditions))  # type: ignore[arg-type] # of many types

    everything = {Path(name).name for name in TEXTS}
    assert found() == everything
    # Of folders whose names begin alike only the one that is named.
    assert found(places=(folder / "birds",)) == {"owl.txt", "crow.md"}
    assert found(places=(folder / "birds", folder / "Makefile")) == {
        "owl.txt",
        "crow.md",
        "Makefile",
    }
    assert found(places=(Path("/"),)) == everything
    assert found(places=(folder / "b%",)) == set()
    assert found(suffixes=(".txt",)) == {"owl.txt", "kite.txt"}
    assert found(suffixes=(".py", "makefile")) == {"Hunt.PY", "Makefile"}
    assert found(since=date(2026, 3, 4)) == {"Hunt.PY", "Makefile"}
    assert found(since=date(2026, 3, 2), until=date(2026, 3, 3)) == {"crow.md", "kite.txt"}
    assert found(most_bytes=9) == {"Makefile"}
    assert found(least_bytes=10, suffixes=("makefile",)) == set()


@every_mode
def test_phrases_are_looked_for_in_the_scope(mode: Mode, files: Library, folder: Path) -> None:
    scope = Scope(places=(folder / "birds",))
    assert names(files, mode, scope, '"hunt" "mice"') == {"owl.txt"}
    assert names(files, mode, scope, '"over fields"') == set()


@pytest.mark.parametrize("few", [0, 1000])
def test_a_document_is_found_in_its_scope_though_many_others_are_more_like_the_query(
    few: int, open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways: compared in full, and found in lists that hold many others."""
    monkeypatch.setattr("core.index.token_index._FEW_PASSAGES", few)
    library = open_library(options=LibraryOptions(probing=Probing(vectors=50, lists=1)))
    many = [
        (f"all/{number}", Document("", (Page(1, f"Owls hunt mice, story {number}."),)))
        for number in range(300)
    ]
    lonely = ("elsewhere/tax", Document("", (Page(1, "Taxes are due in spring."),)))
    library.add_collection("made", [*many, lonely])
    library.sync()
    scope = Scope(places=(Path("made/elsewhere"),))
    for mode in (Mode.MEANING, Mode.HYBRID):
        assert names(library, mode, scope, "owls that hunt mice") == {"tax"}
        assert len(names(library, mode, Scope(), "owls that hunt mice")) == 20


def test_search_in_a_scope_at_the_command_line(
    files: Library,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WINNOW_HOME", str(files.home))
    monkeypatch.chdir(folder)
    search = ["search", "hunt", "--mode", "words"]
    assert cli.main([*search, "--in", "birds", "--type", "text"]) == 0
    out = capsys.readouterr().out
    assert "owl.txt" in out
    assert "crow" not in out
    assert cli.main([*search, "--since", "2026-03-04", "--type", "py"]) == 0
    assert "Hunt.PY" in capsys.readouterr().out
    assert cli.main([*search, "--type", "films"]) == 2
    assert "no files of the kind 'films'; there are text, code" in capsys.readouterr().err
    assert cli.main([*search, "--until", "yesterday"]) == 2
    assert "yesterday" in capsys.readouterr().err
