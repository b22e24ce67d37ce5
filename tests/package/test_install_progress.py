"""Tests of the progress bar, with real output of pip and uv."""

from __future__ import annotations

import io
import itertools

import pytest

from tools.install_progress import InstallProgress

PIP = """\
Ignoring colorama: markers 'sys_platform == "win32"' don't match your environment
Collecting click==8.5.1 (from -r base.txt (line 535))
  Downloading click-8.5.1-py3-none-any.whl (126 kB)
Collecting faiss-cpu==1.15.1 (from -r base.txt (line 544))
  Downloading faiss_cpu-1.15.1-cp310-abi3-manylinux_2_28_x86_64.whl.metadata (7 kB)
  Downloading faiss_cpu-1.15.1-cp310-abi3-manylinux_2_28_x86_64.whl (18.8 MB)
Collecting idna==3.20 (from -r base.txt (line 599))
  Using cached idna-3.20-py3-none-any.whl (69 kB)
Requirement already satisfied: pip==26.3 in ./site-packages (from -r base.txt (line 9)) (26.3)
Installing collected packages: idna, faiss-cpu, click
Successfully installed click-8.5.1 faiss-cpu-1.15.1 idna-3.20
"""
UV = """\
Using Python 3.11.7 environment at: v1
Resolved 60 packages in 843ms
Downloading brotli (1.4MiB)
Downloading numpy (16.1MiB)
 Downloaded brotli
 Downloaded numpy
Prepared 60 packages in 6.10s
Installed 60 packages in 333ms
 + anyio==4.16.0
"""
TORCH = """\
Collecting torch==2.13.0
  Downloading torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl (500.0 MB)
Progress 0 of 500000000
Progress 250000000 of 500000000
Progress 500000000 of 500000000
Installing collected packages: torch
"""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(output: str, total: int | None, out: io.StringIO) -> list[str]:
    """The lines or, on a terminal, the states of the one line."""
    progress = InstallProgress(total, out)
    for line in output.splitlines():
        progress.read(line)
    progress.close()
    return out.getvalue().removesuffix("\n").replace("\n", "\r").removeprefix("\r").split("\r")


def test_pip_without_a_terminal_prints_a_line_per_download() -> None:
    assert shown(PIP, 5, io.StringIO()) == [
        "  1 of 4: click 8.5.1, 0.1 MB",
        "  2 of 4: faiss_cpu 1.15.1, 19 MB",
        "  Writing the files; 19 MB downloaded.",
    ]


def test_uv_without_a_terminal_prints_a_line_per_download() -> None:
    assert shown(UV, 5, io.StringIO()) == [
        "  1.5 MB of 18 MB: brotli, 1.5 MB",
        "  18 MB of 18 MB: numpy, 17 MB",
        "  Writing the files; 18 MB downloaded.",
    ]


def test_pip_on_a_terminal_fills_a_bar() -> None:
    states = shown(PIP, 5, Terminal())
    assert states[0].rstrip() == "  [........................] 0 of 4 packages, 0.0 MB"
    assert states[-2].rstrip() == "  [##################......] 3 of 4 packages, 19 MB"
    assert states[-1].rstrip() == "  [########################] 19 MB, writing the files"


def test_packages_from_a_cache_are_not_counted_in_megabytes() -> None:
    output = "Resolved 1 package in 3ms\nPrepared 1 package in 9ms\n"
    assert shown(output, 1, io.StringIO()) == ["  Writing the files."]


def test_uv_on_a_terminal_says_how_much_is_left() -> None:
    states = shown(UV, 5, Terminal())
    assert "  [#.......................] 1.5 MB of 18 MB" in [state.rstrip() for state in states]


def test_a_large_download_moves_the_bar() -> None:
    states = [state.rstrip() for state in shown(TORCH, None, Terminal())]
    assert "  [############............] 0 packages, 250 MB" in states
    assert "  [########################] 0 packages, 500 MB" in states


@pytest.mark.parametrize("output", [PIP, UV, TORCH])
def test_a_shorter_line_covers_a_longer_one(output: str) -> None:
    states = shown(output, 5, Terminal())
    for before, after in itertools.pairwise(states):
        assert len(after) >= len(before.rstrip())


@pytest.mark.parametrize("output", [PIP, UV])
def test_files_are_written_after_all_downloads(output: str) -> None:
    progress = InstallProgress(5, io.StringIO())
    before, marker, after = output.partition("Installing collected")
    if not marker:
        before, marker, after = output.partition("Prepared")
    for line in before.splitlines():
        progress.read(line)
    assert not progress.is_writing
    progress.read((marker + after).splitlines()[0])
    assert progress.is_writing
