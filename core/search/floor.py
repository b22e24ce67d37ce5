"""The floor: the evidence of a document that exceeds what any query finds by chance."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from core.alignment.pairwise import similarity
from core.arrays import Flags, Floats
from core.encoders.folders.checkpoint import remedy
from core.errors import ModelError
from core.index.index_searcher import IndexSearcher
from core.responses import DocumentHit, PassageHit
from core.search.encodings import EncodedQuery
from core.search.grouping import PreparedQuery
from core.search.words import fts

# Share of a query's words from which a match counts as complete.
ALL: Final = 0.999


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The evidence for each of p documents, from their best passages.

    Attributes:
        similarity: (p,) full scores over the stored vectors; NaN without vectors.
        summary: (p,) the best similarity of the query's summary; 0 if the model's
            queries have no summary token.
        words: (p,) the share of the query's words in the passage, from 0 to 1; 1 if all are in
            another passage that is shown.
    """

    similarity: Floats
    summary: Floats
    words: Floats


@dataclass(frozen=True, slots=True)
class Floor:
    """The minimum weighted sum of evidence at which a model's results are likely.

    Every query finds something: the passages of a large library resemble it by chance. How much
    depends on the model, so each model brings its own numbers, measured by
    `python3 dev.py bench floor` (docs/decisions/0045-floor.md).

    Attributes:
        similarity: weight of `Evidence.similarity`.
        summary: weight of `Evidence.summary`.
        words: weight of `Evidence.words`.
        least: the minimum sum of a likely document.
    """

    similarity: float
    summary: float
    words: float
    least: float

    @classmethod
    def of_model(cls, folder: Path) -> Floor | None:
        """Return the floor in the config.json of a model's folder; None if it has none.

        Raises:
            ModelError: it is not four numbers.
        """
        file = folder / "config.json"
        return _floor_of(file, file.stat().st_mtime_ns) if file.is_file() else None

    def sums(self, evidence: Evidence) -> Floats:
        """Return (p,) the weighted sums, compared with `least`; NaN without vectors."""
        by_meaning = self.similarity * evidence.similarity + self.summary * evidence.summary
        sums: Floats = by_meaning + self.words * evidence.words
        return sums

    def is_likely(self, evidence: Evidence) -> Flags:
        """Return (p,) which documents are likely, for documents in the order of their ranks.

        A document with all words of the query always is. One without vectors, which is still being
        indexed, never moves the line between likely documents and others: on its own it counts only
        if no other document is likely and none with vectors ranks above it.

        >>> nan = float("nan")
        >>> evidence = Evidence(np.array([0.7, 0.3, 0.3, nan]), np.array([0.5, 0.3, 0.3, nan]),
        ...     np.array([0, 0.5, 1, 0.5]))
        >>> Floor(0.5, 0.3, 0.2, 0.4).is_likely(evidence).tolist()
        [True, False, True, False]
        """
        sums = self.sums(evidence)
        is_likely: Flags = (sums >= self.least) | (evidence.words >= ALL)
        return is_likely if is_likely.any() else np.logical_and.accumulate(np.isnan(sums))


def gather_evidence(
    db: sqlite3.Connection,
    prepared: PreparedQuery,
    encoded: EncodedQuery,
    index: IndexSearcher,
    hits: Sequence[DocumentHit],
) -> Evidence:
    """Return the evidence for some documents, from their stored vectors.

    Reranking does not change it: a document that the index found by chance is still there after it.
    """
    # Of the further passages, only those with enough highlighted words to contain all.
    texts = {
        hit.passage.id: f"{hit.passage.context}\n{hit.passage.text}\n{document.path.stem}"
        for document in hits
        for rank, hit in enumerate(document.passages)
        if rank == 0 or _highlighted_words(hit) >= len(prepared.words) > 0
    }
    vectors = index.vectors([document.passages[0].passage.id for document in hits])
    rarity = prepared.rarity or fts.rarities(db, prepared.query, prepared.forms)
    shares = fts.shares_of_words(rarity, prepared.forms, texts)
    values = np.full((3, len(hits)), np.nan, dtype=np.float32)
    for row, document in enumerate(hits):
        of_best, *rest = [shares.get(hit.passage.id, 0.0) for hit in document.passages]
        values[2, row] = 1.0 if any(share >= ALL for share in rest) else of_best
        if stored := vectors.get(document.passages[0].passage.id):
            best = similarity(encoded.vectors.vectors, stored.vectors).max(axis=1)
            values[0, row] = np.mean(encoded.weights * best)
            values[1, row] = best[0] if encoded.has_summary else 0.0
    return Evidence(*values)


def _highlighted_words(hit: PassageHit) -> int:
    """Return the number of different words of the query in a passage's text."""
    return len({hit.passage.text[start:end].casefold() for start, end in hit.words})


@lru_cache(maxsize=8)
def _floor_of(file: Path, _mtime_ns: int) -> Floor | None:
    """Read a floor; cached until the file changes."""
    entry = json.loads(file.read_text("utf-8")).get("floor")
    if entry is None:
        return None
    try:
        return Floor(**{field.name: float(entry[field.name]) for field in fields(Floor)})
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(
            "The relevance threshold in {0} is damaged. To fix this, {1}.", file, remedy(file)
        ) from error


def above_the_line(hits: Sequence[DocumentHit]) -> tuple[DocumentHit, ...]:
    """Return documents with every document above a likely one marked as likely, too.

    So a single line separates the likely documents from the others.
    """
    last = max((index for index, hit in enumerate(hits) if hit.is_likely), default=-1)
    return tuple(
        hit if hit.is_likely or index > last else replace(hit, is_likely=True)
        for index, hit in enumerate(hits)
    )
