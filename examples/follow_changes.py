"""Follow the folders of a library, and bring it up to date after each change.

python examples/follow_changes.py LIBRARY
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from core.library.library import Library


def main(home: Path, stop: threading.Event) -> None:
    """Sync at each change until `stop` is set."""
    with Library.open(home) as library:
        library.sync()
        for changed in library.watcher().changes(stop):
            report = library.sync(changed=changed)
            print(f"{report.read} documents read, {report.removed} removed")


if __name__ == "__main__":
    main(Path(sys.argv[1]), threading.Event())
