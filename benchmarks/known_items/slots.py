"""The values that templates of generated files are filled with, from `slots.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parent
# Rows of values by name.
SLOTS: Final[Mapping[str, Sequence[Any]]] = tomllib.loads(
    (_FOLDER / "slots.toml").read_text(encoding="utf-8")
)
# Notes written by hand, with their questions.
TOPICS: Final[Sequence[Mapping[str, Any]]] = tomllib.loads(
    (_FOLDER / "topics.toml").read_text(encoding="utf-8")
)["topics"]
