"""The address by which a browser asks the service: a port, and a secret that is part of the path.

Kept in a file of their own beside the library. While the page is off there is no secret, and the
port is remembered, so that a bookmark's beginning stays what it was.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import socket
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from core import own_files
from core.errors import LibraryError

HOST: Final = "127.0.0.1"
"""By number: a name could be made to mean another machine."""
FILE: Final = "browser.json"
# Below those that systems give to connections, so that none of these takes it meanwhile.
_PORTS: Final = range(20_000, 32_000)
_TRIES: Final = 50
_SECRET_BYTES: Final = 24
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{32}")


@dataclass(frozen=True, slots=True)
class BrowserAddress:
    """Where the page is.

    Attributes:
        port: on this machine alone.
        secret: the first part of the path; "" while the page is off.
    """

    port: int
    secret: str

    @property
    def is_on(self) -> bool:
        return bool(self.secret)

    @property
    def host(self) -> str:
        """What a request's Host has to be."""
        return f"{HOST}:{self.port}"

    @property
    def origin(self) -> str:
        """What a request's Origin has to be where it has one."""
        return f"http://{self.host}"

    def path(self, page: str = "") -> str:
        """Return the path of a page."""
        return f"/{self.secret}/{page}"

    @property
    def start(self) -> str:
        """The address of the page without a question."""
        return f"{self.origin}{self.path()}"

    @property
    def template(self) -> str:
        """The address as browsers take it, with %s for the question."""
        return f"{self.origin}{self.path('search')}?q=%s"


def load(home: Path) -> BrowserAddress | None:
    """Return the address of a library's page; None where it has never been turned on.

    Raises:
        LibraryError: what is kept of it cannot be read.
    """
    file = home / FILE
    try:
        return _checked(json.loads(file.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise LibraryError(
            "The address for browsers in {0} cannot be read; winnow service browser off and on "
            "makes another.",
            file,
        ) from error


def turn_on(home: Path) -> BrowserAddress:
    """Have a page; gives its address, which is another one than before it was turned off.

    Raises:
        LibraryError: it cannot be written.
    """
    known = _known(home)
    if known is not None and known.is_on:
        return known
    port = known.port if known is not None and is_free(known.port) else _free_port()
    address = BrowserAddress(port, secrets.token_urlsafe(_SECRET_BYTES))
    _save(home, address)
    return address


def turn_off(home: Path) -> bool:
    """Have no page any more, and forget the secret; gives whether there was one.

    Raises:
        LibraryError: that cannot be written.
    """
    known = _known(home)
    if known is None:
        # Also what cannot be read, and opens nothing.
        with contextlib.suppress(FileNotFoundError):
            (home / FILE).unlink()
    if known is None or not known.is_on:
        return False
    _save(home, replace(known, secret=""))
    return True


def is_free(port: int) -> bool:
    """Return whether nobody listens on a port of this machine."""
    with socket.socket(socket.AF_INET) as trying:
        trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trying.bind((HOST, port))
        except OSError:
            return False
    return True


def _free_port() -> int:
    for _ in range(_TRIES):
        port = secrets.choice(_PORTS)
        if is_free(port):
            return port
    raise LibraryError("No port of this machine is free for a browser to ask on.")


def _known(home: Path) -> BrowserAddress | None:
    """Return what is kept; None also where it is damaged, and another is to be made."""
    try:
        return load(home)
    except LibraryError:
        return None


def _checked(stored: Any) -> BrowserAddress:
    port, secret = stored["port"], stored["secret"]
    if not isinstance(port, int) or not 1024 <= port < 1 << 16 or not isinstance(secret, str):
        raise ValueError("this is no address")
    if secret and not _SECRET.fullmatch(secret):
        raise ValueError("this is no secret")
    return BrowserAddress(port, secret)


def _save(home: Path, address: BrowserAddress) -> None:
    data = json.dumps({"port": address.port, "secret": address.secret}) + "\n"
    file = home / FILE
    try:
        own_files.make_folder(home)
        own_files.write(file, data.encode())
        file.chmod(own_files.OWN_FILE)
    except OSError as error:
        raise LibraryError(
            "The address for browsers cannot be written to {0}: {1}.", file, error.strerror
        ) from error
