"""The files of the catalog, listed as a whole and by place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.catalog import document_paths, document_queries, documents
from core.catalog.catalog import Catalog
from core.catalog.files import folders
from core.files.filesystems import FileStamp

PATHS = (
    "/docs/a.txt",
    "/docs/b/c.txt",
    "/docs/b/d/e.txt",
    "/docs/b.txt",
    "/docs/b%/f.txt",
    "/docs/ö/g.txt",
    "/docs/ö/h/i.txt",
)


@pytest.fixture
def folder(catalog: Catalog) -> int:
    with catalog.transaction() as db:
        number = folders.add(db, Path("/docs"))
        other = folders.add(db, Path("/other"))
        documents.add_new(db, [(number, path, FileStamp(1, 1)) for path in PATHS])
        documents.add_new(db, [(other, "/other/a.txt", FileStamp(1, 1))])
    return number


@pytest.mark.parametrize(
    ("whole", "listed", "expected"),
    [
        ((), (), ()),
        (("/docs/a.txt",), (), ("/docs/a.txt",)),
        (("/docs/b",), (), ("/docs/b/c.txt", "/docs/b/d/e.txt")),
        ((), ("/docs",), ("/docs/a.txt", "/docs/b.txt")),
        ((), ("/docs/ö",), ("/docs/ö/g.txt",)),
        (("/docs/b/c.txt",), ("/docs/b",), ("/docs/b/c.txt",)),
        (("/docs/b", "/docs/b/d"), ("/docs",), (*PATHS[:4],)),
        (("/other",), ("/other",), ()),
        (("/docs",), (), PATHS),
    ],
)
def test_the_documents_of_several_places_are_returned_once_each(
    catalog: Catalog,
    folder: int,
    whole: tuple[str, ...],
    listed: tuple[str, ...],
    expected: tuple[str, ...],
) -> None:
    found = [
        one.path_text
        for one in document_queries.at_paths(catalog.connection(), folder, whole, listed)
    ]
    assert sorted(found) == sorted(expected)


def test_a_small_number_of_places_is_found_without_a_full_scan(
    catalog: Catalog, folder: int
) -> None:
    db = catalog.connection()
    plans: list[str] = []
    db.set_trace_callback(plans.append)
    assert len(list(document_queries.at_paths(db, folder, ["/docs/a.txt"], ["/docs/b"]))) == 2
    db.set_trace_callback(None)
    assert len(plans) == 2
    for query in plans:
        steps = [row["detail"] for row in db.execute(f"EXPLAIN QUERY PLAN {query}")]
        of_documents = [step for step in steps if "documents" in step.split()[:2]]
        assert of_documents
        assert all(step.startswith("SEARCH documents USING INDEX") for step in of_documents)
        assert all("path" in step for step in of_documents)


@pytest.mark.parametrize(
    ("folder", "path"), [("/docs", "/docs/a.txt"), ("/", "/a.txt"), ("/", "/zoo/b")]
)
def test_the_root_of_a_drive_contains_its_files(folder: str, path: str) -> None:
    first, last = document_paths.path_range(folder.replace("/", os.sep))
    assert first < path.replace("/", os.sep) < last
