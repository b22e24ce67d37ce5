"""A global keyboard shortcut from the desktop's portal."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from enum import Enum, auto
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.desktop.bus import Answered, Bus, BusMessage


_log = logging.getLogger(__name__)

_PORTAL: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_SHORTCUTS: Final = "org.freedesktop.portal.GlobalShortcuts"
_REGISTER: Final = "org.freedesktop.host.portal.Registry.Register"
_BUS: Final = "org.freedesktop.DBus"
_ID: Final = "show"
# The key that is proposed; the person chooses it in the dialog of the desktop.
_PREFERRED_KEY: Final = "CTRL+ALT+space"
_GRANTED: Final = 0
_REFUSED: Final = 1

# Results of the portal: names, each with a signature and a value.
Results = Mapping[str, tuple[str, Any]]
# Shortcuts by their names.
Listed = list[tuple[str, Results]]


class ShortcutStage(Enum):
    """How far the shortcut has come."""

    # This desktop is not known to have the portal.
    MISSING = auto()
    OFF = auto()
    # A request is pending; the desktop may be showing a dialog.
    PENDING = auto()
    BOUND = auto()
    # The desktop refused without a decision of the person.
    FAILED = auto()


class Shortcut(QObject):
    """Requests a key from the desktop, and emits a signal when it is pressed.

    Nothing is requested before `look` or `ask` is called.
    """

    changed = Signal()
    # Carries the activation token that raises a window; "" for none.
    pressed = Signal(str)
    # The person declined the key in the dialog of the desktop.
    refused = Signal()

    def __init__(self, description: str, parent: QObject) -> None:
        super().__init__(parent)
        self._description = description
        self._bus: Bus | None = None
        self._owner = ""
        self._session = ""
        self._window = ""
        self._is_wanted = False
        self._ids = count(1)
        self._waiting: dict[str, Callable[[Results], None]] = {}
        self.stage = ShortcutStage.MISSING
        # The name of the key from the desktop; "" while none is chosen.
        self.key = ""

    def look(self) -> None:
        """Look for the portal; emits `changed`."""
        if self._bus is not None:
            return
        address = bus_address()
        if not address:
            return
        # Imported only if needed, and only where it is installed.
        from app.desktop.bus import Bus

        bus = Bus(self)
        bus.opened.connect(self._register)
        bus.lost.connect(self._lose_bus)
        bus.heard.connect(self._receive)
        self._bus = bus
        bus.open(address)

    def ask(self, window: str = "") -> None:
        """Request a key, as soon as there is a portal.

        Args:
            window: the portal name of the parent window for the dialog.
        """
        self._is_wanted = True
        self._window = window
        self.look()
        self._ask_if_wanted()

    def give_back(self) -> None:
        self._is_wanted = False
        self._end_session()
        if self.stage is not ShortcutStage.MISSING:
            self._set_stage(ShortcutStage.OFF)

    def close(self) -> None:
        """Close the connection, and with it the session of the portal."""
        self._is_wanted = False
        if self._bus is not None:
            self._bus.close()

    def _register(self) -> None:
        assert self._bus is not None
        self._bus.listen(_PORTAL)
        self._bus.listen(_BUS, "NameOwnerChanged", _PORTAL)
        # The desktop stores the key under this name. Portals from before 2025 lack the method, and
        # all refuse a name without an installed desktop file: then they guess the name.
        self._call(_PATH, _REGISTER, "sa{sv}", ("winnow", {}))
        self._find_portal()

    def _find_portal(self) -> None:
        arguments = (_SHORTCUTS, "version")
        self._call(
            _PATH, "org.freedesktop.DBus.Properties.Get", "ss", arguments, self._check_version
        )

    def _check_version(self, answer: BusMessage) -> None:
        if answer.is_error:
            _log.info("This desktop gives no global shortcuts: %s", answer.body)
            self._set_stage(ShortcutStage.MISSING)
        elif answer.sender != self._owner:
            # Signals from other senders are ignored.
            self._owner = answer.sender
            self._set_stage(ShortcutStage.OFF)
            self._ask_if_wanted()

    def _ask_if_wanted(self) -> None:
        if self._is_wanted and self.stage in (ShortcutStage.OFF, ShortcutStage.FAILED):
            self._set_stage(ShortcutStage.PENDING)
            named = {"session_handle_token": ("s", f"winnow{next(self._ids)}")}
            self._request("CreateSession", "a{sv}", options=named, then=self._take_session)

    def _take_session(self, results: Results) -> None:
        _, self._session = results["session_handle"]
        self._request("ListShortcuts", "oa{sv}", self._session, then=self._take_shortcuts)

    def _take_shortcuts(self, results: Results) -> None:
        """Request a key unless the desktop has stored the earlier one."""
        if self._take_key(_listed(results)):
            return
        about = {
            "description": ("s", self._description),
            "preferred_trigger": ("s", _PREFERRED_KEY),
        }
        arguments = (self._session, [(_ID, about)], self._window)
        self._request("BindShortcuts", "oa(sa{sv})sa{sv}", *arguments, then=self._take_bound)

    def _take_bound(self, results: Results) -> None:
        if not self._take_key(_listed(results)):
            self._set_stage(ShortcutStage.FAILED)

    def _take_key(self, shortcuts: Listed) -> bool:
        """Store the name of our key; return False if the desktop has none for us."""
        for name, about in shortcuts:
            if name == _ID:
                _, self.key = about.get("trigger_description", ("s", ""))
                self._set_stage(ShortcutStage.BOUND)
                return True
        return False

    def _request(
        self,
        member: str,
        signature: str,
        *arguments: Any,
        then: Callable[[Results], None],
        options: Results | None = None,
    ) -> None:
        """Send a request whose response arrives later, perhaps after a dialog."""
        assert self._bus is not None
        token = f"winnow{next(self._ids)}"
        sender = self._bus.name.removeprefix(":").replace(".", "_")
        path = f"{_PATH}/request/{sender}/{token}"
        self._waiting[path] = then
        body = (*arguments, {**(options or {}), "handle_token": ("s", token)})
        take = partial(self._take_handle, path)
        self._call(_PATH, f"{_SHORTCUTS}.{member}", signature, body, take)

    def _take_handle(self, path: str, answer: BusMessage) -> None:
        """Fail the request if the call itself failed: it gets no response."""
        if answer.is_error and self._waiting.pop(path, None) is not None:
            _log.warning("The desktop gives no key: %s", answer.body)
            self._set_stage(ShortcutStage.FAILED)

    def _call(
        self,
        path: str,
        method: str,
        signature: str | None = None,
        body: tuple[Any, ...] = (),
        answered: Answered | None = None,
    ) -> None:
        assert self._bus is not None
        self._bus.call(_PORTAL, path, method, signature, body, answered)

    def _receive(self, message: BusMessage) -> None:
        if message.sender == _BUS and message.member == "NameOwnerChanged":
            self._follow_owner(*message.body)
        elif message.sender == self._owner:
            self._receive_from_portal(message.member, message.path, message.body)

    def _follow_owner(self, name: str, _before: str, owner: str) -> None:
        """Forget the sessions of a portal that ended, and query one that started."""
        if name != _PORTAL or owner == self._owner:
            return
        self._owner = ""
        self._forget()
        self._set_stage(ShortcutStage.MISSING)
        if owner:
            self._find_portal()

    def _receive_from_portal(self, member: str, path: str, body: tuple[Any, ...]) -> None:
        if member == "Response":
            then = self._waiting.pop(path, None)
            if then is not None:
                self._take_response(then, *body)
        elif member == "Closed":
            if path == self._session:
                self._forget()
                self._set_stage(ShortcutStage.FAILED)
        elif body and body[0] == self._session and self._is_wanted:
            if member == "Activated" and body[1] == _ID:
                _, token = body[3].get("activation_token", ("s", ""))
                self.pressed.emit(token)
            elif member == "ShortcutsChanged":
                self._take_key(body[1])

    def _take_response(self, then: Callable[[Results], None], code: int, results: Results) -> None:
        if code == _GRANTED:
            then(results)
            return
        is_refused = code == _REFUSED
        self._end_session()
        self._set_stage(ShortcutStage.OFF if is_refused else ShortcutStage.FAILED)
        if is_refused:
            self._is_wanted = False
            self.refused.emit()

    def _end_session(self) -> None:
        for request in self._waiting:
            self._call(request, "org.freedesktop.portal.Request.Close")
        if self._session:
            self._call(self._session, "org.freedesktop.portal.Session.Close")
        self._forget()

    def _forget(self) -> None:
        """Clear the state of the session and its pending requests."""
        self._session = self.key = ""
        self._waiting.clear()

    def _lose_bus(self) -> None:
        assert self._bus is not None
        self._bus.deleteLater()
        self._bus = None
        self._owner = ""
        self._forget()
        self._set_stage(ShortcutStage.MISSING)

    def _set_stage(self, stage: ShortcutStage) -> None:
        self.stage = stage
        self.changed.emit()


def _listed(results: Results) -> Listed:
    _, shortcuts = results.get("shortcuts", ("", []))
    return shortcuts  # type: ignore[no-any-return]


def bus_address() -> str:
    """Return the address of the desktop's message bus; "" where desktops have none."""
    if sys.platform in ("win32", "darwin"):
        return ""
    return os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")


def portal_name(window: QWidget) -> str:
    """Return the portal name of a window; "" on platforms where Qt cannot provide one."""
    return f"x11:{int(window.winId()):x}" if QGuiApplication.platformName() == "xcb" else ""
