"""Test the two commands of the README in minimal Debian systems (chroots) with a new user.

Needs root, debootstrap and Xvfb (`apt-get install debootstrap xvfb`), the network, and about 10 GB:

    python3 -m tools.fresh_machine bookworm trixie -- tests/package/test_dev.py -n0

Arguments after `--` are passed to `dev.py test`; by default all tests run. The systems contain
python3, sudo without a password, ca-certificates, and a clean clone of this checkout. The X server
runs on this machine. pip's configuration is copied from this machine, and `--share FOLDER` mounts a
folder of packages for it. Standard library only.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "packaging"))

import chroot  # noqa: E402 # packaging/ is not a package
from frozen import PackageError, log, run  # noqa: E402

PACKAGES: Final = ("python3", "sudo", "ca-certificates")
USER: Final = "user"
CLONE: Final = f"/home/{USER}/winnow"
CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")
PIP_FILES: Final = (Path("/etc/pip.conf"), Path("~/.config/pip/pip.conf").expanduser())
DISPLAY: Final = ":87"
WINDOW_S: Final = 1800
"""Timeout from the command to a window with an indexed folder; downloads 400 MB."""
COLOURS: Final = 64
"""Minimum number of colours on a screen with a window; an empty screen is black."""
_COUNT_COLOURS: Final = """
from PySide6.QtGui import QGuiApplication
application = QGuiApplication(["colours", "-platform", "xcb", "-display", {display!r}])
picture = application.primaryScreen().grabWindow(0).toImage()
picture.save("/tmp/window.png")
width, height = picture.width(), picture.height()
print(len({{picture.pixel(x, y) for x in range(0, width, 2) for y in range(0, height, 2)}}))
"""


def main(arguments: Sequence[str]) -> int:
    """Test all given releases, and print the results."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own, tests = arguments[:end], arguments[end + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, prog="fresh_machine")
    parser.add_argument("releases", nargs="+", help="code names, for example bookworm")
    parser.add_argument("--share", type=Path, action="append", default=[], metavar="FOLDER")
    parser.add_argument("--uv", type=Path, metavar="FILE", help="a uv to install in the systems")
    parser.add_argument("--keep", action="store_true", help="do not delete the systems")
    options = parser.parse_args(own)
    if os.geteuid() != 0:
        print("Creating a chroot needs root; run this with sudo.")
        return 2
    failed = []
    for release in options.releases:
        try:
            with debian_system(release, options.share, keep=options.keep) as root:
                if options.uv:
                    shutil.copy(options.uv, root / "usr/local/bin/uv")
                check_window(root, ROOT / "build" / "fresh" / f"{release}.png")
                check_tests(root, tests)
        except PackageError as error:
            print(error)
            failed.append(release)
    log(f"Failed: {', '.join(failed)}." if failed else "Both commands work on all releases.")
    return 1 if failed else 0


@contextlib.contextmanager
def debian_system(release: str, shared: Sequence[Path], *, keep: bool) -> Iterator[Path]:
    """Create a minimal system with a user and a clean clone of this checkout."""
    root = ROOT / "build" / "fresh" / release
    chroot.remove(root)
    log(f"Creating a minimal Debian {release}.")
    chroot.make(root, release, chroot.release()[1], PACKAGES)
    run(["chroot", root, "useradd", "--create-home", "--shell", "/bin/bash", USER], quiet=True)
    (root / "etc/sudoers.d" / USER).write_text(f"{USER} ALL=(ALL) NOPASSWD: ALL\n", "utf-8")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    shutil.copy("/etc/hosts", root / "etc/hosts")
    # Includes the certificates of proxies in this network.
    shutil.copy(CERTIFICATES, root / CERTIFICATES.relative_to("/"))
    for file in PIP_FILES:
        if file.exists():
            home = file.is_relative_to(Path.home())
            inside = f"home/{USER}/{file.relative_to(Path.home())}" if home else f"{file}"[1:]
            (root / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, root / inside)
    clone = root / CLONE[1:]
    # Allow cloning a repository of another user.
    safe = ["-c", "safe.directory=*"]
    run(["git", *safe, "clone", "--quiet", "--no-hardlinks", ROOT, clone], quiet=True)
    documents = root / f"home/{USER}/Documents"
    documents.mkdir()
    (documents / "lighthouse.txt").write_text("The keeper polishes the lamp.\n", "utf-8")
    run(["chroot", root, "chown", "-R", f"{USER}:", f"/home/{USER}"], quiet=True)
    try:
        with chroot.system_folders(root, shared):
            yield root
    finally:
        if not keep:
            chroot.remove(root)


def command(root: Path, words: Sequence[str]) -> list[str]:
    """Return the command that runs `words` as the user in the clone."""
    # How pip and uv reach the packages, and with which certificates.
    prefixes = ("PIP_", "UV_", "SSL_CERT_FILE")
    own_variables = {name: value for name, value in os.environ.items() if name.startswith(prefixes)}
    variables = {
        "HOME": f"/home/{USER}",
        "USER": USER,
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        **own_variables,
    }
    assignments = [f"{name}={value}" for name, value in variables.items()]
    enter = ["chroot", f"--userspec={USER}:{USER}", str(root), "env", "-i", *assignments]
    return [*enter, "sh", "-c", f'cd {CLONE} && exec "$@"', "sh", *words]


def check_window(root: Path, picture: Path) -> None:
    """Run the first command until its window has indexed the folder, and save a screenshot.

    Raises:
        PackageError: the command exited early, timed out, or printed a traceback.
    """
    log("$ python3 dev.py run ~/Documents")
    start_s = time.monotonic()
    with contextlib.ExitStack() as stack:
        stack.enter_context(screen(root))
        words = f"env DISPLAY={DISPLAY} python3 dev.py run /home/{USER}/Documents".split()
        printed = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
        started = subprocess.Popen(
            command(root, words), stdout=printed, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            while colours(root) < COLOURS or not is_indexed(root):
                if started.poll() is not None:
                    raise PackageError(f"The window exited early with {started.returncode}.")
                if time.monotonic() - start_s > WINDOW_S:
                    raise PackageError(f"No window with an indexed folder after {WINDOW_S} s.")
                time.sleep(2)
            # The window is redrawn after indexing.
            time.sleep(10)
            colours(root)
            if started.poll() is not None:
                raise PackageError("The window closed unexpectedly.")
        finally:
            printed.seek(0)
            output = printed.read()
            log(output.rstrip())
            if started.poll() is None:
                os.killpg(started.pid, signal.SIGTERM)
            started.wait(timeout=60)
    picture.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(root / "tmp/window.png", picture)
    if "Traceback" in output:
        raise PackageError(f"The window printed a traceback: {picture}")
    log(f"Window ready after {time.monotonic() - start_s:.0f} s: {picture}")
    used = subprocess.run(
        ["du", "-sm", root / CLONE[1:] / ".venv"], capture_output=True, check=True
    )
    log(f".venv takes {used.stdout.split()[0].decode()} MB.")


def colours(root: Path) -> int:
    """Return the number of colours on the screen; 0 while the environment is missing."""
    python = f"{CLONE}/.venv/bin/python"
    if not (root / python[1:]).exists():
        return 0
    finished = subprocess.run(
        command(root, [python, "-c", _COUNT_COLOURS.format(display=DISPLAY)]),
        capture_output=True,
        text=True,
        check=False,
    )
    return int(finished.stdout) if finished.returncode == 0 else 0


def is_indexed(root: Path) -> bool:
    """Return whether the document is completely indexed."""
    finished = subprocess.run(
        command(root, [f"{CLONE}/.venv/bin/winnow", "status", "--json"]),
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode != 0:  # the window is still creating the library
        return False
    status = json.loads(finished.stdout)
    return bool(status["documents"] == 1 and status["waiting"] == 0)


@contextlib.contextmanager
def screen(root: Path) -> Iterator[None]:
    """Run an X server on this machine, and make its socket available in the system."""
    sockets = Path("/tmp/.X11-unix")  # the default of X
    with tempfile.TemporaryFile() as log_file:
        server = subprocess.Popen(
            ["Xvfb", DISPLAY, "-screen", "0", "1280x800x24", "-ac", "-nolisten", "tcp"],
            stdout=log_file,
            stderr=log_file,
        )
        try:
            while not (sockets / f"X{DISPLAY[1:]}").exists():
                if server.poll() is not None:
                    log_file.seek(0)
                    raise PackageError(f"Xvfb does not start:\n{log_file.read().decode()}")
                time.sleep(0.1)
            inside = root / "tmp/.X11-unix"
            inside.mkdir(parents=True, exist_ok=True)
            run(["mount", "--bind", sockets, inside], quiet=True)
            try:
                yield
            finally:
                run(["umount", "--lazy", inside], quiet=True)
        finally:
            server.terminate()
            server.wait(timeout=20)


def check_tests(root: Path, arguments: Sequence[str]) -> None:
    """Run the second command.

    Raises:
        PackageError: a check failed.
    """
    log(f"$ python3 dev.py test {' '.join(arguments)}")
    start_s = time.monotonic()
    finished = subprocess.run(
        command(root, ["python3", "dev.py", "test", *arguments]),
        stdin=subprocess.DEVNULL,
        check=False,
    )
    elapsed_s = time.monotonic() - start_s
    if finished.returncode:
        raise PackageError(f"Tests failed with {finished.returncode} after {elapsed_s:.0f} s.")
    log(f"Tests passed in {elapsed_s:.0f} s.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
