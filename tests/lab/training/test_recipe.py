"""Options of a recipe besides its losses: batches of similar examples, random shares."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.documents.document import Document, Page
from core.progress import Job
from lab.training.config import TrainingConfig
from lab.training.corpus import Corpus, words
from lab.training.loop import Trainer
from lab.training.model_config import SalienceConfig
from lab.training.pairs import JudgedQuery, PairSource
from lab.training.salience import Salience
from lab.training.scores import in_batch_scores
from lab.training.similarity_groups import group_similar
from lab.training.stream import Stream

TOPICS = ("owl barn mouse", "iron ore furnace", "court judge appeal", "sonata violin bow")


def topic_source() -> PairSource:
    """Return 32 documents of four topics, with one query each."""
    documents = [
        (f"d{n}", Document("", (Page(1, f"Text {n} about {TOPICS[n % 4]} and number {n}."),)))
        for n in range(32)
    ]
    corpus = Corpus("topics", documents, lambda texts: [len(words(text)) for text in texts])
    queries = [JudgedQuery(f"q{n}", f"question {n}", (f"d{n}",)) for n in range(32)]
    return PairSource("topics", corpus, queries)


def test_groups_are_of_one_size_and_of_one_topic() -> None:
    texts = [TOPICS[n % 4] for n in range(32)]
    found = group_similar(texts, 4, np.random.default_rng(1))
    assert found.shape == (4, 8)
    assert sorted(found.ravel().tolist()) == list(range(32))
    assert all(len({texts[number] for number in row}) == 1 for row in found)
    with pytest.raises(ValueError, match="32 texts cannot be halved into 3 groups"):
        group_similar(texts, 3, np.random.default_rng(1))


def test_regrouped_batches_are_complete_and_addressable_in_any_order() -> None:
    def stream() -> Stream:
        return Stream([topic_source()], [1], batch=8, regrouped_batches=4)

    first, second = stream(), stream()
    batches = [first.batch(step) for step in range(8)]
    for turn in (batches[:4], batches[4:]):
        assert len({one.query for batch in turn for one in batch}) == 32
        for batch in turn:
            topics = Counter(int(one.query.split()[1]) % 4 for one in batch)
            assert max(topics.values()) >= 6
    assert [second.batch(step) for step in (6, 1)] == [batches[6], batches[1]]


def test_the_gates_share_is_random_per_step(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    salience = SalienceConfig(
        "entropy",
        alpha_query=1.0,
        alpha_query_least=0.5,
        alpha_passage=0.6,
        alpha_least=0.1,
        warm_up_steps=4,
    )
    config = replace(tiny_config, salience=salience)
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", lambda _line: None, Job())
    head = trainer.model.salience["passage"]
    query = trainer.model.salience["query"]
    assert isinstance(head, Salience)
    assert isinstance(query, Salience)
    shares, query_shares = [], []
    for step in (0, *range(4, 200)):
        trainer.model.set_shares(step, seed=7)
        shares.append(head.alpha)
        query_shares.append(query.alpha)
    assert shares[0] == 1
    assert 0.1 <= min(shares) < 0.13
    assert 0.5 < max(shares[1:]) <= 0.6
    assert 0.5 <= min(query_shares) < 0.52
    assert max(query_shares[1:]) > 0.98
    trainer.model.set_shares(4, seed=7)
    assert head.alpha == shares[1]
    # Texts are encoded, and the model is measured, with the shares of the configuration.
    with trainer.model.encoding():
        assert (query.alpha, head.alpha) == (1.0, 0.6)
    assert head.alpha == shares[1]
    assert query.alpha == query_shares[1]


def test_pruned_tokens_are_not_aligned() -> None:
    query = torch.eye(2)[None]
    passage = torch.tensor([[[1.0, 0.0], [0.6, 0.8]]])
    mask, saliences = torch.ones(1, 2, dtype=torch.bool), torch.tensor([[0.0, 1.0]])
    as_aligner = in_batch_scores(query, mask, passage, mask, None, saliences)
    assert as_aligner.item() == pytest.approx(0.8)  # the first query token has no weight
    as_searched = in_batch_scores(query, mask, passage, mask, None, saliences, retained_only=True)
    assert as_searched.item() == pytest.approx(0.7)


@pytest.mark.parametrize(
    "salience",
    [
        SalienceConfig("entropy", retained_only=True, weights_scores=False),
        SalienceConfig("entropy", all_tokens=0.5, alpha_least=0.1),
        SalienceConfig("entropy", all_tokens=1),
        SalienceConfig("entropy", epsilon_of_spread=0.3),
        SalienceConfig("entropy", epsilon_of_spread=0.3, iterations=20, warm_up_steps=4),
    ],
)
def test_all_uses_of_salience_train(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path, salience: SalienceConfig
) -> None:
    config = replace(
        tiny_config, salience=salience, model=replace(tiny_config.model, summary_weight=0.5)
    )
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", lambda _line: None, Job())
    before = trainer.model.projection.detach().clone()
    trainer.run()
    after = trainer.model.projection.detach()
    assert after.isfinite().all()
    assert not torch.equal(before, after)
