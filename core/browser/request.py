"""What a browser asks, checked before anything looks at it: one request's head, as HTTP has it.

A page of another site must learn nothing here and show nothing of it, so the Host is this
machine's number, what browsers say of who asks is heeded, and the path begins with a secret.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qsl

from core.browser import opensearch
from core.browser.address import BrowserAddress

LONGEST_HEAD: Final = 16_384
"""Bytes of a request with all its headers; browsers need less than two thousand."""
_LONGEST_TARGET: Final = 8_000
_MOST_HEADERS: Final = 64
_MOST_FIELDS: Final = 20
_LINE: Final = re.compile(rb"([A-Z]{1,20}) (/[\x21-\x7e]*) HTTP/1\.[01]")
_ANY_LINE: Final = re.compile(rb"[A-Za-z]{1,20} [\x21-\x7e]+ HTTP/[0-9.]{1,4}")
_HEADER: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)")
# What browsers say of what a document is for: to be one by itself. "empty" is how they fetch the
# description of a search engine.
_PLACES: Final = frozenset({None, "document", "empty"})
_SITES: Final = frozenset({None, "none", "same-origin"})


class RefusedError(Exception):
    """A request is not answered: with which status and why, and with which headers beside."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers: Mapping[str, str] = MappingProxyType(headers)


@dataclass(frozen=True, slots=True)
class Request:
    """A request that may be answered.

    Attributes:
        page: the path behind the secret: "search".
        fields: what the address says behind its question mark.
        is_head: whether only the head of the answer is wanted.
    """

    page: str
    fields: Mapping[str, str]
    is_head: bool = False

    def number(self, name: str, otherwise: int | None = None) -> int:
        """Return the whole number that a field says.

        Raises:
            RefusedError: it is none, or is missing and there is nothing otherwise.
        """
        said = self.fields.get(name, "")
        if not said and otherwise is not None:
            return otherwise
        if not re.fullmatch("[0-9]{1,18}", said):
            raise RefusedError(400, f"The address has no number as {name}; search again.")
        return int(said)


def heard(head: bytes, address: BrowserAddress) -> Request:
    r"""Return the request of a head, all up to the empty line that ends it.

    Raises:
        RefusedError: it is not to be answered.

    >>> here = BrowserAddress(20000, "s3cret")
    >>> heard(b"GET /s3cret/search?q=a+b HTTP/1.1\r\nHost: 127.0.0.1:20000", here).fields["q"]
    'a b'
    """
    first, *lines = head.split(b"\r\n")
    if len(first) > _LONGEST_TARGET:
        raise RefusedError(414, "This address is too long.")
    match = _LINE.fullmatch(first)
    if match is None and not _ANY_LINE.fullmatch(first):
        raise RefusedError(400, "This is no request that can be read.")
    headers = _headers(lines)
    path, _, said = (b"/" if match is None else match[2]).decode("ascii").partition("?")
    _check_sender(headers, address, is_description=path.endswith(f"/{opensearch.PAGE}"))
    if match is None or match[1] not in {b"GET", b"HEAD"}:
        raise RefusedError(405, "Pages are read here, and nothing else.", allow="GET, HEAD")
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        raise RefusedError(413, "A request for a page has nothing to say beside its address.")
    _, secret, *pages = path.split("/", 2)
    # Also where it is wrong from its first letter on, all of it is compared.
    is_right = hmac.compare_digest(secret.encode(), address.secret.encode())
    if not (is_right and address.is_on and pages):
        raise RefusedError(404, "There is nothing at this address.")
    return Request(pages[0], _fields(said), match[1] == b"HEAD")


def _headers(lines: list[bytes]) -> dict[str, str]:
    if len(lines) > _MOST_HEADERS:
        raise RefusedError(431, "The request has too many headers.")
    headers: dict[str, str] = {}
    for line in lines:
        match = _HEADER.fullmatch(line)
        if match is None:
            raise RefusedError(400, "This is no request that can be read.")
        name = match[1].decode("ascii").lower()
        if name in headers and name in _ONCE:
            # Of two, nobody knows which one others go by.
            raise RefusedError(400, "A header is there twice.")
        headers[name] = match[2].decode("latin-1").strip(" \t")
    return headers


_ONCE: Final = frozenset(
    {
        "host",
        "origin",
        "content-length",
        "transfer-encoding",
        "sec-fetch-site",
        "sec-fetch-dest",
    }
)


def _check_sender(
    headers: Mapping[str, str], address: BrowserAddress, *, is_description: bool
) -> None:
    """Refuse what another site's page has a browser ask.

    Firefox fetches the description of a search engine as if another site asked for it. That says
    nothing but what its address says.
    """
    if headers.get("host", "") != address.host:
        raise RefusedError(421, "This page is not called so.")
    if headers.get("origin", address.origin) != address.origin:
        raise RefusedError(403, "Pages of other sites may not ask for this.")
    is_of_site = is_description or headers.get("sec-fetch-site") in _SITES
    if not is_of_site or headers.get("sec-fetch-dest") not in _PLACES:
        raise RefusedError(403, "Pages of other sites may not ask for this.")


def _fields(said: str) -> Mapping[str, str]:
    try:
        pairs = parse_qsl(said, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise RefusedError(400, "The address says too much.") from error
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise RefusedError(400, "The address says one thing twice.")
    return MappingProxyType(fields)
