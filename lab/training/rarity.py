"""Rarity of the vocabulary's tokens, and initialisation of the salience heads.

Rarity is the weight of keyword search, and untrained salience heads lack it. On nine sets not used
in training, weighting a query's tokens by it, in addition to their summary, gains 0.7 nDCG@10
without any training.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from core.arrays import Floats
from core.encoders.tokens import Tokenizer
from lab.training.batches import Collator, Texts
from lab.training.config import RunConfig
from lab.training.model import LateInteractionModel, autocast
from lab.training.model_config import SalienceConfig
from lab.training.pairs import Example, Source
from lab.training.ridge import fit_linear
from lab.training.salience import Salience

# Examples of each source, for counting tokens.
_EXAMPLES = 600
_QUERIES = 2048
# Passages for fitting heads.
_PASSAGES = 512
# Examples for fitting the passages' head by alignments: a single query does not cover most tokens
# of a passage.
_ALIGNED = 3072
_BATCH = 64


def draw(sources: Sequence[Source], seed: int) -> list[Example]:
    """Return a few hundred examples of each source, alternating between sources."""
    drawn = []
    for number, source in enumerate(sources):
        generator = np.random.default_rng([seed, 8, number])
        units = generator.permutation(len(source))[:_EXAMPLES]
        drawn.append([source.example(int(unit), generator, 1) for unit in units])
    return [one for turn in itertools.zip_longest(*drawn) for one in turn if one is not None]


def rarity(texts: Iterable[Sequence[int]], vocabulary: int) -> Floats:
    """Return the inverse document frequency of each token.

    Args:
        texts: token ids of each text.
        vocabulary: v, the size of the vocabulary.

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
    """Return (v,) rarities of the tokens in the passages of examples."""
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
    """Initialise the salience heads as configured.

    Each head is a linear fit (least squares with a small ridge) from the transformer's vectors. The
    target for queries is the rarity of their tokens. The target for passages is the length of their
    tokens' vectors, which predicts salience better than an untrained head, how often a query's
    tokens are best aligned with them, or both, and the output of the start's own head, each with
    the same mean. The values are 1 on average, as in other initialisations.
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
    if config.passage_start == "even":
        return
    parts = config.passage_start.split("+")
    drawn = drawn[: _ALIGNED if "alignment" in parts else _PASSAGES]
    states: list[Tensor] = []
    wanted: dict[str, list[Tensor]] = {part: [] for part in parts}
    for first in range(0, len(drawn), _BATCH):
        some = drawn[first : first + _BATCH]
        passages = collator.passages([(one.passage.context, one.passage.text) for one in some])
        hidden, found = _wanted(
            model, parts, collator.queries([one.query for one in some]), passages, device, run
        )
        states.append(hidden)
        for part, values in found.items():
            wanted[part].append(values)
    whole = [torch.cat(values) for values in wanted.values()]
    means = [values.double().mean().clamp(min=1e-6) for values in whole]
    _set(
        model,
        "passage",
        torch.cat(states),
        torch.stack([values / mean for values, mean in zip(whole, means, strict=True)]).sum(dim=0),
    )


def alignment_shares(query: Tensor, weights: Tensor, passage: Tensor) -> Tensor:
    """Return the share of a query's tokens best aligned with each token of a passage.

    Args:
        query: (n, d) of unit length.
        weights: (n,), at least 0, weights of the query tokens; equal if all are 0.
        passage: (m, d) of unit length, m at least 1.

    Returns:
        (m,), 1 on average: the share times m, so that passages of any length have equal weight.

    Source: ALIGNER, eq. 1 with top-1.

    >>> query, passage = torch.eye(3)[:2], torch.eye(3)[[1, 0, 2, 2]]
    >>> alignment_shares(query, torch.tensor([3.0, 1.0]), passage).tolist()
    [1.0, 3.0, 0.0, 0.0]
    """
    weights = weights if bool(weights.any()) else torch.ones_like(weights)
    best = (query @ passage.T).argmax(dim=1)
    shares = passage.new_zeros(len(passage)).index_add(0, best, weights / weights.sum())
    return shares * len(passage)


def _wanted(
    model: LateInteractionModel,
    parts: Collection[str],
    queries: Texts,
    passages: Texts,
    device: str,
    run: RunConfig,
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the (t, h) vectors of b passages' own tokens, and the targets for the head.

    There is a (t,) target for each part: "own", the output of the passages' head; "length", that of
    the projected vectors; "alignment", the shares in each passage's query, weighted by the queries'
    head.
    """
    with model.encoding(), autocast(device, run.precision):
        found = model.states(passages.to(device))
    hidden, mask = found.hidden.cpu(), found.mask.cpu()
    with torch.no_grad():
        projected = model.project(found.hidden.float()).cpu()
    wanted = {}
    if "own" in parts:
        with torch.no_grad():
            _, _, predicted = model.salience["passage"](found.hidden.float(), found.mask)
        wanted["own"] = predicted.cpu()[mask]
    if "length" in parts:
        wanted["length"] = projected.norm(dim=2)[mask]
    if "alignment" in parts:
        with model.encoding(), autocast(device, run.precision):
            query_states = model.states(queries.to(device))
        with torch.no_grad():
            _, _, saliences = model.salience["query"](
                query_states.hidden.float(), query_states.mask
            )
            query_vectors = functional.normalize(
                model.project(query_states.hidden.float()), dim=2
            ).cpu()
        saliences, own = saliences.cpu(), query_states.mask.cpu()
        units = functional.normalize(projected, dim=2)
        wanted["alignment"] = torch.cat(
            [
                alignment_shares(
                    query_vectors[row][own[row]], saliences[row][own[row]], units[row][positions]
                )
                for row, positions in enumerate(mask)
                if bool(positions.any())
            ]
        )
    return hidden[mask], wanted


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
    targets = wanted.double() / wanted.double().mean().clamp(min=1e-6)
    weights, bias = fit_linear(hidden.double().numpy(), targets.numpy())
    with torch.no_grad():
        head.linear.weight.copy_(torch.from_numpy(weights)[None])
        head.linear.bias.fill_(bias)
