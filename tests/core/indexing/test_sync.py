"""A sync brings the library to the state of the folder, and does no extra work."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.documents.reader import Reader
from core.encoders.encoder import Encoder
from core.errors import Cancelled
from core.index.segment_store import SegmentStore
from core.indexing.read import executor, file_reading
from core.indexing.read.executor import TextBatch
from core.indexing.scan import reconcile
from core.library.library import Library
from core.progress import Job, Progress, Stage
from core.responses import Mode

from .conftest import assert_sound, contents, every, found, on_disk, passage_ids, put, touch

WasRead = Callable[[], list[str]]

STAGES = [Stage.SCANNING, Stage.READING, Stage.PREPARING, Stage.ENCODING]
"""Those of a sync."""


def test_new_changed_and_deleted_files(synced: Library, folder: Path, was_read: WasRead) -> None:
    put(folder / "rook.txt", "The rook breeds in colonies.")
    put(folder / "owl.txt", "The owl turns its head.")
    (folder / "crow.txt").unlink()
    report = synced.sync()
    assert was_read() == ["owl.txt", "rook.txt"]
    assert (report.documents, report.read, report.removed) == (3, 2, 1)
    assert contents(synced) == on_disk(folder)
    assert found(synced, "mice") == found(synced, "crow") == []
    assert found(synced, "head") == ["owl.txt"]
    assert_sound(synced)


def test_unchanged_passages_of_a_changed_file_retain_their_vectors(
    synced: Library, folder: Path
) -> None:
    parts = [f"# Bird {number}\n\n" + f"Bird {number} has its nest.\n" * 20 for number in range(9)]
    birds = folder / "birds.md"
    put(birds, "\n".join(parts))
    synced.sync()
    before = passage_ids(synced, birds)
    parts[2] = "# The rook\n\nIt breeds in colonies.\n"
    put(birds, "\n".join([parts[0], parts[8], *parts[1:8]]))
    encoded: list[int] = []

    def note(progress: Progress) -> None:
        if progress.stage is Stage.ENCODING:
            encoded.append(progress.total)

    synced.sync(Job(note))
    after = passage_ids(synced, birds)
    assert len(set(after) - set(before)) < len(before) // 2
    assert max(encoded) == len(set(after) - set(before))
    assert found(synced, "colonies") == ["birds.md"]
    assert_sound(synced)
    assert not synced.check().problems


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Return the texts that were encoded since the last call."""
    texts: list[str] = []
    encode = executor.encode_batch

    def encode_noted(encoder: Encoder, batch: TextBatch, *rest: Any) -> Any:
        texts.extend(text for _, text in batch.texts)
        return encode(encoder, batch, *rest)

    def since() -> list[str]:
        noted = sorted(texts)
        texts.clear()
        return noted

    monkeypatch.setattr(executor, "encode_batch", encode_noted)
    return since


def test_equal_texts_are_encoded_once(
    synced: Library, folder: Path, encoded: Callable[[], list[str]]
) -> None:
    # Three of one name at once, one of them again under a new name, and one known before.
    for place in ("a", "b", "c"):
        put(folder / place / "rook.html", "<title>The rook</title><p>It breeds in colonies.")
    put(folder / "again.html", "<title>The rook</title><p>It breeds in colonies.")
    put(folder / "d" / "owl.txt", "The owl hunts mice.")
    synced.sync()
    assert encoded() == ["It breeds in colonies."]
    assert sorted(found(synced, "colonies")) == ["again.html", *["rook.html"] * 3]
    assert found(synced, "mice") == ["owl.txt"] * 2
    assert_sound(synced)
    assert vectors_of(synced, folder / "owl.txt") == vectors_of(synced, folder / "d" / "owl.txt")
    synced.rebuild()
    synced.sync()
    assert len(encoded()) == 4
    assert_sound(synced)
    assert vectors_of(synced, folder / "again.html") == vectors_of(synced, folder / "a/rook.html")
    # The text stays until the last of them is removed.
    for place in ("a", "b", "c"):
        (folder / place / "rook.html").unlink()
    synced.sync()
    assert found(synced, "colonies") == ["again.html"]
    assert_sound(synced)


def test_a_file_that_lost_the_vectors_of_its_twin_is_encoded(
    synced: Library,
    folder: Path,
    encoded: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(folder / "d" / "owl.txt", "The owl hunts mice.")
    monkeypatch.setattr(SegmentStore, "compressed", lambda _store, _numbers: [])
    synced.sync()
    assert encoded() == ["The owl hunts mice."]
    assert_sound(synced)


def vectors_of(library: Library, path: Path) -> list[list[float]]:
    (number,) = passage_ids(library, path)
    found = library._generations.answering().searcher.vectors([number])
    vectors: list[list[float]] = found[number].vectors.tolist()
    return vectors


def test_a_folder_in_which_nothing_changed_is_not_read(
    synced: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> str:
        raise AssertionError(f"{path} was opened")

    monkeypatch.setattr(reconcile, "content_hash", refuse)
    monkeypatch.setattr(file_reading, "content_hash", refuse)
    report = synced.sync()
    assert (report.documents, report.read, report.removed) == (3, 0, 0)


def test_a_touched_file_that_holds_what_it_held_is_not_read_again(
    synced: Library, folder: Path, was_read: WasRead
) -> None:
    before = passage_ids(synced, folder / "owl.txt")
    touch(folder / "owl.txt")
    synced.sync()
    assert was_read() == []
    assert passage_ids(synced, folder / "owl.txt") == before
    synced.sync()
    assert_sound(synced)


@pytest.mark.parametrize(
    ("old", "new"),
    [("owl.txt", "other/owl.txt"), ("sub/swift.txt", "deep/er/swift.txt"), ("a.html", "b.html")],
)
def test_a_moved_file_or_a_renamed_one_with_a_title_is_not_read_again(
    old: str, new: str, synced: Library, folder: Path, was_read: WasRead
) -> None:
    put(folder / "a.html", "<title>About rooks</title><p>Rooks breed in colonies.")
    synced.sync()
    was_read()
    before = passage_ids(synced, folder / old)
    (folder / new).parent.mkdir(parents=True, exist_ok=True)
    (folder / old).rename(folder / new)
    report = synced.sync()
    assert was_read() == []
    assert (report.documents, report.removed) == (4, 0)
    assert passage_ids(synced, folder / new) == before
    assert not passage_ids(synced, folder / old)
    assert_sound(synced)


def test_a_renamed_file_is_called_by_its_new_name(
    synced: Library, folder: Path, open_library: Callable[..., Library], tmp_path: Path
) -> None:
    """In every respect as if it had been read under that name."""
    (folder / "owl.txt").rename(folder / "night_hunter.txt")
    synced.sync()
    fresh = open_library(tmp_path / "fresh")
    fresh.add_folder(folder)
    fresh.sync()
    for query in ("hunter", "owl", "night"):
        for mode in (Mode.WORDS, Mode.MEANING):
            answers = [library.search(query, mode=mode) for library in (synced, fresh)]
            returned, expected = (
                [(hit.path, hit.title, round(hit.score, 3)) for hit in one.hits] for one in answers
            )
            assert sorted(returned) == sorted(expected), (query, mode)
    assert_sound(synced)


def test_a_file_moved_to_another_folder_takes_its_document_along(
    synced: Library, folder: Path, tmp_path: Path, was_read: WasRead
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    synced.add_folder(other)
    (folder / "owl.txt").rename(other / "owl.txt")
    synced.sync()
    assert was_read() == []
    assert {one.path.name: one.documents for one in synced.folders()} == {
        "documents": 2,
        "other": 1,
    }
    synced.remove_folder(folder)
    assert contents(synced) == on_disk(other)


def test_two_files_that_change_places(synced: Library, folder: Path) -> None:
    (folder / "owl.txt").rename(folder / "x.txt")
    (folder / "crow.txt").rename(folder / "owl.txt")
    (folder / "x.txt").rename(folder / "crow.txt")
    synced.sync()
    assert contents(synced) == on_disk(folder)
    assert_sound(synced)


def test_one_of_two_equal_files_is_deleted_and_the_other_moved(
    library: Library, folder: Path
) -> None:
    for name in ("a", "b", "c"):
        put(folder / f"{name}.txt", "All the same.")
    library.add_folder(folder)
    library.sync()
    (folder / "a.txt").unlink()
    (folder / "sub").mkdir()
    (folder / "b.txt").rename(folder / "sub" / "b.txt")
    report = library.sync()
    assert (report.documents, report.removed) == (2, 1)
    assert contents(library) == on_disk(folder)
    assert_sound(library)


def test_thousands_of_equal_files_that_get_other_names_are_each_read_once(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not each held against all others."""
    for number in range(60):
        put(folder / f"old {number}.txt", "All the same.")
    library.add_folder(folder)
    library.sync()
    titles: list[Path] = []
    title_of = reconcile.title_of

    def noted(path: Path) -> str:
        titles.append(path)
        return title_of(path)

    monkeypatch.setattr(reconcile, "title_of", noted)
    for number in range(60):
        (folder / f"old {number}.txt").rename(folder / f"new {number}.txt")
    report = library.sync()
    assert (report.documents, report.removed) == (60, 60)
    assert len(titles) == 120
    assert contents(library) == on_disk(folder)


def test_hashing_a_large_moved_file_stops_when_cancelled(
    synced: Library, folder: Path, monkeypatch: pytest.MonkeyPatch, was_read: WasRead
) -> None:
    put(folder / "long.txt", "The rook breeds in colonies.")
    synced.sync()
    was_read()
    before = contents(synced)
    (folder / "long.txt").rename(folder / "sub" / "long.txt")
    job = Job()
    open_plain = reconcile.open_plain

    def cancels(*arguments: Any) -> object:
        job.cancel()
        return open_plain(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(reconcile, "open_plain", cancels)
        with pytest.raises(Cancelled):
            synced.sync(job)
    assert contents(synced) == before
    synced.sync()
    assert was_read() == []
    assert contents(synced) == on_disk(folder)


@pytest.mark.parametrize("how", ["written", "replaced"])
def test_a_file_reported_by_the_system_is_read_even_with_unchanged_size_and_time(
    how: str, synced: Library, folder: Path, was_read: WasRead
) -> None:
    path = folder / "owl.txt"
    status = path.stat()
    new = path if how == "written" else folder / "new.part"
    new.write_text(path.read_text(encoding="utf-8").replace("mice", "bats"), encoding="utf-8")
    os.utime(new, ns=(status.st_mtime_ns, status.st_mtime_ns))
    new.replace(path)
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    synced.sync(changed=[path])
    assert was_read() == ["owl.txt"]
    assert contents(synced) == on_disk(folder)
    assert found(synced, "bats") == ["owl.txt"]
    synced.sync(changed=[path])
    assert was_read() == []


def test_a_file_that_changes_while_it_is_read_is_read_again(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder / "crow.txt", "Half of this")
    library.add_folder(folder)
    read = Reader.read

    def read_late(self: Reader, path: Path, **options: object):
        put(path, "The whole of that, and more.")
        return read(self, path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Reader, "read", read_late)
        assert library.sync().documents == 0
    assert library.sync().documents == 1
    assert contents(library) == on_disk(folder)


def test_cancelling_keeps_what_was_done_and_the_next_sync_completes(
    library: Library, folder: Path, was_read: WasRead
) -> None:
    for number in range(12):
        put(folder / f"{number:02}.txt", f"Bird number {number} sings.")
    library.add_folder(folder)

    def cancel(progress: Progress) -> None:
        if len(progress.what) and progress.stage is Stage.READING and progress.done == 1:
            job.cancel()

    job = every(cancel)
    with pytest.raises(Cancelled):
        library.sync(job)
    assert was_read() == ["11.txt"]  # the newest
    assert found(library, "bird") == ["11.txt"]
    assert library.status().waiting == 1
    report = library.sync()
    assert was_read() == [f"{number:02}.txt" for number in range(11)]
    assert report.documents == 12
    assert contents(library) == on_disk(folder)
    assert_sound(library)


@pytest.mark.parametrize("stage", STAGES)
def test_cancelling_in_any_stage_leaves_a_library_that_goes_on(
    stage: Stage, library: Library, folder: Path
) -> None:
    put(folder / "crow.txt", "The crow hides food.")
    library.add_folder(folder)
    job = Job(lambda progress: job.cancel() if progress.stage is stage else None)
    with pytest.raises(Cancelled):
        library.sync(job)
    library.sync()
    assert contents(library) == on_disk(folder)
    assert_sound(library)


@pytest.mark.parametrize("stage", STAGES)
def test_a_folder_that_is_removed_during_a_sync(
    stage: Stage, synced: Library, folder: Path
) -> None:
    put(folder / "rook.txt", "The rook breeds in colonies.")

    def remove(progress: Progress) -> None:
        if progress.stage is stage and synced.folders():
            synced.remove_folder(folder)

    synced.sync(Job(remove))
    synced.sync()
    status = synced.status()
    assert (status.documents, status.passages, status.index_bytes) == (0, 0, 0)
    assert not list((synced.home / "index").iterdir())
    assert found(synced, "rook") == []
