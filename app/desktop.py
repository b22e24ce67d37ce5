"""Where the desktop is spoken to, and how it is told which window is ours."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def bus_address() -> str:
    """Give the address of the desktop's message bus; "" where desktops have none."""
    if sys.platform in ("win32", "darwin"):
        return ""
    return os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")


def portal_name(window: QWidget) -> str:
    """The window as portals name it; "" where only the desktop's own toolkits can name one."""
    if QGuiApplication.platformName() == "xcb":
        return f"x11:{int(window.winId()):x}"
    return ""
