"""Show how the score of the best passage adds up.

python examples/explain.py LIBRARY "which birds are silent at night"
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.library.library import Library, LibraryOptions
from core.requests import Explain, Search


def main(home: Path, query: str) -> None:
    """Print the terms of the score of the best passage: weight, value and name of each."""
    with Library.open(home, LibraryOptions(is_read_only=True)) as library:
        results = library.answer(Search(query, limit=1))
        if not results.hits:
            print("Nothing was found.")
            return
        best = results.hits[0].passages[0]
        explanation = library.answer(Explain(query, best.passage.id))
    print(explanation.passage.text)
    for term in explanation.terms:
        print(f"{term.weight:5.2f} x {term.value:6.3f}  {term.label}")
    print(f"{sum(term.weight * term.value for term in explanation.terms):14.3f}  score")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
