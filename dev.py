#!/usr/bin/env python3
"""The commands of a checkout: run, test, bench, translations, tour, package and others.

Standard library only, because it creates `.venv`; `python3 dev.py --help` lists the commands.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools import lock_files
from tools.environment import VENV, DevError, find_uv, has_card, program, say, set_up

ROOT = Path(__file__).resolve().parent
MINIMUM_PYTHON = (3, 11)

# Commands that are scripts: the script of each, and its help.
SCRIPTS = {
    "docs": ("docs/build.py", "build the guide as pages for a browser, in build/guide"),
    "translations": ("tools/translations.py", "update the translations and list missing ones"),
    "tour": ("tools/tour", "[FOLDER] take pictures of every screen; --pictures for the docs"),
    "package": ("packaging/package.py", "wheel, archive, installers in dist/ [its options]"),
}


def call(command: Sequence[str | Path], **variables: str) -> int:
    """Run a command with this terminal; return its exit status."""
    code = subprocess.run(
        [str(part) for part in command], env={**os.environ, **variables}, check=False
    ).returncode
    return code if code >= 0 else 128 - code


def has_display(environment: Mapping[str, str], system: str = sys.platform) -> bool:
    """Return whether a window can be shown, or Qt has another platform to draw on."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not system.startswith("linux") or any(environment.get(name) for name in names)


def can_build_guide() -> bool:
    """Return whether the guide, which F1 opens, is missing and Sphinx is installed."""
    is_built = (ROOT / "build" / "guide" / "index.html").exists()
    return not is_built and program(VENV, "sphinx-build").exists()


def run(folder: Path | None, *, uses_card: bool = True) -> int:
    """Open the window, and add a folder if one is given.

    `uses_card` installs torch on a machine with a graphics card; without it Winnow uses the
    processor.
    """
    if folder is not None and not folder.is_dir():
        raise DevError(f"{folder} is not a folder: name one that Winnow should search.")
    if not has_display(os.environ):
        raise DevError("There is no display here: start Winnow from a desktop session.")
    set_up("base")
    if uses_card and has_card():
        try:
            set_up("gpu")
        except DevError as error:
            say(f"Winnow will not use the graphics card: {error}")
    if can_build_guide():
        say("Building the guide")
        call([program(VENV, "python"), ROOT / SCRIPTS["docs"][0]], PYTHONPATH=str(ROOT))
    window: list[str | Path] = [program(VENV, "winnow")]
    return call([*window, "--folder", folder.resolve()] if folder else window)


def check(name: str, command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run a check of the code and keep its output."""
    say(f"-- {name} started")
    return subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def seed_of(arguments: Sequence[str]) -> str:
    """Return the seed of the tests' order that the arguments set; otherwise a new one.

    >>> seed_of(["tests/core", "--randomly-seed=7"])
    '7'
    """
    pattern = r"--randomly-seed[= ](\S+)"
    named = re.findall(pattern, " ".join([os.environ.get("PYTEST_ADDOPTS", ""), *arguments]))
    return named[-1] if named else str(random.randrange(2**32))


def test(pytest_args: Sequence[str]) -> int:
    """Run the tests and, at the same time, the checks of the code (`-n0`: one test at a time)."""
    set_up("dev")
    os.chdir(ROOT)
    seed = seed_of(pytest_args)
    say(f"The order of the tests has the seed {seed}.")
    checks: dict[str, list[str | Path]] = {
        "format": [program(VENV, "ruff"), "format", "--check", "."],
        "lint": [program(VENV, "ruff"), "check", "."],
        "layers": [program(VENV, "lint-imports")],
        # In one process: on a busy machine, mypy gives its workers up after some seconds.
        "types": [program(VENV, "mypy")],
    }
    tests: list[str | Path] = [
        program(VENV, "pytest"),
        "-n",
        "auto",
        "--dist",
        "worksteal",
        f"--randomly-seed={seed}",
        *pytest_args,
    ]
    # UTF-8 in any locale, since libraries change the locale of the whole process. Compiled modules
    # are kept, or each of the hundreds of processes that tests start would compile them again.
    variables = {"HF_HUB_OFFLINE": "1", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": ""}
    with ThreadPoolExecutor(max_workers=1) as pool:
        results = {name: pool.submit(check, name, command) for name, command in checks.items()}
        failed = ["tests"] if call(tests, QT_QPA_PLATFORM="offscreen", **variables) else []
    for name, result in results.items():
        finished = result.result()
        say(f"\n-- {name}\n{finished.stdout.strip()}")
        if finished.returncode:
            failed.append(name)
    say(f"\nFailed: {', '.join(failed)}." if failed else "\nAll checks passed.")
    if "tests" in failed:
        again = shlex.join([*pytest_args, f"--randomly-seed={seed}"])
        say(f"To repeat the tests in this order, run: python3 dev.py test {again}")
    return 1 if failed else 0


def benchmarks(folder: Path) -> dict[str, str]:
    """Return the first line of the docstring of each benchmark in `folder`, by name.

    A benchmark is a module, or a package with a module `__main__`.
    """
    scripts = {path.stem: path for path in folder.glob("[!_]*.py")}
    scripts |= {path.parent.name: path for path in folder.glob("[!_]*/__main__.py")}
    found = {}
    for name, path in sorted(scripts.items()):
        described = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found[name] = described.partition("\n")[0]
    return found


def bench(name: str | None, arguments: Sequence[str]) -> int:
    """Run a benchmark, or list them."""
    folder = ROOT / "benchmarks"
    found = benchmarks(folder)
    if name is not None and name not in found:
        raise DevError(f"There is no benchmark {name!r}: there are {', '.join(found) or 'none'}.")
    if name is None:
        say("\n".join(f"{known:<16} {line}" for known, line in found.items()) or "There are none.")
        return 0
    set_up("dev")
    variables = {"HF_HUB_OFFLINE": "1"}
    script = folder / f"{name}.py"
    command: list[str | Path] = [script]
    if not script.exists():
        command = ["-m", name]
        variables["PYTHONPATH"] = str(folder)
    return call([program(VENV, "python"), *command, *arguments], **variables)


def start(command: str, arguments: Sequence[str]) -> int:
    """Run a script that is a command; the help of `package` needs no environment."""
    if command == "package" and {"-h", "--help"} & {*arguments}:
        return call([sys.executable, ROOT / "packaging" / "package_options.py", "--help"])
    set_up("dev")
    script = ROOT / SCRIPTS[command][0]
    variables = {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}
    return call([program(VENV, "python"), script, *arguments], **variables)


def lock() -> int:
    """Write the lock files with the newest versions."""
    uv = find_uv()
    if uv is None:
        raise DevError("Lock files are written by uv, which was not found: install it first.")
    try:
        lock_files.refresh(uv)
    except subprocess.CalledProcessError as error:
        raise DevError("uv could not write the lock files; its messages are above.") from error
    say(f"Wrote {', '.join(lock_files.lock_file(name).name for name in lock_files.INCLUDED)}.")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Parse the command line and run its command."""
    if sys.version_info[:2] < MINIMUM_PYTHON:
        say("Winnow needs Python 3.11 or newer: start dev.py with a newer one.")
        return 2
    parser = argparse.ArgumentParser(prog="dev.py", description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("run", help="install missing packages and open the window")
    one.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="a folder to search")
    one.add_argument("--no-gpu", action="store_true", help="do not install torch for the GPU")
    commands.add_parser("test", help="pytest [its args], with formatter, linter, layers, types")
    one = commands.add_parser("bench", help="run benchmarks/NAME.py, or list all benchmarks")
    one.add_argument("name", nargs="?", metavar="NAME")
    commands.add_parser("lock", help="write the lock files with the newest versions")
    for name, (_, does) in SCRIPTS.items():
        commands.add_parser(name, help=does, add_help=False)
    known, rest = parser.parse_known_args(argv)
    if rest and known.command not in {"test", "bench", "tour", "package"}:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        if known.command == "run":
            return run(known.folder, uses_card=not known.no_gpu)
        if known.command == "test":
            return test(rest)
        if known.command == "lock":
            return lock()
        if known.command in SCRIPTS:
            return start(known.command, rest)
        return bench(known.name, rest)
    except DevError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
