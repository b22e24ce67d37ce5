"""Names and texts that would steer a terminal: no command lets any of them through."""

from __future__ import annotations

import csv
import io
import json
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core import cli
from core.catalog.documents import Failure
from core.catalog.reports import Preview, SyncReport
from core.commands import terminal
from core.library.library import Library
from tests.conftest import Run
from tests.lab.evaluation.test_run import DOCUMENTS, QUERIES, write_set

ESCAPE = "\x1b]0;pwned\x07\x1b[31m"
MARKS = "\u202e\u2066\u200f\u061c\x9b"
HOSTILE = f"a{ESCAPE}{MARKS}\n[bold]b[link=x]:bomb:`|<b>"
NO_TEXT = f"{HOSTILE}\udce9"
# All control and direction characters of a terminal; lines end in "\n".
RAW = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no such names there")


@pytest.fixture
def run(run: Run) -> Run:
    """Run a command; return its exit status, standard output and standard error."""

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        status, out, errors = run(*arguments)
        for stream in (out, errors):
            # A table ends its lines as RFC 4180 has it.
            found = RAW.search(stream.replace("\r\n", "\n"))
            assert found is None, (arguments, found, stream)
        return status, out, errors

    return call


@pytest.fixture
def indexed(folder: Path, run: Run) -> Path:
    """A folder with a hostile name of two documents and a broken one, their names as bad."""
    inside = folder / HOSTILE
    inside.mkdir()
    page = f"<title>{HOSTILE}</title><meta name=author content='{ESCAPE}{MARKS}'>"
    body = f"<p>Owls hunt {ESCAPE}{MARKS} mice &#x202e;at&#155;2J night"
    (inside / f"{HOSTILE}.html").write_text(page + body, errors="surrogateescape")
    (inside / f"{HOSTILE}.txt").write_text(f"Owls {ESCAPE}{MARKS} sleep.", errors="ignore")
    for name in (HOSTILE, NO_TEXT):
        (inside / f"{name}.docx").write_text("no")
    assert run("index", inside)[0] == 0
    return inside


def test_no_command_shows_a_name_or_a_text_raw(
    indexed: Path, run: Run, tmp_path: Path, home: Path
) -> None:
    shown = r"a\x1b]0;pwned\x07\x1b[31m\u202e\u2066\u200f\u061c\u009b\n[bold]b[link=x]:bomb:"
    for command in (
        ["index"], ["index", "--retry"], ["index", "--dry-run"],
        ["index", indexed, "--exclude", HOSTILE[:-4]],
        ["status"], ["folders"], ["search", "owls"], ["search", "owls", "--mode", "words"],
        ["explain", "owls"], ["rebuild"], ["adapt", "--judge", "owls", "1"], ["check"],
    ):  # fmt: skip
        status, out, _ = run(*command)
        assert status == 0, command
        if command[0] in {"status", "folders", "search", "explain", "adapt"}:
            assert shown in out, command
    for form in ("csv", "md", "json"):
        assert run("search", "owls", "--format", form)[0] == 0
    assert run("settings", "--model", HOSTILE)[0] != 0
    for command in (
        ["search", NO_TEXT], ["search", "owls", "--in", NO_TEXT],
        ["search", "owls", "--mode", NO_TEXT],
        ["search", "owls", NO_TEXT],
        ["search", "owls", f"--{NO_TEXT}"], ["search", "owls", "-n", NO_TEXT],
        ["index", NO_TEXT], ["index", "--largest", NO_TEXT], ["folders", "--remove", NO_TEXT],
        ["evaluate", NO_TEXT], ["explain", "owls", "--alignment", NO_TEXT], [NO_TEXT],
        ["index", "--largest", NO_TEXT], ["adapt", "--from", NO_TEXT], ["train", NO_TEXT],
        ["adapt", "--judge", f"{NO_TEXT} owls", "99"], ["study", NO_TEXT],
        ["study", "forms", NO_TEXT],
    ):  # fmt: skip
        status, _, errors = run(*command)
        assert status in {0, 1, 2}, command
        assert errors.count("\n") <= 1 + (status == 0), (command, errors)
    data = write_set(tmp_path / "birds", DOCUMENTS, QUERIES)
    hostile_set = data.rename(tmp_path / HOSTILE)
    assert run("evaluate", hostile_set, "--mode", "words")[0] == 0


def test_json_tells_every_name_exactly_and_every_table_is_whole(indexed: Path, run: Run) -> None:
    status = json.loads(run("status", "--json")[1])
    assert status["folders"][0]["path"] == str(indexed)
    assert status["failed"][0]["path"] == str(indexed / f"{HOSTILE}.docx")
    failed = json.loads(run("index", "--retry", "--json")[1])["failed"]
    assert len(failed) == 2
    found = json.loads(run("search", "owls", "--format", "json")[1])
    paths = {one["path"] for one in found["results"]}
    assert paths == {str(indexed / f"{HOSTILE}.{kind}") for kind in ("html", "txt")}
    assert run("search", "owls", "--format", "json")[1].encode()  # no halves of characters
    rows = list(
        csv.DictReader(io.StringIO(run("search", "owls", "--format", "csv")[1], newline=""))
    )
    assert len(rows) == 2
    assert all(None not in row and len(row) == 9 for row in rows)


def test_markdown_is_not_broken_by_names(indexed: Path, run: Run) -> None:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark").enable("table")
    reader.validateLink = lambda _: True  # type: ignore[method-assign] # it takes no files
    text = run("search", "owls", "--format", "md")[1]
    tokens = reader.parse(text)
    kinds = {one.type for token in tokens for one in (token, *(token.children or ()))}
    assert not kinds & {"html_block", "html_inline", "code_inline", "fence", "table_open", "strong"}
    assert sum(token.type == "heading_open" for token in tokens) == 3


def test_names_are_not_markup_of_the_program_that_colours(
    indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal that shows colours rich adds its own sequences, and no others come through."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    script = "import sys; from core.cli import main; sys.exit(main(sys.argv[1:]))"
    styled = subprocess.run(
        [sys.executable, "-c", script, "search", "owls"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        capture_output=True,
        check=True,
    ).stdout.decode()
    assert "\x1b[1m" in styled
    assert RAW.search(re.sub(r"\x1b\[[0-9;]*m", "", styled)) is None
    assert "\x1b[31m" not in styled
    assert "\x1b]" not in styled
    assert "[bold]b[link=x]:bomb:" in styled


def test_errors_of_ours_and_what_is_logged_are_quoted(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_library: Library) -> None:
        raise ValueError(HOSTILE)

    monkeypatch.setattr(Library, "status", fail)
    status, _, errors = run("status")
    assert (status, errors.count("\n")) == (1, 1)
    record = logging.LogRecord("x", logging.ERROR, "x", 1, "read %s", (HOSTILE,), None)
    assert RAW.search(cli._Plain("%(message)s").format(record)) is None


def test_a_failing_thread_is_logged_and_not_printed(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_library: Library) -> None:
        def raise_it() -> None:
            raise ValueError(HOSTILE)

        thread = threading.Thread(target=raise_it)
        thread.start()
        thread.join()

    before = threading.excepthook
    monkeypatch.setattr(Library, "check", lambda library, **_: fail(library))
    run("check")
    assert threading.excepthook is before
    assert any(record.exc_info and "pwned" in str(record.exc_info[1]) for record in caplog.records)


def failures(*reasons: tuple[str, int]) -> tuple[Failure, ...]:
    return tuple(
        Failure(Path(f"/docs/{reason[:3]} {number}"), reason)
        for reason, count in reasons
        for number in range(count)
    )


@pytest.fixture
def broken(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[Failure, ...]], None]:
    """Makes the library say that these could not be read."""

    def make(failed: tuple[Failure, ...]) -> None:
        monkeypatch.setattr(Library, "failures", lambda _library: failed)

    return make


def test_a_small_number_of_failures_is_listed_one_by_one(run: Run, broken) -> None:
    broken(failures(("Damaged", 50)))
    _, out, _ = run("status")
    assert out.count(": Damaged") == 50
    assert "--failures" not in out


def test_many_failures_are_summed_up_by_reason_and_can_be_had_in_full(run: Run, broken) -> None:
    rare = [(f"{letter}are", 1) for letter in "bcdfghjklmnp"]
    broken(failures(("Damaged", 40), ("Password required", 2), *rare))
    status, out, _ = run("status")
    assert status == 0
    lines = out.splitlines()[-29:]
    assert "54 files could not be read:" in out
    assert "  40: Damaged\n      /docs/Dam 0\n      /docs/Dam 1\n      /docs/Dam 2\n" in out
    assert "      and 37 more\n  2: Password required\n" in out
    assert "  4: 4 other reasons\n" in out
    assert lines[-1] == "Run winnow status --failures to list them all."
    status, out, _ = run("status", "--failures")
    assert status == 0
    assert out.count(": Damaged") == 40
    assert "to list them all" not in out
    assert len(json.loads(run("status", "--json")[1])["failed"]) == 54


def test_indexing_sums_failures_up_too(capsys: pytest.CaptureFixture[str]) -> None:
    failed = failures(("Damaged", 51))
    terminal.print_report(SyncReport(1, 2, 3, 3, failed, (), (), 1, 0, 65.0, 1500))
    assert "  51: Damaged\n" in capsys.readouterr().out
    preview = Preview(Path("/docs"), 0, 0, (), {}, failed, 0, 0, 0.0, 0.0)
    terminal.print_preview(preview)
    assert "\nRun --failures to list them all.\n" in capsys.readouterr().out
    terminal.print_preview(preview, all_failures=True)
    assert capsys.readouterr().out.count(": Damaged") == 51
