"""The configuration of a training run, read from a TOML file. Opens no other file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.alignment.pairwise import AlignmentStrategy
from core.errors import UsageError
from core.index.codec import UNCOMPRESSED
from core.index.quantisation import BITS
from lab.training.alignments import Strategy, parse_strategy
from lab.training.model_config import ModelConfig, SalienceConfig
from lab.training.sections import above, at_least, at_most, between, one_of, read_section


class DataKind(StrEnum):
    """The kind of a source's queries, which determines the passage that answers them."""

    PAIRS = "pairs"
    """The judged queries of a data set's split `train`."""
    TITLES = "titles"
    """A document's title, for a passage of it."""
    HEADINGS = "headings"
    """The heading of a section, for a passage in it."""
    SENTENCES = "sentences"
    """A sentence of a passage, which is removed from the passage."""
    KEYWORDS = "keywords"
    """A few rare words of a title and a passage, like those typed into a search box."""
    CODE = "code"
    """A sentence of a docstring or the words of a name, for the code of a function."""


@dataclass(frozen=True, slots=True)
class DataConfig:
    """One source of examples.

    Attributes:
        folder: a data set in BEIR's layout; for "code" a tree of Python files, the running
            Python's standard library if left out; for generated queries also any folder of
            documents.
        kind: the kind of the queries.
        weight: sampling weight relative to the other sources.
        limit: maximum number of queries (of pairs) or documents, drawn at random; 0 for all.
        keep: probability that the query's origin stays in the passage: the title, heading, sentence
            or docstring; if left out 0.5, 0.5, 0.1 and 0.1.
        negatives: a file written by `winnow mine` for this source, below the run's folder:
            negatives/NAME-pairs.jsonl.
        hardest: with mined negatives, the share of the queries used: those whose negatives score
            nearest to, or above, their positive.
        licence: licence of the data, recorded in the model.
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
            raise ValueError("folder is missing")
        if self.negatives and self.kind != DataKind.PAIRS:
            raise ValueError(f"negatives need the kind pairs, not {self.kind}")
        above(self, 0, "hardest")
        at_most(self, 1, "hardest")
        if self.hardest < 1 and not self.negatives:
            raise ValueError("hardest is below 1; it needs negatives")

    @property
    def name(self) -> str:
        """The name of the source in logs and files."""
        return f"{Path(self.folder).name or 'python'}-{self.kind}"


@dataclass(frozen=True, slots=True)
class LossConfig:
    """The loss to minimise.

    Attributes:
        kind: "colbert" for means of maxima, "xtr" for scores from retrieved tokens only.
        alignment: of query tokens with passage tokens, for "colbert": "topk:1" for maxima, "topk:K"
            for the best K, "topp:P" for that share of a passage's tokens, or "differentiable:K" for
            a soft choice of K, followed by its epsilon if not 0.01: "differentiable:1:0.05".
        k_train: number of tokens of the batch that each query token retrieves, for "xtr".
        scale: factor of scores (means of cosines) before a softmax; an inverse temperature.
        cross_entropy: weight of cross-entropy over the batch's passages.
        distillation: weight of distillation from the teacher.
        teacher: "mined" for scores in the negatives' file, "ensemble" for the untrained model
            combined with BM25, or the folder of a cross-encoder.
        sentence_teacher: the folder of a sentence encoder, such as all-mpnet-base-v2, whose vectors
            the ensemble uses in place of the untrained model's pooled ones; "" for none.
        second_teacher: the folder of a late-interaction model whose scores are added to the
            teacher's; "" for none.
        second_teacher_weight: factor of its scores (means of cosines) in the sum.
        teacher_scale: factor of the teacher's scores before a softmax.
        distil_batch: whether the teacher scores all passages of the batch for each query, and not
            only the query's own; cheap with "ensemble", expensive with a cross-encoder.
        tokens: weight of the distance from another model's token vectors; makes cross-entropy and
            distillation optional.
        tokens_of: the folder of that model, which must tokenise alike.
        tokens_scores: weight of the distance from the scores that those vectors give all passages
            of the batch.
        tokens_share: weight of that model in the targets, below 1; the start's own vectors have the
            rest.
        compression: weight of the divergence of compressed passages' scores from uncompressed ones,
            which improves search of an index; 0 for none.
        compression_kind: "kl" for the divergence of the two softmaxes over the batch's passages,
            "margin-mse" for the squared difference of the margins to the positive.
        compressed_steps: the share of the steps that compress, drawn at random.
        pooled_least: smallest share of a passage's vectors left by pooling, which is weighted by
            salience if the model has it. The share is drawn for each step.
        pooled_most: largest share; with both 1 nothing is pooled.
        compressed_bits: bits per dimension of the codes; 32 for none.
        compressed_centroids: maximum size of the codebook, which is learned at the start and then
            tracks the vectors.

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
    sentence_teacher: str = ""
    second_teacher: str = ""
    second_teacher_weight: float = 1.0
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
            raise ValueError(f"alignment is {self.alignment!r}; the kind xtr supports only topk:1")
        at_least(self, 1, "k_train")
        above(self, 0, "scale", "teacher_scale", "second_teacher_weight")
        at_least(self, 0, "cross_entropy", "distillation", "tokens", "tokens_scores")
        if not self.cross_entropy and not self.distillation and not self.tokens:
            raise ValueError("cross_entropy, distillation and tokens are all 0")
        if self.tokens_scores and not self.tokens:
            raise ValueError("tokens_scores is above 0 and tokens is 0")
        if self.tokens and not self.tokens_of:
            raise ValueError("tokens needs the folder of a model in tokens_of")
        above(self, 0, "tokens_share")
        at_most(self, 0.99, "tokens_share")
        if self.sentence_teacher and self.teacher != "ensemble":
            raise ValueError("sentence_teacher needs the teacher 'ensemble'")
        if self.second_teacher and self.teacher == "mined":
            raise ValueError("second_teacher cannot be combined with the teacher 'mined'")
        if self.distil_batch and self.teacher == "mined":
            raise ValueError("distil_batch cannot be combined with the teacher 'mined'")
        at_least(self, 0, "compression")
        one_of(self, ["kl", "margin-mse"], "compression_kind")
        above(self, 0, "compressed_steps", "pooled_least")
        at_most(self, 1, "compressed_steps", "pooled_most")
        at_most(self, self.pooled_most, "pooled_least")
        between(self, 1, 65536, "compressed_centroids")
        if self.compressed_bits not in (*BITS, UNCOMPRESSED):
            raise ValueError(
                f"compressed_bits is {self.compressed_bits}; use one of {BITS} or {UNCOMPRESSED}"
            )
        if self.compression and self.pooled_least == 1 and self.compressed_bits == UNCOMPRESSED:
            raise ValueError(
                "compression is above 0 and nothing is compressed; set pooled_least or "
                "compressed_bits"
            )

    @property
    def strategy(self) -> Strategy:
        """The parsed alignment."""
        return parse_strategy(self.alignment)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Length, speed, hardware and output of a run.

    Attributes:
        output: the folder of the run, for checkpoints, log, curves and the model.
        steps: number of optimiser steps.
        minutes: total duration of the run over all its calls, instead of a number of steps. The
            learning rate then follows the elapsed time, so runs are not reproducible. 0 to use
            `steps`.
        repeat_after: number of steps after which batches repeat in the same order, which limits the
            texts that a sentence teacher encodes; 0 for never.
        batch: queries per step.
        ways: passages per query: its positive and mined or random negatives, w in ColBERTv2.
        query_tokens: maximum length of a query.
        passage_tokens: maximum length of a passage with its context.
        learning_rate: peak rate of the transformer.
        head_learning_rate: peak rate of projection and salience.
        schedule: "linear" or "cosine", decay to 0 after the warm-up.
        warm_up: share of the steps in which the learning rate rises from 0.
        weight_decay: AdamW's decay; not applied to biases and norms.
        clip: maximum norm of the gradient.
        frozen: "none", "embeddings", or "encoder" (all of the transformer).
        mixed: whether a batch mixes sources; otherwise it has one, which makes in-batch negatives
            harder.
        regrouped_batches: number of batches of a source that are drawn at once and regrouped by
            similarity, which makes negatives harder still; a power of two, 1 for none.
        seed: for all random choices.
        precision: "auto", "bf16" or "float32".
        device: "auto", "cpu", "cuda" or "mps".
        threads: CPU threads; 0 for all.
        log_every: steps between log lines.
        checkpoint_every: steps between checkpoints.
        evaluate_every: steps between measurements on the dev sets; 0 for none.
        keep: which weights become the model: "last", or "best" on the dev sets.
        half_checkpoints: whether checkpoints have weights in half precision and nothing of the
            optimiser, a sixth of the full size. Resuming from one warms the learning rates up
            again.
        average: decay of a moving average of the weights, such as 0.999. The average is measured on
            the dev sets and becomes the model. 0 for none.
        start_share: weight of the start's transformer in the measured and saved model; training
            itself is unaffected. 0 for none.
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
    regrouped_batches: int = 1
    seed: int = 7
    precision: str = "auto"
    device: str = "auto"
    threads: int = 0
    log_every: int = 10
    checkpoint_every: int = 200
    evaluate_every: int = 200
    keep: str = "last"
    half_checkpoints: bool = False
    average: float = 0.0
    start_share: float = 0.0

    def __post_init__(self) -> None:
        at_least(self, 1, "steps", "ways", "query_tokens", "passage_tokens", "log_every")
        at_least(self, 2, "batch")
        if self.regrouped_batches < 1 or self.regrouped_batches & (self.regrouped_batches - 1):
            raise ValueError(
                f"regrouped_batches is {self.regrouped_batches}; it must be a power of two"
            )
        if self.regrouped_batches > 1 and self.mixed:
            raise ValueError("regrouped_batches needs batches of one source; set mixed to false")
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
    """A set on which the model is measured during training.

    Attributes:
        folder: a data set in BEIR's layout.
        split: the split whose queries are used.
        queries: number of queries, drawn at random.
        documents: number of documents searched: the queries' relevant ones and others, drawn at
            random.
    """

    folder: str = ""
    split: str = "test"
    queries: int = 100
    documents: int = 1000

    def __post_init__(self) -> None:
        if not self.folder:
            raise ValueError("folder is missing")
        at_least(self, 1, "queries", "documents")


@dataclass(frozen=True, slots=True)
class MiningConfig:
    """How negatives are mined.

    Attributes:
        queries: maximum number per source, drawn at random; 0 for all.
        depth: passages kept per query.
        skip: number of top passages to leave out, which often answer the query without a judgement.
        teacher: "none", "ensemble", or the folder of a cross-encoder; its scores are stored.
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
    """The whole configuration, one attribute per section."""

    model: ModelConfig = field(default_factory=ModelConfig)
    salience: SalienceConfig = field(default_factory=SalienceConfig)
    loss: LossConfig = LossConfig()
    run: RunConfig = RunConfig()
    mining: MiningConfig = MiningConfig()
    data: tuple[DataConfig, ...] = field(default=())
    dev: tuple[DevConfig, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Return plain values, to be stored with a run."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


def read_config(path: Path) -> TrainingConfig:
    """Read and check a configuration.

    Raises:
        UsageError: the file cannot be read, is not TOML, or has unknown keys or invalid values;
            names file, section and key.
    """
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not TOML: {error}.") from error
    config = config_from(entries, str(path))
    if {"steps", "minutes"} <= entries.get("run", {}).keys():
        raise UsageError(f"{path}, [run]: set either steps or minutes.")
    return config


def config_from(entries: Mapping[str, Any], path: str) -> TrainingConfig:
    """Build a configuration from sections, as read from TOML or `TrainingConfig.as_json`.

    Args:
        entries: the sections by name.
        path: the file they come from, for errors.

    Raises:
        UsageError: they have unknown keys or invalid values; names section and key.
    """
    sections: dict[str, Any] = {}
    for name, value in entries.items():
        section = _SECTIONS.get(name)
        if section is None:
            known = ", ".join(_SECTIONS)
            raise UsageError(f"{path}: there is no section [{name}]; there are {known}.")
        if name in _LISTS:
            if not isinstance(value, list):
                raise UsageError(f"{path}: {name} must be written as [[{name}]].")
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
