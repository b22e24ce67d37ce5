"""The address for browsers: kept from others, and another one each time it is turned on."""

from __future__ import annotations

import json
import socket
import stat
from pathlib import Path

import pytest

from core.browser import address
from core.browser.address import FILE, HOST, BrowserAddress
from core.errors import LibraryError

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


def test_it_is_off_until_it_is_turned_on(home: Path) -> None:
    assert address.load(home) is None
    assert not address.turn_off(home)
    made = address.turn_on(home)
    assert made.is_on
    assert address.load(home) == made == address.turn_on(home)
    assert made.template == f"http://127.0.0.1:{made.port}/{made.secret}/search?q=%s"


def test_turned_off_it_forgets_the_secret_and_keeps_the_port(home: Path) -> None:
    first = address.turn_on(home)
    assert address.turn_off(home)
    assert first.secret not in (home / FILE).read_text(encoding="ascii")
    assert address.load(home) == BrowserAddress(first.port, "")
    second = address.turn_on(home)
    assert second.port == first.port
    assert second.secret != first.secret


def test_its_file_is_for_nobody_else(home: Path) -> None:
    home.mkdir()
    (home / FILE).write_text("{}", encoding="ascii")
    (home / FILE).chmod(0o644)
    address.turn_on(home)
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600


def test_a_port_that_was_taken_meanwhile_is_given_up(home: Path) -> None:
    first = address.turn_on(home)
    address.turn_off(home)
    with socket.socket() as taking:
        taking.bind((HOST, first.port))
        taking.listen()
        assert address.turn_on(home).port != first.port


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "[]",
        "{}",
        '{"port": "x", "secret": ""}',
        '{"port": 80, "secret": ""}',
        '{"port": 20000, "secret": "short"}',
        json.dumps({"port": 20000, "secret": "<" * 32}),
        json.dumps({"port": 20000, "secret": 5}),
    ],
)
def test_what_is_no_address_is_none_and_can_be_made_anew(home: Path, stored: str) -> None:
    home.mkdir()
    (home / FILE).write_text(stored, encoding="ascii")
    with pytest.raises(LibraryError, match="browser off and on"):
        address.load(home)
    assert not address.turn_off(home)
    assert address.load(home) is None
    assert address.turn_on(home).is_on
