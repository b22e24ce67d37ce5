"""Small documents of each kind to start from: the files that the readers' tests create."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from _one_file import LARGEST_BYTES

from core.documents import formats

ROOT = Path(__file__).resolve().parents[1]
# Suffixes that reach other code of a reader than the first suffix of their format.
_FURTHER = (
    *("jsonl", "vtt", "sbv", "jpg", "tiff", "gif", "xlsb", "xls", "fodt", "msg"),
    *("7z", "tar", "tar.gz", "tar.bz2", "tar.xz"),
    *("webp", "m4a", "flac", "ogg", "wav", "mkv"),
)
# The tests that write documents; those of processes and text recognition write the same ones.
_TESTS = ("text_formats", "office", "mail", "containers", "media", "pages", "test_damaged_text.py")
_MOST_SEEDS = 200


def kinds() -> tuple[str, ...]:
    """Return one suffix, without its dot, for each code path of the readers."""
    firsts = (format_.suffixes[0].removeprefix(".") for format_ in formats.FORMATS)
    return (*firsts, *_FURTHER)


def gather(out: Path, named: Sequence[str], more: Path | None = None) -> None:
    """Fill the folder `out`/KIND/corpus of each kind that lacks it, by running the readers' tests.

    Args:
        out: The folder to write to.
        named: The kinds.
        more: A folder with further files to copy.
    """
    missing = [kind for kind in named if not (out / kind / "corpus").exists()]
    for kind in missing:
        (out / kind / "corpus").mkdir(parents=True)
    if missing:
        _copy(_files_of_tests(out / "tests"), out, missing)
        shutil.rmtree(out / "tests", ignore_errors=True)
    if more is not None:
        _copy(more, out, named)


def _files_of_tests(folder: Path) -> Path:
    """Run the readers' tests, and return the folder with the files that they created."""
    print("Creating seed files: the readers' tests run once.", flush=True)
    documents = ROOT / "tests" / "core" / "documents"
    folder.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not recogni"),
            *("-o", "tmp_path_retention_policy=all", f"--basetemp={folder}"),
            *(documents / name for name in _TESTS),
        ],
        # Few damaged copies, because benchmarks make better ones. Failures do not matter here.
        env=os.environ | {"WINNOW_TEST_MUTATIONS": "1", "QT_QPA_PLATFORM": "offscreen"},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return folder


def _copy(source: Path, out: Path, named: Sequence[str]) -> None:
    """Copy the small files below `source` to the corpora of their kinds."""
    by_kind: dict[str, list[Path]] = {kind: [] for kind in named}
    for path in source.rglob("*"):
        name = path.name.lower()
        if path.is_file() and 0 < path.stat().st_size <= LARGEST_BYTES:
            for kind, paths in by_kind.items():
                if name.endswith(f".{kind}"):
                    paths.append(path)
    for kind, paths in by_kind.items():
        # Small files first: more of them can be read in the given time.
        for path in sorted(paths, key=lambda path: path.stat().st_size)[:_MOST_SEEDS]:
            data = path.read_bytes()
            name = hashlib.sha256(data).hexdigest()[:20]
            (out / kind / "corpus" / name).write_bytes(data)
