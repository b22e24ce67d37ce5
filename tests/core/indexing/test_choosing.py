"""Settings of the index hold at once, cost what was said, and can be taken back."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import Cancelled, ModelError, UsageError
from core.index.codec import UNCOMPRESSED
from core.index.generation import IndexGeneration
from core.indexing import estimates, rebuild
from core.indexing.generations import Generations
from core.library.library import Library
from core.progress import Job, Stage
from core.responses import Mode
from core.settings import Settings, chosen, save_settings
from core.throttle import BackgroundLoad
from tests.core.tiny_models import save_tiny
from tests.waiting import patience

from .conftest import Opener, assert_sound, put, stop_after

ROOT = Path(__file__).resolve().parents[3]
TEXT = (
    "Swifts sleep in the air while they fly. Owls hunt mice at night and hear them in the grass. "
    "Crows hide food for the winter and remember thousands of places in which they hid it."
)


@pytest.fixture
def birds_of(open_library: Callable[..., Library], folder: Path) -> Library:
    """A library of twenty texts with Winnow's own model."""
    for number in range(20):
        put(folder / f"{number}.txt", f"{number}. {TEXT}")
    library = open_library()
    library.add_folder(folder)
    library.sync()
    return library


def test_another_share_and_bits_hold_from_the_next_sync_on(birds_of: Library) -> None:
    before = birds_of.status()
    choosing = birds_of.choosing
    choosing.choose(bits=2, share=0.4)
    now = choosing.choices()
    assert now.is_changing
    assert now.answering is not None
    assert (now.answering.bits, now.answering.share) == (1, 0.2)
    assert (now.asked.bits, now.asked.share) == (2, 0.4)
    assert birds_of.search("owls", mode=Mode.MEANING).hits
    birds_of.sync()
    after = birds_of.status()
    assert after.tokens_kept > 1.6 * before.tokens_kept
    assert after.index_bytes > 1.6 * before.index_bytes
    assert not choosing.choices().is_changing
    assert_sound(birds_of)


def test_the_size_that_was_foretold_is_the_size_that_comes(birds_of: Library) -> None:
    choosing = birds_of.choosing
    for share in (0.2, 1.0):
        choosing.choose(share=share, bits=4)
        now = choosing.choices()
        foretold = now.cost(now.asked)
        assert foretold is not None
        birds_of.sync()
        # A small library's files have a head of a few hundred bytes.
        assert birds_of.status().index_bytes == pytest.approx(foretold.index_bytes, rel=0.15)
        tokens = birds_of.status().tokens
        assert foretold.bytes_per_token == pytest.approx(foretold.index_bytes / tokens)


def test_until_it_is_done_it_can_be_taken_back(opened: Opener, models: Path, folder: Path) -> None:
    for number in range(10):
        put(folder / f"{number}.txt", f"the crow hunts at night. {number} crows hide food.")
    library = opened(models / "first")
    library.add_folder(folder)
    library.sync()
    # As a window opens it: what was asked for then is remembered, and not asked for again.
    library = opened()
    library.choosing.choose(model=str(models / "second"))
    with pytest.raises(Cancelled):
        library.sync(stop_after(4))
    assert library.status().coming_model == "second"
    library.choosing.take_back()
    encoded: list[Stage] = []
    library.sync(Job(lambda progress: encoded.append(progress.stage)))
    assert Stage.ENCODING not in encoded
    assert (library.status().model, library.status().coming_model) == ("first", "")
    assert not library.choosing.choices().is_changing


def test_another_model_answers_without_a_new_start(
    opened: Opener, models: Path, folder: Path
) -> None:
    put(folder / "crow.txt", "the crow hunts at night")
    library = opened(models / "first")
    library.add_folder(folder)
    library.sync()
    library = opened()
    library.choosing.choose(model=str(models / "second"))
    library.sync()
    assert library.status().model == "second"
    assert library.search("crow", mode=Mode.MEANING).notice == ""
    assert_sound(library)


def test_what_is_missing_or_impossible_is_refused_and_not_written(
    birds_of: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choosing = birds_of.choosing
    with pytest.raises(ModelError, match="There is no model"):
        choosing.choose(model=str(tmp_path / "nowhere"))
    odd = save_tiny(tmp_path / "odd", 5, dimensions=20)
    with pytest.raises(UsageError, match="cannot be kept in 2 bits, only in 32"):
        choosing.choose(model=str(odd), bits=2)
    with pytest.raises(ModelError, match=r"finds no GPU\.77"):
        choosing.choose(device="openvino:GPU.77")
    with pytest.raises(UsageError, match="must be openvino or torch"):
        choosing.choose(device="abacus")
    assert chosen(birds_of.home / "settings.json") == Settings()


def test_bits_that_a_model_cannot_have_are_not_offered(
    opened: Opener, home: Path, tmp_path: Path
) -> None:
    odd = save_tiny(tmp_path / "odd", 5, dimensions=20)
    home.mkdir(exist_ok=True)
    # As another model's settings were left behind.
    save_settings(Settings(model=str(odd), bits=2, share=0.4), home / "settings.json")
    library = Library.open(home)
    try:
        now = library.choosing.choices()
        assert {cost.bits for cost in now.costs} == {32}
        assert now.asked.bits == 32
    finally:
        library.close()


def test_the_model_runs_on_another_device_at_once(birds_of: Library) -> None:
    found = birds_of.choosing.devices()
    assert "openvino:CPU" in {device.key for device in found}
    birds_of.warm_up()
    before = birds_of.search("owls hunting", mode=Mode.MEANING).hits[0].score
    birds_of.choosing.choose(device="torch:cpu")
    after = birds_of.search("owls hunting", mode=Mode.MEANING).hits[0].score
    assert after == pytest.approx(before, abs=0.01)
    assert not birds_of.choosing.choices().is_changing


class _Late:
    """A lock at whose door one thread is held up until it is called."""

    def __init__(self, lock: Any) -> None:
        self._lock = lock
        self.is_there = threading.Event()
        self.is_called = threading.Event()
        self.late = threading.Thread()

    def __enter__(self) -> None:
        if threading.current_thread() is self.late:
            self.is_there.set()
            assert self.is_called.wait(patience())
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _beside(generations: Generations, opened: list[IndexGeneration]) -> threading.Thread:
    """A thread that opens a generation beside the one that answers."""
    row = replace(generations.answering().row, epoch=7)
    return threading.Thread(target=lambda: opened.append(generations.open(row)))


def test_a_generation_about_to_be_opened_takes_the_device_that_is_chosen_meanwhile(
    birds_of: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[IndexGeneration] = []
    generations = birds_of._generations
    late = _Late(generations._guard)
    late.late = _beside(generations, opened)
    monkeypatch.setattr(generations, "_guard", late)
    late.late.start()
    assert late.is_there.wait(patience())
    birds_of.choosing.choose(device="torch:cpu")
    late.is_called.set()
    late.late.join()
    assert [one.device for one in opened] == ["torch:cpu"]


def test_a_generation_opened_while_another_changes_its_device_changes_it_too(
    birds_of: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[IndexGeneration] = []
    generations, run_on = birds_of._generations, IndexGeneration.run_on
    other = _beside(generations, opened)

    def run_meanwhile(generation: IndexGeneration, device: str) -> None:
        if not opened:
            other.start()
            other.join()
        run_on(generation, device)

    monkeypatch.setattr(IndexGeneration, "run_on", run_meanwhile)
    birds_of.choosing.choose(device="torch:cpu")
    assert [one.device for one in opened] == ["torch:cpu"]
    assert generations.answering().device == "torch:cpu"


def test_how_long_it_takes_is_measured_on_its_own_passages(birds_of: Library) -> None:
    assert birds_of.choosing.encoding_s(bits=1) > 0
    cancelled = Job()
    cancelled.cancel()
    with pytest.raises(Cancelled):
        birds_of.choosing.encoding_s(cancelled)


def test_manners_and_recognition_need_no_other_index(
    birds_of: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    birds_of.choosing.choose(manners=BackgroundLoad.FULL, ocr=True)
    assert birds_of._reader.recognises
    birds_of.choosing.choose(ocr=False)
    assert not birds_of._reader.recognises
    assert not birds_of.choosing.choices().is_changing
    assert not rebuild.is_under_way(birds_of._catalog)


def test_an_empty_library_can_be_asked_as_well(library: Library) -> None:
    now = library.choosing.choices()
    assert now.answering is None
    assert not now.is_changing
    assert {cost.index_bytes for cost in now.costs} == {0}
    library.choosing.choose(bits=1)
    library.choosing.take_back()
    assert library.choosing.encoding_s() == 0.0


def test_what_is_lost_is_what_the_records_say() -> None:
    record = (ROOT / "docs" / "measurements" / "pruning.md").read_text(encoding="utf-8")
    _, _, table = record.partition("| refined | 100 % | 40 % | 30 % | 20 % | 10 % |\n")
    rows = re.findall(r"^\| (?:(\d) bits?|uncompressed) \|(.*)\|$", table, re.MULTILINE)
    told = {
        int(bits or UNCOMPRESSED): [float(cell.strip(" *")) for cell in cells.split("|")]
        for bits, cells in rows
    }
    assert told == {
        bits: [points[share] for share in estimates.SHARES]
        for bits, points in estimates.POINTS.items()
    }
