"""An asynchronous connection to the desktop's message bus (D-Bus) on the window's thread."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from jeepney import DBusAddress, HeaderFields, MatchRule, MessageType, message_bus, new_method_call
from jeepney.auth import BEGIN, AuthenticationError, Authenticator
from jeepney.bus import get_connectable_addresses
from jeepney.low_level import Message, Parser
from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalSocket

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BusMessage:
    """A message from the bus: a reply or a signal.

    Attributes:
        sender: the unique bus name of the sender.
        path: the object that sends a signal; "" in a reply.
        member: the name of the signal; "" in a reply.
        body: the arguments; a variant is a pair of signature and value.
        is_error: whether it is the reply to a call that failed.
    """

    sender: str
    path: str
    member: str
    body: tuple[Any, ...]
    is_error: bool


Answered = Callable[[BusMessage], None]


class Bus(QObject):
    """A connection to the bus; Qt's own cannot write, nor read, a list of structures from Python.

    Replies arrive later, and not at all once the bus is lost.
    """

    opened = Signal()
    lost = Signal()
    # A signal was received; carries a BusMessage.
    heard = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        # Our unique name on the bus, once it is open.
        self.name = ""
        self._authenticator = Authenticator()
        self._parser = Parser()
        self._serials = count(1)
        self._calls: dict[int, Answered] = {}
        self._is_lost = False
        self._socket = QLocalSocket(self)
        self._socket.connected.connect(self._send_credentials)
        self._socket.readyRead.connect(self._read)
        # `disconnected` follows an established connection, `errorOccurred` a failed attempt.
        self._socket.disconnected.connect(self._lose)
        self._socket.errorOccurred.connect(self._lose)

    def open(self, address: str) -> None:
        """Connect to the bus at an address; emits `lost` on failure."""
        try:
            path = next(get_connectable_addresses(address))
        except (RuntimeError, ValueError) as error:
            _log.warning("Cannot connect to the desktop's bus: %s", error)
            self._lose()
            return
        if path.startswith("\0"):
            self._socket.setSocketOptions(QLocalSocket.SocketOption.AbstractNamespaceOption)
        self._socket.connectToServer(path.removeprefix("\0"))

    def listen(self, sender: str, member: str | None = None, first: str = "") -> None:
        """Subscribe to signals of `sender`: all, `member`, or those with a `first` argument."""
        rule = MatchRule(type="signal", sender=sender, member=member)
        if first:
            rule.add_arg_condition(0, first)
        self._send(message_bus.AddMatch(rule))

    def call(
        self,
        service: str,
        path: str,
        method: str,
        signature: str | None = None,
        body: tuple[Any, ...] = (),
        answered: Answered | None = None,
    ) -> None:
        """Call a method, named with its interface; `answered` receives the reply."""
        interface, _, member = method.rpartition(".")
        address = DBusAddress(path, service, interface)
        self._send(new_method_call(address, member, signature, body), answered)

    def close(self) -> None:
        self._is_lost = True
        self._socket.close()

    def _send(self, message: Message, answered: Answered | None = None) -> None:
        serial = next(self._serials)
        if answered is not None:
            self._calls[serial] = answered
        self._socket.write(message.serialise(serial))

    def _send_credentials(self) -> None:
        if credentials := self._authenticator.data_to_send():
            self._socket.write(credentials)

    def _take_name(self, answer: BusMessage) -> None:
        if answer.is_error:
            _log.warning("The desktop's bus refuses: %s", answer.body)
            self._socket.abort()
            return
        [self.name] = answer.body
        self.opened.emit()

    def _read(self) -> None:
        received = bytes(self._socket.readAll().data())
        if not self._authenticator.authenticated:
            try:
                self._authenticator.feed(received)
            except AuthenticationError as error:
                _log.warning("The desktop's bus does not let us in: %s", error)
                self._socket.abort()
                return
            if self._authenticator.authenticated:
                self._socket.write(BEGIN)
                self._send(message_bus.Hello(), self._take_name)
            return
        for message in self._parser.feed(received):
            self._take(message)

    def _take(self, message: Message) -> None:
        header, fields = message.header, message.header.fields
        received = BusMessage(
            fields.get(HeaderFields.sender, ""),
            fields.get(HeaderFields.path, ""),
            fields.get(HeaderFields.member, ""),
            message.body,
            header.message_type is MessageType.error,
        )
        if header.message_type is MessageType.signal:
            self.heard.emit(received)
            return
        answered = self._calls.pop(fields.get(HeaderFields.reply_serial, 0), None)
        if answered is not None:
            answered(received)

    def _lose(self) -> None:
        if not self._is_lost:
            self._is_lost = True
            self._calls.clear()
            self.lost.emit()
