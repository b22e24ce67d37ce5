"""A library published as snapshots, and the cache from which others read them."""
