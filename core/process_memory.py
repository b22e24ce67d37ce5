"""Returns freed memory of this process to the system."""

import ctypes
import gc
import sys


def release_memory() -> None:
    """Return freed memory to the system; on Linux, the allocator would keep it."""
    gc.collect()
    if sys.platform == "linux":
        # Missing from C libraries other than glibc.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
