"""The command line: a thin layer over `Library`, for people at a terminal and for measuring."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence

import click

import core
from core.commands import (
    adapt,
    evaluate,
    explain,
    index,
    library,
    mcp,
    search,
    settings,
    study,
    train,
)
from core.errors import Cancelled, WinnowError

_log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit status: 0, 1 (it failed), 2 (wrong use) or 130 (Ctrl-C)."""
    logging.basicConfig(
        level=logging.DEBUG if os.environ.get("WINNOW_DEBUG") else logging.CRITICAL,
        format="%(levelname)s %(name)s: %(message)s",
    )
    try:
        commands.main(args=arguments, prog_name="winnow", standalone_mode=False)
    except WinnowError as error:
        return _complain(str(error), error.exit_status)
    except click.ClickException as error:
        return _complain(error.format_message().rstrip(".") + "; see winnow --help.", 2)
    except (Cancelled, click.Abort, KeyboardInterrupt):
        return _complain(
            "Stopped. What was done is kept; the same command goes on from there.", 130
        )
    except (BrokenPipeError, SystemExit):
        # Who read our output has seen enough (`winnow search … | head`); click leaves then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - a person at a terminal gets a sentence
        _log.exception("unexpected")
        return _complain(
            f"An unexpected error in Winnow ({type(error).__name__}: {error}); "
            "set WINNOW_DEBUG=1 to see where.",
            1,
        )
    return 0


def _complain(sentence: str, status: int) -> int:
    click.echo(f"winnow: {sentence}", err=True)
    return status


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(core.__version__, prog_name="winnow")
def commands() -> None:
    """Search your own folders by meaning and by words, offline.

    Without a command the window opens, or comes forward where it is open: with --folder DIR that
    folder is added, with --query TEXT it is searched for, --theme light|dark|system has it wear
    other colours, --show does nothing else. WINNOW_HOME names the library's folder.
    """


for _command in (
    search.search,
    explain.explain,
    index.index,
    index.folders,
    library.status,
    library.check,
    settings.settings,
    settings.rebuild,
    mcp.mcp,
    adapt.adapt,
    evaluate.evaluate,
    study.study,
    train.train,
    train.mine,
    train.fit,
):
    commands.add_command(_command)
