"""Search a library by words and meaning, and print the best passage of each document.

python examples/search.py LIBRARY "which birds are silent at night"
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.library.library import Library, LibraryOptions
from core.requests import Search


def main(home: Path, query: str) -> None:
    """Print the five best documents, each with its best passage and the words that matched."""
    with Library.open(home, LibraryOptions(is_read_only=True)) as library:
        results = library.answer(Search(query, limit=5))
    for hit in results.hits:
        best = hit.passages[0]
        matched = ", ".join(sorted({alignment.text for alignment in best.alignments}))
        print(f"{hit.path.name}, page {best.passage.page}: {best.passage.text}")
        print(f"  matched: {matched}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
