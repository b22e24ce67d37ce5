"""What Winnow needs from a Linux system: libraries and fonts for Qt, and a C compiler.

Standard library only, because `dev.py` imports it before the environment exists.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from core.index.native.compiler import find_compiler

# Libraries that Qt's plug-ins load from the system, and their Debian packages.
LIBRARIES = {
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
}
FONT_PACKAGE = "fonts-dejavu-core"
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
COMPILER_PACKAGES = ("gcc", "libc6-dev")
FONT_SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".pfb"})


def can_load(library: str) -> bool:
    """Return whether a shared library can be loaded."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_font(folders: Iterable[str] = FONT_FOLDERS) -> bool:
    """Return whether any folder contains a font; without one Qt draws empty boxes."""
    return any(
        Path(name).suffix.lower() in FONT_SUFFIXES
        for folder in folders
        for _, _, names in os.walk(Path(folder).expanduser())
        for name in names
    )


def missing_packages(
    loads: Callable[[str], bool] = can_load,
    fonts: Callable[[], bool] = has_font,
    compiler: Callable[[], str | None] = find_compiler,
) -> list[str]:
    """Return the Debian packages of the missing libraries, fonts and compiler."""
    missing = [package for library, package in LIBRARIES.items() if not loads(library)]
    if not fonts():
        missing.append(FONT_PACKAGE)
    return missing if compiler() else [*missing, *COMPILER_PACKAGES]
