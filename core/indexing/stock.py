"""What a library holds, in numbers."""

from __future__ import annotations

from pathlib import Path

from core.catalog import documents, folders, passages, segments
from core.catalog.catalog import Catalog
from core.catalog.records import DocumentState, Status
from core.indexing.editions import Editions


def status(home: Path, catalog: Catalog, editions: Editions) -> Status:
    """The library in the folder `home` at this moment."""
    with catalog.reading() as db:
        counted = passages.counts(db)
        states = documents.count(db)
        index_bytes = sum(row.size_bytes for row in segments.all_of(db))
        described = folders.describe(db)
    return Status(
        home=home,
        folders=described,
        documents=states[DocumentState.READ],
        passages=counted.passages,
        waiting=counted.waiting,
        tokens=counted.tokens,
        tokens_kept=counted.vectors,
        failed=states[DocumentState.FAILED],
        index_bytes=index_bytes,
        catalog_bytes=catalog.size_bytes,
        model=editions.name(),
        coming_model=editions.coming(),
    )
