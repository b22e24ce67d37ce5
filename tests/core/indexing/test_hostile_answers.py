"""Tests that a compromised reading process fails its document but not the sync."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents import formats
from core.documents.document import METADATA, Document, Page
from core.documents.formats import Format
from core.documents.reader import Reader
from core.library.library import Library

from .conftest import assert_sound, found, put

# A reader that sends the contents of the file over the pipe before its process can respond.
_HOSTILE = """
    import gc
    from multiprocessing.connection import Connection
    from core.documents.files import open_file

    def read(path):
        with open_file(path) as file:
            frame = file.read()
        for end in gc.get_objects():
            if isinstance(end, Connection) and end.writable:
                end.send_bytes(frame)
        raise SystemExit
"""
_PAGE = '[1,"Crows hide food.",[],"",[],[]]'


def _frame(pages: str = _PAGE, title: str = "T", date: str = "") -> str:
    about = ",".join(f'"{name}":""' for name in METADATA if name != "date")
    fields = f'"title":"{title}","date":"{date}",{about},"is_spent":false'
    return f'{{{fields},"pages":[{pages}]}}'


_FRAMES = {
    "a page's number": _frame(f'[{10**30},"Crows",[],"",[],[]]'),
    "a page's number beyond SQLite's": _frame(f'[{2**63},"Crows",[],"",[],[]]'),
    "a heading's level": _frame(f'[1,"Crows",[[0,{10**30},"Crows"]],"",[],[]]'),
    "lone surrogate in the text": _frame(r'[1,"Crows \ud800 hide",[],"",[],[]]'),
    "lone surrogate in the title": _frame(title=r"\udfff"),
    "lone surrogate in the date": _frame(date=r"\udfff"),
    "lone surrogate in a reason": _frame(r'[1,"Crows",[],"\udfff",[],[]]'),
    "two pages with the same number": _frame(f"{_PAGE},{_PAGE}"),
    "not a number": _frame('[NaN,"Crows",[],"",[],[]]'),
    "a failure with a lone surrogate": r'{"failure":"\udfff x","is_spent":false}',
    "a failure that is too long": '{"failure":"' + "x" * 5_000_000 + '","is_spent":false}',
    "an unknown errno": f'{{"failure":"x","errno":{10**30},"is_spent":false}}',
    "a title that is too long": _frame(title="q" * 1_000_000),
    "too many lists": '{"pages":[' + "[]," * 17_000_000 + "[]]}",
    "nested lists": "[" * 1_000_000,
}


@pytest.fixture
def library_with(
    tmp_path: Path, folder: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Library]:
    """A function that returns a library of a valid file and one whose reader sends `frame`."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "hostile_answers.py").write_text(textwrap.dedent(_HOSTILE))
    monkeypatch.syspath_prepend(modules)
    kind = Format("hostile", "Hostile", (".hostile",), "hostile_answers:read")
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, kind))

    def make(frame: str) -> Library:
        put(folder / "a.hostile", frame)
        put(folder / "owl.txt", "The owl hunts mice.")
        library.add_folder(folder)
        return library

    return make


@pytest.mark.parametrize("kind", _FRAMES)
def test_an_invalid_response_fails_its_document(
    kind: str, library_with: Callable[[str], Library]
) -> None:
    library = library_with(_FRAMES[kind])
    report = library.sync()
    assert [failure.reason for failure in report.failed] == ["Reading this file crashed the reader"]
    assert found(library, "mice") == ["owl.txt"]
    assert library.sync().read == 0
    assert_sound(library)


def test_a_valid_response_is_accepted(library_with: Callable[[str], Library]) -> None:
    library = library_with(_frame())
    assert library.sync().failed == ()
    assert found(library, "food") == ["a.hostile"]


@pytest.mark.parametrize(
    ("document", "error"),
    [
        (Document("\udfff", (Page(1, "Crows hide food."),)), "UnicodeEncodeError"),
        (Document("", (Page(10**30, "Crows hide food."),)), "OverflowError"),
    ],
)
def test_a_row_that_cannot_be_stored_fails_its_document(
    document: Document, error: str, library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Reader.read

    def read_or_not(self: Reader, path: Path, **options: object) -> Document:
        if path.name == "b.txt":
            return document
        return read(self, path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Reader, "read", read_or_not)
    for name in ("a.txt", "b.txt", "c.txt"):
        put(folder / name, "The owl hunts mice.")
    library.add_folder(folder)
    report = library.sync()
    (failure,) = report.failed
    assert failure.path.name == "b.txt"
    assert failure.reason == f"An error in Winnow prevented reading it ({error})"
    assert sorted(found(library, "mice")) == ["a.txt", "c.txt"]
    assert library.sync().read == 0
    assert_sound(library)
