"""Classification of addresses by their text, without connections or name resolution.

Independent of the modules that connect, because the window calls it at every key press.
"""

import ipaddress
from pathlib import PurePath
from typing import Final

# URL schemes of buckets: S3's protocol, Google's, Microsoft's.
OBJECT_STORAGES: Final = ("s3", "gs", "az")
_BUCKETS: Final = tuple(f"{scheme}:/" for scheme in OBJECT_STORAGES)


def is_in_bucket(path: PurePath | str) -> bool:
    """Return whether a path, or an address, is that of an object or a folder in a bucket.

    A path in a bucket has one slash where the address has two, and is never absolute, unlike files.

    >>> is_in_bucket(PurePath("s3://team/a.pdf")), is_in_bucket("s3:/team"), is_in_bucket("/s3:/a")
    (True, True, False)
    """
    return str(path).startswith(_BUCKETS)


def readable_path(path: PurePath | str) -> str:
    """Return the displayed form of a path: in a bucket its address, elsewhere the path itself.

    >>> readable_path(PurePath("s3://team/reports/a.pdf")), readable_path(PurePath("/home/a.pdf"))
    ('s3://team/reports/a.pdf', '/home/a.pdf')
    """
    text = str(path)
    if not is_in_bucket(text):
        return text
    scheme, _, rest = text.partition(":")
    return f"{scheme}://{rest.lstrip('/')}"


def is_loopback(host: str) -> bool:
    """Return whether a host is reachable only from this machine.

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
    """Return whether an address is that of a server, rather than of a library published on the web.

    >>> is_server_address("https://team.example:8765"), is_server_address("https://a.example/lib")
    (True, False)
    """
    scheme, separator, rest = address.strip().partition("://")
    return bool(separator) and scheme in {"http", "https"} and "/" not in rest.rstrip("/")
