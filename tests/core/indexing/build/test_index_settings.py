"""Index settings apply at once, cost what was estimated, and can be undone."""

from __future__ import annotations

import errno
import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.encoders.folders.layouts import load_checkpoint
from core.errors import Cancelled, ModelError, UsageError
from core.index.codec import UNCOMPRESSED
from core.index.generation import IndexGeneration
from core.indexing import rebuild
from core.indexing.build import estimates
from core.indexing.build.generations import Generations
from core.indexing.build.index_sizes import sizes_of
from core.library.library import Library, LibraryOptions
from core.model_names import BUILT_IN
from core.progress import Job, Stage
from core.responses import Mode
from core.settings import IndexSize, Settings, chosen, save_settings
from core.throttle import BackgroundLoad
from tests.core.indexing.conftest import Opener, assert_sound, put, stop_after
from tests.core.tiny_models import save_tiny
from tests.waiting import patience

ROOT = Path(__file__).resolve().parents[4]
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


def test_another_size_holds_from_the_next_sync_on(birds_of: Library) -> None:
    before = birds_of.status()
    choosing = birds_of.choosing
    choosing.choose(index_size=IndexSize.SMALL)
    now = choosing.choices()
    assert now.is_changing
    assert now.answering is not None
    assert now.answering.size is IndexSize.FAST
    assert now.configured.size is IndexSize.SMALL
    assert birds_of.search("owls", mode=Mode.MEANING).hits
    birds_of.sync()
    after = birds_of.status()
    assert after.tokens_kept == before.tokens_kept
    assert before.index_bytes > 2 * after.index_bytes
    assert not choosing.choices().is_changing
    assert_sound(birds_of)


def free_space(monkeypatch: pytest.MonkeyPatch, free_bytes: int) -> None:
    usage = shutil.disk_usage("/")._replace(free=free_bytes)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)


def test_a_fast_index_that_would_fill_the_disk_is_replaced_by_a_small_one(
    birds_of: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    choosing = birds_of.choosing
    size = birds_of.status().index_bytes
    for free_bytes, expected in (
        (5 * size, IndexSize.SMALL),
        # Not back at once when a little space becomes free.
        (10 * size, IndexSize.SMALL),
        (30 * size, IndexSize.FAST),
        (10 * size, IndexSize.FAST),
    ):
        free_space(monkeypatch, free_bytes)
        birds_of.sync()
        now = choosing.choices()
        assert now.settings.index_size is IndexSize.FAST
        assert now.configured == now.answering
        assert now.configured.size is expected
        assert now.lacks_room == (expected is IndexSize.SMALL)
        assert birds_of.search("owls", mode=Mode.MEANING).hits
    assert_sound(birds_of)


def test_a_disk_of_unknown_size_has_room(
    birds_of: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_folder: Path) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(shutil, "disk_usage", refuse)
    birds_of.sync()
    assert birds_of.choosing.choices().configured.size is IndexSize.FAST


def test_the_size_is_chosen_by_the_documents_of_the_first_run(
    open_library: Callable[..., Library], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free_space(monkeypatch, 100_000)
    put(folder / "owl.txt", TEXT * 100)
    library = open_library()
    library.add_folder(folder)
    library.sync()
    now = library.choosing.choices()
    assert now.answering is not None
    assert now.answering.size is IndexSize.SMALL
    assert now.lacks_room
    assert not now.is_changing


def test_the_size_that_was_foretold_is_the_size_that_comes(birds_of: Library) -> None:
    choosing = birds_of.choosing
    for size in IndexSize:
        choosing.choose(index_size=size)
        now = choosing.choices()
        foretold = now.cost(now.configured)
        assert foretold is not None
        birds_of.sync()
        # A small library's files have a head of a few hundred bytes.
        expected = pytest.approx(foretold.index_bytes, rel=0.15, abs=800)
        assert birds_of.status().index_bytes == expected
        tokens = birds_of.status().tokens
        assert foretold.bytes_per_token == pytest.approx(foretold.index_bytes / tokens)


def test_a_change_can_be_undone_until_it_is_done(
    opened: Opener, models: Path, folder: Path
) -> None:
    for number in range(10):
        put(folder / f"{number}.txt", f"the crow hunts at night. {number} crows hide food.")
    library = opened(models / "first")
    library.add_folder(folder)
    library.sync()
    # As a window opens it: the earlier choice is remembered, and not requested again.
    library = opened()
    library.choosing.choose(model=str(models / "second"))
    with pytest.raises(Cancelled):
        library.sync(stop_after(4))
    assert library.status().coming_model == "second"
    library.choosing.take_back()
    encoded: list[Stage] = []
    library.sync(Job(lambda progress: encoded.append(progress.stage)))
    assert not {Stage.ENCODING, Stage.REPLACING} & {*encoded}
    assert (library.status().model, library.status().coming_model) == ("first", "")
    assert not library.choosing.choices().is_changing


def test_an_index_of_none_of_the_sizes_cannot_be_restored(
    open_library: Callable[..., Library], folder: Path
) -> None:
    put(folder / "owl.txt", TEXT)
    library = open_library(options=LibraryOptions(bits=4))
    library.add_folder(folder)
    library.sync()
    library = open_library()
    now = library.choosing.choices()
    assert now.answering is not None
    assert now.answering.size is None
    assert now.is_changing
    with pytest.raises(UsageError, match="not one of the choices"):
        library.choosing.take_back()


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


def test_missing_or_impossible_settings_are_refused_and_not_written(
    birds_of: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choosing = birds_of.choosing
    with pytest.raises(ModelError, match="no built-in model or folder"):
        choosing.choose(model=str(tmp_path / "nowhere"))
    with pytest.raises(ModelError, match=r"did not find GPU\.77"):
        choosing.choose(device="openvino:GPU.77")
    with pytest.raises(UsageError, match="Use openvino or torch"):
        choosing.choose(device="abacus")
    assert chosen(birds_of.home / "settings.json") == Settings()


def test_only_sizes_that_differ_with_a_model_are_offered(
    opened: Opener, home: Path, tmp_path: Path
) -> None:
    odd = save_tiny(tmp_path / "odd", 5, dimensions=20)
    home.mkdir(exist_ok=True)
    # Its vectors fill no whole bytes, and it keeps all of them anyway.
    settings = Settings(model=str(odd), index_size=IndexSize.FAST)
    save_settings(settings, home / "settings.json")
    library = Library.open(home)
    try:
        now = library.choosing.choices()
        assert [cost.size for cost in now.costs] == [IndexSize.SMALL]
        assert now.configured.size is IndexSize.SMALL
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
    """A lock at which one thread is held up until it is called."""

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


def _start_opening(generations: Generations, opened: list[IndexGeneration]) -> threading.Thread:
    """A thread that opens a generation while another one answers."""
    row = replace(generations.answering().row, epoch=7)
    return threading.Thread(target=lambda: opened.append(generations.open(row)))


def test_a_generation_about_to_be_opened_takes_the_device_that_is_chosen_meanwhile(
    birds_of: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[IndexGeneration] = []
    generations = birds_of._generations
    late = _Late(generations._guard)
    late.late = _start_opening(generations, opened)
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
    other = _start_opening(generations, opened)

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
    assert birds_of.choosing.encoding_s(index_size=IndexSize.EXACT) > 0
    cancelled = Job()
    cancelled.cancel()
    with pytest.raises(Cancelled):
        birds_of.choosing.encoding_s(cancelled)


def test_background_load_and_recognition_need_no_other_index(
    birds_of: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    birds_of.choosing.choose(background_load=BackgroundLoad.FULL, ocr=True)
    assert birds_of._reader.recognises
    birds_of.choosing.choose(ocr=False)
    assert not birds_of._reader.recognises
    assert not birds_of.choosing.choices().is_changing
    assert not rebuild.is_under_way(birds_of._catalog)


def test_an_empty_library_can_be_configured_as_well(library: Library) -> None:
    now = library.choosing.choices()
    assert now.answering is None
    assert not now.is_changing
    assert {cost.index_bytes for cost in now.costs} == {0}
    library.choosing.choose(index_size=IndexSize.EXACT)
    library.choosing.take_back()
    assert library.choosing.encoding_s() == 0.0


def test_the_stated_loss_equals_the_records() -> None:
    folder = ROOT / "docs" / "measurements"
    record = (folder / "refinement-store.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \w+ \| `(\S+)`, (\d+) \| ([\d.]+) \|$", record, re.MULTILINE)
    measured = {(reduction, int(bits)): float(points) for reduction, bits, points in rows}
    assert measured == estimates.POINTS
    # The figures without a store are those of another record.
    pruning = (folder / "pruning.md").read_text(encoding="utf-8")
    _, _, table = pruning.partition("| refined | 100 % | 40 % | 30 % | 20 % | 10 % |\n")
    refined = re.findall(r"^\| (?:1 bit|uncompressed) \|(.*)\|$", table, re.MULTILINE)[:2]
    uncompressed, one_bit = ([float(cell) for cell in cells.split("|")] for cells in refined)
    assert measured["all", UNCOMPRESSED] == uncompressed[0]
    assert measured["pruned-pooling:0.8:0.2", 1] == one_bit[3]
    sizes = sizes_of(load_checkpoint(BUILT_IN)).values()
    assert {(str(keeping), bits) for keeping, bits in sizes} == estimates.POINTS.keys()


def test_an_index_that_was_replaced_is_released(birds_of: Library) -> None:
    """Its model would take up memory as long as the library is open."""
    generations = birds_of._generations
    for size in (IndexSize.SMALL, IndexSize.FAST):
        birds_of.choosing.choose(index_size=size)
        birds_of.sync()
        assert len(generations.opened()) == 1
