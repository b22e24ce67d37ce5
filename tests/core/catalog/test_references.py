"""Files of reference managers find their entries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.catalog import documents, members, references
from core.catalog.catalog import Catalog
from core.catalog.documents import Metadata
from core.files.filesystems import FileStamp

STAMP = FileStamp(1, 1)


def test_a_file_of_zotero_finds_its_entry_without_a_scan_of_all(
    catalog: Catalog, add: Callable[..., int]
) -> None:
    library = Path("/docs/zotero.sqlite")
    library_id = add(str(library), "entries")
    files = [add(f"/docs/storage/FILE{index}/paper.pdf", "text") for index in range(4)]
    with catalog.transaction() as db:
        for index in range(2000):
            path = library / f"ITEM{index}+FILE{index}" / "Owls.reference"
            entry_id = members.add_member(db, library_id, path, STAMP)
            assert entry_id is not None
            documents.set_metadata(db, entry_id, Metadata(author=f"Rook{index}"))

    def steps_of(file_id: int) -> int:
        """Describe a file and return the steps of SQLite in hundreds."""
        steps: list[None] = []
        with catalog.transaction() as db:
            db.set_progress_handler(lambda: steps.append(None), 100)
            references.describe(db, file_id)
            db.set_progress_handler(None, 0)
        return len(steps)

    first, *later = map(steps_of, files[:3])
    assert max(later) * 10 < first
    with catalog.transaction() as db:
        entry_id = members.add_member(
            db, library_id, library / "ITEM+FILE3" / "Owls.reference", STAMP
        )
        assert entry_id is not None
        documents.set_metadata(db, entry_id, Metadata(author="Crow"))
        references.describe(db, files[3])
        rows = db.execute("SELECT id, author FROM documents").fetchall()
    authors = {row["id"]: row["author"] for row in rows}
    assert [authors[file_id] for file_id in files] == ["Rook0", "Rook1", "Rook2", "Crow"]
