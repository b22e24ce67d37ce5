#!/usr/bin/env python3
"""The one door for whoever works on Winnow: run, test, bench, translations, tour and package.

Standard library only, because it makes `.venv` by itself; `python3 dev.py --help` tells the rest.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tools.libraries import missing_packages

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
MINIMUM_PYTHON = (3, 11)
# Installed first and on its own: where pip can see a CPU build of this version it takes that one;
# else it takes on Linux the one that brings gigabytes of CUDA packages and loads with them alone.
TORCH = "torch==2.13.0"

LOCK_NAME = "dev.lock"
STAMP_NAME = "dev.stamp"
LOG_NAME = "dev.log"
LOG_LINES_SHOWN = 15
SCRIPTS = {
    "docs": ("docs/build.py", "the guide as pages for a browser, in build/guide"),
    "translations": ("tools/translations.py", "bring them up to date, and say what is missing"),
    "tour": ("tools/tour", "[FOLDER] take pictures of every screen; --pictures for the docs"),
    "package": ("packaging/package.py", "wheel, archive, installers in dist/ [its options]"),
}
"""Commands that are scripts of their own: where each is, and its help."""
UNATTENDED = {
    "DEBIAN_FRONTEND": "noninteractive",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_INPUT": "1",
}


class DevError(Exception):
    """Something that the person can put right; the message says what, in one sentence."""


def say(line: str) -> None:
    """Print a line at once, so that it stands before what a child process prints."""
    print(line, flush=True)


def program(venv: Path, name: str, system: str = sys.platform) -> Path:
    """The path of the interpreter or of a console script inside a virtual environment."""
    return venv / "Scripts" / f"{name}.exe" if system == "win32" else venv / "bin" / name


# --- the stamp: what .venv was made for -----------------------------------------------------------


class Stamp(NamedTuple):
    """What a finished `.venv` was made for.

    Another `interpreter` (its version and the folder of the checkout, which scripts in `.venv`
    have in them) means making it anew; other `packages` are installed over the present ones.
    """

    interpreter: str
    packages: str


def wanted_stamp(pyproject: str, python: str, root: Path, torch: str = TORCH) -> Stamp:
    """The stamp of an environment that has what `pyproject` asks for.

    Only the tables that decide what is installed count: a changed lint rule installs nothing.
    """
    import tomllib  # missing from the Pythons that `main` turns away

    tables = tomllib.loads(pyproject)
    installed = [
        torch,
        tables.get("build-system"),
        tables.get("project"),
        tables.get("tool", {}).get("setuptools"),
    ]
    digest = hashlib.sha256(json.dumps(installed, sort_keys=True).encode()).hexdigest()
    return Stamp(f"{python} in {root}", digest)


def read_stamp(venv: Path) -> Stamp | None:
    """The stamp that the last finished set-up left, or None."""
    with contextlib.suppress(FileNotFoundError):
        lines = (venv / STAMP_NAME).read_text(encoding="utf-8").splitlines()
        if len(lines) == len(Stamp._fields):
            return Stamp(*lines)
    return None


def write_stamp(venv: Path, stamp: Stamp) -> None:
    """Mark the environment as finished; the stamp is there whole or not at all."""
    new = venv / f"{STAMP_NAME}.new"
    new.write_text("\n".join(stamp) + "\n", encoding="utf-8")
    new.replace(venv / STAMP_NAME)


# --- the lock: one set-up at a time ---------------------------------------------------------------


def take_lock(descriptor: int, *, wait: bool) -> bool:
    """Lock an open file; False when another process has it. The system frees it at our death."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:  # with LK_LOCK: after ten seconds of trying
            return False
    else:
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
    return True


@contextlib.contextmanager
def locked(venv: Path) -> Iterator[int]:
    """Hold the only right to change `venv`; gives the descriptor that holds it."""
    if venv.exists() and any(venv.iterdir()) and not (venv / LOCK_NAME).exists():
        raise DevError(f"{venv} was not made by dev.py: move it away and start again.")
    venv.mkdir(exist_ok=True)
    descriptor = os.open(venv / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not take_lock(descriptor, wait=False):
            say("Another dev.py is setting up .venv; waiting for it.")
            while not take_lock(descriptor, wait=True):
                continue
        yield descriptor
    finally:
        os.close(descriptor)


def clear(venv: Path) -> None:
    """Empty `venv` but for the lock, which is held."""
    for entry in venv.iterdir():
        if entry.name == LOCK_NAME:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


# --- set-up ---------------------------------------------------------------------------------------


def apt_prefix() -> list[str] | None:
    """What to put before an apt-get command so that it may install; None when it may not."""
    if sys.platform == "win32" or not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        return None
    passwordless = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo", "-n"] if passwordless.returncode == 0 else None


def run_logged(command: Sequence[str | Path], log: Path, lock: int, failure: str) -> None:
    """Run a command with its output in `log`.

    On POSIX the child holds the lock too: if dev.py is killed, the next one waits until the child
    has stopped writing.

    Raises:
        DevError: it failed; `failure` says what that means. The log's last lines are printed.
    """
    with log.open("ab") as out:
        result = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env={**os.environ, **UNATTENDED},
            pass_fds=(lock,) if os.name == "posix" else (),
            check=False,
        )
    if result.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        say("\n".join(f"  | {line}" for line in lines[-LOG_LINES_SHOWN:]))
        raise DevError(f"{failure} (all of the output is in {log}).")


def apt_install(
    prefix: Sequence[str], packages: Sequence[str], log: Path, lock: int, failure: str
) -> None:
    """Install packages of the system by apt-get, which `prefix` lets do that.

    Raises:
        DevError: it failed; `failure` says what that means.
    """
    apt: list[str | Path] = [*prefix, "apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300"]
    run_logged([*apt, "update"], log, lock, failure)
    run_logged([*apt, "install", "--no-install-recommends", *packages], log, lock, failure)


def install_libraries(packages: Sequence[str], log: Path, lock: int) -> None:
    """Install what Qt needs from the system, or say in a sentence what is missing."""
    by_hand = f"Qt may not start: install {', '.join(packages)} with your system's package manager"
    prefix = apt_prefix()
    if prefix is None:
        say(f"{by_hand}.")
        return
    say(f"Installing system libraries for Qt: {', '.join(packages)}.")
    try:
        apt_install(prefix, packages, log, lock, by_hand)
    except DevError as error:  # not the end: the platform in use may need none of them
        say(str(error))


def install_venv(log: Path, lock: int) -> None:
    """Install what Debian takes out of Python and `.venv` cannot be made without.

    Raises:
        DevError: it is still missing; says what to install.
    """
    by_hand = "This Python cannot make virtual environments: install python3-venv"
    prefix = apt_prefix()
    if prefix is not None:
        say("Installing python3-venv, which this Python lacks.")
        apt_install(prefix, ["python3-venv"], log, lock, by_hand)
        importlib.invalidate_caches()
    if importlib.util.find_spec("ensurepip") is None:
        raise DevError(f"{by_hand}.")


def install_packages(venv: Path, wanted: Stamp, log: Path, lock: int) -> None:
    """Bring `venv` to the wanted stamp; the stamp is missing for as long as that takes."""
    found = read_stamp(venv)
    if found == wanted:  # another dev.py made it while this one waited
        return
    if Path(sys.prefix).resolve() == venv.resolve():
        raise DevError("Start dev.py with a Python outside .venv: .venv has to be made anew.")
    if importlib.util.find_spec("ensurepip") is None:
        install_venv(log, lock)
    (venv / STAMP_NAME).unlink(missing_ok=True)
    if found is None or found.interpreter != wanted.interpreter:
        say(f"Making .venv with Python {platform.python_version()}.")
        clear(venv)
        run_logged([sys.executable, "-m", "venv", venv], log, lock, "Making .venv failed")
    pip: list[str | Path] = [program(venv, "python"), "-m", "pip", "install"]
    failure = "The packages could not be installed: check the network and start again"
    say(f"Installing {TORCH} (the largest part; some minutes the first time).")
    run_logged([*pip, TORCH], log, lock, failure)
    say("Installing Winnow with its other packages and tools.")
    run_logged([*pip, "-e", ".[dev]"], log, lock, failure)
    write_stamp(venv, wanted)


def set_up(venv: Path = VENV) -> None:
    """Make `.venv` and install what Winnow needs; does nothing when all is there."""
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    wanted = wanted_stamp(pyproject, platform.python_version(), ROOT)
    missing = missing_packages() if sys.platform.startswith("linux") else []
    if read_stamp(venv) == wanted and not missing:
        return
    with locked(venv) as lock:
        log = venv / LOG_NAME
        install_packages(venv, wanted, log, lock)
        if missing:
            install_libraries(missing, log, lock)


# --- the commands ---------------------------------------------------------------------------------


def call(command: Sequence[str | Path], **variables: str) -> int:
    """Run a command in front of the person; gives its exit status."""
    code = subprocess.run(
        [str(part) for part in command], env={**os.environ, **variables}, check=False
    ).returncode
    return code if code >= 0 else 128 - code


def has_display(environment: Mapping[str, str], system: str = sys.platform) -> bool:
    """Whether a window can be shown (or Qt was told where to draw instead)."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not system.startswith("linux") or any(environment.get(name) for name in names)


def run(folder: Path | None) -> int:
    """Start the window, with a folder to search when one is given."""
    if folder is not None and not folder.is_dir():
        raise DevError(f"{folder} is not a folder: name one that Winnow should search.")
    if not has_display(os.environ):
        raise DevError("There is no display here: start Winnow from a desktop session.")
    set_up()
    window: list[str | Path] = [program(VENV, "winnow")]
    return call([*window, "--folder", folder.resolve()] if folder else window)


def check(name: str, command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run one of the checks that read the code, with its output kept for later."""
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


def test(pytest_args: Sequence[str]) -> int:
    """Run the tests and, beside them, the checks that read the code (`-n0`: tests one by one)."""
    set_up()
    os.chdir(ROOT)
    checks: dict[str, list[str | Path]] = {
        "format": [program(VENV, "ruff"), "format", "--check", "."],
        "lint": [program(VENV, "ruff"), "check", "."],
        "layers": [program(VENV, "lint-imports")],
        "types": [program(VENV, "mypy"), "--num-workers", "auto"],
    }
    tests: list[str | Path] = [
        program(VENV, "pytest"),
        "-n",
        "auto",
        "--dist",
        "worksteal",
        *pytest_args,
    ]
    # UTF-8 whatever the locale is: libraries change it for the whole process. Compiled modules are
    # kept, or each of the hundreds of processes that tests start would compile them again.
    variables = {"HF_HUB_OFFLINE": "1", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": ""}
    with ThreadPoolExecutor(max_workers=1) as beside:
        results = {name: beside.submit(check, name, command) for name, command in checks.items()}
        failed = ["tests"] if call(tests, QT_QPA_PLATFORM="offscreen", **variables) else []
    for name, result in results.items():
        finished = result.result()
        say(f"\n-- {name}\n{finished.stdout.strip()}")
        if finished.returncode:
            failed.append(name)
    say(f"\nFailed: {', '.join(failed)}." if failed else "\nAll checks passed.")
    return 1 if failed else 0


def benchmarks(folder: Path) -> dict[str, str]:
    """The benchmarks in `folder`: name -> first line of the docstring."""
    found = {}
    for path in sorted(folder.glob("[!_]*.py")):
        described = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found[path.stem] = described.partition("\n")[0]
    return found


def bench(name: str | None, arguments: Sequence[str]) -> int:
    """Run a benchmark, or list them."""
    found = benchmarks(ROOT / "benchmarks")
    if name is not None and name not in found:
        raise DevError(f"There is no benchmark {name!r}: there are {', '.join(found) or 'none'}.")
    if name is None:
        say("\n".join(f"{known:<16} {line}" for known, line in found.items()) or "There are none.")
        return 0
    set_up()
    command: list[str | Path] = [program(VENV, "python"), ROOT / "benchmarks" / f"{name}.py"]
    return call([*command, *arguments], HF_HUB_OFFLINE="1")


def start(command: str, arguments: Sequence[str]) -> int:
    """Run a script that is a command, with what it needs set up."""
    set_up()
    script = ROOT / SCRIPTS[command][0]
    variables = {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}
    return call([program(VENV, "python"), script, *arguments], **variables)


def main(argv: Sequence[str] | None = None) -> int:
    """Parse the command line and run the one command it names."""
    if sys.version_info[:2] < MINIMUM_PYTHON:
        say("Winnow needs Python 3.11 or newer: start dev.py with a newer one.")
        return 2
    parser = argparse.ArgumentParser(prog="dev.py", description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("run", help="set up what is missing and open the window")
    one.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="a folder to search")
    commands.add_parser("test", help="pytest [its args], with formatter, linter, layers, types")
    one = commands.add_parser("bench", help="run benchmarks/NAME.py, or list what there is")
    one.add_argument("name", nargs="?", metavar="NAME")
    for name, (_, does) in SCRIPTS.items():
        commands.add_parser(name, help=does, add_help=False)
    known, rest = parser.parse_known_args(argv)
    if rest and known.command not in {"test", "bench", "tour", "package"}:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        if known.command == "run":
            return run(known.folder)
        if known.command == "test":
            return test(rest)
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
