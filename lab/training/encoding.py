"""Encode many texts with the model in training, and score them exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from core.alignment.pooling import offsets_of
from core.alignment.reduction import TokenReduction
from core.arrays import Floats
from core.encoders import encoder
from core.encoders.encoder import BATCH_TOKENS, batches
from core.index.codebook import learn_own
from core.index.codec import ResidualCodec
from core.index.reduction import reduce_passages
from lab.training.batches import Collator, Texts
from lab.training.model import Encoded, LateInteractionModel, autocast


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """The token vectors of many texts, concatenated.

    Attributes:
        vectors: (t, d) float16, of unit length.
        salience: (t,) float32, the tokens' weights; None for equal weights.
        starts: (b + 1,) int64, the start of each text's tokens, and the end.
        has_summaries: whether the first vector of each text is its summary.
        ungated: (t,) float32, the saliences without their gate, as in a saved model; None if the
            model has none.
    """

    vectors: npt.NDArray[np.float16]
    salience: Floats | None
    starts: npt.NDArray[np.int64]
    has_summaries: bool = False
    ungated: Floats | None = None

    def text(self, index: int) -> Floats:
        """Return (m, d) vectors of one text."""
        one: Floats = self.vectors[self.starts[index] : self.starts[index + 1]].astype(np.float32)
        return one

    def weights(self, index: int) -> Floats | None:
        """Return (m,) weights of one text's tokens; None for equal weights."""
        if self.salience is None:
            return None
        one: Floats = self.salience[self.starts[index] : self.starts[index + 1]]
        return one if one.any() else None


class TextEncoder:
    """Encodes with a model in the run's precision and restores the model's mode."""

    def __init__(
        self, model: LateInteractionModel, collator: Collator, device: str, precision: str
    ) -> None:
        self._model = model
        self._collator = collator
        self._device = device
        self._precision = precision

    def queries(self, texts: Sequence[str]) -> TokenVectors:
        lengths = [len(text) for text in texts]
        return self._encode(
            lengths,
            lambda rows: self._collator.queries([texts[row] for row in rows]),
            self._model.encode_queries,
        )

    def passages(
        self,
        passages: Sequence[tuple[str, str]],
        on_batch: Callable[[int], None] | None = None,
    ) -> TokenVectors:
        """Return the tokens of passages, given as context and text.

        Args:
            passages: at least one passage.
            on_batch: called after each batch with the number of passages done; may raise to stop.
        """
        lengths = [len(context) + len(text) for context, text in passages]
        return self._encode(
            lengths,
            lambda rows: self._collator.passages([passages[row] for row in rows]),
            self._model.encode_passages,
            on_batch,
        )

    def _encode(
        self,
        lengths: Sequence[int],
        frame: Callable[[Sequence[int]], Texts],
        encode: Callable[[Texts], Encoded],
        on_batch: Callable[[int], None] | None = None,
    ) -> TokenVectors:
        """Encode texts, batched by `lengths` in characters, of which a token has about four."""
        vectors: list[npt.NDArray[np.float16]] = [np.zeros((0, 0), np.float16)] * len(lengths)
        saliences: list[Floats] = [np.zeros(0, np.float32)] * len(lengths)
        ungated = saliences.copy()
        done = 0
        has_salience = False
        sizes = [min(length // 4, 180) + 3 for length in lengths]
        with self._model.encoding(), autocast(self._device, self._precision):
            for rows in batches(sizes, BATCH_TOKENS):
                encoded = encode(frame(rows).to(self._device))
                halves = encoded.vectors.half().cpu().numpy()
                counts = encoded.mask.sum(dim=1).tolist()
                for place, row in enumerate(rows):
                    vectors[row] = halves[place, : counts[place]].copy()
                if encoded.salience is not None:
                    has_salience = True
                    values = encoded.salience.float().cpu().numpy()
                    for place, row in enumerate(rows):
                        saliences[row] = values[place, : counts[place]].copy()
                if encoded.ungated is not None:
                    values = encoded.ungated.float().cpu().numpy()
                    for place, row in enumerate(rows):
                        ungated[row] = values[place, : counts[place]].copy()
                done += len(rows)
                if on_batch is not None:
                    on_batch(done)
        starts = np.cumsum([0, *(len(vector) for vector in vectors)])
        return TokenVectors(
            np.concatenate(vectors),
            np.concatenate(saliences) if has_salience else None,
            starts,
            self._model.summary_weight > 0,
            np.concatenate(ungated) if any(map(len, ungated)) else None,
        )


def maxima(
    query: Floats,
    passages: TokenVectors,
    token_mask: npt.NDArray[np.bool_] | None,
    weights: Floats | None = None,
) -> Floats:
    """Return (b,) means over the query's tokens of their maximum similarity in each text.

    Args:
        query: (n, d).
        passages: b texts.
        token_mask: (t,) the tokens that count; None for all. A text without any has a score of -1.
        weights: (n,) weights of the query tokens, some above 0; None for equal weights.
    """
    if len(query) == 0:
        return np.zeros(len(passages.starts) - 1, np.float32)
    similarity = query @ passages.vectors.astype(np.float32).T
    if token_mask is not None:
        similarity[:, ~token_mask] = -1
    scores = np.full(len(passages.starts) - 1, -1, np.float32)
    filled = np.diff(passages.starts) > 0
    best = np.maximum.reduceat(similarity, passages.starts[:-1][filled], axis=1)
    scores[filled] = np.average(best, axis=0, weights=weights)
    return scores


def most_salient(passages: TokenVectors, share: float) -> npt.NDArray[np.bool_]:
    """Return (t,) whether each token is among the ceil(share m) most salient of its text's m.

    Summaries are always included.
    """
    assert passages.salience is not None
    is_salient = np.zeros(len(passages.salience), dtype=np.bool_)
    for start, end in zip(passages.starts[:-1], passages.starts[1:], strict=True):
        count = int(np.ceil((end - start) * share - 1e-9))
        order = np.argsort(-passages.salience[start:end], kind="stable")
        is_salient[start + order[:count]] = True
    if passages.has_summaries:
        is_salient[passages.starts[:-1][np.diff(passages.starts) > 0]] = True
    return is_salient


def normalise_typed(passages: TokenVectors, keeping: TokenReduction, bits: int) -> TokenVectors:
    """Return passages as stored in an index and decoded; the codebook is learned from them all.

    Args:
        passages: with ungated saliences if `keeping` needs them.
        keeping: the token reduction.
        bits: bits per dimension of the codes; the number of dimensions must be a multiple of 8.

    Raises:
        ValueError: saliences are needed and missing.
    """
    texts = [
        encoder.TokenVectors(
            passages.text(number),
            None if passages.ungated is None else passages.ungated[start:end],
        )
        for number, (start, end) in enumerate(pairwise(passages.starts))
    ]
    reduced = reduce_passages(texts, keeping, has_summary=passages.has_summaries)
    arrays, _ = learn_own(passages.vectors.astype(np.float32))
    codec = ResidualCodec.plain(
        arrays["centroids"].astype(np.float32), arrays[f"cutoffs.{bits}"], arrays[f"weights.{bits}"]
    )
    vectors = codec.decode(codec.encode(np.concatenate([one.vectors for one in reduced])))
    return TokenVectors(
        vectors.astype(np.float16),
        None,
        offsets_of([len(one) for one in reduced]),
        passages.has_summaries,
    )
