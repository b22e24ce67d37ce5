"""A judged data set as token vectors in memory, split and encoded as the product would."""

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
from core.indexing.document_rows import passage_rows
from core.progress import Job, Progress, Stage
from lab.evaluation import measures
from lab.evaluation.data import DataSet, Judgements, Query
from lab.evaluation.run import as_document

Halves = npt.NDArray[np.float16]

_DEPTH: Final = 10
_CHUNK: Final = 2048  # passages that are encoded at once, sorted by length among themselves


@dataclass(frozen=True, slots=True)
class EncodedTexts:
    """The tokens of n texts, one text after the other; t tokens in all.

    Attributes:
        offsets: (n + 1,) where each text's tokens begin, and t.
        ids: (t,) vocabulary ids.
        vectors: (t, d) of unit length; float16, which is nearer to the original than bfloat16, in
            which the encoder computes.
        norms: (t,) the vectors' lengths before they were brought to unit length.
        saliences: (t,) of a model that has such; None of others.
        weighs: whether the model has a query's tokens count as much as they are salient.
        summary_weight: if above 0, the first of each text is its summary, which counts so much in
            a query relative to all its tokens.
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
        """Whether the first of each text is its summary."""
        return self.summary_weight > 0

    def without_summaries(self) -> EncodedTexts:
        """Return the texts' own tokens alone, of texts that all have some."""
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
        """(n,) each text's number of tokens."""
        return np.diff(self.offsets)


@dataclass(frozen=True, slots=True)
class EncodedSet:
    """A data set in vectors.

    Attributes:
        name: of the set.
        documents: the ids of the documents that have any tokens.
        starts: (documents + 1,) where each document's passages begin, and their number.
        passages: their tokens.
        passage_tokens: what the transformer was given for each, without spans.
        queries: the queries that are asked.
        query_tokens: what the transformer was given for each.
        encoded_queries: their tokens.
        judgements: on these queries.
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
    """At most `count` of the queries that have a relevant document, in their order."""
    asked = [
        query for query in queries if any(grade > 0 for grade in judgements[query.id].values())
    ]
    if count is not None and count < len(asked):
        drawn = np.random.default_rng(seed).choice(len(asked), count, replace=False)
        asked = [asked[number] for number in sorted(drawn.tolist())]
    return tuple(asked)


def encode_set(
    encoder: Encoder,
    data: DataSet,
    *,
    split: str = "test",
    queries: int | None = None,
    seed: int = 0,
    job: Job | None = None,
) -> EncodedSet:
    """Encode all passages of a data set and its queries, or a sample of these.

    Raises:
        UsageError: the data set is not as it should be; names file and line.
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    judged = data.split(split)
    asked = sample_queries(judged.queries, judged.judgements, queries, seed)
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
            # Their spans, of no use here, take as much memory as all the rest.
            tokens += [replace(text_tokens, spans=(), words=()) for text_tokens in with_tokens]
            starts.append(len(tokens))

    def report(done: int) -> None:
        job.checkpoint()
        job.report(Progress(Stage.ENCODING, done, len(tokens), data.name))

    passages = encode_texts(encoder, tokens, is_query=False, on_batch=report)
    query_tokens = tuple(encoder.query_tokens(query.text) for query in asked)
    return EncodedSet(
        name=data.name,
        documents=tuple(documents),
        starts=np.array(starts, dtype=np.int64),
        passages=passages,
        passage_tokens=tuple(tokens),
        queries=asked,
        query_tokens=query_tokens,
        encoded_queries=encode_texts(encoder, query_tokens, is_query=True),
        judgements={query.id: judged.judgements[query.id] for query in asked},
    )


def encode_texts(
    encoder: Encoder,
    texts: Sequence[TextTokens],
    *,
    is_query: bool,
    on_batch: Callable[[int], None] | None = None,
) -> EncodedTexts:
    """What `Encoder.encode_passages` or `encode_queries` gives, in one piece, and the norms."""
    d = encoder.checkpoint.dimensions
    offsets = offsets_of([len(text) for text in texts])
    vectors = np.zeros((int(offsets[-1]), d), dtype=np.float16)
    norms = np.zeros(len(vectors), dtype=np.float32)
    has_saliences = encoder.checkpoint.saliences is not None
    saliences = np.zeros(len(vectors), dtype=np.float32) if has_saliences else None
    for done, number, output in _projected(encoder, texts):
        rows = slice(offsets[number], offsets[number + 1])
        raw = output[list(texts[number].places)]
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
    """One unit vector a text: the mean of all that the transformer gives, special tokens too.

    Args:
        encoder: of a checkpoint without projection (`without_head`).
        texts: as that model's encoder gives them.
        on_batch: called now and then with the number of texts done; may raise to stop.

    Returns:
        (n, h) float32; a text without tokens has zeros.

    Source: Reimers and Gurevych, "Sentence-BERT", 2019, section 3, "MEAN".
    """
    means = np.zeros((len(texts), encoder.checkpoint.dimensions), dtype=np.float32)
    for done, number, output in _projected(encoder, texts):
        means[number] = output[: texts[number].attended].mean(axis=0)
        if on_batch is not None:
            on_batch(done)
    return unit(means)


def without_head(encoder: Encoder) -> Encoder:
    """Return an encoder that gives the transformer's own vectors."""
    import json

    from core.encoders.runtimes import open_runtime

    checkpoint = encoder.checkpoint
    config: dict[str, Any] = json.loads(
        (checkpoint.folder / "config.json").read_text(encoding="utf-8")
    )
    # T5 calls it otherwise.
    width = int(config.get("hidden_size") or config["d_model"])
    plain = replace(
        checkpoint,
        name=f"{checkpoint.name}-plain",
        layers=(),
        query_layers=None,
        hidden_layer=None,
        saliences=None,
        queries=replace(checkpoint.queries, gives_summary=False),
        passages=replace(checkpoint.passages, gives_summary=False),
        weighs_queries=False,
        summary_weight=0.0,
        dimensions=width,
    )
    return Encoder(plain, encoder.tokenizer, open_runtime(plain))


def _projected(encoder: Encoder, texts: Sequence[TextTokens]) -> Iterator[tuple[int, int, Floats]]:
    """How many texts are done with this one, its number, and (l, c), what the runtime gives."""
    done = 0
    numbers = iter(range(len(texts)))
    while chunk := list(islice(numbers, _CHUNK)):
        for rows, output in encoder.project([texts[number] for number in chunk]):
            for place, row in enumerate(rows):
                done += 1
                yield done, chunk[row], output[place]
