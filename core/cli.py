"""The command line: a thin layer over `Library`, for terminals and measurements."""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import io
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

import core
from core.commands.calling_process import CommandObject
from core.daemon_client.client import stop_printing
from core.errors import Cancelled, WinnowError
from core.printable import quoted_lines

if TYPE_CHECKING:
    from core.serving.daemon.invocation import Invocation

# The package that trains and evaluates models. Nothing here imports it; no wheel contains it.
LABORATORY: Final = "lab"
# Entry point group of installed packages that add commands; each is a click command.
PLUG_INS: Final = "winnow.commands"
# The location of each command of Winnow's own, in the notation of entry points, and its summary. A
# command is loaded when it is used: `--version` and `--help` need none, and most need no other.
_COMMANDS: Final = {
    "adapt": ("core.commands.adapt:adapt", "Adapt ranking to results marked as correct."),
    "check": ("core.commands.library:check", "Verify the library's files by checksums."),
    "copies": ("core.commands.library:copies", "List identical and near-identical files."),
    "explain": (
        "core.commands.explain:explain",
        "Explain why a result was found: in a sentence, and its score token by token.",
    ),
    "folders": ("core.commands.index:folders", "List or change the library's folders."),
    "index": ("core.commands.index:index", "Add folders to the library and update the index."),
    "library": ("core.commands.publishing:libraries", "Manage other libraries to search."),
    "mcp": ("core.commands.mcp:mcp", "Serve the library to AI agents (MCP)."),
    "publish": ("core.commands.publishing:publish", "Publish your library for others to search."),
    "rebuild": ("core.commands.settings:rebuild", "Rebuild the index from the files."),
    "search": ("core.commands.search:search", "Search your library and added libraries."),
    "serve": ("core.commands.serve:serve", "Serve the library over HTTP until Ctrl-C."),
    "service": ("core.commands.service:service", "Show the status of the background service."),
    "settings": ("core.commands.settings:settings", "Show or change the settings of the library."),
    "status": ("core.commands.library:status", "Show the library's contents and failures."),
}
_log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status: 0, 1 (failed), 2 (wrong use) or 130 (Ctrl-C)."""
    shown = logging.StreamHandler()
    shown.setFormatter(_Plain("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(
        level=logging.DEBUG if os.environ.get("WINNOW_DEBUG") else logging.CRITICAL,
        handlers=[shown],
    )
    for stream in (sys.stdout, sys.stderr):
        # Escape characters that the terminal lacks instead of failing.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with _threads_logged():
        return printed(functools.partial(run, arguments))


def printed(work: Callable[[], int]) -> int:
    """Call `work` and return its exit status, or another one if the output is closed or full.

    Args:
        work: prints on this process's own outputs, and returns the exit status.
    """
    try:
        status = work()
        # Python would flush at exit, when an error is no sentence any more.
        sys.stdout.flush()
        return status
    except (BrokenPipeError, SystemExit):
        # The reader of our output has closed it (`winnow search … | head`); click exits then.
        stop_printing()
        return 0
    except OSError as error:
        from core.files.own_files import NO_ROOM, is_out_of_room

        if not is_out_of_room(error):
            raise
        stop_printing()
        return _complain(NO_ROOM, 1)


def run_for(invocation: Invocation) -> int:
    """Run a command of another process, and return its exit status.

    Raises:
        BrokenPipeError: the other process no longer reads the output.
        SystemExit: click noticed that.
    """
    return run(invocation.arguments, invocation)


def run(arguments: Sequence[str] | None, invocation: Invocation | None = None) -> int:
    """Run one command, and return its exit status.

    Args:
        arguments: the command's name and its own arguments; None for this process's.
        invocation: of another process; None for this one.

    Raises:
        BrokenPipeError: the output is no longer read.
        SystemExit: click noticed that.
    """
    complain = functools.partial(_complain, invocation=invocation)
    context = CommandObject(run_for, invocation)
    try:
        commands.main(args=arguments, prog_name="winnow", standalone_mode=False, obj=context)
    except WinnowError as error:
        return complain(str(error), error.exit_status)
    except click.ClickException as error:
        return complain(error.format_message().rstrip(".") + ". See winnow --help.", 2)
    except (Cancelled, click.Abort, KeyboardInterrupt):
        return complain(
            "Interrupted. Progress is saved; run the same command again to continue.", 130
        )
    except BrokenPipeError:
        raise
    except OSError as error:
        from core.files.own_files import NO_ROOM, is_out_of_room

        if not is_out_of_room(error):
            return complain(_unexpected(error), 1)
        if invocation is None:
            stop_printing()
        return complain(NO_ROOM, 1)
    except Exception as error:  # noqa: BLE001 - a person at a terminal gets a sentence
        return complain(_unexpected(error), 1)
    return 0


def _unexpected(error: Exception) -> str:
    _log.error("unexpected", exc_info=error)
    name = type(error).__name__
    return f"Unexpected error ({name}: {error}). Set WINNOW_DEBUG=1 for details."


def _complain(sentence: str, status: int, invocation: Invocation | None = None) -> int:
    from core.commands import terminal

    screen = None if invocation is None else invocation.screen
    terminal.say(f"winnow: {sentence}", is_error=True, screen=screen)
    return status


class _Plain(logging.Formatter):
    """Escapes control characters in log records, which may quote a document."""

    def format(self, record: logging.LogRecord) -> str:
        return quoted_lines(super().format(record))


@contextlib.contextmanager
def _threads_logged() -> Iterator[None]:
    """Log an exception that ends a thread, which Python would print."""

    def log(failed: threading.ExceptHookArgs) -> None:
        if failed.exc_value is not None and failed.exc_type is not SystemExit:
            exc_info = (failed.exc_type, failed.exc_value, failed.exc_traceback)
            _log.critical("A thread failed", exc_info=exc_info)

    before, threading.excepthook = threading.excepthook, log
    try:
        yield
    finally:
        threading.excepthook = before


class _OwnCommands(Mapping[str, click.Command]):
    """Winnow's own commands by name; each is loaded when it is used."""

    def __getitem__(self, name: str) -> click.Command:
        module, _, command = _COMMANDS[name][0].partition(":")
        loaded: click.Command = getattr(importlib.import_module(module), command)
        return loaded

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class _Commands(click.Group):
    """Winnow's commands, those of the laboratory in a checkout, and those that packages add.

    `commands` are Winnow's own. Others are looked up only for an unknown name or a complete list,
    because the lookup takes longer than starting a command.
    """

    commands: Mapping[str, click.Command]  # type: ignore[assignment] # nothing is added later

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_plugged_in(), *_of_laboratory()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        return command or _plugged_in(cmd_name).get(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # By the summaries, since loading a command takes longer than listing all of them.
        summaries = {**_COMMANDS, **_of_laboratory()}
        listed = {name: click.Command(name, help=text) for name, (_, text) in summaries.items()}
        click.Group(commands={**_plugged_in(), **listed}).format_commands(ctx, formatter)


@functools.cache
def _plugged_in(of_laboratory: str = "") -> dict[str, click.Command]:
    """Return the plug-ins' commands by name, and the laboratory's of the given name, if there is.

    Broken ones are logged and left out.
    """
    from core.optional_packages import plugged_in

    kind = (click.Command, "command", "click command")
    listed = _of_laboratory()
    own = {of_laboratory: listed[of_laboratory][0]} if of_laboratory in listed else {}
    commands = plugged_in(PLUG_INS, *kind, own)
    return {name: command for name, _, command in commands}


def _of_laboratory() -> Mapping[str, tuple[str, str]]:
    """Return locations and summaries of the laboratory's commands; only a checkout has them.

    Another installed package named `lab` is ignored.
    """
    spec = importlib.util.find_spec(LABORATORY)
    checkout = Path(core.__file__).resolve().parents[1]
    folders = (spec and spec.submodule_search_locations) or ()
    if not any(Path(folder).resolve() == checkout / LABORATORY for folder in folders):
        return {}
    listed: Mapping[str, tuple[str, str]]
    listed = importlib.import_module(f"{LABORATORY}.commands").COMMANDS
    return listed


@click.group(
    cls=_Commands,
    commands=_OwnCommands(),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(core.__version__, prog_name="winnow")
def commands() -> None:
    """Search your own folders by meaning and by words, offline.

    Without a command, open Winnow's window. Options of the window:

    \b
      --query TEXT               Search for TEXT.
      --in DIR                   Limit the search to DIR.
      --folder DIR               Add DIR to the library.
      --theme light|dark|system  Set the colour theme.
      --show                     Bring an open window to the front.

    winnow --version --verbose also shows the versions of all parts.

    The library is stored in the folder that the environment variable WINNOW_HOME names.

    \b
    Examples:
      winnow index ~/Documents
      winnow search "contracts that expire this year"
      winnow --query "train to Hamburg"
    """
