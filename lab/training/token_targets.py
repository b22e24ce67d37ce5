"""Token vectors of another model as regression targets.

Another model gives one target vector per token, but only one score per passage. Regression on
vectors therefore learns from few texts, and needs no queries. It requires that both models tokenise
alike. For each token, the start's vector and the other's are concatenated, with squared lengths `1
- share` and `share`; the dot product of two such vectors is the weighted mean of both models'
similarities. Projecting the joint vectors on their first d principal directions gives the targets.

The other model's first direction, which all tokens share (three tenths of their squared length in
bge-small), is removed; the others are whitened as in `winnow fit`.

Sources: Reimers and Gurevych, "Making Monolingual Sentence Embeddings Multilingual using Knowledge
Distillation", 2020, section 2 (vectors as targets); Vujanic and Rueckstiess, "LEAF: Knowledge
Distillation of Text Embedding Models with Teacher-Aligned Representations", 2025, section 3 (no
labels, and the teacher's space kept).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from lab.training.batches import Texts
from lab.training.config import LossConfig, RunConfig
from lab.training.model import Encoded, LateInteractionModel, States, autocast, build_model
from lab.training.model_config import ModelConfig, SalienceConfig
from lab.training.start import Start, find_start

# Weight of the summaries' distances relative to the tokens'.
_SUMMARIES: Final = 0.3
# Weight of the squared differences between the saliences and the start's.
_SALIENCES: Final = 0.05
# Power of the eigenvalues by which the other model's directions are divided.
_WHITENING: Final = 0.1
# Ridge of the initial projections' fit, as a share of the mean variance.
_RIDGE: Final = 1e-3


class Target(NamedTuple):
    """Targets of the vectors of some texts, with the shapes of `Encoded`."""

    vectors: Tensor
    """(b, m, d) float32, of unit length where there is a token."""
    summaries: int
    """Number of summary vectors at the start of each text: 0 or 1."""
    ungated: Tensor | None
    """(b, m) saliences of the start; None if it has none."""

    def distance(self, encoded: Encoded) -> Tensor:
        """Return the distance of a model's vectors from the targets.

        The mean of 1 - cosine over all tokens, plus that of the summaries and, if the model has
        saliences, their squared differences from the start's.

        Returns:
            () float32.
        """
        distances = 1 - (encoded.vectors * self.vectors).sum(dim=2)
        mask = encoded.mask[:, self.summaries :]
        total = distances[:, self.summaries :][mask].mean()
        if self.summaries:
            total = total + _SUMMARIES * distances[:, 0].mean()
        if encoded.ungated is not None and self.ungated is not None:
            saliences, expected = (
                one[:, self.summaries :][mask] for one in (encoded.ungated, self.ungated)
            )
            total = total + _SALIENCES * functional.mse_loss(saliences, expected)
        return total


class _Outputs(NamedTuple):
    """Outputs of both models for some texts."""

    states: States
    """Output of the start's transformer."""
    encoded: Encoded
    """Output of the start."""
    own: Tensor
    """(t, d) the start's vectors of these tokens."""
    other: Tensor
    """(t, h) the other model's vectors of these tokens, of unit length."""
    mean: Tensor
    """(b, h) the mean of all the other model's vectors of a text, of unit length."""


class TokenTargets:
    """Computes the targets of a batch: one per token, and one per summary."""

    def __init__(
        self, own: LateInteractionModel, other: LateInteractionModel, share: float
    ) -> None:
        """Take both models; `learn` or a checkpoint sets the directions.

        Args:
            own: the start of the run; stays unchanged.
            other: a model that tokenises alike; its transformer's vectors are used without
                projection.
            share: weight of the other model in the similarity of two targets.
        """
        self._own = own.requires_grad_(False)
        self._other = other.requires_grad_(False)
        self._share = share
        dimensions = own.projection.shape[1]
        hidden_size = other.projection.shape[0]
        directions = min(dimensions, hidden_size - 1)
        device = own.projection.device
        self._directions = {
            "tokens": torch.zeros(hidden_size, directions, device=device),
            "joint": torch.zeros(dimensions + directions, dimensions, device=device),
            "summaries": torch.zeros(hidden_size, directions, device=device),
            "joint_summaries": torch.zeros(dimensions + directions, dimensions, device=device),
        }

    @property
    def tensors(self) -> dict[str, Tensor]:
        """Tensors of a checkpoint: (h, e) and (d + e, d), for tokens and for summaries."""
        return self._directions

    def learn(
        self, model: LateInteractionModel, drawn: Iterable[tuple[str, Texts]], precision: str
    ) -> None:
        """Learn the directions, and fit the run's initial projections to the targets.

        Args:
            model: the run's model; its projections are set. Its transformer must still be the
                start's.
            drawn: batches of texts, each with "query" or "passage".
            precision: the precision of the run.
        """
        hidden, pooled, tokens, other_tokens, summaries, means = ([] for _ in range(6))
        for side, texts in drawn:
            read = self._read(texts, side, precision)
            hidden.append(read.states.hidden[read.states.mask])
            pooled.append(read.states.pooled)
            tokens.append(read.own)
            other_tokens.append(read.other)
            summaries.append(read.encoded.vectors[:, 0])
            means.append(read.mean)
        vectors, foreign = torch.cat(tokens), torch.cat(other_tokens)
        self._directions["tokens"].copy_(
            principal(foreign, self._directions["tokens"].shape[1], skip=1, power=_WHITENING)
        )
        self._find("joint", self._concatenated(vectors, foreign, "tokens"))
        targets = self._joined(vectors, foreign, "tokens", "joint")
        with torch.no_grad():
            model.projection.copy_(nearest(torch.cat(hidden), targets))
            if model.summary is not None:
                own_summary, mean = torch.cat(summaries), torch.cat(means)
                most = self._directions["summaries"].shape[1]
                self._directions["summaries"].copy_(principal(mean, most, skip=1, power=_WHITENING))
                self._find("joint_summaries", self._concatenated(own_summary, mean, "summaries"))
                summary_targets = self._joined(own_summary, mean, "summaries", "joint_summaries")
                model.summary.copy_(nearest(torch.cat(pooled), summary_targets))

    def of(self, texts: Texts, side: str, precision: str) -> Target:
        """Return the targets of some texts.

        Args:
            texts: on the device of the models.
            side: "query" or "passage".
            precision: the precision of the run.
        """
        read = self._read(texts, side, precision)
        first = int(self._own.summary is not None)
        vectors = torch.zeros_like(read.encoded.vectors)
        vectors[:, first:][read.states.mask] = self._joined(read.own, read.other, "tokens", "joint")
        if first:
            own_summary = read.encoded.vectors[:, 0]
            vectors[:, 0] = self._joined(own_summary, read.mean, "summaries", "joint_summaries")
        ungated = read.encoded.ungated
        return Target(vectors, first, None if ungated is None else ungated.clone())

    def _read(self, texts: Texts, side: str, precision: str) -> _Outputs:
        with self._own.encoding(), autocast(self._device, precision):
            states = self._own.states(texts)
            own_encoded = self._own.encoded(states, side)
        with self._other.encoding(), autocast(self._device, precision):
            other_states = self._other.states(texts)
        first = int(self._own.summary is not None)
        return _Outputs(
            states,
            own_encoded,
            own_encoded.vectors[:, first:][other_states.mask],
            functional.normalize(other_states.hidden[other_states.mask], dim=1),
            functional.normalize(other_states.pooled, dim=1),
        )

    @property
    def _device(self) -> str:
        return self._own.projection.device.type

    def _find(self, name: str, vectors: Tensor) -> None:
        directions = self._directions[name]
        directions.copy_(principal(vectors, directions.shape[1]))

    def _concatenated(self, own: Tensor, foreign: Tensor, name: str) -> Tensor:
        """Return (t, d + e) concatenated vectors of both models."""
        projected = functional.normalize(foreign @ self._directions[name], dim=1)
        return torch.cat([(1 - self._share) ** 0.5 * own, self._share**0.5 * projected], dim=1)

    def _joined(self, own: Tensor, foreign: Tensor, name: str, joint: str) -> Tensor:
        """Return (t, d) targets of unit length, as tensors that autograd can use."""
        projected = self._concatenated(own, foreign, name) @ self._directions[joint]
        return functional.normalize(projected, dim=1).clone()


def open_targets(
    config: LossConfig,
    start: Start,
    model: ModelConfig,
    salience: SalienceConfig,
    run: RunConfig,
    device: str,
) -> TokenTargets:
    """Return the targets that a recipe configures, before their directions are learned.

    Raises:
        UsageError: the other model tokenises differently, or cannot be used for training.
        ModelError: the model does not exist, or its files are damaged.
    """
    other_config = ModelConfig(
        start=config.tokens_of, dimensions=model.dimensions, projection="random"
    )
    other = find_start(other_config, run.seed)
    own_tokenizer, other_tokenizer = Tokenizer.of(start.checkpoint), Tokenizer.of(other.checkpoint)
    if own_tokenizer.vocabulary != other_tokenizer.vocabulary:
        raise UsageError(
            f"{config.tokens_of} splits texts into other tokens than {model.start}, so that its "
            "vectors cannot be followed; name another model in tokens_of."
        )
    return TokenTargets(
        build_model(start, model, salience, run, device),
        build_model(other, other_config, SalienceConfig(), run, device),
        config.tokens_share,
    )


def principal(vectors: Tensor, count: int, *, skip: int = 0, power: float = 0.0) -> Tensor:
    """Return the uncentred principal directions of some vectors.

    Args:
        vectors: (t, d).
        count: number of directions.
        skip: number of first directions to leave out.
        power: power of the eigenvalues by which the directions are divided; 0 for none.

    Returns:
        (d, count) float32, the first direction of length 1; 0 beyond the rank.

    >>> two = torch.tensor([[3.0, 0.0], [0.0, 1.0]])
    >>> principal(two, 1).abs().tolist(), principal(two, 1, skip=1).abs().tolist()
    ([[1.0], [0.0]], [[0.0], [1.0]])
    """
    doubles = vectors.cpu().double()  # MPS has no float64
    squares = (doubles.T @ doubles) / max(len(doubles), 1)
    values, directions = torch.linalg.eigh(squares)
    order = values.argsort(descending=True)[skip : skip + count]
    values = values[order].clamp(min=torch.finfo(torch.float64).tiny)
    scaled = directions[:, order] * (values / values[0]).pow(-power)
    return functional.pad(scaled, (0, count - len(order))).float()


def nearest(hidden: Tensor, targets: Tensor) -> Tensor:
    """Return the projection of (t, h) vectors that best fits (t, d) targets.

    Least squares with a small ridge.

    Returns:
        (h, d) float32.

    >>> hidden = torch.eye(2)
    >>> nearest(hidden, torch.tensor([[1.0, 0.0], [0.0, 2.0]])).round(decimals=1).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    inputs = hidden.cpu().double()
    squares = inputs.T @ inputs
    ridge = _RIDGE * squares.diagonal().mean()
    eye = torch.eye(len(squares), dtype=torch.float64)
    solution: Tensor = torch.linalg.solve(squares + ridge * eye, inputs.T @ targets.cpu().double())
    return solution.float()
