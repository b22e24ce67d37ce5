"""Archives that have the same bytes whenever and by whomever they are made."""

from __future__ import annotations

import gzip
import lzma
import tarfile
from pathlib import Path
from typing import BinaryIO, Final

_PROGRAM: Final = 0o755
_FILE: Final = 0o644


def write_tar_xz(archive: Path, folder: Path, name: str, date: int) -> None:
    """Pack `folder` as `name` into an archive; all in it is of `date` and nobody's."""
    # One block after another in one thread: how many there are must not change the bytes.
    with lzma.open(archive, "wb", preset=6) as packed:
        _write_tar(packed, folder, name, date)  # type: ignore[arg-type] # it is a BinaryIO


def _write_tar(file: BinaryIO, folder: Path, name: str, date: int) -> None:
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as tar:
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
    """The permissions that a file has in a package, whatever they are where it is made."""
    if path.is_symlink():
        return 0o777
    if path.is_dir() or path.stat().st_mode & 0o100:
        return _PROGRAM
    return _FILE


def gzipped(text: str) -> bytes:
    """A text as gzip packs it, without a date or a name."""
    return gzip.compress(text.encode(), 9, mtime=0)
