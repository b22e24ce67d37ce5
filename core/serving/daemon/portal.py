"""The service where Winnow is a Flatpak: the desktop's portal is asked to start it at login.

A Flatpak sees neither systemd nor the desktop's folder of programs to start. The portal for
programs in the background (org.freedesktop.portal.Background) asks the person, and has the desktop
start what it is told, one program for each Flatpak: so one library at a time. It tells nobody later
on what it was told, so that a note is kept.
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

    from core.launching import LaunchCommand

_NAME: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_BACKGROUND: Final = "org.freedesktop.portal.Background"
_REQUEST: Final = "org.freedesktop.portal.Request"
_REASON: Final = "Winnow keeps your library up to date, and answers at once, without its window."
_HEARD_WITHIN_S: Final = 10.0
_DECIDED_WITHIN_S: Final = 300.0
"""The desktop may ask the person first."""
_YES: Final = 0


class PortalError(WinnowError):
    """The desktop does not start the service; the message says why."""


def background_command(launch: LaunchCommand) -> tuple[str, ...]:
    """Return what the desktop is to start in the Flatpak."""
    named = [f"{name}={value}" for name, value in launch.environment.items()]
    return (*(("env", *named) if named else ()), launch.command, *launch.arguments)


def start_command(launch: LaunchCommand) -> tuple[str, ...]:
    """Return what starts the service beyond the end of this program.

    A Flatpak ends with the program that it was started for; `flatpak-spawn` starts another one.
    """
    spawn = shutil.which("flatpak-spawn")
    return (*((spawn,) if spawn else ()), *background_command(launch))


def ask(command: Sequence[str], *, is_on: bool) -> None:
    """Have the desktop start a command whenever the person logs in, or no more.

    Blocks until the person has decided, where the desktop asks them.

    Raises:
        PortalError: there is no such portal, or the person or the desktop says no.
    """
    # Not there on Windows and macOS, which have no Flatpaks.
    from jeepney.auth import AuthenticationError
    from jeepney.io.blocking import open_dbus_connection

    try:
        with open_dbus_connection(_bus()) as bus:
            code, results = _response(bus, command, is_on=is_on)
    except (OSError, EOFError, AuthenticationError) as error:
        # Also where it takes too long: a TimeoutError is an OSError.
        raise PortalError(
            "The desktop's portal for programs in the background does not answer: {0}.",
            str(error) or type(error).__name__,
        ) from error
    _, may_start = results.get("autostart", ("b", False))
    if code != _YES or bool(may_start) != is_on:
        raise PortalError(
            "The desktop does not let Winnow work in the background; its settings for "
            "applications can allow it."
        )


def _bus() -> str:
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
    if not address:
        raise OSError("there is no session bus")
    return address


def _response(bus: Any, command: Sequence[str], *, is_on: bool) -> tuple[int, dict[str, Any]]:
    """Ask the portal, and return the answer: 0 for yes, and what comes along.

    Raises:
        OSError: it is not there, or says nothing in time.
    """
    from jeepney import DBusAddress, MatchRule, message_bus, new_method_call
    from jeepney.io.blocking import Proxy

    # The answer may come before that to the call does, so it is listened for first.
    sender = bus.unique_name.removeprefix(":").replace(".", "_")
    token = f"winnow{secrets.token_hex(8)}"
    said = MatchRule(
        type="signal",
        interface=_REQUEST,
        member="Response",
        path=f"{_PATH}/request/{sender}/{token}",
    )
    Proxy(message_bus, bus, timeout=_HEARD_WITHIN_S).AddMatch(said)
    options = {
        "handle_token": ("s", token),
        "reason": ("s", _REASON),
        "autostart": ("b", is_on),
        "commandline": ("as", [*command]),
        "dbus-activatable": ("b", False),
    }
    portal = DBusAddress(_PATH, _NAME, _BACKGROUND)
    call = new_method_call(portal, "RequestBackground", "sa{sv}", ("", options))
    with bus.filter(said) as heard:
        _check(bus.send_and_get_reply(call, timeout=_HEARD_WITHIN_S))
        code, results = bus.recv_until_filtered(heard, timeout=_DECIDED_WITHIN_S).body
    return code, results


def _check(reply: Message) -> None:
    from jeepney import MessageType

    if reply.header.message_type is MessageType.error:
        told = itertools.chain(reply.body, ["it has none"])
        raise OSError(str(next(told)).rstrip("."))
