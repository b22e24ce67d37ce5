"""Counts of a server's requests and their times, in Prometheus' text format."""

import bisect
from collections import Counter
from typing import Final

_BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts requests by kind and status, and how long they took.

    Used on the event loop's thread only.

    >>> metrics = Metrics()
    >>> metrics.count("search", 200, 0.02)
    >>> 'winnow_requests_total{kind="search",status="200"} 1' in metrics.text({"searches": 1})
    True
    """

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._times: dict[str, list[int]] = {}
        self._sums_s: Counter[str] = Counter()

    def count(self, kind: str, status: int, took_s: float) -> None:
        """Count a request."""
        self._requests[kind, status] += 1
        buckets = self._times.setdefault(kind, [0] * (len(_BUCKETS_S) + 1))
        buckets[bisect.bisect_left(_BUCKETS_S, took_s)] += 1
        self._sums_s[kind] += took_s  # type: ignore[assignment] # a Counter adds up any number

    def text(self, gauges: dict[str, float]) -> str:
        """Return all in Prometheus' text format.

        Args:
            gauges: current values, by name without "winnow_".
        """
        lines = [
            "# HELP winnow_requests_total Requests by kind and status.",
            "# TYPE winnow_requests_total counter",
        ]
        for (kind, status), requests in sorted(self._requests.items()):
            lines.append(f'winnow_requests_total{{kind="{kind}",status="{status}"}} {requests}')
        lines += [
            "# HELP winnow_request_seconds Time from request to end of response.",
            "# TYPE winnow_request_seconds histogram",
        ]
        for kind, buckets in sorted(self._times.items()):
            total = 0
            for most_s, requests in zip((*_BUCKETS_S, "+Inf"), buckets, strict=True):
                total += requests
                lines.append(
                    f'winnow_request_seconds_bucket{{kind="{kind}",le="{most_s}"}} {total}'
                )
            lines.append(f'winnow_request_seconds_sum{{kind="{kind}"}} {self._sums_s[kind]:.6f}')
            lines.append(f'winnow_request_seconds_count{{kind="{kind}"}} {total}')
        for name, value in sorted(gauges.items()):
            lines += [f"# TYPE winnow_{name} gauge", f"winnow_{name} {value:g}"]
        return "\n".join(lines) + "\n"
