"""How rare each token of the vocabulary is, and what heads of salience begin with.

Rarity is what search by words weighs by, and what an untrained head of salience lacks: of nine
sets that nothing was trained on, weighing a query's tokens by it, beside their summary, gains 0.7
nDCG@10 without any training.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

from core.arrays import Floats
from core.encoders.tokens import Tokenizer
from lab.training.batches import Collator, Texts
from lab.training.config import RunConfig
from lab.training.model import LateInteractionModel, autocast
from lab.training.model_config import SalienceConfig
from lab.training.pairs import Example, Source
from lab.training.salience import Salience

_EXAMPLES = 600
"""Of each source, to count tokens in."""
_QUERIES = 2048
_PASSAGES = 512
"""To fit heads to."""
_BATCH = 64
_RIDGE = 1.0


def draw(sources: Sequence[Source], seed: int) -> list[Example]:
    """Return a few hundred examples of each source, those of different sources in turn."""
    drawn = []
    for number, source in enumerate(sources):
        generator = np.random.default_rng([seed, 8, number])
        units = generator.permutation(len(source))[:_EXAMPLES]
        drawn.append([source.example(int(unit), generator, 1) for unit in units])
    return [one for turn in itertools.zip_longest(*drawn) for one in turn if one is not None]


def rarity(texts: Iterable[Sequence[int]], vocabulary: int) -> Floats:
    """The logarithm of the number of texts to one with the token: inverse document frequency.

    Args:
        texts: ids of their tokens.
        vocabulary: v, how many tokens there are.

    Returns:
        (v,), at least 0.

    >>> [round(float(one), 2) for one in rarity([[0, 1], [0, 2, 2], [0]], 4)]
    [0.13, 0.98, 0.98, 2.08]
    """
    count = 0
    frequencies = np.zeros(vocabulary)
    for text in texts:
        count += 1
        frequencies[np.unique(np.asarray(text, dtype=np.int64))] += 1
    weights: Floats = np.log((count + 1) / (frequencies + 0.5)).clip(min=0).astype(np.float32)
    return weights


def rarity_of(examples: Iterable[Example], tokenizer: Tokenizer, vocabulary: int) -> Floats:
    """(v,) the rarity of the tokenizer's tokens in the passages of examples."""
    passages = [example.passage for example in examples]
    tokens = tokenizer.tokenize([f"{passage.context} {passage.text}" for passage in passages])
    return rarity((token.ids for token in tokens), vocabulary)


def start_heads(
    config: SalienceConfig,
    model: LateInteractionModel,
    collator: Collator,
    draw_examples: Callable[[], list[Example]],
    tokenizer: Tokenizer,
    run: RunConfig,
    device: str,
) -> None:
    """Set the heads of salience to what the configuration has them begin with.

    A linear fit (least squares with a small ridge) from the transformer's vectors: for queries to
    the rarity of their tokens, for passages to the length of their tokens' vectors, which tells
    what can be left out better than an untrained head does. Its values are 1 on average, where
    heads begin.
    """
    if not config.is_on or (config.query_start, config.passage_start) == ("even", "even"):
        return
    drawn = draw_examples()
    if config.query_start == "rarity":
        size = model.transformer.config.vocab_size
        weights = torch.from_numpy(rarity_of(drawn, tokenizer, size))
        batches = (
            collator.queries([one.query for one in drawn[first : first + _BATCH]])
            for first in range(0, min(len(drawn), _QUERIES), _BATCH)
        )
        hidden, ids = _states(model, batches, device, run.precision)
        _set(model, "query", hidden, weights[ids])
    if config.passage_start == "length":
        batches = (
            collator.passages(
                [(one.passage.context, one.passage.text) for one in drawn[first : first + _BATCH]]
            )
            for first in range(0, min(len(drawn), _PASSAGES), _BATCH)
        )
        hidden, _ = _states(model, batches, device, run.precision)
        with torch.no_grad():
            lengths = model.project(hidden.float().to(device)).norm(dim=1).cpu()
        _set(model, "passage", hidden, lengths)


def _states(
    model: LateInteractionModel, batches: Iterable[Texts], device: str, precision: str
) -> tuple[Tensor, Tensor]:
    """Return the transformer's (t, h) vectors of all texts' own tokens, and their (t,) ids."""
    hidden, ids = [], []
    for texts in batches:
        with model.encoding(), autocast(device, precision):
            states = model.states(texts.to(device))
        hidden.append(states.hidden[states.mask].cpu())
        ids.append(texts.own_ids[states.mask.cpu()])
    return torch.cat(hidden), torch.cat(ids)


def _set(model: LateInteractionModel, side: str, hidden: Tensor, wanted: Tensor) -> None:
    head = model.salience[side]
    assert isinstance(head, Salience)
    weight, bias = _fit(hidden, wanted)
    with torch.no_grad():
        head.linear.weight.copy_(weight[None])
        head.linear.bias.copy_(bias[None])


def _fit(vectors: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """(h,) weight and () bias that give the (t,) wanted, divided by their mean, of (t, h)."""
    ones = torch.ones(len(vectors), 1, dtype=torch.float64)
    inputs = torch.cat([vectors.double(), ones], dim=1)
    targets = wanted.double() / wanted.double().mean().clamp(min=1e-6)
    squares = inputs.T @ inputs + _RIDGE * torch.eye(inputs.shape[1], dtype=torch.float64)
    solution = torch.linalg.solve(squares, inputs.T @ targets).float()
    return solution[:-1], solution[-1]
