"""Acceptance tests of the Debian package: install, run, upgrade and purge."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chroot
import contents
import debian
import frozen
from frozen import PackageError, log, run

# The complete output of a successful smoke test.
EXPECTED_LINES: Final[tuple[str, ...]] = (
    r"window: [\d.]+ s after the start",
    r"documents: \d+, with \d+ vectors",
    r"search: lighthouse\.pdf first of \d+",
    r"page: \d+ x \d+",
    r"picture: \d+ x \d+, \d+ colours",
    r"formats: \d+",
    r"compiled loops: loaded",
)
# Qt prints this on the offscreen platform only.
_OFFSCREEN_LINE: Final = r"This plugin does not support propagateSizeHints\(\)"
_MCP_INITIALIZE: Final = (
    '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": '
    '"2025-06-18", "capabilities": {}, "clientInfo": {"name": "acceptance", "version": "1"}}}\n'
)
_DOCUMENT: Final = "The lighthouse keeper polishes his lamp.\n"
_OLDER_VERSION: Final = "0.0.1~older"


@dataclass(frozen=True)
class System:
    """A system to test the package on: this machine or a chroot."""

    root: Path

    @property
    def is_here(self) -> bool:
        return self.root == Path("/")

    def command(self, words: Sequence[str], *, as_root: bool) -> list[str]:
        """Return the command that runs `words` in the system, as root or as nobody."""
        enter = [] if self.is_here else ["chroot", str(self.root)]
        rights = (
            [] if as_root else ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        )
        become = [] if os.geteuid() == 0 else ["sudo", "-n", "--preserve-env"]
        return [*become, *enter, *rights, *words]


def can_install() -> bool:
    """Return whether this process can install packages on this machine."""
    if shutil.which("apt-get") is None:
        return False
    if os.geteuid() == 0:
        return True
    sudo = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return sudo.returncode == 0


def check_here(package: Path) -> None:
    """Install the package on this machine, run all tests, and purge it.

    Raises:
        PackageError: a test failed, or Winnow is already installed.
    """
    if (Path("/opt") / contents.NAME).exists():
        raise PackageError("Winnow is already installed on this machine. Remove it and try again.")
    system = System(Path("/"))
    older = older_package()
    with _home(system) as home:
        try:
            check_upgrade(system, home, older, package)
            check_program(system, home)
            check_newer_library_refused(system, home)
            smoke_test(system, home, {"QT_QPA_PLATFORM": "xcb"}, ["xvfb-run", "-a"])
            check_other_models(system, home)
            files = installed_files(system)
        finally:
            log("Purging the package.")
            apt(system, ["purge", contents.NAME])
        _check_removed(system, files)
        if not (home / "library" / "catalog.sqlite").exists():
            raise PackageError("Purging the package deleted the library.")


def check_in_chroot(package: Path, release: str | None = None) -> None:
    """Install the package in a minimal system, and test it there.

    Args:
        package: installed over an older one, and purged at the end.
        release: of the system; None for this machine's release.

    Raises:
        PackageError: a test failed.
    """
    own, mirror = chroot.release()
    suite = release or own
    root = frozen.BUILD / f"chroot-{suite}"
    if not root.exists():
        log(f"Creating a minimal {suite} with debootstrap.")
        chroot.make(root, suite, mirror)
        if suite == own:
            chroot.copy_sources(root)
    log(f"Testing the package in {suite}.")
    system = System(root)
    older = older_package()
    with chroot.system_folders(root), _home(system) as home:
        apt(system, ["update"])
        try:
            check_upgrade(system, home, older, package)
            check_program(system, home)
            check_newer_library_refused(system, home)
            files = installed_files(system)
        finally:
            apt(system, ["purge", contents.NAME])
        _check_removed(system, files)
        if not (home / "library" / "catalog.sqlite").exists():
            raise PackageError("Purging the package deleted the library.")


def check_upgrade(system: System, home: Path, older: Path, package: Path) -> None:
    """Create a library with an older version, upgrade, and search it.

    Raises:
        PackageError: the document is not found after the upgrade.
    """
    log("Installing an older version and creating a library.")
    install(system, older)
    make_library(system, home)
    log("Upgrading to this version.")
    install(system, package)
    for arguments in (["search", "lamp"], ["status", "--json"]):
        found = run_installed(system, home, arguments)
        if arguments[0] == "search" and "lighthouse.txt" not in found:
            raise PackageError(f"Nothing is found after the upgrade:\n{found}")


def check_newer_library_refused(system: System, home: Path) -> None:
    """Check that the program refuses a library of a newer version.

    Raises:
        PackageError: the program opens the library, or prints another message than the catalog's.
    """
    from core.catalog.catalog import Catalog
    from core.catalog.schema import VERSION
    from core.errors import LibraryTooNewError

    library = home / "newer-library"
    catalog = Catalog(library / "catalog.sqlite")
    catalog.close()
    with contextlib.closing(sqlite3.connect(catalog.path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    try:
        Catalog(catalog.path).close()
    except LibraryTooNewError as error:
        message = error.message.replace(str(library), str(_inside(system, library)))
    else:
        raise PackageError("The catalog opens a library of a newer version.")
    _change_owner(system, library)
    try:
        found = _search_words(system, home, library)
    except PackageError as error:
        if message in str(error):
            log("A library of a newer version is refused.")
            return
        raise
    raise PackageError(f"A library of a newer version is opened:\n{found}")


def _inside(system: System, path: Path) -> Path:
    """Return a path in the system's folder as programs in the system see it."""
    return "/" / path.relative_to(system.root)


def _search_words(system: System, home: Path, library: Path) -> str:
    settings = {"WINNOW_HOME": str(_inside(system, library))}
    return run_installed(system, home, ["search", "--mode", "words", "mice"], settings)


def _change_owner(system: System, library: Path) -> None:
    """Make nobody, the user that runs the program, the owner of a library."""
    inside = str(_inside(system, library))
    run(system.command(["chown", "-R", "nobody:nogroup", inside], as_root=True), quiet=True)


def installed_files(system: System) -> list[str]:
    return run(system.command(["dpkg", "-L", contents.NAME], as_root=True), quiet=True).split()


def make_library(system: System, home: Path) -> None:
    """Index a document with the installed program."""
    documents = home / "documents"
    documents.mkdir()
    (documents / "lighthouse.txt").write_text(_DOCUMENT, encoding="utf-8")
    run_installed(system, home, ["index", str(_inside(system, documents))])


def check_program(system: System, home: Path) -> None:
    """Run `--version --verbose`, the MCP server, and the smoke test twice."""
    log(run_installed(system, home, ["--version", "--verbose"]).rstrip())
    answer = run_installed(system, home, ["mcp"], stdin=_MCP_INITIALIZE)
    if '"serverInfo"' not in answer:
        raise PackageError(f"Unexpected response of the MCP server:\n{answer}")
    for turn in ("first", "second"):
        started = time.monotonic()
        printed = smoke_test(system, home, {"QT_QPA_PLATFORM": "offscreen"})
        log(f"The {turn} smoke test took {time.monotonic() - started:.1f} s:\n{printed.rstrip()}")


def check_other_models(system: System, home: Path) -> None:
    """Convert and use the multilingual model, and a custom one.

    Raises:
        PackageError: one cannot be converted, or finds nothing.
    """
    custom = home / "model"
    shutil.copytree(contents.ROOT / "resources" / "models" / contents.MODEL, custom)
    for model in (contents.MULTILINGUAL, str(custom)):
        log(f"Testing the model {model}.")
        # In a separate library for each, because the other already has vectors.
        settings = {"WINNOW_HOME": str(home / f"{Path(model).name}-library")}
        output = run_installed(
            system, home, ["index", "--model", model, str(home / "documents")], settings
        )
        found = run_installed(system, home, ["search", "lamp"], settings)
        if "lighthouse.txt" not in found:
            raise PackageError(f"Nothing is found with the model {model}:\n{output}{found}")


def smoke_test(
    system: System, home: Path, settings: dict[str, str], before: Sequence[str] = ()
) -> str:
    """Run the smoke test of the installed program, and return its output.

    Raises:
        PackageError: the test failed, or printed an unexpected line.
    """
    printed = run_installed(system, home, ["--smoke-test"], settings, before)
    expected = EXPECTED_LINES
    if settings["QT_QPA_PLATFORM"] == "offscreen":
        expected = (*expected, _OFFSCREEN_LINE)
    if unexpected := unexpected_lines(printed, expected):
        raise PackageError("Unexpected output of the smoke test:\n" + "\n".join(unexpected))
    return re.sub(rf"{_OFFSCREEN_LINE}\n", "", printed)


def unexpected_lines(printed: str, expected: Sequence[str] = EXPECTED_LINES) -> list[str]:
    """Return the lines that were not expected, and the expected ones that are missing."""
    lines = printed.splitlines()
    unknown = [line for line in lines if not any(re.fullmatch(one, line) for one in expected)]
    missing = [
        f"(missing: {one})"
        for one in EXPECTED_LINES
        if not any(re.fullmatch(one, line) for line in lines)
    ]
    return unknown + missing


def run_installed(
    system: System,
    home: Path,
    arguments: Sequence[str],
    settings: dict[str, str] | None = None,
    before: Sequence[str] = (),
    stdin: str = "",
) -> str:
    """Run the installed program as nobody, and return its output."""
    inside = _inside(system, home)
    environment = {
        "HOME": str(inside),
        "TMPDIR": str(inside),
        "WINNOW_HOME": str(inside / "library"),
        "WINNOW_CACHE": str(inside / "cache"),
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        **(settings or {}),
    }
    variables = [f"{name}={value}" for name, value in environment.items()]
    words = ["env", "-i", *variables, *before, contents.NAME, *arguments]
    return run(system.command(words, as_root=False), quiet=True, folder=Path("/"), stdin=stdin)


def install(system: System, package: Path) -> None:
    """Install a package with its dependencies."""
    shutil.copy2(package, system.root / "tmp" / package.name)
    try:
        apt(system, ["install", "--no-install-recommends", f"/tmp/{package.name}"])
    finally:
        (system.root / "tmp" / package.name).unlink()


def apt(system: System, arguments: Sequence[str]) -> None:
    words = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "--yes", *arguments]
    run(system.command(words, as_root=True), quiet=True)


def lint(package: Path) -> None:
    """Run lintian on the package.

    Raises:
        PackageError: lintian reports a tag that is not overridden.
    """
    log("Running lintian.")
    levels = "--fail-on=error,warning"
    log(run(["lintian", "--allow-root", levels, "--tag-display-limit=0", package], quiet=True))


def older_package() -> Path:
    """Return the last build, repacked with an older version number for the upgrade test."""
    control = frozen.BUILD / "debian" / "DEBIAN" / "control"
    this = control.read_text("utf-8")
    control.write_text(
        re.sub(r"^Version: .*$", f"Version: {_OLDER_VERSION}", this, flags=re.MULTILINE), "utf-8"
    )
    try:
        return debian.pack(frozen.BUILD / "debian", frozen.BUILD, compression="none")
    finally:
        control.write_text(this, "utf-8")


def _check_removed(system: System, files: Sequence[str]) -> None:
    own = [system.root / file[1:] for file in files if contents.NAME in file]
    left = [str(path) for path in own if path.exists() or path.is_symlink()]
    if left:
        raise PackageError("Files left after purging:\n" + "\n".join(left))


@contextlib.contextmanager
def _home(system: System) -> Iterator[Path]:
    """Create a temporary home folder that every user can write to."""
    with tempfile.TemporaryDirectory(
        prefix="winnow-acceptance-", dir=system.root / "tmp", ignore_cleanup_errors=True
    ) as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)
