"""The training data of a run, read from folders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.documents.passages import CountTokens
from core.progress import Job
from lab.training.config import TrainingConfig
from lab.training.corpus import WordWeights
from lab.training.dev import DevSet, read_dev
from lab.training.pairs import Example, Source
from lab.training.rarity import draw
from lab.training.sources import Sources, build_sources, find_folder
from lab.training.stream import Stream


@dataclass(frozen=True, slots=True)
class TrainingData:
    """The training and dev data of a run.

    Attributes:
        sizes: number of units of each source, by name.
        stream: the batches of examples.
        sample: returns a few hundred examples of each source, for counting words and tokens.
        words: returns the weights of words.
        dev: the dev sets of the run.
        sources: the sources that the stream draws from.
    """

    sizes: tuple[tuple[str, int], ...]
    stream: Stream
    sample: Callable[[], list[Example]]
    words: Callable[[], WordWeights]
    dev: tuple[DevSet, ...]
    sources: tuple[Source, ...]


def words_of(sources: Sources) -> WordWeights:
    """Return the weights of words in all corpora together."""
    return WordWeights.merged(corpus.words for corpus in sources.corpora)


def read_training_data(
    config: TrainingConfig,
    data: Path,
    count_tokens: CountTokens,
    negatives: Path | None = None,
    job: Job | None = None,
) -> TrainingData:
    """Read the data that a configuration names.

    Args:
        config: names the data and the dev sets.
        data: parent of their folders.
        count_tokens: as in `core.documents.passages.split`.
        negatives: folder of files of mined negatives.
        job: to cancel.

    Raises:
        UsageError: data is missing or malformed.
        Cancelled: the job was cancelled.
    """
    run = config.run
    built = build_sources(
        config.data, data, count_tokens, seed=run.seed, negatives=negatives, job=job
    )
    stream = Stream(
        built.sources,
        [one.weight for one in config.data],
        batch=run.batch,
        ways=run.ways,
        seed=run.seed,
        mixed=run.mixed,
        regrouped_batches=run.regrouped_batches,
    )
    dev = (
        read_dev(one, find_folder(one.folder, data), count_tokens, run.seed) for one in config.dev
    )
    return TrainingData(
        tuple((source.name, len(source)) for source in built.sources),
        stream,
        lambda: draw(built.sources, run.seed),
        lambda: words_of(built),
        tuple(dev),
        built.sources,
    )
