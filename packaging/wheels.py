"""Builds the source archive and the wheel into `dist/` and proves that the wheel works.

Started by `dev.py package` with the interpreter of the project's virtual environment.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent

PROGRAM: Final = frozenset({"app", "core", "resources"})
"""The packages that the wheel has."""


class WheelError(Exception):
    """The wheel is not fit to be given away; the message says why."""


def missing_resources(wheel: Path, resources: Path) -> list[str]:
    """The files below `resources` that did not travel in the wheel (hidden ones need not)."""
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    needed = (path.relative_to(resources.parent) for path in resources.rglob("*") if path.is_file())
    return sorted(
        path.as_posix()
        for path in needed
        if path.as_posix() not in packed
        and not any(part.startswith((".", "__pycache__")) for part in path.parts)
    )


def unexpected_packages(wheel: Path) -> list[str]:
    """Return what is at the wheel's top and not of the program: `lab`, tests and tools stay out."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    return sorted(top for top in tops - PROGRAM if not top.endswith(".dist-info"))


def install(wheel: Path, environment: Path) -> Path:
    """Install the wheel into a new virtual environment; gives the path of its `winnow`.

    The dependencies are those of the interpreter that runs this.
    """
    builder = venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt")
    context = builder.ensure_directories(environment)
    builder.create(environment)
    python = Path(context.env_exe)
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(python), "install"]
    wanted = [*pip, "--no-deps", "--no-index", str(wheel)]
    subprocess.run(wanted, env=_environment_without_checkout(), check=True)
    # Only now, or pip would take the checkout's editable Winnow for the one to install. That one
    # stays out all the same: of a folder named in a .pth file Python reads no further .pth files.
    variables = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", "venv", variables))
    dependencies = f"{sysconfig.get_path('purelib')}\n"
    (packages / "dependencies.pth").write_text(dependencies, encoding="utf-8")
    return Path(context.bin_path) / ("winnow.exe" if os.name == "nt" else "winnow")


def _environment_without_checkout() -> dict[str, str]:
    """The variables of this process without the checkout's folder for modules.

    With it pip would take the checkout's Winnow for the one that is asked for, and install none.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def build(folder: Path) -> Path:
    """Build both files into `folder`; gives the wheel.

    From the tree the source archive, from that the wheel: so the archive is whole, too.

    Raises:
        WheelError: they could not be built.
    """
    # setuptools packs whatever an earlier build listed here: what a fresh checkout would leave out
    # must be missing now as well.
    (ROOT / "winnow.egg-info" / "SOURCES.txt").unlink(missing_ok=True)
    built = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", folder, ROOT],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if built.returncode:
        raise WheelError(f"{built.stdout}\nThe wheel could not be built; the reason stands above.")
    (wheel,) = folder.glob("*.whl")
    return wheel


def check(wheel: Path, folder: Path) -> str:
    """Install the wheel below `folder`, away from the checkout, and start Winnow from there.

    Gives what `winnow --version` printed.

    Raises:
        WheelError: resources are missing from the wheel, it holds more than the program, or it does
            not start.
    """
    missing = missing_resources(wheel, ROOT / "resources")
    if missing:
        raise WheelError(f"{wheel.name} lacks {', '.join(missing)}: see pyproject.toml.")
    foreign = unexpected_packages(wheel)
    if foreign:
        raise WheelError(f"{wheel.name} also holds {', '.join(foreign)}: see pyproject.toml.")
    winnow = install(wheel, folder / "venv")
    version = wheel.name.split("-")[1]
    started = subprocess.run(
        [winnow, "--version"],
        cwd=folder,
        env={**_environment_without_checkout(), "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if started.returncode or version not in started.stdout:
        raise WheelError(
            f"`winnow --version` from {wheel.name} did not print {version}:\n{started.stdout}"
        )
    return started.stdout.strip()


def main() -> int:
    """Build, prove, and only then put both files into `dist/`."""
    with tempfile.TemporaryDirectory(prefix="winnow-package-") as temporary:
        folder = Path(temporary)
        try:
            print("Building the source archive and the wheel.", flush=True)
            wheel = build(folder / "dist")
            print("Trying the wheel out in an environment of its own.", flush=True)
            print(f"winnow --version: {check(wheel, folder)}")
        except WheelError as error:
            print(error, file=sys.stderr)
            return 1
        (ROOT / "dist").mkdir(exist_ok=True)
        for path in sorted(wheel.parent.iterdir()):
            shutil.copy2(path, ROOT / "dist" / path.name)
            print(f"dist/{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
