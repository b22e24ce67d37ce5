"""Examples of the tokens that each query token retrieves, with context, for manual inspection.

Source: XTR ("Rethinking the Role of Token Retrieval in Multi-Vector Retrieval"), section 5.4,
table 6, and appendix E, tables E.1 to E.5.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.encoders.encoder import Encoder, TextTokens
from core.errors import UsageError
from core.indexing.read.document_rows import passage_rows
from core.progress import Job
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import EncodedSet, encode_set
from lab.evaluation.run import as_document
from lab.evaluation.scoring import retrieve

# Ranks shown, as in the paper.
RANKS: Final = (1, 2, 5, 50, 100)
_AROUND: Final = 60  # characters of context on each side


@dataclass(frozen=True, slots=True)
class RetrievedToken:
    """A token retrieved by a query token.

    Attributes:
        rank: from 1.
        score: the similarity.
        token: its text in the passage; empty if it has no characters.
        before: the preceding text, on one line.
        after: the following text, on one line.
        document: the id of its document.
        is_relevant: whether the document is judged relevant to the query.
    """

    rank: int
    score: float
    token: str
    before: str
    after: str
    document: str
    is_relevant: bool


@dataclass(frozen=True, slots=True)
class QueryTokenExample:
    """The tokens retrieved by one query token.

    Attributes:
        token: its text in the query.
        retrieved: tokens at RANKS, up to the number of tokens.
        lexical: share of the first hundred that are the same token.
        relevant: share of the first hundred that belong to a relevant document.
    """

    token: str
    retrieved: tuple[RetrievedToken, ...]
    lexical: float
    relevant: float


@dataclass(frozen=True, slots=True)
class QueryExample:
    """A query and the tokens that it retrieves."""

    query: str
    tokens: tuple[QueryTokenExample, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """Position of a token: its passage in the set, and its index in the passage."""

    passage: int
    token: int


def measure_examples(
    encoder: Encoder,
    data: DataSet,
    count: int,
    *,
    split: str = "test",
    seed: int = 0,
    job: Job | None = None,
) -> tuple[QueryExample, ...]:
    """Return the tokens that `count` random queries retrieve from all passages.

    Summary vectors are left out of queries and passages, and so are query tokens without
    characters.

    Raises:
        UsageError: the data set is malformed, or has no passages.
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    encoded = encode_set(encoder, data, split=split, queries=count, seed=seed, job=job)
    texts, tokens = (
        encoded.encoded_queries.without_summaries(),
        encoded.passages.without_summaries(),
    )
    if not len(tokens.ids):
        raise UsageError("{0} has no passages.", data.name)
    found = retrieve(texts.vectors, tokens.vectors, min(RANKS[-1], len(tokens.ids)), job)
    passage_of = np.repeat(np.arange(len(tokens)), tokens.lengths)
    is_behind = int(encoded.passages.has_summaries)
    ranks = [rank for rank in RANKS if rank <= found.shape[1]]
    places = {}
    for number in np.unique(found[:, [rank - 1 for rank in ranks]]).tolist():
        passage = int(passage_of[number])
        places[number] = _Place(passage, int(number - tokens.offsets[passage]) + is_behind)
    written = _contexts(encoder, data, encoded, places, job)
    document_of = np.searchsorted(encoded.starts, passage_of, side="right") - 1
    examples = []
    for number, query in enumerate(encoded.queries):
        spans = encoder.query_tokens(query.text).spans[int(encoded.encoded_queries.has_summaries) :]
        relevant = {one for one, grade in encoded.judgements[query.id].items() if grade > 0}
        shown = []
        for own, (start, end) in enumerate(spans, start=int(texts.offsets[number])):
            if start == end:
                continue
            row, vector = found[own], texts.vectors[own].astype(np.float32)
            documents = [encoded.documents[one] for one in document_of[row].tolist()]
            retrieved = tuple(
                RetrievedToken(
                    rank,
                    float(tokens.vectors[row[rank - 1]].astype(np.float32) @ vector),
                    *written[int(row[rank - 1])],
                    documents[rank - 1],
                    documents[rank - 1] in relevant,
                )
                for rank in ranks
            )
            shown.append(
                QueryTokenExample(
                    query.text[start:end],
                    retrieved,
                    float((tokens.ids[row] == texts.ids[own]).mean()),
                    float(np.mean([document in relevant for document in documents])),
                )
            )
        examples.append(QueryExample(query.text, tuple(shown)))
    return tuple(examples)


def _contexts(
    encoder: Encoder,
    data: DataSet,
    encoded: EncodedSet,
    token_places: Mapping[int, _Place],
    job: Job,
) -> dict[int, tuple[str, str, str]]:
    """Return the text of tokens and their left and right contexts, by number in the set.

    The documents are read again, since an encoded set holds no text.
    """
    by_passage: dict[int, list[int]] = {}
    for number, place in token_places.items():
        by_passage.setdefault(place.passage, []).append(number)
    numbers = {name: number for number, name in enumerate(encoded.documents)}
    found = {}
    for entry in data.documents():
        job.checkpoint()
        document = numbers.get(entry.id)
        if document is None:
            continue
        first, last = encoded.starts[document : document + 2].tolist()
        if by_passage.keys().isdisjoint(range(first, last)):
            continue
        rows = passage_rows(as_document(entry), encoder.tokenizer.count)
        pairs = [(row.context, row.text) for row in rows]
        whole = [pair for pair in zip(pairs, encoder.passage_tokens(pairs), strict=True) if pair[1]]
        for passage, (texts, tokens) in enumerate(whole, start=first):
            for number in by_passage.get(passage, ()):
                found[number] = in_context(texts, tokens, token_places[number].token)
    return found


def in_context(texts: tuple[str, str], tokens: TextTokens, index: int) -> tuple[str, str, str]:
    """Return a token of a passage with its left and right context, each on one line.

    Args:
        texts: the passage's context and its own text.
        tokens: the tokens of both.
        index: the token's position.
    """
    context, text = texts
    start, end = tokens.spans[index]
    whole = text
    if index < tokens.context:
        # A title comes before the text.
        whole = f"{context} – {text}" if text else context
    before, after = whole[max(start - _AROUND, 0) : start], whole[end : end + _AROUND]
    if start > _AROUND:
        before = "…" + before
    if end + _AROUND < len(whole):
        after += "…"
    return _on_one_line(whole[start:end]), _on_one_line(before), _on_one_line(after)


def _on_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)
