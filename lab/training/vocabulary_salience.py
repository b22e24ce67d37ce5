"""Salience heads for a transformer that stays frozen, from the frequencies of its vocabulary.

The pieces of a unigram vocabulary have the logarithm of their frequency in the text from which the
vocabulary was learned, in all languages of the model. The heads predict from a token's vector how
rare its piece is, so that function words count little in any language, and their sense in context
decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import Floats, Numbers
from core.encoders.encoder import Encoder, TextTokens
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.packed_weights import read_packed
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from lab.training.codebook import sample_passages
from lab.training.corpus import read_corpus
from lab.training.ridge import fit_linear
from lab.training.start import bare

# Of ten texts, the one on which the fit is measured.
_HELD_OUT: Final = 10


@dataclass(frozen=True, slots=True)
class SalienceRecipe:
    """Parameters of the fit.

    Attributes:
        common: negative logarithm of a piece's frequency up to which its salience is 0.
        passages: maximum number encoded, taken evenly from the folders.
        seed: for all random choices.
    """

    common: float = 8.0
    passages: int = 4000
    seed: int = 7


def fit_salience(
    checkpoint: Checkpoint, folders: Sequence[Path], recipe: SalienceRecipe
) -> dict[str, float]:
    """Fit both salience heads and write them to the model's heads.

    Args:
        checkpoint: a model with packed weights and a unigram vocabulary.
        folders: data sets, or documents of any kind.
        recipe: the parameters.

    Returns:
        Entries of the model card: number of `passages` and `tokens`, and `r2`, the share of the
        variance of the target that the heads explain in held-out texts.

    Raises:
        UsageError: the model's vocabulary has no frequencies, or the folders hold no text.
    """
    from safetensors.numpy import load_file, save_file

    if not checkpoint.packed:
        raise UsageError(
            f"The vocabulary of {checkpoint.name} has no frequencies; salience can be fitted only "
            "for a model with packed weights."
        )
    scores = np.array([score for _, score in read_packed(checkpoint.weights).pieces])
    tokenizer = Tokenizer.of(checkpoint)
    corpora = [read_corpus(folder, tokenizer.count).documents for folder in folders]
    passages = list(sample_passages(tokenizer, corpora, recipe.passages, recipe.seed))
    if not passages:
        raise UsageError("The folders hold no text to fit salience to.")
    frozen = bare(checkpoint)
    encoder = Encoder(frozen, tokenizer, open_runtime(frozen))
    generator = np.random.default_rng(recipe.seed)
    texts = [
        *encoder.passage_tokens(passages),
        *(encoder.query_tokens(_line(text, generator)) for _, text in passages),
    ]
    vectors, ids, numbers = _token_vectors(encoder, texts)
    target = rarity_of_pieces(scores[ids], recipe.common)
    is_held_out = numbers % _HELD_OUT == 0
    weights, bias = fit_linear(vectors[~is_held_out], target[~is_held_out])
    predicted = vectors[is_held_out] @ weights + bias
    error = float(np.square(predicted - target[is_held_out]).sum())
    spread = float(np.square(target[is_held_out] - target[is_held_out].mean()).sum())
    heads = checkpoint.resources / "heads.safetensors"
    arrays = load_file(heads)
    for side in ("query", "passage"):
        arrays[f"{side}_salience.weight"] = weights
        arrays[f"{side}_salience.bias"] = np.array([bias], dtype=np.float32)
    save_file(arrays, heads)
    r2 = 1 - error / spread if spread else 0.0
    return {"passages": len(passages), "tokens": len(ids), "r2": round(r2, 3)}


def rarity_of_pieces(scores: Floats, common: float) -> Floats:
    """Return the salience that the heads should predict, from logarithms of frequencies.

    >>> rarity_of_pieces(np.array([-5.0, -8.5, -14.0], dtype=np.float32), 8.0).tolist()
    [0.0, 0.5, 6.0]
    """
    rarity: Floats = np.maximum(-scores - common, 0).astype(np.float32)
    return rarity


def _line(text: str, generator: np.random.Generator) -> str:
    """Return a line of a text, used as a query."""
    lines = [line for line in text.splitlines() if line.strip()] or [text]
    return lines[int(generator.integers(len(lines)))]


def _token_vectors(
    encoder: Encoder, texts: Sequence[TextTokens]
) -> tuple[Floats, Numbers, Numbers]:
    """Return the transformer's (t, h) vectors of all tokens, their ids and their texts' numbers."""
    vectors, ids, numbers = [], [], []
    for rows, outputs in encoder.project(texts):
        for place, row in enumerate(rows):
            vectors.append(outputs[place, list(texts[row].positions)])
            ids.append(np.array(texts[row].ids, dtype=np.int64))
            numbers.append(np.full(len(texts[row]), row))
    return (
        np.concatenate(vectors).astype(np.float32),
        np.concatenate(ids),
        np.concatenate(numbers),
    )
