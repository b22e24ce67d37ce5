"""`winnow service`: turns the background process on and off, and reports its status."""

from datetime import datetime
from typing import Any, Final

import click

from core.addresses import readable_path
from core.commands import terminal
from core.commands.calling_process import CommandObject
from core.daemon_client import client
from core.daemon_client.protocol import STATUS
from core.files import paths


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def service(context: click.Context, as_json: bool) -> None:
    """Show the status of the background service.

    The service keeps the index up to date while the window is closed, and makes commands faster
    because its model is already loaded. It is optional, and off by default.

    \b
    Examples:
      winnow service
      winnow service on
    """
    if context.invoked_subcommand is not None:
        return
    status = client.send_request(paths.home(), STATUS)
    is_on = _is_on()
    if as_json:
        terminal.print_json({"starts_at_login": is_on, "running": status})
        return
    if status is None:
        terminal.say(
            "The service is not running. Start it with winnow service on." if not is_on else _DEAD
        )
        return
    since = datetime.fromtimestamp(status["since"]).astimezone()
    terminal.say(
        f"The service has been running since {since:%Y-%m-%d %H:%M} (process {status['process']}, "
        f"{terminal.size(status['memory_bytes'])} of memory, {status['answered']:,} requests)."
    )
    terminal.say(_doing(status))
    if not is_on:
        terminal.say("It ends when you log out. Run winnow service on to start it at login.")


_DEAD: Final = (
    "The service starts when you log in, but is not running now. Start it with winnow service on."
)


def _doing(status: dict[str, Any]) -> str:
    if status["problem"]:
        return str(status["problem"])
    if status["is_working"]:
        return "It is updating the index."
    return (
        "The index is up to date."
        if status["is_in_step"]
        else "Another Winnow process is updating the index."
    )


@service.command()
def on() -> None:
    """Start the service now and at every login.

    \b
    Examples:
      winnow service on
    """
    from core.serving.daemon.autostart import switch_on
    from core.settings import change_settings

    file = switch_on(paths.home())
    change_settings(paths.home() / "settings.json", service=True)
    terminal.say(f"The service is running and starts at login ({readable_path(file)}).")


@service.command()
def off() -> None:
    """Stop the service, and do not start it at login.

    \b
    Examples:
      winnow service off
    """
    from core.serving.daemon.autostart import switch_off
    from core.settings import change_settings

    was_there = switch_off(paths.home())
    change_settings(paths.home() / "settings.json", service=False)
    terminal.say("The service is off." if was_there else "The service was not on.")


@service.command()
@click.pass_obj
def run(command: CommandObject) -> None:
    """Run the service in this terminal until it is stopped.

    This is the command that the system starts at login after winnow service on.

    \b
    Examples:
      winnow service run
    """
    from core.serving.daemon.process import serve
    from core.serving.daemon.sockets import restart

    home = paths.home().absolute()
    if (handover := serve(home, command.run)) is not None:
        restart(handover)


def _is_on() -> bool:
    from core.serving.daemon.autostart import is_on

    return is_on(paths.home())
