"""Compression in training: equality with the engine's, gradients, and effect on the model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from core.alignment.pooling import LENGTHENING
from core.alignment.reduction import ReductionPolicy, TokenReduction
from core.encoders.encoder import TokenVectors
from core.errors import Cancelled, UsageError
from core.index.reduction import reduce_passages
from core.progress import Job
from lab.training.compression import Compression, MovingCodebook, pool
from lab.training.config import DevConfig, LossConfig, TrainingConfig
from lab.training.dev import encode_dev, measure
from lab.training.encoding import TextEncoder, normalise_typed
from lab.training.loop import Trainer
from lab.training.model import Encoded
from lab.training.model_config import SalienceConfig
from lab.training.objectives import margin_mse
from lab.training.train import train


def ignore(_line: str) -> None: ...


def some_vectors(seed: int = 3) -> tuple[Tensor, Tensor, Tensor]:
    """Return vectors, mask and saliences of passages of 9, 1, 6 and 2 tokens."""
    generator = torch.Generator().manual_seed(seed)
    vectors = functional.normalize(torch.randn(4, 9, 8, generator=generator), dim=2)
    mask = torch.arange(9) < torch.tensor([9, 1, 6, 2])[:, None]
    saliences = torch.rand(4, 9, generator=generator) * (torch.arange(9) % 3 > 0)
    return vectors, mask, saliences


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("has_summary", [True, False])
@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_pooling_matches_the_engine(weighted: bool, has_summary: bool, share: float) -> None:
    vectors, mask, saliences = some_vectors()
    found = pool(vectors, mask, saliences if weighted else None, share, has_summaries=has_summary)
    policy = ReductionPolicy.WEIGHTED_POOLING if weighted else ReductionPolicy.POOLING
    texts = [
        TokenVectors(vectors[row][mask[row]].numpy(), saliences[row][mask[row]].numpy())
        for row in range(4)
    ]
    expected = reduce_passages(texts, TokenReduction(policy, share), has_summary=has_summary)
    assert found.mask.sum(dim=1).tolist() == [len(one) for one in expected]
    for row, one in enumerate(expected):
        np.testing.assert_allclose(
            found.vectors[row][found.mask[row]].numpy(), one.vectors, atol=1e-6
        )


def test_a_mean_hands_its_gradient_to_its_members_and_none_to_saliences() -> None:
    inputs = functional.normalize(
        torch.tensor([[[1, 0, 0], [1, 0.1, 0], [0, 0, 1], [0, 0.9, 0.1]]]), dim=2
    )
    vectors = inputs.clone().requires_grad_()
    saliences = torch.tensor([[1.0, 3.0, 0.5, 0.5]], requires_grad=True)
    found = pool(vectors, torch.ones(1, 4, dtype=torch.bool), saliences, 0.75)
    pull = torch.tensor([1.0, 2.0, 3.0])
    (found.vectors[0, 0] @ pull).backward()  # type: ignore[no-untyped-call] # torch
    again = inputs.clone().requires_grad_()
    mean = (again[0, 0] + 3 * again[0, 1]) / 4
    (mean / mean.norm() ** (1 + LENGTHENING) @ pull).backward()  # type: ignore[no-untyped-call] # torch
    assert vectors.grad is not None
    assert again.grad is not None
    torch.testing.assert_close(vectors.grad, again.grad)
    assert vectors.grad[0, :2].abs().min() > 0
    assert saliences.grad is None


def clustered(count: int, seed: int, turned: Tensor | None = None) -> Tensor:
    """Return (count, 16) unit vectors near ten directions."""
    generator = torch.Generator().manual_seed(seed)
    centres = torch.randn(10, 16, generator=torch.Generator().manual_seed(1))
    near = centres[torch.randint(10, (count,), generator=generator)]
    vectors = functional.normalize(near + 0.4 * torch.randn(count, 16, generator=generator), dim=1)
    return vectors if turned is None else vectors @ turned


def cosine(codebook: MovingCodebook, vectors: Tensor) -> float:
    coded = codebook.code(vectors[None], torch.ones(1, len(vectors), dtype=torch.bool))[0]
    return float(functional.cosine_similarity(coded, vectors, dim=1).mean())


@pytest.mark.parametrize("bits", [1, 2])
def test_codes_are_the_codecs_and_let_the_gradient_through(bits: int) -> None:
    codebook = MovingCodebook(16, bits, 12)
    codebook.learn(clustered(1200, 2).numpy(), seed=7)
    vectors = clustered(40, 3).view(8, 5, 16).requires_grad_()
    mask = torch.arange(5) < torch.tensor([5, 3, 0, 5, 1, 2, 5, 4])[:, None]
    coded = codebook.code(vectors, mask)
    codec = codebook.codec
    assert codec.bits == bits
    expected = codec.decode(codec.encode(vectors.detach()[mask].numpy()))
    np.testing.assert_allclose(coded.detach()[mask].numpy(), expected, atol=1e-6)
    torch.testing.assert_close(coded[~mask], vectors[~mask])
    pull = torch.randn(8, 5, 16)
    (coded * pull).sum().backward()  # type: ignore[no-untyped-call] # torch
    assert vectors.grad is not None
    torch.testing.assert_close(vectors.grad, pull)
    finer = MovingCodebook(16, 4, 12)
    finer.learn(clustered(1200, 2).numpy(), seed=7)
    test = clustered(300, 4)
    assert 0.8 < cosine(codebook, test) < cosine(finer, test)


def test_a_codebook_follows_vectors_that_turn() -> None:
    turn = torch.linalg.qr(torch.randn(16, 16, generator=torch.Generator().manual_seed(9)))[0]
    codebook = MovingCodebook(16, 1, 10)
    codebook.learn(clustered(1200, 2).numpy(), seed=7)
    before = cosine(codebook, clustered(300, 4, turn))
    for step in range(200):
        codebook.update(clustered(200, 10 + step, turn).numpy())
    assert cosine(codebook, clustered(300, 4, turn)) > before + 0.03
    assert float(codebook.tensors["shares"].sum()) == pytest.approx(1, abs=1e-3)


def test_the_number_of_centroids_depends_on_the_number_of_vectors() -> None:
    codebook = MovingCodebook(16, 2, 64)
    codebook.learn(clustered(100, 2).numpy(), seed=7)
    assert codebook.codec.lists == 2


def test_shares_are_drawn_for_each_step_and_some_steps_compress_nothing() -> None:
    config = LossConfig(compression=1, compressed_steps=0.5, pooled_least=0.1, pooled_most=0.4)
    compression = Compression(config, 16, seed=7)
    shares = [compression.share(step) for step in range(400)]
    drawn = [share for share in shares if share is not None]
    assert 150 < len(drawn) < 250
    assert 0.1 <= min(drawn) < 0.11
    assert 0.38 < max(drawn) <= 0.4
    assert np.median(drawn) == pytest.approx(0.2, abs=0.03)
    assert shares == [Compression(config, 16, seed=7).share(step) for step in range(400)]


def test_non_finite_vectors_are_not_compressed() -> None:
    vectors, mask, _ = some_vectors()
    vectors[0, 0, 0] = torch.nan
    passages = Encoded(vectors, mask, None, torch.zeros(()), torch.zeros(4, 8))
    compression = Compression(LossConfig(compression=1), 8, seed=7)
    assert compression.compress(passages, 0, has_summaries=False) is None


def test_only_margins_matter() -> None:
    teacher = torch.randn(3, 5, generator=torch.Generator().manual_seed(1))
    positives = torch.tensor([0, 4, 2])
    shifted = teacher + torch.tensor([[1.0], [-7.0], [0.5]])
    assert float(margin_mse(shifted, teacher, positives)) == pytest.approx(0, abs=1e-10)
    student = torch.zeros(3, 5, requires_grad=True)
    teacher_scores = teacher.clone().requires_grad_()
    margin_mse(student, teacher_scores, positives).backward()  # type: ignore[no-untyped-call] # torch
    assert student.grad is not None
    assert teacher_scores.grad is None
    assert float(margin_mse(teacher[:, :1], teacher[:, :1], torch.zeros(3).long())) == 0
    with pytest.raises(ValueError, match=r"do not fit together: \(3, 5\), \(3, 5\), \(2,\)"):
        margin_mse(student, teacher, positives[:2])


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"compression": 1.0, "pooled_least": 1.0, "pooled_most": 1.0}, "nothing is compressed"),
        ({"compression": -1.0}, "compression is -1.0; it must be at least 0"),
        ({"compressed_bits": 3}, "compressed_bits is 3"),
        ({"pooled_least": 0.6}, "pooled_least is 0.6; it must be at most 0.5"),
        ({"pooled_least": 0.0}, "pooled_least is 0.0; it must be above 0"),
        ({"compressed_steps": 0.0}, "compressed_steps is 0.0; it must be above 0"),
        (
            {"compression_kind": "mse"},
            "compression_kind is 'mse'; it must be one of kl, margin-mse",
        ),
    ],
)
def test_keys_out_of_range_are_refused(keys: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        LossConfig(**keys)


def test_unsupported_dimensions_are_refused(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = replace(
        tiny_config,
        model=replace(tiny_config.model, dimensions=12),
        loss=LossConfig(compression=1, compressed_bits=1),
    )
    with pytest.raises(UsageError, match="Vectors of 12 dimensions, no multiple of 8"):
        Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())


def figures(output: Path, name: str) -> list[float]:
    entries = map(json.loads, (output / "log.jsonl").read_text("utf-8").splitlines())
    return [entry[name] for entry in entries if name in entry]


@pytest.mark.parametrize(
    ("kind", "bits", "wanted"), [("kl", 1, 1.0), ("kl", 32, 1.0), ("margin-mse", 32, 0.03)]
)
def test_training_reduces_the_loss_of_compression(
    tiny_config: TrainingConfig,
    birds_data: Path,
    tmp_path: Path,
    kind: str,
    bits: int,
    wanted: float,
) -> None:
    """It loses less than a model trained without the compression loss."""
    lost = []
    for weight in (1e-9, wanted):
        loss = LossConfig(
            compression=weight,
            compression_kind=kind,
            compressed_bits=bits,
            pooled_least=0.2,
            pooled_most=0.3,
        )
        run = replace(tiny_config.run, steps=40, seed=8, learning_rate=2e-3)
        config = replace(tiny_config, loss=loss, run=replace(run, head_learning_rate=2e-3))
        config = replace(config, salience=SalienceConfig("entropy", alpha_query=1.0))
        train(config, birds_data.parent, tmp_path / str(weight), ignore)
        found = figures(tmp_path / str(weight), "compression")
        assert min(found) > 0
        lost.append(sum(found[-10:]))
    assert lost[1] < lost[0] * 0.6


def test_a_resumed_run_restores_its_codebook(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = replace(
        tiny_config,
        model=replace(tiny_config.model, summary_weight=0.3),
        salience=SalienceConfig("entropy", alpha_query=1.0, query_start="rarity"),
        loss=LossConfig(compression=1, compressed_bits=1, compressed_steps=0.7),
        run=replace(tiny_config.run, average=0.9),
    )
    train(config, birds_data.parent, tmp_path / "whole", ignore)
    job = Job()

    def stop(line: str) -> None:
        if line.startswith("step 5"):
            job.cancel()

    with pytest.raises(Cancelled):
        train(config, birds_data.parent, tmp_path / "parts", stop, job)
    train(config, birds_data.parent, tmp_path / "parts", ignore)
    last = [tmp_path / run / "checkpoints" / "step-000012" for run in ("whole", "parts")]
    for file in ("model.safetensors", "further.safetensors"):
        whole, parts = (load_file(folder / file) for folder in last)
        assert whole.keys() == parts.keys()
        for name, tensor in whole.items():
            assert torch.equal(tensor, parts[name]), name
    assert {"codebook.sums", "average.projection"} <= load_file(last[0] / file).keys()
    found = figures(tmp_path / "whole", "compression")
    assert found == figures(tmp_path / "parts", "compression")
    assert 0 < sum(one == 0 for one in found) < len(found)


def test_reduced_vectors_can_be_measured(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    config = replace(
        tiny_config,
        model=replace(tiny_config.model, summary_weight=0.3),
        salience=SalienceConfig("entropy", alpha_query=1.0),
        dev=(DevConfig("asked", queries=8, documents=10),),
    )
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())
    encoder = TextEncoder(trainer.model, trainer.collator, "cpu", "float32")
    passages = encoder.passages([("Owl", "The owl hunts."), ("", "crow sleeps at night")] * 30)
    assert passages.ungated is not None
    assert passages.ungated[passages.starts[:-1]].tolist() == [1.0] * 60
    keeping = TokenReduction(ReductionPolicy.WEIGHTED_POOLING, 0.5)
    reduced = normalise_typed(passages, keeping, bits=4)
    # A summary, and half the tokens.
    assert np.diff(reduced.starts).tolist() == [4, 3] * 30
    assert reduced.has_summaries
    whole = [passages.text(number)[0] for number in range(60)]
    summaries = [reduced.text(number)[0] for number in range(60)]
    assert np.einsum("md,md->m", whole, summaries).min() > 0.9
    every = normalise_typed(passages, TokenReduction(), bits=4)
    cosines = np.einsum("td,td->t", *(one.vectors.astype(np.float32) for one in (every, passages)))
    assert cosines.mean() > 0.97
    encoded = encode_dev(trainer.dev[0], encoder)
    figures = measure(encoded, 0.5, keeping, bits=1)
    assert list(figures) == ["ndcg@10", "ndcg@10 pruned", "ndcg@10 kept"]
    assert 0 <= figures["ndcg@10 kept"] <= 1
    plain = replace(config, salience=SalienceConfig())
    trainer = Trainer(plain, birds_data.parent, tmp_path / "plain", ignore, Job())
    encoder = TextEncoder(trainer.model, trainer.collator, "cpu", "float32")
    encoded = encode_dev(trainer.dev[0], encoder)
    assert "ndcg@10 kept" not in measure(encoded, 0.5, keeping)
