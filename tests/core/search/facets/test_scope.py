"""A search in a part of the library finds its documents, however large the rest is."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path

import pytest

from core import cli
from core.catalog.scope import Scope
from core.documents.document import Document, Page
from core.encoders.encoder import Encoder
from core.index.probing import ProbeParams
from core.library.library import Library, LibraryOptions
from core.responses import Mode
from core.search.query.operators import OPERATORS
from tests.conftest import indexed_library

every_mode = pytest.mark.parametrize("mode", list(Mode))
TEXTS = {
    "birds/owl.txt": "Owls hunt mice at night.",
    "birds/crow.md": "Crows hunt for food by day.",
    "birds of prey/kite.txt": "Kites hunt over fields.",
    "code/Hunt.PY": "# hunt for the bug",
    "Makefile": "hunt: all",
}


def write_documents(folder: Path) -> None:
    for number, (name, text) in enumerate(TEXTS.items(), 1):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        moment = datetime(2026, 3, number, 23, 59, 59).astimezone().timestamp()
        os.utime(path, (moment, moment))


@pytest.fixture(scope="module")
def files(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An indexed library of the documents. Tests must not change it."""
    root = tmp_path_factory.mktemp("shared")
    (root / "documents").mkdir()
    write_documents(root / "documents")
    with indexed_library(encoder, root) as library:
        yield library


@pytest.fixture
def documents(files: Library) -> Path:
    """The folder of the documents."""
    return files.home.parent / "documents"


def names(library: Library, mode: Mode, scope: Scope, query: str = "hunt") -> set[str]:
    return {hit.path.name for hit in library.search(query, mode=mode, scope=scope).hits}


@every_mode
def test_only_what_is_in_the_scope_is_found(mode: Mode, files: Library, documents: Path) -> None:
    def found(**conditions: object) -> set[str]:
        return names(files, mode, Scope(**conditions))  # type: ignore[arg-type] # of many types

    everything = {Path(name).name for name in TEXTS}
    assert found() == everything
    # Only the named folder, not others with the same prefix.
    assert found(paths=(documents / "birds",)) == {"owl.txt", "crow.md"}
    assert found(paths=(documents / "birds", documents / "Makefile")) == {
        "owl.txt",
        "crow.md",
        "Makefile",
    }
    assert found(paths=(Path("/"),)) == everything
    assert found(paths=(documents / "b%",)) == set()
    assert found(suffixes=(".txt",)) == {"owl.txt", "kite.txt"}
    assert found(suffixes=(".py", "makefile")) == {"Hunt.PY", "Makefile"}
    assert found(since=date(2026, 3, 4)) == {"Hunt.PY", "Makefile"}
    assert found(since=date(2026, 3, 2), until=date(2026, 3, 3)) == {"crow.md", "kite.txt"}
    assert found(most_bytes=9) == {"Makefile"}
    assert found(least_bytes=10, suffixes=("makefile",)) == set()
    assert found(folders=("birds",)) == {"owl.txt", "crow.md"}
    assert found(folders=("BIRDS OF PREY", "code")) == {"kite.txt", "Hunt.PY"}
    assert found(folders=(f"{documents.name}/birds/",)) == {"owl.txt", "crow.md"}
    assert found(folders=("owl.txt", "bird")) == set()
    assert found(names=("hunt",)) == {"Hunt.PY"}
    assert found(names=("ÓW", "txt")) == {"owl.txt"}
    assert found(names=("?*.[", "owl")) == set()
    assert found(names=("k*.TX?",)) == {"kite.txt"}
    assert found(without_words=("mouse", "crow", "bugs")) == {"owl.txt", "kite.txt", "Makefile"}
    txt, old = Scope(suffixes=(".txt",)), Scope(until=date(2026, 3, 2))
    assert found(every=(txt, old)) == {"owl.txt"}
    assert found(either=(txt, old)) == {"owl.txt", "crow.md", "kite.txt"}
    assert found(neither=(txt, old)) == {"Hunt.PY", "Makefile"}
    assert found(since=date(1, 1, 1), until=date.max, most_bytes=10**30) == everything


def test_a_scope_of_thousands_of_conditions_is_no_error(files: Library) -> None:
    many = tuple(Scope(suffixes=(f".x{number}",)) for number in range(3000))
    assert names(files, Mode.WORDS, Scope(either=(*many, Scope(names=("owl",))))) == {"owl.txt"}


def test_documents_are_found_by_their_authors(library: Library, folder: Path) -> None:
    for author in ("Irène Joliot-Curie", "Lise Meitner"):
        (folder / f"{author}.md").write_text(f"---\nauthor: {author}\n---\nOn decay.")
    (folder / "nobody.md").write_text("On decay.")
    library.add_folder(folder)
    library.sync()
    assert names(library, Mode.WORDS, Scope(), "decay author:irene") == {"Irène Joliot-Curie.md"}
    assert names(library, Mode.WORDS, Scope(), "decay author:MEIT") == {"Lise Meitner.md"}
    assert names(library, Mode.WORDS, Scope(), "decay author:marie") == set()


@every_mode
def test_filters_and_excluded_words_of_a_query_hold_in_every_mode(
    mode: Mode, files: Library, documents: Path
) -> None:
    def found(query: str) -> set[str]:
        return names(files, mode, Scope(), query)

    assert found("hunt ext:txt") == {"owl.txt", "kite.txt"}
    assert found("hunt type:text -in:birds") == {"kite.txt"}
    assert found("hunt ext:txt OR ext:md -mouse") == {"crow.md", "owl.txt", "kite.txt"}
    assert found("hunt ext:txt OR ext:md -mice") == {"crow.md", "kite.txt"}
    assert found("hunt -ext:txt -ext:md after:2026-03-04") == {"Hunt.PY", "Makefile"}
    assert found("hunt -by -at") == {"kite.txt", "Hunt.PY", "Makefile"}
    assert found('hunt -"over fields" ext:txt') == {"owl.txt"}
    # The words' stem is there, the words are not.
    assert found('hunt -"over field" ext:txt') == {"owl.txt", "kite.txt"}
    assert found('"over fields" OR "at night"') == {"owl.txt", "kite.txt"}
    assert found('("over fields" "kites hunt") OR "by night"') == {"kite.txt"}
    assert found(f'hunt in:"{documents / "birds of prey"}"') == {"kite.txt"}
    assert names(files, mode, Scope(names=("owl",)), "hunt ext:txt") == {"owl.txt"}


def test_or_is_true_for_words_and_text_for_meaning(files: Library) -> None:
    def found(query: str, mode: Mode) -> set[str]:
        return names(files, mode, Scope(), query)

    assert found("hunt mice OR fields", Mode.WORDS) == {"owl.txt", "kite.txt"}
    assert found("hunt (mice day) OR (mice night)", Mode.WORDS) == {"owl.txt"}
    assert found("mice OR fields", Mode.MEANING) == found("mice fields", Mode.MEANING)
    hits = files.search("hunt mice OR fields", mode=Mode.HYBRID).hits
    by_words = {hit.path.name for hit in hits if Mode.WORDS in hit.passages[0].found_by}
    assert by_words == {"owl.txt", "kite.txt"}
    assert len(hits) == len(TEXTS)


@every_mode
def test_filters_alone_list_the_newest_first(mode: Mode, files: Library) -> None:
    def listed(query: str) -> list[str]:
        return [hit.path.name for hit in files.search(query, mode=mode, limit=3).hits]

    assert listed("after:2026-03-02") == ["Makefile", "Hunt.PY", "kite.txt"]
    assert listed("ext:txt -mice") == ["kite.txt"]
    assert listed('-"over fields"') == ["Makefile", "Hunt.PY", "crow.md"]


@every_mode
def test_a_filter_read_as_text_is_reported(mode: Mode, files: Library) -> None:
    results = files.search("hunt before:soon", mode=mode)
    assert results.notice == "before:soon was searched as text (not a date)."
    assert results.hits


@every_mode
def test_phrases_are_searched_in_the_scope(mode: Mode, files: Library, documents: Path) -> None:
    scope = Scope(paths=(documents / "birds",))
    assert names(files, mode, scope, '"hunt" "mice"') == {"owl.txt"}
    assert names(files, mode, scope, '"over fields"') == set()


@pytest.mark.parametrize("threshold", [0, 1000])
def test_a_document_is_found_in_its_scope_though_many_outside_are_more_like_the_query(
    threshold: int, open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways: compared in full, and found in lists that hold many others."""
    monkeypatch.setattr("core.index.index_searcher._FULL_SCAN_PASSAGES", threshold)
    library = open_library(options=LibraryOptions(probe_params=ProbeParams(t_prime=50, n_probe=1)))
    many = [
        (f"all/{number}", Document("", (Page(1, f"Owls hunt mice, story {number}."),)))
        for number in range(300)
    ]
    lonely = ("elsewhere/tax", Document("", (Page(1, "Taxes are due in spring."),)))
    library.add_collection("made", [*many, lonely])
    library.sync()
    scope = Scope(paths=(Path("made/elsewhere"),))
    for mode in (Mode.MEANING, Mode.HYBRID):
        assert names(library, mode, scope, "owls that hunt mice") == {"tax"}
        for filters in ("in:elsewhere", "name:tax", "-story", "-in:all"):
            assert names(library, mode, Scope(), f"owls that hunt mice {filters}") == {"tax"}
        assert len(names(library, mode, Scope(), "owls that hunt mice")) == 20


def test_search_in_a_scope_at_the_command_line(
    files: Library,
    documents: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WINNOW_HOME", str(files.home))
    monkeypatch.chdir(documents)
    search = ["search", "--mode", "words"]
    assert cli.main([*search, "hunt type:text", "--in", "birds"]) == 0
    out = capsys.readouterr().out
    assert "owl.txt" in out
    assert "crow" not in out
    assert cli.main([*search, "hunt after:2026-03-04 type:py"]) == 0
    assert "Hunt.PY" in capsys.readouterr().out

    def found(*arguments: str) -> set[str]:
        assert cli.main(["search", "--mode", "words", "--format", "json", *arguments]) == 0
        results = json.loads(capsys.readouterr().out)["results"]
        return {Path(result["path"]).name for result in results}

    # The option and typed text are filters of one query.
    assert found("hunt ext:txt OR ext:md", "--in", "birds") == {"owl.txt", "crow.md"}
    assert found("hunt type:markdown type:code") == {"crow.md", "Hunt.PY", "Makefile"}
    assert found("hunt date:..2026-03-02 after:2026-03") == {"owl.txt", "crow.md"}
    assert found("hunt size:<10b") == {"Makefile"}
    assert found("hunt size:>0.025kb") == {"crow.md"}


def test_the_help_tells_the_whole_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["search", "--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for operator in OPERATORS:
        assert operator.form in out
        assert operator.meaning in out
        assert operator.example in out
