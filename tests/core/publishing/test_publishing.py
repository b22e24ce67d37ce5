"""A library published, fetched and searched: incrementally, killed anywhere, damaged, by two."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Mapping
from datetime import UTC, timedelta
from functools import partial
from pathlib import Path

import pytest

from core.errors import (
    Cancelled,
    LibraryBusyError,
    LibraryDamagedError,
    LibraryError,
    LibraryTooNewError,
    UsageError,
)
from core.federation.published import PublishedSource
from core.federation.source import SourceUnavailableError
from core.library.library import Library
from core.library.publication import published_model
from core.progress import Job
from core.publishing import claim, publisher
from core.publishing.cache import SnapshotCache
from core.publishing.publisher import PublishReport, newest, publish
from core.publishing.snapshot import CURRENT, packed
from core.publishing.store import FolderStore, NotStoredError, StoredFile, StoreError
from core.requests import GetScoreScale, ReadMarkup
from tests.conftest import BIRDS, write_files
from tests.library_requests import facets, search

Make = Callable[..., Library]
_CHUNK = 1 << 14


def put(library: Library, store: FolderStore, **options: object) -> PublishReport:
    options = {"chunk_bytes": _CHUNK} | options
    return publish(
        library._catalog,
        store,
        "Birds",
        partial(published_model, library._generations),
        Job(),
        **options,  # type: ignore[arg-type]
    )


@pytest.fixture
def target(tmp_path: Path) -> FolderStore:
    return FolderStore(tmp_path / "share" / "birds")


@pytest.fixture
def cache(tmp_path: Path) -> SnapshotCache:
    return SnapshotCache(tmp_path / "cache", 1 << 30)


@pytest.fixture
def growing(library: Library, folder: Path) -> Library:
    """A local library, indexed, that the test may add to."""
    write_files(folder, BIRDS)
    library.add_folder(folder)
    library.sync()
    return library


def opened(
    target: FolderStore, cache: SnapshotCache, own: Library | None = None
) -> PublishedSource:
    source = PublishedSource("Birds", target.address, cache, own)
    source.refresh()
    return source


class Killed(BaseException):
    """The process is gone: nothing more is done."""


class Fragile(FolderStore):
    """A store whose process is killed at the n-th thing that it would do."""

    def __init__(self, folder: Path, left: int) -> None:
        super().__init__(folder)
        self.left = left

    def _strike(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed

    def write(self, name: str, data: bytes) -> None:
        self._strike()
        super().write(name, data)

    def claim(self, name: str, data: bytes) -> bool:
        self._strike()
        return super().claim(name, data)

    def remove(self, name: str) -> None:
        self._strike()
        super().remove(name)

    def read(self, name: str, most_bytes: int, job: Job | None = None) -> bytes:
        if self.left < 0:
            raise Killed
        return super().read(name, most_bytes, job)


def answer(source: PublishedSource) -> list[tuple[str, float]]:
    results = search(source, "a bird that walks under water")
    assert results.notice == ""
    return [(hit.path.name, round(hit.score, 5)) for hit in results.hits]


def test_published_documents_are_found_as_in_the_library_itself(
    birds: Library, target: FolderStore, cache: SnapshotCache
) -> None:
    report = put(birds, target)
    assert report.is_new
    assert report.written_bytes <= report.size_bytes
    source = opened(target, cache, birds)
    own = birds.search("a bird that walks under water")
    assert answer(source) == [(hit.path.name, round(hit.score, 5)) for hit in own.hits]
    assert source.answer(GetScoreScale()) == birds.answer(GetScoreScale())
    state = source.state()
    assert (state.documents, state.passages) == (len(BIRDS), birds.status().passages)
    assert state.published_at == report.snapshot.published_at
    assert facets(source, "").found == len(BIRDS)
    source.close()


def test_the_same_library_is_published_once_and_what_is_new_is_little(
    growing: Library, folder: Path, target: FolderStore, cache: SnapshotCache
) -> None:
    first = put(growing, target, chunk_bytes=1 << 12)
    again = put(growing, target, chunk_bytes=1 << 12)
    assert not again.is_new
    assert again.written == again.removed == 0
    assert again.snapshot == first.snapshot
    write_files(folder, {"wren.txt": "The wren builds several nests and lines but one."})
    growing.sync()
    more = put(growing, target, chunk_bytes=1 << 12)
    assert more.is_new
    assert 0 < more.written_bytes < more.size_bytes / 2
    assert more.snapshot.id > first.snapshot.id
    source = opened(target, cache)
    assert search(source, "wren", mode="words").hits[0].path.name == "wren.txt"
    source.close()


def test_nothing_that_is_the_persons_own_is_published(
    growing: Library, target: FolderStore, folder: Path
) -> None:
    query = "a secret query of mine"
    hit = growing.search("crow").hits[0]
    growing.teaching.judge(query, hit.passages[0].passage.id)
    description = "what nobody but me calls it"
    growing.describe_folder(folder, description)
    put(growing, target)
    published = b"".join(path.read_bytes() for path in target.folder.rglob("*") if path.is_file())
    assert (
        query.encode()
        in growing._catalog.path.read_bytes() + (growing.home / "catalog.sqlite-wal").read_bytes()
    )
    assert query.encode() not in published
    assert description.encode() not in published
    assert b"faces of people who fed it" in published


@pytest.mark.parametrize("is_first", [True, False])
def test_killed_at_any_moment_a_reader_has_the_old_or_the_new(
    growing: Library,
    folder: Path,
    target: FolderStore,
    cache: SnapshotCache,
    is_first: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A concurrent publisher reuses the files left in the shared store by a dead process.
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "of a process that is gone"))
    known: list[str] = []
    target.folder.mkdir(parents=True)
    if not is_first:
        known.append(put(growing, target).snapshot.id)
        write_files(folder, {"wren.txt": "The wren builds several nests and lines but one."})
        growing.sync()
    strikes, is_over = 0, False
    while not is_over:
        with monkeypatch.context() as patch:
            patch.setattr(claim.os, "getpid", lambda: 2**22 + 1)  # of a process that is gone
            try:
                is_new = put(growing, Fragile(target.folder, strikes)).is_new
                is_over = True
            except Killed:
                is_new = False
        try:
            _, snapshot = newest(target)
        except NotStoredError:
            assert is_first
            assert not is_over
        else:
            if snapshot.id not in known:
                known.append(snapshot.id)
            assert all(
                len(target.read(f"data/{chunk[:2]}/{chunk}", length)) == length
                for chunk, length in snapshot.chunks.items()
            )
        strikes += 1 + strikes // 6
        assert not (is_new and not is_over)
    assert strikes > 5
    assert len(known) == (1 if is_first else 2)
    source = opened(target, cache)
    assert len(answer(source)) == source.state().documents
    source.close()


def test_a_reader_of_the_old_snapshot_is_not_disturbed(
    growing: Library, folder: Path, target: FolderStore, cache: SnapshotCache
) -> None:
    put(growing, target)
    source = opened(target, cache)
    before = answer(source)
    (folder / "owl.txt").unlink()
    write_files(folder, {"wren.txt": "The wren builds several nests and lines but one."})
    growing.sync()
    put(growing, target, grace=timedelta(0))
    assert answer(source) == before
    with source._opened.using() as using:
        assert using is not None
        assert source.refresh()
        # Searches under way continue in the old snapshot.
        assert using.library.search("owl", mode="words").hits
        assert using.is_replaced
        assert not search(source, "owl", mode="words").hits
    assert search(source, "wren", mode="words").hits
    assert not source.refresh()
    with pytest.raises(LibraryError, match="is closed"):
        using.library.search("owl", mode="words")
    source.close()


def test_views_of_a_snapshot_that_was_replaced_are_those_of_the_new_one(
    growing: Library, folder: Path, target: FolderStore, cache: SnapshotCache
) -> None:
    """Asked of the old one, whose connections are closed, they would end the program."""
    put(growing, target)
    source = opened(target, cache)
    number = search(source, "who hunts at night").hits[0].document_id
    assert source.answer(ReadMarkup(number))[0].text == BIRDS["owl.txt"]
    write_files(folder, {"new.txt": "The wren sings in the undergrowth."})
    growing.sync()
    put(growing, target)
    assert source.refresh()
    assert source.answer(ReadMarkup(number))[0].text == BIRDS["owl.txt"]
    source.close()
    with pytest.raises(SourceUnavailableError):
        source.answer(ReadMarkup(number))


def test_old_snapshots_go_when_their_time_is_over_and_not_before(
    growing: Library, folder: Path, target: FolderStore
) -> None:
    for number in range(3):
        write_files(folder, {f"{number}.txt": f"Number {number} is a number like no other one."})
        growing.sync()
        put(growing, target)
    names = set(target.files("snapshots"))
    assert len(names) == 3
    assert not put(growing, target).removed
    report = put(growing, target, grace=timedelta(0))
    assert not report.is_new
    assert report.removed
    assert len(target.files("snapshots")) == 1
    assert set(target.files("data")) == {
        f"data/{chunk[:2]}/{chunk}" for chunk in report.snapshot.chunks
    }


def test_a_clock_that_was_ahead_keeps_no_snapshot_for_ever(
    growing: Library, folder: Path, target: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(growing, target)
    write_files(folder, {"wren.txt": "The wren builds several nests and lines but one."})
    growing.sync()
    real = publisher.datetime

    class Ahead(real):  # type: ignore[misc,valid-type]
        @classmethod
        def now(cls, tz: object = None) -> object:
            return real.now(tz) + timedelta(days=4000)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(publisher, "datetime", Ahead)
        put(growing, target)
    now = real.now(UTC).isoformat()
    assert newest(target)[0].older[0].replaced_at > now
    write_files(folder, {"tit.txt": "The great tit opens bottles of milk with its bill."})
    growing.sync()
    put(growing, target)
    later = real.now(UTC).isoformat()
    assert all(older.replaced_at <= later for older in newest(target)[0].older)
    assert len(newest(target)[0].older) == 2


def test_two_publishers_exclude_each_other_and_a_dead_one_is_followed(
    birds: Library, target: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with claim.claimed(target), pytest.raises(LibraryBusyError, match="is publishing to"):
        put(birds, target)
    put(birds, target)
    assert "publishing.lock" not in target.files("")
    lock = {"host": "elsewhere", "pid": 1, "user": "anna", "mark": "x"}
    target.write("publishing.lock", json.dumps(lock).encode())
    with pytest.raises(LibraryBusyError, match="anna on elsewhere is publishing to"):
        put(birds, target)
    path = target.folder / "publishing.lock"
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 1000))
    assert not put(birds, target).is_new
    # The store's clock was years ahead when it was renewed.
    target.write("publishing.lock", json.dumps(lock).encode())
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime + 100_000_000))
    assert not put(birds, target).is_new
    target.write("publishing.lock", b"half a")
    assert not put(birds, target).is_new


def test_a_publisher_whose_claim_was_lost_publishes_nothing(
    birds: Library, target: FolderStore
) -> None:
    class Overtaken(FolderStore):
        def write(self, name: str, data: bytes) -> None:
            super().write(name, data)
            if name.startswith("snapshots/"):
                super().write("publishing.lock", b'{"mark": "another"}')

    with pytest.raises(LibraryBusyError, match="Another Winnow process has started publishing"):
        put(birds, Overtaken(target.folder))
    assert "publishing.lock" in target.files("")
    with pytest.raises(NotStoredError):
        newest(target)


def test_every_flipped_or_missing_byte_is_reported(
    birds: Library, target: FolderStore, tmp_path: Path
) -> None:
    report = put(birds, target)
    names = ["current.json", *target.files("snapshots"), *sorted(target.files("data"))[::7]]
    for number, name in enumerate(names):
        path = target.folder / name
        data = path.read_bytes()
        fresh = SnapshotCache(tmp_path / f"fresh{number}", 1 << 30)
        for damage in (bytes([data[0] ^ 1]) + data[1:], data[: len(data) // 2]):
            path.write_bytes(damage)
            source = PublishedSource("Birds", target.address, fresh)
            with pytest.raises(LibraryDamagedError, match="Publish it again"):
                source.refresh()
            source.close()
        path.write_bytes(data)
    (target.folder / min(target.files("data"))).unlink()
    source = PublishedSource("Birds", target.address, SnapshotCache(tmp_path / "x", 1 << 30))
    with pytest.raises(SourceUnavailableError, match="winnow publish --check"):
        source.refresh()
    source.close()
    assert report.snapshot.documents == len(BIRDS)


def test_a_damaged_copy_is_repaired_when_it_is_checked(
    birds: Library, target: FolderStore, cache: SnapshotCache
) -> None:
    put(birds, target)
    name = min(target.files("data"))
    path = target.folder / name
    data = path.read_bytes()
    path.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    assert put(birds, target).written == 0
    report = put(birds, target, checks=True)
    assert (report.is_new, report.written) == (False, 1)
    assert path.read_bytes() == data
    path.unlink()
    assert put(birds, target).written == 1
    opened(target, cache).close()


def test_a_library_published_by_a_newer_winnow_is_neither_read_nor_replaced(
    birds: Library, target: FolderStore, cache: SnapshotCache
) -> None:
    put(birds, target)
    fields = json.loads(target.read(CURRENT, 1 << 20))
    del fields["sum"]
    newer = packed(fields | {"format": 99})
    target.write(CURRENT, newer)
    with pytest.raises(LibraryTooNewError, match="published by a newer version of Winnow"):
        opened(target, cache)
    with pytest.raises(LibraryTooNewError, match="was published by a newer version"):
        put(birds, target)
    assert target.read(CURRENT, 1 << 20) == newer


@pytest.mark.parametrize("path", ["../evil", "index/../../evil", "/etc/passwd", "settings.json"])
def test_a_snapshot_names_no_file_outside_of_its_folder(
    birds: Library, target: FolderStore, cache: SnapshotCache, path: str
) -> None:
    import hashlib

    put(birds, target)
    _, snapshot = newest(target)
    name = f"snapshots/{snapshot.id}.json"
    fields = json.loads(target.read(name, 1 << 20))
    del fields["sum"]
    fields["files"][-1]["path"] = path
    target.write(name, packed(fields))
    manifest = json.loads(target.read(CURRENT, 1 << 20))
    del manifest["sum"]
    manifest["sha256"] = hashlib.sha256(target.read(name, 1 << 20)).hexdigest()
    target.write(CURRENT, packed(manifest))
    with pytest.raises(LibraryDamagedError):
        opened(target, cache)


def test_offline_the_fetched_copy_answers_with_a_notice(
    birds: Library, target: FolderStore, cache: SnapshotCache, tmp_path: Path
) -> None:
    put(birds, target)
    opened(target, cache).close()
    target.folder.rename(tmp_path / "unplugged")
    source = PublishedSource("Birds", target.address, cache)
    assert not source.refresh()
    results = search(source, "owl")
    assert results.hits[0].path.name == "owl.txt"
    assert "cannot be reached; searching the copy from 20" in results.notice
    assert source.state().is_offline
    assert "cannot be reached. Check the path" in source.state().problem
    (tmp_path / "unplugged").rename(target.folder)
    assert not source.refresh()
    assert not source.state().is_offline
    assert search(source, "owl").notice == ""
    source.forget()
    nothing = PublishedSource("Birds", str(tmp_path / "nowhere"), cache)
    with pytest.raises(SourceUnavailableError, match="not been downloaded yet"):
        search(nothing, "owl")
    with pytest.raises(SourceUnavailableError, match="cannot be reached"):
        nothing.refresh()
    with pytest.raises(SourceUnavailableError, match="cannot be reached"):
        search(nothing, "owl")


def test_an_empty_folder_is_no_published_library(tmp_path: Path, cache: SnapshotCache) -> None:
    with pytest.raises(SourceUnavailableError, match="No library is published at"):
        opened(FolderStore(tmp_path), cache)


def test_fetching_goes_on_where_it_was_cut_off(
    birds: Library, target: FolderStore, cache: SnapshotCache
) -> None:
    put(birds, target)
    read: list[str] = []

    class Counting(FolderStore):
        def read(self, name: str, most_bytes: int, job: Job | None = None) -> bytes:
            if name.startswith("data/"):
                read.append(name)
                if len(read) == 6:
                    job.cancel()
            return super().read(name, most_bytes, job)

    job = Job()
    source = PublishedSource("Birds", target.address, cache)
    source._store = Counting(target.folder)
    with pytest.raises(Cancelled):
        source.refresh(job)
    source.refresh(Job())
    # No part of the piece under download at the cancellation was lost either.
    assert len(read) == len(set(read))
    assert answer(source)
    source.close()


def test_while_the_index_is_on_its_way_words_answer(
    birds: Library, target: FolderStore, cache: SnapshotCache
) -> None:
    put(birds, target)
    answers = []

    class Looking(FolderStore):
        def read(self, name: str, most_bytes: int, job: Job | None = None) -> bytes:
            if source._opened.current is not None and name.startswith("data/"):
                answers.append(search(source, "owl"))
            return super().read(name, most_bytes, job)

    source = PublishedSource("Birds", target.address, cache)
    source._store = Looking(target.folder)
    source.refresh()
    assert answers
    assert answers[0].hits[0].path.name == "owl.txt"
    assert "Still downloading" in answers[0].notice
    assert search(source, "owl").notice == ""
    source.close()


def test_the_cache_is_bounded_and_keeps_what_is_in_use(
    growing: Library, folder: Path, target: FolderStore, tmp_path: Path
) -> None:
    size = put(growing, target).size_bytes
    small = SnapshotCache(tmp_path / "small", size * 3 // 2)
    source = PublishedSource("Birds", target.address, small)
    source.refresh()
    first = source._opened.current.mark.folder  # type: ignore[union-attr]
    for number in range(3):
        write_files(folder, {f"{number}.txt": f"Number {number} is a number like no other one."})
        growing.sync()
        put(growing, target)
        source.refresh()
    small.trim()
    folders = list((tmp_path / "small").glob("*/*"))
    assert first not in folders
    assert source._opened.current.mark.folder in folders  # type: ignore[union-attr]
    assert search(source, "number", mode="words").hits
    source.close()
    tiny = PublishedSource("Birds", target.address, SnapshotCache(tmp_path / "tiny", 1000))
    with pytest.raises(LibraryError, match="Raise libraries_cache_mb"):
        tiny.refresh()


def test_a_new_snapshot_takes_what_it_can_from_the_old_one(
    growing: Library, folder: Path, target: FolderStore, cache: SnapshotCache
) -> None:
    put(growing, target)
    source = opened(target, cache)
    write_files(folder, {"wren.txt": "The wren builds several nests and lines but one."})
    growing.sync()
    report = put(growing, target)
    read: list[str] = []

    class Counting(FolderStore):
        def read(self, name: str, most_bytes: int, job: Job | None = None) -> bytes:
            read.extend([name] * name.startswith("data/"))
            return super().read(name, most_bytes, job)

    source._store = Counting(target.folder)
    assert source.refresh()
    assert len(set(read)) == len(read) == report.written
    source.close()


def test_a_fetched_catalog_is_opened_without_files_next_to_it(
    birds: Library, target: FolderStore, cache: SnapshotCache
) -> None:
    put(birds, target)
    source = opened(target, cache)
    assert search(source, "owl").hits
    folder = source._opened.current.mark.folder  # type: ignore[union-attr]
    assert not list(folder.glob("catalog.sqlite-*"))
    source.close()


def test_neither_passwords_nor_the_library_itself_are_targets(
    growing: Library, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="Do not put a password") as manifest:
        growing.publish("s3://user:hush@bucket/x")
    assert "hush" not in str(manifest.value)
    for place in (growing.home, growing.home.parent):
        with pytest.raises(UsageError, match="contains the library itself"):
            growing.publish(str(place))
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(StoreError, match="cannot be written"):
        growing.publish(str(file / "below"))


def test_a_model_in_a_folder_leaves_no_path(
    birds: Library, target: FolderStore, cache: SnapshotCache
) -> None:
    put(birds, target)
    source = opened(target, cache)
    with sqlite3.connect(source._opened.current.mark.folder / "catalog.sqlite") as db:  # type: ignore[union-attr]
        rows = db.execute("SELECT source FROM generations").fetchall()
    db.close()
    assert rows
    assert not any("/" in row[0] for row in rows)
    source.close()


def test_the_model_that_ones_own_library_has_loaded_is_used_for_both(
    birds: Library, target: FolderStore, cache: SnapshotCache, open_library: Make
) -> None:
    put(birds, target)
    own = open_library()
    source = opened(target, cache, own)
    library = source._opened.current.library  # type: ignore[union-attr]
    assert library._generations.answering().loaded_encoder is None
    own.warm_up()
    encoder = own._generations.answering().loaded_encoder
    assert encoder is not None
    assert search(source, "owl").hits
    assert library._generations.answering().loaded_encoder is encoder
    source.close()


def test_files_are_dated_by_the_stores_own_clock(target: FolderStore) -> None:
    target.write("a/b", b"c")
    files: Mapping[str, StoredFile] = target.files("a")
    assert files["a/b"].size_bytes == 1
    assert abs(target.now_s() - files["a/b"].changed_s) < 60
    target.remove("a/b")
    target.remove("a/b")
    assert not target.files("a")
    assert not target.files("nowhere")
