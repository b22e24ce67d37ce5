"""Proof that the Debian package works: installed, run, replaced by a newer one, and purged."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import bare
import contents
import debian
import frozen
from frozen import PackageError, run, say

# All that a smoke test prints where nothing is wrong.
EXPECTED_LINES: Final[tuple[str, ...]] = (
    r"window: [\d.]+ s after the start",
    r"documents: \d+, with \d+ vectors",
    r"search: lighthouse\.pdf first of \d+",
    r"page: \d+ x \d+",
    r"picture: \d+ x \d+, \d+ colours",
    r"formats: \d+",
    r"compiled loops: loaded",
)
# Qt's own word on the platform without a screen; on another it would be news.
_OFFSCREEN_LINE: Final = r"This plugin does not support propagateSizeHints\(\)"
_GREETING: Final = (
    '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": '
    '"2025-06-18", "capabilities": {}, "clientInfo": {"name": "proof", "version": "1"}}}\n'
)
_TEXT: Final = "The lighthouse keeper polishes his lamp.\n"
_OLDER: Final = "0.0.1~older"


@dataclass(frozen=True)
class Place:
    """Where the package is tried out: this machine, or a root of its own (`chroot`)."""

    root: Path

    @property
    def is_here(self) -> bool:
        return self.root == Path("/")

    def command(self, words: Sequence[str], *, as_root: bool) -> list[str]:
        """The command that does `words` there, as root or as somebody without rights."""
        enter = [] if self.is_here else ["chroot", str(self.root)]
        rights = (
            [] if as_root else ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        )
        become = [] if os.geteuid() == 0 else ["sudo", "-n", "--preserve-env"]
        return [*become, *enter, *rights, *words]


def can_install() -> bool:
    """Whether packages can be installed here, by us."""
    if shutil.which("apt-get") is None:
        return False
    if os.geteuid() == 0:
        return True
    asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return asked.returncode == 0


def prove_here(package: Path) -> None:
    """Install the package on this machine, try everything, and purge it.

    Raises:
        PackageError: something is not as it should be, or a Winnow is installed already.
    """
    if (Path("/opt") / contents.NAME).exists():
        raise PackageError("A Winnow is installed on this machine: remove it and start again.")
    place = Place(Path("/"))
    older = older_package()
    with _home(place) as home:
        try:
            upgrade(place, home, older, package)
            try_out(place, home)
            refuse_newer_library(place, home)
            smoke_test(place, home, {"QT_QPA_PLATFORM": "xcb"}, ["xvfb-run", "-a"])
            try_own_model(place, home)
            files = installed_files(place)
        finally:
            say("Purging it.")
            apt(place, ["purge", contents.NAME])
        _check_gone(place, files)
        if not (home / "library" / "catalog.sqlite").exists():
            raise PackageError("The library went with the package.")


def prove_in_chroot(package: Path, named: str | None = None) -> None:
    """Install the package in a system that holds nothing else, and try it out there.

    Args:
        package: is installed over an older one, and purged at the end.
        named: the release of the system; None for this machine's own.

    Raises:
        PackageError: something is not as it should be.
    """
    own, mirror = bare.release()
    suite = named or own
    root = frozen.BUILD / f"chroot-{suite}"
    if not root.exists():
        say(f"Making a bare {suite} with debootstrap.")
        bare.make(root, suite, mirror)
        if suite == own:
            bare.copy_sources(root)
    say(f"Trying the package in {suite}.")
    place = Place(root)
    older = older_package()
    with bare.system_folders(root), _home(place) as home:
        apt(place, ["update"])
        try:
            upgrade(place, home, older, package)
            try_out(place, home)
            refuse_newer_library(place, home)
            files = installed_files(place)
        finally:
            apt(place, ["purge", contents.NAME])
        _check_gone(place, files)
        if not (home / "library" / "catalog.sqlite").exists():
            raise PackageError("The library went with the package.")


def upgrade(place: Place, home: Path, older: Path, package: Path) -> None:
    """Make a library with an older version, and search it with this one.

    Raises:
        PackageError: what was there before is not found any more.
    """
    say("Installing an older version, and making a library with it.")
    install(place, older)
    make_library(place, home)
    say("Installing this version over it.")
    install(place, package)
    for arguments in (["search", "lamp"], ["status", "--json"]):
        found = ask(place, home, arguments)
        if arguments[0] == "search" and "lighthouse.txt" not in found:
            raise PackageError(f"After the upgrade the library finds nothing:\n{found}")


def refuse_newer_library(place: Place, home: Path) -> None:
    """Check that the installed program refuses a library of a newer version.

    Raises:
        PackageError: it opens the library.
    """
    from core.catalog.catalog import Catalog
    from core.catalog.schema import VERSION

    library = home / "newer-library"
    catalog = Catalog(library / "catalog.sqlite")
    catalog.close()
    with contextlib.closing(sqlite3.connect(catalog.path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    _give_away(place, library)
    try:
        found = _search_words(place, home, library)
    except PackageError as error:
        if "was written by a newer Winnow; install the newest version" in str(error):
            say("A library of a newer version is refused.")
            return
        raise
    raise PackageError(f"A library of a newer version is opened:\n{found}")


def _search_words(place: Place, home: Path, library: Path) -> str:
    settings = {"WINNOW_HOME": str("/" / library.relative_to(place.root))}
    return ask(place, home, ["search", "--mode", "words", "mice"], settings)


def _give_away(place: Place, library: Path) -> None:
    """Give a library to nobody, whom the program runs as."""
    inside = str("/" / library.relative_to(place.root))
    run(place.command(["chown", "-R", "nobody:nogroup", inside], as_root=True), quiet=True)


def installed_files(place: Place) -> list[str]:
    return run(place.command(["dpkg", "-L", contents.NAME], as_root=True), quiet=True).split()


def make_library(place: Place, home: Path) -> None:
    """Have the installed program index a document."""
    documents = home / "documents"
    documents.mkdir()
    (documents / "lighthouse.txt").write_text(_TEXT, encoding="utf-8")
    ask(place, home, ["index", str("/" / documents.relative_to(place.root))])


def try_out(place: Place, home: Path) -> None:
    """Ask the installed program for its parts, and have it try itself out, twice."""
    say(ask(place, home, ["--version"]).rstrip())
    answer = ask(place, home, ["mcp"], told=_GREETING)
    if '"serverInfo"' not in answer:
        raise PackageError(f"The server for agents does not answer as it should:\n{answer}")
    for turn in ("first", "second"):
        started = time.monotonic()
        printed = smoke_test(place, home, {"QT_QPA_PLATFORM": "offscreen"})
        say(f"The {turn} smoke test took {time.monotonic() - started:.1f} s:\n{printed.rstrip()}")


def try_own_model(place: Place, home: Path) -> None:
    """Have the installed program prepare a model that it does not come with, by torch as an add-on.

    This project's environment serves as the folder of add-ons: it has torch, for the same Python.

    Raises:
        PackageError: the model cannot be prepared, or finds nothing.
    """
    add_ons = sysconfig.get_path("purelib")
    may_read = place.command(["test", "-r", f"{add_ons}/torch/__init__.py"], as_root=False)
    if subprocess.run(may_read, check=False).returncode:
        say(f"Nobody else may read {add_ons}: a model of one's own was not tried.")
        return
    say("Preparing a model of one's own, with torch as an add-on.")
    model = home / "model"
    shutil.copytree(contents.ROOT / "resources" / "models" / contents.MODEL, model)
    # In a library of its own: the other has the vectors of just this model.
    settings = {"WINNOW_ADD_ONS": add_ons, "WINNOW_HOME": str(home / "library-of-ones-own")}
    said = ask(place, home, ["index", "--model", str(model), str(home / "documents")], settings)
    found = ask(place, home, ["search", "lamp"], settings)
    prepared = list((home / "cache" / "models").glob("*/model.xml"))
    if not prepared or "lighthouse.txt" not in found:
        raise PackageError(f"With a model of one's own nothing is found:\n{said}{found}")


def smoke_test(
    place: Place, home: Path, settings: dict[str, str], before: Sequence[str] = ()
) -> str:
    """Run the installed program's own test; give what it printed.

    Raises:
        PackageError: it failed, or printed something that nobody expects.
    """
    printed = ask(place, home, ["--smoke-test"], settings, before)
    expected = EXPECTED_LINES
    if settings["QT_QPA_PLATFORM"] == "offscreen":
        expected = (*expected, _OFFSCREEN_LINE)
    if unexpected := unexpected_lines(printed, expected):
        raise PackageError("The smoke test printed what it should not:\n" + "\n".join(unexpected))
    return re.sub(rf"{_OFFSCREEN_LINE}\n", "", printed)


def unexpected_lines(printed: str, expected: Sequence[str] = EXPECTED_LINES) -> list[str]:
    """The lines that are none of the expected ones, and the expected ones that are missing."""
    lines = printed.splitlines()
    strange = [line for line in lines if not any(re.fullmatch(one, line) for one in expected)]
    missing = [
        f"(missing: {one})"
        for one in EXPECTED_LINES
        if not any(re.fullmatch(one, line) for line in lines)
    ]
    return strange + missing


def ask(
    place: Place,
    home: Path,
    arguments: Sequence[str],
    settings: dict[str, str] | None = None,
    before: Sequence[str] = (),
    told: str = "",
) -> str:
    """Run the installed program as somebody without rights; give all that it printed."""
    inside = "/" / home.relative_to(place.root)
    given = {
        "HOME": str(inside),
        "TMPDIR": str(inside),
        "WINNOW_HOME": str(inside / "library"),
        "WINNOW_CACHE": str(inside / "cache"),
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        **(settings or {}),
    }
    variables = [f"{name}={value}" for name, value in given.items()]
    words = ["env", "-i", *variables, *before, contents.NAME, *arguments]
    return run(place.command(words, as_root=False), quiet=True, folder=Path("/"), told=told)


def install(place: Place, package: Path) -> None:
    """Install a package with what it depends on."""
    shutil.copy2(package, place.root / "tmp" / package.name)
    try:
        apt(place, ["install", "--no-install-recommends", f"/tmp/{package.name}"])
    finally:
        (place.root / "tmp" / package.name).unlink()


def apt(place: Place, arguments: Sequence[str]) -> None:
    words = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "--yes", *arguments]
    run(place.command(words, as_root=True), quiet=True)


def lint(package: Path) -> None:
    """Have lintian judge the package.

    Raises:
        PackageError: it finds what is not listed among the overrides.
    """
    say("Asking lintian.")
    levels = "--fail-on=error,warning"
    say(run(["lintian", "--allow-root", levels, "--tag-display-limit=0", package], quiet=True))


def older_package() -> Path:
    """The package that was built last under an older version, to be replaced."""
    control = frozen.BUILD / "debian" / "DEBIAN" / "control"
    this = control.read_text("utf-8")
    control.write_text(
        re.sub(r"^Version: .*$", f"Version: {_OLDER}", this, flags=re.MULTILINE), "utf-8"
    )
    try:
        return debian.pack(frozen.BUILD / "debian", frozen.BUILD, compression="none")
    finally:
        control.write_text(this, "utf-8")


def _check_gone(place: Place, files: Sequence[str]) -> None:
    own = [place.root / file[1:] for file in files if contents.NAME in file]
    left = [str(path) for path in own if path.exists() or path.is_symlink()]
    if left:
        raise PackageError("Purged, it left behind:\n" + "\n".join(left))


@contextlib.contextmanager
def _home(place: Place) -> Iterator[Path]:
    """A folder that belongs to nobody, as a person's home."""
    with tempfile.TemporaryDirectory(
        prefix="winnow-proof-", dir=place.root / "tmp", ignore_cleanup_errors=True
    ) as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)
