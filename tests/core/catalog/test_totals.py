"""The stored totals equal the counted documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.catalog import document_queries, documents, maintenance, members
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState
from core.catalog.files import folders
from core.files.filesystems import FileStamp


def test_documents_are_counted_as_they_come_change_and_go(
    catalog: Catalog, add: Callable[..., int]
) -> None:
    first = add("/docs/owl.zip", "Owls hunt.")
    add("/docs/crow.txt", "Crows hunt.")
    add("/more/tea.txt", "Tea is brewed.", folder="/more")
    with catalog.transaction() as db:
        member = members.add_member(db, first, Path("/docs/owl.zip/a.txt"), FileStamp(70, 1))
        assert member is not None
        documents.add_new(db, [(1, "/docs/new.txt", FileStamp(400, 1))])
        assert maintenance.has_true_totals(db)
    with catalog.reading() as db:
        more, docs = sorted(folders.describe(db), key=lambda one: one.documents)
        # An opened file without text is not a document.
        assert (docs.documents, docs.waiting, docs.size_bytes) == (3, 1, 402)
        assert (more.documents, more.waiting, more.size_bytes) == (1, 0, 1)
        counted = document_queries.count(db)
        assert counted[DocumentState.READ] == 3
        assert counted[DocumentState.OPENED] == counted[DocumentState.FOUND] == 1
    with catalog.transaction() as db:
        documents.set_failed(db, first, None, "It is broken.")
        db.execute("INSERT INTO rereads(document_id) SELECT id FROM documents WHERE state = 'read'")
    with catalog.reading() as db:
        described = {str(one.path): one for one in folders.describe(db)}
        assert [(one.failed, one.waiting) for one in described.values()] == [(1, 2), (0, 1)]
        assert maintenance.has_true_totals(db)
    with catalog.transaction() as db:
        folders.remove(db, described["/docs"].id if "/docs" in described else docs.id)
        assert maintenance.has_true_totals(db)
    with catalog.reading() as db:
        assert sum(document_queries.count(db).values()) == 1


def test_wrong_totals_are_detected_and_repaired(catalog: Catalog, add: Callable[..., int]) -> None:
    add("/docs/crow.txt", "Crows hunt.")
    with catalog.transaction() as db:
        db.execute("UPDATE document_totals SET documents = 7")
        assert not maintenance.has_true_totals(db)
        maintenance.rebuild_indexes(db)
        assert maintenance.has_true_totals(db)
        assert document_queries.count(db)[DocumentState.READ] == 1
