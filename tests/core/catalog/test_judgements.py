"""Judgements find their passages again, whatever happened to the documents meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.catalog import document_queries, documents, judgements, passages
from core.catalog.catalog import Catalog
from core.catalog.documents import NewPassage
from core.catalog.files import folders
from core.files.filesystems import FileStamp

Add = Callable[..., int]


def store(catalog: Catalog, path: str, content: str, *texts: str) -> int:
    """A document with these passages, a page each, of a content that hashes to `content`."""
    rows = [NewPassage(page, 0, len(text), text, "") for page, text in enumerate(texts, 1)]
    with catalog.transaction() as db:
        folder = folders.add(db, Path("/docs"))
        documents.add_new(db, [(folder, path, FileStamp(1, 1))])
        (number,) = (
            one.id for one in document_queries.in_folder(db, folder) if one.path_text == path
        )
        documents.set_read(db, number, content, path, len(texts), rows)
    return number


def numbers_of(catalog: Catalog, document: int) -> list[int]:
    rows = catalog.connection().execute(
        "SELECT id FROM passages WHERE document_id = ? ORDER BY page, start", [document]
    )
    return [row["id"] for row in rows]


def judge(catalog: Catalog, query: str, passage: int) -> int:
    with catalog.transaction() as db:
        number = judgements.add(db, query, passage)
    assert number is not None
    return number


def passages_now(catalog: Catalog) -> tuple[int, ...]:
    with catalog.reading() as db:
        (one,) = judgements.all_of(db)
    return one.passages


def test_a_judgement_is_remembered_once_and_forgotten(catalog: Catalog) -> None:
    first, second = numbers_of(catalog, store(catalog, "/docs/a", "h", "Crows.", "Owls."))
    number = judge(catalog, "birds", second)
    assert judge(catalog, "birds", second) == number
    other = judge(catalog, "birds", first)
    third = judge(catalog, "night birds", second)
    with catalog.transaction() as db:
        assert [one.id for one in judgements.all_of(db)] == [number, other, third]
        (one, _) = judgements.of_query(db, "birds")
        assert (one.path, one.page, one.start, one.end) == (Path("/docs/a"), 2, 0, 5)
        assert one.passages == (second,)
        assert judgements.remove(db, number)
        assert not judgements.remove(db, number)
        assert [one.id for one in judgements.of_query(db, "birds")] == [other]
        assert judgements.add(db, "birds", 999) is None


def test_judgements_survive_reading_again_and_moving(catalog: Catalog) -> None:
    document = store(catalog, "/docs/a", "h", "Crows.", "Owls.")
    judge(catalog, "birds", numbers_of(catalog, document)[1])
    with catalog.transaction() as db:
        documents.remove(db, [document])
    assert passages_now(catalog) == ()
    again = numbers_of(catalog, store(catalog, "/docs/elsewhere/b", "h", "Crows.", "Owls."))
    assert passages_now(catalog) == (again[1],)


def test_copies_are_right_too(catalog: Catalog) -> None:
    one = numbers_of(catalog, store(catalog, "/docs/a", "h", "Crows.", "Owls."))
    judge(catalog, "birds", one[0])
    other = numbers_of(catalog, store(catalog, "/docs/b", "h", "Crows.", "Owls."))
    assert passages_now(catalog) == (one[0], other[0])


def test_in_a_changed_document_the_same_text_is_found(catalog: Catalog) -> None:
    document = store(catalog, "/docs/a", "old", "Crows.", "Owls.")
    judge(catalog, "birds", numbers_of(catalog, document)[1])
    with catalog.transaction() as db:
        rows = [
            NewPassage(page, 0, len(text), text, "")
            for page, text in enumerate(("Owls.", "New.", "Crows.", "Owls."), 1)
        ]
        documents.set_read(db, document, "new", "a", 4, rows)
    # The nearer of two to page 2; page 1 is as near as page 3 would be.
    assert passages_now(catalog) == (numbers_of(catalog, document)[0],)
    with catalog.transaction() as db:
        rows = [NewPassage(2, 0, 5, "Swift", "")]
        documents.set_read(db, document, "newer", "a", 2, rows)
    assert passages_now(catalog) == ()


def test_the_same_content_cut_another_way_has_most_of_it(catalog: Catalog, add: Add) -> None:
    document = add("/docs/a", "Crows hide. ", "Owls hunt at night. ", "Swifts sleep.")
    judge(catalog, "birds", numbers_of(catalog, document)[1])
    whole = "Crows hide. Owls hunt at night. Swifts sleep."
    with catalog.transaction() as db:
        parts = ((0, 18), (18, 45))
        rows = [NewPassage(1, start, end, whole[start:end], "") for start, end in parts]
        documents.set_read(db, document, "hash", "a", 1, rows)
    assert passages_now(catalog) == (numbers_of(catalog, document)[1],)


def test_removing_a_folder_removes_its_judgements_and_all_of_its_text(catalog: Catalog) -> None:
    judge(catalog, "birds", numbers_of(catalog, store(catalog, "/docs/a", "h", "A quetzal."))[0])
    columns = catalog.connection().execute("SELECT * FROM judgements").fetchone()
    assert not any("quetzal" in str(value) for value in tuple(columns))
    with catalog.transaction() as db:
        # QueryRewrite over by the folder above it, then that one is removed.
        number = folders.add(db, Path("/"))
        assert len(judgements.all_of(db)) == 1
        folders.remove(db, number)
        assert judgements.all_of(db) == ()


def test_a_folder_of_a_like_name_takes_nothing_along(catalog: Catalog) -> None:
    document = store(catalog, "/docs/a", "h", "Owls.")
    judge(catalog, "birds", numbers_of(catalog, document)[0])
    with catalog.transaction() as db:
        documents.remove(db, [document])
        number = folders.add(db, Path("/doc"))
        folders.remove(db, number)
        assert len(judgements.all_of(db)) == 1


def test_a_document_from_a_program_is_found_by_its_path(catalog: Catalog) -> None:
    with catalog.transaction() as db:
        folder = folders.add_collection(db, "corpus")
        document = documents.add_program_document(db, folder, "corpus/one")
        documents.set_read(db, document, None, "one", 1, [NewPassage(1, 0, 5, "Owls.", "")])
    (number,) = numbers_of(catalog, document)
    judge(catalog, "birds", number)
    assert passages_now(catalog) == (number,)


def test_alignments_are_adopted_and_reverted_per_model(catalog: Catalog) -> None:
    with catalog.transaction() as db:
        assert judgements.adopted(db, "m-1") is None
        judgements.adopt(db, "m-1", "topk:4")
        judgements.adopt(db, "m-1", "topk:2")
        judgements.adopt(db, "m-2", "topk:8")
        assert judgements.adopted(db, "m-1") == "topk:2"
        assert judgements.unadopt(db, "m-1")
        assert judgements.adopted(db, "m-1") == "topk:4"
        assert judgements.unadopt(db, "m-1")
        assert not judgements.unadopt(db, "m-1")
        assert judgements.adopted(db, "m-2") == "topk:8"


def test_lengths_are_those_of_passages_with_vectors(catalog: Catalog) -> None:
    one, other = numbers_of(catalog, store(catalog, "/docs/a", "h", "Crows.", "Owls."))
    catalog.connection().execute("UPDATE passages SET tokens = 7 WHERE id = ?", [one])
    assert passages.lengths(catalog.connection(), [one, other, 99]) == {one: 7}
