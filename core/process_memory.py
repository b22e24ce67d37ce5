"""Gives freed memory of this process back to the system."""

from __future__ import annotations

import ctypes
import gc
import sys


def release_memory() -> None:
    """Give freed memory back to the system, where its allocator would keep it: on Linux."""
    gc.collect()
    if sys.platform == "linux":
        # Missing from C libraries other than glibc.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
