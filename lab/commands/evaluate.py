"""`winnow evaluate`: measure the search on a judged data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.commands import terminal
from lab.commands import options

if TYPE_CHECKING:
    from lab.evaluation.run import Evaluation

_MODES = ("hybrid", "meaning", "words")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--split", default="test", show_default=True, help="Split of the queries.")
@click.option(
    "--mode",
    "modes",
    type=click.Choice(_MODES),
    multiple=True,
    default=("hybrid",),
    show_default=True,
    help="Mode to measure. Can be repeated; the data set is indexed once.",
)
@click.option(
    "--alignment", default="topk:1", show_default=True, help="Alignment, topk:K or topp:P."
)
@click.option(
    "--bits",
    type=int,
    help="Bits per dimension: 1, 2, 4, or 32 for uncompressed. [default: the model's]",
)
@click.option(
    "--keep",
    metavar="all|WAY:[SHARE:]SHARE[+SHARE]",
    help="Reduction of passage vectors: pruned-pooling:0.8:0.2 drops the least salient fifth of "
    "the tokens and pools the rest to a fifth of all; weighted-pooling:0.4 drops none; +0.3 adds a "
    "refinement store. [default: the model's]",
)
@click.option("--fast", is_flag=True, help="Do not rerank the results of the index.")
@click.option(
    "--beta-q",
    type=click.FloatRange(0, 1, min_open=True),
    help="Maximum share of the query's tokens that visit lists. [default: 1]",
)
@options.unrelated
@terminal.model_option
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON per mode.")
def evaluate(
    folder: Path,
    split: str,
    modes: tuple[str, ...],
    alignment: str,
    bits: int | None,
    keep: str | None,
    fast: bool,
    beta_q: float | None,
    unrelated: tuple[Path, ...],
    model: str | None,
    as_json: bool,
) -> None:
    """Measure search on a judged data set in the layout of BEIR, Hugging Face or LoTTE."""
    from core.alignment.pairwise import AlignmentStrategy
    from core.alignment.reduction import TokenReduction
    from core.index.probing import ProbeParams
    from core.library.library import LibraryOptions
    from core.responses import Mode
    from lab.evaluation import run

    options = LibraryOptions(
        bits,
        AlignmentStrategy.parse(alignment),
        model,
        TokenReduction.parse(keep) if keep else None,
        None if beta_q is None else ProbeParams(beta_q=beta_q),
    )
    with terminal.job() as job:
        figures = run.evaluate(
            folder,
            split,
            tuple(map(Mode, modes)),
            options,
            job,
            refined=(not fast,),
            unrelated=unrelated,
        )
    for evaluation in figures:
        if as_json:
            terminal.print_json(_evaluation_fields(evaluation), indent=None)
        else:
            _print(evaluation)


def _evaluation_fields(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "dataset": evaluation.dataset,
        "queries": evaluation.queries,
        "documents": evaluation.documents,
        "mode": str(evaluation.mode),
        "alignment": evaluation.alignment,
        "bits": evaluation.bits,
        "is_refined": evaluation.is_refined,
        "beta_q": evaluation.beta_q,
        "beta_d": evaluation.beta_d,
        "ndcg@10": round(evaluation.ndcg_at_10, 4),
        "mrr@10": round(evaluation.mrr_at_10, 4),
        "recall@100": round(evaluation.recall_at_100, 4),
        "success@5": round(evaluation.success_at_5, 4),
        "bytes_per_token": round(evaluation.bytes_per_token, 2),
        "latency_ms": {"p50": round(evaluation.p50_ms, 2), "p95": round(evaluation.p95_ms, 2)},
    }


def _print(evaluation: Evaluation) -> None:
    """Print one line of figures."""
    terminal.say(
        f"{evaluation.dataset:12} {evaluation.mode:8} {evaluation.alignment} {evaluation.bits} bits"
        f"  nDCG@10 {evaluation.ndcg_at_10:.4f}  MRR@10 {evaluation.mrr_at_10:.4f}"
        f"  recall@100 {evaluation.recall_at_100:.4f}  success@5 {evaluation.success_at_5:.4f}"
        f"  {evaluation.bytes_per_token:.1f} bytes a token"
        f"  p50 {evaluation.p50_ms:.1f} ms  p95 {evaluation.p95_ms:.1f} ms"
    )
