"""Files mapped into memory for reading, without keeping a descriptor open.

Python's `mmap` keeps a duplicate of the descriptor for as long as a file is mapped, and a process
usually has 1,024: an index of many files, or a library of other people, would use them up.
"""

import ctypes
import functools
import mmap
import os
import sys
import weakref
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.files import foreign_files

Bytes = npt.NDArray[np.uint8]
_FAILED: Final = ctypes.c_void_p(-1).value


class MappedFile:
    """A regular file, mapped for reading; unmapped when no array of its bytes is left.

    As with any mapping, reading pages that another program has cut off ends the process: callers
    compare `len(data)` with the expected size, and Winnow never shortens an index file.

    Args:
        path: of a file that is not empty, or a link to one. A pipe or a device does not block.

    Raises:
        OSError: the file is missing, empty or not a regular file, or cannot be opened or mapped.
    """

    def __init__(self, path: Path) -> None:
        descriptor = foreign_files.open_regular(path, sys.maxsize, follows_links=True)
        try:
            size_bytes = os.fstat(descriptor).st_size
            if not size_bytes:
                raise foreign_files.UnexpectedFileError(path, "it is empty")
            self._mapping = _map(descriptor, size_bytes)
        finally:
            os.close(descriptor)

    @property
    def data(self) -> Bytes:
        """(n,) the bytes, read-only; keeps the file mapped."""
        return np.asarray(self._mapping).view(np.uint8)

    def rest(self) -> None:
        """Release the memory; pages are read from the file again when they are used."""
        self._mapping.rest()


if sys.platform == "win32":

    class _Mapping:
        """A mapping by Python, whose handles Windows does not limit to some thousand."""

        def __init__(self, descriptor: int) -> None:
            self._mapped = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)

        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Bytes:
            return np.frombuffer(self._mapped, np.uint8)

        def rest(self) -> None:
            """Do nothing: Windows trims the memory of mapped files by itself."""

    def _map(descriptor: int, _size_bytes: int) -> _Mapping:
        return _Mapping(descriptor)

else:

    class _Mapping:
        """A mapping by the C library. Arrays of it refer to it, so that it outlives them."""

        def __init__(self, address: int, size_bytes: int) -> None:
            self._address = address
            self._size_bytes = size_bytes
            self.__array_interface__ = {
                "data": (address, True),  # read-only
                "shape": (size_bytes,),
                "typestr": "|u1",
                "version": 3,
            }
            # Not at exit, when other threads may still read it.
            weakref.finalize(self, _libc().munmap, address, size_bytes).atexit = False

        def rest(self) -> None:
            _libc().madvise(self._address, self._size_bytes, mmap.MADV_DONTNEED)

    def _map(descriptor: int, size_bytes: int) -> _Mapping:
        arguments = None, size_bytes, mmap.PROT_READ, mmap.MAP_SHARED, descriptor, 0
        address = _libc().mmap(*arguments)
        if address == _FAILED:
            error_number = ctypes.get_errno()
            raise OSError(error_number, os.strerror(error_number))
        return _Mapping(address, size_bytes)

    @functools.cache
    def _libc() -> Any:
        library = ctypes.CDLL(None, use_errno=True)
        library.mmap.restype = ctypes.c_void_p
        library.mmap.argtypes = [
            *(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int),
            ctypes.c_ssize_t,  # off_t, of which only 0 is used
        ]
        library.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        library.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        return library
