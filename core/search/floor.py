"""The floor: what a passage must come up to, to be likelier than what any query finds by chance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import Flags, Floats
from core.encoders.checkpoint import remedy
from core.errors import ModelError
from core.responses import DocumentHit

ALL: Final = 0.999
"""So large a share of a query's words is all of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What speaks for each of p documents, by their best passages.

    Attributes:
        similarity: (p,) full scores over the vectors that the index keeps; NaN without vectors.
        summary: (p,) the best similarity of the query as a whole, likewise; 0 where a model's
            queries have no summaries.
        words: (p,) the share of the query's words that stand in the passage, from 0 to 1; 1 where
            all stand in another passage that is shown.
    """

    similarity: Floats
    summary: Floats
    words: Floats


@dataclass(frozen=True, slots=True)
class Floor:
    """How a model's answers are told from chance: by a weighted sum, and what it must come up to.

    Queries about something else find passages, too, and those of a large library are like them by
    chance. How far that goes depends on the model, so that each brings its own numbers, which
    `python3 dev.py bench floor` measures (docs/decisions/0045-floor.md).

    Attributes:
        similarity: the weight of the `Evidence` that is called so.
        summary: likewise.
        words: likewise.
        least: what the sum is at least where a passage is likely.
    """

    similarity: float
    summary: float
    words: float
    least: float

    @classmethod
    def of_model(cls, folder: Path) -> Floor | None:
        """Return that of the model in a folder: `floor` of its config.json; None without one.

        Raises:
            ModelError: it is not four numbers.
        """
        file = folder / "config.json"
        return _floor_of(file, file.stat().st_mtime_ns) if file.is_file() else None

    def sums(self, evidence: Evidence) -> Floats:
        """Return (p,) what is compared with `least`; NaN for passages without vectors."""
        by_meaning = self.similarity * evidence.similarity + self.summary * evidence.summary
        sums: Floats = by_meaning + self.words * evidence.words
        return sums

    def is_likely(self, evidence: Evidence) -> Flags:
        """Return (p,) which documents are likely.

        One in which all words stand is likely whatever the model says; one that it has not seen yet
        was found by its words.

        >>> nan = float("nan")
        >>> evidence = Evidence(np.array([0.7, 0.3, 0.3, nan]), np.array([0.5, 0.3, 0.3, nan]),
        ...     np.array([0, 0.5, 1, 0.5]))
        >>> Floor(0.5, 0.3, 0.2, 0.4).is_likely(evidence).tolist()
        [True, False, True, True]
        """
        sums = self.sums(evidence)
        is_likely: Flags = np.isnan(sums) | (sums >= self.least) | (evidence.words >= ALL)
        return is_likely


@lru_cache(maxsize=8)
def _floor_of(file: Path, _mtime_ns: int) -> Floor | None:
    """Read a floor once, and once more when the file has changed."""
    entry = json.loads(file.read_text("utf-8")).get("floor")
    if entry is None:
        return None
    try:
        return Floor(**{field.name: float(entry[field.name]) for field in fields(Floor)})
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError("The file {0} has a damaged floor; {1}.", file, remedy(file)) from error


def above_the_line(hits: Sequence[DocumentHit]) -> tuple[DocumentHit, ...]:
    """Return documents of which all those are likely that stand before a likely one.

    What is less likely then stands in one piece at the end, below one line.
    """
    last = max((place for place, hit in enumerate(hits) if hit.is_likely), default=-1)
    return tuple(
        hit if hit.is_likely or place > last else replace(hit, is_likely=True)
        for place, hit in enumerate(hits)
    )
