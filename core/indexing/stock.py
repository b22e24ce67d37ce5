"""What a library holds, in numbers."""

from __future__ import annotations

from pathlib import Path

from core.catalog import documents, folders, passages, segments
from core.catalog.catalog import Catalog
from core.catalog.records import DocumentState, Failure, Status, SyncReport
from core.indexing.editions import Editions
from core.indexing.syncing import Synced


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


def report(now: Status, failures: tuple[Failure, ...], done: Synced, seconds: float) -> SyncReport:
    """What a sync of so many seconds left behind, and what it did."""
    return SyncReport(
        documents=now.documents,
        passages=now.passages,
        tokens=now.tokens,
        tokens_kept=now.tokens_kept,
        failed=(*failures, *done.closed),
        without_text=done.without_text,
        skipped=done.skipped,
        read=done.read,
        removed=done.removed,
        seconds=seconds,
        index_bytes=now.index_bytes,
        left_out=done.left_out,
    )
