"""Every file that was seen is in exactly one list."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from core import cli
from core.catalog.documents import DocumentState
from core.catalog.files.file_lists import FileCounts, FileList
from core.catalog.files.folders import FolderRules
from core.files.excluded_names import Rule
from core.library.library import Library
from core.requests import ReadPages
from core.responses import Mode

_FILES = {
    "letter.txt": b"Owls hunt mice.",
    "blank.md": b"\n",
    "empty.txt": b"",
    "damaged.docx": b"no",
    "model.xyz": b"?",
    ".hidden.txt": b"Crows.",
    "draft.bak.txt": b"Rooks.",
    "large.txt": b"Jays. " * 200,
    "node_modules/a.txt": b"Swans.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "documents"
    for name, content in _FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


@pytest.fixture
def read(library: Library, folder: Path) -> Library:
    library.add_folder(folder, FolderRules(exclude=("*.bak.txt",), largest_bytes=500))
    library.sync()
    return library


def listed(library: Library, which: FileList) -> dict[str, list[str]]:
    return {
        group.reason: [file.path.name for file in group.files]
        for group in library.list_files(which)
    }


def test_each_file_is_counted_in_one_list(read: Library) -> None:
    counts = read.status().files
    assert counts == FileCounts(1, 2, 1, 4, excluded_folders=1)
    # The folder that is left out is not looked into.
    assert counts.seen == len(_FILES) - 1


def test_no_file_is_in_two_lists(read: Library, folder: Path) -> None:
    names = [hit.path.name for hit in read.search("owls", mode=Mode.WORDS).hits]
    for which in FileList:
        for group in read.list_files(which):
            assert group.count == len(group.files)
            assert group.reason
            names += [file.path.name for file in group.files]
    assert sorted(names) == sorted(path.name for path in folder.iterdir())


def test_files_without_text_are_listed_by_reason(read: Library) -> None:
    assert listed(read, FileList.WITHOUT_TEXT) == {
        "Blank pages, or nothing but drawings": ["blank.md"],
        "Empty files": ["empty.txt"],
    }


def test_files_that_are_left_out_are_named_with_their_rule(read: Library) -> None:
    found = {
        group.rule: [(file.path.name, file.is_folder) for file in group.files]
        for group in read.list_files(FileList.EXCLUDED)
    }
    assert found == {
        Rule.UNKNOWN: [("model.xyz", False)],
        Rule.HIDDEN: [(".hidden.txt", False)],
        Rule.EXCLUDED: [("draft.bak.txt", False)],
        Rule.TOO_LARGE: [("large.txt", False)],
        Rule.WORKINGS: [("node_modules", True)],
    }


def test_a_file_that_gets_text_changes_its_list(read: Library, folder: Path) -> None:
    (folder / "blank.md").write_text("Jackdaws.")
    read.sync()
    assert read.status().files == FileCounts(2, 1, 1, 4, excluded_folders=1)
    (folder / "blank.md").write_text("")
    read.sync()
    assert read.status().files == FileCounts(1, 2, 1, 4, excluded_folders=1)


def test_a_partial_sync_keeps_the_counts_of_the_last_complete_one(
    read: Library, folder: Path
) -> None:
    (folder / "b.txt").write_text("Ravens.")
    read.sync(changed=[folder / "b.txt"])
    assert read.status().files == FileCounts(2, 2, 1, 4, excluded_folders=1)


@pytest.mark.skipif(os.name == "nt", reason="such names cannot be made there")
def test_a_file_whose_name_is_not_text_is_unreadable(read: Library, folder: Path) -> None:
    misnamed = folder / os.fsdecode(b"\xff.txt")
    misnamed.touch()
    read.sync()
    assert read.status().files.unreadable == 2
    assert "The file name is not valid text. Rename the file." in listed(read, FileList.UNREADABLE)
    misnamed.unlink()
    read.sync(changed=[folder / "letter.txt"])
    assert read.status().files.unreadable == 1


def test_news_end_when_they_have_been_seen(read: Library, folder: Path) -> None:
    assert read.status().has_news
    read.set_seen()
    assert not read.status().has_news
    (folder / "other.md").write_text("")
    read.sync()
    assert read.status().has_news


def test_a_name_finds_files_without_text_and_unreadable_ones(read: Library) -> None:
    results = read.search("name:m", mode=Mode.WORDS)
    assert results.hits == ()
    found = {one.path.name: one.state for one in results.named}
    assert found == {
        "empty.txt": DocumentState.NO_TEXT,
        "blank.md": DocumentState.NO_TEXT,
        "damaged.docx": DocumentState.FAILED,
    }
    assert read.search("type:text", mode=Mode.WORDS).named == ()


def test_the_status_command_reports_the_same_counts(
    read: Library, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_HOME", str(read.home))
    assert cli.main(["status"]) == 0
    expected = "Files: 8 (1 document, 2 without text, 1 unreadable, 4 excluded); 1 folder excluded."
    assert expected in capsys.readouterr().out
    assert cli.main(["status", "--json", "--files"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert (fields["files"]["seen"], fields["files"]["without_text"]) == (8, 2)
    assert [Path(one["path"]).name for one in fields["without_text"]] == ["blank.md", "empty.txt"]
    assert fields["excluded"]["hidden"] == 1
    assert {one["rule"] for one in fields["excluded_files"]} == set(fields["excluded"])
    assert cli.main(["search", "name:empty"]) == 0
    assert "empty.txt (no text)" in capsys.readouterr().out


def test_documents_that_lack_parts_are_listed_with_the_reason(
    library: Library, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = {"output_type": "stream", "text": "jays " * 3_000}
    cell = {"cell_type": "code", "source": "log()", "outputs": [output]}
    (folder / "log.ipynb").write_text(json.dumps({"cells": [cell]}))
    library.add_folder(folder)
    library.sync()
    reason = "Printed output beyond 10,000 characters per cell was skipped"
    assert listed(library, FileList.INCOMPLETE) == {reason: ["log.ipynb"]}
    hits = library.search("jays", mode=Mode.WORDS).hits
    assert {hit.path.name for hit in hits if hit.is_incomplete} == {"log.ipynb"}
    assert cli.main(["search", "--mode", "words", "jays"]) == 0
    assert "incomplete" in capsys.readouterr().out
    (document_id,) = (hit.document_id for hit in hits if hit.path.name == "log.ipynb")
    assert [page.unread for page in library.answer(ReadPages(document_id))] == [reason]
    for options in ([], ["--files"], ["--json"]):
        assert cli.main(["status", *options]) == 0
        printed = capsys.readouterr().out
        if options:
            assert reason in printed
            assert "log.ipynb" in printed
        else:
            assert "1 document could not be read in all parts." in printed
