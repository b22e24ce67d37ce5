"""A judged data set as token vectors in memory, split and encoded as in the product."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.alignment.pooling import offsets_of
from core.arrays import Floats, Numbers
from core.encoders.encoder import Encoder, TextTokens, unit
from core.indexing.read.document_rows import passage_rows
from core.progress import Job, Progress, Stage
from lab.evaluation import measures
from lab.evaluation.data import DataSet, Judgements, Query
from lab.evaluation.run import as_document

Halves = npt.NDArray[np.float16]

_DEPTH: Final = 10
_CHUNK: Final = 2048  # passages encoded at once, sorted by length within the block


@dataclass(frozen=True, slots=True)
class EncodedTexts:
    """The t tokens of n texts, concatenated.

    Attributes:
        offsets: (n + 1,) the start of each text's tokens, then t.
        ids: (t,) vocabulary ids.
        vectors: (t, d) of unit length, float16, which is more precise here than the encoder's
            bfloat16.
        norms: (t,) the vectors' lengths before normalisation.
        saliences: (t,); None if the model has none.
        weighs: whether the model weights a query's tokens by salience.
        summary_weight: if above 0, the first vector of each text is its summary; this is its weight
            in a query relative to all tokens.
    """

    offsets: Numbers
    ids: Numbers
    vectors: Halves
    norms: Floats
    saliences: Floats | None
    weighs: bool = False
    summary_weight: float = 0.0

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def has_summaries(self) -> bool:
        """Whether the first vector of each text is its summary."""
        return self.summary_weight > 0

    def without_summaries(self) -> EncodedTexts:
        """Return the texts without summaries; all must have tokens."""
        if not self.has_summaries:
            return self
        is_own = np.ones(len(self.ids), dtype=np.bool_)
        is_own[self.offsets[:-1]] = False
        return EncodedTexts(
            self.offsets - np.arange(len(self.offsets)),
            self.ids[is_own],
            self.vectors[is_own],
            self.norms[is_own],
            None if self.saliences is None else self.saliences[is_own],
            self.weighs,
        )

    @property
    def lengths(self) -> Numbers:
        """(n,) number of tokens of each text."""
        return np.diff(self.offsets)


@dataclass(frozen=True, slots=True)
class EncodedSet:
    """A data set as token vectors.

    Attributes:
        name: of the set.
        documents: the ids of the documents that have any tokens.
        starts: (documents + 1,) the start of each document's passages, then their number.
        passages: the tokens of the passages.
        passage_tokens: the transformer's input for each passage, without spans.
        queries: the queries of the split or sample.
        query_tokens: the transformer's input for each query.
        encoded_queries: the tokens of the queries.
        judgements: of these queries.
    """

    name: str
    documents: tuple[str, ...]
    starts: Numbers
    passages: EncodedTexts
    passage_tokens: tuple[TextTokens, ...]
    queries: tuple[Query, ...]
    query_tokens: tuple[TextTokens, ...]
    encoded_queries: EncodedTexts
    judgements: Judgements

    def ndcg(self, rankings: Iterable[Sequence[str]]) -> float:
        """Return the mean nDCG@10 of documents ranked for each query, best first.

        A document whose id is the query's is left out, as in BEIR.
        """
        of_query = {
            query.id: [name for name in ranking if name != query.id]
            for query, ranking in zip(self.queries, rankings, strict=True)
        }
        return measures.mean(measures.ndcg, of_query, self.judgements, _DEPTH)


def sample_queries(
    queries: Sequence[Query], judgements: Judgements, count: int | None, seed: int
) -> tuple[Query, ...]:
    """Return at most `count` of the queries that have a relevant document, in their order."""
    judged = [
        query for query in queries if any(grade > 0 for grade in judgements[query.id].values())
    ]
    if count is not None and count < len(judged):
        drawn = np.random.default_rng(seed).choice(len(judged), count, replace=False)
        judged = [judged[number] for number in sorted(drawn.tolist())]
    return tuple(judged)


def encode_set(
    encoder: Encoder,
    data: DataSet,
    *,
    split: str = "test",
    queries: int | None = None,
    seed: int = 0,
    job: Job | None = None,
) -> EncodedSet:
    """Encode all passages of a data set and its queries or a sample of them.

    Raises:
        UsageError: the data set is malformed; names file and line.
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    judged = data.split(split)
    sampled = sample_queries(judged.queries, judged.judgements, queries, seed)
    job.report(Progress(Stage.READING, 0, 0, data.name))
    documents: list[str] = []
    starts = [0]
    tokens: list[TextTokens] = []
    for entry in data.documents():
        job.checkpoint()
        rows = passage_rows(as_document(entry), encoder.tokenizer.count)
        found = encoder.passage_tokens([(row.context, row.text) for row in rows])
        with_tokens = [one for one in found if len(one)]
        if with_tokens:
            documents.append(entry.id)
            # Spans are not needed here and take as much memory as everything else.
            tokens += [replace(text_tokens, spans=(), words=()) for text_tokens in with_tokens]
            starts.append(len(tokens))

    def report(done: int) -> None:
        job.checkpoint()
        job.report(Progress(Stage.ENCODING, done, len(tokens), data.name))

    passages = encode_texts(encoder, tokens, is_query=False, on_batch=report)
    query_tokens = tuple(encoder.query_tokens(query.text) for query in sampled)
    return EncodedSet(
        name=data.name,
        documents=tuple(documents),
        starts=np.array(starts, dtype=np.int64),
        passages=passages,
        passage_tokens=tuple(tokens),
        queries=sampled,
        query_tokens=query_tokens,
        encoded_queries=encode_texts(encoder, query_tokens, is_query=True),
        judgements={query.id: judged.judgements[query.id] for query in sampled},
    )


def encode_texts(
    encoder: Encoder,
    texts: Sequence[TextTokens],
    *,
    is_query: bool,
    on_batch: Callable[[int], None] | None = None,
) -> EncodedTexts:
    """Return the output of `encode_passages` or `encode_queries` concatenated, and the norms."""
    d = encoder.checkpoint.dimensions
    offsets = offsets_of([len(text) for text in texts])
    vectors = np.zeros((int(offsets[-1]), d), dtype=np.float16)
    norms = np.zeros(len(vectors), dtype=np.float32)
    has_saliences = encoder.checkpoint.saliences is not None
    saliences = np.zeros(len(vectors), dtype=np.float32) if has_saliences else None
    for done, number, output in _projected(encoder, texts):
        rows = slice(offsets[number], offsets[number + 1])
        raw = output[list(texts[number].positions)]
        norms[rows] = np.linalg.norm(raw[:, :d], axis=1)
        vectors[rows] = unit(raw[:, :d])
        if saliences is not None:
            saliences[rows] = np.maximum(raw[:, d + (not is_query)], 0)
        if on_batch is not None:
            on_batch(done)
    ids = np.fromiter((one for text in texts for one in text.ids), np.int64, len(vectors))
    checkpoint = encoder.checkpoint
    return EncodedTexts(
        offsets,
        ids,
        vectors,
        norms,
        saliences,
        checkpoint.weighs_queries,
        checkpoint.summary_weight,
    )


def encode_pooled(
    encoder: Encoder,
    texts: Sequence[TextTokens],
    on_batch: Callable[[int], None] | None = None,
) -> Floats:
    """Return one unit vector per text: the mean of all output vectors, special tokens included.

    Args:
        encoder: of a checkpoint without projection (`without_head`).
        texts: tokenised by that model's encoder.
        on_batch: called periodically with the number of texts done; may raise to stop.

    Returns:
        (n, h) float32; zeros for a text without tokens.

    Source: Reimers and Gurevych, "Sentence-BERT", 2019, section 3, "MEAN".
    """
    means = np.zeros((len(texts), encoder.checkpoint.dimensions), dtype=np.float32)
    for done, number, output in _projected(encoder, texts):
        means[number] = output[: texts[number].attended].mean(axis=0)
        if on_batch is not None:
            on_batch(done)
    return unit(means)


def without_head(encoder: Encoder) -> Encoder:
    """Return an encoder whose output is the transformer's own vectors."""
    import json

    from core.encoders.runtimes import open_runtime

    checkpoint = encoder.checkpoint
    config: dict[str, Any] = json.loads(
        (checkpoint.folder / "config.json").read_text(encoding="utf-8")
    )
    # T5 uses another name.
    width = int(config.get("hidden_size") or config["d_model"])
    plain = replace(
        checkpoint,
        name=f"{checkpoint.name}-plain",
        layers=(),
        query_layers=None,
        hidden_layer=None,
        saliences=None,
        queries=replace(checkpoint.queries, includes_summary=False),
        passages=replace(checkpoint.passages, includes_summary=False),
        weighs_queries=False,
        summary_weight=0.0,
        dimensions=width,
    )
    return Encoder(plain, encoder.tokenizer, open_runtime(plain))


def _projected(encoder: Encoder, texts: Sequence[TextTokens]) -> Iterator[tuple[int, int, Floats]]:
    """Yield the number of texts done, the text's number, and (l, c) output of the runtime."""
    done = 0
    numbers = iter(range(len(texts)))
    while chunk := list(islice(numbers, _CHUNK)):
        for rows, output in encoder.project([texts[number] for number in chunk]):
            for place, row in enumerate(rows):
                done += 1
                yield done, chunk[row], output[place]
