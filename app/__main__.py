"""The program `winnow`: opens the window, or runs a subcommand of the command line."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from app.main_window import MainWindow

_WINDOW_OPTIONS = ("--theme", "--folder", "--in", "--query", "--show")
# Threads of numpy's matrix products, which it reads when it is loaded. Set to one: a query is too
# small to share, and the threads of several queries or of the encoder would block each other.
_THREADS_OF_PRODUCTS = ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main(
    argv: list[str] | None = None, shown: Callable[[MainWindow], None] = lambda _window: None
) -> int:
    """Run Winnow; return its exit status.

    Args:
        argv: the arguments; those of the process by default.
        shown: called with the window when it is on screen.
    """
    arguments = sys.argv[1:] if argv is None else argv
    _forget_own_libraries()
    if arguments == ["desktop-search"]:
        # Called by the desktop, which waits: before anything else is loaded.
        from app.desktop.search_service import main as answer_desktop

        return answer_desktop()
    # The packaged program has already tried the service: packaging/runtime_hook.py.
    is_packaged = getattr(sys, "frozen", False)
    if not is_packaged and (status := answered_by_service(arguments)) is not None:
        return status
    if is_packaged:
        import multiprocessing

        multiprocessing.freeze_support()
    for name in _THREADS_OF_PRODUCTS:
        os.environ.setdefault(name, "1")
    if arguments == ["--version", "--verbose"]:
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
    """Search for the query of a link, which must be the only argument."""
    from app.desktop.links import query_of
    from core.errors import UsageError

    try:
        if len(arguments) > 1:
            raise UsageError("Extra arguments after a link are not allowed. Pass the link only.")
        query = query_of(arguments[0])
    except UsageError as error:
        if sys.stderr is not None:  # None if Windows follows a link without a console
            sys.stderr.write(f"winnow: {error}\n")
        return error.exit_status
    return _open_window([f"--query={query}"], shown)


def answered_by_service(arguments: list[str]) -> int | None:
    """Run a command in the background service; return None if the service does not run it.

    Called before anything else is loaded, because the service is faster.
    """
    if not arguments or arguments[0].startswith("-"):
        return None
    from core.daemon_client import client

    if arguments[0] not in client.COMMANDS:
        return None
    from core.files import paths

    return client.run_command(paths.home(), arguments)


def _open_window(arguments: list[str], shown: Callable[[MainWindow], None]) -> int:
    if not _has_screen():
        from core.files.paths import NO_SCREEN

        sys.stderr.write(f"winnow: {NO_SCREEN}\n")
        return 1
    # Imported here, so that the command line does not load Qt.
    import argparse
    from pathlib import Path

    from app.desktop.instance import LaunchRequest, claim
    from core.errors import UsageError
    from core.files import paths
    from core.printable import quoted
    from core.settings import Theme

    parser = argparse.ArgumentParser("winnow", add_help=False)
    parser.add_argument("--theme", choices=[theme.value for theme in Theme])
    parser.add_argument("--folder", action="append", type=Path, default=[])
    parser.add_argument("--in", dest="place", type=Path)
    parser.add_argument("--query", default="")
    # Only raises the window; for a key binding of the desktop.
    parser.add_argument("--show", action="store_true")
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.error(f"unrecognized arguments: {quoted(' '.join(unknown))}")
    try:
        folders = [paths.absolute(folder) for folder in options.folder]
        path = paths.absolute(options.place) if options.place is not None else None
    except UsageError as error:
        sys.stderr.write(f"winnow: {error}\n")
        return error.exit_status
    query = options.query
    if path is not None:
        # A folder to search in is also added.
        folders.append(path)
        query = f"{_only_in(path)} {query}"
    request = LaunchRequest(
        tuple(folders),
        query,
        os.environ.get("XDG_ACTIVATION_TOKEN", ""),
        Theme(options.theme) if options.theme else None,
    )
    claimed = claim(paths.home(), request)
    if claimed is None:
        return 0
    # Until `app.program` enables it after loading, which allocates hundreds of thousands of objects
    # and hardly any garbage.
    gc.disable()
    # Imported here: a start that an open window handles needs nothing else of Qt.
    from app.program import open_window

    return open_window(paths.home(), request, claimed, shown)


def _only_in(folder: Path) -> str:
    from core.search.query.language import Clause

    return str(Clause("in", str(folder)))


def _forget_own_libraries() -> None:
    """Restore the library path, so that programs we start do not load our libraries.

    The loader of the frozen program sets it for itself, and has read it by now.
    """
    if getattr(sys, "frozen", False):
        before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
        os.environ.pop("LD_LIBRARY_PATH", None)
        if before is not None:
            os.environ["LD_LIBRARY_PATH"] = before


def _has_screen() -> bool:
    """Whether the environment names a screen, which Qt needs."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform != "linux" or any(os.environ.get(name) for name in named)


if __name__ == "__main__":
    sys.exit(main())
