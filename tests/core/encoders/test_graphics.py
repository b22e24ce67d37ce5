"""A graphics processor: used where it is faster, and no night is lost where it fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encoders import graphics, runtimes
from core.encoders.encoder import Encoder
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.graphics import GraphicsRuntime, is_faster
from core.files import paths
from core.library.library import Library
from tests.conftest import BIRDS, Run, write_files

IDS = np.arange(12).reshape(4, 3)
MASK = np.ones_like(IDS)


class Card:
    """A runtime that applies a test's function to a batch, or returns its numbers unchanged."""

    def __init__(self, name: str, does: Callable[[Any], object] = lambda _: None) -> None:
        self.name = name
        self.does = does
        self.batches: list[int] = []

    def project(self, ids: Any, _mask: Any) -> Any:
        self.batches.append(len(ids))
        self.does(ids)
        return ids.astype(np.float32)[:, :, None]


@pytest.fixture(autouse=True)
def no_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphics, "_failed", {})


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fail(*_: object) -> None:
    raise RuntimeError("CUDA error: unspecified launch failure\nCUDA kernel errors might be ...")


def test_the_processor_goes_on_where_a_card_fails() -> None:
    card, processor = Card("card", fail), Card("processor")
    runtime = GraphicsRuntime(card, "cuda", lambda: processor)
    for _ in range(2):
        np.testing.assert_array_equal(runtime.project(IDS, MASK)[:, :, 0], IDS)
    assert (card.batches, processor.batches) == ([4], [4, 4])
    assert runtime.name == "processor"
    (message,) = graphics.failures()
    assert message == (
        "The GPU failed (CUDA error: unspecified launch failure); continuing on the CPU until "
        "Winnow restarts."
    )
    assert graphics.has_failed("cuda")


def test_many_threads_fall_back_once() -> None:
    opened: list[Card] = []
    gate = threading.Barrier(8)

    def wait_and_fail(_: object) -> None:
        gate.wait(30)
        fail()

    def processor() -> Card:
        opened.append(Card("processor"))
        return opened[-1]

    runtime = GraphicsRuntime(Card("card", wait_and_fail), "cuda", processor)
    received: list[Any] = []
    threads = [
        threading.Thread(target=lambda: received.append(runtime.project(IDS, MASK)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(opened), len(received), len(graphics.failures())) == (1, 8, 1)


@pytest.mark.parametrize("room", [1, 2, 3])
def test_a_batch_that_does_not_fit_is_split_in_halves(room: int) -> None:
    def lacks_room(ids: Any) -> None:
        if len(ids) > room:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB.")

    card = Card("card", lacks_room)
    runtime = GraphicsRuntime(card, "cuda", lambda: Card("processor"))
    np.testing.assert_array_equal(runtime.project(IDS, MASK)[:, :, 0], IDS)
    assert runtime.name == "card"
    assert graphics.failures() == ()


def test_without_room_for_a_single_text_the_processor_goes_on() -> None:
    def has_no_room(_: object) -> None:
        raise RuntimeError("out of memory")

    runtime = GraphicsRuntime(Card("card", has_no_room), "cuda", lambda: Card("processor"))
    np.testing.assert_array_equal(runtime.project(IDS, MASK)[:, :, 0], IDS)
    assert runtime.name == "processor"


def slow(_: object) -> None:
    # One of two runtimes must be slower by more than a busy machine explains.
    threading.Event().wait(0.05)


def test_the_faster_is_found_once_and_remembered(cache: Path) -> None:
    assert is_faster(Card("quick"), Card("slow", slow))
    assert not is_faster(Card("slow", slow), Card("quick"))
    never = Card("quick"), Card("slow")
    assert is_faster(*never)
    assert never[0].batches == never[1].batches == []
    assert json.loads((cache / "graphics.json").read_text()) == {
        "quick | slow": True,
        "slow | quick": False,
    }


@pytest.mark.parametrize("content", ["", "{", "[]", '{"quick | slow": "no"}'])
def test_a_damaged_stored_measurement_is_measured_again(cache: Path, content: str) -> None:
    cache.mkdir()
    (cache / "graphics.json").write_text(content)
    assert is_faster(Card("quick"), Card("slow", slow))


def test_a_card_that_cannot_run_the_model_is_not_faster(cache: Path) -> None:
    assert not is_faster(Card("broken", fail), Card("slow", slow))
    assert not cache.exists()


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Simulate a graphics processor by running torch on the processor; return the requests."""
    from core.encoders import torch_runtime

    requested: list[str] = []
    original = torch_runtime.TorchRuntime

    def open_as_if(checkpoint: Any, address: str) -> Any:
        requested.append(address)
        return original(checkpoint, "cpu")

    monkeypatch.setattr(torch_runtime, "TorchRuntime", open_as_if)
    monkeypatch.setattr(runtimes, "has_graphics", lambda: True)
    monkeypatch.setattr(runtimes, "best_of_torch", lambda: "cuda")
    return requested


@pytest.mark.parametrize(("is_it", "name"), [(True, "torch"), (False, "OpenVINO")])
def test_the_faster_runtime_is_selected_by_default(
    pretended: list[str], monkeypatch: pytest.MonkeyPatch, is_it: bool, name: str
) -> None:
    monkeypatch.setattr(graphics, "is_faster", lambda *_: is_it)
    assert runtimes.open_runtime(load_checkpoint()).name.startswith(name)
    assert pretended == ["cuda"]


def test_one_that_failed_is_not_tried_again(
    pretended: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphics, "_failed", {"cuda": "It failed."})
    for device in ("", "torch:cuda"):
        assert runtimes.open_runtime(load_checkpoint(), 0, device).name.startswith("OpenVINO")
    assert pretended == []


def test_one_that_cannot_be_opened_leaves_it_to_the_processor(
    pretended: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.encoders import torch_runtime
    from core.errors import ModelError

    def refuse(*_: object) -> None:
        raise ModelError("Torch cannot run the model on cuda: no driver. Choose another device.")

    monkeypatch.setattr(torch_runtime, "TorchRuntime", refuse)
    assert runtimes.open_runtime(load_checkpoint()).name.startswith("OpenVINO")
    with pytest.raises(ModelError, match="Choose another device"):
        runtimes.open_runtime(load_checkpoint(), 0, "torch:cuda")


def test_a_sync_whose_card_fails_finishes_and_reports_it(
    folder: Path, run: Run, encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(folder, BIRDS)
    calls: list[int] = []

    def fail_later(ids: Any) -> None:
        calls.append(len(ids))
        fail()

    monkeypatch.setattr(
        "core.index.generation.open_runtime",
        lambda *_args, **_options: GraphicsRuntime(
            Card("card", fail_later), "cuda", lambda: encoder.runtime
        ),
    )
    status, out, errors = run("index", folder)
    assert status == 0
    assert "8 documents" in out
    assert errors.startswith("winnow: The GPU failed (CUDA error: ")
    assert calls
    with Library.open() as library:
        assert library.status().waiting == 0
        assert library.search("where do birds sleep", is_refined=False).hits


def test_torch_among_the_add_ons_is_found(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_ADD_ONS", str(tmp_path / "add-ons"))
    described = tmp_path / "add-ons" / "torch-9.9.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 9.9\n")
    before = [place for place in sys.path if "site-packages" not in place]
    monkeypatch.setattr(sys, "path", before)
    monkeypatch.setattr(sys, "platform", "linux")
    exists = Path.exists
    driver = Path("/proc/driver/nvidia/version")
    monkeypatch.setattr(Path, "exists", lambda path: path == driver or exists(path))
    assert runtimes._may_have_graphics()
    assert sys.path == before


def test_devices_are_listed_without_torch_in_the_same_process(tmp_path: Path) -> None:
    script = """
        import sys
        from core.encoders import runtimes
        if __name__ == "__main__":
            runtimes._may_have_graphics = lambda: True
            print([device.key for device in runtimes.devices()], "torch" in sys.modules)
    """
    path = tmp_path / "devices.py"
    path.write_text(textwrap.dedent(script), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(paths.RESOURCES.parent)}
    done = subprocess.run(
        [sys.executable, path], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("['openvino:CPU'"), done.stderr
    assert "'torch:cpu'" in done.stdout
    assert done.stdout.endswith("False\n")
