"""The virtual environment in `.venv`: creating it, and installing sets of packages into it.

Standard library only: `dev.py` uses this before anything is installed.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tools.install_progress import InstallProgress
from tools.libraries import missing_packages
from tools.lock_files import INCLUDED, ROOT, TORCH, WITH_TORCH, entries, lock_file

VENV: Final = ROOT / ".venv"
# Held by the process that changes `.venv`.
PROCESS_LOCK_NAME: Final = "dev.lock"
STAMP_NAME: Final = "dev.stamp"
LOG_NAME: Final = "dev.log"
# Lines of a failed command's output that are printed.
LOG_LINES_SHOWN: Final = 15
UNATTENDED: Final = {
    "DEBIAN_FRONTEND": "noninteractive",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_INPUT": "1",
    "PIP_PROGRESS_BAR": "off",
    "PYTHONUNBUFFERED": "1",
}
# PyPI's build of torch for Windows cannot use a graphics card.
CUDA_INDEX: Final = "https://download.pytorch.org/whl/cu130"
FAILED: Final = "The packages could not be installed: check the network and start again"
# How pip and uv name a package whose hash is wrong.
_WRONG_HASH: Final = re.compile(
    r"DO NOT MATCH THE HASHES[^\n]*\n\s+(\S+) from |Hash mismatch for\s+`([^`]+)`"
)


class DevError(Exception):
    """An error that the person can correct; the message says how, in one sentence."""


class CommandError(DevError):
    """A command failed.

    Attributes:
        output: everything that it printed.
    """

    def __init__(self, message: str, output: str) -> None:
        """Keep the output, in which the reason can be looked up."""
        super().__init__(message)
        self.output = output


def say(line: str) -> None:
    """Print a line at once, so that it precedes the output of a child process."""
    print(line, flush=True)


def program(venv: Path, name: str, system: str = sys.platform) -> Path:
    """Return the path of the interpreter or a console script in a virtual environment."""
    return venv / "Scripts" / f"{name}.exe" if system == "win32" else venv / "bin" / name


def find_uv() -> str | None:
    """Return the path of uv, or None if it is not installed."""
    return shutil.which("uv")


def has_card(
    root: Path = Path("/"), system: str = sys.platform, machine: str | None = None
) -> bool:
    """Return whether the machine has a graphics card that torch can use: NVIDIA's or Apple's.

    `root` is the folder of the system, and `machine` the processor's architecture.
    """
    if system == "darwin":
        return (machine or platform.machine()) == "arm64"
    if system == "win32":
        windows = os.environ.get("SYSTEMROOT", r"C:\Windows")
        return (root / windows / "System32" / "nvcuda.dll").exists()
    return (root / "proc/driver/nvidia/version").exists()


# --- the stamp: the installed sets of packages ----------------------------------------------------


class Stamp(NamedTuple):
    """What a finished `.venv` contains.

    Attributes:
        interpreter: Python's version and the folder of the checkout, both of which are written into
            scripts in `.venv`. Another interpreter means a new environment.
        packages: a digest for each installed set of packages, by name. Another digest means that
            the set is installed over the present one.
    """

    interpreter: str
    packages: Mapping[str, str]

    def has(self, name: str, wanted: Stamp) -> bool:
        """Return whether a set of packages is installed as in `wanted`."""
        same = self.packages.get(name) == wanted.packages[name]
        return same and self.interpreter == wanted.interpreter


def wanted_stamp(
    pyproject: str, locks: Mapping[str, str], python: str, root: Path, torch: str = TORCH
) -> Stamp:
    """Return the stamp of an environment with all sets of packages.

    Only the tables that affect an installation count: a changed lint rule installs nothing.

    Args:
        pyproject: the text of `pyproject.toml`.
        locks: the texts of the lock files by set.
        python: the version of Python.
        root: the folder of the checkout.
        torch: the requirement of the sets with torch.
    """
    import tomllib  # missing from the Pythons that dev.py refuses

    tables = tomllib.loads(pyproject)
    project = [
        tables.get("build-system"),
        tables.get("project"),
        tables.get("tool", {}).get("setuptools"),
    ]
    packages = {}
    for name, lock in locks.items():
        installed = [lock, torch if name in WITH_TORCH else None, *project]
        text = json.dumps(installed, sort_keys=True)
        packages[name] = hashlib.sha256(text.encode()).hexdigest()
    return Stamp(f"{python} in {root}", packages)


def read_stamp(venv: Path) -> Stamp | None:
    """Return the stamp of the last finished set-up, or None."""
    with contextlib.suppress(FileNotFoundError):
        lines = (venv / STAMP_NAME).read_text(encoding="utf-8").splitlines()
        if len(lines) > 1 and all(line.count(" ") == 1 for line in lines[1:]):
            return Stamp(lines[0], dict(line.split(" ", 1) for line in lines[1:]))
    return None


def write_stamp(venv: Path, stamp: Stamp) -> None:
    """Write the stamp in one step, so that it is never incomplete."""
    packages = [f"{name} {digest}" for name, digest in stamp.packages.items()]
    new = venv / f"{STAMP_NAME}.new"
    new.write_text("\n".join([stamp.interpreter, *packages]) + "\n", encoding="utf-8")
    new.replace(venv / STAMP_NAME)


# --- one set-up at a time -------------------------------------------------------------------------


def take_lock(descriptor: int, *, wait: bool) -> bool:
    """Lock an open file until it is closed; return False if another process has locked it."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:  # with LK_LOCK: after trying for ten seconds
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
    """Prevent other processes from changing `venv`; yield the descriptor of the lock."""
    if venv.exists() and any(venv.iterdir()) and not (venv / PROCESS_LOCK_NAME).exists():
        raise DevError(f"{venv} was not made by dev.py: move it away and start again.")
    venv.mkdir(exist_ok=True)
    descriptor = os.open(venv / PROCESS_LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not take_lock(descriptor, wait=False):
            say("Another dev.py is setting up .venv; waiting for it.")
            while not take_lock(descriptor, wait=True):
                continue
        yield descriptor
    finally:
        os.close(descriptor)


def clear(venv: Path) -> None:
    """Delete everything in `venv` except the lock, which is held."""
    for entry in venv.iterdir():
        if entry.name == PROCESS_LOCK_NAME:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def run_logged(
    command: Sequence[str | Path],
    log: Path,
    lock: int,
    failure: str,
    read: Callable[[str], None] | None = None,
) -> None:
    """Run a command and write its output to `log`.

    On POSIX the child inherits the lock: if dev.py is killed, the next one waits until the child
    has stopped writing.

    Args:
        command: the program and its arguments.
        log: the file to append to.
        lock: the descriptor of the lock.
        failure: the beginning of the error message.
        read: called with each line of the output.

    Raises:
        CommandError: it failed. The last lines of its output are printed.
    """
    lines: list[str] = []
    with (
        log.open("ab") as out,
        subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env={**os.environ, **UNATTENDED},
            pass_fds=(lock,) if os.name == "posix" else (),
        ) as child,
    ):
        assert child.stdout is not None
        for raw in child.stdout:
            line = raw.decode("utf-8", errors="replace").rstrip()
            if not line.startswith("Progress "):  # of a download, several times a second
                out.write(raw)
                lines.append(line)
            if read:
                read(line)
    if child.returncode:
        say("\n".join(f"  | {line}" for line in lines[-LOG_LINES_SHOWN:]))
        raise CommandError(f"{failure} (all of the output is in {log}).", "\n".join(lines))


# --- packages of the system -----------------------------------------------------------------------


def apt_prefix() -> list[str] | None:
    """Return what has to precede an apt-get command, or None if apt-get cannot be used."""
    if sys.platform == "win32" or not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        return None
    passwordless = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo", "-n"] if passwordless.returncode == 0 else None


def apt_install(
    prefix: Sequence[str], packages: Sequence[str], log: Path, lock: int, failure: str
) -> None:
    """Install packages of the system with apt-get.

    Raises:
        DevError: it failed; the message begins with `failure`.
    """
    apt: list[str | Path] = [*prefix, "apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300"]
    run_logged([*apt, "update"], log, lock, failure)
    run_logged([*apt, "install", "--no-install-recommends", *packages], log, lock, failure)


def install_libraries(packages: Sequence[str], log: Path, lock: int) -> None:
    """Install the system's packages that are missing, or print which ones they are."""
    by_hand = (
        f"Winnow may not start, or search slowly: install {', '.join(packages)} with your "
        "system's package manager"
    )
    prefix = apt_prefix()
    if prefix is None:
        say(f"{by_hand}.")
        return
    say(f"Installing system packages: {', '.join(packages)}.")
    try:
        apt_install(prefix, packages, log, lock, by_hand)
    except DevError as error:  # the Qt platform in use may need none of them
        say(str(error))


def install_venv(log: Path, lock: int) -> None:
    """Install the part of Python that creates virtual environments, which Debian splits off.

    Raises:
        DevError: it is still missing; the message says what to install.
    """
    by_hand = "This Python cannot create virtual environments: install python3-venv"
    prefix = apt_prefix()
    if prefix is not None:
        say("Installing python3-venv, which this Python lacks.")
        apt_install(prefix, ["python3-venv"], log, lock, by_hand)
        importlib.invalidate_caches()
    if importlib.util.find_spec("ensurepip") is None:
        raise DevError(f"{by_hand}.")


# --- packages of Python ---------------------------------------------------------------------------


class Installer:
    """Creates an environment and installs packages into it, with uv if there is one, or pip.

    Attributes:
        is_writing: whether a step ended while it wrote packages; otherwise the environment is
            whole.
    """

    def __init__(self, venv: Path, log: Path, lock: int, uv: str | None) -> None:
        """Install into `venv`, with `uv` as the path of that program."""
        self.is_writing = False
        self._venv = venv
        self._log = log
        self._lock = lock
        self._uv = uv
        self._python = program(venv, "python")
        # Modules are compiled when they are first imported: of most packages few ever are.
        pip: list[str | Path] = [self._python, "-m", "pip", "install", "--no-compile"]
        self._pip = pip
        self._install: list[str | Path] = (
            [uv, "pip", "install", "--python", self._python] if uv else pip
        )

    def create(self) -> None:
        """Create the environment.

        Raises:
            DevError: it could not be created.
        """
        if self._uv is None and importlib.util.find_spec("ensurepip") is None:
            install_venv(self._log, self._lock)
        command: list[str | Path] = [sys.executable, "-m", "venv"]
        if self._uv:
            command = [self._uv, "venv", "--allow-existing", "--python", sys.executable]
        run_logged([*command, self._venv], self._log, self._lock, "Creating .venv failed")

    def install_locked(self, file: Path) -> None:
        """Install the packages of a lock file, unless one of them has another hash.

        Raises:
            DevError: a package has another hash, or could not be downloaded.
        """
        locked_packages = entries(file.read_text(encoding="utf-8"))
        total = sum(len(versions) for versions in locked_packages.values())
        try:
            self._run([*self._install, "--require-hashes", "-r", file], total)
        except CommandError as error:
            if wrong := _WRONG_HASH.search(error.output):
                raise DevError(
                    f"The download of {wrong[1] or wrong[2]} does not have the hash that "
                    f"{file.parent.name}/{file.name} lists, so nothing was installed: try again, "
                    f"and report it if it happens twice (all of the output is in {self._log})."
                ) from error
            raise

    def install_project(self) -> None:
        """Install Winnow itself, as a link to the checkout.

        Raises:
            DevError: it could not be installed.
        """
        project = ["--no-deps", "--no-build-isolation", "--editable", "."]
        run_logged([*self._install, *project], self._log, self._lock, FAILED)

    def install_torch(self, *index: str) -> None:
        """Install torch alone with pip, which takes a CPU build if its configuration leads to one.

        Raises:
            DevError: it could not be installed.
        """
        # The pip that a lock file installs can report the progress of a download.
        self._run([*self._pip, "--progress-bar", "raw", *index, TORCH], None)

    def _run(self, command: Sequence[str | Path], total: int | None) -> None:
        progress = InstallProgress(total, sys.stdout)
        try:
            run_logged(command, self._log, self._lock, FAILED, progress.read)
        except (DevError, KeyboardInterrupt):
            self.is_writing = progress.is_writing
            raise
        finally:
            progress.close()


def install_packages(venv: Path, name: str, wanted: Stamp, log: Path, lock: int) -> None:
    """Install a set of packages into `venv`, which is created if it does not fit.

    The stamp is missing while packages are written: an interrupted set-up begins again with an
    empty environment.

    Raises:
        DevError: something could not be installed. If nothing was written, the sets that were
            installed before can still be used.
    """
    found = read_stamp(venv)
    if found and found.has(name, wanted):  # another dev.py installed it while this one waited
        return
    if Path(sys.prefix).resolve() == venv.resolve():
        raise DevError("Start dev.py with a Python outside .venv, which dev.py may replace.")
    installer = Installer(venv, log, lock, find_uv())
    (venv / STAMP_NAME).unlink(missing_ok=True)
    if found is None or found.interpreter != wanted.interpreter:
        say(f"Creating .venv with Python {platform.python_version()}.")
        clear(venv)
        installer.create()
        found = Stamp(wanted.interpreter, {})
    try:
        file = lock_file(name)
        say(f"Installing the packages in {file.parent.name}/{file.name}.")
        installer.install_locked(file)
        installer.install_project()
        if name in WITH_TORCH:
            say(f"Installing {TORCH}; with CUDA it is 3 GB.")
            is_windows_card = name == "gpu" and sys.platform == "win32"
            installer.install_torch(*(["--extra-index-url", CUDA_INDEX] if is_windows_card else []))
    except (DevError, KeyboardInterrupt):
        if found.packages and not installer.is_writing:
            write_stamp(venv, found)
        raise
    installed = {one: wanted.packages[one] for one in (name, *INCLUDED[name])}
    write_stamp(venv, Stamp(wanted.interpreter, {**found.packages, **installed}))


def set_up(name: str, venv: Path = VENV) -> None:
    """Create `.venv` and install a set of packages; do nothing if it is installed.

    Raises:
        DevError: something could not be installed.
    """
    wanted = wanted_stamp(
        (ROOT / "pyproject.toml").read_text(encoding="utf-8"),
        {one: lock_file(one).read_text(encoding="utf-8") for one in INCLUDED},
        platform.python_version(),
        ROOT,
    )
    missing = missing_packages() if sys.platform.startswith("linux") else []
    found = read_stamp(venv)
    if found and found.has(name, wanted) and not missing:
        return
    with locked(venv) as lock:
        log = venv / LOG_NAME
        install_packages(venv, name, wanted, log, lock)
        if missing:
            install_libraries(missing, log, lock)
