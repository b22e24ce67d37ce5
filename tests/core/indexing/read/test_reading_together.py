"""Many small new files are read together, the small and recent ones first, the time foretold."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.documents.document import Document
from core.documents.reader import Reader
from core.documents.sandbox import protocol
from core.indexing.build.estimates import TimeLeft
from core.library.library import Library
from core.progress import Job
from tests.core.indexing.conftest import assert_sound, contents, found, on_disk, put, touch

WasRead = Callable[[], list[str]]


def test_many_small_files_are_read_together_and_as_if_alone(
    library: Library, folder: Path, was_read: WasRead
) -> None:
    for number in range(100):
        put(folder / f"{number:03}.txt", f"Bird number {number} sings.")
    (folder / "bad.txt").write_bytes(b"\x00\x01\x02" * 500)
    touch(folder / "bad.txt")
    put(folder / "page.html", "<p>Crows.")
    put(folder / "empty.txt", "")
    library.add_folder(folder)
    report = library.sync()
    assert report.read == 103
    assert [failure.path.name for failure in report.failed] == ["bad.txt"]
    # Larger and unreadable files are requested separately.
    assert (
        {"bad.txt", "page.html"}
        <= set(was_read())
        < {"bad.txt", "page.html"} | {path.name for path in folder.iterdir()}
    )
    texts = contents(library)
    assert {path: text for path, text in on_disk(folder).items() if "bad" not in path}.items() <= (
        texts.items()
    )
    assert_sound(library)


def test_a_reader_that_dies_over_many_files_reads_each_by_itself(
    library: Library, folder: Path, was_read: WasRead, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        put(folder / f"{number:03}.txt", f"Bird number {number} sings.")

    def refuse(*_arguments: object) -> None:
        raise protocol.ProtocolError("no answers")

    monkeypatch.setattr(protocol, "answers", refuse)
    library.add_folder(folder)
    assert library.sync().documents == 20
    assert len(was_read()) == 20


def test_each_request_has_one_answer() -> None:
    assert protocol.answers({"answers": [{}, {}]}, "ab") == [("a", {}), ("b", {})]
    for fields in ({}, {"answers": [{}]}, {"answers": [{}, 1]}):
        with pytest.raises(protocol.ProtocolError):
            protocol.answers(fields, "ab")


def test_a_file_that_changes_after_it_was_read_ahead_is_read_again(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        put(folder / f"{number:03}.txt", f"Bird number {number} sings.")
    read_together = Reader.read_together

    def read_and_change(self: Reader, paths: list[Path], job: Job):
        read = read_together(self, paths, job)
        put(folder / "003.txt", "Owls hunt.")
        (folder / "004.txt").unlink()
        return read

    with monkeypatch.context() as patch:
        patch.setattr(Reader, "read_together", read_and_change)
        library.add_folder(folder)
        assert library.sync().failed == ()
    library.sync()
    assert contents(library) == on_disk(folder)
    assert found(library, "owls") == ["003.txt"]
    assert_sound(library)


def test_small_files_come_first_and_of_these_the_newest(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    read = Reader.read

    def read_noted(self: Reader, path: Path, **options: Any) -> Document:
        order.append(path.name)
        return read(self, path, **options)

    monkeypatch.setattr(Reader, "read", read_noted)
    put(folder / "old.txt", "Crows.")
    put(folder / "new.txt", "Owls.")
    put(folder / "large.txt", "Rooks." + " " * 1_500_000)
    library.add_folder(folder)
    library.sync()
    assert order == ["new.txt", "old.txt", "large.txt"]


@pytest.mark.parametrize("seed", range(5))
def test_the_time_left_is_within_a_fifth_once_a_tenth_has_passed(seed: int) -> None:
    chance = random.Random(seed)
    costs = {"pdf": (0.05, 4e-7), "text": (0.001, 5e-8), "word": (0.02, 2e-6)}
    waiting = [
        (kind, round(chance.lognormvariate(10, 1.5)))
        for kind in chance.choices(list(costs), weights=[3, 10, 2], k=4000)
    ]
    waiting.sort(key=lambda one: one[1] > 1_000_000)
    times = [
        (costs[kind][0] + costs[kind][1] * size) * chance.uniform(0.7, 1.3)
        for kind, size in waiting
    ]
    left = TimeLeft(waiting)
    assert left.seconds() is None
    spent, total = 0.0, sum(times)
    for (kind, size), seconds in zip(waiting, times, strict=True):
        left.spend(kind, size, seconds)
        spent += seconds
        if 0.1 * total < spent < 0.7 * total:
            estimate = left.seconds()
            assert estimate is not None
            assert abs(estimate - (total - spent)) < 0.2 * (total - spent) + 1


def test_the_time_of_pictures_is_not_taken_to_grow_with_their_bytes() -> None:
    """Text recognition takes about the same time for each; only small ones were read so far."""
    sizes = [20_000] * 3 + [4_000_000] * 30
    left = TimeLeft(("image", size) for size in sizes)
    for size in sizes[:3]:
        left.spend("image", size, 5.0)
    estimate = left.seconds()
    assert estimate is not None
    assert 150.0 <= estimate < 10 * 150.0, "in proportion to the bytes it would be 200 times"
    for size in sizes[3:8]:
        left.spend("image", size, 5.0)
    estimate = left.seconds()
    assert estimate is not None
    assert 125.0 / 1.5 < estimate < 125.0 * 1.5
