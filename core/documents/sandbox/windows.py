"""The walls round a reading process on Windows: a job and a poorer token. Written, never tried.

A process on Windows puts them up round itself, and cannot take them down: a job object with a limit
on memory, in which it may start no other process, and a token without privileges. One that has
nothing to write is of low integrity, too: it may write to nothing that is the person's. None of it
keeps it from reading files or from the network.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes
    from typing import Final

    _EXTENDED_LIMITS, _USER_INTERFACE_LIMITS = 9, 4
    _ACTIVE_PROCESS, _PROCESS_MEMORY, _DIE_ON_EXCEPTION = 0x8, 0x100, 0x400
    _EVERYTHING: Final = 0xFF
    # What Python itself takes before it reads anything.
    _IDLE_BYTES: Final = 300_000_000
    _ADJUST: Final = 0x0020 | 0x0080 | 0x0008  # privileges, defaults; and look at them
    _PRIVILEGES, _INTEGRITY = 3, 25
    _REMOVED: Final = 0x4
    _LOW: Final = "S-1-16-4096"
    _IS_INTEGRITY: Final = 0x20

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("process_time", wintypes.LARGE_INTEGER),
            ("job_time", wintypes.LARGE_INTEGER),
            ("flags", wintypes.DWORD),
            ("least_set", ctypes.c_size_t),
            ("most_set", ctypes.c_size_t),
            ("processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority", wintypes.DWORD),
            ("scheduling", wintypes.DWORD),
        )

    class _Limits(ctypes.Structure):
        _fields_ = (
            ("basic", _BasicLimits),
            ("counts", ctypes.c_ulonglong * 6),
            ("process_memory", ctypes.c_size_t),
            ("job_memory", ctypes.c_size_t),
            ("process_peak", ctypes.c_size_t),
            ("job_peak", ctypes.c_size_t),
        )

    class _Label(ctypes.Structure):
        _fields_ = (("sid", ctypes.c_void_p), ("attributes", wintypes.DWORD))

    def restrict(memory_bytes: int, *, writes: bool) -> tuple[str, ...]:
        """Confine this process for good; give what holds."""
        walls = []
        if _join_job(memory_bytes):
            walls.append("a job object")
        if _impoverish(is_low=not writes):
            walls.append("a token of low integrity")
        return tuple(walls)

    def _join_job(memory_bytes: int) -> bool:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        job = wintypes.HANDLE(kernel.CreateJobObjectW(None, None))
        limits = _Limits()
        limits.basic.flags = _ACTIVE_PROCESS | _PROCESS_MEMORY | _DIE_ON_EXCEPTION
        limits.basic.processes = 1
        limits.process_memory = memory_bytes + _IDLE_BYTES
        size = ctypes.sizeof(limits)
        nothing_shown = wintypes.DWORD(_EVERYTHING)
        # The handle stays open: the job lasts as long as the process.
        return bool(
            job
            and kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), size)
            and kernel.SetInformationJobObject(
                job,
                _USER_INTERFACE_LIMITS,
                ctypes.byref(nothing_shown),
                ctypes.sizeof(nothing_shown),
            )
            and kernel.AssignProcessToJobObject(job, wintypes.HANDLE(kernel.GetCurrentProcess()))
        )

    def _impoverish(*, is_low: bool) -> bool:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        rights = ctypes.WinDLL("advapi32", use_last_error=True)
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        token = wintypes.HANDLE()
        own = wintypes.HANDLE(kernel.GetCurrentProcess())
        if not rights.OpenProcessToken(own, _ADJUST, ctypes.byref(token)):
            return False
        try:
            is_done = _remove_privileges(rights, token)
            return (_lower(rights, kernel, token) and is_done) if is_low else False
        finally:
            kernel.CloseHandle(token)

    def _remove_privileges(rights: ctypes.WinDLL, token: wintypes.HANDLE) -> bool:
        size = wintypes.DWORD()
        rights.GetTokenInformation(token, _PRIVILEGES, None, 0, ctypes.byref(size))
        held = (wintypes.DWORD * (size.value // 4))()
        if not rights.GetTokenInformation(token, _PRIVILEGES, held, size, ctypes.byref(size)):
            return False
        # A count, and for each a number of two words with its attributes behind.
        for index in range(held[0]):
            held[1 + 3 * index + 2] = _REMOVED
        return bool(rights.AdjustTokenPrivileges(token, False, held, 0, None, None))

    def _lower(rights: ctypes.WinDLL, kernel: ctypes.WinDLL, token: wintypes.HANDLE) -> bool:
        sid = ctypes.c_void_p()
        if not rights.ConvertStringSidToSidW(_LOW, ctypes.byref(sid)):
            return False
        try:
            label = _Label(sid, _IS_INTEGRITY)
            size = ctypes.sizeof(label) + rights.GetLengthSid(sid)
            return bool(rights.SetTokenInformation(token, _INTEGRITY, ctypes.byref(label), size))
        finally:
            kernel.LocalFree(sid)
