"""The command line: what programs may rely on, and a sentence for whatever goes wrong."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import click
import filelock
import pytest

from core import cli
from core.files.own_files import NO_ROOM
from core.library.library import Library
from core.search.query.language import LONGEST
from core.settings import chosen
from tests.conftest import BIRDS, Run, write_files

ROOT = Path(__file__).resolve().parents[2]


def in_json(command: str) -> list[str]:
    """The options by which a command prints JSON: `search` has other formats as well."""
    return ["--format", "json"] if command == "search" else ["--json"]


@pytest.fixture
def read(run: Run) -> Callable[..., Any]:
    """Run a command that must succeed and print nothing but JSON; return that."""

    def call(*arguments: str | Path) -> Any:
        status, out, errors = run(*arguments, *in_json(str(arguments[0])))
        assert (status, errors) == (0, "")
        return json.loads(out)

    return call


@pytest.fixture
def indexed(folder: Path, read: Callable[..., Any]) -> Path:
    write_files(folder, BIRDS)
    read("index", folder)
    return folder


def assert_sentence(errors: str) -> None:
    """One line, from winnow, that begins and ends as a sentence does, and no trace."""
    assert re.fullmatch(r"winnow: \S[^\n]*[.]\n", errors), errors
    assert "Traceback" not in errors
    assert "unexpected" not in errors


def test_index_reports_what_it_did(folder: Path, read: Callable[..., Any]) -> None:
    files = {"crow.txt": "Crows hide food.", "b.raw": "", "broken.docx": "no", "blank.md": "\n"}
    write_files(folder, files)
    report = read("index", folder)
    assert {
        "documents",
        "passages",
        "tokens",
        "tokens_kept",
        "failed",
        "skipped",
        "seconds",
        "index_bytes",
    } <= report.keys()
    assert (report["documents"], report["passages"], report["skipped"]) == (1, 1, 1)
    assert [Path(path).name for path in report["without_text"]] == ["blank.md"]
    assert report["tokens"] > report["tokens_kept"] > 1
    assert report["index_bytes"] == sum(
        path.stat().st_size for path in (Path(os.environ["WINNOW_HOME"]) / "index").iterdir()
    )
    assert isinstance(report["seconds"], float)
    (failed,) = report["failed"]
    assert failed["path"] == str(folder / "broken.docx")
    assert failed["reason"]
    assert read("index")["documents"] == 1


def test_search_shows_results_and_reasons(indexed: Path, read: Callable[..., Any]) -> None:
    found = read("search", "who hunts at NIGHT", "-n", "3")
    assert found["query"] == "who hunts at NIGHT"
    assert found["took_ms"] > 0
    assert [result["rank"] for result in found["results"]] == [1, 2, 3]
    scores = [result["score"] for result in found["results"]]
    assert scores == sorted(scores, reverse=True)
    best = found["results"][0]
    assert best.keys() >= {
        "rank", "score", "path", "title", "page", "found_by", "passage", "alignments"
    }  # fmt: skip
    assert best["path"] == str(indexed / "owl.txt")
    assert (best["title"], best["page"], best["found_by"]) == ("owl", 1, ["words", "meaning"])
    text = best["passage"]["text"]
    assert text == BIRDS["owl.txt"]
    assert best["passage"]["end"] - best["passage"]["start"] == len(text)
    assert best["alignments"]
    for pair in best["alignments"]:
        assert pair.keys() == {
            "query_token", "query_index", "start", "end", "similarity", "text"
        }  # fmt: skip
        assert text[pair["start"] : pair["end"]] == pair["text"]
        assert pair["query_token"] in "who hunts at NIGHT"
    assert "night" in {pair["text"] for pair in best["alignments"]}


def test_a_folder_is_described_and_results_show_the_description(
    indexed: Path, read: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "folders" not in read("search", "owls")
    assert cli.main(["folders", "--describe", str(indexed), "what I saw of birds"]) == 0
    assert "  what I saw of birds\n" in capsys.readouterr().out
    assert read("folders")["folders"][0]["description"] == "what I saw of birds"
    assert read("search", "owls")["folders"] == [
        {"path": str(indexed), "description": "what I saw of birds"}
    ]
    assert read("folders", "--describe", str(indexed), "")["folders"][0]["description"] == ""


@pytest.mark.parametrize(("mode", "ways"), [("words", ["words"]), ("meaning", ["meaning"])])
def test_search_in_one_way_alone(
    mode: str, ways: list[str], indexed: Path, read: Callable[..., Any]
) -> None:
    best = read("search", "owls hunt mice", "--mode", mode)["results"][0]
    assert (best["title"], best["found_by"]) == ("owl", ways)
    assert bool(best["alignments"]) is (mode == "meaning")


def test_status_counts(indexed: Path, read: Callable[..., Any]) -> None:
    status = read("status")
    assert status["documents"] == status["passages"] == len(BIRDS)
    assert (status["waiting"], status["failed"]) == (0, [])
    assert status["home"] == os.environ["WINNOW_HOME"]
    (folder,) = status["folders"]
    assert folder == {
        "path": str(indexed),
        "description": "",
        "documents": len(BIRDS),
        "failed": 0,
        "is_there": True,
    }


def test_people_get_text(indexed: Path, run: Run) -> None:
    status, out, errors = run("index", indexed)
    assert (status, errors) == (0, "")
    assert f"{len(BIRDS)} documents" in out
    status, out, _ = run("search", "boundary layer", "-n", "1")
    assert "engine" in out
    assert "boundary layer over a wing" in out
    assert "8 documents, 8 passages" in run("status")[1]
    assert "Nothing found" in run("search", '"no such words"')[1]
    assert run("--version")[1].startswith("winnow, version ")
    assert "explain" in run("--help")[1]


def test_an_empty_library_is_reported(run: Run) -> None:
    status, out, errors = run("search", "crow", "--format", "json")
    assert (status, json.loads(out)["results"]) == (0, [])
    assert_sentence(errors)


def test_json_is_short_for_a_format_of_search(run: Run) -> None:
    def answer(*options: str) -> dict[str, Any]:
        status, out, _ = run("search", "crow", *options)
        assert status == 0
        return {**json.loads(out), "took_ms": 0}

    short = answer("--json")
    assert short["query"] == "crow"
    assert short == answer("--format", "json") == answer("--format", "csv", "--json")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["index", "gone"], "does not exist"),
        (["index", "file"], "is not a folder"),
        (["index"], "no folders yet. Add one"),
        (["search", ""], "empty. Type some words"),
        (["search", " ?! "], "no letters or digits. Type some words"),
        (["search", "crow " * LONGEST], "the limit is 10,000"),
        (["search", "crow", "--mode", "magic"], "magic"),
        (["search", "crow", "-n", "0"], "at least 1"),
        (["search", "crow", "-n", "many"], "many"),
        (["search"], "QUERY"),
        (["search", "crow", "--colour"], "--colour"),
        (["sing"], "sing"),
    ],
)
def test_wrong_use_is_a_sentence_and_status_2(
    arguments: list[str], words: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for extra in ([], in_json(arguments[0])):
        status, out, errors = run(*arguments, *extra)
        assert (status, out) == (2, "")
        assert words in errors
        assert_sentence(errors)


@pytest.mark.parametrize("command", [["search", "crow"], ["status"], ["index", "."]])
def test_a_damaged_library_is_a_sentence(command: list[str], home: Path, run: Run) -> None:
    home.mkdir(parents=True)
    (home / "catalog.sqlite").write_bytes(b"no database " * 500)
    status, out, errors = run(*command)
    assert (status, out) == (1, "")
    assert "damaged" in errors
    assert_sentence(errors)


def test_a_library_of_a_newer_winnow_is_a_sentence(home: Path, run: Run) -> None:
    library = Library.open()
    library._catalog.connection().execute("PRAGMA user_version = 99")
    library.close()
    status, _, errors = run("status")
    assert status == 1
    assert_sentence(errors)


def test_a_library_in_use_can_be_searched_but_not_indexed(
    indexed: Path, home: Path, run: Run, read: Callable[..., Any]
) -> None:
    with filelock.FileLock(home / "writer.lock"):
        status, out, errors = run("index", "--json")
        assert (status, out) == (1, "")
        assert "Another Winnow process is indexing" in errors
        assert_sentence(errors)
        assert read("search", "crow")["results"]


def test_a_home_that_cannot_be_created_raises_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("WINNOW_HOME", str(tmp_path / "file" / "home"))
    status, _, errors = run("status")
    assert status == 1
    assert "Set WINNOW_HOME" in errors
    assert_sentence(errors)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_home_is_a_sentence(indexed: Path, home: Path, run: Run) -> None:
    home.chmod(0o500)
    try:
        status, _, errors = run("index")
    finally:
        home.chmod(0o700)
    assert status == 1
    assert_sentence(errors)


def test_an_error_of_ours_is_a_sentence_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "status", lambda _library: 1 / 0)
    status, out, errors = run("status")
    assert (status, out) == (1, "")
    assert errors.startswith("winnow: Unexpected error (ZeroDivisionError")
    assert errors.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="arguments are always text there")
def test_names_and_queries_that_are_no_text_do_no_harm(
    folder: Path, run: Run, read: Callable[..., Any]
) -> None:
    write_files(folder, {"crow.txt": "Crows hide food."})
    for name in ("caf\udce9.txt", "caf\udce9.raw"):
        (folder / name).write_text("x")
    report = read("index", folder)
    assert (report["documents"], len(report["failed"]), report["skipped"]) == (1, 1, 1)
    assert run("index")[0] == run("status")[0] == 0
    for query in ("crows\udce9", '"crows\udce9"'):
        for mode in ("words", "hybrid"):
            assert len(read("search", query, "--mode", mode)["results"]) == 1


def test_a_place_that_the_library_lacks_is_reported(
    indexed: Path, run: Run, tmp_path: Path
) -> None:
    for place in (indexed / "misspelt", tmp_path / "elsewhere"):
        status, _, errors = run("search", "owls", "--mode", "words", "--in", place)
        assert (status, f"{place} is not in the library. Check" in errors) == (0, True)
    assert run("search", "zzz", "--mode", "words", "--in", indexed / "owl.txt")[2] == ""
    for place in (indexed, indexed.parent):
        assert run("search", "owls", "--mode", "words", "--in", place)[2] == ""
        assert run("search", "zzz", "--mode", "words", "--in", place)[2] == ""


def program(*arguments: str | Path) -> list[str]:
    script = "import sys; from core.cli import main; sys.exit(main(sys.argv[1:]))"
    return [sys.executable, "-c", script, *map(str, arguments)]


def test_json_is_alone_on_standard_output(indexed: Path) -> None:
    """In a separate process, where libraries would write past our own output."""
    done = subprocess.run(
        program("search", "owls hunt", "--format", "json"),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["results"][0]["title"] == "owl"
    assert done.stderr == b""


@pytest.mark.skipif(os.name == "nt", reason="no pipes to close there")
def test_a_reader_that_has_seen_enough_is_no_error(indexed: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        program("search", "owls hunt", "--mode", "words", "--format", "json"),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["status"], ["folders", "--json"], ["--help"]])
def test_an_output_that_finds_no_room_is_a_sentence(
    indexed: Path, arguments: list[str], unbuffered: str
) -> None:
    """Also where Python keeps the output until its exit."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            program(*arguments),
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, f"winnow: {NO_ROOM}\n")


@pytest.mark.skipif(os.name == "nt", reason="signals differ there")
def test_control_c_keeps_what_was_done(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import signal

    from core.documents.reader import Reader

    write_files(folder, {"a.txt": "Crows hide food.", "b.txt": "Owls hunt mice."})
    read = Reader.read
    started: list[Path] = []

    def interrupted(self: Reader, path: Path, **options: object):
        if started:
            signal.raise_signal(signal.SIGINT)
        started.append(path)
        return read(self, path, **options)

    before = signal.getsignal(signal.SIGINT)
    with monkeypatch.context() as patch:
        patch.setattr(Reader, "read", interrupted)
        status, _, errors = run("index", folder)
    assert status == 130
    assert_sentence(errors)
    assert signal.getsignal(signal.SIGINT) is before
    assert "1 documents" in run("status")[1]
    assert "2 documents" in run("index")[1]


def test_text_recognition_is_turned_on_and_off_and_remembered(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("core.documents.pages.recognition.is_installed", lambda: False)
    assert cli.main(["index", str(folder), "--ocr"]) == 2
    assert "is not installed" in capsys.readouterr().err
    monkeypatch.setattr("core.documents.pages.recognition.is_installed", lambda: True)
    assert cli.main(["index", str(folder), "--ocr"]) == 0
    assert chosen(home / "settings.json").ocr
    assert cli.main(["index"]) == 0
    assert chosen(home / "settings.json").ocr
    assert cli.main(["index", "--no-ocr"]) == 0
    assert not chosen(home / "settings.json").ocr


def declare(folder: Path, **locations: str) -> None:
    """Install a package in `folder` that declares commands at locations in this module."""
    described = folder / "hum-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: hum\nVersion: 1\n")
    lines = [f"{name} = tests.core.test_cli:{value}" for name, value in locations.items()]
    (described / "entry_points.txt").write_text("\n".join([f"[{cli.PLUG_INS}]", *lines]) + "\n")


@click.command()
def hum() -> None:
    """Hum."""
    click.echo("hmm")


@pytest.fixture
def _fresh_entry_points() -> Iterator[None]:
    cli._plugged_in.cache_clear()
    yield
    cli._plugged_in.cache_clear()


def test_the_list_says_of_each_command_what_the_command_says() -> None:
    listed = {**cli._COMMANDS, **cli._of_laboratory()}
    context = click.Context(cli.commands)
    for name in cli.commands.list_commands(context):
        command = cli.commands.get_command(context, name)
        assert command is not None
        assert listed[name][1] == command.get_short_help_str(200)


@pytest.mark.usefixtures("_fresh_entry_points")
def test_a_checkout_has_the_commands_of_the_laboratory(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    commands = importlib.import_module("lab.commands").COMMANDS
    broken = {**commands, "study": ("lab.nowhere:study", "Broken.")}
    monkeypatch.setattr("lab.commands.COMMANDS", broken)
    listed = run("--help")[1]
    assert all(f"  {name} " in listed for name in ("evaluate", "fit", "mine", "train", "search"))
    assert run("train", "--help")[0] == 0
    # One that is broken costs itself only.
    assert run("study")[0] == 2
    assert "The command study of lab.nowhere:study cannot be loaded." in caplog.text


@pytest.mark.usefixtures("_fresh_entry_points")
@pytest.mark.parametrize("has_one_of_that_name", [True, False])
def test_without_the_laboratory_its_commands_are_unknown(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, has_one_of_that_name: bool
) -> None:
    spec = None
    if has_one_of_that_name:
        (tmp_path / "lab").mkdir()
        spec = ModuleSpec("lab", None, is_package=True)
        spec.submodule_search_locations = [str(tmp_path / "lab")]
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: spec)
    status, _, errors = run("train")
    assert status == 2
    assert "No such command 'train'" in errors
    assert "evaluate" not in run("--help")[1]


def test_installed_packages_add_commands(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    declare(tmp_path, hum="hum", broken="not_there", other="BIRDS", search="hum")
    monkeypatch.syspath_prepend(tmp_path)
    cli._plugged_in.cache_clear()
    try:
        # Built-in commands are found without a search of entry points, and cannot be replaced.
        assert "Search your library" in run("search", "--help")[1]
        assert not cli._plugged_in.cache_info().currsize
        assert run("hum")[:2] == (0, "hmm\n")
        assert "hum" in run("--help")[1]
        assert run("broken")[0] == run("other")[0] == 2
    finally:
        cli._plugged_in.cache_clear()
    assert "The command broken of tests.core.test_cli:not_there cannot be loaded." in caplog.text
    assert "The command other of tests.core.test_cli:BIRDS is not a click command" in caplog.text


def test_a_misspelt_word_is_corrected_with_a_notice(indexed: Path, run: Run) -> None:
    assert indexed.is_dir()
    status, out, errors = run("search", "nihgt", "--mode", "words")
    assert status == 0
    assert "owl" in out
    assert errors == (
        "winnow: Showing results for night. To search for nihgt instead, use --exactly.\n"
    )
    status, out, errors = run("search", "nihgt", "--mode", "words", "--exactly")
    assert (status, "owl" in out, errors) == (0, False, "winnow: Did you mean: night\n")
    status, out, _ = run("search", "nihgt", "--mode", "words", "--format", "json")
    found = json.loads(out)
    assert (found["query"], found["typed"], found["did_you_mean"]) == ("night", "nihgt", "")


def test_json_has_what_one_step_less_finds(folder: Path, run: Run) -> None:
    (folder / "owl.md").write_text("Owls hunt at night.", "utf-8")
    assert run("index", str(folder))[0] == 0
    out = run("search", '"night owls"', "--mode", "words", "--format", "json")[1]
    (step,) = json.loads(out)["near_misses"]
    assert (step["kind"], step["without"], step["documents"]) == ("quotes", '"night owls"', 1)
    out = run("search", "night owls", "--mode", "words", "--format", "json")[1]
    assert "near_misses" not in json.loads(out)


def test_filters_are_suggested_for_a_sentence_that_describes_documents(
    folder: Path, run: Run
) -> None:
    (folder / "owl.md").write_text("---\nauthor: Ann Bell\n---\nOwls hunt at night.", "utf-8")
    assert run("index", str(folder))[0] == 0
    errors = run("search", "owls by ann bell", "--mode", "words")[2]
    assert errors == 'winnow: With filters: owls author:"ann bell" (1)\n'
    out = run("search", "owls by ann bell", "--mode", "words", "--format", "json")[1]
    assert json.loads(out)["did_you_mean"] == 'owls author:"ann bell"'
