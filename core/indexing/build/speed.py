"""The speed at which this computer encodes, measured while it encodes, for estimates."""

import json
import logging
from typing import Final

from core.errors import LibraryError
from core.files import own_files
from core.files.paths import cache
from core.model_names import MULTILINGUAL

_log = logging.getLogger(__name__)

# Tokens that the built-in model encodes per second on a laptop with two cores, and how many times
# slower the multilingual one is; both until they were measured here.
_USUAL_TOKENS_PER_S: Final = 2500.0
_SLOWNESS: Final = {MULTILINGUAL: 2.0}
_FILE: Final = "encoding-speed.json"


def tokens_per_s(model: str) -> float:
    """Return the tokens that this computer encodes per second with a model."""
    known = _measured()
    if model in known:
        return known[model]
    # The speed of another model tells how fast the computer is.
    computer = [speed * _SLOWNESS.get(name, 1.0) for name, speed in known.items()]
    usual = computer[0] if computer else _USUAL_TOKENS_PER_S
    return usual / _SLOWNESS.get(model, 1.0)


def note(model: str, tokens: int, seconds: float) -> None:
    """Remember how fast a model encoded; the latest measurement counts."""
    if tokens <= 0 or seconds <= 0:
        return
    speeds = _measured() | {model: tokens / seconds}
    try:
        own_files.make_folder(cache())
        own_files.write(cache() / _FILE, json.dumps(speeds).encode())
    except (OSError, LibraryError) as error:
        _log.info("The speed of encoding was not stored: %s", error)


def _measured() -> dict[str, float]:
    """Return the measured tokens per second by model."""
    try:
        stored = json.loads((cache() / _FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(stored, dict):
        return {}
    return {name: speed for name, speed in stored.items() if isinstance(speed, float) and speed > 0}
