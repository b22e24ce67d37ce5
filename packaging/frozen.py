"""The program as a folder that needs no Python: made by PyInstaller, and looked over."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import contents

BUILD: Final = contents.ROOT / "build" / "package"

# What PyInstaller and its hooks say that is no news, as regular expressions.
EXPECTED_WARNINGS: Final = (
    # Asked for on Windows only.
    r"Library (shell32|ole32|ntdll|user32|kernel32|advapi32|msvcrt) required via ctypes not found",
    # Made by older versions of pycparser; and what newer Pythons take in distutils' place.
    r'Hidden import "(pycparser\.(lex|yacc)tab|setuptools\._distutils)" not found',
    # Of a plug-in that stays out.
    r"could not resolve 'lib(gtk|gdk)-3\.so\.0', dependency of .*libqgtk3\.so",
)
STRIPPED: Final = (
    "_internal/libpython*",
    "_internal/python*/lib-dynload/*.so",
    "_internal/llvmlite/binding/*.so",
)
_WARNING: Final = re.compile(r"^\d+ (?:WARNING|ERROR|DEPRECATION): (.*)$", re.MULTILINE)
_ELF: Final = b"\x7fELF"


class PackageError(Exception):
    """The package is not fit to be given away; the message says why."""


@dataclass(frozen=True)
class Frozen:
    """A frozen program.

    Attributes:
        folder: with the program in it, ready to be copied anywhere.
        entries: what lies in it, by where it came from.
        packages: the site-packages of the environment that it was frozen in.
    """

    folder: Path
    entries: tuple[contents.Entry, ...]
    packages: Path

    @property
    def licences(self) -> Path:
        """Where in it the licences of all that travels lie."""
        if sys.platform == "darwin":
            bundle = self.folder.with_name(f"{contents.TITLE}.app")
            return bundle / "Contents" / "Resources" / "licenses"
        return self.folder / "_internal" / "licenses"


def freeze() -> Frozen:
    """Freeze the checkout.

    Raises:
        PackageError: PyInstaller failed or warned, or a library lacks one that it needs.
    """
    python = make_environment(BUILD / "environment")
    model = converted_model(BUILD / "model")
    guide = BUILD / "guide"
    run(
        [sys.executable, contents.ROOT / "docs" / "build.py", guide],
        {"PYTHONPATH": str(contents.ROOT)},
    )
    listed = BUILD / "contents.json"
    settings = {
        "WINNOW_PACKAGED_GUIDE": str(guide),
        "WINNOW_PACKAGED_MODEL": str(model),
        "WINNOW_PACKAGED_LIST": str(listed),
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": str(source_date()),
    }
    if sys.platform != "linux":
        settings["WINNOW_PACKAGED_ICON"] = str(BUILD / "icons" / icon_name())
    spec = contents.ROOT / "packaging" / "winnow.spec"
    places: list[str | Path] = ["--workpath", BUILD / "work", "--distpath", BUILD / "frozen"]
    output = run([python, "-m", "PyInstaller", "--noconfirm", *places, spec], settings)
    if unexpected := unexpected_warnings(output):
        raise PackageError("PyInstaller warns:\n" + "\n".join(unexpected))
    folder = BUILD / "frozen" / contents.NAME
    if sys.platform == "linux":
        strip(folder)
        if missing := missing_libraries(folder):
            raise PackageError("Libraries are missing:\n" + "\n".join(missing))
    entries = tuple((one, two, three) for one, two, three in json.loads(listed.read_text("utf-8")))
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run([python, "-c", asked], quiet=True).strip())
    return Frozen(folder, entries, packages)


def icon_name() -> str:
    return "winnow.ico" if sys.platform == "win32" else "winnow.icns"


def requirements(pyproject: str) -> list[str]:
    """What is installed for the program: the dependencies but those that it does without."""
    project = tomllib.loads(pyproject)["project"]
    asked = list(project["dependencies"])
    for extra in contents.EXTRAS:
        asked += project["optional-dependencies"][extra]
    apart = {*contents.NOT_INSTALLED, *contents.WITHOUT_DEPENDENCIES}
    return [one for one in asked if name_of(one) not in apart]


def name_of(requirement: str) -> str:
    """The package that a requirement names.

    >>> name_of("PySide6-Essentials>=6.11,<6.12"), name_of("rapidocr")
    ('pyside6-essentials', 'rapidocr')
    """
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()


def make_environment(folder: Path) -> Path:
    """An environment with what the program needs, of the versions that it is tested with.

    Gives its interpreter. It is made anew where any of that has changed.
    """
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    tested = run([*pip, "freeze", "--exclude-editable"], quiet=True)
    project = tomllib.loads((contents.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = requirements((contents.ROOT / "pyproject.toml").read_text("utf-8"))
    asked += project["optional-dependencies"]["package"]
    stamp = hashlib.sha256(json.dumps([asked, tested, sys.version]).encode()).hexdigest()
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    noted = folder / "made-for"
    if noted.is_file() and noted.read_text("utf-8") == stamp:
        return python
    say("Making an environment with what the program needs.")
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    constraints = folder / "tested.txt"
    constraints.write_text(tested, encoding="utf-8")
    install: list[str | Path] = [
        *pip,
        "--quiet",
        "--python",
        python,
        "install",
        "--constraint",
        constraints,
    ]
    run([*install, *asked], quiet=True)
    run([*install, "--no-deps", *contents.WITHOUT_DEPENDENCIES], quiet=True)
    noted.write_text(stamp, encoding="utf-8")
    return python


def converted_model(folder: Path) -> Path:
    """The built-in model as OpenVINO takes it, in a folder in `folder` named by its fingerprint.

    Shipped instead of the weights, of which it needs half the space.
    """
    from core.encoders import conversion
    from core.encoders.layouts import load_checkpoint

    os.environ["WINNOW_CACHE"] = str(BUILD / "cache")
    checkpoint = load_checkpoint(contents.MODEL)
    made = folder / conversion.conversion_fingerprint(checkpoint)
    if not made.is_dir():
        say("Converting the model.")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(conversion.converted(checkpoint).parent, made)
    return made


def unexpected_warnings(output: str) -> list[str]:
    """What PyInstaller warned of, without what is no news."""
    return [
        warning
        for warning in _WARNING.findall(output)
        if not any(re.search(pattern, warning) for pattern in EXPECTED_WARNINGS)
    ]


def elf_files(folder: Path) -> list[Path]:
    """The programs and libraries below `folder`, links left out."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == _ELF:
                    found.append(path)
    return found


def strip(folder: Path) -> None:
    """Take out of some libraries what only a debugger reads, 36 MB, and where they were built.

    Not out of all: those inside wheels were patched, and do not survive it.
    """
    for pattern in STRIPPED:
        for path in folder.glob(pattern):
            if not path.is_symlink():
                run(["strip", "--strip-unneeded", path], quiet=True)
                if "llvmlite" not in pattern:
                    run(["patchelf", "--remove-rpath", path], quiet=True)


def missing_libraries(folder: Path) -> list[str]:
    """What `ldd` does not find for the programs and libraries below `folder`, a sentence each."""
    files = elf_files(folder)
    # As the program itself has it: libraries that several packages bring lie there once.
    shared = {"LD_LIBRARY_PATH": str(folder / "_internal")}
    with ThreadPoolExecutor() as pool:
        outputs = pool.map(lambda path: run(["ldd", path], shared, quiet=True), files)
    return [
        f"{path.relative_to(folder)} lacks {name}"
        for path, output in zip(files, outputs, strict=True)
        for name in not_found(output)
    ]


def not_found(output: str) -> list[str]:
    r"""The libraries that `ldd` says are not found.

    >>> not_found("\tlibm.so.6 => /lib/libm.so.6 (0x0)\n\tlibgtk-3.so.0 => not found\n")
    ['libgtk-3.so.0']
    """
    lines = (line.strip() for line in output.splitlines())
    return [line.partition(" ")[0] for line in lines if line.endswith("not found")]


def source_date() -> int:
    """When the checkout was last committed to: the date of everything in a package."""
    named = os.environ.get("SOURCE_DATE_EPOCH")
    if named:
        return int(named)
    return int(run(["git", "-C", contents.ROOT, "log", "-1", "--format=%ct"], quiet=True))


def run(
    command: Sequence[str | Path],
    settings: dict[str, str] | None = None,
    *,
    quiet: bool = False,
    folder: Path = contents.ROOT,
    told: str = "",
) -> str:
    """Run a command in `folder`; give all that it printed, its errors too.

    `told` is what it reads.

    Raises:
        PackageError: it failed.
    """
    words = [str(part) for part in command]
    if not quiet:
        say(f"$ {' '.join(words)}")
    ran = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **(settings or {})},
        input=told,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise PackageError(f"{ran.stdout}\n{words[0]} failed with {ran.returncode}: see above.")
    return ran.stdout


def say(line: str) -> None:
    print(line, flush=True)


def size_mb(paths: Iterable[Path]) -> float:
    """The size of files in megabytes; links count nothing."""
    return sum(path.stat().st_size for path in paths if not path.is_symlink()) / 1e6
