"""The encoder on a graphics processor, used if it is faster, and until it fails.

Its vectors match the processor's (cosine above .999, docs/decisions/0004-encoder.md), so that
either can continue the other's work.
"""

import json
import logging
import threading
import time
from collections.abc import Callable
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from core.errors import Message
from core.files import own_files, paths

_log = logging.getLogger(__name__)

# The cache file of measurements: which of two runtimes is faster.
_KNOWN: Final = "graphics.json"
_TEXTS, _TOKENS = 32, 128
_ROUNDS: Final = 3
_FIRST_ID: Final = 1000

# Failures in this process, by device; failed devices are not used again.
_failed: dict[str, Message] = {}
_guard: Final = threading.Lock()


def failures() -> tuple[Message, ...]:
    """Return a sentence on each graphics processor that failed since the program started."""
    with _guard:
        return tuple(_failed.values())


def has_failed(device: str) -> bool:
    """Return whether a device failed since the program started."""
    with _guard:
        return device in _failed


class Runtime(Protocol):
    """Runs a checkpoint; `project` may be called by several threads at once."""

    @property
    def name(self) -> str:
        """The runtime, device and precision, as shown to a person."""

    def project(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        """Map (b, l) token ids and mask to (b, l, c): vectors, not normalised, and saliences."""


class GraphicsRuntime:
    """Runs the encoder on a graphics processor, and on the processor after a failure.

    A driver update, a suspended machine, or memory used by other programs must not stop indexing
    overnight.

    Args:
        runtime: of the graphics processor.
        place: its name.
        processor: opens the runtime that replaces it.
    """

    def __init__(self, runtime: Runtime, device: str, processor: Callable[[], Runtime]) -> None:
        self._runtime = runtime
        self._device = device
        self._processor = processor
        self._has_failed = False
        self._falling = threading.Lock()

    @property
    def name(self) -> str:
        """The runtime, device and precision."""
        return self._runtime.name

    def project(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        """Map (b, l) token ids and mask to (b, l, c) vectors, not normalised.

        A batch that does not fit in memory is halved first.
        """
        if self._has_failed:
            return self._runtime.project(ids, mask)
        try:
            return self._in_halves(ids, mask)
        # A driver may raise anything; torch mostly raises RuntimeError or a subclass.
        except Exception as error:  # noqa: BLE001 - the boundary round a driver
            self._fall_back(error)
        return self._runtime.project(ids, mask)

    def _in_halves(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        try:
            return self._runtime.project(ids, mask)
        except Exception as error:
            if len(ids) < 2 or not _is_out_of_memory(error):
                raise
        half = len(ids) // 2
        parts = [
            self._in_halves(ids[part], mask[part]) for part in (slice(half), slice(half, None))
        ]
        return np.concatenate(parts)

    def _fall_back(self, error: Exception) -> None:
        with self._falling:
            if self._has_failed:
                return
            name = self._runtime.name
            _log.warning("%s failed; continuing on the CPU", name, exc_info=error)
            reason = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
            with _guard:
                _failed[self._device] = Message(
                    "The GPU failed ({0}); continuing on the CPU until Winnow restarts.",
                    reason,
                )
            self._runtime = self._processor()
            self._has_failed = True


def _is_out_of_memory(error: Exception) -> bool:
    return type(error).__name__ == "OutOfMemoryError" or "out of memory" in str(error).lower()


def is_faster(graphics: Runtime, processor: Runtime) -> bool:
    """Return whether a graphics processor runs a model faster than the processor.

    Measured once, with a typical batch of indexing, and cached by the names of the two runtimes. A
    graphics processor that cannot run the model is not faster.
    """
    key = f"{graphics.name} | {processor.name}"
    known = _known()
    if key in known:
        return known[key]
    try:
        graphics_s = _seconds(graphics)
    except Exception as error:  # noqa: BLE001 - the boundary round a driver
        _log.warning("%s cannot run the model", graphics.name, exc_info=error)
        return False
    known[key] = graphics_s < _seconds(processor)
    try:
        own_files.make_folder(paths.cache())
        own_files.write(paths.cache() / _KNOWN, json.dumps(known, indent=2).encode())
    except OSError as error:
        _log.info("The fastest device will be measured again next time: %s", error)
    return known[key]


def _known() -> dict[str, bool]:
    """Return the stored measurements; empty if they cannot be read."""
    try:
        stored = json.loads((paths.cache() / _KNOWN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(stored, dict):
        return {}
    return {key: value for key, value in stored.items() if isinstance(value, bool)}


def _seconds(runtime: Runtime) -> float:
    """Return the shortest time of a batch, except the first one."""
    token_ids = np.random.default_rng(0).integers(_FIRST_ID, 2 * _FIRST_ID, (_TEXTS, _TOKENS))
    mask = np.ones_like(token_ids)
    times_s = []
    for _ in range(1 + _ROUNDS):
        began_s = time.perf_counter()
        runtime.project(token_ids, mask)
        times_s.append(time.perf_counter() - began_s)
    return min(times_s[1:])
