"""Measure how often a search finds nothing likely, for related and for unrelated queries.

    python3 dev.py bench floor FOLDER [--model M] [--translated] [--fit] [--halves] [--json FILE]
    python3 dev.py bench floor --sets DATA CORPUS[:QUERIES] ... [--queries 60] [--model M] [--fit]

FOLDER holds the files that `benchmarks/queries/related.txt` and `unrelated.txt` refer to: the test
files of other readers that `WINNOW_TEST_FILES` names. DATA holds judged sets in BEIR's layout: each
CORPUS is searched with its own queries, which are related, or with those of another set, which are
not.

`--translated` adds queries of both kinds in German, French, Chinese, Spanish and Russian, mostly in
another language than the files.

`--fit` chooses the weights that misjudge the fewest queries: among those that lose at most one
related query in fifty of each group, the ones that find nothing likely for the most unrelated
queries. It prints the section for the model's config.json. With `--halves` it uses every second
query, and the others are reported.
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

from core.encoders.folders.layouts import load_checkpoint
from core.library.library import Library, LibraryOptions
from core.requests import GetModelName, Search
from core.search.floor import Evidence, Floor, gather_evidence
from core.search.pipeline import document_hits
from core.search.query.language import plain
from lab.evaluation.data import DataSet
from lab.evaluation.run import as_document

QUERIES: Final = Path(__file__).parent / "queries"
# Documents per response, as the window requests them.
SHOWN: Final = 20
# The largest share of the related queries that may be lost.
MOST_LOST: Final = 0.02
STEP: Final = 0.05


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """The evidence that queries of one kind found; None where words alone decide."""

    name: str
    is_related: bool
    found: tuple[Evidence | None, ...]

    def half(self, first: int) -> QueryGroup:
        """Return every second query, starting with the first or the second one."""
        return replace(self, found=self.found[first::2])

    def silent(self, floor: Floor) -> float:
        """Return the share of the queries for which nothing is likely."""
        return float(
            np.mean([one is not None and not floor.is_likely(one).any() for one in self.found])
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", help="the folder with the files")
    parser.add_argument(
        "pairs", nargs="*", metavar="CORPUS[:QUERIES]", help="judged sets, and whose queries to use"
    )
    parser.add_argument("--sets", type=Path, metavar="DATA", help="the folder with the judged sets")
    parser.add_argument("--queries", type=int, default=60, help="queries drawn from each set")
    parser.add_argument("--library", type=Path, help="a library that already has the files")
    parser.add_argument("--model")
    parser.add_argument("--translated", action="store_true")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--halves", action="store_true", help="fit on one half, report the other")
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    options = LibraryOptions(model=arguments.model)
    groups: list[QueryGroup] = []
    floor: Floor | None = None
    if arguments.sets is None:
        if arguments.folder is None:
            parser.error("name the folder with the files, or judged sets by --sets")
        with opened_files(arguments.folder, arguments.library, options) as library:
            floor = floor_of(library)
            names = ["related", "unrelated"]
            if arguments.translated:
                names += ["related-translated", "unrelated-translated"]
            for name in names:
                queries = (QUERIES / f"{name}.txt").read_text("utf-8").splitlines()
                groups.append(
                    evidence_of(library, name, queries, is_related=name.startswith("related"))
                )
    else:
        pairs = (
            [str(arguments.folder), *arguments.pairs]
            if arguments.folder is not None
            else arguments.pairs
        )
        by_corpus: dict[str, list[str]] = {}
        for pair in pairs:
            corpus, _, queries_of = pair.partition(":")
            by_corpus.setdefault(corpus, []).append(queries_of or corpus)
        for corpus, queried in by_corpus.items():
            with opened_set(arguments.sets / corpus, options) as library:
                floor = floor_of(library)
                for name in queried:
                    queries = drawn(arguments.sets / name, arguments.queries)
                    group_name = f"{corpus} asked {name}"
                    groups.append(
                        evidence_of(library, group_name, queries, is_related=name == corpus)
                    )
    if arguments.fit:
        floor = fitted([group.half(0) for group in groups] if arguments.halves else groups)
        print(json.dumps({"floor": asdict(floor)}, indent=2))
    if arguments.halves:
        groups = [group.half(1) for group in groups]
    if floor is None:
        parser.error("this model has no floor; --fit finds one")
    shares = [(one, one.silent(floor)) for one in groups]
    for one, share in shares:
        group_label = "of the related" if one.is_related else "of the others"
        print(
            f"{one.name:32}{len(one.found):5} queries{share:8.1%} {group_label} find nothing likely"
        )
    if arguments.json:
        rows = [
            {"name": one.name, "is_related": one.is_related, "silent": share}
            for one, share in shares
        ]
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def floor_of(library: Library) -> Floor | None:
    """Return the floor of the library's model."""
    return Floor.of_model(load_checkpoint(library.answer(GetModelName())).resources)


@contextmanager
def opened_files(folder: Path, home: Path | None, options: LibraryOptions) -> Iterator[Library]:
    """Open the library of a folder: an existing one, or a temporary one."""
    with (
        tempfile.TemporaryDirectory(prefix="winnow-floor-") as home_folder,
        Library.open(home or Path(home_folder), options) as library,
    ):
        if home is None:
            library.add_folder(folder)
            library.sync()
        library.warm_up()
        yield library


@contextmanager
def opened_set(folder: Path, options: LibraryOptions) -> Iterator[Library]:
    """Open a temporary library of a judged set's documents."""
    data = DataSet(folder)
    documents = ((entry.id, as_document(entry)) for entry in data.documents())
    with (
        tempfile.TemporaryDirectory(prefix="winnow-floor-") as home_folder,
        Library.open(Path(home_folder), options) as library,
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


def evidence_of(
    library: Library, name: str, queries: Sequence[str], *, is_related: bool
) -> QueryGroup:
    """Search for queries, and collect the evidence of their results.

    Results are not reranked, which would not change it.
    """
    ranker = library._answering.meaning_ranker(library._generations.answering())  # noqa: SLF001
    found: list[Evidence | None] = []
    with library._catalog.reading() as db:  # noqa: SLF001 - searched as the library does
        for query in queries:
            search = Search(query, limit=SHOWN, is_refined=False, is_folded=False)
            prepared = ranker.prepare(db, search, plain(query))
            encoded = prepared.encoded
            if encoded is None or encoded.readable_share < 1:
                found.append(None)
                continue
            hits = document_hits(db, prepared, ranker.rank(db, prepared))
            index = ranker.generation.searcher
            # The floor is of weights that do not depend on the library.
            even = ranker.caches.queries.of(query, ranker.generation)
            found.append(gather_evidence(db, prepared, even, index, hits))
    return QueryGroup(name, is_related, tuple(found))


def fitted(groups: Sequence[QueryGroup]) -> Floor:
    """Return the floor that separates these queries best, by a grid search of its weights."""
    unrelated = [one for each in groups if not each.is_related for one in each.found]
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
        # In each group, the permitted share of related queries may score lower.
        least = min(
            sorted(top(weights, one) for one in each.found)[int(MOST_LOST * len(each.found))]
            for each in groups
            if each.is_related
        )
        rejected = float(np.mean([top(weights, one) < least for one in unrelated]))
        # Among equals, prefer the largest weight of the words.
        if best is None or (rejected, words) > (best[0], best[1].words):
            best = rejected, replace(weights, least=math.floor(1000 * least) / 1000)
    assert best is not None, "some weights are tried"
    return best[1]


def top(floor: Floor, evidence: Evidence | None) -> float:
    """Return the highest score among the documents; infinity where another rule decides."""
    if evidence is None:
        return math.inf
    if replace(floor, least=math.inf).is_likely(evidence).any():
        return math.inf
    return float(floor.sums(evidence).max(initial=-math.inf))


if __name__ == "__main__":
    main()
