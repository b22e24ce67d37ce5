"""The page for browsers turned on and off, and the service told of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.browser import address as browser_address
from core.browser.address import BrowserAddress
from core.errors import Message
from core.service import client
from core.service.address import require_sockets


@dataclass(frozen=True, slots=True)
class BrowserState:
    """Whether a browser is answered.

    Attributes:
        address: of the page; None while it is off.
        is_open: whether a service answers there.
        problem: why it does not though it runs, as a sentence; "" for nothing.
    """

    address: BrowserAddress | None
    is_open: bool = False
    problem: str = ""


def switch_on(home: Path) -> BrowserState:
    """Have the service answer browsers, at once where it runs; gives where.

    Raises:
        LibraryError: the address cannot be written.
        UsageError: this system has no service.
    """
    require_sockets()
    browser_address.turn_on(home)
    return state_of(home)


def switch_off(home: Path) -> bool:
    """Have browsers answered no more, and forget the address; gives whether they were.

    Raises:
        LibraryError: that cannot be written.
    """
    was_on = browser_address.turn_off(home)
    client.ask(home, "browser")
    return was_on


def state_of(home: Path) -> BrowserState:
    """Return whether a browser is answered; the service, if it runs, has looked once more.

    Raises:
        LibraryError: the address cannot be read.
    """
    known = browser_address.load(home)
    told = client.ask(home, "browser")
    if known is None or not known.is_on:
        return BrowserState(None)
    if told is None:
        return BrowserState(known)
    return BrowserState(known, bool(told["is_open"]), Message.unpacked(told["problem"]))
