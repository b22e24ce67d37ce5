"""How much a server takes on: sizes, times and rates."""

from __future__ import annotations

import ipaddress
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What bounds a server; the defaults suit a team of some dozens.

    Attributes:
        threads: how many searches are worked on at a time.
        waiting: how many more may wait for their turn.
        deadline_s: after which a search is given up.
        body_bytes: of a request.
        header_bytes: of a request's first line and headers.
        header_s: in which they must have come.
        body_s: in which the body must have come.
        send_s: in which a client must have taken a piece of the answer.
        connections: that are open at a time.
        rate_per_s: requests of one token, on average.
        burst: of which may come at once.
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


class Rates:
    """How often each of many comes: a token bucket for each, of which the oldest are forgotten.

    >>> rates = Rates(per_s=2.0, burst=1, clock=iter([0.0, 0.0, 0.1, 0.6]).__next__)
    >>> [round(rates.wait_s("ada"), 1) for _ in range(4)]
    [0.0, 0.5, 0.4, 0.0]
    """

    def __init__(
        self,
        per_s: float,
        burst: int,
        most: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_s = per_s
        self._burst = burst
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, who: str) -> float:
        """Count one request, if it may come now; else return in how many seconds it may."""
        now_s = self._clock()
        left, then_s = self._buckets.pop(who, (float(self._burst), now_s))
        left = min(left + (now_s - then_s) * self._per_s, float(self._burst))
        is_let_in = left >= 1
        self._buckets[who] = (left - 1 if is_let_in else left, now_s)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return 0.0 if is_let_in else (1 - left) / self._per_s


def peer_of(address: str) -> str:
    """Return whom an address is counted as: one machine may have 2^64 addresses of IPv6.

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
