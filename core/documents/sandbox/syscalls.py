"""System calls by name: their numbers on x86-64 and ARM, and those that no reader can do harm by.

The list of what is allowed was made by watching every reader, the drawing of pages and text
recognition at work, and widened to what is alike: other versions of the C library, other
processors. None of these calls reaches beyond the process, save by a file that it has open
already, or that Landlock lets it open.
"""

from __future__ import annotations

from typing import Final

Numbers = tuple[int | None, int | None]
"""On x86-64 and on 64-bit ARM, which all systems newer than it share; None where it lacks."""

NEWEST: Final = 470
"""Calls beyond it were unknown when this was written: they are answered as if they were missing."""

HARMLESS: Final[dict[str, Numbers]] = {
    # memory
    "brk": (12, 214),
    "mmap": (9, 222),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "mprotect": (10, 226),
    "madvise": (28, 233),
    "mincore": (27, 232),
    "msync": (26, 227),
    "mlock": (149, 228),
    "munlock": (150, 229),
    "mlock2": (325, 284),
    "membarrier": (324, 283),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "get_mempolicy": (239, 236),
    "pkey_alloc": (330, 289),
    "pkey_free": (331, 290),
    "pkey_mprotect": (329, 288),
    "map_shadow_stack": (453, 453),
    "mseal": (462, 462),
    # threads
    "exit": (60, 93),
    "exit_group": (231, 94),
    "futex": (202, 98),
    "futex_waitv": (449, 449),
    "futex_wake": (454, 454),
    "futex_wait": (455, 455),
    "futex_requeue": (456, 456),
    "set_robust_list": (273, 99),
    "get_robust_list": (274, 100),
    "set_tid_address": (218, 96),
    "rseq": (334, 293),
    "gettid": (186, 178),
    "arch_prctl": (158, None),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    "getcpu": (309, 168),
    # files
    "read": (0, 63),
    "pread64": (17, 67),
    "readv": (19, 65),
    "preadv": (295, 69),
    "preadv2": (327, 286),
    "write": (1, 64),
    "pwrite64": (18, 68),
    "writev": (20, 66),
    "pwritev": (296, 70),
    "pwritev2": (328, 287),
    "close": (3, 57),
    "close_range": (436, 436),
    "lseek": (8, 62),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getdents": (78, None),
    "getdents64": (217, 61),
    "getcwd": (79, 17),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "ftruncate": (77, 46),
    "fallocate": (285, 47),
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "flock": (73, 32),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "eventfd": (284, None),
    "eventfd2": (290, 19),
    "umask": (95, 166),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "cachestat": (451, 451),
    # waiting
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441),
    "pause": (34, None),
    "wait4": (61, 260),
    "waitid": (247, 95),
    # time
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "setitimer": (38, 103),
    "getitimer": (36, 102),
    "alarm": (37, None),
    # signals
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    # about itself and the machine
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getpgid": (121, 155),
    "getpgrp": (111, None),
    "getsid": (124, 156),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getgroups": (115, 158),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getpriority": (140, 141),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "getrandom": (318, 278),
    "capget": (125, 90),
}

# Allowed with some arguments only, or answered in a way of their own: see `seccomp`.
OPEN: Final[Numbers] = (2, None)
OPENAT: Final[Numbers] = (257, 56)
CLONE: Final[Numbers] = (56, 220)
CLONE3: Final[Numbers] = (435, 435)
OPENAT2: Final[Numbers] = (437, 437)
FCNTL: Final[Numbers] = (72, 25)
IOCTL: Final[Numbers] = (16, 29)
PRCTL: Final[Numbers] = (157, 167)
PRLIMIT64: Final[Numbers] = (302, 261)
SCHED_SETAFFINITY: Final[Numbers] = (203, 122)
TGKILL: Final[Numbers] = (234, 131)
RECVMSG: Final[Numbers] = (47, 212)

# Called by number, for the C library has no function for them.
CAPSET: Final[Numbers] = (126, 91)
SECCOMP: Final[Numbers] = (317, 277)
LANDLOCK_CREATE_RULESET: Final = 444
LANDLOCK_ADD_RULE: Final = 445
LANDLOCK_RESTRICT_SELF: Final = 446
