"""What each part of the recipe of winnow-mini gives: short trainings, one part changed in each.

    python3 dev.py bench ablations --data DATA [--steps 100] [--only NAME ...]

Each run is the recipe of `resources/models/winnow-mini/train.toml`, cut short, with the changes in
CHANGES; measured on samples of sets that nothing is trained on. Short runs tell directions, not
what the whole recipe reaches. Prints a table, and writes JSON beside the runs.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from core.paths import RESOURCES
from core.progress import Job
from lab.training.config import DevConfig, TrainingConfig, read_config
from lab.training.dev import measure
from lab.training.encoding import TextEncoder
from lab.training.loop import Trainer

SETS: Final = ("cranfield", "med", "chunkeval", "covid-qa")
SHARE: Final = 0.2
"""Of a passage's tokens that is kept by salience for the second figure."""

CHANGES: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "untrained": {"run": {"steps": 1, "learning_rate": 0.0, "head_learning_rate": 0.0}},
    "the recipe": {},
    "salience by hard top-k": {"salience": {"kind": "hard"}},
    "salience by ReLU alone": {"salience": {"kind": "relu"}},
    "salience by L1": {"salience": {"kind": "l1"}},
    "loss of XTR": {"loss": {"kind": "xtr"}},
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


def changed(config: TrainingConfig, changes: Mapping[str, Mapping[str, Any]]) -> TrainingConfig:
    """The configuration with some keys of its sections changed."""
    sections = {name: replace(getattr(config, name), **keys) for name, keys in changes.items()}
    return replace(config, **sections)


def short(config: TrainingConfig, steps: int, threads: int) -> TrainingConfig:
    """The recipe, cut to what takes minutes."""
    run = {
        "steps": steps,
        "batch": 32,
        "passage_tokens": 96,
        "evaluate_every": 0,
        "checkpoint_every": steps,
        "threads": threads,
        # So that so few steps lead somewhere.
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
    parser.add_argument("--only", nargs="*", choices=list(CHANGES), default=list(CHANGES))
    given = parser.parse_args()
    base = short(read_config(given.recipe), given.steps, given.threads)
    for name in given.only:
        folder = given.output / name.replace(" ", "-")
        noted = folder / "figures.json"
        if not noted.exists():
            figures = run(changed(base, CHANGES[name]), given.data, folder)
            noted.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        show(name, json.loads(noted.read_text(encoding="utf-8")))


def run(config: TrainingConfig, data: Path, folder: Path) -> dict[str, dict[str, float]]:
    """Train; give each set's figures."""
    trainer = Trainer(config, data, folder, lambda _line: None, Job())
    trainer.run()
    encoder = TextEncoder(trainer.model, trainer.collator, trainer.device, config.run.precision)
    with trainer.averaged():
        return {one.name: measure(one, encoder, SHARE) for one in trainer.dev}


def show(name: str, figures: Mapping[str, Mapping[str, float]]) -> None:
    """One row: the mean over the sets, with all tokens and pruned, and each set's figures."""
    cells = []
    for key in ("ndcg@10", "ndcg@10 pruned"):
        found = [one[key] for one in figures.values() if key in one]
        mean = math.fsum(found) / len(found) if found else math.nan
        cells.append(f"{mean:.4f}")
    each = " ".join(f"{one['ndcg@10']:.3f}" for one in figures.values())
    print(f"| {name:26} | {cells[0]} | {cells[1]} | {each} |", flush=True)


if __name__ == "__main__":
    main()
