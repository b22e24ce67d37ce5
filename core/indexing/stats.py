"""Statistics of a library, and a preview of the sync of a folder."""

from collections import defaultdict
from pathlib import Path
from typing import Final

from core.addresses import is_in_bucket, readable_path
from core.catalog import document_queries, manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.documents import Failure
from core.catalog.files import file_lists, folders
from core.catalog.files.folders import NO_RULES, FolderRules
from core.catalog.reports import Kind, Preview, Shares, Status, SyncReport
from core.documents.formats import format_of
from core.indexing import rebuild
from core.indexing.build.generations import Generations, IndexTarget
from core.indexing.build.index_sizes import bytes_per_token, sizes_of
from core.indexing.build.speed import tokens_per_s
from core.indexing.scan.scanning import root_at, scan
from core.indexing.syncing import SyncResult
from core.indexing.text_sample import drawn
from core.progress import Job, Progress, Stage


def status(home: Path, catalog: Catalog, generations: Generations) -> Status:
    """Return the status of the library in the folder `home`."""
    with catalog.reading() as db:
        counted = passages.counts(db)
        files = file_lists.counts(db)
        excluded = file_lists.excluded_by_rule(db)
        has_news = file_lists.has_news(db, files)
        index_bytes = sum(row.size_bytes for row in manifest.segments(db))
        described = folders.describe(db)
    return Status(
        home=home,
        folders=described,
        files=files,
        passages=counted.passages,
        waiting=counted.waiting,
        tokens=counted.tokens,
        tokens_kept=counted.vectors,
        index_bytes=index_bytes,
        catalog_bytes=catalog.size_bytes,
        model=generations.name(),
        coming_model=generations.building_name(),
        is_rebuilding=rebuild.is_under_way(catalog),
        excluded=excluded,
        has_news=has_news,
    )


def shares(catalog: Catalog) -> Shares:
    """Return the disk usage of the library and of each folder; reads all rows of passages."""
    with catalog.reading() as db:
        counted = passages.counts_by_folder(db)
        index_bytes = sum(row.size_bytes for row in manifest.segments(db))
    catalog_bytes = catalog.size_bytes
    all_passages = sum(count for count, _ in counted.values()) or 1
    all_vectors = sum(vectors for _, vectors in counted.values()) or 1
    of_folders = {
        generation_id: round(
            index_bytes * vectors / all_vectors + catalog_bytes * count / all_passages
        )
        for generation_id, (count, vectors) in counted.items()
    }
    return Shares(index_bytes, catalog_bytes, of_folders)


def report(
    now: Status, failures: tuple[Failure, ...], done: SyncResult, seconds: float
) -> SyncReport:
    """Return the report of a sync with its duration."""
    return SyncReport(
        documents=now.documents,
        passages=now.passages,
        tokens=now.tokens,
        tokens_kept=now.tokens_kept,
        # Documents whose files could not be looked at are not in the list of failures: they keep
        # their text.
        failed=tuple(dict.fromkeys((*failures, *done.closed))),
        without_text=done.without_text,
        unsupported=done.unsupported,
        read=done.read,
        removed=done.removed,
        seconds=seconds,
        index_bytes=now.index_bytes,
        excluded=done.excluded,
        problem=done.problem,
        files=now.files,
    )


# Measured on a laptop with two cores; per-format costs beyond the bytes are small.
_READ_S_PER_FILE: Final = 0.002
# Of text in UTF-8, with the headings that are encoded before each passage.
_BYTES_PER_TOKEN: Final = 4.0
# Objects of a bucket that are read for a preview, since each costs time and money, and the largest.
_OBJECTS: Final = 12
_OBJECT_BYTES: Final = 500_000


def preview(
    catalog: Catalog, target: IndexTarget, folder: Path, rules: FolderRules | None, job: Job
) -> Preview:
    """Return the files that a sync would read and exclude in a folder.

    Args:
        catalog: the library's.
        target: the target index.
        folder: one of the library's, or any other.
        rules: the person's; None for the stored ones.
        job: its progress.

    Raises:
        FolderError: the folder does not exist, or may not be read.
        UsageError: one of the patterns is invalid.
        Cancelled: the job was cancelled.
    """
    with catalog.reading() as db:
        rules_of = {root.path: root.rules for root in folders.roots(db)}
        folder = root_at(folder, rules_of)
        known = document_queries.stamps_below(db, folder)

    def report(path: Path, files: int) -> None:
        job.checkpoint()
        job.report(Progress(Stage.SCANNING, files, 0, readable_path(path)))

    chosen = rules or rules_of.get(folder, NO_RULES)
    result = scan(
        folder,
        report,
        chosen,
        home=catalog.path.parent,
        folders=rules_of | {folder: chosen},
    )
    files: defaultdict[str, int] = defaultdict(int)
    sizes: defaultdict[str, int] = defaultdict(int)
    waiting = waiting_bytes = 0
    has_recognition = False
    reading_s = 0.0
    text_bytes: dict[Path, float] = {}
    for path, stamp in result.files.items():
        kind = format_of(Path(path))
        assert kind is not None
        files[kind.name] += 1
        sizes[kind.name] += stamp.size_bytes
        if path in result.in_cloud or known.get(path) == stamp:
            continue
        waiting += 1
        waiting_bytes += stamp.size_bytes
        has_recognition = has_recognition or bool(kind.drawer)
        reading_s += _READ_S_PER_FILE + stamp.size_bytes * kind.read_s_per_byte
        text_bytes[Path(path)] = stamp.size_bytes * kind.text_share
    small = {path: size for path, size in text_bytes.items() if size <= _OBJECT_BYTES}
    tokens = sum(text_bytes.values()) / _BYTES_PER_TOKEN
    kinds = [Kind(name, files[name], sizes[name]) for name in files]
    kinds.sort(key=lambda kind: (-kind.size_bytes, kind.name))
    return Preview(
        folder=folder,
        files=len(result.files),
        size_bytes=sum(sizes.values()),
        kinds=tuple(kinds),
        excluded=dict(result.excluded),
        closed=tuple(result.closed),
        in_cloud=len(result.in_cloud.intersection(result.files)),
        waiting=waiting,
        waiting_bytes=waiting_bytes,
        reading_s=reading_s,
        encoding_s=tokens / tokens_per_s(target.row.spec.name),
        index_bytes=round(
            tokens * bytes_per_token(target.checkpoint, target.reduction, target.row.spec.bits)
        ),
        bytes_by_size={
            size: round(tokens * bytes_per_token(target.checkpoint, *storage))
            for size, storage in sizes_of(target.checkpoint).items()
        },
        has_recognition=has_recognition,
        sample=drawn(small, _OBJECTS) if is_in_bucket(folder) else drawn(text_bytes),
    )
