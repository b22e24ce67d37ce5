"""Vectors of another model, token by token, as what a model's own are to become.

What another model makes of a text is one target for each token, where its score of a passage is one
for the whole of it: a model learns from few texts what another finds, and no text needs a query
that it answers. Two models that split texts into the same tokens can be joined so: let a token be
the start's vector and the other's, side by side, the squares of their lengths `1 - share` and
`share`. The product of two such is the mean, by these shares, of what both models say of the two
tokens. The principal directions of the joint vectors leave of it what a model of d dimensions can
hold, and these are its targets.

The other model's first direction, which all its tokens share (three tenths of their squared length
in bge-small), is left out; the further ones are weighed against each other as `winnow fit` does.

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

_SUMMARIES: Final = 0.3
"""Weight of the summaries' distances beside the tokens'."""
_SALIENCES: Final = 0.05
"""Weight of the squared differences of saliences, which are to stay what the start's are."""
_WHITENING: Final = 0.1
"""The power of their eigenvalues that the other model's directions are divided by."""
_RIDGE: Final = 1e-3
"""Of the first projections' fit, as a share of the mean variance."""


class Target(NamedTuple):
    """What the vectors of texts are to become; of the shapes of `Encoded`."""

    vectors: Tensor
    """(b, m, d) float32, of unit length where there is a token."""
    summaries: int
    """How many of the first vectors of each text are summaries: 0 or 1."""
    ungated: Tensor | None
    """(b, m) the start's saliences; None where it has none."""

    def distance(self, made: Encoded) -> Tensor:
        """Return how far a model's vectors are from these.

        One less the cosine with them, the mean over all tokens; beside it the summaries' and, where
        the model has any, the squared differences of saliences from the start's.

        Returns:
            () float32.
        """
        apart = 1 - (made.vectors * self.vectors).sum(dim=2)
        mask = made.mask[:, self.summaries :]
        total = apart[:, self.summaries :][mask].mean()
        if self.summaries:
            total = total + _SUMMARIES * apart[:, 0].mean()
        if made.ungated is not None and self.ungated is not None:
            said, own = (one[:, self.summaries :][mask] for one in (made.ungated, self.ungated))
            total = total + _SALIENCES * functional.mse_loss(said, own)
        return total


class _Read(NamedTuple):
    """What both models make of texts."""

    states: States
    """By the start's transformer."""
    found: Encoded
    """By the start."""
    own: Tensor
    """(t, d) the start's vectors of these tokens."""
    other: Tensor
    """(t, h) the other model's, of unit length."""
    mean: Tensor
    """(b, h) the mean of all the other's vectors of a text, of unit length."""


class TokenTargets:
    """What each token's vector, and each text's summary, is to become; made anew for each batch."""

    def __init__(
        self, own: LateInteractionModel, other: LateInteractionModel, share: float
    ) -> None:
        """Take both models; `learn` or a checkpoint finds the directions.

        Args:
            own: as the run begins, and as it stays.
            other: one that splits texts into the same tokens; its own vectors are taken, without
                any projection.
            share: of the other in what the targets say of two tokens.
        """
        self._own = own.requires_grad_(False)
        self._other = other.requires_grad_(False)
        self._share = share
        kept = own.projection.shape[1]
        room = other.projection.shape[0]
        most = min(kept, room - 1)
        device = own.projection.device
        self._directions = {
            "tokens": torch.zeros(room, most, device=device),
            "joint": torch.zeros(kept + most, kept, device=device),
            "summaries": torch.zeros(room, most, device=device),
            "joint_summaries": torch.zeros(kept + most, kept, device=device),
        }

    @property
    def tensors(self) -> dict[str, Tensor]:
        """What a checkpoint keeps and fills in: (h, e) and (d + e, d), of tokens and summaries."""
        return self._directions

    def learn(
        self, model: LateInteractionModel, drawn: Iterable[tuple[str, Texts]], precision: str
    ) -> None:
        """Find the directions, and the projections that bring the run's start nearest to them.

        Args:
            model: the run's; its projections are set. Its transformer is still the start's.
            drawn: some texts, each batch with "query" or "passage".
            precision: as in a run.
        """
        hidden, pooled, tokens, others, summaries, means = ([] for _ in range(6))
        for side, texts in drawn:
            read = self._read(texts, side, precision)
            hidden.append(read.states.hidden[read.states.mask])
            pooled.append(read.states.pooled)
            tokens.append(read.own)
            others.append(read.other)
            summaries.append(read.found.vectors[:, 0])
            means.append(read.mean)
        vectors, foreign = torch.cat(tokens), torch.cat(others)
        self._directions["tokens"].copy_(
            principal(foreign, self._directions["tokens"].shape[1], skip=1, power=_WHITENING)
        )
        self._find("joint", self._beside(vectors, foreign, "tokens"))
        targets = self._joined(vectors, foreign, "tokens", "joint")
        with torch.no_grad():
            model.projection.copy_(nearest(torch.cat(hidden), targets))
            if model.summary is not None:
                gist, mean = torch.cat(summaries), torch.cat(means)
                most = self._directions["summaries"].shape[1]
                self._directions["summaries"].copy_(principal(mean, most, skip=1, power=_WHITENING))
                self._find("joint_summaries", self._beside(gist, mean, "summaries"))
                wanted = self._joined(gist, mean, "summaries", "joint_summaries")
                model.summary.copy_(nearest(torch.cat(pooled), wanted))

    def of(self, texts: Texts, side: str, precision: str) -> Target:
        """Return what the vectors of texts are to become.

        Args:
            texts: on the device of the models.
            side: "query" or "passage".
            precision: as in a run.
        """
        read = self._read(texts, side, precision)
        first = int(self._own.summary is not None)
        vectors = torch.zeros_like(read.found.vectors)
        vectors[:, first:][read.states.mask] = self._joined(read.own, read.other, "tokens", "joint")
        if first:
            gist = read.found.vectors[:, 0]
            vectors[:, 0] = self._joined(gist, read.mean, "summaries", "joint_summaries")
        ungated = read.found.ungated
        return Target(vectors, first, None if ungated is None else ungated.clone())

    def _read(self, texts: Texts, side: str, precision: str) -> _Read:
        with self._own.encoding(), autocast(self._device, precision):
            states = self._own.states(texts)
            found = self._own.encoded(states, side)
        with self._other.encoding(), autocast(self._device, precision):
            told = self._other.states(texts)
        first = int(self._own.summary is not None)
        return _Read(
            states,
            found,
            found.vectors[:, first:][told.mask],
            functional.normalize(told.hidden[told.mask], dim=1),
            functional.normalize(told.pooled, dim=1),
        )

    @property
    def _device(self) -> str:
        return self._own.projection.device.type

    def _find(self, name: str, vectors: Tensor) -> None:
        directions = self._directions[name]
        directions.copy_(principal(vectors, directions.shape[1]))

    def _beside(self, own: Tensor, foreign: Tensor, name: str) -> Tensor:
        """(t, d + e) both models' vectors side by side."""
        told = functional.normalize(foreign @ self._directions[name], dim=1)
        return torch.cat([(1 - self._share) ** 0.5 * own, self._share**0.5 * told], dim=1)

    def _joined(self, own: Tensor, foreign: Tensor, name: str, joint: str) -> Tensor:
        """(t, d) targets, of unit length; no tensor of inference alone."""
        beside = self._beside(own, foreign, name) @ self._directions[joint]
        return functional.normalize(beside, dim=1).clone()


def open_targets(
    config: LossConfig,
    start: Start,
    model: ModelConfig,
    salience: SalienceConfig,
    run: RunConfig,
    device: str,
) -> TokenTargets:
    """Return the targets that a recipe asks for, whose directions are not found yet.

    Raises:
        UsageError: the other model splits texts in another way, or cannot be trained on.
        ModelError: there is no such model, or its files are damaged.
    """
    named = ModelConfig(start=config.tokens_of, dimensions=model.dimensions, projection="random")
    other = find_start(named, run.seed)
    mine, theirs = Tokenizer.of(start.checkpoint), Tokenizer.of(other.checkpoint)
    if mine.vocabulary != theirs.vocabulary:
        raise UsageError(
            f"{config.tokens_of} splits texts into other tokens than {model.start}, so that its "
            "vectors cannot be followed; name another model in tokens_of."
        )
    return TokenTargets(
        build_model(start, model, salience, run, device),
        build_model(other, named, SalienceConfig(), run, device),
        config.tokens_share,
    )


def principal(vectors: Tensor, count: int, *, skip: int = 0, power: float = 0.0) -> Tensor:
    """Return the directions in which vectors vary most, their mean not taken away.

    Args:
        vectors: (t, d).
        count: of directions.
        skip: so many of the first are left out.
        power: of the eigenvalues, which the directions are divided by; 0 for none.

    Returns:
        (d, count) float32, the first direction of length 1; beyond the d that there are, 0.

    >>> two = torch.tensor([[3.0, 0.0], [0.0, 1.0]])
    >>> principal(two, 1).abs().tolist(), principal(two, 1, skip=1).abs().tolist()
    ([[1.0], [0.0]], [[0.0], [1.0]])
    """
    given = vectors.cpu().double()  # a Mac's graphics processor has no float64
    squares = (given.T @ given) / max(len(given), 1)
    values, directions = torch.linalg.eigh(squares)
    order = values.argsort(descending=True)[skip : skip + count]
    values = values[order].clamp(min=torch.finfo(torch.float64).tiny)
    weighed = directions[:, order] * (values / values[0]).pow(-power)
    return functional.pad(weighed, (0, count - len(order))).float()


def nearest(hidden: Tensor, targets: Tensor) -> Tensor:
    """Return the projection of (t, h) vectors that comes nearest to (t, d) targets.

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
