"""What a library holds, in numbers."""

from __future__ import annotations

from pathlib import Path

from core.catalog import documents, folders, manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState, Failure
from core.catalog.reports import Shares, Status, SyncReport
from core.indexing import rebuilding
from core.indexing.editions import Editions
from core.indexing.syncing import Synced


def status(home: Path, catalog: Catalog, editions: Editions) -> Status:
    """The library in the folder `home` at this moment."""
    with catalog.reading() as db:
        counted = passages.counts(db)
        states = documents.count(db)
        index_bytes = sum(row.size_bytes for row in manifest.segments(db))
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
        is_rebuilding=rebuilding.is_under_way(catalog),
    )


def shares(catalog: Catalog) -> Shares:
    """What the library takes, and each folder's share of it; looks at every passage."""
    with catalog.reading() as db:
        counted = passages.counts_by_folder(db)
        index_bytes = sum(row.size_bytes for row in manifest.segments(db))
    catalog_bytes = catalog.size_bytes
    all_passages = sum(count for count, _ in counted.values()) or 1
    all_vectors = sum(vectors for _, vectors in counted.values()) or 1
    of_folders = {
        number: round(index_bytes * vectors / all_vectors + catalog_bytes * count / all_passages)
        for number, (count, vectors) in counted.items()
    }
    return Shares(index_bytes, catalog_bytes, of_folders)


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
        problem=done.problem,
    )
