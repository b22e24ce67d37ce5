"""Tests of the removal of chroots."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
try:
    chroot = importlib.import_module("chroot")
finally:
    sys.path.remove(str(ROOT / "packaging"))


def test_a_system_with_mounts_is_not_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "bookworm"
    (root / "proc").mkdir(parents=True)
    real = Path.read_text

    def mounts(path: Path, encoding: str | None = None) -> str:
        if path == Path("/proc/mounts"):
            return f"proc / proc rw 0 0\nproc {root / 'proc'} proc rw 0 0\n"
        return real(path, encoding)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", mounts)
        with pytest.raises(chroot.PackageError, match="is still in use"):
            chroot.remove(root)
    assert (root / "proc").is_dir()
    monkeypatch.setattr(Path, "read_text", lambda *_arguments: "proc /proc proc rw 0 0\n")
    chroot.remove(root)
    chroot.remove(root)
    assert not root.exists()
