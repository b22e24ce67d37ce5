"""Landlock, by which a process on Linux gives up all files but those that it names, for good."""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from core.documents.sandbox.syscalls import (
    LANDLOCK_ADD_RULE,
    LANDLOCK_CREATE_RULESET,
    LANDLOCK_RESTRICT_SELF,
)

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_FILE, _MAKE_REG, _TRUNCATE = 1 << 5, 1 << 8, 1 << 14
_ON_FILES: Final = 1 << 0 | _WRITE_FILE | _READ_FILE | _TRUNCATE | 1 << 15
_READS: Final = _READ_FILE | _READ_DIR
_KEEPS: Final = _READS | _WRITE_FILE | _REMOVE_FILE | _MAKE_REG | _TRUNCATE
# All that this version of Landlock knows to forbid: moving between folders, truncating and asking
# devices came later, and so did the network, and signals and sockets to what is outside.
_FILE_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NETWORK_SINCE, _NETWORK = 4, 0b11
_SCOPE_SINCE, _SCOPE = 6, 0b11
_RULE_PATH_BENEATH: Final = 1
_VERSION: Final = 1


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scope", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """Return the version of Landlock that this system has turned on; 0 for none."""
    found: int = _libc().syscall(LANDLOCK_CREATE_RULESET, None, 0, _VERSION)
    return max(found, 0)


def restrict(reads: Iterable[Path], keeps: Iterable[Path] = ()) -> int:
    """Give up all files but those below `reads`, to read, and `keeps`, to write, too.

    It holds for the calling thread and those that it starts. Descriptors that are open already
    stay as they are. What is not there is left out.

    Returns:
        The version of Landlock by which it holds.

    Raises:
        OSError: The system refuses, or has no Landlock.
    """
    found = version()
    rights = (1 << _FILE_RIGHTS[min(max(found, 1), max(_FILE_RIGHTS))]) - 1
    ruleset = _Ruleset(
        rights,
        _NETWORK if found >= _NETWORK_SINCE else 0,
        _SCOPE if found >= _SCOPE_SINCE else 0,
    )
    rules = _checked(
        _libc().syscall(LANDLOCK_CREATE_RULESET, ctypes.byref(ruleset), ctypes.sizeof(ruleset), 0)
    )
    try:
        for path in reads:
            _allow(rules, path, _READS & rights)
        for path in keeps:
            _allow(rules, path, _KEEPS & rights)
        _checked(_libc().syscall(LANDLOCK_RESTRICT_SELF, rules, 0))
    finally:
        os.close(rules)
    return found


def _allow(rules: int, path: Path, rights: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # not there, or not for us: nothing to allow
        return
    try:
        if not stat.S_ISDIR(os.fstat(folder).st_mode):
            rights &= _ON_FILES
        beneath = _PathBeneath(rights, folder)
        _checked(
            _libc().syscall(LANDLOCK_ADD_RULE, rules, _RULE_PATH_BENEATH, ctypes.byref(beneath), 0)
        )
    finally:
        os.close(folder)


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
