"""Results as other programs and people read them."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
from dataclasses import replace
from pathlib import Path, PureWindowsPath
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import cli
from core.library.library import Library
from core.responses import DocumentHit, Mode, Passage, PassageHit, SearchResults
from core.search.output.export import ExportError, Form, exported, quotation, write


def hit(*texts: str, title: str = "On owls", page: int = 1, has_pages: bool = False) -> DocumentHit:
    passages = tuple(
        PassageHit(Passage(number, 1, page, 0, len(text), text, title), 0.5, (Mode.WORDS,), (), ())
        for number, text in enumerate(texts)
    )
    path = Path("/srv/my notes/owls.zip/owl #1.md")
    return DocumentHit(
        1,
        path,
        has_pages,
        passages,
        path.parent,
        title=title,
        author="Ann Bell",
        date="2024-05-01",
    )


def results(*hits: DocumentHit, query: str = "owls") -> SearchResults:
    return SearchResults(query, Mode.WORDS, (), hits, 1.5)


def test_a_passage_is_quoted_with_its_source() -> None:
    one = hit(" Owls hunt.\n", page=3)
    assert quotation(one, one.passages[0].passage) == (
        "Owls hunt.\n\n— On owls, Ann Bell, p. 3, /srv/my notes/owls.zip/owl #1.md\n"
    )
    bare = DocumentHit(1, Path("/srv/a.txt"), False, one.passages, title="")
    passage = Passage(1, 1, 1, 0, 4, "Owls", "")
    assert quotation(bare, passage) == "Owls\n\n— a.txt, /srv/a.txt\n"


def test_a_table_has_a_row_for_each_passage() -> None:
    written = exported(results(hit('Owls "hunt",\nmice', "Or rest"), hit("x")), Form.CSV)
    rows = list(csv.DictReader(io.StringIO(written, newline="")))
    assert [row["rank"] for row in rows] == ["1", "1", "2"]
    assert rows[0] == {
        "rank": "1",
        "score": "0.5",
        "title": "On owls",
        "page": "1",
        "path": "/srv/my notes/owls.zip/owl #1.md",
        "author": "Ann Bell",
        "date": "2024-05-01",
        "passage": 'Owls "hunt",\nmice',
        "likely": "yes",
    }


def test_less_likely_results_are_marked_in_each_form() -> None:
    found = results(hit("Owls hunt."), replace(hit("Gulls."), is_likely=False))
    rows = csv.DictReader(io.StringIO(exported(found, Form.CSV), newline=""))
    assert [row["likely"] for row in rows] == ["yes", "no"]
    fields = json.loads(exported(found, Form.JSON))
    assert [one["is_likely"] for one in fields["results"]] == [True, False]
    before, behind = exported(found, Form.MARKDOWN).split("Less likely:")
    assert "Owls hunt" in before
    assert "Gulls" in behind
    assert "Less likely" not in exported(results(hit("Owls hunt.")), Form.MARKDOWN)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|'/c calc'!A1"])
def test_no_text_of_a_document_is_a_formula(text: str) -> None:
    written = exported(results(hit(text, title=text)), Form.CSV)
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert row["title"] == row["passage"] == f"'{text}"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(
    "text",
    [
        *("＝1+1", "＋1", "－1", "＠SUM(A1)", " =1+1", "\u00a0=1", "\u200b=1", "\ufeff-1"),
        *("a;=1+1", 'a; "=1+1"', "a\n=1+1", "a\n\n  -1", "a\t@SUM(A1)", ";;＝1", '"=1+1"', "';=1"),
    ],
)
def test_no_cell_is_a_formula_whatever_separates_cells(text: str, separator: str) -> None:
    """A spreadsheet set to another language may take another character than the comma."""
    written = exported(results(hit(text, title=text.replace("\n", " "))), Form.CSV)
    table = csv.reader(io.StringIO(written, newline=""), delimiter=separator)
    for cell in (cell for row in table for cell in row):
        assert not cell.strip(' \t\r\n\u00a0\u200b\ufeff"').startswith(tuple("=+-@＝＋－＠"))


def test_all_cells_stand_in_quotes_and_numbers_stay_numbers() -> None:
    written = exported(results(hit("Owls hunt; mice")), Form.CSV)
    assert written.splitlines()[1] == (
        '"1","0.5","On owls","1","/srv/my notes/owls.zip/owl #1.md","Ann Bell","2024-05-01",'
        '"Owls hunt; mice","yes"'
    )


def test_names_and_texts_that_steer_are_shown_by_what_they_are() -> None:
    one = replace(
        hit("Owls \u202e\x1b[31mhunt\nmice."),
        author="A\x9bnn\u2067",
        path=Path("/srv/gpj\u202e.exe\nx"),
        title="a\x1bb | `c` <b>",
    )
    (row,) = csv.DictReader(io.StringIO(exported(results(one), Form.CSV), newline=""))
    assert row["passage"] == "Owls \ufffd[31mhunt\nmice."
    assert (row["author"], row["path"]) == (r"A\u009bnn\u2067", r"/srv/gpj\u202e.exe\nx")
    assert row["title"] == r"a\x1bb | `c` <b>"
    written = exported(results(one), Form.MARKDOWN)
    assert r"## 1. a\\x1bb \| \`c\` \<b\>" in written
    assert "\x1b" not in written
    assert "\u202e" not in written
    fields = json.loads(exported(results(one), Form.JSON))
    assert fields["results"][0]["path"] == str(one.path)
    assert "/srv/gpj" in quotation(one, one.passages[0].passage)
    assert "\n".join(quotation(one, one.passages[0].passage).splitlines()) + "\n" == quotation(
        one, one.passages[0].passage
    )


def test_json_equals_the_command_line_output() -> None:
    fields = json.loads(exported(results(hit("Öwls", "Or"), query='a "b"'), Form.JSON))
    assert fields["query"] == 'a "b"'
    (one,) = fields["results"]
    assert one["passage"]["text"] == "Öwls"
    assert [other["text"] for other in one["other_passages"]] == ["Or"]


def test_markdown_quotes_passages_below_titles_that_lead_to_the_file() -> None:
    written = exported(results(hit("Owls hunt.", page=2)), Form.MARKDOWN)
    assert written == (
        "# owls\n\n## 1. On owls\n\n"
        "[/srv/my notes/owls.zip/owl #1.md](<file:///srv/my%20notes/owls.zip>)\n\n"
        "> Owls hunt.\n>\n> — p. 2\n"
    )


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("C:\\my notes\\owls.md", "file:///C:/my%20notes/owls.md"),
        ("\\\\disks\\notes\\owls.md", "file://disks/notes/owls.md"),
    ],
)
def test_markdown_leads_to_files_of_windows(path: str, link: str) -> None:
    there: Any = PureWindowsPath(path)
    written = exported(results(replace(hit("Owls hunt."), path=there, file=None)), Form.MARKDOWN)
    assert f"](<{link}>)" in written


_ugly = st.text(st.sampled_from("ab1 #*_`[]()<>|~-+=.\\\n&!"), max_size=30)


@given(_ugly, _ugly)
def test_no_text_of_a_document_is_markup(text: str, title: str) -> None:
    from markdown_it import MarkdownIt

    reader = MarkdownIt()
    reader.validateLink = lambda _: True  # type: ignore[method-assign] # it takes no files
    tokens = reader.parse(exported(results(hit(text, title=title)), Form.MARKDOWN))
    kinds = {token.type for token in tokens}
    assert kinds <= {
        *("heading_open", "heading_close", "inline", "paragraph_open", "paragraph_close"),
        *("blockquote_open", "blockquote_close"),
    }
    inline = [child.type for token in tokens for child in token.children or ()]
    assert set(inline) <= {"text", "softbreak", "hardbreak", "link_open", "link_close"}
    assert inline.count("link_open") == 1
    (link,) = (
        child for token in tokens for child in token.children or () if child.type == "link_open"
    )
    assert unquote(str(link.attrs["href"])) == "file:///srv/my notes/owls.zip"


@pytest.mark.parametrize(("form", "beginning"), [("csv", '"rank","score"'), ("md", "# owls")])
def test_the_command_line_writes_every_form(
    birds: Library,
    form: str,
    beginning: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("WINNOW_HOME", str(birds.home))
    assert cli.main(["search", "--mode", "words", "--format", form, "owls"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(beginning)
    assert "Owls hunt mice" in printed


@pytest.mark.parametrize("form", Form)
def test_a_file_is_written_over_whole_and_keeps_its_rights(form: Form, tmp_path: Path) -> None:
    path, link = tmp_path / "kept.txt", tmp_path / "link.txt"
    path.write_text("A long list that was kept here before, " * 100, encoding="utf-8")
    path.chmod(0o640)
    link.symlink_to(path)
    write(results(hit("Owls hunt mice.")), form, link)
    assert link.is_symlink()
    encoding = "utf-8-sig" if form is Form.CSV else "utf-8"
    written = exported(results(hit("Owls hunt mice.")), form)
    assert path.read_bytes().decode(encoding) == written
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(tmp_path.iterdir()) == [path, link]


def test_a_full_disk_leaves_the_file_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(_number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "kept.csv"
    path.write_text("kept", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", fill)
    with pytest.raises(ExportError, match=r"kept\.csv because the disk is full\. Free up space"):
        write(results(hit("Owls hunt mice.")), Form.CSV, path)
    assert path.read_text(encoding="utf-8") == "kept"
    assert list(tmp_path.iterdir()) == [path]


def test_a_result_of_a_foreign_library_bears_its_name_and_no_link() -> None:
    one = replace(hit("Owls hunt."), library="Team", is_elsewhere=True)
    assert quotation(one, one.passages[0].passage).endswith(
        "Team: /srv/my notes/owls.zip/owl #1.md\n"
    )
    written = exported(results(one), Form.MARKDOWN)
    assert "Team: /srv/my notes/owls.zip/owl" in written
    assert "file:" not in written
    # A document of another local library is on this machine.
    here = exported(results(replace(one, is_elsewhere=False)), Form.MARKDOWN)
    assert "Team: /srv/my notes/owls.zip/owl" in here
    assert "(<file:///srv/my%20notes/owls.zip>)" in here
    fields = json.loads(exported(results(one, hit("Owls")), Form.JSON))["results"]
    assert [each["library"] for each in fields] == ["Team", ""]
