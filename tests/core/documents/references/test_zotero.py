from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.documents.containers.members import Member
from core.documents.reader import Reader
from core.documents.references import bibliographies, entries
from core.errors import DocumentError
from core.library.library import Library
from core.responses import Mode
from tests.core.documents.mutations import mutations
from tests.core.documents.passes import go_through
from tests.core.documents.references.zotero_files import write_library

OWL = ("ITEM0001+FILE0001", "Rook1 2020 How owls hunt 1.reference")


@pytest.mark.parametrize("journal_mode", ["DELETE", "WAL"])
def test_items_are_documents_with_their_notes(tmp_path: Path, journal_mode: str) -> None:
    path = tmp_path / "zotero.sqlite"
    write_library(path, journal_mode=journal_mode)
    noted = go_through(path, bibliographies.unpack, tmp_path)
    in_group = ("group 777", "ITEM0002+FILE0002", "Rook2 2020 How owls hunt 2.reference")
    assert [*noted.contents] == [OWL, in_group]
    (tmp_path / "x.reference").write_bytes(noted.contents[OWL])
    document = entries.read(tmp_path / "x.reference")
    assert (document.title, document.author) == ("How owls hunt 1", "Ann Rook1")
    assert (document.date, document.tags) == ("2020-03", "night; Birds/Owls")
    assert document.pages[0].text == (
        "How owls hunt 1\n\nAnn Rook1\n\ntype: journalArticle\neditor: Bo Crow1\n"
        "publication title: Journal 1\nfile: paper.txt\n\n#night #Birds/Owls\n\n"
        "Owls hear mice 1.\n\nA remark 1.\n\np. 12\n\nmice heard 1\ncheck this"
    )
    assert [heading.text for heading in document.pages[0].headings] == ["How owls hunt 1", "p. 12"]


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "zotero.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE items (itemID)")
    with pytest.raises(DocumentError, match="not a library of Zotero"):
        go_through(path, bibliographies.unpack, tmp_path)
    path.write_bytes(b"")
    with pytest.raises(DocumentError, match="not a library of Zotero"):
        go_through(path, bibliographies.unpack, tmp_path)


def test_damaged_libraries_are_read_or_refused(tmp_path: Path, reader: Reader) -> None:
    """In the sandbox: a crash there would be reported as one of the reading process."""
    path = tmp_path / "zotero.sqlite"
    write_library(path)
    refused: list[str] = []
    for data in mutations(path.read_bytes()):
        path.write_bytes(data)
        try:
            with reader.members(path) as walk:
                for member in walk:
                    assert isinstance(member, Member)
                    reader.read_member(member, walk)
        except DocumentError as error:
            refused.append(error.message)
    assert set(refused) == {"Damaged, or not a library of Zotero"}


def names(library: Library, query: str) -> list[str]:
    return sorted(hit.path.name for hit in library.search(query, mode=Mode.WORDS).hits)


@pytest.mark.parametrize("is_file_first", [True, False])
def test_a_file_in_storage_has_the_description_of_its_item(
    library: Library, folder: Path, *, is_file_first: bool
) -> None:
    file = folder / "storage" / "FILE0001" / "paper.txt"
    file.parent.mkdir(parents=True)

    def write_file() -> None:
        file.write_text("Feathers are silent.", encoding="utf-8")

    def write_items() -> None:
        write_library(folder / "zotero.sqlite")

    library.add_folder(folder)
    for write in (write_file, write_items) if is_file_first else (write_items, write_file):
        write()
        library.sync()
    for query in ("tag:night", "tag:birds", "author:rook1", "date:2020-03"):
        assert names(library, f"feathers {query}") == ["paper.txt"]
    (hit,) = library.search("feathers", mode=Mode.WORDS).hits
    assert hit.title == "How owls hunt 1"
    # A changed title reaches the file, which is unchanged.
    with closing(sqlite3.connect(folder / "zotero.sqlite")) as db:
        db.execute("UPDATE itemDataValues SET value = 'Silent owls' WHERE valueID = 11")
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    library.sync()
    (hit,) = library.search("feathers", mode=Mode.WORDS).hits
    assert hit.title == "Silent owls"
    assert library.check().problems == ()


def test_a_book_has_the_description_next_to_it(library: Library, folder: Path) -> None:
    (folder / "book.txt").write_text("Call me someone.", encoding="utf-8")
    (folder / "inner").mkdir()
    (folder / "inner" / "other.txt").write_text("Call me nobody.", encoding="utf-8")
    (folder / "metadata.opf").write_text(
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Whale</dc:title>'
        "<dc:subject>Sea</dc:subject></metadata></package>",
        encoding="utf-8",
    )
    library.add_folder(folder)
    library.sync()
    assert names(library, "call tag:sea") == ["book.txt"]
    assert {hit.title for hit in library.search("call", mode=Mode.WORDS).hits} == {
        "The Whale",
        "other",
    }
