"""What doubles of a desktop's portal have in common: a place on a bus, a thread of their own."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Final

from jeepney import Message, MessageType, message_bus
from jeepney.io.blocking import Proxy
from jeepney.io.threading import DBusConnection, DBusRouter, ReceiveStopped, open_dbus_connection

_NAME: Final = "org.freedesktop.portal.Desktop"
PATH: Final = "/org/freedesktop/portal/desktop"


class Portal(ABC):
    """Own the name of a desktop's portal on a bus, and receive each call, until it is stopped."""

    def __init__(self, address: str) -> None:
        self._bus: DBusConnection = open_dbus_connection(address)
        with DBusRouter(self._bus) as router:
            (code,) = Proxy(message_bus, router).RequestName(_NAME)
        assert code == 1
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def stop(self) -> None:
        """Leave the bus, as a portal does that crashes."""
        self._bus.interrupt()
        self._thread.join()
        self._bus.close()

    @abstractmethod
    def _answer(self, call: Message) -> None:
        """Answer a call, on the thread."""

    def _serve(self) -> None:
        while True:
            try:
                message = self._bus.receive()
            except ReceiveStopped:
                return
            if message.header.message_type is MessageType.method_call:
                self._answer(message)
