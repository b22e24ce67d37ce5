"""Find the windows on an X screen by asking the X server, including other programs' windows."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import os
import subprocess
import time
from collections.abc import Mapping, Sequence

_POLL_S = 0.005
# Pixels. Invisible helper windows are smaller in one dimension.
_LARGE = 150
_VIEWABLE = 2
_TIMEOUT_S = 60.0


class _Attributes(ctypes.Structure):
    """XWindowAttributes of Xlib.h."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("x", "y", "width", "height", "border", "depth")),
        ("visual", ctypes.c_void_p),
        ("root", ctypes.c_ulong),
        *((name, ctypes.c_int) for name in ("kind", "bit_gravity", "win_gravity", "backing")),
        ("planes", ctypes.c_ulong),
        ("pixel", ctypes.c_ulong),
        ("save_under", ctypes.c_int),
        ("colormap", ctypes.c_ulong),
        ("is_installed", ctypes.c_int),
        ("map_state", ctypes.c_int),
        *((name, ctypes.c_long) for name in ("all_events", "own_events", "unpropagated")),
        ("override_redirect", ctypes.c_int),
        ("screen", ctypes.c_void_p),
    )
    width: int
    height: int
    map_state: int


class Screen:
    """The screen that DISPLAY names; close it after use.

    Raises:
        OSError: there is no X library, or no X server responds.
    """

    def __init__(self) -> None:
        name = ctypes.util.find_library("X11")
        if name is None:
            raise OSError("Windows are looked for by libX11, which is not installed here.")
        self._x = x = ctypes.CDLL(name)
        x.XOpenDisplay.restype = ctypes.c_void_p
        x.XDefaultRootWindow.restype = ctypes.c_ulong
        # A window may close between two requests; Xlib would end the process then.
        self._ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(
            lambda _display, _error: 0
        )
        x.XSetErrorHandler(self._ignore)
        display: int | None = x.XOpenDisplay(None)
        if display is None:
            raise OSError("No X server answers: start this under xvfb-run.")
        self._display = ctypes.c_void_p(display)

    def windows(self) -> set[int]:
        """Return the ids of the large visible windows, with or without a window manager."""
        root = ctypes.c_ulong(self._x.XDefaultRootWindow(self._display))
        return {window for window in self._children(root) if self._is_seen(window)}

    def close(self) -> None:
        self._x.XCloseDisplay(self._display)

    def _children(self, window: ctypes.c_ulong) -> list[int]:
        root, parent = ctypes.c_ulong(), ctypes.c_ulong()
        children = ctypes.POINTER(ctypes.c_ulong)()
        count = ctypes.c_uint()
        if not self._x.XQueryTree(
            self._display,
            window,
            *map(ctypes.byref, (root, parent, children, count)),
        ):
            return []
        numbers = children[: count.value] if count.value else []
        if count.value:
            self._x.XFree(children)
        return [*numbers]

    def _is_seen(self, window: int) -> bool:
        attributes = _Attributes()
        if not self._x.XGetWindowAttributes(
            self._display, ctypes.c_ulong(window), ctypes.byref(attributes)
        ):
            return False
        return (
            attributes.map_state == _VIEWABLE and min(attributes.width, attributes.height) >= _LARGE
        )


def seconds_to_window(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> float:
    """Start a program, measure the seconds until its window is on the screen, and end it.

    Raises:
        OSError: no X server responds, the program cannot be started, or it ended without a window.
        TimeoutError: it has no window after a minute.
    """
    screen = Screen()
    try:
        before = screen.windows()
        began_s = time.monotonic()
        program = subprocess.Popen(
            [*command],
            env={**(os.environ if environment is None else environment)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while not screen.windows() - before:
                if time.monotonic() - began_s > _TIMEOUT_S:
                    raise TimeoutError(f"{command[0]} has no window after a minute.")
                with contextlib.suppress(subprocess.TimeoutExpired):
                    program.wait(_POLL_S)
                    raise OSError(f"{command[0]} ended without a window.")
            return time.monotonic() - began_s
        finally:
            program.terminate()
            program.wait(_TIMEOUT_S)
    finally:
        screen.close()
