"""The limits of a server: sizes, times, connections, and the rate of each client."""

import ipaddress
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """The limits of a server; the defaults suit a team of some dozens.

    Attributes:
        threads: concurrent searches.
        waiting: further searches that may wait.
        deadline_s: seconds after which a search is cancelled.
        body_bytes: largest body of a request.
        header_bytes: largest first line and headers of a request.
        header_s: seconds in which these must arrive.
        body_s: seconds in which the body must arrive.
        send_s: seconds in which a client must accept a piece of the response.
        connections: open connections.
        rate_per_s: requests of one token, on average.
        burst: requests of one token at once.
    """

    threads: int = 2
    waiting: int = 64
    deadline_s: float = 30.0
    body_bytes: int = 64 << 10
    header_bytes: int = 16 << 10
    header_s: float = 10.0
    body_s: float = 10.0
    send_s: float = 30.0
    connections: int = 200
    rate_per_s: float = 20.0
    burst: int = 60


def usual_limits() -> ServerLimits:
    """Return the limits for this machine: as many searches at a time as it has processors."""
    return ServerLimits(threads=max(os.cpu_count() or 1, 2))


@dataclass(eq=False, slots=True)
class Rates:
    """Rate limits: a token bucket for each client; the least recently used are dropped.

    >>> rates = Rates(per_s=2.0, burst=1, clock=iter([0.0, 0.0, 0.1, 0.6]).__next__)
    >>> [round(rates.wait_s("ada"), 1) for _ in range(4)]
    [0.0, 0.5, 0.4, 0.0]
    """

    per_s: float
    burst: int
    most: int = 10_000
    clock: Callable[[], float] = time.monotonic
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def wait_s(self, who: str) -> float:
        """Count one request and return 0, or return the seconds until it is allowed."""
        now_s = self.clock()
        left, then_s = self._buckets.pop(who, (float(self.burst), now_s))
        left = min(left + (now_s - then_s) * self.per_s, float(self.burst))
        is_let_in = left >= 1
        self._buckets[who] = (left - 1 if is_let_in else left, now_s)
        if len(self._buckets) > self.most:
            self._buckets.popitem(last=False)
        return 0.0 if is_let_in else (1 - left) / self.per_s


def peer_of(address: str) -> str:
    """Return the key of an address for rate limits: a machine may have 2^64 IPv6 addresses.

    >>> peer_of("192.0.2.7"), peer_of("2001:db8:1:2:3::4"), peer_of("?")
    ('192.0.2.7', '2001:db8:1:2::', '?')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False).network_address)
