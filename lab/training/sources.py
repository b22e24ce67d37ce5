"""Build the sources of a run's examples from its configuration."""

from __future__ import annotations

import sysconfig
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.documents.passages import CountTokens
from core.errors import UsageError
from core.progress import Job
from lab.evaluation.data import DataSet
from lab.training.config import DataConfig, DataKind
from lab.training.corpus import Corpus, read_corpus
from lab.training.generators import HeadingSource, KeywordSource, SentenceSource, TitleSource
from lab.training.pairs import PairSource, Source, hardest, judged_queries, read_mined
from lab.training.python_code import CodeSource


def find_folder(named: str, data: Path) -> Path:
    """Return the folder that a configuration names: as given, or below the data folder.

    Raises:
        UsageError: it is in neither place.
    """
    folder = data / Path(named).expanduser()
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder} with data; name its parent with --data.")
    return folder


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources, one per section, and the corpora that they share."""

    sources: tuple[Source, ...]
    corpora: tuple[Corpus, ...]


def build_sources(
    configs: Sequence[DataConfig],
    data: Path,
    count_tokens: CountTokens,
    *,
    seed: int,
    negatives: Path | None = None,
    job: Job | None = None,
) -> Sources:
    """Return a source for each data section; a folder used by several is read once.

    Args:
        configs: the sections.
        data: parent of their folders.
        count_tokens: as in `core.documents.passages.split`.
        seed: for sampling where a section has a limit.
        negatives: parent of files of mined negatives with relative paths; None to ignore mined
            negatives.
        job: to cancel.

    Raises:
        UsageError: data is missing or malformed.
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    corpora: dict[Path, Corpus] = {}
    sources: list[Source] = []
    for config in configs:
        job.checkpoint()
        # Seeded by name, so that mining, which builds only some of the sources, draws the same.
        generator = np.random.default_rng([seed, 4, zlib.crc32(config.name.encode())])
        if config.kind == DataKind.CODE:
            tree = find_folder(config.folder or sysconfig.get_path("stdlib"), data)
            keep = 0.1 if config.keep is None else config.keep
            sources.append(CodeSource(config.name, tree, keep, config.limit, generator))
            continue
        folder = find_folder(config.folder, data)
        corpus = corpora.get(folder)
        if corpus is None:
            corpus = corpora[folder] = read_corpus(folder, count_tokens)
        if config.kind == DataKind.PAIRS:
            sources.append(_pairs(config, folder, corpus, generator, negatives))
        else:
            sources.append(_generated(config, corpus, generator))
    return Sources(tuple(sources), tuple(corpora.values()))


def _pairs(
    config: DataConfig,
    folder: Path,
    corpus: Corpus,
    generator: np.random.Generator,
    mined: Path | None,
) -> PairSource:
    queries = judged_queries(DataSet(folder), corpus)
    if config.limit and config.limit < len(queries):
        chosen = generator.choice(len(queries), config.limit, replace=False)
        queries = [queries[place] for place in sorted(chosen)]
    if not config.negatives or mined is None:
        return PairSource(config.name, corpus, queries)
    path = mined / config.negatives
    found = read_mined(path, corpus, queries)
    return PairSource(config.name, corpus, hardest(queries, found, config.hardest, path), found)


def _generated(config: DataConfig, corpus: Corpus, generator: np.random.Generator) -> Source:
    if config.limit and config.limit < len(corpus.own):
        chosen = generator.choice(len(corpus.own), config.limit, replace=False)
        own = tuple(corpus.own[place] for place in sorted(chosen))
    else:
        own = corpus.own
    if config.kind == DataKind.TITLES:
        return TitleSource(config.name, corpus, own, 0.5 if config.keep is None else config.keep)
    if config.kind == DataKind.HEADINGS:
        return HeadingSource(config.name, corpus, own, 0.5 if config.keep is None else config.keep)
    if config.kind == DataKind.SENTENCES:
        return SentenceSource(config.name, corpus, own, 0.1 if config.keep is None else config.keep)
    return KeywordSource(config.name, corpus, own)
