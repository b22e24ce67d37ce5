"""What can be told of an address by looking at it: nobody is asked, and no name is resolved.

Apart from those who connect: the window asks at each key that a person types.
"""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """Return whether a host is reached from this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost")
    (True, True, True)
    >>> is_loopback("192.168.0.4"), is_loopback("127.0.0.1.evil.example")
    (False, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def is_server_address(address: str) -> bool:
    """Return whether an address is a server's, and not that of something published on the web.

    >>> is_server_address("https://team.example:8765"), is_server_address("https://a.example/lib")
    (True, False)
    """
    scheme, separator, rest = address.strip().partition("://")
    return bool(separator) and scheme in {"http", "https"} and "/" not in rest.rstrip("/")
