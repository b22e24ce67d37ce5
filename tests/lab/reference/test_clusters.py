"""Clusters of token vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.encoders.encoder import Encoder
from lab.evaluation.data import DataSet
from lab.reference.clusters import clustered, measure_clusters, names, spread
from tests.lab.evaluation.test_run import DOCUMENTS, QUERIES, write_set


def test_similar_vectors_share_a_cluster() -> None:
    random = np.random.default_rng(1)
    axes = np.eye(8, dtype=np.float32)[random.integers(0, 3, 60)]
    found = clustered(axes + 0.01 * random.normal(size=(60, 8)).astype(np.float32), 3, seed=0)
    assert (
        len({(int(axis), int(one)) for axis, one in zip(axes.argmax(1), found, strict=True)}) == 3
    )
    assert len(set(found.tolist())) == 3


def test_tokens_in_the_most_clusters_are_excluded() -> None:
    # Token 0 is in all of 200 clusters, each of 150 others in one.
    ids = np.concatenate([np.zeros(200, dtype=np.int64), np.arange(1, 151)])
    clusters = np.concatenate([np.arange(200), np.arange(150)])
    found = spread(ids, clusters)
    assert found.tokens.tolist() == [1] * 150
    assert found.clusters.tolist() == [1] * 150 + [200]


def test_each_token_of_a_set_is_in_some_cluster(encoder: Encoder, tmp_path: Path) -> None:
    data = DataSet(write_set(tmp_path / "birds", DOCUMENTS, QUERIES))
    found = measure_clusters(encoder, data, 5, split="test")
    assert len(found.own.tokens) == len(found.examples) == 5
    assert len(found.own.clusters) == len(found.random.clusters)
    assert found.own.clusters.max() <= 5
    written = set(names(encoder, data).values())
    assert {"crows", "mice"} <= written
    again = measure_clusters(encoder, data, 5, split="test")
    assert again.examples == found.examples
