"""The training data of a run: read from folders, or from a packed copy."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Protocol

from core.documents.passages import CountTokens
from core.errors import ModelError
from core.progress import Job
from lab.training.config import TrainingConfig
from lab.training.corpus import Passage, WordWeights, words
from lab.training.dev import DevSet, read_dev
from lab.training.pairs import Example, Source
from lab.training.rarity import draw
from lab.training.sources import Sources, build_sources, find_folder
from lab.training.stream import Stream

# File name of packed training data.
EXAMPLES: Final = "examples.json.xz"
# Name of the folder next to it that holds the start.
START: Final = "start"


class Batches(Protocol):
    """Provides the examples of any step."""

    def batch(self, step: int) -> tuple[Example, ...]:
        """Return the examples of a step, counted from 0."""


@dataclass(frozen=True, slots=True)
class TrainingData:
    """The training and dev data of a run.

    Attributes:
        sizes: number of units of each source, by name.
        stream: the batches of examples.
        sample: returns a few hundred examples of each source, for counting words and tokens.
        words: returns the weights of words.
        dev: the dev sets of the run.
        sources: the sources; empty if the data was packed.
    """

    sizes: tuple[tuple[str, int], ...]
    stream: Batches
    sample: Callable[[], list[Example]]
    words: Callable[[], WordWeights]
    dev: tuple[DevSet, ...]
    sources: tuple[Source, ...] = ()


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


def is_packed(folder: Path) -> bool:
    """Return whether a folder holds packed training data."""
    return (folder / EXAMPLES).is_file()


class _Table:
    """Numbers distinct values."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, value: Any, row: Callable[[], Any]) -> int:
        """Return the value's number, adding `row` to the table if it is new."""
        number = self._numbers.get(value)
        if number is None:
            written = row()
            number = self._numbers[value] = len(self.rows)
            self.rows.append(written)
        return number


class _Writer:
    """Collects examples as tables without duplicate passages and examples."""

    def __init__(self) -> None:
        self.passages = _Table()
        self.examples = _Table()

    def passage(self, one: Passage) -> int:
        return self.passages.number(one, lambda: [one.document, one.number, one.context, one.text])

    def example(self, one: Example) -> int:
        return self.examples.number(
            one,
            lambda: [
                one.query,
                self.passage(one.passage),
                one.source,
                sorted(one.relevant),
                sorted(one.all_words),
                [self.passage(negative) for negative in one.negatives],
                list(one.teacher),
            ],
        )


def save_training_data(
    config: TrainingConfig,
    training_data: TrainingData,
    steps: int,
    folder: Path,
    job: Job | None = None,
) -> int:
    """Write the examples of a run's first steps to `folder / EXAMPLES`.

    Each used text is stored once, unused ones are not. Word weights are stored for words of queries
    only.

    Args:
        config: the run's configuration, which determines the other data needed.
        training_data: the data that was read.
        steps: number of steps before batches repeat.
        folder: an existing folder.
        job: to cancel.

    Returns:
        The number of examples.

    Raises:
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    writer = _Writer()
    batches: list[list[int]] = []
    query_words: set[str] = set()
    for step in range(steps):
        job.checkpoint()
        examples = training_data.stream.batch(step)
        batches.append([writer.example(one) for one in examples])
        query_words.update(word for one in examples for word in words(one.query))
    has_ensemble = bool(config.loss.distillation) and config.loss.teacher == "ensemble"
    salience = config.salience
    has_start = salience.is_on and (salience.query_start, salience.passage_start) != (
        "even",
        "even",
    )
    known = training_data.words() if has_ensemble else WordWeights(0)
    frequencies_of_words = {
        word: known.frequencies[word] for word in sorted(query_words) if known.frequencies[word]
    }
    needs_sample = has_ensemble or has_start or config.loss.compression > 0
    sample = training_data.sample() if needs_sample else []
    written = {
        "sizes": training_data.sizes,
        "batches": batches,
        "drawn": [writer.example(one) for one in sample],
        "words": {"documents": known.documents, "frequencies": frequencies_of_words},
        "dev": [
            {field.name: getattr(one, field.name) for field in fields(DevSet)}
            | {"passages": [writer.passage(passage) for passage in one.passages]}
            for one in training_data.dev
        ],
        "examples": writer.examples.rows,
        "passages": writer.passages.rows,
    }
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    (folder / EXAMPLES).write_bytes(lzma.compress(text.encode("utf-8", "surrogatepass")))
    return len(writer.examples.rows)


@dataclass(frozen=True, slots=True)
class _Packed:
    """Packed batches."""

    batches: Sequence[tuple[Example, ...]]

    def batch(self, step: int) -> tuple[Example, ...]:
        return self.batches[step]


def load_training_data(folder: Path) -> TrainingData:
    """Return what `save_training_data` wrote.

    Raises:
        ModelError: it is missing or damaged.
    """
    path = folder / EXAMPLES
    try:
        text = lzma.decompress(path.read_bytes()).decode("utf-8", "surrogatepass")
        written = json.loads(text)
        passages = [Passage(*row) for row in written["passages"]]
        examples = list(_examples(written["examples"], passages))
        batches = [tuple(examples[number] for number in row) for row in written["batches"]]
        sample = [examples[number] for number in written["drawn"]]
        stored_words = written["words"]
        weights = WordWeights(stored_words["documents"], Counter(stored_words["frequencies"]))
        dev = tuple(_dev_set(one, passages) for one in written["dev"])
        sizes = tuple((str(name), int(size)) for name, size in written["sizes"])
    except (OSError, EOFError, lzma.LZMAError, ValueError, TypeError, LookupError) as error:
        raise ModelError(f"The examples {path} are damaged; unpack the archive again.") from error
    return TrainingData(sizes, _Packed(batches), lambda: sample, lambda: weights, dev)


def _examples(rows: Iterable[Any], passages: Sequence[Passage]) -> Iterable[Example]:
    for query, passage, source, relevant, all_words, negatives, teacher in rows:
        yield Example(
            query,
            passages[passage],
            source,
            frozenset(relevant),
            frozenset(all_words),
            tuple(passages[negative] for negative in negatives),
            tuple(teacher),
        )


def _dev_set(written: dict[str, Any], passages: Sequence[Passage]) -> DevSet:
    return DevSet(
        written["name"],
        tuple(written["ids"]),
        tuple(written["queries"]),
        written["judgements"],
        tuple(passages[number] for number in written["passages"]),
        tuple(written["documents"]),
    )
