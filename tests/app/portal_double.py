"""A desktop portal for global shortcuts on a private bus, with simulated reactions of a person."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    message_bus,
    new_error,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import Proxy
from jeepney.io.threading import DBusConnection, DBusRouter, ReceiveStopped, open_dbus_connection

_NAME = "org.freedesktop.portal.Desktop"
PATH = "/org/freedesktop/portal/desktop"


SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
SESSION = "org.freedesktop.portal.Session"

# As specified: the portal refuses arguments of another form.
SIGNATURES = {
    "CreateSession": "a{sv}",
    "ListShortcuts": "oa{sv}",
    "BindShortcuts": "oa(sa{sv})sa{sv}",
}


@dataclass
class Desktop:
    """The reactions of the person and the desktop to requests.

    Attributes:
        key: the shortcut that they choose; None for none, "" for one that is chosen later.
        code: the result of the dialog: 0 for yes, 1 for no, 2 for neither.
        remembered: the shortcuts of an earlier session.
        has_shortcuts: whether the portal supports global shortcuts.
        answers: cleared until the person decides.
    """

    key: str | None = "Ctrl+Alt+Space"
    code: int = 0
    remembered: dict[str, str] = field(default_factory=dict)
    has_shortcuts: bool = True
    answers: threading.Event = field(default_factory=threading.Event)


class PortalDouble:
    """Owns the portal's name on a bus, and answers on its own thread until it is stopped."""

    def __init__(self, address: str, desktop: Desktop) -> None:
        self._desktop = desktop
        desktop.answers.set()
        self.called: list[str] = []
        """The names of the called methods, in order."""
        self.bound: tuple[Any, ...] = ()
        """The arguments of BindShortcuts."""
        self.session = ""
        self._client = ""
        self._bus: DBusConnection = open_dbus_connection(address)
        with DBusRouter(self._bus) as router:
            (code,) = Proxy(message_bus, router).RequestName(_NAME)
        assert code == 1
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def stop(self) -> None:
        """Leave the bus, like a portal that crashes."""
        self._desktop.answers.set()
        self._bus.interrupt()
        self._thread.join()
        self._bus.close()

    def press(self, token: str = "", session: str = "") -> None:
        """Emit the signal for a press of the shortcut."""
        self._bus.send(self.pressing(token, session))

    def pressing(self, token: str = "", session: str = "") -> Message:
        """Return the signal for a press of the shortcut."""
        about = {"activation_token": ("s", token)} if token else {}
        body = (session or self.session, "show", 12345, about)
        return self._signal("Activated", "osta{sv}", body)

    def choose(self, key: str) -> None:
        """Change the shortcut, as in the settings of the desktop."""
        shortcuts = [("show", {"trigger_description": ("s", key)})]
        self._bus.send(self._signal("ShortcutsChanged", "oa(sa{sv})", (self.session, shortcuts)))

    def end_session(self) -> None:
        self._bus.send(self._signal("Closed", "a{sv}", ({},), self.session, SESSION))

    def _signal(
        self,
        member: str,
        signature: str,
        body: tuple[Any, ...],
        path: str = PATH,
        interface: str = SHORTCUTS,
    ) -> Message:
        message = new_signal(DBusAddress(path, interface=interface), member, signature, body)
        message.header.fields[HeaderFields.destination] = self._client
        return message

    def _serve(self) -> None:
        while True:
            try:
                message = self._bus.receive()
            except ReceiveStopped:
                return
            if message.header.message_type is MessageType.method_call:
                self._answer(message)

    def _answer(self, call: Message) -> None:
        fields = call.header.fields
        self._client = fields[HeaderFields.sender]
        member, body = fields[HeaderFields.member], call.body
        self.called.append(member)
        if member == "Get" and self._desktop.has_shortcuts:
            assert body == (SHORTCUTS, "version")
            self._bus.send(new_method_return(call, "v", (("u", 1),)))
        elif member == "Close":
            self._bus.send(new_method_return(call))
        elif member in SIGNATURES and SIGNATURES[member] == fields[HeaderFields.signature]:
            self._respond(call, member)
        else:
            self._bus.send(new_error(call, "org.freedesktop.DBus.Error.InvalidArgs"))

    def _respond(self, call: Message, member: str) -> None:
        options = call.body[-1]
        sender = self._client.removeprefix(":").replace(".", "_")
        _, token = options["handle_token"]
        request = f"{PATH}/request/{sender}/{token}"
        self._bus.send(new_method_return(call, "o", (request,)))
        code, results = 0, {}
        if member == "CreateSession":
            self.session = f"{PATH}/session/{sender}/{options['session_handle_token'][1]}"
            results = {"session_handle": ("s", self.session)}
        elif member == "ListShortcuts":
            results = self._listed(self._desktop.remembered)
        else:
            self.bound = call.body
            self._desktop.answers.wait()
            code = self._desktop.code
            if code == 0 and self._desktop.key is not None:
                results = self._listed({name: self._desktop.key for name, _ in call.body[1]})
        interface = "org.freedesktop.portal.Request"
        self._bus.send(self._signal("Response", "ua{sv}", (code, results), request, interface))

    def _listed(self, shortcuts: dict[str, str]) -> dict[str, Any]:
        listed = [
            (name, {"description": ("s", ""), "trigger_description": ("s", key)})
            for name, key in shortcuts.items()
        ]
        return {"shortcuts": ("a(sa{sv})", listed)}
