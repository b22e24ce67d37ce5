"""Reproducible archives: the same content always gives the same bytes."""

from __future__ import annotations

import gzip
import subprocess
import tarfile
from pathlib import Path
from typing import IO, Final

_PROGRAM: Final = 0o755
_FILE: Final = 0o644


def write_tar_xz(archive: Path, folder: Path, name: str, date: int) -> None:
    """Pack `folder` as `name` into an archive, with all dates set to `date` and root as owner."""
    with archive.open("wb") as packed:
        # The output depends on the number of threads and the block size.
        compressor = subprocess.Popen(
            ["xz", "--compress", "--stdout", "-6", "--threads=2", "--block-size=64MiB"],
            stdin=subprocess.PIPE,
            stdout=packed,
        )
        assert compressor.stdin is not None
        with compressor.stdin as pipe:
            _write_tar(pipe, folder, name, date)
    if compressor.wait():
        raise OSError(f"xz could not write {archive}")


def _write_tar(file: IO[bytes], folder: Path, name: str, date: int) -> None:
    with tarfile.open(fileobj=file, mode="w|", format=tarfile.GNU_FORMAT) as tar:
        for path in [folder, *sorted(folder.rglob("*"))]:
            info = tar.gettarinfo(path, str(Path(name, path.relative_to(folder))))
            info.uid = info.gid = 0
            info.uname = info.gname = "root"
            info.mtime = date
            info.mode = mode_of(path)
            if info.isfile():
                with path.open("rb") as content:
                    tar.addfile(info, content)
            else:
                tar.addfile(info)


def mode_of(path: Path) -> int:
    """Return a file's permissions in a package, independent of the umask."""
    if path.is_symlink():
        return 0o777
    # Shared libraries are not executable, even if their wheel says so.
    is_program = path.stat().st_mode & 0o100 and ".so" not in path.name
    return _PROGRAM if path.is_dir() or is_program else _FILE


def gzipped(text: str) -> bytes:
    """Return the text compressed by gzip, without date and name."""
    return gzip.compress(text.encode(), 9, mtime=0)
