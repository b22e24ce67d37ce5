from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.files.own_files import atomic_write, sweep


def _refusing(number: int) -> Callable[..., None]:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


def test_a_disk_that_retains_a_partial_file_reports_the_first_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.json"
    atomic_write(path, b"before")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", _refusing(errno.ENOSPC))
        patch.setattr(os, "unlink", _refusing(errno.EIO))
        patch.setattr(os, "getpid", lambda: 2**22 + 1)  # one that no process has
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            atomic_write(path, b"after")
        assert len(list(tmp_path.iterdir())) == 2
        sweep(tmp_path)
    sweep(tmp_path)
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [(path.name, b"before")]


def test_a_complete_file_is_valid_where_nothing_can_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "unlink", _refusing(errno.EIO))
    atomic_write(tmp_path / "a", b"all")
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"all"]
