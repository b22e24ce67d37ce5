"""Lock files in `requirements/`: every package that is installed, with its version and hashes.

There is one file per set of packages. pip and uv both read them, on every platform. torch is not
locked, because the right build of it depends on the machine. Standard library only.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "requirements"

# What each set includes besides its own packages.
INCLUDED: Final[Mapping[str, Sequence[str]]] = {
    "base": (),
    "gpu": ("base",),
    "dev": ("base", "gpu"),
}
# The sets with torch, and its version: the one that the tests run with.
WITH_TORCH: Final = frozenset({"gpu", "dev"})
TORCH: Final = "torch==2.13.0"

HEADER: Final = """\
# Written by `python3 dev.py lock`; do not edit.
# torch is missing, with the CUDA packages that it installs: its build depends on the machine.
"""
_UNLOCKED: Final = re.compile(r"torch|triton|(?:nvidia|cuda)-.+")
_NAME: Final = re.compile(r"^[A-Za-z0-9][\w.-]*")


def lock_file(name: str) -> Path:
    """Return the lock file of a set of packages."""
    return FOLDER / f"{name}.txt"


def entries(text: str) -> dict[str, list[str]]:
    """Return the entries of a lock file by package name, each in one line.

    A package has several entries if its version depends on the Python version or the system.
    """
    found: dict[str, list[str]] = {}
    joined = re.sub(r"\\\n\s*", "", text)
    for line in joined.splitlines():
        if name := _NAME.match(line):
            found.setdefault(name[0].lower(), []).append(line)
    return found


def without_torch(text: str) -> str:
    """Return the text of a lock file without torch and its CUDA packages."""
    lines = []
    is_locked = True
    for line in text.splitlines(keepends=True):
        if name := _NAME.match(line):
            is_locked = _UNLOCKED.fullmatch(name[0]) is None
        if is_locked:
            lines.append(line)
    return "".join(lines)


def refresh(uv: str) -> None:
    """Write all lock files with the newest versions in the ranges of `pyproject.toml`.

    The smaller sets get the versions of the largest one, so that one set can be installed over
    another.

    Raises:
        subprocess.CalledProcessError: uv failed; its messages are on standard error.
    """
    import tomllib  # missing from the Pythons that dev.py refuses

    with (ROOT / "pyproject.toml").open("rb") as file:
        build = tomllib.load(file)["build-system"]["requires"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "build.in").write_text("\n".join(build), encoding="utf-8")
        constraints = folder / "constraints.txt"
        constraints.write_text(TORCH, encoding="utf-8")
        written = {}
        for name in sorted(INCLUDED, key=lambda name: -len(INCLUDED[name])):
            out = folder / f"{name}.txt"
            command: list[str | Path] = [uv, "pip", "compile", "--quiet", "--upgrade"]
            command += ["--universal", "--generate-hashes", "--no-emit-index-url", "--no-header"]
            command += ["--no-annotate", "--constraints", constraints, "--output-file", out]
            command += [] if name == "base" else ["--extra", name]
            command += [ROOT / "pyproject.toml", folder / "build.in"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            written[name] = out.read_text(encoding="utf-8")
            constraints = folder / "dev.txt"
    FOLDER.mkdir(exist_ok=True)
    for name, text in written.items():
        lock_file(name).write_text(HEADER + without_torch(text), encoding="utf-8", newline="\n")
