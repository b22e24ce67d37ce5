"""The files left out of a folder, the rule for each, and how a person sets the rules."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog.files.folders import NO_RULES, FolderRules
from core.errors import FolderError, UsageError
from core.files.excluded_names import Rule
from core.indexing.scan.scanning import ScanResult, scan
from core.library.library import Library
from core.settings import Settings, save_settings
from tests.core.indexing.conftest import contents, found, put


def scanned(folder: Path, rules: FolderRules = NO_RULES) -> ScanResult:
    return scan(folder, lambda _folder, _files: None, rules)


def names(result: ScanResult, folder: Path) -> list[str]:
    return sorted(Path(path).relative_to(folder).as_posix() for path in result.files)


def test_each_rule_counts_what_it_leaves_out(folder: Path) -> None:
    for name in (
        "kept.txt",
        ".git/a.txt",
        "node_modules/deep/a.js",
        "machine.vmwarevm/notes.txt",
        "disk.iso",
        "setup.EXE",
        "~$letter.docx",
        "photo.raw",
        "bytes.txt",
        "build/a.txt",
    ):
        put(folder / name, "x")
    put(folder / "cached" / "CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55")
    put(folder / "cached" / "a.txt", "x")
    put(folder / ".gitignore", "build/\n")
    put(folder / "bytes.txt", "x" * 100)
    found = scanned(folder, FolderRules(exclude=("none",), largest_bytes=99))
    assert names(found, folder) == ["kept.txt"]
    assert found.excluded == {
        Rule.HIDDEN: 2,  # .git and .gitignore
        Rule.WORKINGS: 1,
        Rule.DISK_IMAGE: 2,
        Rule.PROGRAM: 1,
        Rule.UNFINISHED: 1,
        Rule.UNKNOWN: 1,
        Rule.GITIGNORE: 1,
        Rule.CACHE: 1,
        Rule.TOO_LARGE: 1,
    }
    assert [path.name for path in found.unsupported] == ["photo.raw"]


def test_gitignore_files_nest_and_the_innermost_is_right(folder: Path) -> None:
    for name in ("a.log", "keep.log", "sub/a.log", "sub/b.log", "sub/in/a.log", "top.txt"):
        put(folder / name, "x")
    put(folder / "sub" / "top.txt", "x")
    put(folder / ".gitignore", "*.log\n!keep.log\n/top.txt\n")
    put(folder / "sub" / ".gitignore", "!b.log\n")
    put(folder / "sub" / "in" / ".gitignore", "!*.log\n")
    found = scanned(folder)
    assert names(found, folder) == ["keep.log", "sub/b.log", "sub/in/a.log", "sub/top.txt"]
    everything = scanned(folder, FolderRules(respects_gitignore=False))
    assert len(everything.files) == 7


def test_lines_that_are_no_patterns_and_a_gitignore_that_is_none_do_no_harm(folder: Path) -> None:
    put(folder / "a.txt", "x")
    put(folder / "b.txt", "x")
    (folder / ".gitignore").write_bytes(b"\xff\xfe\n!\n\\\n[\nb.txt\n")
    assert names(scanned(folder), folder) == ["a.txt"]
    if hasattr(os, "mkfifo"):
        (folder / ".gitignore").unlink()
        os.mkfifo(folder / ".gitignore")
        assert names(scanned(folder), folder) == ["a.txt", "b.txt"]


def test_a_persons_patterns_leave_out_take_back_in_and_choose(folder: Path) -> None:
    for name in ("a.txt", "b.md", "drafts/c.txt", ".notes/d.txt", "build/e.txt"):
        put(folder / name, "x")
    put(folder / ".gitignore", "build/\n")
    rules = FolderRules(exclude=("drafts/", "!.notes/", "!build/"))
    assert names(scanned(folder, rules), folder) == [
        ".notes/d.txt",
        "a.txt",
        "b.md",
        "build/e.txt",
    ]
    assert names(scanned(folder, FolderRules(only=("*.md", "drafts/**"))), folder) == [
        "b.md",
        "drafts/c.txt",
    ]


def test_only_archives_and_mailboxes_may_be_huge(folder: Path) -> None:
    for name in ("huge.txt", "mail.mbox"):
        with (folder / name).open("wb") as file:
            file.truncate(10_000_000_000)
    found = scanned(folder)
    assert names(found, folder) == ["mail.mbox"]
    assert found.excluded == {Rule.TOO_LARGE: 1}


def test_rules_stay_with_the_folder_until_replaced(
    library: Library, folder: Path, open_library: Callable[..., Library]
) -> None:
    put(folder / "a.txt", "Crows.")
    put(folder / "drafts" / "b.txt", "Owls.")
    library.add_folder(folder, FolderRules(exclude=("drafts/",)))
    report = library.sync()
    assert set(contents(library)) == {str(folder / "a.txt")}
    assert report.excluded == {Rule.EXCLUDED: 1}
    again = open_library()
    assert again.add_folder(folder).rules.exclude == ("drafts/",)
    again.sync()
    assert set(contents(again)) == {str(folder / "a.txt")}
    again.add_folder(folder, NO_RULES)
    again.sync()
    assert len(contents(again)) == 2
    again.add_folder(folder, FolderRules(only=("drafts/",)))
    assert again.sync().removed == 1


def test_an_invalid_rule_is_reported(library: Library, folder: Path) -> None:
    (folder / "sub").mkdir()
    with pytest.raises(UsageError, match="'!' is not a valid pattern"):
        library.add_folder(folder, FolderRules(exclude=("!",)))
    assert library.folders() == ()
    library.add_folder(folder)
    with pytest.raises(FolderError, match="is inside"):
        library.add_folder(folder / "sub", FolderRules(only=("*.md",)))


def test_a_preview_tells_what_a_sync_does_and_does_nothing(library: Library, folder: Path) -> None:
    put(folder / "a.txt", "Crows.")
    put(folder / "b.md", "Owls and crows.")
    put(folder / "node_modules" / "c.txt", "x")
    before = library.preview(folder)
    assert library.folders() == ()
    assert (before.files, before.size_bytes, before.waiting) == (2, 21, 2)
    assert [(kind.name, kind.files) for kind in before.kinds] == [
        ("Markdown", 1),
        ("Plain text", 1),
    ]
    assert before.excluded == {Rule.WORKINGS: 1}
    assert before.reading_s > 0
    library.add_folder(folder)
    assert library.sync().read == before.waiting
    put(folder / "a.txt", "Rooks.")
    after = library.preview(folder)
    assert (after.files, after.waiting, after.waiting_bytes) == (2, 1, 6)
    assert library.preview(folder, FolderRules(only=("*.md",))).files == 1


def test_files_of_winnow_itself_are_no_documents(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folders are in the home folder where the system does not hide such places."""
    home = folder / "AppData" / "winnow"
    put(folder / "owl.txt", "The owl hunts mice.")
    put(folder / "AppData" / "notes.txt", "The crow hides food.")
    put(folder / "cache" / "model" / "config.json", '{"tokens": 3}')
    with Library.open(home) as library:
        save_settings(Settings(recent_searches=("secret",)), home / "settings.json")
        library.add_folder(folder, FolderRules(exclude=("!AppData/**",)))
        with monkeypatch.context() as patch:
            patch.setenv("WINNOW_CACHE", str(folder / "cache"))
            preview = library.preview(folder)
        assert preview.files == 2
        assert preview.excluded == {Rule.OWN: 2}
        library.sync()
        assert {path.name for path in map(Path, contents(library))} >= {"owl.txt", "notes.txt"}
        assert found(library, "secret") == []
