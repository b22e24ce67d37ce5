"""Index a folder with another model: a built-in one by name, or the folder of a checkpoint.

python examples/another_model.py FOLDER LIBRARY winnow-mini-multi
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.library.library import Library, LibraryOptions
from core.requests import GetModelName


def main(folder: Path, home: Path, model: str) -> None:
    """Add the folder to a library whose index is built with `model`."""
    with Library.open(home, LibraryOptions(model=model)) as library:
        library.add_folder(folder)
        report = library.sync()
        name = library.answer(GetModelName())
    print(f"{report.passages} passages encoded with {name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
