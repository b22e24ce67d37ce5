"""The options of `dev.py package`; standard library only, so that --help needs no environment."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

# Names the AppImage runtime.
RUNTIME_VARIABLE: Final = "WINNOW_APPIMAGE_RUNTIME"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    options = argparse.ArgumentParser(prog="dev.py package", description="Build and test packages.")
    options.add_argument(
        "--wheels", action="store_true", help="build only the wheel and the source archive"
    )
    options.add_argument("--frozen", action="store_true", help="stop after freezing the program")
    options.add_argument(
        "--chroot",
        nargs="*",
        metavar="RELEASE",
        help="also test the Debian package in a minimal system (default: this machine's release)",
    )
    options.add_argument("--twice", action="store_true", help="build twice and compare the bytes")
    options.add_argument(
        "--no-install", action="store_true", help="do not install the Debian package"
    )
    options.add_argument("--appimage", action="store_true", help="also build an AppImage")
    options.add_argument("--rpm", action="store_true", help="also build an RPM package")
    options.add_argument(
        "--runtime",
        type=Path,
        metavar="FILE",
        help=f"AppImage runtime (default: ${RUNTIME_VARIABLE})",
    )
    options.add_argument("--own-runtime", action="store_true", help="accept any AppImage runtime")
    options.add_argument(
        "--release",
        type=Path,
        metavar="FOLDER",
        help="build nothing; write the checksums of a release",
    )
    return options


if __name__ == "__main__":
    parser().parse_args()
