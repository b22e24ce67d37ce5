"""A replica in this process: snapshots fetched, kept, closed and read."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core.cluster.serve_deployment import LibraryReplica, read_current
from core.errors import LibraryError
from core.library.library import Library
from core.progress import Job
from core.publishing.store import FolderStore
from core.requests import GetDocument, Search
from core.responses import Mode, SearchResults

BY_WORDS = Search("owl", mode=Mode.WORDS)


@pytest.fixture
def store(birds: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FolderStore:
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(Library, "warm_up", lambda _self: None)
    birds.publish(str(tmp_path / "share"))
    return FolderStore(tmp_path / "share")


@pytest.fixture
def publish(birds: Library, store: FolderStore) -> Callable[[str], str]:
    """Publish the library under another name, which makes a snapshot; return its id."""

    def go(name: str) -> str:
        birds.publish(store.address, name)
        return read_current(store)

    return go


def test_it_answers_as_the_library_does(birds: Library, store: FolderStore) -> None:
    async def use() -> object:
        replica = LibraryReplica(store.address, "")
        await replica.reconfigure({})
        await replica.check_health()
        return await replica.answer(read_current(store), BY_WORDS)

    found = asyncio.run(use())
    assert isinstance(found, SearchResults)
    right = birds.answer(BY_WORDS)
    assert [(hit.path, hit.score) for hit in found.hits] == [
        (hit.path, hit.score) for hit in right.hits
    ]


def test_names_in_its_responses_are_sanitised(birds: Library, store: FolderStore) -> None:
    # The library is shared by tests, so its titles are restored.
    with birds._catalog.transaction() as db:
        db.execute("UPDATE documents SET title = char(27) || '[2J' || title")
    birds.publish(store.address)
    with birds._catalog.transaction() as db:
        db.execute("UPDATE documents SET title = substr(title, 5)")

    async def use() -> object:
        return await LibraryReplica(store.address, "").answer(read_current(store), BY_WORDS)

    response = asyncio.run(use())
    assert isinstance(response, SearchResults)
    assert response.hits
    assert not any("\x1b" in hit.title for hit in response.hits)


def test_errors_are_returned_and_a_failed_snapshot_is_tried_again(
    store: FolderStore, publish: Callable[[str], str], tmp_path: Path
) -> None:
    chunks = store.folder / "data"

    async def use() -> list[object]:
        replica = LibraryReplica(store.address, "")
        snapshot = read_current(store)
        chunks.rename(tmp_path / "away")
        await replica.reconfigure({})
        results = [await replica.open(snapshot), await replica.answer(snapshot, BY_WORDS)]
        (tmp_path / "away").rename(chunks)
        results += [
            await replica.open(snapshot),
            await replica.answer(snapshot, GetDocument(10**6)),
        ]
        return [*results, await replica.open("00000009-0123456789ab")]

    first, second, name, removed, unknown = asyncio.run(use())
    assert isinstance(first, LibraryError)
    assert isinstance(second, LibraryError)
    assert isinstance(name, str)
    assert "no longer in the library" in str(removed)
    assert str(unknown).startswith("Snapshot 00000009-0123456789ab of the library ")


def test_the_current_and_the_previous_snapshot_stay_open(
    store: FolderStore, publish: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Path] = []
    close = Library.close

    def note(self: Library) -> None:
        closed.append(self.home)
        close(self)

    async def use() -> None:
        replica = LibraryReplica(store.address, "")
        ids = [read_current(store), publish("B"), publish("C")]
        monkeypatch.setattr(Library, "close", note)
        for snapshot in ids[:2]:
            await replica.open(snapshot)
            assert isinstance(await replica.answer(ids[0], BY_WORDS), SearchResults)
        # The one before was used last: the other one gives way.
        await replica.open(ids[2])
        while replica._closing:
            await asyncio.gather(*replica._closing)
        assert [folder.name for folder in closed] == [ids[1]]
        for snapshot in (ids[0], ids[2]):
            assert isinstance(await replica.answer(snapshot, BY_WORDS), SearchResults)
        await replica.check_health()

    asyncio.run(use())


def test_a_snapshot_is_closed_after_its_last_request(
    store: FolderStore, publish: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go_on = threading.Event(), threading.Event()
    answer = Library.answer

    def wait(self: Library, request: Search, job: Job | None = None) -> SearchResults:
        started.set()
        assert go_on.wait(60)
        return answer(self, request, job)

    async def use() -> object:
        replica = LibraryReplica(store.address, "")
        snapshot, *newer = read_current(store), publish("B"), publish("C")
        await replica.open(snapshot)
        monkeypatch.setattr(Library, "answer", wait)
        call = asyncio.create_task(replica.answer(snapshot, BY_WORDS))
        await asyncio.to_thread(started.wait)
        for one in newer:
            await replica.open(one)
        go_on.set()
        return await call

    assert isinstance(asyncio.run(use()), SearchResults)


def test_a_cancelled_call_cancels_the_work(
    store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, ended = threading.Event(), threading.Event()
    jobs: list[Job] = []

    def work(_self: Library, _request: Search, job: Job) -> None:
        jobs.append(job)
        with job.on_cancel(ended.set):
            started.set()
            assert ended.wait(60)
        job.checkpoint()

    async def use() -> None:
        replica = LibraryReplica(store.address, "")
        snapshot = read_current(store)
        await replica.open(snapshot)
        monkeypatch.setattr(Library, "answer", work)
        call = asyncio.create_task(replica.answer(snapshot, BY_WORDS))
        await asyncio.to_thread(started.wait)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(use())
    assert jobs[0].is_cancelled


def test_a_replica_that_restarts_needs_no_store(store: FolderStore, tmp_path: Path) -> None:
    async def use() -> object:
        snapshot = read_current(store)
        await LibraryReplica(store.address, "").open(snapshot)
        store.folder.rename(tmp_path / "away")
        return await LibraryReplica(store.address, "").answer(snapshot, BY_WORDS)

    assert isinstance(asyncio.run(use()), SearchResults)


def test_a_library_that_cannot_be_read_any_more_is_unhealthy(
    store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: Library) -> None:
        raise LibraryError("It is gone.")

    async def use() -> None:
        replica = LibraryReplica(store.address, "")
        await replica.open(read_current(store))
        monkeypatch.setattr(Library, "check_newer", refuse)
        with pytest.raises(LibraryError):
            await replica.check_health()

    asyncio.run(use())


def test_a_place_without_a_library_is_named(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=r"^No library is published at .*\. Publish one with"):
        read_current(FolderStore(tmp_path))
