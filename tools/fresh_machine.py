"""Runs README's two commands on a fresh machine: a bare Debian in a folder, with a person in it.

Needs root, debootstrap and Xvfb (`apt-get install debootstrap xvfb`), the network, and some 10 GB:

    python3 -m tools.fresh_machine bookworm trixie -- tests/package/test_dev.py -n0

What comes after `--` goes to `dev.py test`; without anything all tests run. In the system there are
python3, sudo (the person is asked for no password), and ca-certificates, without which nothing can
be fetched; the folder is a clean clone of this one. The screen is one of this machine. How pip asks
is as it is here: its configuration is copied, and `--share FOLDER` shows it a folder of packages.
Standard library only.
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

import bare  # noqa: E402 # packaging/ is no package: its modules are found by their bare names
from frozen import PackageError, run, say  # noqa: E402

PACKAGES: Final = ("python3", "sudo", "ca-certificates")
PERSON: Final = "person"
CLONE: Final = f"/home/{PERSON}/winnow"
CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")
PIP_FILES: Final = (Path("/etc/pip.conf"), Path("~/.config/pip/pip.conf").expanduser())
DISPLAY: Final = ":87"
WINDOW_S: Final = 1800
"""So long may it take from the command to a window that is ready; some 400 MB are fetched."""
COLOURS: Final = 64
"""A screen that shows more than so many colours shows a window: alone it is black."""
_LOOK: Final = """
from PySide6.QtGui import QGuiApplication
application = QGuiApplication(["look", "-platform", "xcb", "-display", {display!r}])
picture = application.primaryScreen().grabWindow(0).toImage()
picture.save("/tmp/window.png")
width, height = picture.width(), picture.height()
print(len({{picture.pixel(x, y) for x in range(0, width, 2) for y in range(0, height, 2)}}))
"""


def main(arguments: Sequence[str]) -> int:
    """Try all releases that are named, and say what came of each."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own, tests = arguments[:end], arguments[end + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, prog="fresh_machine")
    parser.add_argument("releases", nargs="+", help="for example bookworm")
    parser.add_argument("--share", type=Path, action="append", default=[], metavar="FOLDER")
    parser.add_argument("--uv", type=Path, metavar="FILE", help="a uv to install in the systems")
    parser.add_argument("--keep", action="store_true", help="leave the systems where they are")
    options = parser.parse_args(own)
    if os.geteuid() != 0:
        print("A system in a folder can only be made by root: start this with sudo.")
        return 2
    failed = []
    for release in options.releases:
        try:
            with system(release, options.share, is_kept=options.keep) as root:
                if options.uv:
                    shutil.copy(options.uv, root / "usr/local/bin/uv")
                see_window(root, ROOT / "build" / "fresh" / f"{release}.png")
                try_tests(root, tests)
        except PackageError as error:
            print(error)
            failed.append(release)
    say(f"Failed: {', '.join(failed)}." if failed else "README's two commands work on each.")
    return 1 if failed else 0


@contextlib.contextmanager
def system(release: str, shared: Sequence[Path], *, is_kept: bool) -> Iterator[Path]:
    """A bare system with a person and their clean clone of this folder in it."""
    root = ROOT / "build" / "fresh" / release
    bare.remove(root)
    say(f"Making a bare Debian {release}.")
    bare.make(root, release, bare.release()[1], PACKAGES)
    run(["chroot", root, "useradd", "--create-home", "--shell", "/bin/bash", PERSON], quiet=True)
    (root / "etc/sudoers.d" / PERSON).write_text(f"{PERSON} ALL=(ALL) NOPASSWD: ALL\n", "utf-8")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    shutil.copy("/etc/hosts", root / "etc/hosts")
    # Where a network has a gate of its own, its certificate is among these.
    shutil.copy(CERTIFICATES, root / CERTIFICATES.relative_to("/"))
    for file in PIP_FILES:
        if file.exists():
            home = file.is_relative_to(Path.home())
            inside = f"home/{PERSON}/{file.relative_to(Path.home())}" if home else f"{file}"[1:]
            (root / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, root / inside)
    clone = root / CLONE[1:]
    # A folder that belongs to another is cloned, too.
    safe = ["-c", "safe.directory=*"]
    run(["git", *safe, "clone", "--quiet", "--no-hardlinks", ROOT, clone], quiet=True)
    documents = root / f"home/{PERSON}/Documents"
    documents.mkdir()
    (documents / "lighthouse.txt").write_text("The keeper polishes the lamp.\n", "utf-8")
    run(["chroot", root, "chown", "-R", f"{PERSON}:", f"/home/{PERSON}"], quiet=True)
    try:
        with bare.system_folders(root, shared):
            yield root
    finally:
        if not is_kept:
            bare.remove(root)


def command(root: Path, words: Sequence[str]) -> list[str]:
    """The command that has the person do `words` in their clone."""
    # How pip and uv reach the packages here, and with which certificates.
    prefixes = ("PIP_", "UV_", "SSL_CERT_FILE")
    kept = {name: value for name, value in os.environ.items() if name.startswith(prefixes)}
    variables = {
        "HOME": f"/home/{PERSON}",
        "USER": PERSON,
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        **kept,
    }
    given = [f"{name}={value}" for name, value in variables.items()]
    enter = ["chroot", f"--userspec={PERSON}:{PERSON}", str(root), "env", "-i", *given]
    return [*enter, "sh", "-c", f'cd {CLONE} && exec "$@"', "sh", *words]


def see_window(root: Path, picture: Path) -> None:
    """Run the first command until its window is there and has prepared the folder; keep a picture.

    Raises:
        PackageError: it ended before, no window came, or something unexpected was told of.
    """
    say("$ python3 dev.py run ~/Documents")
    began_s = time.monotonic()
    with contextlib.ExitStack() as stack:
        stack.enter_context(screen(root))
        words = f"env DISPLAY={DISPLAY} python3 dev.py run /home/{PERSON}/Documents".split()
        printed = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
        started = subprocess.Popen(
            command(root, words), stdout=printed, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            while colours(root) < COLOURS or not is_prepared(root):
                if started.poll() is not None:
                    raise PackageError(f"It ended with {started.returncode}, before all was there.")
                if time.monotonic() - began_s > WINDOW_S:
                    raise PackageError(f"After {WINDOW_S} s no window has the folder ready.")
                time.sleep(2)
            # The window is drawn once more when the document was prepared.
            time.sleep(10)
            colours(root)
            if started.poll() is not None:
                raise PackageError("The window was there and went away by itself.")
        finally:
            printed.seek(0)
            said = printed.read()
            say(said.rstrip())
            if started.poll() is None:
                os.killpg(started.pid, signal.SIGTERM)
            started.wait(timeout=60)
    picture.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(root / "tmp/window.png", picture)
    if "Traceback" in said:
        raise PackageError(f"Something went wrong behind the window: {picture}")
    say(f"A window after {time.monotonic() - began_s:.0f} s: {picture}")
    used = subprocess.run(
        ["du", "-sm", root / CLONE[1:] / ".venv"], capture_output=True, check=True
    )
    say(f".venv takes {used.stdout.split()[0].decode()} MB.")


def colours(root: Path) -> int:
    """How many colours the screen shows; 0 while there is nothing to look at it with."""
    python = f"{CLONE}/.venv/bin/python"
    if not (root / python[1:]).exists():
        return 0
    looked = subprocess.run(
        command(root, [python, "-c", _LOOK.format(display=DISPLAY)]),
        capture_output=True,
        text=True,
        check=False,
    )
    return int(looked.stdout) if looked.returncode == 0 else 0


def is_prepared(root: Path) -> bool:
    """Whether the document can be found by words and by meaning."""
    told = subprocess.run(
        command(root, [f"{CLONE}/.venv/bin/winnow", "status", "--json"]),
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode != 0:  # the window is making the library
        return False
    status = json.loads(told.stdout)
    return bool(status["documents"] == 1 and status["waiting"] == 0)


@contextlib.contextmanager
def screen(root: Path) -> Iterator[None]:
    """A screen of this machine that is seen in the system, too."""
    sockets = Path("/tmp/.X11-unix")  # where X has them
    with tempfile.TemporaryFile() as said:
        server = subprocess.Popen(
            ["Xvfb", DISPLAY, "-screen", "0", "1280x800x24", "-ac", "-nolisten", "tcp"],
            stdout=said,
            stderr=said,
        )
        try:
            while not (sockets / f"X{DISPLAY[1:]}").exists():
                if server.poll() is not None:
                    said.seek(0)
                    raise PackageError(f"Xvfb does not start:\n{said.read().decode()}")
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


def try_tests(root: Path, arguments: Sequence[str]) -> None:
    """Run the second command to its end.

    Raises:
        PackageError: a check failed.
    """
    say(f"$ python3 dev.py test {' '.join(arguments)}")
    began_s = time.monotonic()
    ended = subprocess.run(
        command(root, ["python3", "dev.py", "test", *arguments]),
        stdin=subprocess.DEVNULL,
        check=False,
    )
    took_s = time.monotonic() - began_s
    if ended.returncode:
        raise PackageError(f"The tests ended with {ended.returncode} after {took_s:.0f} s.")
    say(f"The tests passed after {took_s:.0f} s.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
