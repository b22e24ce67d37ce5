"""Training, measurements and the papers' reference implementations; not part of the program."""

from pathlib import Path
from typing import Final

# Folder of the model that the built-in one was trained from and is compared with.
UNTRAINED: Final = Path(__file__).parent / "models" / "minilm-128"
