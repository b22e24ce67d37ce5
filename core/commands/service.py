"""`winnow service`: turns the background process on and off, and reports its status."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import click

from core import paths
from core.addresses import readable_path
from core.commands import terminal
from core.daemon_client import client
from core.daemon_client.protocol import STATUS

if TYPE_CHECKING:
    from core.commands.own import CommandObject


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.pass_context
def service(context: click.Context, as_json: bool) -> None:
    """Say whether Winnow works in the background, and what it does there.

    The service keeps the library in step with its folders while the window is closed, and answers
    this command line at once: its model is warm. It is off until you turn it on, and all works
    without it.
    """
    if context.invoked_subcommand is not None:
        return
    status = client.send_request(paths.home(), STATUS)
    is_on = _is_on()
    if as_json:
        terminal.print_json({"starts_at_login": is_on, "running": status})
        return
    if status is None:
        terminal.say("No service runs; winnow service on starts one." if not is_on else _DEAD)
        return
    since = datetime.fromtimestamp(status["since"]).astimezone()
    terminal.say(
        f"The service runs since {since:%Y-%m-%d %H:%M} (process {status['process']}, "
        f"{terminal.size(status['memory_bytes'])} of memory); {status['answered']:,} answered."
    )
    terminal.say(_doing(status))
    if not is_on:
        terminal.say("It ends when you log out; winnow service on has it start at login.")


_DEAD: Final = "The service starts when you log in, but does not run now; winnow service on."


def _doing(status: dict[str, Any]) -> str:
    if status["problem"]:
        return str(status["problem"])
    if status["is_working"]:
        return "It is bringing the library in step with its folders."
    return "The library is in step." if status["is_in_step"] else "Another Winnow looks after it."


@service.command()
def on() -> None:
    """Have the service run now, and whenever you log in."""
    from core.serving.daemon.autostart import switch_on
    from core.settings import change_settings

    file = switch_on(paths.home())
    change_settings(paths.home() / "settings.json", service=True)
    terminal.say(f"The service runs, and will whenever you log in ({readable_path(file)}).")


@service.command()
def off() -> None:
    """End the service, and have it start no more."""
    from core.serving.daemon.autostart import switch_off
    from core.settings import change_settings

    was_there = switch_off(paths.home())
    change_settings(paths.home() / "settings.json", service=False)
    terminal.say("The service is off." if was_there else "No service was on.")


@service.command()
@click.pass_obj
def run(command: CommandObject) -> None:
    """Be the service, until it is ended: what `on` has the system start."""
    from core.serving.daemon.process import serve
    from core.serving.daemon.sockets import restart

    home = paths.home().absolute()
    if (handover := serve(home, command.run)) is not None:
        restart(handover)


def _is_on() -> bool:
    from core.serving.daemon.autostart import is_on

    return is_on(paths.home())
