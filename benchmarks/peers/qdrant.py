"""Qdrant Edge: Qdrant's in-process engine, with its MaxSim comparator.

Named `qdrant`, because a script `qdrant_edge` would shadow the library of that name. Dot products,
so the query tokens' weights count. No graph (`m=0`): Qdrant recommends that for token vectors, and
without it every passage is compared exactly. Float32 vectors, the default. The optimizer has
finished before the queries start.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from harness import Engine, Floats, K, Passages, Search, run
from qdrant_edge import (
    Distance,
    EdgeConfig,
    EdgeShard,
    EdgeVectorParams,
    HnswIndexConfig,
    MultiVectorComparator,
    MultiVectorConfig,
    Point,
    Query,
    QueryRequest,
    UpdateOperation,
)


def config(dimension: int, threads: int) -> EdgeConfig:
    return EdgeConfig(
        vectors=EdgeVectorParams(
            dimension,
            Distance.Dot,
            multivector_config=MultiVectorConfig(MultiVectorComparator.MaxSim),
            hnsw_config=HnswIndexConfig(m=0, ef_construct=100, full_scan_threshold=10_000),
        ),
        max_search_threads=threads,
    )


def build(passages: Passages, folder: Path, threads: int) -> str:
    dimension = passages.vectors.shape[1]
    shard = EdgeShard.create(str(folder), config(dimension, threads))
    offsets = passages.offsets
    for first, last in passages.blocks():
        vectors = passages.of_passages(first, last).astype(np.float32)
        parts = np.split(vectors, offsets[first + 1 : last] - offsets[first])
        points = [Point(first + place, part) for place, part in enumerate(parts)]
        shard.update(UpdateOperation.upsert_points(points))
    shard.flush()
    shard.optimize()
    shard.flush()
    shard.close()
    return "multivector MaxSim, dot, float32, no graph (m=0): full scan"


def load(folder: Path, threads: int) -> Search:
    del threads  # stored with the index
    shard = EdgeShard.load(str(folder))

    def search(query: Floats) -> list[int]:
        request = QueryRequest(limit=K, query=Query.Nearest(query))
        return [point.id for point in shard.query(request)]

    return search


if __name__ == "__main__":
    run(Engine("qdrant-edge", "qdrant-edge-py", build, load))
