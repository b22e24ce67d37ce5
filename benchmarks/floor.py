"""How often a search says that nothing likely was found: for related queries, and for others.

    python3 dev.py bench floor FOLDER [--model M] [--fit] [--json FILE]
    python3 dev.py bench floor --sets DATA CORPUS[:QUERIES] ... [--queries 60] [--model M] [--fit]

FOLDER holds the files that `benchmarks/queries/related.txt` and `unrelated.txt` ask about: those of
other readers' tests that `WINNOW_TEST_FILES` names. DATA holds judged sets in BEIR's layout: each
CORPUS is asked its own queries, which are related, or those of another set, which are not.

`--fit` looks for the weights by which fewest queries are told wrongly: of those that lose at most
one related query in fifty, the ones that leave most unrelated ones with nothing likely. What it
prints goes into the model's config.json.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from core.encoders.layouts import load_checkpoint
from core.library.library import Library, LibraryOptions
from core.search.floor import Evidence, Floor
from lab.evaluation.data import DataSet
from lab.evaluation.run import as_document

QUERIES: Final = Path(__file__).parent / "queries"
SHOWN: Final = 20
"""Documents of an answer, as the window asks for them."""
MOST_LOST: Final = 0.02
"""Of the related queries."""
STEP: Final = 0.05


@dataclass(frozen=True, slots=True)
class Asked:
    """What queries of one kind found: for each its evidence, None where words alone decide."""

    name: str
    is_related: bool
    found: tuple[Evidence | None, ...]

    def silent(self, floor: Floor) -> float:
        """Return the share of the queries for which nothing is likely."""
        return float(
            np.mean([one is not None and not floor.is_likely(one).any() for one in self.found])
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", help="with the files")
    parser.add_argument("pairs", nargs="*", metavar="CORPUS[:QUERIES]", help="judged sets")
    parser.add_argument("--sets", type=Path, metavar="DATA", help="where these lie")
    parser.add_argument("--queries", type=int, default=60, help="of a set, drawn")
    parser.add_argument("--library", type=Path, help="that has the files already")
    parser.add_argument("--model")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    options = LibraryOptions(model=given.model)
    asked: list[Asked] = []
    floor: Floor | None = None
    if given.sets is None:
        if given.folder is None:
            parser.error("name the folder with the files, or judged sets by --sets")
        with opened_files(given.folder, given.library, options) as library:
            floor = floor_of(library)
            for name in ("related", "unrelated"):
                queries = (QUERIES / f"{name}.txt").read_text("utf-8").splitlines()
                asked.append(ask(library, name, queries, is_related=name == "related"))
    else:
        pairs = [str(given.folder), *given.pairs] if given.folder is not None else given.pairs
        by_corpus: dict[str, list[str]] = {}
        for pair in pairs:
            corpus, _, queries_of = pair.partition(":")
            by_corpus.setdefault(corpus, []).append(queries_of or corpus)
        for corpus, queried in by_corpus.items():
            with opened_set(given.sets / corpus, options) as library:
                floor = floor_of(library)
                for name in queried:
                    queries = drawn(given.sets / name, given.queries)
                    named = f"{corpus} asked {name}"
                    asked.append(ask(library, named, queries, is_related=name == corpus))
    if given.fit:
        floor = fitted(asked)
        print(json.dumps({"floor": asdict(floor)}, indent=2))
    if floor is None:
        parser.error("this model has no floor; --fit finds one")
    shares = [(one, one.silent(floor)) for one in asked]
    for one, share in shares:
        said = "of the related" if one.is_related else "of the others"
        print(f"{one.name:32}{len(one.found):5} queries{share:8.1%} {said} find nothing likely")
    if given.json:
        rows = [
            {"name": one.name, "is_related": one.is_related, "silent": share}
            for one, share in shares
        ]
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def floor_of(library: Library) -> Floor | None:
    """Return the floor of the model that answers."""
    return Floor.of_model(load_checkpoint(library.model()).resources)


@contextmanager
def opened_files(folder: Path, home: Path | None, options: LibraryOptions) -> Iterator[Library]:
    """Open a library of a folder: one that has it, or one for the moment."""
    with (
        tempfile.TemporaryDirectory(prefix="winnow-floor-") as made,
        Library.open(home or Path(made), options) as library,
    ):
        if home is None:
            library.add_folder(folder)
            library.sync()
        library.warm_up()
        yield library


@contextmanager
def opened_set(folder: Path, options: LibraryOptions) -> Iterator[Library]:
    """Open a library of a judged set's documents, for the moment."""
    data = DataSet(folder)
    documents = ((entry.id, as_document(entry)) for entry in data.documents())
    with (
        tempfile.TemporaryDirectory(prefix="winnow-floor-") as made,
        Library.open(Path(made), options) as library,
    ):
        library.add_collection(data.name, documents)
        library.sync()
        library.warm_up()
        yield library


def drawn(folder: Path, count: int) -> list[str]:
    """Return some queries of a judged set, the same ones each time."""
    texts = sorted(query.text for query in DataSet(folder).split("test").queries)
    if count >= len(texts):
        return texts
    places = np.random.default_rng(0).choice(len(texts), count, replace=False)
    return [texts[place] for place in sorted(places.tolist())]


def ask(library: Library, name: str, queries: Sequence[str], *, is_related: bool) -> Asked:
    """Search for queries, and keep what speaks for what they find."""
    return Asked(name, is_related, tuple(library.evidence(query, SHOWN) for query in queries))


def fitted(asked: Sequence[Asked]) -> Floor:
    """Return the floor that tells these queries best, its weights in steps."""
    related = [one for each in asked if each.is_related for one in each.found]
    others = [one for each in asked if not each.is_related for one in each.found]
    best: tuple[float, Floor] | None = None
    for summary, words in product(np.arange(0, 0.71, STEP), np.arange(0.1, 0.41, STEP)):
        weights = Floor(
            round(float(1 - summary - words), 2),
            round(float(summary), 2),
            round(float(words), 2),
            0,
        )
        if weights.similarity <= 0:
            continue
        # So many related queries may have less, and no more.
        least = sorted(top(weights, one) for one in related)[int(MOST_LOST * len(related))]
        told = float(np.mean([top(weights, one) < least for one in others]))
        # Among equals the one that hears most witnesses.
        if best is None or (told, words) > (best[0], best[1].words):
            best = told, replace(weights, least=math.floor(1000 * least) / 1000)
    assert best is not None, "some weights are tried"
    return best[1]


def top(floor: Floor, evidence: Evidence | None) -> float:
    """Return the highest sum among the documents; without end where another rule decides."""
    if evidence is None:
        return math.inf
    if replace(floor, least=math.inf).is_likely(evidence).any():
        return math.inf
    return float(floor.sums(evidence).max(initial=-math.inf))


if __name__ == "__main__":
    main()
