"""The program `winnow`: alone it opens the window, with a sub-command it is the command line."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.main_window import MainWindow

_WINDOW_OPTIONS = ("--theme", "--folder", "--in", "--query", "--show")
# How many threads numpy's products of matrices take, read when it is loaded. One: a query has
# little to share out, and several at once, or one beside the encoder, would wait for each other.
_THREADS_OF_PRODUCTS = ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main(
    argv: list[str] | None = None, shown: Callable[[MainWindow], None] = lambda _window: None
) -> int:
    """Run Winnow; give its exit status.

    Args:
        argv: the program's own arguments by default.
        shown: is given the window when it is on screen.
    """
    arguments = sys.argv[1:] if argv is None else argv
    _forget_own_libraries()
    if arguments == ["desktop-search"]:
        # For the desktop alone, which waits: before anything else is loaded.
        from app.desktop.search_service import main as answer_desktop

        return answer_desktop()
    # The packaged program has asked before it came to this: packaging/at_once.py.
    is_asked = getattr(sys, "frozen", False)
    if not is_asked and (status := answered_by_service(arguments)) is not None:
        return status
    import multiprocessing

    multiprocessing.freeze_support()
    for name in _THREADS_OF_PRODUCTS:
        os.environ.setdefault(name, "1")
    if arguments == ["--version"]:
        from app.versions import show_versions
        from core.cli import printed

        return printed(show_versions)
    if arguments and ":" in arguments[0]:
        from app.desktop.links import is_link

        if is_link(arguments[0]):
            return _follow(arguments, shown)
    if arguments and arguments[0].split("=")[0] not in _WINDOW_OPTIONS:
        from core.cli import main as run_command

        return run_command(arguments)
    return _open_window(arguments, shown)


def _follow(arguments: list[str], shown: Callable[[MainWindow], None]) -> int:
    """Search for what a link asks for: the whole of what the desktop was handed, and no options."""
    from app.desktop.links import query_of
    from core.errors import UsageError

    try:
        if len(arguments) > 1:
            raise UsageError("A link is followed by itself; leave out what stands behind it.")
        query = query_of(arguments[0])
    except UsageError as error:
        if sys.stderr is not None:  # as it is where Windows follows a link without a console
            sys.stderr.write(f"winnow: {error}\n")
        return error.exit_status
    return _open_window([f"--query={query}"], shown)


def answered_by_service(arguments: list[str]) -> int | None:
    """Have the service in the background run a command; None where that is not for it.

    Before anything else is loaded: it is there already.
    """
    from core.daemon_client import client

    if not arguments or arguments[0] not in client.COMMANDS:
        return None
    from core import paths

    return client.run_command(paths.home(), arguments)


def _open_window(arguments: list[str], shown: Callable[[MainWindow], None]) -> int:
    if not _has_screen():
        from core.paths import NO_SCREEN

        sys.stderr.write(f"winnow: {NO_SCREEN}\n")
        return 1
    # Imported here, so that the command line does not load Qt.
    import argparse

    from app.desktop.instance import LaunchRequest, claim
    from core import paths
    from core.errors import UsageError
    from core.printable import quoted
    from core.settings import Theme

    parser = argparse.ArgumentParser("winnow", add_help=False)
    parser.add_argument("--theme", choices=[theme.value for theme in Theme])
    parser.add_argument("--folder", action="append", type=Path, default=[])
    parser.add_argument("--in", dest="place", type=Path)
    parser.add_argument("--query", default="")
    # Asks for nothing else: for a key of the desktop's that brings the window forward.
    parser.add_argument("--show", action="store_true")
    options, others = parser.parse_known_args(arguments)
    if others:
        parser.error(f"unrecognized arguments: {quoted(' '.join(others))}")
    try:
        folders = [paths.absolute(folder) for folder in options.folder]
        place = paths.absolute(options.place) if options.place is not None else None
    except UsageError as error:
        sys.stderr.write(f"winnow: {error}\n")
        return error.exit_status
    query = options.query
    if place is not None:
        # A person who searches in a folder wants it to be searched.
        folders.append(place)
        query = f"{_only_in(place)} {query}"
    request = LaunchRequest(
        tuple(folders),
        query,
        os.environ.get("XDG_ACTIVATION_TOKEN", ""),
        Theme(options.theme) if options.theme else None,
    )
    claimed = claim(paths.home(), request)
    if claimed is None:
        return 0
    # Until all is loaded, which `app.program` knows: it makes hundreds of thousands of objects and
    # next to no garbage.
    gc.disable()
    # Not before: a start that another window answers needs no more of Qt.
    from app.program import open_window

    return open_window(paths.home(), request, claimed, shown)


def _only_in(folder: Path) -> str:
    from core.search.query.language import Clause

    return str(Clause("in", str(folder)))


def _forget_own_libraries() -> None:
    """Have programs that we start, to open a document, say, load their own libraries, not ours.

    The frozen program's loader names the folder of ours for itself, and has read it by now.
    """
    if getattr(sys, "frozen", False):
        before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
        os.environ.pop("LD_LIBRARY_PATH", None)
        if before is not None:
            os.environ["LD_LIBRARY_PATH"] = before


def _has_screen() -> bool:
    """Whether a screen is named, so that Qt is worth loading: without one, it says so."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform != "linux" or any(os.environ.get(name) for name in named)


if __name__ == "__main__":
    sys.exit(main())
