"""PLAID: ColBERT's index and search, with the given vectors.

Its encoder is replaced by one that returns the given vectors; clustering, 2-bit residuals and
search are colbert-ai's. Searching uses the defaults for 100 results (`ncells=2`,
`centroid_score_threshold=0.45`, `ndocs=1024`). That threshold applies to cosines, so each query is
scaled until its longest vector has length 1: the ranking is unchanged and the weights count. The
C++ extensions are compiled at the first start, which needs a compiler and ninja.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import torch
from colbert.data.collection import Collection
from colbert.indexing.collection_indexer import CollectionIndexer
from colbert.indexing.index_saver import IndexSaver
from colbert.infra import ColBERTConfig
from colbert.modeling.colbert import ColBERT
from colbert.search.index_storage import IndexScorer
from harness import Engine, Floats, K, Passages, Search, run

SETTINGS = {"ncells": 2, "centroid_score_threshold": 0.45, "ndocs": 1024}
BITS = 2
# Every query token retrieves candidates: no query is longer than this.
QUERY_TOKENS = 512


class PrecomputedVectors:
    """Replacement of ColBERT's encoder: a passage's "text" is its number."""

    def __init__(self, passages: Passages) -> None:
        self.passages = passages

    def encode_passages(self, passage_ids: list[int]) -> tuple[torch.Tensor, list[int]]:
        parts = [self.passages.of_passages(number, number + 1) for number in passage_ids]
        vectors = np.concatenate(parts).astype(np.float32)
        return torch.from_numpy(vectors), [len(part) for part in parts]


class Indexer(CollectionIndexer):  # type: ignore[misc]  # colbert has no types
    """ColBERT's indexer, without a checkpoint."""

    def __init__(self, config: ColBERTConfig, passages: Passages) -> None:
        self.verbose = 1
        self.config = config
        self.rank, self.nranks = 0, 1
        self.use_gpu = False
        self.collection = Collection(data=list(range(len(passages))))
        self.encoder = PrecomputedVectors(passages)
        self.saver = IndexSaver(config)


def build(passages: Passages, folder: Path, threads: int) -> str:
    torch.set_num_threads(threads)
    random.seed(0)
    torch.manual_seed(0)
    config = ColBERTConfig(
        nbits=BITS, dim=passages.vectors.shape[1], index_path=str(folder), root=str(folder)
    )
    indexer = Indexer(config, passages)
    indexer.run([])
    chosen = ", ".join(f"{name}={value}" for name, value in SETTINGS.items())
    return f"nbits={BITS}, {indexer.num_partitions} centroids, {chosen}"


def load(folder: Path, threads: int) -> Search:
    torch.set_num_threads(threads)
    ColBERT.try_load_torch_extensions(False)
    config = ColBERTConfig(query_maxlen=QUERY_TOKENS, **SETTINGS)
    scorer = IndexScorer(str(folder), use_gpu=False)

    def search(query: Floats) -> list[int]:
        longest = np.linalg.norm(query, axis=1).max()
        passages, _ = scorer.rank(config, torch.from_numpy(query / longest)[None])
        found: list[int] = passages[:K]
        return found

    return search


if __name__ == "__main__":
    run(Engine("plaid", "colbert-ai", build, load))
