"""What a training run is to do, read from a TOML file; nothing is opened but that file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.alignment.pairwise import AlignmentStrategy
from core.errors import UsageError
from core.index.codec import BITS, UNCOMPRESSED
from lab.training.alignments import Strategy, parse_strategy
from lab.training.model_config import ModelConfig, SalienceConfig
from lab.training.sections import above, at_least, at_most, between, one_of, read_section


class DataKind(StrEnum):
    """What the queries of a source are, and which passage answers them."""

    PAIRS = "pairs"
    """The judged queries of a data set's split `train`."""
    TITLES = "titles"
    """A document's title, for a passage of it."""
    HEADINGS = "headings"
    """The heading a passage stands under."""
    SENTENCES = "sentences"
    """A sentence of a passage, which is taken out of it."""
    KEYWORDS = "keywords"
    """A few rare words of a title and a passage, as people type them into a search box."""
    CODE = "code"
    """What a docstring says or a name is made of, for the code of a function."""


@dataclass(frozen=True, slots=True)
class DataConfig:
    """One source of examples.

    Attributes:
        folder: a data set in BEIR's layout; for "code" a tree of Python files, the running
            Python's standard library if left out; for generated queries also any folder of
            documents.
        kind: what the queries are.
        weight: how often it is drawn from, relative to the other sources.
        limit: the most queries (of pairs) or documents taken, drawn at random; 0 for all.
        keep: how often what the query was taken from stays in the passage: the title, the
            heading, the sentence, the docstring; left out for 0.5, 0.5, 0.1 and 0.1.
        negatives: a file that `winnow mine` wrote for this source, below the run's folder:
            negatives/NAME-pairs.jsonl.
        hardest: the share of the queries that is taken where negatives were mined: those whose
            negatives score nearest to, or above, their positive.
        licence: of the data, to be kept with the model.
    """

    folder: str = ""
    kind: str = DataKind.PAIRS
    weight: float = 1.0
    limit: int = 0
    keep: float | None = None
    negatives: str = ""
    hardest: float = 1.0
    licence: str = ""

    def __post_init__(self) -> None:
        one_of(self, list(DataKind), "kind")
        above(self, 0, "weight")
        at_least(self, 0, "limit")
        if self.keep is not None:
            between(self, 0, 1, "keep")
        if not self.folder and self.kind != DataKind.CODE:
            raise ValueError("there is no folder")
        if self.negatives and self.kind != DataKind.PAIRS:
            raise ValueError(f"negatives go with the kind pairs, not with {self.kind}")
        above(self, 0, "hardest")
        at_most(self, 1, "hardest")
        if self.hardest < 1 and not self.negatives:
            raise ValueError("hardest is below 1 and there are no negatives to tell it by")

    @property
    def name(self) -> str:
        """What the source is called in logs and files."""
        return f"{Path(self.folder).name or 'python'}-{self.kind}"


@dataclass(frozen=True, slots=True)
class LossConfig:
    """What is minimised.

    Attributes:
        kind: "colbert" for means of maxima, "xtr" for scores from retrieved tokens alone.
        alignment: of query tokens with passage tokens, for "colbert": "topk:1" for maxima,
            "topk:K" for the best K, "topp:P" for that share of a passage's tokens, or
            "differentiable:K" for a soft choice of K, with its epsilon behind it if another than
            0.01 is wanted: "differentiable:1:0.05".
        k_train: how many tokens of the batch each query token retrieves, for "xtr".
        scale: what scores, means of cosines, are multiplied with before a softmax; the inverse of
            a temperature.
        cross_entropy: weight of telling the positive from the batch's other passages.
        distillation: weight of following the teacher.
        teacher: "mined" for scores in the negatives' file, "ensemble" for the untrained model
            together with words, or the folder of a cross-encoder.
        voice: the folder of another late-interaction model that has a say beside the teacher, which
            is asked for each batch; "" for none.
        voice_weight: what its scores, means of cosines, are multiplied with before they are added.
        teacher_scale: what the teacher's scores are multiplied with before a softmax.
        distil_batch: whether the teacher judges all passages of the batch for each query, and not
            only the query's own; cheap with "ensemble", dear with a cross-encoder.
        tokens: weight of following another model's vectors, token by token; with it alone neither
            cross-entropy nor distillation is needed.
        tokens_of: the folder of that model, one that splits texts into the same tokens.
        tokens_scores: weight of following the scores that the vectors which are followed give all
            passages of the batch, beside the vectors.
        tokens_share: of it in what is followed, the rest is of the start's own vectors; below 1.
        compression: weight of the scores of compressed passages' following the scores of all their
            vectors as they are, as a search of an index wants it; 0 for none.
        compression_kind: "kl" for the divergence of the two softmaxes over the batch's passages,
            "margin-mse" for the squared difference of the margins to the positive.
        compressed_steps: the share of the steps that compress, drawn.
        pooled_least: the least share of a passage's vectors that pooling leaves; it is drawn for
            each step, and weighted by salience where the model has any.
        pooled_most: the largest; with both 1 nothing is pooled.
        compressed_bits: a dimension of the codes of what is left, 32 for none.
        compressed_centroids: how many the codebook has at most, which is learned at the start and
            follows the vectors.

    Source: ALIGNER, section 3.1, figure 4, and appendix A.2, for the alignment; Hofstätter et al.,
    "Improving Efficient Neural Ranking Models with Cross-Architecture Knowledge Distillation",
    2020, section 3, for the margins.
    """

    kind: str = "colbert"
    alignment: str = "topk:1"
    k_train: int = 256
    scale: float = 30.0
    cross_entropy: float = 1.0
    distillation: float = 0.0
    teacher: str = "mined"
    voice: str = ""
    voice_weight: float = 1.0
    teacher_scale: float = 1.0
    distil_batch: bool = False
    tokens: float = 0.0
    tokens_of: str = ""
    tokens_scores: float = 0.0
    tokens_share: float = 0.5
    compression: float = 0.0
    compression_kind: str = "kl"
    compressed_steps: float = 1.0
    pooled_least: float = 0.1
    pooled_most: float = 0.5
    compressed_bits: int = UNCOMPRESSED
    compressed_centroids: int = 1024

    def __post_init__(self) -> None:
        one_of(self, ["colbert", "xtr"], "kind")
        if parse_strategy(self.alignment) != AlignmentStrategy() and self.kind == "xtr":
            raise ValueError(f"alignment is {self.alignment!r}; the kind xtr has topk:1 alone")
        at_least(self, 1, "k_train")
        above(self, 0, "scale", "teacher_scale", "voice_weight")
        at_least(self, 0, "cross_entropy", "distillation", "tokens", "tokens_scores")
        if not self.cross_entropy and not self.distillation and not self.tokens:
            raise ValueError("cross_entropy, distillation and tokens are all 0")
        if self.tokens_scores and not self.tokens:
            raise ValueError("tokens_scores is above 0 and tokens is 0")
        if self.tokens and not self.tokens_of:
            raise ValueError("tokens needs the folder of a model in tokens_of")
        above(self, 0, "tokens_share")
        at_most(self, 0.99, "tokens_share")
        if self.voice and self.teacher == "mined":
            raise ValueError("a voice needs a teacher beside it that is asked, not mined scores")
        if self.distil_batch and self.teacher == "mined":
            raise ValueError("distil_batch needs a teacher that is asked, not mined scores")
        at_least(self, 0, "compression")
        one_of(self, ["kl", "margin-mse"], "compression_kind")
        above(self, 0, "compressed_steps", "pooled_least")
        at_most(self, 1, "compressed_steps", "pooled_most")
        at_most(self, self.pooled_most, "pooled_least")
        between(self, 1, 65536, "compressed_centroids")
        if self.compressed_bits not in (*BITS, UNCOMPRESSED):
            raise ValueError(f"{self.compressed_bits} bits; there are {BITS} and {UNCOMPRESSED}")
        if self.compression and self.pooled_least == 1 and self.compressed_bits == UNCOMPRESSED:
            raise ValueError(
                "compression is above 0 and nothing is compressed; set pooled_least or "
                "compressed_bits"
            )

    @property
    def strategy(self) -> Strategy:
        """The alignment."""
        return parse_strategy(self.alignment)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """How long, how fast, and where.

    Attributes:
        output: the folder of the run; checkpoints, log, curves and the model go there.
        steps: of the optimiser.
        minutes: in place of steps, for machines whose speed is not known: how long the run is to
            last, over all the calls that it takes. The learning rate then follows the share of the
            time that is spent, and no two runs are alike. 0 for as many steps as there are.
        repeat_after: after so many steps the same batches come again, in the same order, so that
            a packed run needs no more examples; 0 for never.
        batch: queries a step.
        ways: passages a query brings, its positive and mined or random negatives, w of ColBERTv2.
        query_tokens: a query is cut here.
        passage_tokens: a passage with its context is cut here.
        learning_rate: of the transformer.
        head_learning_rate: of projection and salience.
        schedule: "linear" or "cosine", down to 0 after the warm-up.
        warm_up: share of the steps in which the learning rate rises from 0.
        weight_decay: not on biases and norms.
        clip: the largest norm of the gradient.
        frozen: "none", "embeddings", or "encoder" (all of the transformer).
        mixed: whether sources are mixed within a batch; else a batch has one, which makes its
            in-batch negatives harder.
        alike: so many batches of a source are drawn at once and divided so that each has passages
            that are alike, which makes its negatives harder still; a power of two, 1 for none.
        seed: of all that is drawn.
        precision: "auto", "bf16" or "float32".
        device: "auto", "cpu", "cuda" or "mps".
        threads: of the processor; 0 for all.
        log_every: steps between two lines of the log.
        checkpoint_every: steps between two checkpoints.
        evaluate_every: steps between two measurements on the dev sets; 0 for none.
        keep: which weights become the model: "last", or "best" on the dev sets.
        small_checkpoints: whether checkpoints are written in a form that is small enough to be
            carried to another machine, a thirtieth of the whole one, from which a run goes on
            nearly as from the whole, but not bit for bit.
        average: how much of a moving average of the weights stays at each step, 0.999 say; the
            average is then what the dev sets measure and what becomes the model. 0 for none.
        start_share: how much of the start's transformer the model has that is measured and
            written; the rest is the run's. Training itself goes on without. 0 for none.
    """

    output: str = ""
    steps: int = 1000
    minutes: float = 0.0
    repeat_after: int = 0
    batch: int = 32
    ways: int = 1
    query_tokens: int = 32
    passage_tokens: int = 180
    learning_rate: float = 2e-5
    head_learning_rate: float = 1e-3
    schedule: str = "linear"
    warm_up: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    frozen: str = "none"
    mixed: bool = False
    alike: int = 1
    seed: int = 7
    precision: str = "auto"
    device: str = "auto"
    threads: int = 0
    log_every: int = 10
    checkpoint_every: int = 200
    evaluate_every: int = 200
    keep: str = "last"
    small_checkpoints: bool = False
    average: float = 0.0
    start_share: float = 0.0

    def __post_init__(self) -> None:
        at_least(self, 1, "steps", "ways", "query_tokens", "passage_tokens", "log_every")
        at_least(self, 2, "batch")
        if self.alike < 1 or self.alike & (self.alike - 1):
            raise ValueError(f"alike is {self.alike}; it must be a power of two")
        if self.alike > 1 and self.mixed:
            raise ValueError("alike needs batches of one source; set mixed to false")
        at_least(self, 1, "checkpoint_every")
        at_least(self, 0, "learning_rate", "head_learning_rate", "weight_decay", "seed")
        at_least(self, 0, "threads", "evaluate_every", "minutes", "repeat_after")
        at_most(self, 510, "query_tokens", "passage_tokens")
        above(self, 0, "clip")
        between(self, 0, 0.9, "warm_up")
        between(self, 0, 0.99999, "average")
        between(self, 0, 1, "start_share")
        one_of(self, ["linear", "cosine"], "schedule")
        one_of(self, ["none", "embeddings", "encoder"], "frozen")
        one_of(self, ["auto", "bf16", "float32"], "precision")
        one_of(self, ["auto", "cpu", "cuda", "mps"], "device")
        one_of(self, ["last", "best"], "keep")


@dataclass(frozen=True, slots=True)
class DevConfig:
    """A set that the model is measured on while it is trained.

    Attributes:
        folder: a data set in BEIR's layout.
        split: whose queries are asked.
        queries: how many, drawn at random.
        documents: how many are searched: the queries' relevant ones and others, drawn at random.
    """

    folder: str = ""
    split: str = "test"
    queries: int = 100
    documents: int = 1000

    def __post_init__(self) -> None:
        if not self.folder:
            raise ValueError("there is no folder")
        at_least(self, 1, "queries", "documents")


@dataclass(frozen=True, slots=True)
class MiningConfig:
    """How negatives are mined.

    Attributes:
        queries: the most of each source, drawn at random; 0 for all.
        depth: how many passages are kept a query.
        skip: how many of the first, which often answer the query though nobody judged them, are
            left out.
        teacher: "none", "ensemble", or the folder of a cross-encoder, whose scores are written.
    """

    queries: int = 0
    depth: int = 30
    skip: int = 0
    teacher: str = "none"

    def __post_init__(self) -> None:
        at_least(self, 0, "queries", "skip")
        at_least(self, 1, "depth")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """All of it, one attribute a section."""

    model: ModelConfig = field(default_factory=ModelConfig)
    salience: SalienceConfig = field(default_factory=SalienceConfig)
    loss: LossConfig = LossConfig()
    run: RunConfig = RunConfig()
    mining: MiningConfig = MiningConfig()
    data: tuple[DataConfig, ...] = field(default=())
    dev: tuple[DevConfig, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """As plain values, to be kept with a run."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


def read_config(path: Path) -> TrainingConfig:
    """Read and check a configuration.

    Raises:
        UsageError: the file cannot be read, is not TOML, or holds what is not known or not
            possible; names file, section and key.
    """
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not TOML: {error}.") from error
    config = config_from(entries, str(path))
    if {"steps", "minutes"} <= entries.get("run", {}).keys():
        raise UsageError(
            f"{path}, [run]: minutes stand in the place of steps; name one of the two."
        )
    return config


def config_from(entries: Mapping[str, Any], path: str) -> TrainingConfig:
    """Return a configuration of its sections, as TOML has them or `TrainingConfig.as_json` gives.

    Args:
        entries: the sections by name.
        path: what they are from, for errors.

    Raises:
        UsageError: they hold what is not known or not possible; names section and key.
    """
    sections: dict[str, Any] = {}
    for name, value in entries.items():
        section = _SECTIONS.get(name)
        if section is None:
            known = ", ".join(_SECTIONS)
            raise UsageError(f"{path}: there is no section [{name}]; there are {known}.")
        if name in _LISTS:
            if not isinstance(value, list):
                raise UsageError(f"{path}: {name} has to be written as [[{name}]].")
            sections[name] = tuple(
                read_section(section, entry, f"{path}, [[{name}]] number {number}")
                for number, entry in enumerate(value, 1)
            )
        else:
            sections[name] = read_section(section, value, f"{path}, [{name}]")
    if not sections.get("data"):
        raise UsageError(f"{path} names no data; it needs at least one section [[data]].")
    names = [one.name for one in sections["data"]]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{path}: the data {name} occurs twice; use its weight.")
    return TrainingConfig(**sections)


_SECTIONS: dict[str, type] = {
    "model": ModelConfig,
    "salience": SalienceConfig,
    "loss": LossConfig,
    "run": RunConfig,
    "mining": MiningConfig,
    "data": DataConfig,
    "dev": DevConfig,
}
_LISTS = {"data", "dev"}
