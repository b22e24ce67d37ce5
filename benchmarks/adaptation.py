"""What few-shot adaptation gives: nDCG@10 before and after, over folds of eight judged queries.

    python3 dev.py bench adaptation SETS ... [--model M] [--fold 8] [--seeds 20] [--mode MODE]
        [--current STRATEGY] [--home FOLDER] [--json FILE] [--picture FILE.svg]

As in ALIGNER, section 4.1: the queries are split into folds of eight, the strategy that is best on
a fold is measured on all other queries, and mean and deviation over the folds are given. One
split of few queries has few folds, so that it is drawn `--seeds` times. Beside it the same with
Winnow's rule, which keeps the current strategy where a fold cannot tell. What the strategy gives
that all queries together choose is the oracle. "Noise" is how often a fold proposes something where
the right document of each query is drawn: from the ten first under a strategy that is drawn too.
With another `--current` strategy than top-1 it shows whether a bad one is found out. Libraries are
kept in `--home`, and indexed once. The picture has a row of dots for each set, as ALIGNER's figure
5.
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
_NOISE: Final = 1000  # folds


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sets", type=Path, nargs="+", help="judged data sets in BEIR's layout")
    parser.add_argument("--split", default="test")
    parser.add_argument("--model")
    parser.add_argument("--mode", choices=("hybrid", "meaning"), default="hybrid")
    parser.add_argument("--current", default="topk:1", help="the strategy to begin with")
    parser.add_argument("--fold", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--queries", type=int, default=400, help="of each set, drawn at random")
    parser.add_argument("--home", type=Path, default=Path("build/adaptation"))
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    given = parser.parse_args()
    if given.picture:
        pictures.check_path(given.picture)
    if given.fold < FEWEST:
        parser.error(f"a fold of fewer than {FEWEST} queries never proposes anything")
    current = AlignmentStrategy.parse(given.current)
    strategies = [current, *(one for one in STRATEGIES if one != current)]
    rows = []
    for folder in given.sets:
        ranked = rank(
            DataSet(folder),
            given.split,
            given.queries,
            strategies,
            LibraryOptions(model=given.model),
            Mode(given.mode),
            given.home,
        )
        if len(ranked) < 2 * given.fold:
            parser.error(f"{folder} has {len(ranked)} queries, too few for two folds")
        rows.append(
            {"set": folder.name}
            | figures(measured(ranked), strategies, given.fold, given.seeds)
            | {"noise": round(noise(ranked, given.fold), 4)}
        )
        print(json.dumps(rows[-1]), flush=True)
    show(rows)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if given.picture:
        draw(rows, current, given.fold, given.picture)


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
            given = ((one.id, as_document(one)) for one in data.documents())
            library.add_collection(data.name, given)
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
    """(q, s) nDCG@10 of each query under each strategy."""
    return np.array(
        [[measures.ndcg(way, one.grades, DEPTH) for way in one.rankings] for one in ranked]
    )


def noise(ranked: Sequence[Ranked], fold: int) -> float:
    """How often `fold` queries propose something, the right document of each drawn."""
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
    """Means and deviations, in points, over the folds of all splits.

    Args:
        values: (q, s).
        strategies: s of them, the current one first.
        fold: queries that are chosen by.
        seeds: how often the queries are split.
    """
    plain, guarded, before, chosen = [], [], [], []
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(len(values))
        for start in range(0, len(values) - fold + 1, fold):
            rest = np.setdiff1d(order, order[start : start + fold])
            few = values[order[start : start + fold]]
            choice = choose(few)
            # Without the rule: the best on the fold as it is.
            plain.append(values[rest, choice.best].mean())
            kept = choice.best if choice.is_sound else 0
            guarded.append(values[rest, kept].mean())
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
    """Shares in points, one place after the comma."""
    return [round(100 * float(value), 1) for value in values]


def summary(values: Sequence[float]) -> list[float]:
    """Mean and standard deviation, in points."""
    return points([float(np.mean(values)), float(np.std(values))])


def show(rows: Sequence[dict[str, Any]]) -> None:
    """A table in Markdown."""
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
    """A row of dots for each set, with their deviations over the folds."""
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
