"""Reading on from a result, from the text stored in the catalog."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import LibraryError
from core.library.library import Library
from core.requests import ReadPages
from core.responses import Mode
from tests.conftest import write_files


def test_a_document_is_read_page_by_page_and_passage_by_passage(
    library: Library, folder: Path
) -> None:
    text = "\n\n".join(f"Paragraph {number} is about terns. " * 20 for number in range(8))
    write_files(folder, {"terns.txt": text})
    library.add_folder(folder)
    library.sync()
    texts = library.texts
    document = texts.document(folder / "terns.txt")
    page = texts.page(document, 1)
    assert page == library.answer(ReadPages(document.id))[0].text
    first = library.search("terns", mode=Mode.WORDS).hits[0].passages[0].passage
    reading = texts.passage(first.id, 100, 100)
    assert reading.document == document
    whole = (*reading.before, reading.passage, *reading.after)
    assert len(whole) > 2
    assert [page[one.start : one.end] for one in whole] == [one.text for one in whole]
    assert reading.passage == first
    assert texts.passage(whole[1].id, 1, 0).before == whole[:1]
    assert texts.passage(whole[0].id, 1, 1).before == ()


def test_lines_are_those_of_the_file_as_it_was_last_read(library: Library, folder: Path) -> None:
    write_files(folder, {"crow.txt": "Crows hide food\nand find it again.\n"})
    library.add_folder(folder)
    library.sync()
    passage = library.search("crows", mode=Mode.WORDS).hits[0].passages[0].passage
    assert library.texts.lines([passage.id, passage.id + 1]) == {passage.id: (1, 2)}
    # The text is the same, so that its passages stay; only where they stand has changed.
    write_files(folder, {"crow.txt": "\n\n\nCrows hide food\nand find it again.\n"})
    library.sync()
    assert library.search("crows", mode=Mode.WORDS).hits[0].passages[0].passage == passage
    assert library.texts.lines([passage.id]) == {passage.id: (4, 5)}
    assert library.check().problems == ()
    # Were it another line on the disk, a check would tell.
    with library._catalog.transaction() as db:
        db.execute("UPDATE passages SET first_line = 3")
    assert library.check().problems


def test_a_missing_document_raises_a_sentence(library: Library, folder: Path) -> None:
    write_files(folder, {"crow.txt": "Crows hide food.", "broken.docx": "no"})
    library.add_folder(folder)
    library.sync()
    (folder / "new.txt").touch()
    with pytest.raises(LibraryError, match=r"There is no document at .*new.txt"):
        library.texts.document(folder / "new.txt")
    with pytest.raises(LibraryError, match=r"broken.docx cannot be read: \S.*\.$"):
        library.texts.document(folder / "broken.docx")
    crow = library.texts.document(folder / "crow.txt")
    with pytest.raises(LibraryError, match="has no page 2; its pages are 1"):
        library.texts.page(crow, 2)
    with pytest.raises(LibraryError, match="no longer in the library"):
        library.texts.passage(99)


def test_a_waiting_document_is_reported(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(folder, {"crow.txt": "Crows hide food."})
    library.add_folder(folder)
    read_nothing: Callable[..., tuple[int, str]] = lambda *_args: (0, "")  # noqa: E731
    monkeypatch.setattr("core.indexing.syncing.read_waiting", read_nothing)
    library.sync()
    with pytest.raises(LibraryError, match="has not been read yet"):
        library.texts.document(folder / "crow.txt")
