"""Starting the service of a Flatpak at login, by the desktop's portal.

A Flatpak has no access to systemd or to the desktop's autostart folder. The portal for background
programs (org.freedesktop.portal.Background) asks the user, and starts one command for each Flatpak,
and so the service of one library. It cannot be queried later, so `autostart` writes a note.
"""

from __future__ import annotations

import itertools
import os
import secrets
import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from core.errors import WinnowError

if TYPE_CHECKING:
    from jeepney import Message

    from core.paths import LaunchCommand

_NAME: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_BACKGROUND: Final = "org.freedesktop.portal.Background"
_REQUEST: Final = "org.freedesktop.portal.Request"
_REASON: Final = "Winnow keeps your index up to date in the background."
# The longest wait for the portal, and for the user if the desktop asks them.
_TIMEOUT_S: Final = 10.0
_DECISION_TIMEOUT_S: Final = 300.0
_YES: Final = 0


class PortalError(WinnowError):
    """The desktop does not start the service; the message says why."""


def background_command(launch: LaunchCommand) -> tuple[str, ...]:
    """Return the command that the desktop starts in the Flatpak."""
    named = [f"{name}={value}" for name, value in launch.environment.items()]
    return (*(("env", *named) if named else ()), launch.command, *launch.arguments)


def start_command(launch: LaunchCommand) -> tuple[str, ...]:
    """Return the command that starts the service so that it outlives this program.

    A Flatpak ends with the program that it was started for; `flatpak-spawn` starts another one.
    """
    spawn = shutil.which("flatpak-spawn")
    return (*((spawn,) if spawn else ()), *background_command(launch))


def ask(command: Sequence[str], *, is_on: bool) -> None:
    """Let the desktop start a command at login, or stop doing so.

    Blocks until the user has decided, if the desktop asks them.

    Raises:
        PortalError: the portal is missing, or the user or the desktop refused.
    """
    # Not installed on Windows and macOS, which have no Flatpaks.
    from jeepney.auth import AuthenticationError
    from jeepney.io.blocking import open_dbus_connection

    try:
        with open_dbus_connection(_bus()) as bus:
            code, results = _response(bus, command, is_on=is_on)
    except (OSError, EOFError, AuthenticationError) as error:
        # A TimeoutError is an OSError, too.
        raise PortalError(
            "The desktop's background portal does not respond: {0}.",
            str(error) or type(error).__name__,
        ) from error
    _, may_start = results.get("autostart", ("b", False))
    if code != _YES or bool(may_start) != is_on:
        raise PortalError(
            "The desktop does not allow Winnow to run in the background. Allow it in the "
            "desktop's application settings."
        )


def _bus() -> str:
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
    if not address:
        raise OSError("there is no session bus")
    return address


def _response(bus: Any, command: Sequence[str], *, is_on: bool) -> tuple[int, dict[str, Any]]:
    """Send the request, and return the response code, 0 for yes, with the results.

    Raises:
        OSError: the portal is missing, or does not respond in time.
    """
    from jeepney import DBusAddress, MatchRule, message_bus, new_method_call
    from jeepney.io.blocking import Proxy

    # Subscribed first: the response may arrive before the reply to the call.
    sender = bus.unique_name.removeprefix(":").replace(".", "_")
    token = f"winnow{secrets.token_hex(8)}"
    response = MatchRule(
        type="signal",
        interface=_REQUEST,
        member="Response",
        path=f"{_PATH}/request/{sender}/{token}",
    )
    Proxy(message_bus, bus, timeout=_TIMEOUT_S).AddMatch(response)
    options = {
        "handle_token": ("s", token),
        "reason": ("s", _REASON),
        "autostart": ("b", is_on),
        "commandline": ("as", [*command]),
        "dbus-activatable": ("b", False),
    }
    portal = DBusAddress(_PATH, _NAME, _BACKGROUND)
    call = new_method_call(portal, "RequestBackground", "sa{sv}", ("", options))
    with bus.filter(response) as responses:
        _check(bus.send_and_get_reply(call, timeout=_TIMEOUT_S))
        code, results = bus.recv_until_filtered(responses, timeout=_DECISION_TIMEOUT_S).body
    return code, results


def _check(reply: Message) -> None:
    from jeepney import MessageType

    if reply.header.message_type is MessageType.error:
        reasons = itertools.chain(reply.body, ["no reason given"])
        raise OSError(str(next(reasons)).rstrip("."))
