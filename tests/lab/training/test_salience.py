"""The gate of the entropy-regularised linear programme, and the salience head."""

from __future__ import annotations

import math
import statistics

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor

from lab.training.salience import (
    Salience,
    SalienceKind,
    budget,
    epsilon_of,
    gate,
    hard_gate,
)
from tests.examples import examples

values = st.floats(-3, 3, allow_nan=False, width=32)
rows = st.lists(values, min_size=1, max_size=9)
epsilons = st.sampled_from([0.002, 0.05, 0.5, 4.0])


def tensor(row: list[float]) -> Tensor:
    return torch.tensor([row], dtype=torch.float64)


def everything(scores: Tensor) -> Tensor:
    return torch.ones_like(scores, dtype=torch.bool)


def solved(row: list[float], k: int, epsilon: float, iterations: int | None = None) -> Tensor:
    scores = tensor(row)
    return gate(scores, k, everything(scores), epsilon, iterations)[0]


def bisected(row: list[float], k: int, epsilon: float) -> list[float]:
    """Return min(exp((s + a) / epsilon), 1), with the `a` of sum k found by bisection."""
    low, high = -max(row) - epsilon * math.log(len(row)) - 1, -min(row)
    for _ in range(200):
        a = (low + high) / 2
        chosen = [math.exp(min((s + a) / epsilon, 0)) for s in row]
        low, high = (a, high) if sum(chosen) < k else (low, a)
    return chosen


@given(rows, st.integers(1, 9), epsilons)
def test_the_gate_sums_to_k_with_values_up_to_1(row, k, epsilon) -> None:
    chosen = solved(row, k, epsilon)
    assert float(chosen.sum()) == pytest.approx(min(k, len(row)), abs=1e-9)
    assert bool(((chosen >= 0) & (chosen <= 1)).all())


@given(rows, st.integers(1, 8), epsilons)
def test_the_gate_has_the_form_that_the_optimum_must_have(row, k, epsilon) -> None:
    assume(k < len(row))
    assert solved(row, k, epsilon).tolist() == pytest.approx(bisected(row, k, epsilon), abs=1e-7)


@given(rows, st.integers(1, 9), st.data())
def test_the_gate_maximises_the_objective(row, k, data) -> None:
    epsilon = 0.3
    size = st.lists(st.floats(0.01, 1), min_size=len(row), max_size=len(row))
    weights = torch.tensor(data.draw(size), dtype=torch.float64)
    best = solved(row, k, epsilon)
    other = gate(weights[None], k, everything(weights[None]), epsilon=0.7)[0]

    def value(chosen: Tensor) -> float:
        return float(tensor(row)[0] @ chosen - epsilon * torch.xlogy(chosen, chosen).sum())

    assert value(best) >= value(other) - 1e-9


@settings(max_examples=examples(25))
@given(rows, st.integers(1, 9), st.sampled_from([0.5, 2.0]))
def test_the_papers_iterations_converge_from_below(row, k, epsilon) -> None:
    sums = [float(solved(row, k, epsilon, rounds).sum()) for rounds in (1, 2, 5, 20)]
    assert sums == pytest.approx(sorted(sums), abs=1e-9)
    assert sums[-1] <= min(k, len(row)) + 1e-9
    arrived = solved(row, k, epsilon, 500)
    assert arrived.tolist() == pytest.approx(solved(row, k, epsilon).tolist(), abs=1e-4)


def test_one_iteration_is_equation_5_written_out() -> None:
    row, k, epsilon = [0.3, 0.1, 0.6], 2, 0.4
    a = epsilon * math.log(k) - epsilon * math.log(sum(math.exp(s / epsilon) for s in row))
    first = [math.exp((s + min(-s - a, 0) + a) / epsilon) for s in row]
    assert solved(row, k, epsilon, 1).tolist() == pytest.approx(first)
    b = [min(-s - a, 0) for s in row]
    a = epsilon * math.log(k) - epsilon * math.log(
        sum(math.exp((s + below) / epsilon) for s, below in zip(row, b, strict=True))
    )
    second = [math.exp((s + min(-s - a, 0) + a) / epsilon) for s in row]
    assert solved(row, k, epsilon, 2).tolist() == pytest.approx(second)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=9, unique=True), st.integers(1, 9))
def test_a_vanishing_epsilon_equals_the_hard_gate(tenths, k) -> None:
    scores = tensor([tenth / 10 for tenth in tenths])
    soft = gate(scores, k, everything(scores), epsilon=1e-4)
    torch.testing.assert_close(soft, hard_gate(scores, k, everything(scores)))


@given(rows, st.integers(1, 9), epsilons, st.randoms(use_true_random=False))
def test_the_order_of_tokens_does_not_matter(row, k, epsilon, random) -> None:
    places = random.sample(range(len(row)), len(row))
    shuffled = solved([row[place] for place in places], k, epsilon)
    torch.testing.assert_close(shuffled, solved(row, k, epsilon)[places])


@given(rows, st.integers(1, 9), epsilons)
def test_a_higher_score_never_passes_less(row, k, epsilon) -> None:
    chosen = solved(sorted(row), k, epsilon)
    assert bool((chosen.diff() >= -1e-12).all())
    raised = solved([row[0] + 0.5, *row[1:]], k, epsilon)
    before = solved(row, k, epsilon)
    assert raised[0] >= before[0] - 1e-12
    assert bool((raised[1:] <= before[1:] + 1e-12).all())


@given(
    st.lists(rows, min_size=1, max_size=4),
    st.integers(1, 9),
    epsilons,
    st.sampled_from([None, 1, 30]),
    st.randoms(use_true_random=False),
)
def test_masked_tokens_are_ignored(ragged, k, epsilon, iterations, random) -> None:
    width = max(map(len, ragged)) + 2
    scores = torch.full((len(ragged), width), 9.0, dtype=torch.float64)
    mask = torch.zeros((len(ragged), width), dtype=torch.bool)
    for number, row in enumerate(ragged):
        places = sorted(random.sample(range(width), len(row)))
        scores[number, places] = tensor(row)[0]
        mask[number, places] = True
    together = gate(scores, k, mask, epsilon, iterations)
    assert bool((together[~mask] == 0).all())
    for number, row in enumerate(ragged):
        alone = solved(row, k, epsilon, iterations)
        torch.testing.assert_close(together[number, mask[number]], alone)


def test_each_row_has_its_own_k_and_a_row_may_be_empty() -> None:
    scores = torch.tensor([[3.0, 2.0, 1.0]] * 4, requires_grad=True)
    mask = torch.tensor([[True] * 3, [True] * 3, [True, True, False], [False] * 3])
    chosen = gate(scores, torch.tensor([1, 2, 5, 0]), mask, epsilon=0.01)
    expected = torch.tensor([[1.0, 0, 0], [1, 1, 0], [1, 1, 0], [0, 0, 0]])
    torch.testing.assert_close(chosen, expected)
    assert hard_gate(scores, torch.tensor([1, 2, 5, 0]), mask).equal(expected)
    chosen.square().sum().backward()
    assert scores.grad is not None
    assert bool(scores.grad.isfinite().all())
    assert bool((scores.grad[2:] == 0).all())
    assert gate(torch.zeros(2, 0), 1, torch.zeros(2, 0, dtype=torch.bool)).shape == (2, 0)


@pytest.mark.parametrize("iterations", [None, 1, 20])
@pytest.mark.parametrize("epsilon", [1e-30, 1e-6, 0.002, 1e6])
def test_no_epsilon_and_no_score_overflows(epsilon: float, iterations: int | None) -> None:
    scores = torch.tensor([[1e4, -1e4, 0, 5, 5.001, 80, 1e-3]], requires_grad=True)
    mask = torch.tensor([[True] * 6 + [False]])
    chosen = gate(scores, 3, mask, epsilon, iterations)
    chosen.square().sum().backward()
    assert bool(chosen.isfinite().all())
    assert bool(((chosen >= 0) & (chosen <= 1)).all())
    assert chosen[0, 6] == 0
    if iterations is None:
        assert float(chosen.detach().sum()) == pytest.approx(3, rel=1e-4)
    if epsilon > 1e-20:  # 1 / epsilon is the slope
        assert scores.grad is not None
        assert bool(scores.grad.isfinite().all())


@pytest.mark.parametrize("iterations", [None, 1, 7])
def test_gradients_agree_with_finite_differences(iterations: int | None) -> None:
    generator = torch.Generator().manual_seed(3)
    scores = torch.randn(5, 7, generator=generator, dtype=torch.float64).requires_grad_()
    mask = torch.rand(5, 7, generator=generator) < 0.8
    mask[4] = False
    k = budget(mask, 0.4)
    assert torch.autograd.gradcheck(lambda s: gate(s, k, mask, 0.3, iterations), (scores,))


@given(st.integers(1, 100), st.integers(0, 300))
def test_budgets_are_rounded_up_despite_binary_fractions(percent, m) -> None:
    mask = torch.ones((1, m), dtype=torch.bool)
    assert budget(mask, percent / 100).tolist() == [-(-m * percent // 100)]


def vectors_and_mask() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(5)
    vectors = torch.randn(3, 10, 8, generator=generator)
    mask = torch.ones(3, 10, dtype=torch.bool)
    mask[1, 6:] = False
    mask[2] = False
    return vectors, mask


def head(kind: SalienceKind, alpha: float = 0.4) -> Salience:
    torch.manual_seed(1)
    module = Salience(8, alpha, kind)
    torch.nn.init.normal_(module.linear.weight)
    return module


def rectified(module: Salience, vectors: Tensor, mask: Tensor) -> Tensor:
    weight, bias = module.linear.weight[0], module.linear.bias
    return (vectors @ weight + bias).clamp(min=0) * mask


def test_salience_is_the_rectified_score_through_the_gate() -> None:
    vectors, mask = vectors_and_mask()
    module = head(SalienceKind.ENTROPY)
    scores = rectified(module, vectors, mask)
    k = torch.tensor([4, 3, 0])
    output = module(vectors, mask)
    torch.testing.assert_close(output.values, scores * gate(scores, k, mask, 0.002))
    assert output.penalty == 0
    hard = head(SalienceKind.HARD)(vectors, mask).values
    torch.testing.assert_close(hard, scores * hard_gate(scores, k, mask))


def test_without_a_gate_salience_is_the_rectified_score_and_l1_has_its_penalty() -> None:
    vectors, mask = vectors_and_mask()
    scores = rectified(head(SalienceKind.RELU), vectors, mask)
    plain, penalised = (head(kind)(vectors, mask) for kind in (SalienceKind.RELU, SalienceKind.L1))
    torch.testing.assert_close(plain.values, scores)
    torch.testing.assert_close(penalised.values, scores)
    assert plain.penalty == 0
    torch.testing.assert_close(penalised.penalty, scores.abs().sum() / 3)
    assert penalised.penalty.requires_grad


@pytest.mark.parametrize("kind", SalienceKind)
def test_every_kind_can_be_learned_and_starts_near_one(kind: SalienceKind) -> None:
    vectors, mask = vectors_and_mask()
    module = Salience(8, 1.0, kind)
    output = module(vectors, mask)
    assert bool((output.values[~mask] == 0).all())
    assert bool(((output.values[mask] > 0.5) & (output.values[mask] < 1.5)).all())
    (output.values.square().sum() + output.penalty).backward()
    for parameter in module.parameters():
        assert parameter.grad is not None
        assert bool(parameter.grad.isfinite().all())
        assert bool(parameter.grad.abs().sum() > 0)


def test_salience_is_as_exact_in_mixed_precision() -> None:
    vectors, mask = vectors_and_mask()
    module = head(SalienceKind.ENTROPY)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = module(vectors, mask).values
    assert mixed.dtype == torch.float32
    torch.testing.assert_close(mixed, module(vectors, mask).values)


def test_the_soft_gate_has_gradients_for_tokens_that_the_hard_one_drops() -> None:
    scores = torch.tensor([[0.9, 0.5, 0.4]], requires_grad=True)
    mask = everything(scores)
    gate(scores, 1, mask, epsilon=0.2)[0, 1].backward()
    assert scores.grad is not None
    assert bool((scores.grad != 0).all())
    assert not hard_gate(scores, 1, mask).requires_grad


def reached(module: Salience, scores: Tensor, mask: Tensor) -> float:
    """Return the share of dropped tokens with a gradient of at least a hundredth of the largest."""
    vectors = scores[:, :, None].detach().requires_grad_()
    generator = torch.Generator().manual_seed(6)
    with torch.no_grad():
        module.linear.weight.fill_(1)
        module.linear.bias.zero_()
    (module(vectors, mask).values * torch.randn(scores.shape, generator=generator)).sum().backward()
    assert vectors.grad is not None
    gradient = vectors.grad[:, :, 0].abs()
    is_dropped = (hard_gate(scores, budget(mask, module.alpha), mask) == 0) & mask
    is_reached = gradient >= gradient.amax(dim=1, keepdim=True) / 100
    return float((is_reached & is_dropped).sum() / is_dropped.sum())


@pytest.mark.parametrize("spread", [0.15, 1.5])
def test_a_relative_epsilon_has_larger_gradients_for_dropped_tokens(spread: float) -> None:
    generator = torch.Generator().manual_seed(7)
    scores = 10 + spread * torch.randn(50, 80, generator=generator)
    mask = torch.ones(50, 80, dtype=torch.bool)
    mask[::2, 60:] = False
    fixed = reached(Salience(1, 0.4), scores, mask)
    shares = [
        reached(Salience(1, 0.4, epsilon_of_spread=share), scores, mask)
        for share in (0.1, 0.3, 0.5)
    ]
    assert fixed < 0.09
    assert [fixed, *shares] == sorted([fixed, *shares])
    assert shares[0] > 2 * fixed
    assert shares[2] > 0.5


@given(
    st.lists(rows, min_size=1, max_size=4), st.floats(0.05, 3), st.sampled_from([1e-6, 0.002, 0.5])
)
def test_epsilon_is_a_share_of_the_standard_deviation_of_each_text(ragged, share, least) -> None:
    width = max(map(len, ragged)) + 1
    scores = torch.full((len(ragged), width), 99.0, dtype=torch.float64)
    mask = torch.zeros(scores.shape, dtype=torch.bool)
    for number, row in enumerate(ragged):
        scores[number, 1 : 1 + len(row)] = tensor(row)[0]
        mask[number, 1 : 1 + len(row)] = True
    found = epsilon_of(scores.requires_grad_(), mask, share, least)
    wanted = [max(share * statistics.pstdev(row), least) for row in ragged]
    assert found.tolist() == pytest.approx(wanted, rel=1e-6)
    assert not found.requires_grad
    # Each row is independent of the others, and its sum is k.
    chosen = gate(scores, 2, mask, found)
    for number, row in enumerate(ragged):
        alone = solved(row, 2, float(found[number]))
        torch.testing.assert_close(chosen[number, mask[number]], alone)
        assert float(alone.sum()) == pytest.approx(min(2, len(row)), abs=1e-9)


def test_the_heads_epsilon_and_iterations_are_those_of_its_gate() -> None:
    vectors, mask = vectors_and_mask()
    module = head(SalienceKind.ENTROPY)
    scores = rectified(module, vectors, mask)
    module.epsilon_of_spread, module.iterations = 0.4, 3
    epsilon = epsilon_of(scores, mask, 0.4, least=0.002)
    expected = scores * gate(scores, budget(mask, 0.4), mask, epsilon, 3)
    torch.testing.assert_close(module(vectors, mask).values, expected)


def test_invalid_arguments_are_refused() -> None:
    scores = torch.zeros(2, 3)
    mask = everything(scores)
    for call in (gate, hard_gate):
        with pytest.raises(ValueError, match="the mask"):
            call(scores, 1, mask[:1])
        with pytest.raises(ValueError, match="k is 0"):
            call(scores, 0, mask)
        with pytest.raises(ValueError, match="there are 2 rows"):
            call(scores, torch.tensor([1, 1, 1]), mask)
    for epsilon in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="epsilon is"):
            gate(scores, 1, mask, epsilon)
        with pytest.raises(ValueError, match="epsilon is"):
            gate(scores, 1, mask, torch.tensor([1.0, epsilon]))
        with pytest.raises(ValueError, match="both must be above 0"):
            epsilon_of(scores, mask, share=epsilon, least=1)
        with pytest.raises(ValueError, match="both must be above 0"):
            epsilon_of(scores, mask, share=1, least=epsilon)
    with pytest.raises(ValueError, match="there are 2 rows"):
        gate(scores, 1, mask, torch.ones(3))
    with pytest.raises(ValueError, match="iterations is 0"):
        gate(scores, 1, mask, iterations=0)
    for alpha in (0.0, 1.1, float("nan")):
        with pytest.raises(ValueError, match="alpha is"):
            budget(mask, alpha)
    with pytest.raises(ValueError, match="the mask"):
        head(SalienceKind.RELU)(torch.zeros(2, 4, 8), mask)
