"""Folders, documents, passages and their words, and what goes when one of them goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog import document_paths, document_queries, documents, manifest, passages, word_index
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState, Metadata
from core.catalog.files import file_lists, folders
from core.catalog.integrity import checksums
from core.catalog.manifest import SegmentRow
from core.catalog.scope import EVERYWHERE
from core.files.filesystems import FileStamp

Add = Callable[..., int]
Find = Callable[[str], list[int]]


def paths_of(catalog: Catalog) -> list[str]:
    return [str(folder.path) for folder in folders.describe(catalog.connection())]


def add_folder(catalog: Catalog, path: str) -> int:
    with catalog.transaction() as db:
        return folders.add(db, Path(path))


def passage_ids(catalog: Catalog) -> list[int]:
    return [
        row["id"] for row in catalog.connection().execute("SELECT id FROM passages ORDER BY id")
    ]


def publish(catalog: Catalog, numbers: list[int], file: str = "one") -> int:
    with catalog.transaction() as db:
        number = manifest.add_segment(db, SegmentRow(file, "m", "m/2", len(numbers), 5, 100, "sum"))
        passages.set_encoded(db, number, [passages.Encoded(one, 5, 2) for one in numbers])
    return number


def test_a_folder_is_added_once(catalog: Catalog) -> None:
    assert add_folder(catalog, "/docs") == add_folder(catalog, "/docs")
    assert paths_of(catalog) == ["/docs"]


def test_a_folder_inside_another_adds_nothing(catalog: Catalog) -> None:
    outer = add_folder(catalog, "/docs")
    assert add_folder(catalog, "/docs/letters") == outer
    assert paths_of(catalog) == ["/docs"]


def test_a_folder_of_a_similar_name_is_another(catalog: Catalog) -> None:
    add_folder(catalog, "/docs")
    add_folder(catalog, "/docs2")
    add_folder(catalog, "/doc")
    assert paths_of(catalog) == ["/doc", "/docs", "/docs2"]


def test_a_parent_takes_over_what_was_read(catalog: Catalog, add: Add, find: Find) -> None:
    first = add("/docs/a/1.txt", "crow", folder="/docs/a")
    second = add("/docs/b/2.txt", "owl", folder="/docs/b")
    add("/other/3.txt", "swift", folder="/other")
    parent = add_folder(catalog, "/docs")
    assert paths_of(catalog) == ["/docs", "/other"]
    had = document_queries.in_folder(catalog.connection(), parent)
    assert {document.id for document in had} == {first, second}
    assert len(find("crow")) == len(find("owl")) == len(find("swift")) == 1


def test_removing_a_folder_removes_all_that_was_read_from_it(
    catalog: Catalog, add: Add, find: Find
) -> None:
    add("/docs/a.txt", "crow crow", "rook")
    add("/other/b.txt", "crow owl", folder="/other")
    segment = publish(catalog, passage_ids(catalog))
    removed = passage_ids(catalog)[:2]
    with catalog.transaction() as db:
        folders.remove(db, add_folder_number(catalog, "/docs"))
    assert paths_of(catalog) == ["/other"]
    assert find("rook") == []
    assert find("crow") == passage_ids(catalog)
    assert manifest.tombstones(catalog.connection()) == {segment: removed}
    left = catalog.connection().execute("SELECT path FROM documents").fetchall()
    assert [row["path"] for row in left] == ["/other/b.txt"]


def add_folder_number(catalog: Catalog, path: str) -> int:
    roots = folders.roots(catalog.connection())
    return next(root.id for root in roots if root.path == Path(path))


def test_collections_are_no_folders(catalog: Catalog) -> None:
    with catalog.transaction() as db:
        folders.add_collection(db, "corpus")
    assert paths_of(catalog) == []
    assert folders.roots(catalog.connection()) == []


def test_words_are_found_by_their_stems_and_without_accents(
    catalog: Catalog, add: Add, find: Find
) -> None:
    add("/docs/a.txt", "Walking with a résumé", context="Chapter on Crows")
    for expression in ("walk", "RESUME", "walked", "crow"):
        assert find(expression) == passage_ids(catalog), expression
    assert find("wal") == []


def test_words_of_a_passage_that_was_read_again_are_replaced(
    catalog: Catalog, add: Add, find: Find
) -> None:
    add("/docs/a.txt", "crow")
    add("/docs/a.txt", "owl")
    assert find("crow") == []
    assert find("owl") == passage_ids(catalog)
    catalog.connection().execute(
        "INSERT INTO passages_fts(passages_fts, rank) VALUES ('integrity-check', 1)"
    )


def test_the_numbers_of_passages_never_come_back(catalog: Catalog, add: Add) -> None:
    add("/docs/a.txt", "crow", "owl")
    before = passage_ids(catalog)
    add("/docs/a.txt")
    assert passage_ids(catalog) == []
    add("/docs/a.txt", "crow")
    assert min(passage_ids(catalog)) > max(before)


def test_passages_of_a_text_that_is_what_it_was_stay(catalog: Catalog, add: Add) -> None:
    add("/docs/a.txt", "crow", "owl")
    publish(catalog, before := passage_ids(catalog))
    add("/docs/a.txt", "crow", "owl")
    assert passage_ids(catalog) == before
    assert passages.counts(catalog.connection()).waiting == 0


def test_passages_that_are_there_still_stay_wherever_they_are(
    catalog: Catalog, add: Add, find: Find
) -> None:
    number = add("/docs/a.txt", "crow ", "owl ", "swift")
    crow, owl, swift = passage_ids(catalog)
    publish(catalog, [crow, owl, swift])
    add("/docs/a.txt", "rook ", "owl ", "crow ", "owl ")
    db = catalog.connection()
    rook, *middle, second = passages.ids_in(db, number)
    assert middle == [owl, crow]
    assert min(rook, second) > swift
    assert [passages.fetch(db, [one])[one].start for one in (rook, owl, crow, second)] == [
        *(0, 5, 9, 14)
    ]
    assert {found for found, *_ in passages.waiting(db, 9)} == {rook, second}
    assert find("owl") == [owl, second]
    assert find("swift") == []
    assert list(manifest.tombstones(db).values()) == [[swift]]
    # A document found without query words is shown by its beginning.
    assert passages.newest(db, EVERYWHERE, 1) == {number: rook}
    assert not checksums.changed_documents(db)


def test_pages_returned_by_a_reader_in_another_order_are_unchanged(
    catalog: Catalog, add: Add
) -> None:
    number = add("/docs/a.txt", "crow")
    rows = [documents.NewPassage(page, 0, 4, f"owl{page}", "") for page in (3, 1, 2)]
    with catalog.transaction() as db:
        documents.set_read(db, number, "other", "a", 3, rows)
    db = catalog.connection()
    assert list(passages.page_texts(db, number).values()) == ["owl1", "owl2", "owl3"]
    assert not checksums.changed_documents(db)


def test_a_passage_of_another_length_is_another(catalog: Catalog, add: Add) -> None:
    """The encoded text ends before the part that joins it to the next."""
    number = add("/docs/a.txt", "crow and owl")
    before = passage_ids(catalog)
    shorter = documents.NewPassage(1, 0, 4, "crow and owl", "")
    with catalog.transaction() as db:
        documents.set_read(db, number, "other", "a", 1, [shorter])
    assert min(passage_ids(catalog)) > max(before)


def test_publishing_leaves_the_word_index_alone(catalog: Catalog, add: Add) -> None:
    add("/docs/a.txt", "crow " * 50)

    def word_index() -> list[bytes]:
        rows = catalog.connection().execute("SELECT block FROM passages_fts_data ORDER BY id")
        return [row["block"] for row in rows]

    before = word_index()
    publish(catalog, passage_ids(catalog))
    assert word_index() == before


def test_the_best_by_words_come_first_and_among_equals_the_first_added(
    catalog: Catalog, add: Add
) -> None:
    for name in "abc":
        add(f"/docs/{name}.txt", "crow and owl")
    add("/docs/d.txt", "crow crow crow")
    first, second, third, most = passage_ids(catalog)
    found = word_index.find_words(catalog.connection(), "crow", -1)
    assert [number for number, _ in found] == [most, first, second, third]
    assert found[0][1] > found[1][1] > 0
    assert word_index.find_words(catalog.connection(), "crow", 2) == found[:2]


def test_a_page_of_words_can_be_requested_with_other_forms_of_each(
    catalog: Catalog, add: Add
) -> None:
    """With more of them than one compound statement of SQLite holds, each adds to the score."""
    for number in range(40):
        add(f"/docs/{number}.txt", f"crow word{number} owl")
    add("/docs/a.txt", "crow word7 word11")
    db = catalog.connection()
    (one,) = word_index.find_words(db, '"word11" AND "word7"', -1)
    expansions = [(f'"word{number}"', 0.5) for number in range(1100)]
    found = dict(word_index.find_words(db, '"crow"', -1, expansions=expansions))
    alone = dict(word_index.find_words(db, '"crow"', -1))
    forms = [
        dict(word_index.find_words(db, '"crow"', -1, expansions=[(f'"word{number}"', 0.5)]))
        for number in (7, 11)
    ]
    assert found[one[0]] == pytest.approx(
        alone[one[0]] + sum(form[one[0]] - alone[one[0]] for form in forms)
    )
    assert found.keys() == alone.keys()


def test_passages_give_their_page_back(catalog: Catalog, add: Add) -> None:
    number = add("/docs/a.txt", "One.\n\n", "Two. ", "Three.")
    assert passages.page_texts(catalog.connection(), number) == {1: "One.\n\nTwo. Three."}
    stored = passages.fetch(catalog.connection(), passage_ids(catalog))
    assert [one.text for one in stored.values()] == ["One.", "Two.", "Three."]
    assert passages.page_texts(catalog.connection(), 99) == {}


def test_passages_wait_until_they_are_published_and_again_when_it_is_undone(
    catalog: Catalog, add: Add
) -> None:
    add("/docs/a.txt", "One. ", "Two. ", "Three.", context="above")
    db = catalog.connection()
    first, second, third = passage_ids(catalog)
    assert passages.waiting(db, 2) == [(first, "above", "One."), (second, "above", "Two.")]
    segment = publish(catalog, [first, second])
    counted = passages.counts(db)
    assert (counted.passages, counted.waiting, counted.tokens) == (3, 1, 10)
    assert [number for number, *_ in passages.waiting(db, 3)] == [third]
    with catalog.transaction() as transaction:
        manifest.remove_segment(transaction, segment)
    assert [number for number, *_ in passages.waiting(db, 9)] == [first, second, third]
    assert passages.counts(db).tokens == 0


def test_the_manifests_version_tells_every_change(catalog: Catalog, add: Add) -> None:
    seen = [manifest.version(catalog.connection())]

    def has_changed() -> bool:
        seen.append(manifest.version(catalog.connection()))
        return seen[-1] != seen[-2]

    add("/docs/a.txt", "One.")
    add("/docs/b.txt", "Two.")
    assert not has_changed()
    first = publish(catalog, passage_ids(catalog), "one")
    assert has_changed()
    with catalog.transaction() as db:
        documents.remove(
            db,
            [
                row.id
                for row in document_queries.in_folder(db, 1)
                if row.path == Path("/docs/a.txt")
            ],
        )
    assert has_changed()
    with catalog.transaction() as db:
        manifest.remove_segment(db, first)
    assert has_changed()
    publish(catalog, passage_ids(catalog), "two")
    assert has_changed()


def test_a_document_removed_meanwhile_is_skipped_in_every_operation(
    catalog: Catalog, add: Add
) -> None:
    number = add("/docs/a.txt", "One.")
    with catalog.transaction() as db:
        folders.remove(db, add_folder_number(catalog, "/docs"))
    stamp = FileStamp(2, 2)
    row = documents.NewPassage(1, 0, 1, "x", "")
    with catalog.transaction() as db:
        documents.set_read(db, number, "hash", "a", 1, [row])
        documents.set_failed(db, number, None, "is gone")
        documents.set_changed(db, [(number, stamp)])
        documents.set_whole(db, number, "hash", DocumentState.READ)
        documents.add_new(db, [(1, "/docs/b.txt", stamp)])
        document_paths.set_moved(db, number, 1, Path("/docs/c.txt"), stamp)
    assert passage_ids(catalog) == []
    assert sum(document_queries.count(catalog.connection()).values()) == 0


def test_a_document_is_not_moved_into_a_folder_that_was_removed_meanwhile(
    catalog: Catalog, add: Add
) -> None:
    number = add("/docs/a.txt", "One.")
    other = add_folder(catalog, "/other")
    with catalog.transaction() as db:
        folders.remove(db, other)
    with catalog.transaction() as db:
        document_paths.set_moved(db, number, other, Path("/other/a.txt"), FileStamp(1, 1))
    known = document_queries.fetch(catalog.connection(), number)
    assert known is not None
    assert known.path == Path("/docs/a.txt")


@pytest.mark.parametrize("then", ["read", "failed"])
def test_a_failed_document_shows_the_reason_until_it_is_read(
    then: str, catalog: Catalog, add: Add, find: Find
) -> None:
    number = add("/docs/a.txt", "crow")
    with catalog.transaction() as db:
        documents.set_failed(db, number, "hash", "is encrypted")
    db = catalog.connection()
    assert [
        (str(one.path), one.reason) for one in file_lists.listed(db, file_lists.FileList.UNREADABLE)
    ] == [("/docs/a.txt", "is encrypted")]
    assert find("crow") == []
    if then == "failed":
        assert document_queries.count(db)[DocumentState.FAILED] == 1
    else:
        add("/docs/a.txt", "owl")
        with catalog.transaction() as transaction:
            documents.set_read(transaction, number, "hash", "", 1, [])
        assert file_lists.listed(db, file_lists.FileList.UNREADABLE) == ()


def test_a_text_that_is_read_as_a_container_loses_its_text(
    catalog: Catalog, add: Add, find: Find
) -> None:
    number = add("/docs/a.bib", "crow")
    member = add("/docs/a.bib/owl.reference", "owl")
    with catalog.transaction() as db:
        db.execute("UPDATE documents SET container_id = ? WHERE id = ?", [number, member])
        documents.set_whole(db, number, "hash", DocumentState.OPENED)
    assert find("crow") == []
    assert find("owl") != []
    with catalog.reading() as db:
        assert checksums.changed_documents(db) == set()


def test_document_metadata_is_stored_with_its_passages(catalog: Catalog, add: Add) -> None:
    number = add("/docs/a.txt", "crow")
    about = Metadata("Ann Rook", "2024-06-30", "birds", "Raven")
    with catalog.transaction() as db:
        documents.set_metadata(db, number, about)
    db = catalog.connection()
    (stored,) = passages.fetch(db, passage_ids(catalog)).values()
    known = document_queries.fetch(db, number)
    (read,) = document_queries.read(db)
    assert known is not None
    for one in (stored, known, read):
        assert (one.author, one.date) == ("Ann Rook", "2024-06-30")
    with catalog.transaction() as db:
        documents.set_failed(db, number, None, "Damaged")
    known = document_queries.fetch(db, number)
    assert known is not None
    assert (known.author, known.date) == ("", "")
