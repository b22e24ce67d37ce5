"""The papers' scoring methods, applied to the same candidates and vectors.

ALIGNER calls other models special cases of a pairwise alignment; XTR and ColBERTv2 score whole
batches in training. Here each of these forms reranks the candidates that XTR retrieves, so that
they can be compared on one model's vectors.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.alignment.pairwise import AlignmentStrategy, score, similarity
from core.arrays import Floats, Numbers
from core.encoders.encoder import Encoder, unit
from core.progress import Job, Progress, Stage
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import EncodedSet, EncodedTexts, encode_set
from lab.evaluation.scoring import retrieve
from lab.evaluation.token_retrieval import NOTHING
from lab.reference import special
from lab.reference.imputation import score_retrieved
from lab.reference.retrieved import documents_of

if TYPE_CHECKING:
    from torch import Tensor

_ME_BERT_VECTORS: Final = 8
_ALIGNED: Final = 2
_COUNTS: Final = (1, 2, 4, 6, 8)  # k in tables 3 and 13
_EPSILONS: Final = (  # k and epsilon
    *((k, 0.01) for k in _COUNTS),
    *((1, epsilon) for epsilon in (0.02, 0.04, 0.06, 0.1)),
)


@dataclass(frozen=True, slots=True)
class TokenTexts:
    """Vectors and vocabulary ids of the tokens of one query and its p candidates.

    Attributes:
        query: (n, d) float32.
        query_ids: (n,).
        passages: p of (m, d) float32, m differing.
        passage_ids: p of (m,).
        has_summaries: whether the first vector of each text is its summary.
    """

    query: Floats
    query_ids: Numbers
    passages: tuple[Floats, ...]
    passage_ids: tuple[Numbers, ...]
    has_summaries: bool = False


# Computes the (p,) scores of a query's candidates.
Scores = Callable[[TokenTexts], Floats]


@dataclass(frozen=True, slots=True)
class FormFigure:
    """Ranking quality of one form.

    Attributes:
        form: the name of the form.
        source: its place in the papers.
        ndcg_at_10: mean over the queries that have a relevant document.
        seconds: time for all queries.
    """

    form: str
    source: str
    ndcg_at_10: float
    seconds: float


def forms(retrieved: int) -> Mapping[str, tuple[str, Scores]]:
    """Return each form with its source, by name; `retrieved` is XTR's k_train."""
    return {
        "DPR": ("ALIGNER 2.2", _aligned(special.align_dpr)),
        f"ME-BERT, {_ME_BERT_VECTORS} vectors": (
            "ALIGNER 2.2",
            _me_bert,
        ),
        "COIL": ("ALIGNER 2.2", _coil),
        "ColBERT": ("ALIGNER 2.2; XTR, eq. 1", _aligned(special.align_colbert)),
        "ColBERT, in batch": ("XTR, eq. 1; ColBERTv2 3.2", _mean_of_maxima),
        f"XTR, in batch, {retrieved} retrieved": (
            "XTR, eq. 2 and appendix A",
            lambda texts: _token_retrieval(texts, retrieved),
        ),
        f"ALIGNER, top-{_ALIGNED}": ("ALIGNER 3.1, eq. 1", _top_k(_ALIGNED)),
        f"ALIGNER, differentiable, {_ALIGNED}": (
            "ALIGNER, appendix A.2, eq. 9",
            _differentiable(_ALIGNED, 0.002),
        ),
    }


def differentiable_forms() -> Mapping[str, tuple[str, Scores]]:
    """Return top-k, and the differentiable alignment with each k and epsilon of the paper.

    >>> list(differentiable_forms())[4:7]
    ['top-8', 'k = 1, epsilon = 0.01', 'k = 2, epsilon = 0.01']
    """
    hard = {f"top-{k}": ("ALIGNER 3.1, tables 3 and 7", _top_k(k)) for k in _COUNTS}
    swept = {
        f"k = {k}, epsilon = {epsilon:g}": ("ALIGNER, table 13", _differentiable(k, epsilon))
        for k, epsilon in _EPSILONS
    }
    return {**hard, **swept}


def measure_forms(
    encoder: Encoder,
    data: DataSet,
    *,
    split: str = "test",
    queries: int | None = None,
    candidates: int = 100,
    retrieved: int = 4000,
    seed: int = 0,
    job: Job | None = None,
    compared: Mapping[str, tuple[str, Scores]] | None = None,
) -> tuple[FormFigure, ...]:
    """Rerank the same candidates by each form; a document scores as its best passage.

    Args:
        encoder: the encoder of the vectors.
        data: the judged set.
        split: the split whose queries are used.
        queries: maximum number of queries, drawn at random; None for all.
        candidates: number of passages per query, the best by XTR's retrieved tokens (eq. 3 and 4).
        retrieved: number of tokens that each query token retrieves, k' in XTR.
        seed: for sampling queries.
        job: can be cancelled.
        compared: the forms and their sources, by name; `forms` if None.

    Returns:
        A figure for the candidates as XTR ranks them, and one for each form.

    Raises:
        UsageError: the data set is malformed; names file and line.
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    encoded = encode_set(encoder, data, split=split, queries=queries, seed=seed, job=job)
    began_s = time.perf_counter()
    found = list(retrieved_passages(encoded, retrieved, candidates, job))
    figures = [
        FormFigure(
            f"XTR, imputed, {retrieved} retrieved",
            "XTR, eq. 3 and 4",
            _ndcg(encoded, found),
            time.perf_counter() - began_s,
        )
    ]
    texts = [_texts(encoded, number, passages) for number, (passages, _) in enumerate(found)]
    for name, (source, scores_of) in (compared or forms(retrieved)).items():
        began_s = time.perf_counter()
        ranked = []
        for (passages, _), of_query in zip(found, texts, strict=True):
            job.checkpoint()
            ranked.append((passages, scores_of(of_query)))
        seconds = time.perf_counter() - began_s
        figures.append(FormFigure(name, source, _ndcg(encoded, ranked), seconds))
        job.report(Progress(Stage.MEASURING, len(figures), 0, encoded.name))
    return tuple(figures)


def retrieved_passages(
    encoded: EncodedSet, retrieved: int, candidates: int, job: Job
) -> Iterator[tuple[Numbers, Floats]]:
    """Yield each query's best passages by their retrieved tokens, and the scores.

    Source: XTR, eq. 3 and 4.
    """
    texts, tokens = encoded.encoded_queries, encoded.passages
    found = retrieve(texts.vectors, tokens.vectors, retrieved, job)
    passage_of = np.repeat(np.arange(len(tokens)), tokens.lengths)
    for start, end in zip(texts.offsets[:-1].tolist(), texts.offsets[1:].tolist(), strict=True):
        rows = [row[row != NOTHING] for row in found[start:end]]
        vectors = texts.vectors[start:end].astype(np.float32)
        similarities = [
            tokens.vectors[row].astype(np.float32) @ vector
            for row, vector in zip(rows, vectors, strict=True)
        ]
        passages, scores = score_retrieved([passage_of[row] for row in rows], similarities)
        yield passages[:candidates], scores[:candidates]


def _texts(encoded: EncodedSet, query: int, passages: Numbers) -> TokenTexts:
    query_ids, vectors = _tokens(encoded.encoded_queries, query)
    of_passages = [_tokens(encoded.passages, passage) for passage in passages.tolist()]
    return TokenTexts(
        vectors,
        query_ids,
        tuple(passage for _, passage in of_passages),
        tuple(passage_ids for passage_ids, _ in of_passages),
        encoded.passages.has_summaries,
    )


def _tokens(texts: EncodedTexts, index: int) -> tuple[Numbers, Floats]:
    own = slice(int(texts.offsets[index]), int(texts.offsets[index + 1]))
    return texts.ids[own], texts.vectors[own].astype(np.float32)


def _aligned(align: Callable[[Floats], Floats]) -> Scores:
    """Return eq. 1 of ALIGNER under an alignment that depends on the similarities only."""

    def scores(texts: TokenTexts) -> Floats:
        pairs = [similarity(texts.query, passage) for passage in texts.passages]
        values = [score(matrix, align(matrix)) for matrix in pairs]
        return np.array(values, dtype=np.float32)

    return scores


def _me_bert(texts: TokenTexts) -> Floats:
    """Return the best product of one query vector and a passage's first token vectors.

    A summary cannot be among these: its product with the query's summary would always be the
    highest, and the score be DPR's. Nor can the query's summary be compared with tokens, since its
    projection is another one; the mean of the query's tokens takes its place.
    """
    query, passages = texts.query, texts.passages
    if texts.has_summaries:
        query = unit(query[1:].mean(axis=0, keepdims=True))
        passages = tuple(passage[1:] for passage in passages)
    pairs = [similarity(query, passage) for passage in passages]
    values = [score(one, special.align_me_bert(one, _ME_BERT_VECTORS)) for one in pairs]
    return np.array(values, dtype=np.float32)


def _coil(texts: TokenTexts) -> Floats:
    values = []
    for passage, passage_ids in zip(texts.passages, texts.passage_ids, strict=True):
        pairs = similarity(texts.query, passage)
        aligned = special.align_coil(pairs, texts.query_ids, passage_ids)
        values.append(score(pairs, aligned))
    return np.array(values, dtype=np.float32)


def _mean_of_maxima(texts: TokenTexts) -> Floats:
    from lab.reference.in_batch import mean_of_maxima

    return _values(mean_of_maxima(*_batch(texts)))


def _token_retrieval(texts: TokenTexts, retrieved: int) -> Floats:
    from lab.reference.in_batch import token_retrieval

    return _values(token_retrieval(*_batch(texts), retrieved))


def _top_k(k: int) -> Scores:
    def scores(texts: TokenTexts) -> Floats:
        from lab.reference.alignments import score as score_batch

        return _values(score_batch(*_batch(texts), AlignmentStrategy.parse(f"topk:{k}")))

    return scores


def _differentiable(k: int, epsilon: float) -> Scores:
    def scores(texts: TokenTexts) -> Floats:
        from lab.reference.alignments import score as score_batch
        from lab.training.alignments import DifferentiableAlignment

        soft = DifferentiableAlignment(k, epsilon)
        return _values(score_batch(*_batch(texts), soft))

    return scores


def _batch(texts: TokenTexts) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return (1, n, d), (1, n), (p, m, d), (p, m): a query, its padded passages, and masks."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    query = torch.from_numpy(texts.query)[None]
    passages = [torch.from_numpy(passage) for passage in texts.passages]
    masks = [torch.ones(len(passage), dtype=torch.bool) for passage in passages]
    padded = pad_sequence(passages, batch_first=True)
    is_token = torch.ones(query.shape[:2], dtype=torch.bool)
    return query, is_token, padded, pad_sequence(masks, batch_first=True)


def _values(scores: Tensor) -> Floats:
    values: Floats = scores[0].detach().numpy()
    return values


def _ndcg(encoded: EncodedSet, ranked: list[tuple[Numbers, Floats]]) -> float:
    """Return the mean nDCG@10 of scored passages, taken as documents."""
    return encoded.ndcg(documents_of(encoded, *one) for one in ranked)
