"""Generated notes for benchmarks to index: many small files, the same in each run."""

from __future__ import annotations

import random
from pathlib import Path

WORDS = [
    "crow",
    "owl",
    "swift",
    "river",
    "stone",
    "paper",
    "letter",
    "market",
    "winter",
    "garden",
    "engine",
    "coffee",
    "tax",
    "receipt",
    "train",
    "harbour",
    "window",
    "music",
    "mountain",
    "bread",
    "silver",
    "doctor",
    "weather",
    "museum",
    "island",
    "bridge",
]


def write_notes(folder: Path, files: int, words: int = 120, passages: int = 1) -> None:
    """Write `files` notes into a hundred folders in `folder`.

    Each has `passages` sections of `words` words; a section becomes a passage.
    """
    chance = random.Random(7)
    for number in range(files):
        path = folder / f"{number % 100:02}" / f"note {number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "\n\n".join(
                f"Note {number}. {' '.join(chance.choices(WORDS, k=words))}."
                for _ in range(passages)
            )
        )
