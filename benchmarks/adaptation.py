"""Measure few-shot adaptation: nDCG@10 before and after, over folds of eight judged queries.

    python3 dev.py bench adaptation SETS ... [--model M] [--fold 8] [--seeds 20] [--mode MODE]
        [--current STRATEGY] [--home FOLDER] [--json FILE] [--picture FILE.svg]

As in ALIGNER, section 4.1: the queries are split into folds of eight, the best strategy of a fold
is evaluated on all other queries, and the mean and standard deviation over the folds are reported.
One split of few queries has few folds, so it is drawn `--seeds` times. The next column applies
Winnow's rule, which keeps the current strategy if a fold is inconclusive. The oracle is the
strategy that is best on all queries. "Noise" is how often a fold proposes a change when the
relevant document of each query is random: one of the top ten of a randomly drawn strategy. With
`--current` other than top-1 it shows whether a bad strategy is detected. Libraries are stored in
`--home` and indexed once. The picture has a row of dots for each set, like ALIGNER's figure 5.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.alignment.adaptation import DEPTH, FEWEST, STRATEGIES, choose
from core.alignment.pairwise import AlignmentStrategy
from core.library.library import Library, LibraryOptions
from core.responses import Mode
from lab.evaluation import measures, pictures
from lab.evaluation.data import DataSet
from lab.evaluation.run import as_document

Doubles = npt.NDArray[np.float64]

_DOCUMENTS: Final = 100
_NOISE: Final = 1000  # Folds drawn for the noise.


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sets", type=Path, nargs="+", help="judged data sets in BEIR's layout")
    parser.add_argument("--split", default="test")
    parser.add_argument("--model")
    parser.add_argument("--mode", choices=("hybrid", "meaning"), default="hybrid")
    parser.add_argument("--current", default="topk:1", help="the initial strategy")
    parser.add_argument("--fold", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument(
        "--queries", type=int, default=400, help="queries drawn at random from each set"
    )
    parser.add_argument("--home", type=Path, default=Path("build/adaptation"))
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    if arguments.picture:
        pictures.check_path(arguments.picture)
    if arguments.fold < FEWEST:
        parser.error(f"a fold of fewer than {FEWEST} queries never proposes anything")
    current = AlignmentStrategy.parse(arguments.current)
    strategies = [current, *(one for one in STRATEGIES if one != current)]
    rows = []
    for folder in arguments.sets:
        ranked = rank(
            DataSet(folder),
            arguments.split,
            arguments.queries,
            strategies,
            LibraryOptions(model=arguments.model),
            Mode(arguments.mode),
            arguments.home,
        )
        if len(ranked) < 2 * arguments.fold:
            parser.error(f"{folder} has {len(ranked)} queries, too few for two folds")
        rows.append(
            {"set": folder.name}
            | figures(measured(ranked), strategies, arguments.fold, arguments.seeds)
            | {"noise": round(noise(ranked, arguments.fold), 4)}
        )
        print(json.dumps(rows[-1]), flush=True)
    show(rows)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if arguments.picture:
        draw(rows, current, arguments.fold, arguments.picture)


@dataclass(frozen=True, slots=True)
class Ranked:
    """The documents of one query, best first, under each strategy, and its judgements."""

    rankings: list[list[str]]
    grades: Mapping[str, int]


def rank(
    data: DataSet,
    split: str,
    most: int,
    strategies: Sequence[AlignmentStrategy],
    options: LibraryOptions,
    mode: Mode,
    home: Path,
) -> list[Ranked]:
    """Search a library of the set for each judged query, with each strategy in turn."""
    judged = data.split(split)
    queries = list(judged.queries)
    if len(queries) > most:
        drawn = np.random.default_rng(0).choice(len(queries), most, replace=False)
        queries = [queries[row] for row in sorted(drawn.tolist())]
    folder = home / f"{data.name}-{options.model or 'built-in'}".replace("/", "-")
    with Library.open(folder, options) as library:
        if not library.documents():
            documents = ((one.id, as_document(one)) for one in data.documents())
            library.add_collection(data.name, documents)
        library.sync()
        keys = {one.id: one.path.name for one in library.documents()}
    ranked = [Ranked([], judged.judgements[query.id]) for query in queries]
    for strategy in strategies:
        with Library.open(folder, replace(options, alignment=strategy)) as library:
            for query, one in zip(queries, ranked, strict=True):
                found = library.rank(query.text, mode=mode, limit=_DOCUMENTS)
                ranking = [keys[number] for number, _ in found]
                one.rankings.append([key for key in ranking if key != query.id])
    return ranked


def measured(ranked: Sequence[Ranked]) -> Doubles:
    """Return the nDCG@10 (q, s) of each query under each strategy."""
    return np.array(
        [[measures.ndcg(way, one.grades, DEPTH) for way in one.rankings] for one in ranked]
    )


def noise(ranked: Sequence[Ranked], fold: int) -> float:
    """Return how often `fold` queries propose a change when relevant documents are random."""
    random = np.random.default_rng(1)
    proposals = 0
    for _ in range(_NOISE):
        judged = []
        for row in random.choice(len(ranked), fold, replace=False):
            rankings = ranked[row].rankings
            first = rankings[random.integers(len(rankings))][:DEPTH]
            judged.append(Ranked(rankings, {first[random.integers(len(first))]: 1}))
        proposals += choose(measured(judged)).is_sound
    return proposals / _NOISE


def figures(
    values: Doubles, strategies: Sequence[AlignmentStrategy], fold: int, seeds: int
) -> dict[str, Any]:
    """Return means and standard deviations, in points, over the folds of all splits.

    Args:
        values: (q, s) nDCG@10.
        strategies: s strategies, the current one first.
        fold: the number of queries to choose by.
        seeds: the number of random splits.
    """
    plain, guarded, before, chosen = [], [], [], []
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(len(values))
        for start in range(0, len(values) - fold + 1, fold):
            rest = np.setdiff1d(order, order[start : start + fold])
            sample = values[order[start : start + fold]]
            choice = choose(sample)
            # Without the rule: the best strategy of the fold.
            plain.append(values[rest, choice.best].mean())
            selected = choice.best if choice.is_sound else 0
            guarded.append(values[rest, selected].mean())
            before.append(values[rest, 0].mean())
            chosen.append((choice.best, choice.is_sound))
    means = values.mean(axis=0)
    return {
        "queries": len(values),
        "folds": len(plain),
        "strategies": dict(zip(map(str, strategies), points(means), strict=True)),
        "before": summary(before),
        "few-shot": summary(plain),
        "proposed": summary(guarded),
        "oracle": points([means.max()])[0],
        "changed": round(float(np.mean([best != 0 for best, _ in chosen])), 3),
        "proposals": round(float(np.mean([is_sound for _, is_sound in chosen])), 3),
    }


def points(values: Sequence[float] | Doubles) -> list[float]:
    """Return shares in points, rounded to one decimal."""
    return [round(100 * float(value), 1) for value in values]


def summary(values: Sequence[float]) -> list[float]:
    """Return the mean and standard deviation, in points."""
    return points([float(np.mean(values)), float(np.std(values))])


def show(rows: Sequence[dict[str, Any]]) -> None:
    """Print a Markdown table."""
    print("\n| set | queries | current | few-shot | with the rule | oracle | proposals | noise |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        cells = [f"{row[key][0]} ± {row[key][1]}" for key in ("before", "few-shot", "proposed")]
        shares = [f"{100 * row[key]:.1f} %" for key in ("proposals", "noise")]
        print(
            f"| {row['set']} | {row['queries']} | {' | '.join(cells)} | {row['oracle']}"
            f" | {' | '.join(shares)} |"
        )


def draw(
    rows: Sequence[Mapping[str, Any]], current: AlignmentStrategy, fold: int, path: Path
) -> None:
    """Draw a row of dots for each set, with the deviations over the folds."""
    shown = {
        "before": str(current),
        "few-shot": f"chosen by {fold} queries",
        "proposed": "with the rule",
    }
    of_folds = [
        pictures.Dots(label, [row[key][0] for row in rows], [row[key][1] for row in rows])
        for key, label in shown.items()
    ]
    pictures.dots(
        path,
        [row["set"] for row in rows],
        [*of_folds, pictures.Dots("chosen by all", [row["oracle"] for row in rows])],
        "Alignment adapted to a few queries",
        "nDCG@10, points",
    )


if __name__ == "__main__":
    main()
