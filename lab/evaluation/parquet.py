"""Reads the rows of Parquet files, which needs pyarrow."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError

_SHARD: Final = re.compile(r"(?P<split>.+)-\d+-of-\d+(-[0-9a-f]+)?")
_BATCH_ROWS: Final = 1024


def parquet_files(folder: Path) -> list[Path]:
    """Return the Parquet files in a folder and its sub-folders, in the order of their shards."""
    return sorted(folder.rglob("*.parquet"))


def split_of(path: Path, folder: Path) -> str:
    """Return the name of the split that a Parquet file in `folder` belongs to.

    >>> split_of(Path("qrels/test-00000-of-00002.parquet"), Path("qrels"))
    'test'
    >>> split_of(Path("qrels/dev/0000.parquet"), Path("qrels"))
    'dev'
    >>> split_of(Path("qrels/train.parquet"), Path("qrels"))
    'train'
    """
    shard = _SHARD.fullmatch(path.stem)
    if shard is not None:
        return shard["split"]
    return path.stem if path.parent == folder else path.parent.name


def rows(paths: Iterable[Path], columns: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield location and values of each row; columns that a file lacks are left out.

    Raises:
        UsageError: pyarrow is not installed, or a file cannot be read.
    """
    if importlib.util.find_spec("pyarrow") is None:
        raise UsageError("Parquet files need pyarrow; install it with pip install pyarrow.")
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    wanted = set(columns)
    for path in paths:
        number = 0
        try:
            with ParquetFile(path) as file:
                names = [name for name in file.schema_arrow.names if name in wanted]
                for batch in file.iter_batches(_BATCH_ROWS, columns=names):
                    for row in batch.to_pylist():
                        number += 1
                        yield f"{path}, row {number}", row
        except (ArrowException, OSError) as error:
            raise UsageError(f"{path} cannot be read: {error}.") from error
