from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.documents.formats import FORMATS, format_of, load_function, suffixes_of
from core.documents.metadata import real_title, shorten
from core.errors import UsageError


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_each_format_names_a_reader_that_exists(format_) -> None:
    assert format_.reader or format_.members
    assert all(callable(load_function(name)) for name in format_.functions)


def test_no_suffix_is_claimed_twice_and_all_are_in_lower_case() -> None:
    suffixes = [suffix for format_ in FORMATS for suffix in format_.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(suffix == suffix.lower() for suffix in suffixes)


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("a.TXT", "Plain text"),
        ("archive.tar.log", "Plain text"),
        ("README", "Plain text"),
        ("main.py", "Source code"),
        ("CMakeLists.txt", "Source code"),
        ("notes.md", "Markdown"),
        ("index.xhtml", "Web page"),
        ("Letter.docx", "Word document"),
        ("Talk.PPSX", "PowerPoint presentation"),
        ("Talk.odp", "OpenDocument presentation"),
        ("Costs.xlsb", "Excel workbook"),
        ("Costs.ods", "OpenDocument spreadsheet"),
        ("letter.fodt", "OpenDocument text"),
        ("letter.rtf", "Rich text"),
        ("novel.epub", "E-book"),
        ("paper.PDF", "PDF"),
        ("Papers.Tar.GZ", "Archive"),
        ("2024.12.zip", "Archive"),
        ("Inbox.mbox", "Mailbox"),
        ("mbox", "Mailbox"),
        ("Re: hello.eml", "Email"),
        ("12345.partial.emlx", "Email"),
        ("photo.JPG", "Image"),
    ],
)
def test_a_format_is_recognised_by_the_name(name: str, format_name: str) -> None:
    format_ = format_of(Path("/somewhere") / name)
    assert format_ is not None
    assert format_.name == format_name
    assert format_.has_page_images == (format_name in {"PDF", "Image"})


@pytest.mark.parametrize("name", ["photo.raw", "noname", ".hidden", "photo.raw.gz", "..gz", "pdf"])
def test_other_files_have_no_format(name: str) -> None:
    assert format_of(Path(name)) is None


@pytest.mark.parametrize("mark", [".mh_sequences", ".xmhcache", ".claws_mark", ".sylpheed_mark"])
def test_mails_in_mh_folders_are_recognised_by_their_numbers(tmp_path: Path, mark: str) -> None:
    (tmp_path / mark).touch()
    names = ("1", "4711", "017", "17a", "17.txt", ".17")
    found = {name for name in names if (kind := format_of(tmp_path / name)) and kind.is_mail}
    assert found == {"1", "4711"}
    assert format_of(tmp_path / "sub" / "1") is None
    assert format_of(Path("1")) is None


def test_a_mailbox_of_thunderbird_is_recognised_by_its_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Inbox.msf", "Birds & Bees.msf", "photo.raw.msf"):
        (tmp_path / name).touch()
    found = {
        name: format_of(tmp_path / name) for name in ("Inbox", "Birds & Bees", "photo.raw", "Sent")
    }
    assert {name for name, kind in found.items() if kind} == {"Inbox", "Birds & Bees"}
    assert found["Inbox"] == format_of(Path("a.mbox"))
    # A file in a container has no siblings, even if the working directory contains one.
    monkeypatch.chdir(tmp_path)
    assert format_of(Path("Inbox")) is None
    assert format_of(tmp_path / ("x" * 255)) is None


def test_a_kind_has_the_suffixes_of_all_its_formats() -> None:
    assert {".pptx", ".odp"} < set(suffixes_of("presentation"))
    assert {".xlsx", ".xls", ".ods"} < set(suffixes_of("Spreadsheet"))
    assert suffixes_of("xls") == (".xls",)
    with pytest.raises(
        UsageError, match=r"Supported types: text, .*, presentation, spreadsheet, .*pdf"
    ):
        suffixes_of("photo")


def test_knowing_the_formats_loads_no_library() -> None:
    code = (
        "import sys;"
        "import core.documents.reader, core.documents.passages, core.documents.pages.pdf;"
        "print({'pypdfium2', 'selectolax', 'markdown_it', 'charset_normalizer', 'lxml',"
        "'py7zr', 'olefile'}"
        " & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "set()\n"


@pytest.mark.parametrize(
    "raw",
    ["", "Untitled", "untitled document 2", "Microsoft Word - Report.doc", "report_final.docx",
     r"C:\Users\x\paper", "/home/x/paper", "file:///x", "Document1", "...", "12.3.2004", None],
)  # fmt: skip
def test_default_titles_of_programs_are_no_titles(raw: str | None) -> None:
    assert real_title(raw) == ""


@pytest.mark.parametrize(
    "raw", ["A Theory of Justice", "Untitled Feelings", "Что делать?", "罪と罰"]
)
def test_titles_by_people_are_titles(raw: str) -> None:
    assert real_title(f" {raw}\x00\r\n") == raw


def test_a_long_title_is_shortened_at_a_word() -> None:
    assert len(real_title("word " * 200)) <= 300
    assert shorten("x" * 50, 10) == "x" * 9 + "…"


def test_formats_that_share_a_key_are_shown_under_one_name() -> None:
    shown: dict[str, set[str]] = {}
    for format_ in FORMATS:
        shown.setdefault(format_.key, set()).add(format_.group or format_.name)
    assert [key for key, names in shown.items() if len(names) > 1] == []


def test_the_guide_names_only_formats_that_are_not_read() -> None:
    guide = Path(__file__).parents[3] / "docs" / "guide" / "formats.md"
    _, _, section = guide.read_text("utf-8").partition("## Formats that are not read\n")
    suffixes = re.findall(r"`(\.\w+)`", section.partition("\n## ")[0])
    assert len(suffixes) > 10
    assert [suffix for suffix in suffixes if format_of(Path(f"a{suffix}")) is not None] == []
