"""Bringing a library in step with its folders: scan, read, encode, publish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.catalog import documents
from core.catalog.catalog import Catalog
from core.catalog.documents import Failure
from core.catalog.folders import Rule
from core.documents.reader import Reader
from core.indexing import rebuilding, roots
from core.indexing.changes import Changes
from core.indexing.editions import Editions
from core.indexing.listing import list_documents
from core.indexing.lock import writing
from core.indexing.reading import read_waiting
from core.progress import Job


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync came upon and did.

    Attributes:
        closed: what could not be looked into.
        skipped: files of formats that Winnow does not read.
        left_out: how many files and folders were left out, by rule.
        read: how many documents were read, or failed.
        removed: how many documents are gone.
        without_text: documents in which there is no text.
        problem: why documents wait that should have been read; "" if none does.
    """

    closed: tuple[Failure, ...]
    skipped: tuple[Path, ...]
    left_out: Counter[Rule]
    read: int
    removed: int
    without_text: tuple[Path, ...]
    problem: str = ""


def sync(
    catalog: Catalog,
    editions: Editions,
    reader: Reader,
    job: Job,
    changed: Iterable[Path] | None,
) -> Synced:
    """Bring the catalog and the index in step with the folders, under the library's lock.

    Raises:
        Cancelled: the job was cancelled; what was done stays.
        LibraryBusyError: another Winnow is at it.
        DiskFullError: there is no room; nothing that was stored is lost.
    """
    with writing(catalog.path.parent):
        return bring_in_step(catalog, editions, reader, job, changed)


def bring_in_step(
    catalog: Catalog,
    editions: Editions,
    reader: Reader,
    job: Job,
    changed: Iterable[Path] | None,
) -> Synced:
    """Do what `sync` does for whoever holds the library's lock."""
    with catalog.reading() as db:
        editions.clean()
        roots.purge(catalog, editions, reader, job)
        changes = None if changed is None else Changes(changed)
        found, removed = list_documents(catalog, job, changes, pictures=reader.recognises)
        # What should never have been read went just now.
        roots.purge(catalog, editions, reader, job)
        keep_up = partial(editions.keep_up, job) if rebuilding.is_under_way(catalog) else None
        read, problem = read_waiting(catalog, reader, editions.tokenizer.count, job, keep_up)
        editions.encode(job)
        without_text = documents.without_text(db)
    return Synced(
        closed=tuple(failure for one in found for failure in one.closed),
        skipped=tuple(path for one in found for path in one.skipped),
        left_out=sum((one.left_out for one in found), Counter()),
        read=read,
        removed=removed,
        without_text=without_text,
        problem=problem,
    )
