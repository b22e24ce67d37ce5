"""LanceDB: a multivector column with an IVF_PQ index.

LanceDB compares multivectors by cosine only, so the query tokens' weights (the lengths of their
vectors) do not affect its ranking; it gets the vectors unchanged. √t partitions: LanceDB's rule,
but applied to tokens, because by default it counts passages and creates only a handful of
partitions. 8 dimensions per byte, the default of 20 probes; the raw float16 vectors are compared
for 5 times as many passages as requested.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa
from harness import Engine, Floats, K, Passages, Search, run
from lancedb.index import IvfPq

TABLE = "passages"
DIMENSIONS_PER_BYTE = 8
PROBES = 20
REFINE = 5


def build(passages: Passages, folder: Path, threads: int) -> str:
    del threads  # set by the environment
    tokens, dimension = passages.vectors.shape
    vector = pa.list_(pa.float16(), dimension)
    schema = pa.schema([("passage", pa.int64()), ("tokens", pa.list_(vector))])

    def batches() -> Iterator[pa.RecordBatch]:
        for first, last in passages.blocks():
            flat = pa.array(passages.of_passages(first, last).reshape(-1))
            starts = passages.offsets[first : last + 1] - passages.offsets[first]
            vectors = pa.FixedSizeListArray.from_arrays(flat, dimension)
            lists = pa.ListArray.from_arrays(pa.array(starts.astype(np.int32)), vectors)
            numbers = pa.array(np.arange(first, last))
            yield pa.RecordBatch.from_arrays([numbers, lists], schema=schema)

    table = lancedb.connect(folder).create_table(
        TABLE, pa.RecordBatchReader.from_batches(schema, batches())
    )
    partitions = math.isqrt(tokens)
    size = dimension // DIMENSIONS_PER_BYTE
    table.create_index(
        "tokens",
        config=IvfPq(distance_type="cosine", num_partitions=partitions, num_sub_vectors=size),
    )
    return (
        f"IVF_PQ {partitions} partitions, {size} sub-vectors, nprobes={PROBES}, "
        f"refine_factor={REFINE}, cosine (weights of query tokens unused)"
    )


def load(folder: Path, threads: int) -> Search:
    del threads  # set by the environment
    table = lancedb.connect(folder).open_table(TABLE)

    def search(query: Floats) -> list[int]:
        request = table.search(query, vector_column_name="tokens").distance_type("cosine")
        request = request.select(["passage", "_distance"]).limit(K)
        found: list[int] = (
            request.nprobes(PROBES).refine_factor(REFINE).to_arrow()["passage"].to_pylist()
        )
        return found

    return search


if __name__ == "__main__":
    run(Engine("lancedb", "lancedb", build, load))
