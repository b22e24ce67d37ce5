"""Documents below other ones: their places, however these change, and what holds them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.catalog import document_paths, document_queries, documents, members
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState
from core.files.filesystems import FileStamp
from tests.examples import examples

ARCHIVE = Path("/docs/a.zip")
STAMP = FileStamp(5, 7)


def paths(catalog: Catalog) -> dict[int, str]:
    rows = catalog.connection().execute("SELECT id, path FROM documents")
    return {row["id"]: row["path"] for row in rows}


@pytest.fixture
def archive(catalog: Catalog, add: Callable[..., int]) -> int:
    """An archive without members, by its number."""
    return add(str(ARCHIVE))


def put(catalog: Catalog, container: int, path: str, content_hash: str = "h") -> int:
    """Add a member that has been read."""
    with catalog.transaction() as db:
        number = members.add_member(db, container, ARCHIVE / path, STAMP)
        assert number is not None
        row = documents.NewPassage(1, 0, 3, "owl", "")
        documents.set_read(db, number, content_hash, "title", 1, [row])
    return number


def test_members_are_no_files_of_their_folder(
    catalog: Catalog, archive: int, find: Callable[[str], list[int]]
) -> None:
    put(catalog, archive, "b.txt")
    with catalog.reading() as db:
        folder_id = db.execute("SELECT folder_id FROM documents").fetchone()[0]
        assert [one.path for one in document_queries.in_folder(db, folder_id)] == [ARCHIVE]
        assert document_queries.waiting(db) == []
        counted = document_queries.count(db)
        assert (counted[DocumentState.READ], counted[DocumentState.NO_TEXT]) == (1, 1)
    assert len(find("owl")) == 1


def test_members_are_found_by_place_and_by_content(catalog: Catalog, archive: int) -> None:
    inner = put(catalog, archive, "in.zip", "inner")
    deep = put(catalog, inner, "in.zip/b.txt", "same")
    other = put(catalog, archive, "c.txt", "same")
    with catalog.reading() as db:
        known = document_queries.member_at(db, ARCHIVE / "in.zip" / "b.txt")
        assert known is not None
        assert (known.id, known.container_id, known.hash) == (deep, inner, "same")
        assert document_queries.member_at(db, ARCHIVE) is None
        newest = members.newest_id(db)
        assert newest == other
        assert members.members_alike(db, ARCHIVE, "same", newest) == [other, deep]
        assert members.members_alike(db, ARCHIVE, "same", deep) == [deep]
        assert members.members_alike(db, Path("/docs/a"), "same", newest) == []
        assert sorted(document_paths.ids_below(db, ARCHIVE)) == [inner, deep, other]
        assert document_paths.ids_below(db, ARCHIVE / "in.zip") == [deep]
        assert document_paths.ids_below(db, ARCHIVE / "in") == []


def test_the_container_of_a_document_is_found(catalog: Catalog, archive: int) -> None:
    inner = put(catalog, archive, "in.zip")
    deep = put(catalog, inner, "in.zip/b.txt")
    with catalog.reading() as db:
        for number in (archive, inner, deep):
            holder = document_queries.holder(db, number)
            assert holder is not None
            assert holder.id == archive
        assert document_queries.holder(db, 999) is None


def test_members_go_with_their_container(
    catalog: Catalog, archive: int, find: Callable[[str], list[int]]
) -> None:
    inner = put(catalog, archive, "in.zip")
    put(catalog, inner, "in.zip/b.txt")
    with catalog.transaction() as db:
        documents.remove(db, [archive])
    assert paths(catalog) == {}
    assert find("owl") == []


def test_nothing_is_added_to_a_removed_document(catalog: Catalog, archive: int) -> None:
    with catalog.transaction() as db:
        documents.remove(db, [archive])
        assert members.add_member(db, archive, ARCHIVE / "b.txt", STAMP) is None
        members.move_member(db, 99, archive, ARCHIVE / "b.txt", STAMP)
        document_paths.move(db, 99, ARCHIVE)
    assert paths(catalog) == {}


def test_a_conflicting_entry_is_set_aside(catalog: Catalog, archive: int) -> None:
    old = put(catalog, archive, "b.eml")
    attached = put(catalog, old, "b.eml/c.txt")
    new = put(catalog, archive, "b.eml")
    assert paths(catalog) == {
        archive: str(ARCHIVE),
        old: str(ARCHIVE / f"earlier {old}" / "b.eml"),
        attached: str(ARCHIVE / f"earlier {old}" / "b.eml" / "c.txt"),
        new: str(ARCHIVE / "b.eml"),
    }
    with catalog.transaction() as db:
        members.move_member(db, attached, new, ARCHIVE / "b.eml" / "c.txt", STAMP)
        members.remove_other_members(db, ARCHIVE, {new, attached})
    assert paths(catalog) == {
        archive: str(ARCHIVE),
        attached: str(ARCHIVE / "b.eml" / "c.txt"),
        new: str(ARCHIVE / "b.eml"),
    }


def test_a_moved_file_takes_along_what_is_in_it(catalog: Catalog, archive: int) -> None:
    inner = put(catalog, archive, "in.zip")
    put(catalog, inner, "in.zip/b.txt")
    moved = Path("/docs/sub/b 100%.zip")
    with catalog.transaction() as db:
        known = document_queries.fetch(db, archive)
        assert known is not None
        folder_id = db.execute("SELECT folder_id FROM documents").fetchone()[0]
        document_paths.set_moved(db, archive, folder_id, moved, STAMP)
    assert sorted(paths(catalog).values()) == [
        str(moved),
        str(moved / "in.zip"),
        str(moved / "in.zip" / "b.txt"),
    ]


_names = st.sampled_from(["a", "b", "a/c", "a/c/d", "b/c", "earlier 2", "a b"])


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(st.tuples(st.integers(0, 4), _names), max_size=12))
def test_no_order_of_moves_loses_a_document_or_lets_two_have_one_place(
    moves: list[tuple[int, str]], catalog: Catalog
) -> None:
    with catalog.transaction() as db:
        db.execute("DELETE FROM folders")
        db.execute("INSERT INTO folders(id, path, is_collection) VALUES (1, '/docs', 0)")
        documents.add_new(db, [(1, str(ARCHIVE), STAMP)])
        (holder,) = document_queries.in_folder(db, 1)
    numbers = [put(catalog, holder.id, name) for name in ("a", "b", "a/c", "x", "x/y")]
    for index, name in moves:
        with catalog.transaction() as db:
            document_paths.move(db, numbers[index], ARCHIVE / name)
        here = paths(catalog)
        assert len(set(here.values())) == len(here) == 6
        assert here[numbers[index]] == str(ARCHIVE / name)
        assert all(Path(path).is_relative_to(ARCHIVE) for path in here.values())
