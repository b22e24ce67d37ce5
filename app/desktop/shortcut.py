"""A key that works anywhere, which the desktop gives by its portal for global shortcuts."""

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
# The key that the desktop may propose; which one it is the person decides there.
_WISH: Final = "CTRL+ALT+space"
_GRANTED: Final = 0
_REFUSED: Final = 1

# What the portal tells: names, each with a signature and a value of it.
Results = Mapping[str, tuple[str, Any]]
# Shortcuts by their names.
Listed = list[tuple[str, Results]]


class ShortcutStage(Enum):
    """How far the shortcut has come."""

    # This desktop has no such portal, as far as is known.
    MISSING = auto()
    OFF = auto()
    # The desktop has been asked; it may be showing a dialog of its own.
    ASKED = auto()
    BOUND = auto()
    # The desktop gave no key, for reasons of its own.
    FAILED = auto()


class Shortcut(QObject):
    """Asks the desktop for a key, and hears when it is pressed.

    Nothing is asked before `look` or `ask`; a person has to want it.
    """

    changed = Signal()
    # Carries the token by which the desktop lets a window come forward; "" for none.
    pressed = Signal(str)
    # The person wants no key after all: they said so in the desktop's dialog.
    refused = Signal()

    def __init__(self, description: str, parent: QObject) -> None:
        super().__init__(parent)
        self._description = description
        self._bus: Bus | None = None
        self._owner = ""
        self._session = ""
        self._window = ""
        self._is_wanted = False
        self._numbers = count(1)
        self._waiting: dict[str, Callable[[Results], None]] = {}
        self.stage = ShortcutStage.MISSING
        # Which key it is, in the desktop's words; "" while none is chosen there.
        self.key = ""

    def look(self) -> None:
        """See whether there is such a portal; `changed` tells."""
        if self._bus is not None:
            return
        address = bus_address()
        if not address:
            return
        # Not before it is wanted, and nowhere else.
        from app.desktop.bus import Bus

        bus = Bus(self)
        bus.opened.connect(self._introduce)
        bus.lost.connect(self._lose_bus)
        bus.heard.connect(self._hear)
        self._bus = bus
        bus.open(address)

    def ask(self, window: str = "") -> None:
        """Have the desktop give a key, as soon as there is a portal.

        Args:
            window: before which the desktop shows its dialog, as portals name windows.
        """
        self._is_wanted = True
        self._window = window
        self.look()
        self._ask_if_wanted()

    def give_back(self) -> None:
        """Want no key any more."""
        self._is_wanted = False
        self._end_session()
        if self.stage is not ShortcutStage.MISSING:
            self._be(ShortcutStage.OFF)

    def close(self) -> None:
        """Hear of nothing more; the desktop ends its session with the connection."""
        self._is_wanted = False
        if self._bus is not None:
            self._bus.close()

    def _introduce(self) -> None:
        assert self._bus is not None
        self._bus.listen(_PORTAL)
        self._bus.listen(_BUS, "NameOwnerChanged", _PORTAL)
        # The desktop keeps the key under this name. A portal from before 2025 does not know the
        # method, and no portal a name whose desktop file is not installed: then it guesses.
        self._call(_PATH, _REGISTER, "sa{sv}", ("winnow", {}))
        self._find_portal()

    def _find_portal(self) -> None:
        asked = (_SHORTCUTS, "version")
        self._call(_PATH, "org.freedesktop.DBus.Properties.Get", "ss", asked, self._take_version)

    def _take_version(self, answer: BusMessage) -> None:
        if answer.is_error:
            _log.info("This desktop gives no global shortcuts: %s", answer.body)
            self._be(ShortcutStage.MISSING)
        elif answer.sender != self._owner:
            # Nobody else may press the key.
            self._owner = answer.sender
            self._be(ShortcutStage.OFF)
            self._ask_if_wanted()

    def _ask_if_wanted(self) -> None:
        if self._is_wanted and self.stage in (ShortcutStage.OFF, ShortcutStage.FAILED):
            self._be(ShortcutStage.ASKED)
            named = {"session_handle_token": ("s", f"winnow{next(self._numbers)}")}
            self._request("CreateSession", "a{sv}", options=named, then=self._take_session)

    def _take_session(self, results: Results) -> None:
        _, self._session = results["session_handle"]
        self._request("ListShortcuts", "oa{sv}", self._session, then=self._look_up)

    def _look_up(self, results: Results) -> None:
        """Ask for a key only where the desktop has not kept the one from before."""
        if self._take_key(_listed(results)):
            return
        about = {"description": ("s", self._description), "preferred_trigger": ("s", _WISH)}
        asked = (self._session, [(_ID, about)], self._window)
        self._request("BindShortcuts", "oa(sa{sv})sa{sv}", *asked, then=self._take_bound)

    def _take_bound(self, results: Results) -> None:
        if not self._take_key(_listed(results)):
            self._be(ShortcutStage.FAILED)

    def _take_key(self, shortcuts: Listed) -> bool:
        """Take over which key it is; False where the desktop does not know of ours."""
        for name, about in shortcuts:
            if name == _ID:
                _, self.key = about.get("trigger_description", ("s", ""))
                self._be(ShortcutStage.BOUND)
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
        """Ask the portal for what it answers later, perhaps after a dialog with the person."""
        assert self._bus is not None
        token = f"winnow{next(self._numbers)}"
        sender = self._bus.name.removeprefix(":").replace(".", "_")
        path = f"{_PATH}/request/{sender}/{token}"
        self._waiting[path] = then
        body = (*arguments, {**(options or {}), "handle_token": ("s", token)})
        take = partial(self._take_handle, path)
        self._call(_PATH, f"{_SHORTCUTS}.{member}", signature, body, take)

    def _take_handle(self, path: str, answer: BusMessage) -> None:
        """A request that is not even begun gets no response."""
        if answer.is_error and self._waiting.pop(path, None) is not None:
            _log.warning("The desktop gives no key: %s", answer.body)
            self._be(ShortcutStage.FAILED)

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

    def _hear(self, said: BusMessage) -> None:
        if said.sender == _BUS and said.member == "NameOwnerChanged":
            self._follow_owner(*said.body)
        elif said.sender == self._owner:
            self._hear_portal(said.member, said.path, said.body)

    def _follow_owner(self, name: str, _before: str, owner: str) -> None:
        """A portal that ends takes its sessions along; one that begins is asked anew."""
        if name != _PORTAL or owner == self._owner:
            return
        self._owner = ""
        self._forget()
        self._be(ShortcutStage.MISSING)
        if owner:
            self._find_portal()

    def _hear_portal(self, member: str, path: str, body: tuple[Any, ...]) -> None:
        if member == "Response":
            then = self._waiting.pop(path, None)
            if then is not None:
                self._take_response(then, *body)
        elif member == "Closed":
            if path == self._session:
                self._forget()
                self._be(ShortcutStage.FAILED)
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
        self._be(ShortcutStage.OFF if is_refused else ShortcutStage.FAILED)
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
        """Have nothing of a session that has ended, nor of what was asked for it."""
        self._session = self.key = ""
        self._waiting.clear()

    def _lose_bus(self) -> None:
        assert self._bus is not None
        self._bus.deleteLater()
        self._bus = None
        self._owner = ""
        self._forget()
        self._be(ShortcutStage.MISSING)

    def _be(self, stage: ShortcutStage) -> None:
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
    """The window as portals name it; "" where only the desktop's own toolkits can name one."""
    if QGuiApplication.platformName() == "xcb":
        return f"x11:{int(window.winId()):x}"
    return ""
