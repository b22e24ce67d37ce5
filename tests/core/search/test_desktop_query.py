"""Desktop search: documents with all words, without model or vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.catalog import documents
from core.catalog.catalog import Catalog
from core.documents.document import Document, Page
from core.errors import UsageError
from core.files.filesystems import FileStamp
from core.indexing.read.document_rows import passage_rows
from core.library.library import Library
from core.search.desktop_query import DesktopResult, describe, find

BOOKS = {
    "rooks.pdf": ("On rooks", ["Rooks build in elms.", "Young rooks and crows fly in June."]),
    "crow.txt": ("", ["A bird in black. It computes the depth of water."]),
    "copy of crow.txt": ("", ["A bird in black. It computes the depth of water."]),
    "archive.zip/letter.txt": ("", ["Dear crows, young as you are."]),
}


@pytest.fixture
def catalog(home: Path, folder: Path) -> Iterator[Catalog]:
    for name in BOOKS:
        if "/" not in name:
            (folder / name).touch()
    with Library.open(home) as library:
        library.add_folder(folder)
    created = Catalog(home / "catalog.sqlite")
    with created.transaction() as db:
        documents.add_new(db, [(1, str(folder / name), FileStamp(1, 1)) for name in BOOKS])
        for number, (title, texts) in enumerate(BOOKS.values(), 1):
            pages = [Page(place, text) for place, text in enumerate(texts, 1)]
            rows = passage_rows(Document(title, pages), _letters)
            documents.set_read(db, number, None, title, len(pages), rows)
    yield created
    created.close()


def _letters(texts: Sequence[str]) -> list[int]:
    return [len(text) for text in texts]


def names(catalog: Catalog, typed: str, limit: int = 10) -> list[str]:
    with catalog.reading() as db:
        found = find(db, typed, limit)
        return [one.path.name for one in describe(db, typed, found).values()]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("young crows", ["rooks.pdf", "letter.txt"]),
        ("young crows elms", []),
        ("young cro", ["rooks.pdf", "letter.txt"]),
        ("comput", ["crow.txt", "copy of crow.txt"]),
        ('"young as you" crows', ["letter.txt"]),
        ("crows -dear", ["rooks.pdf"]),
        ("young type:pdf", ["rooks.pdf"]),
        ("elms OR dear", ["rooks.pdf", "letter.txt"]),
        ("type:pdf", []),
    ],
)
def test_all_words_must_stand_in_a_passage_or_in_the_name(
    catalog: Catalog, typed: str, expected: list[str]
) -> None:
    assert sorted(names(catalog, typed)) == sorted(expected)


def test_a_typed_name_ranks_that_file_first_within_the_limit(
    catalog: Catalog,
) -> None:
    assert names(catalog, "crow", 1) == ["crow.txt"]
    assert names(catalog, "crow")[:2] == ["crow.txt", "copy of crow.txt"]


def test_one_of_a_family_is_found_unless_copies_are_requested(catalog: Catalog) -> None:
    with catalog.transaction() as db:
        signed = [(number, b"", 2) for number in (2, 3)]
        db.executemany(
            "INSERT INTO signatures(document_id, signature, family) VALUES (?, ?, ?)", signed
        )
    assert names(catalog, "depth") == ["crow.txt"]
    assert len(names(catalog, "depth same:crow.txt")) == 2


def test_page_and_line_of_the_words_are_reported(catalog: Catalog, folder: Path) -> None:
    with catalog.reading() as db:
        [rooks] = find(db, "june", 5)
        described = describe(db, "june", [rooks])[rooks]
        assert (described.title, described.page) == ("On rooks", 2)
        assert described.file == described.path == folder / "rooks.pdf"
        assert described.line == "Young rooks and crows fly in June."
        [depth, *_] = find(db, "depth", 5)
        assert describe(db, "depth", [depth])[depth].page is None
        # By the name alone, and long after: there is no line to show.
        assert describe(db, "", [DesktopResult(1)])[DesktopResult(1)].line == ""
        assert (
            describe(db, "june", [DesktopResult(99, 3), DesktopResult(1, 99)])[
                DesktopResult(1, 99)
            ].line
            == ""
        )


@pytest.mark.parametrize("typed", ["", "  ", "x" * 10_001])
def test_an_invalid_query_is_refused(catalog: Catalog, typed: str) -> None:
    with catalog.reading() as db, pytest.raises(UsageError):
        find(db, typed, 5)
