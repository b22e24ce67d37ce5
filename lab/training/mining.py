"""Mining of hard negatives: unjudged passages that a model ranks high.

Source: ColBERTv2, section 3.2. Mining again with the trained model ("refresh") is a separate run:
`winnow mine` with `start` set to the first run's model, then `winnow train`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.arrays import Floats
from core.encoders.encoder import unit
from core.encoders.tokens import Tokenizer
from core.errors import UsageError, WinnowError
from core.files.own_files import atomic_write
from core.progress import Job
from lab.training.batches import Collator
from lab.training.config import DataKind, MiningConfig, TrainingConfig
from lab.training.corpus import Corpus, Passage, words
from lab.training.encoding import TextEncoder, TokenVectors, maxima
from lab.training.model import build_model, choose_device, use_threads
from lab.training.pairs import JudgedQuery, PairSource, best_passage
from lab.training.rarity import draw
from lab.training.sources import build_sources
from lab.training.start import find_start
from lab.training.teacher_loading import open_teacher
from lab.training.teachers import Teacher
from lab.training.training_data import words_of

# Queries encoded at once.
_QUERY_BATCH = 64
# Queries scored by a teacher at once; limits the memory for their passages.
_TEACHER_BATCH = 16
# Passages with the nearest pooled vectors, whose tokens are compared.
_NEAREST = 256


@dataclass(frozen=True, slots=True)
class _EncodedCorpus:
    """All passages of a corpus with their vectors.

    `pooled` is (p, d), the mean of each passage's token vectors, of unit length; `rows` maps each
    passage to its row.
    """

    passages: tuple[Passage, ...]
    tokens: TokenVectors
    pooled: Floats
    rows: Mapping[Passage, int]


def mine(
    config: TrainingConfig,
    data: Path,
    output: Path,
    say: Callable[[str], None],
    job: Job | None = None,
) -> list[Path]:
    """Write `negatives/NAME.jsonl` below `output` for each source of judged pairs.

    A line holds a query's id, its positive passage, and its negatives from rank 1 on, each with its
    document, its number there, the model's score and, if there is a teacher, the teacher's.

    Args:
        config: of the run that uses the negatives; its model searches.
        data: parent of the data folders.
        output: the run's folder.
        say: called with progress lines.
        job: to cancel; written files are complete.

    Returns:
        The paths of the files.

    Raises:
        UsageError: the data are malformed, or have no judged pairs.
        ModelError: model or teacher cannot be loaded.
        WinnowError: a file cannot be written.
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    pairs = tuple(one for one in config.data if one.kind == DataKind.PAIRS)
    if not pairs:
        raise UsageError("The configuration names no judged pairs to mine negatives for.")
    run = config.run
    use_threads(run.threads)
    start = find_start(config.model, run.seed)
    tokenizer = Tokenizer.of(start.checkpoint)
    built = build_sources(pairs, data, tokenizer.count, seed=run.seed, job=job)
    device = choose_device(run.device)
    model = build_model(start, config.model, config.salience, run, device)
    collator = Collator(tokenizer, start, run)
    encoder = TextEncoder(model, collator, device, run.precision)
    teacher: Teacher | None = None
    if config.mining.teacher != "none":
        teacher = open_teacher(
            config.mining.teacher,
            config,
            start,
            collator,
            device,
            output=output,
            weights_of_words=lambda: words_of(built),
            draw_examples=lambda: draw(built.sources, run.seed),
        )
    written = []
    encoded: dict[int, _EncodedCorpus] = {}
    for number, source in enumerate(built.sources):
        assert isinstance(source, PairSource)
        corpus = source.corpus
        if id(corpus) not in encoded:
            # One at a time: a corpus' vectors take a gigabyte.
            encoded = {id(corpus): _encode(corpus, encoder, say, job)}
        queries = _sample(source, config.mining, run.seed + number)
        path = output / "negatives" / f"{source.name}.jsonl"
        lines = _mine(
            corpus, queries, encoded[id(corpus)], encoder, config.mining, teacher, say, job
        )
        _write(path, lines)
        say(f"{path}: {len(lines):,} queries")
        written.append(path)
    return written


def _sample(source: PairSource, config: MiningConfig, seed: int) -> list[JudgedQuery]:
    numbers = np.arange(len(source))
    if config.queries and config.queries < len(source):
        generator = np.random.default_rng([seed, 5])
        numbers = np.sort(generator.choice(len(source), config.queries, replace=False))
    return [source.query(int(number)) for number in numbers]


def _encode(
    corpus: Corpus, encoder: TextEncoder, say: Callable[[str], None], job: Job
) -> _EncodedCorpus:
    passages = tuple(
        passage for number in range(len(corpus)) for passage in corpus.passages(number)
    )
    say(f"{corpus.name}: encoding {len(passages):,} passages")
    shown = 0

    def on_batch(done: int) -> None:
        nonlocal shown
        job.checkpoint()
        if done >= shown + len(passages) / 10:
            shown = done
            say(f"{corpus.name}: {done:,} of {len(passages):,} passages encoded")

    tokens = encoder.passages([(passage.context, passage.text) for passage in passages], on_batch)
    rows = {passage: row for row, passage in enumerate(passages)}
    return _EncodedCorpus(passages, tokens, _pooled(tokens), rows)


def _pooled(tokens: TokenVectors) -> Floats:
    """Return (b, d) unit means of each text's vectors; 0 for a text without tokens."""
    pooled = np.zeros((len(tokens.starts) - 1, tokens.vectors.shape[1]), np.float32)
    for number in range(len(pooled)):
        vectors = tokens.text(number)
        if len(vectors):
            pooled[number] = vectors.mean(axis=0)
    return unit(pooled)


def _mine(
    corpus: Corpus,
    queries: list[JudgedQuery],
    encoded: _EncodedCorpus,
    encoder: TextEncoder,
    config: MiningConfig,
    teacher: Teacher | None,
    say: Callable[[str], None],
    job: Job,
) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    for first in range(0, len(queries), _QUERY_BATCH):
        job.checkpoint()
        block = queries[first : first + _QUERY_BATCH]
        vectors = encoder.queries([one.text for one in block])
        near = _pooled(vectors) @ encoded.pooled.T
        found = []
        for row, query in enumerate(block):
            positive = _positive(corpus, query)
            if positive is not None:
                nearest = _rank_nearest(near[row], vectors.text(row), positive, encoded)
                own = next(score for one, score in nearest if one == positive)
                negatives = _select_negatives(corpus, query, positive, nearest, config)
                found.append((query, (positive, own), negatives))
        teacher_scores: list[list[float]] = []
        for offset in range(0, len(found) if teacher is not None else 0, _TEACHER_BATCH):
            batch = found[offset : offset + _TEACHER_BATCH]
            assert teacher is not None
            teacher_scores += teacher.score(
                [query.text for query, _, _ in batch],
                [
                    [positive, *(one for one, _ in negatives)]
                    for _, (positive, _), negatives in batch
                ],
            ).tolist()
        for number, (query, (positive, own), negatives) in enumerate(found):
            scores = teacher_scores[number] if teacher_scores else [None] * (1 + len(negatives))
            lines.append(
                {
                    "query": query.id,
                    "positive": _fields(corpus, positive, score=own, teacher=scores[0]),
                    "negatives": [
                        _fields(corpus, one, rank=rank, score=score, teacher=scores[rank])
                        for rank, (one, score) in enumerate(negatives, 1)
                    ],
                }
            )
        if first // _QUERY_BATCH % 20 == 0:
            say(f"{corpus.name}: {first + len(block):,} of {len(queries):,} queries asked")
    return lines


def _positive(corpus: Corpus, query: JudgedQuery) -> Passage | None:
    passages = [
        passage
        for document in query.documents
        for passage in corpus.passages(corpus.number(document))
    ]
    return best_passage(corpus, query.text, passages) if passages else None


def _rank_nearest(
    near: Floats, query: Floats, positive: Passage, encoded: _EncodedCorpus
) -> list[tuple[Passage, float]]:
    """Return the passages near the query and the positive, ranked token by token.

    The positive is always included.
    """
    count = min(_NEAREST, len(near))
    rows = np.union1d(np.argpartition(-near, count - 1)[:count], encoded.rows[positive])
    starts, ends = encoded.tokens.starts[rows], encoded.tokens.starts[rows + 1]
    vectors = np.concatenate(
        [encoded.tokens.vectors[start:end] for start, end in zip(starts, ends, strict=True)]
    )
    offset = TokenVectors(vectors, None, np.cumsum([0, *(ends - starts)]))
    scores = maxima(query, offset, None)
    return [
        (encoded.passages[rows[place]], round(float(scores[place]), 5))
        for place in np.argsort(-scores, kind="stable")
    ]


def _select_negatives(
    corpus: Corpus,
    query: JudgedQuery,
    positive: Passage,
    nearest: list[tuple[Passage, float]],
    config: MiningConfig,
) -> list[tuple[Passage, float]]:
    """Return the first distinct texts that belong to no relevant document."""
    relevant = set(map(corpus.key, query.documents))
    seen = {tuple(words(positive.text))}
    negatives: list[tuple[Passage, float]] = []
    for one, score in nearest:
        text = tuple(words(one.text))
        if one.document not in relevant and text not in seen:
            seen.add(text)
            negatives.append((one, score))
    return negatives[config.skip : config.skip + config.depth]


def _fields(corpus: Corpus, passage: Passage, **more: float | None) -> dict[str, Any]:
    document = passage.document.removeprefix(f"{corpus.name}/")
    known = {name: value for name, value in more.items() if value is not None}
    return {"document": document, "passage": passage.number, **known}


def _write(path: Path, lines: list[dict[str, Any]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, text.encode())
    except OSError as error:
        raise WinnowError(f"The negatives {path} cannot be written: {error.strerror}.") from error
