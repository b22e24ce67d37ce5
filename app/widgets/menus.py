"""Menus and other popups with rounded corners."""

from functools import cache
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from core.addresses import readable_path


class Menu(QMenu):
    """A menu in the program's style."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        round_corners(self)

    def add_heading(self, text: str) -> None:
        """Add a heading, which cannot be chosen."""
        if self.actions():
            self.addSeparator()
        self.addAction(text).setEnabled(False)


def round_corners(popup: QWidget) -> None:
    """Let the screen show through the corners of a popup, which the style sheet rounds.

    Without a compositor they would be black, so that the corners stay square there.
    """
    # The system's shadow would be that of a rectangle.
    popup.setWindowFlag(Qt.WindowType.FramelessWindowHint)
    popup.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)
    is_rounded = _has_compositor()
    popup.setProperty("rounded", "true" if is_rounded else "false")
    popup.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, is_rounded)


@cache
def _has_compositor() -> bool:
    """Return whether windows can be transparent; an X server without a compositor cannot do it."""
    if QGuiApplication.platformName() != "xcb":
        return True
    import ctypes

    try:
        xlib = ctypes.CDLL("libX11.so.6")
    except OSError:
        return True
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    xlib.XInternAtom.restype = xlib.XGetSelectionOwner.restype = ctypes.c_ulong
    display = ctypes.c_void_p(xlib.XOpenDisplay(None))
    if display.value is None:
        return True
    # Held by the compositor of the first screen.
    atom = ctypes.c_ulong(xlib.XInternAtom(display, b"_NET_WM_CM_S0", 0))
    owner: int = xlib.XGetSelectionOwner(display, atom)
    xlib.XCloseDisplay(display)
    return owner != 0


def copy_path(path: Path) -> None:
    """Copy a path to the clipboard."""
    QGuiApplication.clipboard().setText(readable_path(path))
