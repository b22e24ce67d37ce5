"""A document is found as well in whatever company it was indexed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.document import Document, Page
from core.library.library import Library
from core.responses import Mode

KINDS = ("crow", "owl", "swift", "dipper", "cuckoo", "heron", "falcon", "raven", "robin", "wren")
DOES = ("hunts", "hides", "sleeps", "walks", "lays", "fishes", "dives", "sings", "nests", "winters")
WHERE = ("night", "ground", "air", "stream", "nest", "lake", "sky", "forest", "garden", "roof")
WORDS = (*KINDS, *DOES, *WHERE)


def documents(count: int, shortest: int, longest: int) -> dict[str, Document]:
    drawn = random.Random(7)
    found = {}
    for number in range(count):
        text = " ".join(drawn.choices(WORDS, k=drawn.randint(shortest, longest)))
        found[f"{longest}-{number}"] = Document("", (Page(1, text),))
    return found


def test_scores_do_not_depend_on_what_was_indexed_together(
    open_library: Callable[..., Library], tmp_path: Path
) -> None:
    short, longer = documents(12, 90, 140), documents(40, 130, 160)
    scores = []
    # The same documents in both libraries, since a word's weight depends on its rarity there.
    for name, parts in (("alone", (short, longer)), ("together", ({**longer, **short},))):
        library = open_library(tmp_path / name)
        ids = {}
        for index, part in enumerate(parts):
            ids |= library.add_collection(f"birds {index}", part.items())
            library.sync()
        query = "owls in the winter forest"
        ranked = library.rank(query, mode=Mode.MEANING, limit=len(ids), is_refined=False)
        scores.append({ids[key]: score for key, score in ranked if ids[key] in short})
    alone, together = scores
    assert len(alone) == len(short)
    assert together == pytest.approx(alone, abs=1e-3)
