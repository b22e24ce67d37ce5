"""What a model can run on: the runtimes and devices that this machine has."""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.quiet_openvino import import_openvino

FASTEST: Final = ""
"""How it is written that the fastest device there is runs the model."""
OPENVINO: Final = "openvino"
TORCH: Final = "torch"
RUNTIMES: Final = (OPENVINO, TORCH)


@dataclass(frozen=True, slots=True)
class Device:
    """One thing that can run a model.

    Attributes:
        runtime: "openvino" or "torch".
        place: what the runtime calls the device: "CPU", "GPU.1", "cuda:0".
        name: as its maker calls it, "" where that is not told.
    """

    runtime: str
    place: str
    name: str = ""

    @property
    def key(self) -> str:
        """How settings name it.

        >>> Device("openvino", "CPU").key
        'openvino:CPU'
        """
        return f"{self.runtime}:{self.place}"


def parse(key: str) -> tuple[str, str]:
    """The runtime and the place that a key names; "" for a place that it leaves open.

    Raises:
        ValueError: it names no runtime.

    >>> parse("torch:cuda:0"), parse("openvino")
    (('torch', 'cuda:0'), ('openvino', ''))
    """
    runtime, _, place = key.partition(":")
    if runtime not in RUNTIMES:
        raise ValueError(f"{key!r} names no runtime")
    return runtime, place


def found() -> tuple[Device, ...]:
    """The devices of this machine; takes seconds where torch has to be asked."""
    openvino = import_openvino().Core()
    devices = [
        Device(OPENVINO, place, str(openvino.get_property(place, "FULL_DEVICE_NAME")).strip())
        for place in openvino.available_devices
    ]
    if importlib.util.find_spec("torch") is not None:
        devices.append(Device(TORCH, "cpu", devices[0].name if devices else ""))
        devices += _graphics()
    return tuple(devices)


def has_graphics() -> bool:
    """Whether torch has a graphics processor, by what can be told without importing it first."""
    return _may_have_graphics() and best_of_torch() != "cpu"


def best_of_torch() -> str:
    """The fastest device that torch has."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _graphics() -> list[Device]:
    if not _may_have_graphics():
        return []
    import torch

    if torch.cuda.is_available():
        count = torch.cuda.device_count()
        names = [str(torch.cuda.get_device_name(number)) for number in range(count)]
        if count == 1:
            return [Device(TORCH, "cuda", names[0])]
        return [Device(TORCH, f"cuda:{number}", name) for number, name in enumerate(names)]
    return [Device(TORCH, "mps", "Apple")] if torch.backends.mps.is_available() else []


def _may_have_graphics() -> bool:
    """Whether torch should be asked at all; importing it takes seconds."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        build = version("torch")
    except PackageNotFoundError:
        return False
    if sys.platform == "darwin":
        return os.uname().machine == "arm64"
    has_driver = Path("/proc/driver/nvidia/version").exists() or (
        sys.platform == "win32" and Path(r"C:\Windows\System32\nvcuda.dll").exists()
    )
    return has_driver and "+cpu" not in build
