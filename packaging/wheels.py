"""Build the source archive and the wheel in `dist/`, and test the wheel.

Run by `dev.py package` with the interpreter of the project's virtual environment.
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
"""Top-level packages of the wheel."""


class WheelError(Exception):
    """The wheel cannot be released; the message gives the reason."""


def missing_from_wheel(wheel: Path, resources: Path) -> list[str]:
    """Return the files below `resources` that the wheel lacks, without hidden ones."""
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    needed = (path.relative_to(resources.parent) for path in resources.rglob("*") if path.is_file())
    return sorted(
        path.as_posix()
        for path in needed
        if path.as_posix() not in packed
        and not any(part.startswith((".", "__pycache__")) for part in path.parts)
    )


def foreign_to_wheel(wheel: Path) -> list[str]:
    """Return top-level names in the wheel that are not in `PROGRAM`, such as `lab` and tests."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    return sorted(top for top in tops - PROGRAM if not top.endswith(".dist-info"))


def install(wheel: Path, environment: Path) -> Path:
    """Install the wheel in a new virtual environment, and return the path of its `winnow`.

    The dependencies are those of the current interpreter.
    """
    builder = venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt")
    context = builder.ensure_directories(environment)
    builder.create(environment)
    python = Path(context.env_exe)
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(python), "install"]
    wanted = [*pip, "--no-deps", "--no-index", str(wheel)]
    subprocess.run(wanted, env=_environment_without_checkout(), check=True)
    # After pip, which would otherwise find the editable Winnow of the checkout. It is not visible
    # later either: Python ignores .pth files in folders that a .pth file adds.
    variables = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", "venv", variables))
    dependencies = f"{sysconfig.get_path('purelib')}\n"
    (packages / "dependencies.pth").write_text(dependencies, encoding="utf-8")
    return Path(context.bin_path) / ("winnow.exe" if os.name == "nt" else "winnow")


def _environment_without_checkout() -> dict[str, str]:
    """Return the environment variables without PYTHONPATH.

    Otherwise pip would find Winnow in the checkout and install nothing.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def build(folder: Path) -> Path:
    """Build both files in `folder`, and return the wheel.

    The wheel is built from the source archive, which shows that the archive is complete.

    Raises:
        WheelError: the build failed.
    """
    # setuptools also packs files listed by an earlier build, which a fresh checkout would not.
    (ROOT / "winnow.egg-info" / "SOURCES.txt").unlink(missing_ok=True)
    built = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", folder, ROOT],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if built.returncode:
        raise WheelError(f"{built.stdout}\nBuilding the wheel failed; see the output above.")
    (wheel,) = folder.glob("*.whl")
    return wheel


def check(wheel: Path, folder: Path) -> str:
    """Install the wheel below `folder`, and return the output of `winnow --version --verbose`.

    Raises:
        WheelError: resources are missing, other packages are included, or Winnow does not start.
    """
    missing = missing_from_wheel(wheel, ROOT / "resources")
    if missing:
        raise WheelError(f"{wheel.name} lacks {', '.join(missing)}; see pyproject.toml.")
    foreign = foreign_to_wheel(wheel)
    if foreign:
        raise WheelError(f"{wheel.name} also contains {', '.join(foreign)}; see pyproject.toml.")
    winnow = install(wheel, folder / "venv")
    version = wheel.name.split("-")[1]
    started = subprocess.run(
        [winnow, "--version", "--verbose"],
        cwd=folder,
        env={**_environment_without_checkout(), "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if started.returncode or version not in started.stdout:
        raise WheelError(
            f"`winnow --version --verbose` from {wheel.name} did not print {version}:\n"
            f"{started.stdout}"
        )
    return started.stdout.strip()


def main() -> int:
    """Build and test the wheel, then copy both files to `dist/`."""
    with tempfile.TemporaryDirectory(prefix="winnow-package-") as temporary:
        folder = Path(temporary)
        try:
            print("Building the source archive and the wheel.", flush=True)
            wheel = build(folder / "dist")
            print("Testing the wheel in a new environment.", flush=True)
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
