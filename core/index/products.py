"""The products of a query with the centroids, in the two orders in which a search wants them."""

from __future__ import annotations

import numpy as np

from core.arrays import Floats
from core.index.codec import ResidualCodec
from core.index.native import jit
from core.index.native.lanes import LANES

_AT_ONCE = 4


def with_centroids(codec: ResidualCodec, query: Floats) -> tuple[Floats, Floats]:
    """Return (n, C) products of (n, d) vectors with the codec's centroids, and (C, m) the same.

    m is the least multiple of 16 that is no less than n; the further columns are zeros. Kept for
    the next call: a search asks twice, and it is a tenth of its time.
    """
    return codec.last_met.of(query, lambda: _products(codec, query))


def _products(codec: ResidualCodec, query: Floats) -> tuple[Floats, Floats]:
    tokens = len(query)
    shape = len(codec.centroids), tokens + -tokens % LANES
    if (loop := jit.meeting()) is None or len(codec.centroids) < _AT_ONCE:
        by_token = codec.with_centroids(query)
        side_by_side = np.zeros(shape, dtype=np.float32)
        side_by_side[:, :tokens] = by_token.T
    else:
        side_by_side = np.empty(shape, dtype=np.float32)
        by_token = np.empty((tokens, len(codec.centroids)), dtype=np.float32)
        codec.check_query(query)
        loop(query, codec.centroids, side_by_side, by_token)
    return by_token, side_by_side
