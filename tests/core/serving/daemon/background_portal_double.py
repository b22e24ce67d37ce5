"""A desktop's portal for programs in the background, on a bus of the test's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    new_error,
    new_method_return,
    new_signal,
)

from tests.portal import PATH, Portal


@dataclass
class Decision:
    """How the person, or the desktop, decides.

    Attributes:
        code: 0 for yes, 1 for no, 2 for neither.
        grants: whether the request is granted, where the code is 0.
        has_background: whether the portal knows of programs in the background.
        is_early: whether the response precedes the return of the call.
        is_silent: whether no response is sent.
    """

    code: int = 0
    grants: bool = True
    has_background: bool = True
    is_early: bool = False
    is_silent: bool = False


class PortalDouble(Portal):
    """Answers with the protocol's own types, as it is decided."""

    def __init__(self, address: str) -> None:
        self.decision = Decision()
        self.requests: list[dict[str, Any]] = []
        """The options of each request, in the order in which they came."""
        super().__init__(address)

    def _answer(self, call: Message) -> None:
        fields = call.header.fields
        is_known = (
            fields[HeaderFields.path] == PATH
            and fields[HeaderFields.interface] == "org.freedesktop.portal.Background"
            and fields[HeaderFields.member] == "RequestBackground"
            and fields[HeaderFields.signature] == "sa{sv}"
        )
        if not (is_known and self.decision.has_background):
            text = ("No such interface.",)
            name = "org.freedesktop.DBus.Error.UnknownMethod"
            self._bus.send(new_error(call, name, "s", text))
            return
        parent, options = call.body
        assert parent == ""
        self.requests.append(options)
        client = fields[HeaderFields.sender]
        sender = client.removeprefix(":").replace(".", "_")
        request = f"{PATH}/request/{sender}/{options['handle_token'][1]}"
        granted = self.decision.grants
        results = {
            "background": ("b", granted),
            "autostart": ("b", granted and options["autostart"][1]),
        }
        response = new_signal(
            DBusAddress(request, interface="org.freedesktop.portal.Request"),
            "Response",
            "ua{sv}",
            (self.decision.code, results if self.decision.code == 0 else {}),
        )
        response.header.fields[HeaderFields.destination] = client
        messages = [new_method_return(call, "o", (request,))]
        if not self.decision.is_silent:
            messages.append(response)
        for message in reversed(messages) if self.decision.is_early else messages:
            self._bus.send(message)
