"""Another model's vectors as token targets, and a run that uses them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from core.progress import Job
from lab.evaluation.data import DataSet
from lab.training.batches import Collator, Texts
from lab.training.config import LossConfig, TrainingConfig
from lab.training.corpus import read_corpus
from lab.training.loop import LOG, Trainer
from lab.training.losses import batch_loss
from lab.training.model import build_model
from lab.training.model_config import ModelConfig, SalienceConfig
from lab.training.pairs import PairSource, judged_queries
from lab.training.start import find_start
from lab.training.token_targets import TokenTargets, nearest, open_targets, principal
from lab.training.train import train


def ignore(_line: str) -> None: ...


@pytest.fixture
def following(tiny_config: TrainingConfig, other_model: Path) -> TrainingConfig:
    """Return a run with the loss of the other model's vectors only."""
    return replace(
        tiny_config,
        model=replace(tiny_config.model, summary_weight=0.3),
        salience=SalienceConfig(kind="entropy"),
        loss=LossConfig(cross_entropy=0.0, tokens=1.0, tokens_of=str(other_model)),
        run=replace(tiny_config.run, steps=30, learning_rate=3e-3, head_learning_rate=3e-3),
    )


def targets_of(config: TrainingConfig) -> tuple[TokenTargets, Collator]:
    start = find_start(config.model, config.run.seed)
    targets = open_targets(
        config.loss, start, config.model, config.salience, config.run, config.run.device
    )
    return targets, Collator(Tokenizer.of(start.checkpoint), start, config.run)


def some_texts(collator: Collator) -> list[tuple[str, Texts]]:
    kinds = ("owl", "crow", "swift", "dipper", "cuckoo", "heron", "falcon", "raven")
    passages = [("", f"the {one} hunts at night in the old forest it sings") for one in kinds]
    queries = [f"what {one} does at the lake" for one in kinds]
    return [("query", collator.queries(queries)), ("passage", collator.passages(passages))]


def test_joint_vectors_have_the_weighted_similarities_of_both_models() -> None:
    generator = torch.Generator().manual_seed(2)
    own, foreign = (
        functional.normalize(torch.randn(40, d, generator=generator), dim=1) for d in (6, 9)
    )
    concatenated = torch.cat([0.7**0.5 * own, 0.3**0.5 * foreign], dim=1)
    joined = functional.normalize(concatenated @ principal(concatenated, 15), dim=1)
    expected = 0.7 * own @ own.T + 0.3 * foreign @ foreign.T
    torch.testing.assert_close(joined @ joined.T, expected, atol=1e-5, rtol=0)


def test_missing_directions_are_0() -> None:
    found = principal(torch.eye(3), 5, skip=1)
    assert found.shape == (3, 5)
    assert found[:, 2:].abs().max() == 0
    torch.testing.assert_close(found[:, :2].T @ found[:, :2], torch.eye(2))


def test_later_directions_are_scaled_up() -> None:
    vectors = torch.tensor([[4.0, 0.0], [0.0, 1.0]])
    found = principal(vectors, 2, power=0.5)
    assert found.norm(dim=0).tolist() == pytest.approx([1.0, 4.0])


def test_the_nearest_projection_has_the_least_squared_error() -> None:
    generator = torch.Generator().manual_seed(3)
    hidden = torch.randn(200, 12, generator=generator)
    true = torch.randn(12, 5, generator=generator)
    torch.testing.assert_close(nearest(hidden, hidden @ true), true, atol=0.02, rtol=0)


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_the_share_weights_both_models(following: TrainingConfig, share: float) -> None:
    """The share interpolates two tokens' similarity between the start's and the other model's."""
    config = replace(following, loss=replace(following.loss, tokens_share=share))
    targets, collator = targets_of(config)
    texts = some_texts(collator)
    start = find_start(config.model, config.run.seed)
    model = build_model(start, config.model, config.salience, config.run, "cpu")
    targets.learn(model, texts, "float32")
    _, passages = texts[1]
    other = find_start(
        ModelConfig(start=config.loss.tokens_of, dimensions=16, projection="random"), 7
    )
    reads = build_model(other, ModelConfig(dimensions=16), SalienceConfig(), config.run, "cpu")
    with torch.no_grad():
        own = build_model(start, config.model, config.salience, config.run, "cpu")
        own_encoded = own.encode_passages(passages)
        other_states = reads.states(passages)
        found = model.encode_passages(passages)
    mask = other_states.mask
    foreign = functional.normalize(other_states.hidden[mask], dim=1)
    foreign = foreign - foreign.mean(dim=0)
    near_other = functional.normalize(foreign, dim=1)
    ours, mine = own_encoded.vectors[:, 1:][mask], found.vectors[:, 1:][mask]
    pairs = torch.triu_indices(len(ours), len(ours), 1)

    def similarity_groups(left: torch.Tensor, right: torch.Tensor) -> float:
        both = [(one @ one.T)[pairs[0], pairs[1]] for one in (left, right)]
        return float(torch.corrcoef(torch.stack(both))[0, 1])

    # Only the projection is fitted so far, and it already reproduces the similarities.
    assert (similarity_groups(mine, near_other) > similarity_groups(mine, ours)) == (share == 0.8)


def test_fitting_changes_only_the_projections(following: TrainingConfig) -> None:
    targets, collator = targets_of(following)
    texts = some_texts(collator)
    start = find_start(following.model, following.run.seed)
    model = build_model(start, following.model, following.salience, following.run, "cpu")
    side, queries = texts[0]
    before = [parameter.clone() for parameter in model.parameters()]
    targets.learn(model, texts, "float32")
    changed = [
        name
        for (name, now), then in zip(model.named_parameters(), before, strict=True)
        if not torch.equal(now, then)
    ]
    assert changed == ["projection", "summary"]
    encoded = model.encode_queries(queries)
    distance = targets.of(queries, side, "float32").distance(encoded)
    assert 0 < float(distance.detach()) < 0.6
    distance.backward()  # type: ignore[no-untyped-call] # torch
    assert model.projection.grad is not None
    assert float(model.projection.grad.abs().sum()) > 0


def test_a_run_approaches_the_other_model(
    following: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    folder = train(following, birds_data.parent, tmp_path / "run", ignore)
    lines = [json.loads(line) for line in (tmp_path / "run" / LOG).read_text().splitlines()]
    distances = [line["tokens"] for line in lines if "tokens" in line]
    assert len(distances) == 30
    assert sum(distances[-3:]) < 0.7 * sum(distances[:3])
    assert (folder / "config.json").is_file()


def test_scores_follow_those_of_the_targets(following: TrainingConfig, birds_data: Path) -> None:
    """The loss is 0 for vectors equal to the targets; for others, scores add to it."""
    config = replace(following, loss=replace(following.loss, tokens_scores=3.0))
    targets, collator = targets_of(config)
    texts = some_texts(collator)
    start = find_start(config.model, config.run.seed)
    model = build_model(start, config.model, config.salience, config.run, "cpu")
    targets.learn(model, texts, "float32")
    corpus = read_corpus(birds_data, Tokenizer.of(start.checkpoint).count, None)
    queries = judged_queries(DataSet(birds_data), corpus)
    source = PairSource("birds", corpus, queries)
    drawn = np.random.default_rng(1)
    examples = [source.example(number, drawn, 1) for number in range(6)]
    batch = collator.batch([one for one in examples if one is not None])
    with torch.no_grad():
        query_encoded, found = model(batch.query_texts, batch.passage_texts)
    wanted = (
        targets.of(batch.query_texts, "query", "float32"),
        targets.of(batch.passage_texts, "passage", "float32"),
    )

    def total(scores: float, *, is_there: bool) -> float:
        encoded_pair = (query_encoded, found)
        if is_there:
            encoded_pair = (
                query_encoded._replace(vectors=wanted[0].vectors),
                found._replace(vectors=wanted[1].vectors),
            )
        loss = replace(config.loss, tokens_scores=scores)
        return float(
            batch_loss(loss, batch, *encoded_pair, salience=config.salience, targets=wanted).total
        )

    assert total(3.0, is_there=True) == pytest.approx(0, abs=1e-5)
    assert total(3.0, is_there=False) > total(0.0, is_there=False) + 1e-4 > 1e-3


def test_a_resumed_run_has_the_same_targets(
    following: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    whole = Trainer(following, birds_data.parent, tmp_path / "whole", ignore, Job())
    whole.run()
    first = Trainer(following, birds_data.parent, tmp_path / "parts", ignore, Job())
    while first.position.step < 7:
        first.run(minutes=0)
    second = Trainer(following, birds_data.parent, tmp_path / "parts", ignore, Job())
    assert second.position.step == first.position.step
    assert second.targets is not None
    assert first.targets is not None
    for name, tensor in first.targets.tensors.items():
        torch.testing.assert_close(second.targets.tensors[name], tensor, atol=0, rtol=0)
    second.run()
    for name, weight in whole.model.state_dict().items():
        torch.testing.assert_close(second.model.state_dict()[name], weight, atol=0, rtol=0)


def test_models_with_another_vocabulary_are_refused(
    following: TrainingConfig, other_model: Path, birds_data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "foreign"
    shutil.copytree(other_model, folder)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    known = tokenizer["model"]["vocab"]
    known["owl"], known["crow"] = known["crow"], known["owl"]
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    config = replace(following, loss=replace(following.loss, tokens_of=str(folder)))
    with pytest.raises(UsageError, match="splits texts into other tokens"):
        Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())


def test_a_recipe_names_the_target_model() -> None:
    with pytest.raises(ValueError, match="tokens_of"):
        LossConfig(tokens=1.0)
    with pytest.raises(ValueError, match="are all 0"):
        LossConfig(cross_entropy=0.0)
    with pytest.raises(ValueError, match="tokens_scores"):
        LossConfig(tokens_scores=1.0)
    with pytest.raises(ValueError, match="tokens_share"):
        LossConfig(tokens=1.0, tokens_of="x", tokens_share=1.0)


def test_token_targets_cannot_be_used_with_a_cross_encoder(
    following: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    crossed = replace(
        following,
        model=replace(following.model, cross_layers=1),
        run=replace(following.run, ways=2),
    )
    with pytest.raises(UsageError, match="tokens"):
        train(crossed, birds_data.parent, tmp_path / "run", ignore)


def test_runs_without_token_targets_load_no_other_model(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    plain = replace(tiny_config, loss=LossConfig(tokens_of="/nowhere"))
    trainer = Trainer(plain, birds_data.parent, tmp_path / "run", ignore, Job())
    assert trainer.targets is None
