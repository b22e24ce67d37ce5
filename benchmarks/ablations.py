"""Measure what each part of winnow-mini's recipe contributes, by short trainings.

    python3 dev.py bench ablations --data DATA [--steps 100] [--only NAME ...] [--picture FILE.svg]

Each run is the recipe of `resources/models/winnow-mini/train.toml`, shortened, with one of the
changes in CHANGES; it is evaluated on samples of sets that are not used in training. Short runs
show trends, not the quality that the whole recipe reaches. Runs in SWEEPS are made only if named.

Prints a table, and progress to standard error; the last figure is the gain over the first run by
top-1, with its standard error by query. Writes figures as JSON and the model to the folder of each
run; a run whose folder has the figures is not repeated.

Needs the extra `train`, which contains the start, all-MiniLM-L6-v2, and the recipe's data sets. On
two cores with AVX2, reading the data and fitting the initial heads take 45 s, a step 3 s (with
batches of 64 twice that), and measuring a set 27 s.

Besides top-1, each model is evaluated with the alignment it was trained with, and with the best
alignment of each set, the oracle. The picture has a row per run, like ALIGNER's figure 4; if there
are runs with XTR's loss and more than one k_train, a second picture, `FILE-k`, has a curve for each
batch size, like XTR's figure 7.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np

from core.alignment.adaptation import STRATEGIES
from core.alignment.pairwise import AlignmentKind, AlignmentStrategy
from core.alignment.reduction import TokenReduction
from core.errors import WinnowError
from core.files.paths import RESOURCES
from core.progress import Job
from lab.evaluation import pictures
from lab.training.config import DevConfig, TrainingConfig, read_config
from lab.training.dev import encode_dev, measure_alignments, measure_queries
from lab.training.encoding import TextEncoder
from lab.training.loop import Trainer

SETS: Final = ("cranfield", "med", "chunkeval", "covid-qa")
# The share of a passage's tokens that are selected by salience for the second figure.
SHARE: Final = 0.2
# The reduction for the third figure, with one bit per dimension, as the built-in model uses.
KEEPING: Final = TokenReduction.parse("weighted-pooling:0.2")

SHOWN: Final = {
    "ndcg@10": "top-1",
    "ndcg@10 pruned": f"top-1, {100 * SHARE:g} % of tokens",
    "ndcg@10 kept": f"top-1, {100 * KEEPING.listed:g} % pooled, 1 bit",
    "as trained": "own alignment",
    "oracle": "best alignment",
}

CHANGES: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "untrained": {"run": {"steps": 1, "learning_rate": 0.0, "head_learning_rate": 0.0}},
    "the recipe": {},
    "salience by hard top-k": {"salience": {"kind": "hard"}},
    "salience by ReLU alone": {"salience": {"kind": "relu"}},
    "salience by L1": {"salience": {"kind": "l1"}},
    "loss of XTR": {"loss": {"kind": "xtr"}},
    "loss of XTR, no distillation": {
        "loss": {"kind": "xtr", "distillation": 0.0, "cross_entropy": 1.0}
    },
    "loss of XTR, k_train 32": {"loss": {"kind": "xtr", "k_train": 32}},
    "alignment top-4": {"loss": {"alignment": "topk:4"}},
    "alignment top-1 %": {"loss": {"alignment": "topp:0.01"}},
    "alignment differentiable": {"loss": {"alignment": "differentiable:1"}},
    "no distillation": {"loss": {"distillation": 0.0, "cross_entropy": 1.0}},
    "distillation alone": {"loss": {"cross_entropy": 0.0}},
    "no summaries": {"model": {"summary_weight": 0.0}},
    "query salience from even": {"salience": {"query_start": "even"}},
    "64 dimensions": {"model": {"dimensions": 64}},
    "averaged weights": {"run": {"average": 0.99}},
    "pooling in the loop": {"loss": {"compression": 4.0}},
    "pooling and 1 bit in the loop": {"loss": {"compression": 4.0, "compressed_bits": 1}},
    "projection with a hidden layer": {"model": {"projection_hidden": 768}},
}

# Alignments as in ALIGNER's figure 4; k_train and batch sizes as in XTR's figure 7.
SWEEPS: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    **{f"alignment top-{k}": {"loss": {"alignment": f"topk:{k}"}} for k in (2, 8)},
    **{
        f"alignment top-{100 * p:g} %": {"loss": {"alignment": f"topp:{p}"}}
        for p in (0.005, 0.015, 0.02, 0.04)
    },
    **{f"loss of XTR, k_train {k}": {"loss": {"kind": "xtr", "k_train": k}} for k in (64, 128)},
    **{
        f"loss of XTR, k_train {k}, batch 64": {
            "loss": {"kind": "xtr", "k_train": k},
            "run": {"batch": 64},
        }
        for k in (32, 64, 128, 256)
    },
}


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one run.

    Attributes:
        of_sets: set -> name of the figure -> value.
        of_queries: set -> nDCG@10 of each query, by top-1.
    """

    of_sets: dict[str, dict[str, float]]
    of_queries: dict[str, list[float]]

    def mean(self, key: str) -> float:
        """Return the mean of a figure over the sets."""
        return fmean(one[key] for one in self.of_sets.values())

    def gain(self, other: Figures) -> tuple[float, float]:
        """Return the mean gain over another run, and its standard error by query.

        Sets count alike; the queries of a set are a sample.
        """
        means, variances = [], []
        for name, values in self.of_queries.items():
            differences = np.subtract(values, other.of_queries[name])
            means.append(differences.mean())
            variances.append(differences.var(ddof=1) / len(differences))
        return float(np.mean(means)), float(np.sqrt(np.sum(variances)) / len(means))


def changed(config: TrainingConfig, changes: Mapping[str, Mapping[str, Any]]) -> TrainingConfig:
    """Return the configuration with some keys of its sections changed."""
    sections = {name: replace(getattr(config, name), **keys) for name, keys in changes.items()}
    return replace(config, **sections)


def short(config: TrainingConfig, steps: int, threads: int) -> TrainingConfig:
    """Return the recipe, shortened to some minutes."""
    run = {
        "steps": steps,
        "batch": 32,
        "passage_tokens": 96,
        "evaluate_every": 0,
        "checkpoint_every": steps,
        "threads": threads,
        # Higher learning rates, so that few steps make progress.
        "learning_rate": 2 * config.run.learning_rate,
        "head_learning_rate": 2 * config.run.head_learning_rate,
    }
    salience = {"warm_up_steps": steps // 4}
    dev = tuple(DevConfig(name, queries=100, documents=500) for name in SETS)
    return replace(changed(config, {"run": run, "salience": salience}), dev=dev)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--output", type=Path, default=Path("build/ablations"))
    parser.add_argument("--recipe", type=Path, default=RESOURCES / "models/winnow-mini/train.toml")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--only", nargs="*", choices=[*CHANGES, *SWEEPS], default=list(CHANGES))
    parser.add_argument("--picture", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.picture:
        pictures.check_path(options.picture)
    try:
        measure_all(options)
    except WinnowError as error:
        parser.exit(1, f"ablations: {error}\n")


def measure_all(options: argparse.Namespace) -> None:
    """Make the runs that have no figures yet, and show all.

    Raises:
        WinnowError: a package, the start or data is missing, or the recipe is malformed.
    """
    base = short(read_config(options.recipe), options.steps, options.threads)
    found: dict[str, Figures] = {}
    configs = {name: changed(base, {**CHANGES, **SWEEPS}[name]) for name in options.only}
    for name, config in configs.items():
        folder = options.output / name.replace(" ", "-")
        noted = folder / "figures.json"
        if not noted.exists():
            report(f"{name}: reading the data")
            figures = run(config, options.data, folder)
            noted.write_text(json.dumps(asdict(figures), indent=2) + "\n", encoding="utf-8")
        found[name] = Figures(**json.loads(noted.read_text(encoding="utf-8")))
        show(name, found[name], found[options.only[0]])
    if options.picture:
        draw(found, configs, options.picture)


def report(line: str) -> None:
    """Print progress to standard error."""
    print(line, file=sys.stderr, flush=True)


def run(config: TrainingConfig, data: Path, folder: Path) -> Figures:
    """Train a model, and return each set's figures."""
    trainer = Trainer(config, data, folder, report, Job())
    trainer.run()
    trainer.write_model()
    encoder = TextEncoder(trainer.model, trainer.collator, trainer.device, config.run.precision)
    strategy = config.loss.strategy
    if not isinstance(strategy, AlignmentStrategy):
        # The search has no soft alignment; with the recipe's epsilon, top-k is nearly the same.
        strategy = AlignmentStrategy(AlignmentKind.TOP_K, strategy.k)
    of_sets, of_queries = {}, {}
    with trainer.averaged():
        for one in trainer.dev:
            report(f"measuring {one.name}")
            encoded = encode_dev(one, encoder)
            by_alignment = measure_alignments(encoded, list(dict.fromkeys([strategy, *STRATEGIES])))
            by_query = measure_queries(encoded, SHARE, KEEPING, bits=1)
            of_queries[one.name] = by_query["ndcg@10"]
            of_sets[one.name] = {
                **{key: fmean(values) for key, values in by_query.items()},
                "as trained": by_alignment[str(strategy)],
                "oracle": max(by_alignment.values()),
            }
    return Figures(of_sets, of_queries)


def show(name: str, figures: Figures, first: Figures) -> None:
    """Print one row: the means over the sets, each set's nDCG@10, and the gain over `first`."""
    cells = " | ".join(f"{figures.mean(key):.4f}" for key in SHOWN)
    each = " ".join(f"{one['ndcg@10']:.3f}" for one in figures.of_sets.values())
    gain, error = figures.gain(first)
    print(f"| {name:36} | {cells} | {each} | {gain:+.4f} ± {error:.4f} |", flush=True)


def draw(
    figures_of: Mapping[str, Figures], configs: Mapping[str, TrainingConfig], path: Path
) -> None:
    """Draw a row of dots for each run, and XTR's curves by k_train and batch size."""
    counted = f"mean nDCG@10 of {', '.join(dict.fromkeys(SETS))}"
    pictures.dots(
        path,
        list(figures_of),
        [
            pictures.Dots(label, [figures.mean(key) for figures in figures_of.values()])
            for key, label in SHOWN.items()
        ],
        "Short trainings, one part of the recipe changed in each",
        counted,
    )
    batches: dict[int, dict[int, float]] = {}
    for name, figures in figures_of.items():
        loss = configs[name].loss
        if loss.kind == "xtr":
            of_batch = batches.setdefault(configs[name].run.batch, {})
            of_batch[loss.k_train] = figures.mean("ndcg@10")
    counts = sorted({k for of_batch in batches.values() for k in of_batch})
    if len(counts) > 1:
        curves = [
            pictures.Series(
                f"batches of {batch}", sorted(of_batch), [of_batch[k] for k in sorted(of_batch)]
            )
            for batch, of_batch in sorted(batches.items())
        ]
        pictures.lines(
            path.with_stem(path.stem + "-k"),
            curves,
            "Trained by the loss of XTR",
            "tokens that each query token retrieves in training (k_train)",
            counted,
            x_ticks=counts,
            log_x=True,
        )


if __name__ == "__main__":
    main()
