"""Index a folder, and list the files that could not be read.

python examples/index_folder.py FOLDER LIBRARY
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.library.library import Library
from core.progress import Job, Progress


def show(progress: Progress) -> None:
    """Print what the sync is doing."""
    print(f"{progress.stage.name.lower()}: {progress.done} of {progress.total}")


def main(folder: Path, home: Path) -> None:
    """Add the folder to the library in `home`, and bring the library up to date."""
    with Library.open(home) as library:
        library.add_folder(folder)
        report = library.sync(Job(show))
    print(f"{report.documents} documents, {report.passages} passages")
    for failure in report.failed:
        print(f"{failure.path}: {failure.reason}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
