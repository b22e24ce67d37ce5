"""Measure how soon a folder of many small files is searchable, and a sync without changes.

Writes notes of about 120 words into 100 folders, syncs a new library until all are searchable by
words (meaning is measured by `bench encoding`), and syncs again without changes. Memory is the peak
of this process.

    python3 dev.py bench folders [FILES] [--profile]
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import resource
import sys
import tempfile
import time
from pathlib import Path

from _notes import write_notes

from core.errors import Cancelled
from core.library.library import Library
from core.progress import Job, Progress, Stage


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", type=int, nargs="?", default=20_000)
    parser.add_argument("--profile", action="store_true", help="print a profile")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="winnow-folders-") as place:
        folder = Path(place) / "documents"
        write_notes(folder, options.files)
        with Library.open(Path(place) / "home") as library:
            library.add_folder(folder)
            profile = cProfile.Profile() if options.profile else None
            first_s = _until_found(library, profile)
            again_s = _until_found(library, None)
            found = len(library.documents())
    assert found == options.files, f"{found} of {options.files} were read"
    print(
        json.dumps(
            {
                "files": options.files,
                "first_s": round(first_s, 2),
                "files_per_s": round(options.files / first_s),
                "unchanged_s": round(again_s, 2),
                "memory_mb": _memory_mb(),
            }
        )
    )
    if profile is not None:
        pstats.Stats(profile).sort_stats("cumulative").print_stats(40)


def _until_found(library: Library, profile: cProfile.Profile | None) -> float:
    """Return the seconds of a sync until all files are searchable by words."""
    ended_s = 0.0
    is_read = False

    def end(progress: Progress) -> None:
        nonlocal ended_s, is_read
        # The newest files are encoded early, and then the others are read.
        if progress.stage is Stage.READING:
            is_read = progress.done == progress.total
        elif is_read and not ended_s:
            ended_s = time.perf_counter()
            job.cancel()

    job = Job(end)
    began_s = time.perf_counter()
    if profile is not None:
        profile.enable()
    try:
        library.sync(job)
    except Cancelled:
        pass
    finally:
        if profile is not None:
            profile.disable()
    return ended_s - began_s


def _memory_mb() -> int:
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(largest / (1e6 if sys.platform == "darwin" else 1e3))


if __name__ == "__main__":
    main()
