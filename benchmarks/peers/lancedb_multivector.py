"""LanceDB: a multivector column with an IVF_PQ index.

LanceDB compares multivectors by cosine alone, so the query tokens' weights (the lengths of their
vectors) have no say in its order; it gets the vectors as they are. √t partitions: its own rule, but
over tokens, since left alone it counts passages and ends with a handful of partitions. 8 dimensions
to a byte, its 20 probes; of 5 times as many passages as asked for the raw float16 vectors are
compared.
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
    del threads  # the environment's
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
    del threads  # the environment's
    table = lancedb.connect(folder).open_table(TABLE)

    def search(query: Floats) -> list[int]:
        asked = table.search(query, vector_column_name="tokens").distance_type("cosine")
        asked = asked.select(["passage", "_distance"]).limit(K)
        found: list[int] = (
            asked.nprobes(PROBES).refine_factor(REFINE).to_arrow()["passage"].to_pylist()
        )
        return found

    return search


if __name__ == "__main__":
    run(Engine("lancedb", "lancedb", build, load))
