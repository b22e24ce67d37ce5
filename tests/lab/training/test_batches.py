"""Batches and their scores: fair negatives, and equality with the definitions."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.encoders.tokens import Tokenizer
from lab.reference.alignments import score
from lab.reference.in_batch import token_retrieval
from lab.training.batches import Collator, fair_candidates
from lab.training.config import LossConfig, RunConfig
from lab.training.corpus import Passage
from lab.training.losses import batch_loss
from lab.training.model import build_model
from lab.training.model_config import ModelConfig, SalienceConfig
from lab.training.pairs import Example
from lab.training.scores import in_batch_scores
from lab.training.start import find_start


def passage(document: str, text: str, number: int = 0, context: str = "") -> Passage:
    return Passage(document, number, context, text)


def example(query: str, positive: Passage, **more: object) -> Example:
    relevant = frozenset({positive.document})
    return Example(query, positive, "x", **({"relevant": relevant} | more))  # type: ignore[arg-type]


def test_relevant_passages_are_no_negatives() -> None:
    owl, crow = passage("d/owl", "Owls hunt."), passage("d/crow", "Crows hide food.")
    owl_again = passage("d/owl", "More of owls.", number=1)
    copy = passage("d/copy", "owls hunt")
    swift = passage("d/swift", "Swifts sleep.", context="Food hidden")
    wren = passage("d/wren", "Wrens.")
    examples = [
        example("who hunts", owl),
        example("who hides", crow, all_words=frozenset({"food"})),
        example("Who hunts?", wren),
        example("nests", owl_again, relevant=frozenset({"d/owl", "d/swift"})),
        example("sleep", swift, negatives=(copy,)),
    ]
    passages = (owl, crow, wren, owl_again, swift, copy)
    fair = fair_candidates(examples, passages).int().tolist()
    assert fair == [
        # owl crow wren again swift copy
        [1, 1, 0, 0, 1, 0],  # the wren answers the same question; the copy has the same text
        [1, 1, 1, 1, 0, 1],  # "food" is in the swift's context
        [0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1],
        [1, 1, 1, 1, 1, 1],
    ]


@pytest.fixture
def collator(tiny_model: Path) -> Collator:
    start = find_start(ModelConfig(str(tiny_model), 16, "random", passage_prefix=4), 1)
    run = RunConfig(query_tokens=3, passage_tokens=6)
    return Collator(Tokenizer(tiny_model / "tokenizer.json"), start, run)


def test_batches_have_no_duplicate_passages(collator: Collator) -> None:
    owl, crow = passage("d/owl", "the owl hunts", context="owl"), passage("d/crow", "the crow")
    wren = passage("d/wren", "wren " * 9)
    batch = collator.batch(
        [
            example("what hunts", owl, negatives=(crow, wren), teacher=(3.0, 1.0, 2.0)),
            example("what hides in the ground", crow, negatives=(owl,)),
            example("owl", owl),
        ]
    )
    assert batch.passages == (owl, crow, wren)
    assert batch.positives.tolist() == [0, 1, 0]
    assert batch.own.tolist() == [[0, 1, 2], [1, 0, 0], [0, 0, 0]]
    assert batch.own_mask.int().tolist() == [[1, 1, 1], [1, 1, 0], [1, 0, 0]]
    assert batch.teacher[0].tolist() == [3, 1, 2]
    assert batch.teacher[1:].isnan().all()
    # Truncated, and framed by [CLS], the passages' prefix, and [SEP].
    assert batch.query_texts.mask.sum(dim=1).tolist() == [4, 5, 3]
    assert batch.passage_texts.mask.sum(dim=1).tolist() == [7, 5, 9]
    assert batch.passage_texts.ids[0, :2].tolist() == [2, 4]
    assert batch.tokens == 12 + 21


def test_vectors_are_of_the_texts_own_tokens(tiny_model: Path) -> None:
    """Independent of the other texts of the batch, and with a prefix or without."""
    for prefix in (None, 4):
        config = ModelConfig(str(tiny_model), 16, "random", passage_prefix=prefix)
        start = find_start(config, 1)
        run = RunConfig(query_tokens=8, passage_tokens=20)
        model = build_model(start, config, SalienceConfig("relu"), run, "cpu").eval()
        collator = Collator(Tokenizer(tiny_model / "tokenizer.json"), start, run)
        texts = [("owl", "the owl hunts at night"), ("", "crow"), ("", "")]
        both = model.encode_passages(collator.passages(texts))
        assert both.mask.sum(dim=1).tolist() == [6, 1, 0]
        assert both.vectors.shape == (3, 6, 16)
        torch.testing.assert_close(both.vectors[0].norm(dim=1), torch.ones(6))
        alone = model.encode_passages(collator.passages(texts[1:2]))
        torch.testing.assert_close(both.vectors[1, :1], alone.vectors[0], atol=1e-5, rtol=0)
        assert both.salience is not None
        assert (both.salience[~both.mask] == 0).all()
        before = model.encode_passages(collator.passages(texts))
        with model.encoding():
            fast = model.encode_passages(collator.passages(texts))
        torch.testing.assert_close(before.vectors[0], fast.vectors[0], atol=1e-5, rtol=0)


def test_texts_of_all_lengths_come_back_in_their_order(tiny_model: Path) -> None:
    """Although the CPU groups them by length."""
    config = ModelConfig(str(tiny_model), 16, "random")
    start = find_start(config, 1)
    run = RunConfig(query_tokens=30, passage_tokens=30)
    model = build_model(start, config, SalienceConfig(), run, "cpu").eval()
    collator = Collator(Tokenizer(tiny_model / "tokenizer.json"), start, run)
    words = ("owl", "crow", "hunts", "sleeps", "night")
    texts = [" ".join(words[(n + k) % 5] for k in range(n * 7 % 23)) for n in range(40)]
    together = model.encode_queries(collator.queries(texts))
    for number, text in enumerate(texts):
        alone = model.encode_queries(collator.queries([text]))
        count = len(text.split())
        assert int(together.mask[number].sum()) == count
        torch.testing.assert_close(
            together.vectors[number, :count], alone.vectors[0, :count], atol=1e-5, rtol=0
        )


def tensors(seed: int) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(seed)
    unit = torch.nn.functional.normalize
    query = unit(torch.randn(3, 4, 5, generator=generator), dim=2).requires_grad_()
    documents = unit(torch.randn(6, 7, 5, generator=generator), dim=2).requires_grad_()
    query_mask = torch.arange(4) < torch.tensor([[4], [2], [0]])
    mask = torch.arange(7) < torch.tensor([[7], [3], [1], [7], [0], [5]])
    weights = torch.rand(3, 4, generator=generator) + 0.1
    passage_weights = torch.rand(6, 7, generator=generator) + 0.1
    return query, query_mask, documents, mask, weights * query_mask, passage_weights * mask


@given(st.integers(0, 10_000))
def test_scores_are_alignments_scores(seed: int) -> None:
    query, query_mask, documents, mask, weights, passage_weights = tensors(seed)
    for saliences in ((None, None), (weights, None), (weights, passage_weights)):
        expected = score(query, query_mask, documents, mask, None, *saliences)
        found = in_batch_scores(query, query_mask, documents, mask, *saliences)
        torch.testing.assert_close(found, expected)
        wanted = torch.autograd.grad(expected.square().sum(), [query, documents])
        gradients = torch.autograd.grad(found.square().sum(), [query, documents])
        torch.testing.assert_close(gradients, wanted)


@given(st.integers(0, 10_000), st.integers(1, 60))
def test_scores_from_retrieved_tokens_are_token_retrievals(seed: int, k_train: int) -> None:
    query, query_mask, documents, mask, _, _ = tensors(seed)
    expected = token_retrieval(query, query_mask, documents, mask, k_train)
    found = in_batch_scores(query, query_mask, documents, mask, k_train=k_train)
    torch.testing.assert_close(found, expected)
    wanted = torch.autograd.grad(expected.square().sum(), [query, documents])
    gradients = torch.autograd.grad(found.square().sum(), [query, documents])
    torch.testing.assert_close(gradients, wanted)


def test_fully_closed_gates_have_finite_gradients() -> None:
    query, query_mask, documents, mask, _, _ = tensors(1)
    weights = (torch.full((3, 4), 1e-22) * query_mask).requires_grad_()
    passage_weights = (torch.full((6, 7), 1e-22) * mask).requires_grad_()
    found = in_batch_scores(query, query_mask, documents, mask, weights, passage_weights)
    for gradient in torch.autograd.grad(found.sum(), [query, documents, weights, passage_weights]):
        assert gradient.isfinite().all()


def test_the_loss_is_the_sum_of_its_parts(tiny_model: Path, collator: Collator) -> None:
    config = ModelConfig(str(tiny_model), 16, "random", passage_prefix=4)
    run = RunConfig(query_tokens=3, passage_tokens=6)
    model = build_model(find_start(config, 1), config, SalienceConfig("l1"), run, "cpu").eval()
    owl, crow = passage("d/owl", "the owl hunts"), passage("d/crow", "the crow hides")
    batch = collator.batch(
        [
            example("what hunts", owl, negatives=(crow,), teacher=(5.0, 1.0)),
            example("what hides", crow),
        ]
    )
    queries, passages = model(batch.query_texts, batch.passage_texts)
    loss_config = LossConfig(scale=10, cross_entropy=2, distillation=3)
    loss = batch_loss(
        loss_config,
        batch,
        queries,
        passages,
        teacher=batch.teacher,
        salience=SalienceConfig(l1=0.5),
    )
    expected = 2 * loss.cross_entropy + 3 * loss.distillation + 0.5 * loss.penalty
    torch.testing.assert_close(loss.total, expected)
    assert loss.distillation > 0
    assert loss.penalty > 0
    # A query with only one passage has nothing to distil.
    nothing = torch.full((2, 2), torch.nan)
    nothing[:, 0] = 4.0
    none = batch_loss(loss_config, batch, queries, passages, teacher=nothing)
    assert none.distillation == 0
