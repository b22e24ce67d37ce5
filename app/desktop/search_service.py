"""The desktop's own search, answered on its bus: GNOME Shell's search providers, KRunner's runners.

The bus starts `winnow desktop-search` with the first question, and it ends a minute after the last
one. Both interfaces are as their makers define them: org.gnome.Shell.SearchProvider2 (GNOME Shell,
data/dbus-interfaces) and org.kde.krunner1 (KRunner, src/data).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from jeepney import (
    HeaderFields,
    Message,
    MessageFlag,
    MessageType,
    message_bus,
    new_error,
    new_method_return,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from app.desktop.desktop_search import DesktopSearch, Shown, own_command
from core import APP_ID, paths

NAME: Final = f"{APP_ID}.SearchProvider"
_ROOT: Final = "/" + APP_ID.replace(".", "/")
GNOME_PATH: Final = f"{_ROOT}/SearchProvider"
GNOME: Final = "org.gnome.Shell.SearchProvider2"
KRUNNER_PATH: Final = f"{_ROOT}/Runner"
KRUNNER: Final = "org.kde.krunner1"
COMMAND: Final = "desktop-search"

_PATIENCE_S: Final = 60.0
_SHOWN_BY_KRUNNER: Final = 10
# Where documents stand among what KRunner finds: "low", below programs and settings.
_CATEGORY: Final = 30
# The action of a match that opens the window with the query; named alike in any language.
_IN_WINNOW: Final = "winnow"
_DO_NOT_QUEUE: Final = 4
_NAME_TAKEN: Final = 3

_ERRORS: Final = "org.freedesktop.DBus.Error"
_INTROSPECTABLE: Final = "org.freedesktop.DBus.Introspectable"
_PEER: Final = "org.freedesktop.DBus.Peer"

# Names with signatures.
Arguments = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Method:
    """A method of an interface: what it takes, what it gives, and what does it."""

    takes: Arguments
    gives: Arguments
    do: Callable[..., object]


def main() -> int:
    """Answer the desktop until it asks nothing more; give the exit status."""
    try:
        bus = open_dbus_connection(os.environ.get("DBUS_SESSION_BUS_ADDRESS", ""))
    except (OSError, RuntimeError, ValueError):
        # No address, one of a kind that nobody has, or one where nobody listens.
        sys.stderr.write(
            "winnow: The desktop's message bus cannot be reached; "
            "the desktop starts this command itself when somebody searches.\n"
        )
        return 1
    search = DesktopSearch(paths.home(), own_command())
    try:
        SearchService(bus, search).serve()
    finally:
        search.close()
        bus.close()
    return 0


class SearchService:
    """Answers calls one after another, each in milliseconds."""

    def __init__(self, bus: DBusConnection, search: DesktopSearch) -> None:
        self._bus = bus
        self._search = search
        # Lets the next window come forward on a Wayland desktop, as KRunner says.
        self._token = ""
        many = (("terms", "as"),)
        ids = (("results", "as"),)
        self._objects: dict[str, tuple[str, dict[str, Method]]] = {
            GNOME_PATH: (
                GNOME,
                {
                    "GetInitialResultSet": Method(many, ids, self._find),
                    "GetSubsearchResultSet": Method(
                        (("previous_results", "as"), *many), ids, self._find_among
                    ),
                    "GetResultMetas": Method(
                        (("identifiers", "as"),), (("metas", "aa{sv}"),), self._metas
                    ),
                    "ActivateResult": Method(
                        (("identifier", "s"), *many, ("timestamp", "u")), (), self._activate
                    ),
                    "LaunchSearch": Method((*many, ("timestamp", "u")), (), self._launch),
                },
            ),
            KRUNNER_PATH: (
                KRUNNER,
                {
                    "Teardown": Method((), (), self._search.forget),
                    "Config": Method((), (("config", "a{sv}"),), self._config),
                    "Actions": Method((), (("matches", "a(sss)"),), self._actions),
                    "SetActivationToken": Method((("token", "s"),), (), self._take_token),
                    "Run": Method((("matchId", "s"), ("actionId", "s")), (), self._run),
                    "Match": Method(
                        (("query", "s"),), (("matches", "a(sssida{sv})"),), self._match
                    ),
                },
            ),
        }

    def serve(self, patience_s: float = _PATIENCE_S) -> None:
        """Answer until nothing was asked for so long, or another program has the name already.

        Called as soon as the name is ours, before we hear that it is: whatever comes is answered.
        """
        asked = self._send(message_bus.RequestName(NAME, _DO_NOT_QUEUE))
        released = 0
        ends_s = time.monotonic() + patience_s
        while True:
            try:
                message = self._bus.receive(timeout=max(ends_s - time.monotonic(), 0))
            except TimeoutError:
                if released:
                    return
                # Who asks from now on has the bus start another; who did before is answered yet.
                released = self._send(message_bus.ReleaseName(NAME))
                ends_s = time.monotonic() + patience_s
                continue
            except ConnectionError:
                return  # the desktop's session is over
            kind, fields = message.header.message_type, message.header.fields
            if kind is MessageType.method_call:
                self._answer(message)
                if not released:
                    ends_s = time.monotonic() + patience_s
                continue
            answered = fields.get(HeaderFields.reply_serial, 0)
            if answered == asked and message.body == (_NAME_TAKEN,):
                return
            if released and answered == released:
                return

    def _send(self, message: Message) -> int:
        serial = next(self._bus.outgoing_serial)
        self._bus.send(message, serial=serial)
        return int(serial)

    def _answer(self, call: Message) -> None:
        reply = self._reply(call)
        if not call.header.flags & MessageFlag.no_reply_expected:
            self._bus.send(reply)

    def _reply(self, call: Message) -> Message:
        fields = call.header.fields
        path, member = fields[HeaderFields.path], fields[HeaderFields.member]
        interface = fields.get(HeaderFields.interface, "")
        if interface == _PEER and member == "Ping":
            return new_method_return(call)
        if path not in self._objects:
            return new_error(call, f"{_ERRORS}.UnknownObject")
        if interface == _INTROSPECTABLE and member == "Introspect":
            return new_method_return(call, "s", (self._described(path),))
        its_interface, methods = self._objects[path]
        if interface not in ("", its_interface) or member not in methods:
            return new_error(call, f"{_ERRORS}.UnknownMethod")
        method = methods[member]
        wanted = _signature(method.takes)
        if fields.get(HeaderFields.signature, "") != wanted:
            said = f"{member} takes {wanted or 'nothing'}."
            return new_error(call, f"{_ERRORS}.InvalidArgs", "s", (said,))
        given = method.do(*call.body)
        if not method.gives:
            return new_method_return(call)
        return new_method_return(call, _signature(method.gives), (given,))

    def _described(self, path: str) -> str:
        """Return what an object answers, as the bus has it in XML."""
        interface, methods = self._objects[path]
        lines = ["<node>", f"<interface name='{interface}'>"]
        for name, method in methods.items():
            lines.append(f"<method name='{name}'>")
            for way, arguments in (("in", method.takes), ("out", method.gives)):
                lines += [
                    f"<arg name='{argument}' type='{kind}' direction='{way}'/>"
                    for argument, kind in arguments
                ]
            lines.append("</method>")
        return "\n".join([*lines, "</interface>", "</node>"])

    # GNOME Shell

    def _find(self, terms: list[str]) -> list[str]:
        return self._search.find(" ".join(terms))

    def _find_among(self, _previous: list[str], terms: list[str]) -> list[str]:
        # Asked anew: a word that was typed further ("car", "card") is another word, and what has it
        # need not have been found before.
        return self._find(terms)

    def _metas(self, identifiers: list[str]) -> list[dict[str, tuple[str, Any]]]:
        return [_meta(shown) for shown in self._search.show(identifiers)]

    def _activate(self, identifier: str, terms: list[str], timestamp: int) -> None:
        self._search.open(identifier, " ".join(terms), _clicked_at(timestamp))

    def _launch(self, terms: list[str], timestamp: int) -> None:
        self._search.open_window(" ".join(terms), _clicked_at(timestamp))

    # KRunner

    def _match(self, query: str) -> list[tuple[str, str, str, int, float, dict[str, Any]]]:
        found = self._search.find(query, _SHOWN_BY_KRUNNER)
        return [
            (
                shown.key,
                shown.name,
                shown.icons[0],
                _CATEGORY,
                1 - place / _SHOWN_BY_KRUNNER,
                _properties(shown),
            )
            for place, shown in enumerate(self._search.show(found))
        ]

    def _run(self, match: str, action: str) -> None:
        token, self._token = self._token, ""
        activation = {"XDG_ACTIVATION_TOKEN": token} if token else {}
        query = self._search.query_of(match)
        if action == _IN_WINNOW:
            self._search.open_window(query, activation)
        else:
            self._search.open(match, query, activation)

    def _take_token(self, token: str) -> None:
        self._token = token

    @staticmethod
    def _actions() -> list[tuple[str, str, str]]:
        return [(_IN_WINNOW, "Winnow", "winnow")]

    @staticmethod
    def _config() -> dict[str, tuple[str, Any]]:
        # A word of Chinese has two letters.
        return {"MinLetterCount": ("i", 2)}


def _signature(arguments: Arguments) -> str:
    return "".join(kind for _, kind in arguments)


def _meta(shown: Shown) -> dict[str, tuple[str, Any]]:
    """Return a result as GNOME Shell shows it; the icon as GLib writes one of a theme's down."""
    return {
        "id": ("s", shown.key),
        "name": ("s", shown.name),
        "description": ("s", shown.about),
        "icon": ("(sv)", ("themed", ("as", list(shown.icons)))),
    }


def _properties(shown: Shown) -> dict[str, tuple[str, Any]]:
    """Return what KRunner may be told of a match beside the rest."""
    told: dict[str, tuple[str, Any]] = {"subtext": ("s", shown.about_in_short)}
    if shown.uri:
        told["urls"] = ("as", [shown.uri])
    return told


def _clicked_at(timestamp: int) -> dict[str, str]:
    """Return the time of a click, in X11's milliseconds, as programs are told it that it starts."""
    return {"DESKTOP_STARTUP_ID": f"winnow_TIME{timestamp}"} if timestamp else {}
