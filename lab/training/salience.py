"""ALIGNER's unary salience, and the gate that makes it sparse.

Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), section 3.2, eq. 3-5, appendix A.1.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import torch
from torch import Tensor, nn


def budget(mask: Tensor, alpha: float) -> Tensor:
    """Return how many tokens of each row the gate passes: ceil(alpha m), m the row's tokens.

    Args:
        mask: (b, m) bool, true where there is a token.
        alpha: the share to keep, above 0 and up to 1.

    Returns:
        (b,) int64.

    Raises:
        ValueError: `alpha` is outside its range.

    Source: ALIGNER, section 3.2, k.

    >>> budget(torch.tensor([[True] * 5, [True] * 2 + [False] * 3]), 0.4).tolist()
    [2, 1]
    """
    if not 0 < alpha <= 1:
        raise ValueError(f"alpha is {alpha}; it must be above 0 and up to 1")
    # 0.07 * 100 is 7.000000000000001: use alpha's decimal value, not its binary neighbour.
    return (mask.sum(dim=1).double() * alpha - 1e-9).ceil().long()


def gate(
    scores: Tensor,
    k: int | Tensor,
    mask: Tensor,
    epsilon: float | Tensor = 0.002,
    iterations: int | None = None,
) -> Tensor:
    """Return a soft, differentiable choice of each row's `k` highest scores.

    Solves max s.l + epsilon H(l) so that sum(l) = k and 0 <= l <= 1. The iterations, of a and b in
    turn, start at zero and approach the solution from below. Before convergence sum(l) is less than
    k, and a step moves `a` by epsilon ln(k / sum(l)) only, so scores hundreds of epsilon apart need
    hundreds of steps. Their limit has a closed form, which `iterations=None` gives: l = min(exp((s
    + a) / epsilon), 1) with the one `a` for which the sum is k. (100 scores spread evenly over 0 to
    1, k = 40, epsilon = 0.002: the sum is about 10 after 20 iterations, 38 after 500.) Adding a
    constant to a row's scores changes nothing.

    Args:
        scores: (b, m) floating.
        k: for all rows, or (b,) for each; at least 1 where a row has tokens.
        mask: (b, m) bool, true where there is a token.
        epsilon: weight of the entropy, above 0, for all rows, or (b,) for each; the smaller, the
            nearer to a hard choice.
        iterations: of eq. 5, at least 1; None for their limit.

    Returns:
        (b, m) from 0 to 1, like `scores` in dtype; exactly 0 where there is no token. A row with
        k tokens or fewer is all ones.

    Raises:
        ValueError: shapes differ, or `k`, `epsilon` or `iterations` is out of range.

    Source: ALIGNER, eq. 4-5 and appendix A.1; epsilon from its section 4.3.

    >>> scores, mask = torch.tensor([[0.1, 0.9, 0.5, 0.7]]), torch.ones(1, 4, dtype=torch.bool)
    >>> [round(value, 3) for value in gate(scores, 2, mask, epsilon=0.01)[0].tolist()]
    [0.0, 1.0, 0.0, 1.0]
    >>> [round(value, 3) for value in gate(scores, 2, mask, epsilon=0.5)[0].tolist()]
    [0.174, 0.861, 0.387, 0.577]
    """
    if scores.ndim != 2 or mask.shape != scores.shape:
        raise ValueError(f"scores are {tuple(scores.shape)}, the mask {tuple(mask.shape)}")
    width = _epsilon_per_row(epsilon, scores)
    if iterations is not None and iterations < 1:
        raise ValueError(f"iterations is {iterations}; it must be at least 1")
    wanted = _per_row(k, mask)
    if scores.shape[1] == 0:
        return torch.zeros_like(scores)
    is_whole = wanted >= mask.sum(dim=1, keepdim=True)
    # Rows that keep everything, including empty ones, are computed with harmless values and
    # replaced at the end, so that their NaNs do not reach a gradient.
    safe_mask = mask | is_whole
    ranked = scores.detach().masked_fill(~safe_mask, -torch.inf).sort(dim=1, descending=True).values
    # Centre where precision matters: at the threshold, or for eq. 5 at the top, where it starts.
    place = wanted - 1 if iterations is None else torch.zeros_like(wanted)
    centre = ranked.gather(1, place.clamp(0, scores.shape[1] - 1))
    scaled = ((scores - centre) / width).masked_fill(is_whole, 0)
    scaled = scaled.masked_fill(~safe_mask, -torch.inf)
    log_k = wanted.clamp(min=1).to(scores.dtype).log()
    chosen = _limit(scaled, wanted) if iterations is None else _iterated(scaled, log_k, iterations)
    return torch.where(is_whole, mask.to(scores.dtype), chosen)


def epsilon_of(scores: Tensor, mask: Tensor, share: float, least: float) -> Tensor:
    """Return an epsilon for each row, proportional to the spread of its scores.

    The gate's gradient at a score is about as large as l (1 - l) / epsilon, which vanishes for
    scores many epsilons below the k-th highest. How many depends on the scores: of 100 that are
    normally distributed with a standard deviation of .15, with k = 40 and an epsilon of .002, one
    in twenty of the 60 lower ones has a gradient of a hundredth of the largest or more; with an
    epsilon of half the standard deviation two in three have.

    Args:
        scores: (b, m) floating.
        mask: (b, m) bool, true where there is a token.
        share: of the standard deviation of a row's scores, above 0.
        least: lower bound of epsilon, above 0, for rows of equal scores.

    Returns:
        (b,), like `scores` in dtype, without a gradient, so that the spread is not trained.

    Raises:
        ValueError: `share` or `least` is not above 0.

    Source: ALIGNER has one epsilon, .002, "based on empirical performance" (section 4.3).

    >>> mask = torch.ones(2, 2, dtype=torch.bool)
    >>> epsilon_of(torch.tensor([[0.0, 2.0], [1.0, 1.0]]), mask, share=0.5, least=0.25).tolist()
    [0.5, 0.25]
    """
    if not share > 0 or not least > 0:
        raise ValueError(f"share is {share}, least {least}; both must be above 0")
    with torch.no_grad():
        count = mask.sum(dim=1).clamp(min=1)
        mean = scores.masked_fill(~mask, 0).sum(dim=1) / count
        deviations = (scores - mean[:, None]).masked_fill(~mask, 0)
        return (share * (deviations.square().sum(dim=1) / count).sqrt()).clamp(min=least)


def hard_gate(scores: Tensor, k: int | Tensor, mask: Tensor) -> Tensor:
    """Mark each row's `k` highest scores by zeros and ones, without a gradient.

    The first of equal tokens wins. This is `gate` with epsilon = 0.

    Args:
        scores: (b, m) floating.
        k: for all rows, or (b,) for each; at least 1 where a row has tokens.
        mask: (b, m) bool, true where there is a token.

    Returns:
        (b, m) zeros and ones, like `scores` in dtype.

    Raises:
        ValueError: shapes differ or `k` is less than 1.

    Source: ALIGNER, section 4.3, "Hard".

    >>> hard_gate(torch.tensor([[0.1, 0.9, 0.5]]), 2, torch.ones(1, 3, dtype=torch.bool)).tolist()
    [[0.0, 1.0, 1.0]]
    """
    if scores.ndim != 2 or mask.shape != scores.shape:
        raise ValueError(f"scores are {tuple(scores.shape)}, the mask {tuple(mask.shape)}")
    wanted = _per_row(k, mask)
    ranked = scores.detach().masked_fill(~mask, -torch.inf)
    order = ranked.sort(dim=1, descending=True, stable=True).indices
    places = torch.arange(scores.shape[1], device=scores.device)
    chosen = torch.zeros_like(ranked).scatter(1, order, (places < wanted).to(scores.dtype))
    return chosen * mask


class SalienceKind(StrEnum):
    """How salience is made sparse: ALIGNER's method and its baselines."""

    ENTROPY = "entropy"
    """The gate of the entropy-regularised linear programme."""
    RELU = "relu"
    """No gate: the rectifier's output."""
    HARD = "hard"
    """A mask of the k highest scores, without a gradient."""
    L1 = "l1"
    """No gate, but a penalty on the sum of saliences."""


class Saliences(NamedTuple):
    """Output of the salience head for a batch."""

    values: Tensor
    """(b, m) u, at least 0; 0 where there is no token."""
    penalty: Tensor
    """() added to the loss, times a coefficient; 0 for all kinds but L1."""
    ungated: Tensor
    """(b, m) the rectifier's output before the gate: the saliences of a saved model."""


class Salience(nn.Module):
    """The salience of each token from its vector: u = gate * relu(W d + b).

    ALIGNER's "Hard" is implemented as a plain mask: eq. 4 without the entropy, which trains the
    chosen tokens' scores but not the choice. Its "L1" adds the L1 norm of u. The paper does not say
    how the norm is averaged; here it is the mean over the rows of each row's sum.

    Source: ALIGNER, eq. 3; the kinds are those of section 4.3 and figure 6.
    """

    def __init__(
        self,
        dimensions: int,
        alpha: float,
        kind: SalienceKind = SalienceKind.ENTROPY,
        epsilon: float = 0.002,
        iterations: int | None = None,
        epsilon_of_spread: float = 0.0,
    ) -> None:
        """Initialise to u near 1 for all tokens that pass the gate.

        Args:
            dimensions: of the token vectors.
            alpha: the share of tokens that the gate keeps.
            kind: how salience is made sparse.
            epsilon: of `gate`.
            iterations: of `gate`.
            epsilon_of_spread: if above 0, epsilon is this share of the standard deviation of each
                text's scores, with `epsilon` as its lower bound.
        """
        super().__init__()
        self.kind = kind
        self._alpha = self.step_alpha = alpha
        self.epsilon = epsilon
        self.iterations = iterations
        self.epsilon_of_spread = epsilon_of_spread
        self.linear = nn.Linear(dimensions, 1)
        # The paper gives no initialisation. With a bias of 0 the rectifier would zero half of the
        # tokens at the start, and those get no gradient.
        nn.init.normal_(self.linear.weight, std=0.02)
        nn.init.ones_(self.linear.bias)

    @property
    def alpha(self) -> float:
        """The share of tokens that the gate keeps: in training, `step_alpha`."""
        return self.step_alpha if self.training else self._alpha

    def forward(self, vectors: Tensor, mask: Tensor) -> Saliences:
        """Return the saliences of a batch of token vectors.

        Args:
            vectors: (b, m, d) floating.
            mask: (b, m) bool, true where there is a token.

        Raises:
            ValueError: the shapes do not fit together.
        """
        if vectors.shape[:2] != mask.shape:
            raise ValueError(f"vectors are {tuple(vectors.shape)}, the mask {tuple(mask.shape)}")
        # bfloat16 has no steps below 0.004 near 1; the gate's epsilon is 0.002.
        with torch.autocast(vectors.device.type, enabled=False):
            linear: Tensor = self.linear(vectors.to(self.linear.weight.dtype))
        ungated = scores = torch.relu(linear.squeeze(2)).masked_fill(~mask, 0)
        penalty = scores.new_zeros(())
        if self.kind is SalienceKind.ENTROPY:
            k = budget(mask, self.alpha)
            epsilon: float | Tensor = self.epsilon
            if self.epsilon_of_spread:
                epsilon = epsilon_of(scores, mask, self.epsilon_of_spread, self.epsilon)
            scores = scores * gate(scores, k, mask, epsilon, self.iterations)
        elif self.kind is SalienceKind.HARD:
            scores = scores * hard_gate(scores, budget(mask, self.alpha), mask)
        elif self.kind is SalienceKind.L1:
            penalty = scores.sum(dim=1).mean()
        return Saliences(scores, penalty, ungated)


def _per_row(k: int | Tensor, mask: Tensor) -> Tensor:
    """Return k as (b, 1) int64."""
    wanted = torch.as_tensor(k, device=mask.device)
    if wanted.ndim > 1 or (wanted.ndim == 1 and len(wanted) != len(mask)):
        raise ValueError(f"k is {tuple(wanted.shape)}; there are {len(mask)} rows")
    wanted = wanted.expand(len(mask)).long()
    if _is_on_cpu(wanted) and bool(((wanted < 1) & mask.any(dim=1)).any()):
        raise ValueError(f"k is {int(wanted.min())}; it must be at least 1")
    return wanted[:, None]


def _is_on_cpu(values: Tensor) -> bool:
    """Return whether reading values is free; on a GPU it would force a synchronisation."""
    return values.device.type == "cpu"


def _epsilon_per_row(epsilon: float | Tensor, scores: Tensor) -> float | Tensor:
    """Return one number unchanged, one for each row as (b, 1)."""
    if isinstance(epsilon, Tensor):
        if epsilon.shape != scores.shape[:1]:
            raise ValueError(f"epsilon is {tuple(epsilon.shape)}; there are {len(scores)} rows")
        if _is_on_cpu(epsilon) and not bool((epsilon > 0).all()):
            raise ValueError(f"epsilon is {float(epsilon.min())}; it must be above 0")
        return epsilon[:, None]
    if not epsilon > 0:
        raise ValueError(f"epsilon is {epsilon}; it must be above 0")
    return epsilon


def _iterated(scaled: Tensor, log_k: Tensor, iterations: int) -> Tensor:
    """Run the iterations of eq. 5, with s, a and b all divided by epsilon."""
    b = torch.zeros_like(scaled)
    a = log_k
    for _ in range(iterations):
        a = log_k - torch.logsumexp(scaled + b, dim=1, keepdim=True)
        b = (-scaled - a).clamp(max=0)
    return (scaled + b + a).clamp(max=0).exp()


def _limit(scaled: Tensor, wanted: Tensor) -> Tensor:
    """Return the fixed point of eq. 5: the t highest are 1, the others share k - t by a softmax.

    t is the smallest number for which no other exceeds 1; t = k - 1 always satisfies this.
    """
    with torch.no_grad():
        ranked, order = scaled.sort(dim=1, descending=True)
        tail = torch.logcumsumexp(ranked.flip(1), dim=1).flip(1)
        left = wanted - torch.arange(scaled.shape[1], device=scaled.device)
        highest = left.clamp(min=1).to(scaled.dtype).log() + (ranked - tail)
        # A score that overflows to infinity gives NaN here, which is not <= 0, as intended.
        t = ((highest <= 0) | (left <= 1)).int().argmax(dim=1, keepdim=True)
        places = torch.arange(scaled.shape[1], device=scaled.device)
        is_full = torch.zeros_like(scaled, dtype=torch.bool).scatter(1, order, places < t)
    log_left = (wanted - t).clamp(min=1).to(scaled.dtype).log()
    rest = torch.log_softmax(scaled.masked_fill(is_full, -torch.inf), dim=1)
    return torch.where(is_full, torch.ones_like(scaled), (log_left + rest).clamp(max=0).exp())
