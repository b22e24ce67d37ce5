"""The filter through which a reading process's system calls go on Linux, as a small BPF program.

Allowed is what cannot do harm; the rest is refused with an error and not with the process's end, so
that a library that asks for more goes on without it. Calls that are newer than this program are
answered as if the kernel lacked them, upon which the C library takes an older one.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterable
from typing import Final

from core.documents.sandbox import syscalls
from core.documents.sandbox.syscalls import Numbers

_ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Which of a call's two numbers counts, and how the kernel calls the processor."""

_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_GREATER, _JUMP_IF_SET, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_ERROR: Final = 0x00050000
_REFUSE: Final = _ERROR | errno.EPERM
_MISSING: Final = _ERROR | errno.ENOSYS
# Calls of the "x32" kind have numbers of their own, under the same architecture.
_X32: Final = 0x40000000

_SET_MODE_FILTER, _GET_ACTION_AVAIL, _TSYNC = 1, 2, 1

_CLONE_THREAD: Final = 0x00010000
# CLONE_NEW…: namespaces of its own.
_NAMESPACES: Final = 0x7E020080
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | 0o20000000
"""What opens a file for more than reading; the last is the part of O_TMPFILE that is its own."""
# Is it a terminal; is it inherited, does it wait, how much is there to read.
_IOCTLS: Final = (0x5401, 0x802C542A, 0x5450, 0x5451, 0x5421, 0x541B)
# A thread's name, the name of a stretch of memory, whether memory may be looked at.
_PRCTLS: Final = (15, 16, 0x53564D41, 3)
# Copies of a descriptor, its flags, locks, the size of a pipe, seals. Not whom signals go to.
_FCNTLS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1031, 1032, 1034)

Instruction = tuple[int, int, int, int]


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))


def machine() -> int | None:
    """Return which number of a call counts on this machine; None where none is known."""
    found = _ARCHITECTURES.get(platform.machine())
    return None if found is None or struct.calcsize("P") != 8 else found[0]


def is_available() -> bool:
    """Whether this system can filter calls, and this program knows their numbers."""
    which = machine()
    if which is None:
        return False
    action = ctypes.c_uint32(_ERROR)
    number = syscalls.SECCOMP[which]
    return bool(_libc().syscall(number, _GET_ACTION_AVAIL, 0, ctypes.byref(action)) == 0)


def restrict(*, descriptors_from: int | None, writes: bool) -> None:
    """Filter the calls of all threads of this process from now on.

    Args:
        descriptors_from: the socket that hands over open files, the only one to receive from.
        writes: whether files may be opened for writing at all, where Landlock lets them be.

    Raises:
        OSError: The system refuses.
    """
    machine_name = platform.machine()
    program = assemble(machine_name, os.getpid(), descriptors_from, writes=writes)
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_ = _Filter(len(program), ctypes.cast(buffer, ctypes.c_void_p))
    number = syscalls.SECCOMP[_ARCHITECTURES[machine_name][0]]
    if _libc().syscall(number, _SET_MODE_FILTER, _TSYNC, ctypes.byref(filter_)) != 0:
        code_ = ctypes.get_errno()
        raise OSError(code_, os.strerror(code_))


def assemble(
    machine_name: str, pid: int, descriptors_from: int | None, *, writes: bool
) -> list[Instruction]:
    """Return the program for a processor ("x86_64", "aarch64") and a process.

    >>> len(assemble("x86_64", 1, 5, writes=False)) > len(assemble("aarch64", 1, 5, writes=False))
    True
    """
    which, architecture = _ARCHITECTURES[machine_name]
    not_for = 0 if writes else _WRITES
    rules: list[tuple[Numbers, list[Instruction]]] = [
        (syscalls.OPENAT, _only_unless_set(2, not_for)),
        (syscalls.OPEN, _only_unless_set(1, not_for)),
        # What a thread asks for lies in memory, where a filter cannot look: as if it were missing.
        (syscalls.CLONE3, [_return(_MISSING)]),
        (syscalls.OPENAT2, [_return(_MISSING)]),
        (syscalls.CLONE, _only_threads()),
        (syscalls.FCNTL, _only(1, _FCNTLS)),
        (syscalls.IOCTL, _only(1, _IOCTLS)),
        (syscalls.PRCTL, _only(0, _PRCTLS)),
        (syscalls.PRLIMIT64, _only(2, (0,), whole=True)),
        (syscalls.SCHED_SETAFFINITY, _only(0, (0,))),
        (syscalls.TGKILL, _only(0, (pid,))),
    ]
    if descriptors_from is not None:
        rules.append((syscalls.RECVMSG, _only(0, (descriptors_from,))))
    program = [
        _load(_ARCHITECTURE_AT),
        (_JUMP_IF_EQUAL, 1, 0, architecture),
        _return(_KILL),
        _load(_NUMBER_AT),
    ]
    if which == 0:
        program += [(_JUMP_IF_SET, 0, 1, _X32), _return(_REFUSE)]
    for numbers, body in rules:
        program += _on(numbers[which], body)
    for numbers in syscalls.HARMLESS.values():
        program += _on(numbers[which], [_return(_ALLOW)])
    return [
        *program,
        (_JUMP_IF_GREATER, 0, 1, syscalls.NEWEST),
        _return(_MISSING),
        _return(_REFUSE),
    ]


def _on(number: int | None, body: list[Instruction]) -> list[Instruction]:
    """What is done at a call, and ends there."""
    return [] if number is None else [(_JUMP_IF_EQUAL, 0, len(body), number), *body]


def _only(argument: int, values: Iterable[int], *, whole: bool = False) -> list[Instruction]:
    """Allow a call if an argument, or its lower half, is one of `values`."""
    low = _ARGUMENTS_AT + 8 * argument
    body: list[Instruction] = []
    if whole:
        body += [_load(low + 4), (_JUMP_IF_EQUAL, 1, 0, 0), _return(_REFUSE)]
    body.append(_load(low))
    for value in values:
        body += [(_JUMP_IF_EQUAL, 0, 1, value), _return(_ALLOW)]
    return [*body, _return(_REFUSE)]


def _only_unless_set(argument: int, bits: int) -> list[Instruction]:
    """Allow a call if none of these bits of an argument is set."""
    return [
        _load(_ARGUMENTS_AT + 8 * argument),
        (_JUMP_IF_SET, 0, 1, bits),
        _return(_REFUSE),
        _return(_ALLOW),
    ]


def _only_threads() -> list[Instruction]:
    return [
        _load(_ARGUMENTS_AT),
        (_JUMP_IF_SET, 1, 0, _CLONE_THREAD),
        _return(_REFUSE),
        (_JUMP_IF_SET, 0, 1, _NAMESPACES),
        _return(_REFUSE),
        _return(_ALLOW),
    ]


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


def _return(value: int) -> Instruction:
    return (_RETURN, 0, 0, value)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
