"""Measurements of a model in training, under several alignments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import ablations
from core.alignment.adaptation import STRATEGIES
from core.alignment.pairwise import AlignmentStrategy
from lab.training.config import DevConfig, TrainingConfig
from lab.training.corpus import Passage
from lab.training.dev import DevSet, encode_dev, measure, measure_alignments
from lab.training.encoding import TextEncoder, TokenVectors

AXES = np.eye(8, dtype=np.float16)


class Encoder(TextEncoder):
    """Returns made-up vectors; d1 has a token equal to the query's, d2 two near it."""

    def __init__(self) -> None:
        near = (0.8 * AXES[0] + 0.6 * AXES[1]).astype(np.float16)
        self._passages = np.stack([AXES[0], AXES[2], near, near])

    def queries(self, texts: object) -> TokenVectors:
        return TokenVectors(AXES[:1], None, np.array([0, 1]))

    def passages(self, passages: object, on_batch: object = None) -> TokenVectors:
        return TokenVectors(self._passages, None, np.array([0, 2, 4]))


def test_each_alignment_ranks_by_its_own_score() -> None:
    passages = tuple(Passage(name, 0, "", "a text") for name in ("d1", "d2"))
    dev = DevSet("made-up", ("q",), ("query",), {"q": {"d2": 1}}, passages, ("d1", "d2"))
    encoded = encode_dev(dev, Encoder())
    found = measure_alignments(encoded, STRATEGIES)
    assert list(found) == list(map(str, STRATEGIES))
    assert found["topk:2"] == 1
    assert found["topk:1"] == pytest.approx(measure(encoded)["ndcg@10"])
    assert found["topk:1"] < 1
    assert found["topp:0.01"] == found[str(AlignmentStrategy())]


@pytest.mark.parametrize("alignment", ["topk:3", "differentiable:1"])
def test_a_training_is_measured_under_its_own_alignment_and_the_best(
    alignment: str, tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = replace(
        tiny_config,
        loss=replace(tiny_config.loss, alignment=alignment),
        dev=(DevConfig("asked", queries=10, documents=10),),
    )
    found = ablations.run(config, birds_data.parent, tmp_path / "run")
    (figures,) = found.of_sets.values()
    (of_queries,) = found.of_queries.values()
    assert np.mean(of_queries) == pytest.approx(figures["ndcg@10"])
    assert set(figures) >= {"ndcg@10", "as trained", "oracle"}
    assert figures["oracle"] >= max(figures["ndcg@10"], figures["as trained"]) - 1e-9
    if alignment.startswith("differentiable"):
        assert figures["as trained"] == pytest.approx(figures["ndcg@10"])
