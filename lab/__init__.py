"""The laboratory: training, measuring and the papers' reference forms; no part of the program."""

from pathlib import Path
from typing import Final

UNTRAINED: Final = Path(__file__).parent / "models" / "minilm-128"
"""The folder of the model that the built-in one was trained from, and is measured against."""
