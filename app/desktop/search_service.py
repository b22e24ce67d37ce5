"""Search providers on the desktop's message bus for GNOME Shell and KRunner.

The bus starts `winnow desktop-search` with the first call; it exits a minute after the last one.

Source: org.gnome.Shell.SearchProvider2 (GNOME Shell, data/dbus-interfaces) and org.kde.krunner1
(KRunner, src/data).
"""

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
from core import APP_ID
from core.files import paths

NAME: Final = f"{APP_ID}.SearchProvider"
_ROOT: Final = "/" + APP_ID.replace(".", "/")
GNOME_PATH: Final = f"{_ROOT}/SearchProvider"
GNOME: Final = "org.gnome.Shell.SearchProvider2"
KRUNNER_PATH: Final = f"{_ROOT}/Runner"
KRUNNER: Final = "org.kde.krunner1"
COMMAND: Final = "desktop-search"

_PATIENCE_S: Final = 60.0
_SHOWN_BY_KRUNNER: Final = 10
# The rank of documents among KRunner's matches: "low", below programs and settings.
_CATEGORY: Final = 30
# The action of a match that opens the window with the query; the same in all languages.
_IN_WINNOW: Final = "winnow"
_DO_NOT_QUEUE: Final = 4
_NAME_IN_USE: Final = 3

_ERRORS: Final = "org.freedesktop.DBus.Error"
_INTROSPECTABLE: Final = "org.freedesktop.DBus.Introspectable"
_PEER: Final = "org.freedesktop.DBus.Peer"

# Names and their D-Bus signatures.
Arguments = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Method:
    """A method of an interface: its arguments, its results and its implementation."""

    arguments: Arguments
    results: Arguments
    do: Callable[..., object]


def main() -> int:
    """Serve the desktop until it is idle; return the exit status."""
    try:
        bus = open_dbus_connection(os.environ.get("DBUS_SESSION_BUS_ADDRESS", ""))
    except (OSError, RuntimeError, ValueError):
        # No address, an unsupported one, or no server at it.
        sys.stderr.write(
            "winnow: The desktop's message bus cannot be reached; "
            "the desktop starts this command itself when it searches.\n"
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
    """Answers calls in order, each in milliseconds."""

    def __init__(self, bus: DBusConnection, search: DesktopSearch) -> None:
        self._bus = bus
        self._search = search
        # KRunner's activation token: raises the next window on Wayland.
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
                    "SetActivationToken": Method((("token", "s"),), (), self._set_token),
                    "Run": Method((("matchId", "s"), ("actionId", "s")), (), self._run),
                    "Match": Method(
                        (("query", "s"),), (("matches", "a(sssida{sv})"),), self._match
                    ),
                },
            ),
        }

    def serve(self, patience_s: float = _PATIENCE_S) -> None:
        """Answer calls until none arrived for `patience_s`, or another program owns the name.

        Calls may arrive before the reply to the request for the name, so every call is answered.
        """
        request = self._send(message_bus.RequestName(NAME, _DO_NOT_QUEUE))
        released = 0
        ends_s = time.monotonic() + patience_s
        while True:
            try:
                message = self._bus.receive(timeout=max(ends_s - time.monotonic(), 0))
            except TimeoutError:
                if released:
                    return
                # For later calls the bus starts another process; earlier calls are still answered.
                released = self._send(message_bus.ReleaseName(NAME))
                ends_s = time.monotonic() + patience_s
                continue
            except ConnectionError:
                return  # the desktop session has ended
            kind, fields = message.header.message_type, message.header.fields
            if kind is MessageType.method_call:
                self._answer(message)
                if not released:
                    ends_s = time.monotonic() + patience_s
                continue
            answered = fields.get(HeaderFields.reply_serial, 0)
            if answered == request and message.body == (_NAME_IN_USE,):
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
        wanted = _signature(method.arguments)
        if fields.get(HeaderFields.signature, "") != wanted:
            explanation = f"{member} takes {wanted or 'nothing'}."
            return new_error(call, f"{_ERRORS}.InvalidArgs", "s", (explanation,))
        result = method.do(*call.body)
        if not method.results:
            return new_method_return(call)
        return new_method_return(call, _signature(method.results), (result,))

    def _described(self, path: str) -> str:
        """Return the introspection XML of an object."""
        interface, methods = self._objects[path]
        lines = ["<node>", f"<interface name='{interface}'>"]
        for name, method in methods.items():
            lines.append(f"<method name='{name}'>")
            for way, arguments in (("in", method.arguments), ("out", method.results)):
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
        # A longer word ("car", "card") is another word: its documents need not be among the
        # previous results.
        return self._find(terms)

    def _metas(self, identifiers: list[str]) -> list[dict[str, tuple[str, Any]]]:
        return [_meta(shown) for shown in self._search.show(identifiers)]

    def _activate(self, identifier: str, terms: list[str], timestamp: int) -> None:
        self._search.open(identifier, " ".join(terms), _clicked_at(timestamp))

    def _launch(self, terms: list[str], timestamp: int) -> None:
        self._search.open_window(" ".join(terms), _clicked_at(timestamp))

    # KRunner

    def _match(self, query: str) -> list[tuple[str, str, str, int, float, dict[str, Any]]]:
        hits = self._search.find(query, _SHOWN_BY_KRUNNER)
        return [
            (
                shown.key,
                shown.name,
                shown.icons[0],
                _CATEGORY,
                1 - index / _SHOWN_BY_KRUNNER,
                _properties(shown),
            )
            for index, shown in enumerate(self._search.show(hits))
        ]

    def _run(self, match: str, action: str) -> None:
        token, self._token = self._token, ""
        activation = {"XDG_ACTIVATION_TOKEN": token} if token else {}
        query = self._search.query_of(match)
        if action == _IN_WINNOW:
            self._search.open_window(query, activation)
        else:
            self._search.open(match, query, activation)

    def _set_token(self, token: str) -> None:
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
    """Return a result for GNOME Shell; the icon is a serialised GThemedIcon."""
    return {
        "id": ("s", shown.key),
        "name": ("s", shown.name),
        "description": ("s", shown.about),
        "icon": ("(sv)", ("themed", ("as", list(shown.icons)))),
    }


def _properties(shown: Shown) -> dict[str, tuple[str, Any]]:
    """Return the optional properties of a KRunner match."""
    properties: dict[str, tuple[str, Any]] = {"subtext": ("s", shown.about_in_short)}
    if shown.uri:
        properties["urls"] = ("as", [shown.uri])
    return properties


def _clicked_at(timestamp: int) -> dict[str, str]:
    """Return the startup id for a click at an X11 time in milliseconds, as an environment."""
    return {"DESKTOP_STARTUP_ID": f"winnow_TIME{timestamp}"} if timestamp else {}
