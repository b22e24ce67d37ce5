"""The SHA256SUMS file of a release."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from frozen import PackageError, log

FILE_NAME: Final = "SHA256SUMS"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the checksums of a release's files.

    Raises:
        PackageError: the folder does not exist.
    """
    parser = argparse.ArgumentParser(
        prog="checksums.py", description="Write the checksums of a release."
    )
    parser.add_argument("folder", type=Path, help="folder with all files of the release")
    folder: Path = parser.parse_args(arguments).folder
    if not folder.is_dir():
        raise PackageError(f"{folder} is not a folder.")
    log(str(write(folder)))
    return 0


def write(folder: Path) -> Path:
    """Write the SHA-256 of each file in a folder, in the format of `sha256sum --check`."""
    lines = []
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name != FILE_NAME:
            with path.open("rb") as file:
                lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    written = folder / FILE_NAME
    written.write_text("".join(lines), encoding="utf-8")
    return written


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PackageError as problem:
        sys.exit(str(problem))
