"""The system-call filter of a reading process on Linux, a small BPF program.

Harmless calls are allowed. The others are refused with an error, not by killing the process, so
that a library can continue without them. Calls that are newer than this program fail as if the
kernel lacked them; the C library then uses an older one.

The list of allowed calls was recorded from every reader, from drawing pages and from text
recognition, and extended to equivalent calls of other C libraries and processors. None of them
affects anything outside the process except through a file that is already open, or that Landlock
lets it open.
"""

import ctypes
import errno
import json
import os
import platform
import struct
from collections.abc import Iterable
from typing import Final

from core.files.paths import RESOURCES

# Index into `Numbers`, and the kernel's code of the architecture.
_ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_GREATER, _JUMP_IF_SET, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_ERROR: Final = 0x00050000
_REFUSE: Final = _ERROR | errno.EPERM
_MISSING: Final = _ERROR | errno.ENOSYS
# "x32" calls have separate numbers under the same architecture code.
_X32: Final = 0x40000000

_SET_MODE_FILTER, _GET_ACTION_AVAIL, _TSYNC = 1, 2, 1

_CLONE_THREAD: Final = 0x00010000
# CLONE_NEW…: new namespaces.
_NAMESPACES: Final = 0x7E020080
# A file without a name: the bit of O_TMPFILE that other flags do not have.
_NAMELESS: Final = 0o20000000
# Flags that open a file for more than reading.
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | _NAMELESS
# Terminal attributes, close-on-exec, blocking mode, bytes available.
_IOCTLS: Final = (0x5401, 0x802C542A, 0x5450, 0x5451, 0x5421, 0x541B)
# Names of threads and of memory regions, and the dumpable flag.
_PRCTLS: Final = (15, 16, 0x53564D41, 3)
# Copies of a descriptor, its flags, pipe sizes, seals. Not locks, which would keep other programs
# from a document, nor the owner of signals.
_FCNTLS: Final = (0, 1, 2, 3, 4, 1030, 1031, 1032, 1034)

_Instruction = tuple[int, int, int, int]


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))


def machine() -> int | None:
    """Return the index into `Numbers` for this machine; None for an unknown one."""
    architecture = _ARCHITECTURES.get(platform.machine())
    return None if architecture is None or struct.calcsize("P") != 8 else architecture[0]


def is_available() -> bool:
    """Return whether this system can filter calls whose numbers are known here."""
    which = machine()
    if which is None:
        return False
    action = ctypes.c_uint32(_ERROR)
    call_number = _SECCOMP[which]
    return bool(_libc().syscall(call_number, _GET_ACTION_AVAIL, 0, ctypes.byref(action)) == 0)


def restrict(*, descriptors_from: int | None, writes: bool) -> None:
    """Install the filter for all threads of this process.

    Args:
        descriptors_from: Socket that hands over open files, the only one to receive from.
        writes: Whether files may be opened for writing, where Landlock allows it.

    Raises:
        OSError: The system refuses.
    """
    machine_name = platform.machine()
    program = assemble(machine_name, os.getpid(), descriptors_from, writes=writes)
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_ = _Filter(len(program), ctypes.cast(buffer, ctypes.c_void_p))
    call_number = _SECCOMP[_ARCHITECTURES[machine_name][0]]
    if _libc().syscall(call_number, _SET_MODE_FILTER, _TSYNC, ctypes.byref(filter_)) != 0:
        code_ = ctypes.get_errno()
        raise OSError(code_, os.strerror(code_))


def assemble(
    machine_name: str, pid: int, descriptors_from: int | None, *, writes: bool
) -> list[_Instruction]:
    """Return the BPF program for an architecture ("x86_64", "aarch64") and a process.

    >>> len(assemble("x86_64", 1, 5, writes=False)) > len(assemble("aarch64", 1, 5, writes=False))
    True
    """
    which, architecture = _ARCHITECTURES[machine_name]
    # Nameless files would not count towards the size of the scratch folder.
    not_for = _NAMELESS if writes else _WRITES
    rules: list[tuple[CallNumbers, list[_Instruction]]] = [
        (_OPENAT, _only_unless_set(2, not_for)),
        (_OPEN, _only_unless_set(1, not_for)),
        # The arguments of clone3 are in memory, which a filter cannot read: report it as missing.
        (_CLONE3, [_return(_MISSING)]),
        (_OPENAT2, [_return(_MISSING)]),
        (_CLONE, _only_threads()),
        (_FCNTL, _only(1, _FCNTLS)),
        (_IOCTL, _only(1, _IOCTLS)),
        (_PRCTL, _only(0, _PRCTLS)),
        (_PRLIMIT64, _only(2, (0,), whole=True)),
        (_SCHED_SETAFFINITY, _only(0, (0,))),
        (_TGKILL, _only(0, (pid,))),
    ]
    if descriptors_from is not None:
        rules.append((_RECVMSG, _only(0, (descriptors_from,))))
    program = [
        _load(_ARCHITECTURE_AT),
        (_JUMP_IF_EQUAL, 1, 0, architecture),
        _return(_KILL),
        _load(_NUMBER_AT),
    ]
    if which == 0:
        program += [(_JUMP_IF_SET, 0, 1, _X32), _return(_REFUSE)]
    for call_numbers, body in rules:
        program += _on(call_numbers[which], body)
    for call_numbers in HARMLESS.values():
        program += _on(call_numbers[which], [_return(_ALLOW)])
    return [
        *program,
        (_JUMP_IF_GREATER, 0, 1, _NEWEST),
        _return(_MISSING),
        _return(_REFUSE),
    ]


def _on(call_number: int | None, body: list[_Instruction]) -> list[_Instruction]:
    """Return the instructions that run `body`, which ends the program, for one call."""
    return [] if call_number is None else [(_JUMP_IF_EQUAL, 0, len(body), call_number), *body]


def _only(argument: int, values: Iterable[int], *, whole: bool = False) -> list[_Instruction]:
    """Allow a call if an argument, or its lower half, is one of `values`."""
    low = _ARGUMENTS_AT + 8 * argument
    body: list[_Instruction] = []
    if whole:
        body += [_load(low + 4), (_JUMP_IF_EQUAL, 1, 0, 0), _return(_REFUSE)]
    body.append(_load(low))
    for value in values:
        body += [(_JUMP_IF_EQUAL, 0, 1, value), _return(_ALLOW)]
    return [*body, _return(_REFUSE)]


def _only_unless_set(argument: int, bits: int) -> list[_Instruction]:
    """Allow a call if none of these bits of an argument is set."""
    return [
        _load(_ARGUMENTS_AT + 8 * argument),
        (_JUMP_IF_SET, 0, 1, bits),
        _return(_REFUSE),
        _return(_ALLOW),
    ]


def _only_threads() -> list[_Instruction]:
    return [
        _load(_ARGUMENTS_AT),
        (_JUMP_IF_SET, 1, 0, _CLONE_THREAD),
        _return(_REFUSE),
        (_JUMP_IF_SET, 0, 1, _NAMESPACES),
        _return(_REFUSE),
        _return(_ALLOW),
    ]


def _load(offset: int) -> _Instruction:
    return (_LOAD, 0, 0, offset)


def _return(value: int) -> _Instruction:
    return (_RETURN, 0, 0, value)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


# Numbers of a call on x86-64 and on 64-bit ARM; None if it does not exist. Newer architectures
# share the numbers of ARM.
CallNumbers = tuple[int | None, int | None]

# Highest known call number. Higher ones are reported as missing.
_NEWEST: Final = 470

HARMLESS: Final[dict[str, CallNumbers]] = {
    name: (intel, arm)
    for calls in json.loads((RESOURCES / "system_calls.json").read_text("utf-8")).values()
    for name, (intel, arm) in calls.items()
}

# Allowed with some arguments only, or reported as missing: see `assemble`.
_OPEN: Final[CallNumbers] = (2, None)
_OPENAT: Final[CallNumbers] = (257, 56)
_CLONE: Final[CallNumbers] = (56, 220)
_CLONE3: Final[CallNumbers] = (435, 435)
_OPENAT2: Final[CallNumbers] = (437, 437)
_FCNTL: Final[CallNumbers] = (72, 25)
_IOCTL: Final[CallNumbers] = (16, 29)
_PRCTL: Final[CallNumbers] = (157, 167)
_PRLIMIT64: Final[CallNumbers] = (302, 261)
_SCHED_SETAFFINITY: Final[CallNumbers] = (203, 122)
_TGKILL: Final[CallNumbers] = (234, 131)
_RECVMSG: Final[CallNumbers] = (47, 212)

# Called by number; the C library has no functions for them.
CAPSET: Final[CallNumbers] = (126, 91)
_SECCOMP: Final[CallNumbers] = (317, 277)
