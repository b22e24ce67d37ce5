"""FAISS: an IVFPQ index of all tokens finds passages, their raw vectors rank them.

Each query token retrieves its 200 nearest tokens by inner product. The passages of these tokens are
sorted by the sum of the products (a token without a match in the passage counts as its last match),
and the first 1,000 are reranked with the float16 vectors, which are mapped from disk and count as
part of the index. About 2√t lists (4,096 for 4.4 million tokens), 32 bytes per token, 32 lists
probed, all other settings FAISS's defaults.
"""

from __future__ import annotations

import math
from pathlib import Path

import faiss
import numpy as np
from harness import Engine, Floats, K, Passages, Search, best, maxsim, run

CODE_BYTES = 32
PROBES = 32
TOKENS = 200
CANDIDATES = 1000
TRAIN_PER_LIST = 256  # FAISS's limit


def build(passages: Passages, folder: Path, threads: int) -> str:
    faiss.omp_set_num_threads(threads)
    vectors = passages.vectors
    tokens, dimension = vectors.shape
    lists = 2 ** int(math.log2(2 * math.sqrt(tokens)))
    index = faiss.IndexIVFPQ(
        faiss.IndexFlatIP(dimension), dimension, lists, CODE_BYTES, 8, faiss.METRIC_INNER_PRODUCT
    )
    size = min(tokens, TRAIN_PER_LIST * lists)
    sample = np.sort(np.random.default_rng(0).choice(tokens, size, replace=False))
    index.train(vectors[sample].astype(np.float32))
    for first, last in passages.blocks():
        index.add(passages.of_passages(first, last).astype(np.float32))
    faiss.write_index(index, str(folder / "tokens.faiss"))
    passages.save(folder)
    return (
        f"IVFPQ nlist={lists}, m={CODE_BYTES}, nprobe={PROBES}, {TOKENS} tokens per query token, "
        f"{CANDIDATES} passages re-ranked with float16 vectors"
    )


def load(folder: Path, threads: int) -> Search:
    faiss.omp_set_num_threads(threads)
    index = faiss.read_index(str(folder / "tokens.faiss"))
    faiss.extract_index_ivf(index).nprobe = PROBES
    passages = Passages.of(folder)
    offsets = passages.offsets

    def candidates(query: Floats) -> list[int]:
        products, tokens = index.search(query, TOKENS)
        # A token with fewer results than requested has trailing indices of -1.
        missing = tokens < 0
        least = np.where(missing, np.inf, products).min(axis=1)
        least[~np.isfinite(least)] = 0
        owners = np.searchsorted(offsets, tokens, "right") - 1
        found, places = np.unique(owners[~missing], return_inverse=True)
        scores = np.repeat(least[:, None], len(found), axis=1)
        rows = np.nonzero(~missing)[0]
        np.maximum.at(scores, (rows, places), products[~missing])
        return sorted(found[best(scores.sum(axis=0), CANDIDATES)].tolist())

    def search(query: Floats) -> list[int]:
        found = candidates(query)
        if not found:
            return []
        parts = [passages.of_passages(passage, passage + 1) for passage in found]
        starts = np.cumsum([0, *(len(part) for part in parts[:-1])])
        scores = maxsim(query, np.concatenate(parts).astype(np.float32), starts)
        return [found[place] for place in best(scores, K)]

    return search


if __name__ == "__main__":
    run(Engine("faiss-ivfpq", "faiss-cpu", build, load))
