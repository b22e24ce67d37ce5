"""The progress of an installation, read from the output of pip or uv.

Standard library only: `dev.py` shows it before anything is installed.
"""

from __future__ import annotations

import re
from typing import Final, TextIO

_WIDTH: Final = 24  # characters of the bar
_SIZE: Final = r"\(([\d.]+) ?(bytes|[kMG]i?B)\)"
_UNITS: Final = {
    "bytes": 1,
    "kB": 1e3,
    "KiB": 2**10,
    "MB": 1e6,
    "MiB": 2**20,
    "GB": 1e9,
    "GiB": 2**30,
}
_PIP_SKIPS: Final = re.compile(r"Ignoring \S+: markers ")
_PIP_BEGINS: Final = re.compile(r"(?:Collecting|Processing|Requirement already satisfied:) ")
_PIP_DOWNLOADS: Final = re.compile(rf"\s+Downloading (\S+)(?<!\.metadata) {_SIZE}")
_PIP_RECEIVES: Final = re.compile(r"Progress (\d+) of (\d+)$")  # with --progress-bar raw
_PIP_WRITES: Final = re.compile(r"Installing collected packages: ")
_UV_RESOLVES: Final = re.compile(r"Resolved (\d+) packages?")
_UV_DOWNLOADS: Final = re.compile(rf"Downloading (\S+) {_SIZE}")
_UV_DOWNLOADED: Final = re.compile(r" Downloaded (\S+)")
_UV_WRITES: Final = re.compile(r"Prepared \d+ packages?")


class InstallProgress:
    """How far an installation is: a bar on a terminal, otherwise one line per package.

    pip names each package when its download begins. uv downloads several packages at a time, and
    names the large ones with their sizes at the beginning, so that the rest is known in megabytes.

    Attributes:
        is_writing: whether everything was downloaded and files of packages are being written.
    """

    def __init__(self, total: int | None, out: TextIO) -> None:
        """Start at zero of `total` packages (None: unknown); `out` is a terminal or a file."""
        self.is_writing = False
        self._total = total
        self._out = out
        self._is_terminal = out.isatty()
        self._shown = 0  # characters of the bar's line on the terminal
        self._started = 0
        self._downloaded = 0.0  # bytes
        self._announced: dict[str, float] = {}  # bytes of uv's downloads by package
        self._received = (0.0, 0.0)  # bytes of pip's present download, and its size

    def read(self, line: str) -> None:
        """Take in one line that pip or uv printed."""
        if received := _PIP_RECEIVES.match(line):
            self._received = float(received[1]), float(received[2])
            self._draw()
        elif _PIP_SKIPS.match(line) and self._total:
            self._total -= 1
        elif resolved := _UV_RESOLVES.match(line):
            self._total = int(resolved[1])
        elif _PIP_BEGINS.match(line):
            self._started += 1
            self._received = 0.0, 0.0
            self._draw()
        elif download := _PIP_DOWNLOADS.match(line):
            size = _bytes(download)
            self._downloaded += size
            of = "" if self._total is None else f" of {self._total}"
            name, version = (*download[1].split("-"), "")[:2]
            self._report(f"{self._started}{of}: {name} {version}, {_megabytes(size)}")
        elif download := _UV_DOWNLOADS.match(line):
            self._announced[download[1]] = _bytes(download)
            self._draw()
        elif downloaded := _UV_DOWNLOADED.match(line):
            size = self._announced.get(downloaded[1], 0)
            self._downloaded += size
            of = f"{_megabytes(self._downloaded)} of {_megabytes(sum(self._announced.values()))}"
            self._report(f"{of}: {downloaded[1]}, {_megabytes(size)}")
        elif _PIP_WRITES.match(line) or _UV_WRITES.match(line):
            self.is_writing = True
            done = f"; {_megabytes(self._downloaded)} downloaded" if self._downloaded else ""
            self._report(f"Writing the files{done}.")

    def close(self) -> None:
        """End the line of the bar, so that what follows begins on a new one."""
        if self._shown:
            self._out.write("\n")
            self._out.flush()
            self._shown = 0

    def _report(self, line: str) -> None:
        if self._is_terminal:
            self._draw()
        else:
            self._out.write(f"  {line}\n")
            self._out.flush()

    def _draw(self) -> None:
        if self._is_terminal:
            line = self._bar()
            self._out.write(f"\r{line:<{self._shown}}")
            self._out.flush()
            self._shown = len(line)

    def _bar(self) -> str:
        """Return the line for a terminal."""
        announced = sum(self._announced.values())
        # pip names a package before it has arrived.
        arrived = max(self._started - 1, 0)
        received, size = self._received
        present = self._downloaded - size + received
        if self.is_writing:
            share, text = 1.0, f"{_megabytes(self._downloaded)}, writing the files"
        elif announced:
            share = self._downloaded / announced
            text = f"{_megabytes(self._downloaded)} of {_megabytes(announced)}"
        elif self._total:
            share = min(arrived / self._total, 1.0)
            text = f"{arrived} of {_packages(self._total)}, {_megabytes(present)}"
        else:
            share = received / size if size else 0.0
            text = f"{_packages(arrived)}, {_megabytes(present)}"
        full = int(share * _WIDTH)
        return f"  [{'#' * full}{'.' * (_WIDTH - full)}] {text}"


def _bytes(match: re.Match[str]) -> float:
    return float(match[2]) * _UNITS[match[3]]


def _megabytes(size: float) -> str:
    return f"{size / 1e6:.1f} MB" if size < 1e7 else f"{size / 1e6:.0f} MB"


def _packages(count: int) -> str:
    return "1 package" if count == 1 else f"{count} packages"
